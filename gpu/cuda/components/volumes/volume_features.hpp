#pragma once

#include "components/components.hpp"
#include "cuda/components/device_mask.hpp"
#include "cuda/components/object_atomics.hpp"
#include "cuda/components/strips/object_record.hpp"
#include "cuda/components/strips/strip_state.hpp"
#include "cuda/components/volumes/volume_layout.hpp"
#include "tree/component_tree.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace pollard::cuda {

static_assert(std::is_trivially_copyable_v<VolumeRecord> &&
              sizeof(VolumeRecord::greyMin) + sizeof(VolumeRecord::greyMax) == sizeof(std::uint32_t));

/// Sums over voxels of an object in a strip; rows count from the strip's first.
struct VolumePart {
    std::uint32_t area = 0;
    std::uint32_t left = 0xffff'ffffU;
    std::uint32_t right = 0;
    std::uint32_t top = 0xffff'ffffU;
    std::uint32_t bottom = 0;
    std::uint32_t sumX = 0, sumY = 0, sumXY = 0, sumYY = 0;
    std::uint64_t sumXX = 0;
    std::uint32_t runsX = 0, runsY = 0, runsZ = 0;
    std::uint32_t border = 0;
    std::uint32_t euler = 0; ///< modulo 2^32
    std::uint32_t greySum = 0;
    std::uint32_t greyRange = 0xffffU; ///< as ObjectRecord::greyRange

    /// Adds the columns [x, x + length) of a row; length > 0.
    POLLARD_DEVICE void addRun(std::uint32_t x, std::uint32_t length, std::uint32_t row) {
        const std::uint32_t last = length - 1;
        const std::uint32_t sum = length * x + length * last / 2;
        area += length;
        left = x < left ? x : left;
        right = x + last > right ? x + last : right;
        top = row < top ? row : top;
        bottom = row > bottom ? row : bottom;
        sumX += sum;
        sumY += length * row;
        sumXY += sum * row;
        sumYY += length * row * row;
        sumXX +=
            std::uint64_t{length} * x * x + std::uint64_t{x} * (length * last) + last * length * (2 * length - 1) / 6;
    }

    /// Adds the sums to the record of the object. @param y,z row and slice of the strip's first row
    POLLARD_DEVICE void addTo(VolumeRecord& record, std::uint64_t y, std::uint64_t z, bool hasGrey) const {
        const std::uint64_t n = area;
        addWide(&record.area, n);
        lower(&record.left, left);
        raiseTo(&record.right, right);
        lower(&record.top, static_cast<std::uint32_t>(y) + top);
        raiseTo(&record.bottom, static_cast<std::uint32_t>(y) + bottom);
        lower(&record.front, static_cast<std::uint32_t>(z));
        raiseTo(&record.back, static_cast<std::uint32_t>(z));
        const std::uint64_t ofY = sumY + n * y;
        addSome(&record.sumX, sumX);
        addSome(&record.sumY, ofY);
        addSome(&record.sumZ, n * z);
        addSome(&record.sumXX, sumXX);
        addSome(&record.sumXY, sumXY + sumX * y);
        addSome(&record.sumYY, sumYY + 2 * y * sumY + n * y * y);
        addSome(&record.sumZZ, n * z * z);
        addSome(&record.sumXZ, sumX * z);
        addSome(&record.sumYZ, ofY * z);
        static_cast<void>(cuda::addTo(&record.runsX, runsX));
        static_cast<void>(cuda::addTo(&record.runsY, runsY));
        static_cast<void>(cuda::addTo(&record.runsZ, runsZ));
        if (border != 0) {
            static_cast<void>(cuda::addTo(&record.border, border));
        }
        addSome(reinterpret_cast<std::uint64_t*>(&record.euler),
                static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(euler)}));
        if (hasGrey) {
            addSome(&record.greySum, greySum);
            widenRange(reinterpret_cast<std::uint32_t*>(&record.greyMin), greyRange);
        }
    }

