# SPDX-License-Identifier: BSD-3-Clause
"""The words that docs/glossary.md has retired are in no file: identifiers in no C++ file, other words nowhere. No comment
begins with a relative clause, and none of the product with a fragment."""
import pathlib
import re

import tree

GLOSSARY = pathlib.Path("docs/glossary.md")
PAGE = tree.read(GLOSSARY)
# Programs that others have written say what they say.
FOREIGN = pathlib.Path("tests/foreign")
RELATIVE = re.compile(r"^\s*(?://[/!]?|/\*+|#) (Who|What|Whoever|Nobody|Of)\b", re.MULTILINE)
# A fragment in place of a subject, or of the noun that a comment names.
FRAGMENT = re.compile(r"^\s*//[/!]? (As|How|Those|Which|That)\b", re.MULTILINE)
PRODUCT = {"generic", "exec", "backends", "debug", "frontends"}
# A text or arguments.
WORDS = re.compile(r"\b(?:std::string(?:_view)?|Arguments)(?: const)?[&*]? (words_?)\b")
COMMENTED = {".cpp", ".hpp", ".c", ".h", ".py", ".sh", ".build"}


def retired():
    section = PAGE.split("## Words that are not used any more", 1)[1]
    names = dict(re.findall(r"^\| `(\w+)` \| `(\w+)` \|$", section, re.MULTILINE))
    rows = re.findall(r"^\| ([a-z, ]+) \| ([a-z, ]+) \|$", section, re.MULTILINE)
    words = {word: instead for several, instead in rows for word in several.split(", ") if word != "not"}
    return names, words


def found(pattern, text, path):
    """(line, what the pattern matched) of each place."""
    for match in pattern.finditer(text):
        yield f"{path}:{text.count(chr(10), 0, match.start()) + 1}", match.group(1)


def main():
    names, words = retired()
    assert len(names) > 30 and len(words) > 5, "the tables of docs/glossary.md have not been found"
    identifiers = re.compile(r"\b(" + "|".join(names) + r")\b")
    # Also as a part of an identifier.
    plain = re.compile(r"(?<![A-Za-z])(" + "|".join(words) + r")s?(?![A-Za-z])", re.IGNORECASE)
    complaints, checked = [], 0
    for path in tree.files():
        if path in (GLOSSARY, pathlib.Path("tests/meta/glossary.py")) or FOREIGN in path.parents:
            continue
        checked += 1
        text = tree.read(path)
        complaints += [f"{where}: {word} is {words[word.lower()]} (docs/glossary.md)"
                       for where, word in found(plain, text, path)]
        if path.suffix in COMMENTED:
            complaints += [f"{where}: a comment begins with '{word}': say what it is"
                           for where, word in found(RELATIVE, text, path)]
        if path.parts[0] in PRODUCT:
            complaints += [f"{where}: a comment begins with '{word}': begin with its subject, or with a noun"
                           for where, word in found(FRAGMENT, text, path)]
        if path.suffix in (".cpp", ".hpp"):
            complaints += [f"{where}: {word} is called {names[word]} (docs/glossary.md)"
                           for where, word in found(identifiers, text, path)]
            complaints += [f"{where}: {word} is a text or the arguments (docs/glossary.md)"
                           for where, word in found(WORDS, text, path)]
    tree.report(complaints, checked)


main()
