#include "cuda/nodes/measure_kernels.cuh"

#include <cub/device/device_scan.cuh>

namespace pollard::cuda {

cudaError_t runExclusiveSum(void* temp, std::size_t& tempBytes, std::uint64_t* data, std::uint32_t count,
                            cudaStream_t stream) {
    return cub::DeviceScan::ExclusiveSum(temp, tempBytes, data, data, count, stream);
}

} // namespace pollard::cuda
