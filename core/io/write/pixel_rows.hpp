#pragma once

#include "base/error.hpp"
#include "image/extent.hpp"
#include "image/image.hpp"
#include "image/value_mapping.hpp"
#include "io/samples/value_levels.hpp"
#include "io/samples/value_rows.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>

namespace pollard {

[[nodiscard]] inline int bitsOf(ValueType type) noexcept { return static_cast<int>(8 * bytesOf(type)); }
[[nodiscard]] constexpr bool isFloat(ValueType type) noexcept {
    return type == ValueType::f32 || type == ValueType::f64;
}
[[nodiscard]] constexpr bool isSigned(ValueType type) noexcept {
    using enum ValueType;
    return type == i8 || type == i16 || type == i32 || type == i64;
}
/// The type of levels that are written as they are.
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

/// The samples of an image or volume that need not be in memory, read while they are written.
struct PixelRows {
    Extent extent;
    ValueType type = ValueType::u8; ///< of a sample; a pixel has one
    /// Reads rows, counted over all slices, one after another. May throw.
    std::function<void(std::uint64_t first, std::uint32_t count, std::byte* out)> read;
    std::uint64_t largest = 0; ///< value; 0: unknown
    bool areLabels = false;    ///< labels or numbers of pixels

    [[nodiscard]] std::size_t rowBytes() const noexcept { return extent.width * bytesOf(type); }
};

/// Of samples in memory, which must outlive the result.
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

/// Of an image that the result keeps.
[[nodiscard]] inline PixelRows ownedRows(std::shared_ptr<const Image> image) {
    PixelRows rows = pixelRowsOf(*image);
    rows.read = [read = std::move(rows.read), image = std::move(image)](std::uint64_t first, std::uint32_t count,
                                                                        std::byte* out) { read(first, count, out); };
    return rows;
}

/// Of masks, labels and numbers of pixels, with the largest value.
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

} // namespace pollard
