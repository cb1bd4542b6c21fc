#!/bin/sh
# Compiles the C side of the tls-echo benchmark: build.sh OUTDIR
set -eu
out=${1:?usage: build.sh OUTDIR}
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$out"
for program in echo_server echo_load; do
  ${CC:-cc} -std=gnu11 -O2 -Wall -Wextra -Werror \
    -o "$out/$program" "$here/$program.c" -lssl -lcrypto
done
