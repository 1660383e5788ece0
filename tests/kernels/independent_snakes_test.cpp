#include "cuda/snake/independent_evolution.hpp"

#include "core/snake/independent_support.hpp"
#include "kernels/build_fixture.hpp"
#include "kernels/snake_machine.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

// Several separate contours with the GPU kernels in the emulator, against the CPU: every state.

namespace pollard::cuda {
namespace {

using pollard::testing::compareIndependent;
using pollard::testing::randomIndependentJob;
using testing::affordable;
using testing::SnakeTestMachine;

std::vector<SnakeState> runEmulated(emulation::Emulator& emulator, std::uint32_t seed, const SnakeTuning& tuning,
                                    const SnakeJob& job, const SnakeListener& listener) {
    emulator.restart(seed);
    SnakeTestMachine machine(emulator, seed, false);
    const std::vector<Contour> starts = usedStarts(job);
    std::optional<RowCounts> gaps;
    std::optional<RowCounts> forbidden;
    if (job.valid) {
        gaps.emplace(complementOf(*job.valid));
    }
    if (job.forbidden) {
        forbidden.emplace(*job.forbidden);
    }
    const SnakeHostInput host{*job.image, gaps ? &*gaps : nullptr, forbidden ? &*forbidden : nullptr, job.spec};
    return dispatch(job.image->type(), [&]<class Pixel>(Pixel) {
        using Prefix = PrefixImage<Pixel, 8>;
        const SnakeField<SnakeTestMachine, Prefix> field(machine, host, tuning);
        return IndependentEvolution<SnakeTestMachine, Prefix>(machine, host, tuning, job.parts, starts)
            .run(field, listener);
    });
}

/// Device memory used by contours, and its limit.
struct Budget {
    std::uint64_t has = UINT64_MAX;
    std::uint64_t taken = 0;
    std::uint64_t most = 0; ///< peak

    void take(std::uint64_t bytes) {
        if (bytes > has - taken) {
            throw Error(ErrorCode::outOfMemory, "no memory");
        }
        taken += bytes;
        most = std::max(most, taken);
    }
};

/// Buffer that returns its memory to the budget.
template <class T> class BudgetBuffer {
public:
    BudgetBuffer() = default;
    BudgetBuffer(emulation::HostBuffer<T> buffer, std::shared_ptr<Budget> budget)
        : buffer_(std::move(buffer)), budget_(std::move(budget)) {}
    BudgetBuffer(BudgetBuffer&&) noexcept = default;
    BudgetBuffer& operator=(BudgetBuffer&& other) noexcept {
        giveBack();
        buffer_ = std::move(other.buffer_);
        budget_ = std::move(other.budget_);
        return *this;
    }
    BudgetBuffer(const BudgetBuffer&) = delete;
    BudgetBuffer& operator=(const BudgetBuffer&) = delete;
    ~BudgetBuffer() { giveBack(); }

    [[nodiscard]] T* data() noexcept { return buffer_.data(); }

private:
    void giveBack() noexcept {
        if (budget_) {
            budget_->taken -= buffer_.size() * sizeof(T);
        }
        budget_.reset();
    }

    emulation::HostBuffer<T> buffer_;
    std::shared_ptr<Budget> budget_;
};

/// A device with little memory, counting only the memory of contours. No contour fits into shared memory, and three
/// blocks run at a time.
class SmallMachine : public SnakeTestMachine {
public:
    template <class T> using Buffer = BudgetBuffer<T>;

    SmallMachine(emulation::Emulator& emulator, std::uint32_t seed, std::shared_ptr<Budget> budget)
        : SnakeTestMachine(emulator, seed, false), budget_(std::move(budget)) {}

