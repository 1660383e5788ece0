// Objects measured in several channels: against a naive reference, against NumPy, and laws that hold for all images.

#include "base/error.hpp"
#include "components/components.hpp"
#include "components/objects/channel_measures.hpp"
#include "support/random_images.hpp"

#include <gmock/gmock.h>

#include <tbb/task_arena.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace pollard::testing {
namespace {

using ::testing::ElementsAre;

/// A label image from labels per pixel.
Components labelled(std::uint32_t width, std::uint32_t height, std::uint32_t count, const auto& labelAt) {
    Components components;
    components.width = width;
    components.height = height;
    components.count = count;
    components.labels = Buffer<std::uint32_t>(std::size_t{width} * height);
    for (std::uint32_t y = 0; y < height; ++y) {
        for (std::uint32_t x = 0; x < width; ++x) {
            components.labels[std::size_t{y} * width + x] = labelAt(x, y);
        }
    }
    return components;
}

ChannelPlane planeOf(std::shared_ptr<const Image> image, std::shared_ptr<const Mask> valid = nullptr) {
    ChannelPlane plane;
    plane.image = std::move(image);
    plane.valid = std::move(valid);
    return plane;
}

std::shared_ptr<const Image> noise(Random& random, PixelType type, std::uint32_t width, std::uint32_t height) {
    const std::uint32_t range = random() % 3 == 0 ? 7 : maxLevelOf(type) + 1U;
    return makeImage(type, width, height, [&](auto, auto) { return random() % range; });
}

std::shared_ptr<const Mask> gaps(Random& random, std::uint32_t width, std::uint32_t height, std::uint32_t percent) {
    auto mask = std::make_shared<Mask>(width, height, true);
    for (std::uint32_t y = 0; y < height; ++y) {
        for (std::uint32_t x = 0; x < width; ++x) {
            mask->set(x, y, random() % 100 >= percent);
        }
    }
    return mask;
}

bool hasData(const ChannelPlane& plane, std::uint32_t x, std::uint32_t y) {
    return plane.valid == nullptr || plane.valid->test(x, y);
}

/// Values of an object's pixels with data in all @p planes, one list per plane.
std::vector<std::vector<double>> valuesOf(const Components& components, std::uint32_t label,
                                          const std::vector<ChannelPlane>& planes) {
    std::vector<std::vector<double>> values(planes.size());
    for (std::uint32_t y = 0; y < components.height; ++y) {
        for (std::uint32_t x = 0; x < components.width; ++x) {
            const std::size_t i = std::size_t{y} * components.width + x;
            if (components.labels[i] == label &&
                std::ranges::all_of(planes, [&](const ChannelPlane& plane) { return hasData(plane, x, y); })) {
                for (std::size_t c = 0; c < planes.size(); ++c) {
                    values[c].push_back(planes[c].valueOf(i));
                }
            }
        }
    }
    return values;
}

double naiveSum(const std::vector<double>& values) {
    double sum = 0;
    for (const double value : values) {
        sum += value;
    }
    return sum;
}

double naiveMean(const std::vector<double>& values) { return naiveSum(values) / static_cast<double>(values.size()); }

double naiveProducts(const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        sum += (a[i] - naiveMean(a)) * (b[i] - naiveMean(b));
    }
    return sum;
}

double naivePercentile(std::vector<double> values, double percent) {
    std::ranges::sort(values);
    const double rank = percent / 100 * static_cast<double>(values.size() - 1);
    const auto below = static_cast<std::size_t>(rank);
    const std::size_t above = std::min(below + 1, values.size() - 1);
    return values[below] + (rank - static_cast<double>(below)) * (values[above] - values[below]);
}

double naiveShare(const std::vector<double>& part, const std::vector<double>& other, double threshold) {
    double sum = 0;
    for (std::size_t i = 0; i < part.size(); ++i) {
        sum += other[i] > threshold ? part[i] : 0;
    }
    return sum / naiveSum(part);
}

std::vector<double> naiveRing(const Components& components, std::uint32_t label, const ChannelPlane& plane,
                              std::int64_t distance) {
    std::vector<double> values;
    const std::int64_t width = components.width;
    const std::int64_t height = components.height;
    for (std::int64_t y = 0; y < height; ++y) {
        for (std::int64_t x = 0; x < width; ++x) {
            if (components.labels[static_cast<std::size_t>(y * width + x)] != 0 ||
                !hasData(plane, static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y))) {
                continue;
            }
            bool near = false;
            for (std::int64_t v = std::max<std::int64_t>(0, y - distance); v <= std::min(height - 1, y + distance);
                 ++v) {
                for (std::int64_t u = std::max<std::int64_t>(0, x - distance); u <= std::min(width - 1, x + distance);
                     ++u) {
                    near = near || components.labels[static_cast<std::size_t>(v * width + u)] == label;
                }
            }
            if (near) {
                values.push_back(plane.valueOf(static_cast<std::size_t>(y * width + x)));
            }
        }
    }
    return values;
}

