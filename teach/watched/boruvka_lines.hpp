#pragma once

#include "trace/text.hpp"

#include <array>

namespace pollard::teach {

/// "boruvka" of docs/algorithms.md in words; the captions are next to the steps (boruvka_story.cpp).
inline constexpr std::array kBoruvkaLines{
    POLLARD_TEACH("in each tile: every pixel leads to its highest neighbour, and so up to a maximum"),
    POLLARD_TEACH("    in rounds: every component is joined to another along the highest edge out of it;"),
    POLLARD_TEACH("    if that edge leaves the tile, the component waits"),
    POLLARD_TEACH("list the edges that may join components that wait"),
    POLLARD_TEACH("in rounds: every component of the picture is joined along the highest edge out of it"),
    POLLARD_TEACH("a pixel's branch: from its maximum on, through all joins that are not lower than the pixel"),
    POLLARD_TEACH("sort the pixels by branch and level"),
    POLLARD_TEACH("pixels of one branch and one level are a run"),
    POLLARD_TEACH("the lowest run of a branch hangs on the run of its saddle, or is part of it"),
    POLLARD_TEACH("a run's pixels point to its first; that one to the first of the run below"),
};

} // namespace pollard::teach
