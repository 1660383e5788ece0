#pragma once

#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "image/image.hpp"
#include "snake/contour/contour.hpp"
#include "snake/region_sums.hpp"
#include "snake/row_counts.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

namespace pollard {

/// Sums over the beginnings of all rows of an image, for the sums to the left of edges: kept for every eighth pixel and
/// completed from the pixels between, which takes 2 bytes a pixel instead of 12 and fewer lines of the cache.
class RowSums {
public:
    static constexpr std::uint32_t kSpacing = 8; ///< px

    /// Parallel over rows.
    /// @throws Error(limitExceeded) for 2^31 pixels or more, Error(outOfMemory); Cancelled
    explicit RowSums(std::shared_ptr<const Image> image, const JobControl& control = {});
    /// Of the valid pixels alone: the others are in no sum and no number. Where there are some, a copy of the image is
    /// kept, in which they are 0.
    /// @param valid null for all
    /// @throws Error(invalidArgument) if the mask has another size, and as above
    RowSums(std::shared_ptr<const Image> image, const Mask* valid, const JobControl& control = {});

    /// @param valid null for all pixels
    /// @throws Error(limitExceeded) for 2^31 pixels or more, Error(invalidArgument) for a mask of another size
    static void requireSummable(const Image& image, const Mask* valid);

    /// Bytes that the sums of an image take, all of whose pixels are valid.
    [[nodiscard]] static std::uint64_t estimateBytes(std::uint32_t width, std::uint32_t height) noexcept;

    [[nodiscard]] const Image& image() const noexcept { return *image_; }
    [[nodiscard]] const RegionSums& total() const noexcept { return total_; } ///< of all valid pixels

    /// Pixels to the left of an edge, positive if it goes down and negative if it goes up; nothing of a horizontal one.
    /// The sum over the edges of a contour that turns clockwise as seen is that over the pixels whose centres lie
    /// inside; where it crosses itself, pixels count as often as it goes round them. O(rows of the edge).
    /// @param from, to within 0..width, 0..height
    [[nodiscard]] RegionSums leftOf(ContourNode from, ContourNode to) const noexcept;
    /// The sum over all edges.
    [[nodiscard]] RegionSums inside(const Contour& contour) const noexcept;

private:
    struct Entry {
        std::uint64_t levels;
        std::uint64_t squares;
    };
    template <class Pixel> void sumRows(const JobControl& control);
    template <class Pixel> [[nodiscard]] RegionSums leftOfEdge(ContourNode upper, ContourNode lower) const noexcept;

    std::shared_ptr<const Image> image_;
    std::shared_ptr<const Image> levels_; ///< 0 where there are gaps, else the image itself
    std::optional<RowCounts> gaps_;       ///< pixels that are not valid
    std::size_t entriesOfRow_;
    Buffer<Entry> entries_;
    RegionSums total_;
};

} // namespace pollard
