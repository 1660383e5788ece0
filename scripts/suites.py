"""Reads JUnit files of ctest: suites.py slowest COUNT FILE... prints the suites that took longest, suites.py failed FILE
the names of the suites that failed, and suites.py why FILE... the failed suites and the end of what each printed."""
import pathlib
import sys
import xml.etree.ElementTree


def cases(file):
    return xml.etree.ElementTree.parse(file).getroot().iter("testcase")


def slowest(count, files):
    timed = [(float(case.get("time")), case.get("name"), pathlib.Path(file).stem) for file in files for case in cases(file)]
    return [f"{seconds:6.1f} s  {name}  ({build})" for seconds, name, build in sorted(timed, reverse=True)[: int(count)]]


def failed(file):
    return [case.get("name") for case in cases(file) if case.get("status") == "fail"]


def why(files):
    for file in files:
        for case in cases(file):
            if case.get("status") == "fail":
                lines = (case.findtext("system-out") or "").splitlines()
                failures = [line for at, name in enumerate(lines) if ": Failure" in name for line in lines[at : at + 6]]
                yield "\n    ".join([f"FAILED {case.get('name')} ({pathlib.Path(file).stem})", *failures[:60], *lines[-20:]])


if __name__ == "__main__":
    action, *arguments = sys.argv[1:]
    if action == "slowest":
        print("\n".join(slowest(arguments[0], arguments[1:])))
    elif action == "why":
        print("\n".join(why(arguments)))
    elif action == "failed":
        print("\n".join(failed(arguments[0])))
    else:
        sys.exit(__doc__)
