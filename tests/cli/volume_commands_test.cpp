// Commands on volumes.
#include "cli_fixture.hpp"

#include "io/read_volume.hpp"
#include "io/tiff/tiff_writer.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>

namespace pollard::cli {
namespace {

using ::testing::HasSubstr;

class VolumeCommands : public CliTest {
protected:
    /// Two bright bars along z, of 6 and of 2 slices, on black, 6 slices of 5 x 4 px; bar B touches A at an edge only.
    void SetUp() override {
        Image volume(PixelType::u8, Extent{5, 4, 6});
        std::fill_n(volume.pixels<std::uint8_t>().data(), volume.pixelCount(), std::uint8_t{0});
        for (std::size_t z = 0; z < 6; ++z) {
            volume.pixels<std::uint8_t>()[(z * 4 + 1) * 5 + 1] = 200;
            if (z < 2) {
                volume.pixels<std::uint8_t>()[(z * 4 + 2) * 5 + 2] = 200;
            }
        }
        PixelSize size{0.5, 0.5, "µm", "OME-XML"};
        size.z = 2;
        writeTiff(path("v.tif"), volume, {.carried = {}, .scene = {.pixelSize = size, .axes = {{'z', 6, {}}}}});
    }
    [[nodiscard]] std::string pages() const { return path("v.tif"); }
};

TEST_F(VolumeCommands, FilterKeepsComponentsThroughTheSlices) {
    const Outcome outcome = call({"filter", pages(), "--volume", "--keep", "area>=4", "-o", path("o.tif"), "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.json().at("slices"), 6);
    EXPECT_EQ(outcome.json().at("connectivity"), 6);
    EXPECT_EQ(outcome.json().at("algorithm"), "branches");
    EXPECT_EQ(outcome.json().at("changed_pixels"), 2);
    const LoadedImage read = readVolume(path("o.tif"));
    ASSERT_EQ(read.image->extent(), (Extent{5, 4, 6}));
    EXPECT_EQ(read.image->level(1 * 5 + 1), 200);
    EXPECT_EQ(read.image->level(2 * 5 + 2), 0);
    ASSERT_TRUE(read.info.pixelSize);
    EXPECT_EQ(read.info.pixelSize->z, 2) << "the file keeps the distance of the slices";
    ASSERT_EQ(read.info.axes.size(), 1U);
    EXPECT_EQ(read.info.axes.front().name, 'z');
    // Page by page, the bar is one pixel in each.
    const Outcome page = call({"filter", pages(), "--keep", "area>=4", "-o", path("p.tif"), "--json"});
    ASSERT_EQ(page.code, 0) << page.err;
    EXPECT_FALSE(page.json().contains("slices"));
    EXPECT_EQ(page.json().at("changed_pixels"), 2);
    EXPECT_EQ(page.json().at("connectivity"), 4);
}

TEST_F(VolumeCommands, EdgesConnectWith18Neighbours) {
    const Outcome outcome = call({"filter", pages(), "--volume", "--connectivity", "18", "--keep", "area>=4", "-o",
                                  path("o.tif"), "--output", "labels", "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.json().at("changed_pixels"), 0);
    EXPECT_EQ(readImageInfo(path("o.tif")).bits, 32);
    EXPECT_EQ(readImageInfo(path("o.tif")).pages, 6);
}

TEST_F(VolumeCommands, TreeWritesPositionsInSlices) {
    const Outcome outcome = call({"tree", pages(), "--volume", "--attributes", "area,volume,height", "--nodes",
                                  path("n.csv"), "--parent", path("p.npy"), "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.json().at("nodes"), 3);
    std::ifstream file(path("n.csv"));
    const std::string table{std::istreambuf_iterator<char>(file), {}};
    EXPECT_THAT(table, HasSubstr("id,parent,level,canonical_x,canonical_y,canonical_z,area,volume,height\n"));
    EXPECT_THAT(table, HasSubstr("200,1,1,5,6,1200,200\n"));
    EXPECT_THAT(table, HasSubstr("200,2,2,1,2,400,200\n"));
}

TEST_F(VolumeCommands, HMaximaAndSpectrumCountComponentsOfTheVolume) {
    const Outcome maxima = call({"h-maxima", pages(), "--volume", "--h", "50", "-o", path("h.tif"), "--json"});
    ASSERT_EQ(maxima.code, 0) << maxima.err;
    EXPECT_EQ(maxima.json().at("maxima"), 2) << "the bars";
    EXPECT_EQ(readVolume(path("h.tif")).image->level(1 * 5 + 1), 150);
    const Outcome spectrum = call({"spectrum", pages(), "--volume", "--csv", path("s.csv"), "--json"});
    ASSERT_EQ(spectrum.code, 0) << spectrum.err;
    EXPECT_EQ(spectrum.json().at("nodes"), 3);
}

TEST_F(VolumeCommands, AreRefusedInOneSentence) {
    const auto failure = [this](std::vector<std::string> more) {
        std::vector<std::string> args{"filter", pages(), "--volume", "-o", path("o.tif")};
        if (more.front() != "--keep" && more.front() != "--remove") {
            args.insert(args.end(), {"--keep", "area>=2"});
        }
        args.insert(args.end(), more.begin(), more.end());
        return call(args).err;
    };
    EXPECT_THAT(failure({"--keep", "perimeter>=4"}), IsErrorAbout("attribute 'perimeter': not measured in volumes"));
    EXPECT_THAT(failure({"--connectivity", "8"}), IsErrorAbout("8 neighbours are for pictures"));
    EXPECT_THAT(failure({"--remove", "1,1"}), IsErrorAbout("picks by pixel: works on pictures"));
    EXPECT_THAT(failure({"--keep", "area>=4um2"}), IsErrorAbout("criteria with units: works on pictures"));
    EXPECT_THAT(failure({"--guide", "0"}), IsErrorAbout("--volume: filters one channel"));
    EXPECT_FALSE(std::filesystem::exists(path("o.tif")));
    makePages("one.tif", 1);
    EXPECT_THAT(call({"filter", path("one.tif"), "--volume", "--keep", "area>=2", "-o", path("o.tif")}).err,
                IsErrorAbout("has one slice"));
}

} // namespace
} // namespace pollard::cli
