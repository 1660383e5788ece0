#pragma once

#include "cuda/emulation/fibre.hpp"
#include "cuda/emulation/schedule.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

/// For functions outside of kernels, in builds whose memory accesses are instrumented.
#define POLLARD_UNSEEN __attribute__((no_sanitize("thread")))

namespace pollard::cuda::emulation {

/// Blocks of a launch, threads of each, and their shared memory.
struct Grid {
    std::uint32_t blocks = 1;
    std::uint32_t threads = 1;
    std::size_t sharedBytes = 0;
    bool cooperative = false; ///< all blocks run at the same time and may wait for each other
};

/// Runs kernels on the host in an order drawn from a seed. Every GPU thread is a fibre. Several blocks run at the same
/// time and start in any order, each with its own barrier and shared memory (filled with noise). The next thread to run
/// is drawn at every barrier, at the end of every thread, and at every operation on a variable that threads share:
/// atomics, loads and stores of kernel_threads.hpp. Some seed reveals a missing barrier, a barrier that some threads
/// skip, a lost update, and a result that depends on the order of threads. Late visibility of writes (the weak memory
/// order of the device) is not emulated. Races of plain accesses to shared memory are found where kFindsRaces holds.
class Emulator {
public:
    static constexpr std::uint32_t kWarp = 32; ///< threads

    explicit Emulator(std::uint32_t seed) : random_(seed) {}
    Emulator(const Emulator&) = delete;
    Emulator& operator=(const Emulator&) = delete;

    /// Continues as a new emulator with another seed would; keeps the stacks of the threads.
    void restart(std::uint32_t seed) { random_ = Random(seed); }

    /// Continues in a fixed order: one block after another, and always the first of its threads that can run.
    void takeTurnsInOrder() { inOrder_ = true; }

    /// Use of shared memory by a thread. Declared: by an atomic, or as a variable that several threads use
    /// concurrently.
    enum class Access : std::uint8_t { read, write, declaredRead, declaredWrite };

    /// Whether launch() finds races: two threads of a block use the same byte of its shared memory without a barrier of
    /// the block in between, at least one access is a write, and not both are declared. Exchanges within a warp are no
    /// barriers.
#ifdef POLLARD_FIND_RACES
    static constexpr bool kFindsRaces = true;
#else
    static constexpr bool kFindsRaces = false;
#endif

    /// Events of the running thread that watch() reports.
    enum class Moment : std::uint8_t {
        access,  ///< before the use of a variable that several threads use concurrently
        meeting, ///< before waiting for other threads
        end,
    };
    /// Calls @p look in every thread at all these moments: the running thread alone has changed memory since the last
    /// call. @p look must not throw; null: no calls.
    void watch(std::function<void(Moment)> look) { look_ = std::move(look); }

    /// Runs kernel() once for every thread of the grid.
    /// @throws std::logic_error if a thread ends, or waits at another barrier, while others of its block wait at one,
    /// and if a race is found
    void launch(const Grid& grid, std::function<void()> kernel) {
        kernel_ = std::move(kernel);
        grid_ = grid;
        order_.resize(grid.blocks);
        std::iota(order_.begin(), order_.end(), 0U);
        if (inOrder_) {
            schedule_.usePriorities();
        } else {
            schedule_.draw(random_);
            for (std::size_t i = order_.size(); i > 1; --i) {
                std::swap(order_[i - 1], order_[random_.below(static_cast<std::uint32_t>(i))]);
            }
        }
        nextBlock_ = 0;
        const std::size_t resident = grid.cooperative
                                         ? order_.size()
                                         : std::min<std::size_t>(inOrder_ ? 1 : 1 + random_.below(4), order_.size());
        while (blocks_.size() < resident) {
            blocks_.emplace_back(std::make_unique<Block>());
        }
        for (std::size_t b = 0; b < resident; ++b) {
            startBlock(*blocks_[b]);
        }
        current_ = choose();
        Emulator* const outer = std::exchange(running(), this);
        if (current_ != nullptr) {
            main_.handOver(current_->fibre);
        }
        running() = outer;
        kernel_ = nullptr;
        if (problem_.empty() && std::ranges::any_of(blocks_, [](const auto& block) { return block->live != 0; })) {
            problem_ = gridWaiting_.empty()
                           ? "emulated kernel: threads of a warp wait for others that wait at a barrier"
                           : "emulated kernel: threads wait at the grid's barrier for others that do not come";
        }
        gridWaiting_.clear();
        if (!problem_.empty()) {
            blocks_.clear(); // their threads have not ended
            runnable_.clear();
            throw std::logic_error(std::exchange(problem_, {}));
        }
    }

