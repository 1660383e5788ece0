#include "cpu/attributes/entropy.hpp"

#include "attributes/formulas.hpp"
#include "base/compiler.hpp"
#include "base/parallel.hpp"

#include <tbb/task_arena.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

namespace pollard::cpu {

namespace {

/// informationOf() with a table for small counts.
class Information {
public:
    Information() {
        for (std::uint32_t c = 1; c < kTable; ++c) {
            table_[c] = informationOf(c);
        }
    }
    [[nodiscard]] Int128 operator()(std::uint32_t count) const noexcept {
        return count < kTable ? table_[count] : informationOf(count);
    }

private:
    static constexpr std::uint32_t kTable = 16384;

    std::vector<Int128> table_ = std::vector<Int128>(kTable);
};

/// Counts per bin; all zero when returned to the pool.
struct Histogram {
    std::array<std::uint32_t, kEntropyBins> counts{};
    std::array<std::uint64_t, kEntropyBins / 64> used{}; ///< bits of non-empty bins
    unsigned size = 0;                                   ///< number of non-empty bins
    Int128 information = 0;                              ///< sum of informationOf() over the counts

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

/// Histograms shared by all threads.
class HistogramPool {
public:
    /// Moves a chunk to @p free.
    void take(std::vector<Histogram*>& free) {
        const std::lock_guard lock(mutex_);
        for (std::size_t i = 0; i < kChunk; ++i) {
            if (free_.empty()) {
                chunks_.push_back(std::make_unique<std::array<Histogram, kChunk>>());
                for (Histogram& histogram : *chunks_.back()) {
                    free_.push_back(&histogram);
                }
            }
            free.push_back(free_.back());
            free_.pop_back();
        }
    }
    void giveBack(const std::vector<Histogram*>& free) {
        const std::lock_guard lock(mutex_);
        free_.insert(free_.end(), free.begin(), free.end());
    }

private:
    static constexpr std::size_t kChunk = 16;
    std::mutex mutex_;
    std::vector<std::unique_ptr<std::array<Histogram, kChunk>>> chunks_;
    std::vector<Histogram*> free_;
};

/// Histograms of one thread, taken and returned in any order.
class Histograms {
public:
    explicit Histograms(HistogramPool& pool) : pool_(pool) {}
    ~Histograms() { pool_.giveBack(free_); }
    Histograms(const Histograms&) = delete;
    Histograms& operator=(const Histograms&) = delete;

