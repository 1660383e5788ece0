// Regions as objects: each way equals the function it stands for, and regions that touch are measured as components
// are.

#include "analysis/relief.hpp"
#include "analysis/seeds.hpp"
#include "analysis/watershed.hpp"
#include "base/error.hpp"
#include "components/components.hpp"
#include "components/labelled_components.hpp"
#include "components/objects/object_rule.hpp"
#include "components/objects/region_rules.hpp"
#include "components/threshold.hpp"
#include "cpu/cpu_engine.hpp"
#include "engine/best_objects.hpp"
#include "engine/engine.hpp"
#include "engine/find_objects.hpp"
#include "engine/find_seeds.hpp"
#include "hierarchy/make_hierarchy.hpp"
#include "hierarchy/partition.hpp"
#include "support/random_images.hpp"
#include "support/random_volumes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
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

using Labels = std::vector<std::uint32_t>;

Engine& cpu() {
    static const std::unique_ptr<Engine> engine = makeCpuEngine();
    return *engine;
}

Labels listOf(const Buffer<std::uint32_t>& labels) { return {labels.begin(), labels.end()}; }

/// Labels in the order of their first pixels; labels of other sizes than least .. most become 0.
Labels ordered(const Labels& labels, std::size_t least = 0,
               std::size_t most = std::numeric_limits<std::size_t>::max()) {
    std::map<std::uint32_t, std::size_t> pixels;
    for (const std::uint32_t label : labels) {
        ++pixels[label];
    }
    std::map<std::uint32_t, std::uint32_t> number{{0, 0}};
    std::uint32_t count = 0;
    Labels found;
    for (const std::uint32_t label : labels) {
        const bool counts = pixels[label] >= least && pixels[label] <= most;
        if (counts && !number.contains(label)) {
            number[label] = ++count;
        }
        found.push_back(counts ? number[label] : 0);
    }
    return found;
}

Components objectsOf(const ObjectRule& rule, const Image& image, const Mask* inside = nullptr) {
    const LevelRange levels = rule.levelsOf(image, inside, {});
    return findObjects(cpu(), rule, {image, inside, {}, {}, &image}, levels, {});
}

ObjectRule aboveLevel(std::uint16_t low, Connectivity connectivity) {
    ObjectRule rule;
    rule.levels = {low, 0xffff};
    rule.connectivity = connectivity;
    return rule;
}

/// The labels of one object, and their records: the object measured by itself.
void expectMeasured(const Components& found, const Image& image) {
    for (std::uint32_t label = 1; label <= found.count; ++label) {
        Mask mask(image.width(), static_cast<std::uint32_t>(image.extent().rows()), false);
        for (std::size_t i = 0; i < found.labels.size(); ++i) {
            if (found.labels[i] == label) {
                mask.set(static_cast<std::uint32_t>(i % image.width()), static_cast<std::uint32_t>(i / image.width()),
                         true);
            }
        }
        ComponentsSpec spec;
        spec.connectivity = found.connectivity;
        spec.slices = image.extent().slices;
        const Components alone = labelComponents(mask, &image, spec);
        ASSERT_EQ(alone.count, 1U) << "a region is connected";
        ASSERT_EQ(found.objects[label - 1], alone.objects[0]);
        ASSERT_EQ(found.depths.size(), found.isVolume() ? found.count : 0U);
        ASSERT_TRUE(!found.isVolume() || found.depths[label - 1] == alone.depths[0]) << label;
    }
}

constexpr std::array kPlanar{Connectivity::four, Connectivity::eight};
constexpr std::array kSpatial{Connectivity::six, Connectivity::eighteen, Connectivity::twentySix};

/// Calls @p work(image, connectivity) for random images and volumes.
template <class Work> void forRandom(std::uint32_t seed, const Work& work) {
    Random random(seed);
    for (int round = 0; round < 120; ++round) {
        if (round % 2 == 0) {
            work(*randomImage(random, 1 + random() % 12, 1 + random() % 12), kPlanar[random() % kPlanar.size()],
                 random);
        } else {
            const Extent extent{1 + random() % 6, 1 + random() % 6, 2 + random() % 4};
            work(*randomVolume(random, extent), kSpatial[random() % kSpatial.size()], random);
        }
    }
}

