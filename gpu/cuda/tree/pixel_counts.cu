#include "cuda/tree/pixel_counts.cuh"

#include "cuda/kernels/device_loop.cuh"
#include "cuda/tree/numbering_steps.hpp"

namespace pollard::cuda {

namespace {

constexpr unsigned kAllLanes = 0xffffffffU;

// Consecutive pixels per warp: enough that a node which fills a region is added once, few enough that a small image
// occupies every multiprocessor.
constexpr unsigned kPixelsPerWarp = 1024;

template <class T> __global__ void markCanonicalKernel(IsCanonical<T> isCanonical, std::size_t pixels,
                                                       std::uint32_t* mask, std::uint32_t* counts) {
    const std::size_t pixel = loop::index();
    // All threads reach the ballot. A block covers whole words, so a lane's bit is pixel % 32.
    const unsigned members = __ballot_sync(kAllLanes, pixel < pixels && isCanonical(pixel));
    if (pixel % 32 == 0 && pixel < pixels) {
        mask[pixel / 32] = members;
        counts[pixel / 32] = static_cast<std::uint32_t>(__popc(members));
    }
}

/// Pixels of nodes near the root lie all over the image: a warp accumulates the count of one node, the last one that
/// was missing in a group of 32 pixels, and adds the other counts once per group of lanes.
__global__ void countPixelsKernel(const std::uint32_t* pixelNode, std::size_t pixels, std::uint32_t* counts) {
    const unsigned lane = threadIdx.x % 32;
    const std::size_t warp = loop::index() / 32;
    const std::size_t begin = warp * kPixelsPerWarp;
    // These are uniform over the warp.
    std::uint32_t held = 0;
    std::uint32_t heldCount = 0;
    for (unsigned offset = 0; offset < kPixelsPerWarp && begin + offset < pixels; offset += 32) {
        const std::size_t pixel = begin + offset + lane;
        const bool inside = pixel < pixels;
        const std::uint32_t node = inside ? pixelNode[pixel] : 0;
        const unsigned ofHeld = __ballot_sync(kAllLanes, inside && node == held);
        const unsigned others = __ballot_sync(kAllLanes, inside) & ~ofHeld;
        heldCount += static_cast<std::uint32_t>(__popc(ofHeld));
        if (others == 0) {
            continue;
        }
        const bool isOther = ((others >> lane) & 1U) != 0;
        const unsigned same = __match_any_sync(kAllLanes, node) & others;
        const int last = 31 - __clz(static_cast<int>(others));
        const std::uint32_t nodeOfLast = __shfl_sync(kAllLanes, node, last);
        const std::uint32_t countOfLast = static_cast<std::uint32_t>(__popc(__shfl_sync(kAllLanes, same, last)));
        const bool changes = ofHeld == 0;
        if (isOther && lane + 1 == 32 - static_cast<unsigned>(__clz(static_cast<int>(same))) &&
            !(changes && node == nodeOfLast)) {
            atomicAdd(counts + node, static_cast<std::uint32_t>(__popc(same)));
        }
        if (changes) {
            if (lane == 0 && heldCount > 0) {
                atomicAdd(counts + held, heldCount);
            }
            held = nodeOfLast;
            heldCount = countOfLast;
        }
    }
    if (lane == 0 && heldCount > 0) {
        atomicAdd(counts + held, heldCount);
    }
}

} // namespace

template <class T> cudaError_t launchMarkCanonical(const IsCanonical<T>& isCanonical, std::size_t pixels,
                                                   std::uint32_t* mask, std::uint32_t* counts, cudaStream_t stream) {
    markCanonicalKernel<<<loopBlocks(pixels), kLoopBlock, 0, stream>>>(isCanonical, pixels, mask, counts);
    return cudaGetLastError();
}

template cudaError_t launchMarkCanonical(const IsCanonical<std::uint8_t>&, std::size_t, std::uint32_t*, std::uint32_t*,
                                         cudaStream_t);
template cudaError_t launchMarkCanonical(const IsCanonical<std::uint16_t>&, std::size_t, std::uint32_t*, std::uint32_t*,
                                         cudaStream_t);

cudaError_t launchCountPixels(const std::uint32_t* pixelNode, std::size_t pixels, std::uint32_t* counts,
                              cudaStream_t stream) {
    const std::size_t warps = (pixels + kPixelsPerWarp - 1) / kPixelsPerWarp;
    countPixelsKernel<<<loopBlocks(warps * 32), kLoopBlock, 0, stream>>>(pixelNode, pixels, counts);
    return cudaGetLastError();
}

template cudaError_t launchEach(const ListNodes&, std::size_t, cudaStream_t);
template cudaError_t launchEach(const LinkTour&, std::size_t, cudaStream_t);
template cudaError_t launchEach(const MeasureSegment&, std::size_t, cudaStream_t);
template cudaError_t launchEach(const JoinSegments&, std::size_t, cudaStream_t);
template cudaError_t launchMaximum(const NumberSegment&, std::size_t, unsigned long long*, cudaStream_t);
template cudaError_t launchSum(const WriteNodes<std::uint8_t>&, std::size_t, unsigned long long*, cudaStream_t);
template cudaError_t launchSum(const WriteNodes<std::uint16_t>&, std::size_t, unsigned long long*, cudaStream_t);
template cudaError_t launchEach(const WritePixelNodes&, std::size_t, cudaStream_t);

} // namespace pollard::cuda