    /// The emulator whose kernel is running in this thread of the operating system; null outside of kernels.
    [[nodiscard]] static Emulator*& running() noexcept {
        static thread_local Emulator* emulator = nullptr;
        return emulator;
    }

    // Index and memory of the running GPU thread.
    [[nodiscard]] std::uint32_t thread() const noexcept { return current_->index; }
    [[nodiscard]] std::uint32_t block() const noexcept { return current_->block->number; }
    [[nodiscard]] void* sharedMemory() const noexcept { return current_->block->shared.get(); }

    /// Records an access of the running thread; only shared memory of its block counts.
    POLLARD_UNSEEN void note(const void* memory, std::size_t bytes, Access access) {
        if (!kFindsRaces || current_ == nullptr) {
            return;
        }
        Block& block = *current_->block;
        const std::size_t begin = reinterpret_cast<std::uintptr_t>(memory) - block.begin;
        for (std::size_t byte = begin; byte < grid_.sharedBytes && byte - begin < bytes; ++byte) {
            noteByte(block, byte, access);
        }
    }

    /// A point at which another thread may run first.
    void mayInterleave() {
        notify(Moment::access);
        if (schedule_.interrupts(random_, current_->priority)) {
            runnable_.push_back(current_);
            switchThread();
        }
    }

    /// Waits for all threads of the block. @returns whether any thread voted true
    /// @param line identifies the barrier
    bool meet(bool vote, int line) {
        notify(Moment::meeting);
        Block& block = *current_->block;
        if (block.live != grid_.threads) {
            stop("a thread waits at the barrier of line " + std::to_string(line) + " after another has ended");
        }
        if (block.waiting.empty()) {
            block.line = line;
        } else if (block.line != line) {
            stop("threads of a block wait at the barriers of lines " + std::to_string(block.line) + " and " +
                 std::to_string(line));
        }
        block.anyVote |= vote;
        block.waiting.push_back(current_);
        if (block.waiting.size() == block.live) {
            block.phase = ++phases_;
            block.result = std::exchange(block.anyVote, false);
            runnable_.insert(runnable_.end(), block.waiting.begin(), block.waiting.end());
            block.waiting.clear();
        }
        switchThread();
        return block.result; // no thread passes the next barrier before all have read it
    }

    /// Waits for all threads of a cooperative grid.
    /// @param line identifies the barrier
    void meetGrid(int line) {
        notify(Moment::meeting);
        if (!grid_.cooperative) {
            stop("a thread waits in line " + std::to_string(line) + " for a grid that is not cooperative");
        }
        if (gridWaiting_.empty()) {
            gridLine_ = line;
        } else if (gridLine_ != line) {
            stop("threads of a grid wait at the barriers of lines " + std::to_string(gridLine_) + " and " +
                 std::to_string(line));
        }
        gridWaiting_.push_back(current_);
        if (gridWaiting_.size() == std::size_t{grid_.blocks} * grid_.threads) {
            ++phases_;
            std::ranges::for_each(blocks_, [this](const auto& block) { block->phase = phases_; });
            runnable_.insert(runnable_.end(), gridWaiting_.begin(), gridWaiting_.end());
            gridWaiting_.clear();
        }
        switchThread();
    }

