#include "components/components.hpp"

#include "analysis/ellipse.hpp"
#include "base/buffer.hpp"
#include "base/compiler.hpp"
#include "base/error.hpp"
#include "base/job_control.hpp"
#include "base/parallel.hpp"
#include "components/run_bands.hpp"

#include <algorithm>
#include <bit>
#include <new>
#include <span>
#include <unordered_map>

namespace pollard {

namespace {

constexpr const char* kAlgorithm = "runs";

/// Labels and measures the objects of a run forest in parallel bands of rows. Space measures the runs:
/// - Record, a ComponentRecord or derived from it; a record with area 0 starts the part of an object whose first run is
///   in another band
/// - RunForest& forest(); RunContacts* contacts(), as joinRuns() takes them
/// - Row rowAt(row), facts shared by the runs of a row
/// - recordOf(i, Row) of an object that starts with run i; addRun(record, i, Row); addPart(record, part)
template <class Space> class RunLabeller {
public:
    using Record = typename Space::Record;
    using Row = typename Space::Row;
    using Records = std::vector<Record, UninitialisedAllocator<Record>>;

    /// @param grey image to measure, of the mask's size; null: none
    RunLabeller(const Mask& mask, Space& space, const Image* grey, const ComponentsSpec& spec,
                const JobControl& control)
        : extent_(extentOf(mask, spec)), space_(space), forest_(space.forest()), grey_(grey), spec_(spec),
          control_(control), bands_(bandsOf(extent_, spec.connectivity)), parts_(bands_.size()) {}

    /// Writes count, foreground and labels of a result, and the records of its objects.
    /// @throws std::bad_alloc; Cancelled
    void run(Components& result, Records& records) {
        joinRuns(forest_, bands_, extent_, spec_.connectivity, space_.contacts(), control_);
        number(result);
        if (spec_.features) {
            records.resize(result.count);
        }
        if (spec_.labels) {
            result.labels = Buffer<std::uint32_t>(extent_.pixelCount());
        }
        forEachBand(bands_, control_,
                    [&](std::size_t b) { finishBand(bands_[b], parts_[b], result.labels.data(), records); });
        for (const Parts& parts : parts_) {
            control_.throwIfStopped();
            for (const auto& [label, part] : parts.records) {
                Space::addPart(records[label - 1], part);
            }
        }
    }

private:
    /// Parts, by label, of objects that start in earlier bands.
    struct Parts {
        std::unordered_map<std::uint32_t, Record> records;
        std::uint32_t lastLabel = 0; ///< label of the last lookup
        Record* lastRecord = nullptr;

        Record& of(std::uint32_t label) {
            if (label != lastLabel) {
                lastLabel = label;
                lastRecord = &records[label];
            }
            return *lastRecord;
        }
    };

    static constexpr std::uint32_t kRowsPerStop = 64;

    /// The smallest run of a component is its first in raster order, so labels are the rank of these runs.
    void number(Components& result) {
        forEachBand(bands_, control_, [&](std::size_t b) {
            RowBand& band = bands_[b];
            for (std::size_t i = forest_.rowStart(band.first); i < forest_.rowStart(band.last); ++i) {
                band.objects += forest_.parent(i) == i ? 1 : 0;
                band.foreground += forest_.run(i).last - forest_.run(i).first;
            }
        });
        for (RowBand& band : bands_) {
            band.objectsBefore = result.count;
            result.count += band.objects;
            result.foreground += band.foreground;
        }
        labelOfRun_ = Buffer<std::uint32_t>(forest_.size());
        forEachBand(bands_, control_, [&](std::size_t b) {
            const RowBand& band = bands_[b];
            std::uint32_t label = band.objectsBefore;
            for (std::size_t i = forest_.rowStart(band.first); i < forest_.rowStart(band.last); ++i) {
                if (forest_.parent(i) == i) {
                    labelOfRun_[i] = ++label;
                }
            }
        });
    }

    /// Labels, measures and paints the runs of a band, row by row. Only the band in which an object starts adds to its
    /// record; other bands keep partial records.
    void finishBand(const RowBand& band, Parts& parts, std::uint32_t* labels, Records& records) {
        const std::size_t begin = forest_.rowStart(band.first);
        for (std::uint32_t row = band.first; row < band.last; ++row) {
            if ((row - band.first) % kRowsPerStop == 0) {
                control_.throwIfStopped();
            }
            const Row measured = space_.rowAt(row);
            for (std::size_t i = forest_.rowStart(row); i < forest_.rowStart(row + 1); ++i) {
                std::uint32_t run = forest_.parent(i);
                const bool isFirst = run == i;
                if (!isFirst) {
                    while (run < begin && forest_.parent(run) != run) { // another band may not be finished
                        run = forest_.parent(run);
                    }
                    labelOfRun_[i] = labelOfRun_[run];
                }
                if (spec_.features) {
                    measureRun(i, row, measured, isFirst, band, parts, records);
                }
            }
            if (spec_.labels) {
                paintRow(row, labels + std::size_t{row} * extent_.width);
            }
        }
    }

    void measureRun(std::size_t i, std::uint32_t row, const Row& measured, bool isFirst, const RowBand& band,
                    Parts& parts, Records& records) const {
        const std::uint32_t label = labelOfRun_[i];
        if (isFirst) {
            Record& record = records[label - 1];
            record = space_.recordOf(i, measured);
            if (grey_ != nullptr) {
                addGrey(record, true, forest_.run(i), row);
            }
            return;
        }
        Record& record = label > band.objectsBefore ? records[label - 1] : parts.of(label);
        if (grey_ != nullptr) {
            addGrey(record, record.area == 0, forest_.run(i), row);
        }
        space_.addRun(record, i, measured);
    }

    void addGrey(ComponentRecord& record, bool isFirst, const PixelRun& run, std::uint32_t row) const {
        dispatch(grey_->type(), [&]<class Pixel>(Pixel) {
            const Pixel* pixels = grey_->pixels<Pixel>().data() + std::size_t{row} * extent_.width;
            std::uint64_t sum = 0;
            Pixel smallest = pixels[run.first];
            Pixel largest = pixels[run.first];
            for (std::uint32_t x = run.first; x < run.last; ++x) {
                sum += pixels[x];
                smallest = std::min(smallest, pixels[x]);
                largest = std::max(largest, pixels[x]);
            }
            record.greySum += sum;
            record.greyMin = isFirst ? smallest : std::min<std::uint16_t>(record.greyMin, smallest);
            record.greyMax = std::max<std::uint16_t>(record.greyMax, largest);
        });
    }

    void paintRow(std::uint32_t row, std::uint32_t* labels) const {
        std::uint32_t x = 0;
        for (std::size_t i = forest_.rowStart(row); i < forest_.rowStart(row + 1); ++i) {
            const PixelRun& run = forest_.run(i);
            fillFrom(labels, x, run.first, 0);
            fillFrom(labels, run.first, run.last, labelOfRun_[i]);
            x = run.last;
        }
        std::fill(labels + x, labels + extent_.width, 0U);
    }

    /// Fills [first, last) of a row that is filled from left to right. May write up to 3 values beyond @p last, which
    /// later calls overwrite: this saves branches for short runs.
    void fillFrom(std::uint32_t* row, std::uint32_t first, std::uint32_t last, std::uint32_t value) const noexcept {
        constexpr std::uint32_t kAtOnce = 4;
        if (extent_.width - last < kAtOnce) {
            std::fill(row + first, row + last, value);
            return;
        }
        do {
            std::fill_n(row + first, kAtOnce, value);
            first += kAtOnce;
        } while (first < last);
    }

    Extent extent_;
    Space& space_;
    RunForest& forest_;
    const Image* grey_;
    const ComponentsSpec& spec_;
    const JobControl& control_;
    std::vector<RowBand> bands_;
    std::vector<Parts> parts_; ///< per band
    Buffer<std::uint32_t> labelOfRun_;
};

/// The runs of an image, measured with their contacts with the row above.
class ImageRuns {
public:
    using Record = ComponentRecord;
    using Row = std::uint32_t;

