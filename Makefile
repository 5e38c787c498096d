# Every target sets up what it needs in .venv; all that has to be there is make, Python 3.11 or newer and, for drivers
# that are built from Go modules, Go.
#
#   make conformance [DRIVER=my-driver.yaml] [ARGS="-k preparation"]   run the suite; gates call dra-conformance instead,
#                                                                     because make turns every failure into status 2
#   make test [ARGS="tests/report"]     lint, then the tests of the suite itself
#   make kills                          wrong drivers against the checks of their areas, right ones against all; `make test`
#                                       tries some of each, others with DRA_SEED=2 in the environment
#   make kind [DRIVER=my-driver.yaml]   the suite on a real cluster that kind makes for the run; sets Docker up on Debian as root
#   make test-kind                      tests that need real clusters, none of them skipped
#   make parity [SEED=7]                the embedded cluster held against a real control plane, by other requests and problems
#                                       than in make test; then the same drivers on every kind of cluster: each check has the
#                                       same verdict; last, for hours, wrong drivers on kind, which tests/mutants/on-kind.yaml keeps
#   make bench [ARGS=driver]            how fast the embedded cluster is with 5,000 slices, and the reference driver beside
#                                       the Kubernetes test driver; each figure beside its limit, last the drivers' ratios
#   make mutants [ARGS="M01 one_device"]  wrong drivers, each caught by its checks alone, and right ones, never blamed; all of
#                                       them write the kill matrix, docs/kill-matrix.md
#   make repeat                         the reference driver twenty times, then five times on kind: always the same verdicts
#   make pictures [PICTURES=build/pictures]   of the report's page and of the index, for docs/pictures: runs, and Chromium
#   make index                          an index of submitted reports, of the drivers at hand, and its site: build/index/site;
#                                       runs that tests have made are in build/runs, the others are made
#   make site                           the documents as a site, in build/site: open index.html
#   make lint                           ruff and mypy
#   make schema, make proto             write the generated files anew: JSON schemas, gRPC modules
#   make lock                           resolve requirements.lock anew
#   make clean                          remove .venv and everything else that was made here
#
# DRA_REQUIRE_GO=1 in the environment makes tests that need Chromium, or what is built with Go or a C compiler, fail, not
# skip, without it. DRA_UNTIL=$(date +%s --date=1hour) leaves out, by name, those that have not begun by then.

DRIVER ?= reference
ARGS ?=
PICTURES ?= docs/pictures
# Most tests wait more than they work.
WORKERS ?= $(shell expr $$(nproc) + 1)
PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)

# Where tests keep the whole runs that they make.
export DRA_RUNS ?= $(CURDIR)/build/runs

VENV := .venv
RUN := $(VENV)/bin/python
READY := $(VENV)/.ready
CODE := conformance docs examples fakegpu reference_driver tests proto

.DEFAULT_GOAL := conformance
.PHONY: conformance test lint bench pictures index site mutants kills repeat kind test-kind parity schema proto lock clean ready

conformance: ready
	$(VENV)/bin/dra-conformance run --driver=$(DRIVER) $(ARGS)

test: lint
	$(RUN) -m tests.programs
	$(RUN) -m pytest --numprocesses=$(WORKERS) --dist=worksteal $(ARGS)

kills: ready
	$(RUN) -m tests.programs
	DRA_ALL=1 $(RUN) -m pytest --numprocesses=$(WORKERS) --dist=worksteal tests/mutants tests/good_drivers tests/tap tests/kep5970 $(ARGS)

pictures: ready
	$(RUN) -m tests.report.pictures --write=$(PICTURES)
	$(RUN) -m tests.index.pictures --runs=$(DRA_RUNS) --write=$(PICTURES)

index: ready
	$(RUN) -m tests.index.seeds --runs=$(DRA_RUNS) --write=build/index

site: ready
	NO_MKDOCS_2_WARNING=1 $(RUN) -m mkdocs build --quiet --strict

bench: ready
	$(RUN) -m tests.bench $(ARGS)

mutants: ready
	$(RUN) -m tests.programs
	$(RUN) -m tests.mutants --write=docs/kill-matrix.md $(ARGS)

repeat: ready
	$(RUN) -m tests.repeat --times=20
	@kind/engine.sh
	$(RUN) -m tests.repeat --times=5 --cluster=kind

kind: ready
	@kind/engine.sh
	$(VENV)/bin/dra-conformance run --driver=$(DRIVER) --cluster=kind $(ARGS)

test-kind: ready
	@kind/engine.sh
	$(RUN) -m tests.programs
	DRA_KIND=1 DRA_REQUIRE_GO=1 $(RUN) -m pytest -rs --durations=30 tests/kind tests/existing tests/image tests/gates tests/parity tests/mutants/test_on_kind.py $(ARGS)

parity: ready
	$(RUN) -m tests.programs
	$(RUN) -m tests.fidelity $(if $(SEED),--seed=$(SEED))
	$(RUN) -m tests.fidelity.allocation $(if $(SEED),--seed=$(SEED))
	@kind/engine.sh
	DRA_ALL=1 DRA_KIND=1 DRA_REQUIRE_GO=1 $(RUN) -m pytest tests/parity $(ARGS)
	$(RUN) -m tests.mutants.all_on_kind

lint: ready
	$(RUN) -m ruff check $(CODE)
	$(RUN) -m ruff format --check $(CODE)
	$(RUN) -m mypy

schema: conformance/target/driver-file.schema.json conformance/report/schema/report-v1.schema.json

conformance/target/driver-file.schema.json: DOCUMENT := driver
conformance/report/schema/report-v1.schema.json: DOCUMENT := report
%.schema.json: ready
	$(VENV)/bin/dra-conformance schema $(DOCUMENT) > $@.new
	mv $@.new $@

proto: ready
	$(RUN) proto/generate.py

lock: ready
	$(RUN) -m pip install --quiet pip-tools
	$(RUN) -m piptools compile --quiet --extra=dev --extra=docs --generate-hashes --allow-unsafe --strip-extras --no-header \
		--no-emit-index-url --no-emit-find-links --no-emit-trusted-host --output-file=requirements.lock pyproject.toml

clean:
	rm -rf $(VENV) build dist *.egg-info conformance-report* allure-results .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# Two makes at once: the second waits for the lock and finds all done.
ready:
	@flock Makefile $(MAKE) --silent $(READY)

$(READY): pyproject.toml requirements.lock
	@test -n "$(PYTHON)" || { echo "No Python 3.11 or newer is on PATH; install one, or name it: make PYTHON=/path/to/python" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || \
		{ echo "$(PYTHON) cannot make virtual environments; on Debian and Ubuntu: apt install python3-venv" >&2; exit 1; }
	@$(RUN) -c '' 2>/dev/null || $(PYTHON) -m venv --clear $(VENV)
	@echo "Setting up $(VENV) …"
	@$(RUN) -m pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements.lock
	@$(RUN) -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@
