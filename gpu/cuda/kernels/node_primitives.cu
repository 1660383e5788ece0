#include "cuda/kernels/node_primitives.cuh"

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

namespace pollard::cuda {

namespace {

struct Larger {
    __host__ __device__ std::uint32_t operator()(std::uint32_t a, std::uint32_t b) const { return a < b ? b : a; }
};

} // namespace

cudaError_t runExclusiveSum(void* temp, std::size_t& tempBytes, std::uint32_t* data, std::uint32_t count,
                            cudaStream_t stream) {
    return cub::DeviceScan::ExclusiveSum(temp, tempBytes, data, data, count, stream);
}

cudaError_t runExclusiveSum(void* temp, std::size_t& tempBytes, std::uint64_t* data, std::uint32_t count,
                            cudaStream_t stream) {
    return cub::DeviceScan::ExclusiveSum(temp, tempBytes, data, data, count, stream);
}

cudaError_t runInclusiveMaximum(void* temp, std::size_t& tempBytes, std::uint32_t* data, std::uint32_t count,
                                cudaStream_t stream) {
    return cub::DeviceScan::InclusiveScan(temp, tempBytes, data, data, Larger{}, count, stream);
}

cudaError_t runExclusiveMaximum(void* temp, std::size_t& tempBytes, std::uint32_t* data, std::uint32_t count,
                                cudaStream_t stream) {
    return cub::DeviceScan::ExclusiveScan(temp, tempBytes, data, data, Larger{}, std::uint32_t{0}, count, stream);
}

cudaError_t runSort(void* temp, std::size_t& tempBytes, SortedPairs& pairs, std::uint32_t count, int bits,
                    cudaStream_t stream) {
    cub::DoubleBuffer<std::uint32_t> keys(pairs.keys, pairs.otherKeys);
    cub::DoubleBuffer<std::uint32_t> values(pairs.values, pairs.otherValues);
    const cudaError_t status = cub::DeviceRadixSort::SortPairs(temp, tempBytes, keys, values, count, 0, bits, stream);
    if (status == cudaSuccess && temp != nullptr) {
        pairs = {keys.Current(), values.Current(), keys.Alternate(), values.Alternate()};
    }
    return status;
}

} // namespace pollard::cuda
