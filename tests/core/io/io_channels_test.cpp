#include "core/io/io_jp2_variants.hpp"
#include "core/io/io_support.hpp"
#include "core/io/io_tiff_variants.hpp"

#include "formats/tiff/tiff_tags.hpp"
#include "formats/tiff/tiff_writer.hpp"
#include "io/channels.hpp"
#include "io/metadata/channel_facts.hpp"
#include "io/metadata/geo_tags.hpp"
#include "io/metadata/imagej_description.hpp"
#include "io/metadata/scene_description.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <functional>
#include <gmock/gmock.h>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <tiffio.h>
#include <vector>

namespace pollard::test {

namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr std::uint16_t kDescription = 270;
using Colour = std::array<std::uint8_t, 3>;

/// Reproducible bytes that are finite numbers for every type of sample.
std::string sampleBytes(const TiffVariant& v) {
    std::string bytes;
    const bool real = v.sampleFormat == SAMPLEFORMAT_IEEEFP;
    for (const std::uint16_t value : testSamples(v.sampleCount(), 16)) {
        const float number = static_cast<float>(value) / 7 - 3000;
        const auto word = real ? std::bit_cast<std::uint32_t>(number) : std::uint32_t{value} * 65521U;
        bytes.append(reinterpret_cast<const char*>(&word) + (v.bits == 8 ? 1 : 0),
                     static_cast<std::size_t>(v.bits / 8));
    }
    return bytes;
}

/// Pages of whole bytes with further tags on each.
void writeTagged(const std::filesystem::path& path, const TiffVariant& v, const std::vector<CopiedTag>& tags,
                 int pages = 1) {
    TIFF* tiff = TIFFOpen(path.c_str(), "w");
    ASSERT_NE(tiff, nullptr);
    const std::string bytes = sampleBytes(v);
    for (int page = 0; page < pages; ++page) {
        EXPECT_TRUE(writeCopiedTags(tiff, tags));
        std::string turned = bytes;
        std::rotate(turned.begin(), turned.begin() + page * v.bits / 8 * 5, turned.end());
        writePage(tiff, v, turned);
    }
    TIFFClose(tiff);
}

std::vector<std::string> namesOf(const std::vector<Channel>& channels) {
    std::vector<std::string> names;
    for (const Channel& channel : channels) {
        names.push_back(channel.name);
    }
    return names;
}

/// Each plane of readChannels() must be what readImage() gives for its page and sample.
void expectEachAsAlone(const std::filesystem::path& path, ReadOptions options,
                       const std::vector<std::size_t>& wanted = {}) {
    options.channel = {ChannelChoice::Kind::sample, 0};
    const std::vector<Channel> channels = channelsOf(readImageInfo(path, options));
    const ChannelImage read = readChannels(path, options, wanted);
    ASSERT_EQ(read.planes.size(), wanted.empty() ? channels.size() : wanted.size());
    EXPECT_EQ(read.info.page, options.page);
    EXPECT_EQ(channelsOf(read.info), channels);
    for (std::size_t i = 0; i < read.planes.size(); ++i) {
        const ChannelPlane& plane = read.planes[i];
        EXPECT_EQ(plane.channel, channels[wanted.empty() ? i : wanted[i]]);
        ReadOptions one = options;
        one.page = plane.channel.page;
        one.channel = {ChannelChoice::Kind::sample, plane.channel.sample};
        one.mapping.proportional = true; // as levels of channels
        const LoadedImage alone = readImage(path, one);
        ASSERT_EQ(plane.image->type(), alone.image->type());
        ASSERT_EQ(levelsOf(*plane.image), levelsOf(*alone.image)) << plane.channel.name;
        ASSERT_EQ(plane.mapping, alone.info.mapping) << plane.channel.name;
        ASSERT_EQ(plane.valid == nullptr, alone.valid == nullptr) << plane.channel.name;
        for (std::uint32_t y = 0; alone.valid && y < alone.image->height(); ++y) {
            for (std::uint32_t x = 0; x < alone.image->width(); ++x) {
                ASSERT_EQ(plane.valid->test(x, y), alone.valid->test(x, y)) << x << ", " << y;
            }
        }
    }
}

void expectAllPartsAsAlone(const std::filesystem::path& path, int page = 0) {
    for (const bool part : {false, true}) {
        for (const int shrink : {1, 3}) {
            ReadOptions options;
            options.page = page;
            options.shrink = shrink;
            if (part) {
                options.region = PixelRegion{3, 2, 17, 11};
            }
            expectEachAsAlone(path, options);
            options.channel = {ChannelChoice::Kind::sample, 0};
            const std::size_t last = channelsOf(readImageInfo(path, options)).size() - 1;
            expectEachAsAlone(path, options, {last});
            expectEachAsAlone(path, options, {last, 0});
        }
    }
}

class Channels : public ::testing::Test {
protected:
    [[nodiscard]] std::vector<Channel> channels(const ReadOptions& options = {}) const {
        return channelsOf(readImageInfo(path_, options));
    }

