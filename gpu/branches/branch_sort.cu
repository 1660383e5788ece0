#include "branches/branch_kernels.cuh"

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

namespace pollard::cuda {

namespace {

struct Later {
    __host__ __device__ std::uint32_t operator()(std::uint32_t a, std::uint32_t b) const { return a < b ? b : a; }
};

} // namespace

cudaError_t runPixelSort(void* temp, std::size_t& tempBytes, SortedKeys& sorted, std::uint32_t count,
                         const KeyLayout& layout, cudaStream_t stream) {
    cub::DoubleBuffer<std::uint64_t> keys(sorted.keys, sorted.otherKeys);
    const int first = layout.firstSortedBit();
    const int last = layout.lastSortedBit();
    cudaError_t status;
    if (sorted.pixels == nullptr) {
        status = cub::DeviceRadixSort::SortKeys(temp, tempBytes, keys, count, first, last, stream);
    } else {
        cub::DoubleBuffer<std::uint32_t> pixels(sorted.pixels, sorted.otherPixels);
        status = cub::DeviceRadixSort::SortPairs(temp, tempBytes, keys, pixels, count, first, last, stream);
    }
    sorted.isInOther = keys.Current() == sorted.otherKeys;
    return status;
}

cudaError_t runRunStarts(void* temp, std::size_t& tempBytes, const RunStart& start, std::uint32_t* runs,
                         std::uint32_t count, cudaStream_t stream) {
    const auto starts = thrust::make_transform_iterator(thrust::counting_iterator<std::uint32_t>(0), start);
    return cub::DeviceScan::InclusiveScan(temp, tempBytes, starts, runs, Later{}, count, stream);
}

} // namespace pollard::cuda
