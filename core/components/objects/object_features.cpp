#include "components/objects/object_features.hpp"

#include "analysis/ellipse.hpp"

#include <limits>
#include <numbers>

namespace pollard {

namespace {

using enum ObjectFeature;

constexpr std::array<ObjectFeatureInfo, kObjectFeatureCount> kFeatures{{
    {label, "label", "Label", "number of the object, in raster order of the first pixel", FeatureUnit::none, true},
    {area, "area", "Area", "A = number of pixels", FeatureUnit::area, true},
    {centroidX, "centroid_x", "X", "mean column, pixel centres at 0, 1, 2 ...", FeatureUnit::length, false},
    {centroidY, "centroid_y", "Y", "mean row, pixel centres at 0, 1, 2 ..., downwards", FeatureUnit::length, false},
    {left, "left", "Left", "first column of the bounding box", FeatureUnit::length, true},
    {top, "top", "Top", "first row of the bounding box", FeatureUnit::length, true},
    {width, "width", "Width", "columns of the bounding box", FeatureUnit::length, true},
    {height, "height", "Height", "rows of the bounding box", FeatureUnit::length, true},
    {major, "major", "Major axis", "length of the ellipse of equal second moments", FeatureUnit::length, false},
    {minor, "minor", "Minor axis", "width of the ellipse of equal second moments", FeatureUnit::length, false},
    {elongation, "elongation", "Elongation", "major axis / minor axis", FeatureUnit::none, false},
    {orientation, "orientation", "Orientation", "angle from the x axis to the major axis, clockwise on the screen",
     FeatureUnit::angle, false},
    {perimeter, "perimeter", "Perimeter", "P = exposed pixel sides, those of holes and on the image's border included",
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
    {greyMean, "grey_mean", "Mean", "mean grey level of the original picture", FeatureUnit::grey, false},
    {greyMin, "grey_min", "Min", "smallest grey level of the original picture", FeatureUnit::grey, true},
    {greyMax, "grey_max", "Max", "largest grey level of the original picture", FeatureUnit::grey, true},
    {greySum, "grey_sum", "Sum", "sum of the grey levels of the original picture", FeatureUnit::grey, true},
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

std::span<const ObjectFeatureInfo, kObjectFeatureCount> objectFeatures() noexcept { return kFeatures; }

const ObjectFeatureInfo& objectFeatureInfo(ObjectFeature feature) noexcept {
    return kFeatures[static_cast<std::size_t>(feature)];
}

EdgeMeasure edgeMeasureOf(ObjectFeature feature) noexcept {
    return static_cast<std::size_t>(feature) < kObjectFeatureCount ? objectFeatureInfo(feature).edge
                                                                   : EdgeMeasure::none;
}

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

double featureOf(const ComponentRecord& object, std::uint32_t number, ObjectFeature feature, double side,
                 const ObjectEdge* edge) noexcept {
    constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();
    switch (feature) {
    case label:
        return number;
    case area:
        return static_cast<double>(object.area) * side * side;
    case centroidX:
        return object.centroidX() * side;
    case centroidY:
        return object.centroidY() * side;
    case left:
        return object.left * side;
    case top:
        return object.top * side;
    case width:
        return object.width() * side;
    case height:
        return object.height() * side;
    case major:
        return ellipseOfObject(object).major * side;
    case minor:
        return ellipseOfObject(object).minor * side;
    case elongation:
        return elongationOf(ellipseOfObject(object));
    case orientation:
        return ellipseOfObject(object).angle;
    case perimeter:
        return static_cast<double>(object.perimeter) * side;
    case circularity:
        return circularityOf(object);
    case imagejPerimeter:
        return edge == nullptr ? kUndefined : edge->imagejPerimeter * side;
    case imagejCircularity:
        return edge == nullptr ? kUndefined : imagejCircularityOf(object, *edge);
    case rectangularity:
        return static_cast<double>(object.area) /
               (static_cast<double>(object.width()) * static_cast<double>(object.height()));
    case holes:
        return static_cast<double>(object.holes);
    case border:
        return edge == nullptr ? kUndefined : static_cast<double>(edge->border);
    case greyMean:
        return object.greyMean();
    case greyMin:
        return object.greyMin;
    case greyMax:
        return object.greyMax;
    case greySum:
        return static_cast<double>(object.greySum);
    case centroidZ:
    case front:
    case slices:
    case medium:
    case flatness:
    case surface:
    case sphericity:
    case euler:
        break;
    }
    return kUndefined;
}

} // namespace pollard
