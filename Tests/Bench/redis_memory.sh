#!/bin/bash
# What Redis takes of memory for a board: redis_memory.sh DIR FILL MEMBERS
#
# Starts a private redis-server that keeps nothing on the disk, adds so many members of 16 bytes with
# ZADD, as the program FILL makes them, prints one line of JSON and stops the server.
set -euo pipefail

directory=${1:?usage: redis_memory.sh DIR FILL MEMBERS}
fill=${2:?the program bench-fill}
members=${3:?members}
socket=$directory/redis.socket
server=

stop() {
  if [ -n "$server" ]; then kill -KILL "$server" 2>/dev/null && wait "$server" || true; fi
}
trap stop EXIT

ask() { redis-cli -s "$socket" "$@" 2>/dev/null | tr -d '\r'; }
resident() { awk '$1 == "VmRSS:" { print $2 * 1024 }' "/proc/$server/status"; }

redis-server --port 0 --unixsocket "$socket" --dir "$directory" --save "" --appendonly no \
  >"$directory/redis.log" 2>&1 &
server=$!
for _ in $(seq 100); do
  [ "$(ask ping)" = PONG ] && break
  sleep 0.05
done
empty=$(resident)
"$fill" redis "$members" | redis-cli -s "$socket" --pipe >"$directory/redis.result" 2>&1 ||
  { cat "$directory/redis.result" >&2; exit 1; }
printf '{"members":%d,"resident_bytes":%d,"resident_bytes_empty":%d}\n' \
  "$(ask zcard board)" "$(resident)" "$empty"
