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

/// The processes of a job, numbered from 0, and their messages. For use from one thread. While it waits for a message,
/// the process sleeps instead of polling and checks for stop requests.
class Ranks {
public:
    /// Starts MPI. Must be the first object of main(), except for objects that block signals.
    Ranks(int& argc, char**& argv);
    /// Ends MPI: waits for all processes.
    ~Ranks();
    Ranks(const Ranks&) = delete;
    Ranks& operator=(const Ranks&) = delete;

    [[nodiscard]] int rank() const noexcept { return rank_; }
    [[nodiscard]] int count() const noexcept { return count_; }
    [[nodiscard]] bool isFirst() const noexcept { return rank_ == 0; }
    /// Number of these processes on this machine.
    [[nodiscard]] int countOnThisMachine() const noexcept { return countOnThisMachine_; }
    /// Index of this process among the processes on this machine, from 0.
    [[nodiscard]] int indexOnThisMachine() const noexcept { return indexOnThisMachine_; }

    /// Sends a message of any size, in pieces of at most 1 GiB. Each send() needs a receive(). @throws Cancelled
    void send(std::span<const std::byte> bytes, int to, const JobControl& control);
    [[nodiscard]] std::vector<std::byte> receive(int from, const JobControl& control);

    /// Returns the bytes of rank 0 in all ranks. @throws Cancelled
    [[nodiscard]] std::vector<std::byte> fromFirst(std::vector<std::byte> bytes, const JobControl& control);
    /// Returns the text of rank 0 in all ranks. @throws Cancelled
    [[nodiscard]] std::string textFromFirst(const std::string& text, const JobControl& control);
    /// Returns in rank 0 the bytes of all ranks, in their order; in other ranks nothing. @throws Cancelled
    [[nodiscard]] std::vector<std::vector<std::byte>> toFirst(std::span<const std::byte> bytes,
                                                              const JobControl& control);

    /// Ends all processes at once.
    [[noreturn]] void abort(int exitCode) noexcept;

    /// Bytes of all messages that this process has sent.
    [[nodiscard]] std::uint64_t sentBytes() const noexcept { return sentBytes_; }
    /// Processor time of all threads of this process, without the time spent in messages, ms.
    [[nodiscard]] double processorMilliseconds() const noexcept;

private:
    int rank_ = 0;
    int count_ = 1;
    int countOnThisMachine_ = 1;
    int indexOnThisMachine_ = 0;
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
