"""The words that docs/glossary.md has retired are in no C++ file."""
import pathlib
import re

import tree

PAGE = tree.read(pathlib.Path("docs/glossary.md"))


def retired():
    section = PAGE.split("## Words that are not used any more", 1)[1]
    return dict(re.findall(r"^\| `(\w+)` \| `(\w+)` \|$", section, re.MULTILINE))


def main():
    words = retired()
    assert len(words) > 30, "the table of docs/glossary.md has not been found"
    pattern = re.compile(r"\b(" + "|".join(words) + r")\b")
    complaints, checked = [], 0
    for path in tree.files(".cpp", ".hpp"):
        checked += 1
        for number, line in enumerate(tree.read(path).splitlines(), 1):
            complaints += [f"{path}:{number}: {word} is called {words[word]} (docs/glossary.md)"
                           for word in pattern.findall(line)]
    tree.report(complaints, checked)


main()
