#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: fi_peer.sh PROVIDER LAPS SIZE...   libfabric's own ping-pong, in nx_peer's words
provider=$1 laps=$2 server=
shift 2
trap '[ -z "$server" ] || kill "$server" 2>/dev/null' EXIT
trap 'exit 1' INT TERM HUP
port=$((20000 + $$ % 10000))  # below those that the system gives out
for size; do
  port=$((port + 1))
  fi_pingpong -B $port -p "$provider" -e rdm -S "$size" -I "$laps" >/dev/null &
  server=$!
  tries=0
  until output=$(fi_pingpong -P $port -p "$provider" -e rdm -S "$size" -I "$laps" 127.0.0.1 2>/dev/null); do
    tries=$((tries + 1))
    [ $tries -lt 50 ] || exit 1
    sleep 0.1
  done
  wait $server
  server=
  echo "$output" | awk -v size="$size" 'END { printf "pingpong %d %.0f\n", size, $7 * 1000 }'
done
