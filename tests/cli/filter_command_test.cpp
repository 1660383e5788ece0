#include "cli_fixture.hpp"
#include "core/io/io_support.hpp"

#include "formats/tiff/tiff_writer.hpp"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <tiffio.h>
#include <vector>

namespace pollard::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

using Levels = std::vector<std::uint16_t>;

Levels levelsOf(const Image& image) {
    Levels levels(image.pixelCount());
    for (std::size_t i = 0; i < levels.size(); ++i) {
        levels[i] = image.level(i);
    }
    return levels;
}

Levels levelsOf(const std::string& file) { return levelsOf(*readImage(file).image); }

struct CloseTiff {
    void operator()(TIFF* tiff) const noexcept { TIFFClose(tiff); }
};
using TiffFile = std::unique_ptr<TIFF, CloseTiff>;

/// The strips of a TIFF as stored.
std::vector<std::string> storedStrips(const std::string& file) {
    const TiffFile tiff(TIFFOpen(file.c_str(), "rm"));
    std::vector<std::string> strips(TIFFNumberOfStrips(tiff.get()));
    for (std::uint32_t i = 0; i < strips.size(); ++i) {
        strips[i].resize(TIFFGetStrileByteCount(tiff.get(), i));
        EXPECT_GE(TIFFReadRawStrip(tiff.get(), i, strips[i].data(), static_cast<tmsize_t>(strips[i].size())), 0);
    }
    return strips;
}

