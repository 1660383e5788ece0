#pragma once

#include "analysis/ellipse.hpp"
#include "components/components.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace pollard {

/// Pixels [first, last) of a row that are set, as long as possible.
struct PixelRun {
    std::uint32_t first;
    std::uint32_t last;
};

/// What a run shares with those of the row above.
struct RunContacts {
    std::uint32_t runs;    ///< that it touches
    std::uint32_t columns; ///< px in which it does; a corner (8-connectivity) is none
};

/// All runs of a mask in raster order and the forest that joins them: a run points to one of smaller or its own number.
class RunForest {
public:
    /// Finds the runs. Parallel over rows.
    RunForest(const Mask& mask, const JobControl& control);

    [[nodiscard]] std::size_t size() const noexcept { return runs_.size(); }
    [[nodiscard]] const PixelRun& run(std::size_t i) const noexcept { return runs_[i]; }
    /// Numbers of the runs of row @p y: [rowStart(y), rowStart(y + 1)).
    [[nodiscard]] std::size_t rowStart(std::uint32_t y) const noexcept { return rowStart_[y]; }

    /// Joins the runs of row @p y with those of row y - 1 that they touch; not for two threads that reach the same tree
    /// of the forest.
    /// @param contacts of every run, those of row y are written; null if nobody asks
    void joinWithRowAbove(std::uint32_t y, Connectivity connectivity, RunContacts* contacts) noexcept;
    /// What the run points to.
    [[nodiscard]] std::uint32_t parent(std::size_t i) const noexcept { return parent_[i]; }

private:
    std::vector<std::size_t> rowStart_;
    Buffer<PixelRun> runs_;
    Buffer<std::uint32_t> parent_;
};

// A record as it is added to, run by run and from top to bottom: `perimeter` and `holes` are sums modulo 2^64 until all
// is added. Runs of one row lie apart, and two touching runs of adjacent rows meet in one piece, so the Euler number is
// runs - contacts, and holes = 1 - Euler number; the sides are two a run, two a pixel, less two a column that touching
// runs share. A record without pixels is a part of an object whose first run is elsewhere.

/// The record of an object that begins with this run of row @p y.
[[nodiscard]] inline ComponentRecord recordOf(const PixelRun& run, std::uint32_t y) noexcept {
    const PixelSums sums = sumsOfRun(run.first, run.last, y);
    ComponentRecord record;
    record.area = sums.area;
    record.left = run.first;
    record.top = y;
    record.right = run.last - 1;
    record.bottom = y;
    record.sumX = sums.x;
    record.sumY = sums.y;
    record.sumXX = sums.xx;
    record.sumXY = sums.xy;
    record.sumYY = sums.yy;
    record.perimeter = 2 * sums.area + 2;
    return record;
}

/// @param y row, not above those that were added before
inline void addRun(ComponentRecord& record, const PixelRun& run, std::uint32_t y,
                   const RunContacts& contacts) noexcept {
    const PixelSums sums = sumsOfRun(run.first, run.last, y);
    if (record.area == 0) {
        record.left = run.first;
        record.top = y;
    }
    record.left = std::min(record.left, run.first);
    record.right = std::max(record.right, run.last - 1);
    record.bottom = y;
    record.area += sums.area;
    record.sumX += sums.x;
    record.sumY += sums.y;
    record.sumXX += sums.xx;
    record.sumXY += sums.xy;
    record.sumYY += sums.yy;
    record.perimeter += 2 * sums.area + 2 - 2 * std::uint64_t{contacts.columns};
    record.holes += std::uint64_t{contacts.runs} - 1;
}

/// Adds what is known of another part, which ends below this one.
void addPart(ComponentRecord& record, const ComponentRecord& part) noexcept;

} // namespace pollard