    const TempDir dir_;
    const std::filesystem::path path_ = dir_ / "channels.tif";
};

TEST_F(Channels, HaveTheValuesOfEachSampleReadAlone) {
    std::vector<std::uint16_t> palette;
    for (const int scale : {3, 5, 7}) {
        for (int i = 0; i < 256; ++i) {
            palette.push_back(static_cast<std::uint16_t>(i * scale * 31));
        }
    }
    const std::vector<std::uint16_t> none(10, EXTRASAMPLE_UNSPECIFIED);
    const std::vector<TiffVariant> variants = {
        {.samples = 3, .photometric = PHOTOMETRIC_RGB},
        {.bits = 16, .samples = 3, .photometric = PHOTOMETRIC_RGB, .orientation = ORIENTATION_LEFTBOT},
        {.samples = 4, .photometric = PHOTOMETRIC_RGB, .extraSamples = {EXTRASAMPLE_UNASSALPHA}},
        {.samples = 4, .photometric = PHOTOMETRIC_SEPARATED},
        {.samples = 3, .photometric = PHOTOMETRIC_CIELAB, .noData = "5"},
        {.photometric = PHOTOMETRIC_PALETTE, .palette = palette},
        {.samples = 2, .photometric = PHOTOMETRIC_MINISWHITE, .extraSamples = {EXTRASAMPLE_UNSPECIFIED}},
        {.bits = 32, .samples = 3, .photometric = PHOTOMETRIC_RGB, .sampleFormat = SAMPLEFORMAT_IEEEFP},
        {.bits = 32, .samples = 2, .extraSamples = {EXTRASAMPLE_UNASSALPHA}},
        {.bits = 16, .samples = 11, .sampleFormat = SAMPLEFORMAT_INT, .extraSamples = none, .noData = "-7"},
        {.bits = 16, .samples = 11, .bigEndian = true, .extraSamples = none, .noData = "0"},
        {.samples = 3, .photometric = PHOTOMETRIC_RGB, .noData = "0", .skipped = {1}},
    };
    for (TiffVariant v : variants) {
        for (const bool separate : {false, true}) {
            for (const std::uint32_t tile : {0U, 16U}) {
                v.separate = separate && v.samples > 1;
                v.tile = tile;
                v.compression = separate ? COMPRESSION_NONE : COMPRESSION_ADOBE_DEFLATE;
                SCOPED_TRACE(v.describe());
                writeTagged(path_, v, {});
                expectAllPartsAsAlone(path_);
                if (HasFatalFailure()) {
                    return;
                }
            }
        }
    }
}

TEST_F(Channels, OfPackedBitsHaveTheValuesOfEachSampleReadAlone) {
    for (const int bits : {1, 4, 12}) {
        const TiffVariant v{.bits = bits, .samples = 3, .photometric = PHOTOMETRIC_RGB};
        writeVariant(path_, v, {testSamples(v.sampleCount(), bits)});
        expectAllPartsAsAlone(path_);
    }
}

TEST_F(Channels, OfLargeFilesAreReadOnAllThreads) {
    for (const bool separate : {false, true}) {
        const TiffVariant v{.width = 700,
                            .height = 600,
                            .bits = 16,
                            .samples = 3,
                            .photometric = PHOTOMETRIC_RGB,
                            .separate = separate,
                            .tile = 64};
        writeTagged(path_, v, {});
        expectEachAsAlone(path_, {});
    }
    // A strip above the size that is decoded at once.
    const TiffVariant rows{
        .width = 1500, .height = 1000, .bits = 16, .samples = 3, .photometric = PHOTOMETRIC_RGB, .rowsPerStrip = 1000};
    writeTagged(path_, rows, {});
    expectEachAsAlone(path_, {});
}

TEST_F(Channels, OfOtherFormatsHaveTheValuesOfEachSampleReadAlone) {
    const auto jp2 = dir_ / "a.jp2";
    const std::vector<std::pair<OPJ_COLOR_SPACE, std::vector<std::string>>> spaces{
        {OPJ_CLRSPC_SRGB, {"red", "green", "blue", "channel 3"}},
        {OPJ_CLRSPC_GRAY, {"channel 0", "channel 1", "channel 2", "channel 3"}}};
    for (const auto& [space, names] : spaces) {
        for (const bool isSigned : {false, true}) {
            writeJp2(jp2, {.bits = 12, .isSigned = isSigned, .components = 5, .space = space, .alpha = 4},
                     [](int component, std::uint32_t x, std::uint32_t y) {
                         return static_cast<int>((x * 7 + y * 31) * static_cast<std::uint32_t>(component + 1) % 2000 /
                                                 20 * 20);
                     });
            EXPECT_EQ(namesOf(channelsOf(readImageInfo(jp2, withChannel(0)))), names) << "without opacity";
            expectAllPartsAsAlone(jp2);
        }
    }
    std::string pixels = "P6\n37 29\n255\n";
    for (const std::uint16_t sample : testSamples(37 * 29 * 3, 8)) {
        pixels += static_cast<char>(sample);
    }
    writeBytes(dir_ / "a.ppm", pixels);
    expectAllPartsAsAlone(dir_ / "a.ppm");
    EXPECT_THAT(namesOf(channelsOf(readImageInfo(dir_ / "a.ppm"))), ElementsAre("red", "green", "blue"));
}

TEST_F(Channels, OnPagesAreFoundInAllOrdersOfTheAxes) {
    const TiffVariant v;
    std::string order = "CTZ";
    do {
        const std::string xml =
            R"(<OME><Image><Pixels SizeC="3" SizeZ="2" SizeT="4" DimensionOrder="XY)" + order +
            R"("><Channel Name="DAPI"/><Channel Name="GFP"/><Channel Name="DAPI"/><TiffData/></Pixels></Image></OME>)";
        writeTagged(path_, v, {textTag(kDescription, xml)}, 24);
        const auto strideOf = [&](char letter) {
            int stride = 1;
            for (const char axis : order.substr(0, order.find(letter))) {
                stride *= axis == 'C' ? 3 : axis == 'Z' ? 2 : 4;
            }
            return stride;
        };
        for (const int page : {0, 1, 11, 23}) {
            ReadOptions options;
            options.page = page;
            const std::vector<Channel> found = channels(options);
            EXPECT_THAT(namesOf(found), ElementsAre("DAPI", "GFP", "DAPI 2"));
            const int position = page / strideOf('C') % 3;
            for (int c = 0; c < 3; ++c) {
                EXPECT_EQ(found[static_cast<std::size_t>(c)].page, page + (c - position) * strideOf('C')) << order;
                EXPECT_EQ(found[static_cast<std::size_t>(c)].sample, 0);
            }
            expectEachAsAlone(path_, options);
        }
        expectAllPartsAsAlone(path_, 13);
    } while (std::next_permutation(order.begin(), order.end()));
}

