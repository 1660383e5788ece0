// Best components: the optimum against all antichains, the sums of borders against their definition, and symmetries.

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "components/best/best_components.hpp"
#include "components/best/best_cut.hpp"
#include "components/best/bordered_sums.hpp"
#include "components/best/brightness.hpp"
#include "components/best/shape_parts.hpp"
#include "components/labelled_components.hpp"
#include "cpu/cpu_engine.hpp"
#include "engine/best_objects.hpp"
#include "engine/engine.hpp"
#include "support/random_images.hpp"
#include "support/random_volumes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <span>
#include <stop_token>
#include <utility>
#include <vector>

namespace pollard::testing {
namespace {

// The optimum.

CutForest randomForest(Random& random, std::uint32_t count) {
    CutForest forest;
    for (std::uint32_t i = 0; i < count; ++i) {
        const bool isRoot = i == 0 || random() % 5 == 0;
        forest.parent.push_back(isRoot ? CutForest::kNone : i - 1 - random() % std::min(i, 3U));
        forest.isPart.push_back(isRoot ? 0 : random() % 2);
    }
    return forest;
}

/// Whether two regions may be chosen together: neither contains the other, and where they lie in the same region, they
/// come from the same of its two sets.
bool areCompatible(const CutForest& forest, std::uint32_t a, std::uint32_t b) {
    const auto pathTo = [&](std::uint32_t region) {
        std::vector<std::uint32_t> path; // from the root
        for (; region != CutForest::kNone; region = forest.parent[region]) {
            path.insert(path.begin(), region);
        }
        return path;
    };
    const std::vector<std::uint32_t> one = pathTo(a);
    const std::vector<std::uint32_t> other = pathTo(b);
    const auto [left, right] = std::ranges::mismatch(one, other);
    if (left == one.end() || right == other.end()) {
        return false;
    }
    return left == one.begin() || forest.isPart[*left] == forest.isPart[*right];
}

using Worth = std::pair<std::size_t, std::int64_t>; ///< forced regions, sum of scores

Worth worthOf(std::span<const std::uint32_t> chosen, std::span<const std::int64_t> scores,
              const CutConstraints& limits) {
    Worth worth{0, 0};
    for (const std::uint32_t region : chosen) {
        worth.first += static_cast<std::size_t>(std::ranges::count(limits.forced, region));
        worth.second += scores[region];
    }
    return worth;
}

bool isAllowed(const CutForest& forest, std::span<const std::uint32_t> chosen, const CutConstraints& limits) {
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        const bool isForbidden =
            std::ranges::count(limits.forbidden, chosen[i]) > std::ranges::count(limits.forced, chosen[i]);
        for (std::size_t j = 0; j < i; ++j) {
            if (!areCompatible(forest, chosen[i], chosen[j])) {
                return false;
            }
        }
        if (isForbidden) {
            return false;
        }
    }
    return true;
}

/// The highest worth of all sets of regions.
Worth bestWorth(const CutForest& forest, std::span<const std::int64_t> scores, const CutConstraints& limits) {
    Worth best{0, 0};
    for (std::uint32_t set = 0; set < 1U << forest.size(); ++set) {
        std::vector<std::uint32_t> chosen;
        for (std::uint32_t i = 0; i < forest.size(); ++i) {
            if ((set >> i & 1U) != 0) {
                chosen.push_back(i);
            }
        }
        const Worth worth = worthOf(chosen, scores, limits);
        if (worth > best && isAllowed(forest, chosen, limits)) {
            best = worth;
        }
    }
    return best;
}

TEST(BestCut, IsTheBestOfAllSetsOfDisjointRegions) {
    Random random(1);
    for (int round = 0; round < 3000; ++round) {
        const std::uint32_t count = 1 + random() % 9;
        const CutForest forest = randomForest(random, count);
        std::vector<std::int64_t> scores;
        CutConstraints limits;
        for (std::uint32_t i = 0; i < count; ++i) {
            scores.push_back(static_cast<std::int64_t>(random() % 11) - 5);
            if (round % 2 == 1 && random() % 6 == 0) {
                limits.forced.insert(limits.forced.end(), 1 + random() % 2, i);
            } else if (round % 2 == 1 && random() % 4 == 0) {
                limits.forbidden.push_back(i);
            }
        }
        const std::vector<std::uint32_t> chosen = bestCut(forest, scores, limits);
        ASSERT_TRUE(std::ranges::is_sorted(chosen));
        ASSERT_TRUE(isAllowed(forest, chosen, limits)) << "round " << round;
        ASSERT_EQ(worthOf(chosen, scores, limits), bestWorth(forest, scores, limits)) << "round " << round;
    }
}

TEST(BestCut, RegionsBesideAChoiceAreCompatibleWithIt) {
    Random random(6);
    std::size_t beside = 0;
    for (int round = 0; round < 2000; ++round) {
        const std::uint32_t count = 1 + random() % 20;
        const CutForest forest = randomForest(random, count);
        std::vector<std::int64_t> scores;
        for (std::uint32_t i = 0; i < count; ++i) {
            scores.push_back(static_cast<std::int64_t>(random() % 7) - 5);
        }
        const std::vector<std::uint32_t> chosen = bestCut(forest, scores);
        std::vector<std::uint32_t> expected;
        for (std::uint32_t region = 0; region < count; ++region) {
            if (std::ranges::all_of(chosen, [&](auto other) { return areCompatible(forest, region, other); })) {
                expected.push_back(region);
            }
        }
        ASSERT_EQ(regionsBeside(forest, chosen), expected) << "round " << round;
        beside += chosen.empty() ? 0 : expected.size();
    }
    EXPECT_GT(beside, 1000U);
}

TEST(BestCut, TakesTheLargerRegionThenTheNestedOnesAtEqualSums) {
    const CutForest forest{{CutForest::kNone, 0, 0, 0, 0}, {0, 0, 0, 1, 1}};
    using Regions = std::vector<std::uint32_t>;
    EXPECT_EQ(bestCut(forest, std::vector<std::int64_t>{4, 2, 2, 2, 2}), (Regions{0}));
    EXPECT_EQ(bestCut(forest, std::vector<std::int64_t>{3, 2, 2, 2, 2}), (Regions{1, 2}));
    EXPECT_EQ(bestCut(forest, std::vector<std::int64_t>{3, 2, 1, 2, 2}), (Regions{3, 4}));
    EXPECT_EQ(bestCut(forest, std::vector<std::int64_t>{0, -1, -1, 0, 0}), Regions{});
}

TEST(BestCut, RefusesConstraintsOnOtherRegions) {
    const CutForest forest{{CutForest::kNone}, {0}};
    EXPECT_THROW((void)bestCut(forest, std::vector<std::int64_t>{1}, {.forced = {1}, .forbidden = {}}), Error);
    EXPECT_THROW((void)bestCut(forest, std::vector<std::int64_t>{1}, {.forced = {}, .forbidden = {7}}), Error);
}

TEST(BestCut, TakesATreeOfAnyHeight) {
    constexpr std::uint32_t kHeight = 1'000'000;
    CutForest forest{{CutForest::kNone}, std::vector<std::uint8_t>(kHeight)};
    for (std::uint32_t i = 1; i < kHeight; ++i) {
        forest.parent.push_back(i - 1);
    }
    std::vector<std::int64_t> scores(kHeight, 1);
    scores[777] = 2;
    EXPECT_EQ(bestCut(forest, scores), std::vector<std::uint32_t>{777});
}

// Sums.

/// The sums of a region by their definition.
BorderedSums sumsByDefinition(const std::set<std::uint32_t>& region, const Brightness& image) {
    const Extent extent = image.levels.extent();
    const VoxelSides& sides = image.levels.sides();
    const double smallest = std::min({sides.x, sides.y, sides.z});
    const std::array lengths{sides.x / smallest, sides.y / smallest, sides.z / smallest};
    const double product = lengths[0] * lengths[1] * lengths[2];
    BorderedSums sums;
    for (const std::uint32_t pixel : region) {
        const Voxel at = voxelAt(pixel, extent);
        ++sums.pixels.area;
        sums.pixels.x += at.x;
        sums.pixels.y += at.y;
        sums.slices.z += at.z;
        sums.pixels.xx += std::uint64_t{at.x} * at.x;
        sums.pixels.xy += std::uint64_t{at.x} * at.y;
        sums.pixels.yy += std::uint64_t{at.y} * at.y;
        sums.slices.zz += std::uint64_t{at.z} * at.z;
        sums.slices.xz += std::uint64_t{at.x} * at.z;
        sums.slices.yz += std::uint64_t{at.y} * at.z;
        sums.grey += image.fine[pixel];
        for (std::size_t axis = 0; axis < 3; ++axis) {
            for (const int towards : {1, -1}) {
                const auto place = [&](int steps) -> std::optional<std::uint32_t> { // nothing outside the image
                    std::array<std::int64_t, 3> to{at.x, at.y, at.z};
                    to[axis] += steps * towards;
                    const bool isInside =
                        to[axis] >= 0 && to[0] < extent.width && to[1] < extent.height && to[2] < extent.slices;
                    return isInside ? std::optional(static_cast<std::uint32_t>(
                                          (to[2] * extent.height + to[1]) * extent.width + to[0]))
                                    : std::nullopt;
                };
                const auto next = place(1);
                if (!next || region.contains(*next)) {
                    continue;
                }
                const bool isLong = lengths[axis] > 1.5;
                const bool hasBefore = !isLong && place(-1) && region.contains(*place(-1));
                const bool hasAfter = !isLong && place(2);
                const bool areEqual = lengths[0] == lengths[1] && lengths[0] == lengths[2];
                // The area of a face is the product of the other sides; the largest one is across the shortest side.
                const double face = product / lengths[axis];
                const std::uint64_t weight =
                    areEqual ? 1 : static_cast<std::uint64_t>(std::max(std::lround(1024 * face / product), 1L));
                sums.sides += weight;
                sums.inner += weight * image.fine[hasBefore ? *place(-1) : pixel];
                sums.outer += weight * image.fine[hasAfter ? *place(2) : *next];
            }
        }
    }
    return sums;
}

std::shared_ptr<const ComponentTree> treeOf(const Brightness& image) {
    const auto engine = makeCpuEngine();
    const auto session = engine->openSession();
    session->open(std::shared_ptr<const Image>(std::shared_ptr<void>(), &image.levels));
    session->buildTree({TreeKind::max, correspondingConnectivity(image.levels.extent(), Connectivity::eight), {}});
    return session->tree();
}

std::set<std::uint32_t> pixelsOf(const ComponentTree& tree, std::uint32_t node) {
    std::set<std::uint32_t> pixels;
    for (std::uint32_t pixel = 0; pixel < tree.pixelCount(); ++pixel) {
        if (tree.contains(node, tree.pixelNode[pixel])) {
            pixels.insert(pixel);
        }
    }
    return pixels;
}

void expectSumsByDefinition(const Image& image, std::uint64_t least, int round) {
    const Brightness brightness = brightnessOf(image, nullptr, {}, Polarity::bright);
    const auto tree = treeOf(brightness);
    NodeCandidates found = selectCandidates(*tree, countOwnPixels(*tree, {}), least, tree->pixelCount(), {});
    measureCandidates(found, *tree, brightness, {});
    for (std::size_t i = 0; i < found.nodes.size(); ++i) {
        ASSERT_EQ(found.sums[i], sumsByDefinition(pixelsOf(*tree, found.nodes[i]), brightness))
            << "round " << round << ", node " << found.nodes[i];
        ASSERT_GE(found.sums[i].pixels.area, least);
    }
}

TEST(BorderedSums, AreSumsOverPixelsAndSides) {
    Random random(2);
    for (int round = 0; round < 300; ++round) {
        const auto image = randomImage(random, 1 + random() % 19, 1 + random() % 15);
        expectSumsByDefinition(*image, 1 + random() % 4, round);
    }
}

constexpr std::array kVoxelSides{VoxelSides{}, VoxelSides{1, 1, 1.4}, VoxelSides{1, 1, 3}, VoxelSides{1, 2, .7},
                                 VoxelSides{2.5, 2.5, 1}};

TEST(BorderedSums, AreSumsOverVoxelsAndFaces) {
    Random random(3);
    for (int round = 0; round < 200; ++round) {
        const Extent extent{1 + random() % 9, 1 + random() % 8, 2 + random() % 6};
        const auto levels = 2 + random() % 9;
        const auto image = makeVolume(PixelType::u8, extent,
                                      [&](auto, auto, auto) { return static_cast<std::uint32_t>(random() % levels); });
        image->setSides(kVoxelSides[static_cast<std::size_t>(round) % kVoxelSides.size()]);
        expectSumsByDefinition(*image, 1 + random() % 4, round);
    }
}

/// Bright discs that touch, on a dark ground.
std::shared_ptr<Image> discs(std::uint32_t width, std::uint32_t height,
                             const std::vector<std::array<double, 3>>& places) {
    return makeImage(PixelType::u8, width, height, [&](std::uint32_t x, std::uint32_t y) {
        double level = 20;
        for (const auto& [cx, cy, r] : places) {
            level = std::max(level, 20 + 180 / (1 + std::exp(2 * (std::hypot(x - cx, y - cy) - r))));
        }
        return static_cast<std::uint32_t>(level);
    });
}

TEST(ShapeParts, AreMeasuredByTheirPixels) {
    const auto image = discs(64, 40, {{15, 18, 9}, {31, 20, 9.5}, {45, 14, 8}});
    const Brightness brightness = brightnessOf(*image, nullptr, {}, Polarity::bright);
    std::vector<std::uint32_t> region;
    for (std::uint32_t i = 0; i < image->pixelCount(); ++i) {
        if (image->level(i) > 110) {
            region.push_back(i);
        }
    }
    const ShapeParts found = splitByShape(region, brightness, 12);
    ASSERT_EQ(found.parts.size(), 4U); // two parts, one of which has two
    ASSERT_EQ(found.leaves.size(), region.size());
    for (const ShapeParts::Part& part : found.parts) {
        std::set<std::uint32_t> pixels;
        for (std::size_t i = 0; i < region.size(); ++i) {
            if (found.leaves[i] >= part.firstLeaf && found.leaves[i] < part.lastLeaf) {
                pixels.insert(region[i]);
            }
        }
        EXPECT_EQ(part.sums, sumsByDefinition(pixels, brightness));
    }
    EXPECT_TRUE(splitByShape(std::span(region).first(1), brightness, 12).parts.empty());
}

/// A bright ball in a volume.
struct Ball {
    std::array<double, 3> centre; ///< in the unit of the sides
    double radius;
};

/// Bright balls on a dark ground, with noise of this deviation.
std::shared_ptr<Image> balls(const Extent& extent, const VoxelSides& sides, const std::vector<Ball>& all,
                             double noise = 0) {
    std::mt19937 random(9);
    std::normal_distribution<double> normal(0, std::max(noise, 1e-9));
    auto volume = makeVolume(PixelType::u8, extent, [&](auto x, auto y, auto z) {
        double level = 40;
        for (const Ball& ball : all) {
            const double away = std::hypot((x + .5) * sides.x - ball.centre[0], (y + .5) * sides.y - ball.centre[1],
                                           (z + .5) * sides.z - ball.centre[2]);
            level = std::max(level, 40 + 150 / (1 + std::exp(2 * (away - ball.radius))));
        }
        return static_cast<std::uint32_t>(std::clamp(level + normal(random), 0., 255.));
    });
    volume->setSides(sides);
    return volume;
}

TEST(ShapeParts, AreMeasuredByTheirVoxels) {
    for (const VoxelSides& sides : {VoxelSides{}, VoxelSides{1, 1, 2}}) {
        const Extent extent{48, 26, sides.z == 1 ? 26U : 13U};
        const auto image = balls(extent, sides, {{{14, 13, 13}, 8}, {{27, 13, 13}, 8}, {{38, 12, 13}, 7}});
        const Brightness brightness = brightnessOf(*image, nullptr, {}, Polarity::bright);
        std::vector<std::uint32_t> region;
        for (std::uint32_t i = 0; i < image->pixelCount(); ++i) {
            if (image->level(i) > 110) {
                region.push_back(i);
            }
        }
        const ShapeParts found = splitByShape(region, brightness, 32);
        ASSERT_EQ(found.parts.size(), 4U); // two parts, one of which has two
        for (const ShapeParts::Part& part : found.parts) {
            std::set<std::uint32_t> voxels;
            for (std::size_t i = 0; i < region.size(); ++i) {
                if (found.leaves[i] >= part.firstLeaf && found.leaves[i] < part.lastLeaf) {
                    voxels.insert(region[i]);
                }
            }
            EXPECT_EQ(part.sums, sumsByDefinition(voxels, brightness));
        }
    }
}

TEST(BorderedSums, FitOfABallIsThatOfAnyEllipsoid) {
    const auto sumsOf = [](double a, double b, double c, bool isDouble) {
        BorderedSums sums;
        for (std::uint32_t z = 0; z < 60; ++z) {
            for (std::uint32_t y = 0; y < 60; ++y) {
                for (std::uint32_t x = 0; x < 120; ++x) {
                    const double v = (y - 29.5) / b;
                    const double w = (z - 29.5) / c;
                    const double one = std::hypot((x - 30.) / a, v, w);
                    const double other = isDouble ? std::hypot((x - 30. - 2 * a) / a, v, w) : one;
                    if (std::min(one, other) <= 1) {
                        const PixelSums own = sumsOfRun(x, x + 1, y);
                        sums += {own, sliceSumsOf(own, z)};
                    }
                }
            }
        }
        return sums;
    };
    EXPECT_NEAR(sumsOf(20, 20, 20, false).misfitInVolume(), 0, .003);
    EXPECT_NEAR(sumsOf(28, 20, 9, false).misfitInVolume(), 0, .003);
    // Two balls side by side: the volume is 2 / sqrt(6) of the ellipsoid's volume.
    EXPECT_NEAR(sumsOf(20, 20, 20, true).misfitInVolume(), 1 - std::pow(2 / std::sqrt(6.), 2. / 3), .005);
    EXPECT_NEAR(sumsOf(20, 24, 12, true).misfitInVolume(), 1 - std::pow(2 / std::sqrt(6.), 2. / 3), .005);
}

// Objects.

Components objectsIn(const Image& image, const BestChoice& choice = {}, Polarity polarity = Polarity::bright,
                     const Mask* inside = nullptr, const CutConstraints& constraints = {}) {
    const auto engine = makeCpuEngine();
    return bestObjects(*findBestCandidates(*engine, image, inside, {}, polarity), choice, constraints, &image);
}

std::vector<std::uint32_t> labelsOf(const Components& components) {
    return {components.labels.begin(), components.labels.end()};
}

TEST(BestComponents, AreSeparateWhereDiscsTouch) {
    const auto image = discs(90, 60, {{15, 18, 9}, {31, 20, 9}, {60, 30, 8}, {75, 33, 8}, {30, 48, 7}});
    const Components found = objectsIn(*image);
    EXPECT_EQ(found.count, 5U);
    EXPECT_EQ(found.connectivity, Connectivity::eight);
    std::uint64_t pixels = 0;
    for (const ComponentRecord& object : found.objects) {
        EXPECT_NEAR(static_cast<double>(object.area), 210, 70);
        EXPECT_EQ(object.holes, 0U);
        pixels += object.area;
    }
    EXPECT_EQ(pixels, found.foreground);
}

TEST(BestComponents, OfDarkObjectsAreThoseOfTheInvertedImage) {
    const auto image = discs(90, 60, {{15, 18, 9}, {31, 20, 9}, {60, 30, 8}, {75, 33, 8}});
    const auto inverted =
        makeImage(PixelType::u8, 90, 60, [&](auto x, auto y) { return 255U - image->level(y * 90 + x); });
    const auto brighter =
        makeImage(PixelType::u8, 90, 60, [&](auto x, auto y) { return image->level(y * 90 + x) + 40U; });
    const std::vector<std::uint32_t> labels = labelsOf(objectsIn(*image));
    EXPECT_EQ(labelsOf(objectsIn(*inverted, {}, Polarity::dark)), labels);
    EXPECT_EQ(labelsOf(objectsIn(*brighter)), labels);
    EXPECT_EQ(std::ranges::count(labelsOf(objectsIn(*inverted)), 1U), 0);
}

/// Pixels of objects in a flipped or transposed image, at their places in the image.
template <class Place> std::set<std::set<std::uint32_t>> objectsAt(const Components& found, const Place& place) {
    std::map<std::uint32_t, std::set<std::uint32_t>> objects;
    for (std::uint32_t i = 0; i < found.labels.size(); ++i) {
        if (found.labels[i] != 0) {
            objects[found.labels[i]].insert(place(i % found.width, i / found.width));
        }
    }
    std::set<std::set<std::uint32_t>> all;
    for (auto& [label, pixels] : objects) {
        all.insert(std::move(pixels));
    }
    return all;
}

TEST(BestComponents, FollowFlipsAndTranspositions) {
    constexpr std::uint32_t kWidth = 90;
    constexpr std::uint32_t kHeight = 60;
    const auto image = discs(kWidth, kHeight, {{15.2, 18, 9}, {50, 20.4, 6}, {70, 47, 8.3}, {30.4, 43, 7}});
    const auto flipped = makeImage(PixelType::u8, kWidth, kHeight,
                                   [&](auto x, auto y) { return image->level(y * kWidth + kWidth - 1 - x); });
    const auto transposed =
        makeImage(PixelType::u8, kHeight, kWidth, [&](auto x, auto y) { return image->level(x * kWidth + y); });
    const auto objects = objectsAt(objectsIn(*image), [](auto x, auto y) { return y * kWidth + x; });
    ASSERT_EQ(objects.size(), 4U);
    EXPECT_EQ(objectsAt(objectsIn(*flipped), [](auto x, auto y) { return y * kWidth + kWidth - 1 - x; }), objects);
    EXPECT_EQ(objectsAt(objectsIn(*transposed), [](auto x, auto y) { return x * kWidth + y; }), objects);
}

TEST(BestComponents, TakeTheSizeAndTheStrictness) {
    const auto image = discs(120, 60, {{20, 30, 14}, {60, 20, 5}, {90, 40, 5}, {104, 15, 5}, {66, 48, 5}});
    EXPECT_EQ(objectsIn(*image).count, 5U);
    EXPECT_EQ(objectsIn(*image, {.size = 1e9}).count, 0U);
    EXPECT_EQ(objectsIn(*image, {.size = std::nullopt, .strictness = .99}).count, 0U);
    EXPECT_GE(objectsIn(*image, {.size = std::nullopt, .strictness = .01}).count, 5U);
    for (const double wrong : {0., 1., -1., std::nan("")}) {
        EXPECT_THROW((void)objectsIn(*image, {.size = std::nullopt, .strictness = wrong}), Error);
        EXPECT_THROW((void)objectsIn(*image, {.size = wrong - 1, .strictness = .35}), Error);
    }
}

TEST(BestComponents, ObeyConstraints) {
    const auto image = discs(90, 60, {{15, 18, 9}, {31, 20, 9}, {60, 30, 8}});
    const auto engine = makeCpuEngine();
    const auto candidates = findBestCandidates(*engine, *image, nullptr, {}, Polarity::bright);
    const std::vector<std::uint32_t> chosen = candidates->choose({});
    ASSERT_EQ(chosen.size(), 3U);
    for (std::uint32_t region = 0; region < candidates->size(); ++region) {
        const auto forced = candidates->choose({}, {.forced = {region}, .forbidden = {}});
        EXPECT_EQ(std::ranges::count(forced, region), 1);
        const auto without = candidates->choose({}, {.forced = {}, .forbidden = {region}});
        EXPECT_EQ(std::ranges::count(without, region), 0);
    }
}

/// The regions that contain a pixel, by their label images.
std::vector<std::uint32_t> regionsAt(const BestCandidates& candidates, std::size_t pixel) {
    std::vector<std::uint32_t> found;
    for (std::uint32_t region = 0; region < candidates.size(); ++region) {
        if (candidates.labels(std::vector{region}).labels[pixel] != 0) {
            found.push_back(region);
        }
    }
    return found;
}

TEST(BestComponents, ObeyMarks) {
    constexpr std::uint32_t kWidth = 70;
    const auto image = discs(kWidth, 50, {{15, 18, 9}, {31, 20, 9}, {55, 30, 8}});
    const auto engine = makeCpuEngine();
    const auto candidates = findBestCandidates(*engine, *image, nullptr, {}, Polarity::bright);
    const std::vector<std::uint32_t> chosen = candidates->choose({});
    ASSERT_EQ(chosen.size(), 3U);
    ASSERT_TRUE(std::ranges::any_of(chosen, [&](auto region) { return candidates->forest().isPart[region] != 0; }));
    const auto pixelOf = [](const BestMark& mark) { return std::size_t{mark.y} * kWidth + mark.x; };
    Random random(7);
    for (int round = 0; round < 60; ++round) {
        std::vector<BestMark> marks;
        for (std::uint32_t i = 0; i < 1 + random() % 3; ++i) {
            marks.push_back({static_cast<std::uint32_t>(random() % kWidth), static_cast<std::uint32_t>(random() % 50),
                             random() % 2 == 0});
        }
        // A region with a mark for no object is forbidden; the others count the marks for objects within them.
        CutConstraints limits;
        std::set<std::uint32_t> forbidden;
        for (const BestMark& mark : marks) {
            const auto last = std::find_if(marks.rbegin(), marks.rend(),
                                           [&](const BestMark& other) { return pixelOf(other) == pixelOf(mark); });
            const auto regions = regionsAt(*candidates, pixelOf(mark));
            if (!last->isObject) {
                forbidden.insert(regions.begin(), regions.end());
            } else if (&*last == &mark) {
                limits.forced.insert(limits.forced.end(), regions.begin(), regions.end());
            }
        }
        std::erase_if(limits.forced, [&](auto region) { return forbidden.contains(region); });
        limits.forbidden.assign(forbidden.begin(), forbidden.end());
        EXPECT_EQ(candidates->choose({.size = std::nullopt, .strictness = .35, .marks = marks}),
                  candidates->choose({}, limits))
            << "round " << round;
    }
    const auto at = [&](std::uint32_t x, std::uint32_t y, bool isObject) {
        return objectsIn(*image, {.size = std::nullopt, .strictness = .35, .marks = {{x, y, isObject}}});
    };
    EXPECT_EQ(at(55, 30, false).labels[30 * kWidth + 55], 0U);
    EXPECT_EQ(at(55, 30, false).count, 2U);
    EXPECT_EQ(labelsOf(at(500, 2, true)), labelsOf(objectsIn(*image))) << "outside the image";
    BestChoice strict{.size = std::nullopt, .strictness = .99, .marks = {}};
    EXPECT_EQ(objectsIn(*image, strict).count, 0U);
    strict.marks = {{15, 18, true}};
    const Components one = objectsIn(*image, strict);
    EXPECT_EQ(one.count, 1U);
    EXPECT_EQ(one.labels[18 * kWidth + 15], 1U);
}

/// The pixels of a region.
std::set<std::uint32_t> pixelsIn(const BestCandidates& candidates, std::uint32_t region) {
    const LabelImage labels = candidates.labels(std::vector{region});
    std::set<std::uint32_t> pixels;
    for (std::uint32_t i = 0; i < labels.labels.size(); ++i) {
        if (labels.labels[i] != 0) {
            pixels.insert(i);
        }
    }
    return pixels;
}

/// Square of the distance from a pixel of a region to the nearest pixel outside the region.
std::int64_t depthIn(const std::set<std::uint32_t>& region, std::uint32_t pixel, int width) {
    const int x = static_cast<int>(pixel) % width;
    const int y = static_cast<int>(pixel) / width;
    std::int64_t nearest = 1 << 20;
    for (int v = y - 60; v <= y + 60; ++v) {
        for (int u = x - 60; u <= x + 60; ++u) {
            const bool isInside =
                u >= 0 && u < width && v >= 0 && region.contains(static_cast<std::uint32_t>(v * width + u));
            nearest = isInside ? nearest : std::min<std::int64_t>(nearest, (u - x) * (u - x) + (v - y) * (v - y));
        }
    }
    return nearest;
}

TEST(BestComponents, AreLeastSureNextToTheStrictness) {
    constexpr int kWidth = 70;
    const auto image = discs(kWidth, 50, {{15, 18, 9}, {31, 20, 9}, {55, 30, 8}, {10, 42, 3}, {60, 8, 2.2}});
    const auto engine = makeCpuEngine();
    const auto candidates = findBestCandidates(*engine, *image, nullptr, {}, Polarity::bright);
    BestChoice choice{.size = 200, .strictness = .6};
    const std::vector<UnsureRegion> all = candidates->leastSure(choice, 1000);
    const std::vector<std::uint32_t> chosen = candidates->choose(choice);
    EXPECT_EQ(static_cast<std::size_t>(std::ranges::count(all, true, &UnsureRegion::isObject)), chosen.size());
    EXPECT_GT(all.size(), chosen.size());
    double doubt = 0;
    std::set<std::uint32_t> taken;
    for (const UnsureRegion& each : all) {
        EXPECT_EQ(each.isObject, std::ranges::count(chosen, each.region) == 1);
        EXPECT_EQ(each.fit, candidates->expectedFit(each.region, 200));
        EXPECT_GE(std::abs(each.fit - .6), doubt);
        doubt = std::abs(each.fit - .6);
        const std::set<std::uint32_t> pixels = pixelsIn(*candidates, each.region);
        std::int64_t deepest = 0;
        for (const std::uint32_t pixel : pixels) {
            EXPECT_TRUE(taken.insert(pixel).second) << "regions overlap";
            deepest = std::max(deepest, depthIn(pixels, pixel, kWidth));
        }
        EXPECT_EQ(depthIn(pixels, static_cast<std::uint32_t>(each.pixel), kWidth), deepest);
        // A mark at the pixel decides.
        const auto x = static_cast<std::uint32_t>(each.pixel % kWidth);
        const auto y = static_cast<std::uint32_t>(each.pixel / kWidth);
        BestChoice other = choice;
        other.marks = {{x, y, !each.isObject}};
        EXPECT_EQ(objectsIn(*image, other).labels[each.pixel] != 0, !each.isObject);
        for (const UnsureRegion& further : candidates->leastSure(other, 1000)) {
            EXPECT_FALSE(pixelsIn(*candidates, further.region).contains(static_cast<std::uint32_t>(each.pixel)));
        }
    }
    const std::vector<UnsureRegion> two = candidates->leastSure(choice, 2);
    EXPECT_EQ(two, (std::vector<UnsureRegion>{all[0], all[1]}));
    EXPECT_TRUE(candidates->leastSure(choice, 0).empty());
}

TEST(BestComponents, OverlapTheirTruth) {
    Random random(3);
    const auto image = discs(70, 50, {{15, 18, 9}, {31, 20, 9}, {55, 30, 8}});
    const auto engine = makeCpuEngine();
    const auto candidates = findBestCandidates(*engine, *image, nullptr, {}, Polarity::bright);
    std::vector<std::uint32_t> truth(image->pixelCount());
    for (std::uint32_t i = 0; i < truth.size(); ++i) {
        truth[i] = i / 70 / 9 % 2 == 0 ? 0 : 1000 * (i % 70 / 12) + random() % 2;
    }
    const std::vector<double> overlaps = candidates->overlaps(truth);
    for (std::uint32_t region = 0; region < candidates->size(); ++region) {
        const std::set<std::uint32_t> pixels = pixelsIn(*candidates, region);
        std::map<std::uint32_t, double> common;
        for (const std::uint32_t pixel : pixels) {
            ++common[truth[pixel]];
        }
        double best = 0;
        for (const auto& [object, count] : common) {
            const auto area = static_cast<double>(std::ranges::count(truth, object));
            best = object == 0 ? best : std::max(best, count / (area + static_cast<double>(pixels.size()) - count));
        }
        EXPECT_EQ(overlaps[region], best);
    }
    truth.pop_back();
    EXPECT_THROW((void)candidates->overlaps(truth), Error);
}

TEST(BestComponents, LeaveOutPixelsOutsideTheMask) {
    const auto image = discs(90, 60, {{15, 18, 9}, {60, 30, 8}});
    Mask inside(90, 60, true);
    for (std::uint32_t y = 0; y < 60; ++y) {
        inside.setRun(60, 90, y, false);
    }
    const Components found = objectsIn(*image, {}, Polarity::bright, &inside);
    EXPECT_GE(found.count, 1U);
    for (std::uint32_t i = 0; i < found.labels.size(); ++i) {
        EXPECT_TRUE(found.labels[i] == 0 || i % 90 < 60);
    }
    const Mask other(9, 6, true);
    EXPECT_THROW((void)objectsIn(*image, {}, Polarity::bright, &other), Error);
    const Mask nothing(90, 60, false);
    EXPECT_EQ(objectsIn(*image, {}, Polarity::bright, &nothing).count, 0U);
}

/// Share of balls and objects that match: at least half of what they cover together is common to both.
double matchOf(const Components& found, const VoxelSides& sides, const std::vector<Ball>& all) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> common; // object and ball, both from 1
    std::vector<std::size_t> ofObjects(found.count + 1);
    std::vector<std::size_t> ofBalls(all.size() + 1);
    for (std::uint32_t i = 0; i < found.labels.size(); ++i) {
        const Voxel at = voxelAt(i, found.extent());
        std::uint32_t nearest = 0;
        double least = 1;
        for (std::uint32_t k = 0; k < all.size(); ++k) {
            const double away =
                std::hypot((at.x + .5) * sides.x - all[k].centre[0], (at.y + .5) * sides.y - all[k].centre[1],
                           (at.z + .5) * sides.z - all[k].centre[2]) /
                all[k].radius;
            if (away < least) {
                least = away;
                nearest = k + 1;
            }
        }
        ++ofObjects[found.labels[i]];
        ++ofBalls[nearest];
        ++common[{found.labels[i], nearest}];
    }
    std::size_t matches = 0;
    for (const auto& [pair, count] : common) {
        const auto& [object, ball] = pair;
        matches += object != 0 && ball != 0 && 2 * count >= ofObjects[object] + ofBalls[ball] - count ? 1 : 0;
    }
    return 2 * static_cast<double>(matches) / static_cast<double>(found.count + all.size());
}

