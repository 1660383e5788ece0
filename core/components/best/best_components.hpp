#pragma once

#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "components/best/best_cut.hpp"
#include "components/best/bordered_sums.hpp"
#include "components/best/brightness.hpp"
#include "image/image.hpp"
#include "tree/component_tree.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace pollard {

/// A pixel that is in an object, or in none, by the choice of a person.
struct BestMark {
    std::uint32_t x = 0;
    std::uint32_t y = 0;
    bool isObject = false;
    std::uint32_t z = 0; ///< slice of a volume

    bool operator==(const BestMark&) const = default;
};
/// The index of its pixel; nothing outside the image.
[[nodiscard]] std::optional<std::size_t> pixelOf(const BestMark& mark, const Extent& image) noexcept;

/// Terms of the expected fit of a region, in the order of the members of BestWeights; the last one is 1.
using BestTerms = std::array<double, 8>;

/// Weights of the terms of the expected fit, whose logit is their weighted sum. The usual ones were fitted to the
/// overlap of candidates with nuclei in grey images of cells, and rounded by hand.
struct BestWeights {
    static constexpr double kMost = 1000; ///< magnitude

    double contrast = .6; ///< of the logarithm of BorderedSums::contrast()
    double border = .2;   ///< of the logarithm of the border contrast
    double relative = .4; ///< of the logarithm of the border contrast / mean
    double misfit = -4;   ///< of the misfit of an ellipse
    double area = .4;     ///< of the logarithm of the area
    double small = -.1;   ///< of the square of the logarithm of area / expected area, of smaller regions
    double large = -.35;  ///< the same, of larger ones
    double constant = 0;

    bool operator==(const BestWeights&) const = default;
};

/// How the best components of an image are chosen.
struct BestChoice {
    static constexpr double kUsualStrictness = 0.35;

    std::optional<double> size;           ///< expected area or voxels of an object, px; unset: estimated
    double strictness = kUsualStrictness; ///< above 0 and below 1: the expected fit that an object costs
    std::vector<BestMark> marks = {};     ///< marks outside the image have no effect
    BestWeights weights = {};

    bool operator==(const BestChoice&) const = default;
};

/// A region of which a choice is not sure.
struct UnsureRegion {
    std::uint32_t region = 0;
    bool isObject = false; ///< by the choice
    double fit = 0;        ///< expected, see BestCandidates::expectedFit()
    std::size_t pixel = 0; ///< of the region, farthest from its border; of several the first one

    bool operator==(const UnsureRegion&) const = default;
};

/// Regions of an image or a volume that may be objects, for repeated choices among them: nodes of the max-tree of its
/// brightness, and parts of candidates that are no ellipse, as alternatives to their nodes. In a volume, scores take
/// the disc whose ball has the volume of a region, with lengths in the smallest side of a voxel: the weights of images
/// hold, and sampling has little influence.
class BestCandidates {
public:
    static constexpr std::uint32_t kLeastArea = 12; ///< px; larger ones have at most a quarter of the image
    static constexpr std::uint32_t kNone = CutForest::kNone;

    /// @param tree max-tree of `image.levels` with 8 neighbours, in a volume 26
    /// @throws Error(invalidArgument) for another tree, Error(outOfMemory); Cancelled
    BestCandidates(const ComponentTree& tree, const Brightness& image, const JobControl& control = {});

    /// Number of regions. The parts of a region come after all nodes.
    [[nodiscard]] std::size_t size() const noexcept { return forest_.size(); }
    [[nodiscard]] const CutForest& forest() const noexcept { return forest_; }
    [[nodiscard]] const BorderedSums& sums(std::size_t region) const noexcept { return sums_[region]; }
    /// Pixels of the smallest candidates: kLeastArea, in a volume also the voxels of the ball of this disc.
    [[nodiscard]] std::uint32_t leastPixels() const noexcept { return least_; }
    /// The area that is expected without a size, px: the median area of the objects that a score without areas
    /// chooses, weighted by their scores. 0 if it chooses none.
    [[nodiscard]] double estimatedSize() const noexcept { return estimatedSize_; }

