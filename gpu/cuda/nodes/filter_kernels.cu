#include "cuda/nodes/filter_kernels.cuh"

#include "cuda/kernels/device_loop.cuh"

namespace pollard::cuda {

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
