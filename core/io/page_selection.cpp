#include "io/page_selection.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "channels/derivation.hpp"
#include "io/metadata/channel_facts.hpp"
#include "io/metadata/fact_text.hpp"
#include "io/metadata/length_units.hpp"
#include "io/metadata/scene_description.hpp"
#include "io/metadata/stack_places.hpp"
#include "io/volumes/projection.hpp"
#include "io/volumes/read_volume.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <utility>

namespace pollard {

namespace {

using Kind = AxisPositions::Kind;

constexpr std::array<std::pair<std::string_view, Kind>, 5> kWords{{{"first", Kind::first},
                                                                   {"middle", Kind::middle},
                                                                   {"last", Kind::last},
                                                                   {"each", Kind::each},
                                                                   {"volume", Kind::volume}}};
constexpr std::array kProjections{Projection::maximum, Projection::minimum, Projection::mean, Projection::sharpest};

constexpr std::string_view kBlank = " ";

[[noreturn]] void refuse(const std::string& why) { throw Error(ErrorCode::invalidArgument, why); }

[[noreturn]] void refuseText(std::string_view axis, std::string_view text, const std::string& why) {
    refuse(std::string(axis) + ": '" + std::string(text) + "': " + why);
}

bool isOfSlices(Kind kind) { return kind == Kind::projection || kind == Kind::volume; }

/// The whole text as a number from 0 to the largest index of a page.
std::optional<int> indexIn(std::string_view text) {
    int number = -1;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool isWhole = problem == std::errc{} && end == text.data() + text.size() && number >= 0;
    return isWhole ? std::optional(number) : std::nullopt;
}

SliceRange rangeIn(std::string_view axis, std::string_view text) {
    const std::size_t dots = text.find("..");
    const auto first = indexIn(text.substr(0, dots));
    const auto last = dots == std::string_view::npos ? std::nullopt : indexIn(text.substr(dots + 2));
    if (!first || !last || *first > *last) {
        refuseText(axis, text, "must be FIRST..LAST, two positions that count from 0");
    }
    return {static_cast<std::uint32_t>(*first), static_cast<std::uint32_t>(*last - *first + 1)};
}

AxisPositions positionsIn(std::string_view axis, std::string_view text) {
    const std::size_t colon = text.find(':');
    const std::string_view word = text.substr(0, colon);
    AxisPositions positions;
    const auto* const named = std::ranges::find(kWords, word, &std::pair<std::string_view, Kind>::first);
    const auto* const projection = std::ranges::find(kProjections, word, [](Projection each) { return nameOf(each); });
    if (const auto index = indexIn(word)) {
        positions.kind = Kind::one;
        positions.index = *index;
    } else if (named != kWords.end()) {
        positions.kind = named->second;
    } else if (projection != kProjections.end()) {
        positions.kind = Kind::projection;
        positions.projection = *projection;
    }
    if (positions.kind == Kind::unstated || (isOfSlices(positions.kind) && axis != "z")) {
        refuseText(axis, text,
                   std::string("must be a number from 0, first, middle, last or each") +
                       (axis == "z" ? ", sharpest, max, mean, min or volume" : ""));
    }
    if (colon != std::string_view::npos) {
        if (positions.kind != Kind::each && !isOfSlices(positions.kind)) {
            refuseText(axis, text, "only several positions have a range");
        }
        positions.range = rangeIn(axis, text.substr(colon + 1));
    }
    return positions;
}

/// A name in double quotes; double quotes in the name are doubled.
std::optional<std::string> unquoted(std::string_view text) {
    if (text.size() < 2 || text.front() != '"' || text.back() != '"') {
        return std::nullopt;
    }
    std::string name;
    for (std::size_t i = 1; i + 1 < text.size(); ++i) {
        name += text[i];
        if (text[i] == '"' && (++i + 1 >= text.size() || text[i] != '"')) {
            return std::nullopt;
        }
    }
    return name;
}

/// The name in a text that starts with a double quote.
std::string nameIn(std::string_view axis, std::string_view text) {
    const auto name = unquoted(text);
    if (!name || name->empty()) {
        refuseText(axis, text, "must be a name in double quotes, with those in it doubled");
    }
    return *name;
}

AxisPositions sceneIn(std::string_view text) {
    AxisPositions positions;
    const bool isWord = text == "first" || text == "last" || text.substr(0, text.find(':')) == "each";
    if (isWord || indexIn(text)) {
        return positionsIn("scene", text);
    }
    positions.kind = Kind::named;
    positions.name = text.starts_with('"') ? nameIn("scene", text) : std::string(text);
    return positions;
}

std::string textOf(const AxisPositions& positions) {
    std::string text;
    if (positions.kind == Kind::named) {
        const std::string& name = positions.name;
        const bool isPlain = name.find_first_of(",()\" ") == std::string::npos && sceneIn(name) == positions;
        return isPlain ? name : inQuotes(name);
    }
    if (positions.kind == Kind::one) {
        text = std::to_string(positions.index);
    } else if (positions.kind == Kind::projection) {
        text = nameOf(positions.projection);
    } else {
        text = std::ranges::find(kWords, positions.kind, &std::pair<std::string_view, Kind>::second)->first;
    }
    if (positions.range) {
        text += ":" + std::to_string(positions.range->first) + ".." +
                std::to_string(std::uint64_t{positions.range->first} + positions.range->count - 1);
    }
    return text;
}

ChannelChoice channelIn(std::string_view text) {
    if (text.starts_with('"')) {
        return {ChannelChoice::Kind::named, 0, nameIn("channel", text)};
    }
    return ChannelChoice::parse(std::string(text));
}

std::string textOf(const ChannelChoice& channel) {
    std::string text = channel.text();
    if (channel.kind != ChannelChoice::Kind::named) {
        return text;
    }
    try {
        if (text.find_first_of(",()\" ") == std::string::npos && ChannelChoice::parse(text) == channel) {
            return text;
        }
    } catch (const Error&) { // needs quotes
    }
    return inQuotes(text);
}

/// The parts between commas that stand neither in parentheses nor in quotes.
std::vector<std::string_view> partsBetweenCommas(std::string_view text) {
    std::vector<std::string_view> parts;
    std::size_t start = 0;
    int depth = 0;
    bool isQuoted = false;
    for (std::size_t i = 0; i <= text.size(); ++i) {
        const char c = i < text.size() ? text[i] : ',';
        if (c == '"') {
            isQuoted = !isQuoted;
        }
        if (!isQuoted) {
            depth += c == '(' ? 1 : c == ')' ? -1 : 0;
        }
        if (i == text.size() || (c == ',' && depth <= 0 && !isQuoted)) {
            parts.push_back(trimmed(text.substr(start, i - start), kBlank));
            start = i + 1;
        }
    }
    return parts;
}

// The axes of a file.

struct PageAxis {
    int count = 1;
    int stride = 1;
    const StackAxis* axis = nullptr;
};

/// The axis of this name, of scenes 'p'; of files that name no axes all pages are 'p'.
PageAxis axisOf(const ImageInfo& info, char name) {
    name = name == kSceneAxis ? 'p' : name;
    int stride = 1;
    for (const StackAxis& axis : info.axes) {
        if (axis.name == name || (name == 'p' && axis.name == kUnclearAxis)) {
            return {axis.count, stride, &axis};
        }
        stride *= axis.count;
    }
    return name == 'p' && info.axes.empty() ? PageAxis{info.pages, 1, nullptr} : PageAxis{};
}

bool hasMeaning(const StackAxis& axis) { return axis.name != 'p' && axis.name != kUnclearAxis; }

bool namesAxes(const ImageInfo& info) { return std::ranges::any_of(info.axes, hasMeaning); }

void requireIndex(char axis, std::uint64_t index, int count) {
    if (index >= static_cast<std::uint64_t>(count)) {
        refuse("no " + std::string(axisName(axis)) + " " + std::to_string(index) + " (has " +
               (count == 1 ? "0 only" : "0 to " + std::to_string(count - 1)) + ")");
    }
}

/// Positions of one axis, and how its slices become an image or a volume.
struct AxisPart {
    int page = 0; ///< from the first page of the axis on
    AxisPosition position;
};

AxisPosition positionAt(char name, int index, const PageAxis& on, const ImageInfo& info) {
    const auto label = static_cast<std::size_t>(index);
    const bool isNamed = on.axis != nullptr && label < on.axis->labels.size();
    return {name, index, isNamed ? on.axis->labels[label] : std::string(), distanceOn(name, index, info)};
}

int sceneCalled(const std::string& name, const std::vector<std::string>& scenes) {
    const auto found = std::ranges::find(scenes, name);
    if (found == scenes.end()) {
        std::string names;
        for (const std::string& scene : scenes) {
            names += (names.empty() ? "" : ", ") + (scene.empty() ? std::string("one without a name") : scene);
        }
        refuse("no scene " + name + " (has " + names + ")");
    }
    return static_cast<int>(found - scenes.begin());
}

std::vector<AxisPart> partsOn(char name, const PageAxis& axis, const AxisPositions& wanted, const ImageInfo& info,
                              std::vector<std::string>& notes) {
    const auto at = [&](int index) { return AxisPart{index * axis.stride, positionAt(name, index, axis, info)}; };
    if (wanted.range) {
        requireIndex(name, std::uint64_t{wanted.range->first} + wanted.range->count - 1, axis.count);
    }
    switch (wanted.kind) {
    case Kind::named:
        return {at(sceneCalled(wanted.name, scenesOf(info)))};
    case Kind::one:
        requireIndex(name, static_cast<std::uint64_t>(wanted.index), axis.count);
        return {at(wanted.index)};
    case Kind::middle:
        return {at(axis.count / 2)};
    case Kind::last:
        return {at(axis.count - 1)};
    case Kind::each: {
        const auto first = wanted.range ? static_cast<int>(wanted.range->first) : 0;
        const int end = wanted.range ? first + static_cast<int>(wanted.range->count) : axis.count;
        std::vector<AxisPart> parts;
        for (int index = first; index < end; ++index) {
            parts.push_back(at(index));
        }
        return parts;
    }
    case Kind::projection:
        return {{0, {name, -1, std::string(nameOf(wanted.projection))}}};
    case Kind::volume:
        return {{0, {name, -1, "volume"}}};
    case Kind::unstated:
    case Kind::first:
        break;
    }
    const bool isMiddle = wanted.kind == Kind::unstated && name == 'z';
    const int index = isMiddle ? axis.count / 2 : 0;
    if (wanted.kind == Kind::unstated && axis.count > 1) {
        notes.push_back(std::string(axisName(name)) + (isMiddle ? ": middle, " : ": first, ") + std::to_string(index) +
                        " of " + std::to_string(axis.count));
    }
    return {at(index)};
}

/// The channel and its page from the first channel on.
struct ChannelPart {
    int page = 0;
    ChannelChoice channel;
};

ChannelPart channelPart(const PageSelection& selection, const ImageInfo& info, std::vector<std::string>& notes) {
    const std::vector<Channel> channels = channelsOf(info);
    const ChannelAxis axis = channelAxisOf(info);
    const ChannelChoice wanted = selection.channel.value_or(ChannelChoice{});
    const auto missing = [&] { refuse("no channel " + wanted.text() + " (has " + namesOf(channels) + ")"); };
    if (wanted.kind == ChannelChoice::Kind::luminance) {
        if (selection.channel && channels.size() > 1 && !hasColours(info)) {
            missing();
        }
        if (!selection.channel && axis.count > 1) {
            notes.push_back("channel: " + channels.front().name + ", 0 of " + std::to_string(axis.count));
        }
        return {};
    }
    if (wanted.kind == ChannelChoice::Kind::derived) {
        (void)Derivation::parse(wanted.name).inputs(channels);
        return {0, wanted};
    }
    const bool isIndex = wanted.name == kPaletteIndexName && info.samples == 1 && info.photometric == "Palette";
    const auto found = findChannel(channels, wanted.name.empty() ? std::to_string(wanted.sample) : wanted.name);
    if (!found) {
        if (!isIndex) {
            missing();
        }
        return {0, wanted};
    }
    const Channel& channel = channels[*found];
    const int page = axis.count > 1 ? channel.page / axis.stride % axis.count * axis.stride : 0;
    if (wanted.name.empty()) {
        return {page, {ChannelChoice::Kind::sample, channel.sample}};
    }
    return {page, {ChannelChoice::Kind::named, 0, channel.name}};
}

/// "channel, z": the names of the axes of the pages.
std::string axisNames(const ImageInfo& info) {
    std::string names;
    for (const StackAxis& axis : info.axes) {
        names += (names.empty() ? "" : ", ") + std::string(axisName(axis.name));
    }
    return names;
}

/// @throws Error(invalidArgument) if the file has one scene and another one is wanted
void requireScene(const AxisPositions& wanted, const ImageInfo& info) {
    const bool isFirst = wanted.kind != Kind::named && wanted.index == 0 && !wanted.range;
    const bool isCalled =
        std::ranges::find(info.facts, std::pair(std::string(kImageNameFact), wanted.name)) != info.facts.end();
    if (!isFirst && !(wanted.kind == Kind::named && isCalled)) {
        refuse("no scene " + textOf(wanted) + " (the file has one scene)");
    }
}

/// @throws Error(invalidArgument) for a selection by axes that the file does not name, and by page of a file with axes
void requireAxes(const PageSelection& selection, const ImageInfo& info) {
    if (selection.scene != AxisPositions{}) {
        if (selection.page != AxisPositions{}) {
            refuse("scene and page select the same; one of them is enough");
        }
        if (scenesOf(info).empty()) {
            requireScene(selection.scene, info);
        }
    }
    if (namesAxes(info)) {
        if (selection.page != AxisPositions{} && axisOf(info, 'p').count == 1) {
            refuse("no axis page (has " + axisNames(info) + ")");
        }
        return;
    }
    const std::string why = unclearOrder(info);
    const auto requireNone = [&](const char* axis, const AxisPositions& positions) {
        if (info.pages > 1 && positions != AxisPositions{} && !isOfSlices(positions.kind)) {
            refuse("no axis " + std::string(axis) +
                   (why.empty() ? " (the pages have no axes" : " (the order of the pages is not clear: " + why) +
                   "; page selects one, --axes states the axes)");
        }
    };
    requireNone("z", selection.z);
    requireNone("t", selection.t);
}

} // namespace

std::ptrdiff_t countOfAxes(const ImageInfo& info) {
    return std::ranges::count_if(info.axes, [](const StackAxis& axis) { return axis.count > 1 && hasMeaning(axis); });
}

std::vector<std::string> scenesOf(const ImageInfo& info) {
    const PageAxis on = axisOf(info, kSceneAxis);
    if (on.count < 2 || on.axis == nullptr || on.axis->name != 'p' || (on.axis->labels.empty() && !namesAxes(info))) {
        return {};
    }
    std::vector<std::string> scenes = on.axis->labels;
    scenes.resize(static_cast<std::size_t>(on.count));
    return scenes;
}

std::string_view axisName(char axis) {
    return axis == 'c' ? "channel" : axis == 'p' ? "page" : axis == kSceneAxis ? "scene" : axis == 'z' ? "z" : "t";
}

const AxisPositions& positionsOn(char axis, const PageSelection& selection) {
    return axis == 'z'          ? selection.z
           : axis == 't'        ? selection.t
           : axis == kSceneAxis ? selection.scene
                                : selection.page;
}

AxisPositions& positionsOn(char axis, PageSelection& selection) {
    return const_cast<AxisPositions&>(positionsOn(axis, std::as_const(selection)));
}

PageSelection parseSelection(std::string_view text) {
    PageSelection selection;
    if (trimmed(text, kBlank).empty()) {
        return selection;
    }
    for (const std::string_view part : partsBetweenCommas(text)) {
        const std::size_t equals = part.find('=');
        const std::string_view axis = trimmed(part.substr(0, equals), kBlank);
        const std::string_view value = equals == std::string_view::npos ? "" : trimmed(part.substr(equals + 1), kBlank);
        AxisPositions* const positions = axis == "z"       ? &selection.z
                                         : axis == "t"     ? &selection.t
                                         : axis == "page"  ? &selection.page
                                         : axis == "scene" ? &selection.scene
                                                           : nullptr;
        if ((positions == nullptr && axis != "channel") || value.empty()) {
            refuse("'" + std::string(part) + "': must be channel=NAME, scene=NAME, z=, t= or page= with a position");
        }
        if (positions == nullptr ? selection.channel.has_value() : *positions != AxisPositions{}) {
            refuse(std::string(axis) + ": stands twice");
        }
        if (positions == nullptr) {
            selection.channel = channelIn(value);
        } else {
            *positions = axis == "scene" ? sceneIn(value) : positionsIn(axis, value);
        }
    }
    return selection;
}

std::string toString(const PageSelection& selection) {
    std::string text;
    const auto add = [&](const char* axis, const std::string& value) {
        text += (text.empty() ? "" : ",") + std::string(axis) + "=" + value;
    };
    if (selection.channel) {
        add("channel", textOf(*selection.channel));
    }
    for (const auto& [axis, positions] : {std::pair("z", &selection.z), std::pair("t", &selection.t),
                                          std::pair("page", &selection.page), std::pair("scene", &selection.scene)}) {
        if (positions->kind != Kind::unstated) {
            add(axis, textOf(*positions));
        }
    }
    return text;
}

SelectedParts partsOf(const PageSelection& selection, const ImageInfo& info, const ReadOptions& base) {
    requireAxes(selection, info);
    SelectedParts selected;
    const ChannelPart channel = channelPart(selection, info, selected.notes);
    const bool isPlain = !namesAxes(info);
    const bool takesPages = isPlain && isOfSlices(selection.z.kind); // as readVolume()
    const PageAxis z = axisOf(info, takesPages ? 'p' : 'z');
    const PageAxis t = axisOf(info, 't');
    const PageAxis p = takesPages ? PageAxis{} : axisOf(info, 'p');
    const bool byScene = !scenesOf(info).empty() &&
                         (selection.scene != AxisPositions{} || (selection.page == AxisPositions{} && !isPlain));
    const std::vector<AxisPart> slices = partsOn('z', z, selection.z, info, selected.notes);
    const std::vector<AxisPart> times = partsOn('t', t, selection.t, info, selected.notes);
    const std::vector<AxisPart> pages =
        partsOn(byScene ? kSceneAxis : 'p', p, byScene ? selection.scene : selection.page, info, selected.notes);
    const auto part = [&](const AxisPart& slice, const AxisPart& time, const AxisPart& page) {
        SelectedPart made{base, selection.z.kind == Kind::volume, {}};
        made.options.page = channel.page + slice.page + time.page + page.page;
        made.options.channel = channel.channel;
        made.options.slices = isOfSlices(selection.z.kind) ? selection.z.range : std::nullopt;
        made.options.projection =
            selection.z.kind == Kind::projection ? std::optional(selection.z.projection) : std::nullopt;
        for (const auto& [axis, at] : {std::pair(z, &slice), std::pair(t, &time), std::pair(p, &page)}) {
            if (axis.count > 1) {
                made.positions.push_back(at->position);
            }
        }
        return made;
    };
    for (const AxisPart& page : pages) {
        for (const AxisPart& time : times) {
            for (const AxisPart& slice : slices) {
                selected.parts.push_back(part(slice, time, page));
            }
        }
    }
    return selected;
}

std::optional<double> distanceOn(char axis, int index, const ImageInfo& info) {
    double step = 0;
    std::optional<double> unit;
    if (axis == 'z' && info.pixelSize && !info.pixelSize->print) {
        step = info.pixelSize->z;
        unit = micrometresOf(info.pixelSize->unit);
    } else if (axis == 't' && axisOf(info, 't').axis != nullptr) {
        step = axisOf(info, 't').axis->step;
        unit = secondsOf(axisOf(info, 't').axis->unit);
    }
    return step > 0 && unit ? leadingNumber(factNumber(index * step * *unit)) : std::nullopt; // 0.3, not 3 * 0.1
}

std::optional<AxisPosition> pagePosition(char axis, const ImageInfo& info) {
    const PageAxis on = axisOf(info, axis);
    if (on.axis == nullptr || on.count == 1) {
        return std::nullopt;
    }
    return positionAt(axis, info.page / on.stride % on.count, on, info);
}

std::string distanceColumn(char axis) { return axis == 't' ? "t_s" : "z_um"; }

PageSelection selectionOf(const ImageInfo& info, const ReadOptions& options, bool volume) {
    PageSelection selection;
    ImageInfo at = info;
    at.page = options.page;
    if (options.channel.kind == ChannelChoice::Kind::derived) {
        selection.channel = options.channel;
    } else if (const auto stored = storedChannel(options.channel, at)) {
        const std::vector<Channel> channels = channelsOf(at);
        const std::string& name = channels[*stored].name;
        if (channels.size() > 1) { // names without a meaning: "channel 2"
            selection.channel = name.starts_with("channel ")
                                    ? ChannelChoice{ChannelChoice::Kind::sample, static_cast<int>(*stored)}
                                    : ChannelChoice{ChannelChoice::Kind::named, 0, name};
        }
    }
    const auto one = [&](char axis) {
        const PageAxis pages = axisOf(info, axis);
        return pages.count > 1 ? AxisPositions{Kind::one, options.page / pages.stride % pages.count} : AxisPositions{};
    };
    const bool ofSlices = volume || options.projection.has_value();
    selection.z = ofSlices ? AxisPositions{volume ? Kind::volume : Kind::projection, 0,
                                           options.projection.value_or(Projection{}), options.slices}
                           : one('z');
    selection.t = one('t');
    if (const std::vector<std::string> scenes = scenesOf(info); !scenes.empty() && namesAxes(info)) {
        selection.scene = one(kSceneAxis);
        const std::string& name = scenes[static_cast<std::size_t>(selection.scene.index)];
        if (!name.empty() && std::ranges::count(scenes, name) == 1) {
            selection.scene = {};
            selection.scene.kind = Kind::named;
            selection.scene.name = name;
        }
    } else if (namesAxes(info) || !ofSlices) {
        selection.page = one('p');
    }
    return selection;
}

void takePart(ReadOptions& options, const SelectedPart& part) {
    const ReadOptions& of = part.options;
    options.page = of.page;
    options.channel = of.channel;
    options.slices = of.slices ? of.slices : options.slices;
    options.projection = of.projection;
    options.series = of.series;
}

LoadedImage readPart(const std::filesystem::path& path, const SelectedPart& part, const JobControl& control) {
    return part.volume ? readVolume(path, part.options, control) : readImage(path, part.options, control);
}

ChannelImage readPartChannels(const std::filesystem::path& path, const SelectedPart& part,
                              std::span<const std::size_t> wanted, const JobControl& control) {
    if (!part.volume && !part.options.projection) {
        return readChannels(path, part.options, wanted, control);
    }
    SelectedPart one = part;
    one.options.mapping.proportional = true; // sums of levels become sums of values
    one.options.channel = {ChannelChoice::Kind::sample, 0};
    const std::vector<Channel> channels = channelsOf(readImageInfo(path, one.options));
    ChannelImage result;
    const auto read = [&](std::size_t index) {
        control.throwIfStopped();
        const Channel& channel = channels.at(index);
        one.options.page = channel.page;
        one.options.channel = {ChannelChoice::Kind::sample, channel.sample};
        LoadedImage loaded = readPart(path, one, control);
        if (!result.planes.empty() && (loaded.image->extent() != result.planes.front().image->extent() ||
                                       loaded.image->type() != result.planes.front().image->type())) {
            refuse("channel " + channel.name + " differs in size or depth from the others");
        }
        result.planes.push_back({channel, std::move(loaded.image), std::move(loaded.valid), loaded.info.mapping});
        result.info = std::move(loaded.info);
    };
    const std::size_t count = wanted.empty() ? channels.size() : wanted.size();
    for (std::size_t i = 0; i < count; ++i) {
        read(wanted.empty() ? i : wanted[i]);
    }
    return result;
}

} // namespace pollard