    ImageRuns(const Mask& mask, const ComponentsSpec& spec, const JobControl& control)
        : forest_(mask, control),
          contacts_(spec.features ? Buffer<RunContacts>(forest_.size()) : Buffer<RunContacts>()) {}

    [[nodiscard]] RunForest& forest() noexcept { return forest_; }
    [[nodiscard]] RunContacts* contacts() noexcept { return contacts_.data(); }

    [[nodiscard]] static Row rowAt(std::uint32_t y) noexcept { return y; }
    [[nodiscard]] Record recordOf(std::size_t i, Row y) const noexcept { return pollard::recordOf(forest_.run(i), y); }
    void addRun(Record& record, std::size_t i, Row y) const noexcept {
        pollard::addRun(record, forest_.run(i), y, contacts_[i]);
    }
    static void addPart(Record& record, const Record& part) noexcept { pollard::addPart(record, part); }

private:
    RunForest forest_;
    Buffer<RunContacts> contacts_; ///< per run; empty without measurements
};

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
    std::uint64_t sharedZ = 0; ///< faces shared with voxels of the slice before it
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

/// The runs of a volume, measured with the voxels before them: in the row above in their slice, and in the rows beside
/// and diagonally above and below it in the slice before.
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

    VolumeRuns(const Mask& mask, const ComponentsSpec& spec, const JobControl& control)
        : mask_(mask), extent_(extentOf(mask, spec)), connectivity_(spec.connectivity), forest_(mask, control) {}

