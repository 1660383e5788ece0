#include "image/extent.hpp"

#include "base/error.hpp"

namespace pollard {

std::string text(const Extent& extent) {
    return std::to_string(extent.width) + " x " + std::to_string(extent.height) +
           (extent.isVolume() ? " x " + std::to_string(extent.slices) : "") + " px";
}

void requireImage(const Extent& extent, const char* work) {
    if (extent.isVolume()) {
        throw Error(ErrorCode::invalidArgument, std::string(work) +
                                                    ": works on pictures, not on volumes (this one has " +
                                                    std::to_string(extent.slices) + " slices)");
    }
}

} // namespace pollard
