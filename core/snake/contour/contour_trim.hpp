#pragma once

#include "snake/contour/contour.hpp"

namespace pollard {

/// The contour without its parts that enclose no pixel and turn back: spikes of the region, slits into it, and paths
/// that run to and fro. It is simple, has the same mask (see ContourRows), and trimmed() does not change it.
///
/// An empty node is one whose triangle with its neighbours holds no pixel and whose neighbours can be joined by an edge
/// that touches nothing else. Empty nodes are taken off one after the other until there are none. This gives runs of
/// nodes, each between two nodes that stay. A run goes if one of its nodes turns by more than a right angle; other runs
/// come back, unless the contour would then touch itself. This is repeated until no run goes. Contours that nowhere
/// turn by more than a right angle stay as they are.
/// @param contour a simple polygon within 0..width, 0..height
[[nodiscard]] Contour trimmed(const Contour& contour);

} // namespace pollard
