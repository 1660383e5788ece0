#pragma once

#include "components/components.hpp"
#include "components/objects/object_column.hpp"
#include "components/objects/object_condition.hpp"
#include "components/objects/object_edges.hpp"
#include "components/objects/object_features.hpp"
#include "components/volumes/volume_components.hpp"
#include "components/volumes/volume_features.hpp"
#include "image/length_unit.hpp"
#include "io/write/label_properties.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace pollard {

/// Objects per task of loops over all objects that compare a few values of each.
inline constexpr std::size_t kObjectsPerTask = 8192;

/// The objects of a picture or a volume with the values of their features. Refers to its data, which must outlive it.
class MeasuredObjects {
public:
    /// @param components with records
    /// @param edges of the objects; features that need missing measurements are undefined
    /// @param side of a pixel, in the unit of the values, as in featureOf()
    explicit MeasuredObjects(const Components& components, const ObjectEdges* edges = nullptr, double side = 1) noexcept
        : picture_(&components), edges_(edges), side_(side) {}
    /// @param components with records
    explicit MeasuredObjects(const VolumeComponents& components, const VolumeUnit& unit = {}) noexcept
        : volume_(&components), unit_(unit) {}

    [[nodiscard]] std::size_t size() const noexcept {
        return volume_ != nullptr ? volume_->objects.size() : picture_->objects.size();
    }
    [[nodiscard]] const ComponentRecord& record(std::uint32_t label) const noexcept {
        return volume_ != nullptr ? volume_->objects[label - 1] : picture_->objects[label - 1];
    }
    /// NaN for a feature of the other kind.
    [[nodiscard]] double value(std::uint32_t label, ObjectFeature feature) const noexcept;
    /// @param side see ObjectCondition::holds(); in a volume, numbers are in the unit of the values
    [[nodiscard]] bool holds(const ObjectCondition& condition, std::uint32_t label, double side) const noexcept;
    /// Whether the object has a pixel in the first or last row or column of the image, or a voxel in an outer plane of
    /// the volume.
    [[nodiscard]] bool touchesBorder(std::uint32_t label) const noexcept;

private:
    [[nodiscard]] VolumeObject solid(std::uint32_t label) const noexcept;
    [[nodiscard]] const ObjectEdge* edge(std::uint32_t label) const noexcept {
        return edges_ != nullptr ? edges_->of(label) : nullptr;
    }

    const Components* picture_ = nullptr; ///< null: a volume
    const VolumeComponents* volume_ = nullptr;
    const ObjectEdges* edges_ = nullptr;
    double side_ = 1;
    VolumeUnit unit_;
};

/// Features and further columns of objects for the metadata of a label image; whole numbers stay such. Names as in
/// tables: "area", "area_um2".
/// @param objects, @param further must outlive the result
/// @param labels of the rows
[[nodiscard]] LabelProperties labelProperties(const MeasuredObjects& objects, std::span<const std::uint32_t> labels,
                                              std::span<const ObjectFeatureInfo> features, LengthUnit unit,
                                              std::span<const ObjectColumn> further);

} // namespace pollard
