// profile, spectrum, h-maxima and mser: output equal to core's results, and refused arguments.

#include "cli_fixture.hpp"

#include "analysis/column_summary.hpp"
#include "cpu/cpu_engine.hpp"
#include "formats/tiff/tiff_writer.hpp"
#include "io/channels.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

namespace pollard::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<int> levelsOfFile(const std::string& file, int page = 0) {
    ReadOptions options;
    options.page = page;
    const auto image = readImage(file, options).image;
    std::vector<int> levels(image->pixelCount());
    for (std::size_t i = 0; i < levels.size(); ++i) {
        levels[i] = image->level(i);
    }
    return levels;
}

/// Cells of a table, without the header line.
std::vector<std::vector<double>> rowsOf(const std::string& file, std::string* names = nullptr) {
    std::ifstream stream(file);
    std::string line;
    std::getline(stream, line);
    if (names != nullptr) {
        *names = line;
    }
    std::vector<std::vector<double>> rows;
    while (std::getline(stream, line)) {
        std::istringstream cells(line);
        std::string cell;
        rows.emplace_back();
        while (std::getline(cells, cell, ',')) {
            rows.back().push_back(std::stod(cell));
        }
    }
    return rows;
}

CopiedTag noDataTag(const char* text) {
    CopiedTag tag{.tag = 42113, .fieldType = 2, .count = 4, .data = std::vector<std::byte>(4)};
    std::memcpy(tag.data.data(), text, std::strlen(text));
    return tag;
}

class ProfileCommand : public CliTest {};

