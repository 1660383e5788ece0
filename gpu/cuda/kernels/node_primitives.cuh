#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

// The library's scans and sort. Called with temp == nullptr they only set @p tempBytes, which is at least 1; else they
// queue their work on @p stream. Nothing is allocated or waited for.

namespace pollard::cuda {

/// data[i] = data[0] + ... + data[i - 1], modulo 2^32 or 2^64, in place.
cudaError_t runExclusiveSum(void* temp, std::size_t& tempBytes, std::uint32_t* data, std::uint32_t count,
                            cudaStream_t stream);
cudaError_t runExclusiveSum(void* temp, std::size_t& tempBytes, std::uint64_t* data, std::uint32_t count,
                            cudaStream_t stream);

/// data[i] = max(data[0], ..., data[i]), in place.
cudaError_t runInclusiveMaximum(void* temp, std::size_t& tempBytes, std::uint32_t* data, std::uint32_t count,
                                cudaStream_t stream);

/// data[i] = max(0, data[0], ..., data[i - 1]), in place.
cudaError_t runExclusiveMaximum(void* temp, std::size_t& tempBytes, std::uint32_t* data, std::uint32_t count,
                                cudaStream_t stream);

/// Keys with a value each, and as much room again that sorting may use.
struct SortedPairs {
    std::uint32_t* keys;
    std::uint32_t* values;
    std::uint32_t* otherKeys;
    std::uint32_t* otherValues;
};

/// Sorts by the lower @p bits of the keys; equal keys keep their order. Swaps the members of @p pairs so that keys and
/// values point to the result.
cudaError_t runSort(void* temp, std::size_t& tempBytes, SortedPairs& pairs, std::uint32_t count, int bits,
                    cudaStream_t stream);

} // namespace pollard::cuda
