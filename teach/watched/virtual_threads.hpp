#pragma once

#include "cuda/emulation/fibre.hpp"
#include "cuda/emulation/schedule.hpp"
#include "player/player.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace pollard::teach {

/// Threads of a GPU, one of which is at work at a time: each stops before whatever others may meet it in, until it is
/// its turn. Unlike the emulator, which draws what happens, they take turns as a student chooses.
class VirtualThreads {
public:
    /// @param hand for Turns::byHand; must outlive this. Threads that have ended are passed over in it.
    VirtualThreads(std::uint32_t count, Turns turns, std::uint32_t seed, std::span<const std::uint8_t> hand);
    explicit VirtualThreads(const PlayerSpec& spec) : VirtualThreads(spec.threads, spec.turns, spec.seed, spec.hand) {}
    /// In order, whatever the choice: for work in which threads do not meet.
    static VirtualThreads inOrder(std::uint32_t count) { return {count, Turns::inOrder, 0, {}}; }

    /// Runs share(thread) in every thread. Where choices by hand end before all threads have, they stay where they are
    /// and never go on: nothing on their stacks may need its destructor.
    /// @return whether all came to their end
    [[nodiscard]] bool run(std::function<void(std::uint32_t)> share);

    /// Asked by the running thread: waits until it is its turn.
    void turn();
    /// The running thread.
    [[nodiscard]] std::uint32_t current() const noexcept { return current_; }
    /// Threads that wait for their turn.
    [[nodiscard]] std::vector<std::uint8_t> waiting() const;
    [[nodiscard]] std::uint32_t count() const noexcept { return count_; }

private:
    static constexpr std::size_t kStackBytes = 64 * 1024;

    struct Thread {
        Thread(VirtualThreads& owner, std::uint32_t index)
            : threads(owner), number(index), fibre(kStackBytes, &Thread::run, this) {}
        [[noreturn]] static void run(void* self);

        VirtualThreads& threads;
        std::uint32_t number;
        bool ended = false;
        cuda::emulation::Fibre fibre;
    };

    void goOn(std::uint32_t thread);
    /// False if nobody chooses.
    [[nodiscard]] bool choose(const std::vector<std::uint8_t>& waiting, std::uint32_t& thread);

    std::uint32_t count_;
    Turns turns_;
    cuda::emulation::Random random_;
    std::span<const std::uint8_t> hand_; ///< what is left of it
    std::function<void(std::uint32_t)> share_;
    std::vector<std::unique_ptr<Thread>> threads_;
    cuda::emulation::Fibre main_;
    std::uint32_t current_ = 0;
};

} // namespace pollard::teach