    [[nodiscard]] Histogram* take() {
        if (free_.empty()) {
            pool_.take(free_);
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
    HistogramPool& pool_;
    std::vector<Histogram*> free_;
};

/// Maps a node's level to a bin.
class Binning {
public:
    Binning(const ComponentTree& tree, std::span<const std::uint8_t> given) : given_(given), root_(tree.level[0]) {
        const auto [low, high] = std::minmax_element(tree.level.begin(), tree.level.end());
        bins_.levels = static_cast<std::uint32_t>(*high - *low + 1);
    }
    [[nodiscard]] unsigned operator()(std::uint16_t level) const noexcept {
        return given_.empty() ? bins_.of(static_cast<std::uint32_t>(std::abs(level - root_))) : given_[level];
    }

private:
    std::span<const std::uint8_t> given_;
    int root_;
    EntropyBins bins_{};
};

/// An unfinished node with the histogram of its finished children.
struct OpenNode {
    std::uint32_t node;
    Histogram* histogram;
};

/// Computes entropies of nodes in descending order, so that the children of a node are finished before it.
class EntropySweep {
public:
    struct Input {
        const ComponentTree& tree;
        const Buffer<std::uint32_t>& own;
        const Buffer<std::uint32_t>& area;
        const Binning binOf;
        const Information information;
    };

    EntropySweep(const Input& input, HistogramPool& pool, Buffer<double>& out)
        : input_(input), histograms_(pool), out_(out) {}

    /// Finishes a node and adds its pixels to its parent.
    void close(std::uint32_t node) {
        const unsigned bin = input_.binOf(input_.tree.level[node]);
        Histogram* histogram = take(node);
        if (histogram == nullptr) { // a leaf: one bin
            out_[node] = 0;
            if (node != 0) {
                parentOf(node)->add(bin, input_.own[node], input_.information);
            }
            return;
        }
        histogram->add(bin, input_.own[node], input_.information);
        const Int128 missing = input_.information(input_.area[node]) - histogram->information;
        out_[node] = entropyOf(missing, input_.area[node]);
        if (node == 0) {
            histograms_.giveBack(histogram);
        } else if (const std::uint32_t parent = input_.tree.parent[node];
                   open_.empty() || open_.back().node != parent) {
            open_.push_back({parent, histogram});
        } else {
            merge(histogram, open_.back().histogram);
        }
    }

    /// @return histogram of the node, which is the next to finish; null if it has none
    [[nodiscard]] Histogram* take(std::uint32_t node) {
        if (open_.empty() || open_.back().node != node) {
            return nullptr;
        }
        Histogram* histogram = open_.back().histogram;
        open_.pop_back();
        return histogram;
    }

    /// Unfinished nodes in ascending order.
    [[nodiscard]] std::vector<OpenNode> takeAll() { return std::move(open_); }

    /// @param more in ascending order, on one path with the nodes here
    void addAll(const std::vector<OpenNode>& more) {
        std::vector<OpenNode> both;
        both.reserve(open_.size() + more.size());
        std::merge(open_.begin(), open_.end(), more.begin(), more.end(), std::back_inserter(both),
                   [](const OpenNode& a, const OpenNode& b) { return a.node < b.node; });
        open_.clear();
        for (const OpenNode& each : both) {
            if (!open_.empty() && open_.back().node == each.node) {
                merge(each.histogram, open_.back().histogram);
            } else {
                open_.push_back(each);
            }
        }
    }

private:
    [[nodiscard]] Histogram* parentOf(std::uint32_t node) {
        const std::uint32_t parent = input_.tree.parent[node];
        if (open_.empty() || open_.back().node != parent) {
            open_.push_back({parent, histograms_.take()});
        }
        return open_.back().histogram;
    }

    /// Adds the smaller to the larger histogram.
    void merge(Histogram* histogram, Histogram*& target) {
        if (histogram->size > target->size) {
            std::swap(histogram, target);
        }
        histogram->forEachBin([&](unsigned bin) { target->add(bin, histogram->counts[bin], input_.information); });
        histograms_.giveBack(histogram);
    }

    const Input& input_;
    Histograms histograms_;
    Buffer<double>& out_;
    std::vector<OpenNode> open_; ///< on the path from the root to the current node, the deepest last
};

/// Unfinished nodes after a block's sweep, in ascending order.
struct UnfinishedNodes {
    std::vector<OpenNode> inside; ///< nodes of the block whose component crosses its end
    std::vector<OpenNode> before; ///< nodes of earlier blocks
};

/// Finishes the nodes of [begin, end) whose component lies within.
UnfinishedNodes sweepBlock(const EntropySweep::Input& input, HistogramPool& pool, Buffer<double>& out,
                           std::size_t begin, std::size_t end) {
    EntropySweep sweep(input, pool, out);
    UnfinishedNodes rest;
    for (std::size_t i = end; i-- > begin;) {
        const auto node = static_cast<std::uint32_t>(i);
        if (input.tree.subtreeEnd[i] <= end) {
            sweep.close(node);
        } else if (Histogram* histogram = sweep.take(node); histogram != nullptr) {
            rest.inside.push_back({node, histogram});
        }
    }
    std::reverse(rest.inside.begin(), rest.inside.end());
    rest.before = sweep.takeAll();
    return rest;
}

/// Finishes the ancestors of @p node from @p begin on.
void closeAncestors(EntropySweep& sweep, const ComponentTree& tree, std::uint32_t node, std::size_t begin) {
    while (node != 0) {
        node = tree.parent[node];
        if (node < begin) {
            return;
        }
        sweep.close(node);
    }
}

} // namespace

Buffer<double> entropiesOf(const ComponentTree& tree, const Buffer<std::uint32_t>& own,
                           const Buffer<std::uint32_t>& area, const JobControl& control, std::size_t block,
                           std::span<const std::uint8_t> bins) {
    const std::size_t n = tree.nodeCount();
    Buffer<double> out(n);
    const EntropySweep::Input input{tree, own, area, Binning(tree, bins), Information()};
    HistogramPool pool;
    EntropySweep crossing(input, pool, out); // nodes whose component crosses the end of their block
    // One block per thread at a time, which bounds the number of histograms.
    const auto threads = static_cast<std::size_t>(tbb::this_task_arena::max_concurrency());
    std::vector<UnfinishedNodes> rests(threads);
    for (std::size_t left = (n + block - 1) / block; left > 0;) {
        const std::size_t count = std::min(threads, left);
        const std::size_t first = left - count;
        forEachIndex(
            count, control,
            [&](std::size_t i) {
                const std::size_t begin = (first + i) * block;
                rests[i] = sweepBlock(input, pool, out, begin, std::min(n, begin + block));
            },
            1);
        for (; left > first; --left) {
            const UnfinishedNodes& rest = rests[left - 1 - first];
            const std::size_t begin = (left - 1) * block;
            crossing.addAll(rest.inside);
            if (left * block < n) {
                closeAncestors(crossing, tree, static_cast<std::uint32_t>(left * block), begin);
            }
            crossing.addAll(rest.before);
        }
    }
    return out;
}

std::uint64_t entropyScratchBytes(const ComponentTree& tree) noexcept {
    const auto paths = static_cast<std::uint64_t>(tbb::this_task_arena::max_concurrency()) + 1;
    return paths * (std::uint64_t{tree.depth} + 64) * sizeof(Histogram) + (std::uint64_t{1} << 17);
}

} // namespace pollard::cpu
