#include "io/write/volume_writer.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "io/metadata/length_units.hpp"
#include "io/samples/value_levels.hpp"
#include "io/volumes/voxel_place.hpp"
#include "io/write/atomic_file.hpp"
#include "io/write/planes.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <unistd.h>
#include <utility>
#include <vector>
#include <zlib.h>

namespace pollard {

namespace {

static_assert(std::endian::native == std::endian::little, "values are written as they lie in memory");

constexpr const char* kWriteVolume = "cannot write volume";
constexpr std::size_t kPieceBytes = std::size_t{4} << 20U;

/// A file with a plain header and samples that may be a gzip member.
class VoxelFile {
public:
    explicit VoxelFile(const std::filesystem::path& path) : file_(path, kWriteVolume) {}
    ~VoxelFile() {
        if (zip_ != nullptr) {
            gzclose(zip_);
        }
    }
    VoxelFile(const VoxelFile&) = delete;
    VoxelFile& operator=(const VoxelFile&) = delete;

    /// Starts a gzip member.
    void zip() {
        constexpr const char* kMode = "wb3"; // most of the compression of the highest level in a part of its time
        const int descriptor = file_.duplicateDescriptor();
        zip_ = gzdopen(descriptor, kMode);
        if (zip_ == nullptr) {
            ::close(descriptor);
            file_.fail("not enough memory");
        }
    }
    void write(const void* data, std::size_t bytes) {
        errno = 0;
        if (zip_ == nullptr) {
            file_.writeAll(data, bytes);
        } else if (gzwrite(zip_, data, static_cast<unsigned>(bytes)) != static_cast<int>(bytes)) {
            file_.fail(errno != 0 ? std::strerror(errno) : "the data could not be compressed");
        }
    }
    void commit() {
        errno = 0;
        if (zip_ != nullptr && gzclose(std::exchange(zip_, nullptr)) != Z_OK) {
            file_.fail(errno != 0 ? std::strerror(errno) : "the data could not be compressed");
        }
        file_.commit();
    }

private:
    AtomicFile file_;
    gzFile zip_ = nullptr;
};

/// The size in a unit of both formats; nothing for sizes that are no lengths of the scene.
std::optional<PixelSize> lengthsOf(const PlaneFacts& facts) {
    if (!facts.scene.pixelSize || facts.scene.pixelSize->print) {
        return std::nullopt;
    }
    PixelSize size = *facts.scene.pixelSize;
    if (size.unit == "mm" || size.unit == "m") {
        return size;
    }
    const std::optional<double> micrometres = micrometresOf(size.unit);
    if (!micrometres) {
        return std::nullopt;
    }
    for (double* const side : {&size.x, &size.y, &size.z}) {
        *side *= *micrometres;
    }
    size.unit = "um";
    return size;
}

double lengthOfStep(const VoxelPlace& place, std::size_t axis) { return lengthOf(place.map.steps[axis]); }

/// Replaces the sides of a voxel in the maps by a size that the user set.
void setSides(VoxelPlace& place, const PixelSize& size) {
    const std::array sides{size.x, size.y, size.z};
    for (std::size_t axis = 0; axis < sides.size(); ++axis) {
        const double scale = sides[axis] > 0 ? sides[axis] / lengthOfStep(place, axis) : 1;
        for (double& component : place.map.steps[axis]) {
            component *= scale;
        }
        if (place.rotation && sides[axis] > 0) {
            place.rotation->sides[axis] = sides[axis];
        }
    }
}

/// The place in the unit of the size that is written.
std::optional<VoxelPlace> placeIn(const PlaneFacts& facts, const std::optional<PixelSize>& written) {
    std::optional<VoxelPlace> place = facts.place;
    if (!place || !written) {
        return place;
    }
    const std::optional<double> from = micrometresOf(place->unit);
    const std::optional<double> to = micrometresOf(written->unit);
    const double factor = from && to ? *from / *to : 1;
    if (factor != 1) {
        const auto scale = [factor](auto& lengths) {
            for (double& length : lengths) {
                length *= factor;
            }
        };
        std::ranges::for_each(place->map.steps, scale);
        scale(place->map.origin);
        if (place->rotation) {
            scale(place->rotation->sides);
            scale(place->rotation->origin);
        }
    }
    if (facts.scene.pixelSize->source == kSetByHand || facts.scene.pixelSize->source == kSetForFolder) {
        setSides(*place, *written);
    }
    return place;
}

/// Sides of a voxel from the size, the place or the spacing; 0 if unknown.
std::array<double, 3> sidesOf(const PlaneFacts& facts, const std::optional<PixelSize>& size,
                              const std::optional<VoxelPlace>& place) {
    std::array<double, 3> sides{};
    if (size) {
        sides = {size->x, size->y, size->z};
    } else if (facts.spacing) {
        sides = {facts.spacing->x, facts.spacing->y, facts.spacing->z};
    }
    for (std::size_t axis = 0; place && axis < sides.size(); ++axis) {
        sides[axis] = sides[axis] > 0 ? sides[axis] : lengthOfStep(*place, axis);
    }
    return sides;
}

constexpr std::size_t kNiftiBytes = 352; ///< header and the flags of extensions, of which there are none

std::string niftiHeader(const std::filesystem::path& path, const Extent& extent, ValueType type,
                        const PlaneFacts& facts) {
    constexpr std::uint32_t kLargest = std::numeric_limits<std::int16_t>::max();
    if (std::max({extent.width, extent.height, extent.slices}) > kLargest) {
        throw Error(ErrorCode::limitExceeded, std::string(kWriteVolume) + ": " + path.string() + ": a side of " +
                                                  text(extent) +
                                                  " is longer than the 32,767 of NIfTI-1; write .nrrd or .tif");
    }
    std::string header(kNiftiBytes, '\0');
    const auto put = [&header](std::size_t place, auto value) { std::memcpy(&header[place], &value, sizeof value); };
    const auto real = [&put](std::size_t place, double value) { put(place, static_cast<float>(value)); };
    put(0, std::int32_t{348});
    for (std::size_t i = 1; i < 8; ++i) {
        put(40 + 2 * i, std::int16_t{1});
        real(76 + 4 * i, 1);
    }
    put(40, std::int16_t{3});
    put(42, static_cast<std::int16_t>(extent.width));
    put(44, static_cast<std::int16_t>(extent.height));
    put(46, static_cast<std::int16_t>(extent.slices));
    put(70, sampleTypeOf(type).nifti);
    put(72, static_cast<std::int16_t>(bitsOf(type)));
    real(76, 1);
    real(108, kNiftiBytes);
    real(112, facts.scale.slope);
    real(116, facts.scale.intercept);
    const std::optional<PixelSize> size = lengthsOf(facts);
    auto place = placeIn(facts, size);
    place = place && place->isAnatomical ? place : std::nullopt;
    if (const auto sides = sidesOf(facts, size, place); sides[0] > 0) {
        real(80, sides[0]);
        real(84, sides[1]);
        real(88, sides[2] > 0 || extent.isVolume() ? sides[2] : 1); // 0: unknown
    }
    if (size) {
        header[123] = static_cast<char>(size->unit == "m" ? 1 : size->unit == "mm" ? 2 : 3);
    }
    header.replace(148, 7, "Pollard");
    if (place && place->rotation) {
        const VoxelRotation& rotation = *place->rotation;
        put(252, static_cast<std::int16_t>(rotation.code));
        real(76, rotation.handed);
        for (std::size_t i = 0; i < 3; ++i) {
            real(256 + 4 * i, rotation.quaternion[i]);
            real(268 + 4 * i, rotation.origin[i]);
        }
    }
    if (place && place->code > 0) {
        put(254, static_cast<std::int16_t>(place->code));
        for (std::size_t row = 0; row < 3; ++row) {
            for (std::size_t axis = 0; axis < 3; ++axis) {
                real(280 + 16 * row + 4 * axis, place->map.steps[axis][row]);
            }
            real(292 + 16 * row, place->map.origin[row]);
        }
    }
    header.replace(344, 3, "n+1");
    return header;
}

/// Whether a unit can stand in a line of a header.
bool isLine(const std::string& unit) { return !unit.empty() && unit.find_first_of("\r\n\"") == std::string::npos; }

std::string vectorText(const std::array<double, 3>& vector) {
    return "(" + exactNumber(vector[0]) + "," + exactNumber(vector[1]) + "," + exactNumber(vector[2]) + ")";
}

/// The line of a space of NRRD; turns the map from right-anterior-superior into it.
std::string spaceLine(VoxelPlace& place) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kAnatomical{
        {{"RAS", kRasSpace}, {"LAS", "left-anterior-superior"}, {"LPS", "left-posterior-superior"}}};
    constexpr std::array<std::string_view, 3> kOthers{"scanner-xyz", "3d-right-handed", "3d-left-handed"};
    if (place.isAnatomical) {
        const std::string letters = anatomicalLetters(place.space).value_or("RAS");
        const auto* named = std::ranges::find(kAnatomical, letters, &decltype(kAnatomical)::value_type::first);
        named = named == kAnatomical.end() ? kAnatomical.begin() : named;
        turnSpace(place.map, named->first);
        return "space: " + std::string(named->second);
    }
    const auto* const named = std::ranges::find_if(kOthers, [&](std::string_view each) {
        return place.space == each || place.space == std::string(each) + "-time";
    });
    return named == kOthers.end() ? "space dimension: 3" : "space: " + std::string(*named);
}

/// The fields of a place. @param unit empty: unknown
std::string placeFields(const VoxelPlace& place, const std::string& unit) {
    const auto& steps = place.map.steps;
    const std::string quoted = '"' + unit + '"';
    return "space directions: " + vectorText(steps[0]) + " " + vectorText(steps[1]) + " " + vectorText(steps[2]) +
           (unit.empty() ? "" : "\nspace units: " + quoted + " " + quoted + " " + quoted) +
           "\nspace origin: " + vectorText(place.map.origin) + "\n";
}

std::string nrrdHeader(const Extent& extent, ValueType type, const PlaneFacts& facts) {
    const std::optional<PixelSize> size = lengthsOf(facts);
    std::optional<VoxelPlace> place = placeIn(facts, size);
    const int dimension = extent.isVolume() || place ? 3 : 2;
    const auto forAxes = [dimension](const std::string& word) {
        return " " + word + " " + word + (dimension > 2 ? " " + word : "") + "\n";
    };
    std::string header = "NRRD0004\n# Written by Pollard\ntype: " + std::string(sampleTypeOf(type).name) +
                         "\ndimension: " + std::to_string(dimension);
    header += place ? "\n" + spaceLine(*place) : "";
    header += "\nsizes: " + std::to_string(extent.width) + " " + std::to_string(extent.height) +
              (dimension > 2 ? " " + std::to_string(extent.slices) : "") +
              "\nkinds:" + forAxes(place ? "space" : "domain");
    const auto sides = sidesOf(facts, size, {});
    if (place) {
        header += placeFields(*place, size ? size->unit : "");
    } else if (sides[0] > 0) {
        header += "spacings: " + exactNumber(sides[0]) + " " + exactNumber(sides[1]) +
                  (dimension > 2 ? " " + (sides[2] > 0 ? exactNumber(sides[2]) : "NaN") : "") + "\n" +
                  (size ? "units:" + forAxes("\"" + size->unit + "\"") : "");
    }
    if (isLine(facts.scale.unit)) {
        header += "sample units: \"" + facts.scale.unit + "\"\n";
    }
    return header + "endian: little\nencoding: gzip\n\n";
}

/// The orientation as ITK names it: the sides from which the axes come.
std::string anatomyOf(const VoxelMap& map) {
    constexpr std::array<std::string_view, 3> kFrom{"RL", "AP", "IS"};
    std::string letters;
    for (const auto& step : map.steps) {
        const auto* const largest = std::ranges::max_element(step, {}, [](double part) { return std::abs(part); });
        const auto axis = static_cast<std::size_t>(std::distance(step.begin(), largest));
        letters += kFrom[axis][*largest < 0 ? 1 : 0];
    }
    return letters;
}

std::string metaImageHeader(const Extent& extent, ValueType type, const PlaneFacts& facts) {
    const std::optional<PixelSize> size = lengthsOf(facts);
    auto place = placeIn(facts, size);
    place = place && place->isAnatomical ? place : std::nullopt;
    const std::size_t dimension = extent.isVolume() || place ? 3 : 2;
    const auto numbers = [dimension](const auto& values) {
        std::string text;
        for (std::size_t i = 0; i < dimension; ++i) {
            text += " " + exactNumber(static_cast<double>(values[i]));
        }
        return text + "\n";
    };
    std::string header = "ObjectType = Image\nNDims = " + std::to_string(dimension) +
                         "\nBinaryData = True\nBinaryDataByteOrderMSB = False\nCompressedData = False\n";
    const auto sides = sidesOf(facts, size, place);
    if (place) {
        turnSpace(place->map, "LPS");
        header += "TransformMatrix =";
        for (std::size_t axis = 0; axis < dimension; ++axis) {
            const double length = lengthOfStep(*place, axis);
            auto direction = place->map.steps[axis];
            std::ranges::for_each(direction, [length](double& part) { part /= length > 0 ? length : 1; });
            const std::string text = numbers(direction);
            header += text.substr(0, text.size() - 1);
        }
        header += "\nOffset =" + numbers(place->map.origin) +
                  "CenterOfRotation = 0 0 0\nAnatomicalOrientation = " + anatomyOf(place->map) + "\n";
    }
    if (sides[0] > 0) {
        header += "ElementSpacing =" + numbers(std::array{sides[0], sides[1], sides[2] > 0 ? sides[2] : 1}) +
                  (size ? "DistanceUnits = " + size->unit + "\n" : "");
    }
    if (!facts.scale.isIdentity()) {
        header += "ElementToIntensityFunctionSlope = " + exactNumber(facts.scale.slope) +
                  "\nElementToIntensityFunctionOffset = " + exactNumber(facts.scale.intercept) + "\n";
    }
    return header + "DimSize =" + numbers(std::array{extent.width, extent.height, extent.slices}) +
           "ElementType = " + sampleTypeOf(type).meta + "\nElementDataFile = LOCAL\n";
}

/// Writes the samples as they lie in memory.
void writeSamples(VoxelFile& file, const PixelRows& rows, const JobControl& control) {
    const std::uint64_t all = rows.extent.rows();
    const std::size_t most = std::max<std::size_t>(1, kPieceBytes / rows.rowBytes());
    std::vector<std::byte> piece;
    for (std::uint64_t first = 0; first < all; first += most) {
        control.throwIfStopped();
        control.report(static_cast<double>(first) / static_cast<double>(all), "writing");
        const auto count = static_cast<std::uint32_t>(std::min<std::uint64_t>(most, all - first));
        piece.resize(count * rows.rowBytes());
        rows.read(first, count, piece.data());
        file.write(piece.data(), piece.size());
    }
}

bool isNifti(const std::string& ending) { return ending == ".nii" || ending == ".nii.gz"; }

/// Converts a plane for the format: NRRD states no offset and step, NIfTI only as floats.
Plane planeFor(const std::string& ending, Plane plane) {
    plane = withNan(std::move(plane));
    PlaneFacts& facts = plane.facts;
    if (plane.rows.areLabels) {
        facts.scale = {1, 0, facts.scale.unit};
    }
    const auto isFloat32 = [](double number) { return double{static_cast<float>(number)} == number; };
    const bool holdsScale =
        ending == ".mha" || (isNifti(ending) && isFloat32(facts.scale.intercept) && isFloat32(facts.scale.slope));
    return holdsScale ? plane : inValues(std::move(plane));
}

} // namespace

