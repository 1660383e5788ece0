// Derived channels against naive oracles.
#include "channels/derivation.hpp"

#include "base/error.hpp"
#include "channels/bands.hpp"
#include "support/random_images.hpp"

#include <gmock/gmock.h>
#include <tbb/global_control.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <iterator>
#include <numeric>
#include <stop_token>
#include <string>
#include <vector>

namespace pollard {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::uint32_t kWidth = 67;
constexpr std::uint32_t kHeight = 41;
constexpr std::size_t kPixels = std::size_t{kWidth} * kHeight;

std::vector<Channel> channelsNamed(const std::vector<std::string>& names) {
    std::vector<Channel> channels;
    for (const std::string& name : names) {
        channels.emplace_back().name = name;
    }
    return channels;
}

/// Noise of a type; with gaps in every channel if asked for.
std::vector<ChannelPlane> noise(std::size_t count, PixelType type, bool gaps, std::uint32_t seed,
                                std::uint32_t width = kWidth, std::uint32_t height = kHeight) {
    testing::Random random(seed);
    std::vector<ChannelPlane> planes;
    for (std::size_t c = 0; c < count; ++c) {
        ChannelPlane plane;
        plane.channel.name = "c" + std::to_string(c);
        plane.image = testing::makeImage(type, width, height, [&](std::uint32_t, std::uint32_t) {
            return random() % 4 == 0 ? 0 : random() & maxLevelOf(type);
        });
        if (gaps) {
            auto mask = std::make_shared<Mask>(width, height, true);
            for (int i = 0; i < 50; ++i) {
                mask->set(random() % width, random() % height, false);
            }
            plane.valid = mask;
        }
        planes.push_back(plane);
    }
    return planes;
}

std::vector<Channel> channelsOf(const std::vector<ChannelPlane>& planes) {
    std::vector<Channel> channels;
    for (const ChannelPlane& plane : planes) {
        channels.push_back(plane.channel);
    }
    return channels;
}

/// Values of an expression for the image, NaN where there are none.
std::vector<double> valuesOf(const std::string& text, const std::vector<ChannelPlane>& image, double white = 255) {
    const Derivation derivation = Derivation::parse(text);
    std::vector<ChannelPlane> planes;
    for (const std::size_t input : derivation.inputs(channelsOf(image))) {
        planes.push_back(image[input]);
    }
    const Buffer<double> values = derivation.values(planes, white);
    return {values.begin(), values.end()};
}

bool hasData(const std::vector<ChannelPlane>& planes, std::size_t pixel) {
    return std::ranges::all_of(planes, [&](const ChannelPlane& plane) {
        return !plane.valid || plane.valid->test(static_cast<std::uint32_t>(pixel % kWidth),
                                                 static_cast<std::uint32_t>(pixel / kWidth));
    });
}

std::vector<double> pixelOf(const std::vector<ChannelPlane>& planes, std::size_t pixel) {
    std::vector<double> values;
    for (const ChannelPlane& plane : planes) {
        values.push_back(plane.valueOf(pixel));
    }
    return values;
}

/// @p naive gets the values of a pixel that has data and returns NaN for none.
template <class Naive> void expectValues(const std::string& text, const std::vector<ChannelPlane>& planes,
                                         const Naive& naive, double tolerance = 0) {
    const std::vector<double> values = valuesOf(text, planes);
    ASSERT_EQ(values.size(), kPixels);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < kPixels; ++i) {
        const double expected = hasData(planes, i) ? naive(pixelOf(planes, i)) : std::nan("");
        const bool right = std::isnan(expected) ? std::isnan(values[i]) : std::abs(values[i] - expected) <= tolerance;
        wrong += right ? 0 : 1;
    }
    EXPECT_EQ(wrong, 0U) << text << " of " << planes.size();
}

std::string problemOf(const std::string& text, const std::vector<std::string>& names = {"a"}) {
    try {
        (void)Derivation::parse(text).inputs(channelsNamed(names));
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::invalidArgument);
        return error.what();
    }
    return "no error";
}

