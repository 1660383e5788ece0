#pragma once

namespace pollard {

/// A bound between a value that meets it and one that does not: in the middle half between both, on a logarithmic scale
/// if @p isGeometric and both are positive, the number with the fewest digits, of these the one next to the middle. If
/// there is none, the value that meets it.
/// @param isWhole whether the bound is a whole number; both values are
[[nodiscard]] double shortBound(double inside, double outside, bool isWhole, bool isGeometric) noexcept;

} // namespace pollard
