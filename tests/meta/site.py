# SPDX-License-Identifier: BSD-3-Clause
"""The pages of docs as a site: mkdocs.yml lists each page once, and Debian's mkdocs, where it is installed, makes a page of
each, without a warning and without anything from the network."""
import pathlib
import re
import shutil
import subprocess
import tempfile

import tree

LISTED = re.compile(r"^ +- [^:\n]+: (\S+\.md)$", re.MULTILINE)
LOADED = re.compile(r'<(?:script|link|img)[^>]*(?:src|href)="(https?:[^"]*)"')


def check_pages(site, pages):
    for page in pages:
        made = site / page.replace("README.md", "index.html").replace(".md", ".html")
        if not made.exists():
            yield f"{page} is no page of the site"
            continue
        for address in LOADED.findall(made.read_text(encoding="utf-8")):
            yield f"{made.relative_to(site)} loads {address}"


def build(pages):
    with tempfile.TemporaryDirectory(prefix="earl-site-") as folder:
        made = subprocess.run(["mkdocs", "build", "--strict", "--config-file", tree.ROOT / "mkdocs.yml", "--site-dir", folder],
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=100, check=False)
        if made.returncode != 0:
            return [f"mkdocs: {line}" for line in made.stderr.splitlines()]
        return list(check_pages(pathlib.Path(folder), pages))


def main():
    listed = LISTED.findall(tree.read(pathlib.Path("mkdocs.yml")))
    pages = sorted(path.relative_to("docs").as_posix() for path in tree.files(".md") if path.parts[0] == "docs")
    complaints = [f"mkdocs.yml lists {page} twice" for page in set(listed) if listed.count(page) > 1]
    complaints += [f"mkdocs.yml does not list {page}" for page in sorted(set(pages) - set(listed))]
    complaints += [f"mkdocs.yml lists {page}, which docs has not" for page in sorted(set(listed) - set(pages))]
    if not complaints and shutil.which("mkdocs"):
        complaints += build(pages)
    tree.report(complaints, len(pages))


main()