    /// Waits for all threads of the warp. @returns the values given by its lanes; 0 for lanes beyond the block
    /// @param line identifies the exchange
    const std::array<std::uint64_t, kWarp>& meetWarp(std::uint64_t given, int line) {
        notify(Moment::meeting);
        const std::uint32_t lane = current_->index % kWarp;
        Warp& warp = current_->block->warps[current_->index / kWarp];
        if (warp.live != std::min(kWarp, grid_.threads - (current_->index - lane))) {
            stop("a thread waits for its warp in line " + std::to_string(line) + " after another has ended");
        }
        if (warp.waiting.empty()) {
            warp.line = line;
        } else if (warp.line != line) {
            stop("threads of a warp wait for each other in the lines " + std::to_string(warp.line) + " and " +
                 std::to_string(line));
        }
        warp.giving[lane] = given;
        warp.waiting.push_back(current_);
        if (warp.waiting.size() == warp.live) {
            warp.given = warp.giving;
            runnable_.insert(runnable_.end(), warp.waiting.begin(), warp.waiting.end());
            warp.waiting.clear();
        }
        switchThread();
        return warp.given; // no thread passes the next exchange before all have read it
    }

private:
    static constexpr std::size_t kStackBytes = 64 * 1024;

    struct Block;
    struct Thread {
        Thread(Emulator& owner, Block& of, std::uint32_t number)
            : emulator(owner), block(&of), index(number), fibre(kStackBytes, &Thread::run, this) {}

        static void run(void* self) { static_cast<Thread*>(self)->emulator.runThread(); }

        Emulator& emulator;
        Block* block;
        std::uint32_t index;
        std::uint32_t priority = 0;
        Fibre fibre;
    };

    struct Warp {
        std::vector<Thread*> waiting;
        std::array<std::uint64_t, kWarp> giving{}; ///< for the next exchange
        std::array<std::uint64_t, kWarp> given{};  ///< at the last exchange
        std::uint32_t live = 0;                    ///< threads that have not ended
        int line = 0;
    };

    /// Threads that use a byte of shared memory between two barriers.
    struct Users {
        static constexpr std::uint16_t kNone = 0xffff;
        static constexpr std::uint16_t kSeveral = 0xfffe;

        std::uint64_t phase;
        std::uint16_t of[4]; ///< per Access
    };

    struct Block {
        std::vector<std::unique_ptr<Thread>> threads;
        std::vector<Warp> warps;
        std::vector<Thread*> waiting; ///< at the barrier
        std::unique_ptr<unsigned char[]> shared;
        std::unique_ptr<Users[]> users; ///< of every byte
        std::uintptr_t begin = 0;       ///< of `shared`
        Users* userOf = nullptr;        ///< `users`
        std::uint64_t phase = 0;        ///< of the users
        std::size_t live = 0;           ///< threads that have not ended
        std::uint32_t number = 0;       ///< in the grid
        int line = 0;                   ///< of the barrier
        bool anyVote = false;
        bool result = false;
    };

    void notify(Moment moment) const {
        if (look_) {
            look_(moment);
        }
    }

    POLLARD_UNSEEN void noteByte(Block& block, std::size_t byte, Access access) {
        Users& users = block.userOf[byte];
        if (users.phase != block.phase) {
            users = {block.phase, {Users::kNone, Users::kNone, Users::kNone, Users::kNone}};
        }
        const auto thread = static_cast<std::uint16_t>(current_->index);
        const auto kind = static_cast<std::size_t>(access);
        if (users.of[kind] == thread || users.of[kind] == Users::kSeveral) {
            return; // a conflict was found at the first access
        }
        // A bit for each Access that conflicts if another thread makes it.
        constexpr std::uint8_t kConflicts[] = {0b1010, 0b1111, 0b0010, 0b0011};
        for (std::size_t other = 0; other < 4; ++other) {
            if ((kConflicts[kind] >> other & 1) != 0 && users.of[other] != Users::kNone && users.of[other] != thread) {
                stopAtRace(block, byte, kind, other);
            }
        }
        users.of[kind] = users.of[kind] == Users::kNone ? thread : Users::kSeveral;
    }
    void stopAtRace(const Block& block, std::size_t byte, std::size_t kind, std::size_t other) {
        constexpr const char* kNames[] = {"a read", "a write", "a declared read", "a declared write"};
        const std::uint16_t user = block.users[byte].of[other];
        stop("race in shared memory of block " + std::to_string(block.number) + ", word " + std::to_string(byte / 4) +
             ", byte " + std::to_string(byte % 4) + ": " + kNames[kind] + " by thread " +
             std::to_string(current_->index) + " and " + kNames[other] + " by " +
             (user == Users::kSeveral ? "several others" : "thread " + std::to_string(user)) +
             ", with no barrier between them; the nearest is in line " + std::to_string(block.line));
    }

