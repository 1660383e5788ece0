#pragma once

#include "attributes/attribute.hpp"
#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "cpu/attributes/moments.hpp"
#include "cpu/attributes/outline.hpp"
#include "cpu/attributes/sizes.hpp"
#include "tree/component_tree.hpp"
#include "tree/pixel_list.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

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
        NodeSums sums; ///< until the moments of both orders are made of them
        NodeMoments moments;
        NodeThirdMoments thirdMoments;
        NodeOutlines outlines;
    };

    const Buffer<std::uint32_t>& own(const JobControl& control);
    const Buffer<std::uint32_t>& area(const JobControl& control);
    const PixelList& pixels(const JobControl& control);
    const Buffer<NodeBox>& boxes(const JobControl& control);
    const Buffer<std::uint64_t>& levelSum(const JobControl& control);
    const NodeSums& sums(const JobControl& control);
    const NodeMoments& moments(const JobControl& control);
    const NodeThirdMoments& thirdMoments(const JobControl& control);
    const NodeOutlines& outlines(const JobControl& control);

    /// Gives the memory of the sums to the columns to come once nothing else is to be made of them.
    void retireSums();
    template <class T> Buffer<T> freshBuffer();

    void fill(AttributeColumn& column, const JobControl& control);
    /// Stores `value(node)` for every node, and the range.
    template <class T, class Function> void each(AttributeColumn& column, const JobControl& control, Function&& value);
    /// Stores values that are there, and their range.
    template <class T> static void store(AttributeColumn& column, Buffer<T> values);
    template <class T> void copy(AttributeColumn& column, const Buffer<T>& values, const JobControl& control);
    template <class T> Buffer<T> duplicate(const Buffer<T>& values, const JobControl& control) const;
    template <std::size_t Axis> void centroids(AttributeColumn& column, const JobControl& control);
    template <class Formula> void ofMoments(AttributeColumn& column, const JobControl& control, Formula&& formula);
    template <class Formula> void ofThirdMoments(AttributeColumn& column, const JobControl& control, Formula&& formula);
    template <class T, class Function>
    void ofOutlines(AttributeColumn& column, const JobControl& control, Function&& value);

    std::shared_ptr<const ComponentTree> tree_;
    Shared shared_;
    /// Memory that has served, for columns of doubles: fresh memory costs more than the arithmetic.
    std::vector<Buffer<double>> spare_;
};

} // namespace pollard::cpu
