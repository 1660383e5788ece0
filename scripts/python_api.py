"""Writes docs/python-api*.md from the docstrings of the Python package: python_api.py [--check]

With --check it writes nothing, and the exit status is 1 if a page is not up to date. The sources are parsed, not
imported, so that the script needs no build.
"""
import ast
import inspect
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "python" / "pollard_morphology"
DOCS = ROOT / "docs"
TREES, OBJECTS, MORPHOLOGY = "python-api.md", "python-api-objects.md", "python-api-morphology.md"
PAGE_OF = {"objects": OBJECTS, "tables": OBJECTS, "segmentation": OBJECTS, "hierarchies": OBJECTS, "scores": OBJECTS,
           "recipes": OBJECTS, "morphology": MORPHOLOGY, "operators": MORPHOLOGY}  # module: page, else the first one
HEADS = {TREES: """# Python API: trees

`import pollard_morphology as pollard`. The pages of the API are made from the docstrings of
[python/pollard_morphology](../python/pollard_morphology) by `scripts/python_api.py`; tests run all examples, which begin with
`import json`, `import numpy as np` and `from pollard_morphology import morphology`, too. [python.md](python.md) is the tour.
""", OBJECTS: """# Python API: objects, regions, contours, recipes

`import pollard_morphology as pollard`. [python-api.md](python-api.md) lists all functions.
""", MORPHOLOGY: """# Python API: functions of scikit-image, operators

`from pollard_morphology import morphology`. The package itself has attribute openings and closings, `h_maxima`, `h_minima`,
`max_tree_local_maxima` and `reconstruction`, too. `apply_operator`, `clear_border`, `fill_holes`, `gaussian`, `gradient`, `median`,
`skeletonize` and `thickness` are in the package alone; [operators.md](operators.md) defines them. [python-scikit-image.md](python-scikit-image.md) compares all functions with
scikit-image's, [python-api.md](python-api.md) lists the other functions.
"""}


def parsed(name):
    path = next(path for path in (PACKAGE / f"{name}.py", PACKAGE / f"{name}.pyi") if path.exists())
    return ast.parse(path.read_text(encoding="utf-8"))


def definitions(body):
    return {node.name: node for node in body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}


def prose(text, members=()):
    """Markdown of a docstring: sections in bold, parameters as lists, references as code; lines of members before examples."""
    text = re.sub(r":\w+:`([^`]+)`", r"`\1`", inspect.cleandoc(text)).replace("``", "`")
    text, _, examples = text.partition("Examples\n--------\n")
    lines, result, section = text.rstrip().split("\n"), [], ""
    for number, line in enumerate(lines):
        if set(line) == {"-"}:
            continue
        if number + 1 < len(lines) and lines[number + 1] and set(lines[number + 1]) == {"-"}:
            section = line
            result.append(f"**{line}**\n")
        elif section and line and not line.startswith(" "):
            name, colon, kind = line.partition(" : ")
            goes_on = section not in ("Parameters", "Raises") and result[-1].startswith(("- ", "  "))
            result.append(f"- `{name}` : {kind}" if colon else f"  {line}" if goes_on else f"- {line}")
        else:
            result.append(f"  {line.strip()}" if section and line else line)
    if members:
        result += ["", *members]
    if examples:
        result += ["", "**Examples**", "", *(f"    {line}".rstrip() for line in examples.split("\n"))]
    return "\n".join(result).rstrip() + "\n"


def signature(node):
    arguments = ast.unparse(node.args)
    arguments = re.sub(r"^(self|cls)(, )?", "", arguments)
    returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    return f"{node.name}({arguments}){returns}"


def fields(node):
    """Lines of the fields of a NamedTuple, with the comments behind them."""
    source = (PACKAGE / f"{node.module}.py").read_text(encoding="utf-8").split("\n")
    for entry in node.body:
        if isinstance(entry, ast.AnnAssign):
            _, _, comment = source[entry.lineno - 1].partition("#: ")
            yield f"- `{entry.target.id}` : {comment}"


def entry_of(name, node, level):
    """Lines of a function, or of a class with its members."""
    yield f"{'#' * level} {name}\n"
    if isinstance(node, ast.FunctionDef):
        decorators = [ast.unparse(each) for each in node.decorator_list]
        call = f"{node.name} -> {ast.unparse(node.returns)}" if "property" in decorators else signature(node)
        yield f"```python\n{call}\n```\n"
    is_tuple = isinstance(node, ast.ClassDef) and [ast.unparse(base) for base in node.bases] == ["NamedTuple"]
    yield prose(ast.get_docstring(node) or "", [*fields(node)] if is_tuple else ())
    if isinstance(node, ast.ClassDef):
        for member, inner in definitions(node.body).items():
            if ast.get_docstring(inner) and (not member.startswith("_") or member == "__getitem__"):
                yield from entry_of(f"{name}.{member}", inner, level + 1)


def public(body):
    """The names in a module's list."""
    return [name for node in body if isinstance(node, ast.Assign) and node.targets[0].id == "__all__"
            for name in ast.literal_eval(node.value) if not name.startswith("_")]


def entries():
    """Per page the names with their definitions."""
    found = {page: {} for page in HEADS}
    for module in ("__init__", "morphology"):
        body = parsed(module).body
        origin = {alias.asname or alias.name: node.module for node in body
                  if isinstance(node, ast.ImportFrom) and node.module for alias in node.names}
        for name in public(body):
            where = origin.get(name, module)
            node = definitions(parsed(where).body).get(name)
            if node is not None:  # not a module
                node.module = where
                found[PAGE_OF.get(where, TREES)][name] = node
    return {page: dict(sorted(names.items(), key=lambda entry: (entry[0].lower(), entry[0])))
            for page, names in found.items()}


def index_of(page, names):
    """A line with links to the names on a page; of headings that differ in capitals alone the second has a number."""
    title = re.search("API: (.*)", HEADS[page])[1]
    file = "" if page == TREES else page
    anchors = [name.lower() for name in names]
    links = [f"[{name}]({file}#{anchor}{'-1' if anchor in anchors[:at] else ''})"
             for at, (name, anchor) in enumerate(zip(names, anchors))]
    return f"- [{title}]({page}): {', '.join(links)}"


def pages():
    found = entries()
    for page, names in found.items():
        parts = [HEADS[page]]
        if page == TREES:
            parts.append("\n".join(index_of(*each) for each in found.items()) + "\n")
        for name, node in names.items():
            parts += entry_of(name, node, 2)
        yield DOCS / page, "\n".join(parts)


def main():
    for path, text in pages():
        if "--check" not in sys.argv:
            path.write_text(text, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != text:
            sys.exit(f"docs/{path.name} is not up to date: run scripts/python_api.py")


if __name__ == "__main__":
    main()
