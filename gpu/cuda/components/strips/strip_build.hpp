#pragma once

#include "base/error.hpp"
#include "cuda/components/strips/object_record.hpp"
#include "cuda/components/strips/part_adding.hpp"
#include "cuda/components/strips/row_features.hpp"
#include "cuda/components/strips/strip_borders.hpp"
#include "cuda/components/strips/strip_features.hpp"
#include "cuda/components/strips/strip_layout.hpp"
#include "cuda/components/strips/strip_numbers.hpp"
#include "cuda/components/strips/strip_paint.hpp"
#include "cuda/components/strips/strip_runs.hpp"
#include "cuda/components/strips/strip_tuning.hpp"
#include "cuda/components/strips/strips_together.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>

namespace pollard::cuda {

/// Input of the build, all in device memory and of one size.
struct StripInput {
    DeviceMask mask;
    const void* grey = nullptr; ///< pixels of greyType, row-major; null: the grey fields of records are 0
    PixelType greyType = PixelType::u8;
    std::optional<MaskedLevels> levels{}; ///< makes the mask from levels; unset if the mask exists, as it must for
                                          ///< strips of one row
    bool eight = false;                   ///< connectivity
    bool labels = true;                   ///< make the label image
    bool features = true;                 ///< measure the objects
    StripRoom expected{}; ///< predicted from a similar image: objects are measured before the host knows their number,
                          ///< and once more if there are more
};

template <class Machine> struct StripResult {
    StripTotals totals{};
    typename Machine::template Buffer<std::uint32_t> labels;
    typename Machine::template Buffer<ComponentRecord> records;
};

/// Finds objects by strips of rows (docs/algorithms.md, "strips"). The machine that runs the passes is the GPU or the
/// emulator and has:
///
///     Buffer<T>                         move-only array in device memory: data()
///     make<T>(count, what)              uninitialised memory; what: for the error message
///     makeRecords(count, what)          memory for at least `count` records
///     blocks(pass, count, bytes)        pass(memory) in `count` blocks of pass.state.threads threads
///     together(pass, count, bytes)      as blocks(), with blocks that can wait for each other as in pass.kTogether;
///                                       not needed if StripTuning::inCluster and inGrid are 0
///     each(step, count)                 step(i) for every i < count, in any order
///     totals(), markTotals()            destination of StripTotals; marks the work up to the pass that writes them
///     takeTotals()                      waits for the mark and returns the totals
///     finish(stage)                     ends a stage of the report
template <class Machine, class Number, bool kEight> class StripBuild {
    template <class T> using Buffer = typename Machine::template Buffer<T>;

public:
    StripBuild(Machine& machine, const StripInput& input, const StripTuning& tuning, const StripLayout& layout)
        : machine_(machine), input_(input), tuning_(tuning), layout_(layout),
          firstRuns_(make<std::uint32_t>(layout.words())), components_(make<Number>(layout.nodes())),
          parents_(make<std::uint32_t>(layout.nodes())), labels_(make<std::uint32_t>(layout.nodes())),
          counts_(make<StripCounts>(layout.strips)), totals_(make<StripTotals>(1)), partCount_(make<std::uint32_t>(1)) {
    }

    [[nodiscard]] StripResult<Machine> run() {
        StripResult<Machine> result;
        if (layout_.isTogether(tuning_.inCluster)) {
            runTogether<Together::cluster>(result);
        } else if (layout_.isTogether(tuning_.inGrid)) {
            runTogether<Together::grid>(result);
        } else {
            machine_.each(ClearCounts{reinterpret_cast<std::uint32_t*>(counts_.data())},
                          ClearCounts::steps(layout_.strips));
            machine_.finish("memory");
            joinRuns();
            machine_.finish("runs");
            joinBorders();
            machine_.finish("borders");
            number();
            machine_.finish("numbers");
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
    static constexpr const char* kWhat = "the objects";
    static constexpr bool kOfRows = sizeof(Number) == 2; ///< strips have several rows
    /// Largest number of strips whose counts every block sums: one cache line per earlier strip.
    static constexpr std::uint32_t kMostCounted = 512;

    template <class T> [[nodiscard]] Buffer<T> make(std::uint64_t count) {
        return machine_.template make<T>(static_cast<std::size_t>(count), kWhat);
    }

    [[nodiscard]] StripState<Number> state(std::uint32_t threads) {
        return {input_.mask,       layout_.rowBits,    layout_.strips,  layout_.wordsOfRow, layout_.runs,  threads,
                firstRuns_.data(), components_.data(), parents_.data(), labels_.data(),     counts_.data()};
    }

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

    [[nodiscard]] StripReport report() { return {machine_.totals(), totals_.data(), partCount_.data()}; }

    void makeLabels(StripResult<Machine>& result) {
        if (input_.labels) {
            result.labels = make<std::uint32_t>(std::size_t{layout_.width} * layout_.height);
        }
    }

    template <Together kTogether> void runTogether(StripResult<Machine>& result) {
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

    /// Parts per word, as a power of two, that keep the device busy.
    [[nodiscard]] std::uint32_t partBitsOf(std::size_t words) const {
        constexpr std::uint32_t kMost = 5; // one column each
        std::uint32_t bits = 1;
        while (bits < kMost && words << bits < tuning_.borderSteps) {
            ++bits;
        }
        return bits;
    }

    void number() {
        const auto passState = state(tuning_.numberThreads);
        if (layout_.strips <= std::min(tuning_.numberThreads, kMostCounted)) {
            using Pass = LabelFirstParts<Number, true>;
            machine_.blocks(Pass{passState, report()}, layout_.strips, 4 * Pass::kScratchWords);
            machine_.markTotals();
        } else {
            using Count = CountObjects<Number>;
            using Pass = LabelFirstParts<Number, false>;
            machine_.blocks(Count{passState, report()}, 1, 4 * Count::kScratchWords);
            machine_.markTotals();
            machine_.blocks(Pass{passState, report()}, layout_.strips, 4 * Pass::kScratchWords);
        }
        if (layout_.strips > 1) {
            machine_.blocks(LabelOtherParts<Number>{state(tuning_.numberThreads)}, layout_.strips, 0);
        }
    }

    [[nodiscard]] Buffer<ComponentRecord> measureAll(const StripRoom& room) {
        if (input_.grey == nullptr) {
            return measure<void>(room, nullptr);
        }
        return dispatch(input_.greyType, [&]<class Level>(Level) {
            return measure<Level>(room, static_cast<const Level*>(input_.grey));
        });
    }

    template <class Level> [[nodiscard]] Buffer<ComponentRecord> measure(const StripRoom& room, const Level* grey) {
        using Measure = std::conditional_t<kOfRows, MeasureStrips<kEight, Level>, MeasureRows<kEight, Level>>;
        using Part = typename Measure::Part;
        Buffer<ComponentRecord> records = machine_.makeRecords(room.objects, kWhat);
        Buffer<Part> parts = make<Part>(std::max(room.parts, 1U));
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

    Machine& machine_;
    StripInput input_;
    StripTuning tuning_;
    StripLayout layout_;
    Buffer<std::uint32_t> firstRuns_;
    Buffer<Number> components_;
    Buffer<std::uint32_t> parents_;
    Buffer<std::uint32_t> labels_;
    Buffer<StripCounts> counts_;
    Buffer<StripTotals> totals_;
    Buffer<std::uint32_t> partCount_;
};

/// Chooses the build for the image.
/// @throws Error(limitExceeded) if 32 bits cannot number the nodes, and the machine's exceptions
template <class Machine>
[[nodiscard]] StripResult<Machine> findByStrips(Machine& machine, const StripInput& input, const StripTuning& tuning) {
    const auto layout =
        StripLayout::of(input.mask.width, input.mask.height, tuning.sharedBytes, tuning.joinThreads, tuning.inCluster);
    if (layout.nodes() >= kNoComponent) {
        throw Error(ErrorCode::limitExceeded, "components: " + std::to_string(input.mask.width) + " x " +
                                                  std::to_string(input.mask.height) + " px are too many for strips");
    }
    const auto run = [&]<class Number, bool kEight>(Number, std::bool_constant<kEight>) {
        return StripBuild<Machine, Number, kEight>(machine, input, tuning, layout).run();
    };
    if (layout.isNarrow()) {
        return input.eight ? run(std::uint16_t{}, std::true_type{}) : run(std::uint16_t{}, std::false_type{});
    }
    return input.eight ? run(std::uint32_t{}, std::true_type{}) : run(std::uint32_t{}, std::false_type{});
}

} // namespace pollard::cuda
