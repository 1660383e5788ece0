#include "components/objects/object_features.hpp"

#include "analysis/ellipse.hpp"
#include "attributes/formulas.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "io/metadata/scene_units.hpp"
#include "io/volumes/read_volume.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace pollard {

namespace {

using enum ObjectFeature;

constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kVolumeFeatureCount = 30;

/// Features of images, then features of volumes. The Euler number is last, so that it can be cut off.
constexpr std::array<ObjectFeatureInfo, kObjectFeatureCount + kVolumeFeatureCount> kFeatures{{
    {label, "label", "Label", "number of the object, in raster order of the first pixel", FeatureUnit::none, true},
    {area, "area", "Area", "A = number of pixels", FeatureUnit::area, true},
    {centroidX, "centroid_x", "X", "mean column from the upper left corner, pixel centres at 0, 1, 2 ...",
     FeatureUnit::length, false},
    {centroidY, "centroid_y", "Y", "mean row from the upper left corner, pixel centres at 0, 1, 2 ..., downwards",
     FeatureUnit::length, false},
    {left, "left", "Left", "first column of the bounding box", FeatureUnit::length, true},
    {top, "top", "Top", "first row of the bounding box", FeatureUnit::length, true},
    {width, "width", "Width", "columns of the bounding box", FeatureUnit::length, true},
    {height, "height", "Height", "rows of the bounding box", FeatureUnit::length, true},
    {major, "major", "Major axis", "length of the ellipse of equal second moments", FeatureUnit::length, false},
    {minor, "minor", "Minor axis", "width of the ellipse of equal second moments", FeatureUnit::length, false},
    {elongation, "elongation", "Elongation", "major axis / minor axis", FeatureUnit::none, false},
    {orientation, "orientation", "Orientation", "angle from the x axis to the major axis, clockwise on the screen",
     FeatureUnit::angle, false},
    {perimeter, "perimeter", "Perimeter", "P = exposed pixel sides, also of holes and on the image's border",
     FeatureUnit::length, true},
    {circularity, "circularity", "Circularity",
     "4 pi A / (P pi/4)^2: about 1 for a disc, whose sides are 4/pi times as long as its rim; above 1 where the "
     "outline "
     "runs along rows and columns, up to 4/pi = 1.27 for a square",
     FeatureUnit::none, false},
    {imagejPerimeter, "perimeter_imagej", "Perimeter (ImageJ)",
     "Q = sides of the outer outline less 2 - sqrt(2) a corner, as ImageJ measures traced particles",
     FeatureUnit::length, false, EdgeMeasure::traced},
    {imagejCircularity, "circularity_imagej", "Circularity (ImageJ)", "4 pi A / Q^2, at most 1, as in ImageJ",
     FeatureUnit::none, false, EdgeMeasure::traced},
    {rectangularity, "rectangularity", "Rectangularity", "A / (width * height)", FeatureUnit::none, false},
    {holes, "holes", "Holes", "parts of the complement that the object encloses", FeatureUnit::none, true},
    {border, "border", "Border pixels", "number of pixels in the first or last row or column of the image",
     FeatureUnit::none, true, EdgeMeasure::border},
    {greyMean, "grey_mean", "Mean", "mean grey value of the original image", FeatureUnit::grey, false},
    {greyMin, "grey_min", "Min", "smallest grey value of the original image", FeatureUnit::grey, true},
    {greyMax, "grey_max", "Max", "largest grey value of the original image", FeatureUnit::grey, true},
    {greySum, "grey_sum", "Sum", "sum of the grey values of the original image", FeatureUnit::grey, true},
    {convexArea, "area_convex", "Convex area",
     "number of pixels whose centre lies in the convex hull of the midpoints of the object's pixel sides",
     FeatureUnit::area, true, EdgeMeasure::hull},
    {solidity, "solidity", "Solidity", "A / convex area, at most 1", FeatureUnit::none, false, EdgeMeasure::hull},
    {convexPerimeter, "perimeter_convex", "Convex perimeter", "length of the hull's outline", FeatureUnit::length,
     false, EdgeMeasure::hull},
    {feretMax, "feret_diameter_max", "Feret max", "largest distance of two parallel lines that enclose the hull",
     FeatureUnit::length, false, EdgeMeasure::hull},
    {feretMaxAngle, "feret_max_angle", "Feret max angle",
     "angle from the x axis to the direction of Feret max, clockwise on the screen", FeatureUnit::angle, false,
     EdgeMeasure::hull},
    {feretMin, "feret_diameter_min", "Feret min", "smallest distance of two parallel lines that enclose the hull",
     FeatureUnit::length, false, EdgeMeasure::hull},
    {feretMinAngle, "feret_min_angle", "Feret min angle",
     "angle from the x axis to the direction of Feret min, clockwise on the screen", FeatureUnit::angle, false,
     EdgeMeasure::hull},
    {inscribedRadius, "inscribed_radius", "Inscribed radius",
     "largest distance between the centres of a pixel of the object and the nearest pixel outside", FeatureUnit::length,
     false, EdgeMeasure::ball},
    {inscribedX, "inscribed_x", "Inscribed X", "column of the centre of the inscribed circle", FeatureUnit::length,
     true, EdgeMeasure::ball},
    {inscribedY, "inscribed_y", "Inscribed Y", "row of the centre of the inscribed circle, downwards",
     FeatureUnit::length, true, EdgeMeasure::ball},
    {thickness, "thickness", "Thickness",
     "mean over the pixels of the diameter of the largest circle in the object that contains the pixel",
     FeatureUnit::length, false, EdgeMeasure::thickness},
    // Of volumes.
    {label, "label", "Label", "number of the object, in raster order of the first voxel", FeatureUnit::none, true},
    {area, "area", "Volume", "V = number of voxels", FeatureUnit::volume, true},
    {left, "left", "Left", "first column of the bounding box", FeatureUnit::length, true},
    {top, "top", "Top", "first row of the bounding box", FeatureUnit::length, true},
    {front, "front", "First slice", "first slice of the bounding box", FeatureUnit::length, true},
    {width, "width", "Width", "columns of the bounding box", FeatureUnit::length, true},
    {height, "height", "Height", "rows of the bounding box", FeatureUnit::length, true},
    {slices, "slices", "Number of slices", "slices of the bounding box", FeatureUnit::length, true},
    {centroidX, "centroid_x", "X", "mean column, voxel centres at 0, 1, 2 ...", FeatureUnit::length, false},
    {centroidY, "centroid_y", "Y", "mean row, voxel centres at 0, 1, 2 ..., downwards", FeatureUnit::length, false},
    {centroidZ, "centroid_z", "Z", "mean slice, voxel centres at 0, 1, 2 ...", FeatureUnit::length, false},
    {major, "major", "Major axis", "longest axis of the ellipsoid of equal second moments", FeatureUnit::length, false},
    {medium, "medium", "Medium axis", "second axis of the ellipsoid of equal second moments", FeatureUnit::length,
     false},
    {minor, "minor", "Minor axis", "shortest axis of the ellipsoid of equal second moments", FeatureUnit::length,
     false},
    {elongation, "elongation", "Elongation", "major axis / medium axis", FeatureUnit::none, false},
    {flatness, "flatness", "Flatness", "medium axis / minor axis", FeatureUnit::none, false},
    {surface, "surface", "Surface", "S = exposed faces of voxels, also of cavities and on the volume's border",
     FeatureUnit::area, false},
    {sphericity, "sphericity", "Sphericity",
     "pi^(1/3) (6 V)^(2/3) / (2/3 S): about 1 for a ball, whose faces are 3/2 of its surface", FeatureUnit::none,
     false},
    {rectangularity, "rectangularity", "Rectangularity", "V / (width * height * slices)", FeatureUnit::none, false},
    {border, "border", "Border voxels", "number of voxels in the first or last column, row or slice of the volume",
     FeatureUnit::none, true},
    {greyMin, "grey_min", "Min", "smallest grey value of the original volume", FeatureUnit::grey, true},
    {greyMax, "grey_max", "Max", "largest grey value of the original volume", FeatureUnit::grey, true},
    {greySum, "grey_sum", "Sum", "sum of the grey values of the original volume", FeatureUnit::grey, true},
    {greyMean, "grey_mean", "Mean", "mean grey value of the original volume", FeatureUnit::grey, false},
    {inscribedRadius, "inscribed_radius", "Inscribed radius",
     "largest distance between the centres of a voxel of the object and the nearest voxel outside", FeatureUnit::length,
     false, EdgeMeasure::ball},
    {inscribedX, "inscribed_x", "Inscribed X", "column of the centre of the inscribed ball", FeatureUnit::length, true,
     EdgeMeasure::ball},
    {inscribedY, "inscribed_y", "Inscribed Y", "row of the centre of the inscribed ball, downwards",
     FeatureUnit::length, true, EdgeMeasure::ball},
    {inscribedZ, "inscribed_z", "Inscribed Z", "slice of the centre of the inscribed ball", FeatureUnit::length, true,
     EdgeMeasure::ball},
    {thickness, "thickness", "Thickness",
     "mean over the voxels of the diameter of the largest ball in the object that contains the voxel",
     FeatureUnit::length, false, EdgeMeasure::thickness},
    {euler, "euler", "Euler number", "objects (1) - tunnels + cavities", FeatureUnit::none, true},
}};

Ellipse ellipseOfObject(const ComponentRecord& object) noexcept {
    return ellipseOf({object.area, object.sumX, object.sumY, object.sumXX, object.sumXY, object.sumYY});
}

double elongationOf(const Ellipse& ellipse) noexcept { return ellipse.major / ellipse.minor; }

double circularityOf(const ComponentRecord& object) noexcept {
    const double round = static_cast<double>(object.perimeter) * std::numbers::pi / 4;
    return 4 * std::numbers::pi * static_cast<double>(object.area) / (round * round);
}

double imagejCircularityOf(const ComponentRecord& object, const ObjectEdge& edge) noexcept {
    const double circle = edge.imagejPerimeter * edge.imagejPerimeter;
    const double ratio = 4 * std::numbers::pi * static_cast<double>(object.area) / circle;
    return ratio > 1 ? 1 : ratio; // NaN if the perimeter is
}

} // namespace