TEST_F(ProfileCommand, WritesAFilterAPage) {
    (void)makeImage("a.tif", PixelType::u16, 70, 53, 900);
    const Outcome outcome = runBinary({"profile", path("a.tif"), "-o", path("p.tif"), "--attribute", "area",
                                       "--thresholds", "5,20,100", "--rule", "max", "--connectivity", "8", "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Json json = outcome.json();
    EXPECT_EQ(json.at("pages"), 3);
    EXPECT_EQ(readImageInfo(path("p.tif")).pages, 3);
    int page = 0;
    for (const char* threshold : {"5", "20", "100"}) {
        const Json filter = call({"filter", path("a.tif"), "-o", path("f.tif"), "--keep",
                                  std::string("area>=") + threshold, "--rule", "max", "--connectivity", "8", "--json"})
                                .json();
        EXPECT_EQ(levelsOfFile(path("p.tif"), page), levelsOfFile(path("f.tif")));
        EXPECT_EQ(json.at("page_list").at(page).at("kept"), filter.at("kept"));
        EXPECT_EQ(json.at("page_list").at(page).at("changed_pixels"), filter.at("changed_pixels"));
        ++page;
    }
    EXPECT_THAT(filesInFolder(), ElementsAre("a.tif", "f.tif", "p.tif"));
}

TEST_F(ProfileCommand, DifferencesAddUp) {
    for (const std::string tree : {"max", "min"}) {
        (void)makeImage("a.tif", PixelType::u8, 40, 31, 200);
        for (const bool differential : {false, true}) {
            Args args{"profile",      path("a.tif"), "-o",     path(differential ? "d.tif" : "p.tif"),
                      "--thresholds", "2,9,50",      "--tree", tree};
            if (differential) {
                args.push_back("--differential");
            }
            ASSERT_EQ(call(args).code, 0);
        }
        std::vector<int> sum = levelsOfFile(path("p.tif"), 2);
        for (int page = 0; page < 3; ++page) {
            const std::vector<int> difference = levelsOfFile(path("d.tif"), page);
            for (std::size_t i = 0; i < sum.size(); ++i) {
                sum[i] += tree == "max" ? difference[i] : -difference[i];
            }
        }
        EXPECT_EQ(sum, levelsOfFile(path("a.tif")));
    }
}

TEST_F(ProfileCommand, CarriesTagsAndLeavesPixelsWithoutDataAlone) {
    auto image = std::make_shared<Image>(PixelType::u8, 9, 9);
    for (std::uint32_t i = 0; i < 81; ++i) {
        const bool frame = i % 9 == 0 || i / 9 == 0 || i % 9 == 8 || i / 9 == 8;
        image->pixels<std::uint8_t>()[i] = frame ? 255 : i == 40 ? 90 : 10;
    }
    writeTiff(path("gaps.tif"), {*image, {.carried = {noDataTag("255")}}}, {.compression = TiffCompression::deflate});
    ASSERT_NE(readImage(path("gaps.tif")).valid, nullptr);
    ASSERT_EQ(call({"profile", path("gaps.tif"), "-o", path("p.tif"), "--thresholds", "1,2"}).code, 0);
    for (int page = 0; page < 2; ++page) {
        const std::vector<int> levels = levelsOfFile(path("p.tif"), page);
        EXPECT_EQ(levels[0], 255) << "no data";
        EXPECT_EQ(levels[40], page == 0 ? 90 : 10);
    }
    ASSERT_EQ(call({"profile", path("gaps.tif"), "-o", path("d.tif"), "--thresholds", "1,2", "--differential"}).code,
              0);
    EXPECT_EQ(levelsOfFile(path("d.tif"), 1)[0], 0);
    EXPECT_EQ(levelsOfFile(path("d.tif"), 1)[40], 80);
}

TEST_F(ProfileCommand, RefusesListsThatAreNone) {
    (void)makeImage("a.tif", PixelType::u8, 9, 9, 9);
    for (const char* thresholds : {"", ",", "5,3", "5,5", "5,x", "nan", "5;6"}) {
        const Outcome outcome =
            call({"profile", path("a.tif"), "-o", path("o.tif"), "--thresholds", thresholds, "--attribute", "area"});
        EXPECT_EQ(outcome.code, 2) << thresholds;
        EXPECT_THAT(outcome.err, IsErrorAbout("thresholds")) << thresholds;
    }
    EXPECT_EQ(call({"profile", path("a.tif"), "-o", path("o.tif"), "--thresholds", "5", "--attribute", "size"}).code,
              2);
    EXPECT_EQ(call({"profile", path("a.tif"), "-o", path("a.tif"), "--thresholds", "5"}).code, 2);
    EXPECT_EQ(call({"profile", path("a.tif"), "-o", path("o.png"), "--thresholds", "5"}).code, 2);
    EXPECT_EQ(call({"profile", path("a.tif"), "-o", path("o.tif"), "--thresholds", "5", "--rule", "none"}).code, 2);
    EXPECT_THAT(filesInFolder(), ElementsAre("a.tif"));
}

TEST_F(ProfileCommand, AFailureKeepsTheOlderResult) {
    std::ofstream(path("text.tif")) << "no image";
    std::ofstream(path("o.tif")) << "an older file";
    EXPECT_EQ(runBinary({"profile", path("text.tif"), "-o", path("o.tif"), "--thresholds", "3"}).code, 1);
    std::ifstream stream(path("o.tif"));
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(stream), {}), "an older file");
}

class ProfileBands : public CliTest {
protected:
    /// Three channels of noise in one page.
    void makeColours(const std::string& name, PixelType type) const {
        SampleLayout layout;
        layout.samples = 3;
        layout.planar = true;
        writeTiff(path(name),
                  {3,
                   [&](int plane, const JobControl&) {
                       auto image = std::make_shared<Image>(type, 31, 23);
                       std::uint32_t state = 7 + static_cast<std::uint32_t>(plane);
                       dispatch(type, [&]<class T>(T) {
                           for (T& pixel : image->pixels<T>()) {
                               state = state * 1664525U + 1013904223U;
                               pixel = static_cast<T>(state >> 24U);
                           }
                       });
                       return Plane{ownedRows(image)};
                   }},
                  {.samples = layout});
    }
    [[nodiscard]] std::shared_ptr<const Image> readChannel(const std::string& name) const {
        ReadOptions options;
        options.channel = ChannelChoice::parse(name);
        return readImage(path("rgb.tif"), options).image;
    }
    [[nodiscard]] std::vector<std::vector<int>> bandsOf(const std::string& file) const {
        std::vector<std::vector<int>> bands;
        for (const ChannelPlane& plane : readChannels(path(file), {}).planes) {
            bands.emplace_back();
            for (std::size_t i = 0; i < plane.image->pixelCount(); ++i) {
                bands.back().push_back(plane.image->level(i));
            }
        }
        return bands;
    }
};