TEST_F(Channels, OfPagesWithColoursAreNamedAfterBoth) {
    const std::string xml = R"(<OME><Image><Pixels SizeC="6" SizeZ="1" SizeT="1" DimensionOrder="XYCZT">)"
                            R"(<Channel Name="left" SamplesPerPixel="3"/><Channel Name="right" SamplesPerPixel="3"/>)"
                            R"(<TiffData/></Pixels></Image></OME>)";
    writeTagged(path_, {.samples = 3, .photometric = PHOTOMETRIC_RGB}, {textTag(kDescription, xml)}, 2);
    EXPECT_THAT(namesOf(channels()),
                ElementsAre("left red", "left green", "left blue", "right red", "right green", "right blue"));
    EXPECT_EQ(channels()[4].page, 1);
    EXPECT_EQ(channels()[4].sample, 1);
    EXPECT_EQ(channels()[4].colour, (Colour{0, 255, 0}));
    expectAllPartsAsAlone(path_, 1);
}

TEST_F(Channels, OfColoursAreNamedWithoutTransparency) {
    const auto namesWith = [&](TiffVariant v) {
        v.bits = 8;
        writeTagged(path_, v, {});
        return namesOf(channels());
    };
    EXPECT_THAT(namesWith({}), ElementsAre("channel 0"));
    EXPECT_THAT(namesWith({.samples = 3, .photometric = PHOTOMETRIC_RGB}), ElementsAre("red", "green", "blue"));
    EXPECT_EQ(channels()[0].colour, (Colour{255, 0, 0}));
    EXPECT_EQ(channels()[2].colour, (Colour{0, 0, 255}));
    TiffVariant v{.samples = 5, .photometric = PHOTOMETRIC_RGB};
    v.extraSamples = {EXTRASAMPLE_UNASSALPHA, EXTRASAMPLE_UNSPECIFIED};
    EXPECT_THAT(namesWith(v), ElementsAre("red", "green", "blue", "channel 4"));
    EXPECT_EQ(channels()[3].sample, 4);
    EXPECT_THAT(namesWith({.samples = 2, .extraSamples = {EXTRASAMPLE_ASSOCALPHA}}), ElementsAre("channel 0"));
    EXPECT_THAT(namesWith({.samples = 4, .photometric = PHOTOMETRIC_SEPARATED}),
                ElementsAre("cyan", "magenta", "yellow", "black"));
    EXPECT_THAT(namesWith({.samples = 3, .photometric = PHOTOMETRIC_CIELAB}), ElementsAre("L*", "a*", "b*"));
    EXPECT_THAT(namesWith({.photometric = PHOTOMETRIC_PALETTE, .palette = std::vector<std::uint16_t>(768, 9)}),
                ElementsAre("red", "green", "blue"));
}