    /// Terms of the expected fit. @param size expected area or voxels, px
    [[nodiscard]] BestTerms terms(std::size_t region, double size) const;
    /// Expected overlap with an object (intersection over union) from contrast, border contrast, fit of an ellipse and
    /// size: 0 to 1.
    [[nodiscard]] double expectedFit(std::size_t region, double size, const BestWeights& weights = {}) const;
    /// The size of a choice, or the expected one, px.
    [[nodiscard]] double sizeFor(const std::optional<double>& size) const noexcept {
        return size.value_or(std::max<double>(estimatedSize_, least_));
    }

    /// The disjoint regions with the highest sum of expectedFit() - strictness, ascending, see bestCut(): of the
    /// choices without an object at the marks that want none, one with objects at as many of the others as possible.
    /// O(regions), parallel but for the cut, independent of the number of threads; with marks O(pixels) in addition.
    /// @throws Error(invalidArgument) for a size or strictness out of range; as bestCut()
    [[nodiscard]] std::vector<std::uint32_t> choose(const BestChoice& choice, const CutConstraints& constraints = {},
                                                    const JobControl& control = {}) const;

    /// At most @p count regions, first the ones with an expected fit next to the strictness. They are disjoint objects
    /// of the choice and regions that overlap none of its objects, and have no marks. A mark at the pixel of a region
    /// says whether it is an object. O(regions log(regions)).
    /// @throws as choose()
    [[nodiscard]] std::vector<UnsureRegion> leastSure(const BestChoice& choice, std::size_t count,
                                                      const JobControl& control = {}) const;

    /// Per region the largest overlap with an object (intersection over union), 0 to 1. Visits the pixels of each
    /// region, parallel.
    /// @param truth number of the object at each pixel in raster order, 0: none
    /// @throws Error(invalidArgument) for another number of pixels; Cancelled
    [[nodiscard]] std::vector<double> overlaps(std::span<const std::uint32_t> truth,
                                               const JobControl& control = {}) const;

    /// Label image of disjoint regions: 1 .. count in raster order of the first pixels, else 0. O(pixels).
    /// @throws Error(outOfMemory); Cancelled
    [[nodiscard]] LabelImage labels(std::span<const std::uint32_t> regions, const JobControl& control = {}) const;

private:
    /// Where the pixels of a region are.
    struct Place {
        std::uint32_t node = 0; ///< candidate whose pixels they are
        std::uint16_t firstLeaf = 0;
        std::uint16_t lastLeaf = 0; ///< 0: all pixels of the node
    };

    void addParts(const Brightness& image, const JobControl& control);
    [[nodiscard]] std::span<const std::uint32_t> pixelsOf(std::size_t node) const noexcept;
    /// Calls visit(pixel) for the pixels of a region.
    template <class Visit> void forEachPixel(std::size_t region, const Visit& visit) const;
    [[nodiscard]] std::size_t innermostPixel(std::size_t region) const;
    [[nodiscard]] std::vector<std::uint32_t> regionsToSplit() const;
    void addMarks(CutConstraints& constraints, std::span<const BestMark> marks, const JobControl& control) const;

    /// Area of the disc whose ball has the voxels, in the square of the smallest side; in images the area.
    [[nodiscard]] double discOf(double pixels) const;
    [[nodiscard]] double misfitOf(const BorderedSums& sums) const noexcept;
    [[nodiscard]] double fitWithoutSize(const BorderedSums& sums) const;

    Extent extent_;
    double voxel_ = 1; ///< volume of a voxel, in the cube of its smallest side
    std::uint32_t least_ = kLeastArea;
    CutForest forest_;
    std::vector<BorderedSums> sums_;
    std::vector<Place> places_;
    std::vector<std::size_t> starts_; ///< per node: of its pixels, and the end of these
    std::vector<std::size_t> ends_;
    Buffer<std::uint32_t> pixels_;                   ///< of all nodes, by node
    std::vector<std::vector<std::uint16_t>> leaves_; ///< per node: leaf of each of its pixels; empty without parts
    double estimatedSize_ = 0;
};

} // namespace pollard
