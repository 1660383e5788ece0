#include "options/object_options.hpp"

#include "options/option_values.hpp"
#include "report.hpp"
#include "text.hpp"

#include "base/error.hpp"
#include "components/object_places.hpp"
#include "filter/filter_spec.hpp"
#include "io/channels.hpp"
#include "io/label_file.hpp"
#include "io/volumes/read_volume.hpp"

#include <CLI/App.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <memory>
#include <numeric>
#include <string_view>
#include <utility>

namespace pollard::cli {

namespace {

constexpr const char* kAllChannels = "all";

std::vector<NamedMeasure> measuresOf(const std::string& text) {
    return parsedArgument([&] { return parseChannelMeasures(text.empty() ? kUsualMeasures : std::string_view(text)); });
}

/// Splits "A:B" or "A=B" at the last separator, since names of channels may have one.
std::pair<std::string, std::string> partsOf(const char* option, const std::string& text, char separator) {
    const std::size_t at = text.rfind(separator);
    if (at == std::string::npos || at == 0 || at + 1 == text.size()) {
        throw UsageError(std::string(option) + ": '" + text + "': must be NAME" + separator +
                         (separator == ':' ? "NAME" : "VALUE"));
    }
    return {text.substr(0, at), text.substr(at + 1)};
}

double valueIn(const std::string& text) {
    const auto value = numberIn<double>(text);
    refuseConflicts({{!value, "signal-above: '" + text + "' is no number"}});
    return *value;
}

/// Index in @p wanted of a channel of the file. @throws Error(invalidArgument)
std::size_t placeOf(const char* option, const ImageOptions& image, const std::string& name,
                    std::span<const Channel> channels, std::span<const std::size_t> wanted) {
    const std::size_t index = channelOfFile(option, image, channels, name);
    const auto place = std::ranges::find(wanted, index);
    if (place == wanted.end()) {
        throw Error(ErrorCode::invalidArgument, image.image + ": " + option + ": channel " + channels[index].name +
                                                    " is not measured; add it to --measure");
    }
    return static_cast<std::size_t>(place - wanted.begin());
}

/// Adds the channels and measurements of a condition to the channels and measurements of the options.
/// @throws ConditionError for a channel that the file does not have
void addNamed(const ObjectCondition& condition, std::span<const Channel> channels, std::vector<std::size_t>& wanted,
              std::vector<NamedMeasure>& names) {
    const std::vector<std::string> all = textsOf(channels, &Channel::name);
    for (const std::string& column : condition.columns()) {
        const ColumnParts parts = partsOfColumn(column);
        if (parts.measure.empty()) { // of places
            continue;
        }
        const std::optional<NamedMeasure> measure = channelMeasureNamed(parts.measure);
        if (measure && std::ranges::find(names, *measure) == names.end()) {
            names.push_back(*measure);
        }
        const std::optional<std::size_t> channel = findChannel(channels, parts.channels);
        if (channel && std::ranges::count(wanted, *channel) == 0) {
            wanted.push_back(*channel);
        }
        if (!channel && !isPairMeasure(parts.measure)) {
            condition.requireColumns(channelColumnNames(names, all));
        }
    }
}

/// The channels of a plan. @throws as readChannels(); as readVolume() of each in a volume
std::vector<ChannelPlane> planesOf(const ImageOptions& image, const ColumnPlan& plan, const JobControl& control) {
    if (!image.volume) {
        return readChannels(parseImageArgument(image.image).path, plan.read, plan.channels, control).planes;
    }
    const std::vector<std::filesystem::path> files = volumeFiles(image);
    const std::vector<Channel> channels = channelsOf(readImageInfo(files.front(), plan.read));
    std::vector<ChannelPlane> planes;
    for (const std::size_t wanted : plan.channels) {
        ReadOptions read = plan.read;
        read.channel = {ChannelChoice::Kind::named, 0, channels[wanted].name};
        read.mapping.proportional = true; // sums of levels become sums of values
        LoadedImage loaded = readVolume(files, read, control);
        planes.push_back({channels[wanted], std::move(loaded.image), std::move(loaded.valid), loaded.info.mapping});
    }
    return planes;
}

} // namespace

void declareThreshold(CLI::App& command, std::string& text) {
    addValue(
        command, "--threshold", text,
        "LO keeps the values from LO on, LO:HI those from LO to\nHI, a method those from the threshold it finds on; a "
        "unit\nmay follow: 300HU, 100levels",
        "LO[:HI]|" + joined(namesOf(kThresholdMethods), "|"))
        ->capture_default_str();
}

void declareSwitches(CLI::App& command, ObjectSwitches& switches, const std::string& holes, const std::string& border) {
    command.add_flag("--fill-holes", switches.fillHoles, holes);
    command.add_flag("--no-border", switches.withoutBorder, border);
    const auto split = [&switches]() -> ObjectSplit& {
        return switches.split ? *switches.split : switches.split.emplace();
    };
    CLI::Option* const by =
        command
            .add_option_function<std::string>(
                "--split", [split](const std::string& name) { split().by = valueNamed("split", name, kAllSplits); },
                "Split objects that touch, by lines of a watershed: shape\n"
                "at necks, brightness between brighter parts; pixels of\n"
                "the lines belong to no object")
            ->type_name(joined(namesOf(kAllSplits), "|"))
            ->check(oneOf(namesOf(kAllSplits)));
    command
        .add_option_function<double>(
            "--split-strength", [split](double strength) { split().strength = strength; },
            "Largest width of a neck, or brightness between two parts,\n"
            "as a share of that of the smaller part: 0 splits nothing,\n"
            "1 at every neck; 0.8 if left out")
        ->type_name("X")
        ->check(within(0.0, 1.0))
        ->needs(by);
}

void addSplit(Json& fields, const ObjectSwitches& switches) {
    if (switches.split) {
        fields["split"] = {{"by", nameOf(switches.split->by)}, {"strength", switches.split->strength}};
    }
}

ThresholdRange parseThreshold(const std::string& text) {
    ThresholdRange range;
    range.method = findThresholdMethod(text);
    if (range.method) {
        return range;
    }
    const auto bounds = parseValueBounds(text);
    refuseConflicts(
        {{!bounds, "threshold: '" + text + "': expected LO, LO:HI or :HI, values such as 300 or -200:300, or " +
                       joined(namesOf(kThresholdMethods), ", ")},
         {bounds && bounds->high < bounds->low, "threshold: '" + text + "': the upper value is below the lower one"}});
    range.values = *bounds;
    return range;
}

void requirePossible(const ThresholdRange& range, const std::optional<ValueMapping>& mapping, PixelType type,
                     const std::string& image) {
    const std::string why = range.method ? std::string() : boundsProblem(range.values, mapping, maxLevelOf(type));
    if (!why.empty()) {
        throw Error(ErrorCode::invalidArgument, image + ": threshold: " + why);
    }
}

FoundThreshold::FoundThreshold(const ThresholdRange& range, LevelRange levels,
                               const std::optional<ValueMapping>& mapping)
    : unit(unitOf(mapping)) {
    if (range.method) {
        low = valueOf(mapping, levels.low);
        return;
    }
    const std::optional<ValueMapping> none;
    const std::optional<ValueMapping>& scale = range.values.unit == kLevels ? mapping : none;
    if (std::isfinite(range.values.low)) {
        low = valueOf(scale, range.values.low);
    }
    if (std::isfinite(range.values.high)) {
        high = valueOf(scale, range.values.high);
    }
}

std::string FoundThreshold::text() const {
    return low && high ? valueText(*low, {}) + " to " + valueText(*high, unit)
           : high      ? "up to " + valueText(*high, unit)
           : low       ? "from " + valueText(*low, unit) + " on"
                       : "of all levels";
}

ObjectRule ruleOf(const ThresholdRange& range, const ObjectSwitches& switches, Connectivity connectivity) {
    ObjectRule rule;
    static_cast<ObjectSwitches&>(rule) = switches;
    rule.method = range.method;
    if (!rule.method) {
        rule.values = range.values;
    }
    rule.connectivity = connectivity;
    return rule;
}

void ClassOptions::declare(CLI::App& command) {
    addRepeated(command, "--class", texts,
                "Class of the objects that meet the condition (as in\n--where) and that of no --class before it; may "
                "be\nrepeated. The table gets the column class, outlines\nthe property classification {name, color}; "
                "NAME=#rrggbb\nstates the colour",
                "NAME:CONDITION");
}

std::vector<ObjectClass> ClassOptions::parse(std::span<const ObjectFeatureInfo> features) const {
    std::vector<ObjectClass> classes;
    for (const std::string& text : texts) {
        classes.push_back(parsedArgument([&] { return parseObjectClass(text, classes.size(), features); }, "class: "));
        const std::string& name = classes.back().name;
        if (std::ranges::count(classes, name, &ObjectClass::name) > 1) {
            throw UsageError("class: '" + name + "' stands twice");
        }
    }
    if (classes.size() > ObjectClass::kMost) {
        throw UsageError("class: there are more than " + std::to_string(ObjectClass::kMost));
    }
    return classes;
}

void addClasses(Report& report, const ClassifiedObjects& classified, std::span<const std::uint32_t> listed) {
    const std::vector<std::size_t> counts = classified.countsOf(listed);
    Json classes = Json::array();
    report.text << "classes: ";
    for (std::size_t i = 0; i < classified.classes.size(); ++i) {
        const ObjectClass& one = classified.classes[i];
        classes.push_back({{"name", one.name},
                           {"color", colourText(one.colour)},
                           {"condition", one.condition},
                           {"count", counts[i]}});
        report.text << one.name << ' ' << grouped(counts[i]) << ", ";
    }
    report.fields["classes"] = classes;
    report.fields["unclassified"] = counts.back();
    report.text << "none " << grouped(counts.back()) << '\n';
}

void OptionCondition::toPixels(const ImageInfo& info, const std::string& image, bool inVolume, LengthUnit unit) {
    try {
        condition = inVolume ? condition.inVolume(unit, info.pixelSize) : condition.inPixels(info.pixelSize);
    } catch (const Error& error) {
        throw Error(error.code(), image + ": " + option + ": " + error.what());
    }
}

ObjectCondition OptionCondition::withColumns(std::span<const ObjectColumn> columns, const std::string& image) const {
    try {
        return condition.withColumns(columns);
    } catch (const Error& error) {
        throw Error(error.code(), image + ": " + option + ": " + error.what());
    }
}

void ColumnOptions::declare(CLI::App& command) {
    addValue(command, "--measure", measure,
             "Add columns for the pixels of the objects in these\nchannels of the file: names or numbers with "
             "commas\nbetween, or all",
             "CHANNELS|all");
    addValue(command, "--measures", measures,
             "Measurements to write: pixels (with data), sum, mean,\nmin, max, stddev, median, and percentiles such as "
             "p95;\nwithout it mean,sum,min,max,stddev,median",
             "NAMES");
    addValue(
        command, "--ring", ring,
        "Add the mean of the background within D columns and\nrows of each object, without pixels of other objects",
        "D")
        ->check(within(1U, ChannelMeasuresSpec::kMostRing));
    addValue(command, "--pairs", pairs,
             "Add Pearson's and Manders' coefficients of these pairs\nof measured channels: A:B with commas between",
             "A:B,...");
    addValue(command, "--signal-above", signal,
             "Values above which a pixel has signal, for Manders'\ncoefficients; of other channels 0",
             "NAME=VALUE,...");
    addValue(command, "--parents", parents,
             "Label image of an earlier run (--labels): add the columns\nparent (number of the object there that each "
             "object has\nmost pixels in, 0 = none) and overlap (share of these)",
             "LABELS.tif");
    addValue(command, "--children", children, "Write the number of children of each of these parents", "OUT.csv");
}

void ColumnOptions::check(bool written) const {
    (void)measuresOf(measures);
    const bool isMeasured = !measure.empty();
    refuseConflicts(
        {{isMeasured && !written,
          "measure: the measurements are columns of a table, which --csv names, or properties of the "
          "outlines, which --geojson names"},
         {!isMeasured && !measures.empty(), "measures: --measure names the channels"},
         {!isMeasured && ring > 0, "ring: --measure names the channels"},
         {!isMeasured && !pairs.empty(), "pairs: --measure names the channels"},
         {pairs.empty() && !signal.empty(), "signal-above: --pairs names the channels"},
         {parents.empty() && !children.empty(), "children: --parents names the label image of their parents"}});
    for (const std::string& pair : splitList(pairs)) {
        (void)partsOf("pairs", pair, ':');
    }
    for (const std::string& value : splitList(signal)) {
        (void)valueIn(partsOf("signal-above", value, '=').second);
    }
}

ColumnPlan ColumnOptions::planOf(const ImageOptions& image, std::span<const OptionCondition> conditions,
                                 const Context& context) const {
    if (!parents.empty()) {
        requireLabels(parents);
    }
    ColumnPlan plan;
    const bool named = std::ranges::any_of(conditions, [](const OptionCondition& one) {
        return !std::ranges::all_of(one.condition.columns(), isPlaceColumn);
    });
    if (measure.empty() && !named) {
        return plan;
    }
    plan.read = image.readOptions();
    plan.read.threads = context.common.threads;
    if (plan.read.channel.kind == ChannelChoice::Kind::derived) {
        plan.read.mapping = {}; // --range applies to the derived values
    }
    plan.read.mapping.proportional = true; // measurements are sums of levels
    plan.measures = measuresOf(measures);
    const std::filesystem::path file = image.volume ? volumeFiles(image).front() : parseImageArgument(image.image).path;
    const std::vector<Channel> channels = channelsOf(readImageInfo(file, plan.read));
    std::vector<std::size_t>& wanted = plan.channels;
    if (measure == kAllChannels) {
        wanted.resize(channels.size());
        std::iota(wanted.begin(), wanted.end(), std::size_t{0});
    } else {
        for (const std::string& name : splitList(measure)) {
            const std::size_t index = channelOfFile("--measure", image, channels, name);
            if (std::ranges::count(wanted, index) == 0) {
                wanted.push_back(index);
            }
        }
    }
    plan.listedChannels = wanted.size();
    plan.listedMeasures = plan.measures.size();
    std::map<std::size_t, double> thresholds; // by index in wanted
    for (const std::string& text : splitList(signal)) {
        const auto [name, value] = partsOf("signal-above", text, '=');
        thresholds[placeOf("--signal-above", image, name, channels, wanted)] = valueIn(value);
    }
    for (const std::string& text : splitList(pairs)) {
        const auto [first, second] = partsOf("pairs", text, ':');
        ChannelPair pair{placeOf("--pairs", image, first, channels, wanted),
                         placeOf("--pairs", image, second, channels, wanted)};
        pair.firstThreshold = thresholds[pair.first];
        pair.secondThreshold = thresholds[pair.second];
        plan.spec.pairs.push_back(pair);
    }
    for (const OptionCondition& one : conditions) {
        addNamed(one.condition, channels, wanted, plan.measures);
    }
    plan.spec.percentiles = percentilesOf(plan.measures);
    plan.spec.ring = ring;
    return plan;
}

ObjectColumns ColumnOptions::measured(const ImageOptions& image, const ColumnPlan& plan, const Components& components,
                                      const JobControl& control) const {
    ObjectColumns found;
    if (plan.channels.empty()) {
        return found;
    }
    const std::vector<ChannelPlane> planes = planesOf(image, plan, control);
    const std::vector<std::string> all = textsOf(planes, [](const ChannelPlane& plane) { return plane.channel.name; });
    const auto values =
        std::make_shared<const ChannelMeasures>(measureChannels(components, planes, plan.spec, control));
    found.measured = channelColumns(values, plan.measures, all);
    found.channels.assign(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(plan.listedChannels));
    found.columns = channelColumns(values, std::span(plan.measures).first(plan.listedMeasures), all);
    std::erase_if(found.columns, [&](const ObjectColumn& column) {
        const ColumnParts parts = partsOfColumn(column.name);
        return !isPairMeasure(parts.measure) &&
               std::ranges::find(found.channels, parts.channels) == found.channels.end();
    });
    return found;
}

void ColumnOptions::addParents(ObjectColumns& found, const Components& components,
                               const std::vector<std::uint32_t>& listed, const JobControl& control) const {
    if (parents.empty()) {
        return;
    }
    const StoredLabels image = readLabels(parents, {}, false, control);
    if (image.extent != components.extent()) {
        throw Error(ErrorCode::invalidArgument, "parents: " + parents + ": the label image has " + text(image.extent) +
                                                    ", the image " + text(components.extent()));
    }
    found.parents = parentsOf(components, image.labels.span(), control);
    found.children = countChildren(image.labels.span(), found.parents, listed);
    const auto shared = std::make_shared<const std::vector<ObjectParent>>(found.parents);
    found.columns.push_back({"parent", [shared](std::uint32_t label) { return (*shared)[label - 1].label; }});
    found.columns.push_back({"overlap", [shared](std::uint32_t label) { return (*shared)[label - 1].overlap; }});
}

void ColumnOptions::addTo(Json& object, const ObjectColumns& found) const {
    if (!found.channels.empty()) {
        object["measured"] = found.channels;
    }
    if (asked()) {
        object["columns"] = textsOf(found.columns, &ObjectColumn::name);
    }
    if (!parents.empty()) {
        Json counts = Json::object();
        for (const ChildCount& count : found.children) {
            counts[std::to_string(count.parent)] = count.children;
        }
        object["parents_file"] = parents;
        object["children"] = counts;
        object["children_file"] = orNull(children);
    }
}

} // namespace pollard::cli