TEST(RegionRules, TouchingRegionsAreMeasuredAsObjectsByThemselves) {
    forRandom(1, [](const Image& image, Connectivity connectivity, Random& random) {
        ObjectRule rule;
        rule.connectivity = connectivity;
        rule.hierarchy = HierarchyRule{Strength::altitude};
        rule.hierarchy->above = random() % 4;
        expectMeasured(objectsOf(rule, image), image);
    });
}

TEST(RegionRules, ComponentsMeasureAsTheirLabels) {
    forRandom(2, [](const Image& image, Connectivity connectivity, Random& random) {
        const std::uint16_t low = image.level(random() % image.pixelCount());
        const Components expected = objectsOf(aboveLevel(low, connectivity), image);
        LabelImage labels{Buffer<std::uint32_t>(image.pixelCount()), image.width(), image.height(), expected.count,
                          image.extent().slices};
        std::ranges::copy(expected.labels, labels.labels.begin());
        const Components found = measureLabels(std::move(labels), &image, connectivity);
        ASSERT_TRUE(std::ranges::equal(found.objects, expected.objects));
        ASSERT_TRUE(std::ranges::equal(found.depths, expected.depths));
        ASSERT_EQ(found.foreground, expected.foreground);
    });
}

TEST(RegionRules, AHierarchyEqualsItsCut) {
    forRandom(3, [](const Image& image, Connectivity connectivity, Random& random) {
        ObjectRule rule;
        rule.connectivity = connectivity;
        rule.hierarchy = HierarchyRule{kAllStrengths[random() % 4], kAllEdgeWeights[random() % 2]};
        const Hierarchy hierarchy = makeHierarchy(image, nullptr, rule.hierarchy->specFor(connectivity));
        if (random() % 2 == 0) {
            rule.hierarchy->regions = 1 + random() % 9;
        } else {
            rule.hierarchy->above = random() % 30;
        }
        if (random() % 2 == 0) {
            rule.hierarchy->sizes.least = 2;
            rule.hierarchy->sizes.most = 3 + random() % 30;
        }
        const std::uint64_t cut = rule.hierarchy->regions ? hierarchy.strengthFor(*rule.hierarchy->regions)
                                                          : static_cast<std::uint64_t>(rule.hierarchy->above);
        const SizeRange& sizes = rule.hierarchy->sizes;
        const Labels all = listOf(regions(hierarchy, cut).labels);
        const bool isLimited = sizes != SizeRange{};
        EXPECT_EQ(listOf(objectsOf(rule, image).labels),
                  isLimited ? ordered(all, static_cast<std::size_t>(sizes.least), static_cast<std::size_t>(sizes.most))
                            : all);
    });
}

TEST(RegionRules, AWatershedEqualsTheFloodOfItsSeeds) {
    forRandom(4, [](const Image& image, Connectivity connectivity, Random& random) {
        ObjectRule rule = aboveLevel(image.level(random() % image.pixelCount()), connectivity);
        rule.watershed = WatershedRule{};
        rule.watershed->by = kAllSeedMeasures[random() % kAllSeedMeasures.size()];
        rule.watershed->least = random() % 5;
        rule.watershed->everywhere = random() % 2 == 0;
        rule.watershed->relief = random() % 2 == 0 ? Relief::levels : Relief::gradient;
        rule.watershed->seedsOf = random() % 2 == 0 ? std::nullopt : std::optional(Relief::levels);
        rule.dark = random() % 2 == 0;
        const Mask mask = rule.maskOf(image, rule.levels, nullptr, {});
        const Mask* inside = rule.watershed->everywhere ? nullptr : &mask;
        const Image gradient = gradientOf(image, inside, connectivity);
        const bool floodsGradient = rule.watershed->relief == Relief::gradient;
        const bool hasPeaks = floodsGradient && !rule.watershed->seedsOf;
        const LabelImage seeds =
            seedsOf(cpu(), {hasPeaks ? gradient : image, inside, connectivity, !hasPeaks && !rule.dark},
                    {rule.watershed->by, static_cast<std::uint64_t>(rule.watershed->least)});
        const auto flood = [&](bool lines) {
            return watershed(floodsGradient ? gradient : image, seeds.labels.span(), inside,
                             {connectivity, !floodsGradient && !rule.dark, lines});
        };
        const Components found = objectsOf(rule, image);
        ASSERT_EQ(listOf(found.labels), ordered(listOf(flood(false))));
        expectMeasured(found, image);
        rule.watershed->lines = true;
        const Buffer<std::uint32_t> lined = flood(true);
        const Components apart = objectsOf(rule, image);
        for (std::size_t i = 0; i < lined.size(); ++i) {
            ASSERT_EQ(lined[i] == 0, apart.labels[i] == 0);
        }
        expectMeasured(apart, image);
    });
}

