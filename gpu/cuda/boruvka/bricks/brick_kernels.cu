#include "cuda/boruvka/branch_kernels.cuh"
#include "cuda/boruvka/bricks/brick_domain.hpp"
#include "cuda/boruvka/bricks/brick_pass.hpp"
#include "cuda/boruvka/bricks/brick_work.hpp"
#include "cuda/kernels/device_loop.cuh"

namespace pollard::cuda {

#define POLLARD_INSTANTIATE(Level, kNeighbours)                                                                        \
    template cudaError_t launchTiles(const BrickPass<Level, EngineBrick, kNeighbours>&, std::uint32_t, cudaStream_t);  \
    template cudaError_t launchEach(const ListFaceEdges<Level, kNeighbours>&, std::size_t, cudaStream_t)
POLLARD_INSTANTIATE(std::uint8_t, 6);
POLLARD_INSTANTIATE(std::uint8_t, 18);
POLLARD_INSTANTIATE(std::uint8_t, 26);
POLLARD_INSTANTIATE(std::uint16_t, 6);
POLLARD_INSTANTIATE(std::uint16_t, 18);
POLLARD_INSTANTIATE(std::uint16_t, 26);
#undef POLLARD_INSTANTIATE

} // namespace pollard::cuda