    /// Makes the threads of the next block of the grid runnable.
    void startBlock(Block& block) {
        if (nextBlock_ == order_.size()) {
            return;
        }
        block.number = order_[nextBlock_++];
        block.live = grid_.threads;
        block.begin = ~std::uintptr_t{0}; // writing the noise is no access of a thread
        block.shared.reset(new unsigned char[grid_.sharedBytes]);
        for (std::size_t i = 0; i < grid_.sharedBytes; ++i) {
            block.shared[i] = static_cast<unsigned char>(random_());
        }
        block.begin = reinterpret_cast<std::uintptr_t>(block.shared.get());
        block.users.reset(new Users[kFindsRaces ? grid_.sharedBytes : 0]());
        block.userOf = block.users.get();
        block.phase = ++phases_;
        while (block.threads.size() < grid_.threads) {
            block.threads.push_back(
                std::make_unique<Thread>(*this, block, static_cast<std::uint32_t>(block.threads.size())));
        }
        block.warps.resize((grid_.threads + kWarp - 1) / kWarp);
        for (std::uint32_t w = 0; w < block.warps.size(); ++w) {
            block.warps[w].live = std::min(kWarp, grid_.threads - w * kWarp);
            block.warps[w].giving = {}; // lanes beyond the block give nothing
        }
        for (std::uint32_t t = 0; t < grid_.threads; ++t) {
            block.threads[t]->priority = inOrder_ ? ~(block.number * grid_.threads + t) : random_();
            runnable_.push_back(block.threads[t].get());
        }
    }

    /// Body of a fibre: runs one GPU thread after another.
    [[noreturn]] void runThread() {
        while (true) {
            kernel_();
            notify(Moment::end);
            Block& block = *current_->block;
            Warp& warp = block.warps[current_->index / kWarp];
            --block.live;
            --warp.live;
            if (!warp.waiting.empty()) {
                stop("a thread ends while others of its warp wait for it in line " + std::to_string(warp.line));
            }
            if (!block.waiting.empty()) {
                stop("a thread ends while others of its block wait at the barrier of line " +
                     std::to_string(block.line));
            }
            if (block.live == 0) {
                startBlock(block);
            }
            switchThread();
        }
    }

    [[nodiscard]] Thread* choose() {
        if (runnable_.empty()) {
            return nullptr;
        }
        const std::size_t at = schedule_.choose(random_, runnable_);
        std::swap(runnable_[at], runnable_.back());
        Thread* const thread = runnable_.back();
        runnable_.pop_back();
        return thread;
    }

    /// Hands over to the next thread, or back to launch() if none is left.
    void switchThread() {
        Thread* const from = current_;
        Thread* const next = choose();
        if (next == from) {
            return;
        }
        current_ = next;
        from->fibre.handOver(next != nullptr ? next->fibre : main_);
    }

    /// Ends the launch.
    void stop(std::string problem) {
        problem_ = "emulated kernel: " + std::move(problem);
        current_->fibre.handOver(main_);
    }

    Random random_;
    bool inOrder_ = false;
    std::uint64_t phases_ = 0; ///< between barriers, of all blocks
    std::function<void(Moment)> look_;
    Schedule schedule_;
    Fibre main_;
    std::function<void()> kernel_;
    Grid grid_;
    std::vector<std::uint32_t> order_; ///< of the blocks
    std::size_t nextBlock_ = 0;
    std::vector<std::unique_ptr<Block>> blocks_; ///< reused by later launches
    std::vector<Thread*> runnable_;
    std::vector<Thread*> gridWaiting_; ///< at the barrier of the grid
    int gridLine_ = 0;                 ///< of that barrier
    Thread* current_ = nullptr;
    std::string problem_;
};

/// Called before an operation on a variable that several threads use concurrently.
template <class T> void declare(const T* variable, Emulator::Access access) {
    Emulator::running()->note(variable, sizeof(T), access);
    Emulator::running()->mayInterleave();
}

} // namespace pollard::cuda::emulation
