#!/bin/bash
# What Debian's Redis does with durable score submits: redis_submit.sh DIR CLIENTS REQUESTS
#
# Starts a private redis-server on a free loopback port that flushes its log before it answers
# (appendfsync always), writes random scores of a million members with redis-benchmark, prints one
# line of JSON and stops the server. DIR must be on the disk that Muster's store is measured on;
# the server's files in it are removed. SERVER_CORE and CLIENT_CORE pin the two.
set -euo pipefail

directory=${1:?usage: redis_submit.sh DIR CLIENTS REQUESTS}
clients=${2:?clients}
requests=${3:?requests}
mkdir -p "$directory"
data=$(mktemp -d "$directory/redis.XXXXXX")
server=

# Its data is thrown away, so it need not save it first.
stop() {
  if [ -n "$server" ]; then kill -KILL "$server" 2>/dev/null && wait "$server" || true; fi
  rm -rf "$data"
}
trap stop EXIT

# taskset replaces itself, so that a pinned process keeps the id it was started with.
pin_server=(${SERVER_CORE:+taskset -c "$SERVER_CORE"})
pin_client=(${CLIENT_CORE:+taskset -c "$CLIENT_CORE"})
ask() { redis-cli -p "$port" "$@" 2>/dev/null | tr -d '\r'; }
field() { ask info "$1" | awk -F: -v name="$2" '$1 == name { print $2 }'; }

# A port is free when our own process answers on it, not somebody else's.
start() {
  for _ in 1 2 3 4 5; do
    port=$((20000 + RANDOM % 12000))
    "${pin_server[@]}" redis-server --bind 127.0.0.1 --port "$port" --dir "$data" --save "" \
      --appendonly yes --appendfsync always >"$data/log" 2>&1 &
    server=$!
    for _ in $(seq 100); do
      kill -0 "$server" 2>/dev/null || break
      [ "$(field server process_id)" = "$server" ] && return
      sleep 0.05
    done
    kill -KILL "$server" 2>/dev/null && wait "$server" || true
    server=
  done
  echo "redis-server does not start" >&2
  exit 1
}

# The children are rewrites of the log: part of what durable submits cost.
server_cpu() {
  ask info cpu | awk -F: '/^used_cpu_(sys|user)(_children)?:/ { sum += $2 } END { print sum }'
}

start
before=$(server_cpu)
TIMEFORMAT='%R %U %S'
{ time "${pin_client[@]}" redis-benchmark -h 127.0.0.1 -p "$port" -c "$clients" -n "$requests" \
    -r 1000000 -P 1 --csv zadd board __rand_int__ member:__rand_int__ \
    >"$data/result" 2>"$data/errors"; } 2>"$data/time"
after=$(server_cpu)

[ "$(ask config get appendfsync | tail -1)" = always ]
written=$(ask zcard board)
if [ "$written" -lt 1 ]; then
  cat "$data/result" "$data/errors" >&2
  exit 1
fi

# The last line of the CSV: command, requests per second, then in milliseconds the average,
# minimum, p50, p95, p99 and maximum. The command holds no comma.
read -r seconds user system <"$data/time"
tail -1 "$data/result" | tr -d '"' | awk -F, \
  -v seconds="$seconds" -v client="$user $system" -v before="$before" -v after="$after" '{
    split(client, times, " ")
    printf "{\"ops_per_second\":%.0f,\"p50_us\":%.0f,\"p99_us\":%.0f,", $2, $5 * 1000, $7 * 1000
    printf "\"server_cpu_seconds\":%.3f,\"client_cpu_seconds\":%.3f,\"seconds\":%.3f}\n",
      after - before, times[1] + times[2], seconds
  }'
