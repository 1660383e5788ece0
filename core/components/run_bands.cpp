#include "components/run_bands.hpp"

#include "base/parallel.hpp"
#include "image/mask.hpp"

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

class RunJoiner {
public:
    RunJoiner(RunForest& forest, const Extent& extent, Connectivity connectivity, RunContacts* contacts)
        : forest_(forest), height_(extent.height), contacts_(contacts), inVolume_(!isPlanar(connectivity)) {
        const bool corners = connectivity == Connectivity::eight || connectivity == Connectivity::twentySix;
        diagonalReach_ = corners ? 1 : 0;
        reach_ = corners || connectivity == Connectivity::eighteen ? 1 : 0;
    }

    void joinWithin(const RowBand& band) const noexcept {
        if (band.first == 0 && contacts_ != nullptr) { // no row above
            std::fill_n(contacts_, forest_.rowStart(1), RunContacts{0, 0});
        }
        for (std::uint32_t row = band.first; row < band.last; ++row) {
            if (row > band.first && row % height_ != 0) {
                forest_.joinRows(row - 1, row, reach_, contacts_);
            }
            if (inVolume_ && row >= band.first + height_) {
                joinWithSliceBefore(row);
            }
        }
    }
    void joinWithBandBefore(const RowBand& band) const noexcept {
        if (!inVolume_) {
            forest_.joinRows(band.first - 1, band.first, reach_, contacts_);
            return;
        }
        for (std::uint32_t row = band.first; row < band.first + height_; ++row) {
            joinWithSliceBefore(row);
        }
    }

private:
    void joinWithSliceBefore(std::uint32_t row) const noexcept {
        const std::uint32_t y = row % height_;
        const std::uint32_t beside = row - height_;
        forest_.joinRows(beside, row, reach_, nullptr);
        if (reach_ > 0 && y > 0) {
            forest_.joinRows(beside - 1, row, diagonalReach_, nullptr);
        }
        if (reach_ > 0 && y + 1 < height_) {
            forest_.joinRows(beside + 1, row, diagonalReach_, nullptr);
        }
    }

    RunForest& forest_;
    std::uint32_t height_;
    RunContacts* contacts_;
    bool inVolume_;
    std::uint32_t reach_;         ///< in columns, of rows with a common face
    std::uint32_t diagonalReach_; ///< of rows of a volume with a common edge, if there is a reach
};

} // namespace

std::vector<RowBand> bandsOf(const Extent& extent, Connectivity connectivity) {
    constexpr std::uint64_t kRows = 256;
    constexpr std::uint64_t kBands = 64;
    const std::uint64_t slices =
        std::max((extent.slices + kBands - 1) / kBands, (kRows + extent.height - 1) / extent.height);
    const std::uint64_t rows =
        isPlanar(connectivity) ? kRows : std::min<std::uint64_t>(slices, extent.slices) * extent.height;
    std::vector<RowBand> bands;
    for (std::uint64_t row = 0; row < extent.rows(); row += rows) {
        RowBand& band = bands.emplace_back();
        band.first = static_cast<std::uint32_t>(row);
        band.last = static_cast<std::uint32_t>(std::min(extent.rows(), row + rows));
    }
    return bands;
}

void joinRuns(RunForest& forest, std::span<const RowBand> bands, const Extent& extent, Connectivity connectivity,
              RunContacts* contacts, const JobControl& control) {
    const RunJoiner joiner(forest, extent, connectivity, contacts);
    forEachBand(bands, control, [&](std::size_t b) { joiner.joinWithin(bands[b]); });
    for (std::size_t step = 1; step < bands.size(); step *= 2) { // bands of twice the size in each step
        tbb::parallel_for(step, bands.size(), 2 * step, [&](std::size_t b) {
            control.throwIfStopped();
            joiner.joinWithBandBefore(bands[b]);
        });
    }
}

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
    record.top = std::min(record.top, part.top);
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

void addPart(VolumeRecord& record, const VolumeRecord& part) noexcept {
    addPart(static_cast<ComponentRecord&>(record), part);
    record.front = std::min(record.front, part.front);
    record.back = std::max(record.back, part.back);
    record.sumZ += part.sumZ;
    record.sumZZ += part.sumZZ;
    record.sumXZ += part.sumXZ;
    record.sumYZ += part.sumYZ;
    record.runsX += part.runsX;
    record.runsY += part.runsY;
    record.runsZ += part.runsZ;
    record.border += part.border;
    record.euler += part.euler;
}

} // namespace pollard
