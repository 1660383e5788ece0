#pragma once

#include "attributes/survivor_law.hpp"
#include "tree/pruning_law.hpp"

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

namespace pollard::cuda {

/// data[i] = data[0] joined with ... data[i] by Law::join, in place; used as the scans of node_primitives.cuh are.
/// Instantiated in path_joins.cu for the laws of climb().
template <class Law> cudaError_t runInclusiveJoin(void* temp, std::size_t& tempBytes, typename Law::Value* data,
                                                  std::uint32_t count, cudaStream_t stream);

} // namespace pollard::cuda
