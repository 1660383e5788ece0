#pragma once

#include "attributes/attribute.hpp"
#include "attributes/grey_values.hpp"
#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "cpu/attributes/moments.hpp"
#include "cpu/attributes/sizes.hpp"
#include "cpu/attributes/volume_shapes.hpp"
#include "image/value_mapping.hpp"
#include "tree/component_tree.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace pollard::cpu {

/// Measures the components of a tree, one attribute at a time. Intermediate results shared by attributes (pixel counts,
/// boxes, moments ...) are computed once and kept.
///
/// Every attribute takes a few passes over the nodes, and some over the pixels, independent of the tree's depth: values
/// pass from child to parent or back in the order of indices (tree_sweeps.hpp).
class NodeAttributes {
public:
    /// @param mapping of the levels, for columns with isColumnInValues(); unset if levels are values
    explicit NodeAttributes(std::shared_ptr<const ComponentTree> tree, std::optional<ValueMapping> mapping = {})
        : tree_(std::move(tree)), mapping_(std::move(mapping)) {}

    /// Runs in the calling thread's oneTBB arena. Intermediate results stay valid if it throws.
    /// @throws Error(invalidArgument), see requireMeasured(), and for Euler numbers with 18 neighbours;
    /// Error(outOfMemory) if the estimate exceeds the available memory, Cancelled, std::bad_alloc
    [[nodiscard]] AttributeColumn compute(AttributeId id, const JobControl& control);

    /// Upper bound of the peak memory of compute() in bytes, including the column and new intermediate results.
    [[nodiscard]] std::uint64_t estimateBytes(AttributeId id) const noexcept;

private:
    /// Intermediate results, each computed on first use.
    struct Shared {
        Buffer<std::uint32_t> own; ///< pixels at the node's level
        Buffer<std::uint32_t> area;
        PixelList pixels;
        Buffer<NodeBox> boxes;
        Buffer<std::uint64_t> levelSum;
        NodeSums sums; ///< until the moments of both orders are computed
        NodeMoments moments;
        NodeThirdMoments thirdMoments;
        Buffer<std::uint64_t> outlines;
        Buffer<BorderSums> borders;
        // Volumes only:
        Buffer<VolumeBox> volumeBoxes;
        NodeVolumeSums volumeSums;
        Buffer<PrincipalMoments> principalMoments;
        Buffer<VolumeOutline> volumeOutlines;
    };

    const Buffer<std::uint32_t>& own(const JobControl& control);
    const Buffer<std::uint32_t>& area(const JobControl& control);
    const PixelList& pixels(const JobControl& control);
    const Buffer<NodeBox>& boxes(const JobControl& control);
    const Buffer<std::uint64_t>& levelSum(const JobControl& control);
    const NodeSums& sums(const JobControl& control);
    const NodeMoments& moments(const JobControl& control);
    const NodeThirdMoments& thirdMoments(const JobControl& control);
    const Buffer<std::uint64_t>& outlines(const JobControl& control);
    const Buffer<BorderSums>& borders(const JobControl& control);
    const Buffer<VolumeBox>& volumeBoxes(const JobControl& control);
    const NodeVolumeSums& volumeSums(const JobControl& control);
    const Buffer<PrincipalMoments>& principalMoments(const JobControl& control);
    const Buffer<VolumeOutline>& volumeOutlines(const JobControl& control);

    /// Moves the memory of the sums to spare_ when both orders of moments are computed.
    void retireSums();
    template <class T> Buffer<T> freshBuffer();

    void fill(AttributeColumn& column, const JobControl& control);
    /// As fill(), for an attribute with isColumnInValues().
    void fillValues(AttributeColumn& column, const JobControl& control);
    [[nodiscard]] bool isInValues(AttributeId id) const noexcept { return mapping_ && isColumnInValues(id, *mapping_); }
    /// Stores `value(node)` for every node, and their range.
    template <class T, class Function> void each(AttributeColumn& column, const JobControl& control, Function&& value);
    /// Stores computed values and their range.
    template <class T> static void store(AttributeColumn& column, Buffer<T> values);
    template <class T> Buffer<T> valuesOf(AttributeId id, const JobControl& control);
    template <class Input> auto input(const JobControl& control);
    /// An attribute without a formula has a pass of its own: calls row(Needs<inputs ...>, bytes of scratch memory for a
    /// tree, its computation) with the row of the attribute, if it has one.
    template <class Row> static void visitPass(AttributeId id, Row&& row);

    std::shared_ptr<const ComponentTree> tree_;
    std::optional<ValueMapping> mapping_;
    Shared shared_;
    /// Memory to reuse for columns of doubles: fresh memory costs more than the arithmetic.
    std::vector<Buffer<double>> spare_;
};

} // namespace pollard::cpu
