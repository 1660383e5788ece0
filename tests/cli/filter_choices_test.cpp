// Options of the filter command: rules, outputs, prominence, components picked at pixels.

#include "cli_fixture.hpp"

#include "formats/tiff/tiff_writer.hpp"

#include <algorithm>
#include <cstring>
#include <set>
#include <tiffio.h>

namespace pollard::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

using Numbers = std::vector<std::uint32_t>;

/// Pixels of a TIFF of 32-bit unsigned integers.
Numbers readLabels(const std::string& file, std::uint32_t width, std::uint32_t height) {
    TIFF* tiff = TIFFOpen(file.c_str(), "r");
    if (tiff == nullptr) {
        ADD_FAILURE() << "cannot open " << file;
        return {};
    }
    std::uint16_t bits = 0;
    TIFFGetField(tiff, TIFFTAG_BITSPERSAMPLE, &bits);
    EXPECT_EQ(bits, 32);
    Numbers values(std::size_t{width} * height);
    for (std::uint32_t y = 0; y < height; ++y) {
        EXPECT_EQ(TIFFReadScanline(tiff, values.data() + std::size_t{y} * width, y), 1);
    }
    TIFFClose(tiff);
    return values;
}

class FilterChoices : public CliTest {
protected:
    /// On a background of 10: a peak of 50 with a higher tip of 80 at (1, 1), one of 40 at (6, 1), one of 30 at the
    /// border.
    void makePeaks(const std::vector<CopiedTag>& tags = {}) {
        auto image = std::make_shared<Image>(PixelType::u8, kWidth, kHeight);
        std::ranges::fill(image->pixels<std::uint8_t>(), std::uint8_t{10});
        const auto set = [&](std::uint32_t x, std::uint32_t y, std::uint8_t level) {
            image->pixels<std::uint8_t>()[y * kWidth + x] = level;
        };
        set(1, 1, 80);
        set(2, 1, 50);
        set(1, 2, 50);
        set(6, 1, 40);
        set(6, 2, 40);
        set(9, 0, 30);
        writeTiff(path("a.tif"), {*image, {.carried = tags}}, {.compression = TiffCompression::none});
    }
    [[nodiscard]] int levelAt(std::uint32_t x, std::uint32_t y) {
        return readImage(path("o.tif")).image->level(std::size_t{y} * kWidth + x);
    }
    Json filter(Args options) {
        Args args{"filter", path("a.tif"), "-o", path("o.tif"), "--json"};
        args.insert(args.end(), options.begin(), options.end());
        const Outcome outcome = call(args);
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        return outcome.code == 0 ? outcome.json() : Json();
    }

    static constexpr std::uint32_t kWidth = 10;
    static constexpr std::uint32_t kHeight = 5;
};

TEST_F(FilterChoices, EveryRuleMeansWhatItSays) {
    makePeaks();
    // Components that meet it: the tip (area 1), not its peak (area 3), the second peak (area 2), the third (area 1).
    const auto tip = [&](const std::string& rule) {
        const Json json = filter({"--keep", "area<=2", "--rule", rule});
        EXPECT_EQ(json.at("rule"), rule);
        return levelAt(1, 1);
    };
    EXPECT_EQ(tip("direct"), 80);
    EXPECT_EQ(levelAt(2, 1), 10);
    EXPECT_EQ(tip("subtractive"), 40);
    EXPECT_EQ(levelAt(2, 1), 10);
    EXPECT_EQ(tip("min"), 10);
    EXPECT_EQ(tip("max"), 80);
    EXPECT_EQ(levelAt(2, 1), 50);
    EXPECT_EQ(tip("viterbi"), 80) << "removing the tip and keeping its peak change one decision each; ties keep";
    EXPECT_EQ(levelAt(2, 1), 50);
    EXPECT_EQ(levelAt(6, 1), 40);
}

TEST_F(FilterChoices, LabelsAre32BitsWithCountAndTags) {
    const double scale[3] = {0.5, 0.25, 0};
    CopiedTag pixelScale{.tag = 33550, .fieldType = 12, .count = 3, .data = std::vector<std::byte>(sizeof scale)};
    std::memcpy(pixelScale.data.data(), scale, sizeof scale);
    makePeaks({pixelScale});
    const Json json = filter({"--keep", "area<=3", "--output", "labels"});
    EXPECT_EQ(json.at("labels"), 3);
    EXPECT_EQ(json.at("bits"), 32);
    EXPECT_EQ(json.at("output"), "labels");
    EXPECT_EQ(json.at("kept"), 5);
    EXPECT_EQ(json.at("removed"), 0);
    const Numbers labels = readLabels(path("o.tif"), kWidth, kHeight);
    const auto at = [&](std::uint32_t x, std::uint32_t y) { return labels[y * kWidth + x]; };
    EXPECT_EQ(at(9, 0), 1U);
    EXPECT_EQ(at(1, 1), 2U);
    EXPECT_EQ(at(1, 2), 2U);
    EXPECT_EQ(at(6, 2), 3U);
    EXPECT_EQ(std::ranges::count(labels, 0U), 44);
    EXPECT_THAT(readImageInfo(path("o.tif")).carried, ::testing::Contains(pixelScale));
}

