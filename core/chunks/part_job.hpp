#pragma once

#include "base/buffer.hpp"
#include "chunks/chunk_grid.hpp"
#include "chunks/summaries.hpp"
#include "filter/filter_spec.hpp"
#include "image/image.hpp"
#include "image/value_mapping.hpp"
#include "recipe/results/result_tags.hpp"
#include "tree/component_tree.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace pollard {

/// Values of a node that depend on its ancestors, too.
struct ValueNeeds {
    bool depth = false;
    std::array<bool, kMeasures> extinction{}; ///< per Prominence the extinction value and the surviving leaf

    [[nodiscard]] bool any() const noexcept { return depth || std::ranges::find(extinction, true) != extinction.end(); }
    [[nodiscard]] bool has(Prominence measure) const noexcept { return extinction[static_cast<std::size_t>(measure)]; }
};

/// Sums of values of components: offset * pixels + step * sum of levels.
struct ValueSums {
    double offset = 0;
    double step = 1;

    [[nodiscard]] double of(std::uint64_t pixels, std::uint64_t levels) const noexcept {
        return offset * static_cast<double>(pixels) + step * static_cast<double>(levels);
    }
};

/// When to cut the parts of a job that can be cut, see cutPart().
enum class Cut : std::uint8_t { whereShort, always, never };

/// A filter of an image in chunks: all parts, see Part, share one job.
struct PartJob {
    ChunkGrid grid;
    PixelType type = PixelType::u8;
    TreeKind kind = TreeKind::max;
    Connectivity connectivity = Connectivity::four;
    FilterSpec filter; ///< criteria in pixels
    SummaryNeeds needs;
    ValueNeeds values; ///< that the criteria and FilterSpec::prominent need

    /// Whether the rule depends on decisions about descendants that depend on their ancestors: the decisions are made
    /// in a second sweep upwards, see decideStep().
    [[nodiscard]] bool decidesUpwards() const noexcept {
        return values.any() && (filter.rule == Rule::max || filter.rule == Rule::viterbi);
    }
    /// Summaries that the second sweep needs.
    [[nodiscard]] SummaryNeeds ruleNeeds() const noexcept;
    std::vector<AttributeId> measured;               ///< attributes of closed nodes, see measuringJob()
    ResultSamples written = {valueTypeOf(type), {}}; ///< samples of the result, unless it is of labels
    std::optional<ValueSums> sums = {};              ///< if the attribute sum is in values, see measureValues()
    Cut cut = Cut::whereShort;                       ///< no part of the job's text: results are equal

    /// Measures in values, if its attributes need it, as the columns of the whole image are.
    /// @param mapping without ranks
    void measureValues(const std::optional<ValueMapping>& mapping);

    /// Distance of a level from the end of the grey scale at which the root lies; the same in the other direction.
    [[nodiscard]] std::uint16_t height(std::uint16_t level) const noexcept {
        return kind == TreeKind::max ? level : static_cast<std::uint16_t>(maxLevelOf(type) - level);
    }
    [[nodiscard]] std::uint16_t levelAt(std::uint16_t height) const noexcept { return this->height(height); }
};

/// @throws Error(invalidArgument) with chunkProblem() of the filter, or as connectivityIn()
[[nodiscard]] PartJob partJob(const ChunkGrid& grid, PixelType type, TreeKind kind, Connectivity connectivity,
                              FilterSpec filter);

/// Why a filter cannot be applied in chunks: an attribute or a choice that needs the whole tree. Empty if
/// it can.
[[nodiscard]] std::string chunkProblem(const FilterSpec& filter, bool isVolume);

/// Attributes that chunkProblem() allows.
[[nodiscard]] bool isMeasuredInChunks(AttributeId id, bool isVolume) noexcept;

/// The measure of which an attribute is the extinction value; nothing for other attributes.
[[nodiscard]] std::optional<Prominence> measureOf(AttributeId id) noexcept;

/// The attribute of components that a measure of prominence compares where they meet.
[[nodiscard]] AttributeId comparedAttribute(Prominence measure) noexcept;

/// Whether the value of an attribute depends on the ancestors of a node, see ValueNeeds.
[[nodiscard]] bool dependsOnAncestors(AttributeId id) noexcept;

/// Whether the value of an attribute is known when a node of a part is closed.
[[nodiscard]] bool isKnownAtClosing(AttributeId id, bool isVolume) noexcept;

/// A job without a filter that measures closed nodes, see ClosedNodes.
/// @throws Error(invalidArgument) for an attribute that is not known when a node is closed, or as connectivityIn()
[[nodiscard]] PartJob measuringJob(const ChunkGrid& grid, PixelType type, TreeKind kind, Connectivity connectivity,
                                   std::vector<AttributeId> measured);

/// Values of PartJob::measured of a node whose summary is complete, as AttributeColumn::at() has them.
/// @param height of the node @param parentHeight of its parent; the height of the root itself if it has none
void measureNode(const PartJob& job, const Summaries& summaries, std::size_t node, std::uint16_t height,
                 std::uint16_t parentHeight, std::span<double> values);

/// Whether a node whose summary is complete meets the criteria, exactly as decideNodes() decides in the whole tree.
/// Ignores criteria that depend on ancestors, see AncestorCriteria.
/// @param height of the node @param parentHeight of its parent; the height of the root itself if it has none
[[nodiscard]] bool meetsCriteria(const PartJob& job, const Summaries& summaries, std::size_t node, std::uint16_t height,
                                 std::uint16_t parentHeight);

