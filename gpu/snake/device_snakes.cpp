#include "snake/device_snakes.hpp"

#include "base/error.hpp"
#include "device/mebibytes.hpp"
#include "snake/one_kernel.hpp"
#include "snake/seed_loop.hpp"
#include "snake/snake_machine.hpp"

#include <algorithm>
#include <array>
#include <new>
#include <optional>
#include <string>
#include <utility>

namespace pollard::cuda {

namespace {

template <class Pixel> struct OneKernelOf {
    using Prefix = PrefixImage<Pixel, 8>;
    using Run = OneKernel<SnakeMachine, Prefix>;
};
template <class Pixel> struct SeedLoopOf {
    using Prefix = PrefixImage<Pixel, 1>;
    using Run = SeedLoop<SnakeMachine, Prefix>;
};

/// What a job comes down to.
struct HostJob {
    SnakeHostInput input;
    Contour start;
};

/// Memory for the contour, rounding, and what is small.
constexpr std::uint64_t kSlack = std::uint64_t{16} << 20U;

template <template <class> class Algorithm> SnakeState run(const HostJob& job, const std::string& name,
                                                           const SnakeListener& listener, const JobControl& control,
                                                           std::vector<StageTime>& stages) {
    const Image& image = job.input.image;
    const std::string operation = "region snake on " + std::to_string(image.width()) + " x " +
                                  std::to_string(image.height()) + " px (" + name + ")";
    return dispatch(image.type(), [&]<class Pixel>(Pixel) {
        using Prefix = typename Algorithm<Pixel>::Prefix;
        const std::shared_ptr<DeviceMemory> memory = DeviceMemory::create();
        const std::uint64_t needed =
            image.bytes() + Prefix::entriesOfRow(image.width()) * sizeof(PrefixEntry) * image.height() + kSlack;
        if (const std::uint64_t available = memory->available(); needed > available) {
            throw Error(ErrorCode::outOfMemory, operation + ": " + mebibytes(needed) + " of GPU memory needed, " +
                                                    mebibytes(available) + " free");
        }
        StageClock clock(memory->stream());
        SnakeMachine machine(memory, clock, control, operation);
        const SnakeTuning tuning;
        typename Algorithm<Pixel>::Run evolution(machine, job.input, tuning, job.start);
        machine.finish("memory");
        const SnakeField<SnakeMachine, Prefix> field(machine, job.input, tuning);
        SnakeState state = evolution.run(field, listener);
        stages = clock.take();
        return state;
    });
}

constexpr std::array kAlgorithms{
    SnakeAlgorithm{"one-kernel", "Pollard", OneKernelOf<std::uint8_t>::Run::kMoves},
    SnakeAlgorithm{"seed-gpu", "Perrot, \"GPU-accelerated snake\"", SeedLoopOf<std::uint8_t>::Run::kMoves},
};

const SnakeAlgorithm& algorithmOf(const SnakeJob& job) {
    const auto found = std::ranges::find_if(kAlgorithms, [&](const SnakeAlgorithm& each) {
        return job.algorithm.empty() ? each.moves == job.spec.moves : each.name == job.algorithm;
    });
    if (found != kAlgorithms.end()) {
        return *found;
    }
    if (job.algorithm.empty()) {
        throw Error(ErrorCode::engineUnavailable,
                    "region snake: no algorithm of the GPU has moves " + std::string(nameOf(job.spec.moves)));
    }
    throw Error(ErrorCode::invalidArgument,
                "region snake: algorithm '" + job.algorithm + "': unknown (there are one-kernel, seed-gpu)");
}

} // namespace

std::span<const SnakeAlgorithm> snakeAlgorithms() noexcept { return kAlgorithms; }

SnakeResult runSnakeOnDevice(const SnakeJob& job, const SnakeListener& listener, const JobControl& control) {
    const SnakeAlgorithm& algorithm = algorithmOf(job);
    const Image& image = *job.image;
    RowSums::requireSummable(image, job.valid.get());
    StageTimer timer;
    SnakeResult result;
    result.algorithm = algorithm.name;
    result.moves = algorithm.moves;
    try {
        std::optional<RowCounts> gaps;
        if (job.valid && job.valid->count() != image.pixelCount()) {
            gaps.emplace(complementOf(*job.valid));
        }
        std::optional<RowCounts> forbidden;
        if (job.forbidden) {
            forbidden.emplace(*job.forbidden);
        }
        SnakeSpec spec = usedSpec(job.spec, image.width(), image.height());
        spec.moves = algorithm.moves;
        const HostJob host{{image, gaps ? &*gaps : nullptr, forbidden ? &*forbidden : nullptr, spec},
                           usedStart(job.start, spec, image.width(), image.height(), job.forbidden.get())};
        const auto runIt = algorithm.moves == SnakeMoves::localBest ? &run<OneKernelOf> : &run<SeedLoopOf>;
        result.state = runIt(host, result.algorithm, listener, control, result.stages);
    } catch (const std::bad_alloc&) {
        throw Error(ErrorCode::outOfMemory, "region snake: no memory left on the host");
    }
    timer.finish("all");
    result.milliseconds = timer.totalMilliseconds();
    return result;
}

} // namespace pollard::cuda
