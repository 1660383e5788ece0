#pragma once

#include "attributes/attribute.hpp"
#include "attributes/node_box.hpp"
#include "base/wide_integer.hpp"

#include <algorithm>
#include <cstdint>

namespace pollard::cuda {

/// Whether sums of an order over all pixels fit 64-bit signed integers (see MomentSums).
[[nodiscard]] inline bool fits64Bits(std::uint32_t width, std::uint32_t height, int order) noexcept {
    UInt128 bound = UInt128{width} * height;
    for (int i = 0; i < order; ++i) {
        bound *= std::max(width, height); // below 2^128: 32 bits times three factors of 32 bits
    }
    return bound >> 63 == 0;
}

/// Attributes grouped by the data that dominate their cost.
enum class MeasureFamily : std::uint8_t {
    area,
    boxes,
    levels,
    information,
    peaks,
    moments,
    thirdMoments,
    outlines,
    structure,
    stability,
    survivors
};

[[nodiscard]] inline MeasureFamily familyOf(AttributeId id) noexcept {
    switch (id) {
    case AttributeId::area:
        return MeasureFamily::area;
    case AttributeId::width:
    case AttributeId::heightPx:
    case AttributeId::bboxArea:
    case AttributeId::bboxDiagonal:
    case AttributeId::rectangularity:
        return MeasureFamily::boxes;
    case AttributeId::level:
    case AttributeId::contrast:
    case AttributeId::volume:
    case AttributeId::sum:
    case AttributeId::mean:
    case AttributeId::variance:
        return MeasureFamily::levels;
    case AttributeId::entropy:
        return MeasureFamily::information;
    case AttributeId::height:
    case AttributeId::dynamics:
        return MeasureFamily::peaks;
    case AttributeId::extinctionArea:
    case AttributeId::extinctionVolume:
        return MeasureFamily::survivors;
    case AttributeId::centroidX:
    case AttributeId::centroidY:
    case AttributeId::inertia:
    case AttributeId::major:
    case AttributeId::minor:
    case AttributeId::elongation:
    case AttributeId::orientation:
    case AttributeId::eccentricity:
    case AttributeId::hu1:
    case AttributeId::hu2:
        return MeasureFamily::moments;
    case AttributeId::hu3:
    case AttributeId::hu4:
    case AttributeId::hu5:
    case AttributeId::hu6:
    case AttributeId::hu7:
        return MeasureFamily::thirdMoments;
    case AttributeId::perimeter:
    case AttributeId::circularity:
    case AttributeId::euler:
    case AttributeId::holes:
        return MeasureFamily::outlines;
    case AttributeId::border:
    case AttributeId::depth:
    case AttributeId::children:
    case AttributeId::descendants:
    case AttributeId::leaves:
        return MeasureFamily::structure;
    case AttributeId::stability:
        return MeasureFamily::stability;
    }
    return MeasureFamily::area;
}

/// Name of the stage that an attribute's time is recorded as.
[[nodiscard]] inline const char* stageOf(AttributeId id) noexcept {
    switch (familyOf(id)) {
    case MeasureFamily::area:
        break;
    case MeasureFamily::boxes:
        return "boxes";
    case MeasureFamily::levels:
        return "levels";
    case MeasureFamily::information:
        return "information";
    case MeasureFamily::peaks:
        return "peaks";
    case MeasureFamily::moments:
        return "moments";
    case MeasureFamily::thirdMoments:
        return "third moments";
    case MeasureFamily::outlines:
        return "outlines";
    case MeasureFamily::structure:
        return "structure";
    case MeasureFamily::stability:
        return "stability";
    case MeasureFamily::survivors:
        return "survivors";
    }
    return "area";
}

/// Third powers of coordinates below this fit 64 bits.
inline constexpr std::uint32_t kMostForThirdMoments = 1U << 21U;

/// From this many pixels on, the entropy's sums exceed their two words (see EntropyOf).
inline constexpr std::uint64_t kMostForEntropy = std::uint64_t{1} << 31U;

/// Whether NodeMeasures measures an attribute of images of this size. Exceptions are moments of images some million
/// pixels long, whose sums of order 2 or third powers exceed 64 bits, and the entropy of 2^31 px or more.
[[nodiscard]] inline bool canMeasure(AttributeId id, std::uint32_t width, std::uint32_t height) noexcept {
    switch (familyOf(id)) {
    case MeasureFamily::moments:
        return fits64Bits(width, height, 2);
    case MeasureFamily::thirdMoments:
        return fits64Bits(width, height, 2) && std::max(width, height) <= kMostForThirdMoments;
    case MeasureFamily::information:
        return std::uint64_t{width} * height < kMostForEntropy;
    default:
        return true;
    }
}

/// Whether sums for moments use a list of the pixels by node instead of tiles: if most nodes have few pixels, tiles
/// save little and scatter their sums over memory.
[[nodiscard]] inline bool listsPixelsForMoments(std::uint64_t nodeCount, std::uint64_t pixelCount) noexcept {
    return nodeCount > pixelCount / 4;
}

/// Upper bound of the peak memory of measuring an attribute, bytes, with the column and all cached data.
[[nodiscard]] inline std::uint64_t estimateMeasureBytes(AttributeId id, std::uint64_t nodeCount,
                                                        std::uint64_t pixelCount) noexcept {
    constexpr std::uint64_t kSmall = std::uint64_t{4} << 20; // scratch of scans, and the rounding of each block
    std::uint64_t perNode = 8 + 4 + 1;                       // the column, pixel counts, scratch
    std::uint64_t perPixel = 0;
    const std::uint64_t listing = listsPixelsForMoments(nodeCount, pixelCount) ? 4 * 4 + 1 : 0; // and a second buffer
                                                                                                // to sort it
    switch (familyOf(id)) {
    case MeasureFamily::area:
    case MeasureFamily::structure:
        perNode += 4;
        break;
    case MeasureFamily::boxes:
        perNode += 2 * sizeof(NodeBox) + (sizeof(NodeBox) + 2) / 3;
        break;
    case MeasureFamily::levels:
        perNode += 16;
        break;
    case MeasureFamily::information:
        perNode += 16 + 2 * 4 + 4 + 2; // sums, the nodes by bin, pixels before, smallest parents
        break;
    case MeasureFamily::peaks:
        perNode += 16 + 3 + 2;
        break;
    case MeasureFamily::moments:
        perNode += (5 + 4) * 8;
        perPixel = listing;
        break;
    case MeasureFamily::thirdMoments:
        perNode += (5 + 4 + 8 + 4) * 8;
        perPixel = listing;
        break;
    case MeasureFamily::outlines:
        perNode += 8;
        break;
    case MeasureFamily::stability:
        perNode += 2 + 1;
        break;
    case MeasureFamily::survivors:
        perNode += 4 + 8 + 8 + 4 + 8 + 8 + 4; // ranks, level sums, measure, largest, leaf, functions, sorting
        break;
    }
    return perNode * (nodeCount + 1) + perPixel * pixelCount + kSmall;
}

} // namespace pollard::cuda
