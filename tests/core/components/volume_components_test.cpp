// Objects of volumes: labels and measurements against flood filling, and laws that connect
// volumes with images.

#include "attributes/volume_formulas.hpp"
#include "base/error.hpp"
#include "components/components.hpp"
#include "components/threshold.hpp"
#include "support/affordable.hpp"
#include "support/random_images.hpp"

#include <gtest/gtest.h>

#include <tbb/task_arena.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <tuple>
#include <vector>

namespace pollard::testing {
namespace {

constexpr std::array kNeighbours{Connectivity::six, Connectivity::eighteen, Connectivity::twentySix};

ComponentsSpec specOf(Connectivity connectivity, std::uint32_t slices = 1) {
    return {.connectivity = connectivity, .algorithm = {}, .slices = slices};
}

/// A volume of levels 0 and 1..200: noise, blocks, checkerboards, shells, combs and serpentines.
Image volumeOfLevels(Random& random, const Extent& extent) {
    Image volume(PixelType::u8, extent);
    const std::uint32_t kind = random() % 7;
    const std::uint32_t density = random() % 101;
    const std::uint32_t block = 1 + random() % 3;
    std::uint32_t index = 0;
    for (std::uint8_t& level : volume.pixels<std::uint8_t>()) {
        const auto [x, y, z] = voxelAt(index++, extent);
        bool set = false;
        switch (kind) {
        case 0:
            set = (x + y + z) % 2 == 0;
            break;
        case 1:
            set = std::min({x, y, z, extent.width - 1 - x, extent.height - 1 - y, extent.slices - 1 - z}) % 2 == 0;
            break;
        case 2: // teeth joined in the last slice
            set = (x % 2 == 0 && y % 2 == 0) || z + 1 == extent.slices;
            break;
        case 3: // slices joined at alternating corners
            set = z % 2 == 0 || (x == (z % 4 == 1 ? extent.width - 1 : 0) && y == 0);
            break;
        default:
            set = ((x / block * 73856093U ^ y / block * 19349663U ^ z / block * 83492791U ^ density) * 2654435761U >>
                   13) %
                      100 <
                  density;
        }
        level = set ? static_cast<std::uint8_t>(1 + random() % 200) : 0;
    }
    return volume;
}

Mask maskOf(const Image& volume) { return thresholdMask(volume, 1, 0xffff, nullptr); }

struct NaiveObjects {
    std::vector<std::uint32_t> labels;
    std::vector<std::vector<std::uint32_t>> voxels;
};

/// Calls visit(index, dx, dy, dz) for the neighbours in the volume.
void forEachNeighbour(std::uint32_t voxel, const Extent& extent, int mostAxes,
                      const std::function<void(std::uint32_t, int, int, int)>& visit) {
    const Voxel at = voxelAt(voxel, extent);
    for (int bit = 0; bit < 27; ++bit) {
        const int dx = bit % 3 - 1;
        const int dy = bit / 3 % 3 - 1;
        const int dz = bit / 9 - 1;
        const int axes = std::abs(dx) + std::abs(dy) + std::abs(dz);
        const auto x = static_cast<std::int64_t>(at.x) + dx;
        const auto y = static_cast<std::int64_t>(at.y) + dy;
        const auto z = static_cast<std::int64_t>(at.z) + dz;
        if (axes > 0 && axes <= mostAxes && x >= 0 && y >= 0 && z >= 0 && x < extent.width && y < extent.height &&
            z < extent.slices) {
            visit(static_cast<std::uint32_t>((z * extent.height + y) * extent.width + x), dx, dy, dz);
        }
    }
}

int axesOf(Connectivity connectivity) {
    return connectivity == Connectivity::six ? 1 : connectivity == Connectivity::eighteen ? 2 : 3;
}

/// Flood fills in raster order.
NaiveObjects flood(const Image& volume, Connectivity connectivity) {
    NaiveObjects objects;
    objects.labels.assign(volume.pixelCount(), 0);
    for (std::uint32_t start = 0; start < objects.labels.size(); ++start) {
        if (objects.labels[start] != 0 || volume.level(start) == 0) {
            continue;
        }
        std::vector<std::uint32_t> voxels{start};
        const auto label = static_cast<std::uint32_t>(objects.voxels.size() + 1);
        objects.labels[start] = label;
        for (std::size_t k = 0; k < voxels.size(); ++k) {
            forEachNeighbour(voxels[k], volume.extent(), axesOf(connectivity), [&](std::uint32_t q, int, int, int) {
                if (objects.labels[q] == 0 && volume.level(q) != 0) {
                    objects.labels[q] = label;
                    voxels.push_back(q);
                }
            });
        }
        objects.voxels.push_back(std::move(voxels));
    }
    return objects;
}

/// Measures an object voxel by voxel; the Euler number counts its voxels alone, entering in the order of the fill.
VolumeRecord naiveRecord(const std::vector<std::uint32_t>& voxels, const std::vector<std::uint32_t>& labels,
                         const Image& volume, Connectivity connectivity) {
    const Extent& extent = volume.extent();
    const std::uint32_t label = labels[voxels.front()];
    VolumeRecord record;
    record.left = record.top = record.front = 0xffff'ffff;
    record.greyMin = 0xffff;
    std::vector<bool> present(labels.size(), false);
    for (const std::uint32_t p : voxels) {
        const auto [x, y, z] = voxelAt(p, extent);
        ++record.area;
        record.left = std::min(record.left, x);
        record.top = std::min(record.top, y);
        record.front = std::min(record.front, z);
        record.right = std::max(record.right, x);
        record.bottom = std::max(record.bottom, y);
        record.back = std::max(record.back, z);
        record.sumX += x;
        record.sumY += y;
        record.sumZ += z;
        record.sumXX += std::uint64_t{x} * x;
        record.sumYY += std::uint64_t{y} * y;
        record.sumZZ += std::uint64_t{z} * z;
        record.sumXY += std::uint64_t{x} * y;
        record.sumXZ += std::uint64_t{x} * z;
        record.sumYZ += std::uint64_t{y} * z;
        record.greySum += volume.level(p);
        record.greyMin = std::min(record.greyMin, volume.level(p));
        record.greyMax = std::max(record.greyMax, volume.level(p));
        record.border +=
            x == 0 || y == 0 || z == 0 || x + 1 == extent.width || y + 1 == extent.height || z + 1 == extent.slices ? 1
                                                                                                                    : 0;
        record.runsX += x == 0 || labels[p - 1] != label ? 1 : 0;
        record.runsY += y == 0 || labels[p - extent.width] != label ? 1 : 0;
        record.runsZ += z == 0 || labels[p - extent.slicePixels()] != label ? 1 : 0;
        std::uint32_t neighbours = 0;
        forEachNeighbour(p, extent, 3, [&](std::uint32_t q, int dx, int dy, int dz) {
            neighbours |= present[q] ? 1U << neighbourBit(dx, dy, dz) : 0U;
        });
        present[p] = true;
        if (connectivity != Connectivity::eighteen) {
            record.euler += eulerChangeInVolume(neighbours, connectivity == Connectivity::six);
        }
    }
    return record;
}

void expectEqualsFlooding(const Image& volume, Connectivity connectivity) {
    const NaiveObjects expected = flood(volume, connectivity);
    const Components found = labelComponents(maskOf(volume), &volume, specOf(connectivity, volume.extent().slices));
    const std::string size = text(volume.extent()) + ", " + std::to_string(static_cast<int>(connectivity));
    ASSERT_EQ(found.count, expected.voxels.size()) << size;
    ASSERT_TRUE(std::ranges::equal(found.labels, expected.labels)) << size;
    ASSERT_EQ(found.objects.size(), expected.voxels.size());
    std::uint64_t foreground = 0;
    for (std::size_t i = 0; i < found.objects.size(); ++i) {
        ASSERT_EQ((VolumeRecord{found.objects[i], found.depths[i]}),
                  naiveRecord(expected.voxels[i], expected.labels, volume, connectivity))
            << size << ", object " << i + 1;
        foreground += found.objects[i].area;
    }
    EXPECT_EQ(found.foreground, foreground);
}

TEST(VolumeComponents, EqualFlooding) {
    Random random(71);
    for (int repeat = 0; repeat < repeats(1500); ++repeat) {
        Extent extent{1 + random() % 7, 1 + random() % 7, 1 + random() % 7};
        switch (repeat % 8) { // one voxel thick along each axis
        case 0:
            extent.width = 1;
            break;
        case 1:
            extent.height = 1;
            break;
        case 2:
            extent.slices = 1;
            break;
        default:
            break;
        }
        const Image volume = volumeOfLevels(random, extent);
        for (const Connectivity connectivity : kNeighbours) {
            ASSERT_NO_FATAL_FAILURE(expectEqualsFlooding(volume, connectivity));
        }
    }
}

TEST(VolumeComponents, ReachAcrossWordsAndBands) {
    Random random(72);
    for (const Extent& extent : {Extent{131, 5, 4}, Extent{64, 3, 7}, Extent{5, 7, 180}, Extent{3, 90, 25},
                                 Extent{1, 1, 700}, Extent{70, 66, 21}, Extent{65, 130, 9}, Extent{2, 300, 6}}) {
        for (int repeat = 0; repeat < 4; ++repeat) {
            const Image volume = volumeOfLevels(random, extent);
            for (const Connectivity connectivity : kNeighbours) {
                ASSERT_NO_FATAL_FAILURE(expectEqualsFlooding(volume, connectivity));
            }
        }
    }
}

TEST(VolumeComponents, DoNotDependOnThreads) {
    Random random(73);
    for (int repeat = 0; repeat < 6; ++repeat) {
        const Image volume = volumeOfLevels(random, {90, 70, 80});
        for (const Connectivity connectivity : kNeighbours) {
            Components alone;
            Components together;
            const Mask mask = maskOf(volume);
            const auto label = [&] {
                return labelComponents(mask, &volume, specOf(connectivity, volume.extent().slices));
            };
            tbb::task_arena(1).execute([&] { alone = label(); });
            tbb::task_arena(4).execute([&] { together = label(); });
            ASSERT_TRUE(std::ranges::equal(together.labels, alone.labels));
            ASSERT_EQ(together.objects, alone.objects);
            ASSERT_EQ(together.depths, alone.depths);
        }
    }
}

TEST(VolumeComponents, OfOneSliceAreThoseOfTheImage) {
    Random random(74);
    for (int repeat = 0; repeat < repeats(200); ++repeat) {
        const Image volume = volumeOfLevels(random, {1 + random() % 80, 1 + random() % 20, 1});
        const Mask mask = maskOf(volume);
        for (const auto& [neighbours, flat] : {std::pair{Connectivity::six, Connectivity::four},
                                               std::pair{Connectivity::twentySix, Connectivity::eight}}) {
            const Components image = labelComponents(mask, &volume, specOf(flat));
            const Components found = labelComponents(mask, &volume, specOf(neighbours));
            ASSERT_TRUE(std::ranges::equal(found.labels, image.labels));
            ASSERT_EQ(found.objects.size(), image.objects.size());
            for (std::size_t i = 0; i < found.objects.size(); ++i) {
                const DepthRecord& object = found.depths[i];
                ComponentRecord seen = found.objects[i];
                seen.perimeter = 2 * (std::uint64_t{object.runsX} + object.runsY);
                seen.holes = static_cast<std::uint64_t>(1 - object.euler);
                ASSERT_EQ(seen, image.objects[i]);
                ASSERT_EQ(object.runsZ, seen.area);
                ASSERT_EQ(object.border, seen.area);
            }
        }
    }
}

TEST(VolumeComponents, PermutedAxesPermuteTheObjects) {
    Random random(75);
    for (int repeat = 0; repeat < repeats(60); ++repeat) {
        const Extent extent{1 + random() % 20, 1 + random() % 20, 1 + random() % 20};
        const Image volume = volumeOfLevels(random, extent);
        Image turned(PixelType::u8, Extent{extent.slices, extent.width, extent.height}); // x y z become y z x
        const auto placeOf = [&](std::size_t index) {
            const auto [x, y, z] = voxelAt(static_cast<std::uint32_t>(index), extent);
            return (std::size_t{y} * extent.width + x) * extent.slices + z;
        };
        for (std::size_t i = 0; i < volume.pixelCount(); ++i) {
            turned.pixels<std::uint8_t>()[placeOf(i)] = volume.pixels<std::uint8_t>()[i];
        }
        for (const Connectivity connectivity : kNeighbours) {
            const Components a = labelComponents(maskOf(volume), &volume, specOf(connectivity, extent.slices));
            const Components b = labelComponents(maskOf(turned), &turned, specOf(connectivity, turned.extent().slices));
            ASSERT_EQ(a.count, b.count);
            std::vector<std::uint32_t> labelThere(a.count + 1, 0);
            for (std::size_t i = 0; i < a.labels.size(); ++i) {
                std::uint32_t& label = labelThere[a.labels[i]];
                const std::uint32_t there = b.labels[placeOf(i)];
                ASSERT_TRUE(label == 0 || label == there);
                label = there;
            }
            for (std::uint32_t label = 1; label <= a.count; ++label) {
                const VolumeRecord one{a.objects[label - 1], a.depths[label - 1]};
                const VolumeRecord other{b.objects[labelThere[label] - 1], b.depths[labelThere[label] - 1]};
                const auto measured = [](const VolumeRecord& r) {
                    return std::tuple(r.area, r.border, r.euler, r.greySum, r.greyMin, r.greyMax);
                };
                ASSERT_EQ(measured(one), measured(other));
                ASSERT_EQ(std::tuple(one.runsX, one.runsY, one.runsZ),
                          std::tuple(other.runsY, other.runsZ, other.runsX));
                ASSERT_EQ(std::tuple(one.sumX, one.sumYY, one.sumXZ), std::tuple(other.sumY, other.sumZZ, other.sumXY));
                ASSERT_EQ(std::tuple(one.left, one.bottom, one.back), std::tuple(other.top, other.back, other.right));
            }
        }
    }
}

TEST(VolumeComponents, EulerNumbersCountTunnelsAndCavities) {
    const auto eulerOf = [](const Extent& extent, Connectivity connectivity, auto isSet) {
        Image volume(PixelType::u8, extent);
        std::uint32_t index = 0;
        for (std::uint8_t& level : volume.pixels<std::uint8_t>()) {
            const auto [x, y, z] = voxelAt(index++, extent);
            level = isSet(static_cast<int>(x), static_cast<int>(y), static_cast<int>(z)) ? 1 : 0;
        }
        const Components found = labelComponents(maskOf(volume), nullptr, specOf(connectivity, extent.slices));
        EXPECT_EQ(found.count, 1U);
        return found.depths.front().euler;
    };
    for (const Connectivity connectivity : {Connectivity::six, Connectivity::twentySix}) {
        const auto distance = [](int x, int y, int z) {
            return (x - 9) * (x - 9) + (y - 9) * (y - 9) + (z - 9) * (z - 9);
        };
        const Extent cube{19, 19, 19};
        EXPECT_EQ(eulerOf(cube, connectivity, [&](int x, int y, int z) { return distance(x, y, z) <= 64; }), 1)
            << "ball";
        EXPECT_EQ(eulerOf(cube, connectivity,
                          [&](int x, int y, int z) {
                              const int d = distance(x, y, z);
                              return d <= 64 && d > 16;
                          }),
                  2)
            << "ball with a cavity";
        EXPECT_EQ(eulerOf({9, 9, 3}, connectivity,
                          [](int x, int y, int z) { return z == 1 && (x < 3 || x > 5 || y < 3 || y > 5); }),
                  0)
            << "ring";
        EXPECT_EQ(
            eulerOf({9, 3, 5}, connectivity, [](int x, int y, int z) { return y == 1 && (x % 4 == 0 || z % 4 == 0); }),
            -1)
            << "two tunnels";
    }
    // A ring without a corner: the voxels on both sides of the gap have a common edge.
    const auto open = [](int x, int y, int /*z*/) { return (x != 1 || y != 1) && (x != 2 || y != 2); };
    EXPECT_EQ(eulerOf({3, 3, 1}, Connectivity::six, open), 1);
    EXPECT_EQ(eulerOf({3, 3, 1}, Connectivity::twentySix, open), 0);
}

TEST(VolumeComponents, MakeOnlyWhatIsAskedFor) {
    Random random(76);
    const Image volume = volumeOfLevels(random, {9, 9, 9});
    const Mask mask = maskOf(volume);
    const Components all = labelComponents(mask, nullptr, specOf(Connectivity::six, 9));
    const Components labels = labelComponents(
        mask, nullptr, {.connectivity = Connectivity::six, .algorithm = {}, .features = false, .slices = 9});
    const Components records = labelComponents(
        mask, nullptr, {.connectivity = Connectivity::six, .algorithm = {}, .labels = false, .slices = 9});
    EXPECT_TRUE(labels.objects.empty());
    EXPECT_TRUE(labels.depths.empty());
    EXPECT_TRUE(std::ranges::equal(labels.labels, all.labels));
    EXPECT_EQ(records.labels.size(), 0U);
    EXPECT_EQ(records.objects, all.objects);
    EXPECT_EQ(records.depths, all.depths);
    EXPECT_EQ(records.count, labels.count);
}

TEST(VolumeComponents, RefuseWhatDoesNotFit) {
    const Mask mask(4, 6, true);
    const auto errorOf = [&](const Image* grey, const ComponentsSpec& spec) {
        try {
            (void)labelComponents(mask, grey, spec);
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string("none");
    };
    EXPECT_EQ(errorOf(nullptr, specOf(Connectivity::six, 2)), "none");
    EXPECT_NE(errorOf(nullptr, specOf(Connectivity::eight, 2)), "none");
    EXPECT_NE(errorOf(nullptr, specOf(Connectivity::six, 4)), "none") << "6 rows are no 4 slices";
    EXPECT_NE(errorOf(nullptr, specOf(Connectivity::six, 0)), "none");
    EXPECT_NE(errorOf(nullptr, {.connectivity = Connectivity::six, .algorithm = "strips", .slices = 2}), "none");
    const Image grey(PixelType::u8, Extent{4, 2, 3});
    EXPECT_NE(errorOf(&grey, specOf(Connectivity::six, 2)), "none");
    const Mask row(1, 3'000'000, true);
    EXPECT_THROW((void)labelComponents(row, nullptr, specOf(Connectivity::six, 3'000'000)), Error);
}

TEST(VolumeComponents, EndWhenTheyAreStopped) {
    std::stop_source stop;
    stop.request_stop();
    const Mask mask(40, 400, true);
    EXPECT_THROW((void)labelComponents(mask, nullptr, specOf(Connectivity::six, 20), JobControl(stop.get_token())),
                 Cancelled);
}

} // namespace
} // namespace pollard::testing
