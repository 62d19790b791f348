#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Installs the tests' packages, builds, and runs the whole suite. Last line: N passed, N failed.
#   tests/run.sh          with gcc, in build/
#   tests/run.sh --all    also with clang, AddressSanitizer and UndefinedBehaviorSanitizer, in build-clang/, and
#                         with the launchers whose daemons Debian starts once they are installed
#                         This build leaves out tests that gcc's has run and the compiler cannot change: jobs on
#                         other back ends, EXEC from the outside, programs of others, replays of smaller jobs and
#                         on another back end.
#   tests/run.sh --full   as --all, but every build runs every test; and with gcc's sanitizers (build-asan/), as a
#                         release (build-release/: gcc warns of other things when it optimizes more), with one front
#                         end, two back ends and no Fortran (build-small/), and with clang without precompiled
#                         headers and each source on its own, so that each includes what it uses (build-plain/)
#   tests/run.sh --matrix also writes README's table of front ends and back ends, from gcc's run
# Further arguments go to `meson test` (names or suites of tests, for instance); -h shows this and ends.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
exec </dev/null
export LC_ALL=C.UTF-8

builds=(gcc) all= full= matrix=
while true; do
  case ${1-} in
    --all) all=yes builds=(gcc clang) ;;
    --full) all=yes full=yes builds=(gcc release small plain clang asan) ;;
    --matrix) matrix=yes ;;
    -h | --help) sed -n '2,/^[^#]/s/^# //p' tests/run.sh; exit ;;
    *) break ;;
  esac
  shift
done
results=$(mktemp -d) || exit 1
trap 'rm -rf "$results"' EXIT

sanitizers=(-Db_sanitize=address,undefined -Db_lundef=false -Doptimization=0)
build() {
  case $1 in
    gcc) ./bootstrap ${all:+--with daemons} ;;
    # gold, of binutils, links a sanitized program in half the time.
    clang) CC=clang CXX=clang++ CC_LD=gold CXX_LD=gold ./bootstrap --with clang --build build-clang -- "${sanitizers[@]}" -Db_pch=true ;;
    asan) ./bootstrap --build build-asan -- "${sanitizers[@]}" ;;
    release) ./bootstrap --build build-release -- -Dbuildtype=release ;;
    small) ./bootstrap --build build-small -- -Dfrontends=nx -Dbackends=fibers -Dfortran=disabled ;;
    plain)
      CC=clang CXX=clang++ ./bootstrap --with clang --build build-plain -- -Db_pch=false -Dunity=off -Doptimization=1
      ;;
  esac
}

folder_of() { [ "$1" = gcc ] && echo build || echo "build-$1"; }

# A version manager's python3 is a script that takes longer to start Python than most tests need.
interpreter=$(python3 -c 'import os, sys; print(os.path.dirname(sys.executable))') && PATH=$interpreter:$PATH

# The suites that a build leaves out.
left_out() {
  [ "$full" ] && return
  [ "$1" = gcc ] && return
  local suites=(on-pvm on-mpi on-nx on-myrinet exec samples foreign meta smaller moved)
  echo "${suites[@]/#/--no-suite=}"
}

# Sanitized programs are several times slower, and everything they find must count. Programs that
# others compiled meet the sanitizer late, with Earl's libraries, and that must do.
test_in() {
  local name=$1 slower=2 leave=() # a slow machine, or one that does other work, is no failure
  shift
  [ $# = 0 ] && read -ra leave <<<"$(left_out "$name")"
  if [ "$name" = clang ] || [ "$name" = asan ]; then
    slower=4
    [ "$full" ] || export TESTS_REPLAYS=2
    # gcc 12's leak search takes a library's thread-local variables that lie 16 bytes into a page for another
    # layout of theirs, and crashes ("Tracer caught signal 11"): 1 process in some 256 that load such a library.
    export ASAN_OPTIONS=verify_asan_link_order=0:intercept_tls_get_addr=0:${ASAN_OPTIONS-}
    export UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1:${UBSAN_OPTIONS-}
  fi
  export TESTS_SLOWER=$slower # for the tests' own limits
  meson test -C "$(folder_of "$name")" --no-rebuild --print-errorlogs --timeout-multiplier $slower \
    --num-processes $(($(nproc) * 3)) ${leave[@]+"${leave[@]}"} "$@"
}

for name in "${builds[@]}"; do
  echo "== $name"
  begun=$SECONDS
  folder=$(folder_of "$name")
  rm -f "$folder/meson-logs/testlog.json"
  if build "$name"; then
    built=$((SECONDS - begun))
    echo "== $name: built in $built s"
    test_in "$name" "$@"
    echo $? >"$results/$name.status"
    cp "$folder/meson-logs/testlog.json" "$results/$name.json" 2>/dev/null
    echo "built in $built s, tested in $((SECONDS - begun - built)) s" >"$results/$name.times"
    echo "== $name: $(cat "$results/$name.times")"
  else
    echo "build failed" >"$results/$name.status"
  fi
done
if [ "$matrix" ]; then python3 tests/matrix.py build --write; fi
python3 tests/summary.py "$results"