    template <class T> [[nodiscard]] BudgetBuffer<T> make(std::size_t count, const char* what) {
        const bool counts = std::string_view(what) == "snakes";
        if (counts) {
            budget_->take(count * sizeof(T));
        }
        return {SnakeTestMachine::make<T>(count, what), counts ? budget_ : nullptr};
    }
    [[nodiscard]] static std::size_t sharedBytes() noexcept { return 0; }
    template <class Pass>
    [[nodiscard]] static std::uint32_t teamBlocks(const Pass&, std::uint32_t wanted, std::size_t) noexcept {
        return std::min(wanted, 3U);
    }

private:
    std::shared_ptr<Budget> budget_;
};

/// Runs a job without masks on a device with this memory budget.
std::vector<SnakeState> runOnSmall(emulation::Emulator& emulator, std::uint32_t seed, const SnakeTuning& tuning,
                                   const SnakeJob& job, const SnakeListener& listener,
                                   const std::shared_ptr<Budget>& budget) {
    emulator.restart(seed);
    SmallMachine machine(emulator, seed, budget);
    const std::vector<Contour> starts = usedStarts(job);
    const SnakeHostInput host{*job.image, nullptr, nullptr, job.spec};
    return dispatch(job.image->type(), [&]<class Pixel>(Pixel) {
        using Prefix = PrefixImage<Pixel, 8>;
        const SnakeField<SmallMachine, Prefix> field(machine, host, tuning);
        return IndependentEvolution<SmallMachine, Prefix>(machine, host, tuning, job.parts, starts)
            .run(field, listener);
    });
}

/// Memory requirement computed before a run.
std::uint64_t leastBytesOf(const SnakeJob& job, const SnakeTuning& tuning) {
    return dispatch(job.image->type(), [&]<class Pixel>(Pixel) {
        return IndependentEvolution<SmallMachine, PrefixImage<Pixel, 8>>::leastBytes(job.parts, usedStarts(job),
                                                                                     job.spec, tuning);
    });
}

SnakeJob jobWithoutMasks(std::uint32_t seed) {
    SnakeJob job = randomIndependentJob(seed, 20);
    job.valid = nullptr;
    job.forbidden = nullptr;
    return job;
}

SnakeTuning smallTuning(std::uint32_t seed) {
    SnakeTuning tuning;
    tuning.rowThreads = 4;
    tuning.nodeThreads = seed % 3 == 0 ? 64 : 32;
    tuning.firstNodesIndependent = seed % 2 == 0 ? 256 : 8;
    return tuning;
}

/// Whether the starts of a job are valid.
bool isPossible(const SnakeJob& job) {
    try {
        static_cast<void>(runSnake(job, {}));
        return true;
    } catch (const Error&) {
        return false;
    }
}

constexpr std::uint32_t kLeastSeeds = 8; ///< most starts are valid

TEST(IndependentSnakeKernels, NeedTheMemoryThatIsForetold) {
    emulation::Emulator emulator{0};
    int runs = 0;
    for (std::uint32_t seed = 0; seed < std::max(affordable(24), kLeastSeeds); ++seed) {
        SnakeJob job = jobWithoutMasks(seed);
        job.spec.maxNodes = seed % 2 == 0 ? 40 : 8; // contours never grow
        if (!isPossible(job)) {
            continue;
        }
        ++runs;
        SnakeTuning tuning = smallTuning(seed);
        tuning.atOnce = 1 + seed % 4;
        tuning.tableBytesIndependent = 0; // a single block
        const std::uint64_t foretold = leastBytesOf(job, tuning);
        const auto plenty = std::make_shared<Budget>();
        static_cast<void>(runOnSmall(emulator, seed, tuning, job, {}, plenty));
        EXPECT_EQ(plenty->most, foretold) << "seed " << seed;
        EXPECT_EQ(plenty->taken, 0U);

        // This amount suffices for any number of blocks, with the same states.
        tuning.tableBytesIndependent = SnakeTuning{}.tableBytesIndependent;
        EXPECT_GT(compareIndependent(job,
                                     [&](const SnakeJob& same, const SnakeListener& listener) {
                                         const auto little = std::make_shared<Budget>(Budget{foretold});
                                         return runOnSmall(emulator, seed, tuning, same, listener, little);
                                     }),
                  0U)
            << "seed " << seed;
    }
    EXPECT_GT(runs, 3);
}

TEST(IndependentSnakeKernels, GoOnWithFewerAtATimeWhereMemoryEnds) {
    emulation::Emulator emulator{0};
    int fewer = 0;
    for (std::uint32_t seed = 0; seed < std::max(affordable(30), kLeastSeeds); ++seed) {
        SnakeJob job = jobWithoutMasks(seed);
        job.spec.maxNodes = 4096;
        if (!isPossible(job) || job.starts.size() < 2) {
            continue;
        }
        SnakeTuning tuning = smallTuning(seed);
        tuning.firstNodesIndependent = 4;
        const auto plenty = std::make_shared<Budget>();
        static_cast<void>(runOnSmall(emulator, seed, tuning, job, {}, plenty));
        tuning.atOnce = 1;
        const auto alone = std::make_shared<Budget>(); // requirement of the largest one
        static_cast<void>(runOnSmall(emulator, seed, tuning, job, {}, alone));
        tuning.atOnce = 1024;
        const std::uint64_t has = std::max(alone->most, leastBytesOf(job, tuning));
        fewer += has < plenty->most ? 1 : 0;
        EXPECT_GT(compareIndependent(job,
                                     [&](const SnakeJob& same, const SnakeListener& listener) {
                                         return runOnSmall(emulator, seed, tuning, same, listener,
                                                           std::make_shared<Budget>(Budget{has}));
                                     }),
                  0U)
            << "seed " << seed;
        EXPECT_THROW(static_cast<void>(runOnSmall(emulator, seed, tuning, job, {},
                                                  std::make_shared<Budget>(Budget{alone->most / 2}))),
                     Error)
            << "seed " << seed;
    }
    EXPECT_GT(fewer, 3);
}

TEST(IndependentSnakeKernels, TakeTheStatesOfTheCpu) {
    emulation::Emulator emulator{0};
    std::size_t states = 0;
    for (std::uint32_t seed = 0; seed < affordable(40) && !::testing::Test::HasFailure(); ++seed) {
        SnakeTuning tuning;
        tuning.rowThreads = 4;
        tuning.nodeThreads = seed % 2 == 0 ? 32 : 64;
        tuning.trailStates = 2 + seed % 3;
        tuning.firstNodesIndependent = seed % 3 == 0 ? 4 : 64;
        tuning.atOnce = 1 + seed % 5;
        tuning.trailWordsIndependent = seed % 4 == 0 ? 0 : seed % 4 == 1 ? 600 : tuning.trailWordsIndependent;
        tuning.tableBytesIndependent = seed % 3 == 1 ? 200'000 : tuning.tableBytesIndependent;
        states +=
            compareIndependent(randomIndependentJob(seed, 20), [&](const SnakeJob& job, const SnakeListener& listener) {
                return runEmulated(emulator, seed, tuning, job, listener);
            });
        EXPECT_FALSE(::testing::Test::HasFailure()) << "seed " << seed;
    }
    EXPECT_GT(states, affordable(40) * 10U);
}

} // namespace
} // namespace pollard::cuda
