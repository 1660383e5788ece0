#pragma once

#include "cuda/boruvka/branch_kernels.cuh"
#include "cuda/kernels/device_machine.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>

namespace pollard::cuda {

/// Runs the passes of a BranchBuild on the GPU.
class BranchMachine : public DeviceMachine {
public:
    using DeviceMachine::DeviceMachine;

    template <class Pass> void tiles(const Pass& pass, std::uint32_t count) {
        require(launchTiles(pass, count, stream()));
    }
    void runsUpTo(const StartsRun& starts, std::uint32_t* sums, std::uint32_t count) {
        withScratch([&](void* scratch, std::size_t& bytes) {
            return runRunsUpTo(scratch, bytes, starts, sums, count, stream());
        });
    }
    void exclusiveMaximum(std::uint32_t* data, std::size_t count) {
        withScratch([&](void* scratch, std::size_t& bytes) {
            return runExclusiveMaximum(scratch, bytes, data, static_cast<std::uint32_t>(count), stream());
        });
    }
    void sort(DeviceBuffer<std::uint64_t>& keys, DeviceBuffer<std::uint64_t>& otherKeys, std::uint32_t count,
              SortedBits bits) {
        DeviceBuffer<std::uint32_t> none;
        DeviceBuffer<std::uint32_t> otherNone;
        sort(keys, otherKeys, none, otherNone, count, bits);
    }
    void sort(DeviceBuffer<std::uint64_t>& keys, DeviceBuffer<std::uint64_t>& otherKeys,
              DeviceBuffer<std::uint32_t>& pixels, DeviceBuffer<std::uint32_t>& otherPixels, std::uint32_t count,
              SortedBits bits) {
        SortedKeys sorted{keys.data(), otherKeys.data(), pixels.data(), otherPixels.data(), false};
        withScratch([&](void* scratch, std::size_t& bytes) {
            return runKeySort(scratch, bytes, sorted, count, bits, stream());
        });
        if (sorted.isInOther) {
            std::swap(keys, otherKeys);
            std::swap(pixels, otherPixels);
        }
    }
};

} // namespace pollard::cuda
