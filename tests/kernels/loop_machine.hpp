#pragma once

#include "cuda/emulation/emulator.hpp"
#include "cuda/nodes/tile_sums.hpp"
#include "cuda/tree/ranked_nodes.hpp"
#include "tree/component_tree.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace pollard::testing {

/// Runs steps of the device as loops on the host, backwards, because the order of threads must not matter. Kernels with
/// barriers run in the emulator.
class LoopMachine {
public:
    LoopMachine() { emulator().restart(67); }

    /// Initially filled with noise.
    template <class T> class Buffer {
    public:
        Buffer() = default;
        explicit Buffer(std::size_t count) : values_(count) {
            std::memset(static_cast<void*>(values_.data()), 0xa7, count * sizeof(T));
        }
        Buffer(Buffer&&) noexcept = default;
        Buffer& operator=(Buffer&&) noexcept = default;
        Buffer(const Buffer&) = delete;
        Buffer& operator=(const Buffer&) = delete;
        ~Buffer() = default;

        [[nodiscard]] T* data() noexcept { return values_.data(); }
        [[nodiscard]] const T* data() const noexcept { return values_.data(); }
        [[nodiscard]] std::size_t size() const noexcept { return values_.size(); }

    private:
        std::vector<T> values_;
    };

    /// Stages in the order of their ends.
    [[nodiscard]] const std::vector<std::string>& stages() const noexcept { return stages_; }

    template <class T> [[nodiscard]] Buffer<T> make(std::size_t count, const char*) { return Buffer<T>(count); }
    template <class T> void fill(T* data, std::size_t count, int byte) {
        std::memset(static_cast<void*>(data), byte, count * sizeof(T));
    }
    template <class Step> void each(const Step& step, std::size_t count) {
        while (count-- > 0) {
            step(count);
        }
    }
    template <class T> void exclusiveSum(T* data, std::size_t count) {
        T sum = 0;
        for (std::size_t i = 0; i < count; ++i) {
            const T own = data[i];
            data[i] = sum;
            sum = static_cast<T>(sum + own);
        }
    }
    void inclusiveMaximum(std::uint32_t* data, std::size_t count) {
        for (std::size_t i = 1; i < count; ++i) {
            data[i] = std::max(data[i - 1], data[i]);
        }
    }
    void count(const std::uint32_t* keys, std::size_t size, std::uint32_t* counts) {
        for (std::size_t i = 0; i < size; ++i) {
            ++counts[keys[i]];
        }
    }
    template <class Terms> void addTiles(const cuda::TileSums<Terms>& sums, std::uint32_t tiles) {
        using Memory = typename cuda::TileSums<Terms>::Memory;
        emulator().launch({tiles, cuda::TileSums<Terms>::kThreads, sizeof(Memory)},
                          [&] { sums(*static_cast<Memory*>(cuda::emulation::Emulator::running()->sharedMemory())); });
    }
    template <class Terms> void addListed(const cuda::NodePlan& plan, const Terms& terms, const std::uint32_t* nodes,
                                          const std::uint32_t* pixels) {
        for (std::size_t place = 0; place < plan.pixelCount(); ++place) {
            const auto values = terms.ofPixel(pixels[place] % plan.width, pixels[place] / plan.width);
            for (int k = 0; k < Terms::kRows; ++k) {
                *terms.rows.at(static_cast<std::size_t>(k), nodes[place]) += values.of[k];
            }
        }
    }
    template <class Step> void sum(const Step& step, std::size_t count, unsigned long long* total) {
        while (count-- > 0) {
            *total += step(count);
        }
    }
    void scatterAdd(const std::uint32_t* keys, const std::uint32_t* values, std::size_t count, std::uint32_t* sums) {
        for (std::size_t i = 0; i < count; ++i) {
            sums[keys[i]] += values[i];
        }
    }
    void firstPixels(const cuda::NodePlan& plan, const std::uint32_t* owner, std::uint32_t* first) {
        for (std::uint32_t pixel = 0; pixel < plan.pixelCount(); ++pixel) {
            if (const std::uint32_t component = owner[plan.pixelNode[pixel]]; component != 0) {
                first[component - 1] = std::min(first[component - 1], pixel);
            }
        }
    }
    template <class Step> void maximum(const Step& step, std::size_t count, unsigned long long* largest) {
        while (count-- > 0) {
            *largest = std::max<unsigned long long>(*largest, step(count));
        }
    }
    static constexpr std::uint32_t kClimbThreads = 32;
    template <class Team> [[nodiscard]] std::uint32_t climbBlocks() { return 3; }
    template <class Team> void climb(const Team& team) {
        using Memory = typename Team::Memory;
        emulator().launch({team.blocks, Team::kThreads, sizeof(Memory), true},
                          [&] { team(*static_cast<Memory*>(cuda::emulation::Emulator::running()->sharedMemory())); });
    }
    void sortByKey(Buffer<std::uint32_t>& keys, Buffer<std::uint32_t>& values, int bits) {
        const std::uint32_t mask = (1U << bits) - 1;
        std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs(keys.size());
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            pairs[i] = {keys.data()[i], values.data()[i]};
        }
        std::stable_sort(pairs.begin(), pairs.end(),
                         [mask](const auto& a, const auto& b) { return (a.first & mask) < (b.first & mask); });
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            keys.data()[i] = pairs[i].first;
            values.data()[i] = pairs[i].second;
        }
    }
    template <class T> [[nodiscard]] Buffer<T> upload(std::span<const T> values, const char*) {
        Buffer<T> buffer(values.size());
        std::copy(values.begin(), values.end(), buffer.data());
        return buffer;
    }
    template <class T> void readBack(T* to, const T* from, std::size_t count) { std::copy_n(from, count, to); }
    void finish(const char* stage) { stages_.emplace_back(stage); }

private:
    /// One per thread, shared by all machines: its stacks are expensive to allocate.
    static cuda::emulation::Emulator& emulator() {
        static thread_local cuda::emulation::Emulator shared{0};
        return shared;
    }

    std::vector<std::string> stages_;
};

/// A LoopMachine with this number of threads per block of a ClimbTeam. The team's scan alternates between two buffers:
/// it ends in the second if the threads are an odd power of two, as on the device and in LoopMachine, otherwise in the
/// first, with which the next scan begins.
template <std::uint32_t kThreads> class LoopMachineOf : public LoopMachine {
public:
    static constexpr std::uint32_t kClimbThreads = kThreads;
};

/// A tree in host memory in the format of the steps.
[[nodiscard]] inline cuda::NodePlan planOf(const ComponentTree& tree) {
    return {tree.pixelNode.data(),
            tree.parent.data(),
            tree.subtreeEnd.data(),
            tree.canonical.data(),
            tree.level.data(),
            static_cast<std::uint32_t>(tree.nodeCount()),
            tree.width,
            static_cast<std::uint32_t>(tree.extent().rows()),
            tree.kind,
            tree.connectivity,
            tree.pixelType};
}

} // namespace pollard::testing
