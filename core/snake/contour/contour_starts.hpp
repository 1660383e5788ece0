#pragma once

#include "base/job_control.hpp"
#include "components/components.hpp"
#include "image/mask.hpp"
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

/// Simplifies a polygon: starting at the first node, a node stays if its distance from the previous kept node is at
/// least @p spacing px along x or y. If the result crosses itself, has fewer than three nodes or changes the area by
/// more than a fourth, the spacing is halved, down to 1, which returns the polygon itself.
/// @param ring a simple polygon
/// @param mostNodes largest number of nodes of the result
/// @throws Error(invalidArgument) if no simple polygon of at most @p mostNodes nodes is found
[[nodiscard]] Contour thinned(const Contour& ring, std::uint32_t spacing, std::size_t mostNodes);

/// A shape as a polygon of pixel corners: corners are rounded to the nearest one, ellipses have a node about every
/// @p spacing px. Equal neighbouring nodes are merged.
[[nodiscard]] Contour contourOf(const RegionShape& shape, std::uint32_t spacing, std::uint32_t width,
                                std::uint32_t height);

/// Outline of the set pixels along the edges of pixels, without holes. If there are several parts (disjoint, or joined
/// at corners), the outline with the largest area inside. Nodes are only at turns.
/// @param offset of the mask in the image, px
/// @throws Error(invalidArgument) for an empty mask; Cancelled
[[nodiscard]] Contour outlineOf(const Mask& mask, ContourNode offset, const JobControl& control = {});

/// @throws Error(invalidArgument) that names the forbidden area
[[noreturn]] void refuseOverlap();

/// The largest part of a contour without the pixels of a mask. An area of the mask within the contour is joined to its
/// border by a cut 1 px wide. The result is thinned() only so far that it contains no pixel of the mask. A contour
/// without such pixels is returned unchanged.
/// @param contour within the mask's width and height
/// @throws Error(invalidArgument) if less than SnakeSpec::minPixels are left, or the mask has too many areas within the
/// contour; Error as thinned(); Cancelled
[[nodiscard]] Contour withoutPixels(const Contour& contour, const Mask& taken, const SnakeSpec& spec,
                                    const JobControl& control = {});

/// Largest number of contours that evolve together; the time per state grows with their number.
inline constexpr std::size_t kMostContours = 256;
/// @throws Error(limitExceeded) for more than kMostContours
void requireFewContours(std::size_t number);

/// Collects outlines, thinned to nodes SnakeSpec::minLength apart, or less if a thinned outline would overlap an
/// earlier one.
class ThinnedOutlines {
public:
    ThinnedOutlines(const SnakeSpec& spec, std::uint32_t width, std::uint32_t height);

    /// @throws Error as thinned()
    void add(const Contour& outline);
    /// Adds a contour without thinning it.
    void addUnthinned(Contour contour);
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