/// Balls of which some overlap by a fifth of their diameters, and some have a half of the contrast.
std::vector<Ball> cluster() {
    std::vector<Ball> all;
    for (int i = 0; i < 4; ++i) {
        for (int k = 0; k < 2; ++k) {
            const double x = 14 + 22. * i;
            const double y = 14 + 30. * k;
            all.push_back({{x, y, 16 + 3. * k}, 7 + (i + k) % 3 * .7});
            if (i % 2 == 0) {
                all.push_back({{x + 8, y + 8, 19 + 3. * k}, 6.5});
            }
        }
    }
    return all;
}

TEST(BestComponents, OfVolumesMatchBallsThatOverlap) {
    const std::vector<Ball> all = cluster();
    for (const VoxelSides& sides : {VoxelSides{}, VoxelSides{1, 1, 2}, VoxelSides{1, 1, 3}}) {
        for (const double noise : {0., 12.}) {
            const Extent extent{100, 64, static_cast<std::uint32_t>(36 / sides.z)};
            const Components found = objectsIn(*balls(extent, sides, all, noise));
            EXPECT_GE(matchOf(found, sides, all), .9) << "sides of " << sides.z << ", noise of " << noise;
            EXPECT_EQ(found.connectivity, Connectivity::twentySix);
        }
    }
}

