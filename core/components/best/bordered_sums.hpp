#pragma once

#include "analysis/ellipse.hpp"
#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "components/best/brightness.hpp"
#include "image/image.hpp"
#include "tree/component_tree.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace pollard {

/// Sums over the pixels of a region and over the sides of its border: the sides between a pixel p in the region and a
/// pixel q outside it. A side has an inner sample, one pixel inside the border (the pixel before p, or p if that is not
/// in the region), and an outer sample, two pixels outside the border (the pixel after q, or q at the edge of the
/// image). Sides on the edge of the image are not counted.
struct BorderedSums {
    PixelSums pixels;
    std::uint64_t grey = 0;  ///< numbers of the pixels, see Brightness
    std::uint64_t sides = 0; ///< of the border
    std::uint64_t inner = 0; ///< numbers of the inner samples
    std::uint64_t outer = 0;

    BorderedSums& operator+=(const BorderedSums& other) noexcept;
    bool operator==(const BorderedSums&) const = default;

    /// Mean over the sides of inner sample - outer sample, as a share of Brightness::kFull.
    [[nodiscard]] double borderContrast() const noexcept;
    /// Mean of the pixels - mean of the outer samples, as a share of Brightness::kFull.
    [[nodiscard]] double contrast() const noexcept;
    /// Mean of the pixels, as a share of Brightness::kFull.
    [[nodiscard]] double mean() const noexcept;
    /// 1 - area / area of the ellipse with the same second moments: 0 for an ellipse, else above 0.
    [[nodiscard]] double misfit() const noexcept;
};

/// Indices of the pixels of a side of a pixel, see BorderedSums.
struct SidePixels {
    std::uint32_t before; ///< the pixel itself at the edge of the image
    std::uint32_t next;
    std::uint32_t after; ///< `next` at the edge of the image
};

/// Calls @p visit(SidePixels) for the sides of a pixel that have a pixel on the other side.
template <class Visit>
void forEachSide(std::uint32_t x, std::uint32_t y, std::uint32_t width, std::uint32_t height, const Visit& visit) {
    const std::uint32_t pixel = y * width + x;
    const auto along = [&](std::uint32_t at, std::uint32_t count, std::uint32_t step) {
        const std::uint32_t back = at == 0 ? pixel : pixel - step;
        const std::uint32_t forth = at + 1 == count ? pixel : pixel + step;
        if (forth != pixel) {
            visit(SidePixels{back, forth, at + 2 >= count ? forth : forth + step});
        }
        if (back != pixel) {
            visit(SidePixels{forth, back, at < 2 ? back : back - step});
        }
    };
    along(x, width, 1);
    along(y, height, width);
}

/// Nodes of a tree that may be objects, and their sums.
struct NodeCandidates {
    std::vector<std::uint32_t> nodes;  ///< ascending, so parents come first
    std::vector<std::uint32_t> parent; ///< the next candidate around, CutForest::kNone for none
    std::vector<BorderedSums> sums;
};

/// Selects nodes with at least @p least and at most @p most pixels; of a chain of nodes without branches only those at
/// least 4 % larger than the one before. O(nodes) for any height.
/// @param own result of countOwnPixels()
/// @throws Error(outOfMemory), Cancelled
[[nodiscard]] NodeCandidates selectCandidates(const ComponentTree& tree, const Buffer<std::uint32_t>& own,
                                              std::uint64_t least, std::uint64_t most, const JobControl& control);

/// Fills `sums`. The border sums are exact: a side between p and q is on the border of the nodes from p's node up to,
/// not including, q's node, so it is added at the first and subtracted at the second; in the nodes above the level of
/// the pixel before p, p takes its place. O(pixels), parallel, independent of the number of threads.
/// @throws Error(outOfMemory), Cancelled
void measureCandidates(NodeCandidates& candidates, const ComponentTree& tree, const Brightness& image,
                       const JobControl& control);

} // namespace pollard
