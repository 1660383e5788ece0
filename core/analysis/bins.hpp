#pragma once

#include "base/host_device.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace pollard {

/// Smallest and largest value; minimum > maximum if there are none.
struct ColumnRange {
    double minimum = std::numeric_limits<double>::infinity();
    double maximum = -std::numeric_limits<double>::infinity();
};

/// Spacing of the edges.
enum class BinScale : std::uint8_t {
    linear, ///< equal differences
    log,    ///< equal ratios; only values above 0 have a bin
};

/// Requested bins.
struct BinSpec {
    static constexpr std::uint32_t kMaxBins = 4096;

    std::uint32_t count = 32; ///< 1 .. kMaxBins
    BinScale scale = BinScale::linear;
    std::optional<double> low;  ///< first edge; unset: the smallest value (log: the smallest above 0)
    std::optional<double> high; ///< last edge; unset: the largest value (integers: the next one, see makeBins())

    bool operator==(const BinSpec&) const = default;
};

/// Adjacent bins: bin i contains the values edges[i] <= v < edges[i + 1].
struct Bins {
    BinScale scale = BinScale::linear;
    bool lastClosed = false;   ///< the last bin includes its upper edge
    std::vector<double> edges; ///< count() + 1 values, strictly ascending

    [[nodiscard]] std::size_t count() const noexcept { return edges.size() - 1; }

    bool operator==(const Bins&) const = default;
};

/// Results of BinFinder for values outside all bins.
inline constexpr std::uint32_t kBelowBins = 0xffff'ffffU; ///< below the first edge
inline constexpr std::uint32_t kAboveBins = 0xffff'fffeU; ///< above the last edge
inline constexpr std::uint32_t kNanBin = 0xffff'fffdU;    ///< NaN

/// Finds the bin of a value in constant time, exactly as the edges define it, on host and device.
class BinFinder {
public:
    /// @param bins must outlive the finder
    explicit BinFinder(const Bins& bins);
    explicit BinFinder(Bins&&) = delete;

    /// The same finder with a copy of the edges elsewhere, e.g. in device memory.
    [[nodiscard]] BinFinder withEdges(const double* edges) const noexcept {
        BinFinder finder = *this;
        finder.edges_ = edges;
        return finder;
    }

    /// @return 0 .. count() - 1, or kBelowBins, kAboveBins, kNanBin
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
        // The formula may be off by rounding; the edges decide.
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
    const double* edges_; ///< count_ + 1 values
    std::uint32_t count_;
    bool log_;
    bool lastClosed_;
    double offset_; ///< first edge, on the scale (its logarithm for log bins)
    double factor_; ///< bins per unit on the scale
};

/// Bins for values from @p minimum to @p maximum (for log bins: of the values above 0). Without a requested last edge,
/// integers get half-open bins up to maximum + 1, so that area 1..100 in 10 bins is [1, 11), [11, 21) .., and other
/// values bins up to the maximum with the last one closed. If all values are equal, or there are none, the range is 1
/// long (log: a factor of 2).
/// @throws Error(invalidArgument) for a count out of range, bounds that are not finite or not ascending, a log scale
/// from 0 or less, or so many bins that two edges coincide
[[nodiscard]] Bins makeBins(const BinSpec& spec, double minimum, double maximum, bool integral);

} // namespace pollard
