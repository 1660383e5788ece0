#include "cuda/boruvka/branch_kernels.cuh"

#include "cuda/boruvka/global_hooking.hpp"
#include "cuda/boruvka/node_order.hpp"
#include "cuda/boruvka/parent_pixels.hpp"
#include "cuda/boruvka/plane_domain.hpp"
#include "cuda/boruvka/sorted_pixels.hpp"
#include "cuda/boruvka/tile_pass.hpp"
#include "cuda/boruvka/tile_work.hpp"
#include "cuda/boruvka/trunk.hpp"
#include "cuda/kernels/device_loop.cuh"

namespace pollard::cuda {

namespace {

constexpr std::uint32_t kStretchThreads = EngineTile::kThreads / 2; // as in BranchBuild

} // namespace

#define POLLARD_INSTANTIATE(Level, kEight)                                                                             \
    template cudaError_t launchTiles(const TilePass<Level, EngineTile, kEight>&, std::uint32_t, cudaStream_t);         \
    template cudaError_t launchEach(const ListSeamEdges<Level, kEight>&, std::size_t, cudaStream_t)
POLLARD_INSTANTIATE(std::uint8_t, false);
POLLARD_INSTANTIATE(std::uint8_t, true);
POLLARD_INSTANTIATE(std::uint16_t, false);
POLLARD_INSTANTIATE(std::uint16_t, true);
#undef POLLARD_INSTANTIATE

template cudaError_t launchTiles(const JoinRemaining<2 * EngineTile::kThreads>&, std::uint32_t, cudaStream_t);
template cudaError_t launchEach(const IsolateComponents&, std::size_t, cudaStream_t);
template cudaError_t launchEach(const ProposeEdges&, std::size_t, cudaStream_t);
template cudaError_t launchEach(const SettleComponents&, std::size_t, cudaStream_t);
template cudaError_t launchEachOf(const HookComponents&, const std::uint32_t*, std::uint32_t, cudaStream_t);
template cudaError_t launchEachOf(const CarryEdges&, const std::uint32_t*, std::uint32_t, cudaStream_t);

#define POLLARD_INSTANTIATE(Level)                                                                                     \
    template cudaError_t launchEach(const MakeKeys<Level>&, std::size_t, cudaStream_t);                                \
    template cudaError_t launchEach(const WriteRuns<Level>&, std::size_t, cudaStream_t);                               \
    template cudaError_t launchTiles(const ChooseTrunk<Level, 2 * EngineTile::kThreads>&, std::uint32_t,               \
                                     cudaStream_t);                                                                    \
    template cudaError_t launchTiles(const PartTrunk<Level, kStretchThreads>&, std::uint32_t, cudaStream_t);           \
    template cudaError_t launchTiles(const MakeOtherKeys<Level, kStretchThreads>&, std::uint32_t, cudaStream_t);       \
    template cudaError_t launchEach(const LinkTrunk<Level>&, std::size_t, cudaStream_t);                               \
    template cudaError_t launchEach(const WriteTrunkRuns<Level>&, std::size_t, cudaStream_t);                          \
    template cudaError_t launchEach(const WriteTrunkPixels<Level>&, std::size_t, cudaStream_t);                        \
    template cudaError_t launchEach(const LinkBranchPixels<Level>&, std::size_t, cudaStream_t);                        \
    template cudaError_t launchSum(const LinkBranches<Level>&, std::size_t, unsigned long long*, cudaStream_t);        \
    template cudaError_t launchEach(const WriteNodeLevels<Level>&, std::size_t, cudaStream_t)
POLLARD_INSTANTIATE(std::uint8_t);
POLLARD_INSTANTIATE(std::uint16_t);
#undef POLLARD_INSTANTIATE

template cudaError_t launchEach(const AttachBranches&, std::size_t, cudaStream_t);
template cudaError_t launchTiles(const LinkRuns<kStretchThreads>&, std::uint32_t, cudaStream_t);
template cudaError_t launchSum(const CountTrunkLevels&, std::size_t, unsigned long long*, cudaStream_t);
template cudaError_t launchEach(const SkipAliases&, std::size_t, cudaStream_t);
template cudaError_t launchEach(const ReplaceAliases&, std::size_t, cudaStream_t);
template cudaError_t launchMaximum(const MeasureBranchDepths&, std::size_t, unsigned long long*, cudaStream_t);
template cudaError_t launchSum(const ListBranches&, std::size_t, unsigned long long*, cudaStream_t);
template cudaError_t launchSum(const ReadList&, std::size_t, unsigned long long*, cudaStream_t);
template cudaError_t launchEach(const AddSizes&, std::size_t, cudaStream_t);
template cudaError_t launchEach(const ListSizes&, std::size_t, cudaStream_t);
template cudaError_t launchEach(const PlaceBranches&, std::size_t, cudaStream_t);
template cudaError_t launchMaximum(const NumberBranches&, std::size_t, unsigned long long*, cudaStream_t);
template cudaError_t launchEach(const NumberRuns&, std::size_t, cudaStream_t);
template cudaError_t launchEach(const WriteNodeParents&, std::size_t, cudaStream_t);
template cudaError_t launchEach(const NumberAliases&, std::size_t, cudaStream_t);
template cudaError_t launchEach(const WriteNodesOfPixels&, std::size_t, cudaStream_t);

} // namespace pollard::cuda