TEST_F(Channels, HaveTheFactsOfOmeXml) {
    const std::string xml =
        R"(<OME><Image><Pixels SizeC="3" SizeZ="1" SizeT="1" DimensionOrder="XYCZT">)"
        R"(<Channel Name="DAPI" Color="65535" EmissionWavelength="461"/>)"
        R"(<Channel Name="Cy5" Color="-16776961" EmissionWavelength="0.67" EmissionWavelengthUnit="µm"/>)"
        R"(<Channel EmissionWavelength="5090" EmissionWavelengthUnit="Å"/><TiffData/></Pixels></Image></OME>)";
    const auto expectFacts = [&] {
        const std::vector<Channel> found = channels();
        ASSERT_THAT(namesOf(found), ElementsAre("DAPI", "Cy5", "channel 2"));
        EXPECT_EQ(found[0].colour, (Colour{0, 0, 255}));
        EXPECT_EQ(found[1].colour, (Colour{255, 0, 0})) << "a signed number";
        EXPECT_EQ(found[2].colour, std::nullopt);
        EXPECT_DOUBLE_EQ(found[0].wavelength, 461);
        EXPECT_DOUBLE_EQ(found[1].wavelength, 670);
        EXPECT_DOUBLE_EQ(found[2].wavelength, 509);
    };
    writeTagged(path_, {}, {textTag(kDescription, xml)}, 3);
    expectFacts();
    // The channels are the samples of a pixel.
    const std::vector<std::uint16_t> none(2, EXTRASAMPLE_UNSPECIFIED);
    for (const bool separate : {false, true}) {
        writeTagged(path_, {.samples = 3, .separate = separate, .extraSamples = none}, {textTag(kDescription, xml)});
        expectFacts();
        EXPECT_EQ(channels()[2].sample, 2);
        expectEachAsAlone(path_, {});
    }
    std::string stack = xml;
    stack.replace(stack.find("SizeZ=\"1\""), 9, "SizeZ=\"2\"");
    writeTagged(path_, {.samples = 3, .extraSamples = none}, {textTag(kDescription, stack)}, 2);
    expectFacts();
    EXPECT_EQ(readImageInfo(path_).axes, (std::vector<StackAxis>{{'z', 2, {}}}));
    EXPECT_THAT(readImageInfo(path_).notes, Not(Contains(HasSubstr("OME"))));
}

