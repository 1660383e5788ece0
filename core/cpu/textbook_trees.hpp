#pragma once

#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "image/image.hpp"
#include "tree/component_tree.hpp"

#include <cstdint>
#include <string_view>

namespace pollard::cpu {

/// Sequential algorithms of the literature, for comparison. They build the same tree as buildComponentTree().
/// "union-find": the pixels in descending order, joined by union-find with path compression (C. Berger et al.,
/// "Effective component tree computation with application to pattern recognition in astronomical imaging", ICIP 2007).
/// "flooding": a hierarchical queue floods each peak before its surroundings (P. Salembier, A. Oliveras, L. Garrido,
/// 1998), without recursion.
inline constexpr std::string_view kUnionFind = "union-find";
inline constexpr std::string_view kFlooding = "flooding";

/// Peak memory of buildTextbookTree(), at most, in bytes a pixel without the image, for as many nodes as pixels:
/// parents and places 8, the list of canonical pixels 8 as it grows, first, last and all children 12, tables of the
/// nodes 14, numbers and depths 8, the stack 12 as it grows, or 8 and then the nodes of the pixels 4. The parents take
/// less before: 14 (union-find), 34 (flooding).
inline constexpr std::uint64_t kTextbookBytes = 62;

[[nodiscard]] constexpr bool isTextbook(std::string_view algorithm) noexcept {
    return algorithm == kUnionFind || algorithm == kFlooding;
}

/// Canonical parent image, see pollard::canonicalParentImage(). Stages: sort and union, or flood.
/// @param spec its algorithm is one of the names above
/// @throws Cancelled
[[nodiscard]] Buffer<std::uint32_t> buildTextbookParents(const Image& image, const TreeSpec& spec,
                                                         const JobControl& control, StageTimer& timer);

/// The tree. O(n) after the parents, without recursion.
/// @throws Cancelled
[[nodiscard]] ComponentTree buildTextbookTree(const Image& image, const TreeSpec& spec, const JobControl& control,
                                              StageTimer& timer);

} // namespace pollard::cpu