void expectNear(double actual, double expected, const char* what) {
    if (std::isnan(expected)) {
        EXPECT_TRUE(std::isnan(actual)) << what << ' ' << actual;
    } else {
        EXPECT_NEAR(actual, expected, 1e-9 * std::max(1.0, std::abs(expected))) << what;
    }
}

void expectAsNaive(const Components& components, const std::vector<ChannelPlane>& planes,
                   const ChannelMeasuresSpec& spec) {
    const ChannelMeasures measured = measureChannels(components, planes, spec);
    for (std::uint32_t label = 1; label <= components.count; ++label) {
        SCOPED_TRACE("object " + std::to_string(label));
        for (std::size_t c = 0; c < planes.size(); ++c) {
            SCOPED_TRACE("channel " + std::to_string(c));
            const std::vector<double> values = valuesOf(components, label, {planes[c]})[0];
            ASSERT_EQ(measured.pixels(label, c), values.size());
            const bool none = values.empty();
            const double nan = std::nan("");
            expectNear(measured.sum(label, c), none ? nan : naiveSum(values), "sum");
            expectNear(measured.mean(label, c), none ? nan : naiveMean(values), "mean");
            expectNear(measured.min(label, c), none ? nan : *std::ranges::min_element(values), "min");
            expectNear(measured.max(label, c), none ? nan : *std::ranges::max_element(values), "max");
            expectNear(measured.deviation(label, c),
                       std::sqrt(naiveProducts(values, values) / static_cast<double>(values.size())), "deviation");
            for (std::size_t p = 0; p < spec.percentiles.size(); ++p) {
                expectNear(measured.percentile(label, c, p), none ? nan : naivePercentile(values, spec.percentiles[p]),
                           "percentile");
            }
            if (spec.ring > 0) {
                expectNear(measured.ring(label, c), naiveMean(naiveRing(components, label, planes[c], spec.ring)),
                           "ring");
            }
        }
        for (std::size_t i = 0; i < spec.pairs.size(); ++i) {
            const ChannelPair& pair = spec.pairs[i];
            const auto values = valuesOf(components, label, {planes[pair.first], planes[pair.second]});
            const double spread = std::sqrt(naiveProducts(values[0], values[0]) * naiveProducts(values[1], values[1]));
            const double r = spread == 0 ? std::nan("") : naiveProducts(values[0], values[1]) / spread;
            expectNear(measured.pair(label, i).pearson, r, "pearson");
            expectNear(measured.pair(label, i).manders1, naiveShare(values[0], values[1], pair.secondThreshold), "m1");
            expectNear(measured.pair(label, i).manders2, naiveShare(values[1], values[0], pair.firstThreshold), "m2");
        }
    }
}

TEST(ChannelMeasures, AgreeWithTheNaiveReference) {
    Random random(26);
    for (int round = 0; round < 60; ++round) {
        SCOPED_TRACE("round " + std::to_string(round));
        const std::uint32_t width = 1 + random() % 40;
        const std::uint32_t height = 1 + random() % 30;
        const std::uint32_t count = random() % 6; // 0: no object; objects touch, and some may have no pixel
        const std::uint32_t block = 1 + random() % 8;
        const std::uint32_t salt = random();
        const Components components = labelled(width, height, count, [&](auto x, auto y) {
            return ((x / block * 2654435761U + y / block * 40503U + salt) >> 7U) % (count + 1);
        });
        std::vector<ChannelPlane> planes;
        for (int c = 0; c < 3; ++c) {
            const PixelType type = random() % 2 == 0 ? PixelType::u8 : PixelType::u16;
            planes.push_back(planeOf(noise(random, type, width, height)));
        }
        planes[1].valid = gaps(random, width, height, 30);
        planes[2].valid = gaps(random, width, height, round % 5 == 0 ? 100 : 5);
        planes[2].mapping = ValueMapping{.offset = 3, .step = 0.25};
        ChannelMeasuresSpec spec;
        spec.percentiles = {0, 50, 95, 100, 12.5};
        spec.ring = random() % 5;
        spec.pairs = {{0, 1}, {1, 2, 100, 3.5}, {2, 2, 5, 5}};
        expectAsNaive(components, planes, spec);
    }
}

