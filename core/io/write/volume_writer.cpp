#include "io/write/volume_writer.hpp"

#include "base/error.hpp"
#include "io/metadata/fact_text.hpp"
#include "io/metadata/length_units.hpp"
#include "io/write/atomic_file.hpp"
#include "io/write/name_ending.hpp"
#include "io/write/sample_type.hpp"

#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <unistd.h>
#include <utility>
#include <vector>

namespace pollard {

namespace {

static_assert(std::endian::native == std::endian::little, "values are written as they lie in memory");

constexpr const char* kWhat = "cannot write volume";
constexpr std::size_t kPieceBytes = std::size_t{4} << 20U;

/// A file with a plain header and samples that may be a gzip member.
class VoxelFile {
public:
    explicit VoxelFile(const std::filesystem::path& path) : file_(path, kWhat) {}
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

/// The orientation with directions from voxel to voxel.
std::optional<VoxelOrientation> spacedOrientation(const PlaneFacts& facts, const std::optional<PixelSize>& size) {
    if (!facts.orientation || !size || !(size->z > 0)) {
        return std::nullopt;
    }
    VoxelOrientation spaced = *facts.orientation;
    const std::array sides{size->x, size->y, size->z};
    for (std::size_t axis = 0; axis < sides.size(); ++axis) {
        for (double& component : spaced.directions[axis]) {
            component *= sides[axis];
        }
    }
    const double scale = size->x / facts.scene.pixelSize->x; // of the unit
    for (double& coordinate : spaced.origin) {
        coordinate *= scale;
    }
    return spaced;
}

constexpr std::size_t kNiftiBytes = 352; ///< header and the flags of extensions, of which there are none

std::string niftiHeader(const std::filesystem::path& path, const Extent& extent, const SampleType& type,
                        const PlaneFacts& facts) {
    constexpr std::uint32_t kLargest = std::numeric_limits<std::int16_t>::max();
    if (std::max({extent.width, extent.height, extent.slices}) > kLargest) {
        throw Error(ErrorCode::limitExceeded, std::string(kWhat) + ": " + path.string() + ": a side of " +
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
    put(70, type.nifti);
    put(72, static_cast<std::int16_t>(type.bits()));
    real(76, 1);
    real(108, kNiftiBytes);
    real(112, 1);
    const std::optional<PixelSize> size = lengthsOf(facts);
    if (size) {
        real(80, size->x);
        real(84, size->y);
        real(88, extent.isVolume() ? size->z : 1); // 0: unknown
        header[123] = static_cast<char>(size->unit == "m" ? 1 : size->unit == "mm" ? 2 : 3);
    }
    header.replace(148, 7, "Pollard");
    if (const auto spaced = spacedOrientation(facts, size)) {
        put(254, static_cast<std::int16_t>(spaced->code));
        for (std::size_t row = 0; row < 3; ++row) {
            for (std::size_t axis = 0; axis < 3; ++axis) {
                real(280 + 16 * row + 4 * axis, spaced->directions[axis][row]);
            }
            real(292 + 16 * row, spaced->origin[row]);
        }
    }
    header.replace(344, 3, "n+1");
    return header;
}

std::string vectorText(const std::array<double, 3>& vector) {
    return "(" + exactNumber(vector[0]) + "," + exactNumber(vector[1]) + "," + exactNumber(vector[2]) + ")";
}

std::string nrrdHeader(const Extent& extent, const SampleType& type, const PlaneFacts& facts) {
    const int dimension = extent.isVolume() ? 3 : 2;
    const auto forAxes = [dimension](const std::string& word) {
        return " " + word + " " + word + (dimension > 2 ? " " + word : "") + "\n";
    };
    std::string header =
        "NRRD0004\n# Written by Pollard\ntype: " + std::string(type.nrrd) + "\ndimension: " + std::to_string(dimension);
    const std::optional<PixelSize> size = lengthsOf(facts);
    const auto spaced = dimension > 2 ? spacedOrientation(facts, size) : std::nullopt;
    header += spaced ? "\nspace: right-anterior-superior" : "";
    header += "\nsizes: " + std::to_string(extent.width) + " " + std::to_string(extent.height) +
              (dimension > 2 ? " " + std::to_string(extent.slices) : "") +
              "\nkinds:" + forAxes(spaced ? "space" : "domain");
    if (spaced) {
        header += "space directions: " + vectorText(spaced->directions[0]) + " " + vectorText(spaced->directions[1]) +
                  " " + vectorText(spaced->directions[2]) + "\nspace units:" + forAxes("\"" + size->unit + "\"") +
                  "space origin: " + vectorText(spaced->origin) + "\n";
    } else if (size) {
        header += "spacings: " + exactNumber(size->x) + " " + exactNumber(size->y) +
                  (dimension > 2 ? " " + (size->z > 0 ? exactNumber(size->z) : "NaN") : "") +
                  "\nunits:" + forAxes("\"" + size->unit + "\"");
    }
    return header + "endian: little\nencoding: gzip\n\n";
}

/// Writes the header, then the bytes that @p samples passes on piece by piece.
template <class Samples> void writeFile(const std::filesystem::path& path, const Extent& extent, const SampleType& type,
                                        const PlaneFacts& facts, Samples&& samples) {
    if (!isVoxelFile(path)) {
        throw Error(ErrorCode::invalidArgument,
                    std::string(kWhat) + ": " + path.string() + ": the name must end in .nii, .nii.gz or .nrrd");
    }
    const std::string ending = knownEnding(path);
    const bool isNrrd = ending == ".nrrd";
    const std::string header = isNrrd ? nrrdHeader(extent, type, facts) : niftiHeader(path, extent, type, facts);
    VoxelFile file(path);
    if (ending == ".nii.gz") {
        file.zip();
    }
    file.write(header.data(), header.size());
    if (isNrrd) {
        file.zip();
    }
    samples(file);
    file.commit();
}

/// Writes the values of levels as samples of the type T.
template <class T, class Level>
void writeValues(VoxelFile& file, const PixelRows& levels, const PlaneFacts& facts, const JobControl& control) {
    const std::uint64_t all = levels.extent.rows();
    const std::size_t width = levels.extent.width;
    const std::size_t most = std::max<std::size_t>(1, kPieceBytes / sizeof(T) / width);
    std::vector<Level> part;
    std::vector<T> piece;
    for (std::uint64_t first = 0; first < all; first += most) {
        control.throwIfStopped();
        control.report(static_cast<double>(first) / static_cast<double>(all), "writing");
        const auto rows = static_cast<std::uint32_t>(std::min<std::uint64_t>(most, all - first));
        part.resize(rows * width);
        levels.read(first, rows, reinterpret_cast<std::byte*>(part.data()));
        piece.resize(part.size());
        std::ranges::transform(part, piece.begin(), [&](Level level) {
            return static_cast<T>(facts.offset + facts.step * static_cast<double>(level));
        });
        file.write(piece.data(), piece.size() * sizeof(T));
    }
}

/// The first three numbers of a text; nothing if there are fewer.
std::optional<std::array<double, 3>> threeNumbers(std::string_view text) {
    std::array<double, 3> numbers{};
    std::size_t found = 0;
    while (found < numbers.size()) {
        const std::size_t at = text.find_first_of("-0123456789.");
        if (at == std::string_view::npos) {
            return std::nullopt;
        }
        text.remove_prefix(at);
        const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), numbers[found]);
        if (problem != std::errc{}) {
            return std::nullopt;
        }
        text.remove_prefix(static_cast<std::size_t>(end - text.data()));
        ++found;
    }
    return numbers;
}

} // namespace

std::optional<VoxelOrientation> orientationOf(const ImageInfo& info) {
    const auto fact = [&info](std::string_view name) {
        const auto at = std::ranges::find(info.facts, name, &std::pair<std::string, std::string>::first);
        return at == info.facts.end() ? std::string() : at->second;
    };
    // "x to L, y to P, z to S"
    const std::string directions = fact("Axis directions");
    constexpr std::size_t kAxis = 8;
    constexpr std::size_t kLetter = 5;
    auto origin = threeNumbers(fact("Origin"));
    if (directions.size() != 3 * kAxis - 2 || !origin) {
        return std::nullopt; // not stated for three axes, or oblique
    }
    VoxelOrientation orientation;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        constexpr std::string_view kEnds = "RLAPSI";
        const std::size_t end = kEnds.find(directions[axis * kAxis + kLetter]);
        if (end == std::string_view::npos) {
            return std::nullopt;
        }
        orientation.directions[axis][end / 2] = end % 2 == 0 ? 1 : -1;
    }
    // Origins of NIfTI are in the space of this structure; others are in that of the file.
    if (!info.format.starts_with("NIfTI")) {
        const std::string space = fact("Space");
        const bool isLps = info.format == "MetaImage" || info.format == "DICOM" || space == "left-posterior-superior" ||
                           space == "lps";
        if (!isLps && space != "right-anterior-superior" && space != "ras") {
            return std::nullopt;
        }
        for (std::size_t axis = 0; isLps && axis < 2; ++axis) {
            (*origin)[axis] = 0 - (*origin)[axis];
        }
    }
    orientation.origin = *origin;
    for (const char* const name : {"qform code", "sform code"}) {
        const std::string code = fact(name);
        if (!code.empty() && code[0] >= '1' && code[0] <= '9') {
            orientation.code = code[0] - '0';
        }
    }
    return orientation;
}

bool isVoxelFile(const std::filesystem::path& path) {
    const std::string ending = knownEnding(path);
    return ending == ".nii" || ending == ".nii.gz" || ending == ".nrrd";
}

void writeVoxels(const std::filesystem::path& path, const Planes& planes, const JobControl& control) {
    Plane plane = planes.make(0, control);
    const PixelRows& rows = plane.rows;
    if (rows.bits > 32) {
        throw Error(ErrorCode::invalidArgument,
                    std::string(kWhat) + ": " + path.string() + ": labels of 64 bits are not written; write .tif");
    }
    PlaneFacts& facts = plane.facts;
    if (rows.bits == 32) {
        facts.offset = 0;
        facts.step = 1;
    }
    const SampleType& type = rows.bits == 32
                                 ? kUnsigned32
                                 : sampleTypeFor(facts.offset, facts.step,
                                                 static_cast<double>((1U << static_cast<unsigned>(rows.bits)) - 1));
    writeFile(path, rows.extent, type, facts, [&](VoxelFile& file) {
        withTypes(type, rows.bits,
                  [&]<class T, class Level>(T, Level) { writeValues<T, Level>(file, rows, facts, control); });
    });
}

} // namespace pollard
