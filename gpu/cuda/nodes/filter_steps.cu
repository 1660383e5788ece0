#include "cuda/nodes/filter_steps.hpp"

#include "cuda/kernels/device_loop.cuh"
#include "cuda/nodes/filter_kernels.cuh"

namespace pollard::cuda {

#define POLLARD_EACH(...) template cudaError_t launchEach(const __VA_ARGS__&, std::size_t, cudaStream_t);
#define POLLARD_SUM(...)                                                                                               \
    template cudaError_t launchSum(const __VA_ARGS__&, std::size_t, unsigned long long*, cudaStream_t);

POLLARD_EACH(DecideNodes<std::uint16_t>)
POLLARD_EACH(DecideNodes<std::uint32_t>)
POLLARD_EACH(DecideNodes<std::int32_t>)
POLLARD_EACH(DecideNodes<std::uint64_t>)
POLLARD_EACH(DecideNodes<double>)
POLLARD_EACH(ReachOfFailures)
POLLARD_EACH(KeepBeyondFailures)
POLLARD_EACH(PlacesOfSuccess)
POLLARD_EACH(KeepAroundSuccess)
POLLARD_EACH(KeepAroundPicked)
POLLARD_EACH(CopyDecision)
POLLARD_EACH(ClearRemoved)
POLLARD_EACH(ClearOutside)
POLLARD_EACH(PlacesOfProminent<std::uint16_t>)
POLLARD_EACH(PlacesOfProminent<std::uint32_t>)
POLLARD_EACH(PlacesOfProminent<std::uint64_t>)
POLLARD_EACH(RemoveWithoutProminent)
POLLARD_EACH(JoinGroup<Largest<std::uint32_t>>)
POLLARD_EACH(StepFromParent)
POLLARD_EACH(ReachOfComponents)
POLLARD_EACH(IsMaximal)
POLLARD_EACH(OwnerOf)
POLLARD_EACH(MarkFirst)
POLLARD_EACH(LabelOf)
POLLARD_EACH(WriteLabels)
POLLARD_EACH(WritePixelLabels)
POLLARD_SUM(ReachOfPicks)
POLLARD_SUM(KeepPicked)
POLLARD_SUM(ProminentLeaf<std::uint16_t>)
POLLARD_SUM(ProminentLeaf<std::uint32_t>)
POLLARD_SUM(ProminentLeaf<std::uint64_t>)
POLLARD_SUM(ReachOfKept)
POLLARD_SUM(WriteLevels)
POLLARD_SUM(WriteLowered)

#undef POLLARD_EACH
#undef POLLARD_SUM

namespace {

struct AddTo {
    const std::uint32_t* keys;
    const std::uint32_t* values;
    std::uint32_t* sums;

    __device__ void operator()(std::size_t i) const {
        if (values[i] != 0) {
            atomicAdd(sums + keys[i], values[i]);
        }
    }
};

struct LowerFirst {
    const std::uint32_t* pixelNode;
    const std::uint32_t* owner;
    std::uint32_t* first;

    __device__ void operator()(std::size_t pixel) const {
        const std::uint32_t component = owner[pixelNode[pixel]];
        if (component == 0) {
            return;
        }
        std::uint32_t* slot = first + (component - 1);
        const auto here = static_cast<std::uint32_t>(pixel);
        if (here < *static_cast<volatile std::uint32_t*>(slot)) { // it only falls, so a stale value is safe
            atomicMin(slot, here);
        }
    }
};

} // namespace

cudaError_t launchScatterAdd(const std::uint32_t* keys, const std::uint32_t* values, std::size_t count,
                             std::uint32_t* sums, cudaStream_t stream) {
    return launchEach(AddTo{keys, values, sums}, count, stream);
}

cudaError_t launchFirstPixels(const std::uint32_t* pixelNode, std::size_t pixels, const std::uint32_t* owner,
                              std::uint32_t* first, cudaStream_t stream) {
    return launchEach(LowerFirst{pixelNode, owner, first}, pixels, stream);
}

} // namespace pollard::cuda