/// Decisions about a closed node that no ancestor can change.
struct NodeBits {
    static constexpr std::uint8_t kKept = 1;  ///< by the rule, as far as it depends on the node and its descendants
    static constexpr std::uint8_t kMeets = 2; ///< the criteria
};

/// Completes the summary of a node all of whose children are closed, and decides on it.
/// @return NodeBits; kMeets alone, without the criteria that depend on ancestors, if there are any
std::uint8_t closeNode(const PartJob& job, Summaries& summaries, std::size_t node, std::uint16_t height,
                       std::uint16_t parentHeight);

/// Decides on a node, all of whose children are closed, by the rule and completes Excess or AnyMeets.
/// @return NodeBits
std::uint8_t decideByRule(Rule rule, bool meets, Summaries& summaries, std::size_t node) noexcept;

/// Joins the summary of a closed node to its parent's. @param from summaries that contain the closed node's
void joinToParent(Summaries& summaries, std::size_t parent, const Summaries& from, std::size_t node) noexcept;

/// Results of a node that depend on its ancestors, too.
struct NodeResult {
    std::uint16_t height = 0;    ///< of its pixels in the filtered image, see PartJob::height()
    std::uint8_t flags = 0;      ///< kStays, kMarked
    std::uint64_t component = 0; ///< first pixel of the maximal kept component that contains it; kNone if there is none

    static constexpr std::uint8_t kStays = 1;  ///< the rule keeps the node
    static constexpr std::uint8_t kMarked = 2; ///< the node is in a kept component
    static constexpr std::uint64_t kNone = FirstPixel::kNone;
};

/// Result of a closed node. @param parent result of its parent; null for the root @param first pixel of the node
[[nodiscard]] NodeResult resultOf(Rule rule, std::uint8_t bits, std::uint16_t height, std::uint64_t first,
                                  std::uint16_t parentHeight, const NodeResult* parent) noexcept;

// A part is a set of chunks with the tree of their pixels; a forest if they are apart. A node is closed if its
// component has no neighbour outside the part: then it is a node of the whole tree, and nothing about it or its
// descendants can change. All other nodes are open. All ancestors of an open node are open.

/// Node per pixel of a SeamLayer of a chunk in a part, whose neighbour in this direction is not in the part.
struct Seam {
    std::uint64_t chunk = 0;
    Direction direction;
    Buffer<std::uint32_t> node; ///< open node that the pixel belongs to

    /// The seam with other nodes. @param nodeOf returns the new node for a node
    template <class NodeOf> [[nodiscard]] Seam renumbered(NodeOf&& nodeOf) const {
        Seam out{chunk, direction, Buffer<std::uint32_t>(node.size())};
        std::ranges::transform(node.span(), out.node.begin(), nodeOf);
        return out;
    }
};

/// The open nodes of a part.
struct Part {
    static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

    Buffer<std::uint16_t> height; ///< see PartJob::height()
    Buffer<std::uint32_t> parent; ///< smaller than the node; kNone without one
    Summaries own;                ///< of the pixels of the node and its closed descendants
    std::vector<Seam> seams;      ///< ascending by chunk and direction

    [[nodiscard]] std::size_t nodeCount() const noexcept { return height.size(); }
    /// Whether it is the whole image: all nodes are closed.
    [[nodiscard]] bool isWhole() const noexcept { return seams.empty(); }
    [[nodiscard]] std::size_t bytes() const noexcept;
};

/// Record of a merge of parts: the tree of their open nodes, in the order of their heights.
struct MergeStep {
    Buffer<std::uint16_t> height;
    Buffer<std::uint32_t> parent;   ///< smaller than the node; Part::kNone without one
    Buffer<std::uint8_t> bits;      ///< NodeBits of closed nodes
    Buffer<std::uint32_t> openNode; ///< node of the merged part; Part::kNone for closed ones
    Buffer<std::uint64_t> first;    ///< FirstPixel of closed nodes if the job needs it; else empty
    /// Per Prominence BestLeaf if the job needs it; else empty.
    std::array<Buffer<LeafMeasure>, kMeasures> leaves;
    Buffer<double> values;                          ///< PartJob::measured of each closed node
    std::vector<Buffer<std::uint32_t>> nodeOfInput; ///< per merged part, for each of its open nodes

    [[nodiscard]] std::size_t nodeCount() const noexcept { return height.size(); }
    [[nodiscard]] std::size_t bytes() const noexcept;
};

/// Results of the open nodes of a part.
struct PartResults {
    Buffer<std::uint16_t> height;
    Buffer<std::uint8_t> flags;
    Buffer<std::uint64_t> component; ///< empty unless the job labels components

    PartResults() = default;
    PartResults(std::size_t count, bool withComponents)
        : height(count), flags(count), component(withComponents ? count : 0) {}

    [[nodiscard]] NodeResult at(std::size_t node) const noexcept {
        return {height[node], flags[node], component.empty() ? NodeResult::kNone : component[node]};
    }
    void set(std::size_t node, const NodeResult& result) noexcept {
        height[node] = result.height;
        flags[node] = result.flags;
        if (!component.empty()) {
            component[node] = result.component;
        }
    }
};

/// @throws Error(invalidArgument) unless there are @p count results
void requireResults(const PartResults& results, std::size_t count);

} // namespace pollard
