#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Installs the tests' packages, builds, and runs the whole suite. Last line: N passed, N failed.
#   tests/run.sh          with gcc, in build/
#   tests/run.sh --all    also with clang, AddressSanitizer and UndefinedBehaviorSanitizer, in build-clang/, and
#                         with the launchers whose daemons Debian starts once they are installed
#                         This build leaves out tests that gcc's has run and the compiler cannot change: programs on
#                         other back ends, EXEC from the outside, programs of others, replays of smaller jobs, on
#                         another back end, and of racing programs but from minimal recordings.
#                         The most important come first: gcc's, clang's, then gcc's on further back ends.
#   tests/run.sh --full   as --all, but every build runs every test; and with gcc's sanitizers (build-asan/), as a
#                         release (build-release/: gcc warns of other things when it optimizes more), with one front
#                         end, two back ends and no Fortran (build-small/), and with clang without precompiled
#                         headers and each source on its own, so that each includes what it uses (build-plain/)
#   tests/run.sh --matrix also writes README's table of front ends and back ends, from gcc's run
#   tests/run.sh --within MINUTES ...
#                         before the other options: ends when these are over, and counts the tests that did not run
# Further arguments go to `meson test` (names or suites of tests, for instance); -h shows this and ends.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
exec </dev/null
export LC_ALL=C.UTF-8

builds=(gcc) all= full= matrix= within=
while true; do
  case ${1-} in
    --within)
      within=${2-}
      [[ $within =~ ^[1-9][0-9]{0,3}$ ]] || { echo "run.sh: --within: '$within' is no number of minutes" >&2; exit 2; }
      shift
      ;;
    --all) all=yes builds=(gcc clang) ;;
    --full) all=yes full=yes builds=(gcc release small plain clang asan) ;;
    --matrix) matrix=yes ;;
    -h | --help) sed -n '2,/^[^#]/s/^# //p' tests/run.sh; exit ;;
    *) break ;;
  esac
  shift
done
results=$(mktemp -d) || exit 1
running=
trap 'rm -rf "$results"; [ -z "$running" ] || kill "$running"' EXIT

time_is_up() { [ "$within" ] && [ $SECONDS -ge $((within * 60)) ]; }

# Runs a command until time is up, and then ends it with all that it has started; so does Ctrl-C.
limited() {
  local code
  time_is_up && return 1
  [ "$within" ] || { "$@"; return; }
  timeout --kill-after=60 $((within * 60 - SECONDS)) "$@" &
  running=$!
  wait "$running"
  code=$?
  running=
  return $code
}

sanitizers=(-Db_sanitize=address,undefined -Db_lundef=false)
build() {
  case $1 in
    gcc) limited ./bootstrap ${all:+--with daemons} ;;
    # gold, of binutils, links a sanitized program in half the time.
    # Without optimization a program takes twice as long to start: a third of a second, most of it relocations.
    clang)
      CC=clang CXX=clang++ CC_LD=gold CXX_LD=gold limited ./bootstrap --with clang --build build-clang -- \
        "${sanitizers[@]}" -Doptimization=1 -Db_pch=true
      ;;
    asan) limited ./bootstrap --build build-asan -- "${sanitizers[@]}" -Doptimization=0 ;;
    release) limited ./bootstrap --build build-release -- -Dbuildtype=release ;;
    small) limited ./bootstrap --build build-small -- -Dfrontends=nx -Dbackends=fibers -Dfortran=disabled ;;
    plain)
      CC=clang CXX=clang++ limited ./bootstrap --with clang --build build-plain -- -Db_pch=false -Dunity=off -Doptimization=1
      ;;
  esac
}

folder_of() { [ "$1" = gcc ] && echo build || echo "build-$1"; }

# A version manager's python3 is a script that takes longer to start Python than most tests need.
interpreter=$(python3 -c 'import os, sys; print(os.path.dirname(sys.executable))') && PATH=$interpreter:$PATH

# The same programs on further back ends, in smaller jobs, and replayed on another back end: gcc's last tests.
further=(on-pvm on-mpi on-nx on-myrinet on-libfabric smaller moved)
# Other builds leave out: a compiler cannot change it, or the same programs run on shared memory and as minimal recordings.
alike=(exec samples foreign meta elsewhere minimal-too)

# Sanitized programs are several times slower, and everything they find must count. Programs that
# others compiled meet the sanitizer late, with Earl's libraries, and that must do.
# usage: test_in BUILD RUN ARGUMENTS: leaves RUN.json, .status, .times, and .planned where there is a limit
test_in() {
  local name=$1 run=$2 slower=2 begun=$SECONDS folder code # a slow machine, or a busy one, is no failure
  shift 2
  folder=$(folder_of "$name")
  if [ "$name" = clang ] || [ "$name" = asan ]; then
    slower=4
    [ "$full" ] || local -x TESTS_REPLAYS=1
    # gcc 12's leak search takes a library's thread-local variables that lie 16 bytes into a page for another
    # layout of theirs, and crashes ("Tracer caught signal 11"): 1 process in some 256 that load such a library.
    local -x ASAN_OPTIONS=verify_asan_link_order=0:intercept_tls_get_addr=0:${ASAN_OPTIONS-}
    local -x UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1:${UBSAN_OPTIONS-}
  fi
  [ "$within" ] && meson test -C "$folder" --no-rebuild --list "$@" >"$results/$run.planned"
  rm -f "$folder/meson-logs/testlog.json"
  # For the tests' own limits, too.
  TESTS_SLOWER=$slower limited meson test -C "$folder" --no-rebuild --print-errorlogs \
    --timeout-multiplier $slower --num-processes $(($(nproc) * 3)) "$@"
  code=$?
  time_is_up && code='time was up'
  echo "$code" >"$results/$run.status"
  cp "$folder/meson-logs/testlog.json" "$results/$run.json" 2>/dev/null
  echo "tested in $((SECONDS - begun)) s" >>"$results/$run.times"
}

# All tests at once, or those that the user names; else by importance.
in_groups=
[ $# = 0 ] && [ "$all" ] && [ ! "$full" ] && [ ! "$matrix" ] && in_groups=yes
for name in "${builds[@]}"; do
  echo "== $name"
  begun=$SECONDS
  if ! build "$name"; then
    time_is_up && why='time was up' || why='build failed'
    echo "$why" >"$results/$name.status"
    continue
  fi
  echo "built in $((SECONDS - begun)) s" | tee "$results/$name.times"
  leave=()
  if [ $# = 0 ] && [ ! "$full" ] && [ "$name" != gcc ]; then
    leave=("${alike[@]}" "${further[@]}")
  elif [ "$in_groups" ]; then
    leave=("${further[@]}")
  fi
  test_in "$name" "$name" ${leave[@]+"${leave[@]/#/--no-suite=}"} "$@"
done
if [ "$in_groups" ] && [ -e "$results/gcc.times" ]; then # it was built
  echo "== gcc, further back ends"
  test_in gcc gcc-further "${further[@]/#/--suite=}"
fi
if [ "$matrix" ]; then python3 tests/matrix.py build --write; fi
python3 tests/summary.py "$results"
