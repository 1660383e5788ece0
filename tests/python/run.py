"""Runs tests of the Python module with pytest: run.py FILE...; exit status 77: a package is missing."""
import importlib.util
import sys

missing = [name for name in ("numpy", "skimage", "pytest") if importlib.util.find_spec(name) is None]
if missing:
    print(f"skipped: no {', '.join(missing)}; Debian has python3-numpy, python3-skimage and python3-pytest")
    sys.exit(77)

import pytest  # noqa: E402

status = pytest.main(["-q", "-p", "no:cacheprovider", *sys.argv[1:]])
sys.exit(77 if status == pytest.ExitCode.NO_TESTS_COLLECTED else status)  # a file without tests needs a package
