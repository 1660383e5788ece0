#pragma once

#include "components/components.hpp"
#include "cuda/components/strips/strip_state.hpp"
#include "cuda/components/volumes/volume_parts.hpp"
#include "cuda/components/volumes/volume_rows.hpp"
#include "cuda/components/volumes/volume_surroundings.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace pollard::cuda {

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
    /// Of the strip's first row.
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
