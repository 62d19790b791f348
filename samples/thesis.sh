#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The three tables of the thesis that Earl comes from, measured anew on this host: its PVM
# programs and its iPSC/2 programs, on a native library where there is one, and through Earl.
#
# usage: thesis.sh [--runs N] [--quick]
# Runs alternate between the columns of a row, so that other load affects them alike.
# A table shows medians; a percentage is the median of the runs' own. Nothing is left behind.
set -uo pipefail
top=$(cd "$(dirname "$0")/.." && pwd) || exit 1
export PATH=${EARL_BUILD:-$top/build}/exec:$PATH
runs=10
quick=''
limit=120 # seconds for one run

fail() {
  printf 'thesis.sh: %s\n' "$*" >&2
  exit 1
}

while [ $# -gt 0 ]; do
  case $1 in
    --runs) runs=${2-} && shift ;;
    --quick) quick=1 runs=1 ;;
    *) fail "there is no option $1; there are --runs N and --quick" ;;
  esac
  shift
done
[[ $runs =~ ^[1-9][0-9]*$ ]] || fail "--runs: '$runs' is no number of runs"
command -v earlcc >/dev/null || fail "there is no earlcc in $top/build/exec or on PATH: build Earl first"

scratch=$(mktemp -d) || exit 1
daemon=''
cleanup() {
  if [ -n "$daemon" ]; then
    kill "$daemon" 2>/dev/null
    wait "$daemon" 2>/dev/null
  fi
  rm -rf "$scratch"
}
trap cleanup EXIT
trap 'exit 1' INT TERM HUP
exec </dev/null

# --- programs
mkdir "$scratch/earl" "$scratch/native" "$scratch/times" || exit 1
build() { "$@" >"$scratch/output" 2>&1 || fail "$* failed: $(tail -n 3 "$scratch/output")"; }
for name in puzzle fft chol; do
  build earlcc -api pvm3 -O2 "$top/samples/$name.c" -o "$scratch/earl/$name" -lm
done
for name in hmult tester; do
  for half in host node; do
    build earlcc -api nx -O2 -$half "$top/samples/${name}_$half.c" -o "$scratch/earl/${name}_$half"
  done
done
for half in host node; do
  build earlfc -api nx -O2 -$half "$top/samples/cell_$half.f" -o "$scratch/earl/cell_$half"
done

# --- the native virtual machine: one of its own, for the native runs and for those on top of it
machine() {
  command -v pvmd >/dev/null && [ -e /usr/include/pvm3.h ] || return 1
  earl info --backends | sed -n '/^pvm:/{n;p}' | grep -q 'runs here' || return 1
  for name in puzzle fft chol; do
    build "${CC:-cc}" -O2 -std=gnu89 -fcommon -w "$top/samples/$name.c" -o "$scratch/native/$name" \
      -lpvm3 -lm
  done
  mkdir -m 700 "$scratch/pvm"
  export PVM_TMP=$scratch/pvm PVM_VMID=thesis PVM_ALLOW_ROOT=1
  unset PVMSOCK PVM_PATH
  # A native program must not meet a library of Earl's.
  PVM_PATH=$scratch/native env -u LD_LIBRARY_PATH pvmd -n127.0.0.1 >"$scratch/socket" 2>/dev/null &
  daemon=$!
  for ((n = 0; n < 200; n++)); do
    [ -s "$scratch/socket" ] && break
    sleep 0.05
  done
  [ -s "$scratch/socket" ] || fail "pvmd has not started"
  export PVMSOCK EARL_PVM=join
  PVMSOCK=$(cat "$scratch/socket")
}
columns=shm
if machine; then columns='native pvm shm'; else echo 'No native PVM here (packages pvm, pvm-dev): its columns stay empty.'; fi

# --- one run: its seconds go into a file of its row and column
now() { printf '%s' "$EPOCHREALTIME"; }
# measure ROW COLUMN own|whole COMMAND...: a program's own time is the one it prints; else the command's
measure() {
  local row=$1 column=$2 how=$3 start end seconds
  shift 3
  start=$(now)
  (cd "$scratch/earl" && timeout -k 5 $limit "$@") >"$scratch/output" 2>&1 ||
    fail "$* ended with code $?: $(tail -n 3 "$scratch/output")"
  end=$(now)
  grep -q '^EARL-OK$' "$scratch/output" || fail "$* did not end with EARL-OK"
  seconds=$(awk -v a="$start" -v b="$end" 'BEGIN { print b - a }')
  if [ "$how" = own ]; then
    seconds=$(awk '/ ms$/ { print $(NF - 1) / 1000; exit }' "$scratch/output")
  fi
  echo "$seconds" >>"$scratch/times/$row.$column"
}

in_column() { # COLUMN -> the words in front of a program
  case $1 in
    native) command_of=(env -u LD_LIBRARY_PATH "$scratch/native/$2" "${@:3}") ;;
    pvm) command_of=(earl run --on pvm "$scratch/earl/$2" "${@:3}") ;;
    shm) command_of=(earl run "$scratch/earl/$2" "${@:3}") ;;
  esac
}

# run_row ROW own|whole COLUMNS PROGRAM ARGUMENT...
run_row() {
  local row=$1 how=$2 wanted=$3 column
  shift 3
  for ((n = 0; n < runs; n++)); do
    for column in $wanted; do
      [[ " $columns " == *" $column "* ]] || continue
      in_column "$column" "$@"
      measure "$row" "$column" "$how" "${command_of[@]}"
    done
  done
}

