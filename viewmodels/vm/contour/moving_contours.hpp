#pragma once

#include "base/job_control.hpp"
#include "image/image.hpp"
#include "image/mask.hpp"
#include "snake/apart_group.hpp"
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

/// Where contours move.
struct ContourGround {
    std::shared_ptr<const Image> image;
    std::shared_ptr<const Mask> valid; ///< pixels that count; null for all
    std::shared_ptr<KeptSums> sums;    ///< of both
};

/// Contours that evolve each on a part of the image of its own: the box around its start and @p margin px.
[[nodiscard]] ApartSnakesJob apartJob(const ContourGround& ground, const std::vector<Contour>& starts,
                                      const SnakeSpec& spec, std::uint32_t margin,
                                      const std::shared_ptr<const Mask>& forbidden);

/// Several contours that go on state by state: together on one background, or each on a part of its own.
class MovingContours {
public:
    /// @param apart margin of the parts, px; empty: together
    /// @throws as SnakeGroup or ApartGroup
    MovingContours(const ContourGround& ground, const std::vector<Contour>& starts, const SnakeSpec& spec,
                   std::optional<std::uint32_t> apart, const std::shared_ptr<const Mask>& forbidden,
                   const JobControl& control);

    [[nodiscard]] std::size_t size() const noexcept;
    [[nodiscard]] const SnakeState& state(std::size_t i) const noexcept;
    /// Whose state was the last to be accepted.
    [[nodiscard]] std::size_t last() const noexcept;
    /// @return false, and nothing changes, if no contour has another state. @throws Cancelled; then all states stay
    bool advance(const JobControl& control);

private:
    std::variant<SnakeGroup, ApartGroup> group_;
};

} // namespace pollard::vm
