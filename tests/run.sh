#!/usr/bin/env bash
# Installs the tests' packages, builds, and runs the whole suite. Last line: N passed, N failed.
#   tests/run.sh          with gcc, in build/
#   tests/run.sh --all    also with clang (build-clang/) and gcc's ASan and UBSan (build-asan/), and
#                         with the launchers whose daemons Debian starts once they are installed
#                         These two builds leave out tests that gcc's has run and the compiler cannot change: jobs on
#                         other back ends, EXEC from the outside, programs of others, old-style programs (clang),
#                         replays of smaller jobs and on another back end.
#   tests/run.sh --full   as --all, and every build runs every test
#   tests/run.sh --matrix also writes README's table of front ends and back ends, from gcc's run
# Further arguments go to `meson test` (names or suites of tests, for instance).
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
exec </dev/null
export LC_ALL=C.UTF-8

builds=(gcc) all= full= matrix=
while true; do
  case ${1-} in
    --all) all=yes builds=(gcc clang asan) ;;
    --full) all=yes full=yes builds=(gcc clang asan) ;;
    --matrix) matrix=yes ;;
    *) break ;;
  esac
  shift
done
results=$(mktemp -d) || exit 1
trap 'rm -rf "$results"' EXIT

build() {
  case $1 in
    gcc) ./bootstrap ${all:+--with daemons} ;;
    # Without precompiled headers: each file must include the headers it uses.
    clang) CC=clang CXX=clang++ ./bootstrap --with clang --build build-clang -- -Db_pch=false -Doptimization=1 ;;
    asan) ./bootstrap --build build-asan -- -Db_sanitize=address,undefined -Db_lundef=false -Doptimization=0 ;;
  esac
}

folder_of() { [ "$1" = gcc ] && echo build || echo "build-$1"; }

# A version manager's python3 is a script that takes longer to start Python than most tests need.
interpreter=$(python3 -c 'import os, sys; print(os.path.dirname(sys.executable))') && PATH=$interpreter:$PATH

# The suites that a build leaves out.
left_out() {
  [ "$full" ] && return
  local suites=(on-pvm on-mpi on-nx on-myrinet exec samples foreign meta)
  case $1 in
    clang) suites+=(programs replay faults fuzz) ;;
    asan) suites+=(smaller moved) ;;
    *) return ;;
  esac
  echo "${suites[@]/#/--no-suite=}"
}

# Sanitized programs are several times slower, and everything they find must count. Programs that
# others compiled meet the sanitizer late, with Earl's libraries, and that must do.
test_in() {
  local name=$1 slower=1 leave=()
  shift
  [ $# = 0 ] && read -ra leave <<<"$(left_out "$name")"
  if [ "$name" = asan ]; then
    slower=4
    export TESTS_SLOWER=$slower  # for the tests' own limits
    [ "$full" ] || export TESTS_REPLAYS=3
    export ASAN_OPTIONS=verify_asan_link_order=0:${ASAN_OPTIONS-}
    export UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1:${UBSAN_OPTIONS-}
  fi
  meson test -C "$(folder_of "$name")" --no-rebuild --print-errorlogs --timeout-multiplier $slower \
    --num-processes $(($(nproc) * 2)) ${leave[@]+"${leave[@]}"} "$@"
}

for name in "${builds[@]}"; do
  echo "== $name"
  begun=$SECONDS
  folder=$(folder_of "$name")
  rm -f "$folder/meson-logs/testlog.json"
  if build "$name"; then
    echo "== $name: built in $((SECONDS - begun)) s"
    test_in "$name" "$@"
    echo $? >"$results/$name.status"
    cp "$folder/meson-logs/testlog.json" "$results/$name.json" 2>/dev/null
    echo "== $name: built and tested in $((SECONDS - begun)) s"
  else
    echo "build failed" >"$results/$name.status"
  fi
done
if [ "$matrix" ]; then python3 tests/matrix.py build --write; fi
python3 tests/summary.py "$results"
