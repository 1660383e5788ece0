#include "tree/path_joins.cuh"

#include "tree/device_loop.cuh"

#include <cub/device/device_scan.cuh>

namespace pollard::cuda {

namespace {

template <class Law> struct Join {
    using Value = typename Law::Value;
    __host__ __device__ Value operator()(const Value& first, const Value& then) const { return Law::join(first, then); }
};

} // namespace

template <class Law> cudaError_t runInclusiveJoin(void* temp, std::size_t& tempBytes, typename Law::Value* data,
                                                  std::uint32_t count, cudaStream_t stream) {
    return cub::DeviceScan::InclusiveScan(temp, tempBytes, data, data, Join<Law>{}, count, stream);
}

#define POLLARD_LAW(...)                                                                                               \
    template cudaError_t runInclusiveJoin<__VA_ARGS__>(void*, std::size_t&, typename __VA_ARGS__::Value*,              \
                                                       std::uint32_t, cudaStream_t);                                   \
    template cudaError_t launchEach(const PathFunctions<__VA_ARGS__>&, std::size_t, cudaStream_t);                     \
    template cudaError_t launchEach(const FinishPaths<__VA_ARGS__>&, std::size_t, cudaStream_t);                       \
    template cudaError_t launchEach(const FinishLeaves<__VA_ARGS__>&, std::size_t, cudaStream_t);

POLLARD_LAW(PruningLaw)
POLLARD_LAW(SurvivorLaw<std::uint32_t>)
POLLARD_LAW(SurvivorLaw<std::uint64_t>)

#undef POLLARD_LAW

#define POLLARD_EACH(...) template cudaError_t launchEach(const __VA_ARGS__&, std::size_t, cudaStream_t);

POLLARD_EACH(RankNodes)
POLLARD_EACH(RaiseToMeasure<std::uint32_t>)
POLLARD_EACH(RaiseToMeasure<std::uint64_t>)
POLLARD_EACH(LeaveExtinction<std::uint32_t>)
POLLARD_EACH(LeaveExtinction<std::uint64_t>)

#undef POLLARD_EACH

} // namespace pollard::cuda
