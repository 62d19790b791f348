#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Builds Earl for arm64 on another computer and runs tests under qemu: the units of the core, conformance on shm, the samples.
# usage: run.sh DIRECTORY    EARL_JOBS: of ninja. DIRECTORY keeps Debian's arm64 packages (root) and the build (build), which are used again
set -euo pipefail
[ $# = 1 ] || { echo "usage: tests/arm64/run.sh DIRECTORY" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
place=$(cd "$1" && pwd)
build=$place/build
# How a system makes qemu the interpreter of arm64 programs, which `earl run` starts by name.
entry=/usr/lib/binfmt.d/qemu-aarch64.conf

missing=()
for part in aarch64-linux-gnu-g++:g++-aarch64-linux-gnu aarch64-linux-gnu-gfortran:gfortran-aarch64-linux-gnu \
  qemu-aarch64-static:qemu-user-static meson:meson ninja:ninja-build; do
  command -v "${part%%:*}" >/dev/null || missing+=("${part##*:}")
done
[ ${#missing[@]} = 0 ] || { echo "run.sh: apt-get install --no-install-recommends ${missing[*]}" >&2; exit 77; }

[ -e "$place/root/root.ini" ] || "$here/sysroot.sh" "$place/root"
[ -e "$build/build.ninja" ] ||
  meson setup "$build" "$here/../.." --cross-file "$here/cross.ini" --cross-file "$place/root/root.ini" \
    -Dtests=true -Ddebug_info=lines -Dunity=on -Dunity_size=40 -Dbackends=fibers,tcp -Dotf2=disabled

# Only the targets of the tests below.
programs=$(ninja -C "$build" -t targets all | sed -nE 's,^(tests/conformance/conformance_[a-z0-9_]+): [a-z]+_LINKER$,\1,p')
for sample in token shallow circuit transpose hmult_host hmult_node cell_host cell_node tester_host tester_node farm_nx farm_pvm \
  ring_bip ring_watch; do
  programs+=" samples/$sample"
done
# shellcheck disable=SC2086
ninja ${EARL_JOBS:+-j "$EARL_JOBS"} -C "$build" exec/earl tests/generic/generic_tests $programs

# Runs in the namespace, in the build's directory.
try() {
  mount -t binfmt_misc binfmt_misc /proc/sys/fs/binfmt_misc
  cat "$entry" >/proc/sys/fs/binfmt_misc/register
  local failed=() names=() name
  mapfile -t names < <(meson test --list --no-rebuild | sed -n 's,^earl:conformance+on-shm / \(shm plain .*\),\1,p')
  meson test --no-rebuild --print-errorlogs --timeout-multiplier 10 generic "${names[@]}" || failed+=("meson test")
  for name in token shallow circuit transpose hmult cell tester farm watch; do
    if "$here/../samples/back_ends.py" exec/earl samples shm "$name"; then
      echo "sample $name: recorded and replayed"
    else
      failed+=("sample $name")
    fi
  done
  [ ${#failed[@]} = 0 ] || { printf 'run.sh: failed: %s\n' "${failed[*]}" >&2; exit 1; }
}

# The entry is of this namespace alone (Linux 6.7): nothing of this computer changes, and no rights are needed.
export here entry QEMU_LD_PREFIX=$place/root
cd "$build"
exec unshare --user --map-root-user --mount bash -c "set -euo pipefail; $(declare -f try); try"
