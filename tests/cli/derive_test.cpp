// --derive: values computed from the channels of an image.
#include "cli_fixture.hpp"

#include "formats/tiff/tiff_writer.hpp"

#include <cmath>
#include <fstream>
#include <iterator>

namespace pollard::cli {
namespace {

using ::testing::HasSubstr;

class Derive : public CliTest {
protected:
    /// Pages "red" of 10 and "nir" of 10 .. 61, a level for every column.
    void makeBands() const {
        PlaneFacts facts;
        facts.scene.axes = {{'c', 2, {"red", "nir"}}};
        const auto pageOf = [&](int page, const JobControl& /*control*/) {
            auto image = std::make_shared<Image>(PixelType::u8, kWidth, 4);
            for (std::size_t i = 0; i < image->pixelCount(); ++i) {
                image->pixels<std::uint8_t>()[i] = static_cast<std::uint8_t>(10 + (page == 1 ? i % kWidth : 0));
            }
            return Plane{ownedRows(image), facts};
        };
        writeTiff(path("b.tif"), {2, pageOf}, {.arePages = true});
    }
    static constexpr std::uint32_t kWidth = 52;
};

TEST_F(Derive, InfoShowsValuesOfAnIndex) {
    makeBands();
    const Outcome outcome = call({"info", path("b.tif"), "--derive", "ndvi", "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Json info = outcome.json();
    EXPECT_EQ(info.at("mapping").at("offset"), -1);
    EXPECT_EQ(info.at("mapping").at("minimum"), 0);
    EXPECT_NEAR(info.at("mapping").at("maximum").get<double>(), 51.0 / 71, 1e-12);
    const Outcome same = call({"info", path("b.tif"), "--channel", "nd(nir,red)", "--json"});
    EXPECT_EQ(same.json().at("mapping"), info.at("mapping"));
}

TEST_F(Derive, ResultsAreTheirValues) {
    makeBands();
    const Outcome outcome =
        call({"filter", path("b.tif"), "--derive", "ndvi", "--keep", "area>=1", "-o", path("o.tif")});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const LoadedImage result = readImage(path("o.tif"));
    ASSERT_TRUE(result.info.mapping);
    EXPECT_EQ(result.info.sampleFormat, "float");
    EXPECT_NEAR(result.info.mapping->valueOf(result.image->level(51)), 51.0 / 71, 1e-6);
    std::ifstream file(path("o.tif"), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    EXPECT_THAT(bytes, HasSubstr("channel=ndvi")) << "the channel's name";
}

TEST_F(Derive, RefusesMistakes) {
    makeBands();
    const Outcome both = call({"info", path("b.tif"), "--derive", "ndvi", "--channel", "red"});
    EXPECT_EQ(both.code, 2);
    EXPECT_THAT(both.err, HasSubstr("--channel"));
    for (const char* bad : {"nd(1", "blur(1)", "red", ""}) {
        const Outcome outcome = call({"info", path("b.tif"), "--derive", bad});
        EXPECT_EQ(outcome.code, 2) << bad;
        EXPECT_THAT(outcome.err, HasSubstr("--derive")) << bad;
    }
    const Outcome missing = call({"info", path("b.tif"), "--derive", "ndwi"});
    EXPECT_EQ(missing.code, 1);
    EXPECT_THAT(missing.err, HasSubstr("no channel is green; there are: red, nir; name the bands"));
}

} // namespace
} // namespace pollard::cli