TEST(RegionRules, WhatAWatershedFloodsIsKeptFromOneBoundToTheNext) {
    Random random(8);
    const auto image = randomImage(random, 40, 30);
    ObjectChoices choices;
    for (int i = 0; i != 200; ++i) {
        ObjectRule rule = aboveLevel(static_cast<std::uint16_t>(20 + random() % 2), Connectivity::eight);
        rule.watershed = WatershedRule{};
        rule.watershed->by = random() % 4 == 0 ? SeedMeasure::area : SeedMeasure::dynamics;
        rule.watershed->relief = random() % 4 == 0 ? Relief::distance : Relief::levels;
        rule.watershed->least = random() % 30;
        const bool isDistance = rule.watershed->relief == Relief::distance;
        rule.watershed->everywhere = !isDistance && random() % 4 == 0;
        rule.dark = random() % 4 == 0;
        const LevelRange levels = rule.levelsOf(*image, nullptr, {});
        const Components found = findObjects(cpu(), rule, {*image, nullptr, {}, {}, nullptr}, levels, {}, {}, &choices);
        ASSERT_EQ(listOf(found.labels), listOf(objectsOf(rule, *image).labels));
        const auto again = choices.flood;
        rule.watershed->least = 3;
        (void)findObjects(cpu(), rule, {*image, nullptr, {}, {}, nullptr}, levels, {}, {}, &choices);
        EXPECT_EQ(choices.flood, again);
    }
}

TEST(RegionRules, AWatershedOfDistancesSplitsAtNecks) {
    const auto image = makeImage(PixelType::u8, 60, 30, [](auto x, auto y) {
        const auto within = [&](int cx) {
            const int dx = static_cast<int>(x) - cx;
            const int dy = static_cast<int>(y) - 15;
            return dx * dx + dy * dy <= 100;
        };
        return within(18) || within(34) ? 200 : 10;
    });
    ObjectRule rule = aboveLevel(100, Connectivity::eight);
    EXPECT_EQ(objectsOf(rule, *image).count, 1U);
    rule.watershed = WatershedRule{Relief::distance};
    rule.watershed->least = 1;
    const Components parts = objectsOf(rule, *image);
    EXPECT_EQ(parts.count, 2U);
    EXPECT_EQ(parts.algorithm, "watershed");
    EXPECT_EQ(parts.foreground, objectsOf(aboveLevel(100, Connectivity::eight), *image).foreground);
    rule.watershed->least = 9; // px, more than the rise above the neck
    EXPECT_EQ(objectsOf(rule, *image).count, 1U);
    rule.watershed->everywhere = true;
    EXPECT_THROW((void)objectsOf(rule, *image), Error);
}

TEST(RegionRules, BestComponentsAreThoseOfTheCandidates) {
    Random random(5);
    const auto image = makeImage(PixelType::u8, 50, 40, [&](auto x, auto y) {
        const auto bright = [&](int cx, int cy) {
            const int dx = static_cast<int>(x) - cx;
            const int dy = static_cast<int>(y) - cy;
            return dx * dx + dy * dy <= 49;
        };
        return (bright(12, 12) || bright(33, 25) ? 180 : 20) + random() % 6;
    });
    ObjectRule rule;
    rule.best = BestRule{};
    const auto candidates = findBestCandidates(cpu(), *image, nullptr, {}, Polarity::bright);
    const Components expected = bestObjects(*candidates, {}, {}, image.get());
    const Components found = objectsOf(rule, *image);
    EXPECT_EQ(found.count, 2U);
    EXPECT_EQ(listOf(found.labels), listOf(expected.labels));
    EXPECT_TRUE(std::ranges::equal(found.objects, expected.objects));
    EXPECT_EQ(found.expectedArea, candidates->estimatedSize());
    rule.best->marks = {{12, 12, false}};
    EXPECT_EQ(objectsOf(rule, *image).count, 1U);
    const auto volume = makeVolume(PixelType::u8, {4, 4, 4}, [](auto, auto, auto) { return 1U; });
    EXPECT_THROW((void)objectsOf(rule, *volume), Error) << "8 neighbours";
    rule.connectivity = Connectivity::twentySix;
    EXPECT_EQ(objectsOf(rule, *volume).count, 0U);
}

