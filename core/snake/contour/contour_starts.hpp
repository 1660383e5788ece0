#pragma once

#include "base/job_control.hpp"
#include "components/components.hpp"
#include "image/region_shape.hpp"
#include "snake/contour/contour.hpp"
#include "snake/row_counts.hpp"
#include "snake/snake_spec.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace pollard {

/// More that evolve together are refused: every state asks all contours.
inline constexpr std::size_t kMostContours = 256;
/// @throws Error(limitExceeded) for more than kMostContours
void requireFewContours(std::size_t number);

/// Outlines that are thinned one after another to nodes SnakeSpec::minLength apart; closer where thinned ones would
/// hold the same pixels as one before.
class ThinnedOutlines {
public:
    ThinnedOutlines(const SnakeSpec& spec, std::uint32_t width, std::uint32_t height);

    /// @throws Error as thinned()
    void add(const Contour& outline);
    [[nodiscard]] std::vector<Contour> take() { return std::move(contours_); }

private:
    SnakeSpec spec_;
    RowCounts taken_; ///< by those before
    std::vector<Contour> contours_;
};

/// The shapes as polygons on the corners of pixels.
[[nodiscard]] std::vector<Contour> contoursOf(std::span<const RegionShape> shapes, const SnakeSpec& spec,
                                              std::uint32_t width, std::uint32_t height);

/// The outlines of objects, thinned.
/// @param components with labels and records
/// @throws Error as thinned(); Cancelled
[[nodiscard]] std::vector<Contour> outlinesOf(const Components& components, std::span<const std::uint32_t> labels,
                                              const SnakeSpec& spec, const JobControl& control = {});

} // namespace pollard
