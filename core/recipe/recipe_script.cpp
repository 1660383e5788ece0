#include "recipe/recipe_script.hpp"

#include "analysis/seeds.hpp"
#include "base/text.hpp"
#include "components/best/best_rule.hpp"
#include "components/objects/object_files.hpp"
#include "components/objects/object_rule.hpp"
#include "components/objects/region_rules.hpp"
#include "filter/filter_spec.hpp"
#include "geo/earth_polygons.hpp"
#include "hierarchy/hierarchy.hpp"
#include "image/length_unit.hpp"
#include "image/region_shape.hpp"
#include "image/value_mapping.hpp"
#include "io/label_file.hpp"
#include "io/page_selection.hpp"
#include "recipe/results/recipe_outputs.hpp"
#include "tree/component_tree.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <utility>
#include <variant>

namespace pollard {

namespace {

using Arguments = std::vector<std::string>;

/// Adds an option with its value, which may begin with a minus.
void add(Arguments& arguments, std::string_view option, const std::string& value) {
    if (value.starts_with('-')) {
        arguments.push_back(std::string(option) + '=' + value);
    } else {
        arguments.insert(arguments.end(), {std::string(option), value});
    }
}

void append(Arguments& arguments, const Arguments& more) {
    arguments.insert(arguments.end(), more.begin(), more.end());
}

/// The name of a file in the present folder, which must not be taken for an option.
std::string inFolder(const std::string& name) { return name.starts_with('-') ? "./" + name : name; }

/// One line that begins with "# ".
std::string commentOf(std::string sentence) {
    std::ranges::replace_if(
        sentence, [](char letter) { return letter == '\n' || letter == '\r'; }, ' ');
    return "# " + sentence + '\n';
}

std::string commentsOf(const ScriptWork& work) {
    std::string text;
    for (const std::string& sentence : work.missing) {
        text += commentOf(sentence);
    }
    return text;
}

/// "0.325um", "0.325x0.65um", "0.325x0.325x2um"
std::string sizeText(const PixelSize& size) {
    std::string text = exactNumber(size.x);
    if (size.y != size.x || size.z > 0) {
        text += 'x' + exactNumber(size.y);
    }
    if (size.z > 0) {
        text += 'x' + exactNumber(size.z);
    }
    return text + (size.unit == "µm" ? "um" : size.unit);
}

/// The steps of a recipe of one filter or of one step of objects.
struct SimpleSteps {
    ReadStep read;
    std::optional<TreeStep> tree;
    std::optional<FilterSpec> filter; ///< the only one that changes the image
    std::optional<ObjectsStep> objects;
};

bool keepsAll(const FilterSpec& filter) {
    return filter.criteria.empty() && filter.forest.trees.empty() && !filter.prominent && filter.removed.empty() &&
           filter.only.empty() && filter.output == Output::filtered;
}

/// Nothing for a recipe with further steps.
std::optional<SimpleSteps> simpleStepsOf(const Recipe& recipe) {
    SimpleSteps simple;
    std::optional<TreeStep> tree;
    if (!recipe.channels.empty()) {
        return std::nullopt;
    }
    for (const RecipeStep& step : recipe.steps) {
        if (const auto* const read = std::get_if<ReadStep>(&step)) {
            simple.read = *read;
        } else if (const auto* const kind = std::get_if<TreeStep>(&step)) {
            tree = *kind;
        } else if (const auto* const filter = std::get_if<FilterStep>(&step)) {
            if (keepsAll(filter->filter)) {
                continue;
            }
            if (simple.filter || simple.objects) {
                return std::nullopt;
            }
            simple.filter = filter->filter;
            simple.tree = tree;
        } else if (const auto* const objects = std::get_if<ObjectsStep>(&step)) {
            if (simple.filter || simple.objects) {
                return std::nullopt;
            }
            simple.objects = *objects;
        } else if (const auto* const region = std::get_if<RegionStep>(&step);
                   region == nullptr || !region->shapes.empty()) {
            return std::nullopt;
        }
    }
    return simple;
}

bool isVolume(const ReadStep& read) { return read.at ? read.at->z.kind == AxisPositions::Kind::volume : read.volume; }

bool selectsEach(const PageSelection& at) {
    return std::ranges::any_of(std::array{&at.z, &at.t, &at.page, &at.scene}, [](const AxisPositions* positions) {
        return positions->kind == AxisPositions::Kind::each;
    });
}

/// The argument of --raw.
std::string layoutText(const RawLayout& raw) {
    constexpr std::array kTypes{"u8", "i8", "u16", "i16", "u32", "i32", "f32", "f64"}; // in the order of SampleType
    std::string text = std::to_string(raw.width) + 'x' + std::to_string(raw.height) + ':' +
                       kTypes.at(static_cast<std::size_t>(raw.type));
    text += raw.bigEndian ? ":be" : "";
    text += raw.samples != 1 ? ":samples=" + std::to_string(raw.samples) : "";
    text += raw.offset != 0 ? ":offset=" + std::to_string(raw.offset) : "";
    text += raw.pages != 1 ? ":pages=" + std::to_string(raw.pages) : "";
    return text;
}

/// The argument of --region.
std::string partText(const ReadStep& read) {
    const PixelRegion& part = *read.region;
    const auto list = [](std::initializer_list<std::uint64_t> numbers) {
        std::string text;
        for (const std::uint64_t number : numbers) {
            text += (text.empty() ? "" : ",") + std::to_string(number);
        }
        return text;
    };
    return read.slices ? list({part.x, part.y, read.slices->first, part.width, part.height, read.slices->count})
                       : list({part.x, part.y, part.width, part.height});
}

/// The image and the options that read it as the step does; nothing if no options do.
std::optional<Arguments> readingOf(const ReadStep& read, const ScriptWork& work) {
    using Range = MappingChoice::Range;
    const ScriptImage& image = work.images.front();
    const int page = image.page > 0 ? image.page : read.page;
    const std::string channel = read.channel.text();
    const bool isComputed = read.channel.kind == ChannelChoice::Kind::derived;
    if ((read.at && (selectsEach(*read.at) || page > 0)) || (read.slices && !read.region) ||
        read.range.range == Range::percentile || (channel == "all" && !isComputed)) {
        return std::nullopt;
    }
    Arguments arguments{inFolder(image.path.string() + (page > 0 ? '[' + std::to_string(page) + ']' : ""))};
    if (read.at) {
        if (const std::string at = toString(*read.at); !at.empty()) {
            add(arguments, "--at", at);
        }
    } else {
        if (read.volume) {
            arguments.emplace_back("--volume");
        }
        if (read.channel != ChannelChoice{}) {
            add(arguments, isComputed ? "--derive" : "--channel", channel);
        }
    }
    if (!read.axes.empty()) {
        add(arguments, "--axes", read.axes);
    }
    if (read.range.range == Range::minMax) {
        add(arguments, "--range", "minmax");
    } else if (read.range.range == Range::fixed) {
        add(arguments, "--range", exactNumber(read.range.low) + ':' + exactNumber(read.range.high));
    }
    if (read.level != 0) {
        add(arguments, "--level", std::to_string(read.level));
    }
    if (read.region) {
        add(arguments, "--region", partText(read));
    }
    if (read.shrink != 1) {
        add(arguments, "--shrink", std::to_string(read.shrink));
    }
    if (read.raw) {
        add(arguments, "--raw", layoutText(*read.raw));
    }
    if (const auto& size = work.pixelSize ? work.pixelSize : read.pixelSize) {
        add(arguments, "--pixel-size", sizeText(*size));
    }
    if (read.ignoreAlpha) {
        arguments.emplace_back("--ignore-alpha");
    }
    return arguments;
}

std::string stemOf(const ScriptWork& work) { return work.images.front().path.stem().string(); }

/// The command `filter`; nothing if it lacks an option.
std::optional<Arguments> filterCommand(const SimpleSteps& simple, const ScriptWork& work) {
    const FilterSpec& filter = *simple.filter;
    const bool inVolume = isVolume(simple.read);
    const Connectivity usual = inVolume ? Connectivity::six : Connectivity::four;
    const TreeStep tree = simple.tree.value_or(TreeStep{TreeKind::max, usual});
    const auto isOfLevels = [](const Criterion& criterion) { return criterion.grey == kLevels; };
    const std::optional<Arguments> reading = readingOf(simple.read, work);
    if (!reading || simple.objects || (filter.criteria.empty() && !filter.prominent) || !filter.forest.trees.empty() ||
        !filter.removed.empty() || !filter.kept.empty() || !filter.only.empty() ||
        std::ranges::any_of(filter.criteria, isOfLevels) || isPlanar(tree.connectivity) == inVolume) {
        return std::nullopt;
    }
    Arguments arguments{"pollard-cli", "filter"};
    append(arguments, *reading);
    if (tree.kind == TreeKind::min) {
        add(arguments, "--tree", "min");
    }
    if (tree.connectivity != usual) {
        add(arguments, "--connectivity", std::to_string(static_cast<int>(tree.connectivity)));
    }
    for (const Criterion& criterion : filter.criteria) {
        add(arguments, "--keep", toString(criterion));
    }
    if (filter.prominent) {
        add(arguments, "--prominent", toString(*filter.prominent));
    }
    if (filter.match != Match::all) {
        add(arguments, "--match", std::string(nameOf(filter.match)));
    }
    if (filter.rule != Rule::direct) {
        add(arguments, "--rule", std::string(nameOf(filter.rule)));
    }
    if (filter.output != Output::filtered) {
        add(arguments, "--output", std::string(nameOf(filter.output)));
    }
    add(arguments, "-o", inFolder(stemOf(work) + '_' + std::string(nameOf(filter.output)) + ".tif"));
    return arguments;
}

/// Whether `components` has an option for each parameter of the step.
bool hasOptions(const ObjectsStep& step, bool inVolume) {
    const ObjectRule& rule = step.rule;
    const bool isDarkOfMethod = rule.method && rule.dark && !rule.watershed;
    const bool hasThreshold = !rule.usesThreshold() || rule.above ||
                              (rule.method ? !isDarkOfMethod : rule.values && rule.values->unit != kLevels);
    const bool hasCondition = step.condition.empty() || (!inVolume && !step.conditionInLevels &&
                                                         step.unit == LengthUnit::pixel && step.side == 1);
    const bool isInOrder = step.order == ObjectFeature::label && !step.descending && step.removed.empty();
    const auto isOption = [](ObjectFile file) { return file == ObjectFile::table || file == ObjectFile::outlines; };
    // `components` has no option for it.
    const bool isFloodedFromDark = rule.watershed && rule.dark && rule.method && !rule.watershed->everywhere;
    return hasThreshold && !isFloodedFromDark && hasCondition && isInOrder && !step.measure && !step.files.empty() &&
           std::ranges::all_of(step.files, isOption);
}

/// The argument of --threshold.
std::string thresholdText(const ObjectRule& rule) {
    return rule.method ? std::string(nameOf(*rule.method)) : boundsText(*rule.values);
}

std::string sizeText(double size, LengthUnit unit, bool inVolume) {
    const Dimension dimension = inVolume ? Dimension::volume : Dimension::area;
    return exactNumber(size) + (unit == LengthUnit::pixel ? std::string() : ' ' + unitName(unit, dimension));
}

void addBest(Arguments& arguments, const BestRule& best, bool inVolume) {
    arguments.emplace_back("--best");
    if (best.size) {
        add(arguments, "--size", sizeText(*best.size, best.unit, inVolume));
    }
    if (best.strictness != BestRule{}.strictness) {
        add(arguments, "--strictness", exactNumber(best.strictness));
    }
    if (best.weights != BestWeights{}) {
        add(arguments, "--weights", bestWeightsText(best.weights));
    }
    for (const BestMark& mark : best.marks) {
        add(arguments, mark.isObject ? "--keep" : "--drop",
            std::to_string(mark.x) + ',' + std::to_string(mark.y) +
                (inVolume ? ',' + std::to_string(mark.z) : std::string()));
    }
}

void addWatershed(Arguments& arguments, const WatershedRule& watershed) {
    add(arguments, "--watershed", std::string(nameOf(watershed.relief)));
    if (watershed.by != SeedMeasure::height || watershed.least != 0) {
        add(arguments, "--seeds",
            std::string(nameOf(watershed.by)) + (watershed.by == SeedMeasure::height ? "=" : ">=") +
                exactNumber(watershed.least));
    }
    if (watershed.seedsOf) {
        add(arguments, "--seeds-of", std::string(nameOf(*watershed.seedsOf)));
    }
    if (watershed.lines) {
        arguments.emplace_back("--lines");
    }
}

void addHierarchy(Arguments& arguments, const HierarchyRule& hierarchy, bool inVolume) {
    add(arguments, "--hierarchy", std::string(nameOf(hierarchy.strength)));
    if (hierarchy.weight != EdgeWeight::difference) {
        add(arguments, "--weight", std::string(nameOf(hierarchy.weight)));
    }
    if (hierarchy.regions) {
        add(arguments, "--regions", std::to_string(*hierarchy.regions));
    } else if (hierarchy.above > 0) {
        add(arguments, "--above", exactNumber(hierarchy.above));
    }
    if (hierarchy.sizes != SizeRange{}) {
        add(arguments, "--sizes", sizeRangeText(hierarchy.sizes, inVolume));
    }
}

/// Adds the options of objects that are no components of a threshold.
void addRegions(Arguments& arguments, const ObjectRule& rule, bool inVolume) {
    if (rule.best) {
        addBest(arguments, *rule.best, inVolume);
    } else if (rule.watershed) {
        addWatershed(arguments, *rule.watershed);
    } else if (rule.hierarchy) {
        addHierarchy(arguments, *rule.hierarchy, inVolume);
    }
    if (rule.dark && (rule.best || rule.watershed)) {
        arguments.emplace_back("--dark");
    }
}

/// The command `components`; nothing if it lacks an option.
std::optional<Arguments> componentsCommand(const SimpleSteps& simple, const ScriptWork& work) {
    const std::optional<Arguments> reading = readingOf(simple.read, work);
    const std::vector<RecipeFile> files = filesOf(work.recipe);
    const bool inVolume = isVolume(simple.read);
    const auto needsColumns = [](const RecipeFile& file) { return !file.further.empty(); };
    if (!reading || !simple.objects || !hasOptions(*simple.objects, inVolume) ||
        isPlanar(simple.objects->rule.connectivity) == inVolume || std::ranges::any_of(files, needsColumns)) {
        return std::nullopt;
    }
    const ObjectRule& rule = simple.objects->rule;
    Arguments arguments{"pollard-cli", "components"};
    append(arguments, *reading);
    addRegions(arguments, rule, inVolume);
    if (rule.labels) {
        add(arguments, "--from-labels", labelFileOf(*rule.labels, work.images.front().path).string());
    }
    if (rule.above) {
        add(arguments, "--above-background", exactNumber(rule.above->sigmas));
        add(arguments, "--background-box", std::to_string(rule.above->box));
    } else if (rule.usesThreshold()) {
        add(arguments, "--threshold", thresholdText(rule));
    }
    add(arguments, "--connectivity", std::to_string(static_cast<int>(rule.connectivity)));
    for (const auto& [isOn, option] :
         {std::pair(rule.fillHoles, "--fill-holes"), std::pair(rule.withoutBorder, "--no-border"),
          std::pair(rule.withoutBorder && rule.borderXy, "--border-xy")}) {
        if (isOn) {
            arguments.emplace_back(option);
        }
    }
    if (!simple.objects->condition.empty()) {
        add(arguments, "--where", simple.objects->condition);
    }
    for (const RecipeFile& file : files) {
        if (const auto* const kind = std::get_if<ObjectFile>(&file.kind)) {
            add(arguments, *kind == ObjectFile::table ? "--csv" : "--geojson", inFolder(stemOf(work) + file.ending));
        }
    }
    if (std::ranges::find(simple.objects->files, ObjectFile::outlines) != simple.objects->files.end()) {
        add(arguments, "--geojson-in", std::string(nameOf(simple.objects->geojsonIn)));
    }
    return arguments;
}

/// A command that does the work without a recipe; nothing if there is none.
std::optional<Arguments> directCommand(const ScriptWork& work) {
    const std::optional<SimpleSteps> simple = work.images.size() == 1 ? simpleStepsOf(work.recipe) : std::nullopt;
    if (!simple) {
        return std::nullopt;
    }
    return simple->filter ? filterCommand(*simple, work) : componentsCommand(*simple, work);
}

std::string commandLineOf(const Arguments& arguments) {
    std::string line;
    for (const std::string& argument : arguments) {
        line += (line.empty() ? "" : " ") + shellQuoted(argument);
    }
    return line + '\n';
}

/// Bytes of the character of UTF-8 at @p at; 0 if the bytes are none.
std::size_t lengthOfCharacter(std::string_view text, std::size_t at) {
    const auto byteAt = [&](std::size_t index) { return static_cast<unsigned char>(text[index]); };
    const unsigned char first = byteAt(at);
    const std::size_t length = first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    if (length == 0 || first > 0xf4 || at + length > text.size()) {
        return 0;
    }
    for (std::size_t i = 1; i < length; ++i) {
        if ((byteAt(at + i) & 0xc0U) != 0x80) {
            return 0;
        }
    }
    if (length < 3) {
        return length;
    }
    const unsigned char second = byteAt(at + 1); // not in the shortest form, a surrogate, beyond U+10FFFF
    const bool isWrong = (first == 0xe0 && second < 0xa0) || (first == 0xed && second >= 0xa0) ||
                         (first == 0xf0 && second < 0x90) || (first == 0xf4 && second >= 0x90);
    return isWrong ? 0 : length;
}

std::string hexadecimal(unsigned char byte) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    return {kDigits[byte >> 4U], kDigits[byte & 15U]};
}

/// A text as a literal of Python. Bytes that are no UTF-8 become the surrogates by which Python names files.
std::string pythonText(std::string_view text) {
    std::string literal = "\"";
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = lengthOfCharacter(text, at);
        const auto byte = static_cast<unsigned char>(text[at]);
        if (length == 0) {
            literal += "\\udc" + hexadecimal(byte);
        } else if (byte < 0x20 || byte == 0x7f) {
            literal += "\\x" + hexadecimal(byte);
        } else {
            literal += byte == '"' || byte == '\\' ? "\\" : "";
            literal += text.substr(at, length);
        }
        at += std::max<std::size_t>(length, 1);
    }
    return literal + '"';
}

} // namespace

