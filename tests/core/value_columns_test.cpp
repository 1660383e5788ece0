// Attributes of images whose levels are ranks, or whose values have an offset, against the values of the pixels.

#include "analysis/bins.hpp"
#include "analysis/spectrum.hpp"
#include "attributes/grey_values.hpp"
#include "base/error.hpp"
#include "cpu/cpu_engine.hpp"
#include "filter/filter_spec.hpp"
#include "filter/filter_units.hpp"
#include "image/grey_weights.hpp"
#include "support/naive_tree.hpp"
#include "support/random_images.hpp"
#include "support/random_volumes.hpp"
#include "support/ranked_values.hpp"
#include "tree/stability.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pollard::testing {
namespace {

using ::testing::HasSubstr;

constexpr std::array kInValues{AttributeId::level,     AttributeId::contrast,         AttributeId::height,
                               AttributeId::dynamics,  AttributeId::volume,           AttributeId::sum,
                               AttributeId::mean,      AttributeId::variance,         AttributeId::entropy,
                               AttributeId::stability, AttributeId::extinctionVolume, AttributeId::borderContrast,
                               AttributeId::outerMean};

std::unique_ptr<Session> sessionOn(const std::shared_ptr<const Image>& image, TreeKind kind,
                                   const std::optional<ValueMapping>& mapping) {
    auto session = makeCpuEngine()->openSession();
    session->open(image, nullptr, mapping);
    TreeSpec spec;
    spec.kind = kind;
    spec.connectivity = image->extent().isVolume() ? Connectivity::six : Connectivity::four;
    session->buildTree(spec);
    return session;
}

/// Images and volumes with levels below @p count.
std::vector<std::shared_ptr<const Image>> someImages(Random& random, std::uint32_t count) {
    std::vector<std::shared_ptr<const Image>> images;
    for (int i = 0; i < 6; ++i) {
        const std::uint32_t used = 1 + random() % count;
        const auto level = [&](auto...) { return std::min(random() % used, random() % count); };
        images.push_back(makeImage(PixelType::u16, 1 + random() % 25, 1 + random() % 25, level));
        images.push_back(makeVolume(PixelType::u16, {1 + random() % 7, 1 + random() % 7, 2 + random() % 4}, level));
    }
    return images;
}

/// The values of a node's pixels.
std::vector<long double> valuesIn(const ComponentTree& tree, std::uint32_t node, const ValueMapping& mapping) {
    std::vector<long double> values;
    for (const std::uint32_t own : tree.pixelNode) {
        if (tree.contains(node, own)) {
            values.push_back(mapping.valueOf(tree.level[own]));
        }
    }
    return values;
}

/// Attributes that follow from the values of a node's pixels, and of the node and its parent.
std::map<AttributeId, long double> naiveValues(const ComponentTree& tree, std::uint32_t node,
                                               const ValueMapping& mapping) {
    const std::vector<long double> values = valuesIn(tree, node, mapping);
    const auto area = static_cast<long double>(values.size());
    const long double own = mapping.valueOf(tree.level[node]);
    const long double parent = mapping.valueOf(tree.level[tree.parent[node]]);
    long double sum = 0;
    long double volume = 0;
    long double height = 0;
    for (const long double value : values) {
        sum += value;
        volume += std::abs(value - parent);
        height = std::max(height, std::abs(value - parent));
    }
    long double squares = 0;
    for (const long double value : values) {
        squares += (value - sum / area) * (value - sum / area);
    }
    std::vector<std::uint32_t> support;
    for (std::uint32_t pixel = 0; pixel < tree.pixelCount(); ++pixel) {
        if (tree.contains(node, tree.pixelNode[pixel])) {
            support.push_back(pixel);
        }
    }
    const auto border = [&](bool ofSteps) {
        return naiveBorderMean(support, tree.extent(), tree.sides, ofSteps, [&](std::uint32_t pixel) {
            return static_cast<long double>(mapping.valueOf(tree.level[tree.pixelNode[pixel]]));
        });
    };
    return {{AttributeId::borderContrast, border(true)},
            {AttributeId::outerMean, border(false)},
            {AttributeId::level, own},
            {AttributeId::contrast, std::abs(own - parent)},
            {AttributeId::height, height},
            {AttributeId::volume, volume},
            {AttributeId::sum, sum},
            {AttributeId::mean, sum / area},
            {AttributeId::variance, squares / area}};
}

/// @param tolerance share of the range of the values; 0: exact
void expectNaive(const std::shared_ptr<const Image>& image, const ValueMapping& mapping, double tolerance) {
    for (const TreeKind kind : {TreeKind::max, TreeKind::min}) {
        const auto session = sessionOn(image, kind, mapping);
        const auto tree = session->tree();
        const double range = mapping.maximum - mapping.minimum;
        for (std::uint32_t node = 0; node < tree->nodeCount(); ++node) {
            const double area = session->attribute(AttributeId::area)->at(node);
            for (const auto& [id, expected] : naiveValues(*tree, node, mapping)) {
                if (std::isnan(expected)) {
                    ASSERT_TRUE(std::isnan(session->attribute(id)->at(node))) << attributeInfo(id).name;
                    continue;
                }
                const bool ofPixels = id == AttributeId::sum || id == AttributeId::volume;
                const double scale = id == AttributeId::variance ? range * range : ofPixels ? range * area : range;
                const double most = tolerance * scale;
                const double rounding = 4e-16 * static_cast<double>(std::abs(expected));
                ASSERT_NEAR(session->attribute(id)->at(node), static_cast<double>(expected), most + rounding)
                    << attributeInfo(id).name << " of node " << node;
            }
        }
    }
}

TEST(ValueColumns, AreThoseOfThePixelsForFloats) {
    Random random(7);
    for (const auto& image : someImages(random, 40)) {
        constexpr double kMost = 1e-12;
        expectNaive(image, rankedMapping(ValueType::f32, unevenFloats(random, 40)), kMost);
        std::vector<double> wide;
        for (int i = 0; i < 40; ++i) {
            wide.push_back(std::ldexp(1.5, i - 20)); // the smallest distances are 2^-42 of the range
        }
        expectNaive(image, rankedMapping(ValueType::f64, wide), kMost);
    }
}

TEST(ValueColumns, AreExactForWholeNumbers) {
    Random random(8);
    for (const auto& image : someImages(random, 30)) {
        std::vector<std::uint32_t> labels;
        std::vector<std::int64_t> large;
        std::vector<std::int16_t> scaled;
        for (std::uint32_t i = 0; i < 30; ++i) {
            labels.push_back((i == 0 ? 5 : labels.back()) + 1 + random() % 100'000'000);
            large.push_back((i == 0 ? -(std::int64_t{1} << 50) : large.back()) + 1 + (std::int64_t{random()} << 14));
            scaled.push_back(static_cast<std::int16_t>((i == 0 ? -1024 : scaled.back()) + 1 + random() % 900));
        }
        expectNaive(image, rankedMapping(ValueType::u32, labels), 0);
        expectNaive(image, rankedMapping(ValueType::i64, large), 0);
        std::ranges::reverse(scaled);
        expectNaive(image, rankedMapping(ValueType::i16, scaled, -0.25, 10), 0);
    }
}

TEST(ValueColumns, OfTwoNeighboursBetweenHalvesOfWeightsHaveTheirVariance) {
    const auto image = makeImage(PixelType::u16, 3, 1, [](auto x, auto) { return x; });
    const auto mapping = rankedMapping(ValueType::u32, std::vector<std::uint32_t>{0, (1U << 31) - 1, 1U << 31});
    const auto session = sessionOn(image, TreeKind::max, mapping);
    EXPECT_EQ(session->attribute(AttributeId::variance)->at(1), 0.25);
    EXPECT_EQ(session->attribute(AttributeId::mean)->at(1), 2147483647.5);
}

/// Whole numbers below 65,536 as ranks, and as levels.
TEST(ValueColumns, OfRanksEqualThoseOfLevelsThatAreTheValues) {
    Random random(9);
    for (const auto& ranked : someImages(random, 300)) {
        std::vector<float> floats;
        std::vector<std::uint32_t> numbers;
        for (int i = 0; i < 300; ++i) {
            numbers.push_back((i == 0 ? 0 : numbers.back()) + 1 + random() % 200);
            floats.push_back(static_cast<float>(numbers.back()));
        }
        auto direct = std::make_shared<Image>(PixelType::u16, ranked->extent());
        for (std::size_t i = 0; i < direct->pixelCount(); ++i) {
            direct->pixels<std::uint16_t>()[i] = static_cast<std::uint16_t>(numbers[ranked->level(i)]);
        }
        for (const TreeKind kind : {TreeKind::max, TreeKind::min}) {
            const auto expected = sessionOn(direct, kind, std::nullopt);
            for (const ValueMapping& mapping :
                 {rankedMapping(ValueType::f32, floats), rankedMapping(ValueType::u32, numbers)}) {
                const auto session = sessionOn(ranked, kind, mapping);
                ASSERT_EQ(session->tree()->nodeCount(), expected->tree()->nodeCount());
                for (const AttributeId id : kInValues) {
                    if (id == AttributeId::stability) { // its delta is of the type's range there
                        continue;
                    }
                    const auto column = session->attribute(id);
                    for (std::size_t node = 0; node < column->size(); ++node) {
                        const double right = expected->attribute(id)->at(node);
                        ASSERT_TRUE(column->at(node) == right || (std::isnan(column->at(node)) && std::isnan(right)))
                            << attributeInfo(id).name << ": " << column->at(node) << " instead of " << right;
                    }
                    ASSERT_EQ(column->minimum, expected->attribute(id)->minimum) << attributeInfo(id).name;
                    ASSERT_EQ(column->maximum, expected->attribute(id)->maximum) << attributeInfo(id).name;
                }
            }
        }
    }
}

TEST(ValueResults, OfRanksAreThoseOfTheValues) {
    Random random(21);
    for (const auto& ranked : someImages(random, 200)) {
        std::vector<float> floats;
        std::vector<std::uint32_t> numbers;
        for (int i = 0; i < 200; ++i) {
            numbers.push_back((i == 0 ? 7 : numbers.back()) + 1 + random() % 300);
            floats.push_back(static_cast<float>(numbers.back()));
        }
        auto direct = std::make_shared<Image>(PixelType::u16, ranked->extent());
        for (std::size_t i = 0; i < direct->pixelCount(); ++i) {
            direct->pixels<std::uint16_t>()[i] = static_cast<std::uint16_t>(numbers[ranked->level(i)]);
        }
        const Extent extent = ranked->extent();
        auto inside = std::make_shared<Mask>(extent.width, static_cast<std::uint32_t>(extent.rows()), true);
        for (std::uint32_t y = 0; y < extent.rows(); y += 3) {
            inside->setRun(0, 1 + extent.width / 3, y, false);
        }
        TreeSpec tree;
        tree.connectivity = extent.isVolume() ? Connectivity::six : Connectivity::four;
        for (const TreeKind kind : {TreeKind::max, TreeKind::min}) {
            for (const auto& mask : {std::shared_ptr<const Mask>(), std::shared_ptr<const Mask>(inside)}) {
                tree.kind = kind;
                const auto open = [&](const std::shared_ptr<const Image>& image, std::optional<ValueMapping> mapping) {
                    auto session = makeCpuEngine()->openSession();
                    session->open(image, mask, std::move(mapping));
                    session->buildTree(tree);
                    return session;
                };
                const auto expected = open(direct, std::nullopt);
                for (const ValueMapping& mapping :
                     {rankedMapping(ValueType::f32, floats), rankedMapping(ValueType::u32, numbers)}) {
                    const auto session = open(ranked, mapping);
                    for (const Rule rule : {Rule::direct, Rule::max, Rule::subtractive}) {
                        for (const Output output : {Output::filtered, Output::residue}) {
                            FilterSpec spec;
                            spec.criteria = {parseCriterion("2<=area<=5")};
                            spec.rule = rule;
                            spec.output = output;
                            if (!needsProportional(spec)) {
                                continue;
                            }
                            Image right(PixelType::u16, extent);
                            const FilterReport report = expected->filter(spec, right);
                            const ValueResult result = session->filterRanks(spec);
                            EXPECT_EQ(result.report.changedPixels, report.changedPixels);
                            EXPECT_EQ(result.report.keptNodes, report.keptNodes);
                            for (std::size_t i = 0; i < right.pixelCount(); ++i) {
                                const std::uint16_t level = result.image->level(i);
                                ASSERT_EQ(result.mapping.valueOf(level), right.level(i));
                                ASSERT_EQ(numberOfSample(mapping.file.type, result.mapping.sampleOf(level)),
                                          right.level(i));
                            }
                        }
                    }
                }
            }
        }
    }
}

TEST(ValueSpectra, OfRanksHaveTheMassesOfTheValues) {
    Random random(23);
    for (const auto& ranked : someImages(random, 100)) {
        std::vector<float> floats;
        std::vector<std::uint32_t> numbers;
        std::vector<double> halves;
        for (int i = 0; i < 100; ++i) {
            numbers.push_back((i == 0 ? 7 : numbers.back()) + 1 + random() % 600);
            floats.push_back(static_cast<float>(numbers.back()));
            halves.push_back(numbers.back() / 2.0 - 30);
        }
        auto direct = std::make_shared<Image>(PixelType::u16, ranked->extent());
        for (std::size_t i = 0; i < direct->pixelCount(); ++i) {
            direct->pixels<std::uint16_t>()[i] = static_cast<std::uint16_t>(numbers[ranked->level(i)]);
        }
        const BinSpec spec{4, BinScale::linear, 1, 30};
        const BinSpec twoBins{2, BinScale::linear, {}, {}};
        for (const TreeKind kind : {TreeKind::max, TreeKind::min}) {
            const auto expected = sessionOn(direct, kind, std::nullopt);
            const PatternSpectrum right = expected->spectrum(AttributeId::area, spec);
            const PatternSpectrum2d both =
                expected->spectrum2d(AttributeId::area, spec, AttributeId::children, twoBins);
            EXPECT_EQ(right.massUnit, 1);
            for (const auto& [mapping, step] : {std::pair(rankedMapping(ValueType::f32, floats), 1.0),
                                                std::pair(rankedMapping(ValueType::u32, numbers), 1.0),
                                                std::pair(rankedMapping(ValueType::f64, halves), 0.5)}) {
                const auto session = sessionOn(ranked, kind, mapping);
                const PatternSpectrum made = session->spectrum(AttributeId::area, spec);
                const auto isMass = [&, factor = step](double unit, std::uint64_t mass, std::uint64_t wanted) {
                    const double value = factor * static_cast<double>(wanted);
                    EXPECT_NEAR(unit * static_cast<double>(mass), value, 1e-12 * value);
                };
                ASSERT_EQ(made.shares.size(), right.shares.size());
                isMass(made.massUnit, made.total, right.total);
                isMass(made.massUnit, made.above.mass, right.above.mass);
                for (std::size_t bin = 0; bin < right.shares.size(); ++bin) {
                    isMass(made.massUnit, made.shares[bin].mass, right.shares[bin].mass);
                    EXPECT_EQ(made.shares[bin].nodes, right.shares[bin].nodes);
                }
                const PatternSpectrum2d plane =
                    session->spectrum2d(AttributeId::area, spec, AttributeId::children, twoBins);
                ASSERT_EQ(plane.shares.size(), both.shares.size());
                for (std::size_t bin = 0; bin < both.shares.size(); ++bin) {
                    isMass(plane.massUnit, plane.shares[bin].mass, both.shares[bin].mass);
                }
            }
        }
    }
}

TEST(ValueResults, OfSignedAndLargeSamplesAreExact) {
    // The peak is removed: its residue does not fit the type of the samples.
    const auto image = makeImage(PixelType::u16, 3, 1, [](auto x, auto) { return x == 1 ? 2 : 0; });
    FilterSpec spec;
    spec.criteria = {parseCriterion("area>=2")};
    spec.output = Output::residue;
    const auto residueOf = [&](const ValueMapping& mapping) {
        return sessionOn(image, TreeKind::max, mapping)->filterRanks(spec);
    };
    const ValueResult wide = residueOf(rankedMapping(ValueType::i32, std::vector{-2'000'000'000, 5, 2'000'000'000}));
    EXPECT_EQ(wide.mapping.file.type, ValueType::i64);
    EXPECT_EQ(wide.mapping.sampleOf(wide.image->level(1)), 4'000'000'000U);
    EXPECT_EQ(wide.mapping.sampleOf(wide.image->level(0)), 0U);
    constexpr std::uint64_t kFar = (std::uint64_t{1} << 61) + 1; // beyond the whole numbers of doubles
    const ValueResult far = residueOf(rankedMapping(ValueType::u64, std::vector<std::uint64_t>{10, 11, 10 + kFar}));
    EXPECT_EQ(far.mapping.file.type, ValueType::u64);
    EXPECT_EQ(far.mapping.sampleOf(far.image->level(1)), kFar);
    const ValueResult scaled = residueOf(rankedMapping(ValueType::i16, std::vector<std::int16_t>{-5, 3, 100}, 0.5, 40));
    EXPECT_EQ(scaled.mapping.file.intercept, 0);
    EXPECT_EQ(scaled.mapping.sampleOf(scaled.image->level(1)), 105U);
    EXPECT_DOUBLE_EQ(scaled.mapping.valueOf(scaled.image->level(1)), 52.5);
    const ValueResult real = residueOf(rankedMapping(ValueType::f32, std::vector{0.1F, 0.2F, 0.7F}));
    EXPECT_EQ(numberOfSample(ValueType::f32, real.mapping.sampleOf(real.image->level(1))), 0.7F - 0.1F);
}

TEST(ValueResults, OfFloatsAreRoundedOnce) {
    Random random(24);
    for (int i = 0; i < 2000; ++i) {
        // Differences halfway between two floats are frequent where the numbers have other exponents.
        const float low = std::ldexp(static_cast<float>(random() % 0x1000000), -30);
        const float high = low + std::ldexp(static_cast<float>(1 + random() % 0x1000000), -24);
        const auto image = makeImage(PixelType::u16, 3, 1, [](auto x, auto) { return x == 1 ? 2 : 0; });
        FilterSpec spec;
        spec.criteria = {parseCriterion("area>=2")};
        spec.output = Output::residue;
        const auto mapping = rankedMapping(ValueType::f32, std::vector{low, (low + high) / 2, high});
        const ValueResult made = sessionOn(image, TreeKind::max, mapping)->filterRanks(spec);
        ASSERT_EQ(numberOfSample(ValueType::f32, made.mapping.sampleOf(made.image->level(1))), high - low);
    }
}

TEST(ValueResults, OfMoreValuesThanLevelsAreARange) {
    // A peak on a floor for each pair of 400 values: 79,800 different residues.
    Random random(22);
    std::vector<double> values{0};
    std::vector<std::pair<std::uint16_t, std::uint16_t>> pairs;
    for (std::uint16_t high = 1; high < 400; ++high) {
        values.push_back(values.back() + 1 + static_cast<double>(random()) * 0x1p-32);
    }
    for (std::uint16_t low = 0; low < 400; ++low) {
        for (std::uint16_t high = low + 1; high < 400; ++high) {
            pairs.emplace_back(low, high);
        }
    }
    const auto image = makeImage(PixelType::u16, static_cast<std::uint32_t>(3 * pairs.size()), 1, [&](auto x, auto) {
        const auto& [low, high] = pairs[x / 3];
        return x % 3 == 1 ? high : low;
    });
    FilterSpec spec;
    spec.criteria = {parseCriterion("area>=2")};
    spec.output = Output::residue;
    const auto session = sessionOn(image, TreeKind::max, rankedMapping(ValueType::f64, values));
    const ValueResult result = session->filterRanks(spec);
    ASSERT_TRUE(result.mapping.isProportional());
    EXPECT_FALSE(result.mapping.exact);
    EXPECT_DOUBLE_EQ(result.mapping.maximum, values.back());
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        const double expected = values[pairs[i].second] - values[pairs[i].first];
        ASSERT_NEAR(result.mapping.valueOf(result.image->level(3 * i + 1)), expected, result.mapping.step * 0.50001);
        ASSERT_EQ(result.mapping.valueOf(result.image->level(3 * i)), 0);
    }
}

TEST(ValueColumns, OfStabilityTakeTheRangeOfTheValues) {
    // A chain of 1 .. 6 pixels; 5/255 of the range 0 .. 255 are 5.
    const auto image = makeImage(PixelType::u16, 6, 1, [](auto x, auto) { return x; });
    const auto mapping = rankedMapping(ValueType::f64, std::vector<double>{-0.5, 4.5, 9.6, 10.5, 14.5, 254.5});
    const auto session = sessionOn(image, TreeKind::max, mapping);
    const auto column = session->attribute(AttributeId::stability);
    EXPECT_TRUE(std::isnan(column->at(0)));
    EXPECT_EQ(column->at(1), 1.0 / 5) << "the root is 5 away";
    EXPECT_TRUE(std::isnan(column->at(2))) << "5.1 away";
    EXPECT_EQ(column->at(3), 1.0 / 3);
    EXPECT_EQ(column->at(4), 2.0 / 2) << "two levels lie within 5";
    EXPECT_TRUE(std::isnan(column->at(5)));
}

TEST(ValueColumns, OfStabilityTakeTheRangeOfSignedAndWiderNumbers) {
    // Levels from 100 to 355: 5/255 of the range are 5, of other distances than 1285.
    const auto image = makeImage(PixelType::u16, 6, 1, [](auto x, auto) {
        constexpr int kChain[] = {100, 105, 111, 112, 116, 355};
        return kChain[x];
    });
    ValueMapping mapping;
    mapping.offset = -32768;
    mapping.minimum = -32668;
    mapping.maximum = -32413;
    mapping.file.type = ValueType::i16;
    EXPECT_EQ(stabilityDelta(PixelType::u16, mapping), 5);
    const auto column = sessionOn(image, TreeKind::max, mapping)->attribute(AttributeId::stability);
    EXPECT_TRUE(std::isnan(column->at(0)));
    EXPECT_EQ(column->at(1), 1.0 / 5) << "the root is 5 away";
    EXPECT_TRUE(std::isnan(column->at(2))) << "6 away";
    EXPECT_EQ(column->at(3), 1.0 / 3);
    EXPECT_EQ(column->at(4), 2.0 / 2) << "two levels lie within 5";
    EXPECT_TRUE(std::isnan(column->at(5)));

    mapping.file.type = ValueType::u16; // with a slope
    EXPECT_EQ(stabilityDelta(PixelType::u16, mapping), 1285);
    EXPECT_EQ(stabilityDelta(PixelType::u16, std::nullopt), 1285);
    EXPECT_EQ(stabilityDelta(PixelType::u8, std::nullopt), 5);
    mapping.file.type = ValueType::f32; // a range of levels, with values beyond
    mapping.maximum = 1e9;
    EXPECT_EQ(stabilityDelta(PixelType::u16, mapping), std::lround(5.0 / 255 * (65535 - 100)));
    mapping.maximum = mapping.minimum;
    EXPECT_EQ(stabilityDelta(PixelType::u16, mapping), 1) << "a constant image";
}

TEST(ValueColumns, OfSumsCountTheOffset) {
    Random random(10);
    for (const auto& image : someImages(random, 50)) {
        ValueMapping mapping;
        mapping.offset = -1024;
        mapping.minimum = -1024;
        mapping.maximum = -974;
        mapping.step = 1;
        const auto session = sessionOn(image, TreeKind::max, mapping);
        const auto sums = session->attribute(AttributeId::sum);
        const auto plain = sessionOn(image, TreeKind::max, std::nullopt);
        for (std::uint32_t node = 0; node < sums->size(); ++node) {
            const auto values = naiveValues(*session->tree(), node, mapping);
            ASSERT_EQ(sums->at(node), static_cast<double>(values.at(AttributeId::sum)));
            ASSERT_EQ(session->attribute(AttributeId::mean)->at(node), plain->attribute(AttributeId::mean)->at(node))
                << "other columns are in levels";
        }
    }
}

TEST(ValueColumns, FilterByValuesOfRanks) {
    // 0.3 as a 32-bit float is above the number that a person types
    const auto mapping = rankedMapping(ValueType::f32, std::vector<float>{0.1F, 0.2F, 0.3F, 7.5F});
    const auto image =
        makeImage(PixelType::u16, 8, 1, [](auto x, auto) { return std::array{0, 1, 0, 2, 0, 3, 0, 0}[x]; });
    const auto session = sessionOn(image, TreeKind::max, mapping);
    const auto kept = [&](const char* criterion) {
        FilterSpec spec;
        spec.criteria = {parseCriterion(criterion)};
        Image out(PixelType::u16, image->extent());
        const FilterReport report = session->filter(inPixels(spec, ImageUnits{{}, mapping}), out);
        return report.keptNodes;
    };
    EXPECT_EQ(kept("level>=0.3"), 3U) << "the root, 0.3 and 7.5";
    EXPECT_EQ(kept("level<=0.3"), 3U) << "the root, 0.2 and 0.3";
    EXPECT_EQ(kept("level>0.3"), 2U);
    EXPECT_EQ(kept("mean<=0.3"), 3U) << "the root is kept, its mean is 1.05";
    EXPECT_EQ(kept("height>=0.2"), 3U) << "0.3 - 0.1 reads as 0.2";
    EXPECT_EQ(kept("contrast>=7.4"), 2U);
}

TEST(ValueColumns, DistancesOfRanksAreRefused) {
    const auto image = makeImage(PixelType::u16, 3, 1, [](auto x, auto) { return x; });
    const auto session =
        sessionOn(image, TreeKind::max, rankedMapping(ValueType::f32, std::vector<float>{0.5F, 1.5F, 9}));
    Image out(PixelType::u16, image->extent());
    const auto problem = [&](const auto& work) {
        try {
            work();
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::invalidArgument);
            return std::string(error.what());
        }
        return std::string();
    };
    FilterSpec spec;
    spec.output = Output::residue;
    const std::string why = ": the levels of this image are ranks of its values: --range minmax maps";
    EXPECT_THAT(problem([&] { session->filter(spec, out); }), HasSubstr("output residue" + why));
    spec.output = Output::filtered;
    spec.rule = Rule::subtractive;
    EXPECT_THAT(problem([&] { session->filter(spec, out); }), HasSubstr("rule subtractive" + why));
    spec.output = Output::mask;
    EXPECT_EQ(problem([&] { session->filter(spec, out); }), "");
}

TEST(ValueColumns, CriteriaInAUnitOfValuesAreRefusedByEngines) {
    const auto image = makeImage(PixelType::u16, 3, 1, [](auto x, auto) { return x; });
    const auto session = sessionOn(image, TreeKind::max, std::nullopt);
    FilterSpec spec;
    spec.criteria = {{AttributeId::level, 1}};
    spec.criteria[0].grey = "HU";
    Image out(PixelType::u16, image->extent());
    EXPECT_THROW(session->filter(spec, out), Error);
}

} // namespace
} // namespace pollard::testing
