#pragma once

#include "attributes/attribute.hpp"
#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "cpu/attributes/moments.hpp"
#include "cpu/attributes/outline.hpp"
#include "cpu/attributes/pixel_list.hpp"
#include "cpu/attributes/sizes.hpp"
#include "tree/component_tree.hpp"

#include <cstdint>
#include <memory>

namespace pollard::cpu {

/// Measures the components of one tree, an attribute at a time. What several attributes share (pixel counts, boxes,
/// moments ...) is computed once and kept.
///
/// Every attribute costs a few passes over the nodes, some over the pixels too, whatever the depth of the tree: values
/// pass from child to parent or back in the order of the numbers (tree_sweeps.hpp).
class NodeAttributes {
public:
    explicit NodeAttributes(std::shared_ptr<const ComponentTree> tree) : tree_(std::move(tree)) {}

    /// Runs in the calling thread's oneTBB arena. What is kept stays usable when it throws.
    /// @throws Error(outOfMemory) if the estimate exceeds what there is, Cancelled, std::bad_alloc
    [[nodiscard]] AttributeColumn compute(AttributeId id, const JobControl& control);

    /// Upper bound of the bytes that compute() would take now at its peak, the column and what is kept included.
    [[nodiscard]] std::uint64_t estimateBytes(AttributeId id) const noexcept;

private:
    /// What is kept, each part from the first time that it is needed.
    struct Shared {
        Buffer<std::uint32_t> own; ///< pixels of exactly the node's level
        Buffer<std::uint32_t> area;
        PixelList pixels;
        Buffer<NodeBox> boxes;
        Buffer<std::uint64_t> levelSum;
        NodeMoments moments;
        NodeThirdMoments thirdMoments;
        NodeOutlines outlines;
    };

    const Buffer<std::uint32_t>& own(const JobControl& control);
    const Buffer<std::uint32_t>& area(const JobControl& control);
    const PixelList& pixels(const JobControl& control);
    const Buffer<NodeBox>& boxes(const JobControl& control);
    const Buffer<std::uint64_t>& levelSum(const JobControl& control);
    const NodeMoments& moments(const JobControl& control);
    const NodeThirdMoments& thirdMoments(const JobControl& control);
    const NodeOutlines& outlines(const JobControl& control);

    void fill(AttributeColumn& column, const JobControl& control);
    /// A column of `value(node)` for every node.
    template <class T, class Function> Buffer<T> each(const JobControl& control, Function&& value) const;
    template <class T> Buffer<T> copy(const Buffer<T>& values, const JobControl& control) const;
    Buffer<double> copy(const DoublesInPlace& values, const JobControl& control) const;
    template <class Formula> Buffer<double> ofMoments(const JobControl& control, Formula&& formula);
    template <class Formula> Buffer<double> ofThirdMoments(const JobControl& control, Formula&& formula);
    template <class T, class Function> Buffer<T> ofOutlines(const JobControl& control, Function&& value);

    std::shared_ptr<const ComponentTree> tree_;
    Shared shared_;
};

} // namespace pollard::cpu
