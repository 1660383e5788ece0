#pragma once

#include "analysis/bins.hpp"

#include <cstddef>
#include <optional>

namespace pollard {

/// Logarithmic if all values between the bounds are above 0 and span two decades.
/// @param values of all nodes, for bounds that are not set
[[nodiscard]] inline BinScale automaticScale(const BinSpec& spec, const ColumnRange& values) noexcept {
    constexpr double kDecades = 100;
    const double low = spec.low.value_or(values.minimum);
    const double high = spec.high.value_or(values.maximum);
    return low > 0 && high >= kDecades * low ? BinScale::log : BinScale::linear;
}

/// Places of the sums of spectrumOf(): of one attribute a sum per bin, then below, above and NaN; of two attributes a
/// row per bin of the second, then the nodes outside.
class SpectrumLayout {
public:
    /// @param bins must outlive this
    explicit SpectrumLayout(const Bins& bins) : findX_(bins), binsX_(bins.count()) {}
    SpectrumLayout(const Bins& x, const Bins& y) : findX_(x), findY_(y), binsX_(x.count()), binsY_(y.count()) {}

    [[nodiscard]] std::size_t size() const noexcept { return findY_ ? binsX_ * binsY_ + 1 : binsX_ + 3; }
    /// Of one attribute.
    [[nodiscard]] std::size_t place(double value) const noexcept {
        const std::uint32_t bin = findX_(value);
        return bin < binsX_ ? bin : bin == kBelowBins ? binsX_ : bin == kAboveBins ? binsX_ + 1 : binsX_ + 2;
    }
    /// Of two attributes.
    [[nodiscard]] std::size_t place(double x, double y) const noexcept {
        const std::uint32_t binX = findX_(x);
        const std::uint32_t binY = (*findY_)(y);
        return binX < binsX_ && binY < binsY_ ? binY * binsX_ + binX : binsX_ * binsY_;
    }

private:
    BinFinder findX_;
    std::optional<BinFinder> findY_;
    std::size_t binsX_;
    std::size_t binsY_ = 0;
};

} // namespace pollard
