#include "components/objects/region_rules.hpp"

#include "analysis/seeds.hpp"
#include "attributes/attribute.hpp"
#include "attributes/grey_values.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"
#include "components/objects/object_features.hpp"
#include "hierarchy/partition.hpp"
#include "hierarchy/strength_values.hpp"
#include "image/distance_transform.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <new>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

namespace pollard {

namespace {

Dimension dimensionOf(bool inVolume) { return inVolume ? Dimension::volume : Dimension::area; }

/// Removes a number and spaces around it from the start of a text; nothing without a number from 0 to kMost.
std::optional<double> takeSize(std::string_view& text) {
    text = trimmed(text, " ");
    double size = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), size);
    if (problem != std::errc{} || !(size >= 0 && size <= SizeRange::kMost)) {
        return std::nullopt;
    }
    text = trimmed(text.substr(static_cast<std::size_t>(end - text.data())), " ");
    return size;
}

} // namespace

SizeRange SizeRange::inPixels(const std::optional<PixelSize>& pixelSize, bool inVolume) const {
    return {sizeInPixels(least, unit, pixelSize, inVolume), sizeInPixels(most, unit, pixelSize, inVolume)};
}

std::string sizeRangeText(const SizeRange& sizes, bool inVolume) {
    return (sizes.least > 0 ? exactNumber(sizes.least) : std::string()) + ':' +
           (std::isinf(sizes.most) ? std::string() : exactNumber(sizes.most)) +
           (sizes.unit == LengthUnit::pixel ? std::string() : ' ' + unitName(sizes.unit, dimensionOf(inVolume)));
}

std::optional<SizeRange> parseSizeRange(std::string_view text, bool inVolume) {
    SizeRange sizes;
    text = trimmed(text, " ");
    if (!text.starts_with(':')) {
        const std::optional<double> least = takeSize(text);
        if (!least) {
            return std::nullopt;
        }
        sizes.least = *least;
    }
    if (text.starts_with(':')) {
        text = trimmed(text.substr(1), " ");
        if (!text.empty() && text.front() >= '0' && text.front() <= '9') {
            const std::optional<double> most = takeSize(text);
            if (!most || *most < sizes.least || *most == 0) {
                return std::nullopt;
            }
            sizes.most = *most;
        }
    }
    if (text.empty()) {
        return sizes;
    }
    const std::optional<UnitText> unit = unitAtStart(text);
    if (!unit || unit->bytes != text.size() || unit->dimension != dimensionOf(inVolume) ||
        unit->unit == LengthUnit::hectare) {
        return std::nullopt;
    }
    sizes.unit = unit->unit;
    return sizes;
}

SeedRule WatershedRule::seedRule(const std::optional<ValueMapping>& values) const {
    constexpr double kMost = 0x1p63;
    const AttributeId attribute = by == SeedMeasure::area     ? AttributeId::extinctionArea
                                  : by == SeedMeasure::volume ? AttributeId::extinctionVolume
                                                              : AttributeId::dynamics;
    std::optional<ValueMapping> distances;
    if (seedRelief() == Relief::distance) {
        distances.emplace().step = 1 / kDistanceSteps;
    }
    const bool isAbove = by == SeedMeasure::height; // maxima that rise no more than this vanish
    const double bound = columnBound(attribute, least, !isAbove, distances ? distances : values);
    const double whole = std::max(isAbove ? std::floor(bound) : std::ceil(bound), 0.);
    return {by, whole >= kMost ? std::uint64_t{1} << 63U : static_cast<std::uint64_t>(whole)};
}

std::uint64_t HierarchyRule::cutOf(const Hierarchy& hierarchy, const std::optional<ValueMapping>& values) const {
    return regions ? hierarchy.strengthFor(*regions) : StrengthValues(strength, weight, values).strengthOf(above);
}

LabelImage hierarchyRegions(const Hierarchy& hierarchy, const HierarchyRule& rule,
                            const std::optional<ValueMapping>& values, const Mask* inside,
                            const std::optional<PixelSize>& pixelSize, const JobControl& control) {
    const bool isOrderOnly =
        rule.weight == EdgeWeight::maximum && (rule.strength == Strength::altitude || rule.strength == Strength::area);
    if (!isOrderOnly) {
        requireProportional(values, "hierarchy");
    }
    const SizeRange sizes = rule.sizes.inPixels(pixelSize, hierarchy.extent().isVolume());
    LabelImage found = regions(hierarchy, rule.cutOf(hierarchy, values), inside, control);
    if (sizes != SizeRange{}) {
        std::vector<std::uint32_t> pixels(std::size_t{found.count} + 1);
        for (const std::uint32_t label : found.labels) {
            ++pixels[label];
        }
        numberInOrder(
            found, [&](std::uint32_t label) { return pixels[label] >= sizes.least && pixels[label] <= sizes.most; },
            control);
    }
    return found;
}

} // namespace pollard
