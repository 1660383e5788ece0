#pragma once

#include "base/table_log.hpp"
#include "cuda/snake/prefix_image.hpp"
#include "cuda/snake/snake_input.hpp"
#include "image/image.hpp"
#include "snake/row_counts.hpp"
#include "snake/snake_start.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace pollard::cuda {

/// Input of a snake run.
struct SnakeHostInput {
    const Image& image;
    const RowCounts* gaps;      ///< pixels without data; null for none
    const RowCounts* forbidden; ///< null for none
    SnakeSpec spec;             ///< usedSpec()
};

/// Launch configuration and memory limits. Numbers of threads are powers of two.
struct SnakeTuning {
    std::uint32_t rowThreads = 128;            ///< per row of the image
    std::uint32_t segmentThreads = 256;        ///< per segment
    std::uint32_t nodeThreads = 256;           ///< per block of a contour's kernels, one warp per node; at least 32
    std::uint32_t teamBlocks = 129;            ///< blocks per contour, one of which only writes to the host
    std::uint32_t firstNodes = 1024;           ///< initial capacity of a contour
    std::uint64_t trailStates = 128;           ///< capacity of the trail, in states of the contour's capacity
    std::uint32_t firstNodesIndependent = 256; ///< as firstNodes, for each of several contours
    std::uint32_t atOnce = 1024;               ///< most independent contours that evolve together
    /// Words for the states of independent contours, 256 MiB of pinned memory; more if two states of a single one need
    /// more.
    std::uint64_t trailWordsIndependent = std::uint64_t{1} << 25U;
    /// Device memory for the tables of independent contours' blocks, bytes; more if a single block needs more.
    std::uint64_t tableBytesIndependent = std::uint64_t{2} << 30U;
};

/// An image and its prefix sums in device memory. The machine is the GPU or the emulator and has:
///  - Buffer<T>, HostBuffer<T>: move-only arrays in device memory and in host memory that kernels write; data()
///  - make<T>(count, what): uninitialised device memory
///  - makeHost<T>(count, what): zeroed host memory
///  - upload(to, from, count): copies to the device
///  - readBack(to, from, count): copies to the host, waits
///  - fill(data, count, byte): sets every byte
///  - blocks(pass, count, bytes): pass(shared memory) in @p count blocks of pass.state.threads threads
///  - each(step, count): step(i) for every i < count, in any order
///  - team(pass, bytes): as blocks(), with pass.blocks blocks that can wait for each other; does not wait
///  - teamBlocks(pass, wanted, bytes): number of such blocks that can be resident, at most @p wanted
///  - sharedBytes(): most shared memory of a block
///  - isBusy(): whether queued work is running; yields or sleeps briefly if so
///  - throwIfStopped(): throws Cancelled on a stop request
///  - stopFlag(), stop(): the flag polled by teams; raises it and waits for all work
///  - wait(): waits for all work
///  - finish(stage): ends a stage of the report
template <class Machine, class Prefix> class SnakeField {
    using Pixel = typename Prefix::Pixel;
    template <class T> using Buffer = typename Machine::template Buffer<T>;

public:
    SnakeField(Machine& machine, const SnakeHostInput& host, const SnakeTuning& tuning)
        : machine_(machine), pixels_(make<Pixel>(Prefix::placesOf(host.image.pixelCount()))),
          entries_(make<PrefixEntry>(Prefix::entriesOfRow(host.image.width()) * host.image.height())),
          table_(make<TableLog::Entry>(TableLog::kSize)) {
        const Image& image = host.image;
        machine.upload(pixels_.data(), image.pixels<Pixel>().data(), image.pixelCount());
        const auto table = TableLog::makeTable();
        machine.upload(table_.data(), table.data(), table.size());
        Prefix prefix{pixels_.data(), entries_.data(), image.width(), image.height(), gaps_.upload(machine, host.gaps)};
        const RowCountsView forbidden = forbidden_.upload(machine, host.forbidden);
        machine.finish("upload");
        auto totals = make<std::uint64_t>(2);
        machine.fill(totals.data(), 2, 0);
        machine.blocks(SumRows<Prefix>{{tuning.rowThreads}, prefix, totals.data()}, image.height(),
                       SumRows<Prefix>::bytes(tuning.rowThreads));
        std::array<std::uint64_t, 2> sums{};
        machine.readBack(sums.data(), totals.data(), sums.size());
        machine.finish("sums");
        const std::uint64_t gaps = host.gaps == nullptr ? 0 : host.gaps->mask().count();
        const RegionSums all{static_cast<std::int64_t>(image.pixelCount() - gaps), static_cast<std::int64_t>(sums[0]),
                             static_cast<std::int64_t>(sums[1])};
        input_ = {prefix,
                  rulesFor(host.spec, all, {0, 0, image.width(), image.height()}, table_.data()),
                  forbidden,
                  host.spec.maxStep,
                  host.spec.minLength,
                  host.spec.maxNodes,
                  host.spec.maxRounds};
    }

    [[nodiscard]] const SnakeInput<Prefix>& input() const noexcept { return input_; }

private:
    /// RowCounts in device memory.
    struct Counts {
        Buffer<std::uint64_t> words;
        Buffer<std::uint32_t> before;

        [[nodiscard]] RowCountsView upload(Machine& machine, const RowCounts* counts) {
            if (counts == nullptr) {
                return {};
            }
            const RowCountsView view = counts->view();
            const std::size_t count = counts->mask().bytes() / sizeof(Mask::Word);
            words = machine.template make<std::uint64_t>(count, kWhat);
            before = machine.template make<std::uint32_t>(counts->before().size(), kWhat);
            machine.upload(words.data(), view.words, count);
            machine.upload(before.data(), view.before, counts->before().size());
            return {words.data(), before.data(), view.wordsOfRow};
        }
    };

    static constexpr const char* kWhat = "the sums of a snake";

    template <class T> [[nodiscard]] Buffer<T> make(std::size_t count) {
        return machine_.template make<T>(count, kWhat);
    }

    Machine& machine_;
    Buffer<Pixel> pixels_;
    Buffer<PrefixEntry> entries_;
    Buffer<TableLog::Entry> table_;
    Counts gaps_;
    Counts forbidden_;
    SnakeInput<Prefix> input_;
};

} // namespace pollard::cuda