TEST(ChannelMeasures, MeasureTheObjectsOfAMask) {
    Random random(27);
    for (const Connectivity connectivity : {Connectivity::four, Connectivity::eight}) {
        Mask mask(70, 45, false);
        for (std::uint32_t y = 0; y < 45; ++y) {
            for (std::uint32_t x = 0; x < 70; ++x) {
                mask.set(x, y, random() % 100 < 45);
            }
        }
        ComponentsSpec labelling;
        labelling.connectivity = connectivity;
        const Components components = labelComponents(mask, nullptr, labelling);
        ASSERT_GT(components.count, 20U);
        ChannelMeasuresSpec spec;
        spec.percentiles = {50, 99};
        spec.ring = 3;
        spec.pairs = {{0, 1}};
        expectAsNaive(components,
                      {planeOf(noise(random, PixelType::u16, 70, 45)), planeOf(noise(random, PixelType::u8, 70, 45))},
                      spec);
    }
}

// More than 2^20 px, whose channels are measured in parallel, with counted levels.
TEST(ChannelMeasures, MeasureOneLargeObjectExactly) {
    constexpr std::uint32_t kWidth = 1300;
    constexpr std::uint32_t kHeight = 900;
    constexpr double kPixels = kWidth * kHeight;
    const Components components = labelled(kWidth, kHeight, 1, [](auto, auto) { return 1U; });
    const auto bright = makeImage(PixelType::u16, kWidth, kHeight,
                                  [](auto x, auto y) { return x == 17 && y == 800 ? 65534U : 65535U; });
    const auto ramp = makeImage(PixelType::u16, kWidth, kHeight, [](auto x, auto) { return 50 * x; });
    ChannelMeasuresSpec spec;
    spec.percentiles = {50, 25};
    spec.ring = 2;
    spec.pairs = {{0, 1}, {1, 1}};
    const ChannelMeasures measured = measureChannels(components, std::vector{planeOf(bright), planeOf(ramp)}, spec);
    EXPECT_EQ(measured.record(1, 0).sum, 65535ULL * kWidth * kHeight - 1);
    EXPECT_EQ(measured.record(1, 0).squares, 65535ULL * 65535 * (kWidth * kHeight - 1) + 65534ULL * 65534);
    EXPECT_DOUBLE_EQ(measured.deviation(1, 0), std::sqrt(kPixels - 1) / kPixels)
        << "sums of squares in doubles would give 0";
    EXPECT_EQ(measured.percentile(1, 0, 0), 65535);
    EXPECT_EQ(measured.percentile(1, 1, 0), 50 * 649.5);
    EXPECT_EQ(measured.percentile(1, 1, 1), 50 * 324.75) << "rank 292,499.75, between columns 324 and 325";
    EXPECT_EQ(measured.pair(1, 1).pearson, 1);
    EXPECT_EQ(measured.ringRecord(1, 0), RingRecord{}) << "there is no background";
    EXPECT_TRUE(std::isnan(measured.ring(1, 0)));
}

