#pragma once

#include "cuda/boruvka/emulated_machine.hpp"
#include "player/player.hpp"
#include "watched/plain_buffer.hpp"

#include <cstdint>
#include <functional>
#include <utility>

namespace pollard::teach {

/// An emulator whose threads take turns as in a spec: in order, or drawn from the seed.
class TurnsEmulator {
protected:
    explicit TurnsEmulator(const PlayerSpec& spec) : turns_(spec.seed) {
        if (spec.turns != Turns::random) {
            turns_.takeTurnsInOrder();
        }
    }

    cuda::emulation::Emulator turns_;
};

/// Runs the passes of Ha4Build, TmkBuild and StripBuild in the emulator, with an observer for players.
class KernelMachine : private TurnsEmulator, public cuda::emulation::BasicEmulatedMachine<PlainBuffer> {
public:
    explicit KernelMachine(const PlayerSpec& spec)
        : TurnsEmulator(spec), BasicEmulatedMachine<PlainBuffer>(turns_, spec.seed) {}

protected:
    using BasicEmulatedMachine<PlainBuffer>::kStepThreads;
    using Moment = cuda::emulation::Emulator::Moment;

    /// Sets the observer of the next launches; null: none.
    void watch(std::function<void(Moment)> look) { turns_.watch(std::move(look)); }
    /// The running thread's index in its block, and the block.
    [[nodiscard]] std::uint32_t thread() const noexcept { return turns_.thread(); }
    [[nodiscard]] std::uint32_t block() const noexcept { return turns_.block(); }
    [[nodiscard]] void* sharedMemory() const noexcept { return turns_.sharedMemory(); }
};

} // namespace pollard::teach
