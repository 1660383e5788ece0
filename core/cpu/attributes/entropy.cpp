#include "cpu/attributes/entropy.hpp"

#include "base/wide_integer.hpp"
#include "cpu/parallel.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <vector>

namespace pollard::cpu {

namespace {

constexpr unsigned kBins = 256;
constexpr double kUnit = 0x1p62; ///< fixed point: multiples of 2^-62

/// c log2 c in fixed point; exact conversion of the nearest double.
Int128 toFixed(double value) noexcept {
    const double whole = std::floor(value);
    return (static_cast<Int128>(static_cast<std::int64_t>(whole)) << 62) +
           static_cast<std::int64_t>((value - whole) * kUnit);
}

/// c log2 c, from a table where c is small.
class Information {
public:
    Information() {
        for (std::uint32_t c = 1; c < kTable; ++c) {
            table_[c] = compute(c);
        }
    }
    [[nodiscard]] Int128 operator()(std::uint32_t count) const noexcept {
        return count < kTable ? table_[count] : compute(count);
    }

private:
    static constexpr std::uint32_t kTable = 4096;

    static Int128 compute(std::uint32_t count) noexcept {
        const double c = count;
        return toFixed(c * std::log2(c));
    }

    std::vector<Int128> table_ = std::vector<Int128>(kTable);
};

/// Counts per bin; a histogram that is given back is all zeros.
struct Histogram {
    std::array<std::uint32_t, kBins> counts{};
    std::array<std::uint64_t, kBins / 64> used{}; ///< bits of bins that are not empty
    unsigned size = 0;                            ///< number of these bins
    Int128 information = 0;                       ///< sum of c log2 c

    void add(unsigned bin, std::uint32_t count, const Information& of) noexcept {
        const std::uint32_t before = counts[bin];
        counts[bin] = before + count;
        if (before == 0) {
            used[bin / 64] |= std::uint64_t{1} << bin % 64;
            ++size;
        }
        information += of(before + count) - of(before);
    }

    template <class Function> void forEachBin(Function&& function) const {
        for (unsigned w = 0; w < used.size(); ++w) {
            for (std::uint64_t word = used[w]; word != 0; word &= word - 1) {
                function(64 * w + static_cast<unsigned>(std::countr_zero(word)));
            }
        }
    }

    void clear() noexcept {
        forEachBin([this](unsigned bin) { counts[bin] = 0; });
        used = {};
        size = 0;
        information = 0;
    }
};

/// Histograms that are taken and given back in any order.
class HistogramPool {
public:
    [[nodiscard]] Histogram* take() {
        if (free_.empty()) {
            chunks_.push_back(std::make_unique<std::array<Histogram, kChunk>>());
            for (Histogram& histogram : *chunks_.back()) {
                free_.push_back(&histogram);
            }
        }
        Histogram* histogram = free_.back();
        free_.pop_back();
        return histogram;
    }
    void giveBack(Histogram* histogram) {
        histogram->clear();
        free_.push_back(histogram);
    }

private:
    static constexpr std::size_t kChunk = 64;
    std::vector<std::unique_ptr<std::array<Histogram, kChunk>>> chunks_;
    std::vector<Histogram*> free_;
};

/// Which bin a node's level lies in.
class Binning {
public:
    explicit Binning(const ComponentTree& tree) : root_(tree.level[0]) {
        const auto [low, high] = std::minmax_element(tree.level.begin(), tree.level.end());
        levels_ = static_cast<std::uint32_t>(*high - *low + 1);
    }
    [[nodiscard]] unsigned operator()(std::uint16_t level) const noexcept {
        const auto distance = static_cast<std::uint32_t>(std::abs(level - root_));
        return levels_ <= kBins ? distance : distance * kBins / levels_;
    }

private:
    int root_;
    std::uint32_t levels_;
};

} // namespace

Buffer<double> entropiesOf(const ComponentTree& tree, const Buffer<std::uint32_t>& own,
                           const Buffer<std::uint32_t>& area, const JobControl& control) {
    const std::size_t n = tree.nodeCount();
    const Binning binOf(tree);
    const Information information;
    HistogramPool pool;
    Buffer<double> out(n);
    // Nodes on the path from the root to the node at hand that have a histogram, the deepest last. Nodes come in
    // falling order, so all children of a node are done before it, and its histogram is the last one then.
    struct Open {
        std::uint32_t node;
        Histogram* histogram;
    };
    std::vector<Open> open;
    for (std::size_t i = n; i-- > 0;) {
        if (i % kGrain == 0) {
            control.throwIfStopped();
        }
        const unsigned bin = binOf(tree.level[i]);
        const std::uint32_t parent = tree.parent[i];
        Histogram* histogram = nullptr;
        if (!open.empty() && open.back().node == i) {
            histogram = open.back().histogram;
            open.pop_back();
            histogram->add(bin, own[i], information);
            const Int128 missing = information(area[i]) - histogram->information;
            out[i] = std::ldexp(toDouble(missing), -62) / area[i];
        } else {
            out[i] = 0;
        }
        if (i == 0) {
            break;
        }
        const bool first = open.empty() || open.back().node != parent;
        if (histogram == nullptr) { // a leaf: one bin
            if (first) {
                open.push_back({parent, pool.take()});
            }
            open.back().histogram->add(bin, own[i], information);
        } else if (first) {
            open.push_back({parent, histogram});
        } else {
            Histogram*& target = open.back().histogram;
            if (histogram->size > target->size) {
                std::swap(histogram, target);
            }
            histogram->forEachBin([&](unsigned b) { target->add(b, histogram->counts[b], information); });
            pool.giveBack(histogram);
        }
    }
    return out;
}

std::uint64_t entropyScratchBytes(const ComponentTree& tree) noexcept {
    return (std::uint64_t{tree.depth} + 64) * sizeof(Histogram) + (std::uint64_t{1} << 17);
}

} // namespace pollard::cpu
