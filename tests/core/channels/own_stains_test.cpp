// Stain vectors from places of an image, and their expressions.
#include "channels/stains.hpp"

#include "base/error.hpp"
#include "channels/derivation.hpp"
#include "support/random_images.hpp"

#include <gmock/gmock.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

namespace pollard {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Red, green and blue of noise, with 0 among the values.
std::vector<ChannelPlane> colours(PixelType type, std::uint32_t width, std::uint32_t height, bool gaps = false) {
    testing::Random random(width * 31 + height);
    std::vector<ChannelPlane> planes(3);
    for (ChannelPlane& plane : planes) {
        plane.image = testing::makeImage(type, width, height, [&](std::uint32_t, std::uint32_t) {
            return random() % 5 == 0 ? 0 : random() & maxLevelOf(type);
        });
        if (gaps) {
            auto mask = std::make_shared<Mask>(width, height, true);
            mask->set(random() % width, random() % height, false);
            plane.valid = mask;
        }
    }
    return planes;
}

TEST(OwnStains, DensityIsTheMeanOverPixelsWithData) {
    for (const PixelType type : {PixelType::u8, PixelType::u16}) {
        for (const auto& [width, height] : {std::array{1U, 1U}, {1U, 9U}, {13U, 1U}, {17U, 11U}}) {
            const bool gaps = width * height > 100;
            const std::vector<ChannelPlane> planes = colours(type, width, height, gaps);
            const double white = maxLevelOf(type);
            StainVector expected{};
            double count = 0;
            for (std::uint32_t i = 0; i < width * height; ++i) {
                bool valid = true;
                for (const ChannelPlane& plane : planes) {
                    valid = valid && (!plane.valid || plane.valid->test(i % width, i / width));
                }
                for (std::size_t c = 0; valid && c < 3; ++c) {
                    expected[c] -= std::log10(std::max(planes[c].valueOf(i), 1.0) / white);
                }
                count += valid ? 1 : 0;
            }
            EXPECT_EQ(count != width * height, gaps);
            const StainVector density = densityOf(planes, white);
            for (std::size_t c = 0; c < 3; ++c) {
                EXPECT_NEAR(density[c], expected[c] / count, 1e-12);
            }
        }
    }
}

TEST(OwnStains, FloatingPointSamplesMayBeDark) {
    std::vector<ChannelPlane> planes = colours(PixelType::u8, 1, 1);
    for (std::size_t c = 0; c < 3; ++c) {
        planes[c].image = testing::makeImage(PixelType::u8, 1, 1, [&](auto, auto) { return c == 0 ? 0 : 1; });
        planes[c].mapping = ValueMapping{.offset = 0, .step = 0.01};
    }
    const StainVector density = densityOf(planes, 1);
    EXPECT_NEAR(density[0], 6, 1e-12);
    EXPECT_NEAR(density[1], 2, 1e-12);
}

TEST(OwnStains, VectorHasUnitLengthWithoutTheBackground) {
    EXPECT_THAT(stainVectorOf({0.3, 0.4, 0}), ElementsAre(0.6, 0.8, 0));
    EXPECT_THAT(stainVectorOf({0.4, 0.5, 0.05}, {0.1, 0.1, 0.1}), ElementsAre(0.6, 0.8, 0)) << "no light is added";
    EXPECT_THAT(stainVectorOf({1, 1, 1}), ElementsAre(0.57735, 0.57735, 0.57735)) << "six decimals";
}

TEST(OwnStains, EmptyPlacesHaveNoVector) {
    const auto problemOf = [](const auto& call) {
        try {
            (void)call();
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string("no error");
    };
    EXPECT_THAT(problemOf([] { return stainVectorOf({0, 0, 0}); }), HasSubstr("hardly darker"));
    EXPECT_THAT(problemOf([] { return stainVectorOf({0.2, 0.1, 0.1}, {0.2, 0.2, 0.1}); }), HasSubstr("hardly darker"));
    std::vector<ChannelPlane> planes = colours(PixelType::u8, 3, 2);
    planes[1].valid = std::make_shared<Mask>(3, 2, false);
    EXPECT_THAT(problemOf([&] { return densityOf(planes, 255); }), HasSubstr("no pixel"));
}

TEST(OwnStains, ExpressionsReadBackAsTheSameNumbers) {
    testing::Random random(5);
    for (int repeat = 0; repeat < 100; ++repeat) {
        std::vector<CustomStain> stains(repeat % 2 == 0 ? 2 : 3);
        for (std::size_t i = 0; i < stains.size(); ++i) {
            stains[i].name = (repeat + static_cast<int>(i)) % 3 == 0 ? "" : "Stain " + std::to_string(i) + " µ-é";
            for (double& part : stains[i].vector) {
                part = static_cast<double>(random()) / 4294967296.0;
            }
        }
        for (std::size_t number = 0; number < 3; ++number) {
            const std::string text = stainText(stains, number);
            ASSERT_TRUE(Derivation::isExpression(text));
            const Derivation derivation = Derivation::parse(text);
            EXPECT_EQ(derivation.text(), text);
            EXPECT_EQ(derivation.customStains(), stains) << text;
        }
    }
    EXPECT_TRUE(Derivation::parse("stain(he,1)").customStains().empty());
}

TEST(OwnStains, NamesChooseAStain) {
    const std::string named = "stain([ Brown = .27,0.57,0.78 ;Blue=0.65,0.7,0.29],";
    EXPECT_EQ(Derivation::parse(named + "blue)").text(), "stain([Brown=0.27,0.57,0.78;Blue=0.65,0.7,0.29],Blue)");
    EXPECT_EQ(Derivation::parse(named + " 2 )").text(), Derivation::parse(named + "BLUE)").text());
    EXPECT_EQ(Derivation::parse(named + "3)").text(), "stain([Brown=0.27,0.57,0.78;Blue=0.65,0.7,0.29],3)");
    const std::vector<ChannelPlane> planes = colours(PixelType::u8, 17, 11);
    const auto values = Derivation::parse(named + "blue)").values(planes, 255);
    const auto plain = Derivation::parse("stain([0.27,0.57,0.78;0.65,0.7,0.29],2)").values(planes, 255);
    EXPECT_TRUE(std::ranges::equal(values, plain));
    for (const char* const mistake :
         {"stain([1=1,0,0;0,1,0],1)", "stain([=1,0,0;0,1,0],1)", "stain([a=1,0,0;A=0,1,0],1)",
          "stain([a=1,0,0;b=0,1,0],c)", "stain([1,0,a=0;0,1,0],1)"}) {
        EXPECT_THROW((void)Derivation::parse(mistake), Error) << mistake;
    }
}

TEST(OwnStains, SpacedTextsMeanTheSame) {
    const std::string text = "stain([DAB=0.27,0.57,0.78;0.65,0.7,0.29],DAB)";
    EXPECT_EQ(spacedText(text), "stain([DAB=0.27, 0.57, 0.78; 0.65, 0.7, 0.29], DAB)");
    EXPECT_EQ(Derivation::parse(spacedText(text)).text(), text);
    EXPECT_EQ(Derivation::parse(text).describe({}), spacedText(text));
    EXPECT_EQ(spacedText("nd(\"a,b\",c)"), "nd(\"a,b\", c)");
}

TEST(OwnStains, NamesAreFreeOfPunctuation) {
    EXPECT_EQ(stainNameOf(" DAB (brown) "), "DAB brown");
    EXPECT_EQ(stainNameOf("a=b;c,[\"d\"]"), "abcd");
    EXPECT_EQ(stainNameOf("12"), "");
    EXPECT_EQ(stainNameOf(" ( "), "");
}

} // namespace
} // namespace pollard
