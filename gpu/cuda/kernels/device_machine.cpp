#include "cuda/kernels/device_machine.hpp"

#include "cuda/kernels/node_primitives.cuh"

#include <utility>

namespace pollard::cuda {

void sortByKey(DeviceBuffer<std::uint32_t>& keys, DeviceBuffer<std::uint32_t>& values, int bits,
               const std::shared_ptr<DeviceMemory>& memory) {
    DeviceBuffer<std::uint32_t> otherKeys(memory, keys.size(), "sort nodes");
    DeviceBuffer<std::uint32_t> otherValues(memory, values.size(), "sort nodes");
    SortedPairs pairs{keys.data(), values.data(), otherKeys.data(), otherValues.data()};
    runWithScratch(memory, "sort nodes", [&](void* scratch, std::size_t& bytes) {
        return runSort(scratch, bytes, pairs, static_cast<std::uint32_t>(keys.size()), bits, memory->stream());
    });
    if (pairs.keys != keys.data()) {
        std::swap(keys, otherKeys);
    }
    if (pairs.values != values.data()) {
        std::swap(values, otherValues);
    }
}

} // namespace pollard::cuda
