#pragma once

#include "tree/ranked_nodes.hpp"

#include <cuda_runtime_api.h>

#include <cstddef>

namespace pollard::cuda {

/// finish(i, functions(0) joined with ... functions(i)) for the nodes of a rank, by Law::join; used as the scans of
/// node_primitives.cuh are. Instantiated in path_joins.cu for the laws of climb().
template <class Law> cudaError_t runPathJoin(void* temp, std::size_t& tempBytes, const PathFunctions<Law>& functions,
                                             const FinishPaths<Law>& finish, cudaStream_t stream);

} // namespace pollard::cuda