TEST_F(ProfileBands, AreTheFiltersOfAllChannelsTreesAndAttributes) {
    for (const PixelType type : {PixelType::u8, PixelType::u16}) {
        makeColours("rgb.tif", type);
        const Outcome outcome =
            call({"profile", path("rgb.tif"), "-o", path("p.tif"), "--channel", "all", "--tree", "both", "--attribute",
                  "area", "--thresholds", "3,20", "--attribute", "inertia", "--thresholds", ".2", "--json"});
        ASSERT_EQ(outcome.code, 0) << outcome.err;
        const Json list = outcome.json().at("band_list");
        const std::vector<std::vector<int>> bands = bandsOf("p.tif");
        ASSERT_EQ(bands.size(), 3 * (1 + 2 * 3));
        ASSERT_EQ(list.size(), bands.size());
        std::size_t band = 0;
        for (const char* channel : {"0", "1", "2"}) {
            ReadOptions read;
            read.channel = ChannelChoice::parse(channel);
            std::vector<int> levels;
            const auto image = readImage(path("rgb.tif"), read).image;
            for (std::size_t i = 0; i < image->pixelCount(); ++i) {
                levels.push_back(image->level(i));
            }
            EXPECT_EQ(bands[band++], levels);
            for (const char* tree : {"max", "min"}) {
                for (const char* criterion : {"area>=3", "area>=20", "inertia>=0.2"}) {
                    const Json filter = call({"filter", path("rgb.tif"), "-o", path("f.tif"), "--channel", channel,
                                              "--tree", tree, "--keep", criterion, "--json"})
                                            .json();
                    EXPECT_EQ(bands[band], levelsOfFile(path("f.tif"))) << channel << tree << criterion;
                    EXPECT_THAT(list.at(band).at("name").get<std::string>(),
                                HasSubstr(std::string(tree) + " " + criterion));
                    EXPECT_EQ(list.at(band).at("kept"), filter.at("kept"));
                    EXPECT_EQ(list.at(band).at("changed_pixels"), filter.at("changed_pixels"));
                    ++band;
                }
            }
        }
        std::vector<Channel> names = channelsOf(readImageInfo(path("p.tif")));
        EXPECT_THAT(names.at(1).name, HasSubstr("max area>=3"));
        EXPECT_EQ(names.at(1).name, list.at(1).at("name").get<std::string>());
    }
}

TEST_F(ProfileBands, ArePagesUnlessTheImageHasAPlace) {
    makeColours("rgb.tif", PixelType::u8);
    Image image(PixelType::u8, 31, 23);
    CopiedTag place{33922, 12, 6, std::vector<std::byte>(6 * sizeof(double))};
    writeTiff(path("map.tif"), {image, {.carried = {place}}});
    const auto pagesAndSamples = [&](const std::string& source, const Args& more) {
        Args args{"profile", path(source),   "-o", path("p.tif"), "--tree",
                  "both",    "--thresholds", "3",  "--channel",   "0"};
        args.insert(args.end(), more.begin(), more.end());
        EXPECT_EQ(call(args).code, 0);
        const ImageInfo info = readImageInfo(path("p.tif"));
        return std::pair{info.pages, info.samples};
    };
    const std::pair pages{3, 1};
    const std::pair samples{1, 3};
    EXPECT_EQ(pagesAndSamples("rgb.tif", {}), pages);
    EXPECT_EQ(pagesAndSamples("map.tif", {}), samples);
    EXPECT_EQ(pagesAndSamples("map.tif", {"--bands-as", "pages"}), pages);
    for (const char* layout : {"pixels", "planes"}) {
        EXPECT_EQ(pagesAndSamples("rgb.tif", {"--bands-as", layout}), samples);
        const std::vector<std::vector<int>> inOnePage = bandsOf("p.tif");
        EXPECT_EQ(pagesAndSamples("rgb.tif", {"--bands-as", "pages"}), pages);
        EXPECT_EQ(inOnePage, bandsOf("p.tif"));
    }
}

