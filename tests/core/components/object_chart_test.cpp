// Charts of objects against naive counts.

#include "components/components.hpp"
#include "components/objects/object_chart.hpp"
#include "components/objects/object_files.hpp"
#include "components/shape/object_edges.hpp"
#include "components/threshold.hpp"
#include "support/random_images.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace pollard::testing {
namespace {

Components noiseObjects(std::uint32_t side, std::uint32_t seed) {
    Random random(seed);
    const auto grey = makeImage(PixelType::u8, side, side, [&](auto, auto) { return random() % 256; });
    return labelComponents(thresholdMask(*grey, 160, 255, nullptr), grey.get(), {});
}

TEST(ObjectChart, HistogramCountsEveryObjectInItsBar) {
    const Components found = noiseObjects(120, 101);
    const auto labels = allLabels(found);
    const ObjectEdges edges = measureEdges(found, EdgeMeasure::thickness);
    for (const ObjectFeatureInfo& info : objectFeatures()) {
        for (const bool logarithmic : {false, true}) {
            const ObjectChart chart =
                chartObjects(MeasuredObjects(found, &edges, {LengthUnit::micrometre, {0.5, 0.5, 0.5}}), labels,
                             {info.feature, std::nullopt, logarithmic});
            ASSERT_EQ(chart.bars.size(), ObjectChart::kBars);
            EXPECT_EQ(chart.objects, labels.size());
            EXPECT_EQ(std::accumulate(chart.bars.begin(), chart.bars.end(), 0U), labels.size());
            EXPECT_EQ(chart.largest, std::ranges::max(chart.bars));
            EXPECT_TRUE(logarithmic || !chart.x.logarithmic);
            std::vector<std::uint32_t> expected(ObjectChart::kBars, 0);
            for (const std::uint32_t label : labels) {
                const double value =
                    MeasuredObject(found.objects[label - 1], label, 0.5, edges.of(label)).valueOf(info.feature);
                EXPECT_GE(value, chart.x.low);
                EXPECT_LE(value, chart.x.high);
                const double place = chart.x.placeOf(value);
                EXPECT_NEAR(chart.x.valueAt(place), value, 1e-9 * (1 + std::abs(value)));
                ++expected[std::min<std::size_t>(static_cast<std::size_t>(place * 64), 63)];
            }
            EXPECT_EQ(chart.bars, expected) << info.id;
        }
    }
}

TEST(ObjectChart, FewObjectsArePointsAndManyAreCounted) {
    const ObjectChartSpec spec{ObjectFeature::area, ObjectFeature::greyMean, true};
    for (const std::uint32_t side : {60U, 250U}) {
        const Components found = noiseObjects(side, 102);
        const auto labels = allLabels(found);
        const ObjectChart chart = chartObjects(MeasuredObjects(found), labels, spec);
        EXPECT_EQ(chart.objects, labels.size());
        EXPECT_TRUE(chart.bars.empty());
        if (labels.size() <= ObjectChart::kMostPoints) {
            ASSERT_EQ(chart.points.size(), labels.size());
            EXPECT_TRUE(chart.cells.empty());
            for (const ChartPoint& point : chart.points) {
                const ComponentRecord& object = found.objects[point.label - 1];
                EXPECT_NEAR(chart.x.valueAt(point.x), static_cast<double>(object.area), 1e-4 * chart.x.high);
                EXPECT_NEAR(chart.y.valueAt(point.y), object.greyMean(), 1e-4 * chart.y.high);
            }
        } else {
            EXPECT_TRUE(chart.points.empty());
            EXPECT_EQ(std::accumulate(chart.cells.begin(), chart.cells.end(), 0U), labels.size());
            std::vector<std::uint32_t> expected(ObjectChart::kGrid * ObjectChart::kGrid, 0);
            const auto cell = [](double place) {
                return std::min(static_cast<std::size_t>(place * ObjectChart::kGrid), ObjectChart::kGrid - 1);
            };
            for (const ComponentRecord& object : found.objects) {
                ++expected[cell(chart.y.placeOf(object.greyMean())) * ObjectChart::kGrid +
                           cell(chart.x.placeOf(static_cast<double>(object.area)))];
            }
            EXPECT_EQ(chart.cells, expected);
            EXPECT_EQ(chart.largest, std::ranges::max(expected));
        }
        EXPECT_EQ(labels.size() > ObjectChart::kMostPoints, side == 250);
    }
}

TEST(ObjectChart, TellsWhichObjectsLieInAPart) {
    const Components found = noiseObjects(100, 103);
    auto labels = allLabels(found);
    std::ranges::reverse(labels);
    const ObjectChartSpec both{ObjectFeature::area, ObjectFeature::greyMax, false};
    const ChartAxis x{8, 40, false};
    const ChartAxis y{200, 250, false};
    std::vector<std::uint32_t> expected;
    std::vector<std::uint32_t> expectedOfOne;
    for (std::uint32_t label = 1; label <= found.count; ++label) {
        const ComponentRecord& object = found.objects[label - 1];
        if (object.area >= 2 && object.area <= 10) {
            expectedOfOne.push_back(label);
            if (object.greyMax >= 200 && object.greyMax <= 250) {
                expected.push_back(label);
            }
        }
    }
    ASSERT_FALSE(expected.empty());
    EXPECT_EQ(objectsWithin(MeasuredObjects(found, nullptr, {LengthUnit::micrometre, {2, 2, 2}}), labels, both, x, y),
              expected);
    EXPECT_EQ(objectsWithin(MeasuredObjects(found, nullptr, {LengthUnit::micrometre, {2, 2, 2}}), labels,
                            {ObjectFeature::area, std::nullopt, false}, x, y),
              expectedOfOne);
}

TEST(ObjectChart, OfEdgesHasOnlyWhatIsMeasured) {
    const Components found = noiseObjects(40, 104);
    const auto labels = allLabels(found);
    const ObjectChartSpec spec{ObjectFeature::area, ObjectFeature::border, false};
    EXPECT_EQ(chartObjects(MeasuredObjects(found), labels, spec).objects, 0U);
    const ObjectEdges edges = measureEdges(found, EdgeMeasure::border);
    EXPECT_EQ(chartObjects(MeasuredObjects(found, &edges), labels, spec).objects, labels.size());
    std::vector<std::uint32_t> expected;
    for (const std::uint32_t label : labels) {
        if (edges.of(label).edge->border >= 1) {
            expected.push_back(label);
        }
    }
    EXPECT_EQ(objectsWithin(MeasuredObjects(found, &edges), labels, {ObjectFeature::border, std::nullopt, false},
                            {1, 1000, false}, {}),
              expected);
    EXPECT_FALSE(expected.empty());
}

TEST(ObjectChart, OfEqualValuesHasAnAxisToo) {
    const Components found = labelComponents(Mask(6, 4, true), nullptr, {});
    const ObjectChart chart =
        chartObjects(MeasuredObjects(found), allLabels(found), {ObjectFeature::area, ObjectFeature::greyMean, true});
    EXPECT_LT(chart.x.low, 24);
    EXPECT_GT(chart.x.high, 24);
    EXPECT_LT(chart.y.low, 0);
    EXPECT_FALSE(chart.y.logarithmic) << "0 has no logarithm";
    EXPECT_EQ(chart.points.size(), 1U);
    EXPECT_EQ(chartObjects(MeasuredObjects(found), {}, {}).objects, 0U);
}

} // namespace
} // namespace pollard::testing
