#include "analysis/padded_grid.hpp"

#include "base/error.hpp"

#include <string>

namespace pollard {

void requireInGrid(const char* work, const Image& image, const Mask* inside) {
    if (inside != nullptr && !fits(*inside, image)) {
        throw Error(ErrorCode::invalidArgument,
                    std::string(work) + ": the mask must have the size of the image, " + text(image.extent()));
    }
    if (PaddedGrid(image.extent()).size() > Image::kMaxPixels) {
        throw Error(ErrorCode::limitExceeded, std::string(work) + ": " + text(image.extent()) +
                                                  " with a border are more than " + std::to_string(Image::kMaxPixels) +
                                                  " pixels");
    }
}

} // namespace pollard
