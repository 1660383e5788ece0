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

namespace pollard {

namespace metaimage {
namespace {

[[noreturn]] void fail(const SourceFile& source, const std::string& why) {
    throw readError(ErrorCode::fileDamaged, source.path, "damaged MetaImage: " + why);
}

/// Entries "Key = value" up to ElementDataFile. Keys are in small letters.
class Entries {
public:
    explicit Entries(const SourceFile& source) : source_(source) {
        HeaderText text(source);
        std::string line;
        while (text.next(line)) {
            const std::size_t equals = line.find('=');
            if (equals == std::string::npos) {
                if (!trimmed(line).empty()) {
                    break;
                }
                continue;
            }
            const std::string key = lowered(trimmed(std::string_view(line).substr(0, equals)));
            values_[key] = trimmed(std::string_view(line).substr(equals + 1));
            if (key == "elementdatafile") {
                position_ = text.position();
                return;
            }
        }
        fail(source, "the header has no ElementDataFile");
    }

    /// Bytes of the header.
    [[nodiscard]] std::uint64_t position() const noexcept { return position_; }

    /// The value of the first of the keys that there is; empty without one.
    [[nodiscard]] std::string text(std::initializer_list<const char*> keys) const {
        for (const char* key : keys) {
            if (const auto at = values_.find(key); at != values_.end()) {
                return at->second;
            }
        }
        return {};
    }
    [[nodiscard]] bool flag(std::initializer_list<const char*> keys, bool otherwise) const {
        const std::string value = lowered(text(keys));
        return value.empty() ? otherwise : value[0] == 't' || value[0] == 'y' || value[0] == '1';
    }
    [[nodiscard]] std::int64_t integer(const char* key, std::int64_t otherwise) const {
        const std::string value = text({key});
        if (value.empty()) {
            return otherwise;
        }
        const auto number = integerOf(value);
        if (!number) {
            fail(source_, std::string(key) + " is not a number: " + factText(value, 40));
        }
        return *number;
    }
    /// Finite numbers; empty if the entry is missing or has others.
    [[nodiscard]] std::vector<double> reals(std::initializer_list<const char*> keys) const {
        std::vector<double> numbers;
        for (const std::string& word : wordsOf(text(keys))) {
            const auto number = realOf(word);
            if (!number || !std::isfinite(*number)) {
                return {};
            }
            numbers.push_back(*number);
        }
        return numbers;
    }

private:
    const SourceFile& source_;
    std::map<std::string, std::string, std::less<>> values_;
    std::uint64_t position_ = 0;
};

void setType(const SourceFile& source, const Entries& entries, VolumeLayout& layout) {
    struct Type {
        const char* name;
        int bits;
        SampleKind kind;
    };
    constexpr auto kSigned = SampleKind::signedInteger;
    constexpr auto kUnsigned = SampleKind::unsignedInteger;
    // MET_LONG has 32 bits in files of every machine.
    constexpr std::array<Type, 14> kTypes{{{"met_char", 8, kSigned},
                                           {"met_uchar", 8, kUnsigned},
                                           {"met_ascii_char", 8, kSigned},
                                           {"met_short", 16, kSigned},
                                           {"met_ushort", 16, kUnsigned},
                                           {"met_int", 32, kSigned},
                                           {"met_uint", 32, kUnsigned},
                                           {"met_long", 32, kSigned},
                                           {"met_ulong", 32, kUnsigned},
                                           {"met_long_long", 64, kSigned},
                                           {"met_ulong_long", 64, kUnsigned},
                                           {"met_float", 32, SampleKind::real},
                                           {"met_double", 64, SampleKind::real},
                                           {"met_none", 0, kUnsigned}}};
    std::string name = lowered(entries.text({"elementtype"}));
    constexpr std::string_view kArray = "_array";
    if (name.ends_with(kArray)) {
        name.resize(name.size() - kArray.size());
    }
    const auto* type = std::ranges::find_if(kTypes, [&](const Type& each) { return name == each.name; });
    if (type == kTypes.end() || type->bits == 0) {
        throw readError(ErrorCode::formatUnsupported, source.path,
                        "MetaImage voxels of the type \"" + factText(name, 40) + "\" are not supported");
    }
    layout.kind = type->kind;
    layout.bits = type->bits;
    layout.bigEndian = entries.flag({"elementbyteordermsb", "binarydatabyteordermsb"}, false);
    layout.samples =
        static_cast<std::uint64_t>(std::max<std::int64_t>(0, entries.integer("elementnumberofchannels", 1)));
    layout.colour = type->kind == kUnsigned && type->bits <= 16 && (layout.samples == 3 || layout.samples == 4);
    layout.alpha = layout.colour && layout.samples == 4;
    const double slope = realOf(entries.text({"elementtointensityfunctionslope"})).value_or(1);
    const double intercept = realOf(entries.text({"elementtointensityfunctionoffset"})).value_or(0);
    if (slope != 0 && std::isfinite(slope) && std::isfinite(intercept) && !layout.colour) {
        layout.scale = {slope, intercept, {}};
    }
}

void setSides(const SourceFile& source, const Entries& entries, VolumeLayout& layout) {
    const std::vector<std::string> words = wordsOf(entries.text({"dimsize"}));
    const std::int64_t dimensions = entries.integer("ndims", static_cast<std::int64_t>(words.size()));
    constexpr std::int64_t kMost = 10;
    if (dimensions < 1 || dimensions > kMost || static_cast<std::int64_t>(words.size()) < dimensions) {
        fail(source,
             "NDims is " + std::to_string(dimensions) + " and DimSize has " + std::to_string(words.size()) + " sides");
    }
    std::vector<std::uint64_t> sides;
    for (std::int64_t i = 0; i < dimensions; ++i) {
        const auto side = integerOf(words[static_cast<std::size_t>(i)]);
        if (!side || *side < 1) {
            fail(source, "DimSize has a side of " + factText(words[static_cast<std::size_t>(i)], 40));
        }
        sides.push_back(static_cast<std::uint64_t>(*side));
    }
    layout.width = sides[0];
    layout.height = sides.size() > 1 ? sides[1] : 1;
    constexpr std::string_view kNames = "ztc";
    for (std::size_t i = 2; i < sides.size(); ++i) {
        layout.axes.emplace_back(i - 2 < kNames.size() ? kNames[i - 2] : 'p', sides[i]);
    }
}

void placeSamples(const SourceFile& source, const Entries& entries, VolumeLayout& layout) {
    using Coding = VolumeLayout::Coding;
    const std::string name = entries.text({"elementdatafile"});
    const bool isLocal = lowered(name) == "local";
    if (const std::string first = lowered(name.substr(0, 4)); first == "list" || name.find('%') != std::string::npos) {
        throw readError(ErrorCode::formatUnsupported, source.path,
                        "MetaImages with a data file for each slice are not supported");
    }
    layout.data = isLocal ? source : detachedFile(source, name);
    layout.begin = isLocal ? entries.position() : 0;
    layout.coding = entries.flag({"compresseddata"}, false) ? Coding::deflate
                    : !entries.flag({"binarydata"}, true)   ? Coding::text
                                                            : Coding::none;
    const std::int64_t header = entries.integer("headersize", 0);
    if (header > 0 && !isLocal) {
        layout.begin = static_cast<std::uint64_t>(header);
    } else if (header < 0 && layout.coding == Coding::none) {
        layout.begin = std::max(layout.begin, beginOfLast(layout.data, bytesOfSamples(layout)));
    }
}

void addFact(VolumeLayout& layout, const char* name, const std::string& text) {
    if (!text.empty()) {
        layout.facts.emplace_back(name, factText(text));
    }
}

void addSize(const Entries& entries, VolumeLayout& layout) {
    const std::vector<double> sides = entries.reals({"elementspacing", "elementsize"});
    const std::optional<std::string> unit = voxelUnit(entries.text({"distanceunits"}));
    if (sides.size() < 2 || sides[0] == 0 || sides[1] == 0) {
        return;
    }
    layout.pixelSize = PixelSize{std::abs(sides[0]), std::abs(sides[1]), unit.value_or("mm"), "MetaImage", false};
    layout.pixelSize->z = sides.size() > 2 ? std::abs(sides[2]) : 0;
    if (!unit) {
        layout.notes.emplace_back("the unit of the voxel size is not stated: taken as mm");
    }
}

/// The place by the directions of the axes, in left-posterior-superior. As ITK does, it rotates about the first voxel.
std::optional<VoxelPlace> placeOf(const Entries& entries, const VolumeLayout& layout,
                                  const std::array<AxisDirection, 3>& directions) {
    const std::vector<double> sides = entries.reals({"elementspacing", "elementsize"});
    const std::vector<double> origin = entries.reals({"offset", "position", "origin"});
    VoxelPlace place;
    place.map.steps = directions;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const double side = axis < sides.size() && sides[axis] != 0 ? std::abs(sides[axis]) : 1;
        for (double& component : place.map.steps[axis]) {
            component *= side;
        }
        place.map.origin[axis] = axis < origin.size() ? origin[axis] : 0;
    }
    turnSpace(place.map, "LPS");
    place.unit = layout.pixelSize ? layout.pixelSize->unit : "mm";
    place.space = "left-posterior-superior";
    return place;
}

/// Entries of the header that the place does not use, as in ITK.
void noteContradictions(const Entries& entries, const std::string& anatomy, const std::string& directions,
                        VolumeLayout& layout) {
    const std::vector<double> centre = entries.reals({"centerofrotation"});
    if (std::ranges::any_of(centre, [](double c) { return c != 0; })) {
        layout.notes.emplace_back("CenterOfRotation is not applied: the axes turn about the first voxel");
    }
    constexpr std::size_t kLetters = 3;
    constexpr std::string_view kEnds = "RLAPSI";
    constexpr std::size_t kAxis = 8; // "x to L, "
    constexpr std::size_t kEnd = 5;
    for (std::size_t axis = 0; anatomy.size() == kLetters && axis < kLetters; ++axis) {
        // The letters name the side from which an axis comes.
        const std::size_t from = kEnds.find(anatomy[axis]);
        const std::size_t to = kEnds.find(directions[axis * kAxis + kEnd]);
        if (from != std::string_view::npos && (from ^ 1U) != to) {
            layout.notes.emplace_back("AnatomicalOrientation " + anatomy +
                                      " contradicts TransformMatrix, which is used");
            return;
        }
    }
}

void addOrientation(const Entries& entries, VolumeLayout& layout) {
    const std::vector<double> matrix = entries.reals({"transformmatrix", "rotation", "orientation"});
    constexpr std::size_t kSides = 3;
    const std::string anatomy = entries.text({"anatomicalorientation"});
    if (matrix.size() == kSides * kSides) {
        std::array<AxisDirection, kSides> directions{};
        for (std::size_t i = 0; i < matrix.size(); ++i) {
            directions[i / kSides][i % kSides] = matrix[i];
        }
        const std::string text = directionsText(directions, kLps);
        addFact(layout, "Axis directions", text);
        if (!text.empty()) {
            layout.place = placeOf(entries, layout, directions);
            noteContradictions(entries, anatomy, text, layout);
        }
    } else if (matrix.empty() && entries.reals({"offset", "position", "origin"}).size() == kSides) {
        layout.place = placeOf(entries, layout, {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}});
    }
    addFact(layout, "Anatomical orientation", anatomy);
    addFact(layout, "Origin", entries.text({"offset", "position", "origin"}));
    addFact(layout, "Modality", entries.text({"modality"}));
    addFact(layout, "Comment", entries.text({"comment"}));
}

VolumeLayout layoutOf(const SourceFile& source) {
    const Entries entries(source);
    if (const std::string kind = entries.text({"objecttype"}); !kind.empty() && lowered(kind) != "image") {
        throw readError(ErrorCode::formatUnsupported, source.path,
                        "a MetaIO object of the type \"" + factText(kind, 40) + "\" is no image");
    }
    VolumeLayout layout;
    layout.format = "MetaImage";
    setType(source, entries, layout);
    setSides(source, entries, layout);
    placeSamples(source, entries, layout);
    addSize(entries, layout);
    addOrientation(entries, layout);
    return layout;
}

std::string leadingText(const SourceFile& source) {
    std::string text;
    std::string line;
    HeaderText lines(source);
    constexpr std::size_t kMost = 4096;
    while (text.size() < kMost && lines.next(line)) {
        text += '\n' + line;
    }
    return text;
}

bool isMetaImage(const SourceFile& source) {
    const std::string_view head(reinterpret_cast<const char*>(source.head.data()), source.head.size());
    const std::string first = lowered(trimmed(head.substr(0, head.find('='))));
    if (head.find('=') == std::string_view::npos) {
        return false;
    }
    if (first == "objecttype" || first == "ndims") {
        return true;
    }
    return first == "comment" && lowered(leadingText(source)).find("\nndims") != std::string::npos;
}

} // namespace
} // namespace metaimage

/// Reads a header of entries and samples in the same file (.mha) or in another one (.mhd).
const ImageReader& metaImageReader() {
    static const ImageReader reader{
        .filter = {"MetaImage", {"mha", "mhd"}},
        .recognises = metaimage::isMetaImage,
        .open = [](const SourceFile& source, const ReadOptions& options, PageUse) -> std::unique_ptr<FilePage> {
            return std::make_unique<VolumePage>(source, metaimage::layoutOf(source), options);
        },
        .readsRegions = true};
    return reader;
}

} // namespace pollard
