// Objects of an edited label image, compared with a measurement of the whole image.

#include "components/changed_objects.hpp"

#include "components/labelled_components.hpp"
#include "components/objects/measured_objects.hpp"
#include "components/shape/object_edges.hpp"
#include "labels/edit_labels.hpp"
#include "labels/pixel_spans.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <tuple>
#include <utility>
#include <vector>

namespace pollard::testing {
namespace {

Image randomGrey(std::mt19937& random, const Extent& extent) {
    Image image(PixelType::u16, extent);
    for (std::uint16_t& level : image.pixels<std::uint16_t>()) {
        level = static_cast<std::uint16_t>(random() % 300);
    }
    return image;
}

/// Whether all but the labels is equal.
bool areEqualRecords(const Components& a, const Components& b) {
    const auto facts = [](const Components& objects) {
        return std::tie(objects.objects, objects.depths, objects.valueSums, objects.numbers, objects.count,
                        objects.foreground, objects.hasParts);
    };
    return facts(a) == facts(b);
}

/// Objects with the numbers 1 .. count, of which some may have no pixel.
Components measured(const std::vector<std::uint32_t>& labels, const Extent& extent, std::uint32_t count,
                    const Image& grey, Connectivity connectivity) {
    Components found = measureNumbers(labels, extent, nullptr, &grey, connectivity);
    Components all;
    all.foreground = found.foreground;
    all.hasParts = found.hasParts;
    all.objects.resize(count);
    std::ranges::fill(all.objects, ComponentRecord{});
    if (found.isVolume()) {
        all.depths.resize(count);
        std::ranges::fill(all.depths, DepthRecord{});
    }
    for (std::uint32_t label = 1; label <= found.count; ++label) {
        all.objects[found.numberOf(label) - 1] = found.objects[label - 1];
        if (found.isVolume()) {
            all.depths[found.numberOf(label) - 1] = found.depths[label - 1];
        }
    }
    return all;
}

TEST(ChangedObjects, HaveTheMeasurementsOfTheWholeImage) {
    std::mt19937 random(7);
    const auto upTo = [&random](std::uint32_t most) { return static_cast<std::uint32_t>(random() % (most + 1)); };
    for (int turn = 0; turn < 24; ++turn) {
        const bool inVolume = turn % 2 == 1;
        const Extent extent{3 + upTo(15), 3 + upTo(15), inVolume ? 2 + upTo(4) : 1};
        const Connectivity connectivity = inVolume ? (turn % 3 == 0 ? Connectivity::six : Connectivity::twentySix)
                                          : turn % 3 == 0 ? Connectivity::four
                                                          : Connectivity::eight;
        const Image grey = randomGrey(random, extent);
        std::vector<std::uint32_t> labels(extent.pixelCount());
        std::ranges::generate(labels, [&] { return upTo(3) == 0 ? 1 + upTo(2) : 0; });
        for (std::uint32_t label = 1; label <= 3; ++label) {
            labels[label - 1] = label; // so that numbers are labels
        }
        Components objects = measureNumbers(labels, extent, nullptr, &grey, connectivity);
        ASSERT_TRUE(objects.numbers.empty());
        std::optional<ValueMapping> mapping;
        if (turn % 4 < 2) {
            mapping.emplace();
            auto ranks = std::make_shared<RankedValues>();
            for (int level = 0; level < 300; ++level) {
                ranks->values.push_back(level * .5 - 3);
            }
            mapping->ranks = ranks;
            sumValues(objects, grey, mapping);
        }
        for (int step = 0; step < 20; ++step) {
            const EditedLabels image{objects.labels.span(), extent, objects.count};
            const auto point = [&] { return RegionPoint{upTo(extent.width) * 1., upTo(extent.height) * 1.}; };
            const std::vector<RegionPoint> points{point(), point()};
            const PixelSpans pixels =
                strokeSpans(extent, points, {.radius = 1.4, .slice = upTo(extent.slices - 1), .ball = step % 2 == 0});
            Components copy = copyOf(objects);
            const LabelEdit edit = paintLabel(image, pixels, upTo(objects.count + (step % 5 == 0 ? 1 : 0)));
            measureChanged(objects, copy, edit.changed(), edit.labels(), &grey, mapping);
            const std::vector<std::uint32_t> now(objects.labels.begin(), objects.labels.end());
            takeChanges(copy, objects, edit.changed());
            ASSERT_TRUE(std::ranges::equal(copy.labels, now));
            ASSERT_TRUE(areEqualRecords(copy, objects)) << turn << ' ' << step;
            const Components expected = measured(now, extent, objects.count, grey, connectivity);
            ASSERT_EQ(objects.objects, expected.objects) << turn << ' ' << step;
            ASSERT_EQ(objects.depths, expected.depths) << turn << ' ' << step;
            ASSERT_EQ(objects.foreground, expected.foreground);
            if (mapping) {
                Components whole = copyOf(objects);
                whole.valueSums.clear();
                sumValues(whole, grey, mapping);
                for (std::size_t i = 0; i < whole.valueSums.size(); ++i) {
                    ASSERT_DOUBLE_EQ(objects.valueSums[i], whole.valueSums[i]);
                }
            }
        }
    }
}

/// Two objects that cover the image, with holes; many parts, near the density at which pixels connect; one part, a path
/// from side to side.
enum class Pattern : std::uint8_t { holes, parts, path };

std::vector<std::uint32_t> labelsOf(Pattern pattern, const Extent& extent, std::mt19937& random) {
    std::vector<std::uint32_t> labels(extent.pixelCount());
    for (std::size_t i = 0; i < labels.size(); ++i) {
        const std::size_t x = i % extent.width;
        const std::size_t y = i % extent.slicePixels() / extent.width;
        const std::uint32_t half = y > extent.height / 2 ? 2 : 1;
        const bool isTurn = x == (y / 2 % 2 == 0 ? 0 : extent.width - 1);
        switch (pattern) {
        case Pattern::holes:
            labels[i] = random() % 13 == 0 ? 0 : half;
            break;
        case Pattern::parts:
            labels[i] = random() % 5 < 2 ? 0 : half;
            break;
        case Pattern::path:
            labels[i] = y % 2 == 0 || isTurn ? 1 : 0;
            break;
        }
    }
    labels.back() = 2;
    return labels;
}

void editLargeObjects(Pattern pattern, Connectivity connectivity, bool withSums) {
    std::mt19937 random(11);
    const auto upTo = [&random](std::uint32_t most) { return static_cast<std::uint32_t>(random() % (most + 1)); };
    const Extent extent = isPlanar(connectivity) ? Extent{150, 110, 1} : Extent{40, 34, 14};
    const Image grey = randomGrey(random, extent);
    std::optional<ValueMapping> mapping;
    if (withSums) {
        mapping.emplace();
        auto ranks = std::make_shared<RankedValues>();
        for (int level = 0; level < 300; ++level) {
            ranks->values.push_back(level * .1 - 3);
        }
        mapping->ranks = ranks;
    }
    Components objects = measureNumbers(labelsOf(pattern, extent, random), extent, nullptr, &grey, connectivity);
    sumValues(objects, grey, mapping);
    ASSERT_EQ(objects.count, 2U);
    for (int step = 0; step < 60; ++step) {
        const EditedLabels image{objects.labels.span(), extent, objects.count};
        const RegionPoint from{upTo(extent.width) * 1., step % 4 == 0 ? 0. : upTo(extent.height) * 1.};
        const std::vector<RegionPoint> points{from, {from.x + upTo(4), from.y + upTo(4)}};
        const PixelSpans pixels = strokeSpans(
            extent, points, {.radius = 0.5 + upTo(2), .slice = upTo(extent.slices - 1), .ball = step % 2 == 0});
        const Components before = copyOf(objects);
        const LabelEdit edit = paintLabel(image, pixels, upTo(2));
        measureChanged(objects, before, edit.changed(), edit.labels(), &grey, mapping);
        const std::vector<std::uint32_t> now(objects.labels.begin(), objects.labels.end());
        Components expected = measured(now, extent, objects.count, grey, connectivity);
        ASSERT_EQ(objects.objects, expected.objects) << step;
        ASSERT_EQ(objects.depths, expected.depths) << step;
        ASSERT_EQ(objects.foreground, expected.foreground);
        ASSERT_EQ(objects.hasParts, before.hasParts || expected.hasParts) << step;
        if (withSums) {
            Components whole = copyOf(objects);
            sumValues(whole, grey, mapping);
            ASSERT_EQ(objects.valueSums, whole.valueSums) << step;
        }
    }
}

TEST(ChangedObjects, ThatAreLargeHaveTheMeasurementsOfTheWholeImage) {
    for (const Connectivity connectivity : {Connectivity::four, Connectivity::eight, Connectivity::six,
                                            Connectivity::eighteen, Connectivity::twentySix}) {
        for (const Pattern pattern : {Pattern::holes, Pattern::parts, Pattern::path}) {
            SCOPED_TRACE(::testing::Message() << static_cast<int>(connectivity) << ' ' << static_cast<int>(pattern));
            editLargeObjects(pattern, connectivity, pattern == Pattern::parts);
        }
    }
}

/// An object that covers the image but for its last row, and is erased and painted at its edges.
TEST(ChangedObjects, TheBoxOfALargeObjectFollowsItsEdges) {
    const Extent extent{120, 90, 1};
    Image grey(PixelType::u8, extent);
    std::ranges::fill(grey.pixels<std::uint8_t>(), std::uint8_t{9});
    grey.pixels<std::uint8_t>()[0] = 3;
    std::vector<std::uint32_t> labels(extent.pixelCount(), 1);
    std::fill_n(labels.end() - extent.width, extent.width, 0U);
    Components objects = measureNumbers(labels, extent, nullptr, &grey, Connectivity::four);
    const auto paint = [&](std::uint32_t label, const PixelSpans& pixels) {
        const Components before = copyOf(objects);
        const LabelEdit edit = paintLabel({objects.labels.span(), extent, objects.count}, pixels, label);
        measureChanged(objects, before, edit.changed(), edit.labels(), &grey, {});
        return objects.objects[0];
    };
    EXPECT_EQ(paint(0, {{0, 119}}).top, 0U) << "a pixel of the first row is left";
    EXPECT_EQ(objects.objects[0].greyMin, 9U) << "the one of the least level is gone";
    EXPECT_EQ(paint(0, {{119, 120}}).top, 1U);
    EXPECT_EQ(paint(1, {{89 * 120 + 7, 89 * 120 + 8}}).bottom, 89U);
    EXPECT_EQ(paint(0, {{89 * 120 + 7, 89 * 120 + 8}}).bottom, 88U);
    EXPECT_EQ(paint(1, {{0, 1}}).greyMin, 3U);
    PixelSpans column;
    for (std::size_t y = 0; y < extent.height; ++y) {
        column.push_back({y * 120 + 119, y * 120 + 120});
    }
    EXPECT_EQ(paint(0, column).right, 118U);
    EXPECT_FALSE(std::exchange(objects.hasParts, false)) << "the first pixel touches the second row";
    EXPECT_EQ(paint(0, {{120, 125}}).top, 0U);
    EXPECT_TRUE(objects.hasParts) << "the first pixel is a part of its own";
}

TEST(ChangedObjects, NewObjectsFollowTheLargestNumber) {
    const Extent extent{4, 1, 1};
    Components objects =
        measureNumbers(std::vector<std::uint32_t>{5, 0, 9, 0}, extent, nullptr, nullptr, Connectivity::four);
    const EditedLabels image{objects.labels.span(), extent, objects.count};
    const Components before = copyOf(objects);
    const LabelEdit edit = paintLabel(image, {{3, 4}}, 3);
    measureChanged(objects, before, edit.changed(), edit.labels(), nullptr, {});
    EXPECT_EQ(objects.numberOf(3), 10U);
    EXPECT_EQ(objects.count, 3U);
}

TEST(ChangedObjects, AnObjectMayHaveANumberOfItsOwn) {
    const Extent extent{4, 1, 1};
    Components objects =
        measureNumbers(std::vector<std::uint32_t>{1, 0, 2, 0}, extent, nullptr, nullptr, Connectivity::four);
    const Components before = copyOf(objects);
    addObject(objects, 3, false);
    EXPECT_TRUE(objects.numbers.empty()) << "the number of its label";
    addObject(objects, 9, false);
    addObject(objects, 6, false);
    EXPECT_EQ(objects.count, 5U);
    EXPECT_EQ(objects.largestNumber(), 9U);
    for (const auto& [label, number] : {std::pair(2U, 2U), {4U, 9U}, {5U, 6U}}) {
        EXPECT_EQ(objects.numberOf(label), number);
        EXPECT_EQ(objects.labelOf(number), label);
    }
    EXPECT_EQ(objects.labelOf(4), 0U);
    EXPECT_EQ(objects.labelOf(12), 0U);
    Components copy = copyOf(before);
    takeChanges(copy, objects, {});
    EXPECT_TRUE(areEqualRecords(copy, objects));
    const EditedLabels image{objects.labels.span(), extent, objects.count};
    copy = copyOf(objects);
    const LabelEdit edit = paintLabel(image, {{3, 4}}, 6);
    measureChanged(objects, copy, edit.changed(), edit.labels(), nullptr, {});
    EXPECT_EQ(objects.numberOf(6), 10U) << "a new object follows the largest number";
}

TEST(ChangedObjects, AnObjectWithoutPixelsIsNotListedAndKeepsItsNumber) {
    const Extent extent{3, 1, 1};
    Components objects =
        measureNumbers(std::vector<std::uint32_t>{1, 0, 2}, extent, nullptr, nullptr, Connectivity::four);
    const EditedLabels image{objects.labels.span(), extent, objects.count};
    const Components before = copyOf(objects);
    const LabelEdit edit = paintLabel(image, {{0, 1}}, 0);
    measureChanged(objects, before, edit.changed(), edit.labels(), nullptr, {});
    const ObjectList list = listObjects(objects, {});
    EXPECT_EQ(list.labels, (std::vector<std::uint32_t>{2}));
    EXPECT_EQ(objects.count, 2U);
    const ObjectEdges edges = measureEdges(objects, EdgeMeasure::thickness);
    EXPECT_TRUE(std::isnan(edges.objects[0].imagejPerimeter));
    EXPECT_FALSE(std::isnan(edges.objects[1].imagejPerimeter));
}

} // namespace
} // namespace pollard::testing
