// The tree inside a mask, against the components of the masked pixels by their definition.

#include "filter/analysis_image.hpp"

#include "base/error.hpp"
#include "cpu/cpu_engine.hpp"
#include "engine/engine_registry.hpp"
#include "image/mask.hpp"
#include "support/naive_tree.hpp"
#include "support/random_images.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

namespace pollard::testing {
namespace {

using Component = std::pair<int, std::vector<std::uint32_t>>; ///< level and pixels

/// Components of the level sets inside the mask, by flood filling without the outside.
std::set<Component> componentsInside(const Image& image, const Mask& inside, TreeKind kind, Connectivity connectivity) {
    const int width = static_cast<int>(image.width());
    const int height = static_cast<int>(image.height());
    const auto in = [&](int x, int y) {
        return x >= 0 && y >= 0 && x < width && y < height &&
               inside.test(static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y));
    };
    const auto level = [&](int x, int y) { return int{image.level(static_cast<std::size_t>(y * width + x))}; };
    const int sign = kind == TreeKind::max ? 1 : -1;
    std::set<int> levels;
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            if (in(x, y)) {
                levels.insert(level(x, y));
            }
        }
    }
    std::set<Component> found;
    for (const int threshold : levels) {
        std::set<std::pair<int, int>> seen;
        for (int startY = 0; startY < height; ++startY) {
            for (int startX = 0; startX < width; ++startX) {
                if (!in(startX, startY) || sign * level(startX, startY) < sign * threshold ||
                    !seen.insert({startX, startY}).second) {
                    continue;
                }
                std::vector<std::pair<int, int>> pixels{{startX, startY}};
                bool ownLevel = false;
                for (std::size_t k = 0; k < pixels.size(); ++k) {
                    const auto [x, y] = pixels[k];
                    ownLevel = ownLevel || level(x, y) == threshold;
                    for (int dy = -1; dy <= 1; ++dy) {
                        for (int dx = -1; dx <= 1; ++dx) {
                            const bool reachable = connectivity == Connectivity::eight || dx == 0 || dy == 0;
                            if (reachable && in(x + dx, y + dy) && sign * level(x + dx, y + dy) >= sign * threshold &&
                                seen.insert({x + dx, y + dy}).second) {
                                pixels.emplace_back(x + dx, y + dy);
                            }
                        }
                    }
                }
                if (ownLevel) {
                    std::vector<std::uint32_t> indices;
                    for (const auto& [x, y] : pixels) {
                        indices.push_back(static_cast<std::uint32_t>(y * width + x));
                    }
                    std::sort(indices.begin(), indices.end());
                    found.insert({threshold, indices});
                }
            }
        }
    }
    return found;
}

Mask randomMask(Random& random, std::uint32_t width, std::uint32_t height) {
    Mask mask(width, height, false);
    const std::uint32_t share = 1 + random() % 4;
    for (std::uint32_t y = 0; y < height; ++y) {
        for (std::uint32_t x = 0; x < width; ++x) {
            mask.set(x, y, random() % 4 < share);
        }
    }
    return mask;
}

TEST(AnalysisImage, HasTheComponentsOfTheInsideAlone) {
    Random random(77);
    for (int repeat = 0; repeat < 400; ++repeat) {
        const auto image = randomImage(random, 1 + random() % 11, 1 + random() % 9);
        const Mask inside = randomMask(random, image->width(), image->height());
        const TreeKind kind = random() % 2 == 0 ? TreeKind::max : TreeKind::min;
        const Connectivity connectivity = random() % 2 == 0 ? Connectivity::four : Connectivity::eight;
        const auto expected = componentsInside(*image, inside, kind, connectivity);
        const auto analysed = analysisImage(image, &inside, kind);
        const auto nodes = naiveTree(*analysed, kind, connectivity);
        if (inside.count() == 0) {
            EXPECT_EQ(nodes.size(), 1U);
            continue;
        }
        const int rootLevel = kind == TreeKind::max ? expected.begin()->first : expected.rbegin()->first;
        EXPECT_EQ(nodes[0].level, rootLevel);
        std::set<Component> got;
        for (std::size_t n = 1; n < nodes.size(); ++n) {
            for (const std::uint32_t pixel : nodes[n].support) {
                ASSERT_TRUE(inside.test(pixel % image->width(), pixel / image->width()));
            }
            got.insert({nodes[n].level, nodes[n].support});
        }
        // At the root's level the oracle has a component per part; the tree joins them.
        std::set<Component> above;
        for (const Component& component : expected) {
            if (component.first != rootLevel) {
                above.insert(component);
            }
        }
        EXPECT_EQ(got, above);
    }
}

