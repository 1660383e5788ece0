#pragma once

#include "cuda/snake/seed_loop.hpp"
#include "kernels/emulated_machine.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace pollard::cuda::testing {

/// Runs the passes of snakes in the emulator. Some teams are stopped: immediately, or when a state is written at a
/// certain position of the trail.
class SnakeTestMachine : public emulation::EmulatedMachine {
public:
    template <class T> using HostBuffer = emulation::HostBuffer<T>;

    SnakeTestMachine(emulation::Emulator& emulator, std::uint32_t seed, bool stopsTeams)
        : BasicEmulatedMachine(emulator, seed), random_(seed + 1), stopsTeams_(stopsTeams) {}

    /// Number of teams that ran.
    [[nodiscard]] int teams() const noexcept { return teams_; }

    template <class T> [[nodiscard]] HostBuffer<T> makeHost(std::size_t count, const char* what) {
        HostBuffer<T> buffer = make<T>(count, what);
        std::fill_n(buffer.data(), count, T{});
        return buffer;
    }
    template <class T> void upload(T* to, const T* from, std::size_t count) { std::copy_n(from, count, to); }
    template <class Pass> void team(Pass pass, std::size_t bytes) {
        ++teams_;
        const std::uint32_t kind = stopsTeams_ ? random_.below(3) : 0;
        setStopFlag(kind == 1);
        if (kind == 2) { // the upper half of a word is 0 until a state is written there
            pass.trail.stop =
                reinterpret_cast<std::uint32_t*>(
                    pass.trail.words +
                    random_.below(static_cast<std::uint32_t>(std::min<std::uint64_t>(pass.trail.size, 200)))) +
                1;
        }
        blocks(pass, pass.blocks, bytes, true);
    }
    template <class Pass>
    [[nodiscard]] static std::uint32_t teamBlocks(const Pass&, std::uint32_t wanted, std::size_t) noexcept {
        return wanted;
    }
    /// Large enough for all contours, for none, or only for small ones.
    [[nodiscard]] std::size_t sharedBytes() noexcept { return std::size_t{random_.below(3)} * 3000; }
    static void throwIfStopped() noexcept {}
    [[nodiscard]] static bool isBusy() noexcept { return false; }
    void stop() noexcept {}
    void wait() noexcept {}

private:
    emulation::Random random_;
    bool stopsTeams_;
    int teams_ = 0;
};

} // namespace pollard::cuda::testing
