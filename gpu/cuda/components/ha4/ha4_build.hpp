#pragma once

#include "cuda/components/ha4/feature_passes.hpp"
#include "cuda/components/ha4/label_passes.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>

namespace pollard::cuda {

/// Objects of a mask from the published algorithms. Results that were not requested are empty.
template <class Machine> struct PassObjects {
    template <class T> using Buffer = typename Machine::template Buffer<T>;

    std::uint32_t count = 0;
    std::uint64_t foreground = 0;
    Buffer<std::uint32_t> labels;
    Buffer<ComponentRecord> records;
};

/// The mask, and an image of Level to measure; null if there is none.
template <class Level> struct PassInput {
    DeviceMask mask;
    const Level* grey = nullptr;
};

/// HA4, "Hardware Accelerated" labelling and analysis for 4-connectivity (Hennequin, Lacassagne & Masliah, "Étiquetage
/// et analyse en composantes connexes sur GPUs", COMPAS 2019), with words of 32 pixels, one per thread, or of 64, two
/// per thread. The stages "strips", "merge", "features" and "relabel" are the paper's kernels; "roots" and "number"
/// make the labels dense and in raster order, "moments", "grey" and "records" add measurements that the paper lacks.
/// The paper runs either "features" or "relabel".
///
/// The machine that runs the passes is the GPU or the emulator and has:
///
///     Buffer<T>                       move-only array in device memory: data(), size(), reset()
///     make<T>(count, what)            uninitialised memory; what: for the error message
///     fill(data, count, byte)         sets every byte
///     each(step, count)               step(i) for every i < count, in any order
///     sum(step, count, total)         as each(), and adds the results of step(i) to *total
///     blocks(pass, count)             pass(memory) in `count` blocks of Pass::kThreads threads
///     exclusiveSum(data, count)       data[k] becomes the sum of the elements before it
///     readBack(to, from)              copies one value to the host; waits
///     finish(stage)                   ends a stage of the report
template <class Machine, class Word> class Ha4Build {
    template <class T> using Buffer = typename Machine::template Buffer<T>;

public:
    Ha4Build(Machine& machine, const DeviceMask& mask)
        : machine_(machine), mask_(mask), words_(mask.stride() * mask.height) {}

    /// @param input of the mask
    template <class Level>
    [[nodiscard]] PassObjects<Machine> run(const PassInput<Level>& input, bool labels, bool features) {
        PassObjects<Machine> objects;
        findRoots();
        objects.count = count_;
        objects.foreground = foreground_;
        if (features && count_ > 0) {
            objects.records = measure(input.grey);
        }
        if (labels) {
            relabel();
            number();
            objects.labels = takeLabels();
        }
        return objects;
    }

    // The steps on their own, for algorithms that continue differently.

    /// Runs strips, merge and roots.
    void findRoots() {
        labels_ = make<std::uint32_t>(std::size_t{mask_.width} * mask_.height);
        machine_.blocks(ha4::StripPass<Word>{mask_, labels_.data()}, ha4::StripPass<Word>::blocks(mask_.height));
        machine_.finish("strips");
        if (const std::uint32_t borders = ha4::MergePass<Word>::borders(mask_.height); borders > 0) {
            machine_.blocks(ha4::MergePass<Word>{mask_, labels_.data()}, warps(borders));
        }
        machine_.finish("merge");
        countRoots();
        machine_.finish("roots");
    }
    void relabel() {
        machine_.blocks(ha4::RelabelPass<Word>{mask_, labels_.data()}, warps(mask_.height));
        machine_.finish("relabel");
    }
    void number() {
        machine_.blocks(ha4::NumberPass<Word>{mask_, numbers(), labels_.data()}, warps(mask_.height));
        machine_.finish("number");
    }
    [[nodiscard]] std::uint32_t count() const noexcept { return count_; }
    [[nodiscard]] std::uint64_t foreground() const noexcept { return foreground_; }
    [[nodiscard]] ha4::RootNumbers numbers() { return {roots_.data(), earlier_.data(), mask_.stride(), mask_.width}; }
    [[nodiscard]] const std::uint32_t* labels() noexcept { return labels_.data(); }
    [[nodiscard]] Buffer<std::uint32_t> takeLabels() noexcept { return std::move(labels_); }

private:
    static constexpr const char* kWhat = "the labels of objects";

    template <class T> [[nodiscard]] Buffer<T> make(std::size_t count) {
        return machine_.template make<T>(count, kWhat);
    }
    /// Blocks for one warp per word of @p rows rows.
    [[nodiscard]] std::uint32_t warps(std::uint32_t rows) const {
        return ha4::WarpPlace::blocks(ha4::columnsOf<Word>(mask_.width), rows);
    }

    void countRoots() {
        using Mark = ha4::MarkRootsPass<Word>;
        roots_ = make<std::uint32_t>(words_);
        earlier_ = make<std::uint32_t>(words_ + 1);
        Buffer<unsigned long long> pixels = make<unsigned long long>(1);
        machine_.fill(pixels.data(), 1, 0);
        machine_.fill(earlier_.data() + words_, 1, 0);
        machine_.blocks(Mark{mask_, labels_.data(), roots_.data(), earlier_.data()},
                        ha4::WarpPlace::blocks(Mark::columns(mask_), mask_.height));
        machine_.exclusiveSum(earlier_.data(), earlier_.size());
        machine_.sum(ha4::CountBitsOf{mask_.words}, words_, pixels.data());
        machine_.readBack(&count_, earlier_.data() + words_);
        machine_.readBack(&foreground_, pixels.data());
    }

    template <class Level> [[nodiscard]] Buffer<ComponentRecord> measure(const Level* grey) {
        using Table = ha4::FeatureTable;
        Buffer<std::uint64_t> sums = make<std::uint64_t>(std::size_t{Table::wideCount} * count_);
        Buffer<std::uint32_t> least = make<std::uint32_t>(std::size_t{Table::leastCount} * count_);
        Buffer<std::uint32_t> most = make<std::uint32_t>(std::size_t{Table::mostCount} * count_);
        machine_.fill(sums.data(), sums.size(), 0);
        machine_.fill(least.data(), least.size(), 0xff);
        machine_.fill(most.data(), most.size(), 0);
        const Table table{sums.data(), least.data(), most.data(), count_};
        const ha4::SegmentPass<Word> segments{mask_, labels_.data(), numbers(), table};
        machine_.blocks(ha4::FeaturesPass<Word>{segments}, warps(mask_.height));
        machine_.finish("features");
        machine_.blocks(ha4::MomentsPass<Word>{segments}, warps(mask_.height));
        machine_.finish("moments");
        if (grey != nullptr) {
            machine_.blocks(ha4::GreyPass<Word, Level>{segments, grey}, warps(mask_.height));
            machine_.finish("grey");
        }
        Buffer<ComponentRecord> records = make<ComponentRecord>(count_);
        machine_.each(ha4::WriteRecords{table, grey != nullptr, records.data()}, count_);
        machine_.finish("records");
        return records;
    }

    Machine& machine_;
    DeviceMask mask_;
    std::size_t words_; ///< of the mask
    std::uint32_t count_ = 0;
    unsigned long long foreground_ = 0;
    Buffer<std::uint32_t> labels_;          ///< at first the forest
    Buffer<std::uint32_t> roots_, earlier_; ///< of RootNumbers
};

} // namespace pollard::cuda
