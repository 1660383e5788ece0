"""Interpreters of one process."""

import importlib


def require_main() -> None:
    """Refuses subinterpreters: the extension takes Python's lock by PyGILState, which waits for ever in them.

    Raises
    ------
    ImportError
    """
    for name in ("_interpreters", "_xxsubinterpreters"):
        try:
            module = importlib.import_module(name)
        except ImportError:
            continue
        if module.get_current() != module.get_main():
            raise ImportError("pollard_morphology: works in the main interpreter of a process, not in subinterpreters; use "
                              "threads or processes")
        return
