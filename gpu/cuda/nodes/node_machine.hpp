#pragma once

#include "cuda/kernels/device_machine.hpp"
#include "cuda/nodes/node_kernels.cuh"
#include "cuda/tree/pixel_counts.cuh"
#include "cuda/tree/ranked_nodes.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace pollard::cuda {

/// Runs the steps of NodeMeasures and TreeFilterRun on the device.
class NodeMachine : public DeviceMachine {
public:
    using DeviceMachine::DeviceMachine;

    void inclusiveMaximum(std::uint32_t* data, std::size_t count) {
        withScratch([&](void* scratch, std::size_t& bytes) {
            return runInclusiveMaximum(scratch, bytes, data, static_cast<std::uint32_t>(count), stream());
        });
    }
    /// Threads per block and largest number of blocks of a ClimbTeam, and its launch.
    static constexpr std::uint32_t kClimbThreads = cuda::kClimbThreads;
    template <class Team> [[nodiscard]] std::uint32_t climbBlocks() {
        std::uint32_t blocks = 0;
        require(mostClimbBlocks<Team>(blocks));
        return blocks;
    }
    template <class Team> void climb(const Team& team) { require(launchClimb(team, stream())); }
    /// Stable sort of pairs by the lower bits of the keys.
    void sortByKey(DeviceBuffer<std::uint32_t>& keys, DeviceBuffer<std::uint32_t>& values, int bits) {
        cuda::sortByKey(keys, values, bits, memory());
    }
    /// Adds to counts[k] the number of keys equal to k.
    void count(const std::uint32_t* keys, std::size_t size, std::uint32_t* counts) {
        if (size > 0) {
            require(launchCountPixels(keys, size, counts, stream()));
        }
    }
    template <class Terms> void addTiles(const TileSums<Terms>& sums, std::uint32_t tiles) {
        require(launchTileSums(sums, tiles, stream()));
    }
    /// See launchAddListed().
    template <class Terms>
    void addListed(const NodePlan& plan, const Terms& terms, const std::uint32_t* nodes, const std::uint32_t* pixels) {
        require(launchAddListed(plan, terms, nodes, pixels, stream()));
    }
    /// See launchScatterAdd() and launchFirstPixels().
    void scatterAdd(const std::uint32_t* keys, const std::uint32_t* values, std::size_t count, std::uint32_t* sums) {
        require(launchScatterAdd(keys, values, count, sums, stream()));
    }
    void firstPixels(const NodePlan& plan, const std::uint32_t* owner, std::uint32_t* first) {
        require(launchFirstPixels(plan.pixelNode, plan.pixelCount(), owner, first, stream()));
    }
    template <class T> [[nodiscard]] DeviceBuffer<T> upload(std::span<const T> values, const char* what) {
        auto buffer = make<T>(values.size(), what);
        require(cudaMemcpyAsync(buffer.data(), values.data(), buffer.bytes(), cudaMemcpyHostToDevice, stream()));
        return buffer;
    }
};

} // namespace pollard::cuda
