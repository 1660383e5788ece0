#pragma once

#include "attributes/attribute.hpp"
#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "tree/component_tree.hpp"

#include <cstdint>
#include <memory>

namespace pollard::cpu {

/// Measures the components of one tree, an attribute at a time. What several attributes share (pixel counts, boxes) is
/// computed once and kept.
///
/// Every attribute costs a few passes over the nodes, some over the pixels too, whatever the depth of the tree:
/// sums over a component are differences of prefix sums, because its nodes are an interval; extremes and depths
/// pass from child to parent or back in the order of the numbers.
class NodeAttributes {
public:
    explicit NodeAttributes(std::shared_ptr<const ComponentTree> tree) : tree_(std::move(tree)) {}

    /// @throws Cancelled, std::bad_alloc
    [[nodiscard]] AttributeColumn compute(AttributeId id, const JobControl& control);

private:
    /// Bounding boxes in pixel coordinates, both ends included.
    struct Boxes {
        Buffer<std::uint32_t> left, top, right, bottom;
    };

    const Buffer<std::uint32_t>& area(const JobControl& control);
    const Boxes& boxes(const JobControl& control);

    Buffer<std::uint32_t> width(const JobControl& control);
    Buffer<std::uint32_t> heightPx(const JobControl& control);
    Buffer<std::uint64_t> bboxArea(const JobControl& control);
    Buffer<double> bboxDiagonal(const JobControl& control);
    Buffer<std::uint16_t> level() const;
    Buffer<std::uint16_t> height() const;
    Buffer<std::uint64_t> volume(const JobControl& control);
    Buffer<double> mean(const JobControl& control);
    Buffer<std::uint32_t> depth() const;
    /// Sum of the grey levels of each component.
    Buffer<std::uint64_t> levelSum(const JobControl& control);

    std::shared_ptr<const ComponentTree> tree_;
    Buffer<std::uint32_t> area_;
    Boxes boxes_;
};

} // namespace pollard::cpu
