#pragma once

#include "cuda/boruvka/sorted_pixels.hpp"
#include "cuda/emulation/emulator.hpp"
#include "cuda/kernels/kernel_threads.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace pollard::cuda::emulation {

/// Base of the machines that run the passes of an algorithm in the emulator, complete for a BranchBuild. Uses the sorts
/// and scans of the standard library.
/// @tparam HostBuffer move-only array, constructed from a count and a Random&; its memory may be reused for another
/// type
template <template <class> class HostBuffer> class BasicEmulatedMachine {
public:
    template <class T> using Buffer = HostBuffer<T>;

    BasicEmulatedMachine(Emulator& emulator, std::uint32_t seed) : emulator_(emulator), random_(seed) {}

    /// Stages in the order in which they ended.
    [[nodiscard]] const std::vector<std::string>& stages() const noexcept { return stages_; }

    template <class T> [[nodiscard]] HostBuffer<T> make(std::size_t count, const char*) { return {count, random_}; }
    template <class T> void fill(T* data, std::size_t count, int byte) {
        std::memset(static_cast<void*>(data), byte, count * sizeof(T));
    }

    template <class Step> void each(const Step& step, std::size_t count) {
        const auto blocks = static_cast<std::uint32_t>((count + kStepThreads - 1) / kStepThreads);
        emulator_.launch({blocks, kStepThreads}, [&] {
            const std::size_t i = std::size_t{blockOfGrid()} * kStepThreads + threadOfBlock();
            if (i < count) {
                step(i);
            }
        });
    }
    template <class Step> void eachOf(const Step& step, const std::uint32_t* count, std::uint32_t) {
        constexpr std::uint32_t kBlocks = 3;
        emulator_.launch({kBlocks, kStepThreads}, [&] {
            for (std::size_t i = blockOfGrid() * kStepThreads + threadOfBlock(); i < *count;
                 i += kBlocks * kStepThreads) {
                step(i);
            }
        });
    }
    template <class Step> void sum(const Step& step, std::size_t count, unsigned long long* total) {
        each([&](std::size_t i) { *total += step(i); }, count);
    }
    template <class Step> void maximum(const Step& step, std::size_t count, unsigned long long* largest) {
        each([&](std::size_t i) { *largest = std::max<unsigned long long>(*largest, step(i)); }, count);
    }
    template <class Pass> void tiles(const Pass& pass, std::uint32_t count) {
        runWithMemory(pass, count, Pass::Shape::kThreads);
    }
    template <class Pass> void blocks(const Pass& pass, std::uint32_t count) {
        runWithMemory(pass, count, Pass::kThreads);
    }
    /// Shared memory has exactly the requested size, so that sanitizers find accesses beyond it.
    /// @param together blocks can wait for each other
    template <class Pass> void blocks(const Pass& pass, std::uint32_t count, std::size_t bytes, bool together = false) {
        emulator_.launch({count, pass.state.threads, bytes, together},
                         [&] { pass(static_cast<std::uint32_t*>(emulator_.sharedMemory())); });
    }

    void runsUpTo(const StartsRun& starts, std::uint32_t* sums, std::uint32_t count) {
        std::uint32_t sum = 0;
        for (std::uint32_t k = 0; k < count; ++k) {
            sum += starts(k);
            sums[k] = sum;
        }
    }
    void exclusiveSum(std::uint32_t* data, std::size_t count) { std::exclusive_scan(data, data + count, data, 0U); }
    void exclusiveMaximum(std::uint32_t* data, std::size_t count) {
        std::exclusive_scan(data, data + count, data, 0U,
                            [](std::uint32_t a, std::uint32_t b) { return std::max(a, b); });
    }

    void sort(HostBuffer<std::uint64_t>& keys, HostBuffer<std::uint64_t>& otherKeys, std::uint32_t count,
              SortedBits bits) {
        std::copy_n(keys.data(), count, otherKeys.data());
        std::stable_sort(otherKeys.data(), otherKeys.data() + count, Lower{bits});
        std::swap(keys, otherKeys);
    }
    void sort(HostBuffer<std::uint64_t>& keys, HostBuffer<std::uint64_t>& otherKeys, HostBuffer<std::uint32_t>& pixels,
              HostBuffer<std::uint32_t>& otherPixels, std::uint32_t count, SortedBits bits) {
        std::vector<std::size_t> order(count);
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::ranges::stable_sort(
            order, [&](std::size_t a, std::size_t b) { return Lower{bits}(keys.data()[a], keys.data()[b]); });
        for (std::size_t k = 0; k < order.size(); ++k) {
            otherKeys.data()[k] = keys.data()[order[k]];
            otherPixels.data()[k] = pixels.data()[order[k]];
        }
        std::swap(keys, otherKeys);
        std::swap(pixels, otherPixels);
    }

    template <class T> void readBack(T* to, const T* from, std::size_t count = 1) { std::copy_n(from, count, to); }
    [[nodiscard]] const volatile std::uint32_t* stopFlag() const noexcept { return &stop_; }
    void finish(const char* stage) { stages_.emplace_back(stage); }

protected:
    static constexpr std::uint32_t kStepThreads = 8; ///< block size of each()

    [[nodiscard]] Emulator& emulator() noexcept { return emulator_; }
    void setStopFlag(bool stop) noexcept { stop_ = stop ? 1 : 0; }

private:
    struct Lower {
        SortedBits bits;

        bool operator()(std::uint64_t a, std::uint64_t b) const { return sorted(a) < sorted(b); }
        [[nodiscard]] std::uint64_t sorted(std::uint64_t key) const {
            return key << static_cast<unsigned>(64 - bits.end) >> static_cast<unsigned>(64 - bits.end + bits.first);
        }
    };

    template <class Pass> void runWithMemory(const Pass& pass, std::uint32_t count, std::uint32_t threads) {
        using Memory = typename Pass::Memory;
        emulator_.launch({count, threads, sizeof(Memory)},
                         [&] { pass(*static_cast<Memory*>(emulator_.sharedMemory())); });
    }

    Emulator& emulator_;
    Random random_;
    std::uint32_t stop_ = 0;
    std::vector<std::string> stages_;
};

} // namespace pollard::cuda::emulation
