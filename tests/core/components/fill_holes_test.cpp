// Filled holes against flood filling the complement from the border.

#include "base/error.hpp"
#include "components/components.hpp"
#include "components/objects/object_rule.hpp"
#include "components/threshold.hpp"
#include "image/image.hpp"
#include "support/random_images.hpp"

#include <gtest/gtest.h>

#include <tbb/task_arena.h>

#include <array>
#include <cstdlib>
#include <stop_token>
#include <utility>
#include <vector>

namespace pollard::testing {
namespace {

constexpr std::array kConnectivities{Connectivity::four, Connectivity::eight};

Mask noise(Random& random, std::uint32_t width, std::uint32_t height, std::uint32_t density) {
    Mask mask(width, height, false);
    for (std::uint32_t y = 0; y < height; ++y) {
        for (std::uint32_t x = 0; x < width; ++x) {
            mask.set(x, y, random() % 100 < density);
        }
    }
    return mask;
}

/// Floods the unset pixels from the border and from pixels outside @p inside; sets the remaining ones.
Mask naiveFill(const Mask& mask, const Mask* inside, Connectivity objects) {
    const int width = static_cast<int>(mask.width());
    const int height = static_cast<int>(mask.height());
    const auto at = [](const Mask& of, int x, int y) {
        return of.test(static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y));
    };
    Mask wet(mask.width(), mask.height(), false);
    std::vector<std::pair<int, int>> pixels;
    const auto wetten = [&](int x, int y) {
        if (!at(mask, x, y) && !at(wet, x, y)) {
            wet.set(static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y), true);
            pixels.emplace_back(x, y);
        }
    };
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            if (x == 0 || y == 0 || x + 1 == width || y + 1 == height || (inside != nullptr && !at(*inside, x, y))) {
                wetten(x, y);
            }
        }
    }
    while (!pixels.empty()) {
        const auto [x, y] = pixels.back();
        pixels.pop_back();
        for (int dy = -1; dy <= 1; ++dy) {
            for (int dx = -1; dx <= 1; ++dx) {
                const bool isNeighbour = objects == Connectivity::four || dx == 0 || dy == 0; // the complementary
                                                                                              // connectivity
                if (isNeighbour && x + dx >= 0 && y + dy >= 0 && x + dx < width && y + dy < height) {
                    wetten(x + dx, y + dy);
                }
            }
        }
    }
    Mask filled(mask.width(), mask.height(), false);
    for (std::uint32_t y = 0; y < mask.height(); ++y) {
        for (std::uint32_t x = 0; x < mask.width(); ++x) {
            filled.set(x, y, !wet.test(x, y));
        }
    }
    return filled;
}

Mask filled(Mask mask, const Mask* inside, Connectivity connectivity) {
    fillHoles(mask, inside, connectivity);
    return mask;
}

TEST(FillHoles, EqualsFloodingFromTheBorder) {
    Random random(95);
    for (int repeat = 0; repeat < 300; ++repeat) {
        const std::uint32_t width = 1 + random() % 90;
        const std::uint32_t height = 1 + random() % 40;
        const Mask region = noise(random, width, height, 97);
        Mask mask = noise(random, width, height, random() % 101);
        for (const Connectivity connectivity : kConnectivities) {
            ASSERT_EQ(filled(mask, nullptr, connectivity), naiveFill(mask, nullptr, connectivity));
        }
        for (std::uint32_t y = 0; y < height; ++y) {
            for (std::uint32_t x = 0; x < width; ++x) {
                mask.set(x, y, mask.test(x, y) && region.test(x, y));
            }
        }
        for (const Connectivity connectivity : kConnectivities) {
            ASSERT_EQ(filled(mask, &region, connectivity), naiveFill(mask, &region, connectivity));
        }
    }
}

TEST(FillHoles, ReachesAcrossBandsOfRows) {
    // A spiral whose exit is as long as the image, closed in one of two cases; and noise over many bands.
    Random random(96);
    for (const bool closed : {false, true}) {
        Mask walls(70, 1500, true);
        for (std::uint32_t y = 1; y + 1 < walls.height(); ++y) {
            for (std::uint32_t x = 1; x < 69; x += 2) {
                walls.set(x, y, false);
            }
        }
        for (std::uint32_t x = 2; x < 68; x += 2) { // channels joined alternately above and below
            walls.set(x, x % 4 == 0 ? 1 : walls.height() - 2, false);
        }
        walls.set(1, 0, closed);
        for (const Connectivity connectivity : kConnectivities) {
            EXPECT_EQ(filled(walls, nullptr, connectivity), closed ? Mask(70, 1500, true) : walls);
        }
    }
    const Mask mask = noise(random, 130, 1200, 70);
    for (const Connectivity connectivity : kConnectivities) {
        EXPECT_EQ(filled(mask, nullptr, connectivity), naiveFill(mask, nullptr, connectivity));
    }
}

TEST(FillHoles, IsIdempotentAddsOnlyAndLeavesNoHoles) {
    Random random(97);
    for (int repeat = 0; repeat < 40; ++repeat) {
        const Mask mask = noise(random, 50, 40, 40 + random() % 50);
        for (const Connectivity connectivity : kConnectivities) {
            const Mask once = filled(mask, nullptr, connectivity);
            EXPECT_EQ(filled(once, nullptr, connectivity), once);
            EXPECT_GE(once.count(), mask.count());
            ComponentsSpec spec;
            spec.connectivity = connectivity;
            std::uint64_t holes = 0;
            for (const ComponentRecord& object : labelComponents(once, nullptr, spec).objects) {
                holes += object.holes;
            }
            // Regions enclosed by objects and the image border together are not holes of the mask.
            std::uint64_t before = 0;
            for (const ComponentRecord& object : labelComponents(mask, nullptr, spec).objects) {
                before += object.holes;
            }
            EXPECT_LE(holes, before);
            EXPECT_EQ(holes, 0U);
        }
    }
}

