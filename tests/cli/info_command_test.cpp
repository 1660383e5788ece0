#include "cli_fixture.hpp"
#include "core/io/io_volume_files.hpp"

#include "formats/tiff/tiff_writer.hpp"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace pollard::cli {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class InfoCommand : public CliTest {};

TEST_F(InfoCommand, ReportsTheFieldsOfTheContract) {
    const auto image = makeImage("a.tif", PixelType::u16, 21, 13, 3000);
    const Outcome outcome = runBinary({"info", path("a.tif"), "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.err, IsEmpty());
    const Json info = outcome.json();
    EXPECT_EQ(info.at("width"), 21);
    EXPECT_EQ(info.at("height"), 13);
    EXPECT_EQ(info.at("bits"), 16);
    EXPECT_EQ(info.at("samples"), 1);
    EXPECT_EQ(info.at("pages"), 1);
    EXPECT_EQ(info.at("compression"), "none");
    EXPECT_EQ(info.at("min"), *std::ranges::min_element(image->pixels<std::uint16_t>()));
    EXPECT_EQ(info.at("max"), *std::ranges::max_element(image->pixels<std::uint16_t>()));
}

TEST_F(InfoCommand, SummarisesTheHistogram) {
    (void)makeImage("a.tif", PixelType::u16, 40, 25, 700);
    const auto image = readImage(path("a.tif")).image;
    std::vector<std::uint16_t> sorted(image->pixels<std::uint16_t>().begin(), image->pixels<std::uint16_t>().end());
    std::ranges::sort(sorted);
    const Json info = call({"info", path("a.tif"), "--json"}).json();
    EXPECT_EQ(info.at("percentiles").at("0.1"), sorted[0]);
    EXPECT_EQ(info.at("percentiles").at("50"), sorted[sorted.size() / 2 - 1]);
    EXPECT_EQ(info.at("percentiles").at("99"), sorted[sorted.size() * 99 / 100 - 1]);
    double sum = 0;
    for (const std::uint16_t value : sorted) {
        sum += value;
    }
    EXPECT_DOUBLE_EQ(info.at("mean"), sum / static_cast<double>(sorted.size()));
    const auto last = std::unique(sorted.begin(), sorted.end());
    EXPECT_EQ(info.at("distinct_levels"), last - sorted.begin());
}

TEST_F(InfoCommand, PicksAPageFromZero) {
    makePages("stack.tif", 3);
    for (const int page : {0, 1, 2}) {
        const Outcome outcome = runBinary({"info", path("stack.tif") + "[" + std::to_string(page) + "]", "--json"});
        ASSERT_EQ(outcome.code, 0) << outcome.err;
        const Json info = outcome.json();
        EXPECT_EQ(info.at("pages"), 3);
        EXPECT_EQ(info.at("page"), page);
        EXPECT_EQ(info.at("max"), 10 * page);
    }
    EXPECT_EQ(call({"info", path("stack.tif"), "--json"}).json().at("page"), 0);
    const Outcome outside = call({"info", path("stack.tif[3]")});
    EXPECT_EQ(outside.code, 1);
    EXPECT_THAT(outside.err, IsErrorAbout("page 3"));
}

TEST_F(InfoCommand, PrefersAFileThatReallyHasBracketsInItsName) {
    makePages("stack.tif", 3);
    makePages("stack.tif[2]", 1);
    makePages("odd[name].tif", 2);
    EXPECT_EQ(call({"info", path("stack.tif[2]"), "--json"}).json().at("pages"), 1);
    EXPECT_EQ(call({"info", path("stack.tif[1]"), "--json"}).json().at("max"), 10);
    EXPECT_EQ(call({"info", path("odd[name].tif"), "--json"}).json().at("pages"), 2);
    EXPECT_EQ(call({"info", path("odd[name].tif[1]"), "--json"}).json().at("page"), 1);
}

TEST_F(InfoCommand, ShowsResolutionToAPerson) {
    const float dpi = 300;
    CopiedTag resolution{.tag = 282, .fieldType = 5, .count = 1, .data = std::vector<std::byte>(sizeof dpi)};
    std::memcpy(resolution.data.data(), &dpi, sizeof dpi);
    (void)makeImage("a.tif", PixelType::u8, 4, 4, 9, {resolution});
    const Outcome outcome = call({"info", path("a.tif")});
    EXPECT_EQ(outcome.code, 0);
    EXPECT_THAT(outcome.out, ::testing::ContainsRegex("XResolution +300\n"));
    EXPECT_THAT(outcome.out, HasSubstr("4 x 4 px"));
}

TEST_F(InfoCommand, ShowsTheAxesOfAVolume) {
    const test::NiftiHeader header{.dim = {5, 4, 3},
                                   .pixdim = {1, 0.5, 0.5, 2},
                                   .xyztUnits = 2,
                                   .sform = 1,
                                   .srow = {-0.5, 0, 0, 9, 0, -0.5, 0, 8, 0, 0, 2, 7}};
    std::ofstream(path("head.nii"), std::ios::binary) << header.bytes() + std::string(60, 'x');
    const Outcome text = call({"info", path("head.nii")});
    EXPECT_THAT(text.out, ContainsRegex("pixel +0.5 x 0.5 x 2 mm .NIfTI."));
    EXPECT_THAT(text.out, ContainsRegex("Axis directions +x to L, y to P, z to S"));
    EXPECT_THAT(text.out, ContainsRegex("axes 3 z"));
    const Json info = call({"info", path("head.nii") + "[2]", "--json"}).json();
    EXPECT_EQ(info.at("page"), 2);
    EXPECT_EQ(info.at("facts").at("sform code"), "1, scanner");
}

TEST_F(InfoCommand, DescribesThePartThatWasRead) {
    const auto image = makeImage("a.tif", PixelType::u16, 40, 25, 700);
    const Outcome outcome = call({"info", path("a.tif"), "--region", "3,4,20,10", "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Json info = outcome.json();
    EXPECT_EQ(info.at("width"), 40) << "the page keeps its size";
    EXPECT_EQ(info.at("read_width"), 20);
    EXPECT_EQ(info.at("read_height"), 10);
    std::uint16_t largest = 0;
    for (std::size_t y = 4; y < 14; ++y) {
        for (std::size_t x = 3; x < 23; ++x) {
            largest = std::max(largest, image->level(y * 40 + x));
        }
    }
    EXPECT_EQ(info.at("max"), largest);
    EXPECT_EQ(call({"info", path("a.tif"), "--shrink", "50", "--json"}).json().at("distinct_levels"), 1);
}

TEST_F(InfoCommand, TakesThePixelSizeThatIsSaid) {
    (void)makeImage("a.tif", PixelType::u16, 40, 25, 700);
    EXPECT_TRUE(call({"info", path("a.tif"), "--json"}).json().at("pixel_size").is_null());
    const auto sizeWith = [this](const Args& more) {
        Args command{"info", path("a.tif"), "--json"};
        command.insert(command.end(), more.begin(), more.end());
        return call(command).json().at("pixel_size");
    };
    EXPECT_EQ(
        sizeWith({"--pixel-size", "0.325um"}),
        (Json{
            {"x", 0.325}, {"y", 0.325}, {"z", nullptr}, {"unit", "µm"}, {"source", "set by hand"}, {"print", false}}));
    const Json shrunk = sizeWith({"--pixel-size", "0.5x0.25mm", "--shrink", "4"});
    EXPECT_EQ(shrunk.at("x"), 2);
    EXPECT_EQ(shrunk.at("y"), 1);
    const Outcome text = call({"info", path("a.tif"), "--pixel-size", "3km"});
    EXPECT_THAT(text.out, HasSubstr("3 x 3 km (set by hand)"));
    const Outcome wrong = call({"info", path("a.tif"), "--pixel-size", "3"});
    EXPECT_EQ(wrong.code, 2);
    EXPECT_THAT(wrong.err, IsErrorAbout("--pixel-size: '3': must be a length"));
}

TEST_F(InfoCommand, RefusesWhatNoImageCanHaveBeforeItReads) {
    for (const std::vector<std::string>& extra : std::vector<std::vector<std::string>>{
             {"--region", "1,2,3"}, {"--range", "9:1"}, {"--shrink", "0"}, {"--raw", "12"}, {"--max-pixels", "none"}}) {
        std::vector<std::string> command{"info", path("missing.tif")};
        command.insert(command.end(), extra.begin(), extra.end());
        EXPECT_EQ(call(command).code, 2) << extra[0];
    }
}

TEST_F(InfoCommand, KeepsToTheLimitsItIsGiven) {
    (void)makeImage("a.tif", PixelType::u16, 40, 25, 700);
    const Outcome pixels = call({"info", path("a.tif"), "--max-pixels", "999"});
    EXPECT_EQ(pixels.code, 1);
    EXPECT_THAT(pixels.err, IsErrorAbout("999 pixels"));
    EXPECT_EQ(call({"info", path("a.tif"), "--max-pixels", "1k"}).code, 0);
    const Outcome bytes = call({"info", path("a.tif"), "--max-decoded", "1.9k"});
    EXPECT_EQ(bytes.code, 1);
    EXPECT_THAT(bytes.err, IsErrorAbout("allowed"));
}

/// An OME-TIFF with the channels DAPI and GFP at two depths; page i is filled with 10 * i.
void writeChannels(const std::string& path) {
    const std::string xml =
        R"(<OME><Image><Pixels SizeC="2" SizeZ="2" SizeT="1" DimensionOrder="XYZCT">)"
        R"(<Channel Name="DAPI" Color="65535" EmissionWavelength="461.5"/><Channel Name="GFP"/><TiffData/>)"
        R"(</Pixels></Image></OME>)";
    CopiedTag description{.tag = 270, .fieldType = 2, .count = xml.size() + 1, .data = {}};
    description.data.resize(xml.size() + 1);
    std::memcpy(description.data.data(), xml.c_str(), xml.size() + 1);
    writeTiff(path,
              {4,
               [&](int page, const JobControl&) {
                   auto image = std::make_shared<Image>(PixelType::u8, 5, 4);
                   std::ranges::fill(image->pixels<std::uint8_t>(), static_cast<std::uint8_t>(10 * page));
                   return Plane{ownedRows(std::move(image)),
                                {.carried = page == 0 ? std::vector{description} : std::vector<CopiedTag>{}}};
               }},
              {.arePages = true});
}

TEST_F(InfoCommand, ListsTheChannels) {
    writeChannels(path("cells.tif"));
    const Json channels = call({"info", path("cells.tif") + "[1]", "--json"}).json().at("channels");
    EXPECT_EQ(channels, (Json{{{"name", "DAPI"},
                               {"colour", "#0000ff"},
                               {"wavelength_nm", 461.5},
                               {"window", nullptr},
                               {"page", 1},
                               {"sample", 0}},
                              {{"name", "GFP"},
                               {"colour", nullptr},
                               {"wavelength_nm", nullptr},
                               {"window", nullptr},
                               {"page", 3},
                               {"sample", 0}}}));
    const Outcome text = call({"info", path("cells.tif")});
    EXPECT_THAT(text.out, ::testing::ContainsRegex("DAPI +#0000ff +461.5 nm +0 +0\n"));
    (void)makeImage("grey.tif", PixelType::u8, 4, 4, 9);
    EXPECT_THAT(call({"info", path("grey.tif")}).out, ::testing::Not(HasSubstr("channel 0")))
        << "one channel without facts is not worth a table";
    EXPECT_EQ(call({"info", path("grey.tif"), "--json"}).json().at("channels").size(), 1U);
}

TEST_F(InfoCommand, PicksAChannelByItsName) {
    writeChannels(path("cells.tif"));
    const Outcome outcome = call({"info", path("cells.tif") + "[1]", "--channel", "gfp", "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.json().at("page"), 3);
    EXPECT_EQ(outcome.json().at("max"), 30);
    EXPECT_THAT(outcome.err, HasSubstr("shown: GFP of 2 channels"));
    const Outcome unknown = call({"info", path("cells.tif"), "--channel", "Cy5"});
    EXPECT_EQ(unknown.code, 1);
    EXPECT_THAT(unknown.err, IsErrorAbout("channel Cy5 does not exist; there are: DAPI, GFP"));
    EXPECT_THAT(call({"info", "--help"}).out, HasSubstr("the name of a channel as\n"));
}

} // namespace
} // namespace pollard::cli
