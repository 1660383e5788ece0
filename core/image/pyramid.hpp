#pragma once

#include "base/job_control.hpp"
#include "image/image.hpp"
#include "image/mask.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace pollard {

/// How much of every block of an image holds data: the mask itself at level 0, and from level 1 on images of shape
/// (ceil(height / 2^k), ceil(width / 2^k)) of type u8 with 0 (nothing) to 255 (every pixel), each the mean of 2 x 2
/// values of the level before, rounded half up.
class Coverage {
public:
    /// @param levels of the pyramid that it belongs to, at least 1
    /// @throws Error(outOfMemory), Cancelled
    Coverage(std::shared_ptr<const Mask> mask, std::size_t levels, const JobControl& control);

    [[nodiscard]] const Mask& mask() const noexcept { return *mask_; }
    /// @param index 1 to levels - 1
    [[nodiscard]] const Image& level(std::size_t index) const { return levels_.at(index - 1); }
    /// The same for every level: 0 to 255. Pixels beside the image do not exist.
    [[nodiscard]] std::uint8_t at(std::size_t level, std::uint32_t x, std::uint32_t y) const;

private:
    std::shared_ptr<const Mask> mask_;
    std::vector<Image> levels_;
};

/// Ever smaller versions of a grey image, for drawing it shrunk: level 0 is the image, and every pixel of level k + 1
/// is the mean of 2 x 2 pixels of level k, rounded half up; at an odd side the last block is one pixel wide or high.
/// Where a mask leaves pixels out, the mean is weighted by the coverage; blocks without any valid pixel get the plain
/// mean. Ends with the first level whose sides are at most kCoarsestSide. Immutable; a third more memory than the
/// image.
class Pyramid {
public:
    static constexpr std::uint32_t kCoarsestSide = 512; ///< px

    /// Just the image: level 0 is all there is.
    explicit Pyramid(std::shared_ptr<const Image> image) : image_(std::move(image)) {}

    [[nodiscard]] std::size_t levels() const noexcept { return smaller_.size() + 1; }
    /// @param index 0 to levels() - 1
    [[nodiscard]] const Image& level(std::size_t index) const { return index == 0 ? *image_ : smaller_.at(index - 1); }
    [[nodiscard]] const std::shared_ptr<const Image>& image() const noexcept { return image_; }
    /// Null if every pixel holds data.
    [[nodiscard]] const std::shared_ptr<const Coverage>& coverage() const noexcept { return coverage_; }

    /// How many levels an image of this size gets.
    [[nodiscard]] static std::size_t levelsOf(std::uint32_t width, std::uint32_t height) noexcept;

private:
    friend class PyramidPool;

    std::shared_ptr<const Image> image_;
    std::vector<Image> smaller_;
    std::shared_ptr<const Coverage> coverage_;
};

/// Makes pyramids, in parallel on the threads of oneTBB, and uses the memory of those again that nobody holds any more:
/// a person who drags a threshold gets many of the same size in a row. Safe to use from several threads; pyramids may
/// outlive the pool.
class PyramidPool {
public:
    PyramidPool();

    /// @param coverage of a mask of the image's size, with as many levels as levelsOf() says, or null
    /// @throws Error(outOfMemory), Cancelled
    [[nodiscard]] std::shared_ptr<const Pyramid>
    make(std::shared_ptr<const Image> image, std::shared_ptr<const Coverage> coverage, const JobControl& control);

    /// Sets of images that were allocated since construction.
    [[nodiscard]] std::uint64_t allocations() const;

    static constexpr std::size_t kSpare = 2; ///< returned sets that are kept; more are freed

private:
    struct Shelf;
    std::shared_ptr<Shelf> shelf_;
};

} // namespace pollard
