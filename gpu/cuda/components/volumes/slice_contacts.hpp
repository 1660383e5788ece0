#pragma once

#include "cuda/components/strips/strip_joining.hpp"
#include "cuda/components/strips/strip_state.hpp"
#include "cuda/components/volumes/volume_layout.hpp"
#include "tree/component_tree.hpp"

#include <cstddef>
#include <cstdint>

namespace pollard::cuda {

/// Before the passes, one step per word of the padded mask: copies the words of a mask without padding.
struct PadSlices {
    DeviceMask mask; ///< of the rows of all slices
    PaddedRows rows;
    std::uint32_t* to;

    POLLARD_DEVICE void operator()(std::size_t i) const {
        const auto stride = static_cast<std::uint32_t>(mask.stride());
        const auto row = static_cast<std::uint32_t>(i / stride);
        const std::uint32_t slice = row / rows.rowsOfSlice;
        const std::uint32_t y = row - slice * rows.rowsOfSlice;
        const auto x = static_cast<std::uint32_t>(i % stride);
        to[i] = y < rows.height ? mask.word(x, slice * rows.height + y) : 0;
    }
};

/// Pass 2 between slices, one step per part of a word of each row: joins the components of the row with the components
/// of the previous slice, at the borders before slices step, 2 step, ... (StripBorders). Skips a contact if all voxels
/// around it in its column are set: contacts within the slices and an earlier contact between them join its components.
template <Connectivity kNeighbours> struct JoinSlices {
    static constexpr bool kEdges = kNeighbours != Connectivity::six;
    static constexpr bool kCorners = kNeighbours == Connectivity::twentySix;

    StripState<std::uint16_t> state;
    PaddedRows rows;
    StripBorders borders;

    [[nodiscard]] std::size_t steps() const {
        return std::size_t{StripBorders::count(rows.slices, borders.step)} * rows.height * state.wordsOfRow
               << borders.partBits;
    }

    POLLARD_DEVICE void operator()(std::size_t i) const {
        const auto word = static_cast<std::uint32_t>(i >> borders.partBits); // less than 2^32
        const std::uint32_t bits = 32U >> borders.partBits;
        const std::uint32_t part = bitsUpTo(bits - 1)
                                   << static_cast<std::uint32_t>(i) % (1U << borders.partBits) * bits;
        const std::uint32_t x = word % state.wordsOfRow;
        const std::uint32_t row = word / state.wordsOfRow;
        const std::uint32_t slice = (row / rows.height + 1) * borders.step;
        if (borders.group != 0 && slice % borders.group == 0) {
            return;
        }
        const std::uint32_t y = row % rows.height;
        const std::uint32_t lower = slice * rows.rowsOfSlice + y;
        const std::uint32_t own = state.mask.word(x, lower);
        if (own == 0 && (!kEdges || x == 0)) { // runs that end on the left have no start here
            return;
        }
        const std::uint32_t upper = lower - rows.rowsOfSlice;
        const std::uint32_t both = own & state.mask.word(x, upper);
        const std::uint32_t above = y == 0 ? 0 : both & state.mask.word(x, lower - 1) & state.mask.word(x, upper - 1);
        joinRows<kEdges>(state, x, lower, upper, part & ~above);
        if constexpr (kEdges) {
            if (y > 0) {
                joinRows<kCorners>(state, x, lower, upper - 1, part & ~(both & state.mask.word(x, upper - 1)));
            }
            if (y + 1 < rows.height) {
                joinRows<kCorners>(state, x, lower, upper + 1, part & ~(both & state.mask.word(x, upper + 1)));
            }
        }
    }
};

/// Before the borders of a step, one step per node of the slices before them: links the node to its root.
struct ShortenBeforeSlices {
    StripState<std::uint16_t> state;
    std::uint32_t stripsOfSlice;
    std::uint32_t step; ///< slices

    POLLARD_DEVICE void operator()(std::size_t i) const {
        const std::size_t strip = i / state.runsOfStrip;
        const auto border = static_cast<std::uint32_t>(strip / stripsOfSlice);
        const std::uint32_t slice = (border + 1) * step - 1;
        const std::uint32_t there = slice * stripsOfSlice + static_cast<std::uint32_t>(strip % stripsOfSlice);
        const auto node = static_cast<std::uint32_t>(i % state.runsOfStrip);
        if (node < state.counts[there].components) {
            const std::uint32_t number = there * state.runsOfStrip + node;
            storeFresh(state.parents + number, rootByHalving(state.parents, number));
        }
    }
};

} // namespace pollard::cuda
