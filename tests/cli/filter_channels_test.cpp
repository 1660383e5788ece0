// The filter command on all channels of a file.

#include "cli_fixture.hpp"
#include "cpu/cpu_engine.hpp"
#include "engine/engine_registry.hpp"
#include "program.hpp"

#include "formats/tiff/tiff_writer.hpp"
#include "io/channels.hpp"
#include "io/write/image_writer.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstring>
#include <optional>
#include <random>
#include <sstream>
#include <tiffio.h>

namespace pollard::cli {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

using Levels = std::vector<std::uint16_t>;
using Colours = SampleLayout::Colours;

constexpr std::uint32_t kWidth = 31;
constexpr std::uint32_t kHeight = 23;

Levels levelsOf(const Image& image) {
    Levels levels(image.pixelCount());
    for (std::size_t i = 0; i < levels.size(); ++i) {
        levels[i] = image.level(i);
    }
    return levels;
}

CopiedTag asciiTag(std::uint16_t number, const std::string& text) {
    CopiedTag tag{number, 2, text.size() + 1, std::vector<std::byte>(text.size() + 1)};
    std::memcpy(tag.data.data(), text.data(), text.size());
    return tag;
}

std::string textOf(const ImageInfo& info, std::uint16_t number) {
    const auto found = std::ranges::find(info.carried, number, &CopiedTag::tag);
    return found == info.carried.end() ? "none" : reinterpret_cast<const char*>(found->data.data());
}

std::shared_ptr<const Image> noise(PixelType type, std::uint32_t seed, std::uint32_t levels = 40) {
    const auto image = std::make_shared<Image>(type, kWidth, kHeight);
    std::mt19937 random(seed);
    dispatch(type, [&]<class T>(T) {
        std::ranges::generate(image->pixels<T>(), [&] { return static_cast<T>(5 + random() % levels); });
    });
    return image;
}

/// Area of the component of { f >= threshold } at a pixel, with 4 neighbours; a number above @p most if it is larger.
std::size_t areaAround(const Image& image, std::size_t seed, std::uint16_t threshold, std::size_t most) {
    std::vector<bool> seen(image.pixelCount(), false);
    std::vector<std::size_t> open{seed};
    seen[seed] = true;
    std::size_t area = 0;
    while (!open.empty() && area <= most) {
        const std::size_t p = open.back();
        open.pop_back();
        ++area;
        const auto visit = [&](bool exists, std::size_t next) {
            if (exists && !seen[next] && image.level(next) >= threshold) {
                seen[next] = true;
                open.push_back(next);
            }
        };
        visit(p % kWidth > 0, p - 1);
        visit(p % kWidth + 1 < kWidth, p + 1);
        visit(p >= kWidth, p - kWidth);
        visit(p + kWidth < image.pixelCount(), p + kWidth);
    }
    return area;
}

class FilterChannels : public CliTest {
protected:
    /// Writes channels of noise.
    void makeChannels(const std::string& name, PixelType type, int count, const SampleLayout& layout,
                      const PlaneFacts& facts = {}) const {
        writeTiff(path(name),
                  {count,
                   [&](int plane, const JobControl&) {
                       return Plane{ownedRows(noise(type, static_cast<std::uint32_t>(plane) + 1)), facts};
                   }},
                  {.samples = layout});
    }
    [[nodiscard]] std::vector<Levels> channelsIn(const std::string& name, int page = 0) const {
        ReadOptions options;
        options.page = page;
        std::vector<Levels> levels;
        for (const ChannelPlane& plane : readChannels(path(name), options).planes) {
            levels.push_back(levelsOf(*plane.image));
        }
        return levels;
    }
    [[nodiscard]] SampleLayout layoutOf(const std::string& name) const {
        const ImageInfo info = readImageInfo(path(name));
        std::vector<Channel> channels = channelsOf(info);
        std::erase_if(channels, [](const Channel& channel) { return channel.page != 0; });
        return sampleLayoutOf(path(name), {}, info, channels);
    }
    Json filter(const std::string& image, Args more) const {
        Args args{"filter", path(image), "-o", path("o.tif"), "--json"};
        args.insert(args.end(), more.begin(), more.end());
        const Outcome outcome = call(args);
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        return outcome.code == 0 ? outcome.json() : Json();
    }
    [[nodiscard]] std::string refusal(Args more, int code = 2) const {
        Args args{"filter", path("a.tif"), "-o", path("o.tif"), "--keep", "area>=4"};
        args.insert(args.end(), more.begin(), more.end());
        const Outcome outcome = call(args);
        EXPECT_EQ(outcome.code, code) << outcome.err;
        EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1) << outcome.err;
        return outcome.err;
    }
    /// Filters all channels and each alone; expects the same values and numbers.
    void expectEachAsAlone(const std::string& image, const std::vector<Args>& alone, const Args& options) const {
        Args all = options;
        all.insert(all.end(), {"--channel", "all"});
        const Json together = filter(image, all);
        const std::vector<Levels> found = channelsIn("o.tif");
        const Json rows = together.at("channels");
        ASSERT_EQ(found.size(), alone.size());
        ASSERT_EQ(rows.size(), alone.size());
        std::map<std::string, std::uint64_t> sums;
        for (std::size_t i = 0; i < alone.size(); ++i) {
            Args args{"filter", path(image) + alone[i][0], "-o", path("one.tif"), "--json", "--channel", alone[i][1]};
            args.insert(args.end(), options.begin(), options.end());
            const Outcome one = call(args);
            ASSERT_EQ(one.code, 0) << one.err;
            EXPECT_EQ(found[i], levelsOf(*readImage(path("one.tif")).image)) << i;
            for (const char* key : {"kept", "removed", "changed_pixels", "nodes"}) {
                EXPECT_EQ(rows[i].at(key), one.json().at(key)) << key;
                sums[key] += one.json().at(key).get<std::uint64_t>();
            }
        }
        for (const auto& [key, sum] : sums) {
            EXPECT_EQ(together.at(key), sum) << key;
        }
    }
};