TEST_F(Channels, OfAColourImageAreItsColoursWhateverTheirOneNameIs) {
    const std::string xml = R"(<OME><Image><Pixels SizeC="3" SizeZ="1" SizeT="1" DimensionOrder="XYCZT">)"
                            R"(<Channel Name="bright field" Color="-1" SamplesPerPixel="3"/><TiffData/></Pixels>)"
                            R"(</Image></OME>)";
    writeTagged(path_, {.samples = 3, .photometric = PHOTOMETRIC_RGB}, {textTag(kDescription, xml)});
    EXPECT_THAT(namesOf(channels()), ElementsAre("red", "green", "blue"));
    EXPECT_EQ(channels()[1].colour, (Colour{0, 255, 0}));
}

TEST_F(Channels, HaveNoFactsThatDoNotFitTheirNumber) {
    const std::string xml = R"(<OME><Image><Pixels SizeC="2" SizeZ="1" SizeT="1" DimensionOrder="XYCZT">)"
                            R"(<Channel Name="a"/><Channel Name="b"/><Channel Name="c"/><Channel Name="d"/>)"
                            R"(<TiffData/></Pixels></Image></OME>)";
    writeTagged(path_, {}, {textTag(kDescription, xml)}, 3);
    EXPECT_THAT(namesOf(channels()), ElementsAre("channel 0"));
    ImageInfo info;
    info.samples = 2;
    info.channels.resize(2);
    info.channels[0].name = "a";
    info.channels[0].sample = 2;
    EXPECT_THAT(namesOf(channelsOf(info)), ElementsAre("channel 0", "channel 1"));
}

TEST_F(Channels, AreNumberedWhereNamesOccurTwice) {
    ImageInfo info;
    info.samples = 5;
    for (const char* name : {"a", "a", "a 2", "b", "a"}) {
        info.channels.emplace_back().name = name;
    }
    arrangeChannels(info, -1);
    EXPECT_THAT(namesOf(channelsOf(info)), ElementsAre("a", "a 3", "a 2", "b", "a 4"));
    arrangeChannels(info, 1);
    EXPECT_THAT(namesOf(channelsOf(info)), ElementsAre("a", "a 2", "b", "a 3"));
}

