#include "components/volumes/volume_components.hpp"

#include "analysis/ellipse.hpp"
#include "base/error.hpp"
#include "base/stage_timer.hpp"
#include "base/wide_integer.hpp"
#include "components/run_labeller.hpp"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <bit>
#include <new>
#include <span>

namespace pollard {

namespace {

using Word = Mask::Word;

/// A row of the mask, or a row without set voxels outside the volume.
class MaskRow {
public:
    MaskRow() = default;
    explicit MaskRow(std::span<const Word> words) : words_(words) {}

    [[nodiscard]] Word word(std::size_t i) const noexcept { return i < words_.size() ? words_[i] : 0; }
    /// Bit x says whether voxel x + 1 is set.
    [[nodiscard]] Word next(std::size_t i) const noexcept {
        return word(i) >> 1U | word(i + 1) << (Mask::kBitsPerWord - 1);
    }
    [[nodiscard]] bool test(std::uint32_t x) const noexcept {
        return (word(x / Mask::kBitsPerWord) >> (x % Mask::kBitsPerWord) & 1U) != 0;
    }
    /// Whether voxel x or the one before it is set.
    [[nodiscard]] bool testPair(std::uint32_t x) const noexcept { return test(x) || (x > 0 && test(x - 1)); }

private:
    std::span<const Word> words_;
};

std::uint64_t countBits(Word word) noexcept { return static_cast<std::uint64_t>(std::popcount(word)); }

/// Contributions of a run to its object beside its voxels.
struct RunSurroundings {
    std::uint64_t sharedY = 0; ///< faces shared with voxels of the row before it in the slice
    std::uint64_t sharedZ = 0; ///< and of the slice before it
    std::int64_t euler = 0;
};

/// Full cells of a kind that reach two columns: the pairs of neighbouring bits of all words, from left to right.
class PairCounter {
public:
    void add(Word word) noexcept {
        pairs_ += countBits(word & (word << 1U | last_));
        last_ = word >> (Mask::kBitsPerWord - 1);
    }
    [[nodiscard]] std::uint64_t pairs() const noexcept { return pairs_; }

private:
    Word last_ = 0;
    std::uint64_t pairs_ = 0;
};

/// Joins the runs of a volume with those of the rows before them: the row above in their slice, and those beside and
/// diagonally above and below it in the slice before.
class VolumeRuns {
public:
    using Record = VolumeRecord;

    struct Row {
        std::uint32_t y = 0;
        std::uint64_t z = 0;
        bool isOuter = false; ///< in an outer plane of the volume
        MaskRow above;        ///< in the slice
        MaskRow before;       ///< in the slice before
        MaskRow beforeAbove;
        MaskRow beforeBelow;
    };

    VolumeRuns(const Mask& mask, const Extent& extent, Connectivity connectivity, const JobControl& control)
        : mask_(mask), extent_(extent), forest_(mask, control) {
        const bool edges = connectivity != Connectivity::six && connectivity != Connectivity::four;
        const bool corners = edges && connectivity != Connectivity::eighteen;
        reach_ = edges ? 1 : 0;
        diagonals_ = edges;
        diagonalReach_ = corners ? 1 : 0;
        euler_ = !edges ? Euler::six : corners ? Euler::twentySix : Euler::none;
    }

    [[nodiscard]] const RunForest& forest() const noexcept { return forest_; }
    /// Whole slices, in at most 64 bands.
    [[nodiscard]] std::uint32_t rowsPerBand() const noexcept {
        constexpr std::uint64_t kRows = 256;
        constexpr std::uint64_t kBands = 64;
        const std::uint64_t slices =
            std::max((extent_.slices + kBands - 1) / kBands, (kRows + extent_.height - 1) / extent_.height);
        return static_cast<std::uint32_t>(std::min<std::uint64_t>(slices, extent_.slices) * extent_.height);
    }

    void joinWithin(const RowBand& band) noexcept {
        for (std::uint32_t row = band.first; row < band.last; ++row) {
            if (row % extent_.height != 0) {
                forest_.joinRows(row - 1, row, reach_, nullptr);
            }
            if (row >= band.first + extent_.height) {
                joinWithSliceBefore(row);
            }
        }
    }
    /// Bands of twice the size in each step, in parallel.
    void joinAcross(std::span<const RowBand> bands, const JobControl& control) {
        for (std::size_t step = 1; step < bands.size(); step *= 2) {
            tbb::parallel_for(step, bands.size(), 2 * step, [&](std::size_t b) {
                control.throwIfStopped();
                for (std::uint32_t row = bands[b].first; row < bands[b].first + extent_.height; ++row) {
                    joinWithSliceBefore(row);
                }
            });
        }
    }

