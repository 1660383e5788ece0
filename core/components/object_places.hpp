#pragma once

#include "components/components.hpp"
#include "components/objects/object_features.hpp"
#include "image/length_unit.hpp"
#include "io/image_file.hpp"
#include "io/volumes/voxel_place.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pollard {

class MapCoordinates;
class SkyCoordinates;

/// Where an image lies on the earth or in the sky, or a volume or a slice in a patient.
struct ImagePlaces {
    std::shared_ptr<const MapCoordinates> map; ///< null: none, or a map without longitude and latitude
    std::shared_ptr<const SkyCoordinates> sky; ///< null: none
    std::optional<VoxelMap> patient = {};      ///< in right-anterior-superior
    std::string patientUnit = {};              ///< "mm"; empty: unknown
};
/// @param info of an image of @p width x @p height px
[[nodiscard]] ImagePlaces placesOf(const ImageInfo& info, std::uint32_t width, std::uint32_t height);

/// Columns with the positions of the centroids of objects: `centroid_easting` and `centroid_northing` in the units of a
/// projected coordinate system, `lon` and `lat` on WGS 84 in degrees; positions in the sky in degrees, named after the
/// axes, `ra_deg` and `dec_deg`; `patient_x_mm`, `patient_y_mm` and `patient_z_mm` to the right, anterior and superior
/// of a patient, without `_mm` if the unit is unknown; then `flux`. Volumes only have positions in a patient. An image
/// without a map, sky or patient has no such columns. Positions are computed on request.
/// @param components with records; must outlive the columns
/// @param fluxes of the labels from 1 on, see ObjectRule::fluxesOf(); unset: no such column
[[nodiscard]] std::vector<ObjectColumn> placeColumns(const Components& components, const ImagePlaces& places,
                                                     std::optional<std::vector<double>> fluxes = {});

/// Title of the column of a feature for display: "Area (µm²)", "Orientation (rad)". Grey values have no unit, because
/// it differs between images.
[[nodiscard]] std::string titleOf(const ObjectFeatureInfo& feature, LengthUnit unit);
/// Title of a column of placeColumns() for display: "RA (°)"; the name of a column of another coordinate system.
[[nodiscard]] std::string placeTitle(std::string_view column);
/// Whether placeColumns() can return a column of this name: "ra_deg", "centroid_easting", "patient_x_mm", "flux".
[[nodiscard]] bool isPlaceColumn(std::string_view column);

} // namespace pollard
