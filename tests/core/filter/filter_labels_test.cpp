// Labels of the maximal kept components.

#include "support/engines.hpp"
#include "support/random_images.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace pollard::testing {
namespace {

class KeptLabels : public EveryTree {
protected:
    /// Connected regions of non-zero pixels, by flood filling, numbered in raster order of first appearance.
    static std::vector<std::uint32_t> flood(const Image& mask, Connectivity connectivity) {
        const int width = static_cast<int>(mask.width());
        const int height = static_cast<int>(mask.height());
        std::vector<std::uint32_t> labels(mask.pixelCount(), 0);
        std::uint32_t count = 0;
        for (std::size_t start = 0; start < labels.size(); ++start) {
            if (mask.level(start) == 0 || labels[start] != 0) {
                continue;
            }
            std::vector<std::size_t> open{start};
            labels[start] = ++count;
            while (!open.empty()) {
                const int x = static_cast<int>(open.back()) % width;
                const int y = static_cast<int>(open.back()) / width;
                open.pop_back();
                for (int dy = -1; dy <= 1; ++dy) {
                    for (int dx = -1; dx <= 1; ++dx) {
                        const bool far = connectivity == Connectivity::four && dx != 0 && dy != 0;
                        if (far || x + dx < 0 || x + dx >= width || y + dy < 0 || y + dy >= height) {
                            continue;
                        }
                        const auto q = static_cast<std::size_t>((y + dy) * width + x + dx);
                        if (mask.level(q) != 0 && labels[q] == 0) {
                            labels[q] = count;
                            open.push_back(q);
                        }
                    }
                }
            }
        }
        return labels;
    }
};

TEST_P(KeptLabels, AreTheConnectedRegionsOfTheMask) {
    // Components not nested in each other never touch, so flood filling the mask finds the maximal ones.
    Random random(61);
    std::uint64_t most = 0;
    for (int repeat = 0; repeat < 400; ++repeat) {
        const auto image = randomImage(random, 1 + random() % 60, 1 + random() % 60);
        const auto session = build(image, 2);
        FilterSpec filter;
        const auto area = session->attribute(AttributeId::area);
        filter.criteria = {{AttributeId::area, 1, area->at(random() % area->size())}};
        filter.rule = kAllRules[random() % kAllRules.size()];
        const LabelImage labels = session->labels(filter);
        ASSERT_EQ(labels.width, image->width());
        ASSERT_EQ(labels.height, image->height());
        filter.output = Output::mask;
        Image mask(image->type(), image->width(), image->height());
        session->filter(filter, mask);
        const std::vector<std::uint32_t> expected = flood(mask, spec().connectivity);
        ASSERT_TRUE(std::ranges::equal(labels.labels, expected)) << "rule " << nameOf(filter.rule);
        ASSERT_EQ(labels.count, *std::ranges::max_element(expected));
        most = std::max<std::uint64_t>(most, labels.count);
    }
    EXPECT_GT(most, 100U);
}

TEST_P(KeptLabels, GoRoundInAnImageOfFewLevels) {
    // 30 x 30 separate spots.
    const bool maxTree = spec().kind == TreeKind::max;
    const auto image =
        makeImage(PixelType::u8, 60, 60, [&](auto x, auto y) { return (x % 2 + y % 2 == 2) == maxTree ? 9 : 5; });
    const auto session = build(image);
    FilterSpec filter;
    filter.criteria = {{AttributeId::area, 1, 1}};
    filter.output = Output::labels;
    const LabelImage labels = session->labels(filter);
    EXPECT_EQ(labels.count, 900U);
    Image out(PixelType::u8, 60, 60);
    session->filter(filter, out);
    std::set<int> seen;
    for (std::size_t p = 0; p < image->pixelCount(); ++p) {
        const std::uint32_t label = labels.labels[p];
        ASSERT_EQ(out.level(p), label == 0 ? 0 : 1 + (label - 1) % 255);
        ASSERT_EQ(label == 0, out.level(p) == 0);
        seen.insert(out.level(p));
    }
    EXPECT_EQ(seen.size(), 256U);
}

TEST_P(KeptLabels, TheRootIsALabelOnlyIfItIsKeptForItsOwnSake) {
    const bool maxTree = spec().kind == TreeKind::max;
    const auto image =
        makeImage(PixelType::u8, 6, 1, [&](auto x, auto) { return (x == 1 || x == 4) == maxTree ? 9 : 5; });
    const auto session = build(image);
    FilterSpec filter;
    EXPECT_EQ(session->labels(filter).count, 1U) << "no criterion: everything is kept, the root is the largest";
    filter.criteria = {{AttributeId::area, 1, 5}};
    for (const Rule rule : kAllRules) {
        filter.rule = rule;
        const std::uint32_t expected = rule == Rule::min ? 0 : rule == Rule::max ? 1 : 2;
        EXPECT_EQ(session->labels(filter).count, expected) << nameOf(rule);
    }
    filter.criteria = {{AttributeId::area, 7}};
    EXPECT_EQ(session->labels(filter).count, 0U);
}

TEST_P(KeptLabels, NeedATree) {
    const auto session = registry_.select(std::get<std::string>(GetParam())).openSession();
    EXPECT_THROW((void)session->labels({}), Error);
}

POLLARD_FOR_EVERY_TREE(KeptLabels);

} // namespace
} // namespace pollard::testing
