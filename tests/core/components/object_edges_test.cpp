// Edges of objects: border pixels against a count and against the attribute of the same name, ImageJ's perimeter
// against polygons assembled from single pixel sides.

#include "base/error.hpp"
#include "components/components.hpp"
#include "components/objects/measured_objects.hpp"
#include "components/objects/object_features.hpp"
#include "components/shape/object_edges.hpp"
#include "cpu/cpu_engine.hpp"
#include "support/random_images.hpp"

#include <gtest/gtest.h>

#include <tbb/task_arena.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <stop_token>
#include <vector>

namespace pollard::testing {
namespace {

constexpr double kCorner = 2 - std::numbers::sqrt2;

Mask maskOf(std::uint32_t width, std::uint32_t height, const auto& isSet) {
    Mask mask(width, height, false);
    for (std::uint32_t y = 0; y < height; ++y) {
        for (std::uint32_t x = 0; x < width; ++x) {
            mask.set(x, y, isSet(x, y));
        }
    }
    return mask;
}

Components objectsOf(const Mask& mask, Connectivity connectivity) {
    ComponentsSpec spec;
    spec.connectivity = connectivity;
    return labelComponents(mask, nullptr, spec);
}

Mask noise(Random& random, std::uint32_t width, std::uint32_t height) {
    const std::uint32_t density = 20 + random() % 70;
    return maskOf(width, height, [&](auto, auto) { return random() % 100 < density; });
}

double onlyPerimeter(const Mask& mask, Connectivity connectivity = Connectivity::eight) {
    const Components found = objectsOf(mask, connectivity);
    EXPECT_EQ(found.count, 1U);
    return measureEdges(found, EdgeMeasure::traced).of(1).edge->imagejPerimeter;
}

TEST(ObjectEdges, PerimetersOfKnownShapesAreImageJs) {
    const auto box = [](std::uint32_t width, std::uint32_t height) {
        return maskOf(width + 3, height + 2,
                      [=](auto x, auto y) { return x >= 2 && x < 2 + width && y >= 1 && y < 1 + height; });
    };
    // The two examples in ImageJ's comment.
    EXPECT_DOUBLE_EQ(onlyPerimeter(box(1, 1)), 4 - 2 * kCorner);
    EXPECT_DOUBLE_EQ(onlyPerimeter(box(2, 2)), 8 - 4 * kCorner);
    for (const auto& [width, height] : {std::pair{2U, 3U}, {5U, 2U}, {40U, 30U}, {700U, 900U}}) {
        EXPECT_DOUBLE_EQ(onlyPerimeter(box(width, height)), 2.0 * (width + height) - 4 * kCorner);
    }
    // At an end 1 px wide every other corner counts, starting on the right.
    EXPECT_DOUBLE_EQ(onlyPerimeter(box(6, 1)), 14 - 3 * kCorner);
    EXPECT_DOUBLE_EQ(onlyPerimeter(box(1, 6)), 14 - 2 * kCorner);
    // A diagonal of n pixels is a staircase of 4 n sides with as many corners, every other of which counts.
    const Mask diagonal = maskOf(9, 9, [](auto x, auto y) { return x == y; });
    EXPECT_DOUBLE_EQ(onlyPerimeter(diagonal), 36 - 18 * kCorner);
}

TEST(ObjectEdges, HolesAndTheBorderOfTheImageMakeNoDifferenceToImageJsPerimeter) {
    const Mask full(7, 5, true);
    const Mask ring = maskOf(7, 5, [](auto x, auto y) { return !(x == 3 && y == 2); });
    EXPECT_DOUBLE_EQ(onlyPerimeter(full), 24 - 4 * kCorner);
    EXPECT_DOUBLE_EQ(onlyPerimeter(ring), 24 - 4 * kCorner);
}

TEST(ObjectEdges, DiscsAreNearlyRoundByImageJAndSquaresAreNot) {
    const std::uint32_t side = 203;
    const auto circularityOf = [](const Mask& mask) {
        const Components found = objectsOf(mask, Connectivity::eight);
        const ObjectEdges edges = measureEdges(found, EdgeMeasure::traced);
        return MeasuredObject(found.objects.at(0), 1, 3, edges.of(1)).valueOf(ObjectFeature::imagejCircularity);
    };
    const double disc = circularityOf(maskOf(side, side, [](auto x, auto y) {
        const double dx = x - 101.0;
        const double dy = y - 101.0;
        return dx * dx + dy * dy <= 100.0 * 100;
    }));
    EXPECT_GT(disc, 0.85);
    EXPECT_LT(disc, 0.95) << "ImageJ gives a disc of this size 0.89 to 0.91";
    const double perimeter = 4 * 100 - 4 * kCorner;
    EXPECT_DOUBLE_EQ(circularityOf(maskOf(side, side, [](auto x, auto y) { return x < 100 && y < 100; })),
                     4 * std::numbers::pi * 10000 / (perimeter * perimeter));
    EXPECT_EQ(circularityOf(maskOf(3, 3, [](auto x, auto y) { return x == 1 && y == 1; })), 1) << "1.57 by the formula";
}

/// ImageJ's formula on the corners of the outer outline, which is assembled from pixel sides: each side leads from a
/// corner to the next with the object on the right.
double naivePerimeter(const Components& found, std::uint32_t label) {
    using Corner = std::pair<int, int>;
    const auto in = [&](int x, int y) {
        return x >= 0 && y >= 0 && x < static_cast<int>(found.width) && y < static_cast<int>(found.height) &&
               found.labels[static_cast<std::size_t>(y) * found.width + static_cast<std::size_t>(x)] == label;
    };
    std::map<Corner, std::vector<Corner>> next;
    Corner start{-1, -1}; // after the first run
    for (int y = 0; y < static_cast<int>(found.height); ++y) {
        for (int x = 0; x < static_cast<int>(found.width); ++x) {
            if (!in(x, y)) {
                continue;
            }
            if (start.first < 0 && !in(x + 1, y)) {
                start = {x + 1, y};
            }
            if (!in(x, y - 1)) {
                next[{x, y}].push_back({x + 1, y});
            }
            if (!in(x + 1, y)) {
                next[{x + 1, y}].push_back({x + 1, y + 1});
            }
            if (!in(x, y + 1)) {
                next[{x + 1, y + 1}].push_back({x, y + 1});
            }
            if (!in(x - 1, y)) {
                next[{x, y + 1}].push_back({x, y});
            }
        }
    }
    std::vector<Corner> walk{start, {start.first, start.second + 1}};
    const auto crossOf = [](const Corner& a, const Corner& b, const Corner& c) { // positive for a right turn, y
                                                                                 // downwards
        return (b.first - a.first) * (c.second - b.second) - (b.second - a.second) * (c.first - b.first);
    };
    while (walk.size() < 3 || walk[walk.size() - 2] != start || walk.back() != walk[1]) {
        const Corner from = walk[walk.size() - 2];
        const Corner at = walk.back();
        const std::vector<Corner>& ways = next.at(at);
        const bool right = found.connectivity == Connectivity::four;
        walk.push_back(*std::ranges::max_element(
            ways, {}, [&](const Corner& to) { return right ? crossOf(from, at, to) : -crossOf(from, at, to); }));
    }
    std::vector<Corner> corners;
    for (std::size_t i = 1; i + 1 < walk.size(); ++i) {
        if (crossOf(walk[i - 1], walk[i], walk[i + 1]) != 0) {
            corners.push_back(walk[i]);
        }
    }
    double length = 0;
    bool counted = false;
    for (std::size_t i = 0; i < corners.size(); ++i) {
        const Corner& before = corners[(i + corners.size() - 1) % corners.size()];
        const int side = std::abs(corners[i].first - before.first) + std::abs(corners[i].second - before.second);
        counted = side > 1 || !counted;
        length += side - (counted ? kCorner : 0);
    }
    return length;
}

TEST(ObjectEdges, EqualCountingAndWalking) {
    Random random(91);
    for (int repeat = 0; repeat < 60; ++repeat) {
        const Mask mask = noise(random, 1 + random() % 30, 1 + random() % 30);
        for (const Connectivity connectivity : {Connectivity::four, Connectivity::eight}) {
            const Components found = objectsOf(mask, connectivity);
            const ObjectEdges edges = measureEdges(found, EdgeMeasure::traced);
            ASSERT_EQ(edges.objects.size(), found.count);
            std::vector<std::uint64_t> border(found.count + std::size_t{1}, 0);
            for (std::uint32_t y = 0; y < found.height; ++y) {
                for (std::uint32_t x = 0; x < found.width; ++x) {
                    if (x == 0 || y == 0 || x + 1 == found.width || y + 1 == found.height) {
                        ++border[found.labels[std::size_t{y} * found.width + x]];
                    }
                }
            }
            for (std::uint32_t label = 1; label <= found.count; ++label) {
                ASSERT_EQ(edges.of(label).edge->border, border[label]);
                ASSERT_EQ(edges.of(label).edge->border > 0, touchesBorder(found, found.objects[label - 1]));
                ASSERT_NEAR(edges.of(label).edge->imagejPerimeter, naivePerimeter(found, label), 1e-9);
            }
        }
    }
}

TEST(ObjectEdges, BorderIsTheAttributeOfThatName) {
    Random random(92);
    const auto engine = makeCpuEngine();
    for (const Connectivity connectivity : {Connectivity::four, Connectivity::eight}) {
        const Mask mask = noise(random, 60, 40);
        const auto image = makeImage(PixelType::u8, 60, 40, [&](auto x, auto y) { return mask.test(x, y) ? 9 : 1; });
        const auto session = engine->openSession();
        session->open(image);
        TreeSpec tree;
        tree.connectivity = connectivity;
        (void)session->buildTree(tree);
        const auto column = session->attribute(AttributeId::border);
        std::vector<double> expected; // of all nodes but the root, i.e. the objects
        for (std::uint32_t node = 1; node < session->tree()->nodeCount(); ++node) {
            expected.push_back(column->at(node));
        }
        const Components found = objectsOf(mask, connectivity);
        const ObjectEdges edges = measureEdges(found, EdgeMeasure::border);
        std::vector<double> values;
        for (std::uint32_t label = 1; label <= found.count; ++label) {
            values.push_back(
                MeasuredObject(found.objects[label - 1], label, 0.5, edges.of(label)).valueOf(ObjectFeature::border));
            EXPECT_TRUE(std::isnan(edges.of(label).edge->imagejPerimeter)) << "was not asked for";
        }
        std::ranges::sort(expected);
        std::ranges::sort(values);
        EXPECT_EQ(values, expected);
    }
}

TEST(ObjectEdges, AreTheSameForAnyNumberOfThreads) {
    Random random(93);
    const Components found = objectsOf(noise(random, 500, 400), Connectivity::eight);
    const ObjectEdges all = measureEdges(found, EdgeMeasure::traced);
    tbb::task_arena(1).execute([&] {
        const ObjectEdges one = measureEdges(found, EdgeMeasure::traced);
        for (std::uint32_t label = 1; label <= found.count; ++label) {
            ASSERT_EQ(one.of(label).edge->border, all.of(label).edge->border);
            ASSERT_EQ(one.of(label).edge->imagejPerimeter, all.of(label).edge->imagejPerimeter);
        }
    });
}

TEST(ObjectEdges, NeedLabelsAndStop) {
    ComponentsSpec bare;
    bare.labels = false;
    const Components unlabelled = labelComponents(Mask(5, 5, true), nullptr, bare);
    EXPECT_THROW((void)measureEdges(unlabelled, EdgeMeasure::border), Error);
    EXPECT_EQ(measureEdges(unlabelled, EdgeMeasure::none).of(1).edge, nullptr);
    std::stop_source stop;
    stop.request_stop();
    const Components found = objectsOf(Mask(5, 5, true), Connectivity::four);
    EXPECT_THROW((void)measureEdges(found, EdgeMeasure::traced, JobControl(stop.get_token())), Cancelled);
}

TEST(BorderObjects, KeepsChosenObjectsWithTheirFormerNumbers) {
    Mask mask(7, 1, false);
    for (const std::uint32_t x : {0U, 2U, 3U, 5U, 6U}) {
        mask.set(x, 0, true);
    }
    Components found = objectsOf(mask, Connectivity::four); // of 1, 2 and 2 px
    EXPECT_EQ(keepObjects(found, [](std::uint32_t label) { return label != 2; }), (std::vector<std::uint32_t>{1, 3}));
    EXPECT_EQ(found.count, 2U);
    EXPECT_EQ(found.foreground, 3U);
    EXPECT_TRUE(std::ranges::equal(found.labels, std::vector<std::uint32_t>{1, 0, 0, 0, 0, 2, 2}));
    ASSERT_EQ(found.objects.size(), 2U);
    EXPECT_EQ(found.objects[1].left, 5U);
}

TEST(BorderObjects, AreRemovedAndTheOthersNumberedAnew) {
    Random random(94);
    for (int repeat = 0; repeat < 30; ++repeat) {
        const Mask mask = noise(random, 1 + random() % 40, 1 + random() % 40);
        const Components found = objectsOf(mask, Connectivity::four);
        Components inner = objectsOf(mask, Connectivity::four);
        const std::uint32_t removed = removeBorderObjects(inner);
        EXPECT_EQ(inner.count + removed, found.count);
        Mask kept(mask.width(), mask.height(), false);
        for (std::uint32_t y = 0; y < mask.height(); ++y) {
            for (std::uint32_t x = 0; x < mask.width(); ++x) {
                const std::uint32_t label = found.labels[std::size_t{y} * mask.width() + x];
                kept.set(x, y, label != 0 && !touchesBorder(found, found.objects[label - 1]));
            }
        }
        const Components expected = objectsOf(kept, Connectivity::four);
        EXPECT_EQ(inner.count, expected.count);
        EXPECT_EQ(inner.foreground, expected.foreground);
        EXPECT_TRUE(std::ranges::equal(inner.labels, expected.labels));
        EXPECT_TRUE(std::ranges::equal(inner.objects, expected.objects));
    }
}

} // namespace
} // namespace pollard::testing
