"""The driver on a machine whose GPUs are made up: python program.py FOLDER FLEET [options of the driver].

The machine is made in the folder at the first start, and stays as it is afterwards.
"""

import os
import sys
from pathlib import Path

from fakegpu.__main__ import main as fakegpu
from fakegpu.nvml.build import library


def main() -> None:
    """Become the driver."""
    folder, fleet, *options = sys.argv[1:]
    file, root = Path(folder, "gpus.yaml"), Path(folder, "machine")
    if not file.exists():
        Path(folder).mkdir(parents=True)
        for event in (["fleet", fleet], ["table"], ["tree", str(root), "--keep"]):
            if status := fakegpu([str(file), *event]):
                raise SystemExit(status)
    made_up = [f"--nvml-library={library()}", f"--driver-root-mount={root}", f"--system-root={root}"]
    command = [sys.executable, "-m", "reference_driver.gpu", "--gpus=nvml", *made_up, "--look-every=0.5", *options]
    os.execve(command[0], command, {**os.environ, "FAKEGPU_NVML": f"{file}.nvml"})


if __name__ == "__main__":
    main()