TEST_F(Channels, HaveTheFactsOfGdal) {
    const std::string xml = R"(<GDALMetadata><Item name="wavelength_units">Nanometers</Item>)"
                            R"(<Item name="DESCRIPTION" sample="0" role="description">B02, blue</Item>)"
                            R"(<Item name="COLORINTERP" sample="0" role="colorinterp">Blue</Item>)"
                            R"(<Item name="wavelength" sample="0">492.4</Item>)"
                            R"(<Item name="COLORINTERP" sample="1" role="colorinterp">NIR</Item>)"
                            R"(<Item name="CENTRAL_WAVELENGTH_UM" sample="1" domain="IMAGERY">0.8328</Item>)"
                            R"(<Item name="COLORINTERP" sample="2" role="colorinterp">Undefined</Item>)"
                            R"(<Item name="DESCRIPTION" sample="12" role="description">SWIR</Item>)"
                            R"(<Item name="DESCRIPTION" sample="13" role="description">beyond</Item>)"
                            R"(<Item name="DESCRIPTION" sample="-1" role="description">before</Item></GDALMetadata>)";
    TiffVariant v{.bits = 16, .samples = 13};
    v.extraSamples.assign(12, EXTRASAMPLE_UNSPECIFIED);
    for (const bool separate : {false, true}) {
        v.separate = separate;
        writeTagged(path_, v, {textTag(kGdalMetadataTag, xml)});
        const std::vector<Channel> found = channels();
        ASSERT_EQ(found.size(), 13U);
        EXPECT_EQ(found[0].name, "B02, blue");
        EXPECT_EQ(found[0].colour, (Colour{0, 0, 255}));
        EXPECT_DOUBLE_EQ(found[0].wavelength, 492.4);
        EXPECT_EQ(found[1].name, "NIR");
        EXPECT_DOUBLE_EQ(found[1].wavelength, 832.8);
        EXPECT_EQ(found[2].name, "channel 2");
        EXPECT_EQ(found[12].name, "SWIR");
        EXPECT_EQ(found[12].sample, 12);
        expectAllPartsAsAlone(path_);
    }
    v.extraSamples[11] = EXTRASAMPLE_UNASSALPHA;
    writeTagged(path_, v, {textTag(kGdalMetadataTag, xml)});
    EXPECT_EQ(channels().size(), 12U) << "transparency is no channel";
    EXPECT_EQ(channels()[1].name, "NIR");
    writeTagged(path_, v, {textTag(kGdalMetadataTag, "<GDALMetadata><Item")});
    EXPECT_EQ(channels()[1].name, "channel 1");
}

/// ImageJ's block with ranges and colour tables.
ImageJMetadata metadataOf(const std::vector<double>& ranges, const std::vector<Colour>& brightest, bool bigEndian) {
    std::vector<std::uint8_t> bytes;
    std::vector<std::uint32_t> sizes;
    const auto number = [&](std::uint64_t value, unsigned width) {
        for (unsigned i = 0; i < width; ++i) {
            bytes.push_back(static_cast<std::uint8_t>(value >> 8 * (bigEndian ? width - 1 - i : i)));
        }
    };
    const auto ends = [&] {
        std::size_t before = 0;
        for (const std::uint32_t size : sizes) {
            before += size;
        }
        sizes.push_back(static_cast<std::uint32_t>(bytes.size() - before));
    };
    for (const std::uint32_t word : {0x494a494aU, 0x72616e67U, 1U, 0x6c757473U}) {
        number(word, 4);
    }
    number(brightest.size(), 4);
    ends();
    for (const double range : ranges) {
        number(std::bit_cast<std::uint64_t>(range), 8);
    }
    ends();
    for (const Colour& colour : brightest) {
        for (const std::uint8_t part : colour) {
            for (unsigned i = 0; i < 256; ++i) {
                number(part * i / 255, 1);
            }
        }
        ends();
    }
    return imageJMetadata(bytes, sizes, bigEndian);
}

TEST_F(Channels, HaveTheFactsOfImageJ) {
    for (const bool bigEndian : {false, true}) {
        ImageInfo info;
        info.pages = 4;
        info.samples = 1;
        info.axes = {{'c', 2, {}}, {'z', 2, {}}};
        describeImageJChannels("ImageJ=1.53t\nmin=3\nmax=9\n",
                               metadataOf({10, 4000, 0.5, 65535}, {{0, 0, 255}, {255, 128, 0}}, bigEndian), info);
        arrangeChannels(info, -1);
        const std::vector<Channel> found = channelsOf(info);
        EXPECT_THAT(namesOf(found), ElementsAre("channel 0", "channel 1"));
        EXPECT_EQ(found[0].window, (ChannelWindow{10, 4000}));
        EXPECT_EQ(found[1].window, (ChannelWindow{0.5, 65535}));
        EXPECT_EQ(found[0].colour, (Colour{0, 0, 255}));
        EXPECT_EQ(found[1].colour, (Colour{255, 128, 0}));
    }
    ImageInfo single;
    single.samples = 1;
    describeImageJChannels("ImageJ=1.53t\nmin=3\nmax=9.5\n", {}, single);
    EXPECT_EQ(single.channels[0].window, (ChannelWindow{3, 9.5}));
    for (const char* damaged : {"min=9\nmax=3\n", "min=nan\nmax=3\n", "min=3\n"}) {
        describeImageJChannels(std::string("ImageJ=1.53t\n") + damaged, {}, single);
        EXPECT_EQ(single.channels[0].window, std::nullopt) << damaged;
    }
    EXPECT_THAT(metadataOf({3, 1}, {}, true).windows, IsEmpty()) << "no range";
}

