"""Groups sources that can be compiled as one: together.py SIZE SOURCE... prints the number of its group before each.

An unnamed namespace limits a name to its source. So two sources go together if no name that one declares is a word of
the other: then each keeps its meaning. clang-format puts declarations in a namespace at the start of a line. Groups have
SIZE sources at most.
"""
import pathlib
import re
import sys

PREFIX = re.compile(r"(?:template <[^(){}]*?> )?(?:\[\[\w+\]\] )?(?=[a-zA-Z])")
TYPE = re.compile(r"(?:class|struct|union|enum class|enum|using|concept) (\w+)\b(?!::|;)")
# A function or a variable: the last word before the parameters, the value or the end. Members (Type::name) and
# declarations by macros are ignored.
VALUE = re.compile(r"(?!using |namespace |extern |return |class |struct )[\w:][^(={;\[]*?[\s&*>](\w+) ?[(={;\[]")
NO_CODE = re.compile(r'^#.*|//.*|"(?:\\.|[^"\\\n])*"', re.MULTILINE)
WORD = re.compile(r"[A-Za-z_]\w*")


def own_names(text):
    names = set()
    for line in text.splitlines():
        line = PREFIX.sub("", line, 1)
        if found := TYPE.match(line) or VALUE.match(line):
            names.add(found[1])
    return names


def groups_of(sources, size):
    groups = []
    for source in sources:
        text = source.read_text(encoding="utf-8")
        names = own_names(text)
        words = names.union(WORD.findall(NO_CODE.sub("", text)))
        for members, taken, said in groups:
            if len(members) < size and not names & said and not words & taken:
                break
        else:
            members, taken, said = [], set(), set()
            groups.append((members, taken, said))
        members.append(source)
        taken |= names
        said |= words
    return [members for members, _, _ in groups]


if __name__ == "__main__":
    for number, members in enumerate(groups_of([pathlib.Path(name) for name in sys.argv[2:]], int(sys.argv[1])), 1):
        print("".join(f"{number} {source}\n" for source in members), end="")
