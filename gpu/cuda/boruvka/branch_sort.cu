#include "cuda/boruvka/branch_kernels.cuh"

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

namespace pollard::cuda {

cudaError_t runKeySort(void* temp, std::size_t& tempBytes, SortedKeys& sorted, std::uint32_t count, SortedBits bits,
                       cudaStream_t stream) {
    cub::DoubleBuffer<std::uint64_t> keys(sorted.keys, sorted.otherKeys);
    cudaError_t status;
    if (sorted.pixels == nullptr) {
        status = cub::DeviceRadixSort::SortKeys(temp, tempBytes, keys, count, bits.first, bits.end, stream);
    } else {
        cub::DoubleBuffer<std::uint32_t> pixels(sorted.pixels, sorted.otherPixels);
        status = cub::DeviceRadixSort::SortPairs(temp, tempBytes, keys, pixels, count, bits.first, bits.end, stream);
    }
    sorted.isInOther = keys.Current() == sorted.otherKeys;
    return status;
}

cudaError_t runRunsUpTo(void* temp, std::size_t& tempBytes, const StartsRun& starts, std::uint32_t* sums,
                        std::uint32_t count, cudaStream_t stream) {
    const auto each = thrust::make_transform_iterator(thrust::counting_iterator<std::uint32_t>(0), starts);
    return cub::DeviceScan::InclusiveSum(temp, tempBytes, each, sums, count, stream);
}

} // namespace pollard::cuda
