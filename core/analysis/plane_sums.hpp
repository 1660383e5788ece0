#pragma once

#include "analysis/bins.hpp"
#include "base/host_device.hpp"

#include <cstddef>
#include <cstdint>

namespace pollard {

/// Layout of the counts of an attribute plane: cells row by row, then nodes outside the bins of x (below, above, NaN),
/// outside those of y, and nodes without a cell.
class PlaneSums {
public:
    PlaneSums(std::size_t binsX, std::size_t binsY)
        : binsX_(static_cast<std::uint32_t>(binsX)), binsY_(static_cast<std::uint32_t>(binsY)) {}

    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t cells() const noexcept { return binsX_ * binsY_; }
    [[nodiscard]] std::size_t size() const noexcept { return std::size_t{cells()} + kBehind; }

    /// Calls `add(index)` for every count that a node with these bins increments.
    template <class Add>
    POLLARD_HOST_DEVICE void count(std::uint32_t binX, std::uint32_t binY, const Add& add) const noexcept {
        if (binX < binsX_ && binY < binsY_) {
            add(binY * binsX_ + binX);
            return;
        }
        add(cells() + kOutside);
        if (binX >= binsX_) {
            add(cells() + binless(binX));
        }
        if (binY >= binsY_) {
            add(cells() + kOfY + binless(binY));
        }
    }

    static constexpr std::uint32_t kOfY = 3;     ///< offset behind the cells of the counts for y
    static constexpr std::uint32_t kOutside = 6; ///< offset behind the cells

private:
    static constexpr std::uint32_t kBehind = 7;

    [[nodiscard]] POLLARD_HOST_DEVICE static std::uint32_t binless(std::uint32_t bin) noexcept {
        return bin == kBelowBins ? 0 : bin == kAboveBins ? 1 : 2;
    }

    std::uint32_t binsX_;
    std::uint32_t binsY_;
};

} // namespace pollard
