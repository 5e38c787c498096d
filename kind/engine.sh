#!/usr/bin/env bash
# Sees to it that a Docker engine answers: leaves a running one alone, else installs Debian's and starts it.
# Says in one sentence what is missing where that cannot be done, and exits with 1.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
log=/var/log/dra-conformance-dockerd.log
runtime=/usr/local/lib/dra-conformance/runc-capped

missing() {
    echo "$1" >&2
    exit 1
}

answer=$(docker info 2>&1 >/dev/null) && exit 0
case "$answer" in
    *"permission denied"*) missing "This user may not talk to the Docker engine: become root or join the group docker." ;;
esac
[ "$(uname -s)" = Linux ] || missing "No Docker engine answers; start one, it can only be set up here on Debian."
[ "$(id -u)" = 0 ] || missing "No Docker engine answers, and only root can set one up: start it, or run this as root."

packages=()
command -v dockerd >/dev/null || packages+=(docker.io)
for tool in runc iptables jq debootstrap; do
    command -v "$tool" >/dev/null || packages+=("$tool")
done
if [ ${#packages[@]} -gt 0 ]; then
    command -v apt-get >/dev/null || missing "Install ${packages[*]} first: this machine has no apt-get to do so."
    echo "Installing ${packages[*]} …" >&2
    export DEBIAN_FRONTEND=noninteractive
    { apt-get update -qq && apt-get install -y -qq --no-install-recommends "${packages[@]}"; } >"$log" 2>&1 ||
        missing "${packages[*]} could not be installed: $(grep -m1 '^E:' "$log" || tail -n 1 "$log")"
fi

# An engine that was killed leaves its pid files, and does not start while other processes have these numbers.
for file in /var/run/docker.pid /var/run/docker/containerd/containerd.pid; do
    if [ -f "$file" ] && ! grep -qE 'dockerd|containerd' "/proc/$(cat "$file")/comm" 2>/dev/null; then rm -f "$file"; fi
done

options=()
if ((!((16#$(awk '/CapBnd/{print $2}' /proc/self/status) >> 24) & 1))); then # no CAP_SYS_RESOURCE
    install -D -m 755 "$here/runc-capped" "$runtime"
    options=(--add-runtime "capped=$runtime" --default-runtime capped)
fi
setsid nohup dockerd "${options[@]}" >"$log" 2>&1 </dev/null &
engine=$!
for ((i = 0; i < 120; i++)); do
    docker info >/dev/null 2>&1 && exit 0
    kill -0 "$engine" 2>/dev/null || break
    sleep 0.5
done
missing "The Docker engine does not start: $(grep -m1 -iE 'failed|error' "$log" || tail -n 1 "$log")"
