"""Copies the window's sources to a folder in the form that lupdate understands."""
import json
import pathlib
import re
import sys

root = pathlib.Path(__file__).resolve().parent.parent
out = pathlib.Path(sys.argv[1])

helper = re.compile(r'QString (\w+Text)\(const char\* source\) \{ return QCoreApplication::translate\("(\w+)", source\); \}')
for room in ("app", "viewmodels"):
    for path in sorted((root / room).rglob("*.[ch]pp")):
        content = path.read_text(encoding="utf-8")
        contexts = helper.findall(content)
        content = helper.sub("", content)
        for name, context in contexts:
            content = re.sub(rf'\b{name}\(\s*(?=")', f'QCoreApplication::translate("{context}", ', content)
        target = out / path.relative_to(root)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(content, encoding="utf-8")

# Texts of the room teach, which does not use Qt.
for path in sorted((root / "teach").rglob("*.[ch]pp")):
    content = path.read_text(encoding="utf-8")
    if path.name != "text.hpp":
        target = out / path.relative_to(root)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(content.replace("POLLARD_TEACH(", 'QT_TRANSLATE_NOOP("Teach", '), encoding="utf-8")


def strings(path, pattern):
    found = re.findall(pattern, (root / path).read_text(encoding="utf-8"))
    return [re.sub(r'"\s+"', "", text) for text in found]  # adjacent literals are joined


def noop(context, texts):
    return "".join(f'    QT_TRANSLATE_NOOP("{context}", "{text}"),\n' for text in dict.fromkeys(texts))


# Displayed texts of tables in core, with their translation contexts.
TABLES = (
    ("pollard::vm::ObjectTableModel", "core/components/objects/object_features.cpp", r'\{\w+,\s*"\w+",\s*"([^"]+)"'),
    ("pollard::vm::ObjectTableModel", "core/components/objects/object_features.cpp", r'"((?:[^"]|"\s+")+)",\s*FeatureUnit::'),
    ("Attribute", "core/attributes/attribute_table.hpp", r'AttributeInfo\{\s*AttributeId::\w+,\s*"\w+",\s*"([^"]+)"'),
    ("Attribute", "core/attributes/volume_table.hpp", r'AttributeInfo\{\s*AttributeId::\w+,\s*"\w+",\s*"([^"]+)"'),
    ("Attribute", "core/attributes/attribute_table.hpp", r'constexpr (?:auto|std::string_view) k\w+ = "([^"]+)"'),
    ("Attribute", "core/attributes/attribute_table.hpp", r'"(grey[^" ]*)", (?:true|false)'),
    ("FilterTexts", "core/filter/filter_spec.cpp", r'\.(?:title|details) = "((?:[^"]|"\s+")+)"'),
    ("Teach", "core/filter/filter_spec.cpp", r'\.exercise = "((?:[^"]|"\s+")+)"'),
)
generated = "const char* names[] = {\n"
for table_context, table_path, pattern in TABLES:
    found = strings(table_path, pattern)
    if not found:
        sys.exit(f"{table_path}: no names found")
    generated += noop(table_context, found)
for preset in sorted((root / "resources/presets").glob("*.json")):
    recipe = json.loads(preset.read_text(encoding="utf-8"))
    generated += noop("Preset", [recipe["name"], recipe["description"]])
for scenes in sorted((root / "resources/scenes").glob("*.json")):
    titles = [scene["title"] for scene in json.loads(scenes.read_text(encoding="utf-8"))["scenes"]]
    generated += noop("Scene", titles)
(out / "names.cpp").write_text(generated + "};\n", encoding="utf-8")
