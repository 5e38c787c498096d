#!/usr/bin/env bash
# Makes images that stand in for those that the Dockerfile of the suite begins with, as no registry can be asked here:
# Debian with Python, by debootstrap. They trust what this machine trusts, so that pip reaches what it reaches here.
# usage: base.sh TAG [TAG_WITH_GO]
set -euo pipefail
tag=$1
if [ $# = 2 ]; then # the Go of this machine on top of it
    docker image inspect "$2" >/dev/null 2>&1 && exit 0
    file=$(mktemp -d)
    trap 'rm -rf "$file"' EXIT
    printf 'FROM %s\nCOPY go/ /usr/local/go/\nENV PATH=/usr/local/go/bin:/usr/bin:/bin\n' "$tag" >"$file/Dockerfile"
    goroot=$(go env GOROOT)
    tar -c -C "$file" Dockerfile -C "${goroot%/*}" --transform "s#^${goroot##*/}#go#" "${goroot##*/}" |
        DOCKER_BUILDKIT=0 docker build --quiet --tag "$2" - >/dev/null
    exit 0
fi
docker image inspect "$tag" >/dev/null 2>&1 && exit 0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mirror=$(awk '/^URIs/{print $2; exit}' /etc/apt/sources.list.d/debian.sources 2>/dev/null ||
    awk '$1 == "deb" && $2 ~ /^http/ {print $2; exit}' /etc/apt/sources.list)
debootstrap --variant=minbase --include=ca-certificates,python3,python3-venv bookworm "$work/root" "$mirror" \
    >"$work/log" 2>&1 || { tail -n 5 "$work/log" >&2; exit 1; }
cp /etc/ssl/certs/ca-certificates.crt "$work/root/etc/ssl/certs/ca-certificates.crt"
rm -rf "$work"/root/var/cache/apt/archives/*.deb "$work"/root/var/lib/apt/lists/*
# Without the label of what the suite makes: a run on kind would take images that are being made of it for left-overs.
tar -C "$work/root" -c . | docker import -c 'ENV PIP_CERT=/etc/ssl/certs/ca-certificates.crt' - "$tag" >/dev/null
