#pragma once

#include "attributes/attribute_table.hpp"
#include "attributes/formulas.hpp"
#include "attributes/volume_table.hpp"
#include "base/compiler.hpp"
#include "cuda/nodes/pixel_steps.hpp"
#include "image/image.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace pollard::cuda {

/// Whether sums of an order over all pixels fit 64-bit signed integers (see MomentSums).
[[nodiscard]] inline bool fits64Bits(std::uint32_t width, std::uint32_t height, int order) noexcept {
    UInt128 bound = UInt128{width} * height;
    for (int i = 0; i < order; ++i) {
        bound *= std::max(width, height); // below 2^128: 32 bits times three factors of 32 bits
    }
    return bound >> 63 == 0;
}

/// Whether sums over all voxels of a volume fit 64-bit signed integers (see VolumeSums).
[[nodiscard]] inline bool fits64Bits(const Extent& extent) noexcept {
    const UInt128 side = std::max({extent.width, extent.height, extent.slices});
    return side * side * extent.pixelCount() >> 63 == 0; // below 2^96
}

/// The volume of the rows of a NodePlan.
struct VoxelGrid {
    std::uint32_t slices = 1; ///< 1 in an image
    VoxelSides sides{};       ///< of the voxels of a volume
};

/// Attributes grouped by the data that dominate their cost; in a formula with several inputs, the last of theirs.
enum class MeasureFamily : std::uint8_t {
    area,
    structure,
    levels,
    boxes,
    outlines,
    borders,
    moments,
    thirdMoments,
    information,
    peaks,
    stability,
    survivors
};

struct FamilyFacts {
    const char* stage;           ///< name under which the time is recorded
    std::uint64_t perNode;       ///< bytes at most, besides the column and the pixel counts
    std::uint64_t moreInVolumes; ///< bytes per node of a volume, in addition to perNode
};
inline constexpr std::array<FamilyFacts, 12> kFamilyFacts{{
    {"area", 0, 0},
    {"structure", 4, 0},
    {"levels", 16, 0},
    {"boxes", 2 * sizeof(NodeBox) + (sizeof(NodeBox) + 2) / 3, 2 * 8 + 3},
    {"outlines", 8, 8},
    {"borders", sizeof(BorderSums), 0},
    {"moments", (5 + 4) * 8, (9 + 3 - 5 - 4) * 8},
    {"third moments", (8 + 4) * 8, 0},      // besides the moments
    {"information", 16 + 2 * 4 + 4 + 2, 0}, // sums, the nodes by bin, pixels before, smallest parents
    {"peaks", 16 + 3 + 2, 0},
    {"stability", 2 + 1, 0},
    {"survivors", 4 + 8 + 8 + 4 + 8 + 8 + 4, 0}, // ranks, level sums, measure, largest, leaf, functions, sorting
}};
static_assert(sizeof(VolumeBox) == sizeof(NodeBox) + 8);

/// Bits of the families of an attribute's data.
[[nodiscard]] inline unsigned familiesOf(AttributeId id, bool isVolume = false) noexcept {
    constexpr auto bit = [](MeasureFamily family) { return 1U << static_cast<unsigned>(family); };
    constexpr auto ofInput = [bit]<class Input>(std::type_identity<Input>) {
        if constexpr (std::is_same_v<Input, Area>) {
            return bit(MeasureFamily::area);
        } else if constexpr (std::is_same_v<Input, Interval>) {
            return bit(MeasureFamily::structure);
        } else if constexpr (std::is_same_v<Input, Levels> || std::is_same_v<Input, LevelSum>) {
            return bit(MeasureFamily::levels);
        } else if constexpr (std::is_same_v<Input, NodeBox> || std::is_same_v<Input, VolumeBox>) {
            return bit(MeasureFamily::boxes);
        } else if constexpr (std::is_same_v<Input, Outline> || std::is_same_v<Input, VolumeOutline>) {
            return bit(MeasureFamily::outlines);
        } else if constexpr (std::is_same_v<Input, BorderSums>) {
            return bit(MeasureFamily::borders);
        } else if constexpr (std::is_same_v<Input, FirstSums> || std::is_same_v<Input, SecondMoments> ||
                             std::is_same_v<Input, VolumeFirstSums> || std::is_same_v<Input, PrincipalMoments>) {
            return bit(MeasureFamily::moments);
        } else if constexpr (std::is_same_v<Input, VoxelSides>) {
            return 0U;
        } else {
            static_assert(std::is_same_v<Input, ThirdMoments>);
            return bit(MeasureFamily::moments) | bit(MeasureFamily::thirdMoments);
        }
    };
    unsigned families = 0;
    const auto add = [&]<template <AttributeId, class, class...> class Typed, AttributeId Id, class T, class... Inputs>(
                         Typed<Id, T, Inputs...>) { families = (ofInput(std::type_identity<Inputs>{}) | ...); };
    if (isVolume ? visitVolumeFormula(id, add) : visitFormula(id, add)) {
        return families;
    }
    switch (id) {
    case AttributeId::variance:
        return bit(MeasureFamily::levels);
    case AttributeId::entropy:
        return bit(MeasureFamily::information);
    case AttributeId::height:
    case AttributeId::dynamics:
        return bit(MeasureFamily::peaks);
    case AttributeId::extinctionArea:
    case AttributeId::extinctionVolume:
        return bit(MeasureFamily::survivors);
    case AttributeId::stability:
        return bit(MeasureFamily::stability);
    default: // border, depth, children, leaves
        return bit(MeasureFamily::structure);
    }
}
[[nodiscard]] inline MeasureFamily familyOf(AttributeId id, bool isVolume = false) noexcept {
    return static_cast<MeasureFamily>(std::bit_width(familiesOf(id, isVolume)) - 1);
}
/// Name of the stage that an attribute's time is recorded as.
[[nodiscard]] inline const char* stageOf(AttributeId id, bool isVolume = false) noexcept {
    return kFamilyFacts[static_cast<std::size_t>(familyOf(id, isVolume))].stage;
}

