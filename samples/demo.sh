#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# README's first command: installs, builds, and shows Earl's features on real programs.
# Stops at the first step that fails, names it, and ends with 1.
set -uo pipefail
top=$(cd "$(dirname "$0")/.." && pwd) || exit 1
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
exec </dev/null
export PATH=$top/build/exec:$PATH
limit=120 # seconds for a job

say() { printf '%s\n' "$*"; }
show() { sed 's/^/      /' "$@"; }

# step WHAT COMMAND...: the command's output goes into $scratch/output.
good_end=0
step() {
  what=$1
  shift
  "$@" >"$scratch/output" 2>&1
  local end=$?
  [ $end = $good_end ] || failed "it ended with exit code $end"
}

failed() {
  say "FAILED: $what: $*"
  tail -n 25 "$scratch/output" | show
  exit 1
}

# Shows of the output of bootstrap its own sentences, each 25th package and each 50th step of ninja, or one in 15 s. No awk: Debian's
# reads a pipe in blocks, so that its lines come minutes late.
show_progress() {
  local line unpacked=0 ready=0 n last shown=$SECONDS
  while IFS= read -r line; do
    case $line in
      "bootstrap: "*) say "      $line" ;;
      "Unpacking "*) ((++unpacked % 25)) || say "      $unpacked packages unpacked" ;;
      "Setting up "*) ((++ready % 25)) || say "      $ready packages set up" ;;
      "["[0-9]*/[0-9]*"] "*)
        n=${line#[} n=${n%%]*} last=${n#*/} n=${n%/*}
        if [ $((n % 50)) = 0 ] || [ "$n" = "$last" ] || ((SECONDS - shown >= 15)); then
          say "      step $n of $last"
          shown=$SECONDS
        fi
        ;;
    esac
  done
}

expect() { grep -qE -- "$1" "$scratch/output" || failed "no line of its output says '$1'"; }

job() { timeout -k 5 $limit earl run "$@"; }

replayed() {
  timeout -k 5 $limit earl replay "$scratch/$1.earl" >"$scratch/again" 2>&1 ||
    failed "replay $2 ended with exit code $?"
  cmp -s "$scratch/$1.first" "$scratch/again" || failed "replay $2 was another run"
}

# Records a job's run, which gives NAME.first, and replays it: record_and_replay NAME TIMES JOB...
record_and_replay() {
  local name=$1 times=$2 n
  shift 2
  step "recording $name" timeout -k 5 $limit earl record -o "$scratch/$name.earl" "$@"
  cp "$scratch/output" "$scratch/$name.first"
  what="replaying $name"
  for ((n = 1; n <= times; n++)); do replayed "$name" $n; done
}

say "1. Installing missing packages and building (the first time, some minutes)"
what=bootstrap
"$top/bootstrap" --minimal 2>&1 | tee "$scratch/output" | show_progress
end=${PIPESTATUS[0]}
[ "$end" = 0 ] || failed "it ended with exit code $end"

say "2. An NX ring in K&R C, relinked, on 8 processes over shared memory"
step "earlcc" earlcc -api nx "$top/samples/ring.c" -o "$scratch/ring"
step "the ring" job -n 8 "$scratch/ring"
expect '^EARL-OK$'
show "$scratch/output"

say "3. An NX Jacobi solver in Fortran 77, relinked, on 8 processes"
step "earlfc" earlfc -api nx "$top/samples/jacobi.f" -o "$scratch/jacobi"
step "the Jacobi solver" job -n 8 "$scratch/jacobi"
expect '^EARL-OK$'
show "$scratch/output"

say "4. PVM programs as Debian compiled them, unmodified, without a pvmd"
for program in hello.pvm master1 timing; do
  say "   $program"
  good_end=$([ $program = timing ] && echo 1 || echo 0) # timing's own source ends with exit(1)
  step "$program" job "/usr/bin/$program"
  case $program in
    hello.pvm) expect 'hello, world' && show "$scratch/output" ;;
    master1) expect 'expecting' && show <(grep 'I got' "$scratch/output") ;;
    timing) expect '^done' && show <(grep 'RTT' "$scratch/output") ;;
  esac
done

good_end=0

say "5. A program with a race: its answer depends on which message is first"
step "earlcc" earlcc -api nx "$top/samples/racy.c" -o "$scratch/racy"
for n in 1 2 3 4 5; do
  step "racy, run $n" job -n 8 "$scratch/racy"
  grep '^answer' "$scratch/output"
done >"$scratch/answers"
say "   5 runs gave $(sort -u "$scratch/answers" | wc -l) different answers"
record_and_replay racy 20 -n 8 "$scratch/racy"
say "   recorded: $(grep '^answer' "$scratch/racy.first"); 20 replays took every message in the same order"

say "6. master1, recorded and replayed"
record_and_replay master1 1 /usr/bin/master1
show <(grep 'I got' "$scratch/again")

say "All of it worked."