TEST(Derivation, AddsAndComparesChannelsAsANaiveLoop) {
    for (const PixelType type : {PixelType::u8, PixelType::u16}) {
        for (const std::size_t count : {1U, 2U, 3U, 16U}) {
            for (const bool gaps : {false, true}) {
                const auto planes = noise(count, type, gaps, static_cast<std::uint32_t>(count));
                using Values = const std::vector<double>&;
                const auto sum = [](Values v) { return std::accumulate(v.begin(), v.end(), 0.0); };
                expectValues("sum(all)", planes, sum);
                expectValues("mean(all)", planes, [&](Values v) { return sum(v) / static_cast<double>(v.size()); });
                expectValues("max(all)", planes, [](Values v) { return *std::ranges::max_element(v); });
                expectValues("min(all)", planes, [](Values v) { return *std::ranges::min_element(v); });
            }
        }
    }
}

TEST(Derivation, SumsOfBrightWordsDoNotOverflow) {
    auto planes = noise(16, PixelType::u16, false, 1);
    for (ChannelPlane& plane : planes) {
        plane.image = testing::makeImage(PixelType::u16, kWidth, kHeight, [](auto, auto) { return 65535U; });
    }
    EXPECT_EQ(valuesOf("sum(all)", planes)[0], 16 * 65535.0);
    EXPECT_EQ(valuesOf("sum(c0,c0,3)", planes)[0], 3 * 65535.0);
}

TEST(Derivation, DividesOnlyByNumbersOtherThanZero) {
    const auto divided = [](double a, double b) { return b == 0 ? std::nan("") : a / b; };
    for (const PixelType type : {PixelType::u8, PixelType::u16}) {
        const auto planes = noise(2, type, true, 5);
        expectValues("ratio(c0,c1)", planes, [&](const auto& v) { return divided(v[0], v[1]); });
        expectValues("nd(c0,c1)", planes, [&](const auto& v) { return divided(v[0] - v[1], v[0] + v[1]); });
    }
}

TEST(Derivation, UsesTheValuesOfMappedLevels) {
    auto planes = noise(2, PixelType::u16, false, 7);
    planes[0].mapping = ValueMapping{-3, 0.25};
    planes[1].mapping = ValueMapping{2, 0.5};
    expectValues("ratio(0,1)", planes, [](const auto& v) { return v[0] / v[1]; });
    expectValues("min(0,1)", planes, [](const auto& v) { return std::min(v[0], v[1]); });
}

TEST(Derivation, ComponentsHaveTheirVariancesInOrderAndNoCovariance) {
    for (const std::size_t count : {1U, 3U, 16U}) {
        auto planes = noise(count, PixelType::u16, true, 11);
        const double pixels = static_cast<double>(kPixels);
        for (std::size_t c = 1; c < count; ++c) { // correlated, with variances of their own
            const auto before = planes[c - 1].image;
            const auto own = planes[c].image;
            planes[c].image =
                testing::makeImage(PixelType::u16, kWidth, kHeight, [&](std::uint32_t x, std::uint32_t y) {
                    const std::size_t i = std::size_t{y} * kWidth + x;
                    return (before->level(i) * 3U + own->level(i)) / 5U;
                });
        }
        std::vector<std::vector<double>> components;
        for (std::size_t k = 1; k <= count; ++k) {
            components.push_back(valuesOf("pca(" + std::to_string(k) + ")", planes));
        }
        const auto product = [&](std::size_t a, std::size_t b) {
            double sum = 0;
            for (std::size_t i = 0; i < kPixels; ++i) {
                sum += std::isnan(components[a][i]) ? 0 : components[a][i] * components[b][i];
            }
            return sum / pixels;
        };
        double variance = 0;
        double total = 0;
        for (std::size_t c = 0; c < count; ++c) {
            double sum = 0;
            double squares = 0;
            double valid = 0;
            for (std::size_t i = 0; i < kPixels; ++i) {
                EXPECT_EQ(std::isnan(components[c][i]), !hasData(planes, i));
                if (hasData(planes, i)) {
                    const double value = planes[c].valueOf(i);
                    sum += value;
                    squares += value * value;
                    ++valid;
                }
            }
            total += (squares - sum * sum / valid) / pixels;
            variance += product(c, c);
            for (std::size_t other = 0; other < c; ++other) {
                EXPECT_GE(product(other, other), product(c, c));
                EXPECT_NEAR(product(other, c), 0, 1e-9 * product(0, 0)) << other << " " << c;
            }
        }
        EXPECT_NEAR(variance, total, 1e-9 * total) << "an orthogonal change of axes";
    }
}