/// Number of reports of progress.
int reportsOf(const std::function<void(const JobControl&)>& read) {
    int reports = 0;
    read(JobControl({}, [&](double, std::string_view) { ++reports; }));
    return reports;
}

TEST_F(Channels, OfOnePageAreDecodedAtOnce) {
    writeTagged(path_, {.samples = 4, .photometric = PHOTOMETRIC_SEPARATED}, {});
    const int once = reportsOf([&](const JobControl& control) { (void)readImage(path_, withChannel(0), control); });
    EXPECT_GE(once, 4) << "strips";
    EXPECT_EQ(reportsOf([&](const JobControl& control) { (void)readChannels(path_, {}, {}, control); }), once);
}

TEST_F(Channels, ThatAreNotAskedForAreNotDecoded) {
    TiffVariant v{.samples = 3,
                  .photometric = PHOTOMETRIC_RGB,
                  .compression = COMPRESSION_ADOBE_DEFLATE,
                  .separate = true,
                  .rowsPerStrip = 29};
    writeTagged(path_, v, {});
    TIFF* tiff = TIFFOpen(path_.c_str(), "r");
    const std::uint64_t last = TIFFGetStrileOffset(tiff, 2);
    TIFFClose(tiff);
    std::string bytes = readBytes(path_);
    std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(last), 30, '\x55');
    writeBytes(path_, bytes);
    expectEachAsAlone(path_, {}, {1, 0});
    EXPECT_THROW((void)readChannels(path_, {}), Error);
}

TEST_F(Channels, ReportProgressOfAllPagesAndStop) {
    const std::string xml = R"(<OME><Image><Pixels SizeC="3" SizeZ="1" SizeT="1" DimensionOrder="XYCZT">)"
                            R"(<TiffData/></Pixels></Image></OME>)";
    writeTagged(path_, {}, {textTag(kDescription, xml)}, 3);
    double last = 0;
    (void)readChannels(path_, {}, {}, JobControl({}, [&](double fraction, std::string_view) {
                           EXPECT_GE(fraction, last);
                           last = fraction;
                       }));
    EXPECT_DOUBLE_EQ(last, 1);
    std::stop_source stop;
    double reached = 0;
    EXPECT_THROW((void)readChannels(path_, {}, {},
                                    JobControl(stop.get_token(),
                                               [&](double fraction, std::string_view) {
                                                   reached = fraction;
                                                   if (fraction > 0.4) {
                                                       stop.request_stop();
                                                   }
                                               })),
                 Cancelled);
    EXPECT_LT(reached, 0.7);
}

TEST_F(Channels, AreRefusedTogetherBeforeAnyIsRead) {
    const std::string xml = R"(<OME><Image><Pixels SizeC="3" SizeZ="1" SizeT="1" DimensionOrder="XYCZT">)"
                            R"(<TiffData/></Pixels></Image></OME>)";
    writeTagged(path_, {.width = 100, .height = 100, .bits = 16}, {textTag(kDescription, xml)}, 3);
    ReadOptions options;
    options.limits.maxDecodedBytes = 59999;
    int reports = 0;
    const auto read = [&](const std::vector<std::size_t>& wanted) {
        return readChannels(path_, options, wanted, JobControl({}, [&](double, std::string_view) { ++reports; }));
    };
    try {
        (void)read({});
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::limitExceeded);
        EXPECT_THAT(error.what(), HasSubstr("3 channels of 100 x 100 pixels need 60 kB, 60 kB are allowed"));
    }
    EXPECT_EQ(reports, 0);
    EXPECT_EQ(read({0, 2}).planes.size(), 2U);
    options.region = PixelRegion{0, 0, 99, 100};
    EXPECT_EQ(read({}).planes.size(), 3U);
    options.limits.maxDecodedBytes = 60000;
    options.region.reset();
    EXPECT_EQ(read({}).planes.size(), 3U);
    EXPECT_THROW((void)read({3}), Error) << "no such channel";
}

