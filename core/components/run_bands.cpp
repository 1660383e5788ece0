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

void addRun(ComponentRecord& record, const PixelRun& run, std::uint32_t y) noexcept {
    const PixelSums sums = sumsOfRun(run.first, run.last, y);
    if (record.area == 0) {
        record.left = run.first;
        record.right = run.last - 1;
        record.top = y;
    } else {
        record.left = std::min(record.left, run.first);
        record.right = std::max(record.right, run.last - 1);
    }
    record.bottom = y;
    record.area += sums.area;
    record.sumX += sums.x;
    record.sumY += sums.y;
    record.sumXX += sums.xx;
    record.sumXY += sums.xy;
    record.sumYY += sums.yy;
    record.perimeter += 2 * sums.area + 2;
    --record.holes;
}

void addPart(ComponentRecord& record, const ComponentRecord& part) noexcept {
    record.left = std::min(record.left, part.left);
    record.right = std::max(record.right, part.right);
    record.bottom = part.bottom;
    record.area += part.area;
    record.sumX += part.sumX;
    record.sumY += part.sumY;
    record.sumXX += part.sumXX;
    record.sumXY += part.sumXY;
    record.sumYY += part.sumYY;
    record.greySum += part.greySum;
    record.greyMin = std::min(record.greyMin, part.greyMin);
    record.greyMax = std::max(record.greyMax, part.greyMax);
    record.perimeter += part.perimeter;
    record.holes += part.holes;
}

} // namespace pollard
