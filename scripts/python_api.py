"""Writes docs/python-api.md from the docstrings of the Python package: python_api.py [--check]

With --check it writes nothing, and the exit status is 1 if the page is not up to date. The sources are parsed, not
imported, so that the script needs no build.
"""
import ast
import inspect
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "python" / "pollard_morphology"
PAGE = ROOT / "docs" / "python-api.md"
HEAD = """# Python API

Made from the docstrings of [python/pollard_morphology](../python/pollard_morphology) by `scripts/python_api.py`.
[python.md](python.md) is the tour; it writes `import pollard_morphology as pollard`.
"""


def parsed(name):
    path = next(path for path in (PACKAGE / f"{name}.py", PACKAGE / f"{name}.pyi") if path.exists())
    return ast.parse(path.read_text(encoding="utf-8"))


def definitions(body):
    return {node.name: node for node in body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}


def prose(text):
    """Markdown of a docstring: sections in bold, parameters as lists, references as code."""
    text = re.sub(r":\w+:`([^`]+)`", r"`\1`", inspect.cleandoc(text)).replace("``", "`")
    lines, result, section = text.split("\n"), [], ""
    for number, line in enumerate(lines):
        if set(line) == {"-"}:
            continue
        if number + 1 < len(lines) and lines[number + 1] and set(lines[number + 1]) == {"-"}:
            section = line
            result.append(f"**{line}**\n")
        elif line.startswith(">>> "):
            result.append(f"    {line}")
        elif section and line and not line.startswith(" "):
            name, colon, kind = line.partition(" : ")
            goes_on = section not in ("Parameters", "Raises") and result[-1].startswith(("- ", "  "))
            result.append(f"- `{name}` : {kind}" if colon else f"  {line}" if goes_on else f"- {line}")
        else:
            result.append(f"  {line.strip()}" if section and line else line)
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
    yield prose(ast.get_docstring(node) or "")
    if isinstance(node, ast.ClassDef):
        if [ast.unparse(base) for base in node.bases] == ["NamedTuple"]:
            yield "\n".join(fields(node)) + "\n"
        for member, inner in definitions(node.body).items():
            if ast.get_docstring(inner) and (not member.startswith("_") or member == "__getitem__"):
                yield from entry_of(f"{name}.{member}", inner, level + 1)


def page():
    body = parsed("__init__").body
    here = definitions(body)
    names = next(ast.literal_eval(node.value) for node in body
                 if isinstance(node, ast.Assign) and node.targets[0].id == "__all__")
    origin = {alias.name: node.module for node in body if isinstance(node, ast.ImportFrom) and node.module
              for alias in node.names}
    parts = [HEAD]
    for name in sorted(names, key=str.lower):
        if name.startswith("_") or name not in here and name not in origin:
            continue
        node = here.get(name) or definitions(parsed(origin[name]).body)[name]
        node.module = origin.get(name, "__init__")
        parts += entry_of(name, node, 2)
    return "\n".join(parts)


def main():
    text = page()
    if "--check" in sys.argv:
        sys.exit("docs/python-api.md is not up to date: run scripts/python_api.py"
                 if not PAGE.exists() or PAGE.read_text(encoding="utf-8") != text else 0)
    PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