private:
    POLLARD_DEVICE static void lower(std::uint32_t* side, std::uint32_t value) {
        if (loadFresh(side) > value) {
            lowerTo(side, value);
        }
    }
    POLLARD_DEVICE static void addSome(std::uint64_t* sum, std::uint64_t value) {
        if (value != 0) {
            addWide(sum, value);
        }
    }
};

/// Parts of objects in shared memory by their label: a hash table with one array per member.
class PartTable {
public:
    static constexpr std::uint32_t kWords = 19; ///< per place
    static constexpr std::uint32_t kNoPlace = 0xffff'ffffU;

    POLLARD_DEVICE PartTable(std::uint32_t* memory, std::uint32_t bits) : memory_(memory), bits_(bits) {}

    [[nodiscard]] POLLARD_DEVICE std::uint32_t places() const { return 1U << bits_; }
    POLLARD_DEVICE void clear(std::uint32_t place) const {
        for (std::uint32_t field = 0; field < kWords; ++field) {
            const bool isLeast = field == kLeft || field == kTop;
            *at(field, place) = isLeast ? 0xffff'ffffU : field == kGreyRange ? 0xffffU : 0;
        }
    }
    /// 0: the place is free.
    [[nodiscard]] POLLARD_DEVICE std::uint32_t labelAt(std::uint32_t place) const { return *at(kLabel, place); }

    /// The place of a label, which is claimed if it is free; kNoPlace if all places tried belong to other labels.
    [[nodiscard]] POLLARD_DEVICE std::uint32_t placeOf(std::uint32_t label) const {
        std::uint32_t place = (label * 0x9e37'79b1U) >> (32 - bits_);
        for (std::uint32_t tried = 0; tried < kMostTried; ++tried) {
            std::uint32_t there = loadFresh(at(kLabel, place));
            if (there == 0) {
                there = replaced(at(kLabel, place), 0, label);
            }
            if (there == 0 || there == label) {
                return place;
            }
            place = (place + 1) % places();
        }
        return kNoPlace;
    }

    POLLARD_DEVICE void add(std::uint32_t place, const VolumePart& part, bool hasGrey) const {
        add(kArea, place, part.area);
        lowerTo(at(kLeft, place), part.left);
        raiseTo(at(kRight, place), part.right);
        lowerTo(at(kTop, place), part.top);
        raiseTo(at(kBottom, place), part.bottom);
        add(kSumX, place, part.sumX);
        addSome(kSumY, place, part.sumY);
        addSome(kSumXY, place, part.sumXY);
        addSome(kSumYY, place, part.sumYY);
        addToPair(at(kSumXX, place), at(kSumXXHigh, place), part.sumXX);
        addSome(kRunsX, place, part.runsX);
        addSome(kRunsY, place, part.runsY);
        addSome(kRunsZ, place, part.runsZ);
        addSome(kBorder, place, part.border);
        addSome(kEuler, place, part.euler);
        if (hasGrey) {
            add(kGreySum, place, part.greySum);
            widenRange(at(kGreyRange, place), part.greyRange);
        }
    }
    [[nodiscard]] POLLARD_DEVICE VolumePart partAt(std::uint32_t place) const {
        VolumePart part;
        part.area = *at(kArea, place);
        part.left = *at(kLeft, place);
        part.right = *at(kRight, place);
        part.top = *at(kTop, place);
        part.bottom = *at(kBottom, place);
        part.sumX = *at(kSumX, place);
        part.sumY = *at(kSumY, place);
        part.sumXY = *at(kSumXY, place);
        part.sumYY = *at(kSumYY, place);
        part.sumXX = std::uint64_t{*at(kSumXXHigh, place)} << 32U | *at(kSumXX, place);
        part.runsX = *at(kRunsX, place);
        part.runsY = *at(kRunsY, place);
        part.runsZ = *at(kRunsZ, place);
        part.border = *at(kBorder, place);
        part.euler = *at(kEuler, place);
        part.greySum = *at(kGreySum, place);
        part.greyRange = *at(kGreyRange, place);
        return part;
    }

private:
    static constexpr std::uint32_t kMostTried = 8;

    enum Field : std::uint32_t {
        kLabel,
        kArea,
        kLeft,
        kRight,
        kTop,
        kBottom,
        kSumX,
        kSumY,
        kSumXY,
        kSumYY,
        kSumXX,
        kSumXXHigh,
        kRunsX,
        kRunsY,
        kRunsZ,
        kBorder,
        kEuler,
        kGreySum,
        kGreyRange,
    };
    static_assert(kGreyRange + 1 == kWords);

    [[nodiscard]] POLLARD_DEVICE std::uint32_t* at(std::uint32_t field, std::uint32_t place) const {
        return memory_ + (field << bits_) + place;
    }
    POLLARD_DEVICE void add(std::uint32_t field, std::uint32_t place, std::uint32_t value) const {
        static_cast<void>(addTo(at(field, place), value));
    }
    POLLARD_DEVICE void addSome(std::uint32_t field, std::uint32_t place, std::uint32_t value) const {
        if (value != 0) {
            add(field, place, value);
        }
    }

    std::uint32_t* memory_;
    std::uint32_t bits_;
};

/// Contribution of 32 voxels of a row to their objects, without their positions: bits of voxels, to be counted.
struct WordSurroundings {
    std::uint32_t starts = 0;  ///< of runs along x
    std::uint32_t sharedY = 0; ///< faces shared with the row before in the slice
    std::uint32_t sharedZ = 0; ///< and with the slice before
    std::uint32_t more[6] = {};
    std::uint32_t fewer[3] = {}; ///< of the Euler number: `more` add to it, and `fewer` take from it

