#pragma once

#include "attributes/volume_formulas.hpp"
#include "base/job_control.hpp"
#include "components/objects/object_classes.hpp"
#include "components/objects/object_column.hpp"
#include "components/objects/object_condition.hpp"
#include "components/objects/object_features.hpp"
#include "components/objects/object_list.hpp"
#include "components/volumes/volume_components.hpp"
#include "image/length_unit.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace pollard {

class TextFile;

/// Features of objects of volumes, in the order of their table. Those with the id of a feature of pictures are their
/// counterparts: `area` counts voxels. With 18 neighbours there is no `euler`.
[[nodiscard]] std::span<const ObjectFeatureInfo> volumeFeatures(Connectivity connectivity) noexcept;

/// Unit of the features. Names of columns end in it, "area_um3", unless it is px.
struct VolumeUnit {
    LengthUnit unit = LengthUnit::pixel;
    VoxelSides sides;  ///< of a voxel, for sizes and places
    VoxelSides shapes; ///< of a voxel, for axes, surface and ratios; in px in units of its width

    bool operator==(const VolumeUnit&) const = default;
};

/// An object of a volume with the values of its features.
class VolumeObject {
public:
    VolumeObject(const VolumeRecord& record, std::uint32_t label, const VolumeUnit& unit = {}) noexcept
        : record_(&record), label_(label), sides_(unit.sides), shapes_(unit.shapes) {}

    [[nodiscard]] const VolumeRecord& record() const noexcept { return *record_; }
    [[nodiscard]] std::uint32_t label() const noexcept { return label_; }
    /// @param feature of volumeFeatures(); NaN for others
    [[nodiscard]] double valueOf(ObjectFeature feature) const noexcept;

private:
    [[nodiscard]] const PrincipalMoments& moments() const noexcept;
    [[nodiscard]] double surface() const noexcept;

    const VolumeRecord* record_;
    std::uint32_t label_;
    VoxelSides sides_;
    VoxelSides shapes_;
    mutable std::optional<PrincipalMoments> moments_; ///< computed once for all features
};

/// Objects that meet the condition, in the order of their labels. Parallel; independent of the number of threads.
/// @param components with records
/// @param condition on features of volumes
/// @param withoutBorder leaves out objects with a voxel in an outer plane of the volume
/// @throws Cancelled
[[nodiscard]] ObjectList listObjects(const VolumeComponents& components, const ObjectCondition& condition,
                                     const VolumeUnit& unit, bool withoutBorder, const JobControl& control = {});

/// As classifyObjects() in pictures. @param conditions of the classes
/// @throws Cancelled
[[nodiscard]] ClassifiedObjects classifyObjects(const VolumeComponents& components, std::vector<ObjectClass> classes,
                                                std::span<const ObjectCondition> conditions, const VolumeUnit& unit,
                                                const JobControl& control = {});

/// Writes a line of feature names and a line per object.
/// @param components with records
/// @param labels objects to write, in this order
/// @param features of volumes; empty: all
/// @param further columns after those of the features
/// @throws Error(writeFailed), Cancelled
void writeObjectTable(TextFile& file, const VolumeComponents& components, std::span<const std::uint32_t> labels,
                      std::span<const ObjectFeature> features, const JobControl& control, const VolumeUnit& unit = {},
                      std::span<const ObjectColumn> further = {});

} // namespace pollard