TEST_F(ProfileBands, AreAnArrayInNumPysFormat) {
    makeColours("rgb.tif", PixelType::u16);
    const Args options{"--channel", "0,max(0,1)", "--thresholds", "2,9", "--differential"};
    Args tiff{"profile", path("rgb.tif"), "-o", path("p.tif")};
    Args array{"profile", path("rgb.tif"), "-o", path("p.npy")};
    tiff.insert(tiff.end(), options.begin(), options.end());
    array.insert(array.end(), options.begin(), options.end());
    ASSERT_EQ(call(tiff).code, 0);
    ASSERT_EQ(call(array).code, 0);
    std::ifstream stream(path("p.npy"), std::ios::binary);
    const std::string bytes(std::istreambuf_iterator<char>(stream), {});
    const std::vector<std::vector<int>> bands = bandsOf("p.tif");
    ASSERT_EQ(bands.size(), 6);
    EXPECT_THAT(bytes.substr(0, 128), HasSubstr("'descr': '<u2', 'fortran_order': False, 'shape': (6, 23, 31, )"));
    const std::size_t values = bands.size() * bands[0].size();
    ASSERT_EQ(bytes.size(), 128 + 2 * values);
    for (std::size_t i = 0; i < values; ++i) {
        std::uint16_t value = 0;
        std::memcpy(&value, bytes.data() + 128 + 2 * i, 2);
        ASSERT_EQ(value, bands[i / bands[0].size()][i % bands[0].size()]) << i;
    }
    ASSERT_EQ(call({"filter", path("rgb.tif"), "-o", path("f.tif"), "--keep", "area>=9", "--derive", "max(0,1)"}).code,
              0);
    std::vector<int> sum = levelsOfFile(path("f.tif"));
    for (std::size_t i = 0; i < sum.size(); ++i) {
        sum[i] += bands[4][i] + bands[5][i];
    }
    EXPECT_EQ(sum, bands[3]) << "the differences and the last filter add up to the channel";
}

