#pragma once

#include "attributes/attribute.hpp"
#include "base/buffer.hpp"
#include "filter/filter_columns.hpp"
#include "player/player.hpp"
#include "trace/trace.hpp"
#include "trace/trace_recorder.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace pollard {
class Session;
}

namespace pollard::teach {

/// The CPU engine's tree of a small image, for players of operations on a tree.
class LabTree {
public:
    LabTree(const LabImage& image, const PlayerSpec& spec);
    ~LabTree();
    LabTree(const LabTree&) = delete;
    LabTree& operator=(const LabTree&) = delete;

    [[nodiscard]] const ComponentTree& tree() const noexcept { return *tree_; }
    [[nodiscard]] std::shared_ptr<const AttributeColumn> attribute(AttributeId id) const;
    [[nodiscard]] FilterColumns columns(const FilterSpec& filter) const;
    /// Filtered level of each pixel, from the engine.
    [[nodiscard]] std::vector<std::int64_t> filtered(const FilterSpec& filter) const;
    /// Pixels at exactly the node's level.
    [[nodiscard]] const std::vector<std::uint32_t>& ownPixels(std::size_t node) const { return own_[node]; }
    [[nodiscard]] Value canonical(std::size_t node) const { return {Value::Kind::pixel, tree_->canonical[node]}; }

    /// Sets up Layer::parent from the tree, and Layer::mark.
    void show(TraceRecorder& trace) const;
    /// Marks the node's own pixels, and the canonical pixel of another node.
    void mark(TraceRecorder& trace, std::size_t node, std::size_t other) const;
    void mark(TraceRecorder& trace, std::size_t node) const { mark(trace, node, node); }

private:
    std::shared_ptr<const Image> image_;
    std::unique_ptr<Session> session_;
    std::shared_ptr<const ComponentTree> tree_;
    std::vector<std::vector<std::uint32_t>> own_;
};

} // namespace pollard::teach