std::span<const ObjectFeatureInfo> objectFeatures(Connectivity connectivity) noexcept {
    return isPlanar(connectivity)
               ? std::span(kFeatures).first(kObjectFeatureCount)
               : std::span(kFeatures).subspan(kObjectFeatureCount,
                                              kVolumeFeatureCount - (connectivity == Connectivity::eighteen ? 1 : 0));
}

const ObjectFeatureInfo& objectFeatureInfo(ObjectFeature feature, bool inVolumes) noexcept {
    const auto* const first = kFeatures.begin() + (inVolumes ? kObjectFeatureCount : 0);
    const auto* const found = std::ranges::find(first, kFeatures.end(), feature, &ObjectFeatureInfo::feature);
    return found != kFeatures.end() ? *found : *std::ranges::find(kFeatures, feature, &ObjectFeatureInfo::feature);
}

EdgeMeasure edgeMeasureOf(ObjectFeature feature) noexcept { return objectFeatureInfo(feature).edge; }

std::optional<ObjectFeature> findObjectFeature(std::string_view id,
                                               std::span<const ObjectFeatureInfo> features) noexcept {
    for (const ObjectFeatureInfo& info : features) {
        if (info.id == id) {
            return info.feature;
        }
    }
    return std::nullopt;
}

std::string featureIds(std::span<const ObjectFeatureInfo> features) {
    std::string ids;
    for (const ObjectFeatureInfo& info : features) {
        ids += (ids.empty() ? "" : ", ") + std::string(info.id);
    }
    return ids;
}

