#include "image/image.hpp"

#include "base/error.hpp"

#include <cstring>
#include <string>
#include <utility>

namespace pollard {

std::string text(const Extent& extent) {
    return std::to_string(extent.width) + " x " + std::to_string(extent.height) +
           (extent.isVolume() ? " x " + std::to_string(extent.slices) : "") + " px";
}

void requireImage(const Extent& extent, const char* work) {
    if (extent.isVolume()) {
        throw Error(ErrorCode::invalidArgument, std::string(work) + ": works on images, not on volumes (this one has " +
                                                    std::to_string(extent.slices) + " slices)");
    }
}

namespace {

std::size_t checkedBytes(PixelType type, const Extent& extent) {
    const auto [width, height, slices] = extent;
    const std::string size =
        std::to_string(width) + " x " + std::to_string(height) + (slices != 1 ? " x " + std::to_string(slices) : "");
    if (width == 0 || height == 0 || slices == 0) {
        throw Error(ErrorCode::invalidArgument,
                    "image of " + size + " pixels: " + (slices != 1 ? "all" : "both") + " sides must be at least 1");
    }
    const std::uint64_t sliceLimit = Image::kMaxPixels / slices;
    const std::uint64_t pixels = std::uint64_t{width} * height;
    if (pixels > sliceLimit) {
        throw Error(ErrorCode::limitExceeded,
                    "image of " + size + " pixels: more than " + std::to_string(Image::kMaxPixels) + " pixels");
    }
    return extent.pixelCount() * bytesOf(type);
}

Buffer<std::byte> allocate(std::size_t bytes) {
    try {
        return Buffer<std::byte>(bytes);
    } catch (const std::bad_alloc&) {
        throw Error(ErrorCode::outOfMemory, "image: cannot get " + std::to_string(bytes) + " bytes of memory");
    }
}

} // namespace

Image::Image(PixelType type, const Extent& extent)
    : type_(type), extent_(extent), data_(allocate(checkedBytes(type, extent))) {}

Image::Image(PixelType type, const Extent& extent, Buffer<std::byte> pixels)
    : type_(type), extent_(extent), data_(std::move(pixels)) {
    if (const std::size_t bytes = checkedBytes(type, extent); bytes != data_.bytes()) {
        throw Error(ErrorCode::invalidArgument, "image of " + text(extent) + ": " + std::to_string(data_.bytes()) +
                                                    " bytes of pixels instead of " + std::to_string(bytes));
    }
}

Image sliceOf(const Image& volume, std::uint32_t z) {
    Image slice(volume.type(), volume.width(), volume.height());
    std::memcpy(slice.data(), volume.data() + z * slice.bytes(), slice.bytes());
    return slice;
}

} // namespace pollard