TEST(Derivation, ComponentsOfTwoChannelsAreKnown) {
    // Values (0,0), (2,4), (4,8): all variance along (1,2) / sqrt(5).
    std::vector<ChannelPlane> planes(2);
    for (std::size_t c = 0; c < 2; ++c) {
        planes[c].channel.name = std::to_string(c);
        planes[c].image = testing::makeImage(PixelType::u8, 3, 1, [&](std::uint32_t x, std::uint32_t) {
            return static_cast<std::uint32_t>(2 * x * (c + 1));
        });
    }
    const auto first = valuesOf("pca(1)", planes);
    const auto second = valuesOf("pca(2)", planes);
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_NEAR(first[i], (static_cast<double>(i) - 1) * std::sqrt(20.0), 1e-12);
        EXPECT_NEAR(second[i], 0, 1e-12);
    }
    planes[0].image = planes[1].image = testing::makeImage(PixelType::u8, 3, 1, [](auto, auto) { return 9U; });
    EXPECT_THAT(valuesOf("pca(1)", planes), ElementsAre(0, 0, 0));
}

/// An image of colours, one a pixel, as many as it has pixels.
std::vector<ChannelPlane> imageOf(const std::vector<std::array<std::uint32_t, 3>>& colours,
                                  PixelType type = PixelType::u8) {
    std::vector<ChannelPlane> planes(3);
    const std::array names{"red", "green", "blue"};
    for (std::size_t c = 0; c < 3; ++c) {
        planes[c].channel.name = names[c];
        planes[c].image = testing::makeImage(type, static_cast<std::uint32_t>(colours.size()), 1,
                                             [&](std::uint32_t x, std::uint32_t) { return colours[x][c]; });
    }
    return planes;
}

TEST(Derivation, StainsEqualScikitImage) {
    // skimage.color.rgb2hed and, for hdx, separate_stains(rgb, hdx_from_rgb), by their formulas in NumPy.
    const std::vector<std::array<std::uint32_t, 3>> colours{{255, 255, 255}, {0, 0, 0},     {213, 57, 14},
                                                            {76, 72, 223},   {233, 1, 127}, {210, 33, 204}};
    const double hed[][3] = {{0.0, 0.0, 0.0},
                             {1.210167311189283, 0.0, 0.8819504551361967},
                             {0.0, 0.009008180183112183, 0.30862064140049406},
                             {0.1526759960496953, 0.010910348234784744, 0.0},
                             {0.0, 0.4243083669712283, 0.021408806896367323},
                             {0.006915704760246132, 0.14602417369175152, 0.0}};
    const auto planes = imageOf(colours);
    const std::array names{"haematoxylin", "eosin", "dab"};
    for (std::size_t k = 0; k < 3; ++k) {
        const auto values = valuesOf(std::string("stain(hed,") + names[k] + ")", planes);
        EXPECT_EQ(values, valuesOf("stain(hed," + std::to_string(k + 1) + ")", planes));
        for (std::size_t i = 0; i < colours.size(); ++i) {
            EXPECT_NEAR(values[i], hed[i][k], 1e-12) << names[k] << " " << i;
        }
    }
    EXPECT_NEAR(valuesOf("stain(hdx,dab)", planes)[2], 0.31068118272015977, 1e-12);
    EXPECT_NEAR(valuesOf("stain(hdab,1)", planes)[3], 0.15897174686564486, 1e-12);
}

TEST(Derivation, StainsOfNoiseEqualCramersRule) {
    using Rows = std::array<std::array<double, 3>, 3>;
    const auto determinant = [](const Rows& m) {
        return m[0][0] * m[1][1] * m[2][2] + m[0][1] * m[1][2] * m[2][0] + m[0][2] * m[1][0] * m[2][1] -
               m[0][2] * m[1][1] * m[2][0] - m[0][0] * m[1][2] * m[2][1] - m[0][1] * m[1][0] * m[2][2];
    };
    auto planes = noise(3, PixelType::u8, true, 17);
    const std::array names{"red", "green", "blue"};
    for (std::size_t c = 0; c < 3; ++c) {
        planes[c].channel.name = names[c];
    }
    const Rows hed{{{0.65, 0.70, 0.29}, {0.07, 0.99, 0.11}, {0.27, 0.57, 0.78}}};
    for (std::size_t k = 0; k < 3; ++k) {
        const auto naive = [&](const std::vector<double>& rgb) {
            Rows replaced = hed; // amounts * hed = densities
            for (std::size_t c = 0; c < 3; ++c) {
                replaced[k][c] = std::log(std::max(rgb[c] / 255, 1e-6)) / std::log(1e-6);
            }
            return std::max(0.0, determinant(replaced) / determinant(hed));
        };
        expectValues("stain(hed," + std::to_string(k + 1) + ")", planes, naive, 1e-12);
    }
}