// Numbers of numpy.mean, std, median, percentile and corrcoef.
TEST(ChannelMeasures, AreThoseOfNumPy) {
    constexpr std::uint32_t kWidth = 13;
    constexpr std::uint32_t kHeight = 9;
    const auto levelA = [](std::uint32_t x, std::uint32_t y) { return (x * 7919 + y * 104729 + x * y * 31) % 60013; };
    const auto a = makeImage(PixelType::u16, kWidth, kHeight, levelA);
    const auto b = makeImage(PixelType::u16, kWidth, kHeight,
                             [&](auto x, auto y) { return (x * x * 977 + y * 3571 + levelA(x, y) / 3) % 41011; });
    auto valid = std::make_shared<Mask>(kWidth, kHeight, true);
    for (std::uint32_t y = 0; y < kHeight; ++y) {
        for (std::uint32_t x = 0; x < kWidth; ++x) {
            valid->set(x, y, (x + 2 * y) % 5 != 0);
        }
    }
    const Components components = labelled(kWidth, kHeight, 3, [](auto x, auto y) {
        return y >= 1 && y < 4 && x >= 1 && x < 6 ? 1U : y >= 1 && y < 4 && x == 6 ? 2U : y >= 6 && x >= 9 ? 3U : 0U;
    });
    ChannelMeasuresSpec spec;
    spec.percentiles = {50, 95, 33.3};
    spec.ring = 2;
    spec.pairs = {{0, 1, 30000, 20000}};
    const ChannelMeasures measured = measureChannels(components, std::vector{planeOf(a, valid), planeOf(b)}, spec);
    const auto row = [&](std::uint32_t label, std::size_t c) {
        return std::vector<double>{static_cast<double>(measured.pixels(label, c)),
                                   measured.sum(label, c),
                                   measured.mean(label, c),
                                   measured.min(label, c),
                                   measured.max(label, c),
                                   measured.deviation(label, c),
                                   measured.percentile(label, c, 0),
                                   measured.percentile(label, c, 1),
                                   measured.percentile(label, c, 2),
                                   measured.ring(label, c)};
    };
    const auto near = [](double value) { return ::testing::DoubleEq(value); };
    EXPECT_THAT(row(1, 0), ElementsAre(12, 348229, near(29019.083333333332), 603, 54182, near(18984.42826572317),
                                       27299.5, 53731, 20236.352999999996, 31620.375));
    EXPECT_THAT(row(1, 1), ElementsAre(15, 333093, near(22206.2), 724, 36147, near(9818.416248390911), 23217, 35113.1,
                                       20072.253999999997, near(22458.9)));
    EXPECT_THAT(row(2, 0), ElementsAre(2, 34584, 17292, 2181, 32403, 15111, 17292, 30891.899999999998, 12244.926,
                                       near(30675.176470588234)));
    EXPECT_THAT(row(2, 1), ElementsAre(3, 21201, 7067, 5601, 8533, near(1196.9839876400465), 7067, 8386.4, 6577.356,
                                       near(25804.333333333332)));
    EXPECT_THAT(row(3, 0), ElementsAre(10, 346761, near(34676.1), 5478, 57386, near(14960.026293091867), 34967.5,
                                       54316.99999999999, 27470.052, near(24902.85714285714)));
    EXPECT_THAT(row(3, 1), ElementsAre(12, 305245, near(25437.083333333332), 9670, 40907, near(10450.744809648204),
                                       30113.5, 38064.049999999996, 18022.852, near(22650.055555555555)));
    EXPECT_NEAR(measured.pair(1, 0).pearson, 0.13029300964982937, 1e-14);
    EXPECT_NEAR(measured.pair(3, 0).pearson, -0.20283568909966246, 1e-14);
    EXPECT_DOUBLE_EQ(measured.pair(1, 0).manders1, 0.7791137441166589);
    EXPECT_DOUBLE_EQ(measured.pair(1, 0).manders2, 0.5094362526090049);
    EXPECT_DOUBLE_EQ(measured.pair(3, 0).manders1, 0.45469934623559166);
    EXPECT_EQ(measured.pair(2, 0).manders1, 0) << "no pixel of the second channel has signal";
}

TEST(ChannelMeasures, ObeyLaws) {
    Random random(28);
    Mask mask(200, 150, false);
    for (std::uint32_t y = 0; y < 150; ++y) {
        for (std::uint32_t x = 0; x < 200; ++x) {
            mask.set(x, y, random() % 100 < 40);
        }
    }
    const Components components = labelComponents(mask, nullptr, {});
    const auto image = makeImage(PixelType::u16, 200, 150, [&](auto, auto) { return 1 + random() % 60000; });
    ChannelMeasuresSpec spec;
    spec.pairs = {{0, 0}};
    const ChannelMeasures measured = measureChannels(components, std::vector{planeOf(image)}, spec);
    std::uint64_t total = 0;
    for (std::size_t i = 0; i < components.labels.size(); ++i) {
        total += components.labels[i] == 0 ? image->level(i) : 0U; // the background
    }
    for (std::uint32_t label = 1; label <= components.count; ++label) {
        const ChannelRecord& record = measured.record(label, 0);
        total += record.sum;
        EXPECT_EQ(measured.pair(label, 0).manders1, 1) << "all pixels have signal";
        EXPECT_EQ(measured.pair(label, 0).manders2, 1);
        if (record.min != record.max) {
            EXPECT_EQ(measured.pair(label, 0).pearson, 1) << label;
        } else {
            EXPECT_TRUE(std::isnan(measured.pair(label, 0).pearson)) << label;
        }
    }
    std::uint64_t all = 0;
    for (const std::uint16_t level : image->pixels<std::uint16_t>()) {
        all += level;
    }
    EXPECT_EQ(total, all);
}