    [[nodiscard]] Row rowAt(std::uint32_t row) const noexcept {
        Row found;
        found.y = row % extent_.height;
        found.z = row / extent_.height;
        const bool isLast = found.y + 1 == extent_.height;
        found.isOuter = found.y == 0 || isLast || found.z == 0 || found.z + 1 == extent_.slices;
        if (found.y > 0) {
            found.above = MaskRow(mask_.row(row - 1));
        }
        if (found.z > 0) {
            const std::uint32_t beside = row - extent_.height;
            found.before = MaskRow(mask_.row(beside));
            found.beforeAbove = found.y > 0 ? MaskRow(mask_.row(beside - 1)) : MaskRow();
            found.beforeBelow = isLast ? MaskRow() : MaskRow(mask_.row(beside + 1));
        }
        return found;
    }
    [[nodiscard]] Record recordOf(std::size_t i, const Row& row) const noexcept {
        Record record;
        addRun(record, i, row);
        return record;
    }
    void addRun(Record& record, std::size_t i, const Row& row) const noexcept {
        const PixelRun& run = forest_.run(i);
        const std::uint32_t y = row.y;
        const std::uint64_t z = row.z;
        const PixelSums sums = sumsOfRun(run.first, run.last, y);
        if (record.area == 0) {
            record.left = run.first;
            record.top = y;
            record.front = static_cast<std::uint32_t>(z);
        }
        record.left = std::min(record.left, run.first);
        record.right = std::max(record.right, run.last - 1);
        record.top = std::min(record.top, y);
        record.bottom = std::max(record.bottom, y);
        record.back = static_cast<std::uint32_t>(z);
        record.area += sums.area;
        record.sumX += sums.x;
        record.sumY += sums.y;
        record.sumZ += sums.area * z;
        record.sumXX += sums.xx;
        record.sumXY += sums.xy;
        record.sumYY += sums.yy;
        record.sumZZ += sums.area * z * z;
        record.sumXZ += sums.x * z;
        record.sumYZ += sums.y * z;
        record.border += row.isOuter ? run.last - run.first : borderOf(run);
        const RunSurroundings around = surroundingsOf(run, row);
        record.runsX += 1;
        record.runsY += static_cast<std::uint32_t>(sums.area - around.sharedY);
        record.runsZ += static_cast<std::uint32_t>(sums.area - around.sharedZ);
        record.euler += around.euler;
    }
    static void addPart(Record& record, const Record& part) noexcept {
        pollard::addPart(record, part);
        record.top = std::min(record.top, part.top);
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

private:
    enum class Euler { none, six, twentySix };

    void joinWithSliceBefore(std::uint32_t row) noexcept {
        const std::uint32_t y = row % extent_.height;
        const std::uint32_t beside = row - extent_.height;
        forest_.joinRows(beside, row, reach_, nullptr);
        if (diagonals_ && y > 0) {
            forest_.joinRows(beside - 1, row, diagonalReach_, nullptr);
        }
        if (diagonals_ && y + 1 < extent_.height) {
            forest_.joinRows(beside + 1, row, diagonalReach_, nullptr);
        }
    }

    /// Voxels of a run in the first and last column.
    [[nodiscard]] std::uint32_t borderOf(const PixelRun& run) const noexcept {
        const std::uint32_t ends = (run.first == 0 ? 1U : 0U) + (run.last == extent_.width ? 1U : 0U);
        return std::min(ends, run.last - run.first);
    }

    [[nodiscard]] RunSurroundings surroundingsOf(const PixelRun& run, const Row& row) const noexcept {
        switch (euler_) {
        case Euler::six:
            return squaresAndCubes(run, row);
        case Euler::twentySix:
            return contacts(run, row);
        case Euler::none:
            break;
        }
        RunSurroundings found;
        forEachWord(run, [&](std::size_t i, Word own) {
            found.sharedY += countBits(row.above.word(i) & own);
            found.sharedZ += countBits(row.before.word(i) & own);
        });
        return found;
    }

    /// Calls work(i, bits of the run in word i).
    template <class Work> static void forEachWord(const PixelRun& run, const Work& work) noexcept {
        constexpr Word kAll = ~Word{0};
        const std::size_t first = run.first / Mask::kBitsPerWord;
        const std::size_t last = (run.last - 1) / Mask::kBitsPerWord;
        for (std::size_t i = first; i <= last; ++i) {
            const Word from = i == first ? kAll << (run.first % Mask::kBitsPerWord) : kAll;
            const Word to = i == last ? kAll >> (Mask::kBitsPerWord - 1 - (run.last - 1) % Mask::kBitsPerWord) : kAll;
            work(i, from & to);
        }
    }

    /// With 6 neighbours the Euler number is that of the voxels' centres: centres - edges between neighbours + full
    /// squares - full cubes, each counted at its last voxel. All voxels of a full square belong to one object.
    static RunSurroundings squaresAndCubes(const PixelRun& run, const Row& row) noexcept {
        RunSurroundings found;
        PairCounter squaresXY;
        PairCounter squaresXZ;
        PairCounter cubes;
        std::uint64_t squaresYZ = 0;
        forEachWord(run, [&](std::size_t i, Word own) {
            const Word y = row.above.word(i) & own;
            const Word z = row.before.word(i) & own;
            const Word yz = y & z & row.beforeAbove.word(i);
            found.sharedY += countBits(y);
            found.sharedZ += countBits(z);
            squaresYZ += countBits(yz);
            squaresXY.add(y);
            squaresXZ.add(z);
            cubes.add(yz);
        });
        const std::uint64_t squares = squaresXY.pairs() + squaresXZ.pairs() + squaresYZ;
        found.euler = static_cast<std::int64_t>(1 - found.sharedY - found.sharedZ + squares - cubes.pairs());
        return found;
    }

    /// With 26 neighbours the Euler number is that of the voxels with their faces, edges and corners. The new ones of a
    /// run sum up to 1 - c(S) - c(Q) + c(P), with c(X) the number of runs of X that touch the run or its corners: P is
    /// the row before it, S that row or the one below it, Q that row, the one above the run or the one above both.
    static RunSurroundings contacts(const PixelRun& run, const Row& row) noexcept {
        RunSurroundings found;
        const std::uint32_t x = run.first;
        const bool p = row.before.testPair(x);
        const bool s = p || row.beforeBelow.testPair(x);
        const bool q = p || row.above.testPair(x) || row.beforeAbove.testPair(x);
        found.euler = (s ? 0 : 1) + (q ? 0 : 1) - (p ? 0 : 1);
        std::uint64_t startsSQ = 0; // of runs beyond the first column
        std::uint64_t startsP = 0;
        forEachWord(run, [&](std::size_t i, Word own) {
            const Word u = row.above.word(i);
            const Word b = row.before.word(i);
            found.sharedY += countBits(u & own);
            found.sharedZ += countBits(b & own);
            const Word nextB = row.before.next(i);
            const Word inS = b | row.beforeBelow.word(i);
            const Word inQ = b | u | row.beforeAbove.word(i);
            startsP += countBits(own & ~b & nextB);
            startsSQ += countBits(own & ~inS & (nextB | row.beforeBelow.next(i)));
            startsSQ += countBits(own & ~inQ & (nextB | row.above.next(i) | row.beforeAbove.next(i)));
        });
        found.euler += static_cast<std::int64_t>(startsP - startsSQ);
        return found;
    }

    const Mask& mask_;
    Extent extent_;
    RunForest forest_;
    std::uint32_t reach_ = 0;         ///< in columns, of rows with a common face
    std::uint32_t diagonalReach_ = 0; ///< of rows with a common edge
    bool diagonals_ = false;
    Euler euler_ = Euler::none;
};

} // namespace

void requireMeasurable(const Mask& mask, const Extent& extent, const Image* grey, const ComponentsSpec& spec) {
    (void)connectivityIn(extent, spec.connectivity);
    if (mask.width() != extent.width || mask.height() != extent.rows()) {
        throw Error(ErrorCode::invalidArgument, "components: the mask does not have the rows of " + text(extent));
    }
    if (grey != nullptr && grey->extent() != extent) {
        throw Error(ErrorCode::invalidArgument,
                    "components: the grey volume has another size than the mask of " + text(extent));
    }
    const UInt128 side = std::max({extent.width, extent.height, extent.slices});
    if (spec.features && side * side * extent.pixelCount() > UInt128{1} << 64U) {
        throw Error(ErrorCode::limitExceeded,
                    "components: a volume of " + text(extent) + " is too long for sums of squares in 64 bits");
    }
}

VolumeComponents labelVolume(const Mask& mask, const Extent& extent, const Image* grey, const ComponentsSpec& spec,
                             const JobControl& control) {
    if (!spec.algorithm.empty() && spec.algorithm != labellingAlgorithms().front()) {
        throw Error(ErrorCode::invalidArgument, "components: algorithm '" + spec.algorithm +
                                                    "': unknown in volumes (there is '" +
                                                    labellingAlgorithms().front() + "')");
    }
    requireMeasurable(mask, extent, grey, spec);
    StageTimer timer;
    VolumeComponents result;
    result.connectivity = spec.connectivity;
    result.extent = extent;
    result.algorithm = labellingAlgorithms().front();
    try {
        VolumeRuns runs(mask, extent, spec.connectivity, control);
        RunLabeller(mask, runs, grey, spec, control).run(result);
    } catch (const std::bad_alloc&) {
        throw Error(ErrorCode::outOfMemory, "components: no memory for a volume of " + text(extent));
    }
    timer.finish("all");
    result.milliseconds = timer.totalMilliseconds();
    return result;
}

} // namespace pollard
