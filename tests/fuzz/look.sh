#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs a fuzzer for some seconds; new findings go to a directory of their own.
# usage: look.sh SECONDS FUZZER FOUND CORPUS
mkdir -p "$3" && exec "$2" -max_total_time="$1" -rss_limit_mb=1024 -print_final_stats=1 "$3" "$4"
