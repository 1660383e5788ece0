#pragma once

#include "base/table_log.hpp"
#include "cuda/snake/prefix_image.hpp"
#include "cuda/snake/snake_input.hpp"
#include "cuda/snake/sum_rows.hpp"
#include "image/image.hpp"
#include "snake/row_counts.hpp"
#include "snake/snake_start.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace pollard::cuda {

/// What a snake is run on.
struct SnakeHostInput {
    const Image& image;
    const RowCounts* gaps;      ///< pixels without data; null for none
    const RowCounts* forbidden; ///< null for none
    SnakeSpec spec;             ///< usedSpec()
};

/// Threads of blocks, powers of two.
struct SnakeTuning {
    std::uint32_t rowThreads = 128;      ///< of a row of the image
    std::uint32_t segmentThreads = 256;  ///< of a segment
    std::uint32_t nodeThreads = 256;     ///< of blocks that work on a contour, a warp a node; 32 or more
    std::uint32_t teamBlocks = 129;      ///< of a contour, one of them to talk to the host
    std::uint32_t firstNodes = 1024;     ///< that a contour's memory holds at first
    std::uint64_t trailStates = 128;     ///< that the memory for states holds, if all have as many nodes
    std::uint32_t firstNodesApart = 256; ///< as firstNodes, of each of several contours
    std::uint32_t atOnce = 1024;         ///< contours apart that are under way together, at most
    /// Words that the memory for their states holds, unless two states of a single one take more: 256 MiB of pinned
    /// memory.
    std::uint64_t trailWordsApart = std::uint64_t{1} << 25U;
    /// Device memory for the tables of the blocks that they evolve in, unless those of a single block take more.
    std::uint64_t tableBytesApart = std::uint64_t{2} << 30U;
};

/// An image and its cumulated images in device memory, made by a machine, the GPU or the emulator, which has:
///  - Buffer<T>, HostBuffer<T>: move-only arrays in device memory and in memory of the host that kernels write; data()
///  - make<T>(count, what): an uninitialised one in device memory
///  - makeHost<T>(count, what): one of zeros in memory of the host
///  - upload(to, from, count): copies to the device
///  - readBack(to, from, count): copies from it, and waits for that
///  - clear(data, count): sets words to 0
///  - blocks(pass, count, bytes): pass(shared memory) in pass.state.threads threads of that many blocks each
///  - each(step, count): step(i) for every i < count, in any order
///  - team(pass, bytes): as blocks(), with pass.blocks blocks that can wait for each other; returns at once, and later
///    work waits for it
///  - teamBlocks(pass, wanted, bytes): how many of them the device can run so, at most @p wanted
///  - sharedBytes(): the most that a block may use
///  - isBusy(): whether work goes on; naps a little if so
///  - throwIfStopped(): throws Cancelled if the job is to stop
///  - stopFlag(), stop(): what a team looks at; asks it to stop and waits for all work
///  - wait(): for all work
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
        machine.clear(totals.data(), 2);
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
