# SPDX-License-Identifier: BSD-3-Clause
"""README agrees with the tree: its commands exist, its map is the tree; `tests/run.sh -h` shows all its
options; docs/install.md lists the packages that bootstrap installs; every folder lists its contents, by existing names, in a short README,
which links to a page in docs/; links between pages lead somewhere."""
import pathlib
import re
import shutil
import subprocess
import tempfile

import tree

README = tree.read(pathlib.Path("README.md"))
INSTALL = tree.read(pathlib.Path("docs/install.md"))
BUILT = ("build/",)
# The name for one more file.
PLACEHOLDERS = {"thing.cpp"}
# A folder's README has a title, an empty line, and five lines, of which one links to a page in docs/.
MOST_LINES = 7
MOST_COLUMNS = 160
ROOMS = ("generic", "exec", "debug", "backends", "frontends", "tests")
# Their READMEs have the commands that make a copy.
SKELETONS = {"backends/null", "debug/empty"}


def commands():
    """Paths into the tree that README's blocks and `words` name."""
    blocks = re.findall(r"^```\w*\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
    words = re.findall(r"`([^`\n]+)`", README) + [line for block in blocks for line in block.split()]
    tops = {path.parts[0] for path in tree.folders()}
    for word in " ".join(words).split():
        path = word.removeprefix("./").rstrip(".,:;)")
        if "/" in path and path.split("/")[0] in tops and not path.startswith(BUILT):
            if re.fullmatch(r"[\w./-]+", path):
                yield path


def mapped():
    """The folders of the map: lines `folder/   description`, indented ones inside the last."""
    block = re.search(r"^## Map.*?^```\w*\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
    top = ""
    for line in block.group(1).splitlines():
        name = re.match(r"( *)([\w.-]+)/", line)
        if name and not name.group(1):
            top = name.group(2)
            yield top
        elif name:
            yield f"{top}/{name.group(2)}"


def real_folders():
    """Those a map should show: the first two levels; include/ and hidden ones go without saying."""
    for path in tree.folders():
        if len(path.parts) <= 2 and path.name != "include" and not path.name.startswith("."):
            yield path.as_posix()


def packages():
    listing = subprocess.run([tree.ROOT / "bootstrap", "--packages"], text=True,
                             capture_output=True, timeout=20, check=True).stdout
    return [line.split(maxsplit=2) for line in listing.splitlines()]


def options_of_the_suite():
    """(the options that `tests/run.sh -h` shows, those that the script takes)."""
    script = tree.ROOT / "tests/run.sh"
    with tempfile.TemporaryDirectory(prefix="earl-readme-") as folder:
        # A copy has nothing around it that it could build instead.
        copy = pathlib.Path(folder, "tests", "run.sh")
        copy.parent.mkdir()
        shutil.copy(script, copy)
        shown = subprocess.run(["bash", copy, "-h"], text=True, capture_output=True, timeout=20, check=False).stdout
    return (set(re.findall(r"^ +tests/run\.sh (--\w+)", shown, re.MULTILINE)),
            set(re.findall(r"^ +(--\w+)\) ", script.read_text(encoding="utf-8"), re.MULTILINE)))


def named(readme):
    """Names of files, without a folder, in a folder's README."""
    words = " ".join(re.findall(r"`([^`\n]+)`", tree.read(readme))).split()
    return {word for word in words if re.fullmatch(r"[\w-]+\.(c|cpp|hpp|h|f|py|sh|md|txt|map)", word)}


def misnamed(folder):
    """Those that are neither in the folder, nor below or beside it."""
    around = {path.name for path in (tree.ROOT / folder).rglob("*")}
    around |= {path.name for path in (tree.ROOT / folder.parent).iterdir()}
    return sorted(named(folder / "README.md") - around - PLACEHOLDERS)


def long_readmes():
    """Those of the rooms that are longer or wider than a README of a folder may be."""
    for path in tree.files(".md"):
        folder = path.parent.as_posix()
        if path.name == "README.md" and path.parts[0] in ROOMS and folder not in SKELETONS:
            lines = tree.read(path).splitlines()
            if len(lines) > MOST_LINES or max(map(len, lines)) > MOST_COLUMNS:
                yield path


def unlinked_readmes():
    """Those of folders, but the root and docs/ itself, that link to no page in docs/."""
    for path in tree.files(".md"):
        depth = len(path.parts) - 1
        if path.name == "README.md" and depth > 0 and path.parts[0] != "docs":
            if f"]({'../' * depth}docs/" not in tree.read(path):
                yield path


def links():
    """(page, target, heading) of the links between and within pages, without those to other sites."""
    for page in tree.files(".md"):
        for target, heading in re.findall(r"\]\(([^)\s#]*)(?:#([^)]*))?\)", tree.read(page)):
            if not re.match(r"[a-z]+:", target):
                yield page, target, heading


def headings(page):
    """The headings of a page as links name them: lower case, hyphens in place of blanks, no other signs."""
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    for heading in re.findall(r"^#+ +(.*)", text, re.MULTILINE):
        yield re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def dead_links():
    for page, target, heading in links():
        path = (tree.ROOT / page).parent / target if target else tree.ROOT / page
        if not path.exists():
            yield f"{page} links to {target}, which does not exist"
        elif heading and heading not in headings(path):
            yield f"{page} links to {target}#{heading}, a heading that does not exist"


def main():
    complaints = [f"README names {path}, which does not exist" for path in commands()
                  if not (tree.ROOT / path).exists()]
    shown, taken = options_of_the_suite()
    complaints += [f"tests/run.sh -h does not show {option}" for option in sorted(taken - shown)]
    complaints += [f"README names tests/run.sh {option}, which there is not"
                   for option in re.findall(r"^ +tests/run\.sh (--\w+)", README, re.MULTILINE) if option not in taken]
    there, listed = set(real_folders()), set(mapped())
    complaints += [f"README's map lacks {name}/" for name in sorted(there - listed)]
    complaints += [f"README's map shows {name}/, which does not exist"
                   for name in sorted(listed - there)]
    complaints += [f"docs/install.md's list of packages lacks: {name} | {why}" for _, name, why in packages()
                   if not re.search(rf"`{re.escape(name)}` *\| *{re.escape(why)}", INSTALL)]
    complaints += dead_links()
    complaints += [f"{path}/ has no README.md" for path in sorted(there)
                   if not (tree.ROOT / path / "README.md").exists()]
    complaints += [f"{path}/README.md names {name}, which is not there" for path in tree.folders()
                   if (tree.ROOT / path / "README.md").exists() for name in misnamed(path)]
    complaints += [f"{path} has more than {MOST_LINES} lines, or one of more than {MOST_COLUMNS} columns: "
                   "move a part into a page of docs/internals" for path in long_readmes()]
    complaints += [f"{path} links to no page in docs/: add `More: [docs/PAGE]({'../' * (len(path.parts) - 1)}docs/PAGE).`"
                   for path in unlinked_readmes()]
    tree.report(complaints, len(there))


main()