TEST_F(FilterChannels, AreEachFilteredAsAlone) {
    const std::vector<SampleLayout> layouts = {
        {.samples = 3, .colours = Colours::rgb},
        {.samples = 3, .colours = Colours::rgb, .planar = true},
        {.samples = 5},
        {.samples = 5, .planar = true},
        {.samples = 4, .colours = Colours::cmyk},
        {.samples = 1},
    };
    for (const PixelType type : {PixelType::u8, PixelType::u16}) {
        for (const SampleLayout& layout : layouts) {
            for (const std::string output : {"filtered", "residue", "mask"}) {
                SCOPED_TRACE(std::to_string(bitsOf(type)) + " bits, " + std::to_string(layout.samples) +
                             (layout.planar ? " planes, " : " samples, ") + output);
                makeChannels("a.tif", type, layout.samples, layout);
                std::vector<Args> alone;
                for (int i = 0; i < layout.samples; ++i) {
                    alone.push_back({"", std::to_string(i)});
                }
                expectEachAsAlone("a.tif", alone, {"--keep", "3<=area<=60", "--output", output});
                EXPECT_EQ(layoutOf("o.tif"), layout);
                EXPECT_EQ(readImageInfo(path("o.tif")).bits, bitsOf(type));
            }
        }
    }
    EXPECT_THAT(filesInFolder(), ElementsAre("a.tif", "o.tif", "one.tif"));
}

