// pollard-cli watershed: reliefs, seeds, values with units, volumes, refused combinations.
#include "cli_fixture.hpp"

#include "analysis/relief.hpp"
#include "analysis/seeds.hpp"
#include "analysis/watershed.hpp"
#include "components/threshold.hpp"
#include "cpu/cpu_engine.hpp"
#include "engine/engine.hpp"
#include "engine/find_seeds.hpp"
#include "formats/tiff/tiff_writer.hpp"
#include "io/label_file.hpp"
#include "support/random_images.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <string>
#include <tiffio.h>
#include <vector>

namespace pollard::cli {
namespace {

using ::testing::ElementsAre;

class WatershedCommand : public CliTest {
protected:
    /// Writes the levels of one row, as a TIFF of 8 bits.
    void writeRow(const std::string& name, const std::vector<int>& levels) {
        const auto image = testing::makeImage(PixelType::u8, static_cast<std::uint32_t>(levels.size()), 1,
                                              [&](auto x, auto) { return levels[x]; });
        writeTiff(path(name), *image);
    }
    void write(const std::string& name, const std::string& content) { std::ofstream(path(name)) << content; }

    /// Labels that the command writes.
    [[nodiscard]] std::vector<std::uint32_t> labels(Args args, int page = 0) {
        args.insert(args.begin(), "watershed");
        args.insert(args.end(), {"-o", path("labels.tif")});
        const Outcome outcome = call(args);
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        if (outcome.code != 0) {
            return {};
        }
        ReadOptions read;
        read.page = page;
        const StoredLabels found = readLabels(path("labels.tif"), read);
        return {found.labels.begin(), found.labels.end()};
    }
    [[nodiscard]] std::string failure(Args args) {
        args.insert(args.begin(), "watershed");
        args.insert(args.end(), {"-o", path("labels.tif")});
        const Outcome outcome = call(args);
        EXPECT_NE(outcome.code, 0);
        EXPECT_FALSE(std::filesystem::exists(path("labels.tif")));
        return outcome.err;
    }
};

TEST_F(WatershedCommand, FloodsBrightOrDarkObjects) {
    writeRow("r.tif", {0, 9, 4, 6, 2, 8, 8});
    EXPECT_THAT(labels({path("r.tif")}), ElementsAre(1, 1, 1, 2, 3, 3, 3));
    EXPECT_THAT(labels({path("r.tif"), "--dark"}), ElementsAre(1, 1, 2, 3, 3, 3, 3));
    EXPECT_THAT(labels({path("r.tif"), "--lines"}), ElementsAre(1, 1, 1, 0, 0, 3, 3));
    EXPECT_THAT(labels({path("r.tif"), "--within", "5"}), ElementsAre(0, 1, 0, 2, 0, 3, 3));
}

TEST_F(WatershedCommand, SelectsMaximaByTheirMeasure) {
    writeRow("r.tif", {0, 9, 4, 6, 2, 8, 8}); // dynamics 9, 2, 6; areas 7, 1, 2; volumes 37, 2, 12
    EXPECT_THAT(labels({path("r.tif"), "--seeds", "dynamics>=3"}), ElementsAre(1, 1, 1, 1, 2, 2, 2));
    EXPECT_THAT(labels({path("r.tif"), "--seeds", "dynamics >= 7 levels"}), ElementsAre(1, 1, 1, 1, 1, 1, 1));
    EXPECT_THAT(labels({path("r.tif"), "--seeds", "dynamics>=10"}), ElementsAre(0, 0, 0, 0, 0, 0, 0));
    EXPECT_THAT(labels({path("r.tif"), "--seeds", "area>=2 px2"}), ElementsAre(1, 1, 1, 1, 2, 2, 2));
    EXPECT_THAT(labels({path("r.tif"), "--seeds", "volume>=3"}), ElementsAre(1, 1, 1, 1, 2, 2, 2));
    EXPECT_THAT(labels({path("r.tif"), "--seeds", "h=1"}), ElementsAre(1, 1, 1, 2, 3, 3, 3));
    EXPECT_THAT(labels({path("r.tif"), "--seeds", "h=2"}), ElementsAre(1, 1, 1, 1, 2, 2, 2));
    EXPECT_THAT(labels({path("r.tif"), "--seeds", "h=99"}), ElementsAre(1, 1, 1, 1, 1, 1, 1));
}

TEST_F(WatershedCommand, EqualsTheLibrary) {
    testing::Random random(900);
    const auto image = testing::randomImage(random, 40, 30);
    writeTiff(path("i.tif"), *image);
    for (const Relief relief : kAllReliefs) {
        for (const SeedMeasure by : {SeedMeasure::dynamics, SeedMeasure::area, SeedMeasure::volume}) {
            const Mask inside = thresholdMask(*image, 20, maxLevelOf(image->type()), nullptr);
            const auto made = madeRelief(*image, &inside, relief, Connectivity::eight);
            const Image& flooded = made ? *made : *image;
            const bool descending = isDescending(relief, false);
            const bool isDistance = relief == Relief::distance;
            const std::uint64_t least = isDistance && by != SeedMeasure::area ? 32 : 2;
            const LabelImage seeds =
                seedsOf(*makeCpuEngine(), {flooded, &inside, Connectivity::eight, descending}, {by, least});
            const auto expected =
                watershed(flooded, seeds.labels.span(), &inside, {Connectivity::eight, descending, false});
            EXPECT_EQ(labels({path("i.tif"), "--within", "20", "--flood", std::string(nameOf(relief)), "--seeds",
                              std::string(nameOf(by)) + ">=2", "--connectivity", "8"}),
                      std::vector<std::uint32_t>(expected.begin(), expected.end()))
                << nameOf(relief) << ", " << nameOf(by);
        }
    }
}

TEST_F(WatershedCommand, SeedsOfLevelsFloodTheGradient) {
    writeRow("r.tif", {0, 0, 8, 9, 8, 0, 0, 0, 7, 7});
    EXPECT_THAT(labels({path("r.tif"), "--flood", "gradient", "--seeds-of", "levels", "--seeds", "dynamics>=5"}),
                ElementsAre(1, 1, 1, 1, 1, 2, 2, 2, 2, 2));
}

TEST_F(WatershedCommand, SeedsComeFromFiles) {
    writeRow("r.tif", {0, 9, 4, 6, 2, 8, 8});
    writeRow("seeds.tif", {0, 0, 0, 7, 0, 0, 3});
    EXPECT_THAT(labels({path("r.tif"), "--seeds", path("seeds.tif")}), ElementsAre(7, 7, 7, 7, 3, 3, 3));
    write("points.csv", "label,centroid_x,centroid_y\n1,6.2,0.1\n2,2.9,-0.4\n");
    EXPECT_THAT(labels({path("r.tif"), "--seeds", path("points.csv")}), ElementsAre(2, 2, 2, 2, 1, 1, 1));
    write("plain.csv", "x,y\r\n1,0\r\n");
    EXPECT_THAT(labels({path("r.tif"), "--seeds", path("plain.csv")}), ElementsAre(1, 1, 1, 1, 1, 1, 1));
}

TEST_F(WatershedCommand, SeedsAreObjectsOfAnotherChannel) {
    std::array<std::uint8_t, 14> cellsAndNuclei{9, 3, 9, 90, 9, 3, 2, 3, 9, 3, 9, 90, 9, 3};
    TIFF* tiff = TIFFOpen(path("c.tif").c_str(), "w");
    ASSERT_NE(tiff, nullptr);
    TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, 7);
    TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, 1);
    TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, 8);
    TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, 2);
    TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
    TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
    TIFFWriteScanline(tiff, cellsAndNuclei.data(), 0);
    TIFFClose(tiff);
    EXPECT_THAT(labels({path("c.tif"), "--channel", "0", "--seeds-channel", "1"}), ElementsAre(1, 1, 1, 1, 2, 2, 2));
    EXPECT_THAT(labels({path("c.tif"), "--channel", "0", "--seeds-channel", "1", "--seeds-threshold", "3"}),
                ElementsAre(1, 1, 1, 1, 1, 1, 1));
}