bool isVoxelFile(const std::filesystem::path& path) {
    const std::string ending = knownEnding(path);
    return isNifti(ending) || ending == ".nrrd" || ending == ".mha";
}

void writeVoxels(const std::filesystem::path& path, const Planes& planes, const JobControl& control) {
    if (!isVoxelFile(path)) {
        throw Error(ErrorCode::invalidArgument, std::string(kWriteVolume) + ": " + path.string() +
                                                    ": the name must end in .nii, .nii.gz, .nrrd or .mha");
    }
    const std::string ending = knownEnding(path);
    const Plane plane = planeFor(ending, planes.make(0, control));
    const PixelRows& rows = plane.rows;
    const std::string header = ending == ".nrrd"  ? nrrdHeader(rows.extent, rows.type, plane.facts)
                               : ending == ".mha" ? metaImageHeader(rows.extent, rows.type, plane.facts)
                                                  : niftiHeader(path, rows.extent, rows.type, plane.facts);
    VoxelFile file(path);
    if (ending == ".nii.gz") {
        file.zip();
    }
    file.write(header.data(), header.size());
    if (ending == ".nrrd") {
        file.zip();
    }
    writeSamples(file, rows, control);
    file.commit();
}

namespace {

constexpr const char* kWriteFits = "cannot write FITS";
constexpr std::size_t kBlock = 2880;
constexpr std::size_t kCard = 80;

std::string card(std::string key, const std::string& value) {
    constexpr std::size_t kKey = 8;
    constexpr std::size_t kEnd = 30; // of a number
    key.resize(kKey, ' ');
    const std::size_t pad = key.size() + 2 + value.size() < kEnd ? kEnd - key.size() - 2 - value.size() : 0;
    std::string line = key + "= " + (value.front() == '\'' ? value : std::string(pad, ' ') + value);
    line.resize(kCard, ' ');
    return line;
}

std::string realText(double number) {
    std::string text = exactNumber(number);
    std::ranges::replace(text, 'e', 'E');
    return text.find_first_of(".E") == std::string::npos ? text + ".0" : text;
}

/// A text of printable ASCII characters in quotes; empty if it is none or too long.
std::string quoted(const std::string& text) {
    constexpr std::size_t kMost = 60;
    const auto isPlain = [](char letter) { return letter >= ' ' && letter <= '~' && letter != '\''; };
    if (text.empty() || text.size() > kMost || !std::ranges::all_of(text, isPlain)) {
        return {};
    }
    return '\'' + text + std::string(text.size() < kCard / 10 ? kCard / 10 - text.size() : 0, ' ') + '\'';
}

/// The number that is subtracted from samples of types that FITS does not have.
double zeroOf(ValueType type) {
    const bool isShifted = type == ValueType::i8 || (!isFloat(type) && !isSigned(type) && type != ValueType::u8);
    return !isShifted ? 0 : std::ldexp(type == ValueType::i8 ? -1.0 : 1.0, bitsOf(type) - 1);
}

std::string headerOf(const PixelRows& rows, const PlaneFacts& facts) {
    const bool isVolume = rows.extent.isVolume();
    const int bits = isFloat(rows.type) ? -bitsOf(rows.type) : bitsOf(rows.type);
    std::string header = card("SIMPLE", "T") + card("BITPIX", std::to_string(bits)) +
                         card("NAXIS", isVolume ? "3" : "2") + card("NAXIS1", std::to_string(rows.extent.width)) +
                         card("NAXIS2", std::to_string(rows.extent.height));
    if (isVolume) {
        header += card("NAXIS3", std::to_string(rows.extent.slices));
    }
    const double zero = zeroOf(rows.type);
    const double offset = facts.scale.valueOf(zero);
    if (offset != 0 || facts.scale.slope != 1) {
        // Unsigned integers by convention; a real number would be one of another type.
        const bool isWhole = facts.scale.slope == 1 && offset == zero && std::abs(zero) < std::ldexp(1.0, 63);
        header += card("BSCALE", facts.scale.slope == 1 ? "1" : realText(facts.scale.slope)) +
                  card("BZERO", isWhole ? std::to_string(static_cast<std::int64_t>(offset))
                                : offset == zero && facts.scale.slope == 1 ? "9223372036854775808"
                                                                           : realText(offset));
    }
    if (facts.noData && !isFloat(rows.type)) {
        header += card("BLANK", std::to_string(static_cast<std::int64_t>(*facts.noData - zero)));
    }
    if (const std::string unit = quoted(facts.scale.unit); !unit.empty()) {
        header += card("BUNIT", unit);
    }
    if (facts.sky) {
        for (std::string line : facts.sky->cardsFor(rows.extent.height)) {
            line.resize(kCard, ' ');
            header += line;
        }
    }
    header += "END";
    header.resize((header.size() + kBlock - 1) / kBlock * kBlock, ' ');
    return header;
}

/// Converts samples to the form in the file: most significant byte first.
template <class T> void toFile(std::vector<std::byte>& bytes, bool isShifted) {
    for (std::size_t at = 0; at < bytes.size(); at += sizeof(T)) {
        std::reverse(bytes.begin() + static_cast<std::ptrdiff_t>(at),
                     bytes.begin() + static_cast<std::ptrdiff_t>(at + sizeof(T)));
        if (isShifted) {
            bytes[at] ^= std::byte{0x80}; // half of the range is subtracted
        }
    }
}

} // namespace

