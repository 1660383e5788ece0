#pragma once

#include "components/components.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace pollard {

/// Pixels [first, last) of a row that are set, as long as possible.
struct PixelRun {
    std::uint32_t first;
    std::uint32_t last;
};

/// All runs of a mask in raster order and the forest that joins them: a run points to one of smaller or its own number.
class RunForest {
public:
    /// Finds the runs. Parallel over rows.
    RunForest(const Mask& mask, const JobControl& control);

    [[nodiscard]] std::size_t size() const noexcept { return runs_.size(); }
    [[nodiscard]] std::uint32_t height() const noexcept { return static_cast<std::uint32_t>(rowStart_.size() - 1); }
    [[nodiscard]] const PixelRun& run(std::size_t i) const noexcept { return runs_[i]; }
    /// Numbers of the runs of row @p y: [rowStart(y), rowStart(y + 1)).
    [[nodiscard]] std::size_t rowStart(std::uint32_t y) const noexcept { return rowStart_[y]; }

    /// Calls visit(upper, lower, columns) for all pairs of runs of the rows y - 1 and y that touch: `columns` is the
    /// number of columns they share, 0 where only a corner joins them (8-connectivity).
    template <class Visit> void forEachContact(std::uint32_t y, Connectivity connectivity, Visit&& visit) const;

    /// Joins two runs; not for two threads that reach the same tree of the forest.
    void join(std::size_t a, std::size_t b) noexcept;
    /// The smallest run of the tree; shortens the way.
    [[nodiscard]] std::uint32_t root(std::size_t i) noexcept;
    /// What the run points to.
    [[nodiscard]] std::uint32_t parent(std::size_t i) const noexcept { return parent_[i]; }

private:
    std::vector<std::size_t> rowStart_;
    Buffer<PixelRun> runs_;
    Buffer<std::uint32_t> parent_;
};

template <class Visit> void RunForest::forEachContact(std::uint32_t y, Connectivity connectivity, Visit&& visit) const {
    const std::uint32_t reach = connectivity == Connectivity::eight ? 1 : 0;
    std::size_t upper = rowStart_[y - 1];
    const std::size_t upperEnd = rowStart_[y];
    for (std::size_t lower = rowStart_[y]; lower < rowStart_[y + 1]; ++lower) {
        const PixelRun& below = runs_[lower];
        while (upper < upperEnd && runs_[upper].last + reach <= below.first) {
            ++upper;
        }
        for (std::size_t i = upper; i < upperEnd && runs_[i].first < below.last + reach; ++i) {
            const std::uint32_t first = runs_[i].first > below.first ? runs_[i].first : below.first;
            const std::uint32_t last = runs_[i].last < below.last ? runs_[i].last : below.last;
            visit(i, lower, first < last ? last - first : 0);
        }
    }
}

// A record as it is added to, run by run and contact by contact, in any order: `perimeter` and `holes` are sums modulo
// 2^64 until all is added. Runs of one row lie apart, and two touching runs of adjacent rows meet in one piece, so the
// Euler number is runs - contacts, and holes = 1 - Euler number; the sides are two a run, two a pixel, less two a
// column that touching runs share. A record without pixels is empty.

/// @param y row, not above those that were added before
void addRun(ComponentRecord& record, const PixelRun& run, std::uint32_t y) noexcept;
/// Of a run of the object with one of the row above.
/// @param columns that both share
inline void addContact(ComponentRecord& record, std::uint32_t columns) noexcept {
    record.perimeter -= 2 * std::uint64_t{columns};
    ++record.holes;
}
/// Adds what is known of another part, which ends below this one.
void addPart(ComponentRecord& record, const ComponentRecord& part) noexcept;

} // namespace pollard
