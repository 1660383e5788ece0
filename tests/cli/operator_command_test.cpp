// operator: results of core in files, units, values, recipes, and refused arguments.

#include "cli_fixture.hpp"

#include "formats/tiff/tiff_writer.hpp"
#include "io/image_file.hpp"
#include "recipe/recipe.hpp"
#include "support/channel_files.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace pollard::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class OperatorCommand : public CliTest {
protected:
    /// A row of pixels.
    void write(const std::string& name, const std::vector<std::uint8_t>& levels) const {
        Image image(PixelType::u8, static_cast<std::uint32_t>(levels.size()), 1);
        std::ranges::copy(levels, image.pixels<std::uint8_t>().begin());
        writeTiff(path(name), {image, {}});
    }
    [[nodiscard]] std::vector<double> valuesOf(const std::string& name) const {
        const LoadedImage loaded = readImage(path(name));
        std::vector<double> values;
        for (std::size_t i = 0; i < loaded.image->pixelCount(); ++i) {
            values.push_back(valueOf(loaded.info.mapping, loaded.image->level(i)));
        }
        return values;
    }
};

TEST_F(OperatorCommand, WritesWhatARecipeWrites) {
    write("row.tif", {5, 5, 9, 5, 5, 7, 7, 7});
    const Outcome made = call(
        {"operator", path("row.tif"), "--operator", "opening", "--radius", "1", "-o", path("opened.tif"), "--json"});
    ASSERT_EQ(made.code, 0) << made.err;
    EXPECT_EQ(made.json().at("operator"), "opening");
    EXPECT_THAT(valuesOf("opened.tif"), ElementsAre(5, 5, 5, 5, 5, 7, 7, 7));
    saveRecipe({"opened", "", "", {OperatorStep{{OperatorKind::opening}}}}, path("r.json"));
    ASSERT_EQ(call({"run", path("r.json"), path("row.tif"), "-o", path("out")}).code, 0);
    EXPECT_EQ(valuesOf("out/row.tif"), valuesOf("opened.tif"));
}

TEST_F(OperatorCommand, ReconstructsFromTheMarkedPixelsOfAFile) {
    write("row.tif", {1, 5, 9, 2, 7, 8, 1});
    write("marks.tif", {0, 3, 0, 0, 0, 0, 0});
    write("short.tif", {0, 3});
    const auto made = [&](const std::string& marker) {
        return call({"operator", path("row.tif"), "--operator", "reconstruction-by-dilation", "--marker", path(marker),
                     "-o", path("made.tif")});
    };
    ASSERT_EQ(made("marks.tif").code, 0);
    EXPECT_THAT(valuesOf("made.tif"), ElementsAre(1, 5, 5, 2, 2, 2, 1));
    OperatorStep step{{OperatorKind::reconstructionByDilation}};
    step.spec.marker = "marks.tif"; // beside the recipe
    saveRecipe({"marked", "", "", {step}}, path("r.json"));
    ASSERT_EQ(call({"run", path("r.json"), path("row.tif"), "-o", path("out")}).code, 0);
    EXPECT_EQ(valuesOf("out/row.tif"), valuesOf("made.tif"));
    const Outcome other = made("short.tif");
    EXPECT_EQ(other.code, 1);
    EXPECT_THAT(other.err, HasSubstr("short.tif: has 2 x 1 px, the image 7 x 1 px"));
    const Outcome without =
        call({"operator", path("row.tif"), "--operator", "reconstruction-by-erosion", "-o", path("made.tif")});
    EXPECT_EQ(without.code, 2);
    EXPECT_THAT(without.err, HasSubstr("option: '--marker': is missing"));
}

TEST_F(OperatorCommand, ReconstructsFromTheValuesOfAGreyMarker) {
    write("row.tif", {1, 5, 9, 2, 7, 8, 1});
    write("marks.tif", {0, 0, 7, 0, 0, 200, 0});
    const auto made = [&](const std::string& kind, std::vector<std::string> more) {
        Args args{"operator", path("row.tif"), "--operator", kind, "-o", path("made.tif")};
        args.insert(args.end(), more.begin(), more.end());
        return call(args);
    };
    ASSERT_EQ(made("reconstruction-by-dilation", {"--marker", path("marks.tif"), "--grey-marker"}).code, 0);
    EXPECT_THAT(valuesOf("made.tif"), ElementsAre(1, 5, 7, 2, 7, 8, 1));
    OperatorStep step{{OperatorKind::reconstructionByDilation}};
    step.spec.marker = "marks.tif";
    step.spec.greyMarker = true;
    saveRecipe({"marked", "", "", {step}}, path("r.json"));
    ASSERT_EQ(call({"run", path("r.json"), path("row.tif"), "-o", path("out")}).code, 0);
    EXPECT_EQ(valuesOf("out/row.tif"), valuesOf("made.tif"));
    ASSERT_EQ(made("reconstruction-by-erosion", {"--marker", path("marks.tif"), "--grey-marker"}).code, 0);
    EXPECT_THAT(valuesOf("made.tif"), ElementsAre(1, 5, 9, 2, 7, 8, 1)) << "above the image at one pixel only";
    EXPECT_THAT(made("opening", {"--radius", "1", "--grey-marker"}).err, HasSubstr("'--grey-marker': needs --marker"));
}

