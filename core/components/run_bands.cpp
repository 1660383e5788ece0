#include "components/run_bands.hpp"

#include "analysis/ellipse.hpp"
#include "image/mask_runs.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>

namespace pollard {

namespace {

constexpr std::uint32_t kRowsPerTask = 64;

template <class Work> void forEachRow(std::uint32_t height, const JobControl& control, Work&& work) {
    tbb::parallel_for(tbb::blocked_range<std::uint32_t>(0, height, kRowsPerTask), [&](const auto& rows) {
        control.throwIfStopped();
        for (std::uint32_t y = rows.begin(); y != rows.end(); ++y) {
            work(y);
        }
    });
}

} // namespace

RunForest::RunForest(const Mask& mask, const JobControl& control) : rowStart_(mask.height() + std::size_t{1}) {
    forEachRow(mask.height(), control, [&](std::uint32_t y) {
        std::size_t count = 0;
        forEachRun(mask, y, true, [&](std::uint32_t, std::uint32_t) { ++count; });
        rowStart_[y + 1] = count;
    });
    for (std::uint32_t y = 0; y < mask.height(); ++y) {
        rowStart_[y + 1] += rowStart_[y];
    }
    runs_ = Buffer<PixelRun>(rowStart_.back());
    parent_ = Buffer<std::uint32_t>(rowStart_.back());
    forEachRow(mask.height(), control, [&](std::uint32_t y) {
        std::size_t next = rowStart_[y];
        forEachRun(mask, y, true, [&](std::uint32_t first, std::uint32_t last) {
            runs_[next] = {first, last};
            parent_[next] = static_cast<std::uint32_t>(next);
            ++next;
        });
    });
}

std::uint32_t RunForest::root(std::size_t i) noexcept {
    auto at = static_cast<std::uint32_t>(i);
    while (parent_[at] != at) {
        parent_[at] = parent_[parent_[at]];
        at = parent_[at];
    }
    return at;
}

void RunForest::join(std::size_t a, std::size_t b) noexcept {
    const std::uint32_t rootA = root(a);
    const std::uint32_t rootB = root(b);
    parent_[std::max(rootA, rootB)] = std::min(rootA, rootB);
}

void RecordSums::add(const PixelRun& run, std::uint32_t y) noexcept {
    const PixelSums sums = sumsOfRun(run.first, run.last, y);
    RecordSums one;
    one.record.area = sums.area;
    one.record.left = run.first;
    one.record.right = run.last - 1;
    one.record.top = y;
    one.record.bottom = y;
    one.record.sumX = sums.x;
    one.record.sumY = sums.y;
    one.record.sumXX = sums.xx;
    one.record.sumXY = sums.xy;
    one.record.sumYY = sums.yy;
    one.runs = 1;
    one.record.greyMin = 0xffff; // until grey levels are added
    add(one);
}

void RecordSums::addGrey(std::uint64_t sum, std::uint16_t smallest, std::uint16_t largest) noexcept {
    record.greySum += sum;
    record.greyMin = std::min(record.greyMin, smallest);
    record.greyMax = std::max(record.greyMax, largest);
}

void RecordSums::add(const RecordSums& other) noexcept {
    const ComponentRecord& from = other.record;
    if (from.area != 0) {
        if (record.area == 0) {
            record.left = from.left;
            record.top = from.top;
            record.right = from.right;
            record.bottom = from.bottom;
            record.greyMin = from.greyMin;
            record.greyMax = from.greyMax;
        }
        record.left = std::min(record.left, from.left);
        record.top = std::min(record.top, from.top);
        record.right = std::max(record.right, from.right);
        record.bottom = std::max(record.bottom, from.bottom);
        record.greyMin = std::min(record.greyMin, from.greyMin);
        record.greyMax = std::max(record.greyMax, from.greyMax);
        record.area += from.area;
        record.sumX += from.sumX;
        record.sumY += from.sumY;
        record.sumXX += from.sumXX;
        record.sumXY += from.sumXY;
        record.sumYY += from.sumYY;
        record.greySum += from.greySum;
    }
    runs += other.runs;
    contacts += other.contacts;
    shared += other.shared;
}

ComponentRecord RecordSums::finished() const noexcept {
    ComponentRecord finished = record;
    finished.perimeter = 2 * runs + 2 * record.area - 2 * shared;
    finished.holes = 1 + contacts - runs;
    return finished;
}

} // namespace pollard
