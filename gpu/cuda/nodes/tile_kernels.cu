#include "cuda/nodes/node_kernels.cuh"

#include "cuda/kernels/device_loop.cuh"
#include "cuda/nodes/pixel_steps.hpp"
#include "cuda/nodes/volume_terms.hpp"

namespace pollard::cuda {

namespace {

template <class Terms> __global__ void __launch_bounds__(TileSums<Terms>::kThreads)
    tileSumsKernel(TileSums<Terms> sums) {
    __shared__ typename TileSums<Terms>::Memory memory;
    sums(memory);
}

constexpr unsigned kAllLanes = 0xffffffffU;
constexpr std::uint32_t kNoNode = 0xffffffffU;

/// One place of the list per lane. A segmented suffix sum gives each lane the sum of its node's pixels from its place
/// on, and the first lane of a node writes it: with a plain store if all pixels of the node lie in the warp, as for
/// most nodes, else with an atomic addition.
template <class Terms>
__global__ void listedKernel(NodePlan plan, Terms terms, const std::uint32_t* nodes, const std::uint32_t* pixels) {
    const std::size_t count = plan.pixelCount();
    const std::size_t place = loop::index();
    const unsigned lane = threadIdx.x % 32;
    const bool inside = place < count;
    const std::uint32_t node = inside ? nodes[place] : kNoNode;
    unsigned long long sum[Terms::kRows] = {};
    if (inside) {
        const std::uint32_t pixel = pixels[place];
        const auto values = terms.ofPixel(pixel % plan.width, pixel / plan.width);
        for (int k = 0; k < Terms::kRows; ++k) {
            sum[k] = values.of[k];
        }
    }
    for (unsigned distance = 1; distance < 32; distance *= 2) {
        const bool same = __shfl_down_sync(kAllLanes, node, distance) == node && lane + distance < 32;
        for (int k = 0; k < Terms::kRows; ++k) {
            const unsigned long long other = __shfl_down_sync(kAllLanes, sum[k], distance);
            sum[k] += same ? other : 0;
        }
    }
    const std::uint32_t before = __shfl_up_sync(kAllLanes, node, 1);
    const std::uint32_t last = __shfl_sync(kAllLanes, node, 31);
    if (!inside || (lane > 0 && before == node)) {
        return;
    }
    const std::size_t behind = place - lane + 32;
    const bool starts = lane > 0 || place == 0 || nodes[place - 1] != node;
    const bool ends = node != last || behind >= count || nodes[behind] != node;
    for (int k = 0; k < Terms::kRows; ++k) {
        if (starts && ends) {
            *terms.rows.at(static_cast<std::size_t>(k), node) = sum[k];
        } else {
            terms.rows.add(static_cast<std::size_t>(k), node, sum[k]);
        }
    }
}

} // namespace

template <class Terms>
cudaError_t launchTileSums(const TileSums<Terms>& sums, std::uint32_t tiles, cudaStream_t stream) {
    tileSumsKernel<<<tiles, TileSums<Terms>::kThreads, 0, stream>>>(sums);
    return cudaGetLastError();
}

template <class Terms> cudaError_t launchAddListed(const NodePlan& plan, const Terms& terms, const std::uint32_t* nodes,
                                                   const std::uint32_t* pixels, cudaStream_t stream) {
    listedKernel<<<loopBlocks(plan.pixelCount()), kLoopBlock, 0, stream>>>(plan, terms, nodes, pixels);
    return cudaGetLastError();
}

template cudaError_t launchEach(const ListPixels&, std::size_t, cudaStream_t);

#define POLLARD_TERMS(...)                                                                                             \
    template cudaError_t launchTileSums(const TileSums<__VA_ARGS__>&, std::uint32_t, cudaStream_t);

POLLARD_TERMS(MomentTerms)
POLLARD_TERMS(ThirdMomentTerms<NarrowThirdSums>)
POLLARD_TERMS(ThirdMomentTerms<WideThirdSums>)
POLLARD_TERMS(OutlineTerms)
POLLARD_TERMS(BoxTerms)
POLLARD_TERMS(VolumeMomentTerms)
POLLARD_TERMS(VolumeOutlineTerms)
POLLARD_TERMS(VolumeBoxTerms)
POLLARD_TERMS(BorderTerms<false>)
POLLARD_TERMS(BorderTerms<true>)

#undef POLLARD_TERMS

#define POLLARD_LISTED(...)                                                                                            \
    template cudaError_t launchAddListed(const NodePlan&, const __VA_ARGS__&, const std::uint32_t*,                    \
                                         const std::uint32_t*, cudaStream_t);

POLLARD_LISTED(MomentTerms)
POLLARD_LISTED(ThirdMomentTerms<NarrowThirdSums>)
POLLARD_LISTED(ThirdMomentTerms<WideThirdSums>)
POLLARD_LISTED(VolumeMomentTerms)

#undef POLLARD_LISTED

} // namespace pollard::cuda
