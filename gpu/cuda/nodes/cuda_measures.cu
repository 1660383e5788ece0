#include "cuda/nodes/cuda_measures.hpp"

#include "cuda/nodes/node_machine.hpp"
#include "cuda/nodes/node_measures.hpp"

#include <utility>

namespace pollard::cuda {

namespace {

constexpr const char* kOperation = "measure components";

} // namespace

struct CudaMeasures::Kept {
    NodeMeasures<NodeMachine> measures;
    bool hasOwnPixels = false;
    bool hasRankedNodes = false;
};

NodePlan planOf(const DeviceTree& tree, const TreeSpec& spec, const DeviceImage& image) noexcept {
    return {tree.pixelNode->data(),
            tree.parent.data(),
            tree.subtreeEnd.data(),
            tree.canonical.data(),
            tree.level.data(),
            tree.nodeCount,
            image.width,
            image.rows(),
            spec.kind,
            spec.connectivity,
            image.type};
}

CudaMeasures::CudaMeasures(const NodePlan& plan, std::shared_ptr<DeviceMemory> memory, const VoxelGrid& voxels)
    : kept_(new Kept{NodeMeasures<NodeMachine>(plan, voxels)}), memory_(std::move(memory)) {}

CudaMeasures::~CudaMeasures() = default;

DeviceColumn CudaMeasures::measure(AttributeId id, StageClock& clock) {
    NodeMachine machine(memory_, clock, {}, kOperation);
    return {id, kept_->measures.measure(id, machine)};
}

const DeviceBuffer<std::uint32_t>& CudaMeasures::ownPixels(StageClock& clock) {
    NodeMachine machine(memory_, clock, {}, kOperation);
    const DeviceBuffer<std::uint32_t>& own = kept_->measures.ownPixels(machine);
    if (!std::exchange(kept_->hasOwnPixels, true)) {
        machine.finish("area");
    }
    return own;
}

const RankedNodes<DeviceBuffer<std::uint32_t>>& CudaMeasures::rankedNodes(StageClock& clock) {
    NodeMachine machine(memory_, clock, {}, kOperation);
    const RankedNodes<DeviceBuffer<std::uint32_t>>& ranked = kept_->measures.ranked(machine);
    if (!std::exchange(kept_->hasRankedNodes, true)) {
        machine.finish("ranks");
    }
    return ranked;
}

} // namespace pollard::cuda
