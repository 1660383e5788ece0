#include "analysis/seeds.hpp"

#include "analysis/h_maxima.hpp"
#include "analysis/relief.hpp"
#include "analysis/watershed.hpp"
#include "base/error.hpp"
#include "engine/engine.hpp"
#include "engine/find_seeds.hpp"
#include "support/engines.hpp"
#include "support/naive_watershed.hpp"
#include "support/random_images.hpp"
#include "support/random_volumes.hpp"

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace pollard {
namespace {

using testing::makeImage;
using testing::naiveNeighbours;
using testing::Random;
using testing::randomImage;
using testing::randomVolume;

using Pixels = std::set<std::uint32_t>;

Image withFewLevels(const Image& image) {
    Image few(PixelType::u8, image.extent());
    for (std::size_t p = 0; p != image.pixelCount(); ++p) {
        few.pixels<std::uint8_t>()[p] = static_cast<std::uint8_t>(image.level(p) % 6);
    }
    return few;
}

Image negativeOf(const Image& image) {
    Image negative(image.type(), image.extent());
    dispatch(image.type(), [&]<class Level>(Level) {
        std::ranges::transform(image.pixels<Level>(), negative.pixels<Level>().begin(),
                               [](Level level) { return static_cast<Level>(~level); });
    });
    return negative;
}

Mask randomInside(Random& random, const Image& image) {
    Mask mask(image.width(), static_cast<std::uint32_t>(image.extent().rows()), true);
    for (std::uint32_t p = 0; p != image.pixelCount(); ++p) {
        mask.set(p % image.width(), p / image.width(), random() % 5 != 0);
    }
    return mask;
}

enum class Extinction { dynamics, area, volume };

struct NaiveMaximum {
    std::uint32_t pixel = 0; ///< the last in raster order
    std::uint16_t level = 0;
    std::uint64_t extinction = 0;
    bool isLast = false; ///< of its object
};

/// Extinction values by the definition: components as sets of pixels, level by level.
class NaiveExtinction {
public:
    NaiveExtinction(const Image& image, const Mask& inside, Connectivity connectivity, Extinction by)
        : image_(image), inside_(inside), connectivity_(connectivity), by_(by) {
        for (std::uint32_t p = 0; p != image.pixelCount(); ++p) {
            if (isInside(p)) {
                const Pixels object = componentAt(p, 0);
                if (*object.begin() == p) {
                    const std::uint32_t last = survivorIn(object);
                    found_[last] = {last, image.level(last), measure(object, lowestOf(object)), true};
                }
            }
        }
    }

    [[nodiscard]] std::vector<NaiveMaximum> maxima() const {
        std::vector<NaiveMaximum> all;
        for (const auto& [pixel, each] : found_) {
            all.push_back(each);
        }
        return all;
    }

    [[nodiscard]] Pixels componentAt(std::uint32_t pixel, int level) const {
        Pixels component{pixel};
        std::vector<std::uint32_t> open{pixel};
        while (!open.empty()) {
            const std::uint32_t at = open.back();
            open.pop_back();
            for (const std::uint32_t other : naiveNeighbours(at, image_.extent(), connectivity_)) {
                if (isInside(other) && image_.level(other) >= level && component.insert(other).second) {
                    open.push_back(other);
                }
            }
        }
        return component;
    }

private:
    [[nodiscard]] bool isInside(std::uint32_t p) const { return inside_.test(p % image_.width(), p / image_.width()); }
    [[nodiscard]] int lowestOf(const Pixels& component) const {
        return image_.level(*std::ranges::min_element(component, {}, [&](std::uint32_t p) { return image_.level(p); }));
    }
    [[nodiscard]] std::uint64_t measure(const Pixels& component, int level) const {
        std::uint64_t highest = 0;
        std::uint64_t volume = 0;
        for (const std::uint32_t p : component) {
            const auto rise = static_cast<std::uint64_t>(image_.level(p) - level);
            highest = std::max(highest, rise);
            volume += rise;
        }
        return by_ == Extinction::dynamics ? highest : by_ == Extinction::area ? component.size() : volume;
    }

    /// The maximum that survives in a component; those that do not get their values.
    std::uint32_t survivorIn(const Pixels& component) {
        const int level = lowestOf(component);
        std::set<Pixels> parts;
        for (const std::uint32_t p : component) {
            if (image_.level(p) > level) {
                parts.insert(componentAt(p, level + 1));
            }
        }
        if (parts.empty()) {
            return *component.rbegin();
        }
        std::vector<std::pair<std::uint64_t, std::uint32_t>> rivals;
        for (const Pixels& part : parts) {
            rivals.emplace_back(measure(part, level), survivorIn(part));
        }
        const auto best = *std::ranges::max_element(rivals, [](const auto& a, const auto& b) {
            return a.first < b.first || (a.first == b.first && a.second > b.second);
        });
        for (const auto& [value, maximum] : rivals) {
            if (maximum != best.second) {
                found_[maximum] = {maximum, image_.level(maximum), value, false};
            }
        }
        return best.second;
    }

    const Image& image_;
    const Mask& inside_;
    Connectivity connectivity_;
    Extinction by_;
    std::map<std::uint32_t, NaiveMaximum> found_;
};

/// The seeds of seedsOf() by the definition.
std::vector<std::uint32_t> naiveSeeds(const Image& image, const Mask& inside, Connectivity connectivity,
                                      const SeedRule& rule) {
    const bool isHeight = rule.by == SeedMeasure::height;
    const Extinction by = rule.by == SeedMeasure::area     ? Extinction::area
                          : rule.by == SeedMeasure::volume ? Extinction::volume
                                                           : Extinction::dynamics;
    const NaiveExtinction extinction(image, inside, connectivity, by);
    std::vector<Pixels> seeds;
    for (const NaiveMaximum& each : extinction.maxima()) {
        if (isHeight ? each.isLast || each.extinction > rule.least : each.extinction >= rule.least) {
            const int least = isHeight ? each.level - static_cast<int>(rule.least) : each.level;
            seeds.push_back(extinction.componentAt(each.pixel, least));
        }
    }
    std::ranges::sort(seeds, {}, [](const Pixels& seed) { return *seed.begin(); });
    std::vector<std::uint32_t> labels(image.pixelCount());
    for (std::size_t i = 0; i != seeds.size(); ++i) {
        for (const std::uint32_t p : seeds[i]) {
            labels[p] = static_cast<std::uint32_t>(i + 1);
        }
    }
    return labels;
}

std::vector<std::uint32_t> labelsOf(const Buffer<std::uint32_t>& labels) { return {labels.begin(), labels.end()}; }

constexpr Connectivity kOfVolumes[] = {Connectivity::six, Connectivity::eighteen, Connectivity::twentySix};

LabelImage seedsIn(const Image& image, const Mask* inside, Connectivity connectivity, const SeedRule& rule,
                   bool descending = true) {
    const auto engine = makeCpuEngine();
    return seedsOf(*engine, {image, inside, connectivity, descending}, rule);
}

void expectDefinition(Random& random, const Image& image, Connectivity connectivity) {
    const Mask all(image.width(), static_cast<std::uint32_t>(image.extent().rows()), true);
    const std::optional<Mask> some = random() % 4 == 0 ? std::nullopt : std::optional(randomInside(random, image));
    const Mask* inside = some ? &*some : nullptr;
    const Image negative = negativeOf(image);
    const auto engine = makeCpuEngine();
    for (const SeedMeasure by : kAllSeedMeasures) {
        const SeedTree tree = makeSeedTree(*engine, {image, inside, connectivity, true}, by);
        for (int i = 0; i != 4; ++i) { // small bounds, and around the values of whole objects
            const SeedRule rule{by, i < 2 ? random() % 9 : random() % (1 + 2 * image.pixelCount())};
            const std::vector<std::uint32_t> expected = naiveSeeds(image, some ? *some : all, connectivity, rule);
            const LabelImage seeds = tree.seeds(rule.least);
            ASSERT_EQ(labelsOf(seeds.labels), expected) << text(image.extent()) << ", " << nameOf(by) << rule.least;
            ASSERT_EQ(seeds.count, std::ranges::max(expected));
            if (i == 0) {
                ASSERT_EQ(labelsOf(seedsIn(negative, inside, connectivity, rule, false).labels), expected)
                    << "of minima";
            }
        }
    }
}

TEST(Seeds, FollowTheirDefinitionInImages) {
    Random random(520);
    for (int i = 0; i != 400; ++i) {
        const Image image = withFewLevels(*randomImage(random, 1 + random() % 8, 1 + random() % 8));
        expectDefinition(random, image, i % 2 == 0 ? Connectivity::four : Connectivity::eight);
    }
}

TEST(Seeds, FollowTheirDefinitionInVolumes) {
    Random random(521);
    for (int i = 0; i != 200; ++i) {
        const Image image = withFewLevels(*randomVolume(random, {1 + random() % 4, 1 + random() % 4, 3}));
        expectDefinition(random, image, kOfVolumes[i % 3]);
    }
}

/// A session of the CPU engine with the tree of the image.
std::unique_ptr<Session> treeOf(const Image& image, Connectivity connectivity, EngineRegistry& registry) {
    auto session = registry.select("cpu").openSession({});
    auto copy = std::make_shared<Image>(image.type(), image.extent());
    std::copy_n(image.data(), image.bytes(), copy->data());
    session->open(std::move(copy));
    session->buildTree({TreeKind::max, connectivity, {}});
    return session;
}

TEST(Seeds, OfAHeightAreTheMaximaOfTheTransform) {
    Random random(523);
    EngineRegistry registry{makeCpuEngine()};
    for (int i = 0; i != 100; ++i) {
        const Image image = withFewLevels(*randomImage(random, 30, 20));
        const std::uint32_t h = random() % 5;
        const auto session = treeOf(image, Connectivity::four, registry);
        Image transform(image.type(), image.extent());
        hMaxima(*session->tree(), static_cast<std::uint16_t>(h), Output::filtered, transform);
        ASSERT_EQ(labelsOf(seedsIn(image, nullptr, Connectivity::four, {SeedMeasure::height, h}).labels),
                  labelsOf(seedsIn(transform, nullptr, Connectivity::four, {SeedMeasure::dynamics, 0}).labels));
    }
}

TEST(Seeds, OfTheFloodedImageMayBeSinglePixels) {
    Random random(524);
    for (int i = 0; i != 200; ++i) {
        const Image image = withFewLevels(*randomImage(random, 12, 10));
        const SeedRule rule{kAllSeedMeasures[random() % 4], random() % 5};
        const LabelImage whole = seedsIn(image, nullptr, Connectivity::eight, rule);
        std::vector<std::uint32_t> single(image.pixelCount());
        for (std::uint32_t label = 1; label <= whole.count; ++label) {
            std::uint32_t highest = 0;
            for (std::uint32_t p = 0; p != single.size(); ++p) {
                if (whole.labels[p] == label &&
                    (whole.labels[highest] != label || image.level(p) > image.level(highest))) {
                    highest = p;
                }
            }
            single[highest] = label;
        }
        const WatershedSpec spec{Connectivity::eight, true, false};
        ASSERT_EQ(labelsOf(watershed(image, single, nullptr, spec)),
                  labelsOf(watershed(image, whole.labels.span(), nullptr, spec)));
    }
}

TEST(Seeds, AtPointsAreNumberedAsThePoints) {
    const std::vector<Voxel> points{{2, 1, 0}, {0, 0, 1}, {2, 1, 0}};
    const LabelImage seeds = seedsAt({3, 2, 2}, points);
    EXPECT_EQ(labelsOf(seeds.labels), (std::vector<std::uint32_t>{0, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 0}));
    EXPECT_EQ(seeds.count, 3U);
    EXPECT_THROW((void)seedsAt({3, 2, 1}, points), Error) << "slice 1";
    EXPECT_THROW((void)seedsAt({2, 2, 2}, points), Error) << "column 2";
}

TEST(Seeds, RefuseAMaskOfAnotherSize) {
    const Image image = withFewLevels(*makeImage(PixelType::u8, 3, 3, [](auto, auto) { return 1; }));
    const Mask inside(4, 3, true);
    EXPECT_THROW((void)seedsIn(image, &inside, Connectivity::four, {}), Error);
    EXPECT_THROW((void)gradientOf(image, &inside, Connectivity::four), Error);
}

TEST(Seeds, AMaskMayBeEmpty) {
    const Image image = withFewLevels(*makeImage(PixelType::u8, 3, 3, [](auto x, auto) { return x; }));
    const Mask inside(3, 3, false);
    for (const SeedMeasure by : kAllSeedMeasures) {
        EXPECT_EQ(seedsIn(image, &inside, Connectivity::four, {by, 0}).count, 0U);
    }
}

TEST(Seeds, OfAMaskMayHaveTheLargestLevel) {
    const auto image = makeImage(PixelType::u16, 5, 1, [](auto x, auto) { return x == 2 ? 0 : 65535; });
    Mask inside(5, 1, true);
    inside.set(2, 0, false);
    const std::vector<std::uint32_t> both{1, 1, 0, 2, 2};
    EXPECT_EQ(labelsOf(seedsIn(*image, &inside, Connectivity::four, {SeedMeasure::area, 2}).labels), both);
    EXPECT_EQ(seedsIn(*image, &inside, Connectivity::four, {SeedMeasure::dynamics, 1}).count, 0U);
    EXPECT_EQ(labelsOf(seedsIn(*image, &inside, Connectivity::four, {SeedMeasure::height, 65535}).labels), both);
}

TEST(Seeds, MeasuresHaveNames) {
    for (const SeedMeasure by : kAllSeedMeasures) {
        EXPECT_EQ(seedMeasureOf(nameOf(by)), by);
    }
    EXPECT_EQ(seedMeasureOf("height"), std::nullopt);
}

void expectGradient(Random& random, const Image& image, Connectivity connectivity) {
    const Mask inside = randomInside(random, image);
    const auto isInside = [&](std::uint32_t p) { return inside.test(p % image.width(), p / image.width()); };
    const Image gradient = gradientOf(image, &inside, connectivity);
    for (std::uint32_t p = 0; p != image.pixelCount(); ++p) {
        int least = image.level(p);
        int most = least;
        for (const std::uint32_t other : naiveNeighbours(p, image.extent(), connectivity)) {
            least = isInside(other) ? std::min<int>(least, image.level(other)) : least;
            most = isInside(other) ? std::max<int>(most, image.level(other)) : most;
        }
        ASSERT_EQ(gradient.level(p), isInside(p) ? most - least : 0) << text(image.extent()) << ", pixel " << p;
    }
}

TEST(MorphologicalGradient, FollowsItsDefinition) {
    Random random(525);
    for (int i = 0; i != 300; ++i) {
        expectGradient(random, *randomImage(random, 1 + random() % 12, 1 + random() % 12),
                       i % 2 == 0 ? Connectivity::four : Connectivity::eight);
        expectGradient(random, *randomVolume(random, {1 + random() % 6, 1 + random() % 5, 2 + random() % 3}),
                       kOfVolumes[i % 3]);
    }
}

} // namespace
} // namespace pollard
