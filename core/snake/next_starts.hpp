#pragma once

#include "image/image.hpp"
#include "image/mask.hpp"
#include "snake/contour/contour.hpp"
#include "snake/snake_spec.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace pollard {

/// The next page: its image, and the evolution for which starts are computed.
struct NextPage {
    const Image& image;
    const Mask* valid = nullptr; ///< pixels that count; null: all
    SnakeSpec spec;
    const Mask* forbidden = nullptr;         ///< pixels that no contour may contain; null: none
    std::optional<std::uint32_t> apart = {}; ///< px around each start, of independent contours; empty: together
};

/// Computes starts on the next page for contours that are followed: the outline of each contour's mask, thinned to
/// nodes SnakeSpec::minLength apart, and moved by the contour's last motion. The motion is the difference between the
/// centroids of its masks on the last two pages, rounded to px, in x and y at most the extent of the mask.
///
/// Candidates are the unmoved start and the starts moved by the motion, by the opposite motion, and by the motion with
/// x or y reversed, which follows an object that turns. They are tried in this order. A candidate replaces the best
/// start so far if, on the next page, its RegionEnergy is smaller and its contrast (difference of the mean levels
/// inside and outside) is at least half as large. Both are measured in the box around both starts, enlarged by the
/// start's extent on each side. The contrast matters because a start on even ground has little energy, and finds
/// nothing. A candidate that reaches beyond the image, contains a forbidden pixel, or meets another start or its part
/// is rejected. A contour whose outline has too few pixels, too many nodes or a forbidden pixel is its own start.
/// @param ends disjoint contours on the last page
/// @param before the same contours on the page before it; empty if there is none
[[nodiscard]] std::vector<Contour> nextStarts(const std::vector<Contour>& ends, const std::vector<Contour>& before,
                                              const NextPage& page);

} // namespace pollard
