#include "io/write/imagej_roi.hpp"

namespace pollard {

namespace {

constexpr std::size_t kHeaderBytes = 64;
constexpr std::size_t kCompositeAt = 36; ///< offset of the number of floats of a composite region
constexpr std::size_t kPositionAt = 56;  ///< offset of the slice, 0 for all of them
constexpr std::size_t kVersion = 227;

} // namespace

RoiBytes::RoiBytes(RoiType type, const RoiBox& box, std::size_t corners, std::size_t composite) {
    u32(0x496f7574); // "Iout"
    u16(kVersion);
    u16(static_cast<std::size_t>(type) << 8U);
    for (const std::uint32_t side : {box.top, box.left, box.bottom, box.right}) {
        u16(side);
    }
    u16(corners);
    bytes_.resize(kCompositeAt);
    u32(composite);
    bytes_.resize(kHeaderBytes);
}

void RoiBytes::placeInSlice(std::uint32_t slice) {
    for (int i = 0; i < 4; ++i) { // big-endian, 1-based
        bytes_[kPositionAt + static_cast<std::size_t>(i)] =
            static_cast<std::byte>((slice + 1) >> (8 * (3 - i)) & 0xffU);
    }
}

void RoiBytes::number(std::size_t value, int bytes) {
    for (int i = bytes - 1; i >= 0; --i) {
        bytes_.push_back(static_cast<std::byte>(value >> (8 * i) & 0xffU));
    }
}

} // namespace pollard
