#!/bin/sh
# Makes the secrets that compose.yaml mounts, once: what is there is left as it is. Keep a copy of encryption_key where no copy of
# the database is: without it the stored private keys cannot be read.
set -eu
cd "$(dirname "$0")"
umask 077

make() {
  name=$1
  shift
  [ -s "$name" ] && return 0
  "$@" >"$name"
  # Mounted as they are into containers whose users are not ours; this directory lets nobody else in.
  chmod 444 "$name"
}

chmod 700 .
make postgres_password openssl rand -hex 24
make encryption_key openssl rand -base64 32
make metrics_token openssl rand -hex 24
make database_url printf 'postgres://console:%s@postgres:5432/console\n' "$(cat postgres_password)"
