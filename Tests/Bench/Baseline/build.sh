#!/bin/sh
# Compiles what the benchmarks are measured against, and attacked with: build.sh OUTDIR
set -eu
out=${1:?usage: build.sh OUTDIR}
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$out"
for source in "$here/echo_server.c" "$here/frame_load.c" "$here"/../Attack/*.c; do
  ${CC:-cc} -std=gnu11 -O2 -Wall -Wextra -Werror \
    -o "$out/$(basename "$source" .c)" "$source" -lssl -lcrypto
done
${CC:-cc} -std=gnu11 -O2 -Wall -Wextra -Werror -o "$out/table_scan" "$here/table_scan.c" -lsqlite3
for program in index_pbds timers_set; do
  ${CXX:-c++} -std=c++17 -O2 -Wall -Wextra -Werror -o "$out/$program" "$here/$program.cpp"
done
