#pragma once

#include "base/error.hpp"
#include "cuda/components/strips/object_record.hpp"
#include "cuda/components/strips/part_adding.hpp"
#include "cuda/components/strips/row_features.hpp"
#include "cuda/components/strips/strip_arrays.hpp"
#include "cuda/components/strips/strip_features.hpp"
#include "cuda/components/strips/strip_joining.hpp"
#include "cuda/components/strips/strip_layout.hpp"
#include "cuda/components/strips/strip_paint.hpp"
#include "cuda/components/strips/strip_runs.hpp"
#include "cuda/components/strips/strips_together.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace pollard::cuda {

/// Finds objects by strips of rows (docs/algorithms.md, "strips"). @tparam Machine see StripArrays
template <class Machine, class Number, bool kEight> class StripBuild : StripArrays<Machine, Number> {
    using Base = StripArrays<Machine, Number>;
    template <class T> using Buffer = typename Machine::template Buffer<T>;
    using Base::input_;
    using Base::kWhat;
    using Base::layout_;
    using Base::machine_;
    using Base::partBitsOf;
    using Base::partCount_;
    using Base::report;
    using Base::totals_;
    using Base::tuning_;

    using Result = StripResult<Machine, ComponentRecord>;

public:
    StripBuild(Machine& machine, const StripInput& input, const StripTuning& tuning, const StripLayout& layout)
        : Base(machine, input, tuning, layout) {}

    [[nodiscard]] Result run() {
        Result result;
        if (layout_.isTogether(tuning_.inCluster)) {
            runTogether<Together::cluster>(result);
        } else if (layout_.isTogether(tuning_.inGrid)) {
            runTogether<Together::grid>(result);
        } else {
            Base::clearCounts();
            joinRuns();
            machine_.finish("runs");
            joinBorders();
            machine_.finish("borders");
            Base::number(input_.mask);
            if (input_.labels) {
                makeLabels(result);
                machine_.each(PaintLabels<Number>{state(0), result.labels.data()},
                              PaintLabels<Number>::steps(layout_.width, layout_.height));
                machine_.finish("labels");
            }
        }
        const bool guesses = input_.features && input_.expected.objects != 0;
        if (guesses) {
            result.records = measureAll(input_.expected);
        }
        result.totals = machine_.takeTotals();
        if (input_.features && result.totals.objects != 0 && !(guesses && input_.expected.holds(result.totals))) {
            result.records = measureAll({result.totals.objects, result.totals.parts});
        }
        if (guesses || (input_.features && result.totals.objects != 0)) {
            machine_.finish("features");
        }
        return result;
    }

private:
    static constexpr bool kOfRows = sizeof(Number) == 2; ///< strips have several rows

    [[nodiscard]] StripState<Number> state(std::uint32_t threads) { return Base::stateOf(input_.mask, threads); }

    /// Calls @p run with the source of the mask for pass 1.
    template <class Run> void withWords(const Run& run) {
        if (!input_.levels) {
            run(MaskWords{});
            return;
        }
        const MaskedLevels& mask = *input_.levels;
        dispatch(mask.image.type, [&]<class Level>(Level) {
            run(LevelWords<Level>{{static_cast<const Level*>(mask.image.pixels), mask.words, layout_.width,
                                   layout_.height, mask.range.low, mask.range.high}});
        });
    }

    void makeLabels(Result& result) {
        if (input_.labels) {
            result.labels = Base::template make<std::uint32_t>(std::size_t{layout_.width} * layout_.height);
        }
    }

    template <Together kTogether> void runTogether(Result& result) {
        makeLabels(result);
        machine_.finish("memory"); // records the host's allocation time, for which the device waits
        labelTogether<kTogether>(result.labels.data());
        machine_.finish("labels");
    }

    template <Together kTogether> void labelTogether([[maybe_unused]] std::uint32_t* labels) {
        if constexpr (kOfRows &&
                      requires { &Machine::template together<LabelTogether<kEight, MaskWords, kTogether>>; }) {
            const std::size_t words = std::size_t{layout_.strips - 1} * layout_.wordsOfRow;
            const std::uint32_t partBits = partBitsOf(words);
            withWords([&]<class Words>(const Words& source) {
                using Pass = LabelTogether<kEight, Words, kTogether>;
                machine_.together(
                    Pass{state(layout_.threads), source, report(), {1, 0, partBits}, words << partBits, labels},
                    Pass::blocks(layout_.strips), layout_.joiningBytes());
            });
            machine_.markTotals();
        }
    }

    void joinRuns() {
        if constexpr (kOfRows) {
            withWords([&]<class Words>(const Words& words) {
                machine_.blocks(JoinWithinStrips<kEight, Words>{state(layout_.threads), words}, layout_.strips,
                                layout_.joiningBytes());
            });
        } else {
            machine_.blocks(ListRunsOfRows{state(layout_.threads)}, layout_.strips, 4 * kBlockSumWords);
        }
    }

    void joinBorders() {
        const std::uint32_t groupBits = layout_.strips <= tuning_.fewStrips ? 32 : tuning_.groupBits;
        for (std::uint64_t step = 1; step < layout_.strips; step <<= groupBits) {
            const auto borders = static_cast<std::uint32_t>((layout_.strips - 1) / step);
            const auto first = static_cast<std::uint32_t>(step);
            if (step > 1) {
                machine_.each(ShortenAboveBorders<Number>{state(0), first}, std::size_t{borders} * layout_.runs);
            }
            const std::uint64_t group = step << groupBits;
            const std::size_t words = std::size_t{borders} * layout_.wordsOfRow;
            const std::uint32_t partBits = partBitsOf(words);
            machine_.each(
                JoinStrips<Number, kEight>{
                    state(0), {first, group < layout_.strips ? static_cast<std::uint32_t>(group) : 0, partBits}},
                words << partBits);
        }
    }

    [[nodiscard]] Buffer<ComponentRecord> measureAll(const StripRoom& room) {
        return Base::withGrey([&]<class Level>(const Level* grey) { return measure(room, grey); });
    }

    template <class Level> [[nodiscard]] Buffer<ComponentRecord> measure(const StripRoom& room, const Level* grey) {
        using Measure = std::conditional_t<kOfRows, MeasureStrips<kEight, Level>, MeasureRows<kEight, Level>>;
        using Part = typename Measure::Part;
        Buffer<ComponentRecord> records = machine_.makeRecords(room.objects, kWhat);
        Buffer<Part> parts = Base::template make<Part>(std::max(room.parts, 1U));
        const StripMeasures<Part> to{
            reinterpret_cast<ObjectRecord*>(records.data()), parts.data(),    partCount_.data(), room, totals_.data(),
            std::min(layout_.runs, tuning_.measuredAtOnce),  tuning_.slotBits};
        const auto pass = Measure::of(state(tuning_.measureThreads), to, grey, tuning_);
        machine_.blocks(pass, pass.blocks(), pass.bytes());
        using Adding = AddParts<Part>;
        const std::uint32_t blocks = Adding::blocksOf(std::max(room.parts, 1U));
        machine_.blocks(Adding{{Adding::kThreads}, blocks, to.parts, to.partCount, to.records, grey != nullptr}, blocks,
                        0);
        return records;
    }
};

/// Chooses the build for the image.
/// @throws Error(limitExceeded) if 32 bits cannot number the nodes, and the machine's exceptions
template <class Machine> [[nodiscard]] StripResult<Machine, ComponentRecord>
findByStrips(Machine& machine, const StripInput& input, const StripTuning& tuning) {
    const auto layout =
        StripLayout::of(input.mask.width, input.mask.height, tuning.sharedBytes, tuning.joinThreads, tuning.inCluster);
    if (layout.nodes() >= kNoComponent) {
        throw Error(ErrorCode::limitExceeded, "components: " + std::to_string(input.mask.width) + " x " +
                                                  std::to_string(input.mask.height) + " px are too many for strips");
    }
    const auto run = [&]<class Number, bool kEight>(Number, std::bool_constant<kEight>) {
        return StripBuild<Machine, Number, kEight>(machine, input, tuning, layout).run();
    };
    const bool isEight = input.connectivity == Connectivity::eight;
    if (layout.isNarrow()) {
        return isEight ? run(std::uint16_t{}, std::true_type{}) : run(std::uint16_t{}, std::false_type{});
    }
    return isEight ? run(std::uint32_t{}, std::true_type{}) : run(std::uint32_t{}, std::false_type{});
}

} // namespace pollard::cuda