TEST_F(WatershedCommand, FloodsVolumes) {
    Image volume(PixelType::u8, Extent{3, 1, 2});
    std::ranges::copy(std::vector<std::uint8_t>{9, 1, 8, 5, 1, 4}, volume.pixels<std::uint8_t>().begin());
    writeTiff(path("v.tif"), {volume, {.scene = {.axes = {{'z', 2, {}}}}}});
    EXPECT_THAT(labels({path("v.tif"), "--volume"}, 1), ElementsAre(1, 1, 2));
    Image seeds(PixelType::u8, Extent{3, 1, 2});
    std::ranges::copy(std::vector<std::uint8_t>{0, 0, 0, 6, 0, 4}, seeds.pixels<std::uint8_t>().begin());
    writeTiff(path("s.tif"), {seeds, {.scene = {.axes = {{'z', 2, {}}}}}});
    EXPECT_THAT(labels({path("v.tif"), "--volume", "--seeds", path("s.tif")}), ElementsAre(6, 6, 4));
    write("points.csv", "x,y,z\n0,0,1\n2,0,0\n");
    EXPECT_THAT(labels({path("v.tif"), "--volume", "--seeds", path("points.csv")}, 1), ElementsAre(1, 1, 2));
}

TEST_F(WatershedCommand, ReportsWhatItDid) {
    writeRow("r.tif", {0, 9, 4, 6, 2, 8, 8});
    const Outcome outcome =
        call({"watershed", path("r.tif"), "--within", "3", "-o", path("w.npy"), "--connectivity", "8", "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.json().at("seeds"), 3);
    EXPECT_EQ(outcome.json().at("labelled_pixels"), 5);
    EXPECT_EQ(outcome.json().at("connectivity"), 8);
    EXPECT_EQ(outcome.json().at("flood"), "levels");
    EXPECT_TRUE(std::filesystem::exists(path("w.npy")));
}

TEST_F(WatershedCommand, RefusesWhatContradicts) {
    writeRow("r.tif", {0, 9, 4});
    writeRow("wide.tif", {0, 9, 4, 1});
    write("bad.csv", "a,b\n1,2\n");
    write("far.csv", "x,y\n7,0\n");
    write("text.csv", "x,y\n1,one\n");
    const std::string r = path("r.tif");
    EXPECT_THAT(failure({r, "--flood", "distance"}), IsErrorAbout("--within: is needed for distances"));
    EXPECT_THAT(failure({r, "--flood", "gradient", "--dark"}), IsErrorAbout("--dark: is for levels"));
    EXPECT_THAT(failure({r, "--seeds", "depth>=3"}), IsErrorAbout("expected dynamics>=D"));
    EXPECT_THAT(failure({r, "--seeds", "h>=3"}), IsErrorAbout("expected dynamics>=D"));
    EXPECT_THAT(failure({r, "--seeds", "dynamics>=-3"}), IsErrorAbout("must be at least 0"));
    EXPECT_THAT(failure({r, "--seeds", "dynamics>=x"}), IsErrorAbout("--seeds: "));
    EXPECT_THAT(failure({r, "--seeds", "dynamics>=3 HU"}), IsErrorAbout("HU"));
    EXPECT_THAT(failure({r, "--seeds", path("none.tif")}), IsErrorAbout("none.tif"));
    EXPECT_THAT(failure({r, "--seeds", path("wide.tif")}), IsErrorAbout("the label image has 4 x 1 px"));
    EXPECT_THAT(failure({r, "--seeds", path("bad.csv")}), IsErrorAbout("needs the columns x and y"));
    EXPECT_THAT(failure({r, "--seeds", path("far.csv")}), IsErrorAbout("point 1 is outside"));
    EXPECT_THAT(failure({r, "--seeds", path("text.csv")}), IsErrorAbout("line 2"));
    EXPECT_THAT(failure({r, "--seeds", path("far.csv"), "--seeds-of", "levels"}), IsErrorAbout("--seeds-of"));
    EXPECT_THAT(failure({r, "--seeds-threshold", "3"}), IsErrorAbout("is for --seeds-channel"));
    EXPECT_THAT(failure({r, "--seeds-channel", "0", "--seeds", "h=1"}), IsErrorAbout("give one of them"));
    EXPECT_THAT(failure({r, "--within", "300"}), IsErrorAbout("threshold"));
    EXPECT_THAT(failure({r, "--connectivity", "26"}), IsErrorAbout("26"));
    EXPECT_THAT(call({"watershed", r, "-o", r}).err, IsErrorAbout("r.tif"));
    EXPECT_THAT(call({"watershed", r, "-o", path("w.jpg")}).err, IsErrorAbout("w.jpg"));
}

} // namespace
} // namespace pollard::cli