TEST_F(FilterChannels, LeavesTransparencyAlone) {
    for (const bool planar : {true, false}) {
        const SampleLayout layout{.samples = 4, .colours = Colours::rgb, .planar = planar, .alpha = 3};
        makeChannels("a.tif", PixelType::u8, 4, layout);
        expectEachAsAlone("a.tif", {{"", "red"}, {"", "green"}, {"", "blue"}}, {"--keep", "area>=9"});
        EXPECT_EQ(layoutOf("o.tif"), layout);
        ReadOptions alpha;
        alpha.channel = {ChannelChoice::Kind::sample, 3};
        const auto before = readImage(path("a.tif"), alpha).image;
        const auto after = readImage(path("o.tif"), alpha).image;
        EXPECT_TRUE(std::ranges::equal(before->pixels<std::uint8_t>(), after->pixels<std::uint8_t>()));
    }
}

TEST_F(FilterChannels, OfOneDepthAndTimeBecomeThePages) {
    PlaneFacts facts;
    facts.scene.pixelSize = PixelSize{0.25, 0.5, "µm", "", false, 2};
    facts.scene.axes = {{'z', 2, {}}, {'c', 3, {"DAPI", "GFP", "far red"}}, {'t', 2, {}}};
    makeChannels("a.tif", PixelType::u16, 12, {}, facts);
    // Page 7 is z 1, t 1 of the first channel; the channels of its place are the pages 7, 9 and 11.
    const Outcome outcome =
        call({"filter", path("a.tif[7]"), "-o", path("o.tif"), "--keep", "4<=area<=90", "--channel", "all", "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const std::vector<Levels> found = channelsIn("o.tif");
    ASSERT_EQ(found.size(), 3U);
    for (int i = 0; i < 3; ++i) {
        const std::string page = path("a.tif[" + std::to_string(7 + 2 * i) + "]");
        ASSERT_EQ(call({"filter", page, "-o", path("one.tif"), "--keep", "4<=area<=90"}).code, 0);
        EXPECT_EQ(found[static_cast<std::size_t>(i)], levelsOf(*readImage(path("one.tif")).image)) << i;
    }
    const ImageInfo info = readImageInfo(path("o.tif"));
    EXPECT_EQ(info.pages, 3);
    EXPECT_EQ(info.axes, (std::vector<StackAxis>{{'c', 3, {"DAPI", "GFP", "far red"}}}));
    ASSERT_TRUE(info.pixelSize);
    EXPECT_NEAR(info.pixelSize->x, 0.25, 1e-9);
    EXPECT_NEAR(info.pixelSize->y, 0.5, 1e-9);
    EXPECT_EQ(outcome.json().at("channels").at(2).at("name"), "far red");
}

TEST_F(FilterChannels, KeepMapResolutionGapsAndDescriptions) {
    const float dpi = 150;
    CopiedTag resolution{.tag = 282, .fieldType = 5, .count = 1, .data = std::vector<std::byte>(sizeof dpi)};
    std::memcpy(resolution.data.data(), &dpi, sizeof dpi);
    const double scale[3] = {0.5, 0.25, 0};
    CopiedTag pixelScale{.tag = 33550, .fieldType = 12, .count = 3, .data = std::vector<std::byte>(sizeof scale)};
    std::memcpy(pixelScale.data.data(), scale, sizeof scale);
    const std::string bands = "<GDALMetadata><Item name=\"DESCRIPTION\" sample=\"1\" role=\"description\">near infrared"
                              "</Item></GDALMetadata>";
    for (const bool planar : {true, false}) {
        makeChannels("a.tif", PixelType::u16, 4, {.samples = 4, .planar = planar},
                     {.carried = {resolution, pixelScale, asciiTag(42112, bands), asciiTag(42113, "7")}});
        (void)filter("a.tif", {"--channel", "all", "--keep", "area>=9"});
        const ImageInfo before = readImageInfo(path("a.tif"));
        EXPECT_EQ(readImageInfo(path("o.tif")).carried, before.carried);
        for (int sample = 0; sample < 4; ++sample) {
            ReadOptions options;
            options.channel = {ChannelChoice::Kind::sample, sample};
            const LoadedImage source = readImage(path("a.tif"), options);
            const LoadedImage result = readImage(path("o.tif"), options);
            ASSERT_TRUE(source.valid && result.valid);
            EXPECT_EQ(*result.valid, *source.valid) << sample;
        }
        (void)filter("a.tif", {"--channel", "all", "--keep", "area>=9", "--output", "residue"});
        EXPECT_EQ(textOf(readImageInfo(path("o.tif")), 42113), "none");
        EXPECT_THAT(textOf(readImageInfo(path("o.tif")), 42112), HasSubstr("near infrared"));
    }
}

TEST_F(FilterChannels, OfMeasuredValuesKeepThem) {
    std::vector<float> values(std::size_t{kWidth} * kHeight * 2);
    std::mt19937 random(4);
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = static_cast<float>(random() % 50) * (i % 2 == 0 ? 0.5F : 100.F) - 3;
    }
    for (const bool planar : {true, false}) {
        TIFF* tiff = TIFFOpen(path("a.tif").c_str(), "w");
        ASSERT_NE(tiff, nullptr);
        TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, kWidth);
        TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, kHeight);
        TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, 32);
        TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_IEEEFP);
        TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, 2);
        TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
        TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, planar ? PLANARCONFIG_SEPARATE : PLANARCONFIG_CONTIG);
        TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, kHeight);
        std::vector<float> strip;
        for (int plane = 0; plane < (planar ? 2 : 1); ++plane) {
            strip.clear();
            for (std::size_t i = static_cast<std::size_t>(plane); i < values.size(); i += planar ? 2 : 1) {
                strip.push_back(values[i]);
            }
            ASSERT_GT(TIFFWriteEncodedStrip(tiff, static_cast<std::uint32_t>(plane), strip.data(),
                                            static_cast<tmsize_t>(strip.size() * sizeof(float))),
                      0);
        }
        TIFFClose(tiff);
        (void)filter("a.tif", {"--channel", "all", "--keep", "area>=1"});
        EXPECT_EQ(layoutOf("o.tif").planar, planar);
        for (int sample = 0; sample < 2; ++sample) {
            ReadOptions options;
            options.channel = {ChannelChoice::Kind::sample, sample};
            const LoadedImage loaded = readImage(path("o.tif"), options);
            ASSERT_TRUE(loaded.info.mapping);
            EXPECT_EQ(loaded.info.mapping->file.type, ValueType::f32);
            for (std::size_t i = 0; i < loaded.image->pixelCount(); ++i) {
                ASSERT_EQ(loaded.info.mapping->valueOf(loaded.image->level(i)),
                          values[2 * i + static_cast<std::size_t>(sample)])
                    << sample;
            }
        }
    }
}

