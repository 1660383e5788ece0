#pragma once

#include "base/error.hpp"
#include "image/extent.hpp"
#include "image/image.hpp"

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

/// The pixels of a picture or volume that need not be in memory, read while they are written.
struct PixelRows {
    Extent extent;
    int bits = 8; ///< per pixel: 8, 16, 32 or 64
    /// Reads rows, counted over all slices, one after another. May throw.
    std::function<void(std::uint64_t first, std::uint32_t count, std::byte* out)> read;
    std::uint64_t largest = 0; ///< value; 0: unknown

    [[nodiscard]] std::size_t rowBytes() const noexcept {
        return std::size_t{extent.width} * static_cast<std::size_t>(bits / 8);
    }
};

/// Calls @p work with a pixel of @p bits.
template <class Work> void withPixel(int bits, Work&& work) {
    switch (bits) {
    case 8:
        return work(std::uint8_t{});
    case 16:
        return work(std::uint16_t{});
    case 32:
        return work(std::uint32_t{});
    default:
        return work(std::uint64_t{});
    }
}

/// Of pixels in memory, which must outlive the result.
[[nodiscard]] inline PixelRows pixelRowsOf(const void* pixels, const Extent& extent, int bits) {
    PixelRows rows{extent, bits, {}};
    rows.read = [from = static_cast<const std::byte*>(pixels),
                 rowBytes = rows.rowBytes()](std::uint64_t first, std::uint32_t count, std::byte* out) {
        std::memcpy(out, from + first * rowBytes, count * rowBytes);
    };
    return rows;
}
[[nodiscard]] inline PixelRows pixelRowsOf(const Image& image) {
    return pixelRowsOf(image.data(), image.extent(), bitsOf(image.type()));
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
    PixelRows rows = pixelRowsOf(values.data(), extent, 32);
    rows.largest = std::ranges::max(values);
    return rows;
}

} // namespace pollard
