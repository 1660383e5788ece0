"""Code of the pages for users of scikit-image, Higra and SciPy, which compares results with those of the libraries.

usage: python_pages.py FOLDER_OF_PROGRAMS; exit status 77: a library or the Python module is missing
"""
import re
import sys
from importlib.metadata import version
from pathlib import Path

from support.facts import Table, program_in, skip, use_module_beside

use_module_beside(sys.argv[1])
try:
    import higra  # noqa: F401
    import pollard_morphology  # noqa: F401
    import scipy  # noqa: F401
    import skimage  # noqa: F401
except ImportError as problem:
    skip(problem)

DOCS = Path(__file__).resolve().parents[2] / "docs"


def first_failure(page):
    """The first line of code that fails, with its message; "" if none does."""
    space = {}
    for block in re.findall(r"^```python\n(.*?)^```", (DOCS / page).read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL):
        try:
            exec(compile(block, page, "exec"), space)  # pylint: disable=exec-used
        except Exception as problem:  # pylint: disable=broad-except
            line = problem.__traceback__.tb_next.tb_lineno
            return f"{block.splitlines()[line - 1]}: {problem!r}"
    return ""


if __name__ == "__main__":
    table = Table(program_in(sys.argv[1]))
    for page, library in (("python-scikit-image.md", "scikit-image"), ("python-higra.md", "higra"), ("python-scipy.md", "scipy")):
        table.fact(page, f"{library} {version(library)}", "all code runs", first_failure(page), "")
    sys.exit(table.end())
