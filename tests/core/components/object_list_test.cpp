// Lists of objects, and their painting.

#include "components/components.hpp"
#include "components/objects/measured_objects.hpp"
#include "components/objects/object_files.hpp"
#include "components/objects/object_paint.hpp"
#include "components/shape/object_edges.hpp"
#include "components/threshold.hpp"
#include "support/random_images.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace pollard::testing {
namespace {

TEST(ObjectList, EqualsTheSimpleWay) {
    Random random(81);
    const auto grey = makeImage(PixelType::u8, 200, 150, [&](auto, auto) { return random() % 256; });
    const Components components = labelComponents(thresholdMask(*grey, 150, 255, nullptr), grey.get(), {});
    const std::uint32_t count = components.count;
    ASSERT_GT(count, 1000U);
    std::vector<std::uint8_t> removed(count);
    std::ranges::generate(removed, [&] { return static_cast<std::uint8_t>(random() % 3 == 0); });
    const ObjectEdges edges = measureEdges(components, EdgeMeasure::thickness);
    for (const ObjectFeatureInfo& info : objectFeatures()) {
        for (const bool descending : {false, true}) {
            const ObjectListSpec spec{ObjectCondition::parse("area > 1 || grey_mean > 200"), 0.5, info.feature,
                                      descending, &removed};
            const ObjectList listing = listObjects(components, spec);
            std::vector<std::uint32_t> expected;
            std::uint64_t pixels = 0;
            for (std::uint32_t label = 1; label <= count; ++label) {
                const ComponentRecord& object = components.objects[label - 1];
                if (removed[label - 1] == 0 &&
                    (MeasuredObject(object, label, 0.5).valueOf(ObjectFeature::area) > 1 || object.greyMean() > 200)) {
                    expected.push_back(label);
                    pixels += object.area;
                }
            }
            std::ranges::stable_sort(expected, [&](std::uint32_t a, std::uint32_t b) {
                const double first = MeasuredObject(components.objects[a - 1], a, 1, edges.of(a)).valueOf(info.feature);
                const double second =
                    MeasuredObject(components.objects[b - 1], b, 1, edges.of(b)).valueOf(info.feature);
                return descending ? first > second : first < second;
            });
            ASSERT_EQ(listing.labels, expected) << info.id;
            ASSERT_EQ(listing.pixels, pixels);
            for (std::uint32_t label = 1; label <= count; ++label) {
                const auto place = std::ranges::find(expected, label);
                ASSERT_EQ(listing.lists(label), place != expected.end());
                if (listing.lists(label)) {
                    ASSERT_EQ(listing.rows[label - 1], place - expected.begin());
                }
            }
        }
    }
    EXPECT_FALSE(listObjects(components, {}).lists(0));
}

TEST(ObjectList, SortsByOwnKeys) {
    Random random(83);
    const auto grey = makeImage(PixelType::u8, 50, 40, [&](auto, auto) { return random() % 256; });
    const Components components = labelComponents(thresholdMask(*grey, 150, 255, nullptr), grey.get(), {});
    std::vector<std::uint32_t> keys(components.count);
    std::ranges::generate(keys, [&] { return random() % 20; });
    for (const bool descending : {false, true}) {
        const ObjectList list =
            listObjects(components, {.condition = {}, .descending = descending, .removed = nullptr, .keys = &keys});
        std::vector<std::uint32_t> expected = allLabels(components);
        std::ranges::stable_sort(expected, [&](std::uint32_t a, std::uint32_t b) {
            return descending ? keys[a - 1] > keys[b - 1] : keys[a - 1] < keys[b - 1];
        });
        EXPECT_EQ(list.labels, expected);
    }
}

TEST(ObjectList, LeavesOutWhatTouchesTheBorder) {
    Random random(84);
    const auto grey = makeImage(PixelType::u8, 40, 30, [&](auto, auto) { return random() % 256; });
    const Components components = labelComponents(thresholdMask(*grey, 110, 255, nullptr), grey.get(), {});
    const ObjectList all = listObjects(components, {});
    EXPECT_EQ(all.atBorder, 0U);
    ObjectListSpec spec;
    spec.withoutBorder = true;
    const ObjectList inner = listObjects(components, spec);
    EXPECT_EQ(inner.labels, listObjects(components, {.condition = ObjectCondition::parse("border == 0")}).labels);
    EXPECT_EQ(inner.labels.size() + inner.atBorder, all.labels.size());
    EXPECT_GT(inner.labels.size(), 10U);
    EXPECT_GT(inner.atBorder, 10U);
    // Objects left out for another reason do not count.
    spec.condition = ObjectCondition::parse("area > 2");
    std::vector<std::uint8_t> removed(components.count, 0);
    removed[0] = 1;
    spec.removed = &removed;
    const ObjectList some = listObjects(components, spec);
    spec.withoutBorder = false;
    EXPECT_EQ(some.labels.size() + some.atBorder, listObjects(components, spec).labels.size());
    EXPECT_LT(some.atBorder, inner.atBorder);
}

TEST(ObjectList, MeasuresEdgesOnlyWhereTheyAreNeeded) {
    ComponentsSpec bare;
    bare.labels = false;
    const Components components = labelComponents(Mask(6, 4, true), nullptr, bare);
    EXPECT_EQ(listObjects(components, {.condition = ObjectCondition::parse("area == 24")}).labels.size(), 1U)
        << "without a label image";
    EXPECT_EQ(edgeMeasureOf({.condition = ObjectCondition::parse("area > 1")}), EdgeMeasure::none);
    EXPECT_EQ(edgeMeasureOf({.condition = ObjectCondition::parse("border > area")}), EdgeMeasure::border);
    EXPECT_EQ(edgeMeasureOf({.condition = ObjectCondition::parse("border > perimeter_imagej")}), EdgeMeasure::traced);
    EXPECT_EQ(edgeMeasureOf({.condition = {}, .key = ObjectFeature::imagejCircularity}), EdgeMeasure::traced);
    EXPECT_EQ(edgeMeasureOf({.condition = ObjectCondition::parse("thickness > 1"), .key = ObjectFeature::solidity}),
              EdgeMeasure::thickness);
    EXPECT_EQ(edgeMeasureOf({.condition = {}, .key = ObjectFeature::inscribedZ}), EdgeMeasure::ball);
    const std::vector<std::uint32_t> keys{1};
    EXPECT_EQ(edgeMeasureOf({.condition = {}, .key = ObjectFeature::border, .removed = nullptr, .keys = &keys}),
              EdgeMeasure::none);
}

TEST(ObjectPaint, ShowsOutlinesOnly) {
    Mask mask(5, 5, false); // a square of 3 x 3 px in the middle
    for (const std::uint32_t y : {1U, 2U, 3U}) {
        mask.setRun(1, 4, y, true);
    }
    const Components square = labelComponents(mask, nullptr, {});
    const ObjectList list = listObjects(square, {});
    const std::vector<std::size_t> all{0, 1, 2, 3, 4};
    const std::vector<std::uint32_t> colours{7, 8};
    ObjectPaint paint{square.labels.span(), 5, &list, all, all, colours, colours, {}, 900, 800, 1};
    paint.outlinesOnly = true;
    std::vector<std::uint32_t> out(25, 99);
    paintObjects(paint, out);
    EXPECT_EQ(out, (std::vector<std::uint32_t>{0, 0, 0, 0, 0, //
                                               0, 8, 8, 8, 0, //
                                               0, 8, 0, 8, 0, //
                                               0, 8, 8, 8, 0, //
                                               0, 0, 0, 0, 0}));
}

TEST(ObjectPaint, ShowsEveryPixelByItsLabel) {
    Random random(82);
    for (int repeat = 0; repeat < 60; ++repeat) {
        const auto grey = makeImage(PixelType::u8, 40, 30, [&](auto, auto) { return random() % 256; });
        const Components components = labelComponents(thresholdMask(*grey, 140, 255, nullptr), grey.get(), {});
        std::vector<std::uint8_t> removed(components.count);
        std::vector<std::uint8_t> selected(components.count);
        std::ranges::generate(removed, [&] { return static_cast<std::uint8_t>(random() % 4 == 0); });
        std::ranges::generate(selected, [&] { return static_cast<std::uint8_t>(random() % 3 == 0); });
        const ObjectList list = listObjects(components, {.condition = {}, .removed = &removed});
        // A part of the image, 1.7 px of the surface per px.
        std::vector<std::size_t> columns;
        std::vector<std::size_t> rows;
        for (int i = 0; i < 50; ++i) {
            columns.push_back(static_cast<std::size_t>(5 + i / 1.7));
            rows.push_back(static_cast<std::size_t>(i / 1.7));
        }
        rows.resize(44);
        const std::vector<std::uint32_t> colours{11, 12, 13, 14, 15};
        const std::vector<std::uint32_t> strong{21, 22, 23, 24, 25};
        ObjectPaint paint{
            components.labels.span(), components.width, &list, columns, rows, colours, strong, {}, 900, 800, 2};
        std::vector<std::uint32_t> out(columns.size() * rows.size(), 1);
        const auto labelAt = [&](int x, int y) {
            const auto column = columns[static_cast<std::size_t>(std::clamp(x, 0, 49))];
            const auto row = rows[static_cast<std::size_t>(std::clamp(y, 0, 43))];
            return components.labels[row * components.width + column];
        };
        std::vector<std::uint32_t> numbers(components.count);
        std::ranges::generate(numbers, [&] { return random() % 1000; });
        if (repeat % 3 == 0) {
            paint.colourNumber = [&](std::uint32_t label) { return numbers[label - 1]; };
        }
        const auto numberOf = [&](std::uint32_t label) {
            return repeat % 3 == 0 && label != 0 ? numbers[label - 1] : label;
        };
        for (const bool withSelection : {false, true}) {
            paint.selected = withSelection ? std::span<const std::uint8_t>(selected) : std::span<const std::uint8_t>();
            paintObjects(paint, out);
            const auto isSelected = [&](std::uint32_t label) {
                return withSelection && list.lists(label) && selected[label - 1] != 0;
            };
            for (int y = 0; y < 44; ++y) {
                for (int x = 0; x < 50; ++x) {
                    const std::uint32_t label = labelAt(x, y);
                    std::uint32_t expected =
                        list.lists(label) ? (isSelected(label) ? strong : colours)[numberOf(label) % 5] : 0;
                    const int reach = isSelected(label) ? 2 : 1;
                    for (const auto& [dx, dy] : {std::pair{-1, 0}, {1, 0}, {0, -1}, {0, 1}}) {
                        const std::uint32_t neighbour = labelAt(x + dx * reach, y + dy * reach);
                        if (neighbour != label && isSelected(label)) {
                            expected = 900;
                        } else if (neighbour != label && isSelected(neighbour)) {
                            expected = 800;
                        }
                    }
                    ASSERT_EQ(out[static_cast<std::size_t>(y * 50 + x)], expected) << x << ", " << y;
                }
            }
        }
    }
}

} // namespace
} // namespace pollard::testing
