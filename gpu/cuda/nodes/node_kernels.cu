#include "cuda/nodes/node_kernels.cuh"

#include "cuda/kernels/device_loop.cuh"
#include "cuda/nodes/climb_team.hpp"

#include <type_traits>

namespace pollard::cuda {

namespace {

// Blocks per multiprocessor: more do not shorten a rank, but make the grid barrier slower.
constexpr int kMostOfMultiprocessor = 2;

template <class Team> __global__ void __launch_bounds__(Team::kThreads) climbKernel(Team team) {
    __shared__ typename Team::Memory memory;
    team(memory);
}

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

template <class Team> cudaError_t launchClimb(const Team& team, cudaStream_t stream) {
    static_assert(std::is_trivially_copyable_v<Team>);
    Team copy = team;
    void* arguments[] = {&copy};
    return cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(&climbKernel<Team>), dim3(team.blocks),
                                       dim3(Team::kThreads), arguments, 0, stream);
}

template <class Team> cudaError_t mostClimbBlocks(std::uint32_t& blocks) {
    int device = 0;
    int multiprocessors = 0;
    int ofOne = 0;
    int cooperative = 0;
    cudaError_t status = cudaGetDevice(&device);
    if (status == cudaSuccess) {
        status = cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
    }
    if (status == cudaSuccess) {
        status = cudaDeviceGetAttribute(&cooperative, cudaDevAttrCooperativeLaunch, device);
    }
    if (status == cudaSuccess) {
        status = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&ofOne, climbKernel<Team>, Team::kThreads, 0);
    }
    blocks = cooperative == 0 ? 0
                              : static_cast<std::uint32_t>(
                                    multiprocessors * (ofOne < kMostOfMultiprocessor ? ofOne : kMostOfMultiprocessor));
    return status;
}

#define POLLARD_LAW(...)                                                                                               \
    template cudaError_t launchClimb(const ClimbTeam<__VA_ARGS__, kClimbThreads>&, cudaStream_t);                      \
    template cudaError_t mostClimbBlocks<ClimbTeam<__VA_ARGS__, kClimbThreads>>(std::uint32_t&);

POLLARD_LAW(PruningLaw)
POLLARD_LAW(SurvivorLaw<std::uint32_t>)
POLLARD_LAW(SurvivorLaw<std::uint64_t>)

#undef POLLARD_LAW

} // namespace pollard::cuda
