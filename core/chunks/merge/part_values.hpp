#pragma once

#include "base/buffer.hpp"
#include "chunks/part_job.hpp"
#include "chunks/summaries.hpp"
#include "filter/filter_columns.hpp"
#include "filter/filter_spec.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace pollard {

/// Values of the nodes of a part that depend on their ancestors, see ValueNeeds. They are passed down from the whole
/// image, before PartResults or with them.
struct PartValues {
    /// Per Prominence the extinction value, as the measure, and the surviving leaf; empty unless the job needs it.
    std::array<Buffer<LeafMeasure>, kMeasures> extinction;
    Buffer<std::uint32_t> depth; ///< edges from the root; empty unless the job needs it
    std::size_t count = 0;
    LeafMeasure lastProminent; ///< see ProminentLeaves::last(); the same for all parts

    static constexpr std::size_t kNoParent = std::numeric_limits<std::size_t>::max();

    PartValues() = default;
    PartValues(const ValueNeeds& needs, std::size_t nodes, const LeafMeasure& last);

    void copy(std::size_t to, const PartValues& from, std::size_t node) noexcept;

    /// Sets the values of a closed node.
    /// @param parent kNoParent for the root @param own LeafMeasure of the node for a Prominence
    template <class Own> void close(std::size_t node, std::size_t parent, Own&& own) noexcept {
        for (const Prominence measure : kAllProminences) {
            Buffer<LeafMeasure>& column = extinction[static_cast<std::size_t>(measure)];
            if (!column.empty()) {
                const LeafMeasure best = own(measure);
                const bool survives = parent != kNoParent && column[parent].leaf == best.leaf;
                column[node] = survives ? column[parent] : best;
            }
        }
        if (!depth.empty()) {
            depth[node] = parent == kNoParent ? 0 : depth[parent] + 1;
        }
    }
};

/// @throws Error(invalidArgument) unless there are values of @p count nodes
void requireValues(const PartValues& values, std::size_t count);

/// The criteria, and FilterSpec::prominent, that depend on the ancestors of a node.
class AncestorCriteria {
public:
    explicit AncestorCriteria(const PartJob& job);

    /// Whether a node meets all criteria of the filter, exactly as decideNodes() decides in the whole tree.
    /// @param others whether it meets the other criteria, see meetsCriteria()
    [[nodiscard]] bool meet(bool others, const PartValues& values, std::size_t node) const noexcept;

private:
    struct Bounds {
        std::optional<Prominence> measure; ///< unset: the depth
        CriterionBounds<std::uint64_t> interval;
    };

    std::vector<Bounds> bounds_;
    std::optional<Prominence> prominent_;
    bool all_;
};

// Values and decisions of the nodes of a step that depend on their ancestors. If PartJob::values has any:
// - PartJob::decidesUpwards() is false: from the last step to the first, valuesOf(), decideStep() and resultsOf();
// - it is true: valuesOf() from the last step to the first; then decideStep() from the first to the last, with
//   ChunkTree::decisions() and the decisions of previous steps as inputs; then resultsOf() from the last to the first.

/// Values of all nodes of a step.
/// @param values of the merged part; for the whole image PartValues(job.values, 0, last prominent leaf)
[[nodiscard]] PartValues valuesOf(const PartJob& job, const MergeStep& step, const PartValues& values);

/// Values of the open nodes of each merged part. @param values of all nodes of the step
[[nodiscard]] std::vector<PartValues> valuesOfInputs(const PartJob& job, const MergeStep& step,
                                                     const PartValues& values);

/// Replaces the bits of the closed nodes by bits that take all criteria into account.
/// @param values of all nodes of the step
/// @param inputs PartJob::ruleNeeds() of the open nodes of each merged part; may be empty unless the job
/// decidesUpwards()
/// @return PartJob::ruleNeeds() of the open nodes of the merged part
/// @throws Error(invalidArgument) if an input has another number of nodes than the step
Summaries decideStep(const PartJob& job, const PartValues& values, std::span<const Summaries> inputs, MergeStep& step);

/// Finds the leaves that FilterSpec::prominent chooses. Every leaf of the tree is added once, in any order, with its
/// extinction value: the measure of the component in which it does not survive.
class ProminentLeaves {
public:
    /// @param count of leaves to choose
    explicit ProminentLeaves(std::uint32_t count) : count_(count) {}

    void add(const LeafMeasure& leaf);
    /// Adds the leaves that do not survive in the components of a step, and the last one if it closes the root.
    void add(std::span<const Part* const> parts, const MergeStep& step, Prominence measure);

    /// Adds the leaves of other parts.
    void add(const ProminentLeaves& others);

    /// The last of the chosen leaves in the order of LeafMeasure::isBefore(). If there are no more leaves than the
    /// count, a value that comes after all leaves. A leaf is chosen if it does not come after last().
    [[nodiscard]] LeafMeasure last() const noexcept;

    /// The best of the added leaves, at most the count, in no particular order.
    [[nodiscard]] const std::vector<LeafMeasure>& leaves() const noexcept { return leaves_; }
    /// @param memory that the leaves may take, in bytes @throws Error(outOfMemory) if that is too little
    void requireMemory(std::uint64_t memory) const;

private:
    std::uint32_t count_;
    std::vector<LeafMeasure> leaves_; ///< a heap with the last one on top
};

} // namespace pollard
