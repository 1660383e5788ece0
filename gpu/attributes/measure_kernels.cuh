#pragma once

#include "attributes/node_box.hpp"
#include "attributes/node_plan.hpp"
#include "attributes/pixel_terms.hpp"

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

// What measuring needs beside the steps of node_formulas.hpp, which measure_kernels.cu instantiates for launchEach().
// Each queues its work on @p stream; nothing is allocated or waited for.

namespace pollard::cuda {

/// Adds the terms of all pixels to the sums of their nodes, which StartSums has started.
template <class Terms>
cudaError_t launchAddTerms(const NodePlan& plan, const Terms& terms, std::uint64_t* sums, cudaStream_t stream);

/// Widens the boxes of the nodes, which StartBoxes has started, to all their pixels.
cudaError_t launchGrowBoxes(const NodePlan& plan, NodeBox* boxes, cudaStream_t stream);

/// data[i] = data[0] + ... + data[i - 1], modulo 2^64, in place. Called with temp == nullptr it only sets
/// @p tempBytes.
cudaError_t runExclusiveSum(void* temp, std::size_t& tempBytes, std::uint64_t* data, std::uint32_t count,
                            cudaStream_t stream);

} // namespace pollard::cuda