    [[nodiscard]] RunForest& forest() noexcept { return forest_; }
    [[nodiscard]] static RunContacts* contacts() noexcept { return nullptr; }

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
        const std::uint64_t z = row.z;
        if (record.area == 0) {
            record.front = static_cast<std::uint32_t>(z);
        }
        const PixelSums sums = addPixels(record, run, row.y);
        record.back = static_cast<std::uint32_t>(z);
        record.sumZ += sums.area * z;
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
    static void addPart(Record& record, const Record& part) noexcept { pollard::addPart(record, part); }

private:
    /// Voxels of a run in the first and last column.
    [[nodiscard]] std::uint32_t borderOf(const PixelRun& run) const noexcept {
        const std::uint32_t ends = (run.first == 0 ? 1U : 0U) + (run.last == extent_.width ? 1U : 0U);
        return std::min(ends, run.last - run.first);
    }

    [[nodiscard]] RunSurroundings surroundingsOf(const PixelRun& run, const Row& row) const noexcept {
        if (connectivity_ == Connectivity::six) {
            return squaresAndCubes(run, row);
        }
        if (connectivity_ == Connectivity::twentySix) {
            return cornerRuns(run, row);
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

    /// With 6 neighbours, the cells are the centres of voxels: Euler number = centres - edges between neighbours + full
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

    /// With 26 neighbours, the cells are the voxels with their faces, edges and corners. The cells that a run adds sum
    /// up to 1 - c(S) - c(Q) + c(P). c(X) is the number of runs of X that touch the run or its corners. P is the run's
    /// row in the slice before; S is the union of P and the row below P; Q is the union of P, the row above the run and
    /// the row above P.
    static RunSurroundings cornerRuns(const PixelRun& run, const Row& row) noexcept {
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
    Connectivity connectivity_;
    RunForest forest_;
};

} // namespace

std::uint32_t Components::labelOf(std::uint32_t number) const noexcept {
    if (numbers.empty()) {
        return number <= count ? number : 0;
    }
    auto found = std::ranges::lower_bound(numbers, number);
    if (found == numbers.end() || *found != number) { // it may be one given by hand
        found = std::ranges::find(numbers, number);
    }
    return found == numbers.end() ? 0 : static_cast<std::uint32_t>(found - numbers.begin() + 1);
}

std::uint32_t Components::largestNumber() const noexcept { return numbers.empty() ? count : std::ranges::max(numbers); }

std::vector<std::string> labellingAlgorithms() { return {kAlgorithm}; }

void Components::setRecords(std::span<const VolumeRecord> records) {
    objects.resize(records.size());
    depths.resize(records.size());
    forEachIndex(records.size(), {}, [&](std::size_t i) {
        objects[i] = records[i];
        depths[i] = records[i];
    });
}

Extent extentOf(const Mask& mask, const ComponentsSpec& spec) {
    if (spec.slices == 0 || mask.height() % spec.slices != 0) {
        throw Error(ErrorCode::invalidArgument,
                    "components: the mask does not have the rows of " + std::to_string(spec.slices) + " slices");
    }
    return {mask.width(), mask.height() / spec.slices, spec.slices};
}

void requireMeasurable(const Extent& extent, const Image* grey, const ComponentsSpec& spec) {
    (void)connectivityIn(extent, spec.connectivity);
    if (grey != nullptr && grey->extent() != extent) {
        throw Error(ErrorCode::invalidArgument, std::string("components: the grey ") +
                                                    (extent.isVolume() ? "volume" : "image") +
                                                    " has another size than the mask of " + text(extent));
    }
    const UInt128 side = std::max({extent.width, extent.height, extent.slices});
    if (spec.features && side * side * extent.pixelCount() > UInt128{1} << 64U) {
        throw Error(ErrorCode::limitExceeded, std::string("components: ") +
                                                  (extent.isVolume() ? "a volume" : "an image") + " of " +
                                                  text(extent) + " is too long for sums of squares in 64 bits");
    }
}

Components labelComponents(const Mask& mask, const Image* grey, const ComponentsSpec& spec, const JobControl& control) {
    if (!spec.algorithm.empty() && spec.algorithm != kAlgorithm) {
        throw Error(ErrorCode::invalidArgument, "components: algorithm '" + spec.algorithm + "': unknown" +
                                                    (isPlanar(spec.connectivity) ? "" : " in volumes") +
                                                    " (there is '" + kAlgorithm + "')");
    }
    const Extent extent = extentOf(mask, spec);
    requireMeasurable(extent, grey, spec);
    StageTimer timer;
    Components result;
    result.connectivity = spec.connectivity;
    result.width = extent.width;
    result.height = extent.height;
    result.slices = extent.slices;
    result.algorithm = kAlgorithm;
    try {
        if (result.isVolume()) {
            VolumeRuns runs(mask, spec, control);
            VolumeRecords records;
            RunLabeller(mask, runs, grey, spec, control).run(result, records);
            result.setRecords(records);
        } else {
            ImageRuns runs(mask, spec, control);
            RunLabeller(mask, runs, grey, spec, control).run(result, result.objects);
        }
    } catch (const std::bad_alloc&) {
        throw Error(ErrorCode::outOfMemory, std::string("components: no memory for ") +
                                                (extent.isVolume() ? "a volume" : "an image") + " of " + text(extent));
    }
    timer.finish("all");
    result.milliseconds = timer.totalMilliseconds();
    return result;
}

} // namespace pollard
