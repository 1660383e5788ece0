#pragma once

#include "trace/text.hpp"

#include <array>

namespace pollard::teach {

/// "rims" of docs/algorithms.md in words; the captions are next to the steps (rim_story.cpp).
inline constexpr std::array kRimLines{
    POLLARD_TEACH("in each block of threads: build the tree of a tile, from its columns"),
    POLLARD_TEACH("    the rim: nodes that edges to other tiles lead to, and their ancestors; each gets a slot"),
    POLLARD_TEACH("list the edges between tiles that matter"),
    POLLARD_TEACH("in each thread: connect the slots of its share of the edges, by atomic maxima"),
    POLLARD_TEACH("connected slots of one level: one is the root, and holds their last pixel"),
    POLLARD_TEACH("each slot: the canonical pixels of its node and of the node above"),
    POLLARD_TEACH("each pixel: its parent, from its tile if that is final, else from a slot"),
};

} // namespace pollard::teach