TEST(BestComponents, OfVolumesDependLittleOnTheSampling) {
    const std::vector<Ball> all = cluster();
    double size = 0;
    for (const VoxelSides& sides : {VoxelSides{}, VoxelSides{1, 1, 2}, VoxelSides{2, 1, 1}, VoxelSides{1, 1, 3}}) {
        const Extent extent{static_cast<std::uint32_t>(100 / sides.x), 64, static_cast<std::uint32_t>(36 / sides.z)};
        const Components found = objectsIn(*balls(extent, sides, all));
        const double volume = *found.expectedArea * sides.volume();
        size = size == 0 ? volume : size;
        EXPECT_NEAR(volume, size, .2 * size) << sides.x << ' ' << sides.z;
        EXPECT_EQ(found.count, all.size()) << sides.x << ' ' << sides.z;
    }
}

TEST(BestComponents, OfVolumesFollowFlipsAndScales) {
    const std::vector<Ball> all = cluster();
    const VoxelSides sides{1, 1, 2};
    const Extent extent{100, 64, 18};
    const auto image = balls(extent, sides, all, 8);
    const Components found = objectsIn(*image);
    // Sides in another unit.
    auto other =
        makeVolume(PixelType::u8, extent, [&](auto x, auto y, auto z) { return image->level((z * 64 + y) * 100 + x); });
    other->setSides({4, 4, 8});
    EXPECT_EQ(labelsOf(objectsIn(*other)), labelsOf(found));
    // The last slice first, and rows as columns.
    const auto turned = makeVolume(PixelType::u8, {64, 100, 18},
                                   [&](auto x, auto y, auto z) { return image->level(((17 - z) * 64 + x) * 100 + y); });
    turned->setSides(sides);
    const Components same = objectsIn(*turned);
    ASSERT_EQ(same.count, found.count);
    std::map<std::uint32_t, std::set<std::uint32_t>> partners;
    for (std::uint32_t i = 0; i < found.labels.size(); ++i) {
        const Voxel at = voxelAt(i, extent);
        partners[found.labels[i]].insert(same.labels[((17 - at.z) * 100 + at.x) * 64 + at.y]);
    }
    for (const auto& [label, partner] : partners) {
        EXPECT_EQ(partner.size(), 1U) << label;
    }
}

