#include "ranks.hpp"

#include "base/error.hpp"

#include <chrono>
#include <cstdlib>
#include <ctime>
#include <mpi.h>
#include <string>
#include <thread>

namespace pollard::mpi {

namespace {

constexpr std::size_t kPieceBytes = std::size_t{1} << 30; // MPI counts in int
constexpr int kSizeTag = 1;
constexpr int kBytesTag = 2;

double processMilliseconds() noexcept {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) * 1e-6;
}

/// Adds the processor time of its scope.
class ProcessorTime {
public:
    explicit ProcessorTime(double& sum) : sum_(sum), start_(processMilliseconds()) {}
    ~ProcessorTime() { sum_ += processMilliseconds() - start_; }
    ProcessorTime(const ProcessorTime&) = delete;
    ProcessorTime& operator=(const ProcessorTime&) = delete;

private:
    double& sum_;
    double start_;
};

void wait(MPI_Request request, const JobControl& control) {
    using namespace std::chrono_literals;
    constexpr auto kLongest = 2000us;
    auto pause = 20us;
    for (int done = 0;;) {
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        if (done != 0) {
            return;
        }
        control.throwIfStopped();
        std::this_thread::sleep_for(pause);
        pause = std::min(2 * pause, kLongest);
    }
}

/// Calls visit(offset, bytes) for the pieces of a message.
template <class Visit> void forEachPiece(std::size_t bytes, Visit&& visit) {
    for (std::size_t at = 0; at < bytes; at += kPieceBytes) {
        visit(at, static_cast<int>(std::min(kPieceBytes, bytes - at)));
    }
}

} // namespace

Ranks::Ranks(int& argc, char**& argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &count_);
    MPI_Comm machine = MPI_COMM_NULL;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &machine);
    MPI_Comm_size(machine, &countOnThisMachine_);
    MPI_Comm_rank(machine, &indexOnThisMachine_);
    MPI_Comm_free(&machine);
}

Ranks::~Ranks() { MPI_Finalize(); }

void Ranks::send(std::span<const std::byte> bytes, int to, const JobControl& control) {
    const ProcessorTime time(inMessages_);
    MPI_Request request = MPI_REQUEST_NULL;
    const std::uint64_t size = bytes.size();
    MPI_Isend(&size, 1, MPI_UINT64_T, to, kSizeTag, MPI_COMM_WORLD, &request);
    wait(request, control);
    forEachPiece(bytes.size(), [&](std::size_t at, int count) {
        MPI_Isend(bytes.data() + at, count, MPI_BYTE, to, kBytesTag, MPI_COMM_WORLD, &request);
        wait(request, control);
    });
    sentBytes_ += bytes.size();
}

std::vector<std::byte> Ranks::receive(int from, const JobControl& control) {
    const ProcessorTime time(inMessages_);
    MPI_Request request = MPI_REQUEST_NULL;
    std::uint64_t size = 0;
    MPI_Irecv(&size, 1, MPI_UINT64_T, from, kSizeTag, MPI_COMM_WORLD, &request);
    wait(request, control);
    std::vector<std::byte> bytes(size);
    forEachPiece(bytes.size(), [&](std::size_t at, int count) {
        MPI_Irecv(bytes.data() + at, count, MPI_BYTE, from, kBytesTag, MPI_COMM_WORLD, &request);
        wait(request, control);
    });
    return bytes;
}

std::vector<std::byte> Ranks::fromFirst(std::vector<std::byte> bytes, const JobControl& control) {
    if (!isFirst()) {
        return receive(0, control);
    }
    for (int rank = 1; rank < count_; ++rank) {
        send(bytes, rank, control);
    }
    return bytes;
}

std::string Ranks::textFromFirst(const std::string& text, const JobControl& control) {
    const std::vector<std::byte> bytes = fromFirst(bytesIn(std::span(text)), control);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::vector<std::vector<std::byte>> Ranks::toFirst(std::span<const std::byte> bytes, const JobControl& control) {
    if (!isFirst()) {
        send(bytes, 0, control);
        return {};
    }
    std::vector<std::vector<std::byte>> all{{bytes.begin(), bytes.end()}};
    for (int rank = 1; rank < count_; ++rank) {
        all.push_back(receive(rank, control));
    }
    return all;
}

void Ranks::abort(int exitCode) noexcept {
    MPI_Abort(MPI_COMM_WORLD, exitCode);
    std::_Exit(exitCode);
}

double Ranks::processorMilliseconds() const noexcept { return processMilliseconds() - inMessages_; }

} // namespace pollard::mpi
