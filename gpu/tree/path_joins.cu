#include "tree/path_joins.cuh"

#include "attributes/survivor_law.hpp"
#include "tree/device_loop.cuh"
#include "tree/pruning_law.hpp"

#include <cub/device/device_scan.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/tabulate_output_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <cstdint>

namespace pollard::cuda {

namespace {

template <class Law> struct Join {
    using Value = typename Law::Value;
    __host__ __device__ Value operator()(const Value& first, const Value& then) const { return Law::join(first, then); }
};

} // namespace

template <class Law> cudaError_t runPathJoin(void* temp, std::size_t& tempBytes, const PathFunctions<Law>& functions,
                                             const FinishPaths<Law>& finish, cudaStream_t stream) {
    const auto numbers = thrust::make_counting_iterator(std::uint32_t{0});
    return cub::DeviceScan::InclusiveScan(temp, tempBytes, thrust::make_transform_iterator(numbers, functions),
                                          thrust::make_tabulate_output_iterator(finish), Join<Law>{}, finish.count,
                                          stream);
}

#define POLLARD_LAW(...)                                                                                               \
    template cudaError_t runPathJoin<__VA_ARGS__>(void*, std::size_t&, const PathFunctions<__VA_ARGS__>&,              \
                                                  const FinishPaths<__VA_ARGS__>&, cudaStream_t);                      \
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