TEST(ChannelMeasures, DoNotDependOnThreads) {
    Random random(29);
    const Components components =
        labelled(300, 200, 4000, [&](auto, auto) { return random() % 3 == 0 ? 1 + random() % 4000 : 0U; });
    const std::vector planes{planeOf(noise(random, PixelType::u16, 300, 200)),
                             planeOf(noise(random, PixelType::u8, 300, 200))};
    ChannelMeasuresSpec spec;
    spec.percentiles = {50};
    spec.ring = 2;
    spec.pairs = {{0, 1}};
    const ChannelMeasures one = tbb::task_arena(1).execute([&] { return measureChannels(components, planes, spec); });
    const ChannelMeasures many = tbb::task_arena(7).execute([&] { return measureChannels(components, planes, spec); });
    for (std::uint32_t label = 1; label <= components.count; ++label) {
        for (std::size_t c = 0; c < planes.size(); ++c) {
            ASSERT_EQ(one.record(label, c), many.record(label, c));
            ASSERT_EQ(one.ringRecord(label, c), many.ringRecord(label, c));
            ASSERT_TRUE(one.pixels(label, c) == 0 || one.percentile(label, c, 0) == many.percentile(label, c, 0));
        }
    }
}

TEST(ChannelMeasures, RefuseWhatIsOutsideTheirDomain) {
    const Components components = labelled(4, 3, 1, [](auto, auto) { return 1U; });
    const std::vector planes{planeOf(makeImage(PixelType::u8, 4, 3, [](auto, auto) { return 5U; }))};
    const std::vector other{planeOf(makeImage(PixelType::u8, 3, 4, [](auto, auto) { return 5U; }))};
    EXPECT_THROW((void)measureChannels(components, other, {}), Error);
    EXPECT_THROW((void)measureChannels(components, planes, {.percentiles = {101}}), Error);
    EXPECT_THROW((void)measureChannels(components, planes, {.ring = 1001}), Error);
    EXPECT_THROW((void)measureChannels(components, planes, {.pairs = {{0, 1}}}), Error);
    Components unlabelled;
    unlabelled.width = 4;
    unlabelled.height = 3;
    unlabelled.count = 1;
    EXPECT_THROW((void)measureChannels(unlabelled, planes, {}), Error);
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW((void)measureChannels(components, planes, {}, JobControl(stop.get_token())), Cancelled);
}

TEST(ChannelMeasures, EstimateTheirMemory) {
    Components components;
    components.count = 1'000'000;
    components.foreground = 15'000'000;
    const std::uint64_t plain = channelMeasuresBytes(components, 8, {});
    EXPECT_GE(plain, 8'000'000 * sizeof(ChannelRecord));
    EXPECT_LT(plain, 400'000'000U);
    EXPECT_EQ(channelMeasuresBytes(components, 8, {.percentiles = {50}}), plain + 8'000'000 * sizeof(double));
}

TEST(ChannelColumns, HaveTheNamesOfMeasuresAndChannels) {
    const Components components = labelled(3, 1, 1, [](auto x, auto) { return x < 2 ? 1U : 0U; });
    const auto image = makeImage(PixelType::u8, 3, 1, [](auto x, auto) { return 10 * x; });
    const std::vector<NamedMeasure> measures = parseChannelMeasures("mean,p95,pixels,median");
    ChannelMeasuresSpec spec;
    spec.percentiles = percentilesOf(measures);
    EXPECT_THAT(spec.percentiles, ElementsAre(95, 50));
    spec.ring = 1;
    spec.pairs = {{0, 1}};
    const auto measured = std::make_shared<const ChannelMeasures>(
        measureChannels(components, std::vector{planeOf(image), planeOf(image)}, spec));
    const std::vector<std::string> names{"DAPI", "GFP"};
    const std::vector<ObjectColumn> columns = channelColumns(measured, measures, names);
    std::vector<std::string> found;
    std::vector<double> values;
    for (const ObjectColumn& column : columns) {
        found.push_back(column.name);
        values.push_back(column.valueOf(1));
    }
    EXPECT_THAT(found, ElementsAre("mean[DAPI]", "p95[DAPI]", "pixels[DAPI]", "median[DAPI]", "ring[DAPI]", "mean[GFP]",
                                   "p95[GFP]", "pixels[GFP]", "median[GFP]", "ring[GFP]", "pearson[DAPI,GFP]",
                                   "manders1[DAPI,GFP]", "manders2[DAPI,GFP]"));
    EXPECT_THAT(values, ElementsAre(5, 9.5, 2, 5, 20, 5, 9.5, 2, 5, 20, 1, 1, 1));
    for (const char* const wrong : {"", "mean,", "mode", "p101", "p-1", "p", "p1e1", "mean,mean"}) {
        EXPECT_THROW((void)parseChannelMeasures(wrong), Error) << wrong;
    }
}

} // namespace
} // namespace pollard::testing
