#pragma once

#include "vm/lab/lab_tree.hpp"

#include "player/player.hpp"
#include "trace/grid_edges.hpp"
#include "trace/trace.hpp"
#include "trace/trace_cursor.hpp"

#include <QString>

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace pollard::vm {

/// A player's run on a picture, and what is needed to draw it. Nothing in it changes.
struct LabRecording {
    const teach::PlayerInfo* player = nullptr;
    teach::PlayerSpec spec;
    std::shared_ptr<const teach::Trace> trace;
    LabTree tree;                       ///< of the picture
    std::vector<teach::GridEdge> edges; ///< that Layer::edge counts; empty without the layer
};

/// Runs a player. @throws Error as the player and the engine do
[[nodiscard]] LabRecording recordLab(const teach::PlayerInfo& player, const teach::LabPicture& picture,
                                     const teach::PlayerSpec& spec);

/// What is said after so many steps: of the last one, or of the algorithm before the first.
[[nodiscard]] QString captionAt(const LabRecording& recording, std::size_t done);
/// What the step before the cursor has changed.
[[nodiscard]] std::span<const teach::Change> changesOfLastStep(const teach::TraceCursor& cursor);

} // namespace pollard::vm