TEST_F(FilterChannels, KeepColoursAndDisplayedRanges) {
    PlaneFacts facts;
    facts.scene.axes = {{'c', 2, {}}};
    facts.scene.channels = {{.name = "DAPI",
                             .colour = std::array<std::uint8_t, 3>{0, 0, 255},
                             .wavelength = 0,
                             .window = ChannelWindow{3, 200}},
                            {.name = "GFP",
                             .colour = std::array<std::uint8_t, 3>{10, 255, 0},
                             .wavelength = 0,
                             .window = ChannelWindow{1, 40.5}}};
    facts.scene.channels[1].page = 1;
    writeTiff(path("a.tif"),
              {2,
               [&](int page, const JobControl&) {
                   return Plane{ownedRows(noise(PixelType::u8, static_cast<std::uint32_t>(page))), facts};
               }},
              {.arePages = true});
    std::vector<Channel> expected = facts.scene.channels;
    const auto channelsOfResult = [&](const char* output) {
        const Outcome outcome = call({"filter", path("a.tif"), "-o", path("o.tif"), "--keep", "area>=9", "--channel",
                                      "all", "--output", output});
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        return channelsOf(readImageInfo(path("o.tif")));
    };
    EXPECT_EQ(channelsOfResult("filtered"), expected);
    expected[0].window.reset();
    expected[1].window.reset();
    EXPECT_EQ(channelsOfResult("residue"), expected) << "ranges are those of other values";
    ASSERT_EQ(call({"filter", path("a.tif"), "-o", path("o.tif"), "--keep", "area>=9", "--channel", "GFP"}).code, 0);
    const ImageInfo single = readImageInfo(path("o.tif"));
    ASSERT_EQ(single.channels.size(), 1U);
    EXPECT_EQ(single.channels[0].colour, expected[1].colour);
}