std::vector<ObjectFeature> parseFeatures(std::string_view text, std::span<const ObjectFeatureInfo> known) {
    std::vector<ObjectFeature> features;
    for (std::size_t from = 0; from <= text.size();) {
        const std::size_t to = std::min(text.find(',', from), text.size());
        const std::string_view id = text.substr(from, to - from);
        const auto feature = findObjectFeature(id, known);
        if (!feature) {
            throw Error(ErrorCode::invalidArgument,
                        "features: '" + std::string(id) + "' is no feature; there are " + featureIds(known));
        }
        if (std::ranges::find(features, *feature) != features.end()) {
            throw Error(ErrorCode::invalidArgument, "features: '" + std::string(id) + "' stands twice");
        }
        features.push_back(*feature);
        from = to + 1;
    }
    return features;
}

std::string whyNoObjectUnit(const std::optional<PixelSize>& size, bool inVolume) {
    return whyNoScene(size, inVolume ? Dimension::volume : Dimension::area);
}

ObjectUnit objectUnitOf(LengthUnit unit, const std::optional<PixelSize>& size, bool inVolume,
                        const std::optional<VoxelSides>& spacing, const std::optional<ValueMapping>& values) {
    if (unit == LengthUnit::pixel) {
        VoxelSides sides = voxelSides(size, spacing);
        sides.z = inVolume ? sides.z : 1;
        return {unit, sides, values};
    }
    const auto inThis = [&](double side) {
        PixelSize square = *size;
        square.x = square.y = side;
        return inUnit(1, unit, Dimension::length, square);
    };
    return {unit, {inThis(size->x), inThis(size->y), inThis(inVolume ? size->z : size->x)}, values};
}

