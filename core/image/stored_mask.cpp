#include "image/stored_mask.hpp"

#include "base/error.hpp"
#include "image/mask_runs.hpp"

#include <algorithm>

namespace pollard {

StoredMask StoredMask::of(const Mask& mask) {
    StoredMask made{mask.width(), mask.height(), {}};
    std::uint64_t end = 0; // of the last set run, in raster order
    for (std::uint32_t y = 0; y < mask.height(); ++y) {
        forEachRun(mask, y, true, [&](std::uint32_t first, std::uint32_t last) {
            const std::uint64_t begin = std::uint64_t{y} * mask.width() + first;
            const std::uint32_t length = last - first;
            if (begin == end && !made.runs.empty()) {
                made.runs.back() += length; // continues from the previous row
            } else {
                made.runs.push_back(static_cast<std::uint32_t>(begin - end));
                made.runs.push_back(length);
            }
            end = begin + length;
        });
    }
    const std::uint64_t pixels = std::uint64_t{mask.width()} * mask.height();
    if (end < pixels) {
        made.runs.push_back(static_cast<std::uint32_t>(pixels - end));
    }
    return made;
}

Mask StoredMask::mask() const {
    std::uint64_t filled = 0;
    for (const std::uint32_t run : runs) {
        filled += run;
    }
    if (filled != std::uint64_t{width} * height) {
        throw Error(ErrorCode::invalidArgument, "mask: the runs have " + std::to_string(filled) + " pixels, not " +
                                                    std::to_string(std::uint64_t{width} * height));
    }
    Mask mask(width, height, false);
    std::uint64_t place = 0;
    bool set = false;
    for (const std::uint32_t run : runs) {
        for (std::uint64_t left = set ? run : 0, at = place; left > 0;) {
            const auto y = static_cast<std::uint32_t>(at / width);
            const auto x = static_cast<std::uint32_t>(at % width);
            const auto length = static_cast<std::uint32_t>(std::min<std::uint64_t>(left, width - x));
            mask.setRun(x, x + length, y, true);
            at += length;
            left -= length;
        }
        place += run;
        set = !set;
    }
    return mask;
}

} // namespace pollard
