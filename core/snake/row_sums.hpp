#pragma once

#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "image/image.hpp"
#include "snake/contour/contour.hpp"
#include "snake/region_law.hpp"
#include "snake/row_counts.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace pollard {

/// Prefix sums along all rows of an image or of a part of the image, to sum the pixels left of edges. Sums are stored
/// for every eighth pixel and completed from the pixels in between, which takes 2 bytes per pixel instead of 12 and
/// fewer cache lines.
class RowSums {
public:
    static constexpr std::uint32_t kSpacing = 8; ///< px

    /// Parallel over rows.
    /// @throws Error(limitExceeded) for 2^31 pixels or more, Error(outOfMemory); Cancelled
    explicit RowSums(const std::shared_ptr<const Image>& image, const JobControl& control = {});
    /// Sums over the valid pixels only. If there are invalid pixels, keeps a copy of the image in which they are 0.
    /// @param valid null for all
    /// @throws Error(invalidArgument) if the mask has another size, and as above
    RowSums(const std::shared_ptr<const Image>& image, const Mask* valid, const JobControl& control = {});

    /// Sums over the pixels of a part that are not in gaps. If the part has gaps, keeps a copy of the part in which
    /// their pixels are 0.
    /// @param gaps gapsOf() the image; null for none
    RowSums(std::shared_ptr<const Image> image, std::shared_ptr<const RowCounts> gaps, const PixelRegion& part,
            const JobControl& control);

    /// The invalid pixels; null if there are none. @param valid null for all
    [[nodiscard]] static std::shared_ptr<const RowCounts> gapsOf(const Mask* valid);

    /// @param valid null for all pixels
    /// @throws Error(limitExceeded) for 2^31 pixels or more, Error(invalidArgument) for a mask of another size
    static void requireSummable(const Image& image, const Mask* valid);

    [[nodiscard]] const Image& image() const noexcept { return *image_; }
    [[nodiscard]] const PixelRegion& part() const noexcept { return part_; }
    [[nodiscard]] const RegionSums& total() const noexcept { return total_; } ///< over all valid pixels of the part

    /// Sum over the pixels left of an edge, positive if the edge points down, negative if up; 0 if it is horizontal.
    /// Summed over the edges of a contour that is clockwise on the screen, this is the sum over the pixels with centres
    /// inside; if the contour crosses itself, pixels count by winding number. The number for a single edge also lacks
    /// the invalid pixels left of the part, which cancel out along a contour. O(rows of the edge).
    /// @param from, to px of the image, within the part or on its border
    [[nodiscard]] RegionSums leftOf(ContourNode from, ContourNode to) const noexcept;
    /// Sum over all edges.
    [[nodiscard]] RegionSums inside(const Contour& contour) const noexcept;

private:
    struct Entry {
        std::uint64_t levels;
        std::uint64_t squares;
    };
    template <class Pixel> void sumRows(const JobControl& control);
    template <class Pixel> [[nodiscard]] RegionSums leftOfEdge(ContourNode upper, ContourNode lower) const noexcept;

    std::shared_ptr<const Image> image_;
    PixelRegion part_;
    std::shared_ptr<const RowCounts> gaps_; ///< invalid pixels of the image; null if the part has none
    std::shared_ptr<const Image> levels_;   ///< the image, or a copy of the part with 0 in invalid pixels
    std::size_t firstPixel_ = 0;            ///< of the part in levels_
    std::size_t entriesOfRow_;
    Buffer<Entry> entries_;
    RegionSums total_;
};

} // namespace pollard