/// Copies a file of 16-bit grey with libtiff alone, strip after strip.
void copyStrips(const std::string& from, const std::string& to) {
    const TiffFile in(TIFFOpen(from.c_str(), "rm"));
    const TiffFile out(TIFFOpen(to.c_str(), "w"));
    for (const std::uint32_t tag : {TIFFTAG_IMAGEWIDTH, TIFFTAG_IMAGELENGTH, TIFFTAG_ROWSPERSTRIP}) {
        std::uint32_t value = 0;
        TIFFGetField(in.get(), tag, &value);
        TIFFSetField(out.get(), tag, value);
    }
    TIFFSetField(out.get(), TIFFTAG_BITSPERSAMPLE, 16);
    TIFFSetField(out.get(), TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
    TIFFSetField(out.get(), TIFFTAG_COMPRESSION, COMPRESSION_ADOBE_DEFLATE);
    TIFFSetField(out.get(), TIFFTAG_ZIPQUALITY, 2);
    std::vector<char> strip(static_cast<std::size_t>(TIFFStripSize(in.get())));
    for (std::uint32_t i = 0; i < TIFFNumberOfStrips(in.get()); ++i) {
        const tmsize_t bytes = TIFFReadEncodedStrip(in.get(), i, strip.data(), static_cast<tmsize_t>(strip.size()));
        EXPECT_EQ(TIFFWriteEncodedStrip(out.get(), i, strip.data(), bytes), bytes);
    }
}

/// Area of the component of { f >= threshold } that contains a pixel, by flood filling.
std::size_t areaAround(const Image& image, std::size_t seed, std::uint16_t threshold, bool diagonal) {
    const int width = static_cast<int>(image.width());
    const int height = static_cast<int>(image.height());
    std::vector<bool> seen(image.pixelCount(), false);
    std::vector<std::size_t> open{seed};
    seen[seed] = true;
    std::size_t area = 0;
    while (!open.empty()) {
        const std::size_t pixel = open.back();
        open.pop_back();
        ++area;
        const int x = static_cast<int>(pixel) % width;
        const int y = static_cast<int>(pixel) / width;
        for (int dy = -1; dy <= 1; ++dy) {
            for (int dx = -1; dx <= 1; ++dx) {
                const bool neighbour = diagonal || dx == 0 || dy == 0;
                if (!neighbour || x + dx < 0 || x + dx >= width || y + dy < 0 || y + dy >= height) {
                    continue;
                }
                const auto next = static_cast<std::size_t>((y + dy) * width + x + dx);
                if (!seen[next] && image.level(next) >= threshold) {
                    seen[next] = true;
                    open.push_back(next);
                }
            }
        }
    }
    return area;
}

/// Area opening by its definition: the highest threshold at which the pixel's component is large enough.
Levels areaOpening(const Image& image, std::size_t area, bool diagonal) {
    Levels opened(image.pixelCount());
    for (std::size_t i = 0; i < opened.size(); ++i) {
        std::uint16_t level = image.level(i);
        while (level > 0 && areaAround(image, i, level, diagonal) < area) {
            --level;
        }
        opened[i] = level;
    }
    return opened;
}

class FilterCommand : public CliTest {};

TEST_F(FilterCommand, EqualsTheDefinitionOfAnAreaOpening) {
    for (const PixelType type : {PixelType::u8, PixelType::u16}) {
        const auto image = makeImage("a.tif", type, 23, 17, 12);
        for (const int connectivity : {4, 8}) {
            for (const int area : {2, 7, 30}) {
                const Outcome outcome =
                    runBinary({"filter", path("a.tif"), "-o", path("o.tif"), "--keep", "area>=" + std::to_string(area),
                               "--connectivity", std::to_string(connectivity), "--json"});
                ASSERT_EQ(outcome.code, 0) << outcome.err;
                const Levels expected = areaOpening(*image, static_cast<std::size_t>(area), connectivity == 8);
                ASSERT_EQ(levelsOf(path("o.tif")), expected);
                EXPECT_EQ(readImage(path("o.tif")).image->type(), type);

                const Json json = outcome.json();
                EXPECT_EQ(json.at("kept").get<int>() + json.at("removed").get<int>(), json.at("nodes").get<int>());
                const Levels original = levelsOf(*image);
                int changed = 0;
                for (std::size_t i = 0; i < original.size(); ++i) {
                    changed += original[i] != expected[i] ? 1 : 0;
                }
                EXPECT_EQ(json.at("changed_pixels"), changed);
                EXPECT_GT(json.at("estimate_bytes"), 0);
            }
        }
    }
    EXPECT_THAT(filesInFolder(), ElementsAre("a.tif", "o.tif"));
}

TEST_F(FilterCommand, ResidueAndFilteredAddUpToTheImage) {
    for (const std::string tree : {"max", "min"}) {
        const auto image = makeImage("a.tif", PixelType::u16, 60, 41, 900);
        for (const std::string output : {"filtered", "residue"}) {
            ASSERT_EQ(call({"filter", path("a.tif"), "-o", path(output + ".tif"), "--keep", "5<=area<=400", "--tree",
                            tree, "--output", output})
                          .code,
                      0);
        }
        const Levels filtered = levelsOf(path("filtered.tif"));
        const Levels residue = levelsOf(path("residue.tif"));
        const Levels original = levelsOf(*image);
        EXPECT_NE(filtered, original);
        for (std::size_t i = 0; i < original.size(); ++i) {
            const int sum = tree == "max" ? filtered[i] + residue[i] : filtered[i] - residue[i];
            ASSERT_EQ(sum, original[i]) << tree << " pixel " << i;
        }
    }
}

TEST_F(FilterCommand, MaskIsWhiteOrBlack) {
    (void)makeImage("a.tif", PixelType::u8, 30, 20, 9);
    ASSERT_EQ(call({"filter", path("a.tif"), "-o", path("o.tif"), "--keep", "area<=20", "--output", "mask"}).code, 0);
    const Levels mask = levelsOf(path("o.tif"));
    EXPECT_TRUE(std::ranges::all_of(mask, [](int v) { return v == 0 || v == 255; }));
    EXPECT_GT(std::ranges::count(mask, 255), 0);
    EXPECT_GT(std::ranges::count(mask, 0), 0);
}

TEST_F(FilterCommand, GivesTheSameWithOneThreadAndWithTwo) {
    (void)makeImage("a.tif", PixelType::u16, 400, 300, 5000);
    Levels first;
    for (const std::string threads : {"1", "2"}) {
        ASSERT_EQ(call({"filter", path("a.tif"), "-o", path("o.tif"), "--keep", "volume>=900", "--rule", "max",
                        "--threads", threads})
                      .code,
                  0);
        if (threads == "1") {
            first = levelsOf(path("o.tif"));
        }
    }
    EXPECT_EQ(levelsOf(path("o.tif")), first);
}

TEST_F(FilterCommand, WritesTheStripsOfLibtiffWithAnyNumberOfThreads) {
    (void)makeImage("a.tif", PixelType::u16, 1100, 1033, 300); // several strips, the last one is shorter
    std::string first;
    for (const std::string threads : {"1", "2", "5"}) {
        ASSERT_EQ(call({"filter", path("a.tif"), "-o", path("o.tif"), "--keep", "area>=9", "--threads", threads}).code,
                  0);
        const std::vector<std::string> strips = storedStrips(path("o.tif"));
        EXPECT_GT(strips.size(), 5U);
        copyStrips(path("o.tif"), path("copy.tif"));
        EXPECT_EQ(storedStrips(path("copy.tif")), strips);
        first = first.empty() ? test::readBytes(path("o.tif")) : first;
        EXPECT_EQ(test::readBytes(path("o.tif")), first) << threads;
    }
}

TEST_F(FilterCommand, JoinsCriteriaByAllOrAny) {
    (void)makeImage("a.tif", PixelType::u8, 50, 50, 30);
    const auto kept = [this](const std::string& match) {
        return call({"filter", path("a.tif"), "-o", path("o.tif"), "--keep", "area>=3", "--keep", "level<=9", "--match",
                     match, "--json"})
            .json()
            .at("kept")
            .get<int>();
    };
    EXPECT_LT(kept("all"), kept("any"));
}

TEST_F(FilterCommand, CarriesResolutionAndGeoTags) {
    const float dpi = 150;
    CopiedTag resolution{.tag = 282, .fieldType = 5, .count = 1, .data = std::vector<std::byte>(sizeof dpi)};
    std::memcpy(resolution.data.data(), &dpi, sizeof dpi);
    const double scale[3] = {0.5, 0.25, 0};
    CopiedTag pixelScale{.tag = 33550, .fieldType = 12, .count = 3, .data = std::vector<std::byte>(sizeof scale)};
    std::memcpy(pixelScale.data.data(), scale, sizeof scale);
    (void)makeImage("a.tif", PixelType::u8, 12, 12, 9, {resolution, pixelScale});
    ASSERT_EQ(call({"filter", path("a.tif"), "-o", path("o.tif"), "--keep", "area>=3"}).code, 0);
    const ImageInfo info = readImageInfo(path("o.tif"));
    EXPECT_THAT(info.carried, ::testing::Contains(resolution));
    EXPECT_THAT(info.carried, ::testing::Contains(pixelScale));
}

TEST_F(FilterCommand, FiltersThePageThatWasNamed) {
    makePages("stack.tif", 3);
    ASSERT_EQ(call({"filter", path("stack.tif[2]"), "-o", path("o.tif"), "--keep", "area>=1"}).code, 0);
    EXPECT_EQ(levelsOf(path("o.tif")), Levels(20, 20));
}

TEST_F(FilterCommand, QuietPrintsNothingAndReplacesAnOlderResult) {
    (void)makeImage("a.tif", PixelType::u8, 12, 12, 9);
    std::ofstream(path("o.tif")) << "an older file";
    const Outcome outcome = runBinary({"filter", path("a.tif"), "-o", path("o.tif"), "--keep", "area>=3", "-q"});
    EXPECT_EQ(outcome.code, 0);
    EXPECT_THAT(outcome.out, IsEmpty());
    EXPECT_THAT(outcome.err, IsEmpty());
    EXPECT_EQ(readImageInfo(path("o.tif")).width, 12U);
}

TEST_F(FilterCommand, AFailureKeepsTheOlderResult) {
    std::ofstream(path("text.tif")) << "no image";
    std::ofstream(path("o.tif")) << "an older file";
    EXPECT_EQ(runBinary({"filter", path("text.tif"), "-o", path("o.tif"), "--keep", "area>=3"}).code, 1);
    std::ifstream stream(path("o.tif"));
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(stream), {}), "an older file");
}