TEST(Derivation, StainsSolveTheirEquations) {
    // Mixtures of known concentrations come back, for every set: density = log(1e-6) * concentrations * vectors.
    testing::Random random(3);
    for (const StainSet& set : stainSets()) {
        std::vector<std::array<std::uint32_t, 3>> colours;
        std::vector<StainVector> amounts;
        while (colours.size() < 20) {
            StainVector amount{};
            std::array<std::uint32_t, 3> colour{};
            std::ranges::generate(amount, [&] { return 0.0001 * (random() % 800); });
            bool fits = true;
            for (std::size_t c = 0; c < 3; ++c) {
                double density = 0;
                for (std::size_t stain = 0; stain < 3; ++stain) {
                    density += amount[stain] * set.vectors[stain][c];
                }
                const double level = 65535 * std::exp(density * std::log(1e-6));
                fits = fits && level <= 65535;
                colour[c] = static_cast<std::uint32_t>(std::lround(level));
            }
            if (fits) {
                colours.push_back(colour);
                amounts.push_back(amount);
            }
        }
        for (std::size_t k = 0; k < 3; ++k) {
            const auto values = valuesOf("stain(" + std::string(set.name) + "," + std::to_string(k + 1) + ")",
                                         imageOf(colours, PixelType::u16), 65535);
            for (std::size_t i = 0; i < values.size(); ++i) {
                EXPECT_NEAR(values[i], amounts[i][k], 2e-3) << set.name << " " << k;
            }
        }
    }
}

TEST(Derivation, OwnVectorsGiveTheSameAsTheirSet) {
    const auto planes = imageOf({{10, 40, 200}, {90, 30, 70}, {200, 220, 250}});
    EXPECT_EQ(valuesOf("stain([0.65, 0.70, 0.29; 0.07, 0.99, 0.11], 2)", planes), valuesOf("stain(he,eosin)", planes));
    EXPECT_EQ(valuesOf("stain([0.65,0.7,0.29;0.07,0.99,0.11;0.27,0.57,0.78],3)", planes),
              valuesOf("stain(hed,dab)", planes));
}

TEST(Derivation, MacenkoFindsTheStainsOfMixtures) {
    // Pixels of two stains in known amounts, among empty background.
    const StainVector haematoxylin{0.65, 0.70, 0.29};
    const StainVector eosin{0.07, 0.99, 0.11};
    testing::Random random(9);
    std::vector<std::array<std::uint32_t, 3>> colours;
    std::vector<std::array<double, 2>> amounts;
    for (int i = 0; i < 4000; ++i) {
        const double share = i % 20 == 0 ? 0 : i % 20 == 1 ? 1 : 0.001 * (random() % 1000);
        const double amount = i % 3 == 0 ? 0 : 0.8 + 0.001 * (random() % 1000);
        amounts.push_back({amount * share, amount * (1 - share)});
        std::array<std::uint32_t, 3> colour{};
        for (std::size_t c = 0; c < 3; ++c) {
            const double density = amounts.back()[0] * haematoxylin[c] + amounts.back()[1] * eosin[c];
            colour[c] = static_cast<std::uint32_t>(std::lround(65535 * std::pow(10, -density)));
        }
        colours.push_back(colour);
    }
    const auto planes = imageOf(colours, PixelType::u16);
    const double lengths[] = {std::hypot(0.65, 0.70, 0.29), std::hypot(0.07, 0.99, 0.11)}; // found ones have length 1
    for (std::size_t k = 0; k < 2; ++k) {
        const auto values = valuesOf("macenko(" + std::to_string(k + 1) + ")", planes, 65535);
        double worst = 0;
        for (std::size_t i = 0; i < values.size(); ++i) {
            worst = std::max(worst, std::abs(values[i] - amounts[i][k] * lengths[k]));
        }
        EXPECT_LT(worst, 0.12) << k;
    }
    const auto empty = imageOf(std::vector<std::array<std::uint32_t, 3>>(50, {250, 250, 250}));
    EXPECT_THROW((void)valuesOf("macenko(1)", empty), Error);
}

