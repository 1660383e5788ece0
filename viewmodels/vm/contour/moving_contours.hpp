#pragma once

#include "base/job_control.hpp"
#include "image/image.hpp"
#include "image/mask.hpp"
#include "snake/independent_group.hpp"
#include "snake/row_sums.hpp"
#include "snake/snake_group.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

namespace pollard::vm {

/// Sums over the rows of an image's valid pixels, kept for the next run on the same image. Used by one thread at a
/// time.
class KeptSums {
public:
    [[nodiscard]] std::shared_ptr<const RowSums>
    of(const std::shared_ptr<const Image>& image, const std::shared_ptr<const Mask>& valid, const JobControl& control);

private:
    std::shared_ptr<const RowSums> sums_;
};

/// The image that contours move on.
struct ContourGround {
    std::shared_ptr<const Image> image;
    std::shared_ptr<const Mask> valid; ///< pixels with data; null for all
    std::shared_ptr<KeptSums> sums;    ///< of `image` and `valid`
};

/// Contours that evolve each on its own part of the image: the bounding box of its start and @p margin px.
[[nodiscard]] IndependentSnakesJob independentJob(const ContourGround& ground, const std::vector<Contour>& starts,
                                                  const SnakeSpec& spec, std::uint32_t margin,
                                                  const std::shared_ptr<const Mask>& forbidden);

/// Several contours that advance state by state: together on one background, or each on its own part.
class MovingContours {
public:
    /// @param apart margin of the parts, px; empty: together
    /// @throws as SnakeGroup or IndependentGroup
    MovingContours(const ContourGround& ground, const std::vector<Contour>& starts, const SnakeSpec& spec,
                   std::optional<std::uint32_t> apart, const std::shared_ptr<const Mask>& forbidden,
                   const JobControl& control);

    [[nodiscard]] std::size_t size() const noexcept;
    [[nodiscard]] const SnakeState& state(std::size_t i) const noexcept;
    /// The contour of the last accepted state.
    [[nodiscard]] std::size_t last() const noexcept;
    /// @return false without a change if no contour has a further state. @throws Cancelled; then all states stay
    bool advance(const JobControl& control);

private:
    std::variant<SnakeGroup, IndependentGroup> group_;
};

} // namespace pollard::vm
