#include "image/image.hpp"

#include "base/error.hpp"

#include <string>

namespace pollard {

namespace {

std::size_t checkedBytes(PixelType type, std::uint32_t width, std::uint32_t height) {
    const std::string size = std::to_string(width) + " x " + std::to_string(height);
    if (width == 0 || height == 0) {
        throw Error(ErrorCode::invalidArgument, "image of " + size + " pixels: both sides must be at least 1");
    }
    const std::uint64_t pixels = std::uint64_t{width} * height;
    if (pixels > Image::kMaxPixels) {
        throw Error(ErrorCode::limitExceeded,
                    "image of " + size + " pixels: more than " + std::to_string(Image::kMaxPixels) + " pixels");
    }
    return pixels * bytesOf(type);
}

Buffer<std::byte> allocate(std::size_t bytes) {
    try {
        return Buffer<std::byte>(bytes);
    } catch (const std::bad_alloc&) {
        throw Error(ErrorCode::outOfMemory, "image: cannot get " + std::to_string(bytes) + " bytes of memory");
    }
}

} // namespace

Image::Image(PixelType type, std::uint32_t width, std::uint32_t height)
    : type_(type), width_(width), height_(height), data_(allocate(checkedBytes(type, width, height))) {}

} // namespace pollard
