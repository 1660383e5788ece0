#include "components/best/best_components.hpp"

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"
#include "components/best/shape_parts.hpp"
#include "components/best/smoothing.hpp"
#include "image/distance_transform.hpp"
#include "image/mask.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>

namespace pollard {

namespace {

constexpr double kScoreSteps = 0x1p40; ///< per unit of a score, so that sums are exact
constexpr double kEllipse = 0.015;     ///< misfit of regions that are not split
constexpr double kSplitStep = 1.04;    ///< of areas of split regions within each other, which bounds the work
constexpr double kLeastContrast = 0.003;
constexpr double kLeastRelative = 0.005;

double logistic(double x) { return 1 / (1 + std::exp(-x)); }

/// Terms of the scores.
struct Terms {
    double area;
    double contrast;
    double border;   ///< logarithm of the border contrast
    double relative; ///< logarithm of the border contrast / mean
    double misfit;

    /// @param disc area
    Terms(const BorderedSums& sums, double disc, double misfitOfEllipse)
        : area(std::log(disc)), contrast(std::log(std::max(sums.contrast(), kLeastContrast))),
          border(std::log(std::max(sums.borderContrast(), kLeastContrast))), relative(relativeOf(sums)),
          misfit(misfitOfEllipse) {}

private:
    [[nodiscard]] static double relativeOf(const BorderedSums& sums) {
        constexpr double kLeastMean = 1. / 250;
        return std::log(std::max(sums.borderContrast() / std::max(sums.mean(), kLeastMean), kLeastRelative));
    }
};

/// Scores of all regions in whole numbers. @param fitOf(region)
template <class Fit> std::vector<std::int64_t> scoresOf(std::size_t regions, double strictness,
                                                        const JobControl& control, const Fit& fitOf) {
    std::vector<std::int64_t> scores(regions);
    forEachIndex(regions, control,
                 [&](std::size_t i) { scores[i] = std::llround((fitOf(i) - strictness) * kScoreSteps); });
    return scores;
}

/// The median area of regions, weighted by their scores.
double weightedMedian(std::span<const std::uint32_t> regions, std::span<const BorderedSums> sums,
                      std::span<const std::int64_t> scores) {
    std::vector<std::pair<std::uint64_t, std::int64_t>> areas;
    std::int64_t total = 0;
    for (const std::uint32_t region : regions) {
        areas.emplace_back(sums[region].pixels.area, scores[region]);
        total += scores[region];
    }
    std::ranges::sort(areas);
    std::int64_t before = 0;
    for (const auto& [area, score] : areas) {
        before += score;
        if (2 * before >= total) {
            return static_cast<double>(area);
        }
    }
    return 0;
}

} // namespace

std::optional<std::size_t> pixelOf(const BestMark& mark, const Extent& image) noexcept {
    if (mark.x >= image.width || mark.y >= image.height || mark.z >= image.slices) {
        return std::nullopt;
    }
    return mark.z * image.slicePixels() + std::size_t{mark.y} * image.width + mark.x;
}

BestCandidates::BestCandidates(const ComponentTree& tree, const Brightness& image, const JobControl& control)
    : extent_(tree.extent()) {
    if (tree.kind != TreeKind::max || tree.extent() != image.levels.extent() ||
        tree.connectivity != correspondingConnectivity(extent_, Connectivity::eight)) {
        throw Error(ErrorCode::invalidArgument,
                    "best components: need the max-tree of the image with 8 neighbours, of a volume with 26");
    }
    if (extent_.isVolume()) {
        constexpr double kBall = 31.3; // 4/3 pi (kLeastArea / pi)^1.5
        voxel_ = inSmallestSide(image.levels.sides()).volume();
        least_ = std::max(kLeastArea, static_cast<std::uint32_t>(std::ceil(kBall / voxel_)));
    }
    const Buffer<std::uint32_t> own = countOwnPixels(tree, control);
    NodeCandidates found = selectCandidates(tree, own, least_, tree.pixelCount() / 4, control);
    measureCandidates(found, tree, image, control);
    PixelList list = listPixels(tree, own, control);
    for (const std::uint32_t node : found.nodes) {
        starts_.push_back(list.start[node]);
        ends_.push_back(list.start[tree.subtreeEnd[node]]);
        places_.push_back({static_cast<std::uint32_t>(places_.size())});
    }
    pixels_ = std::move(list.pixels);
    forest_.parent = std::move(found.parent);
    forest_.isPart.assign(forest_.parent.size(), 0);
    sums_ = std::move(found.sums);
    addParts(image, control);

    constexpr double kFirstStrictness = .3;
    const std::vector<std::int64_t> scores =
        scoresOf(size(), kFirstStrictness, control, [&](std::size_t region) { return fitWithoutSize(sums_[region]); });
    estimatedSize_ = weightedMedian(bestCut(forest_, scores, {}, control), sums_, scores);
}

double BestCandidates::discOf(double pixels) const {
    if (!extent_.isVolume()) {
        return pixels;
    }
    const double radius = std::cbrt(pixels * voxel_ * 3 / (4 * std::numbers::pi));
    return std::numbers::pi * radius * radius;
}

double BestCandidates::misfitOf(const BorderedSums& sums) const noexcept {
    return extent_.isVolume() ? sums.misfitInVolume() : sums.misfit();
}

double BestCandidates::fitWithoutSize(const BorderedSums& sums) const {
    const Terms x(sums, discOf(static_cast<double>(sums.pixels.area)), misfitOf(sums));
    return logistic(.9 + .5 * x.contrast + .9 * x.border - 7 * x.misfit + .3 * x.area);
}

BestTerms BestCandidates::terms(std::size_t region, double size) const {
    const BorderedSums& sums = sums_[region];
    const Terms x(sums, discOf(static_cast<double>(sums.pixels.area)), misfitOf(sums));
    const double z = x.area - std::log(discOf(size));
    return {x.contrast, x.border, x.relative, x.misfit, x.area, z < 0 ? z * z : 0, z < 0 ? 0 : z * z, 1};
}

double BestCandidates::expectedFit(std::size_t region, double size, const BestWeights& weights) const {
    const BorderedSums& sums = sums_[region];
    const Terms x(sums, discOf(static_cast<double>(sums.pixels.area)), misfitOf(sums));
    const double z = x.area - std::log(discOf(size));
    return logistic(weights.contrast * x.contrast + weights.border * x.border + weights.relative * x.relative +
                    weights.misfit * x.misfit + weights.area * x.area +
                    (z < 0 ? weights.small : weights.large) * z * z + weights.constant);
}

std::span<const std::uint32_t> BestCandidates::pixelsOf(std::size_t node) const noexcept {
    return pixels_.span().subspan(starts_[node], ends_[node] - starts_[node]);
}

template <class Visit> void BestCandidates::forEachPixel(std::size_t region, const Visit& visit) const {
    const Place& place = places_[region];
    const std::span<const std::uint32_t> pixels = pixelsOf(place.node);
    const std::vector<std::uint16_t>& leaves = leaves_[place.node];
    for (std::size_t i = 0; i < pixels.size(); ++i) {
        if (place.lastLeaf == 0 || (leaves[i] >= place.firstLeaf && leaves[i] < place.lastLeaf)) {
            visit(pixels[i]);
        }
    }
}

std::vector<std::uint32_t> BestCandidates::regionsToSplit() const {
    const std::size_t n = size();
    std::vector<std::uint32_t> within(n); // candidates
    std::vector<double> highest(n);       // border contrast of a single candidate within
    std::vector<std::uint64_t> split(n);  // area of the largest split region within
    std::vector<std::uint32_t> found;
    for (std::size_t i = n; i-- > 0;) {
        const BorderedSums& sums = sums_[i];
        const double contrast = sums.borderContrast();
        const std::uint32_t parent = forest_.parent[i];
        const bool isHighest = (parent == kNone || sums_[parent].borderContrast() <= contrast) &&
                               (within[i] != 1 || highest[i] < contrast);
        if (isHighest && sums.pixels.area >= std::uint64_t{2} * least_ && misfitOf(sums) > kEllipse &&
            static_cast<double>(sums.pixels.area) >= kSplitStep * static_cast<double>(split[i])) {
            found.push_back(static_cast<std::uint32_t>(i));
            split[i] = sums.pixels.area;
        }
        if (parent != kNone) {
            ++within[parent];
            highest[parent] = contrast;
            split[parent] = std::max(split[parent], split[i]);
        }
    }
    std::ranges::reverse(found);
    return found;
}

void BestCandidates::addParts(const Brightness& image, const JobControl& control) {
    const std::vector<std::uint32_t> regions = regionsToSplit();
    std::vector<ShapeParts> found(regions.size());
    forEachIndex(
        regions.size(), control,
        [&](std::size_t i) { found[i] = splitByShape(pixelsOf(regions[i]), image, least_, control); }, 1);
    leaves_.resize(size());
    for (std::size_t i = 0; i < regions.size(); ++i) {
        const auto first = static_cast<std::uint32_t>(size());
        for (const ShapeParts::Part& part : found[i].parts) {
            forest_.parent.push_back(part.parent == kNone ? regions[i] : first + part.parent);
            forest_.isPart.push_back(1);
            sums_.push_back(part.sums);
            places_.push_back({regions[i], part.firstLeaf, part.lastLeaf});
        }
        leaves_[regions[i]] = std::move(found[i].leaves);
    }
}

std::vector<std::uint32_t> BestCandidates::choose(const BestChoice& choice, const CutConstraints& constraints,
                                                  const JobControl& control) const {
    if (choice.size && !(*choice.size > 0 && std::isfinite(*choice.size))) {
        throw Error(ErrorCode::invalidArgument, "best components: the size must be above 0");
    }
    if (!(choice.strictness > 0 && choice.strictness < 1)) {
        throw Error(ErrorCode::invalidArgument, "best components: the strictness must be above 0 and below 1");
    }
    const double expected = sizeFor(choice.size);
    const std::vector<std::int64_t> scores = scoresOf(size(), choice.strictness, control, [&](std::size_t region) {
        return expectedFit(region, expected, choice.weights);
    });
    if (choice.marks.empty()) {
        return bestCut(forest_, scores, constraints, control);
    }
    CutConstraints all = constraints;
    addMarks(all, choice.marks, control);
    return bestCut(forest_, scores, all, control);
}

void BestCandidates::addMarks(CutConstraints& constraints, std::span<const BestMark> marks,
                              const JobControl& control) const {
    std::vector<bool> wanted(pixels_.size()); // by object or no object
    std::vector<bool> isMarked(pixels_.size());
    for (const BestMark& mark : marks) {
        if (const auto pixel = pixelOf(mark, extent_)) {
            isMarked[*pixel] = true;
            wanted[*pixel] = mark.isObject;
        }
    }
    std::vector<std::size_t> found; // of marked pixels in the list, ascending
    for (std::size_t i = 0; i < pixels_.size(); ++i) {
        if (isMarked[pixels_[i]]) {
            found.push_back(i);
        }
    }
    control.throwIfStopped();
    for (std::size_t region = 0; region < size(); ++region) {
        const Place& place = places_[region];
        std::uint32_t forced = 0;
        bool isForbidden = false;
        for (auto i = std::ranges::lower_bound(found, starts_[place.node]); i != found.end() && *i < ends_[place.node];
             ++i) {
            const std::size_t leaf = place.lastLeaf == 0 ? 0 : leaves_[place.node][*i - starts_[place.node]];
            if (place.lastLeaf == 0 || (leaf >= place.firstLeaf && leaf < place.lastLeaf)) {
                forced += wanted[pixels_[*i]] ? 1 : 0;
                isForbidden = isForbidden || !wanted[pixels_[*i]];
            }
        }
        if (isForbidden) {
            constraints.forbidden.push_back(static_cast<std::uint32_t>(region));
        } else {
            constraints.forced.insert(constraints.forced.end(), forced, static_cast<std::uint32_t>(region));
        }
    }
}

std::size_t BestCandidates::innermostPixel(std::size_t region) const {
    Voxel low{extent_.width, extent_.height, extent_.slices};
    Voxel high{};
    forEachPixel(region, [&](std::uint32_t pixel) {
        const Voxel at = voxelAt(pixel, extent_);
        low = {std::min(low.x, at.x), std::min(low.y, at.y), std::min(low.z, at.z)};
        high = {std::max(high.x, at.x), std::max(high.y, at.y), std::max(high.z, at.z)};
    });
    const std::uint32_t margin = extent_.isVolume() ? 1 : 0; // of slices; one pixel around in each slice
    const Extent box{high.x - low.x + 3, high.y - low.y + 3, high.z - low.z + 1 + 2 * margin};
    Mask mask(box.width, box.height * box.slices, false);
    const auto placeOf = [&](std::uint32_t pixel) {
        const Voxel at = voxelAt(pixel, extent_);
        return Voxel{at.x - low.x + 1, at.y - low.y + 1, at.z - low.z + margin};
    };
    forEachPixel(region, [&](std::uint32_t pixel) {
        const Voxel at = placeOf(pixel);
        mask.set(at.x, at.z * box.height + at.y, true);
    });
    const Buffer<std::uint32_t> squares = squaredDistances(mask, box.slices);
    std::pair<std::uint32_t, std::uint32_t> best{0, 0}; // square of the distance, complement of the pixel
    forEachPixel(region, [&](std::uint32_t pixel) {
        const Voxel at = placeOf(pixel);
        const std::size_t place = (std::size_t{at.z} * box.height + at.y) * box.width + at.x;
        best = std::max(best, {squares[place], ~pixel});
    });
    return ~best.second;
}

std::vector<UnsureRegion> BestCandidates::leastSure(const BestChoice& choice, std::size_t count,
                                                    const JobControl& control) const {
    const std::vector<std::uint32_t> chosen = choose(choice, {}, control);
    const double expected = sizeFor(choice.size);
    std::vector<UnsureRegion> regions;
    const auto add = [&](std::span<const std::uint32_t> from, bool areObjects) {
        for (const std::uint32_t region : from) {
            regions.push_back({region, areObjects, expectedFit(region, expected, choice.weights), 0});
        }
    };
    add(chosen, true);
    add(regionsBeside(forest_, chosen), false);
    std::ranges::sort(regions, {}, [&](const UnsureRegion& each) {
        return std::pair(std::abs(each.fit - choice.strictness), each.region);
    });
    std::set<std::size_t> marked;
    for (const BestMark& mark : choice.marks) {
        if (const auto pixel = pixelOf(mark, extent_)) {
            marked.insert(*pixel);
        }
    }
    std::vector<bool> isTaken(extent_.pixelCount());
    std::vector<UnsureRegion> nearest;
    for (UnsureRegion& each : regions) {
        if (nearest.size() == count) {
            break;
        }
        control.throwIfStopped();
        bool isApart = true;
        forEachPixel(each.region,
                     [&](std::uint32_t pixel) { isApart = isApart && !isTaken[pixel] && !marked.contains(pixel); });
        if (isApart) {
            forEachPixel(each.region, [&](std::uint32_t pixel) { isTaken[pixel] = true; });
            each.pixel = innermostPixel(each.region);
            nearest.push_back(each);
        }
    }
    return nearest;
}

std::vector<double> BestCandidates::overlaps(std::span<const std::uint32_t> truth, const JobControl& control) const {
    if (truth.size() != pixels_.size()) {
        throw Error(ErrorCode::invalidArgument, "best components: the true objects have " +
                                                    std::to_string(truth.size()) + " pixels, the image " +
                                                    std::to_string(pixels_.size()));
    }
    std::unordered_map<std::uint32_t, std::uint32_t> areas;
    for (const std::uint32_t object : truth) {
        ++areas[object];
    }
    std::vector<double> overlaps(size());
    forEachIndex(
        size(), control,
        [&](std::size_t region) {
            std::unordered_map<std::uint32_t, std::uint32_t> common;
            forEachPixel(region, [&](std::uint32_t pixel) { ++common[truth[pixel]]; });
            for (const auto& [object, pixels] : common) {
                const std::uint64_t joined = sums_[region].pixels.area + areas.at(object) - pixels;
                overlaps[region] = std::max(
                    overlaps[region], object == 0 ? 0 : static_cast<double>(pixels) / static_cast<double>(joined));
            }
        },
        1);
    return overlaps;
}

LabelImage BestCandidates::labels(std::span<const std::uint32_t> regions, const JobControl& control) const {
    const std::size_t n = extent_.pixelCount();
    LabelImage image{Buffer<std::uint32_t>(n), extent_.width, extent_.height,
                     static_cast<std::uint32_t>(regions.size()), extent_.slices};
    forEachIndex(n, control, [&](std::size_t i) { image.labels[i] = 0; });
    std::vector<std::pair<std::uint32_t, std::uint32_t>> first(regions.size()); // pixel, region
    forEachIndex(
        regions.size(), control,
        [&](std::size_t i) {
            first[i] = {CutForest::kNone, regions[i]};
            forEachPixel(regions[i], [&](std::uint32_t pixel) { first[i].first = std::min(first[i].first, pixel); });
        },
        1);
    std::ranges::sort(first);
    forEachIndex(
        first.size(), control,
        [&](std::size_t i) {
            forEachPixel(first[i].second,
                         [&](std::uint32_t pixel) { image.labels[pixel] = static_cast<std::uint32_t>(i + 1); });
        },
        1);
    return image;
}

} // namespace pollard
