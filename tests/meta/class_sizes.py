# SPDX-License-Identifier: BSD-3-Clause
"""No class has more functions than fit in the head, and no header more lines.

A header is read without a compiler: comments, strings, attributes and template arguments go, and what remains between
the braces of a class is cut into declarations. Deleted functions and pointers to functions do not count."""
import pathlib
import re

import tree

MOST_FUNCTIONS = 45
MOST_LINES = 250
# Headers that programs include look like the native ones.
NATIVE = ("frontends/*/include/*", "debug/outside/include/*", "tests/*", "samples/*")

NOISE = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"\((?:.|\n)*?\)"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'|^\s*#[^\n]*(?:\\\n[^\n]*)*|\[\[.*?\]\]',
    re.DOTALL | re.MULTILINE)
CLASS = re.compile(r"^(?:template\s*)?(?:class|struct|union)\b(?!.*\()\s*(?:alignas\s*\([^)]*\)\s*)?(\w+(?:::\w+)*)?")
OTHER = re.compile(r"^(?:using|friend|typedef|static_assert|enum|namespace)\b")


def without_arguments(text):
    """Template arguments and what they contain go: std::function<void(int)> is no function."""
    before = None
    text = re.sub(r"operator\s*(<=>|<<|>>|<=|>=|->|<|>)", "operator_", text)
    while before != text:
        before = text
        text = re.sub(r"<[^<>;{}]*>", "", text)
    return text


def is_function(declaration):
    text = without_arguments(declaration).strip()
    text = re.sub(r"^(?:(?:public|protected|private)\s*:\s*)+", "", text)
    text = re.sub(r"\balignas\s*\([^)]*\)", "", text)
    head = text.split("(", 1)[0]
    if "(" not in text or OTHER.match(text) or re.search(r"=\s*delete\s*$", text):
        return False
    return not ("=" in head and "operator" not in head) and not re.search(r"\(\s*\*", text)


def classes(text):
    """(name, functions) of each class in the text of a header."""
    text = NOISE.sub(" ", text)
    counted, stack, start, functions = [], [], 0, []  # stack: what each open brace belongs to
    at, goes_on = 0, False  # goes_on: a list of member initialisers, after one with braces
    while at < len(text):
        sign = text[at]
        if sign == "{":
            declaration = re.sub(r"^\s*(?:(?:public|protected|private)\s*:\s*)+", "", text[start:at]).strip()
            found = CLASS.match(without_arguments(declaration))
            if found:
                stack.append("class")
                functions.append([found.group(1) or "?", 0])
            elif re.match(r'^(?:inline\s+)?(?:namespace|extern)\b', declaration):
                stack.append("scope")
            else:
                if stack and stack[-1] == "class" and not goes_on and is_function(declaration):
                    functions[-1][1] += 1
                goes_on = re.search(r"\)[^()]*(?<!:):(?!:)", without_arguments(declaration)) is not None or goes_on
                stack.append("body")
            start = at + 1
        elif sign == "}" and stack:
            kind = stack.pop()
            if kind == "class":
                counted.append(tuple(functions.pop()))
            if not re.match(r"\s*[,{]", text[at + 1:at + 80]):
                goes_on = False
            start = at + 1
        elif sign == ";":
            declaration = text[start:at]
            if stack and stack[-1] == "class" and is_function(declaration):
                functions[-1][1] += 1
            start = at + 1
        at += 1
    return counted


EXAMPLE = """
class Outer : public Base<int(int)> {
 public:
  Outer(int a, int b) : a_{a}, b_(b) {}   // 1
  ~Outer() = default;                      // 2
  Outer(Outer const&) = delete;
  template <class T>
  std::vector<T> list(std::function<void(int)> f) const { return g(f); }  // 3
  bool operator==(Outer const&) const = default;  // 4
  virtual void pure(int) = 0;              // 5
  struct Inner { int x = f(); void only(); };
 private:
  void (*pointer_)(int) = nullptr;
  std::function<void(int)> called_;
  int a_ = number(3);
  std::string text_{"a;b(c)"};
  [[nodiscard]] int last();                // 6
};
"""


def native(path):
    return any(path.match(pattern) for pattern in NATIVE) or path.parts[0] in ("tests", "samples")


def main():
    assert dict(classes(EXAMPLE)) == {"Outer": 6, "Inner": 1}, f"the counter is wrong: {classes(EXAMPLE)}"
    complaints, checked, most = [], 0, ("", 0)
    for path in tree.files(".hpp", ".h"):
        if native(path):
            continue
        text = tree.read(path)
        checked += 1
        lines = text.count("\n")
        if lines > MOST_LINES:
            complaints.append(f"{path}: {lines} lines; split what is more than {MOST_LINES}")
        for name, functions in classes(text):
            most = max(most, (f"{path}: {name}", functions), key=lambda entry: entry[1])
            if functions > MOST_FUNCTIONS:
                complaints.append(f"{path}: {name} has {functions} functions; a part of it is a class of its own "
                                  f"(at most {MOST_FUNCTIONS})")
    assert most[1] > MOST_FUNCTIONS / 2, "no class has been counted"
    print(f"largest: {most[0]}, {most[1]} functions")
    tree.report(complaints, checked)


if __name__ == "__main__":
    main()
