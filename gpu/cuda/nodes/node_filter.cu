#include "cuda/nodes/node_filter.hpp"

#include "cuda/kernels/device_machine.hpp"
#include "cuda/nodes/node_machine.hpp"
#include "cuda/nodes/tree_filter_run.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace pollard::cuda {

namespace {

constexpr const char* kOperation = "filter the tree";

using Run = TreeFilterRun<NodeMachine>;

void decide(Run& run, const FilterInput& input) {
    std::vector<const Run::Column*> columns;
    for (const DeviceColumn* column : input.columns) {
        columns.push_back(&column->values);
    }
    run.decide(columns, input.prominence == nullptr ? nullptr : &input.prominence->values, input.forest);
}

} // namespace

FilteredNodes filterNodes(const FilterInput& input, FrameImage image, const FilterSpec& spec,
                          const std::shared_ptr<DeviceMemory>& memory, StageClock& clock, const JobControl& control) {
    control.throwIfStopped();
    NodeMachine machine(memory, clock, control, kOperation);
    Run run(input.plan, input.tree.leafCount, input.ranked, spec, machine);
    decide(run, input);
    clock.finish("decide");
    DeviceBuffer<std::uint16_t> values = run.values(input.pixelsBefore.data(), maxLevelOf(image.type));
    clock.finish("levels");
    FilteredNodes result;
    result.frame = std::make_shared<const CudaFrame>(std::move(image), input.tree.pixelNode, std::move(values),
                                                     spec.output == Output::residue, memory->stream());
    unsigned long long counts[kFilterCounts];
    run.readCounts(counts);
    result.keptNodes = counts[kKeptNodes];
    result.removedNodes = input.tree.nodeCount - counts[kKeptNodes];
    result.changedPixels = counts[kChangedPixels];
    result.unknownPicks = static_cast<std::uint32_t>(counts[kUnknownPicks]);
    return result;
}

DeviceLabels labelKept(const FilterInput& input, const FilterSpec& spec, const std::shared_ptr<DeviceMemory>& memory,
                       StageClock& clock, const JobControl& control) {
    control.throwIfStopped();
    NodeMachine machine(memory, clock, control, kOperation);
    Run run(input.plan, input.tree.leafCount, input.ranked, spec, machine);
    decide(run, input);
    const auto [ofNode, count] = run.labels();
    DeviceLabels result{{memory, input.plan.pixelCount(), "labels"}, count};
    machine.each(WritePixelLabels{input.plan.pixelNode, ofNode.data(), result.labels.data()}, input.plan.pixelCount());
    clock.finish("labels");
    return result;
}

std::uint64_t estimateFilterBytes(std::uint32_t nodeCount, Rule rule) {
    constexpr std::uint64_t kSmall = 1U << 15; // counters, totals of blocks, and the rounding of each block
    // Decision, decision of the forest, values, two kinds of scratch, and the larger of picks, table of kept
    // components, and steps.
    const std::uint64_t pruning = rule == Rule::viterbi ? sizeof(std::uint64_t) + sizeof(PruningCost) : 0;
    return nodeCount * (std::max<std::uint64_t>(2 + 4 + 4, pruning) + 1 + 1 + 4) + scratchBytes(nodeCount) + kSmall;
}

} // namespace pollard::cuda
