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

/// A player's run on a picture with the data to draw it. Immutable.
struct LabRecording {
    const teach::PlayerInfo* player = nullptr;
    teach::PlayerSpec spec;
    std::shared_ptr<const teach::Trace> trace;
    LabTree tree;                       ///< of the picture
    std::vector<teach::GridEdge> edges; ///< indexed by Layer::edge; empty without the layer
};

/// Runs a player. @throws Error like the player and the engine
[[nodiscard]] LabRecording recordLab(const teach::PlayerInfo& player, const teach::LabPicture& picture,
                                     const teach::PlayerSpec& spec);

/// Caption after @p done steps: of the last one, or of the algorithm before the first.
[[nodiscard]] QString captionAt(const LabRecording& recording, std::size_t done);
/// Changes made by the step before the cursor.
[[nodiscard]] std::span<const teach::Change> changesOfLastStep(const teach::TraceCursor& cursor);

} // namespace pollard::vm
