#pragma once

#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "tree/component_tree.hpp"
#include "tree/tree_sweeps.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace pollard::cpu {

/// Shannon entropy, in bits, of the levels of each component in 256 bins of equal width from the root's level to the
/// farthest level of the image (one bin per level if there are at most 256).
///
/// A node's histogram is the sum of its children's and its own pixels. It starts from the largest child's, to which the
/// others are added bin by bin, so that each bin is touched about log n times at any depth. Entropies follow from sum c
/// log2 c, which is updated with every count c in 128-bit fixed point: errors do not accumulate, and the result is
/// within 1e-14 * log2 A.
///
/// Each thread keeps histograms for the nodes of one path only: at most 1.1 kB per level of depth. O(nodes log nodes),
/// parallel over blocks of consecutive nodes, as in tree_sweeps.hpp.
/// @param own result of countOwnPixels()
/// @param block nodes per block; does not affect the result
/// @param bins bin of each level instead of these; empty for these
/// @throws Cancelled, std::bad_alloc
[[nodiscard]] Buffer<double> entropiesOf(const ComponentTree& tree, const Buffer<std::uint32_t>& own,
                                         const Buffer<std::uint32_t>& area, const JobControl& control,
                                         std::size_t block = kSweepBlock, std::span<const std::uint8_t> bins = {});

/// Upper bound of the working memory of entropiesOf() in bytes.
[[nodiscard]] std::uint64_t entropyScratchBytes(const ComponentTree& tree) noexcept;

} // namespace pollard::cpu
