#pragma once

#include "base/job_control.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace pollard::mpi {

/// The processes of a job, numbered from 0, and their messages. For one thread. While a message is on its way, the
/// process sleeps instead of polling, and a stop is noticed.
class Ranks {
public:
    /// Starts MPI. The first object of main(), but for those that block signals.
    Ranks(int& argc, char**& argv);
    /// Ends MPI: waits for all processes.
    ~Ranks();
    Ranks(const Ranks&) = delete;
    Ranks& operator=(const Ranks&) = delete;

    [[nodiscard]] int rank() const noexcept { return rank_; }
    [[nodiscard]] int count() const noexcept { return count_; }
    [[nodiscard]] bool isFirst() const noexcept { return rank_ == 0; }
    /// Number of these processes on this machine.
    [[nodiscard]] int onThisMachine() const noexcept { return onThisMachine_; }
    /// The place of this process among them, from 0.
    [[nodiscard]] int placeOnThisMachine() const noexcept { return placeOnThisMachine_; }

    /// Messages of any size, in pieces of at most 1 GiB. Each send() needs its receive(). @throws Cancelled
    void send(std::span<const std::byte> bytes, int to, const JobControl& control);
    [[nodiscard]] std::vector<std::byte> receive(int from, const JobControl& control);

    /// The bytes of rank 0. @throws Cancelled
    [[nodiscard]] std::vector<std::byte> fromFirst(std::vector<std::byte> bytes, const JobControl& control);
    /// The text of rank 0. @throws Cancelled
    [[nodiscard]] std::string textFromFirst(const std::string& text, const JobControl& control);
    /// In rank 0 the bytes of all ranks, in their order; elsewhere empty. @throws Cancelled
    [[nodiscard]] std::vector<std::vector<std::byte>> toFirst(std::span<const std::byte> bytes,
                                                              const JobControl& control);

    /// Ends all processes at once.
    [[noreturn]] void abort(int exitCode) noexcept;

    /// Of all messages of this process so far.
    [[nodiscard]] std::uint64_t sentBytes() const noexcept { return sentBytes_; }
    /// Of all threads of this process, without that in messages. @return ms
    [[nodiscard]] double processorMilliseconds() const noexcept;

private:
    int rank_ = 0;
    int count_ = 1;
    int onThisMachine_ = 1;
    int placeOnThisMachine_ = 0;
    std::uint64_t sentBytes_ = 0;
    double inMessages_ = 0; ///< processor time, ms
};

/// The bytes of an array as values.
template <class T> [[nodiscard]] std::vector<T> valuesIn(std::span<const std::byte> bytes) {
    static_assert(std::is_trivially_copyable_v<T>);
    std::vector<T> values(bytes.size() / sizeof(T));
    std::copy_n(bytes.begin(), values.size() * sizeof(T), std::as_writable_bytes(std::span(values)).begin());
    return values;
}

/// A copy of the bytes of an array.
template <class T> [[nodiscard]] std::vector<std::byte> bytesIn(std::span<const T> values) {
    static_assert(std::is_trivially_copyable_v<T>);
    const auto bytes = std::as_bytes(values);
    return {bytes.begin(), bytes.end()};
}

} // namespace pollard::mpi