TEST(BestComponents, OfVolumesObeyMarksAndMasks) {
    const VoxelSides sides{1, 1, 2};
    const std::vector<Ball> all{{{14, 14, 14}, 8}, {{44, 16, 14}, 8}};
    const auto image = balls({60, 32, 14}, sides, all);
    const auto at = [&](const std::vector<BestMark>& marks, const Mask* inside = nullptr) {
        return objectsIn(*image, {.size = std::nullopt, .strictness = .35, .marks = marks}, Polarity::bright, inside);
    };
    EXPECT_EQ(at({}).count, 2U);
    EXPECT_EQ(at({{44, 16, false, 7}}).count, 1U);
    EXPECT_EQ(at({{44, 16, false, 0}}).count, 2U) << "above the ball";
    EXPECT_EQ(at({{44, 16, false, 14}}).count, 2U) << "outside the volume";
    EXPECT_EQ(at({{14, 14, true, 7}, {14, 14, true, 99}}).unmetMarks, 0U);
    EXPECT_EQ(at({{0, 31, true, 0}, {14, 14, true, 7}}).unmetMarks, 1U);
    Mask inside(60, 32 * 14, true);
    for (std::uint32_t y = 0; y < inside.height(); ++y) {
        inside.setRun(32, 60, y, false);
    }
    EXPECT_EQ(at({}, &inside).count, 1U);
    EXPECT_THROW((void)at({}, std::make_unique<Mask>(60, 32, true).get()), Error);
}

