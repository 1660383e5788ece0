#pragma once

#include "analysis/relief.hpp"
#include "analysis/seeds.hpp"
#include "base/job_control.hpp"
#include "hierarchy/hierarchy.hpp"
#include "image/image.hpp"
#include "image/length_unit.hpp"
#include "image/mask.hpp"
#include "image/value_mapping.hpp"
#include "io/image_file.hpp"
#include "tree/component_tree.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace pollard {

/// Sizes of regions that are objects, both bounds included: areas, in a volume volumes.
struct SizeRange {
    static constexpr double kMost = 1e18; ///< largest bound

    double least = 0;
    double most = std::numeric_limits<double>::infinity();
    LengthUnit unit = LengthUnit::pixel; ///< whose square, or cube, the sizes are in

    /// The range in pixels of an image with pixels of this size.
    /// @throws Error(invalidArgument) if the unit needs a size of the pixels that is unknown
    [[nodiscard]] SizeRange inPixels(const std::optional<PixelSize>& pixelSize, bool inVolume) const;

    bool operator==(const SizeRange&) const = default;
};
/// "50:500 um2", "50:", ":500": parseSizeRange() parses it to equal bounds.
[[nodiscard]] std::string sizeRangeText(const SizeRange& sizes, bool inVolume);
/// Parses LO, LO:HI or :HI, numbers from 0 to SizeRange::kMost, and an optional unit of areas, or of volumes.
/// @return nothing for another text, or if HI is below LO
[[nodiscard]] std::optional<SizeRange> parseSizeRange(std::string_view text, bool inVolume);

/// Objects as the regions of a watershed from seeds: maxima of bright objects and of distances, minima of dark objects
/// and of gradients.
struct WatershedRule {
    Relief relief = Relief::levels; ///< flooded; of Relief::distance the distance to the background of the threshold
    SeedMeasure by = SeedMeasure::height; ///< which maxima or minima are seeds
    double least =
        0; ///< of the measure: in values of the image, of distances in px; an area in px. See SeedRule::least
    std::optional<Relief> seedsOf = {}; ///< with the maxima or minima; unset: `relief`
    bool lines = false;      ///< the regions are separated by pixels that belong to none, see WatershedSpec::lines
    bool everywhere = false; ///< flood all pixels; else the pixels of the rule's threshold

    [[nodiscard]] Relief seedRelief() const noexcept { return seedsOf.value_or(relief); }
    /// The seeds in levels of seedRelief(). @param values of the levels of the image
    [[nodiscard]] SeedRule seedRule(const std::optional<ValueMapping>& values) const;

    bool operator==(const WatershedRule&) const = default;
};

/// Objects as the regions of a hierarchy, cut at a strength.
struct HierarchyRule {
    Strength strength = Strength::area;
    EdgeWeight weight = EdgeWeight::difference;
    double above = 0; ///< boundaries stronger than this remain, see StrengthValues
    std::optional<std::uint32_t> regions =
        {};               ///< instead of `above`: the strongest boundaries, at most so many regions
    SizeRange sizes = {}; ///< of regions that are objects

    [[nodiscard]] HierarchySpec specFor(Connectivity connectivity) const { return {strength, weight, connectivity}; }
    /// The strength at which a hierarchy of specFor() is cut. @param values of the levels of its image
    [[nodiscard]] std::uint64_t cutOf(const Hierarchy& hierarchy, const std::optional<ValueMapping>& values) const;

    bool operator==(const HierarchyRule&) const = default;
};

/// The regions of a hierarchy at the cut of the rule with sizes of the rule: labels 1 .. count in raster order of the
/// first pixels, 0 elsewhere.
/// @param values of the levels of the hierarchy's image
/// @param inside pixels of which the hierarchy was made; null: all
/// @throws Error(invalidArgument) for levels that are ranks, unless only their order counts, and as
/// SizeRange::inPixels(); Error(outOfMemory), Cancelled
[[nodiscard]] LabelImage hierarchyRegions(const Hierarchy& hierarchy, const HierarchyRule& rule,
                                          const std::optional<ValueMapping>& values, const Mask* inside,
                                          const std::optional<PixelSize>& pixelSize, const JobControl& control = {});

} // namespace pollard
