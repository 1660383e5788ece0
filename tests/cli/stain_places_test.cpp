// info --stain-at: stain vectors from places of an image.
#include "cli_fixture.hpp"

#include "io/write/image_writer.hpp"

#include <array>
#include <cmath>
#include <cstdint>

namespace pollard::cli {
namespace {

using ::testing::HasSubstr;

/// 30 x 10 px: 10 columns each of white, of a stain that lets (100, 200, 255) pass, and of one with (250, 180, 90).
class StainPlaces : public CliTest {
protected:
    StainPlaces() {
        const auto writer = makeRgbWriter(path("s.ppm"), RgbFormat::tiff, 30, 10);
        std::vector<std::uint8_t> rgb;
        for (int pixel = 0; pixel < 300; ++pixel) {
            for (std::size_t c = 0; c < 3; ++c) {
                rgb.push_back(kColours[static_cast<std::size_t>(pixel % 30 / 10)][c]);
            }
        }
        writer->write(rgb);
        writer->finish();
    }
    static constexpr std::array<std::array<std::uint8_t, 3>, 3> kColours{
        {{255, 255, 255}, {100, 200, 255}, {250, 180, 90}}};
    [[nodiscard]] static double expected(std::size_t stain, std::size_t channel) {
        double squares = 0;
        for (const std::uint8_t value : kColours[stain]) {
            squares += std::pow(std::log(value / 255.0), 2);
        }
        return -std::log(kColours[stain][channel] / 255.0) / std::sqrt(squares);
    }
};

TEST_F(StainPlaces, GiveVectorsAndExpressions) {
    const Outcome outcome =
        call({"info", path("s.ppm"), "--stain-at", "Blue=11,1,8,8", "--stain-at", "20,0,10,10", "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Json stains = outcome.json().at("stains");
    ASSERT_EQ(stains.size(), 2U);
    EXPECT_EQ(stains[0].at("name"), "Blue");
    for (std::size_t stain = 0; stain < 2; ++stain) {
        for (std::size_t c = 0; c < 3; ++c) {
            EXPECT_NEAR(stains[stain].at("vector")[c].get<double>(), expected(stain + 1, c), 1e-6);
        }
    }
    // Where one stain is pure, the other has no amount.
    const auto meanAt = [&](const std::string& expression, const std::string& part) {
        const Outcome values = call({"info", path("s.ppm"), "--derive", expression, "--region", part, "--json"});
        EXPECT_EQ(values.code, 0) << values.err;
        return values.json().at("mean").get<double>();
    };
    const std::string first = stains[0].at("expression");
    const std::string second = stains[1].at("expression");
    EXPECT_THAT(first, HasSubstr("Blue="));
    EXPECT_NEAR(meanAt(first, "20,0,10,10"), 0, 1e-6);
    EXPECT_NEAR(meanAt(second, "10,0,10,10"), 0, 1e-6);
    EXPECT_GT(meanAt(first, "10,0,10,10"), 0.05);
    EXPECT_GT(meanAt(second, "20,0,10,10"), 0.05);
    const Outcome text = call({"info", path("s.ppm"), "--stain-at", "Blue=11,1,8,8"});
    EXPECT_THAT(text.out, HasSubstr("Blue"));
    EXPECT_EQ(call({"info", path("s.ppm"), "--json"}).json().count("stains"), 0U);
}

TEST_F(StainPlaces, TheBackgroundIsOnePlaceOfTheImage) {
    // Seen through the first stain, the second place has the difference of both.
    const Outcome outcome =
        call({"info", path("s.ppm"), "--stain-at", "20,0,10,10", "--background-at", "10,0,10,10", "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const double green = std::log(200 / 180.0);
    const double blue = std::log(255 / 90.0);
    const Json vector = outcome.json().at("stains")[0].at("vector");
    EXPECT_EQ(vector[0], 0) << "brighter in red";
    EXPECT_NEAR(vector[1].get<double>(), green / std::hypot(green, blue), 1e-6);
    EXPECT_TRUE(outcome.json().at("stains")[0].at("expression").is_null());
}

TEST_F(StainPlaces, MistakesAreNamed) {
    const Outcome white = call({"info", path("s.ppm"), "--stain-at", "0,0,5,5"});
    EXPECT_NE(white.code, 0);
    EXPECT_THAT(white.err, HasSubstr("hardly darker"));
    EXPECT_NE(call({"info", path("s.ppm"), "--stain-at", "2=0,0,5,5"}).code, 0);
    EXPECT_NE(call({"info", path("s.ppm"), "--stain-at", "a=0,0,5"}).code, 0);
    EXPECT_NE(call({"info", path("s.ppm"), "--background-at", "0,0,5,5"}).code, 0);
}

} // namespace
} // namespace pollard::cli
