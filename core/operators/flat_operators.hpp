#pragma once

#include "base/job_control.hpp"
#include "image/image.hpp"
#include "image/mask.hpp"
#include "operators/operator_spec.hpp"

namespace pollard {

/// A structuring element of flat operators: of symmetric shape around a pixel.
struct StructuringElement {
    OperatorShape shape = OperatorShape::disc;
    double radius = 1; ///< in the unit of Image::sides()
};

/// The smallest level among the pixels inside that the structuring element around a pixel contains; pixels outside stay
/// as they are. Boxes by running minima of blocks, one axis after another, at a cost independent of the radius (van
/// Herk, "A fast algorithm for local minimum and maximum filters on rectangular and octagonal kernels", 1992; Gil,
/// Werman, "Computing 2-D min, median, and max filters", 1993). Discs and balls by the minima along their rows, of
/// which each longer one follows from a shorter one (Urbach, Wilkinson, "Efficient 2-D grayscale morphological
/// transformations with arbitrary flat structuring elements", 2008): cost in proportion to the rows of the structuring
/// element. Parallel; independent of the number of threads.
/// @param inside null: all pixels
/// @throws Error(outOfMemory); Cancelled
[[nodiscard]] Image erosionOf(const Image& image, const StructuringElement& element, const Mask* inside,
                              const JobControl& control);
/// As erosionOf(), the largest level.
[[nodiscard]] Image dilationOf(const Image& image, const StructuringElement& element, const Mask* inside,
                               const JobControl& control);

} // namespace pollard