double sizeInPixels(double size, LengthUnit unit, const std::optional<PixelSize>& pixelSize, bool inVolume) {
    if (unit == LengthUnit::pixel) {
        return size;
    }
    if (const std::string why = whyNoObjectUnit(pixelSize, inVolume); !why.empty()) {
        const Dimension dimension = inVolume ? Dimension::volume : Dimension::area;
        throw Error(ErrorCode::invalidArgument, "size in " + unitName(unit, dimension) + ": " + why);
    }
    const VoxelSides sides = objectUnitOf(unit, pixelSize, inVolume).sides;
    return size / (sides.x * sides.y * (inVolume ? sides.z : 1));
}

bool isScaled(const ObjectFeatureInfo& feature, LengthUnit unit) noexcept {
    return unit != LengthUnit::pixel && dimensionOf(feature.unit) != Dimension::none;
}

double tableValue(double value, const ObjectFeatureInfo& feature, LengthUnit unit) noexcept {
    return isScaled(feature, unit) ? decimalOf(value) : value;
}

bool isWhole(const ObjectFeatureInfo& feature, const ObjectUnit& unit) noexcept {
    if (feature.unit == FeatureUnit::grey && unit.values) {
        const ValueMapping& values = *unit.values;
        const auto isInteger = [](double value) { return value == std::trunc(value); };
        const bool isFloat = values.file.type == ValueType::f32 || values.file.type == ValueType::f64;
        return feature.integral &&
               (values.ranks ? !isFloat && isInteger(values.file.slope) && isInteger(values.file.intercept)
                             : isInteger(values.offset) && isInteger(values.step));
    }
    return feature.integral && !isScaled(feature, unit.unit);
}

ObjectGrey::ObjectGrey(const std::optional<ValueMapping>& values, double sum) noexcept
    : values_(values ? &*values : nullptr), sum_(sum) {}

double ObjectGrey::valueOf(std::uint16_t level) const noexcept {
    if (values_ != nullptr && values_->ranks != nullptr && level >= values_->ranks->values.size()) {
        return kUndefined;
    }
    return values_ != nullptr ? values_->valueOf(level) : level;
}

