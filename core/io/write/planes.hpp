#pragma once

#include "base/error.hpp"
#include "base/job_control.hpp"
#include "image/image.hpp"
#include "image/pyramid.hpp"
#include "image/value_mapping.hpp"
#include "io/image_file.hpp"
#include "io/metadata/scene_description.hpp"
#include "io/samples/row_sink.hpp"
#include "io/samples/value_levels.hpp"
#include "io/volumes/voxel_place.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace pollard {

[[nodiscard]] inline int bitsOf(ValueType type) noexcept { return static_cast<int>(8 * bytesOf(type)); }
[[nodiscard]] constexpr bool isFloat(ValueType type) noexcept {
    return type == ValueType::f32 || type == ValueType::f64;
}
[[nodiscard]] constexpr bool isSigned(ValueType type) noexcept {
    using enum ValueType;
    return type == i8 || type == i16 || type == i32 || type == i64;
}
/// The type of levels that are written unchanged.
[[nodiscard]] constexpr ValueType valueTypeOf(PixelType type) noexcept {
    return type == PixelType::u8 ? ValueType::u8 : ValueType::u16;
}
/// The unsigned type of 8, 16, 32 or 64 bits.
[[nodiscard]] constexpr ValueType unsignedType(int bits) noexcept {
    return bits == 8 ? ValueType::u8 : bits == 16 ? ValueType::u16 : bits == 32 ? ValueType::u32 : ValueType::u64;
}

[[nodiscard]] constexpr ValueType signedType(ValueType type) noexcept {
    using enum ValueType;
    return type == u8 ? i8 : type == u16 ? i16 : type == u32 ? i32 : type == u64 ? i64 : type;
}
[[nodiscard]] constexpr SampleKind kindOf(ValueType type) noexcept {
    return isFloat(type) ? SampleKind::real : isSigned(type) ? SampleKind::signedInteger : SampleKind::unsignedInteger;
}

/// The samples of an image or volume, read while they are written, so that they need not be in memory.
struct PixelRows {
    Extent extent;
    ValueType type = ValueType::u8; ///< of a sample; a pixel has one
    /// Reads rows, counted over all slices, one after another. May throw.
    std::function<void(std::uint64_t first, std::uint32_t count, std::byte* out)> read;
    std::uint64_t largest = 0; ///< value; 0: unknown
    bool areLabels = false;    ///< labels or numbers of pixels

    [[nodiscard]] std::size_t rowBytes() const noexcept { return extent.width * bytesOf(type); }
};

/// Rows of samples in memory, which must outlive the result.
[[nodiscard]] inline PixelRows pixelRowsOf(const void* pixels, const Extent& extent, ValueType type) {
    PixelRows rows{extent, type, {}};
    rows.read = [from = static_cast<const std::byte*>(pixels),
                 rowBytes = rows.rowBytes()](std::uint64_t first, std::uint32_t count, std::byte* out) {
        std::memcpy(out, from + first * rowBytes, count * rowBytes);
    };
    return rows;
}
[[nodiscard]] inline PixelRows pixelRowsOf(const Image& image) {
    return pixelRowsOf(image.data(), image.extent(), valueTypeOf(image.type()));
}

/// Rows of an image; the result keeps the image alive.
[[nodiscard]] inline PixelRows ownedRows(std::shared_ptr<const Image> image) {
    PixelRows rows = pixelRowsOf(*image);
    rows.read = [read = std::move(rows.read), image = std::move(image)](std::uint64_t first, std::uint32_t count,
                                                                        std::byte* out) { read(first, count, out); };
    return rows;
}

/// Rows of a mask, of labels or of numbers of pixels, with the largest value.
[[nodiscard]] inline PixelRows measuredRowsOf(const Image& image) {
    PixelRows rows = pixelRowsOf(image);
    rows.largest =
        dispatch(image.type(), [&]<class T>(T) { return std::uint64_t{std::ranges::max(image.pixels<T>())}; });
    return rows;
}
/// @throws Error(invalidArgument) if there is not one value a pixel
[[nodiscard]] inline PixelRows measuredRowsOf(std::span<const std::uint32_t> values, const Extent& extent) {
    if (values.empty() || values.size() != extent.pixelCount()) {
        throw Error(ErrorCode::invalidArgument,
                    "cannot write: " + std::to_string(values.size()) + " values for " + text(extent));
    }
    PixelRows rows = pixelRowsOf(values.data(), extent, ValueType::u32);
    rows.areLabels = true;
    rows.largest = std::ranges::max(values);
    return rows;
}

/// A table of properties of the objects in a label image.
struct LabelProperties {
    using Value = std::variant<std::monostate, std::int64_t, double, std::string>; ///< none, or of the column's type

    std::vector<std::string> names;    ///< of the columns, without the label
    std::vector<std::uint32_t> labels; ///< of the rows
    std::function<Value(std::size_t column, std::uint32_t label)> value;
};

