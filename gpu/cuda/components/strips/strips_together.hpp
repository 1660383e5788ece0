#pragma once

#include "cuda/components/strips/strip_joining.hpp"
#include "cuda/components/strips/strip_numbers.hpp"
#include "cuda/components/strips/strip_paint.hpp"
#include "cuda/components/strips/strip_runs.hpp"
#include "cuda/kernels/kernel_threads.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>

namespace pollard::cuda {

/// Synchronisation of the blocks of one launch: as a cluster, or as a cooperative grid, which is slower but may have
/// more blocks.
enum class Together : std::uint8_t { cluster, grid };

/// All passes up to 6 in one launch, one block per strip: in small images launches take longer than passes. All passes
/// have the number of threads in `state`. A block paints its own strip without waiting for others.
/// @tparam Words MaskWords or LevelWords
template <bool kEight, class Words, Together kTogether_> struct LabelTogether {
    using Number = std::uint16_t;
    static constexpr Together kTogether = kTogether_;

    StripState<Number> state;
    Words source;
    StripReport report;
    StripBorders borders;    ///< all borders
    std::size_t borderSteps; ///< number of steps of JoinStrips
    std::uint32_t* labels;   ///< per pixel; null: not painted

    /// @param memory StripLayout::joiningBytes() bytes
    POLLARD_DEVICE void operator()(std::uint32_t* memory) const {
        const std::uint32_t strip = blockOfGrid();
        if (strip >= state.strips) {
            for (std::uint32_t meeting = 0; meeting < kMeetings; ++meeting) {
                meet();
            }
            return;
        }
        const std::size_t words = ClearCounts::steps(1);
        for (std::size_t i = threadOfBlock(); i < words; i += state.threads) { // a barrier follows before they are
                                                                               // counted
            ClearCounts{reinterpret_cast<std::uint32_t*>(state.counts + strip)}(i);
        }
        JoinWithinStrips<kEight, Words>{state, source}(memory);
        meet();
        const std::size_t all = std::size_t{state.strips} * state.threads;
        for (std::size_t i = std::size_t{strip} * state.threads + threadOfBlock(); i < borderSteps; i += all) {
            JoinStrips<Number, kEight>{state, borders}(i);
        }
        meet();
        LabelFirstParts<Number, true>{state, report}(memory);
        meet();
        LabelOtherParts<Number>{state}(memory);
        if (labels != nullptr) {
            meetThreads();
            paint(strip);
        }
    }

    /// Clusters have a power of two of blocks: surplus blocks only take part in the barriers.
    [[nodiscard]] static std::uint32_t blocks(std::uint32_t strips) {
        return kTogether == Together::cluster ? std::bit_ceil(strips) : strips;
    }

private:
    static constexpr std::uint32_t kMeetings = 3;

    POLLARD_DEVICE static void meet() {
        if constexpr (kTogether == Together::cluster) {
            meetCluster();
        } else {
            meetGrid();
        }
    }

    /// A strip consists of whole groups of rows.
    POLLARD_DEVICE void paint(std::uint32_t strip) const {
        using Paint = PaintLabels<Number>;
        const auto before = static_cast<std::uint32_t>(Paint::steps(state.mask.width, strip << state.rowBits));
        const auto own = static_cast<std::uint32_t>(Paint::steps(state.mask.width, state.rowsOf(strip)));
        for (std::uint32_t i = threadOfBlock(); i < own; i += state.threads) {
            Paint{state, labels}(before + i);
        }
    }
};

} // namespace pollard::cuda