std::string shellQuoted(std::string_view argument) {
    constexpr std::string_view kHarmless = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./:=,+-";
    if (!argument.empty() && argument.find_first_not_of(kHarmless) == std::string_view::npos) {
        return std::string(argument);
    }
    std::string quoted = "'";
    for (const char letter : argument) {
        quoted += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
    }
    return quoted + '\'';
}

std::string shellScript(const ScriptWork& work) {
    const std::string comments = commentsOf(work);
    if (const auto command = directCommand(work)) {
        return comments + commandLineOf(*command);
    }
    std::string file = work.recipe.name + ".json";
    std::ranges::replace(file, '/', '_');
    file = inFolder(file);
    Arguments run{"pollard-cli", "run", file};
    for (const ScriptImage& image : work.images) {
        run.push_back(inFolder(image.path.string() + (image.page > 0 ? '[' + std::to_string(image.page) + ']' : "")));
    }
    if (work.pixelSize) {
        add(run, "--pixel-size", sizeText(*work.pixelSize));
    }
    add(run, "-o", inFolder(work.folder));
    return comments + "cat > " + shellQuoted(file) + " <<'END_OF_RECIPE'\n" + toJson(work.recipe) + "END_OF_RECIPE\n" +
           commandLineOf(run);
}

std::string pythonScript(const ScriptWork& work) {
    Recipe recipe = work.recipe;
    if (work.pixelSize) {
        if (recipe.steps.empty() || !std::holds_alternative<ReadStep>(recipe.steps.front())) {
            recipe.steps.insert(recipe.steps.begin(), ReadStep{});
        }
        std::get<ReadStep>(recipe.steps.front()).pixelSize = work.pixelSize;
    }
    // JSON has no three double quotes in a row without a backslash, so that the raw text ends where it should.
    std::string text = commentsOf(work) + "import pollard_morphology as pollard\n\nrecipe = pollard.Recipe(r\"\"\"\n" +
                       toJson(recipe) + "\"\"\")\n";
    for (const ScriptImage& image : work.images) {
        text += "recipe.write(" + pythonText(image.path.string()) + ", " + pythonText(work.folder) +
                (image.page > 0 ? ", page=" + std::to_string(image.page) : "") + ")\n";
    }
    return text;
}

} // namespace pollard
