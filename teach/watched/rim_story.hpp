#pragma once

#include "cuda/rims/rim_forest.hpp"
#include "player/player.hpp"
#include "trace/grid_edges.hpp"
#include "trace/trace_recorder.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace pollard::teach {

/// Records a build by rims as steps of a trace. Layer::number shows the slots.
class RimStory {
public:
    static constexpr std::uint32_t kNoSlot = 0xffffffffU;

    /// The image must outlive this.
    RimStory(const LabImage& picture, Connectivity connectivity, std::uint32_t tileSide);

    struct TilePixel {
        std::uint32_t pixel, parent; ///< the root of the tile's tree is its own parent
        std::uint32_t slot;          ///< of its node, if the pixel is the last of a node with a slot; else kNoSlot
    };
    void buildTile(std::uint32_t tile, std::span<const TilePixel> pixels);
    void listEdges(std::span<const cuda::RimEdge> edges);
    /// Shows the links between slots that have changed since the last call.
    void lookAtLinks(const cuda::SlotRecord::Word* links);
    void settle(const cuda::SlotRecord::Word* links, const std::uint32_t* canonical);
    void name();
    void writeParents(std::span<const std::uint32_t> parents);

    [[nodiscard]] Trace end();

private:
    const LabImage& picture_;
    std::vector<GridEdge> edges_;
    TraceRecorder trace_;
    std::vector<std::uint32_t> pixelOfSlot_;
    std::vector<cuda::SlotRecord::Word> seen_; ///< per slot: its link at the last call
    std::uint32_t tiles_ = 0;
};

} // namespace pollard::teach
