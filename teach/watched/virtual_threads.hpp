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

/// GPU threads that run one at a time: each waits for its turn before any operation that other threads can observe. A
/// student can choose the turns, unlike in the emulator, which draws its schedule.
class VirtualThreads {
public:
    /// @param hand for Turns::byHand; must outlive this. Ended threads in it are skipped.
    VirtualThreads(std::uint32_t count, Turns turns, std::uint32_t seed, std::span<const std::uint8_t> hand);
    explicit VirtualThreads(const PlayerSpec& spec) : VirtualThreads(spec.threads, spec.turns, spec.seed, spec.hand) {}
    /// Threads with turns in order, for work in which threads do not interact.
    static VirtualThreads inOrder(std::uint32_t count) { return {count, Turns::inOrder, 0, {}}; }

    /// Runs share(thread) in every thread. If choices by hand end before all threads have ended, the other threads stay
    /// suspended for ever, so no object on their stacks may need its destructor.
    /// @return whether all threads have ended
    [[nodiscard]] bool run(std::function<void(std::uint32_t)> share);

    /// Called by the running thread: waits for its turn.
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

    void resume(std::uint32_t thread);
    /// Chooses the next thread. @return false if the choices by hand have ended
    [[nodiscard]] bool choose(const std::vector<std::uint8_t>& waiting, std::uint32_t& thread);

    std::uint32_t count_;
    Turns turns_;
    cuda::emulation::Random random_;
    std::span<const std::uint8_t> hand_; ///< remaining choices
    std::function<void(std::uint32_t)> share_;
    std::vector<std::unique_ptr<Thread>> threads_;
    cuda::emulation::Fibre main_;
    std::uint32_t current_ = 0;
};

} // namespace pollard::teach