TEST_F(FilterChannels, OfOtherFormatsAreInterleaved) {
    const auto writer = makeRgbWriter(path("a.png"), RgbFormat::png, kWidth, kHeight);
    std::vector<std::uint8_t> rgb(std::size_t{kWidth} * kHeight * 3);
    std::mt19937 random(4);
    std::ranges::generate(rgb, [&] { return static_cast<std::uint8_t>(random() % 30); });
    writer->write(rgb);
    writer->finish();
    expectEachAsAlone("a.png", {{"", "red"}, {"", "green"}, {"", "blue"}}, {"--keep", "3<=area<=50"});
    EXPECT_EQ(layoutOf("o.tif"), (SampleLayout{.samples = 3, .colours = Colours::rgb}));
}

TEST_F(FilterChannels, OfAGreyImageAreItself) {
    (void)makeImage("a.tif", PixelType::u8, 40, 30, 99);
    ASSERT_EQ(call({"filter", path("a.tif"), "-o", path("one.tif"), "--keep", "area>=9"}).code, 0);
    (void)filter("a.tif", {"--channel", "all", "--keep", "area>=9"});
    EXPECT_EQ(levelsOf(*readImage(path("o.tif")).image), levelsOf(*readImage(path("one.tif")).image));
}

TEST_F(FilterChannels, AreReadInPartsToo) {
    makeChannels("a.tif", PixelType::u8, 3, {.samples = 3, .colours = Colours::rgb});
    expectEachAsAlone("a.tif", {{"", "0"}, {"", "1"}, {"", "2"}},
                      {"--keep", "2<=area<=30", "--region", "4,3,20,15", "--shrink", "2"});
    EXPECT_EQ(readImageInfo(path("o.tif")).width, 10U);
}

TEST_F(FilterChannels, FollowTheGuideWhereItsMaskIsWhite) {
    for (const PixelType type : {PixelType::u8, PixelType::u16}) {
        for (const SampleLayout& layout : std::vector<SampleLayout>{
                 {.samples = 3, .colours = Colours::rgb}, {.samples = 3, .planar = true}, {.samples = 1}}) {
            PlaneFacts facts;
            if (layout.samples == 1) {
                facts.scene.axes = {{'c', 3, {"DAPI", "GFP", "far red"}}};
            }
            makeChannels("a.tif", type, 3, layout, facts);
            const std::string guide = layout.samples == 1 ? "GFP" : layout.colours == Colours::rgb ? "green" : "1";
            const Json json = filter("a.tif", {"--guide", guide, "--keep", "4<=area<=40"});
            const auto image = noise(type, 2);
            const std::vector<Levels> before = channelsIn("a.tif");
            const std::vector<Levels> after = channelsIn("o.tif");
            std::size_t kept = 0;
            std::vector<std::uint64_t> changed(3);
            for (std::size_t p = 0; p < image->pixelCount(); ++p) {
                bool inside = false;
                for (std::uint16_t level = image->level(p); level > 5 && !inside; --level) {
                    const std::size_t area = areaAround(*image, p, level, 40);
                    inside = area >= 4 && area <= 40;
                }
                kept += inside ? 1 : 0;
                for (std::size_t i = 0; i < 3; ++i) {
                    ASSERT_EQ(after[i][p], inside ? before[i][p] : 0) << p;
                    changed[i] += after[i][p] != before[i][p] ? 1 : 0;
                }
            }
            EXPECT_GT(kept, 20U);
            EXPECT_LT(kept, image->pixelCount() - 20);
            for (std::size_t i = 0; i < 3; ++i) {
                EXPECT_EQ(json.at("channels").at(i).at("changed_pixels"), changed[i]);
                EXPECT_EQ(json.at("channels").at(i).contains("nodes"), i == 1);
            }
            EXPECT_EQ(json.at("changed_pixels"), changed[0] + changed[1] + changed[2]);
            EXPECT_EQ(json.at("kept").get<int>() + json.at("removed").get<int>(), json.at("nodes").get<int>());
            EXPECT_EQ(layoutOf("o.tif").planar, layout.planar);
        }
    }
}

