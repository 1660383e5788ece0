#pragma once

#include "lab_tree.hpp"

#include "players/player.hpp"
#include "trace/trace.hpp"

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace pollard::vm {

/// A player's run on a picture, and what is needed to draw it. Nothing in it changes.
struct LabRecording {
    const teach::PlayerInfo* player = nullptr;
    teach::PlayerSpec spec;
    std::shared_ptr<const teach::Trace> trace;
    LabTree tree;                                               ///< of the picture
    std::vector<std::pair<std::uint32_t, std::uint32_t>> edges; ///< that Layer::edge counts; empty without the layer
};

/// Runs a player. @throws Error as the player and the engine do
[[nodiscard]] LabRecording recordLab(const teach::PlayerInfo& player, const teach::LabPicture& picture,
                                     const teach::PlayerSpec& spec);

} // namespace pollard::vm
