#include "cuda/snake/device_snakes.hpp"

#include "base/error.hpp"
#include "cuda/device/cuda_error.hpp"
#include "cuda/device/device_memory.hpp"
#include "cuda/device/staging.hpp"
#include "cuda/kernels/device_machine.hpp"
#include "cuda/snake/independent_evolution.hpp"
#include "cuda/snake/one_kernel.hpp"
#include "cuda/snake/seed_loop.hpp"
#include "cuda/snake/snake_kernels.cuh"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <new>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace pollard::cuda {

namespace {

/// Runs the passes of snakes on the GPU; see SnakeField. stop() throws nothing.
class SnakeMachine : public DeviceMachine {
public:
    template <class T> using HostBuffer = PinnedBuffer<T>;

    using DeviceMachine::DeviceMachine;

    template <class T> [[nodiscard]] PinnedBuffer<T> makeHost(std::size_t count, const char* what) {
        PinnedBuffer<T> buffer(count, what);
        std::fill_n(buffer.data(), count, T{});
        return buffer;
    }
    template <class T> void upload(T* to, const T* from, std::size_t count) {
        staging_.upload(to, from, count * sizeof(T), control(), operation());
    }
    template <class T> void readBack(T* to, const T* from, std::size_t count) {
        staging_.download(to, from, count * sizeof(T), control(), operation());
    }
    template <class Pass> void blocks(const Pass& pass, std::uint32_t count, std::size_t bytes) {
        require(launchSnakePass(pass, count, bytes, stream()));
    }
    template <class Pass> void team(const Pass& pass, std::size_t bytes) {
        require(launchSnakeTeam(pass, bytes, stream()));
        started_ = std::chrono::steady_clock::now();
    }
    [[nodiscard]] std::size_t sharedBytes() const { return static_cast<std::size_t>(attribute(kMostShared)); }
    template <class Pass>
    [[nodiscard]] std::uint32_t teamBlocks(const Pass& pass, std::uint32_t wanted, std::size_t bytes) {
        int blocks = 0;
        require(blocksOfMultiprocessor(pass, bytes, blocks));
        return std::clamp(static_cast<std::uint32_t>(attribute(cudaDevAttrMultiProcessorCount) * blocks), 1U, wanted);
    }
    void throwIfStopped() const { control().throwIfStopped(); }
    [[nodiscard]] bool isBusy() {
        throwIfStopped();
        const cudaError_t status = cudaStreamQuery(stream());
        if (status == cudaErrorNotReady) {
            cudaGetLastError(); // not ready is no failure
            if (std::chrono::steady_clock::now() - started_ < kShort) {
                std::this_thread::yield();
            } else {
                std::this_thread::sleep_for(kNap);
            }
            return true;
        }
        require(status);
        return false;
    }
    void stop() noexcept {
        memory()->stopFlag().raise();
        if (cudaStreamSynchronize(stream()) != cudaSuccess) {
            cudaGetLastError(); // the first failure is reported
        }
        memory()->stopFlag().lower();
    }

private:
    static constexpr std::chrono::microseconds kNap{50};
    static constexpr std::chrono::milliseconds kShort{5}; ///< a wait this short is polled without sleeping
    static constexpr cudaDeviceAttr kMostShared = cudaDevAttrMaxSharedMemoryPerBlockOptin;

    [[nodiscard]] int attribute(cudaDeviceAttr which) const {
        int device = 0;
        int value = 0;
        require(cudaGetDevice(&device));
        require(cudaDeviceGetAttribute(&value, which, device));
        return value;
    }

    Staging staging_{memory()};
    std::chrono::steady_clock::time_point started_; ///< of the last team
};

template <class Pixel> struct OneKernelOf {
    using Prefix = PrefixImage<Pixel, 8>;
    using Run = OneKernel<SnakeMachine, Prefix>;
};
template <class Pixel> struct SeedLoopOf {
    using Prefix = PrefixImage<Pixel, 1>;
    using Run = SeedLoop<SnakeMachine, Prefix>;
};

/// The masks of a job as row counts.
struct HostMasks {
    std::optional<RowCounts> gaps;
    std::optional<RowCounts> forbidden;

