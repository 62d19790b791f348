#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: with_pvmd.sh PROGRAM ARGUMENT...   runs a native PVM program in a virtual machine of its own
folder=$(mktemp -d) || exit 1
export PVM_TMP="$folder" PVM_VMID=bench PVM_ALLOW_ROOT=1
pvmd -n127.0.0.1 >"$folder/socket" 2>/dev/null </dev/null &
daemon=$!
trap 'kill $daemon; wait $daemon; rm -rf "$folder"' EXIT
trap 'exit 1' INT TERM HUP
waited=0
while [ ! -s "$folder/socket" ]; do
  waited=$((waited + 1))
  [ $waited -lt 100 ] || exit 1
  sleep 0.05
done
PVMSOCK=$(cat "$folder/socket") "$@"
