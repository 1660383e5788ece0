#include "vm/contour/moving_contours.hpp"

#include <utility>

namespace pollard::vm {

namespace {

std::variant<SnakeGroup, IndependentGroup> groupOf(const ContourGround& ground, const std::vector<Contour>& starts,
                                                   const SnakeSpec& spec, std::optional<std::uint32_t> apart,
                                                   const std::shared_ptr<const Mask>& forbidden,
                                                   const JobControl& control) {
    if (apart) {
        return IndependentGroup(independentJob(ground, starts, spec, *apart, forbidden), control);
    }
    return SnakeGroup(ground.sums->of(ground.image, ground.valid, control), starts, spec, forbidden.get());
}

} // namespace

std::shared_ptr<const RowSums> KeptSums::of(const std::shared_ptr<const Image>& image,
                                            const std::shared_ptr<const Mask>& valid, const JobControl& control) {
    if (!sums_ || &sums_->image() != image.get()) {
        sums_.reset();
        sums_ = std::make_shared<const RowSums>(image, valid.get(), control);
    }
    return sums_;
}

IndependentSnakesJob independentJob(const ContourGround& ground, const std::vector<Contour>& starts,
                                    const SnakeSpec& spec, std::uint32_t margin,
                                    const std::shared_ptr<const Mask>& forbidden) {
    IndependentSnakesJob job{ground.image, ground.valid, {}, spec, forbidden, {}};
    for (const Contour& start : starts) {
        job.snakes.push_back({partAround(start, margin, ground.image->width(), ground.image->height()), start});
    }
    return job;
}

MovingContours::MovingContours(const ContourGround& ground, const std::vector<Contour>& starts, const SnakeSpec& spec,
                               std::optional<std::uint32_t> apart, const std::shared_ptr<const Mask>& forbidden,
                               const JobControl& control)
    : group_(groupOf(ground, starts, spec, apart, forbidden, control)) {}

std::size_t MovingContours::size() const noexcept {
    return std::visit([](const auto& group) { return group.size(); }, group_);
}

const SnakeState& MovingContours::state(std::size_t i) const noexcept {
    return std::visit([i](const auto& group) -> const SnakeState& { return group.state(i); }, group_);
}

std::size_t MovingContours::last() const noexcept {
    return std::visit([](const auto& group) { return group.last(); }, group_);
}

bool MovingContours::advance(const JobControl& control) {
    return std::visit([&control](auto& group) { return group.advance(control); }, group_);
}

} // namespace pollard::vm