double ObjectGrey::sum(const ComponentRecord& record) const noexcept {
    const auto levels = static_cast<double>(record.greySum);
    return values_ == nullptr          ? levels
           : values_->ranks != nullptr ? sum_
                                       : values_->offset * static_cast<double>(record.area) + values_->step * levels;
}

double ObjectGrey::mean(const ComponentRecord& record) const noexcept {
    return sum(record) / static_cast<double>(record.area);
}

const PrincipalMoments& MeasuredObject::moments() const noexcept {
    if (!moments_) {
        const ComponentRecord& r = *record_;
        const DepthRecord& d = *depth_;
        const VolumeSums<std::uint64_t> sums{r.sumX,  r.sumY,  d.sumZ,  r.sumXX, r.sumYY,
                                             d.sumZZ, r.sumXY, d.sumXZ, d.sumYZ};
        moments_ = principalMomentsOf(r.area, volumeMomentsOf(r.area, sums), sides_);
    }
    return *moments_;
}

double MeasuredObject::surface() const noexcept {
    return surfaceOf({depth_->runsX, depth_->runsY, depth_->runsZ}, sides_);
}

double MeasuredObject::areaOf(std::uint64_t pixels) const noexcept {
    return static_cast<double>(pixels) * steps_.x * (isSquare() ? steps_.x : steps_.y);
}

bool MeasuredObject::isSquare() const noexcept {
    constexpr double kSquare = 1e-3;
    return std::abs(sides_.x - sides_.y) <= kSquare * std::min(sides_.x, sides_.y);
}

Ellipse MeasuredObject::ellipse() const noexcept {
    Ellipse ellipse = ellipseOfObject(*record_);
    if (isSquare()) {
        ellipse.major *= steps_.x;
        ellipse.minor *= steps_.x;
        return ellipse;
    }
    const ComponentRecord& r = *record_;
    const SecondMoments m = secondMomentsOf(r.area, ShiftedSums{r.sumX, r.sumY, r.sumXX, r.sumXY, r.sumYY});
    const auto area = static_cast<double>(r.area);
    // Covariance of the pixels as rectangles.
    const double xx = (m.sum + m.difference) / 2 * area * sides_.x * sides_.x;
    const double yy = (m.sum - m.difference) / 2 * area * sides_.y * sides_.y;
    const double xy = m.mixed * area * sides_.x * sides_.y;
    const double spread = std::hypot(xx - yy, 2 * xy);
    ellipse.major = 4 * std::sqrt((xx + yy + spread) / 2);
    ellipse.minor = 4 * std::sqrt(std::max(0.0, (xx + yy - spread) / 2));
    ellipse.angle = spread == 0 ? 0 : std::atan2(2 * xy, xx - yy) / 2;
    return ellipse;
}

double MeasuredObject::valueOf(ObjectFeature feature) const noexcept {
    const ComponentRecord& r = *record_;
    switch (feature) {
    case ObjectFeature::label:
        return number_;
    case centroidX:
        return r.centroidX() * steps_.x;
    case centroidY:
        return r.centroidY() * steps_.y;
    case left:
        return r.left * steps_.x;
    case top:
        return r.top * steps_.y;
    case width:
        return r.width() * steps_.x;
    case height:
        return r.height() * steps_.y;
    case greyMean:
        return grey_.mean(r);
    case greyMin:
        return grey_.valueOf(r.greyMin);
    case greyMax:
        return grey_.valueOf(r.greyMax);
    case greySum:
        return grey_.sum(r);
    default:
        return depth_ == nullptr ? valueInImage(feature) : valueInVolume(feature);
    }
}

