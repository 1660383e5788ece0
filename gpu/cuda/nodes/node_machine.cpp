#include "cuda/nodes/node_machine.hpp"

#include "cuda/kernels/node_primitives.cuh"
#include "cuda/kernels/node_scans.hpp"
#include "cuda/nodes/filter_kernels.cuh"
#include "cuda/tree/pixel_counts.cuh"

namespace pollard::cuda {

namespace {

/// Runs @p run twice: to query its scratch size, and with the memory.
template <class Run>
void runWithScratch(const std::shared_ptr<DeviceMemory>& memory, const char* operation, const Run& run) {
    std::size_t bytes = 0;
    check(run(nullptr, bytes), operation);
    DeviceBuffer<std::byte> scratch(memory, bytes > 0 ? bytes : 1, operation);
    check(run(scratch.data(), bytes), operation);
}

} // namespace

void NodeMachine::exclusiveSum(std::uint32_t* data, std::size_t count) {
    runWithScratch(memory_, operation_, [&](void* scratch, std::size_t& bytes) {
        return runExclusiveSum(scratch, bytes, data, static_cast<std::uint32_t>(count), memory_->stream());
    });
}

void NodeMachine::exclusiveSum(std::uint64_t* data, std::size_t count) {
    runWithScratch(memory_, operation_, [&](void* scratch, std::size_t& bytes) {
        return runExclusiveSum(scratch, bytes, data, static_cast<std::uint32_t>(count), memory_->stream());
    });
}

void NodeMachine::inclusiveMaximum(std::uint32_t* data, std::size_t count) {
    runWithScratch(memory_, operation_, [&](void* scratch, std::size_t& bytes) {
        return runInclusiveMaximum(scratch, bytes, data, static_cast<std::uint32_t>(count), memory_->stream());
    });
}

void NodeMachine::sortByKey(DeviceBuffer<std::uint32_t>& keys, DeviceBuffer<std::uint32_t>& values, int bits) {
    cuda::sortByKey(keys, values, bits, memory_);
}

void NodeMachine::count(const std::uint32_t* keys, std::size_t size, std::uint32_t* counts) {
    if (size > 0) {
        check(launchCountPixels(keys, size, counts, memory_->stream()), operation_);
    }
}

void NodeMachine::scatterAdd(const std::uint32_t* keys, const std::uint32_t* values, std::size_t count,
                             std::uint32_t* sums) {
    check(launchScatterAdd(keys, values, count, sums, memory_->stream()), operation_);
}

void NodeMachine::firstPixels(const NodePlan& plan, const std::uint32_t* owner, std::uint32_t* first) {
    check(launchFirstPixels(plan.pixelNode, plan.pixelCount(), owner, first, memory_->stream()), operation_);
}

void NodeMachine::copyIn(void* to, const void* from, std::size_t bytes) {
    check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, memory_->stream()), operation_);
}

void NodeMachine::fillBytes(void* data, std::size_t bytes, int byte) {
    check(cudaMemsetAsync(data, byte, bytes, memory_->stream()), operation_);
}

} // namespace pollard::cuda
