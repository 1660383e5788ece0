#include "attributes/measure_kernels.cuh"

#include <cub/device/device_scan.cuh>

namespace pollard::cuda {

namespace {

template <int kSums> struct alignas(kSums % 2 == 0 ? 16 : 8) Record { std::uint64_t sums[kSums]; };

template <int kSums> struct AddRecords {
    __host__ __device__ Record<kSums> operator()(const Record<kSums>& a, const Record<kSums>& b) const {
        Record<kSums> both;
        for (int k = 0; k < kSums; ++k) {
            both.sums[k] = a.sums[k] + b.sums[k];
        }
        return both;
    }
};

} // namespace

cudaError_t runExclusiveSum(void* temp, std::size_t& tempBytes, std::uint64_t* data, std::uint32_t count,
                            cudaStream_t stream) {
    return cub::DeviceScan::ExclusiveSum(temp, tempBytes, data, data, count, stream);
}

template <int kSums> cudaError_t runExclusiveSums(void* temp, std::size_t& tempBytes, std::uint64_t* records,
                                                  std::uint32_t count, cudaStream_t stream) {
    auto* const data = reinterpret_cast<Record<kSums>*>(records);
    return cub::DeviceScan::ExclusiveScan(temp, tempBytes, data, data, AddRecords<kSums>{}, Record<kSums>{}, count,
                                          stream);
}

template cudaError_t runExclusiveSums<2>(void*, std::size_t&, std::uint64_t*, std::uint32_t, cudaStream_t);
template cudaError_t runExclusiveSums<4>(void*, std::size_t&, std::uint64_t*, std::uint32_t, cudaStream_t);
template cudaError_t runExclusiveSums<5>(void*, std::size_t&, std::uint64_t*, std::uint32_t, cudaStream_t);
template cudaError_t runExclusiveSums<8>(void*, std::size_t&, std::uint64_t*, std::uint32_t, cudaStream_t);

} // namespace pollard::cuda