/// Floods the unset voxels from the border and from voxels outside @p inside; sets the remaining ones.
Mask naiveFillOfVolume(const Mask& mask, const Extent& extent, const Mask* inside, Connectivity objects) {
    const int most = objects == Connectivity::six ? 3 : 1; // coordinates in which background neighbours differ
    Mask filled(mask.width(), mask.height(), true);
    std::vector<Voxel> voxels;
    const auto wetten = [&](std::uint32_t x, std::uint32_t y, std::uint32_t z) {
        const std::uint32_t row = z * extent.height + y;
        if (!mask.test(x, row) && filled.test(x, row)) {
            filled.set(x, row, false);
            voxels.push_back({x, y, z});
        }
    };
    for (std::uint32_t p = 0; p < extent.pixelCount(); ++p) {
        const auto [x, y, z] = voxelAt(p, extent);
        const bool isOuter =
            x == 0 || y == 0 || z == 0 || x + 1 == extent.width || y + 1 == extent.height || z + 1 == extent.slices;
        if (isOuter || (inside != nullptr && !inside->test(x, z * extent.height + y))) {
            wetten(x, y, z);
        }
    }
    while (!voxels.empty()) {
        const Voxel at = voxels.back();
        voxels.pop_back();
        for (int bit = 0; bit < 27; ++bit) {
            const int dx = bit % 3 - 1;
            const int dy = bit / 3 % 3 - 1;
            const int dz = bit / 9 - 1;
            const std::int64_t x = std::int64_t{at.x} + dx;
            const std::int64_t y = std::int64_t{at.y} + dy;
            const std::int64_t z = std::int64_t{at.z} + dz;
            if (std::abs(dx) + std::abs(dy) + std::abs(dz) <= most && x >= 0 && y >= 0 && z >= 0 && x < extent.width &&
                y < extent.height && z < extent.slices) {
                wetten(static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y), static_cast<std::uint32_t>(z));
            }
        }
    }
    return filled;
}

TEST(FillHoles, EqualsFloodingOfVolumesFromTheirBorder) {
    Random random(99);
    for (int repeat = 0; repeat < 200; ++repeat) {
        const bool isLong = repeat % 20 == 0; // many bands of slices
        const Extent extent{1 + random() % 40, 1 + random() % 9, 1 + random() % (isLong ? 300 : 9)};
        const auto rows = static_cast<std::uint32_t>(extent.rows());
        const Mask region = noise(random, extent.width, rows, 98);
        Mask mask = noise(random, extent.width, rows, 30 + random() % 71);
        for (const bool within : {false, true}) {
            const Mask* const inside = within ? &region : nullptr;
            for (std::uint32_t y = 0; within && y < rows; ++y) {
                for (std::uint32_t x = 0; x < extent.width; ++x) {
                    mask.set(x, y, mask.test(x, y) && region.test(x, y));
                }
            }
            for (const Connectivity connectivity :
                 {Connectivity::six, Connectivity::eighteen, Connectivity::twentySix}) {
                Mask filled = mask;
                fillHoles(filled, inside, connectivity, {}, extent.slices);
                ASSERT_EQ(filled, naiveFillOfVolume(mask, extent, inside, connectivity)) << text(extent);
            }
        }
    }
}

TEST(FillHoles, AHoleWithAPixelOutsideTheRegionIsNone) {
    Mask mask(9, 9, false);
    for (std::uint32_t i = 2; i < 7; ++i) {
        mask.setRun(2, 7, i, i == 2 || i == 6);
        mask.set(2, i, true);
        mask.set(6, i, true);
    }
    EXPECT_EQ(filled(mask, nullptr, Connectivity::eight).count(), 25U);
    Mask inside(9, 9, true);
    EXPECT_EQ(filled(mask, &inside, Connectivity::eight).count(), 25U);
    inside.set(4, 4, false);
    EXPECT_EQ(filled(mask, &inside, Connectivity::eight), mask);
    // With an object rule.
    const auto image = makeImage(PixelType::u8, 9, 9, [&](auto x, auto y) { return mask.test(x, y) ? 50 : 10; });
    ObjectRule rule{{}, std::nullopt, false, {40, 255}, Connectivity::eight};
    EXPECT_EQ(rule.maskOf(*image, rule.levels, &inside, {}), mask);
    rule.fillHoles = true;
    EXPECT_EQ(rule.maskOf(*image, rule.levels, &inside, {}), mask);
    EXPECT_EQ(rule.maskOf(*image, rule.levels, nullptr, {}).count(), 25U);
}

TEST(FillHoles, IsTheSameForAnyNumberOfThreadsAndStops) {
    Random random(98);
    const Mask mask = noise(random, 600, 900, 62);
    const Mask all = filled(mask, nullptr, Connectivity::eight);
    tbb::task_arena(1).execute([&] { EXPECT_EQ(filled(mask, nullptr, Connectivity::eight), all); });
    std::stop_source stop;
    stop.request_stop();
    Mask stopped = mask;
    EXPECT_THROW(fillHoles(stopped, nullptr, Connectivity::eight, JobControl(stop.get_token())), Cancelled);
    const Mask other(5, 5, true);
    EXPECT_THROW(fillHoles(stopped, &other, Connectivity::eight), Error);
}

} // namespace
} // namespace pollard::testing
