"""Groups sources that can be compiled as one: together.py SIZE SOURCE... prints the name of its group before each.

The sources of a group lie in one folder. A new source changes one group as a rule, so that a cache of the compiler keeps
the others: the name of a source decides which groups are tried first, not its place in the list.

An unnamed namespace limits a name to its source. So two sources go together if no name that an unnamed namespace of one
declares is a word of the other, or if the other has no code in the namespace around it: then each name keeps its meaning.
clang-format puts declarations in a namespace at the start of a line. Groups have SIZE sources at most.
"""
import hashlib
import itertools
import os
import pathlib
import re
import sys

NAMESPACE = re.compile(r"(?:inline )?namespace ?([\w:]*) \{$")
ALIAS = re.compile(r"using \w+ = [\w:]+;$")
PREFIX = re.compile(r"(?:template <[^(){}]*?> )?(?:\[\[\w+\]\] )?(?=[a-zA-Z])")
TYPE = re.compile(r"(?:class|struct|union|enum class|enum|using(?! namespace)|concept) (\w+)\b(?!::|;)")
# A function or a variable: the last word before the parameters, the value or the end. Members (Type::name) and
# declarations by macros are ignored.
VALUE = re.compile(r"(?!using |namespace |inline namespace |extern |return |class |struct |enum |template )[\w:][^(={;\[]*?[\s&*>](\w+) ?[(={;\[]")
NO_CODE = re.compile(r'^#.*|//.*|"(?:\\.|[^"\\\n])*"', re.MULTILINE)
# Names that a declaration in another source could change: types, constants, and functions that are called. Members and
# qualified names mean the same in every source; a local variable hides other declarations.
WORD = re.compile(r"(?<![\w.:])(?<!->)(?:k?[A-Z]\w*|[a-z_]\w*(?=[({<]))")


def declared(line):
    line = PREFIX.sub("", line, 1)
    found = TYPE.match(line) or VALUE.match(line)
    return found[1] if found else None


def scopes_of(namespace):
    parts = namespace.split("::")
    return ["::".join(parts[:length]) for length in range(len(parts) + 1)]


def read(source):
    """The names that the source declares in unnamed namespaces, with their scopes, and the words that it says there.

    Names that two sources may both declare, in the same words, have these words; others have the source."""
    text = source.read_text(encoding="utf-8")
    names, scopes, opened = {}, {""}, []
    for line in text.splitlines():
        if found := NAMESPACE.match(line):
            opened.append(found[1])
            scopes.update(scopes_of("::".join(filter(None, opened))))
        elif line.startswith("} // namespace"):
            opened.pop()
        elif ("" in opened or line.startswith("static ")) and (name := declared(line)):
            names["::".join(filter(None, opened)), name] = line if ALIAS.match(line) else source
    words = set(WORD.findall(NO_CODE.sub("", text)))
    return names, set(names).union(itertools.product(scopes, words))


def agree(names, others, said):
    return all(name not in said or others.get(name) == meaning for name, meaning in names.items())


def tried_first(source, number):
    """Rendezvous hashing: one group more takes sources from the others, and moves none between them."""
    return hashlib.sha256(f"{source.name} {number}".encode()).digest()


def pack(sources, size, usual=0):
    """Each source goes into one of the usual groups, in an order of its own, or else into the first other that takes it."""
    groups = [([], {}, set()) for _ in range(usual)]
    for source in sources:
        names, words = read(source)
        ranked = sorted(range(usual), key=lambda number: tried_first(source, number))
        for number in itertools.chain(ranked, range(usual, len(groups))):
            members, taken, said = groups[number]
            if len(members) < size and agree(names, taken, said) and agree(taken, names, words):
                break
        else:
            members, taken, said = [], {}, set()
            groups.append((members, taken, said))
        members.append(source)
        taken.update(names)
        said |= words
    return [members for members, _, _ in groups]


def pack_folder(sources, size):
    # Room for a third more, so that a new source seldom fills a group and moves another source.
    return pack(sources, size, usual=-(-len(sources) * 4 // (size * 3)))


def groups_of(sources, size):
    """Groups by folder, with their names."""
    ordered = sorted(sources, key=lambda source: (source.parent, source.name))
    folders = itertools.groupby(ordered, key=lambda source: source.parent)
    return [("_".join([*pathlib.Path(os.path.relpath(folder)).parts, str(number)]), members)
            for folder, together in folders
            for number, members in enumerate(pack_folder(list(together), size), 1) if members]


if __name__ == "__main__":
    for name, members in groups_of([pathlib.Path(name) for name in sys.argv[2:]], int(sys.argv[1])):
        print("".join(f"{name} {source}\n" for source in members), end="")
