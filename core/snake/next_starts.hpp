#pragma once

#include "image/image.hpp"
#include "image/mask.hpp"
#include "snake/contour/contour.hpp"
#include "snake/snake_spec.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace pollard {

/// Image and evolution that starts are made for.
struct NextPage {
    const Image& image;
    const Mask* valid = nullptr; ///< pixels that count; null: all
    SnakeSpec spec;
    const Mask* forbidden = nullptr;         ///< pixels that no contour may contain; null: none
    std::optional<std::uint32_t> apart = {}; ///< px around each start, of independent contours; empty: together
};

/// Starts on the next page of contours that are followed: the outline of each contour's mask, thinned to nodes
/// SnakeSpec::minLength apart, and moved by the contour's last motion. The motion is the difference between the
/// centroids of its masks on the last two pages, rounded to px, in x and y at most the extent of the mask.
///
/// The starts moved by the motion, by the opposite one and by those with the opposite x or y, as of an object that
/// turns, compete with the unmoved one, in this order. A start replaces the best one so far if its RegionEnergy on the
/// next page is smaller, and its contrast of the mean levels inside and outside is at least half, within the box around
/// both and their extent on each side: a start on even ground has little energy, and finds nothing. One that would
/// reach beyond the image, hold a forbidden pixel, or meet another start or its part is left out. A contour whose
/// outline has too few pixels, too many nodes or a forbidden pixel is its own start.
/// @param ends disjoint contours on the last page
/// @param before the same contours on the page before it; empty if there is none
[[nodiscard]] std::vector<Contour> nextStarts(const std::vector<Contour>& ends, const std::vector<Contour>& before,
                                              const NextPage& page);

} // namespace pollard
