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

/// Adds the terms of all pixels to the sums of their nodes: sum k of node v is sums[k * (nodeCount + 1) + v]; all are 0
/// at first.
/// @param nodes, pixels node and number of every pixel, sorted by node
template <class Terms> cudaError_t launchAddListedTerms(const NodePlan& plan, const Terms& terms,
                                                        const std::uint32_t* nodes, const std::uint32_t* pixels,
                                                        std::uint64_t* sums, cudaStream_t stream);

/// Adds the terms of all pixels to the sums of their nodes.
cudaError_t launchAddOutlines(const NodePlan& plan, const OutlineTerms& terms, std::uint64_t* sums,
                              cudaStream_t stream);

/// Widens the boxes of the nodes, which StartBoxes has started, to all their pixels.
cudaError_t launchGrowBoxes(const NodePlan& plan, NodeBox* boxes, cudaStream_t stream);

/// data[i] = data[0] + ... + data[i - 1], modulo 2^64, in place. Called with temp == nullptr it only sets
/// @p tempBytes.
cudaError_t runExclusiveSum(void* temp, std::size_t& tempBytes, std::uint64_t* data, std::uint32_t count,
                            cudaStream_t stream);

} // namespace pollard::cuda
