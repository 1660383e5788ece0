#pragma once

#include "components/components.hpp"
#include "components/objects/object_edges.hpp"
#include "image/length_unit.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace pollard {

/// What can be said of an object. Definitions are those of the attributes of the same name where there is one.
enum class ObjectFeature : std::uint8_t {
    label,
    area,
    centroidX,
    centroidY,
    left,
    top,
    width,
    height,
    major,
    minor,
    elongation,
    orientation,
    perimeter,
    circularity,
    imagejPerimeter,
    imagejCircularity,
    rectangularity,
    holes,
    border,
    greyMean,
    greyMin,
    greyMax,
    greySum,
};
inline constexpr std::size_t kObjectFeatureCount = 23;

/// How a feature follows the size of a pixel, and what it counts.
enum class FeatureUnit : std::uint8_t { none, length, area, angle, grey };

[[nodiscard]] constexpr Dimension dimensionOf(FeatureUnit unit) noexcept {
    return unit == FeatureUnit::length ? Dimension::length
           : unit == FeatureUnit::area ? Dimension::area
                                       : Dimension::none;
}

/// A feature for tables, menus and conditions.
struct ObjectFeatureInfo {
    ObjectFeature feature;
    std::string_view id;         ///< stable; as in the table that `components --csv` writes
    std::string_view name;       ///< for a person
    std::string_view definition; ///< one line
    FeatureUnit unit;
    bool integral;                        ///< whole numbers, as long as lengths are in px
    EdgeMeasure edge = EdgeMeasure::none; ///< that it is taken from, beside the record
};

/// All features, in the order of the enumeration.
[[nodiscard]] std::span<const ObjectFeatureInfo, kObjectFeatureCount> objectFeatures() noexcept;
[[nodiscard]] const ObjectFeatureInfo& objectFeatureInfo(ObjectFeature feature) noexcept;
[[nodiscard]] std::optional<ObjectFeature> findObjectFeature(std::string_view id) noexcept;

/// The value of a feature.
/// @param label number of the object
/// @param side of a (square) pixel: lengths are multiplied by it, areas by its square; 1 for px
/// @param edge of the object; without one, features that are taken from it are undefined (NaN)
[[nodiscard]] double featureOf(const ComponentRecord& object, std::uint32_t label, ObjectFeature feature,
                               double side = 1, const ObjectEdge* edge = nullptr) noexcept;

} // namespace pollard
