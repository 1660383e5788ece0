#include "cuda/device/wait.hpp"

#include "cuda/device/cuda_error.hpp"

#include <chrono>
#include <thread>

namespace pollard::cuda {

namespace {

using Clock = std::chrono::steady_clock;

// Filters finish within this time: sleeping would add more latency than polling costs.
constexpr std::chrono::microseconds kLookClosely{2000};
constexpr std::chrono::microseconds kNap{100};

} // namespace

void waitFor(DeviceMemory& memory, const JobControl& control, const std::string& operation) {
    const cudaStream_t stream = memory.stream();
    const auto start = Clock::now();
    cudaError_t status = cudaStreamQuery(stream);
    while (status == cudaErrorNotReady) {
        cudaGetLastError(); // not ready is no failure
        if (control.stopRequested()) {
            memory.stopFlag().raise();
            status = cudaStreamSynchronize(stream);
            memory.stopFlag().lower();
            break;
        }
        if (Clock::now() - start < kLookClosely) {
            std::this_thread::yield();
        } else {
            std::this_thread::sleep_for(kNap);
        }
        status = cudaStreamQuery(stream);
    }
    check(status, operation);
    control.throwIfStopped();
}

} // namespace pollard::cuda
