"""Each source file of Earl itself names its licence in its first line (scripts: the second)."""
import tree

LINE = "SPDX-License-Identifier: BSD-3-Clause"
FOLDERS = {"generic", "backends", "debug", "exec", "frontends"}


def main():
    complaints, checked = [], 0
    for path in tree.files(".cpp", ".hpp", ".c", ".h", ".py", ".sh", ".build"):
        if path.parts[0] not in FOLDERS or "include" in path.parts:
            continue
        checked += 1
        if not any(LINE in line for line in tree.read(path).splitlines()[:2]):
            complaints.append(f"{path}: its first line lacks {LINE}")
    tree.report(complaints, checked)


main()
