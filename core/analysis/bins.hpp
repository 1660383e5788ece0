#pragma once

#include "base/compiler.hpp"
#include "base/parallel.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace pollard {

struct AttributeColumn;

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

/// Calls `add(sums, begin, end)` on pieces of [first, last) in parallel, with a list of @p size sums that no other
/// thread uses at the time, and returns the sum of the lists. Independent of the number of threads if Sum is an
/// integer.
/// @throws Cancelled
template <class Sum, class Add> [[nodiscard]] std::vector<Sum>
sumInBins(std::size_t size, std::size_t first, std::size_t last, const JobControl& control, Add&& add) {
    constexpr std::size_t kNodesPerTask = std::size_t{1} << 16;
    std::mutex mutex;
    std::vector<std::vector<Sum>> lists; // in use by no thread
    const auto take = [&] {
        const std::scoped_lock lock(mutex);
        if (lists.empty()) {
            return std::vector<Sum>();
        }
        std::vector<Sum> list = std::move(lists.back());
        lists.pop_back();
        return list;
    };
    const auto addPiece = [&](std::size_t begin, std::size_t end) {
        std::vector<Sum> list = take();
        list.resize(size);
        add(list, first + begin, first + end);
        const std::scoped_lock lock(mutex);
        lists.push_back(std::move(list));
    };
    forEachRange(last - first, control, addPiece, kNodesPerTask);
    std::vector<Sum> sums(size);
    for (const std::vector<Sum>& list : lists) {
        for (std::size_t i = 0; i < size; ++i) {
            sums[i] += list[i];
        }
    }
    return sums;
}

/// Range of the finite values of the nodes [first, size), or of the finite values above 0 if @p positive.
/// @throws Cancelled
[[nodiscard]] ColumnRange columnRange(const AttributeColumn& column, std::size_t first, bool positive,
                                      const JobControl& control);

/// Layout of the counts of an attribute plane: cells row by row, then nodes outside the bins of x (below, above, NaN),
/// nodes outside the bins of y, and nodes without a cell.
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

/// Linear or logarithmic axis over a range of values.
struct ChartAxis {
    double low = 0; ///< smallest value; less than high even if all values are equal
    double high = 1;
    bool logarithmic = false;

    /// Position of a value, 0..1 from low to high; outside this range for values off the axis.
    [[nodiscard]] double placeOf(double value) const noexcept;
    /// Value at a position; positions off the axis give its ends.
    [[nodiscard]] double valueAt(double place) const noexcept;
};

} // namespace pollard
