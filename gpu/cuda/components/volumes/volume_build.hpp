#pragma once

#include "cuda/components/strips/strip_arrays.hpp"
#include "cuda/components/strips/strip_joining.hpp"
#include "cuda/components/strips/strip_layout.hpp"
#include "cuda/components/strips/strip_paint.hpp"
#include "cuda/components/strips/strip_runs.hpp"
#include "cuda/components/volumes/slice_contacts.hpp"
#include "cuda/components/volumes/volume_features.hpp"
#include "cuda/components/volumes/volume_layout.hpp"
#include "tree/component_tree.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace pollard::cuda {

/// Finds the objects of a volume by strips of rows (docs/algorithms.md, "strips"): finds the components of each slice
/// like the components of an image and joins them with the previous slice. @tparam Machine see StripArrays
template <class Machine, Connectivity kNeighbours> class VolumeBuild : StripArrays<Machine, std::uint16_t> {
    using Number = std::uint16_t;
    using Base = StripArrays<Machine, Number>;
    template <class T> using Buffer = typename Machine::template Buffer<T>;
    using Base::input_;
    using Base::layout_;
    using Base::machine_;
    using Base::tuning_;

    static constexpr bool kEight = kNeighbours != Connectivity::six; ///< in a slice

public:
    using Result = StripResult<Machine, VolumeRecord>;

    VolumeBuild(Machine& machine, const StripInput& input, const StripTuning& tuning, const VolumeStripLayout& layout)
        : Base(machine, input, tuning, layout.strips), rows_(layout.rows),
          stripsOfSlice_(layout.stripsOfSlice()), mask_{input.mask.words, layout.strips.width, layout.strips.height} {
        if (rows_.isPadded()) {
            padded_ = Base::template make<std::uint32_t>(mask_.stride() * mask_.height);
            mask_.words = padded_.data();
        }
    }

    [[nodiscard]] Result run() {
        Result result;
        Base::clearCounts();
        if (rows_.isPadded()) {
            machine_.each(PadSlices{input_.mask, rows_, padded_.data()}, mask_.stride() * mask_.height);
        }
        machine_.blocks(JoinWithinStrips<kEight>{state(layout_.threads)}, layout_.strips, layout_.joiningBytes());
        machine_.finish("runs");
        joinBorders();
        machine_.finish("borders");
        joinSlices();
        machine_.finish("slices");
        Base::number(mask_);
        if (input_.labels) {
            result.labels =
                Base::template make<std::uint32_t>(std::uint64_t{mask_.width} * rows_.height * rows_.slices);
            paint(result.labels.data());
            machine_.finish("labels");
        }
        result.totals = machine_.takeTotals();
        if (input_.features && result.totals.objects != 0) {
            result.records =
                Base::withGrey([&]<class Level>(const Level* grey) { return measure(result.totals.objects, grey); });
            machine_.finish("features");
        }
        return result;
    }

private:
    [[nodiscard]] StripState<Number> state(std::uint32_t threads) { return Base::stateOf(mask_, threads); }

    /// Joins the components at the borders between strips of one slice.
    void joinBorders() {
        const std::size_t words = std::size_t{layout_.strips - 1} * layout_.wordsOfRow;
        const std::uint32_t partBits = Base::partBitsOf(words);
        if (stripsOfSlice_ > 1) {
            machine_.each(JoinStrips<Number, kEight>{state(0), {1, stripsOfSlice_, partBits}}, words << partBits);
        }
    }

    void joinSlices() {
        const std::uint32_t groupBits = rows_.slices <= tuning_.fewStrips ? 32 : tuning_.groupBits;
        for (std::uint64_t step = 1; step < rows_.slices; step <<= groupBits) {
            const auto first = static_cast<std::uint32_t>(step);
            const std::uint32_t borders = StripBorders::count(rows_.slices, first);
            if (step > 1) {
                machine_.each(ShortenBeforeSlices{state(0), stripsOfSlice_, first},
                              std::size_t{borders} * stripsOfSlice_ * layout_.runs);
            }
            const std::uint64_t group = step << groupBits;
            const std::size_t words = std::size_t{borders} * rows_.height * layout_.wordsOfRow;
            const JoinSlices<kNeighbours> join{
                state(0),
                rows_,
                {first, group < rows_.slices ? static_cast<std::uint32_t>(group) : 0, Base::partBitsOf(words)}};
            machine_.each(join, join.steps());
        }
    }

    void paint(std::uint32_t* labels) {
        const std::size_t steps = PaintLabels<Number>::steps(mask_.width, mask_.height);
        if (rows_.isPadded()) {
            machine_.each(PaintLabels<Number, RowsOfSlices>{state(0), labels, {rows_}}, steps);
        } else {
            machine_.each(PaintLabels<Number>{state(0), labels}, steps);
        }
    }

    template <class Level> [[nodiscard]] Buffer<VolumeRecord> measure(std::uint32_t objects, const Level* grey) {
        Buffer<VolumeRecord> records = Base::template make<VolumeRecord>(objects);
        machine_.each(StartVolumeRecords{records.data(), grey != nullptr}, objects);
        const std::uint32_t threads = std::min(tuning_.measureThreads, (layout_.wordsOfStrip() + 31) / 32 * 32);
        const MeasureVolume<kNeighbours, Level> pass{state(threads), rows_, records.data(), grey,
                                                     tuning_.volumeSlotBits};
        machine_.blocks(pass, layout_.strips, pass.bytes());
        return records;
    }

    PaddedRows rows_;
    std::uint32_t stripsOfSlice_;
    DeviceMask mask_; ///< with the padding
    Buffer<std::uint32_t> padded_;
};

/// Chooses the build for the connectivity. @throws the machine's exceptions
template <class Machine> [[nodiscard]] StripResult<Machine, VolumeRecord>
findInVolume(Machine& machine, const StripInput& input, const StripTuning& tuning, const VolumeStripLayout& layout) {
    switch (input.connectivity) {
    case Connectivity::eighteen:
        return VolumeBuild<Machine, Connectivity::eighteen>(machine, input, tuning, layout).run();
    case Connectivity::twentySix:
        return VolumeBuild<Machine, Connectivity::twentySix>(machine, input, tuning, layout).run();
    default:
        return VolumeBuild<Machine, Connectivity::six>(machine, input, tuning, layout).run();
    }
}

} // namespace pollard::cuda
