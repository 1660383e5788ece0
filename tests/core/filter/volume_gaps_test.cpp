// Filters of volumes in which some voxels have no data, against the definition on the remaining voxels.
#include "support/engines.hpp"
#include "support/random_images.hpp"

#include "base/error.hpp"
#include "filter/analysis_image.hpp"
#include "filter/filter_spec.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace pollard::testing {
namespace {

/// A volume with a mask of its rows.
struct GappyVolume {
    std::shared_ptr<const Image> image;
    Mask inside;

    [[nodiscard]] bool has(std::uint32_t voxel) const {
        return inside.test(voxel % image->width(), voxel / image->width());
    }
};

GappyVolume randomGappyVolume(Random& random) {
    const Extent extent{1 + random() % 6, 1 + random() % 5, 1 + random() % 5};
    const auto rows = static_cast<std::uint32_t>(extent.rows());
    const auto tall = randomImage(random, extent.width, rows);
    const auto volume = std::make_shared<Image>(tall->type(), extent);
    volume->setSides({1, 2, 3});
    std::copy_n(tall->data(), tall->bytes(), volume->data());
    Mask inside(extent.width, rows, false);
    const std::uint32_t share = 1 + random() % 4;
    for (std::uint32_t i = 0; i < extent.pixelCount(); ++i) {
        inside.set(i % extent.width, i / extent.width, random() % 4 < share);
    }
    inside.set(random() % extent.width, random() % rows, true);
    return {volume, std::move(inside)};
}

/// Voxels of the component of voxels inside with at least this height that holds @p start.
std::uint32_t areaFrom(const GappyVolume& volume, const std::vector<int>& heights, std::uint32_t start, int height,
                       Connectivity connectivity) {
    const Extent& extent = volume.image->extent();
    const int far = connectivity == Connectivity::six ? 1 : connectivity == Connectivity::eighteen ? 2 : 3;
    std::vector<char> seen(heights.size(), 0);
    std::vector<std::uint32_t> found{start};
    seen[start] = 1;
    for (std::size_t i = 0; i < found.size(); ++i) {
        const Voxel at = voxelAt(found[i], extent);
        for (std::uint32_t next = 0; next < heights.size(); ++next) {
            const Voxel to = voxelAt(next, extent);
            const int dx = std::abs(static_cast<int>(to.x) - static_cast<int>(at.x));
            const int dy = std::abs(static_cast<int>(to.y) - static_cast<int>(at.y));
            const int dz = std::abs(static_cast<int>(to.z) - static_cast<int>(at.z));
            if (std::max({dx, dy, dz}) == 1 && dx + dy + dz <= far && seen[next] == 0 && volume.has(next) &&
                heights[next] >= height) {
                seen[next] = 1;
                found.push_back(next);
            }
        }
    }
    return static_cast<std::uint32_t>(found.size());
}

/// The highest height from which on the component of a voxel has this area; the lowest one of all voxels inside if
/// there is none.
int openedAt(const GappyVolume& volume, const std::vector<int>& heights, std::uint32_t voxel, std::uint32_t area,
             Connectivity connectivity, const std::vector<int>& levels) {
    for (const int height : levels) { // descending
        if (height <= heights[voxel] && areaFrom(volume, heights, voxel, height, connectivity) >= area) {
            return height;
        }
    }
    return levels.back();
}

TEST(VolumeGaps, FiltersWorkOnTheOtherVoxels) {
    Random random(2024);
    for (int round = 0; round < 300; ++round) {
        const GappyVolume volume = randomGappyVolume(random);
        const Image& image = *volume.image;
        const TreeKind kind = random() % 2 == 0 ? TreeKind::max : TreeKind::min;
        const Connectivity connectivity =
            std::vector{Connectivity::six, Connectivity::eighteen, Connectivity::twentySix}[random() % 3];
        const std::uint32_t area = 1 + random() % 12;
        const auto turned = [kind](int level) { return kind == TreeKind::max ? level : -level; };
        std::vector<int> heights;
        std::vector<int> levels; // of voxels inside
        for (std::uint32_t i = 0; i < image.pixelCount(); ++i) {
            heights.push_back(turned(image.level(i)));
            if (volume.has(i)) {
                levels.push_back(heights.back());
            }
        }
        std::ranges::sort(levels, std::greater<>());
        levels.erase(std::unique(levels.begin(), levels.end()), levels.end());

        const auto session = makeCpuEngine()->openSession();
        const auto analysed = analysisImage(volume.image, &volume.inside, kind);
        ASSERT_EQ(analysed->extent(), image.extent());
        EXPECT_EQ(analysed->sides(), image.sides());
        session->open(analysed);
        (void)session->buildTree({kind, connectivity, {}});
        FilterSpec spec;
        spec.criteria = {parseCriterion("area>=" + std::to_string(area))};
        for (const Output output : {Output::filtered, Output::residue}) {
            spec.output = output;
            Image out(image.type(), image.extent());
            (void)session->filter(spec, out);
            restoreOutside(image, volume.inside, output, out);
            for (std::uint32_t i = 0; i < image.pixelCount(); ++i) {
                if (!volume.has(i)) {
                    ASSERT_EQ(out.level(i), output == Output::filtered ? image.level(i) : 0) << round;
                    continue;
                }
                const int opened = openedAt(volume, heights, i, area, connectivity, levels);
                const int expected = output == Output::filtered ? turned(opened) : heights[i] - opened;
                ASSERT_EQ(out.level(i), expected) << round << ", voxel " << i << ", area " << area;
            }
        }
    }
}

TEST(VolumeGaps, NeedMasksOfAllRows) {
    const auto volume = std::make_shared<Image>(PixelType::u8, Extent{4, 3, 2});
    const Mask slice(4, 3, true);
    EXPECT_THROW((void)analysisImage(volume, &slice, TreeKind::max), Error);
    EXPECT_FALSE(fits(slice, *volume));
    EXPECT_TRUE(fits(Mask(4, 6, true), *volume));
    Image rows(PixelType::u8, 4, 6);
    EXPECT_THROW(restoreOutside(*volume, Mask(4, 6, true), Output::filtered, rows), Error);
}

} // namespace
} // namespace pollard::testing
