#pragma once

#include "components/components.hpp"
#include "components/objects/object_edges.hpp"
#include "image/length_unit.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace pollard {

/// Features of an object, defined as the attributes of the same name where there is one.
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
    // Of volumes only, see volumeFeatures().
    centroidZ,
    front,
    slices,
    medium,
    flatness,
    surface,
    sphericity,
    euler,
};
inline constexpr std::size_t kObjectFeatureCount = 23; ///< those of pictures

/// Dimension or meaning of a feature's values.
enum class FeatureUnit : std::uint8_t { none, length, area, volume, angle, grey };

[[nodiscard]] constexpr Dimension dimensionOf(FeatureUnit unit) noexcept {
    return unit == FeatureUnit::length ? Dimension::length
           : unit == FeatureUnit::area ? Dimension::area
                                       : Dimension::none;
}

/// Description of a feature for tables, menus and conditions.
struct ObjectFeatureInfo {
    ObjectFeature feature;
    std::string_view id;         ///< stable; column name in `components --csv`
    std::string_view name;       ///< for display
    std::string_view definition; ///< one line
    FeatureUnit unit;
    bool integral;                        ///< integers, as long as lengths are in px
    EdgeMeasure edge = EdgeMeasure::none; ///< measurement required beside the record
};

/// All features of objects of pictures, in the order of the enumeration.
[[nodiscard]] std::span<const ObjectFeatureInfo, kObjectFeatureCount> objectFeatures() noexcept;
/// @param feature of pictures
[[nodiscard]] const ObjectFeatureInfo& objectFeatureInfo(ObjectFeature feature) noexcept;
/// The edge measurement that a feature requires beside the record; none for those of volumes only.
[[nodiscard]] EdgeMeasure edgeMeasureOf(ObjectFeature feature) noexcept;
/// @param features in which to search
[[nodiscard]] std::optional<ObjectFeature>
findObjectFeature(std::string_view id, std::span<const ObjectFeatureInfo> features = objectFeatures()) noexcept;
/// "label, area, centroid_x ..."
[[nodiscard]] std::string featureIds(std::span<const ObjectFeatureInfo> features);

/// Value of a feature of pictures; NaN for those of volumes only.
/// @param label of the object
/// @param side of a (square) pixel: factor of lengths, its square that of areas; 1 for px
/// @param edge of the object; without it, features that need it are NaN
[[nodiscard]] double featureOf(const ComponentRecord& object, std::uint32_t label, ObjectFeature feature,
                               double side = 1, const ObjectEdge* edge = nullptr) noexcept;

} // namespace pollard
