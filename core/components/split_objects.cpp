#include "components/split_objects.hpp"

#include "analysis/maxima.hpp"
#include "analysis/watershed.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"
#include "image/distance_transform.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <new>
#include <string>
#include <vector>

namespace pollard {
namespace {

/// Smallest rise of a maximum above a neck, px.
constexpr double kLeastRise = .75;

std::uint16_t distanceLevel(double distance) {
    return static_cast<std::uint16_t>(std::lround(std::min(distance * kDistanceSteps, 65535.)));
}

bool isPart(const RegionalMaximum& maximum, const ObjectSplit& split) {
    const bool isShape = split.by == SplitBy::shape;
    const double ground = isShape ? 0 : maximum.lowest;
    const double least = isShape ? kLeastRise * kDistanceSteps : 0;
    return maximum.isHighest || (maximum.saddle - ground <= split.strength * (maximum.level - ground) &&
                                 maximum.level - maximum.saddle >= least);
}

void requireSplittable(const TouchingObjects& objects, const ObjectSplit& split) {
    if (!(split.strength >= 0 && split.strength <= 1)) {
        throw Error(ErrorCode::invalidArgument,
                    "split: strength " + exactNumber(split.strength) + ": must be from 0 to 1");
    }
    if (split.by == SplitBy::brightness && (objects.grey == nullptr || objects.grey->extent() != objects.extent)) {
        throw Error(ErrorCode::invalidArgument, "split: by brightness needs a grey image of the size of the objects");
    }
}

} // namespace

std::string_view nameOf(SplitBy by) noexcept { return by == SplitBy::shape ? "shape" : "brightness"; }

Image distanceLevels(const Mask& mask, const Extent& extent, const VoxelSides& sides, const JobControl& control) {
    Image image(PixelType::u16, extent);
    const std::span<std::uint16_t> levels = image.pixels<std::uint16_t>();
    const std::uint32_t slices = extent.slices;
    const auto fill = [&](const auto& found, const auto& distanceOf) {
        forEachIndex(levels.size(), control, [&](std::size_t i) { levels[i] = distanceLevel(distanceOf(found[i])); });
    };
    if (sides == VoxelSides{}) {
        fill(squaredDistances(mask, slices, control),
             [](std::uint32_t squared) { return std::sqrt(static_cast<double>(squared)); });
    } else {
        fill(distances(mask, sides, slices, control), [](double distance) { return distance; });
    }
    return image;
}

Buffer<std::uint32_t> partsOf(const TouchingObjects& objects, const ObjectSplit& split, bool lines,
                              const JobControl& control) {
    requireSplittable(objects, split);
    try {
        const bool isShape = split.by == SplitBy::shape;
        const Image distance =
            isShape ? distanceLevels(objects.mask, objects.extent, objects.sides, control) : Image(PixelType::u8, 1, 1);
        const Image& heights = isShape ? distance : *objects.grey;
        const bool descending = isShape || !objects.dark;
        Buffer<std::uint32_t> seeds(objects.extent.pixelCount());
        std::fill(seeds.begin(), seeds.end(), 0);
        std::uint32_t parts = 0;
        for (const RegionalMaximum& maximum :
             regionalMaxima(heights, &objects.mask, objects.connectivity, descending, control)) {
            if (isPart(maximum, split)) {
                seeds[maximum.pixel] = ++parts;
            }
        }
        return watershed(heights, seeds.span(), &objects.mask, {objects.connectivity, descending, lines}, control);
    } catch (const std::bad_alloc&) {
        throw Error(ErrorCode::outOfMemory, "split: not enough memory for " + text(objects.extent));
    }
}

Mask splitMask(const TouchingObjects& objects, const ObjectSplit& split, const JobControl& control) {
    const Buffer<std::uint32_t> parts = partsOf(objects, split, true, control);
    Mask mask = objects.mask;
    const std::size_t width = mask.width();
    forEachIndex(
        mask.height(), control,
        [&](std::size_t y) {
            for (std::size_t x = 0; x != width; ++x) {
                if (parts[y * width + x] == 0) {
                    mask.set(static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y), false);
                }
            }
        },
        64);
    return mask;
}

} // namespace pollard