TEST(Derivation, MacenkoOfPureStainsIsExact) {
    const StainVector haematoxylin{0.65, 0.70, 0.29};
    const StainVector eosin{0.2, 0.9, 0.3};
    const std::vector<std::array<double, 2>> amounts{{1, 0}, {0, 1}, {0.5, 0.5}, {0, 0}}; // the last is no stain
    std::vector<std::array<std::uint32_t, 3>> colours;
    for (const auto& [first, second] : amounts) {
        auto& colour = colours.emplace_back();
        for (std::size_t c = 0; c < 3; ++c) {
            const double density = first * haematoxylin[c] + second * eosin[c];
            colour[c] = static_cast<std::uint32_t>(std::lround(65535 * std::pow(10, -density)));
        }
    }
    const auto planes = imageOf(colours, PixelType::u16);
    const double lengths[] = {std::hypot(0.65, 0.70, 0.29), std::hypot(0.2, 0.9, 0.3)}; // found ones have length 1
    for (std::size_t k = 0; k < 2; ++k) {
        const auto values = valuesOf("macenko(" + std::to_string(k + 1) + ")", planes, 65535);
        for (std::size_t i = 0; i < amounts.size(); ++i) {
            EXPECT_NEAR(values[i], amounts[i][k] * lengths[k], 1e-3) << k << ", " << i;
        }
    }
}

TEST(Derivation, DoesNotDependOnTheNumberOfThreads) {
    const auto planes = noise(5, PixelType::u16, true, 21, 700, 600);
    const auto bits = [](const std::vector<double>& values) {
        std::vector<std::uint64_t> all;
        std::ranges::transform(values, std::back_inserter(all),
                               [](double v) { return std::bit_cast<std::uint64_t>(v); });
        return all;
    };
    const auto many = bits(valuesOf("pca(2)", planes));
    const tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
    EXPECT_EQ(bits(valuesOf("pca(2)", planes)), many);
}

TEST(Derivation, Stops) {
    const auto planes = noise(2, PixelType::u8, false, 1);
    std::stop_source stop;
    stop.request_stop();
    for (const char* text : {"sum(all)", "pca(1)"}) {
        EXPECT_THROW((void)Derivation::parse(text).values(planes, 255, JobControl{stop.get_token()}), Cancelled);
    }
}

TEST(Derivation, TextsAreCanonicalAndReadBack) {
    for (const auto& [text, canonical] : std::vector<std::pair<std::string, std::string>>{
             {"NDVI", "ndvi"},
             {" nd ( nir , red ) ", "nd(nir,red)"},
             {"Sum(ALL)", "sum(all)"},
             {"sum(\"all\")", "sum(\"all\")"},
             {"max(DAPI,\"a \"\"b\"\", (c)\",2)", "max(DAPI,\"a \"\"b\"\", (c)\",2)"},
             {"mean(two words,x)", "mean(\"two words\",x)"},
             {"ratio(B8A,B04)", "ratio(B8A,B04)"},
             {"PCA(3)", "pca(3)"},
             {"stain(HED,Hematoxylin)", "stain(hed,haematoxylin)"},
             {"stain(fgx,2)", "stain(feulgen,lightgreen)"},
             {"stain([ 0.650, .7,0.29 ;0.07,0.99,0.11 ],3)", "stain([0.65,0.7,0.29;0.07,0.99,0.11],3)"},
             {"macenko(2)", "macenko(2)"},
         }) {
        const Derivation derivation = Derivation::parse(text);
        EXPECT_EQ(derivation.text(), canonical);
        EXPECT_EQ(Derivation::parse(derivation.text()), derivation) << canonical;
        EXPECT_TRUE(Derivation::isExpression(text));
    }
    for (const char* name : {"DAPI", "red", "3", "DAPI (405)", "", "all"}) {
        EXPECT_FALSE(Derivation::isExpression(name)) << name;
    }
}

