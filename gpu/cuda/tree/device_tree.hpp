#pragma once

#include "base/job_control.hpp"
#include "cuda/device/device_image.hpp"
#include "cuda/device/device_memory.hpp"
#include "cuda/device/stage_clock.hpp"
#include "tree/component_tree.hpp"

#include <cstdint>
#include <memory>

namespace pollard::cuda {

/// A ComponentTree in device memory with the same arrays and numbering.
struct DeviceTree {
    std::uint32_t nodeCount = 0;
    std::uint32_t leafCount = 0;
    std::uint32_t depth = 0;     ///< largest number of edges from the root to a node
    std::uint16_t rootLevel = 0; ///< in the original image

    std::shared_ptr<DeviceBuffer<std::uint32_t>> pixelNode; ///< (height, width); shared with the frames made from it
    DeviceBuffer<std::uint32_t> parent;                     ///< per node
    DeviceBuffer<std::uint32_t> subtreeEnd;                 ///< per node
    DeviceBuffer<std::uint32_t> canonical;                  ///< per node
    DeviceBuffer<std::uint16_t> level;                      ///< per node, original grey levels
};

/// Largest number of nodes: the two elements of a node in the Euler tour are numbered with 32 bits.
inline constexpr std::uint32_t kMaxDeviceNodes = 0x7fff'ffffU;

/// Numbers the nodes of a tree in preorder, siblings by canonical pixel, and writes the node tables.
///
/// Work is linear in pixels and nodes, plus one radix sort of the nodes, for any height of the tree: sorting groups the
/// children, and the Euler tour is a linked list that threads follow in parallel from split point to split point (list
/// ranking after Helman and JaJa 1999; Euler tour after Tarjan and Vishkin 1985). Records its time as stage
/// "numbering". Waits for the device twice: for the number of nodes, and at the end.
/// @param parentImage canonical parent image (see canonicalParentImage()); its buffer becomes DeviceTree::pixelNode
/// @throws Error(limitExceeded) above kMaxDeviceNodes nodes, Error(outOfMemory), Error(deviceFailed), Cancelled
[[nodiscard]] DeviceTree numberNodes(const DeviceImage& image, const TreeSpec& spec,
                                     DeviceBuffer<std::uint32_t> parentImage,
                                     const std::shared_ptr<DeviceMemory>& memory, StageClock& clock,
                                     const JobControl& control);

/// Upper bound of the peak memory of numberNodes(), bytes, if every pixel is a node. Includes the parent image and the
/// result, not the image.
[[nodiscard]] std::uint64_t estimateNumberingBytes(std::uint32_t width, std::uint32_t height);

} // namespace pollard::cuda