/// Third powers of coordinates below this fit 64 bits.
inline constexpr std::uint32_t kMostForThirdMoments = 1U << 21U;

/// From this many pixels on, the entropy's sums exceed their two words (see EntropyOf).
inline constexpr std::uint64_t kMostForEntropy = std::uint64_t{1} << 31U;

/// Most blocks of a launch.
inline constexpr std::uint64_t kMostTiles = 0x7fff'ffffU;

/// Whether NodeMeasures measures an attribute of images of this size. Exceptions are moments of images some million
/// pixels long, whose sums of order 2 or third powers exceed 64 bits, the entropy of 2^31 px or more, shapes in volumes
/// of more than 2^31 - 1 tiles, and Euler numbers of components of 18 neighbours, which are not defined.
[[nodiscard]] inline bool canMeasure(AttributeId id, const Extent& extent,
                                     Connectivity connectivity = Connectivity::four) noexcept {
    if (!isMeasured(id, extent.isVolume()) ||
        (id == AttributeId::euler && connectivity == Connectivity::eighteen && extent.isVolume())) {
        return false;
    }
    switch (familyOf(id, extent.isVolume())) {
    case MeasureFamily::boxes:
    case MeasureFamily::outlines:
    case MeasureFamily::borders:
        return tilesOf(extent) <= kMostTiles;
    case MeasureFamily::moments:
        return extent.isVolume() ? fits64Bits(extent) && tilesOf(extent) <= kMostTiles
                                 : fits64Bits(extent.width, extent.height, 2);
    case MeasureFamily::thirdMoments:
        return fits64Bits(extent.width, extent.height, 2) &&
               std::max(extent.width, extent.height) <= kMostForThirdMoments;
    case MeasureFamily::information:
        return extent.pixelCount() < kMostForEntropy;
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
                                                        const Extent& extent) noexcept {
    constexpr std::uint64_t kSmall = std::uint64_t{4} << 20; // scratch of scans, and the rounding of each block
    std::uint64_t perNode = 8 + 4 + 1;                       // the column, pixel counts, scratch
    const unsigned families = familiesOf(id, extent.isVolume());
    for (std::size_t i = 0; i < kFamilyFacts.size(); ++i) {
        const FamilyFacts& facts = kFamilyFacts[i];
        perNode += (families >> i & 1U) * (facts.perNode + (extent.isVolume() ? facts.moreInVolumes : 0));
    }
    const std::uint64_t pixelCount = extent.pixelCount();
    const bool lists = (families >> static_cast<unsigned>(MeasureFamily::moments) & 1U) != 0 &&
                       listsPixelsForMoments(nodeCount, pixelCount);
    const std::uint64_t perPixel = lists ? 4 * 4 + 1 : 0; // with a second buffer to sort the list
    const std::uint64_t listed = extent.isVolume() && id == AttributeId::border ? ListVolumeBorder::count(extent) : 0;
    return perNode * (nodeCount + 1) + perPixel * pixelCount + 4 * listed + kSmall;
}

} // namespace pollard::cuda