TEST_F(FilterChannels, LoseTheNoDataValueToTheGuide) {
    makeChannels("a.tif", PixelType::u8, 3, {.samples = 3}, {.carried = {asciiTag(42113, "255")}});
    (void)filter("a.tif", {"--guide", "2", "--keep", "4<=area<=40"});
    const std::vector<Levels> before = channelsIn("a.tif");
    const std::vector<Levels> after = channelsIn("o.tif");
    for (std::size_t p = 0; p < before[0].size(); ++p) {
        const bool gone = after[0][p] == 255;
        for (std::size_t i = 0; i < 3; ++i) {
            ASSERT_EQ(after[i][p], gone ? 255 : before[i][p]);
        }
    }
    EXPECT_THAT(after[0], Contains(255));
    EXPECT_THAT(after[0], Contains(Not(255)));
}

TEST_F(FilterChannels, HaveCriteriaOfTheirOwn) {
    PlaneFacts facts;
    facts.scene.axes = {{'c', 3, {"DAPI", "Cy5: far red", "GFP"}}};
    makeChannels("a.tif", PixelType::u8, 3, {}, facts);
    const auto alone = [&](int page, const Args& criteria) {
        Args args{"filter", path("a.tif[" + std::to_string(page) + "]"), "-o", path("one.tif")};
        args.insert(args.end(), criteria.begin(), criteria.end());
        EXPECT_EQ(call(args).code, 0);
        return levelsOf(*readImage(path("one.tif")).image);
    };
    const Json both = filter("a.tif", {"--channel", "all", "--keep", "area>=3", "--keep", "Cy5: far red:area<=30"});
    EXPECT_EQ(both.at("criteria"), Json({"area>=3"}));
    EXPECT_FALSE(both.at("channels").at(0).contains("criteria"));
    EXPECT_EQ(both.at("channels").at(1).at("criteria"), Json({"area<=30"}));
    std::vector<Levels> found = channelsIn("o.tif");
    EXPECT_EQ(found[0], alone(0, {"--keep", "area>=3"}));
    EXPECT_EQ(found[1], alone(1, {"--keep", "area>=3", "--keep", "area<=30"}));
    EXPECT_EQ(found[2], alone(2, {"--keep", "area>=3"}));

    (void)filter("a.tif", {"--channel", "all", "--keep", "dapi:area>=9", "--keep", "dapi:height>=4", "--keep",
                           "GFP:area>=9", "--match", "any"});
    found = channelsIn("o.tif");
    EXPECT_EQ(found[0], alone(0, {"--keep", "area>=9", "--keep", "height>=4", "--match", "any"}));
    EXPECT_EQ(found[1], channelsIn("a.tif")[1]);
    EXPECT_EQ(found[2], alone(2, {"--keep", "area>=9"}));
}