TEST(BestComponents, TakeAnyVolume) {
    Random random(6);
    for (int round = 0; round < 40; ++round) {
        const Extent extent{1 + random() % 20, 1 + random() % 20, 2 + random() % 9};
        const auto image = makeVolume(random() % 2 == 0 ? PixelType::u8 : PixelType::u16, extent,
                                      [&](auto, auto, auto) { return static_cast<std::uint32_t>(random() % 200); });
        image->setSides(kVoxelSides[static_cast<std::size_t>(round) % kVoxelSides.size()]);
        ThreadArena one(1);
        ThreadArena four(4);
        const Components found = one.execute([&] { return objectsIn(*image); });
        EXPECT_EQ(four.execute([&] { return labelsOf(objectsIn(*image)); }), labelsOf(found));
    }
}

TEST(BestComponents, DoNotDependOnTheThreads) {
    Random random(3);
    for (int round = 0; round < 30; ++round) {
        const auto image = randomImage(random, 40 + random() % 60, 40 + random() % 60);
        ThreadArena one(1);
        ThreadArena four(4);
        const auto labels = one.execute([&] { return labelsOf(objectsIn(*image)); });
        ASSERT_EQ(four.execute([&] { return labelsOf(objectsIn(*image)); }), labels) << "round " << round;
    }
}