/// Facts about pixels. A file states the facts that its format can express.
struct PlaneFacts {
    Calibration scale = {}; ///< of the samples; ignored for labels
    /// Number of the sample of pixels without data; NaN for NaN.
    std::optional<double> noData = {};
    /// Smallest and largest value that levels of the source stand for; unset: the ends of the type.
    std::optional<std::pair<double, double>> range = {};
    bool isZarr = false;                         ///< the source is Zarr, in which channels have one scale
    bool isZarr3 = false;                        ///< the source is OME-Zarr 0.5
    bool means = true;                           ///< reduced versions have means; else the first of 2 x 2 pixels
    bool hasGaps = false;                        ///< the source has pixels without data
    std::vector<CopiedTag> carried = {};         ///< resolution and geo tags, for TIFF
    SceneDescription scene = {};                 ///< of the file; in a TIFF from the first plane
    std::optional<VoxelPlace> place = {};        ///< NIfTI leaves out places in spaces without anatomy
    std::optional<SkyHeader> sky = {};           ///< for FITS
    std::optional<VoxelSides> spacing = {};      ///< sides of a voxel in an unknown unit, without a size
    const LabelProperties* properties = nullptr; ///< of labels, for OME-Zarr
};

/// An image or volume, or a channel of one.
struct Plane {
    PixelRows rows;
    PlaneFacts facts = {};
};

/// The planes of a file. Each plane is made when it is written, so that only one is in memory at a time.
struct Planes {
    /// May throw.
    using Make = std::function<Plane(int plane, const JobControl& control)>;

    // NOLINTBEGIN(google-explicit-constructor): a single plane is written like several
    Planes(int number, Make maker) : count(number), make(std::move(maker)) {}
    Planes(Plane plane) : Planes(1, [plane = std::move(plane)](int, const JobControl&) { return plane; }) {}
    Planes(PixelRows rows, PlaneFacts facts = {}) : Planes(Plane{std::move(rows), std::move(facts)}) {}
    Planes(const Image& image, PlaneFacts facts = {}) : Planes(pixelRowsOf(image), std::move(facts)) {}
    // NOLINTEND(google-explicit-constructor)

    int count;
    Make make;
};

/// The names of a type of samples in formats of values.
struct SampleType {
    ValueType type;
    std::int16_t nifti; ///< code of NIfTI-1
    const char* name;   ///< of NRRD and, but for real numbers, Zarr 3
    const char* array;  ///< of NumPy and Zarr 2, little-endian
    const char* meta;   ///< of MetaImage
};
[[nodiscard]] const SampleType& sampleTypeOf(ValueType type) noexcept;

/// Smallest and largest number of a type; rounded for 64-bit integers.
[[nodiscard]] std::pair<double, double> rangeOf(ValueType type) noexcept;

/// Bits of the sample of a type nearest to a number.
[[nodiscard]] std::uint64_t sampleNearest(ValueType type, double number) noexcept;

/// The type of the values offset + step * sample: the type of the samples if they are the values; the smallest of 8-,
/// 16- and 32-bit integers that holds all values if offset and step are whole numbers; else float, or double if float
/// would make different values equal.
[[nodiscard]] ValueType typeOfValues(double offset, double step, ValueType samples) noexcept;

/// A plane whose samples are its values, for formats that state no offset and step.
[[nodiscard]] Plane inValues(Plane plane);

/// Whether a format that only knows NaN can mark the pixels without data: there are none, or the samples are floats
/// with a sample for pixels without data.
[[nodiscard]] bool isMarkedByNan(const Plane& plane) noexcept;
/// A plane of floating-point numbers whose pixels without data are NaN.
[[nodiscard]] Plane withNan(Plane plane);

/// One row of a reduced version: means of the 2 x 2 pixels with data, rounded half up for integers. NaN has no data. A
/// mean that is the sample of pixels without data becomes the first pixel with data.
/// @param upper,lower rows of @p width px; the same row twice if there is no lower one
/// @param noData bits of the sample of pixels without data @param out receives (width + 1) / 2 samples
template <class T> void reduceRow(const T* upper, const T* lower, std::uint32_t width,
                                  const std::optional<std::uint64_t>& noData, T* out) {
    if constexpr (std::is_unsigned_v<T>) {
        if (!noData) {
            halveRow(upper, lower, width, out);
            return;
        }
    }
    const auto hasData = [&](T sample) {
        if constexpr (std::is_floating_point_v<T>) {
            if (std::isnan(sample)) {
                return false;
            }
        }
        return !noData || bitsOfSample(sample) != *noData;
    };
    __extension__ using WholeSum = __int128; // of 64-bit samples
    using Sum = std::conditional_t<std::is_floating_point_v<T>, double, WholeSum>;
    for (std::uint32_t x = 0; x < width; x += 2) {
        Sum sum = 0;
        int count = 0;
        T first = upper[x];
        for (const T* row : {upper, lower}) {
            for (std::uint32_t i = x; i < x + 2; ++i) {
                const T sample = row[std::min(i, width - 1)];
                if (hasData(sample)) {
                    first = count == 0 ? sample : first;
                    sum += static_cast<Sum>(sample);
                    ++count;
                }
            }
        }
        T mean = first;
        if (count > 0) {
            if constexpr (std::is_floating_point_v<T>) {
                mean = static_cast<T>(sum / count);
            } else {
                const Sum twice = 2 * sum + count;
                const Sum half = twice / (2 * count);
                mean = static_cast<T>(half - (twice % (2 * count) < 0 ? 1 : 0));
            }
        }
        *out++ = hasData(mean) ? mean : first;
    }
}

} // namespace pollard