double MeasuredObject::valueInImage(ObjectFeature feature) const noexcept {
    const ComponentRecord& r = *record_;
    // Scales perimeters, which are counted in sides of pixels.
    const double side = isSquare() || steps_.x == steps_.y ? steps_.x : kUndefined;
    switch (feature) {
    case area:
        return areaOf(r.area);
    case major:
        return ellipse().major;
    case minor:
        return ellipse().minor;
    case elongation:
        return elongationOf(ellipse());
    case orientation:
        return ellipse().angle;
    case perimeter:
        return static_cast<double>(r.perimeter) * side;
    case circularity:
        return isSquare() ? circularityOf(r) : kUndefined;
    case imagejPerimeter:
        return shape_.edge == nullptr ? kUndefined : shape_.edge->imagejPerimeter * side;
    case imagejCircularity:
        return shape_.edge == nullptr || !isSquare() ? kUndefined : imagejCircularityOf(r, *shape_.edge);
    case rectangularity:
        return static_cast<double>(r.area) / (static_cast<double>(r.width()) * static_cast<double>(r.height()));
    case holes:
        return static_cast<double>(r.holes);
    case border:
        return shape_.edge == nullptr ? kUndefined : static_cast<double>(shape_.edge->border);
    default:
        return valueOfShape(feature);
    }
}

double MeasuredObject::valueOfShape(ObjectFeature feature) const noexcept {
    const auto ofHull = [&](auto member, double step) {
        return shape_.hull == nullptr ? kUndefined : shape_.hull->*member * step;
    };
    const auto ofBall = [&](auto member, double step) {
        return shape_.ball == nullptr ? kUndefined : shape_.ball->*member * step;
    };
    switch (feature) {
    case convexArea:
        return shape_.hull == nullptr ? kUndefined : areaOf(shape_.hull->area);
    case solidity:
        return shape_.hull == nullptr ? kUndefined
                                      : static_cast<double>(record_->area) / static_cast<double>(shape_.hull->area);
    case convexPerimeter:
        return ofHull(&ObjectHull::perimeter, steps_.x);
    case feretMax:
        return ofHull(&ObjectHull::feretMax, steps_.x);
    case feretMaxAngle:
        return ofHull(&ObjectHull::feretMaxAngle, 1);
    case feretMin:
        return ofHull(&ObjectHull::feretMin, steps_.x);
    case feretMinAngle:
        return ofHull(&ObjectHull::feretMinAngle, 1);
    case inscribedRadius:
        return ofBall(&InscribedBall::radius, steps_.x);
    case inscribedX:
        return ofBall(&InscribedBall::x, steps_.x);
    case inscribedY:
        return ofBall(&InscribedBall::y, steps_.y);
    case inscribedZ:
        return depth_ == nullptr ? kUndefined : ofBall(&InscribedBall::z, steps_.z);
    case ObjectFeature::thickness:
        return shape_.thickness == nullptr ? kUndefined : *shape_.thickness * steps_.x;
    default:
        return kUndefined;
    }
}

double MeasuredObject::valueInVolume(ObjectFeature feature) const noexcept {
    const ComponentRecord& r = *record_;
    const DepthRecord& d = *depth_;
    switch (feature) {
    case area:
        return static_cast<double>(r.area) * steps_.volume();
    case front:
        return d.front * steps_.z;
    case slices:
        return d.slices() * steps_.z;
    case centroidZ:
        return static_cast<double>(d.sumZ) / static_cast<double>(r.area) * steps_.z;
    case major:
        return ellipsoidAxisOf(moments().first);
    case medium:
        return ellipsoidAxisOf(moments().second);
    case minor:
        return ellipsoidAxisOf(moments().third);
    case elongation:
        return pollard::elongationOf(moments());
    case flatness:
        return flatnessOf(moments());
    case ObjectFeature::surface:
        return surface();
    case sphericity:
        return sphericityOf(static_cast<double>(r.area) * sides_.volume(), surface());
    case rectangularity:
        return static_cast<double>(r.area) / (static_cast<double>(r.width()) * r.height() * d.slices());
    case border:
        return d.border;
    case euler:
        return hasEuler_ ? static_cast<double>(d.euler) : kUndefined;
    default:
        return valueOfShape(feature);
    }
}

} // namespace pollard
