#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Unpacks Debian 12's arm64 packages that Earl is built with into a folder, to which a cross compiler and qemu are
# pointed. Nothing of this computer's own packages changes: installing arm64 beside amd64 would remove catch2 (its two
# architectures are not co-installable) and upgrade libraries that have to be of one version.
set -euo pipefail
[ $# = 1 ] || { echo "usage: tests/arm64/sysroot.sh FOLDER" >&2; exit 2; }
mkdir -p "$1"
root=$(cd "$1" && pwd)
[ -z "$(ls -A "$root")" ] || { echo "sysroot.sh: $root is not empty" >&2; exit 1; }

# As in `bootstrap --packages`, groups build and tests, without back ends that need another MPI or PVM, and tools.
packages=(
  libc6-dev libstdc++-12-dev libgcc-12-dev libgfortran-12-dev
  libfmt-dev libzstd-dev libxxhash-dev libsodium-dev libcli11-dev libdw-dev libunwind-dev libedit-dev
  libboost-context-dev nlohmann-json3-dev catch2 bash coreutils
)

# An apt of its own, which takes nothing as installed, from where this computer gets its packages.
own=$root/.apt
archives=$own/archives
mkdir -p "$own/lists/partial" "$archives/partial"
: > "$own/status"
apt=(
  apt-get -q -y -o APT::Architecture=arm64 -o APT::Architectures::=arm64 -o Dir::State="$own"
  -o Dir::State::status="$own/status" -o Dir::State::lists="$own/lists" -o Dir::Cache="$own"
  -o Dir::Cache::archives="$archives"
  -o APT::Install-Recommends=false -o APT::Sandbox::User= -o Debug::NoLocking=1
)
"${apt[@]}" update
"${apt[@]}" --download-only install "${packages[@]}"

for folder in bin sbin lib; do
  mkdir -p "$root/usr/$folder"
  ln -s "usr/$folder" "$root/$folder"
done
for package in "$archives"/*.deb; do
  # As tar, which keeps the links above where dpkg-deb -x would, on some versions, make folders of them.
  dpkg-deb --fsys-tarfile "$package" | tar -x -C "$root" --keep-directory-symlink --no-same-owner
done
rm -rf "$own"

# The linker follows absolute links from the root of this computer.
find "$root" -type l -lname '/*' | while read -r link; do
  ln -sfn "$(realpath -m --relative-to="$(dirname "$link")" "$root$(readlink "$link")")" "$link"
done
printf "[constants]\nroot = '%s'\n" "$root" >"$root/root.ini"
echo "sysroot.sh: $root is complete"
