#pragma once

#include "analysis/ellipse.hpp"
#include "attributes/volume_formulas.hpp"
#include "components/components.hpp"
#include "components/shape/object_edges.hpp"
#include "image/image.hpp"
#include "image/length_unit.hpp"
#include "image/value_mapping.hpp"
#include "io/image_file.hpp"

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pollard {

/// Features of an object. A feature with the name of an attribute has the same definition.
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
    convexArea,
    solidity,
    convexPerimeter,
    feretMax,
    feretMaxAngle,
    feretMin,
    feretMinAngle,
    inscribedRadius,
    inscribedX,
    inscribedY,
    thickness,
    // Of volumes only.
    centroidZ,
    front,
    slices,
    medium,
    flatness,
    surface,
    sphericity,
    inscribedZ,
    euler,
};
inline constexpr std::size_t kObjectFeatureCount = 34; ///< of images; the other features are of volumes

/// Dimension or meaning of a feature's values.
enum class FeatureUnit : std::uint8_t { none, length, area, volume, angle, grey };

[[nodiscard]] constexpr Dimension dimensionOf(FeatureUnit unit) noexcept {
    return unit == FeatureUnit::length   ? Dimension::length
           : unit == FeatureUnit::area   ? Dimension::area
           : unit == FeatureUnit::volume ? Dimension::volume
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

/// Features of objects in images, in the order of the enumeration; with 6, 18 or 26 neighbours, features of objects in
/// volumes, in the order of their table. A feature of volumes with the id of a feature of images is its counterpart:
/// `area` counts voxels. With 18 neighbours there is no `euler`.
[[nodiscard]] std::span<const ObjectFeatureInfo>
objectFeatures(Connectivity connectivity = Connectivity::four) noexcept;
/// Description of any feature, in images or in volumes if it exists there.
[[nodiscard]] const ObjectFeatureInfo& objectFeatureInfo(ObjectFeature feature, bool inVolumes = false) noexcept;
/// The edge measurement that a feature requires beside the record: the same in images and in volumes, whose records
/// have all that precedes EdgeMeasure::ball.
[[nodiscard]] EdgeMeasure edgeMeasureOf(ObjectFeature feature) noexcept;
/// @param features to search
[[nodiscard]] std::optional<ObjectFeature>
findObjectFeature(std::string_view id, std::span<const ObjectFeatureInfo> features = objectFeatures()) noexcept;
/// "label, area, centroid_x ..."
[[nodiscard]] std::string featureIds(std::span<const ObjectFeatureInfo> features);
/// Parses a list of features, "area,border".
/// @param known features that the list may name
/// @throws Error(invalidArgument) for an empty list, an unknown id or a repeated one
[[nodiscard]] std::vector<ObjectFeature> parseFeatures(std::string_view text,
                                                       std::span<const ObjectFeatureInfo> known = objectFeatures());

/// Unit of lengths, areas and volumes, and the values of grey levels. Names of columns and properties end in the unit
/// of lengths, "area_um2", unless it is px.
struct ObjectUnit {
    LengthUnit unit = LengthUnit::pixel;
    /// Sides of a pixel or voxel in this unit; if the unit is px, relative to its width, for features of shape.
    VoxelSides sides;
    std::optional<ValueMapping> values = {}; ///< of the image with the grey levels; unset: levels are values

    /// Factors from pixels to positions, boxes, areas and volumes in this unit.
    [[nodiscard]] VoxelSides steps() const noexcept { return unit == LengthUnit::pixel ? VoxelSides{} : sides; }
    /// Sides relative to the width of a pixel.
    [[nodiscard]] VoxelSides proportions() const noexcept { return {1, sides.y / sides.x, sides.z / sides.x}; }
    bool operator==(const ObjectUnit&) const = default;
};

/// Says in one line why lengths of objects cannot be given in a unit of the scene; empty if they can.
/// @param size of a pixel; a volume needs the distance of its slices
[[nodiscard]] std::string whyNoObjectUnit(const std::optional<PixelSize>& size, bool inVolume);
/// @param size with an empty whyNoObjectUnit(); with px any
[[nodiscard]] ObjectUnit objectUnitOf(LengthUnit unit, const std::optional<PixelSize>& size, bool inVolume,
                                      const std::optional<VoxelSides>& spacing = {},
                                      const std::optional<ValueMapping>& values = {});
/// Number of pixels of an area, or of a volume, in the square or cube of a unit.
/// @throws Error(invalidArgument) if the unit needs a size of the pixels that is unknown
[[nodiscard]] double sizeInPixels(double size, LengthUnit unit, const std::optional<PixelSize>& pixelSize,
                                  bool inVolume);
/// Whether the values of a feature depend on the size of a pixel in this unit.
[[nodiscard]] bool isScaled(const ObjectFeatureInfo& feature, LengthUnit unit) noexcept;
/// A value of a feature for tables and files, without rounding errors of products with sides of pixels, see
/// decimalOf().
[[nodiscard]] double tableValue(double value, const ObjectFeatureInfo& feature, LengthUnit unit) noexcept;
/// Whether the values of a feature are integers in this unit.
[[nodiscard]] bool isWhole(const ObjectFeatureInfo& feature, const ObjectUnit& unit) noexcept;

/// The grey levels of an object as values. Refers to the mapping.
class ObjectGrey {
public:
    ObjectGrey() = default;
    /// @param sum of the values of the object, if levels are ranks
    explicit ObjectGrey(const std::optional<ValueMapping>& values,
                        double sum = std::numeric_limits<double>::quiet_NaN()) noexcept;

    [[nodiscard]] double valueOf(std::uint16_t level) const noexcept;
    [[nodiscard]] double sum(const ComponentRecord& record) const noexcept;
    [[nodiscard]] double mean(const ComponentRecord& record) const noexcept;
    /// Whether levels are values, so that ComponentRecord::greySum is the sum.
    [[nodiscard]] bool isLevels() const noexcept {
        return values_ == nullptr || (values_->isProportional() && values_->offset == 0 && values_->step == 1);
    }
    /// A value, or the bound itself if ValueMapping::isBound().
    [[nodiscard]] double atBound(double value, double bound) const noexcept {
        return values_ != nullptr && values_->isBound(value, bound) ? bound : value;
    }

private:
    const ValueMapping* values_ = nullptr; ///< null: levels are values
    double sum_ = std::numeric_limits<double>::quiet_NaN();
};

/// An object with the values of its features. Keeps references to its records, which must outlive it.
class MeasuredObject {
public:
    /// An object of an image.
    /// @param side of a (square) pixel: factor of lengths; its square is the factor of areas; 1 for px
    /// @param shape features that need missing measurements are NaN
    MeasuredObject(const ComponentRecord& record, std::uint32_t label, double side = 1, const ObjectShape& shape = {},
                   const ObjectGrey& grey = {}) noexcept
        : record_(&record), shape_(shape), label_(label), steps_{side, side, side}, grey_(grey) {}
    /// An object of an image in a unit. If pixels are not square, circularities and perimeters in units other than px
    /// are NaN.
    MeasuredObject(const ComponentRecord& record, std::uint32_t label, const ObjectUnit& unit, const ObjectShape& shape,
                   double valueSum = std::numeric_limits<double>::quiet_NaN()) noexcept
        : record_(&record), shape_(shape), label_(label), sides_(unit.sides), steps_(unit.steps()),
          grey_(unit.values, valueSum) {}
    /// An object of a volume.
    /// @param hasEuler whether the Euler number is known; with 18 neighbours it is not
    MeasuredObject(const ComponentRecord& record, const DepthRecord& depth, std::uint32_t label,
                   const ObjectUnit& unit = {}, bool hasEuler = true,
                   double valueSum = std::numeric_limits<double>::quiet_NaN(), const ObjectShape& shape = {}) noexcept
        : record_(&record), depth_(&depth), shape_(shape), label_(label), hasEuler_(hasEuler), sides_(unit.sides),
          steps_(unit.steps()), grey_(unit.values, valueSum) {}

    [[nodiscard]] const ComponentRecord& record() const noexcept { return *record_; }
    [[nodiscard]] std::uint32_t label() const noexcept { return label_; }
    /// The object with the number that is its feature `label`.
    [[nodiscard]] MeasuredObject numbered(std::uint32_t number) const {
        MeasuredObject object = *this;
        object.number_ = number;
        return object;
    }
    [[nodiscard]] const ObjectGrey& grey() const noexcept { return grey_; }
    /// NaN for a feature that images, or volumes, do not have.
    [[nodiscard]] double valueOf(ObjectFeature feature) const noexcept;

private:
    [[nodiscard]] double valueInImage(ObjectFeature feature) const noexcept;
    [[nodiscard]] double valueOfShape(ObjectFeature feature) const noexcept;
    [[nodiscard]] double valueInVolume(ObjectFeature feature) const noexcept;
    [[nodiscard]] const PrincipalMoments& moments() const noexcept;
    [[nodiscard]] double surface() const noexcept;
    [[nodiscard]] double areaOf(std::uint64_t pixels) const noexcept;
    [[nodiscard]] bool isSquare() const noexcept; ///< whether pixels are square
    [[nodiscard]] Ellipse ellipse() const noexcept;

    const ComponentRecord* record_;
    const DepthRecord* depth_ = nullptr; ///< null: of an image
    ObjectShape shape_;
    std::uint32_t label_;
    std::uint32_t number_ = label_;
    bool hasEuler_ = true;
    VoxelSides sides_;
    VoxelSides steps_;
    ObjectGrey grey_;
    mutable std::optional<PrincipalMoments> moments_; ///< of a volume; computed once for all features
};

struct ClassifiedObjects;

/// A column of a table of objects in addition to their features.
struct ObjectColumn {
    std::string name;                                   ///< as displayed; not quoted
    std::function<double(std::uint32_t label)> valueOf; ///< NaN: an empty cell
    std::shared_ptr<const ClassifiedObjects> classes{}; ///< set: cells are names of classes, see classColumn()
    std::shared_ptr<const ValueMapping> values{};       ///< set: of a level or a mean of levels, with these values
};

/// Null if no column has the name.
[[nodiscard]] inline const ObjectColumn* findColumn(std::span<const ObjectColumn> columns,
                                                    std::string_view name) noexcept {
    for (const ObjectColumn& column : columns) {
        if (column.name == name) {
            return &column;
        }
    }
    return nullptr;
}

/// A feature, or a column by its name.
struct ObjectQuantity {
    ObjectFeature feature = ObjectFeature::label; ///< if there is no column
    std::string column;

    ObjectQuantity() = default;
    ObjectQuantity(ObjectFeature named) : feature(named) {} // NOLINT(google-explicit-constructor)
    explicit ObjectQuantity(std::string name) : column(std::move(name)) {}

    [[nodiscard]] bool isColumn() const noexcept { return !column.empty(); }
    /// Edge measurements that the quantity requires.
    [[nodiscard]] EdgeMeasure edge() const noexcept { return isColumn() ? EdgeMeasure::none : edgeMeasureOf(feature); }
    bool operator==(const ObjectQuantity&) const = default;
};

} // namespace pollard
