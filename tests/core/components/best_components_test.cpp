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

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
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
    const auto width = static_cast<std::int64_t>(image.levels.width());
    const auto height = static_cast<std::int64_t>(image.levels.height());
    BorderedSums sums;
    for (const std::uint32_t pixel : region) {
        const std::int64_t x = pixel % width;
        const std::int64_t y = pixel / width;
        sums.pixels +=
            sumsOfRun(pixel % image.levels.width(), pixel % image.levels.width() + 1, pixel / image.levels.width());
        sums.grey += image.fine[pixel];
        constexpr std::pair<std::int64_t, std::int64_t> kDirections[]{{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
        for (const auto& [dx, dy] : kDirections) {
            const auto at = [&, dx = dx, dy = dy](std::int64_t steps) -> std::int64_t { // -1 outside the image
                const std::int64_t column = x + steps * dx;
                const std::int64_t row = y + steps * dy;
                return column < 0 || column >= width || row < 0 || row >= height ? -1 : row * width + column;
            };
            if (at(1) < 0 || region.contains(static_cast<std::uint32_t>(at(1)))) {
                continue;
            }
            const bool hasBefore = at(-1) >= 0 && region.contains(static_cast<std::uint32_t>(at(-1)));
            ++sums.sides;
            sums.inner += image.fine[hasBefore ? static_cast<std::size_t>(at(-1)) : pixel];
            sums.outer += image.fine[static_cast<std::size_t>(at(2) >= 0 ? at(2) : at(1))];
        }
    }
    return sums;
}

std::shared_ptr<const ComponentTree> treeOf(const Brightness& image) {
    const auto engine = makeCpuEngine();
    const auto session = engine->openSession();
    session->open(std::shared_ptr<const Image>(std::shared_ptr<void>(), &image.levels));
    session->buildTree({TreeKind::max, Connectivity::eight, {}});
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

TEST(BorderedSums, AreSumsOverPixelsAndSides) {
    Random random(2);
    for (int round = 0; round < 300; ++round) {
        const auto image = randomImage(random, 1 + random() % 19, 1 + random() % 15);
        const Brightness brightness = brightnessOf(*image, nullptr, {}, Polarity::bright);
        const auto tree = treeOf(brightness);
        const std::uint64_t least = 1 + random() % 4;
        NodeCandidates found = selectCandidates(*tree, countOwnPixels(*tree, {}), least, tree->pixelCount(), {});
        measureCandidates(found, *tree, brightness, {});
        for (std::size_t i = 0; i < found.nodes.size(); ++i) {
            ASSERT_EQ(found.sums[i], sumsByDefinition(pixelsOf(*tree, found.nodes[i]), brightness))
                << "round " << round << ", node " << found.nodes[i];
            ASSERT_GE(found.sums[i].pixels.area, least);
        }
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
    const ShapeParts found = splitByShape(region, brightness.fine, 64, 40, 12);
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
    EXPECT_TRUE(splitByShape(std::span(region).first(1), brightness.fine, 64, 40, 12).parts.empty());
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
    EXPECT_THROW((void)objectsIn(Image(PixelType::u8, Extent{4, 4, 2})), Error);
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
