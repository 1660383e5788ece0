#pragma once

#include "base/job_control.hpp"
#include "cuda/device/device_buffer.hpp"
#include "cuda/device/device_image.hpp"
#include "cuda/device/stage_clock.hpp"
#include "tree/component_tree.hpp"

#include <cstdint>
#include <memory>

namespace pollard::cuda {

/// A ComponentTree in device memory; numbering and meaning of the arrays are the same.
struct DeviceTree {
    std::uint32_t nodeCount = 0;
    std::uint32_t leafCount = 0;
    std::uint32_t depth = 0;     ///< largest number of edges from the root to a node
    std::uint16_t rootLevel = 0; ///< as in the original image

    std::shared_ptr<DeviceBuffer<std::uint32_t>> pixelNode; ///< (height, width); shared with the pictures made of it
    DeviceBuffer<std::uint32_t> parent;                     ///< per node
    DeviceBuffer<std::uint32_t> subtreeEnd;                 ///< per node
    DeviceBuffer<std::uint32_t> canonical;                  ///< per node
    DeviceBuffer<std::uint16_t> level;                      ///< per node, original grey levels
};

/// Largest number of nodes: the two visits of a node in a walk round the tree are numbered with 32 bits.
inline constexpr std::uint32_t kMaxDeviceNodes = 0x7fff'ffffU;

/// Numbers the nodes of a tree in preorder, siblings by canonical pixel, and makes the node tables.
///
/// Work is linear in pixels and nodes (and a radix sort of the nodes), whatever the tree's height: the children are
/// grouped by sorting, the walk round the tree is a linked list that many walkers follow from split points to split
/// points (list ranking after Helman and JaJa 1999; Euler tour after Tarjan and Vishkin 1985).
/// @param parentImage canonical parent image (see canonicalParentImage()); becomes DeviceTree::pixelNode
/// Files its time as stage "numbering". Waits for the device twice: for the number of nodes, and at the end.
/// @throws Error(limitExceeded) above kMaxDeviceNodes nodes, Error(outOfMemory), Error(deviceFailed), Cancelled
[[nodiscard]] DeviceTree numberNodes(const DeviceImage& image, const TreeSpec& spec,
                                     DeviceBuffer<std::uint32_t> parentImage,
                                     const std::shared_ptr<DeviceMemory>& memory, StageClock& clock,
                                     const JobControl& control);

/// Upper bound of the bytes numberNodes() holds at its peak if every pixel is a node, parent image and result
/// included, the image not.
[[nodiscard]] std::uint64_t estimateNumberingBytes(std::uint32_t width, std::uint32_t height);

} // namespace pollard::cuda
