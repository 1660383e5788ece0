#include "cuda/emulation/emulator.hpp"
#include "cuda/kernels/kernel_threads.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <set>
#include <string>
#include <vector>

// The emulator finds defects of a kernel under some seed, and reports none in a correct one under any seed.

namespace pollard::cuda::emulation {
namespace {

constexpr std::uint32_t kSeeds = 300;
constexpr std::uint32_t kThreads = 8;

/// Number of seeds for which @p outcome, given an emulator, is true.
template <class Outcome> std::uint32_t countSeeds(const Outcome& outcome) {
    std::uint32_t count = 0;
    Emulator emulator(0);
    for (std::uint32_t seed = 0; seed < kSeeds; ++seed) {
        emulator.restart(seed);
        count += outcome(emulator) ? 1U : 0U;
    }
    return count;
}

template <class T> T* shared() { return static_cast<T*>(Emulator::running()->sharedMemory()); }

TEST(Emulator, RunsEveryThreadOfEveryBlockOnce) {
    for (std::uint32_t seed = 0; seed < 20; ++seed) {
        Emulator emulator(seed);
        for (const Grid grid : {Grid{6, 5}, Grid{1, 1}, Grid{7, 2}, Grid{9, 4}}) {
            std::vector<int> runs(std::size_t{grid.blocks} * grid.threads);
            emulator.launch(grid, [&] { ++runs[std::size_t{blockOfGrid()} * grid.threads + threadOfBlock()]; });
            ASSERT_EQ(std::ranges::count(runs, 1), static_cast<std::ptrdiff_t>(runs.size())) << "seed " << seed;
        }
    }
    EXPECT_EQ(Emulator::running(), nullptr);
}

TEST(Emulator, RunsNothingOnAnEmptyGrid) {
    Emulator emulator(1);
    emulator.launch({0, 3}, [] { FAIL(); });
}

TEST(Emulator, TakesTurnsInOrderIfAsked) {
    Emulator emulator(3);
    emulator.takeTurnsInOrder();
    std::vector<std::uint32_t> turns; // 100 block + 10 part + thread
    emulator.launch({2, 3}, [&] {
        for (std::uint32_t part = 0; part < 2; ++part) {
            emulator.mayInterleave();
            turns.push_back(100 * blockOfGrid() + 10 * part + threadOfBlock());
            meetThreads();
        }
    });
    EXPECT_EQ(turns, (std::vector<std::uint32_t>{0, 1, 2, 10, 11, 12, 100, 101, 102, 110, 111, 112}));
}

TEST(Emulator, ShowsWhoChangedWhat) {
    for (std::uint32_t seed = 0; seed < 50; ++seed) {
        Emulator emulator(seed);
        std::vector<std::uint32_t> memory(kThreads, 0);
        std::vector<std::uint32_t> seen = memory;
        std::vector<std::uint32_t> ends(kThreads, 0);
        std::uint32_t accesses = 0;
        emulator.watch([&](Emulator::Moment moment) {
            for (std::uint32_t t = 0; t < kThreads; ++t) {
                if (memory[t] != seen[t]) {
                    EXPECT_EQ(t, emulator.thread()) << "seed " << seed;
                    seen[t] = memory[t];
                }
            }
            accesses += moment == Emulator::Moment::access ? 1U : 0U;
            ends[emulator.thread()] += moment == Emulator::Moment::end ? 1U : 0U;
        });
        std::uint32_t counter = 0;
        emulator.launch({1, kThreads}, [&] {
            memory[threadOfBlock()] = 1;
            static_cast<void>(addTo(&counter, 1));
            memory[threadOfBlock()] = 2;
            meetThreads();
            memory[threadOfBlock()] = 3;
        });
        EXPECT_EQ(seen, std::vector<std::uint32_t>(kThreads, 3)); // all writes were seen
        EXPECT_EQ(ends, std::vector<std::uint32_t>(kThreads, 1));
        EXPECT_EQ(accesses, kThreads);
    }
}

TEST(Emulator, RepeatsARunWithTheSameSeed) {
    const auto trace = [](std::uint32_t seed) {
        Emulator emulator(seed);
        std::vector<std::uint32_t> order;
        std::uint32_t counter = 0;
        emulator.launch({4, kThreads}, [&] {
            static_cast<void>(addTo(&counter, 1));
            order.push_back(blockOfGrid() * kThreads + threadOfBlock());
            meetThreads();
            order.push_back(blockOfGrid() * kThreads + threadOfBlock());
        });
        return order;
    };
    std::set<std::vector<std::uint32_t>> different;
    for (std::uint32_t seed = 0; seed < 50; ++seed) {
        EXPECT_EQ(trace(seed), trace(seed));
        different.insert(trace(seed));
    }
    EXPECT_EQ(different.size(), 50U);
}

TEST(Emulator, KeepsSharedMemoryOfBlocksApart) {
    EXPECT_EQ(countSeeds([](Emulator& emulator) {
                  std::vector<std::uint32_t> sums(6);
                  emulator.launch({6, kThreads, sizeof(std::uint32_t)}, [&] {
                      auto* const sum = shared<std::uint32_t>();
                      if (threadOfBlock() == 0) {
                          *sum = 0;
                      }
                      meetThreads();
                      const std::uint32_t block = blockOfGrid();
                      static_cast<void>(addTo(sum, block + threadOfBlock()));
                      meetThreads();
                      if (threadOfBlock() == 3) {
                          sums[block] = *sum;
                      }
                  });
                  return sums == std::vector<std::uint32_t>{28, 36, 44, 52, 60, 68};
              }),
              kSeeds);
}

TEST(Emulator, FillsSharedMemoryWithNoise) {
    EXPECT_GT(countSeeds([](Emulator& emulator) {
                  std::uint32_t seen = 0;
                  emulator.launch({1, 1, sizeof seen}, [&] { seen = *shared<std::uint32_t>(); });
                  return seen != 0;
              }),
              kSeeds * 9 / 10);
}

/// Every thread passes a number to its neighbour, with or without a barrier in between.
bool passesOn(Emulator& emulator, bool withBarrier) {
    bool right = true;
    emulator.launch({2, kThreads, kThreads * sizeof(std::uint32_t)}, [&] {
        auto* const numbers = shared<std::uint32_t>();
        numbers[threadOfBlock()] = 100 + threadOfBlock();
        if (withBarrier) {
            meetThreads();
        }
        right &= numbers[(threadOfBlock() + 1) % kThreads] == 100 + (threadOfBlock() + 1) % kThreads;
    });
    return right;
}

TEST(Emulator, FindsAMissingBarrier) {
    EXPECT_EQ(countSeeds([](Emulator& emulator) { return passesOn(emulator, true); }), kSeeds);
    EXPECT_LT(countSeeds([](Emulator& emulator) { return passesOn(emulator, false); }), kSeeds / 10);
}

/// A second round overwrites values that slow threads of the first still read, unless there is a barrier in between.
bool reuses(Emulator& emulator, bool withBarrier) {
    bool right = true;
    emulator.launch({1, kThreads, sizeof(std::uint32_t)}, [&] {
        auto* const number = shared<std::uint32_t>();
        for (std::uint32_t round = 0; round < 3; ++round) {
            if (threadOfBlock() == round) {
                *number = round;
            }
            meetThreads();
            right &= *number == round;
            if (withBarrier) {
                meetThreads();
            }
        }
    });
    return right;
}

TEST(Emulator, FindsMemoryReusedTooEarly) {
    EXPECT_EQ(countSeeds([](Emulator& emulator) { return reuses(emulator, true); }), kSeeds);
    EXPECT_LT(countSeeds([](Emulator& emulator) { return reuses(emulator, false); }), kSeeds / 2);
}

TEST(Emulator, FindsLostUpdatesBetweenThreadsAndBlocks) {
    const auto counts = [](Emulator& emulator, const Grid& grid, bool atomically) {
        std::uint32_t counter = 0;
        emulator.launch(grid, [&] {
            if (atomically) {
                static_cast<void>(addTo(&counter, 1));
            } else {
                const std::uint32_t seen = loadFresh(&counter);
                storeFresh(&counter, seen + 1);
            }
        });
        return counter == grid.blocks * grid.threads;
    };
    for (const Grid& grid : {Grid{1U, kThreads}, Grid{kThreads, 1U}}) {
        EXPECT_EQ(countSeeds([&](Emulator& emulator) { return counts(emulator, grid, true); }), kSeeds);
        EXPECT_LT(countSeeds([&](Emulator& emulator) { return counts(emulator, grid, false); }), kSeeds * 4 / 5);
    }
}

TEST(Emulator, RaisesToTheLargestWhoeverComesFirst) {
    EXPECT_EQ(countSeeds([](Emulator& emulator) {
                  std::uint32_t small = 7;
                  std::uint64_t large = 0;
                  emulator.launch({4, kThreads}, [&] {
                      const std::uint32_t value = (blockOfGrid() * kThreads + threadOfBlock()) * 5 % 32;
                      raiseTo(&small, value);
                      raiseTo(&large, std::uint64_t{value} << 40U);
                  });
                  return small == 31 && large == std::uint64_t{31} << 40U;
              }),
              kSeeds);
}

TEST(Emulator, GivesEveryThreadAPlaceOfItsOwn) {
    EXPECT_EQ(countSeeds([](Emulator& emulator) {
                  std::uint32_t count = 0;
                  std::vector<int> taken(4 * kThreads);
                  emulator.launch({4, kThreads}, [&] { ++taken[takePlace(&count)]; });
                  return std::ranges::count(taken, 1) == 4 * kThreads;
              }),
              kSeeds);
}

TEST(Emulator, TellsAllThreadsWhetherAnySaidYes) {
    EXPECT_EQ(countSeeds([](Emulator& emulator) {
                  bool right = true;
                  emulator.launch({4, kThreads}, [&] {
                      for (std::uint32_t round = 0; round <= kThreads; ++round) {
                          right &= anyThread(threadOfBlock() == round) == (round < kThreads);
                      }
                  });
                  return right;
              }),
              kSeeds);
}

TEST(Emulator, TellsAWarpWhoSaidYesAndWhatOthersGive) {
    EXPECT_EQ(countSeeds([](Emulator& emulator) {
                  bool right = true;
                  emulator.launch({2, 64}, [&] {
                      const std::uint32_t lane = threadOfBlock() % 32;
                      for (std::uint32_t round = 0; round < 5; ++round) {
                          right &= ballot(lane % 5 == round) == 0x42108421U << round;
                          right &= fromLane(threadOfBlock() + round, (lane + 1) % 32) ==
                                   threadOfBlock() / 32 * 32 + (lane + 1) % 32 + round;
                      }
                  });
                  return right;
              }),
              kSeeds);
}

/// Error message of launch().
template <class Kernel> std::string problemOf(Emulator& emulator, const Kernel& kernel) {
    try {
        emulator.launch({2, kThreads}, kernel);
    } catch (const std::logic_error& error) {
        return error.what();
    }
    return {};
}

void missFirstOfTwo() {
    if (threadOfBlock() != 5) {
        meetThreads();
    }
    meetThreads();
}

void missTheOnly() {
    if (threadOfBlock() != 5) {
        meetThreads();
    }
}

void meetInTwoPlaces() {
    if (threadOfBlock() == 0) {
        meetThreads();
        return;
    }
    meetThreads();
}

TEST(Emulator, RefusesBarriersThatSomeThreadsMiss) {
    for (const auto& kernel : {missFirstOfTwo, missTheOnly, meetInTwoPlaces}) {
        EXPECT_EQ(countSeeds([&](Emulator& emulator) {
                      return problemOf(emulator, kernel).find("barrier") != std::string::npos;
                  }),
                  kSeeds);
    }
}

void missTheWarp() {
    if (threadOfBlock() != 5) {
        static_cast<void>(ballot(true));
    }
}

void meetTheBlockInstead() {
    if (threadOfBlock() == 5) {
        meetThreads();
    } else {
        static_cast<void>(ballot(true));
    }
}

TEST(Emulator, RefusesMeetingsOfAWarpThatSomeThreadsMiss) {
    for (const auto& kernel : {missTheWarp, meetTheBlockInstead}) {
        EXPECT_EQ(countSeeds([&](Emulator& emulator) {
                      return problemOf(emulator, kernel).find("warp") != std::string::npos;
                  }),
                  kSeeds);
    }
}

/// Blocks alternately write values read by all blocks.
bool passesThroughTheGrid(Emulator& emulator, bool withBarrier) {
    constexpr std::uint32_t kBlocks = 5;
    std::uint32_t word = 0;
    bool right = true;
    emulator.launch({kBlocks, kThreads, 0, true}, [&] {
        for (std::uint32_t round = 0; round < kBlocks; ++round) {
            if (blockOfGrid() == round && threadOfBlock() == 0) {
                storeFresh(&word, round + 1);
            }
            meetGrid();
            right &= loadFresh(&word) == round + 1;
            if (withBarrier) {
                meetGrid();
            }
        }
    });
    return right;
}

TEST(Emulator, LetsBlocksOfACooperativeGridWaitForEachOther) {
    EXPECT_EQ(countSeeds([](Emulator& emulator) { return passesThroughTheGrid(emulator, true); }), kSeeds);
    EXPECT_LT(countSeeds([](Emulator& emulator) { return passesThroughTheGrid(emulator, false); }), kSeeds / 2);
}

void missTheGrid() {
    if (blockOfGrid() != 1 || threadOfBlock() != 5) {
        meetGrid();
    }
}

void meetTheGridInTwoPlaces() {
    if (blockOfGrid() == 1) {
        meetGrid();
        return;
    }
    meetGrid();
}

TEST(Emulator, RefusesBarriersOfTheGridThatSomeThreadsMiss) {
    for (const auto& kernel : {missTheGrid, meetTheGridInTwoPlaces}) {
        for (const bool cooperative : {true, false}) {
            EXPECT_EQ(countSeeds([&](Emulator& emulator) {
                          try {
                              emulator.launch({3, kThreads, 0, cooperative}, kernel);
                          } catch (const std::logic_error& error) {
                              return std::string(error.what()).find("grid") != std::string::npos;
                          }
                          return false;
                      }),
                      kSeeds);
        }
    }
}

TEST(Emulator, RunsAgainAfterABadKernel) {
    Emulator emulator(3);
    EXPECT_NE(problemOf(emulator, meetInTwoPlaces), "");
    EXPECT_EQ(Emulator::running(), nullptr);
    std::uint32_t count = 0;
    emulator.launch({3, kThreads}, [&] {
        meetThreads();
        static_cast<void>(addTo(&count, 1));
    });
    EXPECT_EQ(count, 3 * kThreads);
}

} // namespace
} // namespace pollard::cuda::emulation