bool isFitsFile(const std::filesystem::path& path) {
    const std::string ending = knownEnding(path);
    return ending == ".fits" || ending == ".fit" || ending == ".fts";
}

void writeFits(const std::filesystem::path& path, const Planes& planes, const JobControl& control) {
    const Plane plane = withNan(planes.make(0, control));
    const PixelRows& rows = plane.rows;
    AtomicFile file(path, kWriteFits);
    const std::string header = headerOf(rows, plane.facts);
    file.writeAll(header.data(), header.size());
    const Extent& extent = rows.extent;
    const auto most =
        static_cast<std::uint32_t>(std::clamp<std::size_t>(kPieceBytes / rows.rowBytes(), 1, extent.height));
    const bool isShifted = zeroOf(rows.type) != 0;
    std::vector<std::byte> piece;
    std::uint64_t bytes = 0;
    for (std::uint32_t z = 0; z < extent.slices; ++z) {
        for (std::uint32_t end = extent.height; end > 0;) { // the last row comes first
            control.throwIfStopped();
            control.report(static_cast<double>(bytes) / static_cast<double>(extent.rows() * rows.rowBytes()),
                           "writing");
            const std::uint32_t count = std::min(most, end);
            end -= count;
            piece.resize(count * rows.rowBytes());
            rows.read(std::uint64_t{z} * extent.height + end, count, piece.data());
            for (std::uint32_t y = 0; y < count / 2; ++y) {
                const auto upper = piece.begin() + static_cast<std::ptrdiff_t>(y * rows.rowBytes());
                std::swap_ranges(upper, upper + static_cast<std::ptrdiff_t>(rows.rowBytes()),
                                 piece.begin() + static_cast<std::ptrdiff_t>((count - 1 - y) * rows.rowBytes()));
            }
            dispatch(rows.type, [&]<class T>(T) { toFile<T>(piece, isShifted); });
            file.writeAll(piece.data(), piece.size());
            bytes += piece.size();
        }
    }
    const std::vector<std::byte> rest((kBlock - bytes % kBlock) % kBlock);
    file.writeAll(rest.data(), rest.size());
    file.commit();
}

} // namespace pollard