    [[nodiscard]] POLLARD_DEVICE std::uint32_t euler(std::uint32_t bits) const {
        std::uint32_t sum = 0;
        for (const std::uint32_t one : more) {
            sum += countBits(one & bits);
        }
        for (const std::uint32_t one : fewer) {
            sum -= countBits(one & bits);
        }
        return sum;
    }
};

/// 32 voxels of a row and the 32 on either side; 0 outside the volume.
struct WideWord {
    std::uint32_t left, word, right;

    /// Bit x says whether voxel x - 1, or x + 1, is set.
    [[nodiscard]] POLLARD_DEVICE std::uint32_t before() const { return word << 1U | left >> 31U; }
    [[nodiscard]] POLLARD_DEVICE std::uint32_t next() const { return word >> 1U | right << 31U; }
};

/// The surroundings of the words of a padded mask. Computes Euler numbers as VolumeRecord defines them.
template <Connectivity kNeighbours> struct VolumeSurroundings {
    StripState<std::uint16_t> state;
    PaddedRows rows;

    /// @param row of the padded mask, in slice @p z and its row @p y
    [[nodiscard]] POLLARD_DEVICE WordSurroundings of(std::uint32_t x, std::uint32_t row, std::uint32_t y,
                                                     std::uint32_t z) const {
        const WideWord own = at(x, row, true);
        const WideWord above = at(x, row - 1, y > 0);
        const WideWord before = at(x, row - rows.rowsOfSlice, z > 0);
        WordSurroundings found;
        found.starts = startsOfRuns(own.word, own.left);
        found.sharedY = own.word & above.word;
        found.sharedZ = own.word & before.word;
        if constexpr (kNeighbours == Connectivity::six) {
            addSquaresAndCubes(found, own, above, before, at(x, row - rows.rowsOfSlice - 1, z > 0 && y > 0));
        } else if constexpr (kNeighbours == Connectivity::twentySix) {
            addContacts(found, own, above, before, at(x, row - rows.rowsOfSlice - 1, z > 0 && y > 0),
                        at(x, row - rows.rowsOfSlice + 1, z > 0 && y + 1 < rows.height));
        }
        return found;
    }

private:
    [[nodiscard]] POLLARD_DEVICE WideWord at(std::uint32_t x, std::uint32_t row, bool isInside) const {
        if (!isInside) {
            return {0, 0, 0};
        }
        return {x == 0 ? 0 : state.mask.word(x - 1, row), state.mask.word(x, row),
                x + 1 == state.wordsOfRow ? 0 : state.mask.word(x + 1, row)};
    }

    /// Pairs of neighbouring bits, at the second.
    [[nodiscard]] POLLARD_DEVICE static std::uint32_t pairs(std::uint32_t word, std::uint32_t left) {
        return word & (word << 1U | left >> 31U);
    }

    /// Centres - edges between neighbours + full squares - full cubes, each at its last voxel. Those along x are in the
    /// number of runs.
    POLLARD_DEVICE static void addSquaresAndCubes(WordSurroundings& to, const WideWord& own, const WideWord& above,
                                                  const WideWord& before, const WideWord& beforeAbove) {
        const std::uint32_t leftY = own.left & above.left;
        const std::uint32_t leftZ = own.left & before.left;
        const std::uint32_t yz = to.sharedY & to.sharedZ & beforeAbove.word;
        to.more[0] = to.starts;
        to.more[1] = pairs(to.sharedY, leftY);
        to.more[2] = pairs(to.sharedZ, leftZ);
        to.more[3] = yz;
        to.fewer[0] = to.sharedY;
        to.fewer[1] = to.sharedZ;
        to.fewer[2] = pairs(yz, leftY & leftZ & beforeAbove.left);
    }

    /// The new faces, edges and corners of a run sum up to 1 - c(S) - c(Q) + c(P), with c(X) the number of runs of X
    /// that touch the run or its corners. P is the row of the previous slice, S the union of P and the row below P, and
    /// Q the union of P, the row above the run and the row above P.
    POLLARD_DEVICE static void addContacts(WordSurroundings& to, const WideWord& own, const WideWord& above,
                                           const WideWord& before, const WideWord& beforeAbove,
                                           const WideWord& beforeBelow) {
        const std::uint32_t inS = before.word | beforeBelow.word;
        const std::uint32_t inQ = before.word | above.word | beforeAbove.word;
        const std::uint32_t atP = before.word | before.before();
        const std::uint32_t atS = inS | before.before() | beforeBelow.before();
        const std::uint32_t atQ = inQ | before.before() | above.before() | beforeAbove.before();
        // In the first column of the run, a run of X counts if it has this column or the one before; elsewhere, if
        // it starts there.
        to.more[0] = to.starts & ~atS;
        to.more[1] = to.starts & ~atQ;
        to.more[2] = own.word & ~before.word & before.next();
        to.fewer[0] = to.starts & ~atP;
        to.fewer[1] = own.word & ~inS & (before.next() | beforeBelow.next());
        to.fewer[2] = own.word & ~inQ & (before.next() | above.next() | beforeAbove.next());
    }
};

/// Before the measurements, one step per object.
struct StartVolumeRecords {
    VolumeRecord* records;
    bool hasGrey;

