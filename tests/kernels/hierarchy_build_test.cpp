#include "cuda/hierarchy/hierarchy_build.hpp"

#include "cuda/hierarchy/region_cut.hpp"
#include "hierarchy/make_hierarchy.hpp"
#include "hierarchy/partition.hpp"
#include "kernels/build_fixture.hpp"
#include "kernels/emulated_machine.hpp"
#include "support/random_images.hpp"
#include "support/random_volumes.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

// Hierarchies with the GPU kernels in the emulator, against the CPU.

namespace pollard::cuda {
namespace {

using emulation::EmulatedMachine;
using emulation::Emulator;
using Images = pollard::testing::Random;

constexpr std::uint32_t kHierarchies = testing::affordable(3000);

class HierarchyMachine : public EmulatedMachine {
public:
    using EmulatedMachine::EmulatedMachine;

    void requireMemory(std::uint64_t) {}
    template <class T> void inclusiveScan(T* data, std::size_t count) {
        for (std::size_t i = 1; i < count; ++i) {
            data[i] = T::join(data[i - 1], data[i]);
        }
    }
};

template <class Elements> auto valuesOf(Elements& buffer, std::size_t count) {
    using Element = std::remove_cvref_t<decltype(*buffer.data())>;
    return std::vector<Element>(buffer.data(), buffer.data() + count);
}

class HierarchyKernels : public ::testing::Test {
protected:
    void compare(const Image& image, const Mask* valid, const HierarchySpec& spec, std::uint32_t seed) {
        const Hierarchy expected = makeHierarchy(image, valid, spec);
        emulator_.restart(seed);
        dispatch(image.type(), [&]<class Level>(Level) {
            HierarchyMachine machine(emulator_, seed);
            const Extent& extent = image.extent();
            const auto* words =
                valid == nullptr ? nullptr : reinterpret_cast<const std::uint32_t*>(valid->row(0).data());
            const EdgeGrid<Level> grid{image.pixels<Level>().data(),
                                       {words, extent.width, static_cast<std::uint32_t>(extent.rows())},
                                       extent.width,
                                       extent.height,
                                       extent.slices,
                                       spec.weight,
                                       GridWays::of(spec.connectivity)};
            auto found = HierarchyBuild<HierarchyMachine, Level, 4>(machine, grid, spec.strength).make();
            ASSERT_EQ(found.basinCount, expected.basinCount());
            ASSERT_EQ(found.withData, expected.regionsAt(0));
            ASSERT_EQ(valuesOf(found.basins, image.pixelCount()),
                      std::vector<std::uint32_t>(expected.basins().begin(), expected.basins().end()));
            ASSERT_EQ(valuesOf(found.strengths, found.merges), expected.strengths());
            const auto into = valuesOf(found.into, found.basinCount);
            const auto joinedAt = valuesOf(found.joinedAt, found.basinCount);
            for (std::uint32_t i = 0; i < 40; ++i) {
                const auto a = static_cast<std::uint32_t>(i * 7 % found.basinCount);
                const auto b = static_cast<std::uint32_t>((i * 11 + 1) % found.basinCount);
                ASSERT_EQ(between(into, joinedAt, a, b), expected.between(a, b)) << a << ' ' << b;
            }
            for (const std::uint64_t strength : {std::uint64_t{0}, expected.strengthFor(3), expected.strengthFor(1)}) {
                const LabelImage wanted = regions(expected, strength, valid);
                std::vector<std::uint32_t> labels(image.pixelCount());
                ASSERT_EQ(labelRegions(machine, found, strength, labels.data()), wanted.count);
                ASSERT_EQ(labels, std::vector<std::uint32_t>(wanted.labels.begin(), wanted.labels.end()));
            }
        });
    }

    Emulator emulator_{0};

private:
    static std::uint64_t between(const std::vector<std::uint32_t>& into, const std::vector<std::uint64_t>& joinedAt,
                                 std::uint32_t a, std::uint32_t b) {
        std::uint64_t strength = 0;
        while (a != b) {
            std::uint32_t& earlier = joinedAt[a] <= joinedAt[b] ? a : b;
            strength = joinedAt[earlier];
            if (strength == Hierarchy::kNever) {
                break;
            }
            earlier = into[earlier];
        }
        return strength;
    }
};

TEST_F(HierarchyKernels, EqualTheCpu) {
    Images random(50);
    for (std::uint32_t i = 0; i < kHierarchies; ++i) {
        const bool isVolume = i % 3 == 0;
        const auto image =
            isVolume ? pollard::testing::randomVolume(random, {1 + random() % 6, 1 + random() % 5, 1 + random() % 4})
                     : pollard::testing::randomImage(random, 1 + random() % 12, 1 + random() % 12);
        constexpr Connectivity kDeep[] = {Connectivity::six, Connectivity::eighteen, Connectivity::twentySix};
        constexpr Connectivity kFlat[] = {Connectivity::four, Connectivity::eight};
        const HierarchySpec spec{static_cast<Strength>(i / 3 % 4),
                                 random() % 2 == 0 ? EdgeWeight::difference : EdgeWeight::maximum,
                                 image->extent().isVolume() ? kDeep[random() % 3] : kFlat[random() % 2]};
        Mask valid(image->width(), static_cast<std::uint32_t>(image->extent().rows()), true);
        const bool hasMask = random() % 3 == 0;
        for (std::uint32_t n = 0; hasMask && n < image->pixelCount() / 3; ++n) {
            valid.set(random() % valid.width(), random() % valid.height(), false);
        }
        SCOPED_TRACE(::testing::Message() << "image " << i << ", " << text(image->extent()) << ", "
                                          << nameOf(spec.strength) << ", " << nameOf(spec.weight) << ", "
                                          << static_cast<int>(spec.connectivity) << (hasMask ? ", mask" : ""));
        compare(*image, hasMask ? &valid : nullptr, spec, i);
        ASSERT_FALSE(HasFailure());
    }
}

} // namespace
} // namespace pollard::cuda
