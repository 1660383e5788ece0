#include "components/run_bands.hpp"

#include "base/parallel.hpp"
#include "image/mask_runs.hpp"

#include <algorithm>

namespace pollard {

namespace {

constexpr std::uint32_t kRowsPerTask = 64;

template <class Work> void forEachRow(std::uint32_t height, const JobControl& control, Work&& work) {
    forEachRange(
        height, control,
        [&](std::size_t begin, std::size_t end) {
            for (auto y = static_cast<std::uint32_t>(begin); y != end; ++y) {
                work(y);
            }
        },
        kRowsPerTask);
}

/// The smallest run of the tree, with path halving.
std::uint32_t rootOf(std::uint32_t* parent, std::uint32_t i) noexcept {
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

} // namespace

RunForest::RunForest(const Mask& mask, const JobControl& control) : rowStart_(mask.height() + std::size_t{1}) {
    forEachRow(mask.height(), control, [&](std::uint32_t y) { rowStart_[y + 1] = countRuns(mask, y); });
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

void RunForest::joinWithRowAbove(std::uint32_t y, Connectivity connectivity, RunContacts* contacts) noexcept {
    joinRows(y - 1, y, connectivity == Connectivity::eight ? 1 : 0, contacts);
}

void RunForest::joinRows(std::uint32_t before, std::uint32_t row, std::uint32_t reach, RunContacts* contacts) noexcept {
    const auto upperEnd = static_cast<std::uint32_t>(rowStart_[std::size_t{before} + 1]);
    const auto lowerEnd = static_cast<std::uint32_t>(rowStart_[std::size_t{row} + 1]);
    const PixelRun* const runs = runs_.data();
    std::uint32_t* const parent = parent_.data();
    auto upper = static_cast<std::uint32_t>(rowStart_[before]);
    for (auto lower = static_cast<std::uint32_t>(rowStart_[row]); lower < lowerEnd; ++lower) {
        const PixelRun below = runs[lower];
        while (upper < upperEnd && runs[upper].last + reach <= below.first) {
            ++upper;
        }
        RunContacts found{0, 0};
        std::uint32_t own = rootOf(parent, lower);
        for (std::uint32_t i = upper; i < upperEnd && runs[i].first < below.last + reach; ++i) {
            const std::uint32_t first = std::max(runs[i].first, below.first);
            const std::uint32_t last = std::min(runs[i].last, below.last);
            found.columns += last - std::min(first, last); // none for a diagonal contact
            ++found.runs;
            const std::uint32_t other = rootOf(parent, i);
            parent[std::max(own, other)] = std::min(own, other);
            own = std::min(own, other);
        }
        parent[lower] = own;
        if (contacts != nullptr) {
            contacts[lower] = found;
        }
    }
}

void addPart(ComponentRecord& record, const ComponentRecord& part) noexcept {
    record.left = std::min(record.left, part.left);
    record.right = std::max(record.right, part.right);
    record.bottom = std::max(record.bottom, part.bottom);
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
