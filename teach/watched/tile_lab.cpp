#include "watched/tile_lab.hpp"

#include "cuda/published/link_record.hpp"
#include "player/player.hpp"
#include "trace/trace.hpp"

namespace pollard::teach {
namespace {

const LabImage& checked(const LabImage& image) {
    requireLab(image);
    return image;
}

const PlayerSpec& checked(const PlayerSpec& spec) {
    requireThreads(spec);
    return spec;
}

} // namespace

TreeLab::TreeLab(const LabImage& image, const PlayerSpec& spec)
    : image_(checked(image)), levels_(orderedLevels(image, spec.kind)),
      edges_(gridEdges(image.width, image.height, spec.connectivity)), rule_{spec.connectivity == Connectivity::eight,
                                                                             true},
      trace_(image), threads_(checked(spec)) {
    trace_.setUp(Layer::parent, levels_.size());
    trace_.setUp(Layer::mark, levels_.size());
    trace_.setUp(Layer::edge, edges_.size());
    trace_.setUp(Layer::thread, threadCount());
    trace_.setUp(Layer::partner, threadCount());
}

void TreeLab::showLink(std::uint32_t pixel, cuda::PixelRecord::Word parent) {
    trace_.set(Layer::parent, pixel, parent == cuda::PixelRecord::kNone ? pixel : cuda::PixelRecord::index(parent));
}

void TreeLab::skipEdges(const cuda::SeamPositions& seam, const StepText& text) {
    std::vector<std::size_t> superfluous;
    std::size_t all = 0;
    for (std::uint64_t number = 0; number < seam.count(); ++number) {
        const std::uint32_t kept = lookAtSeam(ordered(), seam, rule_, number).kept;
        cuda::SeamPosition at = lookAtSeam(ordered(), seam, {rule_.eight, false}, number);
        while (at.kept != 0) {
            const std::uint32_t edgesBefore = at.kept;
            const cuda::EdgeEnds ends = takeEdge(at);
            ++all;
            if ((edgesBefore & ~at.kept & kept) == 0) {
                superfluous.push_back(edgeBetween(edges_, ends.u, ends.v));
            }
        }
    }
    if (superfluous.empty()) {
        return;
    }
    trace_.step(text, {numberValue(static_cast<std::int64_t>(superfluous.size())),
                       numberValue(static_cast<std::int64_t>(all))});
    for (const std::size_t edge : superfluous) {
        trace_.set(edge, EdgeMark::superfluous);
    }
}

void TreeLab::flatten(std::vector<cuda::PixelRecord::Word>& links, const StepText& text, const StepText& end) {
    for (std::uint32_t pixel = 0; pixel < links.size(); ++pixel) {
        const std::uint32_t parent =
            canonicalParent(ordered(), cuda::SamePixels{}, cuda::PixelLinks{links.data()}, pixel);
        if (trace_.at(Layer::parent, pixel) == parent) {
            continue;
        }
        const std::uint32_t thread = pixel % threadCount();
        trace_.step(text, {threadValue(thread), pixelValue(pixel), pixelValue(parent)}, static_cast<int>(thread));
        trace_.clearMarks();
        trace_.set(pixel, Mark::active);
        trace_.set(Layer::parent, pixel, parent);
        trace_.ask();
    }
    trace_.step(end);
    trace_.clearMarks();
}

Trace TreeLab::offerChoices() {
    trace_.offer(threads_.waiting());
    return trace_.take();
}

} // namespace pollard::teach
