#!/usr/bin/env python3
"""Writes docs/python-api.md, the reference of the Python module, from its signatures and docstrings.

python_api.py [--check]: with --check only compares, and exits with 1 if the file is not up to date.
"""
import ast
import inspect
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "python" / "pollard"
TARGET = ROOT / "docs" / "python-api.md"
SECTIONS = ("Parameters", "Returns", "Raises", "Examples")
# Files in the order of the reference, with the titles of their sections.
FILES = {"tree.py": "Trees", "morphology.py": "Functions of scikit-image", "__init__.py": "Analyses and lists",
         "objects.py": "Objects and contours", "recipes.py": "Recipes", "higra.py": "Higra"}


def markdown(text):
    """A docstring in NumPy's style as Markdown."""
    text = re.sub(r":\w+:`~?\.?([^`]+)`", r"`\1`", text).replace("``", "`")
    lines, section = [], None
    source = inspect.cleandoc(text).splitlines()
    for number, line in enumerate(source):
        following = source[number + 1] if number + 1 < len(source) else ""
        if line in SECTIONS and set(following) == {"-"}:
            section = line
            lines += [f"**{line}**", ""]
        elif set(line) == {"-"} and source[number - 1] in SECTIONS:
            continue
        elif section == "Examples":
            lines.append(f"    {line}" if line else "")
        elif section and line and not line.startswith(" ") and (section != "Returns" or following.startswith(" ")):
            lines.append(f"- `{line}`")
        elif section and line.startswith(" "):
            lines.append(f"  {line.strip()}")
        else:
            lines.append(line)
    return "\n".join(lines).rstrip()


def is_property(node):
    return any(isinstance(each, ast.Name) and each.id == "property" for each in node.decorator_list)


def heading(node, owner):
    """Name and parameters of a function or method."""
    name = f"{owner}.{node.name}" if owner else node.name
    name = owner if node.name == "__init__" else f"{owner}[name]" if node.name == "__getitem__" else name
    if is_property(node) or node.name == "__getitem__":
        return f"`{name}`"
    arguments = node.args
    for group in (arguments.posonlyargs, arguments.args, arguments.kwonlyargs):
        for each in group:
            each.annotation = None
    if arguments.vararg:
        arguments.vararg.annotation = None
    arguments.args = [each for each in arguments.args if each.arg not in ("self", "cls")]
    return f"`{name}({ast.unparse(arguments)})`"


def fields(node, source):
    """Fields of a named tuple with the comments behind them."""
    for each in node.body:
        if isinstance(each, ast.AnnAssign):
            comment = re.search(r"#: (.*)", source[each.lineno - 1])
            yield f"- `{each.target.id}`: {markdown(comment[1]) if comment else ast.unparse(each.annotation)}"


def is_public(node):
    return not node.name.startswith("_") or node.name in ("__getitem__",)


def entries(path):
    """Headings and texts of the public functions and classes of a file."""
    text = path.read_text(encoding="utf-8")
    source = text.splitlines()
    public = set(re.findall(r'"(\w+)"', re.search(r"__all__ = \[(.*?)\]", (PACKAGE / "__init__.py").read_text(
        encoding="utf-8"), re.DOTALL)[1]))
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef) and node.name in public:
            yield f"### {heading(node, None)}", markdown(ast.get_docstring(node))
        elif isinstance(node, ast.ClassDef) and node.name in public:
            listed = list(fields(node, source))
            yield f"### `{node.name}`", "\n\n".join([markdown(ast.get_docstring(node)), *(["\n".join(listed)] if listed
                                                                                         else [])])
            for member in node.body:
                if isinstance(member, ast.FunctionDef) and is_public(member) and ast.get_docstring(member):
                    yield f"#### {heading(member, node.name)}", markdown(ast.get_docstring(member))


def reference():
    parts = ["# Reference of the Python module", "Made by `scripts/python_api.py` from the docstrings. "
             "[python.md](python.md) is a tour,\n[attributes.md](attributes.md) defines the attributes."]
    for file, title in FILES.items():
        parts.append(f"## {title}")
        for head, text in entries(PACKAGE / file):
            parts += [head, text]
    return "\n\n".join(parts) + "\n"


def main():
    text = reference()
    if "--check" not in sys.argv[1:]:
        TARGET.write_text(text, encoding="utf-8")
    elif not TARGET.exists() or TARGET.read_text(encoding="utf-8") != text:
        sys.exit(f"{TARGET.relative_to(ROOT)} is not up to date: run scripts/python_api.py")


if __name__ == "__main__":
    main()