TEST(Derivation, MistakesAreNamedWithTheirPlace) {
    EXPECT_THAT(problemOf("frobnicate(1)"), HasSubstr("sum(A,B,..)"));
    EXPECT_THAT(problemOf("frobnicate(1)"), HasSubstr("ndvi"));
    EXPECT_THAT(problemOf("nd(1"), HasSubstr("character 5: expected )"));
    EXPECT_THAT(problemOf("nd(1)"), HasSubstr("expected nd(A,B)"));
    EXPECT_THAT(problemOf("nd(1,2)x"), HasSubstr("character 8: expected the end"));
    EXPECT_THAT(problemOf("sum()"), HasSubstr("character 5"));
    EXPECT_THAT(problemOf("sum(\"a)"), HasSubstr("expected \""));
    EXPECT_THAT(problemOf("sum(a(b))"), HasSubstr("character 6"));
    EXPECT_THAT(problemOf("ndvi(1)"), HasSubstr("expected one of"));
    EXPECT_THAT(problemOf("pca(0)"), HasSubstr("character 5"));
    EXPECT_THAT(problemOf("pca(2)"), HasSubstr("1 components"));
    EXPECT_THAT(problemOf("stain(hee,1)"), HasSubstr("feulgen"));
    EXPECT_THAT(problemOf("stain(hed,4)"), HasSubstr("from 1 to 3"));
    EXPECT_THAT(problemOf("stain(hed,pas)"), HasSubstr("haematoxylin, eosin, dab"));
    EXPECT_THAT(problemOf("stain([1,2,3],1)"), HasSubstr("two or three vectors"));
    EXPECT_THAT(problemOf("stain([1,2,3;2,4,6],1)"), HasSubstr("one plane"));
    EXPECT_THAT(problemOf("stain([1,2,3;2,4,6,1)"), HasSubstr("character 7: expected ]"));
    EXPECT_THAT(problemOf("stain(hed,1)"), HasSubstr("red, green and blue"));
    EXPECT_THAT(problemOf("sum(a,b)"), HasSubstr("no channel is b; there are: a"));
    EXPECT_THAT(problemOf("ndvi"), HasSubstr("nd(3,0)"));
    EXPECT_THAT(problemOf("sum(" + std::string(70, ',') + ")"), HasSubstr("character"));
}

TEST(Derivation, FindsChannelsByNameNumberAndColour) {
    const auto channels = channelsNamed({"blue", "Green", "red", "alpha", "1"});
    const auto inputs = [&](const char* text) { return Derivation::parse(text).inputs(channels); };
    EXPECT_THAT(inputs("sum(all)"), ElementsAre(0, 1, 2, 4)) << "transparency is no channel of the scene";
    EXPECT_THAT(inputs("max(green,3,1,BLUE)"), ElementsAre(1, 3, 4, 0)) << "a name comes before a number";
    EXPECT_THAT(inputs("stain(he,1)"), ElementsAre(2, 1, 0));
    EXPECT_THAT(Derivation::parse("macenko(1)").inputs(channelsNamed({"x", "y", "z"})), ElementsAre(0, 1, 2));
    EXPECT_EQ(Derivation::parse("nd(2,1)").describe(channels), "nd(red,1)");
    EXPECT_EQ(Derivation::parse("ndvi").describe(channelsNamed({"red", "near infrared"})),
              "ndvi = nd(\"near infrared\",red)");
}

TEST(Derivation, BandsAreThoseOfNamesSensorsAndWavelengths) {
    const auto inputs = [](const char* index, const std::vector<std::string>& names) {
        return Derivation::parse(index).inputs(channelsNamed(names));
    };
    EXPECT_THAT(inputs("ndvi", {"Red", "NIR"}), ElementsAre(1, 0));
    EXPECT_THAT(inputs("ndvi", {"red", "Red Edge", "Near-Infrared"}), ElementsAre(2, 0));
    EXPECT_THAT(inputs("nbr", {"B02", "B03", "B04", "B08", "B8A", "B11", "B12"}), ElementsAre(3, 6));
    EXPECT_THAT(inputs("ndwi", {"B4, central wavelength 665 nm", "B3, central wavelength 560 nm", "B2", "B8"}),
                ElementsAre(1, 3));
    EXPECT_THROW((void)inputs("ndvi", {"B1", "B2", "B3", "B4", "B5", "B6", "B7", "B8"}), Error) << "Landsat 8, or 7?";
    EXPECT_THROW((void)inputs("ndvi", {"red", "green", "blue"}), Error);

    auto channels = channelsNamed({"a", "b", "c", "d", "e"});
    for (std::size_t i = 0; const double wavelength : {665, 783, 842, 865, 1610}) {
        channels[i++].wavelength = wavelength;
    }
    EXPECT_THAT(Derivation::parse("ndvi").inputs(channels), ElementsAre(2, 0)) << "closest to the centre of the band";
    EXPECT_THAT(Derivation::parse("ndbi").inputs(channels), ElementsAre(4, 2));
    EXPECT_THROW((void)Derivation::parse("ndwi").inputs(channels), Error) << "there is no green";
}

} // namespace
} // namespace pollard
