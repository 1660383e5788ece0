"""Tables of facts that other programs find in files of pollard-cli."""
import pathlib
import subprocess
import sys

import numpy

ROOT = pathlib.Path(__file__).resolve().parents[3]
#: Images of windows, for looking at.
IMAGES = ROOT / "build" / "peers"


def skip(reason):
    """Ends a script whose outside program is missing."""
    print("skipped:", reason)
    sys.exit(77)


def alike(found, expected):
    """Whether two facts are equal; real numbers may differ by a rounding of 32-bit floats."""
    if isinstance(expected, (list, tuple)):
        return len(found) == len(expected) and all(map(alike, found, expected))
    if isinstance(expected, float):
        return abs(found - expected) <= 1e-6 * abs(expected)
    return found == expected


class Table:
    """A row for each file and program, with the facts that the program finds."""

    def __init__(self, pollard):
        self.pollard, self.rows, self.facts, self.differing = pollard, {}, 0, 0

    def run(self, *arguments):
        """Runs pollard-cli."""
        subprocess.run([self.pollard, *map(str, arguments), "--quiet"], check=True, stdout=subprocess.DEVNULL)

    def add(self, file, program, text, same):
        """Adds a text to a row."""
        self.facts += 1
        self.differing += not same
        self.rows.setdefault((file, program), []).append(text)

    def fact(self, file, program, name, found, expected):
        """Adds the name of a fact, with both values if they differ."""
        same = alike(found, expected)
        self.add(file, program, name if same else f"{name} {found} INSTEAD OF {expected}", same)

    def samples(self, file, program, found, expected):
        """Adds the number of samples that differ."""
        found, expected = numpy.asarray(found), numpy.asarray(expected)
        form, right = (f"{each.dtype.newbyteorder('=')} {each.shape}" for each in (found, expected))
        if form != right:
            self.add(file, program, f"{form} INSTEAD OF {right}", False)
        else:
            differing = int((found != expected).sum())
            self.add(file, program, f"{differing} of {found.size} samples differ", differing == 0)

    def end(self):
        """Prints the table. Returns the exit status: 0 if all facts are equal."""
        widths = [max(len(row[column]) for row in self.rows) for column in range(2)]
        for (file, program), facts in self.rows.items():
            print(file.ljust(widths[0]), program.ljust(widths[1]), ", ".join(facts), sep="  ")
        print(f"{self.facts} facts, {self.differing} differ")
        return int(self.differing > 0)


def program_in(folder):
    """pollard-cli in the folder of programs."""
    return str(pathlib.Path(folder).resolve() / "pollard-cli")


def use_module_beside(folder):
    """Makes the Python module of the same build importable."""
    sys.path.insert(0, str(pathlib.Path(folder).resolve().parent / "python"))
