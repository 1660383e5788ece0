#pragma once

#include "components/strips/strip_borders.hpp"
#include "components/strips/strip_numbers.hpp"
#include "components/strips/strip_paint.hpp"
#include "components/strips/strip_runs.hpp"
#include "device/grid_threads.hpp"

#include <cstddef>
#include <cstdint>

namespace pollard::cuda {

/// Passes 1 to 6 in one cooperative launch, a block a strip: in small pictures launches take longer than passes.
/// All of them have so many threads in a block as `state` says.
/// @tparam Words MaskWords or LevelWords
template <bool kEight, class Words> struct LabelTogether {
    using Number = std::uint16_t;

    StripState<Number> state;
    Words source;
    StripReport report;
    StripBorders borders;    ///< all of them
    std::size_t borderSteps; ///< of JoinStrips
    std::uint32_t* labels;   ///< per pixel, or null: none are painted

    /// @param memory StripLayout::joiningBytes()
    POLLARD_DEVICE void operator()(std::uint32_t* memory) const {
        JoinWithinStrips<kEight, Words>{state, source}(memory);
        meetGrid();
        forEach(JoinStrips<Number, kEight>{state, borders}, borderSteps);
        meetGrid();
        LabelFirstParts<Number, true>{state, report}(memory);
        meetGrid();
        LabelOtherParts<Number>{state}(memory);
        if (labels != nullptr) {
            meetGrid();
            forEach(PaintLabels<Number>{state, labels},
                    PaintLabels<Number>::steps(state.mask.width, state.mask.height));
        }
    }

private:
    template <class Step> POLLARD_DEVICE void forEach(const Step& step, std::size_t count) const {
        for (std::size_t i = std::size_t{blockOfGrid()} * state.threads + threadOfBlock(); i < count;
             i += std::size_t{state.strips} * state.threads) {
            step(i);
        }
    }
};

} // namespace pollard::cuda
