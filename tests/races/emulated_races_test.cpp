#include "cuda/emulation/emulator.hpp"
#include "cuda/kernels/kernel_threads.hpp"

#include <gmock/gmock.h>

#include <cstdint>
#include <stdexcept>
#include <string>

// The emulator finds races of shared memory in a wrong kernel, and none in a right one.

namespace pollard::cuda::emulation {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr std::uint32_t kThreads = 8;

template <class T> T* shared() { return static_cast<T*>(Emulator::running()->sharedMemory()); }

/// Message of launch() under some seed.
template <class Kernel> std::string raceOf(const Kernel& kernel) {
    std::string problem;
    Emulator emulator(0);
    for (std::uint32_t seed = 0; seed < 50; ++seed) {
        emulator.restart(seed);
        try {
            emulator.launch({2, kThreads, kThreads * sizeof(std::uint32_t)}, kernel);
        } catch (const std::logic_error& error) {
            problem = error.what();
        }
    }
    return problem;
}

TEST(EmulatedRaces, AreAccessesWithoutABarrierInBetween) {
    std::uint32_t sum = 0;
    for (const bool withBarrier : {true, false}) {
        const std::string race = raceOf([&] {
            shared<std::uint32_t>()[threadOfBlock()] = 1;
            if (withBarrier) {
                meetThreads();
            }
            sum += shared<std::uint32_t>()[(threadOfBlock() + 1) % kThreads];
        });
        EXPECT_EQ(race.empty(), withBarrier) << race;
    }
    EXPECT_THAT(raceOf([&] {
                    if (threadOfBlock() == 2) {
                        sum += shared<std::uint32_t>()[3];
                    } else if (threadOfBlock() == 5) {
                        shared<std::uint8_t>()[13] = 1;
                    }
                }),
                AllOf(HasSubstr("word 3, byte 1"), HasSubstr("thread 2"), HasSubstr("thread 5")));
    EXPECT_NE(raceOf([] { *shared<std::uint32_t>() = 1; }), "") << "all write the same";
    EXPECT_NE(raceOf([&] {
                  static_cast<void>(addTo(shared<std::uint32_t>(), 1));
                  sum += *shared<std::uint32_t>();
              }),
              "");
    EXPECT_NE(raceOf([&] {
                  storeSame(shared<std::uint32_t>(), 1U);
                  sum += *shared<std::uint32_t>();
              }),
              "");
}

TEST(EmulatedRaces, AreNeitherReadsNorDeclaredAccessesNorThoseOfOtherBytes) {
    std::uint32_t sum = 0;
    EXPECT_EQ(raceOf([&] { sum += *shared<std::uint32_t>(); }), "");
    EXPECT_EQ(raceOf([] { shared<std::uint8_t>()[threadOfBlock()] = 1; }), "");
    EXPECT_EQ(raceOf([&] {
                  sum += addTo(shared<std::uint32_t>(), 1);
                  raiseTo(shared<std::uint32_t>(), threadOfBlock());
                  sum += loadFresh(shared<std::uint32_t>());
              }),
              "");
    EXPECT_EQ(raceOf([] { storeSame(shared<std::uint32_t>(), 1U); }), "");
}

} // namespace
} // namespace pollard::cuda::emulation
