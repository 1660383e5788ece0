#pragma once

#include "analysis/maxima.hpp"
#include "base/job_control.hpp"
#include "image/image.hpp"
#include "image/mask.hpp"
#include "tree/component_tree.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace pollard {

/// What makes a regional maximum (minimum) a seed.
enum class SeedMeasure : std::uint8_t {
    dynamics, ///< Extinction::dynamics of at least a number of levels
    area,     ///< Extinction::area of at least a number of pixels
    volume,   ///< Extinction::volume of at least a number of levels * px
    height, ///< the regional maxima of hMaxima(): dynamics above a number of levels; the last maximum of an object, too
};
inline constexpr std::array kAllSeedMeasures{SeedMeasure::dynamics, SeedMeasure::area, SeedMeasure::volume,
                                             SeedMeasure::height};

/// Stable id for options and files: "dynamics", "area", "volume", "h".
[[nodiscard]] std::string_view nameOf(SeedMeasure by) noexcept;
/// nullopt for other names
[[nodiscard]] std::optional<SeedMeasure> seedMeasureOf(std::string_view name) noexcept;

/// Which regional maxima (minima) are seeds.
struct SeedRule {
    SeedMeasure by = SeedMeasure::dynamics;
    std::uint64_t least = 1; ///< in levels, px or levels * px; for SeedMeasure::height the h

    bool operator==(const SeedRule&) const = default;
};

/// Seeds of watershed(): all pixels of each maximum that meets the rule; for SeedMeasure::height the pixels of each
/// regional maximum of the transform. On the image that the seeds come from, a watershed from one pixel of each seed
/// has the same labels.
/// @param inside null: all pixels
/// @param descending false: of minima
/// @throws as extinctMaxima()
[[nodiscard]] LabelImage seedsOf(const Image& image, const Mask* inside, Connectivity connectivity, bool descending,
                                 const SeedRule& rule, const JobControl& control = {});

/// Seeds at points: the point i has the label i + 1. Of points at one pixel the first is the seed.
/// @throws Error(invalidArgument) for a point outside the image, with its number, counted from 1; Error(outOfMemory)
[[nodiscard]] LabelImage seedsAt(const Extent& extent, std::span<const Voxel> points);

} // namespace pollard