    HostMasks(const Image& image, const Mask* valid, const Mask* notAllowed) {
        if (valid != nullptr && valid->count() != image.pixelCount()) {
            gaps.emplace(complementOf(*valid));
        }
        if (notAllowed != nullptr) {
            forbidden.emplace(*notAllowed);
        }
    }
    [[nodiscard]] SnakeHostInput input(const Image& image, const SnakeSpec& spec) const {
        return {image, gaps ? &*gaps : nullptr, forbidden ? &*forbidden : nullptr, spec};
    }
};

/// Contour memory, rounding and small buffers.
constexpr std::uint64_t kSlack = std::uint64_t{16} << 20U;

/// Device memory of a mask's row counts, bytes. @param counts null for none
std::uint64_t bytesOf(const RowCounts* counts) {
    return counts == nullptr ? 0 : counts->mask().bytes() + counts->before().size_bytes();
}

/// Runs evolve(machine) if the device has memory for the prefix sums, the masks and @p contours bytes.
template <class Prefix, class Evolve> auto onDevice(const SnakeHostInput& input, std::uint64_t contours,
                                                    const std::string& algorithm, const JobControl& control,
                                                    std::vector<StageTime>& stages, const Evolve& evolve) {
    const Image& image = input.image;
    const std::string operation = "region snake on " + std::to_string(image.width()) + " x " +
                                  std::to_string(image.height()) + " px (" + algorithm + ")";
    const std::shared_ptr<DeviceMemory> memory = DeviceMemory::create();
    const std::uint64_t sums = Prefix::entriesOfRow(image.width()) * sizeof(PrefixEntry) * image.height();
    const std::uint64_t needed =
        image.bytes() + sums + bytesOf(input.gaps) + bytesOf(input.forbidden) + contours + kSlack;
    if (const std::uint64_t available = memory->available(); needed > available) {
        throw Error(ErrorCode::outOfMemory,
                    operation + ": " + mebibytes(needed) + " of GPU memory needed, " + mebibytes(available) + " free");
    }
    StageClock clock(memory->stream());
    SnakeMachine machine(memory, clock, control, operation);
    auto result = evolve(machine);
    stages = clock.take();
    return result;
}

template <template <class> class Algorithm> SnakeState run(const SnakeHostInput& input, const Contour& start,
                                                           const std::string& name, const SnakeListener& listener,
                                                           const JobControl& control, std::vector<StageTime>& stages) {
    return dispatch(input.image.type(), [&]<class Pixel>(Pixel) {
        using Prefix = typename Algorithm<Pixel>::Prefix;
        return onDevice<Prefix>(input, 0, name, control, stages, [&](SnakeMachine& machine) {
            const SnakeTuning tuning;
            typename Algorithm<Pixel>::Run evolution(machine, input, tuning, start);
            machine.finish("memory");
            const SnakeField<SnakeMachine, Prefix> field(machine, input, tuning);
            return evolution.run(field, listener);
        });
    });
}

std::vector<SnakeState> runApart(const SnakeHostInput& input, const SnakeJob& job, const std::vector<Contour>& starts,
                                 const std::string& name, const SnakeListener& listener, const JobControl& control,
                                 std::vector<StageTime>& stages) {
    return dispatch(input.image.type(), [&]<class Pixel>(Pixel) {
        using Prefix = typename OneKernelOf<Pixel>::Prefix;
        using Evolution = IndependentEvolution<SnakeMachine, Prefix>;
        const SnakeTuning tuning;
        return onDevice<Prefix>(input, Evolution::leastBytes(job.parts, starts, job.spec, tuning), name, control,
                                stages, [&](SnakeMachine& machine) {
                                    const SnakeField<SnakeMachine, Prefix> field(machine, input, tuning);
                                    return Evolution(machine, input, tuning, job.parts, starts).run(field, listener);
                                });
    });
}

constexpr std::array kAlgorithms{
    SnakeAlgorithm{"one-kernel", "Pollard", OneKernelOf<std::uint8_t>::Run::kMoves, &run<OneKernelOf>},
    SnakeAlgorithm{"seed-gpu", "Perrot, \"GPU-accelerated snake\"", SeedLoopOf<std::uint8_t>::Run::kMoves,
                   &run<SeedLoopOf>},
};

/// @param wanted name of an algorithm; empty: selected by the moves
const SnakeAlgorithm& algorithmOf(const std::string& wanted, SnakeMoves moves) {
    const auto found = std::ranges::find_if(kAlgorithms, [&](const SnakeAlgorithm& each) {
        return wanted.empty() ? each.moves == moves : each.name == wanted;
    });
    if (found != kAlgorithms.end()) {
        return *found;
    }
    if (wanted.empty()) {
        throw Error(ErrorCode::engineUnavailable,
                    "region snake: no algorithm of the GPU has moves " + std::string(nameOf(moves)));
    }
    std::string known;
    for (const SnakeAlgorithm& each : kAlgorithms) {
        known += (known.empty() ? "" : ", ") + std::string(each.name);
    }
    throw Error(ErrorCode::invalidArgument,
                "region snake: algorithm '" + wanted + "': unknown (there are " + known + ")");
}

} // namespace

std::span<const SnakeAlgorithm> snakeAlgorithms() noexcept { return kAlgorithms; }

SnakeResult runSnakeOnDevice(const SnakeJob& job, const SnakeListener& listener, const JobControl& control) {
    const SnakeAlgorithm& algorithm = algorithmOf(job.algorithm, job.spec.moves);
    const bool isApart = !job.parts.empty();
    if (isApart && algorithm.moves != SnakeMoves::localBest) {
        throw Error(ErrorCode::engineUnavailable,
                    "region snake: " + std::string(algorithm.name) + " moves one contour at a time");
    }
    const Image& image = *job.image;
    RowSums::requireSummable(image, job.valid.get());
    StageTimer timer;
    SnakeResult result;
    result.algorithm = algorithm.name;
    result.moves = algorithm.moves;
    try {
        const std::vector<Contour> starts = usedStarts(job);
        const HostMasks masks(image, job.valid.get(), job.forbidden.get());
        SnakeSpec spec = isApart ? job.spec : usedSpec(job.spec, image.width(), image.height());
        spec.moves = algorithm.moves;
        const SnakeHostInput input = masks.input(image, spec);
        result.setStates(isApart ? runApart(input, job, starts, result.algorithm, listener, control, result.stages)
                                 : std::vector{algorithm.run(input, starts.front(), result.algorithm, listener, control,
                                                             result.stages)},
                         spec.lengthPrice);
    } catch (const std::bad_alloc&) {
        throw Error(ErrorCode::outOfMemory, "region snake: no memory left on the host");
    }
    timer.finish("all");
    result.milliseconds = timer.totalMilliseconds();
    return result;
}

} // namespace pollard::cuda
