#pragma once

#include "base/error.hpp"
#include "cuda/nodes/climb_team.hpp"
#include "cuda/nodes/filter_steps.hpp"
#include "cuda/tree/ranked_nodes.hpp"
#include "filter/filter_spec.hpp"
#include "image/image.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

namespace pollard::cuda {

/// Indices of a filter's counters.
enum FilterCount : std::size_t { kKeptNodes, kChangedPixels, kUnknownPicks, kProminentLeaves, kFilterCounts };

/// A filter on one tree, in the order of decideNodes(): criteria, forest, prominence, picks to keep, the rule, picks to
/// remove; then the values of each node's pixels. No step follows edges beyond a node's parent: components are
/// intervals of numbers, so running maxima and tables over the numbers (interval_table.hpp) decide containment. O(nodes
/// log nodes), and O(pixels) for labels, for any height.
///
/// @tparam Machine runs the steps: on the device, or sequentially on the host
template <class Machine> class TreeFilterRun {
public:
    template <class T> using Buffer = typename Machine::template Buffer<T>;
    using Column = std::variant<Buffer<std::uint16_t>, Buffer<std::uint32_t>, Buffer<std::int32_t>,
                                Buffer<std::uint64_t>, Buffer<double>>;

    /// @param ranked the nodes by rank, for Rule::viterbi; may be null for other rules
    TreeFilterRun(const NodePlan& plan, std::uint32_t leafCount, const RankedNodes<Buffer<std::uint32_t>>* ranked,
                  const FilterSpec& spec, Machine& machine)
        : plan_(plan), leafCount_(leafCount), ranked_(ranked), spec_(spec), machine_(machine),
          keep_(machine.template make<std::uint8_t>(plan.nodeCount, "a decision")),
          scratch_(machine.template make<std::uint32_t>(entries(), "a decision")),
          counts_(machine.template make<unsigned long long>(kFilterCounts, "counts")) {
        machine.fill(counts_.data(), kFilterCounts, 0);
    }

    /// Decides which nodes are kept.
    /// @param columns attribute of each criterion, in order
    /// @param prominence attribute of FilterSpec::prominent, else null
    /// @param forest meetForest(), on the host; empty without a forest
    /// @throws Error(invalidArgument) if a column or the nodes by rank are missing, or a column has another size
    void decide(std::span<const Column* const> columns, const Column* prominence,
                std::span<const std::uint8_t> forest = {}) {
        if (columns.size() != spec_.criteria.size()) {
            throw Error(ErrorCode::invalidArgument, "filter the tree: " + std::to_string(columns.size()) +
                                                        " columns for " + std::to_string(spec_.criteria.size()) +
                                                        " criteria");
        }
        if (spec_.criteria.empty()) {
            machine_.fill(keep_.data(), nodes(), 1);
        }
        for (std::size_t c = 0; c < columns.size(); ++c) {
            std::visit(
                [&]<class T>(const Buffer<T>& values) {
                    requireSize(values.size());
                    each(DecideNodes<T>{values.data(), boundsOf<T>(spec_.criteria[c]), c == 0,
                                        spec_.match == Match::all, keep_.data()});
                },
                column(columns[c]));
        }
        if (!spec_.forest.trees.empty()) {
            requireSize(forest.size());
            const auto decided = machine_.upload(forest, "the decisions of a forest");
            each(KeepIfForestKeeps{decided.data(), keep_.data()});
        }
        if (spec_.prominent) {
            std::visit([&]<class T>(const Buffer<T>& values) { keepProminent(values); }, column(prominence));
        }
        Buffer<std::uint32_t> removed = reachOfPicks(spec_.removed);
        const bool picked = keepPicked(spec_.removed.empty() ? nullptr : removed.data());
        applyRule(picked);
        if (!spec_.removed.empty()) {
            each(ClearRemoved{removed.data(), keep_.data()});
        }
        if (!spec_.only.empty()) {
            const Buffer<std::uint32_t> only = reachOfPicks(spec_.only);
            each(ClearOutside{only.data(), keep_.data()});
        }
    }

    /// Value of each node's pixels (Output::residue: the value subtracted from the image).
    /// @param pixelsBefore exclusive prefix sum of the nodes' own pixels
    [[nodiscard]] Buffer<std::uint16_t> values(const std::uint32_t* pixelsBefore, std::uint16_t fullLevel) {
        auto value = machine_.template make<std::uint16_t>(nodes(), "the filtered image");
        const bool levels = spec_.output == Output::filtered || spec_.output == Output::residue;
        const bool lowered = spec_.rule == Rule::subtractive;
        {
            auto reach = machine_.template make<std::uint32_t>(nodes(), "kept components");
            machine_.sum(ReachOfKept{keep_.data(), plan_.subtreeEnd, reach.data()}, nodes(),
                         counts_.data() + kKeptNodes);
            if (!lowered || spec_.output == Output::mask) {
                const auto groups = groupsOf(reach.data());
                // Labels need only the count of changed pixels; a mask under Rule::subtractive only the values.
                auto unused = machine_.template make<unsigned long long>(1, "counts");
                machine_.fill(unused.data(), 1, 0);
                machine_.sum(WriteLevels{{plan_.parent, {reach.data(), groups.data(), plan_.nodeCount}},
                                         plan_.level,
                                         keep_.data(),
                                         pixelsBefore,
                                         spec_.output == Output::mask,
                                         fullLevel,
                                         value.data()},
                             nodes(), lowered ? unused.data() : counts_.data() + kChangedPixels);
            }
        }
        if (lowered) {
            lower(pixelsBefore, levels ? value.data() : nullptr);
        }
        if (spec_.output == Output::labels) {
            const Buffer<std::uint32_t> label = labels().first;
            each(WriteLabels{label.data(), fullLevel, value.data()});
        }
        return value;
    }

    /// Per node the label of the maximal kept component that contains it, 0 for none; and their number. Waits.
    [[nodiscard]] std::pair<Buffer<std::uint32_t>, std::uint32_t> labels() {
        auto owner = machine_.template make<std::uint32_t>(nodes(), "labels");
        auto maximal = machine_.template make<std::uint32_t>(entries(), "labels");
        each(ReachOfComponents{keep_.data(), plan_.subtreeEnd, scratch_.data()});
        machine_.inclusiveMaximum(scratch_.data(), nodes());
        machine_.each(IsMaximal{keep_.data(), scratch_.data(), plan_.nodeCount, maximal.data()}, entries());
        machine_.exclusiveSum(maximal.data(), entries());
        each(OwnerOf{scratch_.data(), maximal.data(), owner.data()});
        std::uint32_t count = 0;
        machine_.readBack(&count, maximal.data() + nodes(), 1);
        auto first = machine_.template make<std::uint32_t>(std::max(1U, count), "labels");
        machine_.fill(first.data(), count, 0xff);
        machine_.firstPixels(plan_, owner.data(), first.data());
        auto marks = machine_.template make<std::uint32_t>(plan_.pixelCount(), "labels");
        machine_.fill(marks.data(), plan_.pixelCount(), 0);
        machine_.each(MarkFirst{first.data(), marks.data()}, count);
        machine_.exclusiveSum(marks.data(), plan_.pixelCount());
        each(LabelOf{first.data(), marks.data(), owner.data()});
        return {std::move(owner), count};
    }

    /// Waits for all work and reads the counters.
    void readCounts(unsigned long long (&counts)[kFilterCounts]) {
        machine_.readBack(counts, counts_.data(), kFilterCounts);
    }

private:
    [[nodiscard]] std::size_t nodes() const noexcept { return plan_.nodeCount; }
    [[nodiscard]] std::size_t entries() const noexcept { return nodes() + 1; }
    template <class Step> void each(const Step& step) { machine_.each(step, nodes()); }

    [[nodiscard]] static const Column& column(const Column* column) {
        if (column == nullptr) {
            throw Error(ErrorCode::invalidArgument, "filter the tree: a column is missing");
        }
        return *column;
    }
    void requireSize(std::size_t size) const {
        if (size != nodes()) {
            throw Error(ErrorCode::invalidArgument, "filter the tree: a column has " + std::to_string(size) +
                                                        " values, the tree " + std::to_string(nodes()) + " nodes");
        }
    }

    /// Implements prominentLeaves(): finds the value and the canonical pixel of the last leaf that counts by bisection
    /// over their bits, each step a count; waits in each step.
    template <class T> void keepProminent(const Buffer<T>& values) {
        requireSize(values.size());
        const std::uint32_t wanted = spec_.prominent->count;
        if (wanted >= leafCount_) {
            return; // every component contains a leaf
        }
        if (wanted == 0) {
            machine_.fill(keep_.data(), nodes(), 0);
            return;
        }
        using Key = typename ProminentLeaf<T>::Key;
        constexpr std::uint32_t kAny = std::numeric_limits<std::uint32_t>::max();
        ProminentLeaf<T> last{plan_.subtreeEnd, plan_.canonical, values.data(), 0, kAny};
        for (int bit = std::numeric_limits<Key>::digits; bit-- > 0;) {
            const Key before = last.least;
            last.least = static_cast<Key>(before | Key{1} << bit);
            if (leavesThat(last) < wanted) {
                last.least = before;
            }
        }
        // The smallest canonical pixel that admits enough leaves.
        for (int bit = 32; bit-- > 0;) {
            last.lastCanonical &= ~(1U << bit);
            if (leavesThat(last) < wanted) {
                last.lastCanonical |= 1U << bit;
            }
        }
        each(PlacesOfProminent<T>{last, scratch_.data()});
        machine_.inclusiveMaximum(scratch_.data(), nodes());
        each(RemoveWithoutProminent{scratch_.data(), plan_.subtreeEnd, keep_.data()});
    }
    template <class T> [[nodiscard]] unsigned long long leavesThat(const ProminentLeaf<T>& leaf) {
        unsigned long long* counter = counts_.data() + kProminentLeaves;
        machine_.fill(counter, 1, 0);
        machine_.sum(leaf, nodes(), counter);
        unsigned long long count = 0;
        machine_.readBack(&count, counter, 1);
        return count;
    }

    /// Inclusive running maximum of the picked components' ends; one unused element if there are no picks.
    [[nodiscard]] Buffer<std::uint32_t> reachOfPicks(const std::vector<std::uint32_t>& pixels) {
        if (pixels.empty()) {
            return machine_.template make<std::uint32_t>(1, "picks");
        }
        auto reach = machine_.template make<std::uint32_t>(nodes(), "picks");
        const auto picks = machine_.upload(std::span<const std::uint32_t>(pixels), "picks");
        machine_.fill(reach.data(), nodes(), 0);
        machine_.sum(ReachOfPicks{plan_, picks.data(), reach.data()}, picks.size(), counts_.data() + kUnknownPicks);
        machine_.inclusiveMaximum(reach.data(), nodes());
        return reach;
    }
    /// @return whether scratch_ holds the running maximum of the kept picks' places
    [[nodiscard]] bool keepPicked(const std::uint32_t* removed) {
        if (spec_.kept.empty()) {
            return false;
        }
        const auto picks = machine_.upload(std::span<const std::uint32_t>(spec_.kept), "picks");
        machine_.fill(scratch_.data(), nodes(), 0);
        machine_.sum(KeepPicked{plan_, picks.data(), removed, keep_.data(), scratch_.data()}, picks.size(),
                     counts_.data() + kUnknownPicks);
        machine_.inclusiveMaximum(scratch_.data(), nodes());
        return true;
    }

    void applyRule(bool picked) {
        switch (spec_.rule) {
        case Rule::direct:
        case Rule::subtractive:
            return;
        case Rule::min:
        case Rule::viterbi: {
            // A pruning contains the root, but its own decision comes from the criteria or a pick.
            auto root = machine_.template make<std::uint8_t>(1, "a decision");
            machine_.each(CopyDecision{keep_.data(), root.data()}, 1);
            if (spec_.rule == Rule::viterbi) {
                pruneWithFewestChanges();
                machine_.fill(keep_.data(), 1, 1);
            }
            if (picked) {
                each(KeepAroundPicked{scratch_.data(), plan_.subtreeEnd, keep_.data()});
            }
            each(ReachOfFailures{keep_.data(), plan_.subtreeEnd, scratch_.data()});
            machine_.inclusiveMaximum(scratch_.data(), nodes());
            each(KeepBeyondFailures{scratch_.data(), keep_.data()});
            machine_.each(CopyDecision{root.data(), keep_.data()}, 1);
            return;
        }
        case Rule::max:
            each(PlacesOfSuccess{keep_.data(), scratch_.data()});
            machine_.inclusiveMaximum(scratch_.data(), nodes());
            each(KeepAroundSuccess{scratch_.data(), plan_.subtreeEnd, keep_.data()});
            return;
        }
    }
    void pruneWithFewestChanges() {
        if (ranked_ == nullptr) {
            throw Error(ErrorCode::invalidArgument, "filter the tree: the nodes by rank are missing");
        }
        auto below = machine_.template make<std::uint64_t>(nodes(), "costs");
        machine_.fill(below.data(), nodes(), 0);
        climb(machine_, *ranked_, plan_.parent, PruningLaw{plan_.parent, below.data(), keep_.data()});
    }

    [[nodiscard]] Buffer<std::uint32_t> groupsOf(const std::uint32_t* elements) {
        using Join = Largest<std::uint32_t>;
        auto groups = machine_.template make<std::uint32_t>(std::max<std::size_t>(1, groupEntries(nodes())), "a table");
        const std::uint32_t* from = elements;
        std::uint32_t* to = groups.data();
        for (std::size_t size = nodes() / kGroupSize; size > 0; size /= kGroupSize) {
            machine_.each(JoinGroup<Join>{from, to}, size);
            from = to;
            to += size;
        }
        return groups;
    }

    void lower(const std::uint32_t* pixelsBefore, std::uint16_t* value) {
        auto step = machine_.template make<std::uint32_t>(nodes(), "steps");
        auto running = machine_.template make<std::uint32_t>(entries(), "steps");
        machine_.each(StepFromParent{plan_, keep_.data(), step.data(), running.data()}, entries());
        machine_.scatterAdd(plan_.subtreeEnd, step.data(), nodes(), running.data());
        machine_.exclusiveSum(running.data(), entries());
        machine_.sum(WriteLowered{plan_, running.data(), pixelsBefore, value}, nodes(),
                     counts_.data() + kChangedPixels);
    }

    NodePlan plan_;
    std::uint32_t leafCount_;
    const RankedNodes<Buffer<std::uint32_t>>* ranked_;
    const FilterSpec& spec_;
    Machine& machine_;
    Buffer<std::uint8_t> keep_; ///< 1 if the node is kept; keep_[0] is the root's own decision
    Buffer<std::uint32_t> scratch_;
    Buffer<unsigned long long> counts_;
};

} // namespace pollard::cuda
