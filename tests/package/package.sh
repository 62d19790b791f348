#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Builds the Debian packages, checks them, and tries them in a clean root: see README.md.
# usage: package.sh [FOLDER]   where the packages are left; default: nowhere
set -euo pipefail
top=$(cd "$(dirname "$0")/../.." && pwd)
keep=${1:-}
scratch=$(mktemp -d)
trap 'rm -rf --one-file-system "$scratch"' EXIT

say() { printf 'package: %s\n' "$*"; }

missing=()
for tool in dpkg-buildpackage:dpkg-dev dh:debhelper lintian:lintian debootstrap:debootstrap; do
  command -v "${tool%%:*}" >/dev/null || missing+=("${tool##*:}")
done
if [ ${#missing[@]} -gt 0 ]; then
  say "these packages are missing: ${missing[*]}; apt-get install --no-install-recommends ${missing[*]}" >&2
  exit 77
fi

say "building"
mkdir "$scratch/earl"
git -C "$top" archive HEAD | tar -x -C "$scratch/earl"
began=$SECONDS
(cd "$scratch/earl" && dpkg-buildpackage -b -us -uc >"$scratch/build.log" 2>&1) ||
  { tail -n 30 "$scratch/build.log"; exit 1; }
say "built in $((SECONDS - began)) s"

say "checking"
lintian --fail-on error "$scratch"/earl_*.changes

say "a clean root"
root=$scratch/root
debootstrap --variant=minbase bookworm "$root" >"$scratch/root.log" 2>&1 ||
  { tail -n 5 "$scratch/root.log"; exit 1; }
cp /etc/apt/sources.list "$root/etc/apt/" 2>/dev/null || true
cp -r /etc/apt/sources.list.d /etc/apt/apt.conf.d /etc/apt/trusted.gpg.d "$root/etc/apt/" 2>/dev/null || true
cp /etc/resolv.conf "$root/etc/" 2>/dev/null || true
cp "$scratch"/earl_*.deb "$scratch"/earl-dev_*.deb "$root/tmp/"

cat >"$root/tmp/try.sh" <<'END'
set -e
began=$SECONDS
apt-get -qq update
apt-get -qq install -y --no-install-recommends /tmp/earl_*.deb /tmp/earl-dev_*.deb >/dev/null
cd /tmp
cp /usr/share/doc/earl-dev/examples/ring.c* .
gunzip -f ring.c.gz 2>/dev/null || true
earlcc -api nx ring.c -o ring
earl run -n 4 ./ring
earl record -o ring.earl -n 4 ./ring
earl replay ring.earl
echo "package: from nothing to the first replay in $((SECONDS - began)) s"
earl info ./ring
man_page=/usr/share/man/man1/earl.1.gz
[ -s $man_page ]
apt-get -qq purge -y earl earl-dev >/dev/null
left=$(find /usr /etc -name '*earl*' ! -path '*/dpkg/*')
[ -z "$left" ] || { echo "left behind: $left"; exit 1; }
END
unshare --mount --pid --fork sh -c "
  mount -t proc proc '$root/proc' && mount -t tmpfs shm '$root/dev/shm' 2>/dev/null || mkdir -p '$root/dev/shm'
  exec chroot '$root' /bin/bash /tmp/try.sh"
say "installed, used and removed"
[ -z "$keep" ] || { mkdir -p "$keep" && cp "$scratch"/*.deb "$keep/"; }