TEST(RegionRules, OneWayAtATime) {
    const auto settingOf = [](const auto& change) {
        ObjectRule rule = ObjectSettings{}.rule;
        EXPECT_FALSE(rule.conflict());
        change(rule);
        const auto conflict = rule.conflict();
        return conflict ? std::string(conflict->setting) : std::string();
    };
    EXPECT_EQ(settingOf([](ObjectRule& rule) { rule.best.emplace(); }), "");
    EXPECT_EQ(settingOf([](ObjectRule& rule) { rule.watershed.emplace(); }), "");
    EXPECT_EQ(settingOf([](ObjectRule& rule) { rule.hierarchy.emplace(); }), "");
    EXPECT_EQ(settingOf([](ObjectRule& rule) {
                  rule.watershed.emplace();
                  rule.fillHoles = true;
                  rule.above.emplace();
              }),
              "");
    EXPECT_EQ(settingOf([](ObjectRule& rule) {
                  rule.best.emplace();
                  rule.watershed.emplace();
              }),
              "watershed");
    EXPECT_EQ(settingOf([](ObjectRule& rule) {
                  rule.best.emplace();
                  rule.hierarchy.emplace();
              }),
              "hierarchy");
    EXPECT_EQ(settingOf([](ObjectRule& rule) {
                  rule.best.emplace();
                  rule.above.emplace();
              }),
              "above_background");
    EXPECT_EQ(settingOf([](ObjectRule& rule) {
                  rule.hierarchy.emplace();
                  rule.fillHoles = true;
              }),
              "fill_holes");
    EXPECT_EQ(settingOf([](ObjectRule& rule) {
                  rule.watershed.emplace();
                  rule.split.emplace();
              }),
              "split");
    EXPECT_EQ(settingOf([](ObjectRule& rule) {
                  rule.best.emplace();
                  rule.connectivity = Connectivity::four;
              }),
              "connectivity");
    EXPECT_EQ(settingOf([](ObjectRule& rule) {
                  rule.watershed = WatershedRule{.relief = Relief::distance, .everywhere = true};
              }),
              "watershed");
}

TEST(RegionRules, SizesAreInPixelsOrInAUnit) {
    const PixelSize half{.5, .5, "µm", {}};
    for (const auto& [text, sizes] :
         std::vector<std::pair<std::string, SizeRange>>{{"50:", {50}},
                                                        {"50:500", {50, 500}},
                                                        {":500", {0, 500}},
                                                        {"5:9.5 um2", {5, 9.5, LengthUnit::micrometre}}}) {
        ASSERT_TRUE(parseSizeRange(text, false)) << text;
        EXPECT_EQ(*parseSizeRange(text, false), sizes) << text;
        EXPECT_EQ(sizeRangeText(sizes, false), text);
    }
    EXPECT_EQ(*parseSizeRange("50", false), SizeRange{50});
    EXPECT_EQ(*parseSizeRange("5:um2", false), (SizeRange{5, SizeRange{}.most, LengthUnit::micrometre}));
    EXPECT_EQ(parseSizeRange("5:9 um3", true)->unit, LengthUnit::micrometre);
    for (const char* wrong :
         {"", "x", "9:5", "-1", "5:9 um", "5:9 um3", "5:9 ha", "5:9 um2 x", "nan", "1e19", "5::9", ":0"}) {
        EXPECT_FALSE(parseSizeRange(wrong, false)) << wrong;
    }
    EXPECT_EQ((SizeRange{5, 10, LengthUnit::micrometre}.inPixels(half, false)), (SizeRange{20, 40}));
    EXPECT_THROW((void)(SizeRange{5, 10, LengthUnit::micrometre}.inPixels({}, false)), Error);
}

} // namespace
} // namespace pollard::testing
