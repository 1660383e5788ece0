#include "io/image_reader.hpp"
#include "io/metadata/fact_text.hpp"
#include "io/read_support.hpp"
#include "io/volumes/sample_stream.hpp"
#include "io/volumes/voxel_place.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <string_view>

namespace pollard {

namespace nifti {
namespace {

constexpr std::size_t kBytes1 = 348;
constexpr std::size_t kBytes2 = 540;

/// The bytes of a NIfTI header; places of fields are pairs for versions 1 and 2.
class Fields {
public:
    explicit Fields(std::string bytes) : bytes_(std::move(bytes)) {
        for (const bool swaps : {false, true}) {
            swaps_ = swaps;
            version_ = isComplete(kBytes1, 344, {"n+1", "ni1"}) ? 1 : isComplete(kBytes2, 4, {"n+2", "ni2"}) ? 2 : 0;
            if (version_ != 0) {
                return;
            }
        }
    }

    /// 1 or 2; 0 if the bytes are no NIfTI header.
    [[nodiscard]] int version() const noexcept { return version_; }
    [[nodiscard]] bool isSecond() const noexcept { return version_ == 2; }
    /// Whether the samples are in the same file.
    [[nodiscard]] bool isSingle() const { return bytes_[isSecond() ? 5 : 345] == '+'; }
    [[nodiscard]] bool isBigEndian() const noexcept { return swaps_ == (std::endian::native == std::endian::little); }

    /// A field of type One in version 1 and Two in version 2.
    template <class One, class Two = One, class Result = Two> Result at(std::size_t one, std::size_t two) const {
        return isSecond() ? static_cast<Result>(get<Two>(two)) : static_cast<Result>(get<One>(one));
    }
    [[nodiscard]] double real(std::size_t one, std::size_t two) const { return at<float, double>(one, two); }
    [[nodiscard]] std::string text(std::size_t one, std::size_t two, std::size_t length) const {
        const std::string field = bytes_.substr(isSecond() ? two : one, length);
        return factText(field.substr(0, field.find('\0')));
    }
    /// Numbers from one place on.
    template <std::size_t N> std::array<double, N> reals(std::size_t one, std::size_t two) const {
        std::array<double, N> values{};
        for (std::size_t i = 0; i < N; ++i) {
            values[i] = real(one + 4 * i, two + 8 * i);
        }
        return values;
    }

private:
    [[nodiscard]] bool isComplete(std::size_t size, std::size_t magic, std::array<std::string_view, 2> texts) const {
        return bytes_.size() >= size && get<std::int32_t>(0) == static_cast<std::int32_t>(size) &&
               std::ranges::any_of(texts, [&](std::string_view text) {
                   return bytes_.compare(magic, 4, std::string(text) + '\0') == 0;
               });
    }
    template <class T> T get(std::size_t place) const {
        std::array<char, sizeof(T)> value{};
        std::memcpy(value.data(), bytes_.data() + place, sizeof(T));
        if (swaps_) {
            std::ranges::reverse(value);
        }
        return std::bit_cast<T>(value);
    }

