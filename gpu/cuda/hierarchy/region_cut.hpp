#pragma once

#include "cuda/hierarchy/hierarchy_build.hpp"
#include "cuda/kernels/kernel_threads.hpp"
#include "hierarchy/hierarchy.hpp"

#include <cstddef>
#include <cstdint>

namespace pollard::cuda {

/// Finds the region of each basin, and the first basin with data of each region. One thread per basin.
struct FindRegions {
    const std::uint32_t* into;
    const std::uint64_t* joinedAt;
    const std::uint8_t* hasData;
    std::uint64_t strength;
    std::uint32_t* region;
    std::uint32_t* first; ///< per region; all ones at the start

    POLLARD_DEVICE void operator()(std::size_t i) const {
        auto at = static_cast<std::uint32_t>(i);
        while (joinedAt[at] <= strength && into[at] != at) {
            at = into[at];
        }
        region[i] = at;
        if (hasData[i] != 0 && i < loadFresh(&first[at])) {
            lowerTo(&first[at], static_cast<std::uint32_t>(i));
        }
    }
};

/// Marks the first basins of regions. One thread per basin.
struct MarkRegions {
    const std::uint32_t* region;
    const std::uint32_t* first;
    std::uint32_t* marks;

    POLLARD_DEVICE void operator()(std::size_t i) const { marks[i] = first[region[i]] == i ? 1 : 0; }
};

/// Replaces regions by labels. One thread per basin.
struct LabelBasins {
    const std::uint32_t* first;
    const std::uint32_t* number; ///< marks of earlier basins
    const std::uint8_t* hasData;
    std::uint32_t* regionThenLabel;

    POLLARD_DEVICE void operator()(std::size_t i) const {
        regionThenLabel[i] = hasData[i] == 0 ? 0 : number[first[regionThenLabel[i]]] + 1;
    }
};

/// One thread per pixel.
struct LabelPixels {
    const std::uint32_t* basins;
    const std::uint32_t* label; ///< per basin
    std::uint32_t* labels;

    POLLARD_DEVICE void operator()(std::size_t i) const { labels[i] = label[basins[i]]; }
};

/// Writes the labels of regions(), with the machine of a HierarchyBuild.
/// @return number of labels
template <class Machine> std::uint32_t labelRegions(Machine& machine, const BuiltHierarchy<Machine>& hierarchy,
                                                    std::uint64_t strength, std::uint32_t* labels) {
    constexpr const char* kWhat = "regions";
    const std::uint32_t basins = hierarchy.basinCount;
    auto region = machine.template make<std::uint32_t>(basins, kWhat);
    auto first = machine.template make<std::uint32_t>(basins, kWhat);
    auto number = machine.template make<std::uint32_t>(std::size_t{basins} + 1, kWhat);
    machine.fill(first.data(), basins, 0xff);
    machine.fill(number.data() + basins, 1, 0);
    machine.each(FindRegions{hierarchy.into.data(), hierarchy.joinedAt.data(), hierarchy.hasData.data(), strength,
                             region.data(), first.data()},
                 basins);
    machine.each(MarkRegions{region.data(), first.data(), number.data()}, basins);
    machine.exclusiveSum(number.data(), number.size());
    machine.each(LabelBasins{first.data(), number.data(), hierarchy.hasData.data(), region.data()}, basins);
    machine.each(LabelPixels{hierarchy.basins.data(), region.data(), labels}, hierarchy.pixelCount);
    std::uint32_t count = 0;
    machine.readBack(&count, number.data() + basins);
    machine.finish("regions");
    return count;
}

} // namespace pollard::cuda
