#include "player/lab_tree.hpp"

#include "cpu/cpu_engine.hpp"
#include "engine/engine.hpp"
#include "player/player.hpp"

namespace pollard::teach {

LabTree::LabTree(const LabImage& image, const PlayerSpec& spec)
    : image_((requireLab(image), std::make_shared<const Image>(imageOf(image)))),
      session_(makeCpuEngine()->openSession({1})) {
    session_->open(image_);
    TreeSpec treeSpec;
    treeSpec.kind = spec.kind;
    treeSpec.connectivity = spec.connectivity;
    session_->buildTree(treeSpec);
    tree_ = session_->tree();
    own_.resize(tree_->nodeCount());
    for (std::uint32_t p = 0; p < tree_->pixelCount(); ++p) {
        own_[tree_->pixelNode[p]].push_back(p);
    }
}

LabTree::~LabTree() = default;

std::shared_ptr<const AttributeColumn> LabTree::attribute(AttributeId id) const { return session_->attribute(id); }

FilterColumns LabTree::columns(const FilterSpec& filter) const {
    return columnsOf(filter, [this](AttributeId id) { return attribute(id); });
}

std::vector<std::int64_t> LabTree::filtered(const FilterSpec& filter) const {
    Image out(image_->type(), image_->width(), image_->height());
    session_->filter(filter, out);
    const auto levels = out.pixels<std::uint16_t>();
    return {levels.begin(), levels.end()};
}

void LabTree::show(TraceRecorder& trace) const {
    const Buffer<std::uint32_t> parents = canonicalParentImage(*tree_);
    trace.setUp(Layer::parent, std::vector<std::int64_t>(parents.begin(), parents.end()));
    trace.setUp(Layer::mark, parents.size());
}

void LabTree::mark(TraceRecorder& trace, std::size_t node, std::size_t other) const {
    trace.clearMarks();
    trace.set(tree_->canonical[other], Mark::other);
    for (const std::uint32_t p : own_[node]) {
        trace.set(p, Mark::active);
    }
}

} // namespace pollard::teach
