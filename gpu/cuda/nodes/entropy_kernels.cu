#include "cuda/kernels/device_loop.cuh"
#include "cuda/nodes/entropy_steps.hpp"
#include "cuda/nodes/node_formulas.hpp"

namespace pollard::cuda {

#define POLLARD_STEP(...) template cudaError_t launchEach(const __VA_ARGS__&, std::size_t, cudaStream_t);

template cudaError_t launchMaximum(const LevelDistance&, std::size_t, unsigned long long*, cudaStream_t);
POLLARD_STEP(ListByBin)
POLLARD_STEP(JoinGroup<Smallest<std::uint32_t>>)
POLLARD_STEP(FillColumn<OwnOfListed>)
POLLARD_STEP(StartInformation)
POLLARD_STEP(MeetInBin)
POLLARD_STEP(FillColumn<EntropyOf>)

#undef POLLARD_STEP

} // namespace pollard::cuda
