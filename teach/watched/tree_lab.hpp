#pragma once

#include "cuda/device/levels.hpp"
#include "cuda/published/kept_edges.hpp"
#include "cuda/published/link_record.hpp"
#include "cuda/published/seam.hpp"
#include "player/player.hpp"
#include "trace/grid_edges.hpp"
#include "trace/trace_recorder.hpp"
#include "watched/virtual_threads.hpp"

#include <cstdint>
#include <vector>

namespace pollard::teach {

/// Common part of the players of the GPU's published max-trees: an image, its trace, threads.
class TreeLab {
public:
    /// The arguments must outlive this. @throws Error if they are outside the limits of players
    TreeLab(const LabImage& picture, const PlayerSpec& spec);

    [[nodiscard]] const LabImage& picture() const noexcept { return picture_; }
    [[nodiscard]] const std::vector<GridEdge>& edges() const noexcept { return edges_; }
    [[nodiscard]] TraceRecorder& trace() noexcept { return trace_; }
    /// They take turns as in the spec.
    [[nodiscard]] VirtualThreads& threads() noexcept { return threads_; }
    [[nodiscard]] std::uint32_t threadCount() const noexcept { return threads_.count(); }

    /// The levels in the order of the algorithm: complemented for a min-tree.
    [[nodiscard]] cuda::LevelView<std::uint16_t> image() const noexcept { return {levels_.data(), 0}; }
    [[nodiscard]] cuda::BoundaryRule rule() const noexcept { return rule_; }

    /// Shows a link; a pixel without one points to itself.
    void showLink(std::uint32_t pixel, cuda::PixelRecord::Word parent);
    /// Marks the edges of a seam that cannot change the tree, in a step of its own if there are any.
    /// @param text %1: their number, %2: number of all edges
    void leaveOut(const cuda::SeamPositions& seam, const StepText& text);
    /// Replaces joined links by canonical parents: one step per pixel whose parent changes, then the last one.
    /// @param text %1: thread, %2: pixel, %3: its parent
    void flatten(std::vector<cuda::PixelRecord::Word>& links, const StepText& text, const StepText& end);

    /// The trace up to the end of the choices by hand.
    [[nodiscard]] Trace offerChoices();

private:
    const LabImage& picture_;
    std::vector<std::uint16_t> levels_;
    std::vector<GridEdge> edges_;
    cuda::BoundaryRule rule_;
    TraceRecorder trace_;
    VirtualThreads threads_;
};

} // namespace pollard::teach
