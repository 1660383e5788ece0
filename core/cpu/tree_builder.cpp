#include "cpu/tree_builder.hpp"

#include "cpu/branch_nodes.hpp"
#include "cpu/branch_runs.hpp"
#include "cpu/node_numbering.hpp"
#include "cpu/tile_nodes.hpp"

#include <new>
#include <string>
#include <utility>

namespace pollard::cpu {

namespace {

ComponentTree build(const Image& image, const TreeSpec& spec, const JobControl& control, StageTimer& timer) {
    const bool minTree = spec.kind == TreeKind::min;
    const bool eight = spec.connectivity == Connectivity::eight;
    BranchRuns runs = buildTileTrees(image, minTree, eight, TileParts::islands, control);
    timer.finish("tiles");
    control.report(0.45, "seams");
    joinSeams(runs, image, minTree, eight, control);
    timer.finish("seams");
    control.report(0.5, "nodes");
    BranchNodes nodes = collectNodes(runs, control);
    timer.finish("nodes");
    control.report(0.75, "numbering");

    ComponentTree tree;
    tree.kind = spec.kind;
    tree.connectivity = spec.connectivity;
    tree.pixelType = image.type();
    tree.width = image.width();
    tree.height = image.height();
    const std::uint16_t flip = minTree ? maxLevelOf(image.type()) : std::uint16_t{0};
    const NodeNumbers numbers = numberNodes(nodes, runs, flip, tree, control);
    timer.finish("numbering");
    control.report(0.92, "pixels");
    writeTiles(runs, nodes.ofRun, numbers, flip, tree, control);
    timer.finish("pixels");
    control.report(1.0, "pixels");
    return tree;
}

} // namespace

ComponentTree buildComponentTree(const Image& image, const TreeSpec& spec, const JobControl& control,
                                 StageTimer& timer) {
    try {
        return build(image, spec, control, timer);
    } catch (const std::bad_alloc&) {
        throw noMemoryFor(image);
    }
}

Error noMemoryFor(const Image& image) {
    return {ErrorCode::outOfMemory,
            "tree of " + std::to_string(image.width()) + " x " + std::to_string(image.height()) + " px: about " +
                std::to_string(estimateTreeBytes(image) >> 20) + " MiB of memory needed, not available"};
}

std::uint64_t estimateTreeBytes(const Image& image) noexcept {
    // With n pixels there are at most n runs, n nodes and n / 2 branches; all at once only in an image without islands,
    // whose nodes take less. The peak is in numberNodes(): 4 n for pixel -> run, 4 n for run -> node, 32 bytes per
    // node, 32 bytes per branch. Photographs need less than half of it.
    return 56 * std::uint64_t{image.pixelCount()} + (1U << 20);
}

} // namespace pollard::cpu
