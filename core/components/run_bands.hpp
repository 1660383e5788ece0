#pragma once

#include "analysis/ellipse.hpp"
#include "base/job_control.hpp"
#include "components/components.hpp"
#include "image/image.hpp"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace pollard {

/// Maximal run [first, last) of set pixels in a row.
struct PixelRun {
    std::uint32_t first;
    std::uint32_t last;
};

/// Contacts of a run with the row above.
struct RunContacts {
    std::uint32_t runs;    ///< number of touching runs
    std::uint32_t columns; ///< px in common columns; 0 for a diagonal contact (8-connectivity)
};

/// All runs of a mask in raster order, and a union-find forest over them: parent(i) <= i.
class RunForest {
public:
    /// Finds the runs. Parallel over rows.
    RunForest(const Mask& mask, const JobControl& control);

    [[nodiscard]] std::size_t size() const noexcept { return runs_.size(); }
    [[nodiscard]] const PixelRun& run(std::size_t i) const noexcept { return runs_[i]; }
    /// Index of the first run of row @p y; its runs are [rowStart(y), rowStart(y + 1)).
    [[nodiscard]] std::size_t rowStart(std::uint32_t y) const noexcept { return rowStart_[y]; }

    /// Joins the runs of a row with the runs of a row before it that they touch. Concurrent calls must not reach the
    /// same tree.
    /// @param reach columns that a run reaches beyond its ends: 0, or 1 for diagonal contacts
    /// @param contacts per run, written for the row; null if not needed
    void joinRows(std::uint32_t before, std::uint32_t row, std::uint32_t reach, RunContacts* contacts) noexcept;
    /// Parent of run @p i in the forest.
    [[nodiscard]] std::uint32_t parent(std::size_t i) const noexcept { return parent_[i]; }

private:
    std::vector<std::size_t> rowStart_;
    Buffer<PixelRun> runs_;
    Buffer<std::uint32_t> parent_;
};

/// Rows [first, last) that one task joins and measures.
struct RowBand {
    std::uint32_t first = 0;
    std::uint32_t last = 0;
    std::uint32_t objects = 0; ///< number of objects whose first run is in the band
    std::uint32_t objectsBefore = 0;
    std::uint64_t foreground = 0; ///< px
};

/// Bands of the rows of all slices: 256 rows of an image; whole slices of a volume, in at most 64 bands.
[[nodiscard]] std::vector<RowBand> bandsOf(const Extent& extent, Connectivity connectivity);

/// Calls work(index) for the bands in parallel. @throws Cancelled
template <class Work> void forEachBand(std::span<const RowBand> bands, const JobControl& control, const Work& work) {
    tbb::parallel_for(std::size_t{0}, bands.size(), [&](std::size_t b) {
        control.throwIfStopped();
        work(b);
    });
}

/// Joins all runs that touch: with the row above in their slice, and in a volume also with the adjacent rows of the
/// slice before, diagonal ones included. Joins within the bands and then across them, in parallel.
/// @param bands of bandsOf()
/// @param contacts per run of an image, with the row above; null if not needed
/// @throws Cancelled
void joinRuns(RunForest& forest, std::span<const RowBand> bands, const Extent& extent, Connectivity connectivity,
              RunContacts* contacts, const JobControl& control);

// Records grow run by run from top to bottom; `perimeter` and `holes` are sums modulo 2^64 until complete. Runs of one
// row are disjoint, and two touching runs of adjacent rows share one interval, so the Euler number is runs - contacts,
// and holes = 1 - Euler number; the sides are two per run, two per pixel, minus two per column shared by touching runs.
// A record with area 0 starts the part of an object whose first run is in another band.

/// Adds the pixels of a run to area, box and sums. @return the sums of the run
inline PixelSums addPixels(ComponentRecord& record, const PixelRun& run, std::uint32_t y) noexcept {
    const PixelSums sums = sumsOfRun(run.first, run.last, y);
    if (record.area == 0) {
        record.left = run.first;
        record.top = y;
    }
    record.left = std::min(record.left, run.first);
    record.right = std::max(record.right, run.last - 1);
    record.top = std::min(record.top, y);
    record.bottom = std::max(record.bottom, y);
    record.area += sums.area;
    record.sumX += sums.x;
    record.sumY += sums.y;
    record.sumXX += sums.xx;
    record.sumXY += sums.xy;
    record.sumYY += sums.yy;
    return sums;
}

/// Record of an object that starts with this run of row @p y.
[[nodiscard]] inline ComponentRecord recordOf(const PixelRun& run, std::uint32_t y) noexcept {
    ComponentRecord record;
    record.perimeter = 2 * addPixels(record, run, y).area + 2;
    return record;
}

/// Adds a run to a record.
inline void addRun(ComponentRecord& record, const PixelRun& run, std::uint32_t y,
                   const RunContacts& contacts) noexcept {
    record.perimeter += 2 * addPixels(record, run, y).area + 2 - 2 * std::uint64_t{contacts.columns};
    record.holes += std::uint64_t{contacts.runs} - 1;
}

/// Merges the record of a part.
void addPart(ComponentRecord& record, const ComponentRecord& part) noexcept;
void addPart(VolumeRecord& record, const VolumeRecord& part) noexcept;

} // namespace pollard
