#include "components/volumes/volume_features.hpp"

#include "components/objects/object_files.hpp"
#include "io/metadata/scene_units.hpp"
#include "io/read_volume.hpp"
#include "io/write/text_file.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <utility>

namespace pollard {

namespace {

using enum ObjectFeature;

/// The Euler number is the last, so that it can be left out.
constexpr std::array kFeatures{
    ObjectFeatureInfo{label, "label", "Label", "number of the object, in raster order of the first voxel",
                      FeatureUnit::none, true},
    ObjectFeatureInfo{area, "area", "Volume", "V = number of voxels", FeatureUnit::volume, true},
    ObjectFeatureInfo{left, "left", "Left", "first column of the bounding box", FeatureUnit::length, true},
    ObjectFeatureInfo{top, "top", "Top", "first row of the bounding box", FeatureUnit::length, true},
    ObjectFeatureInfo{front, "front", "Front", "first slice of the bounding box", FeatureUnit::length, true},
    ObjectFeatureInfo{width, "width", "Width", "columns of the bounding box", FeatureUnit::length, true},
    ObjectFeatureInfo{height, "height", "Height", "rows of the bounding box", FeatureUnit::length, true},
    ObjectFeatureInfo{slices, "slices", "Slices", "slices of the bounding box", FeatureUnit::length, true},
    ObjectFeatureInfo{centroidX, "centroid_x", "X", "mean column, voxel centres at 0, 1, 2 ...", FeatureUnit::length,
                      false},
    ObjectFeatureInfo{centroidY, "centroid_y", "Y", "mean row, voxel centres at 0, 1, 2 ..., downwards",
                      FeatureUnit::length, false},
    ObjectFeatureInfo{centroidZ, "centroid_z", "Z", "mean slice, voxel centres at 0, 1, 2 ...", FeatureUnit::length,
                      false},
    ObjectFeatureInfo{major, "major", "Major axis", "longest axis of the ellipsoid of equal second moments",
                      FeatureUnit::length, false},
    ObjectFeatureInfo{medium, "medium", "Medium axis", "second axis of the ellipsoid of equal second moments",
                      FeatureUnit::length, false},
    ObjectFeatureInfo{minor, "minor", "Minor axis", "shortest axis of the ellipsoid of equal second moments",
                      FeatureUnit::length, false},
    ObjectFeatureInfo{elongation, "elongation", "Elongation", "major axis / medium axis", FeatureUnit::none, false},
    ObjectFeatureInfo{flatness, "flatness", "Flatness", "medium axis / minor axis", FeatureUnit::none, false},
    ObjectFeatureInfo{surface, "surface", "Surface",
                      "S = exposed faces of voxels, those of cavities and on the volume's border included",
                      FeatureUnit::area, false},
    ObjectFeatureInfo{sphericity, "sphericity", "Sphericity",
                      "pi^(1/3) (6 V)^(2/3) / (2/3 S): about 1 for a ball, whose faces are 3/2 of its surface",
                      FeatureUnit::none, false},
    ObjectFeatureInfo{rectangularity, "rectangularity", "Rectangularity", "V / (width * height * slices)",
                      FeatureUnit::none, false},
    ObjectFeatureInfo{border, "border", "Border voxels",
                      "number of voxels in the first or last column, row or slice of the volume", FeatureUnit::none,
                      true},
    ObjectFeatureInfo{greyMin, "grey_min", "Min", "smallest grey level of the original volume", FeatureUnit::grey,
                      true},
    ObjectFeatureInfo{greyMax, "grey_max", "Max", "largest grey level of the original volume", FeatureUnit::grey, true},
    ObjectFeatureInfo{greySum, "grey_sum", "Sum", "sum of the grey levels of the original volume", FeatureUnit::grey,
                      true},
    ObjectFeatureInfo{greyMean, "grey_mean", "Mean", "mean grey level of the original volume", FeatureUnit::grey,
                      false},
    ObjectFeatureInfo{euler, "euler", "Euler number", "objects (1) - tunnels + cavities", FeatureUnit::none, true},
};

const ObjectFeatureInfo& infoOf(ObjectFeature feature) noexcept {
    return *std::ranges::find(kFeatures, feature, &ObjectFeatureInfo::feature);
}

void writeCell(TextFile& file, const VolumeObject& object, const ObjectFeatureInfo& info, LengthUnit unit) {
    if (info.feature == greySum) { // may exceed the exact integers of a double
        file << object.record().greySum;
    } else if (isWhole(info, unit)) {
        file << static_cast<std::int64_t>(object.valueOf(info.feature));
    } else {
        file << object.valueOf(info.feature);
    }
}

} // namespace

std::span<const ObjectFeatureInfo> volumeFeatures(Connectivity connectivity) noexcept {
    return std::span(kFeatures).first(kFeatures.size() - (connectivity == Connectivity::eighteen ? 1 : 0));
}

std::string whyNoVolumeUnit(const std::optional<PixelSize>& size) {
    std::string why = whyNoScene(size, Dimension::area);
    return why.empty() && !(size->z > 0) ? "the distance between the slices is unknown" : why;
}

VolumeUnit volumeUnitOf(LengthUnit unit, const std::optional<PixelSize>& size) {
    if (unit == LengthUnit::pixel) {
        return {unit, voxelSides(size)};
    }
    const auto inThis = [&](double side) {
        PixelSize square = *size;
        square.x = square.y = side;
        return inUnit(1, unit, Dimension::length, square);
    };
    return {unit, {inThis(size->x), inThis(size->y), inThis(size->z)}};
}

const PrincipalMoments& VolumeObject::moments() const noexcept {
    if (!moments_) {
        const VolumeRecord& r = *record_;
        const VolumeSums<std::uint64_t> sums{r.sumX,  r.sumY,  r.sumZ,  r.sumXX, r.sumYY,
                                             r.sumZZ, r.sumXY, r.sumXZ, r.sumYZ};
        moments_ = principalMomentsOf(r.area, volumeMomentsOf(r.area, sums), sides_);
    }
    return *moments_;
}

double VolumeObject::surface() const noexcept {
    return surfaceOf({record_->runsX, record_->runsY, record_->runsZ}, sides_);
}

double VolumeObject::valueOf(ObjectFeature feature) const noexcept {
    const VolumeRecord& r = *record_;
    switch (feature) {
    case ObjectFeature::area:
        return static_cast<double>(r.area) * steps_.volume();
    case ObjectFeature::left:
        return r.left * steps_.x;
    case ObjectFeature::top:
        return r.top * steps_.y;
    case ObjectFeature::front:
        return r.front * steps_.z;
    case ObjectFeature::width:
        return r.width() * steps_.x;
    case ObjectFeature::height:
        return r.height() * steps_.y;
    case ObjectFeature::slices:
        return r.slices() * steps_.z;
    case ObjectFeature::centroidX:
        return r.centroidX() * steps_.x;
    case ObjectFeature::centroidY:
        return r.centroidY() * steps_.y;
    case ObjectFeature::centroidZ:
        return r.centroidZ() * steps_.z;
    case ObjectFeature::major:
        return ellipsoidAxisOf(moments().first);
    case ObjectFeature::medium:
        return ellipsoidAxisOf(moments().second);
    case ObjectFeature::minor:
        return ellipsoidAxisOf(moments().third);
    case ObjectFeature::elongation:
        return elongationOf(moments());
    case ObjectFeature::flatness:
        return flatnessOf(moments());
    case ObjectFeature::surface:
        return surface();
    case ObjectFeature::sphericity:
        return sphericityOf(static_cast<double>(r.area) * sides_.volume(), surface());
    case ObjectFeature::rectangularity:
        return static_cast<double>(r.area) / (static_cast<double>(r.width()) * r.height() * r.slices());
    case ObjectFeature::border:
        return r.border;
    case ObjectFeature::euler:
        return hasEuler_ ? static_cast<double>(r.euler) : std::numeric_limits<double>::quiet_NaN();
    case ObjectFeature::label:
    case ObjectFeature::greyMean:
    case ObjectFeature::greyMin:
    case ObjectFeature::greyMax:
    case ObjectFeature::greySum:
        return featureOf(r, label_, feature);
    case ObjectFeature::orientation:
    case ObjectFeature::perimeter:
    case ObjectFeature::circularity:
    case ObjectFeature::imagejPerimeter:
    case ObjectFeature::imagejCircularity:
    case ObjectFeature::holes:
        break;
    }
    return std::numeric_limits<double>::quiet_NaN();
}

void writeProperties(TextFile& file, const VolumeObject& object, std::span<const ObjectFeature> features,
                     LengthUnit unit) {
    for (const ObjectFeature feature : features) {
        const ObjectFeatureInfo info = infoOf(feature);
        file << ",\"" << columnOf(info, unit) << "\":";
        writeCell(file, object, info, unit);
    }
}

void writeObjectTable(TextFile& file, const VolumeComponents& components, std::span<const std::uint32_t> labels,
                      std::span<const ObjectFeature> features, const JobControl& control, const VolumeUnit& unit,
                      std::span<const ObjectColumn> further) {
    std::vector<ObjectFeatureInfo> columns;
    if (features.empty()) {
        const auto all = volumeFeatures(components.connectivity);
        columns.assign(all.begin(), all.end());
    } else {
        std::ranges::transform(features, std::back_inserter(columns), infoOf);
    }
    for (std::size_t c = 0; c < columns.size(); ++c) {
        file << (c == 0 ? "" : ",") << columnOf(columns[c], unit.unit);
    }
    writeColumnNames(file, further);
    file.endLine(control);
    for (const std::uint32_t number : labels) {
        const VolumeObject object(components.objects[number - 1], number, unit);
        for (std::size_t c = 0; c < columns.size(); ++c) {
            file << (c == 0 ? "" : ",");
            writeCell(file, object, columns[c], unit.unit);
        }
        writeColumnCells(file, further, number);
        file.endLine(control);
    }
}

} // namespace pollard