TEST_F(FilterChannels, HaveNoLabels) {
    makeChannels("a.tif", PixelType::u8, 3, {.samples = 3});
    EXPECT_THAT(refusal({"--channel", "all", "--output", "labels"}), IsErrorAbout("--channel all: labels"));
    for (const char* output : {"labels", "residue", "mask"}) {
        EXPECT_THAT(refusal({"--guide", "1", "--output", output}), IsErrorAbout("--guide: "));
    }
    EXPECT_THAT(refusal({"--guide", "1", "--channel", "red"}), IsErrorAbout("leave out --channel red"));
    EXPECT_THAT(refusal({"--guide", "GFP"}, 1), IsErrorAbout("channel GFP does not exist"));
    EXPECT_THAT(refusal({"--guide", "1", "--keep", "1:area>=4"}), IsErrorAbout("--guide: only the guide"));
    EXPECT_THAT(refusal({"--channel", "all", "--keep", "1:size>=4"}), IsErrorAbout("size"));
    EXPECT_THAT(refusal({"--channel", "all", "--keep", "GFP:area>=4"}, 1), IsErrorAbout("channel GFP does not exist"));
    EXPECT_THAT(refusal({"--guide", "GFP"}, 1), IsErrorAbout(path("a.tif") + ": --guide: "));
    EXPECT_THAT(refusal({"--channel", "all", "--keep", "GFP:area>=4"}, 1), IsErrorAbout(path("a.tif") + ": --keep: "));
    EXPECT_THAT(refusal({"--keep", "Cy5: red:area>=4"}),
                IsErrorAbout("--keep: a criterion for channel Cy5: red needs --channel all"));
    EXPECT_THAT(refusal({"--channel", "all", "--remove", "99,99"}, 1), IsErrorAbout("channel 0: --remove"));
    EXPECT_THAT(filesInFolder(), ElementsAre("a.tif"));
}

TEST_F(FilterChannels, OfAnotherSizeThanTheGuideAreRefused) {
    for (const std::uint32_t width : {4U, 40U}) {
        PlaneFacts facts;
        facts.scene.axes = {{'c', 2, {"DAPI", "GFP"}}};
        writeTiff(path("a.tif"),
                  {2,
                   [&](int page, const JobControl&) {
                       return Plane{
                           ownedRows(std::make_shared<Image>(PixelType::u8, page == 0 ? kWidth : width, kHeight)),
                           facts};
                   }},
                  {.arePages = true});
        EXPECT_THAT(refusal({"--guide", "DAPI"}, 1), IsErrorAbout("channel GFP differs in size from the guide"));
        EXPECT_THAT(refusal({"--channel", "all"}, 1), IsErrorAbout("differs in size"));
    }
    EXPECT_THAT(filesInFolder(), ElementsAre("a.tif"));
}

TEST_F(FilterChannels, AreNamedInTheProgressAndReadOnce) {
    RunOptions options;
    options.showProgress = true;
    options.pace = {std::chrono::milliseconds(0), std::chrono::milliseconds(0)};
    for (const bool planar : {true, false}) {
        makeChannels("a.tif", PixelType::u8, 4, {.samples = 4, .colours = Colours::rgb, .planar = planar, .alpha = 3});
        EngineRegistry registry{makeCpuEngine()};
        std::ostringstream out;
        std::ostringstream err;
        const Args args{"filter", path("a.tif"), "-o", path("o.tif"), "--channel", "all", "--keep", "area>=9"};
        ASSERT_EQ(runCli(args, out, err, registry, options), 0);
        for (const char* channel : {"red: building the tree", "green: building the tree", "blue: building the tree"}) {
            EXPECT_THAT(err.str(), HasSubstr(channel));
        }
        for (const char* other : {"green", "blue", "transparency"}) {
            EXPECT_EQ(err.str().find(std::string(other) + ": reading") != std::string::npos, planar)
                << other << ": the samples of a pixel are read together";
        }
    }
}

TEST_F(FilterChannels, HaveARowEachInTheTable) {
    makeChannels("a.tif", PixelType::u8, 3, {.samples = 3, .colours = Colours::rgb});
    const Outcome outcome =
        call({"filter", path("a.tif"), "-o", path("o.tif"), "--keep", "area>=9", "--channel", "all"});
    for (const char* part : {"channel", "red", "green", "blue", "area>=9", "o.tif"}) {
        EXPECT_THAT(outcome.out, HasSubstr(part));
    }
    EXPECT_THAT(outcome.err, ::testing::IsEmpty());
}

} // namespace
} // namespace pollard::cli
