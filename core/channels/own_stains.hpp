#pragma once

#include "channels/exact_values.hpp"
#include "channels/stains.hpp"
#include "image/channel.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace pollard {

/// A stain with a vector of one's own.
struct OwnStain {
    std::string name; ///< as stainNameOf() returns it; may be empty
    StainVector vector{};

    bool operator==(const OwnStain&) const = default;
};

/// The text as a name within an expression: without the characters `[](),;="` and spaces at the ends; empty for a
/// number.
[[nodiscard]] std::string stainNameOf(std::string_view text);

/// The expression of one of two or three stains, from 0: "stain([DAB=0.27,0.57,0.78;0.65,0.7,0.29],DAB)". It reads back
/// as the same numbers.
[[nodiscard]] std::string stainText(std::span<const OwnStain> stains, std::size_t number);

/// An expression with spaces after commas and semicolons, so that lines can break there. It means the same.
[[nodiscard]] std::string spacedText(std::string_view expression);

/// Mean optical densities -log10(value / white) of the pixels that have data in all of the planes: red, green and blue.
/// As for Macenko's estimate, values below 1, of floating-point samples below 1e-6, count as these.
/// @param exact as for Derivation::values()
/// @throws Error(invalidArgument) if no pixel has data
[[nodiscard]] StainVector densityOf(std::span<const ChannelPlane> planes, double white,
                                    std::span<const ExactValues> exact = {});

/// The vector of a stain, of unit length and rounded to six decimals, from the densities of a place where it is pure
/// and those of the empty background. Parts below 0 become 0.
/// @throws Error(invalidArgument) if the place is hardly darker than the background
[[nodiscard]] StainVector stainVectorOf(const StainVector& density, const StainVector& background = {});

} // namespace pollard
