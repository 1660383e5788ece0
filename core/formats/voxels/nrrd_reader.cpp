#include "base/text.hpp"
#include "io/image_reader.hpp"
#include "io/metadata/fact_text.hpp"
#include "io/read_support.hpp"
#include "io/volumes/volume_layout.hpp"
#include "io/volumes/voxel_place.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

namespace pollard {

namespace nrrd {
namespace {

[[noreturn]] void fail(const SourceFile& source, const std::string& why) {
    throw readError(ErrorCode::fileDamaged, source.path, "damaged NRRD: " + why);
}

[[noreturn]] void refuse(const SourceFile& source, const std::string& why) {
    throw readError(ErrorCode::formatUnsupported, source.path, "NRRD: " + why);
}

/// Fields "name: value" up to the empty line. Names are in small letters and without spaces.
class NrrdFields {
public:
    explicit NrrdFields(const SourceFile& source) : source_(source) {
        HeaderText text(source);
        std::string line;
        text.next(line); // NRRD0005
        while (text.next(line) && !line.empty()) {
            const std::size_t colon = line.find(':');
            if (line[0] == '#') {
                continue;
            }
            if (colon == std::string::npos) {
                fail(source, "the header has the line \"" + factText(line, 60) + "\"");
            }
            if (line.compare(colon, 2, ":=") == 0) {
                continue; // a key of a program
            }
            std::string name = lowered(line.substr(0, colon));
            std::erase(name, ' ');
            values_[name] = trimmed(std::string_view(line).substr(colon + 1));
        }
        position_ = text.position();
    }

    [[nodiscard]] const SourceFile& source() const noexcept { return source_; }
    /// Bytes of the header.
    [[nodiscard]] std::uint64_t position() const noexcept { return position_; }
    /// The value of a field; empty without one.
    [[nodiscard]] std::string text(const char* name) const {
        const auto at = values_.find(name);
        return at == values_.end() ? std::string() : at->second;
    }
    [[nodiscard]] std::string needed(const char* name) const {
        std::string value = text(name);
        if (value.empty()) {
            fail(source_, "the header has no field \"" + std::string(name) + "\"");
        }
        return value;
    }
    [[nodiscard]] std::int64_t integer(const char* name, std::int64_t otherwise) const {
        const std::string value = text(name);
        const auto number = integerOf(value);
        if (!value.empty() && !number) {
            fail(source_, "the field \"" + std::string(name) + "\" is not a number: " + factText(value, 40));
        }
        return number.value_or(otherwise);
    }
    /// Texts in quotes.
    [[nodiscard]] std::vector<std::string> quoted(const char* name) const {
        std::vector<std::string> texts;
        const std::string value = text(name);
        for (std::size_t from = value.find('"'); from != std::string::npos; from = value.find('"', from)) {
            const std::size_t end = std::min(value.find('"', from + 1), value.size());
            texts.push_back(value.substr(from + 1, end - from - 1));
            from = std::min(end + 1, value.size());
        }
        return texts;
    }

private:
    const SourceFile& source_;
    std::map<std::string, std::string, std::less<>> values_;
    std::uint64_t position_ = 0;
};

/// An axis of the array, the fastest first.
struct NrrdAxis {
    std::uint64_t size = 0;
    std::string kind; ///< in small letters; empty if not stated
    std::optional<AxisDirection> direction;
    double spacing = 0; ///< 0: not stated
    std::string unit;

