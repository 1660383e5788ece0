#pragma once

#include <array>
#include <span>
#include <string_view>

namespace pollard {

/// Optical densities of red, green and blue of one stain.
using StainVector = std::array<double, 3>;
/// A stain a row.
using StainMatrix = std::array<StainVector, 3>;

/// Stains that are used together.
struct StainSet {
    std::string_view name;
    std::string_view alias; ///< its name in scikit-image, if another one
    std::array<std::string_view, 3> stains;
    StainMatrix vectors;
};

/// "hed" and "he": A. C. Ruifrok, D. A. Johnston, Quantification of histochemical staining by color deconvolution,
/// Anal. Quant. Cytol. Histol. 23 (2001) 291-299. The others: G. Landini's plugin Colour Deconvolution, as in
/// scikit-image.
[[nodiscard]] std::span<const StainSet> stainSets();

/// The vectors with the cross product of the first and second one, of no particular length, as the third. That is the
/// convention of scikit-image; the length only scales the values of the residual.
[[nodiscard]] StainMatrix withResidual(const StainVector& first, const StainVector& second) noexcept;

/// The inverse; numbers that are not finite for a matrix that has none.
[[nodiscard]] StainMatrix inverseOf(const StainMatrix& matrix) noexcept;

} // namespace pollard
