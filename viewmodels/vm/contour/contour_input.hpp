#pragma once

#include "base/job_control.hpp"
#include "image/image.hpp"
#include "image/mask.hpp"
#include "snake/row_sums.hpp"

#include <memory>
#include <mutex>

namespace pollard::vm {

/// Sums over the rows of an image's valid pixels, kept for the next run on the same image. Threads that need
/// them at the same time wait for the first one.
class CachedSums {
public:
    [[nodiscard]] std::shared_ptr<const RowSums>
    of(const std::shared_ptr<const Image>& image, const std::shared_ptr<const Mask>& valid, const JobControl& control);

private:
    std::mutex mutex_;
    std::shared_ptr<const RowSums> sums_;
};

/// The image that contours move on.
struct ContourInput {
    std::shared_ptr<const Image> image;
    std::shared_ptr<const Mask> valid; ///< pixels with data; null for all
    std::shared_ptr<CachedSums> sums;  ///< of `image` and `valid`
};

} // namespace pollard::vm
