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

TEST(ChangedObjects, ThatAreLargeHaveTheMeasurementsOfTheWholeImage) {
    std::mt19937 random(11);
    const auto upTo = [&random](std::uint32_t most) { return static_cast<std::uint32_t>(random() % (most + 1)); };
    for (const Connectivity connectivity : {Connectivity::four, Connectivity::eight, Connectivity::six,
                                            Connectivity::eighteen, Connectivity::twentySix}) {
        const Extent extent = isPlanar(connectivity) ? Extent{70, 50, 1} : Extent{30, 24, 14};
        const Image grey = randomGrey(random, extent);
        std::vector<std::uint32_t> labels(extent.pixelCount(), 1);
        for (std::size_t i = 0; i < labels.size(); ++i) {
            const bool isLower = i % extent.slicePixels() / extent.width > extent.height / 2;
            labels[i] = upTo(12) == 0 ? 0 : isLower ? 2 : 1; // two objects with holes
        }
        Components objects = measureNumbers(labels, extent, nullptr, &grey, connectivity);
        ASSERT_EQ(objects.count, 2U);
        for (int step = 0; step < 150; ++step) {
            const EditedLabels image{objects.labels.span(), extent, objects.count};
            const RegionPoint from{upTo(extent.width) * 1., upTo(extent.height) * 1.};
            const std::vector<RegionPoint> points{from, {from.x + upTo(4), from.y + upTo(4)}};
            const PixelSpans pixels = strokeSpans(
                extent, points, {.radius = 0.5 + upTo(2), .slice = upTo(extent.slices - 1), .ball = step % 2 == 0});
            const Components before = copyOf(objects);
            const LabelEdit edit = paintLabel(image, pixels, upTo(2));
            measureChanged(objects, before, edit.changed(), edit.labels(), &grey, {});
            const std::vector<std::uint32_t> now(objects.labels.begin(), objects.labels.end());
            const Components expected = measured(now, extent, objects.count, grey, connectivity);
            ASSERT_EQ(objects.objects, expected.objects) << static_cast<int>(connectivity) << ' ' << step;
            ASSERT_EQ(objects.depths, expected.depths) << static_cast<int>(connectivity) << ' ' << step;
            ASSERT_EQ(objects.foreground, expected.foreground);
        }
    }
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
