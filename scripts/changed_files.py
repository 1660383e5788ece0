"""Files that differ from a commit, for checks of changed files."""
import pathlib
import subprocess

root = pathlib.Path(__file__).resolve().parent.parent


def _git(*words):
    return subprocess.run(["git", *words], cwd=root, check=True, capture_output=True, text=True).stdout.split("\0")


def since(commit):
    """The tracked files that differ from the commit's common ancestor with HEAD, uncommitted changes included."""
    base = _git("merge-base", commit, "HEAD")[0].strip()
    return {root / name for name in _git("diff", "--name-only", "-z", "--diff-filter=d", base) if name}
