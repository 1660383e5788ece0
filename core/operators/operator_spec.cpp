#include "operators/operator_spec.hpp"

#include "attributes/attribute.hpp"
#include "attributes/grey_values.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "io/metadata/scene_units.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace pollard {
namespace {

struct OperatorRow {
    OperatorKind kind;
    std::string_view name;
    OperatorValues values;
    bool hasShape = false;
    bool hasTree = false;
};

constexpr std::array kOperatorRows{
    OperatorRow{OperatorKind::erosion, "erosion", OperatorValues::levels, true},
    OperatorRow{OperatorKind::dilation, "dilation", OperatorValues::levels, true},
    OperatorRow{OperatorKind::opening, "opening", OperatorValues::levels, true},
    OperatorRow{OperatorKind::closing, "closing", OperatorValues::levels, true},
    OperatorRow{OperatorKind::whiteTophat, "white-tophat", OperatorValues::differences, true},
    OperatorRow{OperatorKind::blackTophat, "black-tophat", OperatorValues::differences, true},
    OperatorRow{OperatorKind::gradient, "gradient", OperatorValues::differences, true},
    OperatorRow{OperatorKind::openingByReconstruction, "opening-by-reconstruction", OperatorValues::levels, true, true},
    OperatorRow{OperatorKind::closingByReconstruction, "closing-by-reconstruction", OperatorValues::levels, true, true},
    OperatorRow{OperatorKind::gaussian, "gaussian", OperatorValues::between},
    OperatorRow{OperatorKind::median, "median", OperatorValues::levels, true},
    OperatorRow{OperatorKind::fillHoles, "fill-holes", OperatorValues::levels, false, true},
    OperatorRow{OperatorKind::clearBorder, "clear-border", OperatorValues::differences, false, true},
    OperatorRow{OperatorKind::hMaxima, "h-maxima", OperatorValues::between, false, true},
    OperatorRow{OperatorKind::hMinima, "h-minima", OperatorValues::between, false, true},
    OperatorRow{OperatorKind::distance, "distance", OperatorValues::lengths},
    OperatorRow{OperatorKind::skeleton, "skeleton", OperatorValues::flags},
    OperatorRow{OperatorKind::thickness, "thickness", OperatorValues::lengths},
    OperatorRow{OperatorKind::reconstructionByDilation, "reconstruction-by-dilation", OperatorValues::levels, false,
                true},
    OperatorRow{OperatorKind::reconstructionByErosion, "reconstruction-by-erosion", OperatorValues::levels, false,
                true}};
static_assert(kOperatorRows.size() == kOperators.size());

constexpr const OperatorRow& operatorRow(OperatorKind kind) noexcept {
    return kOperatorRows[static_cast<std::size_t>(kind)];
}

void requireLength(double length, const char* name, double least, double most, OperatorKind kind) {
    if (!(length >= least && length <= most)) {
        throw Error(ErrorCode::invalidArgument, std::string(nameOf(kind)) + ": " + name + " " + exactNumber(length) +
                                                    " px: must be from " + exactNumber(least) + " to " +
                                                    exactNumber(most) + " px");
    }
}

/// A length in pixels, in volumes in widths of a voxel.
double pixelsOfLength(double length, const OperatorSpec& spec, const ImageUnits& units) {
    return spec.unit == LengthUnit::pixel ? length
                                          : pixelsOf(length, spec.unit, Dimension::length, sizeForLengths(spec, units));
}

double levelsOfHeight(double height, const ImageUnits& units) {
    const double most = maxLevelOf(PixelType::u16);
    return std::min(std::floor(columnBound(AttributeId::height, height, false, units.mapping)), most);
}

} // namespace

std::string_view nameOf(OperatorKind kind) noexcept { return operatorRow(kind).name; }

std::string_view nameOf(OperatorShape shape) noexcept { return shape == OperatorShape::disc ? "disc" : "box"; }

OperatorValues valuesOf(OperatorKind kind) noexcept { return operatorRow(kind).values; }

bool takesShape(OperatorKind kind) noexcept { return operatorRow(kind).hasShape; }

bool takesConnectivity(OperatorKind kind) noexcept { return operatorRow(kind).hasTree; }

bool takesLengths(OperatorKind kind) noexcept {
    return takesShape(kind) || takesSigma(kind) || valuesOf(kind) == OperatorValues::lengths;
}

bool needsProportional(OperatorKind kind) noexcept {
    return valuesOf(kind) == OperatorValues::between || valuesOf(kind) == OperatorValues::differences;
}

PixelSize sizeForLengths(const OperatorSpec& spec, const ImageUnits& units) {
    const std::string why = whyNoScene(units.pixelSize, units.isVolume ? Dimension::volume : Dimension::length);
    if (!why.empty()) {
        throw Error(ErrorCode::invalidArgument,
                    std::string(nameOf(spec.kind)) + ": unit '" + unitName(spec.unit, Dimension::length) + "': " + why);
    }
    return sizeFor(AttributeId::major, *units.pixelSize, units.isVolume);
}

OperatorSpec inPixels(OperatorSpec spec, const ImageUnits& units) {
    if (needsProportional(spec.kind)) {
        requireProportional(units.mapping, nameOf(spec.kind));
    }
    if (takesShape(spec.kind)) {
        spec.radius = pixelsOfLength(spec.radius, spec, units);
        requireLength(spec.radius, "radius", 0, OperatorSpec::kMostRadius, spec.kind);
    }
    if (takesSigma(spec.kind)) {
        spec.sigma = pixelsOfLength(spec.sigma, spec, units);
        requireLength(spec.sigma, "sigma", 0, OperatorSpec::kMostSigma, spec.kind);
    }
    if (takesHeight(spec.kind)) {
        if (!(spec.height >= 0)) {
            throw Error(ErrorCode::invalidArgument, std::string(nameOf(spec.kind)) + ": height " +
                                                        exactNumber(spec.height) + ": must be 0 or more");
        }
        spec.height = levelsOfHeight(spec.height, units);
    }
    spec.unit = LengthUnit::pixel;
    spec.connectivity = correspondingConnectivity({1, 1, units.isVolume ? 2U : 1U}, spec.connectivity);
    return spec;
}

} // namespace pollard
