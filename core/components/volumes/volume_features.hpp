#pragma once

#include "attributes/volume_formulas.hpp"
#include "base/job_control.hpp"
#include "components/objects/object_column.hpp"
#include "components/objects/object_features.hpp"
#include "components/volumes/volume_components.hpp"
#include "image/length_unit.hpp"
#include "io/image_file.hpp"

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

/// Unit of lengths, areas and volumes. Names of columns end in it, "area_um3", unless it is px.
struct VolumeUnit {
    LengthUnit unit = LengthUnit::pixel;
    VoxelSides sides; ///< of a voxel in this unit, in px in units of its width; for shapes

    /// Of positions, boxes and volumes, which count voxels in px.
    [[nodiscard]] VoxelSides steps() const noexcept { return unit == LengthUnit::pixel ? VoxelSides{} : sides; }
    bool operator==(const VolumeUnit&) const = default;
};

/// Why lengths in volumes of this voxel size cannot be in a unit of the scene, in one line; empty if they can.
[[nodiscard]] std::string whyNoVolumeUnit(const std::optional<PixelSize>& size);
/// @param size with an empty whyNoVolumeUnit(); with px any
[[nodiscard]] VolumeUnit volumeUnitOf(LengthUnit unit, const std::optional<PixelSize>& size);

/// An object of a volume with the values of its features.
class VolumeObject {
public:
    /// @param hasEuler whether the Euler number is known, as it is not with 18 neighbours
    VolumeObject(const VolumeRecord& record, std::uint32_t label, const VolumeUnit& unit = {},
                 bool hasEuler = true) noexcept
        : record_(&record), label_(label), sides_(unit.sides), steps_(unit.steps()), hasEuler_(hasEuler) {}

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
    VoxelSides steps_;
    bool hasEuler_;
    mutable std::optional<PrincipalMoments> moments_; ///< computed once for all features
};

/// Adds features to the properties of an object in GeoJSON: ,"area_um3":5
/// @throws Error(writeFailed)
void writeProperties(TextFile& file, const VolumeObject& object, std::span<const ObjectFeature> features,
                     LengthUnit unit);

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
