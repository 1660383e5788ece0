#pragma once

#include "cuda/boruvka/branch_build.hpp"
#include "player/player.hpp"
#include "trace/grid_edges.hpp"
#include "trace/trace_recorder.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace pollard::teach {

/// Records a build of `boruvka` as steps of a trace. Pixels are numbered as in the build, from the last one of the
/// image.
///
/// Layer::parent of a maximum shows the component that its own is joined to, until nodes have their parents;
/// Layer::number shows a pixel's component (numbered in the order of the maxima), then its branch, its place among the
/// sorted pixels, and its run.
class BoruvkaStory {
public:
    /// The image must outlive this.
    BoruvkaStory(const LabImage& picture, Connectivity connectivity, std::uint32_t tileSide);

    /// Each pixel of a tile leads to a maximum.
    void ascend(std::uint32_t tile, std::span<const std::uint32_t> pixels, std::span<const std::uint32_t> maxima);
    /// A join of a component, given by its maximum, to another.
    struct Hook {
        std::uint32_t component, to, saddle, beyond; ///< the edge leads from the saddle to the pixel beyond
    };
    void hookInTile(std::uint32_t tile, std::span<const Hook> hooks);
    /// The components of the tile, by their maxima, that wait for other tiles.
    void waitForTiles(std::uint32_t tile, std::span<const std::uint32_t> components);
    void listEdges(std::span<const std::uint64_t> keys);
    /// A round over the whole image; components are numbered in the order of waitForTiles().
    void hookInImage(const cuda::FrozenComponents& components);
    void showBranches(std::span<const std::uint32_t> branchOfPixel);
    void showOrder(std::span<const std::uint32_t> sorted);
    // From here on pixels are numbered as in the image.
    void showRuns(std::span<const std::uint32_t> runOfPixel, std::span<const std::uint32_t> firstPixelOfRun);
    /// A branch, by the first pixel of its lowest run, is attached to the node of @p node; the root's branch to itself.
    void attach(std::uint32_t branch, std::uint32_t lowest, std::uint32_t node, bool isAlias);
    void writeParents(std::span<const std::uint32_t> parents);

    [[nodiscard]] Trace end();

private:
    [[nodiscard]] std::uint32_t imagePixel(std::uint32_t pixel) const noexcept { return last_ - pixel; }
    [[nodiscard]] std::size_t edgeOf(const Hook& hook) const {
        return edgeBetween(edges_, imagePixel(hook.saddle), imagePixel(hook.beyond));
    }
    /// A join along an edge of the image.
    [[nodiscard]] Hook hookAlong(std::uint64_t key, std::uint32_t component, std::uint32_t to) const;
    void showComponents();
    void showHook(const StepText& text, const Hook& hook);

    const LabImage& picture_;
    std::uint32_t last_; ///< pixel
    std::vector<GridEdge> edges_;
    TraceRecorder trace_;
    std::vector<std::uint32_t> maximumOf_;   ///< per pixel: the maximum it leads to
    std::vector<std::uint32_t> componentOf_; ///< per maximum: number of its component
    std::uint32_t components_ = 0;
    std::vector<std::uint32_t> into_;      ///< per maximum: the component that its own is joined to; itself before
    std::vector<std::uint32_t> waiting_;   ///< per component that waits for other tiles: its maximum
    std::vector<std::uint8_t> hooked_;     ///< per waiting component: joined to another
    std::vector<std::uint32_t> canonical_; ///< per run
    std::vector<std::vector<std::uint32_t>> pixelsOfRun_;
    std::uint32_t tiles_ = 0;
    std::uint32_t tileRound_ = 0;
    std::uint32_t round_ = 0;
};

} // namespace pollard::teach
