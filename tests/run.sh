#!/usr/bin/env bash
# Installs what the tests need, builds, and runs the whole suite. Last line: N passed, N failed.
#   tests/run.sh          with gcc, in build/
#   tests/run.sh --all    also with clang (build-clang/) and gcc's ASan and UBSan (build-asan/), and
#                         with the launchers whose daemons Debian starts once they are installed
#   tests/run.sh --matrix also writes README's table of front ends and machines, from gcc's run
# Further arguments go to `meson test` (names or suites of tests, for instance).
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
exec </dev/null
export LC_ALL=C.UTF-8

builds=(gcc) all= matrix=
while true; do
  case ${1-} in
    --all) all=yes builds=(gcc clang asan) ;;
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
    clang) CC=clang CXX=clang++ ./bootstrap --with clang --build build-clang ;;
    asan) ./bootstrap --build build-asan -- -Db_sanitize=address,undefined -Db_lundef=false -Doptimization=0 ;;
  esac
}

folder_of() { [ "$1" = gcc ] && echo build || echo "build-$1"; }

# Sanitized programs are several times slower, and everything they find must count. Programs that
# others compiled meet the sanitizer late, with Earl's libraries, and that must do.
test_in() {
  local name=$1 slower=1
  shift
  if [ "$name" = asan ]; then
    slower=4
    export TESTS_SLOWER=$slower  # for the tests' own limits
    export ASAN_OPTIONS=verify_asan_link_order=0:${ASAN_OPTIONS-}
    export UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1:${UBSAN_OPTIONS-}
  fi
  meson test -C "$(folder_of "$name")" --no-rebuild --print-errorlogs --timeout-multiplier $slower \
    --num-processes "$(nproc)" "$@"
}

for name in "${builds[@]}"; do
  echo "== $name"
  folder=$(folder_of "$name")
  rm -f "$folder/meson-logs/testlog.json"
  if build "$name"; then
    test_in "$name" "$@"
    echo $? >"$results/$name.status"
    cp "$folder/meson-logs/testlog.json" "$results/$name.json" 2>/dev/null
  else
    echo "build failed" >"$results/$name.status"
  fi
done
if [ "$matrix" ]; then python3 tests/matrix.py build --write; fi
python3 tests/summary.py "$results"