TEST_F(FilterChoices, LabelsGoBeyond16Bits) {
    constexpr std::uint32_t kSide = 540; // 72,900 isolated spots
    Image image(PixelType::u8, kSide, kSide);
    for (std::uint32_t p = 0; p < kSide * kSide; ++p) {
        image.pixels<std::uint8_t>()[p] = p % kSide % 2 == 0 && p / kSide % 2 == 0 ? 200 : 0;
    }
    writeTiff(path("a.tif"), image);
    const Json json = filter({"--keep", "area<=1", "--output", "labels", "--connectivity", "8"});
    EXPECT_EQ(json.at("labels"), 72900);
    const Numbers labels = readLabels(path("o.tif"), kSide, kSide);
    EXPECT_EQ(*std::ranges::max_element(labels), 72900U);
    EXPECT_EQ(labels[std::size_t{kSide - 2} * kSide + kSide - 2], 72900U);
}

TEST_F(FilterChoices, LabelsOfPixelsWithoutDataAreZero) {
    CopiedTag noData{.tag = 42113, .fieldType = 2, .count = 3, .data = std::vector<std::byte>(3)};
    std::memcpy(noData.data.data(), "10", 3);
    makePeaks({noData});
    const Json json = filter({"--keep", "area>=1", "--output", "labels"}); // including the root
    EXPECT_EQ(json.at("labels"), 1);
    const Numbers labels = readLabels(path("o.tif"), kWidth, kHeight);
    EXPECT_EQ(std::ranges::count(labels, 1U), 6);
    EXPECT_EQ(std::ranges::count(labels, 0U), 44);
}

TEST_F(FilterChoices, KeepsTheMostProminent) {
    makePeaks();
    const auto left = [&](const std::string& prominent) {
        const Json json = filter({"--prominent", prominent});
        EXPECT_EQ(json.at("prominent"), prominent);
        std::set<int> levels;
        for (const auto& [x, y] : {std::pair(1, 1), std::pair(6, 1), std::pair(9, 0)}) {
            levels.insert(levelAt(static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y)));
        }
        return levels;
    };
    EXPECT_THAT(left("dynamics:1"), ElementsAre(10, 80));
    EXPECT_THAT(left("dynamics:2"), ElementsAre(10, 40, 80));
    EXPECT_THAT(left("extinction_area:2"), ElementsAre(10, 40, 80));
    EXPECT_THAT(left("extinction_volume:1"), ElementsAre(10, 80));
    EXPECT_THAT(left("dynamics:9"), ElementsAre(30, 40, 80));
    (void)filter({"--prominent", "dynamics:2", "--keep", "area<=2"});
    EXPECT_EQ(levelAt(2, 1), 10) << "prominence and criteria must both be met";
    EXPECT_EQ(levelAt(1, 1), 80);
    EXPECT_EQ(levelAt(9, 0), 10);
}

TEST_F(FilterChoices, RemovesAndKeepsWhatIsAtPixels) {
    makePeaks();
    Json json = filter({"--remove", "1,1"});
    EXPECT_EQ(json.at("remove_at"), Json({"1,1"}));
    EXPECT_EQ(levelAt(1, 1), 50) << "only the smallest component that holds the pixel";
    EXPECT_EQ(json.at("removed"), 1);
    (void)filter({"--remove", "2,1", "--remove", "9,0"});
    EXPECT_EQ(levelAt(1, 1), 10) << "and everything in it";
    EXPECT_EQ(levelAt(6, 1), 40);
    EXPECT_EQ(levelAt(9, 0), 10);
    json = filter({"--keep", "area>=3", "--keep-at", "6,1"});
    EXPECT_EQ(json.at("keep_at"), Json({"6,1"}));
    EXPECT_EQ(levelAt(6, 1), 40);
    EXPECT_EQ(levelAt(9, 0), 10);
    json = filter({"--only-at", "2,1"});
    EXPECT_EQ(json.at("only_at"), Json({"2,1"}));
    EXPECT_EQ(levelAt(1, 1), 80) << "all that is in it";
    EXPECT_EQ(levelAt(6, 1), 10);
    EXPECT_EQ(levelAt(9, 0), 10);
    (void)filter({"--only-at", "1,1", "--only-at", "9,0", "--keep", "area<=1"});
    EXPECT_EQ(levelAt(1, 1), 80);
    EXPECT_EQ(levelAt(2, 1), 10) << "what is around it goes";
    EXPECT_EQ(levelAt(6, 1), 10);
    const Outcome ground = call({"filter", path("a.tif"), "-o", path("g.tif"), "--remove", "0,0"});
    EXPECT_EQ(ground.code, 1);
    EXPECT_THAT(ground.err, IsErrorAbout("--remove: '0,0'"));
    EXPECT_THAT(ground.err, HasSubstr("always stays"));
    const Outcome outside =
        call({"filter", path("a.tif"), "-o", path("g.tif"), "--keep", "area>=2", "--keep-at", "3,5"});
    EXPECT_EQ(outside.code, 1);
    EXPECT_THAT(outside.err, HasSubstr("outside the image of 10 x 5 px"));
}

TEST_F(FilterChoices, BorderIsACriterion) {
    makePeaks();
    (void)filter({"--keep", "border==0"});
    EXPECT_EQ(levelAt(9, 0), 10);
    EXPECT_EQ(levelAt(1, 1), 80);
    (void)filter({"--keep", "border>0"});
    EXPECT_EQ(levelAt(9, 0), 30);
    EXPECT_EQ(levelAt(1, 1), 10);
}

TEST_F(FilterChoices, TellsAPersonWhatItWasAskedFor) {
    makePeaks();
    const Outcome outcome = call({"filter", path("a.tif"), "-o", path("o.tif"), "--keep", "area>=2", "--prominent",
                                  "dynamics:1000", "--remove", "1,1", "--output", "labels"});
    EXPECT_THAT(outcome.out, HasSubstr("area>=2, 1,000 most prominent by dynamics, without 1 component picked, rule "
                                       "direct, output labels"));
}

} // namespace
} // namespace pollard::cli
