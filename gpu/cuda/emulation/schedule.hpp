#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace pollard::cuda::emulation {

/// Small and fast generator, good enough for schedules (xorshift of Marsaglia, 2003).
class Random {
public:
    explicit Random(std::uint32_t seed) noexcept : state_(std::uint64_t{seed} * 0x9e3779b97f4a7c15U + 0x1234567U) {}

    std::uint32_t operator()() noexcept {
        state_ ^= state_ << 13U;
        state_ ^= state_ >> 7U;
        state_ ^= state_ << 17U;
        return static_cast<std::uint32_t>(state_ >> 32U);
    }
    /// Less than @p count.
    std::uint32_t below(std::uint32_t count) noexcept { return (*this)() % count; }

private:
    std::uint64_t state_;
};

/// Order in which the threads of one launch take turns. Fair schedules mix all threads; schedules by priority let one
/// thread run far ahead of others, which fair ones hardly ever do (Burckhardt et al., "A randomized scheduler with
/// probabilistic guarantees of finding bugs", 2010).
class Schedule {
public:
    void draw(Random& random) noexcept {
        constexpr std::uint32_t kPeriods[] = {0, 1, 2, 5, 30};
        period_ = kPeriods[random.below(5)];
        byPriority_ = random.below(3) == 0;
    }

    /// Only barriers interrupt, and the highest priority runs next.
    void usePriorities() noexcept {
        period_ = 0;
        byPriority_ = true;
    }

    /// Whether the running thread is to be interrupted here. Its priority may fall.
    [[nodiscard]] bool interrupts(Random& random, std::uint32_t& priority) noexcept {
        if (period_ == 0 || random.below(period_) != 0) {
            return false;
        }
        if (byPriority_ && random.below(4) == 0) {
            priority = random();
        }
        return true;
    }

    /// Index of the next thread.
    template <class Thread>
    [[nodiscard]] std::size_t choose(Random& random, const std::vector<Thread*>& runnable) const noexcept {
        if (!byPriority_) {
            return random.below(static_cast<std::uint32_t>(runnable.size()));
        }
        std::size_t best = 0;
        for (std::size_t i = 1; i < runnable.size(); ++i) {
            best = runnable[i]->priority > runnable[best]->priority ? i : best;
        }
        return best;
    }

private:
    std::uint32_t period_ = 0; ///< one in so many operations interrupts; 0: only barriers do
    bool byPriority_ = false;
};

} // namespace pollard::cuda::emulation
