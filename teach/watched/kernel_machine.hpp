#pragma once

#include "device/kernel_threads.hpp"
#include "emulation/emulator.hpp"
#include "players/player.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <numeric>
#include <utility>
#include <vector>

namespace pollard::teach {

/// What no memory of the emulated device holds before somebody writes it.
inline constexpr std::uint32_t kUnwritten = 0xffffffffU;

/// Runs the passes of Ha4Build and TmkBuild in the emulator, so that players can look on. Of the spec it takes whether
/// threads take turns in order, or as the seed says.
class KernelMachine {
public:
    /// Array in the memory of the emulated device; every bit is set.
    template <class T> class Buffer {
    public:
        Buffer() = default;
        explicit Buffer(std::size_t count) : elements_(count) {
            if (count > 0) {
                std::memset(static_cast<void*>(elements_.data()), 0xff, count * sizeof(T));
            }
        }

        [[nodiscard]] T* data() noexcept { return elements_.data(); }
        [[nodiscard]] std::size_t size() const noexcept { return elements_.size(); }
        void reset() noexcept { elements_ = {}; }

    private:
        std::vector<T> elements_;
    };

    explicit KernelMachine(const PlayerSpec& spec) : emulator_(spec.seed) {
        if (spec.turns != Turns::random) {
            emulator_.takeTurnsInOrder();
        }
    }

    template <class T> [[nodiscard]] Buffer<T> make(std::size_t count, const char*) { return Buffer<T>(count); }
    template <class T> void fill(T* data, std::size_t count, int byte) {
        std::memset(static_cast<void*>(data), byte, count * sizeof(T));
    }
    template <class Step> void each(const Step& step, std::size_t count) {
        constexpr std::uint32_t kThreads = 8;
        const auto blocks = static_cast<std::uint32_t>((count + kThreads - 1) / kThreads);
        emulator_.launch({blocks, kThreads}, [&] {
            const std::size_t i = std::size_t{cuda::blockOfGrid()} * kThreads + cuda::threadOfBlock();
            if (i < count) {
                step(i);
            }
        });
    }
    template <class Step> void sum(const Step& step, std::size_t count, unsigned long long* total) {
        each([&](std::size_t i) { *total += step(i); }, count);
    }
    template <class Pass> void blocks(const Pass& pass, std::uint32_t count) {
        using Memory = typename Pass::Memory;
        emulator_.launch({count, Pass::kThreads, sizeof(Memory)},
                         [&] { pass(*static_cast<Memory*>(emulator_.sharedMemory())); });
    }
    void earlierSums(Buffer<std::uint32_t>& data) {
        std::exclusive_scan(data.data(), data.data() + data.size(), data.data(), 0U);
    }
    template <class T> void readBack(T* to, const T* from) { *to = *from; }
    void finish(const char*) {}

protected:
    using Moment = cuda::emulation::Emulator::Moment;

    /// Of the next launches; null: nobody looks.
    void watch(std::function<void(Moment)> look) { emulator_.watch(std::move(look)); }
    /// The running thread, in its block, and the block.
    [[nodiscard]] std::uint32_t thread() const noexcept { return emulator_.thread(); }
    [[nodiscard]] std::uint32_t block() const noexcept { return emulator_.block(); }
    [[nodiscard]] void* sharedMemory() const noexcept { return emulator_.sharedMemory(); }

private:
    cuda::emulation::Emulator emulator_;
};

} // namespace pollard::teach
