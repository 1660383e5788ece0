"""Names the missing texts of a translation: untranslated.py check|list TS UPDATED_TS"""
import sys
import xml.etree.ElementTree as tree

mode, path, updated = sys.argv[1:]


def messages(file):
    """(context, source) -> whether it is translated."""
    found = {}
    for context in tree.parse(file).getroot().iter("context"):
        for message in context.iter("message"):
            translation = message.find("translation")
            texts = [form.text for form in translation.iter("numerusform")] or [translation.text]
            done = translation.get("type") != "unfinished" and all(texts)
            key = context.findtext("name"), message.findtext("source"), message.findtext("comment")
            found[key] = done
    return found


known, wanted = messages(path), messages(updated)
lacking = [key for key, done in wanted.items() if not done]
stale = [key for key in known if key not in wanted]
if mode == "list":
    print("\n".join(repr(source) for _, source, _ in lacking))
    sys.exit(0)
for context, source, _ in lacking:
    print(f"{path}: no translation: {context}: {source!r}", file=sys.stderr)
for context, source, _ in stale:
    print(f"{path}: no such text any more: {context}: {source!r}", file=sys.stderr)
sys.exit(bool(lacking or stale))