TEST(BestComponents, TakeAnyImage) {
    Random random(4);
    EXPECT_EQ(objectsIn(Image(PixelType::u8, 1, 1)).count, 0U);
    EXPECT_EQ(objectsIn(*makeImage(PixelType::u16, 200, 100, [](auto, auto) { return 60000; })).count, 0U);
    for (int round = 0; round < 300; ++round) {
        const auto image = randomImage(random, 1 + random() % 70, 1 + random() % 9);
        const Components found = objectsIn(*image);
        // The objects of a label image equal the objects of each label's mask.
        std::vector<std::uint64_t> areas(found.count);
        for (const std::uint32_t label : found.labels) {
            if (label != 0) {
                ++areas.at(label - 1);
            }
        }
        for (std::uint32_t label = 1; label <= found.count; ++label) {
            Mask mask(found.width, found.height, false);
            for (std::uint32_t i = 0; i < found.labels.size(); ++i) {
                mask.set(i % found.width, i / found.width, found.labels[i] == label);
            }
            const Components alone =
                labelComponents(mask, image.get(), {.connectivity = Connectivity::eight, .algorithm = {}});
            ASSERT_EQ(alone.count, 1U);
            ASSERT_EQ(alone.objects[0], found.objects[label - 1]) << "round " << round;
            ASSERT_EQ(areas[label - 1], found.objects[label - 1].area);
        }
    }
}

TEST(BestComponents, CanBeCancelled) {
    const auto image = discs(300, 200, {{50, 50, 20}, {150, 90, 30}});
    const auto engine = makeCpuEngine();
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW((void)findBestCandidates(*engine, *image, nullptr, {}, Polarity::bright, JobControl(stop.get_token())),
                 Cancelled);
}

} // namespace
} // namespace pollard::testing