TEST_F(ProfileBands, HaveMeansOfChannelsOverComponents) {
    makeColours("rgb.tif", PixelType::u8);
    const Outcome outcome = call({"profile", path("rgb.tif"), "-o", path("p.tif"), "--channel", "green", "--tree",
                                  "both", "--thresholds", "4,60", "--means", "red,blue", "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const std::vector<std::vector<int>> bands = bandsOf("p.tif");
    ASSERT_EQ(bands.size(), 1 + 2 * 3 * 2);
    const nlohmann::json list = nlohmann::json::parse(outcome.out)["band_list"];
    EXPECT_EQ(list[3]["name"], "max area>=4 mean red");
    EXPECT_EQ(list[3]["mean_of"], "red");
    EXPECT_FALSE(list[3].contains("kept"));
    EXPECT_EQ(list[12]["name"], "min area>=60 mean blue");
    std::size_t band = 1;
    for (const TreeKind kind : {TreeKind::max, TreeKind::min}) {
        const auto green = readChannel("green");
        const auto session = makeCpuEngine()->openSession({});
        session->open(green);
        (void)session->buildTree({kind, Connectivity::four, {}, {}});
        const auto tree = session->tree();
        const auto area = session->attribute(AttributeId::area);
        band += 2; // the filters
        for (const char* channel : {"red", "blue"}) {
            const auto values = readChannel(channel);
            const ComponentMeans means(tree, *values);
            for (const double threshold : {4.0, 60.0}) {
                std::vector<std::uint8_t> keep;
                std::visit(
                    [&](const auto& areas) {
                        for (const auto each : areas) {
                            keep.push_back(static_cast<double>(each) >= threshold ? 1 : 0);
                        }
                    },
                    area->values);
                Image expected(PixelType::u8, 31, 23);
                means.paint(keep, expected);
                std::vector<int> levels;
                for (std::size_t p = 0; p < expected.pixelCount(); ++p) {
                    levels.push_back(expected.level(p));
                }
                EXPECT_EQ(bands[band++], levels) << channel << threshold;
            }
        }
    }
    // Only the whole image has 714 px: all means are means of the whole image.
    ASSERT_EQ(call({"profile", path("rgb.tif"), "-o", path("q.npy"), "--channel", "red", "--thresholds", "714",
                    "--means", "all"})
                  .code,
              0);
    const std::uintmax_t size = std::filesystem::file_size(path("q.npy"));
    ASSERT_EQ(size / (31 * 23), 1 + 1 + 3);
    std::ifstream file(path("q.npy"), std::ios::binary);
    file.seekg(static_cast<std::streamoff>(size - 3 * 31 * 23));
    for (const char* channel : {"red", "green", "blue"}) {
        const auto values = readChannel(channel);
        std::uint64_t sum = 0;
        for (std::size_t p = 0; p < values->pixelCount(); ++p) {
            sum += values->level(p);
        }
        std::string levels(31 * 23, '\0');
        file.read(levels.data(), static_cast<std::streamsize>(levels.size()));
        const auto mean = static_cast<char>((2 * sum + 713) / (2 * 713));
        EXPECT_EQ(levels, std::string(31 * 23, mean)) << channel;
    }
}

TEST_F(ProfileBands, OfPixelsWithoutDataKeepThem) {
    Image image(PixelType::u8, 7, 5);
    for (std::uint32_t i = 0; i < 35; ++i) {
        image.pixels<std::uint8_t>()[i] = i % 7 < 3 ? 255 : i == 18 ? 90 : 10;
    }
    writeTiff(path("gaps.tif"), {image, {.carried = {noDataTag("255")}}}, {.compression = TiffCompression::deflate});
    ASSERT_EQ(call({"profile", path("gaps.tif"), "-o", path("p.tif"), "--tree", "both", "--thresholds", "2"}).code, 0);
    const std::vector<std::vector<int>> bands = bandsOf("p.tif");
    ASSERT_EQ(bands.size(), 3);
    EXPECT_EQ(bands[0][18], 90);
    EXPECT_EQ(bands[1][18], 10);
    EXPECT_EQ(bands[2][18], 90);
    EXPECT_EQ(bands[1][0], 255);
    EXPECT_NE(readImage(path("p.tif")).valid, nullptr);
}

TEST_F(ProfileBands, RefuseWhatTheyDoNotHave) {
    makeColours("rgb.tif", PixelType::u8);
    const auto refused = [&](const Args& more, const char* about) {
        Args args{"profile", path("rgb.tif"), "-o", path("p.tif"), "--thresholds", "5"};
        args.insert(args.end(), more.begin(), more.end());
        const Outcome outcome = call(args);
        EXPECT_EQ(outcome.code, 2) << about;
        EXPECT_THAT(outcome.err, IsErrorAbout(about));
    };
    refused({"--thresholds", "6"}, "2 lists for 1 attributes");
    refused({"--attribute", "area", "--attribute", "width"}, "1 lists for 2 attributes");
    refused({"--tree", "both", "--stream"}, "--stream");
    refused({"--tree", "both", "--volume"}, "--volume");
    refused({"--tree", "all"}, "--tree");
    EXPECT_THAT(filesInFolder(), ElementsAre("rgb.tif"));
}

class SpectrumCommand : public CliTest {};

TEST_F(SpectrumCommand, AddsUpToTheGreyAboveTheGround) {
    for (const std::string tree : {"max", "min"}) {
        const auto image = makeImage("a.tif", PixelType::u16, 60, 47, 3000);
        const Outcome outcome = runBinary({"spectrum", path("a.tif"), "--attribute", "area", "--bins", "16", "--csv",
                                           path("s.csv"), "--tree", tree, "--json"});
        ASSERT_EQ(outcome.code, 0) << outcome.err;
        const Json json = outcome.json();
        const int ground = json.at("root_level").get<int>();
        std::uint64_t total = 0;
        for (const int level : levelsOfFile(path("a.tif"))) {
            total += static_cast<std::uint64_t>(std::abs(level - ground));
        }
        EXPECT_EQ(json.at("total"), total);
        const auto rows = rowsOf(path("s.csv"));
        ASSERT_EQ(rows.size(), 16U);
        double sum = 0;
        double share = 0;
        for (const auto& row : rows) {
            ASSERT_EQ(row.size(), 6U);
            EXPECT_LT(row[0], row[1]);
            sum += row[2];
            share += row[4];
            EXPECT_NEAR(row[5], share, 1e-12);
        }
        EXPECT_EQ(sum, static_cast<double>(total));
        EXPECT_NEAR(share, 1, 1e-12);
        EXPECT_EQ(json.at("edges").size(), 17U);
        EXPECT_EQ(json.at("grey_mass").size(), 16U);
    }
}

TEST_F(SpectrumCommand, OfTwoAttributesHasALineForEachPairOfBins) {
    (void)makeImage("a.tif", PixelType::u8, 50, 40, 90);
    const Outcome outcome =
        call({"spectrum", path("a.tif"), "--attribute", "area", "--attribute2", "height", "--bins", "6", "--bins2", "4",
              "--scale", "log", "--scale2", "linear", "--csv", path("s.csv"), "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    std::string names;
    const auto rows = rowsOf(path("s.csv"), &names);
    EXPECT_EQ(names, "area_x_from,area_x_to,height_y_from,height_y_to,grey_mass,nodes");
    ASSERT_EQ(rows.size(), 24U);
    double sum = outcome.json().at("outside").at("grey_mass").get<double>();
    for (const auto& row : rows) {
        sum += row[4];
    }
    EXPECT_EQ(sum, outcome.json().at("total").get<double>());
}

TEST_F(SpectrumCommand, ShowsATableWithoutAFile) {
    (void)makeImage("a.tif", PixelType::u8, 50, 40, 90);
    const Outcome outcome = call({"spectrum", path("a.tif"), "--bins", "5", "--from", "2", "--to", "9"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("removed below"));
    EXPECT_THAT(outcome.out, HasSubstr("below"));
    EXPECT_THAT(filesInFolder(), ElementsAre("a.tif"));
}

TEST_F(SpectrumCommand, RefusesBinsThatAreNone) {
    (void)makeImage("a.tif", PixelType::u8, 9, 9, 9);
    for (const Args& wrong : {Args{"--bins", "0"}, Args{"--bins", "5000"}, Args{"--from", "5", "--to", "5"},
                              Args{"--scale", "log", "--from", "0"}, Args{"--scale", "cubic"},
                              Args{"--attribute", "size"}, Args{"--attribute2", "size"}}) {
        Args args{"spectrum", path("a.tif"), "--csv", path("s.csv")};
        args.insert(args.end(), wrong.begin(), wrong.end());
        EXPECT_EQ(call(args).code, 2) << wrong.back();
    }
    EXPECT_EQ(call({"spectrum", path("a.tif"), "--csv", path("none/s.csv")}).code, 1);
    EXPECT_THAT(filesInFolder(), ElementsAre("a.tif"));
}

class HMaximaCommand : public CliTest {};

TEST_F(HMaximaCommand, TransformAndDomesAddUp) {
    const auto image = makeImage("a.tif", PixelType::u8, 30, 30, 200);
    for (const std::string output : {"filtered", "residue"}) {
        const Outcome outcome =
            call({"h-maxima", path("a.tif"), "-o", path(output + ".tif"), "--h", "40", "--output", output, "--json"});
        ASSERT_EQ(outcome.code, 0) << outcome.err;
        EXPECT_GT(outcome.json().at("maxima"), 0);
        EXPECT_LT(outcome.json().at("maxima"), outcome.json().at("leaves"));
    }
    const std::vector<int> filtered = levelsOfFile(path("filtered.tif"));
    const std::vector<int> domes = levelsOfFile(path("residue.tif"));
    EXPECT_LE(std::ranges::max(domes), 40);
    for (std::size_t i = 0; i < filtered.size(); ++i) {
        ASSERT_EQ(filtered[i] + domes[i], image->level(i));
    }
    EXPECT_EQ(call({"h-maxima", path("a.tif"), "-o", path("o.tif"), "--h", "-1"}).code, 2);
    EXPECT_EQ(call({"h-maxima", path("a.tif"), "-o", path("o.tif"), "--h", "4", "--output", "mask"}).code, 2);
}

TEST_F(HMaximaCommand, TakesItsHeightByBothNames) {
    (void)makeImage("--h", PixelType::u8, 30, 30, 200);
    (void)makeImage("h-maxima", PixelType::u8, 30, 30, 200);
    for (const std::string& file : {path("--h"), path("h-maxima")}) {
        std::vector<Json> reports;
        for (const Args& height : {Args{"--h", "40"}, {"--h=40"}, {"--height", "40"}, {"--height=40"}}) {
            Args args{"--quiet", "h-maxima", file, "-o", path("o.tif"), "--json"};
            args.insert(args.end() - 1, height.begin(), height.end());
            const Outcome outcome = call(args);
            ASSERT_EQ(outcome.code, 0) << height.front() << ": " << outcome.err;
            reports.push_back(outcome.json());
            EXPECT_EQ(reports.back().at("h"), 40);
            EXPECT_EQ(reports.back().at("maxima"), reports.front().at("maxima"));
        }
    }
    EXPECT_THAT(call({"h-maxima", "--help"}).out, HasSubstr("--h H"));
    EXPECT_THAT(call({"h-maxima", path("h-maxima"), "-o", path("o.tif")}).err, HasSubstr("--height is required"));
    EXPECT_THAT(call({"info", path("h-maxima"), "--h", "4"}).err, HasSubstr("option: '--h': unknown"));
    EXPECT_THAT(call({"h-maxima", "-o", path("o.tif"), "--h", "4", "--", "--h"}).err, HasSubstr(" --h: no such file"));
}

class MserCommand : public CliTest {};

TEST_F(MserCommand, WritesRegionsAndLabels) {
    Image image(PixelType::u8, 60, 50);
    for (std::uint32_t i = 0; i < image.pixelCount(); ++i) {
        const std::uint32_t x = i % 60;
        const std::uint32_t y = i / 60;
        const bool square = x >= 5 && x < 15 && y >= 5 && y < 25;
        const bool other = x >= 30 && x < 50 && y >= 10 && y < 20;
        image.pixels<std::uint8_t>()[i] = square ? 200 : other ? 150 : 20;
    }
    writeTiff(path("a.tif"), image);
    const Outcome outcome =
        runBinary({"mser", path("a.tif"), "--csv", path("m.csv"), "--labels", path("l.tif"), "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.json().at("count"), 2);
    const auto rows = rowsOf(path("m.csv"));
    ASSERT_EQ(rows.size(), 2U);
    // Children of a node are in the order of their canonical, i.e. last, pixels.
    EXPECT_EQ(rows[0][1], 150);
    EXPECT_EQ(rows[1][1], 200);
    for (const auto& row : rows) {
        EXPECT_EQ(row[2], 200) << "area";
        EXPECT_EQ(row[3], 0) << "variation";
    }
    EXPECT_DOUBLE_EQ(rows[0][4], 39.5);
    EXPECT_DOUBLE_EQ(rows[0][5], 14.5);
    EXPECT_DOUBLE_EQ(rows[0][8], 0) << "lies";
    EXPECT_NEAR(rows[1][8], 1.5707963267948966, 1e-12) << "stands";
    const std::vector<int> labels = levelsOfFile(path("l.tif"));
    EXPECT_EQ(std::ranges::count(labels, 1), 200);
    EXPECT_EQ(std::ranges::count(labels, 2), 200);
    EXPECT_EQ(labels[12 * 60 + 35], 1);
    EXPECT_EQ(call({"mser", path("a.tif"), "--tree", "min", "--json"}).json().at("count"), 0);
    EXPECT_EQ(call({"mser", path("a.tif"), "--delta", "2.9", "--json"}).json().at("delta"), 2) << "no more than typed";
}

TEST_F(MserCommand, RefusesWhatMakesNoSense) {
    (void)makeImage("a.tif", PixelType::u8, 9, 9, 9);
    for (const Args& wrong :
         {Args{"--delta", "0"}, Args{"--max-area", "3"}, Args{"--max-variation", "-1"}, Args{"--min-diversity", "2"},
          Args{"--labels", path("l.csv")}, Args{"--csv", path("x.tif"), "--labels", path("x.tif")}}) {
        Args args{"mser", path("a.tif")};
        args.insert(args.end(), wrong.begin(), wrong.end());
        EXPECT_EQ(call(args).code, 2) << wrong.front();
    }
    EXPECT_THAT(filesInFolder(), ElementsAre("a.tif"));
}

} // namespace
} // namespace pollard::cli