TEST_F(OperatorCommand, TakesTheMarkerFromAChannel) {
    write("row.tif", {1, 5, 9, 2, 7, 8, 1});
    const auto level = [](int channel, std::uint32_t x, std::uint32_t) { return x == 5 ? 3 * channel : 0; };
    using test::makeChannel;
    test::writeChannelPages(path("marks.tif"), {makeChannel("none"), makeChannel("DAPI"), makeChannel("GFP")}, 7, 1,
                            level);
    const auto made = [&](const std::string& channel, std::vector<std::string> more) {
        Args args{"operator", path("row.tif"), "--operator", "reconstruction-by-dilation", "-o", path("made.tif")};
        args.insert(args.end(), {"--marker-channel", channel});
        args.insert(args.end(), more.begin(), more.end());
        return call(args);
    };
    ASSERT_EQ(made("DAPI", {"--marker", path("marks.tif")}).code, 0);
    EXPECT_THAT(valuesOf("made.tif"), ElementsAre(1, 2, 2, 2, 7, 8, 1));
    ASSERT_EQ(made("GFP", {"--marker", path("marks.tif"), "--grey-marker"}).code, 0);
    EXPECT_THAT(valuesOf("made.tif"), ElementsAre(1, 2, 2, 2, 6, 6, 1));
    OperatorStep step{{OperatorKind::reconstructionByDilation}};
    step.spec.marker = "marks.tif";
    step.spec.markerChannel = ChannelChoice::parse("GFP");
    step.spec.greyMarker = true;
    saveRecipe({"marked", "", "", {step}}, path("r.json"));
    ASSERT_EQ(call({"run", path("r.json"), path("row.tif"), "-o", path("out")}).code, 0);
    EXPECT_EQ(valuesOf("out/row.tif"), valuesOf("made.tif"));
    EXPECT_THAT(made("RFP", {"--marker", path("marks.tif")}).err, HasSubstr("RFP"));
    EXPECT_THAT(made("DAPI", {}).err, HasSubstr("'--marker'"));
}

TEST_F(OperatorCommand, WritesLengthsAsNumbersInTheUnit) {
    write("row.tif", {0, 1, 1, 1, 0, 1});
    ASSERT_EQ(call({"operator", path("row.tif"), "--operator", "distance", "-o", path("px.tif")}).code, 0);
    EXPECT_THAT(valuesOf("px.tif"), ElementsAre(0, 1, 2, 1, 0, 1));
    EXPECT_EQ(readImageInfo(path("px.tif")).sampleFormat, "float");
    ASSERT_EQ(call({"operator", path("row.tif"), "--pixel-size", "0.5um", "--operator", "distance", "--unit", "um",
                    "-o", path("um.tif")})
                  .code,
              0);
    EXPECT_THAT(valuesOf("um.tif"), ElementsAre(0, .5, 1, .5, 0, .5));
    const Outcome without =
        call({"operator", path("row.tif"), "--operator", "distance", "--unit", "um", "-o", path("no.tif")});
    EXPECT_EQ(without.code, 1);
    EXPECT_THAT(without.err, HasSubstr("distance: unit 'um': "));
}

TEST_F(OperatorCommand, RefusesParametersThatTheOperatorLacks) {
    write("row.tif", {0, 1});
    const auto errorOf = [&](std::vector<std::string> more) {
        Args args{"operator", path("row.tif"), "-o", path("no.tif"), "--operator"};
        args.insert(args.end(), more.begin(), more.end());
        const Outcome outcome = call(args);
        EXPECT_EQ(outcome.code, 2);
        return outcome.err;
    };
    EXPECT_THAT(errorOf({"opening"}), HasSubstr("option: '--radius': is missing; opening needs it"));
    EXPECT_THAT(errorOf({"skeleton", "--radius", "1"}), HasSubstr("option: '--radius': is not of skeleton"));
    EXPECT_THAT(errorOf({"gaussian"}), HasSubstr("'--sigma': is missing"));
    EXPECT_THAT(errorOf({"median", "--radius", "1", "--connectivity", "8"}), HasSubstr("median has no neighbours"));
    EXPECT_THAT(errorOf({"nothing"}), HasSubstr("nothing"));
    const Outcome negative =
        call({"operator", path("row.tif"), "--operator", "erosion", "--radius", "-1", "-o", path("no.tif")});
    EXPECT_EQ(negative.code, 1);
    EXPECT_THAT(negative.err, HasSubstr("erosion: radius -1 px: must be from 0 to 10000 px"));
}

} // namespace
} // namespace pollard::cli
