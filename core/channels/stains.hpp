#pragma once

#include "image/channel.hpp"

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace pollard {

/// Optical densities of red, green and blue of one stain.
using StainVector = std::array<double, 3>;
/// One stain per row.
using StainMatrix = std::array<StainVector, 3>;

/// A set of stains that are used together.
struct StainSet {
    std::string_view name;
    std::string_view alias; ///< its name in scikit-image, if it differs
    std::array<std::string_view, 3> stains;
    StainMatrix vectors;
};

/// "hed" and "he": A. C. Ruifrok, D. A. Johnston, Quantification of histochemical staining by color deconvolution,
/// Anal. Quant. Cytol. Histol. 23 (2001) 291-299. The others: G. Landini's plugin Colour Deconvolution, as in
/// scikit-image.
[[nodiscard]] std::span<const StainSet> stainSets();

/// The two vectors and, as the third, their cross product. It is not normalised, as in scikit-image; its length only
/// scales the values of the residual.
[[nodiscard]] StainMatrix withResidual(const StainVector& first, const StainVector& second) noexcept;

/// The inverse; its numbers are not finite if the matrix is singular.
[[nodiscard]] StainMatrix inverseOf(const StainMatrix& matrix) noexcept;

/// A stain with a custom vector.
struct CustomStain {
    std::string name; ///< as stainNameOf() returns it; may be empty
    StainVector vector{};

    bool operator==(const CustomStain&) const = default;
};

/// Converts a text to a name for expressions: without the characters `[](),;="` and spaces at the ends; empty for a
/// number.
[[nodiscard]] std::string stainNameOf(std::string_view text);

/// The expression of one of two or three stains, numbered from 0: "stain([DAB=0.27,0.57,0.78;0.65,0.7,0.29],DAB)". It
/// reads back as the same numbers.
[[nodiscard]] std::string stainText(std::span<const CustomStain> stains, std::size_t number);

/// The same expression with spaces after commas and semicolons, so that lines can break there.
[[nodiscard]] std::string spacedText(std::string_view expression);

/// Mean optical densities -log10(value / white) of the pixels that have data in all of the planes: red, green and blue.
/// As in Macenko's estimate, values below 1 count as 1; for floating-point samples, values below 1e-6 count as 1e-6.
/// @param exact as for Derivation::values()
/// @throws Error(invalidArgument) if no pixel has data
[[nodiscard]] StainVector densityOf(std::span<const ChannelPlane> planes, double white,
                                    std::span<const ExactValues> exact = {});

/// The vector of a stain, of unit length and rounded to six decimals, from the densities of a pure place and of the
/// empty background. Parts below 0 become 0.
/// @throws Error(invalidArgument) if the place is hardly darker than the background
[[nodiscard]] StainVector stainVectorOf(const StainVector& density, const StainVector& background = {});

} // namespace pollard
