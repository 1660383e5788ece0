#pragma once

#include "cuda/components/device_mask.hpp"
#include "cuda/components/strips/strip_layout.hpp"
#include "cuda/components/strips/strip_numbers.hpp"
#include "cuda/components/strips/strip_runs.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace pollard::cuda {

/// Input of a build, all in device memory and of one size.
struct StripInput {
    DeviceMask mask;            ///< of the rows of all slices
    const void* grey = nullptr; ///< pixels of greyType, row-major; null: the grey fields of records are 0
    PixelType greyType = PixelType::u8;
    std::optional<MaskedLevels> levels{}; ///< makes the mask from levels; unset if the mask exists, as it must in
                                          ///< volumes and for strips of one row
    Connectivity connectivity = Connectivity::four;
    bool labels = true;   ///< make the label image
    bool features = true; ///< measure the objects
    StripRoom expected{}; ///< predicted from a similar image: objects are measured before the host knows their
                          ///< number, and once more if there are more
};

template <class Machine, class Record> struct StripResult {
    StripTotals totals{};
    typename Machine::template Buffer<std::uint32_t> labels; ///< (slices, height, width)
    typename Machine::template Buffer<Record> records;
};

/// Arrays and passes of a StripBuild that volumes have too. The machine that runs the passes is the GPU or the emulator
/// and has:
///
///     Buffer<T>                         move-only array in device memory: data()
///     make<T>(count, what)              uninitialised memory; what: for the error message
///     makeRecords(count, what)          memory for at least `count` records of images
///     blocks(pass, count, bytes)        pass(memory) in `count` blocks of pass.state.threads threads
///     together(pass, count, bytes)      as blocks(), with blocks that can wait for each other as in pass.kTogether;
///                                       not needed if StripTuning::inCluster and inGrid are 0
///     each(step, count)                 step(i) for every i < count, in any order
///     totals(), markTotals()            destination of StripTotals; marks the work up to the pass that writes them
///     takeTotals()                      waits for the mark and returns the totals
///     finish(stage)                     ends a stage of the report
template <class Machine, class Number> class StripArrays {
protected:
    template <class T> using Buffer = typename Machine::template Buffer<T>;

    static constexpr const char* kWhat = "the objects";

    StripArrays(Machine& machine, const StripInput& input, const StripTuning& tuning, const StripLayout& layout)
        : machine_(machine), input_(input), tuning_(tuning), layout_(layout),
          firstRuns_(make<std::uint32_t>(layout.words())), components_(make<Number>(layout.nodes())),
          parents_(make<std::uint32_t>(layout.nodes())), labels_(make<std::uint32_t>(layout.nodes())),
          counts_(make<StripCounts>(layout.strips)), totals_(make<StripTotals>(1)), partCount_(make<std::uint32_t>(1)) {
    }

    template <class T> [[nodiscard]] Buffer<T> make(std::uint64_t count) {
        return machine_.template make<T>(static_cast<std::size_t>(count), kWhat);
    }

    [[nodiscard]] StripState<Number> stateOf(const DeviceMask& mask, std::uint32_t threads) {
        return {mask,          layout_.rowBits,   layout_.strips,     layout_.wordsOfRow, layout_.runs,
                threads,       firstRuns_.data(), components_.data(), parents_.data(),    labels_.data(),
                counts_.data()};
    }

    /// Calls measure() with the grey pixels, or with null of type void without them.
    template <class Measure> [[nodiscard]] auto withGrey(const Measure& measure) const {
        if (input_.grey == nullptr) {
            return measure(static_cast<const void*>(nullptr));
        }
        return dispatch(input_.greyType,
                        [&]<class Level>(Level) { return measure(static_cast<const Level*>(input_.grey)); });
    }

    [[nodiscard]] StripReport report() { return {machine_.totals(), totals_.data(), partCount_.data()}; }

    void clearCounts() {
        machine_.each(ClearCounts{reinterpret_cast<std::uint32_t*>(counts_.data())},
                      ClearCounts::steps(layout_.strips));
        machine_.finish("memory");
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

    /// Passes 3 to 5.
    void number(const DeviceMask& mask) {
        const auto passState = stateOf(mask, tuning_.numberThreads);
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
            machine_.blocks(LabelOtherParts<Number>{passState}, layout_.strips, 0);
        }
        machine_.finish("numbers");
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

private:
    /// Largest number of strips whose counts every block sums: one cache line per earlier strip.
    static constexpr std::uint32_t kMostCounted = 512;
};

} // namespace pollard::cuda