    /// Whether it counts the samples of a voxel.
    [[nodiscard]] bool isOfSamples(bool hasDirections) const {
        static const std::set<std::string_view> kDomains{"domain", "space", "time"};
        static const std::set<std::string_view> kUnknown{"", "none", "???"};
        return kUnknown.contains(kind) ? hasDirections && !direction : !kDomains.contains(kind);
    }
};

/// Numbers of "(1,0,0)"; empty for other texts.
std::vector<double> componentsOf(std::string text) {
    std::vector<double> components;
    std::ranges::replace_if(
        text, [](char c) { return c == ',' || c == '(' || c == ')'; }, ' ');
    for (const std::string& word : wordsOf(text)) {
        const auto number = realOf(word);
        if (!number || !std::isfinite(*number)) {
            return {};
        }
        components.push_back(*number);
    }
    return components;
}

/// A direction at right angles to two others, of length 1; zero if they are parallel.
AxisDirection normalOf(const AxisDirection& x, const AxisDirection& y) {
    AxisDirection normal{x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]};
    const double length = lengthOf(normal);
    for (double& component : normal) {
        component /= length > 0 ? length : 1;
    }
    return normal;
}

/// "(1,0,0) (0,1,0) none" as vectors of up to three components.
std::vector<std::optional<AxisDirection>> directionsOf(const NrrdFields& fields) {
    std::vector<std::optional<AxisDirection>> directions;
    const std::string text = fields.text("spacedirections");
    for (std::size_t at = text.find_first_of("(n"); at != std::string::npos; at = text.find_first_of("(n", at)) {
        if (text[at] == 'n') {
            directions.emplace_back();
            at = std::min(text.find_first_of(" \t(", at), text.size());
            continue;
        }
        const std::size_t end = std::min(text.find(')', at), text.size());
        std::string inside = text.substr(at + 1, end - at - 1);
        std::ranges::replace(inside, ',', ' ');
        AxisDirection direction{};
        std::size_t count = 0;
        for (const std::string& word : wordsOf(inside)) {
            const auto number = realOf(word);
            if (!number || count == direction.size()) {
                fail(fields.source(), "the space directions are " + factText(text, 60));
            }
            direction[count++] = *number;
        }
        directions.emplace_back(direction);
        at = end;
    }
    return directions;
}

std::vector<NrrdAxis> axesOf(const NrrdFields& fields) {
    const std::vector<std::string> sizes = wordsOf(fields.needed("sizes"));
    const std::int64_t dimension = fields.integer("dimension", 0);
    constexpr std::int64_t kMost = 16;
    if (dimension < 1 || dimension > kMost || static_cast<std::int64_t>(sizes.size()) != dimension) {
        fail(fields.source(), "the dimension is " + std::to_string(dimension) + ", and there are " +
                                  std::to_string(sizes.size()) + " sizes");
    }
    const std::vector<std::string> kinds = wordsOf(lowered(fields.text("kinds")));
    const std::vector<std::string> spacings = wordsOf(fields.text("spacings"));
    const std::vector<std::string> units = fields.quoted("units");
    const std::vector<std::string> spaceUnits = fields.quoted("spaceunits");
    const auto directions = directionsOf(fields);
    const auto wordAt = [](const std::vector<std::string>& words, std::size_t i) {
        return i < words.size() ? words[i] : std::string();
    };
    std::vector<NrrdAxis> axes(sizes.size());
    std::size_t spatial = 0;
    for (std::size_t i = 0; i < axes.size(); ++i) {
        NrrdAxis& axis = axes[i];
        const auto size = integerOf(sizes[i]);
        if (!size || *size < 1) {
            fail(fields.source(), "an axis has the size " + factText(sizes[i], 40));
        }
        axis.size = static_cast<std::uint64_t>(*size);
        axis.kind = wordAt(kinds, i);
        axis.unit = wordAt(units, i);
        axis.spacing = realOf(wordAt(spacings, i)).value_or(0);
        if (i < directions.size() && directions[i]) {
            axis.direction = directions[i];
            axis.spacing = lengthOf(*directions[i]);
            axis.unit = wordAt(spaceUnits, spatial++);
        }
        axis.spacing = std::isfinite(axis.spacing) ? std::abs(axis.spacing) : 0;
    }
    return axes;
}

void setType(const NrrdFields& fields, VolumeLayout& layout) {
    struct Type {
        int bits;
        SampleKind kind;
    };
    static const std::map<std::string, Type, std::less<>> kTypes = [] {
        std::map<std::string, Type, std::less<>> types{{"float", {32, SampleKind::real}},
                                                       {"double", {64, SampleKind::real}}};
        const auto add = [&](int bits, SampleKind kind, std::initializer_list<const char*> names) {
            for (const char* name : names) {
                types[name] = {bits, kind};
            }
        };
        constexpr auto kSigned = SampleKind::signedInteger;
        constexpr auto kUnsigned = SampleKind::unsignedInteger;
        add(8, kSigned, {"signed char", "int8", "int8_t"});
        add(8, kUnsigned, {"uchar", "unsigned char", "uint8", "uint8_t"});
        add(16, kSigned, {"short", "short int", "signed short", "signed short int", "int16", "int16_t"});
        add(16, kUnsigned, {"ushort", "unsigned short", "unsigned short int", "uint16", "uint16_t"});
        add(32, kSigned, {"int", "signed int", "int32", "int32_t"});
        add(32, kUnsigned, {"uint", "unsigned int", "uint32", "uint32_t"});
        add(64, kSigned,
            {"longlong", "long long", "long long int", "signed long long", "signed long long int", "int64", "int64_t"});
        add(64, kUnsigned, {"ulonglong", "unsigned long long", "unsigned long long int", "uint64", "uint64_t"});
        return types;
    }();
    const std::string name = lowered(fields.needed("type"));
    const auto type = kTypes.find(name);
    if (type == kTypes.end()) {
        refuse(fields.source(), "samples of the type \"" + factText(name, 40) + "\" are not supported");
    }
    layout.kind = type->second.kind;
    layout.bits = type->second.bits;
}

/// Takes the axis of samples away, if there is one, and names the axes of pages.
void setSides(const NrrdFields& fields, std::vector<NrrdAxis>& axes, VolumeLayout& layout) {
    const bool hasDirections =
        std::ranges::any_of(axes, [](const NrrdAxis& axis) { return axis.direction.has_value(); });
    if (std::ranges::any_of(axes, [](const NrrdAxis& axis) { return axis.kind == "complex"; })) {
        refuse(fields.source(), "complex samples are not supported");
    }
    if (axes.size() > 1 && axes.front().isOfSamples(hasDirections)) {
        const NrrdAxis& samples = axes.front();
        layout.samples = samples.size;
        layout.alpha = samples.kind == "rgba-color" && samples.size == 4;
        layout.colour = layout.alpha || (samples.kind == "rgb-color" && samples.size == 3);
        axes.erase(axes.begin());
    }
    layout.width = axes[0].size;
    layout.height = axes.size() > 1 ? axes[1].size : 1;
    std::string names = "ztc";
    for (std::size_t i = 2; i < axes.size(); ++i) {
        const char wanted = axes[i].kind == "time" ? 't' : axes[i].isOfSamples(hasDirections) ? 'c' : 'z';
        const char name = names.find(wanted) != std::string::npos ? wanted : names.empty() ? 'p' : names[0];
        std::erase(names, name);
        layout.axes.emplace_back(name, axes[i].size);
    }
}

void placeSamples(const NrrdFields& fields, VolumeLayout& layout) {
    using Coding = VolumeLayout::Coding;
    const SourceFile& source = fields.source();
    const std::string encoding = lowered(fields.needed("encoding"));
    static const std::map<std::string, Coding, std::less<>> kCodings{
        {"raw", Coding::none}, {"gzip", Coding::deflate}, {"gz", Coding::deflate}, {"text", Coding::text},
        {"txt", Coding::text}, {"ascii", Coding::text},   {"hex", Coding::hex}};
    const auto coding = kCodings.find(encoding);
    if (coding == kCodings.end()) {
        refuse(source, "the encoding \"" + factText(encoding, 40) + "\" is not supported; raw, gzip, text and hex are");
    }
    layout.coding = coding->second;
    const std::string endian = lowered(fields.text("endian"));
    if (layout.bits > 8 && layout.coding != Coding::text && endian != "little" && endian != "big") {
        fail(source, "the field \"endian\" must be little or big");
    }
    layout.bigEndian = endian == "big";
    const std::string name = fields.text("datafile");
    const std::vector<std::string> words = wordsOf(name);
    if (!words.empty() && (words[0] == "LIST" || (words.size() > 3 && name.find('%') != std::string::npos))) {
        refuse(source, "a data file for each slice is not supported");
    }
    layout.data = name.empty() ? source : detachedFile(source, name);
    layout.begin = name.empty() ? fields.position() : 0;
    if (const std::int64_t lines = fields.integer("lineskip", 0); lines > 0) {
        HeaderText text(layout.data);
        std::string line;
        while (text.position() < layout.begin && text.next(line)) {
        }
        for (std::int64_t i = 0; i < lines; ++i) {
            if (!text.next(line)) {
                fail(source, "there are fewer than " + std::to_string(lines) + " lines to skip");
            }
        }
        layout.begin = text.position();
    }
    const std::int64_t bytes = fields.integer("byteskip", 0);
    if (bytes < 0) {
        if (bytes != -1 || layout.coding != Coding::none) {
            fail(source, "byte skip is " + std::to_string(bytes));
        }
        layout.begin = std::max(layout.begin, beginOfLast(layout.data, bytesOfSamples(layout)));
    } else if (layout.coding == Coding::deflate) {
        layout.skip = static_cast<std::uint64_t>(bytes);
    } else {
        layout.begin += static_cast<std::uint64_t>(bytes);
    }
}

/// Ends of the axes of an anatomical space; nothing for others.
std::optional<SpaceLetters> lettersOf(const std::string& space) {
    const std::optional<std::string> anatomy = anatomicalLetters(space);
    if (!anatomy) {
        return std::nullopt;
    }
    constexpr std::array<std::string_view, 6> kEnds{"RL", "LR", "AP", "PA", "SI", "IS"};
    SpaceLetters letters;
    for (std::size_t i = 0; i < letters.size(); ++i) {
        letters[i] = *std::ranges::find(kEnds, (*anatomy)[i], &std::string_view::front);
    }
    return letters;
}

/// The place by the space directions; nothing without three components of two axes at least.
std::optional<VoxelPlace> placeOf(const NrrdFields& fields, const std::vector<NrrdAxis>& axes,
                                  const VolumeLayout& layout) {
    const std::vector<double> origin = componentsOf(fields.text("spaceorigin"));
    const bool hasSpace = axes.size() > 1 && axes[0].direction && axes[1].direction;
    const bool isVolume = axes.size() > 2 && axes[2].direction && layout.axes[0].first == 'z';
    if (!hasSpace || (!origin.empty() && origin.size() != 3)) {
        return std::nullopt;
    }
    VoxelPlace place;
    place.map.steps = {*axes[0].direction, *axes[1].direction};
    place.map.steps[2] = isVolume ? *axes[2].direction : normalOf(*axes[0].direction, *axes[1].direction);
    std::ranges::copy(origin, place.map.origin.begin());
    for (const AxisDirection& step : place.map.steps) {
        if (!(lengthOf(step) > 0) || !std::isfinite(lengthOf(step))) {
            return std::nullopt;
        }
    }
    place.space = lowered(fields.text("space"));
    const std::optional<std::string> letters = anatomicalLetters(place.space);
    place.isAnatomical = letters.has_value();
    if (letters) {
        turnSpace(place.map, *letters);
    }
    place.unit = layout.pixelSize ? layout.pixelSize->unit : "";
    return place;
}

void addFact(VolumeLayout& layout, const char* name, const std::string& text) {
    if (!text.empty()) {
        layout.facts.emplace_back(name, factText(text));
    }
}

/// @param axes without the axis of samples
void addSpace(const NrrdFields& fields, const std::vector<NrrdAxis>& axes, VolumeLayout& layout) {
    const std::string space = lowered(fields.text("space"));
    const auto letters = lettersOf(space);
    addFact(layout, "Content", fields.text("content"));
    addFact(layout, "Space", space);
    std::vector<AxisDirection> directions;
    for (std::size_t i = 0; i < std::min<std::size_t>(axes.size(), 3) && axes[i].direction; ++i) {
        directions.push_back(*axes[i].direction);
    }
    addFact(layout, "Axis directions", letters ? directionsText(directions, *letters) : std::string());
    addFact(layout, "Space directions", fields.text("spacedirections"));
    addFact(layout, "Origin", fields.text("spaceorigin"));
    const std::vector<std::string> valueUnits = fields.quoted("sampleunits"); // written with and without quotes
    layout.scale.unit = factText(valueUnits.size() == 1 ? valueUnits.front() : fields.text("sampleunits"));
    addFact(layout, "Unit of values", layout.scale.unit);
    if (axes.size() < 2 || !(axes[0].spacing > 0) || !(axes[1].spacing > 0)) {
        return;
    }
    const bool isAssumed = letters && axes[0].unit.empty() && axes[1].unit.empty();
    const auto unit = isAssumed ? std::optional<std::string>("mm") : voxelUnit(axes[0].unit);
    if (!unit || axes[0].unit != axes[1].unit) {
        addFact(layout, "Spacing",
                factNumber(axes[0].spacing) + " x " + factNumber(axes[1].spacing) +
                    (axes.size() > 2 ? " x " + factNumber(axes[2].spacing) : "") + " " + axes[0].unit);
        if (axes[0].unit == axes[1].unit) {
            const bool hasDepth = axes.size() > 2 && layout.axes[0].first == 'z' && axes[2].unit == axes[0].unit;
            layout.spacing = VoxelSides{axes[0].spacing, axes[1].spacing, hasDepth ? axes[2].spacing : 0};
        }
        return;
    }
    layout.pixelSize = PixelSize{axes[0].spacing, axes[1].spacing, *unit, "NRRD", false};
    if (axes.size() > 2 && layout.axes[0].first == 'z' && axes[2].unit == axes[0].unit) {
        layout.pixelSize->z = axes[2].spacing;
    }
    if (isAssumed) {
        layout.notes.emplace_back("the unit of the voxel size is not stated: taken as mm");
    }
}

VolumeLayout layoutOf(const SourceFile& source) {
    const NrrdFields fields(source);
    VolumeLayout layout;
    layout.format = "NRRD";
    setType(fields, layout);
    std::vector<NrrdAxis> axes = axesOf(fields);
    setSides(fields, axes, layout);
    placeSamples(fields, layout);
    addSpace(fields, axes, layout);
    layout.place = placeOf(fields, axes, layout);
    return layout;
}

} // namespace
} // namespace nrrd

/// Reads samples after the header (.nrrd) or in another file (.nhdr).
const ImageReader& nrrdReader() {
    static const ImageReader reader{
        .filter = {"NRRD", {"nrrd", "nhdr"}},
        .recognises =
            [](const SourceFile& source) {
                return source.startsWith("NRRD000") && source.head.size() > 7 && source.head[7] >= std::byte{'1'} &&
                       source.head[7] <= std::byte{'5'};
            },
        .open = [](const SourceFile& source, const ReadOptions& options, PageUse) -> std::unique_ptr<FilePage> {
            return std::make_unique<VolumePage>(source, nrrd::layoutOf(source), options);
        },
        .readsRegions = true};
    return reader;
}

} // namespace pollard
