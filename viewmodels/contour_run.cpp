#include "contour_run.hpp"

#include <chrono>

namespace pollard::vm {

std::shared_ptr<const RowSums> KeptSums::of(const std::shared_ptr<const Image>& image,
                                            const std::shared_ptr<const Mask>& valid, const JobControl& control) {
    if (!sums_ || &sums_->image() != image.get()) {
        sums_.reset();
        sums_ = std::make_shared<const RowSums>(image, valid.get(), control);
    }
    return sums_;
}

SnakeStretch advanceSome(SnakeRun& snake, int most, const JobControl& control) {
    constexpr std::chrono::milliseconds kLongest{15}; // a frame of the window
    const auto end = std::chrono::steady_clock::now() + kLongest;
    SnakeStretch stretch;
    try {
        while (static_cast<int>(stretch.states.size()) < most) {
            if (!snake.advance(control)) {
                stretch.finished = true;
                break;
            }
            stretch.states.push_back(snake.state());
            if (std::chrono::steady_clock::now() >= end) {
                break;
            }
        }
    } catch (const Cancelled&) { // the states so far are the snake's
        return stretch;
    }
    return stretch;
}

} // namespace pollard::vm
