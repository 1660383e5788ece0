#pragma once

#include "base/job_control.hpp"
#include "engine/engine.hpp"
#include "filter/filter_units.hpp"
#include "image/image.hpp"
#include "image/mask.hpp"
#include "image/value_mapping.hpp"
#include "operators/operator_spec.hpp"

#include <cstdint>
#include <memory>
#include <optional>

namespace pollard {

struct OperatorResult {
    std::shared_ptr<const Image> image;
    OperatorValues values = OperatorValues::levels;
    std::optional<ValueMapping> mapping = {}; ///< of lengths: the values of the levels, in the unit of the operator
};

/// Masks of an operator, in the rows of all slices.
struct OperatorMasks {
    std::shared_ptr<const Mask> inside = {}; ///< null: all pixels
    std::shared_ptr<const Mask> marker = {}; ///< used if the operator takes a marker and names no file
};

/// Applies an operator to the pixels inside of a mask, on the CPU. Pixels outside neither give nor take values: they
/// stay as they are, or are 0 in differences, lengths and flags. Pixels beyond the image do the same, except for the
/// mirrored borders of gaussianOf() and medianOf().
///
/// - erosion, dilation: erosionOf(), dilationOf(). opening: dilation of the erosion; closing: erosion of the dilation.
///   white top-hat: image less opening; black top-hat: closing less image; gradient: dilation less erosion.
/// - opening by reconstruction: reconstruction by dilation of the erosion under the image; closing by reconstruction:
/// its
///   dual.
/// - gaussian, median: gaussianOf(), medianOf().
/// - fill holes: reconstruction by erosion, above the image, of a marker that is the image at the border and the
/// largest
///   level elsewhere. The border are pixels with a neighbour beyond the image or the mask, along an axis. clear border:
///   image less the reconstruction by dilation, under the image, of a marker that is the image at the border and 0
///   elsewhere. (Soille, "Morphological image analysis", 2004, chapter 6.)
/// - h-maxima, h-minima: hMaxima(); disjoint parts of the mask are joined at the level of the tree's root.
/// - reconstruction by dilation, reconstruction by erosion: from a marker that is the image at the marked pixels and
///   the smallest (largest) level inside elsewhere. The marked pixels are those that are not 0 in the channel of the
///   file that the operator names, see readLabels(), or OperatorMasks::marker. A grey marker is the image of the
///   channel instead: its values, rounded down (up) to values of the image, at most (at least) the image; its pixels
///   without data mark nothing. Disjoint parts of the mask are joined as above.
/// - distance, skeleton, thickness: of the pixels whose value is not 0. distance: Euclidean, to the nearest pixel
/// inside
///   whose value is 0. skeleton: skeletonOf(), the largest level on it. thickness: twice
///   the distance, on the skeleton, 0 elsewhere. Lengths count widths of a pixel or, if the operator has a unit, that
///   unit. They are exact as 32-bit floating point if there are at most 65,536 different lengths.
/// @param engine builds the trees
/// @param units of the image's lengths and levels
/// @throws Error as inPixels(OperatorSpec), readLabels() and readImage(), Error(invalidArgument) for a mask or a marker
/// of another size, without a marker that the operator takes, and for distances without a pixel of the value 0,
/// Error(outOfMemory), also before the work; Cancelled
[[nodiscard]] OperatorResult applyOperator(Engine& engine, const std::shared_ptr<const Image>& image,
                                           const OperatorSpec& spec, const ImageUnits& units,
                                           const OperatorMasks& masks, const SessionOptions& options = {},
                                           const JobControl& control = {});

/// Lengths whose levels are ranks as levels at equal distances from the smallest to the largest of 65,536.
/// @param mapping of the image, with ranks @throws Error(outOfMemory); Cancelled
[[nodiscard]] OperatorResult evenLengths(const Image& image, const ValueMapping& mapping,
                                         const JobControl& control = {});

/// Most memory of applyOperator() without the image, and without the tree of an engine.
[[nodiscard]] std::uint64_t operatorBytes(OperatorKind kind, const Image& image, bool isMasked) noexcept;

} // namespace pollard
