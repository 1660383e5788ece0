// Maximally stable extremal regions against a direct implementation of their definition.

#include "analysis/ellipse.hpp"
#include "analysis/mser.hpp"
#include "base/error.hpp"
#include "support/engines.hpp"
#include "support/naive_tree.hpp"
#include "support/random_images.hpp"
#include "tree/stability.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <map>
#include <numbers>
#include <set>

namespace pollard::testing {
namespace {

class Mser : public EveryTree {};

struct NaiveRegion {
    std::uint32_t canonical;
    double variation;
    const std::vector<std::uint32_t>* support;
};

/// The definition, condition by condition, on the list of components. Regions have the order of the list, with every
/// component before components inside it.
std::vector<NaiveRegion> naiveMser(const std::vector<NaiveNode>& nodes, const MserSpec& spec) {
    const auto apart = [&](std::size_t a, std::size_t b) { return std::abs(nodes[a].level - nodes[b].level); };
    const auto areaOf = [&](std::size_t n) { return static_cast<double>(nodes[n].support.size()); };
    std::vector<double> variation(nodes.size());
    for (std::size_t n = 0; n < nodes.size(); ++n) {
        std::size_t lower = n;
        for (std::size_t up = n;; up = nodes[up].parent) {
            lower = apart(up, n) <= *spec.delta ? up : lower;
            if (nodes[up].parent == up) {
                break;
            }
        }
        variation[n] = (areaOf(lower) - areaOf(n)) / areaOf(n);
    }
    std::vector<NaiveRegion> regions;
    std::vector<std::size_t> chosen;
    for (std::size_t n = 1; n < nodes.size(); ++n) {
        bool minimal = true;
        if (nodes[n].parent != 0 && apart(n, nodes[n].parent) <= *spec.delta) {
            minimal = variation[n] < variation[nodes[n].parent];
        }
        for (std::size_t child = 1; child < nodes.size(); ++child) {
            if (nodes[child].parent == n && apart(n, child) <= *spec.delta) {
                minimal = minimal && variation[n] <= variation[child];
            }
        }
        const double area = areaOf(n);
        if (!minimal || area < static_cast<double>(spec.minArea) || area > static_cast<double>(*spec.maxArea) ||
            variation[n] > spec.maxVariation) {
            continue;
        }
        double around = 0; // area of the smallest chosen region that contains this one
        for (const std::size_t outer : chosen) {
            const std::set<std::uint32_t> pixels(nodes[outer].support.begin(), nodes[outer].support.end());
            if (pixels.count(nodes[n].support.front()) != 0 && (around == 0 || areaOf(outer) < around)) {
                around = areaOf(outer);
            }
        }
        if (around != 0 && around - area < spec.minDiversity * around) {
            continue;
        }
        chosen.push_back(n);
        regions.push_back({nodes[n].canonical, variation[n], &nodes[n].support});
    }
    return regions;
}

MserSpec randomSpec(Random& random, std::size_t pixels) {
    constexpr std::uint16_t kDeltas[] = {1, 2, 3, 20, 300};
    MserSpec spec;
    spec.delta = kDeltas[random() % 5];
    spec.minArea = random() % 4;
    spec.maxArea = std::max<std::uint64_t>(spec.minArea, pixels / (1 + random() % 3));
    spec.maxVariation = random() % 2 == 0 ? 0.3 : 5;
    constexpr double kDiversities[] = {0, 0.2, 0.5, 1};
    spec.minDiversity = kDiversities[random() % 4];
    return spec;
}

TEST_P(Mser, EqualTheDefinition) {
    Random random(51);
    std::size_t found = 0;
    for (int repeat = 0; repeat < 1000; ++repeat) {
        const auto image = randomImage(random, 1 + random() % 14, 1 + random() % 14);
        const auto session = build(image);
        const ComponentTree& tree = *session->tree();
        const MserSpec mser = randomSpec(random, image->pixelCount());
        const auto nodes = naiveTree(*image, tree.kind, tree.connectivity);
        const std::vector<NaiveRegion> expected = naiveMser(nodes, mser);
        std::map<std::uint32_t, const NaiveRegion*> byCanonical;
        for (const NaiveRegion& region : expected) {
            byCanonical[region.canonical] = &region;
        }
        const std::vector<MserRegion> regions = findMser(tree, *session->attribute(AttributeId::area), mser);
        ASSERT_EQ(regions.size(), expected.size());
        found += regions.size();
        for (std::size_t i = 0; i < regions.size(); ++i) {
            const MserRegion& region = regions[i];
            ASSERT_TRUE(i == 0 || regions[i - 1].node < region.node);
            const auto match = byCanonical.find(tree.canonical[region.node]);
            ASSERT_NE(match, byCanonical.end());
            const NaiveRegion& naive = *match->second;
            ASSERT_EQ(region.variation, naive.variation);
            ASSERT_EQ(region.area, naive.support->size());
            ASSERT_EQ(region.level, tree.level[region.node]);
            double x = 0;
            double y = 0;
            for (const std::uint32_t p : *naive.support) {
                ASSERT_TRUE(tree.contains(region.node, tree.pixelNode[p]));
                x += p % tree.width;
                y += p / tree.width;
            }
            x /= region.area;
            y /= region.area;
            double xx = 1.0 / 12;
            double xy = 0;
            double yy = 1.0 / 12;
            for (const std::uint32_t p : *naive.support) {
                const double dx = p % tree.width - x;
                const double dy = p / tree.width - y;
                xx += dx * dx / region.area;
                xy += dx * dy / region.area;
                yy += dy * dy / region.area;
            }
            ASSERT_NEAR(region.x, x, 1e-9);
            ASSERT_NEAR(region.y, y, 1e-9);
            // The ellipse agrees with the covariance: eigenvalues from its axes, rotated by its angle.
            const double large = region.major * region.major / 16;
            const double small = region.minor * region.minor / 16;
            const double c = std::cos(region.angle);
            const double s = std::sin(region.angle);
            ASSERT_GE(large, small - 1e-12);
            ASSERT_NEAR(large * c * c + small * s * s, xx, 1e-9 * xx);
            ASSERT_NEAR(large * s * s + small * c * c, yy, 1e-9 * yy);
            ASSERT_NEAR((large - small) * c * s, xy, 1e-9 * xx + 1e-12);
            ASSERT_GT(region.angle, -std::numbers::pi / 2);
            ASSERT_LE(region.angle, std::numbers::pi / 2 + 1e-15);
        }
        const Buffer<std::uint32_t> labels = mserLabels(tree, regions);
        for (std::uint32_t p = 0; p < image->pixelCount(); ++p) {
            std::uint32_t label = 0;
            for (std::size_t i = 0; i < regions.size(); ++i) { // inner regions come later
                label = tree.contains(regions[i].node, tree.pixelNode[p]) ? static_cast<std::uint32_t>(i + 1) : label;
            }
            ASSERT_EQ(labels[p], label);
        }
    }
    EXPECT_GT(found, 1000U);
}

TEST_P(Mser, FindsACrispSquareAndTheSquareInside) {
    // Three flat levels, far apart: nothing changes over delta levels, and both squares are found.
    const bool max = spec().kind == TreeKind::max;
    const auto image = makeImage(PixelType::u8, 40, 40, [&](auto x, auto y) {
        const bool outer = x >= 5 && x < 25 && y >= 5 && y < 25;
        const bool inner = x >= 8 && x < 14 && y >= 8 && y < 16;
        const std::uint32_t level = inner ? 200 : outer ? 100 : 0;
        return max ? level : 255 - level;
    });
    const auto session = build(image);
    const auto regions = findMser(*session->tree(), *session->attribute(AttributeId::area), {});
    ASSERT_EQ(regions.size(), 2U);
    EXPECT_EQ(regions[0].area, 400U);
    EXPECT_EQ(regions[1].area, 48U);
    EXPECT_EQ(regions[0].variation, 0);
    EXPECT_DOUBLE_EQ(regions[1].x, 10.5);
    EXPECT_DOUBLE_EQ(regions[1].y, 11.5);
    EXPECT_NEAR(regions[1].major, 4 * 8 / std::sqrt(12.0), 1e-12);
    EXPECT_NEAR(regions[1].minor, 4 * 6 / std::sqrt(12.0), 1e-12);
    EXPECT_NEAR(regions[1].angle, std::numbers::pi / 2, 1e-12);
}

TEST_P(Mser, LooksADeltaDownADeepTree) {
    // A ramp over plateaus, and many tasks of nodes: each walks to the root.
    const auto image = makeImage(PixelType::u16, 2048, 2048, [](auto x, auto y) {
        const std::uint32_t ramp = (y * 2048 + x) / 64;
        return (x * 7 + y * 13) % 5 == 0 ? 65535 - ramp / 2 : ramp;
    });
    const auto session = build(image);
    const ComponentTree& tree = *session->tree();
    ASSERT_GT(tree.nodeCount(), std::size_t{1} << 18);
    constexpr std::uint16_t kDelta = 900;
    const Buffer<std::uint32_t> lower = ancestorsWithin(tree, kDelta);
    for (std::size_t n = 0; n < tree.nodeCount(); ++n) {
        ASSERT_TRUE(tree.contains(lower[n], static_cast<std::uint32_t>(n)));
        ASSERT_LE(std::abs(tree.level[n] - tree.level[lower[n]]), kDelta);
        if (lower[n] != 0) {
            ASSERT_GT(std::abs(tree.level[n] - tree.level[tree.parent[lower[n]]]), kDelta);
        }
    }
    const auto regions = findMser(tree, *session->attribute(AttributeId::area), {});
    EXPECT_EQ(findMser(tree, *session->attribute(AttributeId::area), {}), regions);
}

TEST_P(Mser, RefusesWhatMakesNoSense) {
    const auto session = build(makeImage(PixelType::u8, 9, 9, [](auto x, auto y) { return x * y; }));
    const auto area = session->attribute(AttributeId::area);
    const auto refused = [&](const MserSpec& mser) {
        try {
            (void)findMser(*session->tree(), *area, mser);
        } catch (const Error& error) {
            return error.code() == ErrorCode::invalidArgument;
        }
        return false;
    };
    MserSpec mser;
    EXPECT_FALSE(refused(mser));
    mser.delta = 0;
    EXPECT_TRUE(refused(mser));
    mser = {};
    mser.maxArea = 3;
    EXPECT_TRUE(refused(mser)) << "less than the smallest area";
    mser = {};
    mser.maxVariation = -1;
    EXPECT_TRUE(refused(mser));
    mser = {};
    mser.minDiversity = 1.5;
    EXPECT_TRUE(refused(mser));
    EXPECT_THROW((void)findMser(*session->tree(), *session->attribute(AttributeId::width), {}), Error);
}

POLLARD_FOR_EVERY_TREE(Mser);

TEST(EllipseOfPixels, LosesNothingFarFromTheOrigin) {
    PixelSums near;
    PixelSums far;
    constexpr std::uint32_t kFar = 60000;
    for (std::uint32_t y = 0; y < 4; ++y) {
        near += sumsOfRun(y, 2 * y + 3, y);
        far += sumsOfRun(kFar + y, kFar + 2 * y + 3, kFar + y);
    }
    const Ellipse a = ellipseOf(near);
    const Ellipse b = ellipseOf(far);
    EXPECT_DOUBLE_EQ(b.x, a.x + kFar);
    EXPECT_DOUBLE_EQ(a.major, b.major);
    EXPECT_DOUBLE_EQ(a.minor, b.minor);
    EXPECT_DOUBLE_EQ(a.angle, b.angle);
}

TEST(EllipseOfPixels, SumsOfARunEqualThoseOfItsPixels) {
    Random random(52);
    for (int repeat = 0; repeat < 300; ++repeat) {
        const std::uint32_t first = random() % 70000;
        const std::uint32_t last = first + 1 + random() % 90;
        const std::uint32_t y = random() % 70000;
        PixelSums expected;
        for (std::uint64_t x = first; x < last; ++x) {
            expected += {1, x, y, x * x, x * y, std::uint64_t{y} * y};
        }
        ASSERT_EQ(sumsOfRun(first, last, y), expected);
    }
    // The widest run with fitting sums.
    EXPECT_TRUE(pixelSumsFit(65535, 65535));
    EXPECT_TRUE(pixelSumsFit(2600000, 1));
    EXPECT_FALSE(pixelSumsFit(2700000, 1));
    const PixelSums wide = sumsOfRun(0, 2600000, 0);
    EXPECT_EQ(wide.xx, 5858663286667100000ULL);
}

} // namespace
} // namespace pollard::testing