    std::string bytes_;
    int version_ = 0;
    bool swaps_ = false;
};

struct DataType {
    int code;
    const char* name;
    int bits; ///< of a sample; 0 if not supported
    SampleKind kind;
    std::uint64_t samples;
};

constexpr std::array<DataType, 17> kTypes{{{1, "binary", 0, {}, 1},
                                           {2, "uint8", 8, SampleKind::unsignedInteger, 1},
                                           {4, "int16", 16, SampleKind::signedInteger, 1},
                                           {8, "int32", 32, SampleKind::signedInteger, 1},
                                           {16, "float32", 32, SampleKind::real, 1},
                                           {32, "complex64", 0, {}, 1},
                                           {64, "float64", 64, SampleKind::real, 1},
                                           {128, "RGB24", 8, SampleKind::unsignedInteger, 3},
                                           {256, "int8", 8, SampleKind::signedInteger, 1},
                                           {512, "uint16", 16, SampleKind::unsignedInteger, 1},
                                           {768, "uint32", 32, SampleKind::unsignedInteger, 1},
                                           {1024, "int64", 64, SampleKind::signedInteger, 1},
                                           {1280, "uint64", 64, SampleKind::unsignedInteger, 1},
                                           {1536, "float128", 0, {}, 1},
                                           {1792, "complex128", 0, {}, 1},
                                           {2048, "complex256", 0, {}, 1},
                                           {2304, "RGBA32", 8, SampleKind::unsignedInteger, 4}}};

[[noreturn]] void fail(const SourceFile& source, const std::string& why) {
    throw readError(ErrorCode::fileDamaged, source.path, "damaged NIfTI: " + why);
}

void setType(const SourceFile& source, const Fields& fields, VolumeLayout& layout) {
    const int code = fields.at<std::int16_t>(70, 12);
    const auto* type = std::ranges::find(kTypes, code, &DataType::code);
    if (type == kTypes.end() || type->bits == 0) {
        const std::string name = type == kTypes.end() ? std::to_string(code) : type->name;
        throw readError(ErrorCode::formatUnsupported, source.path,
                        "NIfTI voxels of the type " + name + " are not supported");
    }
    layout.kind = type->kind;
    layout.bits = type->bits;
    layout.samples = type->samples;
    layout.colour = type->samples > 1;
    layout.alpha = type->samples > 3;
    const double slope = fields.real(112, 176);
    const double intercept = fields.real(116, 184);
    if (slope != 0 && std::isfinite(slope) && std::isfinite(intercept) && !layout.colour) {
        layout.scale = {slope, intercept, {}};
    }
}

void setSides(const SourceFile& source, const Fields& fields, VolumeLayout& layout) {
    const auto side = [&](std::size_t i) { return fields.at<std::int16_t, std::int64_t>(40 + 2 * i, 16 + 8 * i); };
    const std::int64_t dimensions = side(0);
    constexpr std::int64_t kMost = 7;
    if (dimensions < 1 || dimensions > kMost) {
        fail(source, "the header states " + std::to_string(dimensions) + " dimensions, 1 to 7 are allowed");
    }
    std::array<std::uint64_t, kMost + 1> sides{};
    sides.fill(1);
    for (std::size_t i = 1; i <= static_cast<std::size_t>(dimensions); ++i) {
        if (side(i) < 1) {
            fail(source, "the header states a side of " + std::to_string(side(i)) + " voxels");
        }
        sides[i] = static_cast<std::uint64_t>(side(i));
    }
    layout.width = sides[1];
    layout.height = sides[2];
    layout.axes = {{'z', sides[3]}, {'t', sides[4]}, {'c', sides[5]}, {'p', sides[6]}, {'p', sides[7]}};
}

/// The file with the samples of a pair: NAME.img or NAME.img.gz for NAME.hdr.
SourceFile imageOfPair(const SourceFile& source) {
    const bool zipped = source.path.extension() == ".gz";
    std::filesystem::path stem = zipped ? source.path.parent_path() / source.path.stem() : source.path;
    for (const char* extension : {".img", ".IMG", ".img.gz"}) {
        std::error_code error;
        const std::filesystem::path path = stem.replace_extension(extension);
        if (std::filesystem::is_regular_file(path, error)) {
            return openSource(path);
        }
        stem = zipped ? source.path.parent_path() / source.path.stem() : source.path;
    }
    throw readError(ErrorCode::fileNotFound, source.path,
                    "the voxels of this NIfTI header are expected in " + stem.replace_extension(".img").string());
}

void placeSamples(const SourceFile& source, const Fields& fields, VolumeLayout& layout) {
    const double stated = fields.at<float, std::int64_t, double>(108, 168);
    constexpr double kMost = 1e15;
    if (!(stated >= 0 && stated <= kMost)) {
        fail(source, "the voxels begin at " + factNumber(stated));
    }
    auto offset = static_cast<std::uint64_t>(stated);
    if (fields.isSingle()) {
        layout.data = source;
        const std::uint64_t header = fields.isSecond() ? kBytes2 : kBytes1;
        constexpr std::uint64_t kExtensionFlags = 4;
        offset = offset == 0 ? header + kExtensionFlags : std::max(offset, header);
    } else {
        layout.data = imageOfPair(source);
    }
    const bool zipped = isGzip(layout.data);
    layout.coding = zipped ? VolumeLayout::Coding::deflate : VolumeLayout::Coding::none;
    (zipped ? layout.skip : layout.begin) = offset;
}

VoxelRotation rotationOf(const Fields& fields) {
    VoxelRotation rotation{fields.reals<3>(256, 352), fields.real(76, 104) < 0 ? -1.0 : 1.0, fields.reals<3>(80, 112),
                           fields.reals<3>(268, 376), fields.at<std::int16_t, std::int32_t>(252, 344)};
    for (double& side : rotation.sides) {
        side = side != 0 && std::isfinite(side) ? std::abs(side) : 1;
    }
    return rotation;
}

bool isUsable(const VoxelMap& map) {
    return std::ranges::all_of(map.origin, [](double c) { return std::isfinite(c); }) &&
           std::ranges::all_of(map.steps, [](const AxisDirection& step) {
               return lengthOf(step) > 0 && std::isfinite(lengthOf(step));
           });
}

/// The maps of the sform and the qform; nothing if neither is stated in finite numbers.
std::optional<VoxelPlace> placeOf(const Fields& fields) {
    VoxelPlace place;
    place.code = std::max(0, fields.at<std::int16_t, std::int32_t>(254, 348));
    if (const VoxelRotation rotation = rotationOf(fields); rotation.code > 0 && isUsable(rotation.map())) {
        place.rotation = rotation;
        place.map = rotation.map();
    }
    if (place.code > 0) {
        VoxelMap map;
        for (std::size_t row = 0; row < 3; ++row) {
            const auto values = fields.reals<4>(280 + 16 * row, 400 + 32 * row);
            for (std::size_t axis = 0; axis < 3; ++axis) {
                map.steps[axis][row] = values[axis];
            }
            map.origin[row] = values[3];
        }
        place.code = isUsable(map) ? place.code : 0;
        place.map = place.code > 0 ? map : place.map;
    }
    return place.code > 0 || place.rotation ? std::optional(place) : std::nullopt;
}

std::string codeText(int code) {
    constexpr std::array<const char*, 6> kNames{"unknown",   "scanner", "aligned to another volume",
                                                "Talairach", "MNI 152", "other template"};
    const bool isKnown = code >= 0 && code < static_cast<int>(kNames.size());
    return std::to_string(code) + (isKnown ? std::string(", ") + kNames[static_cast<std::size_t>(code)] : "");
}

void addFact(VolumeLayout& layout, const char* name, std::string text) {
    if (!text.empty()) {
        layout.facts.emplace_back(name, std::move(text));
    }
}

void addOrientation(const Fields& fields, VolumeLayout& layout) {
    const int qform = fields.at<std::int16_t, std::int32_t>(252, 344);
    const int sform = fields.at<std::int16_t, std::int32_t>(254, 348);
    if (layout.place) {
        layout.place->unit = layout.pixelSize ? layout.pixelSize->unit : "";
        const auto& origin = layout.place->map.origin;
        addFact(layout, "Axis directions", directionsText(layout.place->map.steps, kRas));
        addFact(layout, "Origin",
                factNumber(origin[0]) + ", " + factNumber(origin[1]) + ", " + factNumber(origin[2]) +
                    (layout.pixelSize ? " " + layout.pixelSize->unit : "") + " (R, A, S)");
    }
    addFact(layout, "qform code", codeText(qform));
    addFact(layout, "sform code", codeText(sform));
}

void addSize(const Fields& fields, VolumeLayout& layout) {
    const int units = fields.isSecond() ? fields.at<std::int32_t>(0, 500) : fields.at<std::int8_t>(123, 0);
    constexpr std::array<const char*, 4> kUnits{"", "m", "mm", "µm"};
    const int unit = units & 7;
    const std::array<double, 5> sides = fields.reals<5>(76, 104);
    const auto usable = [](double side) { return side != 0 && std::isfinite(side); };
    const bool isStated = unit > 0 && unit < static_cast<int>(kUnits.size());
    const bool isDefault =
        !layout.place && std::abs(sides[1]) == 1 && std::abs(sides[2]) == 1 && std::abs(sides[3]) == 1;
    if (usable(sides[1]) && usable(sides[2]) && (isStated || !isDefault)) {
        PixelSize size{std::abs(sides[1]), std::abs(sides[2]), isStated ? kUnits[static_cast<std::size_t>(unit)] : "mm",
                       "NIfTI", false};
        size.z = usable(sides[3]) ? std::abs(sides[3]) : 0;
        layout.pixelSize = size;
        if (!isStated) {
            layout.notes.emplace_back("the unit of the voxel size is not stated: taken as mm");
        }
    }
    const std::string time = (units & 0x38) == 8 ? "s" : (units & 0x38) == 16 ? "ms" : (units & 0x38) == 24 ? "µs" : "";
    if (!time.empty() && usable(sides[4]) && layout.axes[1].second > 1) {
        addFact(layout, "Time step", factNumber(sides[4]) + " " + time);
        layout.timeStep = std::max(sides[4], 0.0);
        layout.timeUnit = time;
    }
}

VolumeLayout layoutOf(const SourceFile& source) {
    const Fields fields(leadingBytes(source, kBytes2));
    if (fields.version() == 0) {
        fail(source, "the header cannot be read");
    }
    VolumeLayout layout;
    layout.format = fields.isSecond() ? "NIfTI-2" : "NIfTI-1";
    layout.bigEndian = fields.isBigEndian();
    setType(source, fields, layout);
    setSides(source, fields, layout);
    placeSamples(source, fields, layout);
    layout.place = placeOf(fields);
    addSize(fields, layout);
    addFact(layout, "Description", fields.text(148, 240, 80));
    if (const int intent = fields.at<std::int16_t, std::int32_t>(68, 504); intent != 0) {
        const std::string name = fields.text(328, 508, 16);
        addFact(layout, "Intent", "code " + std::to_string(intent) + (name.empty() ? "" : ", " + name));
    }
    addOrientation(fields, layout);
    return layout;
}

/// The header of a pair whose image was opened; otherwise the file itself.
SourceFile headerOf(const SourceFile& source) {
    std::error_code error;
    std::filesystem::path header = source.path;
    const bool isImage = header.extension() == ".img" || header.extension() == ".IMG";
    header.replace_extension(header.extension() == ".IMG" ? ".HDR" : ".hdr");
    return isImage && std::filesystem::file_size(header, error) >= kBytes1 && !error ? openSource(header) : source;
}

/// Looks at the size of the header first, which stands at the start of a file that is not compressed.
bool isHeader(const SourceFile& source) {
    std::uint32_t stated = 0;
    std::memcpy(&stated, source.head.data(), std::min(source.head.size(), sizeof stated));
    const auto isSize = [&](std::uint32_t size) { return stated == size || __builtin_bswap32(stated) == size; };
    return (isSize(kBytes1) || isSize(kBytes2) || isGzip(source)) &&
           Fields(leadingBytes(source, kBytes2)).version() != 0;
}

} // namespace
} // namespace nifti

/// Version 1 and 2, one file or a pair of header and image, each plain or as gzip.
const ImageReader& niftiReader() {
    static const ImageReader reader{
        .filter = {"NIfTI", {"nii", "nii.gz"}}, // without "hdr", a usual ending of other headers, too
        .recognises = [](const SourceFile& source) { return nifti::isHeader(nifti::headerOf(source)); },
        .open = [](const SourceFile& source, const ReadOptions& options, PageUse) -> std::unique_ptr<FilePage> {
            return std::make_unique<VolumePage>(source, nifti::layoutOf(nifti::headerOf(source)), options);
        },
        .readsRegions = true};
    return reader;
}

} // namespace pollard