TEST_F(Channels, OfDifferentSizesAreNoImage) {
    const std::string xml = R"(<OME><Image><Pixels SizeC="2" SizeZ="1" SizeT="1" DimensionOrder="XYCZT">)"
                            R"(<TiffData/></Pixels></Image></OME>)";
    TIFF* tiff = TIFFOpen(path_.c_str(), "w");
    EXPECT_TRUE(writeCopiedTags(tiff, {textTag(kDescription, xml)}));
    for (const std::uint32_t width : {20U, 21U}) {
        const TiffVariant v{.width = width};
        writePage(tiff, v, sampleBytes(v));
    }
    TIFFClose(tiff);
    try {
        (void)readChannels(path_, {});
        FAIL();
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("channel 1 differs in size or depth from the others"));
    }
    expectEachAsAlone(path_, {}, {1});
}

TEST_F(Channels, AreNamedInTheNotesOfAReading) {
    const std::string xml = R"(<OME><Image><Pixels SizeC="2" SizeZ="1" SizeT="1" DimensionOrder="XYCZT">)"
                            R"(<Channel Name="DAPI"/><Channel Name="GFP"/><TiffData/></Pixels></Image></OME>)";
    writeTagged(path_, {}, {textTag(kDescription, xml)}, 2);
    ReadOptions options;
    options.channel = ChannelChoice::parse("gfp");
    EXPECT_THAT(readImage(path_, options).info.notes, ElementsAre("shown: GFP of 2 channels"));
    EXPECT_EQ(readImage(path_, options).info.page, 1);
    EXPECT_THAT(readImage(path_, withChannel(0)).info.notes, ElementsAre("shown: DAPI of 2 channels"));
    EXPECT_THAT(readImage(path_).info.notes, IsEmpty());
    options.channel = ChannelChoice::parse("cy5");
    EXPECT_THROW((void)readImage(path_, options), Error);

    const std::string bands = R"(<GDALMetadata><Item name="DESCRIPTION" sample="1" role="description">nir</Item>)"
                              R"(</GDALMetadata>)";
    writeTagged(path_, {.samples = 2, .extraSamples = {EXTRASAMPLE_UNSPECIFIED}}, {textTag(kGdalMetadataTag, bands)});
    options.channel = ChannelChoice::parse("nir");
    EXPECT_THAT(readImage(path_, options).info.notes, ElementsAre("shown: nir of 2 channels"));
    EXPECT_THAT(readImage(path_, withChannel(1)).info.notes, ElementsAre("shown: sample 1 of 2 samples"));

    // A channel that the file calls red takes precedence over sample 0.
    const std::string red = R"(<GDALMetadata><Item name="DESCRIPTION" sample="1" role="description">red</Item>)"
                            R"(</GDALMetadata>)";
    writeTagged(path_, {.samples = 2, .extraSamples = {EXTRASAMPLE_UNSPECIFIED}}, {textTag(kGdalMetadataTag, red)});
    options.channel = ChannelChoice::parse("red");
    const LoadedImage read = readImage(path_, options);
    EXPECT_THAT(read.info.notes, ElementsAre("shown: red of 2 channels"));
    EXPECT_TRUE(std::ranges::equal(read.image->pixels<std::uint8_t>(),
                                   readImage(path_, withChannel(1)).image->pixels<std::uint8_t>()));
    EXPECT_FALSE(std::ranges::equal(read.image->pixels<std::uint8_t>(),
                                    readImage(path_, withChannel(0)).image->pixels<std::uint8_t>()));
    options.channel = ChannelChoice::parse("green");
    EXPECT_THAT(readImage(path_, options).info.notes, ElementsAre("shown: sample 1 of 2 samples"));
}

} // namespace

} // namespace pollard::test
