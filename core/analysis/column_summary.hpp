#pragma once

#include "analysis/bins.hpp"
#include "attributes/attribute.hpp"
#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "image/image.hpp"
#include "image/mask.hpp"
#include "tree/component_tree.hpp"
#include "tree/node_set.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace pollard {

/// Values of a set of nodes as a column, in the order of the set, with their own range.
/// @param set nodes of the column's tree
/// @throws Cancelled
[[nodiscard]] AttributeColumn columnOfNodes(const AttributeColumn& column, const NodeSet& set,
                                            const JobControl& control = {});

/// Statistics of a column's values except NaN; all 0 without values.
struct ColumnSummary {
    std::uint64_t count = 0;   ///< values other than NaN
    std::uint64_t missing = 0; ///< NaN
    double sum = 0;
    double mean = 0;
    double deviation = 0; ///< population standard deviation
    double minimum = 0;
    double median = 0; ///< mean of the middle two for an even count
    double maximum = 0;
};

/// Computes the statistics. O(n).
/// @throws Cancelled
[[nodiscard]] ColumnSummary summarise(const AttributeColumn& column, const JobControl& control = {});

/// Number of nodes of a tree per bin of an attribute.
struct AttributeHistogram {
    AttributeId attribute = AttributeId::area;
    Bins bins;
    std::vector<std::uint64_t> counts; ///< nodes per bin
    std::uint64_t below = 0;           ///< nodes below the first edge; on a log scale including values <= 0
    std::uint64_t above = 0;           ///< nodes above the last edge
    std::uint64_t nan = 0;             ///< nodes with value NaN

    bool operator==(const AttributeHistogram&) const = default;
};

/// Counts the nodes of a column, including the root. On a linear scale, bins of integral attributes are at least 1
/// wide, so there may be fewer bins than requested. O(nodes), parallel; independent of the number of threads.
/// @throws Error(invalidArgument) as makeBins(); Cancelled
[[nodiscard]] AttributeHistogram attributeHistogram(const AttributeColumn& column, const BinSpec& spec,
                                                    const JobControl& control = {});

/// Bins of a histogram over this range of values (for log bins of the values above 0).
/// @param integral whether the values are whole numbers
/// @throws Error(invalidArgument) as makeBins()
[[nodiscard]] Bins histogramBins(bool integral, const BinSpec& spec, const ColumnRange& range);

/// Histogram of all values of a column in @p bins bins between its smallest and largest value.
[[nodiscard]] inline AttributeHistogram attributeHistogram(const AttributeColumn& column, std::uint32_t bins,
                                                           BinScale scale, const JobControl& control = {}) {
    return attributeHistogram(column, BinSpec{.count = bins, .scale = scale, .low = {}, .high = {}}, control);
}

/// Means of an image, such as another channel, over the components of a tree.
class ComponentMeans {
public:
    /// @param valid pixels of the image that count; null for all. The mean of a component without such pixels is 0.
    /// @throws Error(invalidArgument) if the image or @p valid has another size than the tree; std::bad_alloc,
    /// Cancelled
    ComponentMeans(std::shared_ptr<const ComponentTree> tree, const Image& image, const Mask* valid = nullptr,
                   const JobControl& control = {});

    /// At each pixel the mean over the smallest kept component that contains it, rounded half up to a level. The root
    /// counts as kept.
    /// @param keep decision per node
    /// @param out image of the type and size of the measured image
    /// @throws Error(invalidArgument) for another number of nodes, or another image; Cancelled
    void paint(std::span<const std::uint8_t> keep, Image& out, const JobControl& control = {}) const;

private:
    std::shared_ptr<const ComponentTree> tree_;
    PixelType type_;
    Buffer<std::uint16_t> mean_; ///< per node
};

} // namespace pollard