TEST(AnalysisImage, IsTheImageItselfWithoutAMask) {
    Random random(5);
    const auto image = randomImage(random, 7, 5);
    EXPECT_EQ(analysisImage(image, nullptr, TreeKind::max), image);
    const auto mask = std::make_shared<const Mask>(7, 5, true);
    EXPECT_EQ(intersection(nullptr, mask), mask);
    EXPECT_EQ(intersection(mask, nullptr), mask);
    EXPECT_EQ(intersection(nullptr, nullptr), nullptr);
}

TEST(AnalysisImage, IntersectionHoldsPixelsOfBoth) {
    Random random(6);
    for (const std::uint32_t width : {1U, 63U, 64U, 65U, 200U}) {
        const auto a = std::make_shared<const Mask>(randomMask(random, width, 9));
        const auto b = std::make_shared<const Mask>(randomMask(random, width, 9));
        const auto both = intersection(a, b);
        for (std::uint32_t y = 0; y < 9; ++y) {
            for (std::uint32_t x = 0; x < width; ++x) {
                ASSERT_EQ(both->test(x, y), a->test(x, y) && b->test(x, y)) << x << ", " << y;
            }
        }
    }
    const auto other = std::make_shared<const Mask>(3, 9, true);
    EXPECT_THROW((void)intersection(std::make_shared<const Mask>(4, 9, true), other), Error);
}

TEST(MaskRuns, CoverEveryPixelOnceWithItsValue) {
    Random random(8);
    for (const std::uint32_t width : {1U, 2U, 63U, 64U, 65U, 127U, 128U, 300U}) {
        for (int repeat = 0; repeat < 20; ++repeat) {
            const Mask mask = repeat == 0   ? Mask(width, 2, true)
                              : repeat == 1 ? Mask(width, 2, false)
                                            : randomMask(random, width, 2);
            for (std::uint32_t y = 0; y < 2; ++y) {
                std::vector<int> seen(width, -1);
                std::uint32_t runs = 0;
                for (const bool set : {true, false}) {
                    forEachRun(mask, y, set, [&](std::uint32_t first, std::uint32_t last) {
                        runs += set ? 1 : 0;
                        ASSERT_LT(first, last);
                        ASSERT_LE(last, width);
                        for (std::uint32_t x = first; x < last; ++x) {
                            EXPECT_EQ(seen[x], -1);
                            seen[x] = set ? 1 : 0;
                        }
                    });
                }
                for (std::uint32_t x = 0; x < width; ++x) {
                    ASSERT_EQ(seen[x], mask.test(x, y) ? 1 : 0);
                }
                ASSERT_EQ(countRuns(mask, y), runs);
            }
        }
    }
}

TEST(AnalysisImage, AFilteredImageShowsTheOriginalOutside) {
    Random random(9);
    const EngineRegistry registry{makeCpuEngine()};
    for (int repeat = 0; repeat < 60; ++repeat) {
        const auto image = randomImage(random, 1 + random() % 20, 1 + random() % 20);
        const Mask inside = randomMask(random, image->width(), image->height());
        const auto session = registry.select("cpu").openSession();
        const TreeKind kind = repeat % 2 == 0 ? TreeKind::max : TreeKind::min;
        const auto analysed = analysisImage(image, &inside, kind);
        session->open(analysed);
        TreeSpec treeSpec;
        treeSpec.kind = kind;
        session->buildTree(treeSpec);
        FilterSpec spec;
        spec.criteria = {{AttributeId::area, 3}};
        for (const Output output : {Output::filtered, Output::residue, Output::mask}) {
            spec.output = output;
            Image result(image->type(), image->width(), image->height());
            session->filter(spec, result);
            Image before(image->type(), image->width(), image->height());
            std::copy_n(result.data(), result.bytes(), before.data());
            restoreOutside(*image, inside, output, result);
            for (std::size_t p = 0; p < image->pixelCount(); ++p) {
                const auto x = static_cast<std::uint32_t>(p % image->width());
                const auto y = static_cast<std::uint32_t>(p / image->width());
                if (inside.test(x, y)) {
                    ASSERT_EQ(result.level(p), before.level(p));
                } else {
                    ASSERT_EQ(result.level(p), output == Output::filtered ? image->level(p) : 0);
                }
            }
        }
    }
}

TEST(AnalysisImage, RefusesAMaskOfAnotherSize) {
    Random random(4);
    const auto image = randomImage(random, 5, 4);
    const Mask mask(4, 5, true);
    EXPECT_THROW((void)analysisImage(image, &mask, TreeKind::max), Error);
    Image result(image->type(), 5, 4);
    EXPECT_THROW(restoreOutside(*image, mask, Output::filtered, result), Error);
}

} // namespace
} // namespace pollard::testing
