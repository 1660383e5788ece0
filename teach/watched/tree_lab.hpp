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

/// What the players of the GPU's published max-trees have in common: a picture, its trace, threads.
class TreeLab {
public:
    /// Both must outlive this. @throws Error if they are outside of what players take
    TreeLab(const LabPicture& picture, const PlayerSpec& spec);

    [[nodiscard]] const LabPicture& picture() const noexcept { return picture_; }
    [[nodiscard]] const std::vector<GridEdge>& edges() const noexcept { return edges_; }
    [[nodiscard]] TraceRecorder& trace() noexcept { return trace_; }
    /// They take turns as the spec says.
    [[nodiscard]] VirtualThreads& threads() noexcept { return threads_; }
    [[nodiscard]] std::uint32_t threadCount() const noexcept { return threads_.count(); }

    /// As the algorithms see it: of a min-tree with its levels turned.
    [[nodiscard]] cuda::LevelView<std::uint16_t> image() const noexcept { return {levels_.data(), 0}; }
    [[nodiscard]] cuda::BoundaryRule rule() const noexcept { return rule_; }

    /// Shows a link, or that there is none: then the pixel points to itself.
    void showLink(std::uint32_t pixel, cuda::PixelRecord::Word parent);
    /// Marks the edges of a seam that cannot change the tree, in a step of its own if there are any.
    /// @param text %1: how many, %2: of how many
    void leaveOut(const cuda::SeamPositions& seam, const StepText& text);
    /// From joined links to the canonical parents: a step a pixel whose parent changes, then the last one.
    /// @param text %1: thread, %2: pixel, %3: its parent
    void flatten(std::vector<cuda::PixelRecord::Word>& links, const StepText& text, const StepText& end);

    /// The trace as far as the choices by hand go.
    [[nodiscard]] Trace offerChoices();

private:
    const LabPicture& picture_;
    std::vector<std::uint16_t> levels_;
    std::vector<GridEdge> edges_;
    cuda::BoundaryRule rule_;
    TraceRecorder trace_;
    VirtualThreads threads_;
};

} // namespace pollard::teach
