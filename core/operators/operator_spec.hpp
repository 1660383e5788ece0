#pragma once

#include "filter/filter_units.hpp"
#include "image/image.hpp"
#include "image/length_unit.hpp"
#include "io/image_file.hpp"
#include "tree/component_tree.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace pollard {

/// An operator that makes an image from an image, see applyOperator().
enum class OperatorKind : std::uint8_t {
    erosion,
    dilation,
    opening,
    closing,
    whiteTophat,
    blackTophat,
    gradient,
    openingByReconstruction,
    closingByReconstruction,
    gaussian,
    median,
    fillHoles,
    clearBorder,
    hMaxima,
    hMinima,
    distance,
    skeleton,
    thickness,
    reconstructionByDilation,
    reconstructionByErosion,
};
inline constexpr std::array kOperators{OperatorKind::erosion,
                                       OperatorKind::dilation,
                                       OperatorKind::opening,
                                       OperatorKind::closing,
                                       OperatorKind::whiteTophat,
                                       OperatorKind::blackTophat,
                                       OperatorKind::gradient,
                                       OperatorKind::openingByReconstruction,
                                       OperatorKind::closingByReconstruction,
                                       OperatorKind::gaussian,
                                       OperatorKind::median,
                                       OperatorKind::fillHoles,
                                       OperatorKind::clearBorder,
                                       OperatorKind::hMaxima,
                                       OperatorKind::hMinima,
                                       OperatorKind::distance,
                                       OperatorKind::skeleton,
                                       OperatorKind::thickness,
                                       OperatorKind::reconstructionByDilation,
                                       OperatorKind::reconstructionByErosion};
/// "erosion", "white-tophat", "opening-by-reconstruction" ...
[[nodiscard]] std::string_view nameOf(OperatorKind kind) noexcept;

/// Pixels at the distance of a radius at most: of x and y each in a box, Euclidean in a disc; a ball in a volume.
enum class OperatorShape : std::uint8_t { disc, box };
inline constexpr std::array kOperatorShapes{OperatorShape::disc, OperatorShape::box};
[[nodiscard]] std::string_view nameOf(OperatorShape shape) noexcept; ///< "disc", "box"

/// How the values of an operator's result relate to the values of the image.
enum class OperatorValues : std::uint8_t {
    levels,      ///< levels of the image
    between,     ///< any level between them
    differences, ///< differences of levels
    lengths,     ///< distances or widths
    flags,       ///< 0 and the largest level of the type
};
[[nodiscard]] OperatorValues valuesOf(OperatorKind kind) noexcept;

[[nodiscard]] bool takesShape(OperatorKind kind) noexcept;        ///< OperatorSpec::shape and radius
[[nodiscard]] bool takesConnectivity(OperatorKind kind) noexcept; ///< of a tree
[[nodiscard]] constexpr bool takesSigma(OperatorKind kind) noexcept { return kind == OperatorKind::gaussian; }
[[nodiscard]] constexpr bool takesHeight(OperatorKind kind) noexcept {
    return kind == OperatorKind::hMaxima || kind == OperatorKind::hMinima;
}
[[nodiscard]] constexpr bool takesMarker(OperatorKind kind) noexcept {
    return kind == OperatorKind::reconstructionByDilation || kind == OperatorKind::reconstructionByErosion;
}
/// Whether the result depends on the sides of a pixel.
[[nodiscard]] bool takesLengths(OperatorKind kind) noexcept;
/// Whether the operator uses distances of levels as distances of values, see requireProportional().
[[nodiscard]] bool needsProportional(OperatorKind kind) noexcept;

/// An operator and its parameters; it ignores the parameters that it does not take.
struct OperatorSpec {
    static constexpr double kMostRadius = 10'000; ///< px, of `radius`
    static constexpr double kMostSigma = 1'000;   ///< px, of `sigma`

    OperatorKind kind = OperatorKind::opening;
    OperatorShape shape = OperatorShape::disc;
    double radius = 1;                              ///< from 0
    double sigma = 1;                               ///< from 0
    double height = 0;                              ///< from 0, a difference of values
    LengthUnit unit = LengthUnit::pixel;            ///< of radius and sigma; in volumes px are widths of a voxel
    Connectivity connectivity = Connectivity::four; ///< of the tree
    std::string marker = {};                        ///< path of an image, see applyOperator()
    ChannelChoice markerChannel = {};               ///< of the marker
    bool greyMarker = false;                        ///< the values of the marker count, see applyOperator()

    bool operator==(const OperatorSpec&) const = default;
};

/// The side of a pixel for lengths in the unit of the operator, as the sides of a square pixel; of a voxel the width.
/// @throws Error(invalidArgument) without a size of pixels in such a unit
[[nodiscard]] PixelSize sizeForLengths(const OperatorSpec& spec, const ImageUnits& units);

/// Converts the lengths to pixels, in volumes to widths of a voxel, and the height to levels, as applyOperator()
/// requires; the neighbours become the corresponding ones of the image or volume.
/// @throws Error(invalidArgument) as sizeForLengths(), for levels that are ranks if needsProportional(), and for
/// lengths beyond the limits
[[nodiscard]] OperatorSpec inPixels(OperatorSpec spec, const ImageUnits& units);

} // namespace pollard
