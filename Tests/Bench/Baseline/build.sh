#!/bin/sh
# Compiles what the benchmarks are measured against: build.sh OUTDIR
set -eu
out=${1:?usage: build.sh OUTDIR}
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$out"
for program in echo_server frame_load; do
  ${CC:-cc} -std=gnu11 -O2 -Wall -Wextra -Werror \
    -o "$out/$program" "$here/$program.c" -lssl -lcrypto
done
${CC:-cc} -std=gnu11 -O2 -Wall -Wextra -Werror -o "$out/table_scan" "$here/table_scan.c" -lsqlite3
for program in index_pbds timers_set; do
  ${CXX:-c++} -std=c++17 -O2 -Wall -Wextra -Werror -o "$out/$program" "$here/$program.cpp"
done
