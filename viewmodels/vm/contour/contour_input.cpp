#include "vm/contour/contour_input.hpp"

namespace pollard::vm {

std::shared_ptr<const RowSums> CachedSums::of(const std::shared_ptr<const Image>& image,
                                              const std::shared_ptr<const Mask>& valid, const JobControl& control) {
    const std::scoped_lock lock(mutex_);
    if (!sums_ || &sums_->image() != image.get()) {
        sums_.reset();
        sums_ = std::make_shared<const RowSums>(image, valid.get(), control);
    }
    return sums_;
}

} // namespace pollard::vm
