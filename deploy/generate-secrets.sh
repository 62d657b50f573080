#!/bin/sh
# Makes the secrets that compose.yaml mounts, in deploy/secrets. Existing ones are kept. Store a copy of encryption_key apart from
# the database: without it the stored private keys cannot be read.
set -eu
umask 077
cd "$(dirname "$0")"
mkdir -p secrets
chmod 700 secrets
cd secrets

make() {
  name=$1
  shift
  [ -s "$name" ] && return 0
  "$@" >"$name"
  # Containers with other users read it; the directory keeps everybody else out.
  chmod 444 "$name"
}

make postgres_password openssl rand -hex 24
make encryption_key openssl rand -base64 32
make metrics_token openssl rand -hex 24
make database_url printf 'postgres://console:%s@postgres:5432/console\n' "$(cat postgres_password)"
