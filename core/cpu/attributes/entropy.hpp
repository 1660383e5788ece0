#pragma once

#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "tree/component_tree.hpp"
#include "tree/tree_sweeps.hpp"

#include <cstddef>
#include <cstdint>

namespace pollard::cpu {

/// Shannon entropy, in bits, of the levels of each component in 256 bins of equal width from the root's level to the
/// farthest one of the image (one bin a level where there are no more than 256).
///
/// A node's histogram is that of its children and its own pixels. It is made from the largest child's, to which the
/// others are added bin by bin, so that each bin is touched about log n times whatever the depth. Entropies come from
/// sum c log2 c, which follows every change of a count c in 128-bit fixed point: errors do not add up, and the result
/// is within 1e-14 * log2 A of the true one.
///
/// Histograms are kept for the nodes of one path a thread only: at most 1.1 kB a level of depth. O(nodes log nodes),
/// parallel: blocks of consecutive numbers at once, as in tree_sweeps.hpp.
/// @param own as of countOwnPixels()
/// @param block nodes in a block; the result does not depend on it
/// @throws Cancelled, std::bad_alloc
[[nodiscard]] Buffer<double> entropiesOf(const ComponentTree& tree, const Buffer<std::uint32_t>& own,
                                         const Buffer<std::uint32_t>& area, const JobControl& control,
                                         std::size_t block = kSweepBlock);

/// Largest number of bytes that entropiesOf() holds beside its result.
[[nodiscard]] std::uint64_t entropyScratchBytes(const ComponentTree& tree) noexcept;

} // namespace pollard::cpu
