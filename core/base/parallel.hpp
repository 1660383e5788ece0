#pragma once

#include "base/job_control.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace pollard {

/// Items per task: few enough to stop within milliseconds, many enough to amortise scheduling.
inline constexpr std::size_t kGrain = 1U << 14;

/// Refers to a function of these arguments, which outlives the call. One type for all functions: the scheduler is
/// instantiated once for all loops.
template <class... Arguments> class FunctionRef {
public:
    template <class Function> FunctionRef(const Function& function) noexcept
        : function_(&function), call_([](const void* called, Arguments... arguments) {
              (*static_cast<const Function*>(called))(arguments...);
          }) {}

    void operator()(Arguments... arguments) const { call_(function_, arguments...); }

private:
    const void* function_;
    void (*call_)(const void*, Arguments...);
};
/// A function of a range [begin, end).
using RangeFunction = FunctionRef<std::size_t, std::size_t>;

/// Calls `function(begin, end)` on pieces of [0, count) on all threads of the arena; checks for a stop before each.
/// @throws Cancelled
void forEachRange(std::size_t count, const JobControl& control, RangeFunction function, std::size_t grain = kGrain);

/// Calls `function(i)` for every i in [0, count), in parallel.
/// @throws Cancelled
template <class Function>
void forEachIndex(std::size_t count, const JobControl& control, Function&& function, std::size_t grain = kGrain) {
    const auto callEach = [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i != end; ++i) {
            function(i);
        }
    };
    forEachRange(count, control, callEach, grain);
}

/// Sum of `function(begin, end)` over pieces of [0, count), as forEachRange(), or of one piece in the calling thread if
/// it is not larger than @p grain: for loops inside loops.
/// @throws Cancelled
template <class Function> std::uint64_t sumOfParts(std::size_t count, const JobControl& control, Function&& function,
                                                   std::size_t grain = kGrain) {
    if (count <= grain) {
        return function(std::size_t{0}, count);
    }
    std::atomic<std::uint64_t> sum{0};
    const auto add = [&](std::size_t begin, std::size_t end) { sum += function(begin, end); };
    forEachRange(count, control, add, grain);
    return sum;
}

/// Sets all values on all threads of the arena: each thread clears pages that the system has just mapped.
/// @throws Cancelled
template <class T> void fillAll(std::span<T> values, T value, const JobControl& control) {
    forEachRange(values.size(), control, [&](std::size_t begin, std::size_t end) {
        std::ranges::fill(values.subspan(begin, end - begin), value);
    });
}

/// Copies all values to a span of the same size on all threads of the arena, as fillAll().
/// @throws Cancelled
template <class T> void copyAll(std::span<const T> from, std::span<T> to, const JobControl& control) {
    forEachRange(from.size(), control, [&](std::size_t begin, std::size_t end) {
        std::ranges::copy(from.subspan(begin, end - begin), to.subspan(begin).begin());
    });
}

/// Writes into every page of new memory on all threads of the arena. The system clears a page at the first access; a
/// loop that starts on one thread would wait for it.
/// @throws Cancelled
void touchPages(std::span<std::byte> memory, const JobControl& control);

/// Exclusive prefix sum, in place.
/// @return the total
inline std::uint32_t toOffsets(std::span<std::uint32_t> counts) noexcept {
    std::uint32_t sum = 0;
    for (std::uint32_t& count : counts) {
        const std::uint32_t next = sum + count;
        count = sum;
        sum = next;
    }
    return sum;
}

/// The same on all threads of the arena.
/// @throws Cancelled
std::uint32_t toOffsets(std::span<std::uint32_t> counts, const JobControl& control);

/// Number of values that makeInOrder() holds at a time: two per thread of the arena.
[[nodiscard]] std::size_t valuesAtOnce();

/// As makeInOrder(), with the values in @p places places of the caller: `make(i)` fills the free place i % places, and
/// `take(i)` empties it. @throws as makeInOrder()
void runInOrder(std::uint64_t count, std::size_t places, const JobControl& control, FunctionRef<std::uint64_t> make,
                FunctionRef<std::uint64_t> take);

/// Calls `take(make(i))` for every i in [0, count): `make` in parallel on the threads of the arena, `take` for one i
/// after another in ascending order. Two values per thread exist at a time; a value is default-constructible and
/// movable. Checks for a stop before each.
/// @throws Cancelled; exceptions of both functions; `take` has then received a first part of the values
template <class Value, class Make, class Take>
void makeInOrder(std::uint64_t count, const JobControl& control, Make&& make, Take&& take) {
    std::vector<Value> values(valuesAtOnce());
    const auto fill = [&](std::uint64_t i) { values[i % values.size()] = make(i); };
    const auto empty = [&](std::uint64_t i) { take(std::exchange(values[i % values.size()], Value{})); };
    runInOrder(count, values.size(), control, fill, empty);
}

/// Threads for work outside sessions, limited in number.
class ThreadArena {
public:
    /// @param threads 0 = all cores; more threads than cores are possible
    explicit ThreadArena(int threads);
    ThreadArena(const ThreadArena&) = delete;
    ThreadArena& operator=(const ThreadArena&) = delete;
    ~ThreadArena();

    /// Runs @p work on these threads and returns its result. @throws exceptions of @p work
    template <class Work> auto execute(Work&& work) {
        if constexpr (std::is_void_v<decltype(work())>) {
            run([&] { work(); });
        } else {
            std::optional<decltype(work())> result;
            run([&] { result.emplace(work()); });
            return *std::move(result);
        }
    }

private:
    struct Threads;
    void run(FunctionRef<> work);

    std::unique_ptr<Threads> threads_;
};

} // namespace pollard
