#pragma once

#include "base/compiler.hpp"
#include "image/value_mapping.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace pollard {

/// Whole numbers of the levels of an image, ascending from 0, whose differences are proportional to the differences of
/// the values. Sums of weights are exact and independent of the order. If samples are whole numbers, a weight is the
/// distance from the sample of level 0; else it is the share of the range of values in multiples of 2^-62.
class GreyWeights {
public:
    /// Bits of a weight.
    static constexpr int kBits = 62;

    /// @param mapping with ranks
    explicit GreyWeights(const ValueMapping& mapping);

    /// Weight of a level; levels beyond the ranks have the weight of the last rank.
    [[nodiscard]] std::uint64_t of(std::uint16_t level) const noexcept {
        return weights_[level < weights_.size() ? level : weights_.size() - 1];
    }
    [[nodiscard]] std::uint64_t last() const noexcept { return weights_.back(); }

    /// Number of low bits to drop from weights so that the sum of @p count weights is below 2^63.
    [[nodiscard]] int shiftFor(std::uint64_t count) const noexcept;
    /// The number of the sample with a weight, if weights are distances of samples that are whole numbers.
    [[nodiscard]] std::optional<Int128> sampleOf(std::uint64_t weight) const noexcept;

    // In values, of numbers of weights:

    [[nodiscard]] double sumOf(UInt128 sum, std::uint64_t count) const noexcept;
    [[nodiscard]] double meanOf(UInt128 sum, std::uint64_t count) const noexcept;
    /// A difference, or a sum of differences.
    [[nodiscard]] double differenceOf(UInt128 difference) const noexcept;
    /// @param square in weights squared
    [[nodiscard]] double squareOf(double square) const noexcept { return step_ * step_ * square; }

private:
    bool takeSamples(const ValueMapping& mapping);
    bool takeWholeValues(const std::vector<double>& values);
    void takeShares(const std::vector<double>& values);
    /// Sum of the numbers first_ + weight, or first_ - weight.
    [[nodiscard]] Int128 numbers(UInt128 sum, std::uint64_t count) const noexcept;

    std::vector<std::uint64_t> weights_;
    // value = base_ + (first_ + weight) * step_, or with descending numbers base_ - (first_ - weight) * step_
    double base_ = 0;
    double step_ = 1;
    Int128 first_ = 0;
    bool descends_ = false;
    bool areSamples_ = false;
};

} // namespace pollard
