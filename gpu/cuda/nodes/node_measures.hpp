#pragma once

#include "attributes/attribute.hpp"
#include "base/error.hpp"
#include "cuda/nodes/climb_team.hpp"
#include "cuda/nodes/entropy_steps.hpp"
#include "cuda/nodes/measure_facts.hpp"
#include "cuda/nodes/node_formulas.hpp"
#include "cuda/nodes/pixel_steps.hpp"
#include "cuda/nodes/tile_sums.hpp"
#include "cuda/nodes/volume_terms.hpp"
#include "cuda/tree/ranked_nodes.hpp"
#include "image/image.hpp"
#include "tree/stability.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

namespace pollard::cuda {

/// Measures the components of one tree, one attribute at a time, and caches data that several attributes share.
/// Definitions (formulas.hpp) and values are the same as in the CPU engine.
///
/// No step follows edges beyond a node's parent. Sums are taken over each node's own pixels and then scanned over the
/// numbers of the nodes: a component is an interval, so its sum is a difference (modulo 2^64, exact). Extremes over
/// components come from tables over the numbers (interval_table.hpp). O(pixels + nodes), and O(nodes log nodes) for
/// extremes and the entropy, for any height.
///
/// @tparam Machine runs the steps: on the device, or sequentially on the host
template <class Machine> class NodeMeasures {
public:
    template <class T> using Buffer = typename Machine::template Buffer<T>;
    using Column = std::variant<Buffer<std::uint16_t>, Buffer<std::uint32_t>, Buffer<std::int32_t>,
                                Buffer<std::uint64_t>, Buffer<double>>;

    explicit NodeMeasures(const NodePlan& plan, const VoxelGrid& voxels = {})
        : NodeMeasures(plan, voxels, listsPixelsForMoments(plan.nodeCount, plan.pixelCount())) {}
    /// @param listsPixels sums for moments use a list of pixels sorted by node, not tiles
    NodeMeasures(const NodePlan& plan, const VoxelGrid& voxels, bool listsPixels)
        : plan_(plan), extent_{plan.width, plan.height / voxels.slices, voxels.slices}, sides_(voxels.sides),
          listsPixels_(listsPixels) {}

    /// Queues the work; records its time as the stage stageOf(). Cached data stay valid if it throws.
    /// @throws Error(invalidArgument) unless canMeasure(), and the machine's exceptions
    [[nodiscard]] Column measure(AttributeId id, Machine& machine) {
        if (!canMeasure(id, extent_, plan_.connectivity)) {
            throw Error(ErrorCode::invalidArgument, "attribute '" + std::string(attributeInfo(id).name) +
                                                        "': not measured on the device in " + text(extent_));
        }
        Column column = make(id, machine);
        machine.finish(stageOf(id, isVolume()));
        return column;
    }

    /// Exclusive prefix sum of the nodes' own pixels, nodes + 1.
    [[nodiscard]] const Buffer<std::uint32_t>& ownPixels(Machine& machine) {
        if (!own_) {
            Buffer<std::uint32_t> own = machine.template make<std::uint32_t>(entries(), "pixel counts");
            machine.fill(own.data(), entries(), 0);
            machine.count(plan_.pixelNode, plan_.pixelCount(), own.data());
            machine.exclusiveSum(own.data(), entries());
            own_ = std::move(own);
        }
        return *own_;
    }

    /// The nodes by rank; the first call waits.
    [[nodiscard]] const RankedNodes<Buffer<std::uint32_t>>& ranked(Machine& machine) {
        if (!ranked_) {
            ranked_ = RankedNodes<Buffer<std::uint32_t>>::make(machine, plan_.subtreeEnd, plan_.nodeCount);
        }
        return *ranked_;
    }

private:
    [[nodiscard]] bool isVolume() const noexcept { return extent_.isVolume(); }
    [[nodiscard]] std::size_t nodes() const noexcept { return plan_.nodeCount; }
    [[nodiscard]] std::size_t entries() const noexcept { return nodes() + 1; } ///< of a prefix sum

    template <class Formula> [[nodiscard]] auto fill(Machine& machine, const Formula& formula, std::size_t count) {
        auto out = machine.template make<typename Formula::Value>(count, "an attribute");
        machine.each(FillColumn<Formula>{formula, out.data()}, count);
        return out;
    }
    template <class Formula> [[nodiscard]] Column column(Machine& machine, const Formula& formula) {
        return fill(machine, formula, nodes());
    }

    [[nodiscard]] Areas areas(Machine& machine) { return {plan_.subtreeEnd, ownPixels(machine).data()}; }

    [[nodiscard]] Sums levelSums(Machine& machine) {
        if (!levels_) {
            auto sums = fill(machine, OwnLevelsOf{areas(machine), plan_.level, plan_.nodeCount}, entries());
            machine.exclusiveSum(sums.data(), entries());
            levels_ = std::move(sums);
        }
        return {plan_.subtreeEnd, levels_->data()};
    }

    /// Adds the terms of all pixels to the sums of their nodes.
    template <class Terms> void addPixels(Machine& machine, const Terms& terms) {
        const TileSums<Terms> sums{plan_, terms};
        machine.addTiles(sums, sums.tileCount());
    }
    /// Lists the pixels by node; cached.
    void listPixels(Machine& machine) {
        if (listedPixels_) {
            return;
        }
        auto node = machine.template make<std::uint32_t>(plan_.pixelCount(), "pixels by node");
        auto pixel = machine.template make<std::uint32_t>(plan_.pixelCount(), "pixels by node");
        machine.each(ListPixels{plan_.pixelNode, node.data(), pixel.data()}, plan_.pixelCount());
        machine.sortByKey(node, pixel, static_cast<int>(std::bit_width(std::max(1U, plan_.nodeCount - 1U))));
        listedNodes_ = std::move(node);
        listedPixels_ = std::move(pixel);
    }
    [[nodiscard]] Buffer<std::uint64_t> makeRows(Machine& machine, std::size_t count) {
        auto sums = machine.template make<std::uint64_t>(count * entries(), "sums over pixels");
        machine.fill(sums.data(), sums.size(), 0);
        return sums;
    }
    /// Exclusive prefix sums of moments over the nodes, one row each. @param more further members of the terms
    template <class Terms, class... More>
    [[nodiscard]] Buffer<std::uint64_t> sumMoments(Machine& machine, const More&... more) {
        auto sums = makeRows(machine, Terms::kRows);
        const Terms terms{{}, {sums.data(), entries()}, more...};
        if (listsPixels_) {
            listPixels(machine);
            machine.addListed(plan_, terms, listedNodes_->data(), listedPixels_->data());
        } else {
            addPixels(machine, terms);
        }
        sumRows(machine, sums, Terms::kRows);
        return sums;
    }
    void sumRows(Machine& machine, Buffer<std::uint64_t>& sums, std::size_t count) {
        for (std::size_t k = 0; k < count; ++k) {
            machine.exclusiveSum(sums.data() + k * entries(), entries());
        }
    }
    [[nodiscard]] MomentSumRows momentRows(Machine& machine) {
        if (!momentSums_) {
            momentSums_ =
                isVolume() ? sumMoments<VolumeMomentTerms>(machine, extent_.height) : sumMoments<MomentTerms>(machine);
        }
        return {plan_.subtreeEnd, momentSums_->data(), entries()};
    }
    [[nodiscard]] Sums outlines(Machine& machine) {
        if (!outlines_) {
            auto sums = makeRows(machine, 1);
            addPixels(machine, OutlineTerms{{}, plan_, {sums.data(), entries()}});
            sumRows(machine, sums, 1);
            outlines_ = std::move(sums);
        }
        return {plan_.subtreeEnd, outlines_->data()};
    }
    [[nodiscard]] MomentSumRows volumeOutlines(Machine& machine) {
        if (!outlines_) {
            auto sums = makeRows(machine, VolumeOutlineTerms::kRows);
            addPixels(machine, VolumeOutlineTerms{{},
                                                  {sums.data(), entries()},
                                                  plan_.pixelNode,
                                                  extent_.width,
                                                  extent_.height,
                                                  extent_.slices,
                                                  plan_.connectivity == Connectivity::six});
            sumRows(machine, sums, VolumeOutlineTerms::kRows);
            outlines_ = std::move(sums);
        }
        return {plan_.subtreeEnd, outlines_->data(), entries()};
    }

    template <bool kOfVoxels> [[nodiscard]] MomentSumRows borders(Machine& machine) {
        using Terms = BorderTerms<kOfVoxels>;
        if (!borders_) {
            auto sums = makeRows(machine, Terms::kRows);
            const auto [x, y, z] = faceWeights(isVolume() ? sides_ : VoxelSides{});
            addPixels(machine, Terms{{}, {sums.data(), entries()}, plan_, extent_.height, extent_.slices, {x, y, z}});
            sumRows(machine, sums, Terms::kRows);
            borders_ = std::move(sums);
        }
        return {plan_.subtreeEnd, borders_->data(), entries()};
    }

    [[nodiscard]] MomentRows moments(Machine& machine) {
        if (!moments_) {
            auto values = machine.template make<double>(4 * nodes(), "moments");
            machine.each(WriteMoments{momentRows(machine), areas(machine), {values.data(), nodes()}}, nodes());
            moments_ = std::move(values);
        }
        return {moments_->data(), nodes()};
    }
    [[nodiscard]] const PrincipalMoments* principalMoments(Machine& machine) {
        if (!principalMoments_) {
            auto values = machine.template make<PrincipalMoments>(nodes(), "moments");
            machine.each(WritePrincipalMoments{momentRows(machine), areas(machine), sides_, values.data()}, nodes());
            principalMoments_ = std::move(values);
        }
        return principalMoments_->data();
    }
    [[nodiscard]] MomentRows thirdMoments(Machine& machine) {
        if (!thirdMoments_) {
            thirdMoments_ = fits64Bits(plan_.width, plan_.height, 3)
                                ? makeThirdMoments<NarrowThirds, NarrowThirdSums>(machine)
                                : makeThirdMoments<WideThirds, WideThirdSums>(machine);
        }
        return {thirdMoments_->data(), nodes()};
    }
    template <class Thirds, class ThirdSums> [[nodiscard]] Buffer<double> makeThirdMoments(Machine& machine) {
        const MomentSumRows second = momentRows(machine);
        const Areas area = areas(machine);
        const auto sums = sumMoments<ThirdMomentTerms<ThirdSums>>(machine);
        auto values = machine.template make<double>(4 * nodes(), "moments");
        machine.each(
            WriteThirdMoments<Thirds>{
                second, {{plan_.subtreeEnd, sums.data(), entries()}}, area, {values.data(), nodes()}},
            nodes());
        return values;
    }

    /// The elements joined over groups of all sizes.
    template <class Join>
    [[nodiscard]] Buffer<typename Join::Value> groupsOf(Machine& machine, const typename Join::Value* elements) {
        using Value = typename Join::Value;
        auto groups = machine.template make<Value>(std::max<std::size_t>(1, groupEntries(nodes())), "a table");
        const Value* from = elements;
        Value* to = groups.data();
        for (std::size_t size = nodes() / kGroupSize; size > 0; size /= kGroupSize) {
            machine.each(JoinGroup<Join>{from, to}, size);
            from = to;
            to += size;
        }
        return groups;
    }
    template <class Join>
    [[nodiscard]] auto overComponents(Machine& machine, const Buffer<typename Join::Value>& elements) {
        const auto groups = groupsOf<Join>(machine, elements.data());
        return fill(machine, OverComponent<Join>{{elements.data(), groups.data(), plan_.nodeCount}, plan_.subtreeEnd},
                    nodes());
    }

    [[nodiscard]] const NodeBox* boxes(Machine& machine) {
        if (!boxes_) {
            auto own = machine.template make<NodeBox>(nodes(), "boxes");
            machine.each(StartBoxes{plan_, own.data()}, nodes());
            addPixels(machine, BoxTerms{{}, own.data()});
            boxes_ = overComponents<JoinedBoxes<NodeBox>>(machine, own);
        }
        return boxes_->data();
    }
    [[nodiscard]] const VolumeBox* volumeBoxes(Machine& machine) {
        if (!volumeBoxes_) {
            auto own = machine.template make<VolumeBox>(nodes(), "boxes");
            machine.each(StartVolumeBoxes{plan_, extent_.height, own.data()}, nodes());
            addPixels(machine, VolumeBoxTerms{{}, own.data(), extent_.height});
            volumeBoxes_ = overComponents<JoinedBoxes<VolumeBox>>(machine, own);
        }
        return volumeBoxes_->data();
    }
    [[nodiscard]] HeightOf heights(Machine& machine) {
        if (!peaks_) {
            peaks_ = overComponents<Largest<std::uint64_t>>(machine, fill(machine, PeakKey{plan_}, nodes()));
        }
        return {plan_, peaks_->data()};
    }

    [[nodiscard]] Column border(Machine& machine) {
        const std::size_t count =
            isVolume() ? ListVolumeBorder::count(extent_) : ListBorder::count(plan_.width, plan_.height);
        auto list = machine.template make<std::uint32_t>(count, "border pixels");
        if (isVolume()) {
            machine.each(ListVolumeBorder{plan_.pixelNode, extent_, list.data()}, count);
        } else {
            machine.each(ListBorder{plan_, list.data()}, count);
        }
        return column(machine, countedOver(machine, list.data(), count));
    }
    /// Counts of the keys equal to a node, summed over its component.
    [[nodiscard]] Areas countedOver(Machine& machine, const std::uint32_t* keys, std::size_t count) {
        counted_ = machine.template make<std::uint32_t>(entries(), "counts");
        machine.fill(counted_->data(), entries(), 0);
        machine.count(keys, count, counted_->data());
        machine.exclusiveSum(counted_->data(), entries());
        return {plan_.subtreeEnd, counted_->data()};
    }
    [[nodiscard]] Column dynamics(Machine& machine) {
        const HeightOf height = heights(machine);
        auto left = machine.template make<std::uint16_t>(nodes(), "dynamics");
        const WriteLeafDynamics leave{height, left.data()};
        machine.each(leave, nodes());
        return column(machine, DynamicsOf{leave});
    }
    template <class T> [[nodiscard]] Column extinction(Machine& machine, const Buffer<T>& measure) {
        auto leaf = machine.template make<std::uint32_t>(nodes(), "surviving leaves");
        {
            auto largest = machine.template make<T>(nodes(), "the largest children");
            machine.fill(largest.data(), nodes(), 0);
            machine.each(RaiseToMeasure<T>{plan_.parent, measure.data(), largest.data()}, nodes() - 1);
            machine.fill(leaf.data(), nodes(), 0xff);
            climb(machine, ranked(machine), plan_.parent,
                  SurvivorLaw<T>{plan_.parent, plan_.subtreeEnd, plan_.canonical, measure.data(), largest.data(),
                                 leaf.data()});
        }
        auto left = machine.template make<T>(nodes(), "extinction values");
        machine.each(WriteLeafExtinction<T>{plan_.parent, plan_.pixelNode, leaf.data(), measure.data(), left.data()},
                     nodes());
        return column(machine, ExtinctionOf<T>{plan_.pixelNode, leaf.data(), left.data()});
    }
    [[nodiscard]] Column variance(Machine& machine) {
        const Areas area = areas(machine);
        auto squares = fill(machine, OwnSquaresOf{area, plan_.level, plan_.nodeCount}, entries());
        machine.exclusiveSum(squares.data(), entries());
        return column(machine, VarianceOf{levelSums(machine), {plan_.subtreeEnd, squares.data()}, area});
    }
    [[nodiscard]] Column entropy(Machine& machine) {
        const Areas area = areas(machine);
        auto rows = informationRows(machine, area);
        sumRows(machine, rows, 2);
        return column(machine,
                      EntropyOf{area, {plan_.subtreeEnd, rows.data()}, {plan_.subtreeEnd, rows.data() + entries()}});
    }
    /// Summands of EntropyOf per node.
    [[nodiscard]] Buffer<std::uint64_t> informationRows(Machine& machine, const Areas& area) {
        auto bin = machine.template make<std::uint32_t>(nodes(), "nodes by bin");
        auto node = machine.template make<std::uint32_t>(nodes(), "nodes by bin");
        listByBin(machine, bin, node);
        auto binStart = machine.template make<std::uint32_t>(kEntropyBins + 1, "nodes by bin");
        machine.each(FindStarts{bin.data(), plan_.nodeCount, binStart.data()}, kEntropyBins + 1);
        auto before = fill(machine, OwnOfListed{area, node.data(), plan_.nodeCount}, entries());
        machine.exclusiveSum(before.data(), entries());
        const auto groups = groupsOf<Smallest<std::uint32_t>>(machine, plan_.parent);
        auto rows = machine.template make<std::uint64_t>(2 * entries(), "information");
        const InformationRows information{rows.data(), rows.data() + entries()};
        machine.each(StartInformation{area, plan_.nodeCount, information}, entries());
        machine.each(MeetInBin{plan_,
                               {plan_.parent, groups.data(), plan_.nodeCount},
                               bin.data(),
                               binStart.data(),
                               node.data(),
                               before.data(),
                               information},
                     nodes() - 1);
        return rows;
    }
    void listByBin(Machine& machine, Buffer<std::uint32_t>& bin, Buffer<std::uint32_t>& node) {
        const LevelDistance distance{plan_};
        auto farthest = machine.template make<unsigned long long>(1, "levels");
        machine.fill(farthest.data(), 1, 0);
        machine.maximum(distance, nodes(), farthest.data());
        machine.each(ListByBin{distance, farthest.data(), bin.data(), node.data()}, nodes());
        machine.sortByKey(bin, node, std::bit_width(kEntropyBins - 1));
    }
    [[nodiscard]] Column children(Machine& machine) {
        auto counts = machine.template make<std::uint32_t>(nodes(), "children");
        machine.fill(counts.data(), nodes(), 0);
        machine.count(plan_.parent + 1, nodes() - 1, counts.data());
        return counts;
    }
    [[nodiscard]] Column leaves(Machine& machine) {
        auto sums = fill(machine, IsLeafOf{plan_.subtreeEnd, plan_.nodeCount}, entries());
        machine.exclusiveSum(sums.data(), entries());
        return column(machine, Areas{plan_.subtreeEnd, sums.data()});
    }
    [[nodiscard]] Column stability(Machine& machine) {
        const Areas area = areas(machine);
        const auto parents = fill(machine, RisingParentOf{plan_}, nodes());
        const auto groups = groupsOf<Smallest<std::uint16_t>>(machine, parents.data());
        return column(machine, StabilityOf{plan_,
                                           {parents.data(), groups.data(), plan_.nodeCount},
                                           area,
                                           plan_.stabilityDelta != 0 ? plan_.stabilityDelta
                                                                     : defaultStabilityDelta(plan_.pixelType)});
    }
    template <class Input> [[nodiscard]] InputOf<Input> input(Machine& machine) {
        if constexpr (std::is_same_v<Input, Area>) {
            return {areas(machine)};
        } else if constexpr (std::is_same_v<Input, Interval>) {
            return {plan_.subtreeEnd};
        } else if constexpr (std::is_same_v<Input, Levels>) {
            return {plan_.level, plan_.parent};
        } else if constexpr (std::is_same_v<Input, LevelSum>) {
            return {levelSums(machine)};
        } else if constexpr (std::is_same_v<Input, NodeBox>) {
            return {boxes(machine)};
        } else if constexpr (std::is_same_v<Input, Outline>) {
            return {outlines(machine)};
        } else if constexpr (std::is_same_v<Input, BorderSums>) {
            return {isVolume() ? borders<true>(machine) : borders<false>(machine)};
        } else if constexpr (std::is_same_v<Input, FirstSums>) {
            return {momentRows(machine)};
        } else if constexpr (std::is_same_v<Input, SecondMoments>) {
            return {moments(machine)};
        } else if constexpr (std::is_same_v<Input, VoxelSides>) {
            return {sides_};
        } else if constexpr (std::is_same_v<Input, VolumeBox>) {
            return {volumeBoxes(machine)};
        } else if constexpr (std::is_same_v<Input, VolumeFirstSums>) {
            return {momentRows(machine)};
        } else if constexpr (std::is_same_v<Input, PrincipalMoments>) {
            return {principalMoments(machine)};
        } else if constexpr (std::is_same_v<Input, VolumeOutline>) {
            return {volumeOutlines(machine)};
        } else {
            static_assert(std::is_same_v<Input, ThirdMoments>);
            return {thirdMoments(machine)};
        }
    }
    /// Values of an attribute with a formula.
    template <template <AttributeId, class, class...> class Typed, AttributeId Id, class T, class... Inputs>
    [[nodiscard]] Buffer<T> evaluate(Machine& machine, Typed<Id, T, Inputs...> /*formula*/) {
        return fill(machine, Evaluate<Typed<Id, T, Inputs...>>{input<Inputs>(machine)...}, nodes());
    }

    [[nodiscard]] Column make(AttributeId id, Machine& machine) {
        Column values;
        const auto fillValues = [&](auto formula) { values = evaluate(machine, formula); };
        if (isVolume() ? visitVolumeFormula(id, fillValues) : visitFormula(id, fillValues)) {
            return values;
        }
        switch (id) {
        case AttributeId::border:
            return border(machine);
        case AttributeId::height:
            return column(machine, heights(machine));
        case AttributeId::dynamics:
            return dynamics(machine);
        case AttributeId::extinctionArea:
            return extinction(machine, evaluate(machine, typed<AttributeId::area>(&Formula<AttributeId::area>::of)));
        case AttributeId::extinctionVolume:
            return extinction(machine,
                              evaluate(machine, typed<AttributeId::volume>(&Formula<AttributeId::volume>::of)));
        case AttributeId::variance:
            return variance(machine);
        case AttributeId::depth:
            return column(machine, DepthOf{countedOver(machine, plan_.subtreeEnd, nodes()).before});
        case AttributeId::children:
            return children(machine);
        case AttributeId::leaves:
            return leaves(machine);
        case AttributeId::stability:
            return stability(machine);
        case AttributeId::entropy:
            return entropy(machine);
        default:
            break;
        }
        throw Error(ErrorCode::invalidArgument, "attribute: no such number");
    }

    NodePlan plan_;
    Extent extent_;
    VoxelSides sides_;
    bool listsPixels_;
    std::optional<Buffer<std::uint32_t>> own_;                        ///< this and the next: cached on first use
    std::optional<Buffer<std::uint32_t>> listedNodes_, listedPixels_; ///< sorted by node
    std::optional<Buffer<std::uint64_t>> levels_;
    std::optional<Buffer<std::uint64_t>> momentSums_;
    std::optional<Buffer<std::uint64_t>> outlines_;
    std::optional<Buffer<std::uint64_t>> borders_;
    std::optional<Buffer<double>> moments_;
    std::optional<Buffer<double>> thirdMoments_;
    std::optional<Buffer<NodeBox>> boxes_;
    std::optional<Buffer<VolumeBox>> volumeBoxes_;
    std::optional<Buffer<PrincipalMoments>> principalMoments_;
    std::optional<Buffer<std::uint64_t>> peaks_;
    std::optional<RankedNodes<Buffer<std::uint32_t>>> ranked_;
    std::optional<Buffer<std::uint32_t>> counted_; ///< overwritten by the next count
};

} // namespace pollard::cuda