# --- the contents of a table
median() { # of the numbers in a file
  [ -s "$1" ] || return 0
  sort -g "$1" | awk '{ v[NR] = $1 } END { m = int((NR + 1) / 2); print NR % 2 ? v[m] : (v[m] + v[m + 1]) / 2 }'
}
seconds_of() {
  local m
  m=$(median "$scratch/times/$1.$2")
  if [ -n "$m" ]; then printf '%.3f' "$m"; else printf -- '-'; fi
}
increase() { # ROW FROM TO: per cent, of each pair of runs
  [ -s "$scratch/times/$1.$2" ] && [ -s "$scratch/times/$1.$3" ] || { printf -- '-' && return; }
  paste "$scratch/times/$1.$2" "$scratch/times/$1.$3" |
    awk '$1 > 0 { print 100 * ($2 - $1) / $1 }' >"$scratch/ratios"
  printf '%+.1f %%' "$(median "$scratch/ratios")"
}

size() { if [ -n "$quick" ]; then echo "$1"; else echo "$2"; fi; }
chol_rounds=$(size 1 40)
fft_rounds=$(size 1 10)

# row of table 1: NAME ARGUMENTS | the thesis's original, mapped, increase | comment
table1() {
  local row=${1// /_} comment=$5
  # shellcheck disable=SC2086
  run_row "$row" own 'native pvm shm' $1
  printf '%-8s %8s %8s %8s | %9s %9s %9s | %9s  %s\n' "${1%% *}" "$2" "$3" "$4" \
    "$(seconds_of "$row" native)" "$(seconds_of "$row" pvm)" "$(increase "$row" native pvm)" \
    "$(seconds_of "$row" shm)" "$comment"
}
# of table 2: NAME ARGUMENTS | original, mapped, increase | comment
table2() {
  local row=${1// /_}
  # shellcheck disable=SC2086
  run_row "$row" whole 'pvm shm' $1
  printf '%-8s %8s %8s %8s | %9s  %s\n' "${1%%_*}" "$2" "$3" "$4" "$(seconds_of "$row" shm)" "$5"
}
# of table 3: as table 2; its runs have been made unless the row is new
table3() {
  local row=${1// /_}
  # shellcheck disable=SC2086
  [ -e "$scratch/times/$row.shm" ] || run_row "$row" whole 'pvm shm' $1
  printf '%-8s %8s %8s %8s | %9s %9s %9s  %s\n' "${1%%_*}" "$2" "$3" "$4" \
    "$(seconds_of "$row" shm)" "$(seconds_of "$row" pvm)" "$(increase "$row" shm pvm)" "$5"
}

hmult=$(size 64 256)
generations=$(size 50 1000)
echo "Seconds; $runs run(s) of each. Thesis: 1993, SPARCs and an iPSC/2. Here: $(nproc) CPUs."
echo
echo 'Table 1. PVM programs, common case: PVM, and PVM through Earl to PVM. (Times the programs say.)'
printf '%-8s %26s | %29s | %9s\n' '' '------- thesis -------' '---------- here -----------' ''
printf '%-8s %8s %8s %8s | %9s %9s %9s | %9s\n' '' PVM Earl incr. PVM Earl incr. 'Earl, shm'
table1 'puzzle 30' 1.81 1.84 '1.7 %' '30 levels'
table1 "puzzle $(size 30 41)" 39.32 40.38 '2.7 %' "$(size 30 41) levels (thesis: 41)"
table1 "fft 4 $(size 12 16) $fft_rounds" 9.56 9.95 '4.1 %' '4 tasks'
table1 "fft 8 $(size 12 16) $fft_rounds" 12.65 12.85 '1.6 %' '8 tasks'
table1 "chol 32 4 $chol_rounds" 1.29 1.3 '1.1 %' '32 x 32'
table1 "chol 100 4 $chol_rounds" 2.89 2.91 '0.7 %' '100 x 100'
echo
echo 'Table 2. iPSC/2 programs, common case: no cube is left to compare with. (Whole runs.)'
printf '%-8s %8s %8s %8s | %9s\n' '' cube Earl incr. 'Earl, shm'
table2 "hmult_host 4 $hmult" 2.02 2.08 '2.97 %' '4 nodes'
table2 "hmult_host 8 $hmult" 2.24 2.35 '4.9 %' '8 nodes'
table2 'tester_host 4' 2.25 2.33 '3.6 %' '4 nodes'
table2 'tester_host 8' 2.37 2.53 '6.8 %' '8 nodes'
echo
echo 'Table 3. iPSC/2 programs on PVM, beside their own machine; here shared memory. (Whole runs.)'
printf '%-8s %8s %8s %8s | %9s %9s %9s\n' '' cube PVM incr. shm PVM incr.
table3 "cell_host 4 $generations" 11.5 18.67 '62.3 %' '4 nodes'
table3 "cell_host 8 $generations" 38.5 40.8 '5.97 %' '8 nodes'
table3 "hmult_host 4 $hmult" 2.02 .38 '-81.2 %' '4 nodes'
table3 "hmult_host 8 $hmult" 2.24 .67 '-70.1 %' '8 nodes'
table3 'tester_host 4' 2.25 .58 '-74.2 %' '4 nodes'
table3 'tester_host 8' 2.37 .96 '-59.5 %' '8 nodes'
