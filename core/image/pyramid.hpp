#pragma once

#include "base/job_control.hpp"
#include "image/image.hpp"
#include "image/mask.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace pollard {

/// Share of valid pixels per block of an image: the mask itself at level 0; from level 1 on u8 images of shape
/// (ceil(height / 2^k), ceil(width / 2^k)) with 0 (none) to 255 (all), each the mean of 2 x 2 values of the level
/// below, rounded half up.
class Coverage {
public:
    /// @param levels of the matching pyramid, at least 1
    /// @throws Error(outOfMemory), Cancelled
    Coverage(std::shared_ptr<const Mask> mask, std::size_t levels, const JobControl& control);

    [[nodiscard]] const Mask& mask() const noexcept { return *mask_; }
    /// @param index 1 to levels - 1
    [[nodiscard]] const Image& level(std::size_t index) const { return levels_.at(index - 1); }
    /// Coverage 0 to 255 at any level. Pixels outside the image do not count.
    [[nodiscard]] std::uint8_t at(std::size_t level, std::uint32_t x, std::uint32_t y) const;

private:
    std::shared_ptr<const Mask> mask_;
    std::vector<Image> levels_;
};

/// Reduced versions of a grey image for drawing: level 0 is the image, and every pixel of level k + 1 is the mean of 2
/// x 2 pixels of level k, rounded half up; at an odd side the last block is one pixel wide or high. With a mask the
/// means are weighted by coverage; blocks without valid pixels get the plain mean. The last level is the first with
/// sides of at most kCoarsestSide. Immutable; takes a third more memory than the image.
class Pyramid {
public:
    static constexpr std::uint32_t kCoarsestSide = 512; ///< px

    /// A pyramid of level 0 only.
    explicit Pyramid(std::shared_ptr<const Image> image) : image_(std::move(image)) {}

    [[nodiscard]] std::size_t levels() const noexcept { return smaller_.size() + 1; }
    /// @param index 0 to levels() - 1
    [[nodiscard]] const Image& level(std::size_t index) const { return index == 0 ? *image_ : smaller_.at(index - 1); }
    [[nodiscard]] const std::shared_ptr<const Image>& image() const noexcept { return image_; }
    /// Null if every pixel has data.
    [[nodiscard]] const std::shared_ptr<const Coverage>& coverage() const noexcept { return coverage_; }

    /// Number of levels for an image of this size.
    [[nodiscard]] static std::size_t levelsOf(std::uint32_t width, std::uint32_t height) noexcept;

private:
    friend class PyramidPool;

    std::shared_ptr<const Image> image_;
    std::vector<Image> smaller_;
    std::shared_ptr<const Coverage> coverage_;
};

/// Builds pyramids, in parallel on oneTBB's threads, and reuses the memory of released ones, because dragging a
/// threshold makes many pyramids of one size. Thread-safe; pyramids may outlive the pool.
class PyramidPool {
public:
    PyramidPool();

    /// @param coverage of a mask of the image's size with levelsOf() levels, or null
    /// @throws Error(outOfMemory), Cancelled
    [[nodiscard]] std::shared_ptr<const Pyramid>
    make(std::shared_ptr<const Image> image, std::shared_ptr<const Coverage> coverage, const JobControl& control);

    /// Number of sets of levels allocated since construction.
    [[nodiscard]] std::uint64_t allocations() const;

    static constexpr std::size_t kSpare = 2; ///< number of released sets to keep; others are freed

private:
    struct Shelf;
    std::shared_ptr<Shelf> shelf_;
};

class Coverage;

// One step of a pyramid: every pixel of `to` is the mean of a block of 2 x 2 pixels of the source, fewer at the end of
// an odd side. `to` has half the source's sides, rounded up. Parallel over rows. @throws Cancelled, with `to`
// incomplete.

/// One row of means, rounded half up, of 8, 16, 32 or 64 bits.
/// @param upper,lower rows of the source of @p width px; the same row twice if there is no lower one
/// @param out receives (width + 1) / 2 values; must not overlap the rows of the source
template <class T> void halveRow(const T* upper, const T* lower, std::uint32_t width, T* out) noexcept;

/// Means, rounded half up; both images have the same type.
void halve(const Image& from, Image& to, const JobControl& control);

/// Share of the pixels that are in the mask, 0 to 255, rounded half up; @p to has type u8.
void halveMask(const Mask& from, Image& to, const JobControl& control);

/// Means weighted by the coverage of the pixels of @p from, which is level @p level of the pyramid, rounded half up;
/// plain means if nothing is covered.
void halveWeighted(const Image& from, const Coverage& coverage, std::size_t level, Image& to,
                   const JobControl& control);

} // namespace pollard
