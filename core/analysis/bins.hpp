#pragma once

#include "base/host_device.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace pollard {

/// Smallest and largest value of some nodes; minimum > maximum if there are none.
struct ColumnRange {
    double minimum = std::numeric_limits<double>::infinity();
    double maximum = -std::numeric_limits<double>::infinity();
};

/// How the edges between bins are spaced.
enum class BinScale : std::uint8_t {
    linear, ///< equal differences
    log,    ///< equal ratios; only values above 0 have a bin
};

/// Into which bins values are to be sorted.
struct BinSpec {
    static constexpr std::uint32_t kMaxBins = 4096;

    std::uint32_t count = 32; ///< 1 .. kMaxBins
    BinScale scale = BinScale::linear;
    std::optional<double> low;  ///< first edge; none: the smallest value (log: the smallest one above 0)
    std::optional<double> high; ///< last edge; none: the largest value (of integers: the next one, see makeBins())

    bool operator==(const BinSpec&) const = default;
};

/// Bins side by side: bin i holds the values edges[i] <= v < edges[i + 1].
struct Bins {
    BinScale scale = BinScale::linear;
    bool lastClosed = false;   ///< the last bin holds its upper edge as well
    std::vector<double> edges; ///< count() + 1 numbers, strictly ascending

    [[nodiscard]] std::size_t count() const noexcept { return edges.size() - 1; }

    bool operator==(const Bins&) const = default;
};

/// Where a value lies when it is in no bin.
inline constexpr std::uint32_t kBelowBins = 0xffff'ffffU; ///< less than the first edge
inline constexpr std::uint32_t kAboveBins = 0xffff'fffeU; ///< beyond the last edge
inline constexpr std::uint32_t kNanBin = 0xffff'fffdU;    ///< no number

/// Finds the bin of a value in constant time; agrees with the edges exactly, on the host and on a device.
class BinFinder {
public:
    /// @param bins must outlive the finder
    explicit BinFinder(const Bins& bins);
    explicit BinFinder(Bins&&) = delete;

    /// The same with a copy of the edges elsewhere, e.g. in a device's memory.
    [[nodiscard]] BinFinder withEdges(const double* edges) const noexcept {
        BinFinder finder = *this;
        finder.edges_ = edges;
        return finder;
    }

    /// 0 .. count() - 1, or kBelowBins, kAboveBins, kNanBin.
    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t operator()(double value) const noexcept {
        if (value != value) {
            return kNanBin;
        }
        if (value < edges_[0]) {
            return kBelowBins;
        }
        if (value >= edges_[count_]) {
            return lastClosed_ && value == edges_[count_] ? count_ - 1 : kAboveBins;
        }
        // The formula may miss by rounding: the edges decide.
        const double place = ((log_ ? std::log(value) : value) - offset_) * factor_;
        std::uint32_t bin = place >= count_ ? count_ - 1 : place > 0 ? static_cast<std::uint32_t>(place) : 0;
        while (value < edges_[bin]) {
            --bin;
        }
        while (value >= edges_[bin + 1]) {
            ++bin;
        }
        return bin;
    }

private:
    const double* edges_; ///< count_ + 1
    std::uint32_t count_;
    bool log_;
    bool lastClosed_;
    double offset_; ///< of the first edge, on the scale
    double factor_; ///< bins per unit of the scale
};

/// The bins for values from @p minimum to @p maximum (all of them, of log bins those above 0). Where the request names
/// no last edge, integers get half-open bins up to maximum + 1, so that area 1..100 in 10 bins is [1, 11), [11, 21) ..,
/// and other numbers bins up to the maximum with the last one closed. Where all values are equal, or there are none,
/// the range is one unit long (log: a factor 2).
/// @throws Error(invalidArgument) for a count out of range, bounds that are no finite numbers or not ascending, a log
///         scale from 0 or less, or so many bins that two edges would be the same number
[[nodiscard]] Bins makeBins(const BinSpec& spec, double minimum, double maximum, bool integral);

} // namespace pollard