    POLLARD_DEVICE void operator()(std::size_t i) const {
        VolumeRecord record;
        record.left = record.top = record.front = 0xffff'ffffU;
        record.greyMin = hasGrey ? 0xffff : 0;
        records[i] = record;
    }
};

/// Pass 7 of volumes, one block per strip: sums the strip's voxels by object in shared memory, with the pieces of runs
/// in one word at a time, and adds the sums to the objects' records. Where the table has no place for an object, its
/// pieces are added to the record.
/// @tparam Level pixel type of the grey volume, or void if there is none
template <Connectivity kNeighbours, class Level> struct MeasureVolume {
    static constexpr bool kHasGrey = !std::is_void_v<Level>;

    StripState<std::uint16_t> state;
    PaddedRows rows;
    VolumeRecord* records;  ///< record i belongs to label i + 1
    const Level* grey;      ///< without padding
    std::uint32_t mostBits; ///< log2 of the most places of the table

    [[nodiscard]] std::size_t bytes() const { return std::size_t{4} * PartTable::kWords << mostBits; }

    /// @param memory bytes() bytes
    POLLARD_DEVICE void operator()(std::uint32_t* memory) const {
        const std::uint32_t strip = blockOfGrid();
        const std::uint32_t components = state.counts[strip].components;
        if (components == 0) {
            return;
        }
        std::uint32_t bits = 1;
        while (bits < mostBits && 1U << bits < 2 * components) {
            ++bits;
        }
        const PartTable table(memory, bits);
        for (std::uint32_t place = threadOfBlock(); place < table.places(); place += state.threads) {
            table.clear(place);
        }
        meetThreads();
        const std::uint32_t first = strip << state.rowBits;
        const Place top{first, first % rows.rowsOfSlice, first / rows.rowsOfSlice};
        for (std::uint32_t i = threadOfBlock(); i < state.rows() * state.wordsOfRow; i += state.threads) {
            addWord(table, top, i % state.wordsOfRow, i / state.wordsOfRow);
        }
        meetThreads();
        for (std::uint32_t place = threadOfBlock(); place < table.places(); place += state.threads) {
            if (const std::uint32_t label = table.labelAt(place); label != 0) {
                table.partAt(place).addTo(records[label - 1], top.y, top.z, kHasGrey);
            }
        }
    }

private:
    /// Where the first row of a strip lies.
    struct Place {
        std::uint32_t row; ///< of the padded mask
        std::uint32_t y, z;
    };

    POLLARD_DEVICE void addWord(const PartTable& table, const Place& top, std::uint32_t x, std::uint32_t row) const {
        const std::uint32_t own = state.mask.word(x, top.row + row);
        if (own == 0) {
            return;
        }
        const std::uint32_t y = top.y + row;
        const WordSurroundings around = VolumeSurroundings<kNeighbours>{state, rows}.of(x, top.row + row, y, top.z);
        const bool isOuter = y == 0 || y + 1 == rows.height || top.z == 0 || top.z + 1 == rows.slices;
        const std::uint32_t outer = isOuter ? own : own & endsIn(x);
        const std::uint32_t before = state.firstRuns[state.wordAt(x, top.row + row)] - 1;
        for (std::uint32_t left = own; left != 0;) {
            const std::uint32_t bits = firstRunOf(left);
            left &= ~bits;
            const auto first = static_cast<std::uint32_t>(lowestBit(bits));
            const std::uint32_t run = before + countBits(around.starts & bitsUpTo(first));
            const std::uint32_t label = state.labels[state.nodeOf(top.row + row, run)];
            VolumePart part;
            part.addRun(32 * x + first, countBits(bits), row);
            part.runsX = countBits(around.starts & bits);
            part.runsY = part.area - countBits(around.sharedY & bits);
            part.runsZ = part.area - countBits(around.sharedZ & bits);
            part.border = countBits(outer & bits);
            part.euler = around.euler(bits);
            if constexpr (kHasGrey) {
                addLevels(part, grey + (std::size_t{top.z} * rows.height + y) * state.mask.width + 32 * x + first);
            }
            if (const std::uint32_t place = table.placeOf(label); place != PartTable::kNoPlace) {
                table.add(place, part, kHasGrey);
            } else {
                part.addTo(records[label - 1], top.y, top.z, kHasGrey);
            }
        }
    }

    /// Bits of the first and last column in word @p x of a row.
    [[nodiscard]] POLLARD_DEVICE std::uint32_t endsIn(std::uint32_t x) const {
        const std::uint32_t last = state.mask.width - 1;
        return (x == 0 ? 1U : 0U) | (x == last / 32 ? 1U << last % 32 : 0U);
    }

    POLLARD_DEVICE static void addLevels(VolumePart& part, const Level* levels) {
        std::uint32_t least = 0xffffU;
        std::uint32_t most = 0;
        for (std::uint32_t i = 0; i < part.area; ++i) {
            const std::uint32_t level = levels[i];
            part.greySum += level;
            least = level < least ? level : least;
            most = level > most ? level : most;
        }
        part.greyRange = most << 16U | least;
    }
};

} // namespace pollard::cuda
