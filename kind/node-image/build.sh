#!/usr/bin/env bash
# Makes a node image of kind out of binaries, without pulling any image. Needs root, Debian's debootstrap, gcc and Go.
# usage: build.sh BINARIES TAG KUBERNETES_VERSION      about 2 minutes the first time, 40 s with the base there
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
bin=$(realpath "$1") tag=$2 kubernetes=$3
suite=bookworm
label=dra-conformance=node-image
importer=dra-conformance-import-$$
work=$(mktemp -d)
trap 'docker rm -f "$importer" >/dev/null 2>&1 || true; rm -rf "$work"' EXIT
say() { echo "$*" >&2; }
quietly() { # a command whose output matters only when it fails
    "$@" >"$work/quiet.log" 2>&1 || { tail -n 5 "$work/quiet.log" >&2; exit 1; }
}

packages=systemd,systemd-sysv,dbus,iproute2,iptables,nftables,kmod,conntrack,socat,ethtool,mount,procps,util-linux
packages+=,hostname,ca-certificates,jq,runc
base=dra-conformance/debian:$suite-$(echo "$packages" | sha256sum | cut -c1-12)
if ! docker image inspect "$base" >/dev/null 2>&1; then
    say "making a Debian base with debootstrap; needed once, about a minute"
    mirror=$(awk '/^URIs/{print $2; exit}' /etc/apt/sources.list.d/debian.sources 2>/dev/null ||
        awk '$1 == "deb" && $2 ~ /^http/ {print $2; exit}' /etc/apt/sources.list)
    debootstrap --variant=minbase --include="$packages" "$suite" "$work/root" "$mirror" >"$work/debootstrap.log" 2>&1 ||
        { tail -n 3 "$work/debootstrap.log" >&2; exit 1; }
    rm -rf "$work"/root/var/cache/apt/archives/*.deb "$work"/root/var/lib/apt/lists/* "$work"/root/usr/share/{doc,man,locale}/*
    tar -C "$work/root" -c . | docker import -c "LABEL $label" - "$base" >/dev/null
    rm -rf "$work/root"
fi

image() { # name binary command entrypoint: an image that holds one static binary
    local root
    root=$(mktemp -d -p "$work")
    mkdir -p "$root/usr/local/bin" "$root/tmp" "$root/etc"
    cp "$2" "$root/usr/local/bin/$3"
    tar -C "$root" -c . | docker import -c "LABEL $label" -c 'ENV PATH=/usr/local/bin' -c "ENTRYPOINT ${4:-[]}" - "$1" >/dev/null
    rm -rf "$root"
}

say "making images of the control plane"
# Asked of kubeadm, so that the versions of etcd and pause are those that it will use.
mapfile -t wanted < <("$bin/kubeadm" config images list --kubernetes-version "$kubernetes" 2>/dev/null | grep -v /coredns/)
loaded=()
for name in "${wanted[@]}"; do
    part=${name##*/} part=${part%%:*}
    case "$part" in
        pause)
            gcc -Os -static -o "$work/pause" "$here/../workload/wait.c"
            image "$name" "$work/pause" pause '["/usr/local/bin/pause"]'
            pause=$name
            ;;
        kube-proxy) # calls iptables and conntrack
            mkdir "$work/proxy"
            cp "$bin/kube-proxy" "$work/proxy/"
            printf 'FROM %s\nCOPY kube-proxy /usr/local/bin/\n' "$base" >"$work/proxy/Dockerfile"
            quietly env DOCKER_BUILDKIT=0 docker build -q -t "$name" "$work/proxy"
            ;;
        *) image "$name" "$bin/$part" "$part" ;;
    esac
    loaded+=("$name")
done

# kind's own entrypoint and units come from its Go module.
say "making the node"
kind=sigs.k8s.io/kind@v$("$bin/kind" version -q)
files=$(cd "$work" && go mod download -json "$kind" | sed -n 's/^\t"Dir": "\(.*\)",$/\1/p')/images/base/files
context=$work/node
mkdir -p "$context/bin" "$context/cni" "$context/kube"
cp -r "$files" "$context/files"
chmod -R u+w "$context"
cp "$bin"/{containerd,containerd-shim-runc-v2,ctr,crictl} "$context/bin/"
cp "$here/../runc-capped" "$context/bin/runc"
cp "$bin"/{ptp,loopback,host-local,portmap} "$context/cni/"
cp "$bin"/{kubelet,kubeadm,kubectl} "$context/kube/"
cp "$here/Dockerfile" "$here/10-static.conflist" "$context/"
sed -i "s#\"[^\"]*/pause:[^\"]*\"#\"$pause\"#; s/restrict_oom_score_adj = false/restrict_oom_score_adj = true/" \
    "$context/files/etc/containerd/config.toml"
sed -i '/^Limit/d; /^OOMScoreAdjust/d; /modprobe/d' "$context/files/etc/systemd/system/containerd.service"
quietly env DOCKER_BUILDKIT=0 docker build -q --label "$label" --build-arg "BASE=$base" \
    --build-arg "KUBERNETES=$kubernetes" -t "$tag-empty" "$context"

say "loading the control plane into the node"
docker run -d --name "$importer" --label "$label" --privileged --entrypoint containerd "$tag-empty" >/dev/null
for ((i = 0; i < 60; i++)); do
    docker exec "$importer" ctr version >/dev/null 2>&1 && break
    sleep 0.5
done
for name in "${loaded[@]}"; do
    docker save "$name" | docker exec -i "$importer" ctr -n k8s.io images import --no-unpack - >/dev/null 2>"$work/import.log" ||
        { tail -n 3 "$work/import.log" >&2; exit 1; }
done
docker stop "$importer" >/dev/null
docker commit -c 'ENTRYPOINT ["/usr/local/bin/entrypoint", "/sbin/init"]' "$importer" "$tag" >/dev/null
docker rm -f "$importer" >/dev/null
docker image rm "$tag-empty" "${loaded[@]}" >/dev/null 2>&1 || true