TEST_F(FilterCommand, TellsAPersonWhatItDid) {
    (void)makeImage("a.tif", PixelType::u8, 40, 40, 99);
    const Outcome outcome = call({"filter", path("a.tif"), "-o", path("o.tif"), "--keep", "area>9"});
    EXPECT_THAT(outcome.out, HasSubstr("area>=10"));
    for (const char* word : {"kept", "removed", "changed", "nodes", "pixels"}) {
        EXPECT_THAT(outcome.out, HasSubstr(word));
    }
}

TEST_F(FilterCommand, LeavesPixelsWithoutDataAlone) {
    // A bright frame without data around a dark background with one bright pixel.
    auto image = std::make_shared<Image>(PixelType::u8, 9, 9);
    for (std::uint32_t i = 0; i < 81; ++i) {
        const std::uint32_t x = i % 9;
        const std::uint32_t y = i / 9;
        const bool frame = x == 0 || y == 0 || x == 8 || y == 8;
        image->pixels<std::uint8_t>()[i] = frame ? 255 : x == 1 && y == 4 ? 90 : 10;
    }
    CopiedTag noData{.tag = 42113, .fieldType = 2, .count = 4, .data = std::vector<std::byte>(4)};
    std::memcpy(noData.data.data(), "255", 4);
    writeTiff(path("gaps.tif"), {*image, {.carried = {noData}}}, {.compression = TiffCompression::deflate});
    ASSERT_NE(readImage(path("gaps.tif")).valid, nullptr);

    const Outcome outcome = call({"filter", path("gaps.tif"), "-o", path("out.tif"), "--keep", "area>=5", "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.json().at("changed_pixels"), 1) << "the pixel does not hang on to the frame";
    const LoadedImage out = readImage(path("out.tif"));
    ASSERT_NE(out.valid, nullptr) << "the result says where it has no data";
    for (std::uint32_t i = 0; i < 81; ++i) {
        EXPECT_EQ(out.image->level(i), out.valid->test(i % 9, i / 9) ? 10 : 255) << i;
    }

    ASSERT_EQ(
        call({"filter", path("gaps.tif"), "-o", path("residue.tif"), "--keep", "area>=5", "--output", "residue"}).code,
        0);
    const LoadedImage residue = readImage(path("residue.tif"));
    EXPECT_EQ(residue.valid, nullptr) << "a difference of 255 is data";
    EXPECT_EQ(residue.image->level(4 * 9 + 1), 80);
    EXPECT_EQ(residue.image->level(0), 0);
}

} // namespace
} // namespace pollard::cli
