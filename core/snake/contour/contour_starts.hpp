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

/// Largest number of contours that evolve together: each state checks all of them.
inline constexpr std::size_t kMostContours = 256;
/// @throws Error(limitExceeded) for more than kMostContours
void requireFewContours(std::size_t number);

/// Collects outlines, thinned to nodes SnakeSpec::minLength apart; closer if the thinned one would overlap an earlier
/// one.
class ThinnedOutlines {
public:
    ThinnedOutlines(const SnakeSpec& spec, std::uint32_t width, std::uint32_t height);

    /// @throws Error as thinned()
    void add(const Contour& outline);
    [[nodiscard]] std::vector<Contour> take() { return std::move(contours_); }

private:
    SnakeSpec spec_;
    RowCounts taken_; ///< pixels inside earlier contours
    std::vector<Contour> contours_;
};

/// The shapes as polygons of pixel corners.
[[nodiscard]] std::vector<Contour> contoursOf(std::span<const RegionShape> shapes, const SnakeSpec& spec,
                                              std::uint32_t width, std::uint32_t height);

/// Thinned outlines of objects.
/// @param components with labels and records
/// @throws Error as thinned(); Cancelled
[[nodiscard]] std::vector<Contour> outlinesOf(const Components& components, std::span<const std::uint32_t> labels,
                                              const SnakeSpec& spec, const JobControl& control = {});

} // namespace pollard
