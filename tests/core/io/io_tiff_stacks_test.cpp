#include "core/io/io_tiff_support.hpp"

#include "io/channels.hpp"
#include "io/volumes/read_volume.hpp"

#include <bit>
#include <cstdint>
#include <gmock/gmock.h>
#include <string>
#include <utility>
#include <vector>

namespace pollard::test {

namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Pair;

/// A TIFF made by hand.
class TiffBytes {
public:
    struct Entry {
        std::uint32_t tag = 0;
        std::uint32_t type = TIFF_LONG;
        std::uint32_t count = 1;
        std::uint32_t value = 0;
    };

    explicit TiffBytes(bool bigEndian = false) : bigEndian_(bigEndian), bytes_(bigEndian ? "MM" : "II") {
        bytes_ += number(42, 2) + number(0, 4);
    }

    [[nodiscard]] std::string number(std::uint64_t value, std::size_t width) const {
        std::string text;
        for (std::size_t i = 0; i < width; ++i) {
            text += static_cast<char>(value >> 8 * (bigEndian_ ? width - 1 - i : i));
        }
        return text;
    }
    /// Place of the added bytes.
    std::uint32_t add(const std::string& bytes) {
        const auto place = static_cast<std::uint32_t>(bytes_.size());
        bytes_ += bytes;
        return place;
    }
    Entry text(std::uint32_t tag, const std::string& text) {
        const auto count = static_cast<std::uint32_t>(text.size() + 1);
        return {tag, TIFF_ASCII, count, add(text + '\0')};
    }
    void directory(const std::vector<Entry>& entries) {
        const std::uint32_t place = add(number(entries.size(), 2));
        bytes_.replace(next_, 4, number(place, 4));
        for (const Entry& entry : entries) {
            const bool isShort = entry.type == TIFF_SHORT && entry.count == 1;
            bytes_ += number(entry.tag, 2) + number(entry.type, 2) + number(entry.count, 4) +
                      (isShort ? number(entry.value, 2) + number(0, 2) : number(entry.value, 4));
        }
        next_ = bytes_.size();
        bytes_ += number(0, 4);
    }
    [[nodiscard]] const std::string& bytes() const { return bytes_; }

private:
    bool bigEndian_;
    std::string bytes_;
    std::size_t next_ = 4; ///< place of the offset of the next directory
};

constexpr std::uint32_t kWide = 7;
constexpr std::uint32_t kHigh = 5;

/// Tags of a page of one strip, with the further ones in their order.
std::vector<TiffBytes::Entry> pageTags(std::uint32_t bits, std::uint32_t place, std::uint32_t samples = 1,
                                       std::uint32_t photometric = PHOTOMETRIC_MINISBLACK) {
    return {{TIFFTAG_IMAGEWIDTH, TIFF_LONG, 1, kWide},
            {TIFFTAG_IMAGELENGTH, TIFF_LONG, 1, kHigh},
            {TIFFTAG_BITSPERSAMPLE, TIFF_SHORT, 1, bits},
            {TIFFTAG_COMPRESSION, TIFF_SHORT, 1, COMPRESSION_NONE},
            {TIFFTAG_PHOTOMETRIC, TIFF_SHORT, 1, photometric},
            {TIFFTAG_STRIPOFFSETS, TIFF_LONG, 1, place},
            {TIFFTAG_SAMPLESPERPIXEL, TIFF_SHORT, 1, samples},
            {TIFFTAG_ROWSPERSTRIP, TIFF_LONG, 1, kHigh},
            {TIFFTAG_STRIPBYTECOUNTS, TIFF_LONG, 1, kWide * kHigh * samples * bits / 8}};
}

void sortTags(std::vector<TiffBytes::Entry>& tags) { std::ranges::sort(tags, {}, &TiffBytes::Entry::tag); }

/// Samples of a plane whose first is 10 * plane + 1 and that count from there.
std::string planeOf(const TiffBytes& file, std::uint32_t plane, std::uint32_t bits) {
    std::string bytes;
    for (std::uint32_t i = 0; i < kWide * kHigh; ++i) {
        bytes += file.number(10 * plane + 1 + i, bits / 8);
    }
    return bytes;
}

/// A stack of ImageJ with one directory, followed by the planes.
std::string oneDirectory(bool bigEndian, std::uint32_t bits, std::uint32_t planes, const std::string& text) {
    TiffBytes file(bigEndian);
    std::vector<TiffBytes::Entry> tags = pageTags(bits, 0);
    tags.push_back(file.text(TIFFTAG_IMAGEDESCRIPTION, "ImageJ=1.53t\n" + text));
    constexpr std::uint32_t kDirectory = 2 + 10 * 12 + 4;
    tags[5].value = static_cast<std::uint32_t>(file.bytes().size()) + kDirectory;
    sortTags(tags);
    file.directory(tags);
    for (std::uint32_t plane = 0; plane < planes; ++plane) {
        file.add(planeOf(file, plane, bits));
    }
    return file.bytes();
}

ReadOptions ofPage(int page, const std::string& channel = "luminance") {
    ReadOptions options;
    options.page = page;
    options.channel = ChannelChoice::parse(channel);
    return options;
}

/// Value of the first pixel of a page.
double firstValue(const std::filesystem::path& path, const ReadOptions& options) {
    const LoadedImage loaded = readImage(path, options);
    const std::uint16_t level = loaded.image->level(0);
    return loaded.info.mapping ? loaded.info.mapping->valueOf(level) : level;
}

std::string axesText(const ImageInfo& info) {
    std::string text;
    for (const StackAxis& axis : info.axes) {
        text += (text.empty() ? "" : " ") + std::string(1, axis.name) + std::to_string(axis.count);
    }
    return text;
}

std::string failure(const std::filesystem::path& path, const ReadOptions& options, bool volume = false) {
    try {
        (void)(volume ? readVolume(path, options) : readImage(path, options));
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

TEST(TiffStacks, OfImageJWithOneDirectoryHaveAllPlanes) {
    const TempDir dir;
    const auto path = dir / "stack.tif";
    for (const bool bigEndian : {false, true}) {
        for (const std::uint32_t bits : {8U, 16U, 32U}) {
            writeBytes(path, oneDirectory(bigEndian, bits, 6, "images=6\nchannels=2\nslices=3\nhyperstack=true\n"));
            const ImageInfo info = readImageInfo(path);
            EXPECT_EQ(info.pages, 6);
            EXPECT_EQ(axesText(info), "c2 z3");
            EXPECT_TRUE(info.notes.empty());
            for (int page = 0; page < 6; ++page) {
                EXPECT_EQ(firstValue(path, ofPage(page)), 10 * page + 1) << bits << bigEndian;
            }
            ReadOptions part = ofPage(5);
            part.region = PixelRegion{2, 3, 1, 1};
            EXPECT_EQ(firstValue(path, part), 51 + 3 * kWide + 2);
            if (bits <= 16) {
                const LoadedImage volume = readVolume(path, ofPage(1));
                ASSERT_EQ(volume.image->extent().slices, 3U);
                EXPECT_EQ(volume.image->level(2 * kWide * kHigh), 51) << "channel 1";
            }
        }
    }
}

TEST(TiffStacks, WithOneDirectoryEndWithTheFile) {
    const TempDir dir;
    const auto path = dir / "cut.tif";
    const std::string whole = oneDirectory(true, 16, 6, "images=6\nslices=6\n");
    writeBytes(path, whole.substr(0, whole.size() - 1));
    const ImageInfo info = readImageInfo(path);
    EXPECT_EQ(info.pages, 5);
    EXPECT_THAT(info.notes, Contains(HasSubstr("6 planes are planned (6 z), 5 are stored")));
    EXPECT_EQ(firstValue(path, ofPage(4)), 41);
    EXPECT_THAT(failure(path, ofPage(5)), HasSubstr("page 5 does not exist, the file has pages 0 to 4"));
    writeBytes(path, oneDirectory(false, 8, 1, "images=2000000000\n"));
    EXPECT_EQ(readImageInfo(path).pages, 1);
    EXPECT_EQ(firstValue(path, {}), 1);
}

TEST(TiffStacks, OfAnAcquisitionThatStoppedNameMissingPlanes) {
    const TempDir dir;
    const auto path = dir / "stopped.tif";
    writeBytes(path, oneDirectory(false, 8, 7, "images=12\nchannels=2\nslices=2\nframes=3\n"));
    EXPECT_EQ(axesText(readImageInfo(path)), "c2 z2 t2");
    EXPECT_EQ(firstValue(path, ofPage(6)), 61);
    EXPECT_THAT(failure(path, ofPage(7)), HasSubstr("page 7 (channel 1, z 1, time 1) is missing"));
    EXPECT_EQ(readVolume(path, ofPage(4)).image->extent().slices, 2U) << "channel 0 of the second time is complete";
    EXPECT_THAT(failure(path, ofPage(5), true), HasSubstr("page 7 (channel 1, z 1, time 1) is missing"));
}

/// Pages of one value each.
void writeFlatPages(const std::filesystem::path& path, const std::vector<int>& values, const std::string& description) {
    TiffBytes file;
    for (std::size_t page = 0; page < values.size(); ++page) {
        const std::uint32_t place = file.add(std::string(std::size_t{kWide} * kHigh, static_cast<char>(values[page])));
        std::vector<TiffBytes::Entry> tags = pageTags(8, place);
        if (page == 0 && !description.empty()) {
            tags.push_back(file.text(TIFFTAG_IMAGEDESCRIPTION, description));
        }
        sortTags(tags);
        file.directory(tags);
    }
    writeBytes(path, file.bytes());
}

std::string ome(const std::string& sizes, const std::string& children, const std::string& uuid = "") {
    return "<OME" + (uuid.empty() ? "" : " UUID=\"" + uuid + "\"") +
           "><Image><Pixels DimensionOrder=\"XYCZT\" SizeX=\"7\" SizeY=\"5\" " + sizes + ">" + children +
           "</Pixels></Image></OME>";
}

TEST(TiffStacks, OfOmeFollowTheBlocks) {
    const TempDir dir;
    const auto path = dir / "order.ome.tif";
    writeFlatPages(path, {30, 10, 20},
                   ome("SizeC=\"1\" SizeZ=\"3\" SizeT=\"1\"",
                       R"(<TiffData IFD="0" FirstZ="2"/><TiffData IFD="1"/><TiffData IFD="2" FirstZ="1"/>)"));
    const LoadedImage volume = readVolume(path);
    for (std::uint32_t z = 0; z < 3; ++z) {
        EXPECT_EQ(volume.image->level(z * kWide * kHigh), 10 * (z + 1));
    }
    EXPECT_EQ(firstValue(path, ofPage(1)), 20);
}

TEST(TiffStacks, OfOmeLieInSeveralFiles) {
    const TempDir dir;
    const std::string blocks = R"(<Channel Name="DAPI"/><Channel Name="GFP"/>
        <TiffData FirstC="0" IFD="0" PlaneCount="1"><UUID FileName="a.ome.tif">urn:a</UUID></TiffData>
        <TiffData FirstC="1" IFD="1" PlaneCount="1"><UUID FileName="b.ome.tif">urn:b</UUID></TiffData>)";
    const std::string sizes = R"(SizeC="2" SizeZ="1" SizeT="1")";
    writeFlatPages(dir / "a.ome.tif", {10}, ome(sizes, blocks, "urn:a"));
    EXPECT_EQ(readImageInfo(dir / "a.ome.tif").pages, 1) << "the other file is not there";
    writeFlatPages(dir / "b.ome.tif", {99, 20}, ome(sizes, blocks, "urn:b"));
    for (const char* name : {"a.ome.tif", "b.ome.tif"}) {
        const ImageInfo info = readImageInfo(dir / name);
        EXPECT_EQ(axesText(info), "c2");
        EXPECT_THAT(info.notes, Contains(HasSubstr("the planes lie in 2 files")));
        EXPECT_EQ(firstValue(dir / name, ofPage(0, "DAPI")), 10);
        EXPECT_EQ(firstValue(dir / name, ofPage(0, "GFP")), 20);
    }
    const std::string third = R"(<TiffData FirstC="2" IFD="0"><UUID FileName="c.ome.tif">urn:c</UUID></TiffData>
        <TiffData FirstC="3" IFD="2"><UUID FileName="a.ome.tif">urn:a</UUID></TiffData>)";
    writeFlatPages(dir / "a.ome.tif", {10, 0, 40}, ome(R"(SizeC="4")", blocks + third, "urn:a"));
    EXPECT_EQ(firstValue(dir / "a.ome.tif", ofPage(3)), 40);
    EXPECT_THAT(failure(dir / "a.ome.tif", ofPage(2)),
                HasSubstr("page 2 (channel 2) is missing: its file c.ome.tif is not there"));
    writeFlatPages(dir / "a.ome.tif", {10}, ome(sizes, blocks, "urn:a"));
    writeFlatPages(dir / "b.ome.tif", {99}, "");
    EXPECT_THAT(failure(dir / "a.ome.tif", ofPage(1)),
                HasSubstr("page 1 (channel GFP) is missing: b.ome.tif has 1 pages"));
    writeBytes(dir / "b.ome.tif", "no TIFF at all");
    EXPECT_THAT(failure(dir / "a.ome.tif", ofPage(1)), HasSubstr("b.ome.tif"));
}

TEST(TiffStacks, OfOmeAreDescribedInACompanion) {
    const TempDir dir;
    const std::string blocks = R"(<TiffData FirstZ="0" IFD="0"><UUID FileName="a.ome.tif">urn:a</UUID></TiffData>
        <TiffData FirstZ="1" IFD="0"><UUID FileName="b.ome.tif">urn:b</UUID></TiffData>)";
    writeBytes(dir / "set.companion.ome", ome(R"(SizeC="1" SizeZ="2" SizeT="1")", blocks));
    for (const std::string name : {"a", "b"}) {
        writeFlatPages(dir / (name + ".ome.tif"), {name == "a" ? 10 : 20},
                       "<OME UUID=\"urn:" + name + "\"><BinaryOnly MetadataFile=\"set.companion.ome\"/></OME>");
    }
    const LoadedImage volume = readVolume(dir / "b.ome.tif");
    EXPECT_EQ(volume.image->extent().slices, 2U);
    EXPECT_EQ(volume.image->level(0), 10);
}

TEST(TiffStacks, InAnUnclearOrderAreNoVolume) {
    const TempDir dir;
    const auto path = dir / "unclear.tif";
    writeFlatPages(path, {1, 2, 3, 4, 5}, "ImageJ=1.53t\nimages=5\nchannels=2\nslices=2\n");
    EXPECT_EQ(axesText(readImageInfo(path)), "?5");
    EXPECT_EQ(firstValue(path, ofPage(4)), 5);
    EXPECT_THAT(failure(path, {}, true),
                ::testing::AllOf(HasSubstr("2 channels x 2 z x 1 times are not the 5 pages of the file"),
                                 HasSubstr("the region 0,0,0,7,5,5 takes all pages in their order")));
    ReadOptions stated;
    stated.region = PixelRegion{0, 0, kWide, kHigh};
    stated.slices = SliceRange{1, 4};
    const LoadedImage volume = readVolume(path, stated);
    EXPECT_EQ(volume.image->extent().slices, 4U);
    EXPECT_EQ(volume.image->level(0), 2);
}

/// A MetaMorph stack.
std::string metaMorph(std::uint32_t planes, std::uint32_t distance, std::uint32_t time) {
    TiffBytes file;
    std::string facts;
    for (std::uint32_t plane = 0; plane < planes; ++plane) {
        for (const std::uint32_t number : {distance, 4U, 2450000U, 1000 + time * plane, 0U, 0U}) {
            facts += file.number(number, 4);
        }
    }
    const std::uint32_t places = file.add(facts);
    const std::uint32_t side = file.add(file.number(13, 4) + file.number(100, 4));
    const std::uint32_t unit = file.add(file.number(3, 4) + std::string("um\0", 3));
    std::string pairs;
    for (const auto& [number, value] : {std::pair{3U, 1U}, {4U, side}, {5U, side}, {6U, unit}}) {
        pairs += file.number(number, 4) + file.number(value, 4);
    }
    const std::uint32_t calibration = file.add(pairs);
    std::string pixels;
    for (std::uint32_t plane = 0; plane < planes; ++plane) {
        pixels += planeOf(file, plane, 16);
    }
    std::vector<TiffBytes::Entry> tags = pageTags(16, file.add(pixels));
    tags.push_back({33628, TIFF_LONG, 4, calibration});
    tags.push_back({33629, TIFF_RATIONAL, planes, places});
    file.directory(tags);
    return file.bytes();
}

TEST(TiffStacks, OfMetaMorphHaveTheirPlanes) {
    const TempDir dir;
    const auto path = dir / "cells.stk";
    writeBytes(path, metaMorph(4, 2, 0));
    const LoadedImage volume = readVolume(path);
    EXPECT_EQ(volume.image->extent().slices, 4U);
    EXPECT_EQ(volume.image->level(3 * kWide * kHigh), 31);
    EXPECT_EQ(volume.info.pixelSize, (PixelSize{0.13, 0.13, "µm", "MetaMorph", false, 0.5}));
    writeBytes(path, metaMorph(3, 0, 500));
    EXPECT_EQ(axesText(readImageInfo(path)), "t3");
    EXPECT_EQ(firstValue(path, ofPage(2)), 21);
    writeBytes(path, metaMorph(3, 0, 0));
    EXPECT_EQ(axesText(readImageInfo(path)), "p3");
}

/// A Zeiss LSM file of two channels: pages of planes and thumbnails in turn.
std::string zeiss(std::uint32_t slices) {
    TiffBytes file;
    std::string info(272, '\0');
    const auto put = [&](std::size_t at, const std::string& bytes) { info.replace(at, bytes.size(), bytes); };
    const auto real = [&](double value) { return file.number(std::bit_cast<std::uint64_t>(value), 8); };
    put(0, file.number(0x00400494c, 4) + file.number(272, 4) + file.number(kWide, 4) + file.number(kHigh, 4) +
               file.number(slices, 4) + file.number(2, 4) + file.number(1, 4));
    put(40, real(1.3e-7) + real(1.3e-7) + real(5e-7));
    const std::string names = file.number(4, 4) + std::string("Ch1\0", 4) + file.number(4, 4) + std::string("Ch2\0", 4);
    put(108, file.number(file.add(file.number(32 + names.size(), 4) + file.number(2, 4) + file.number(2, 4) +
                                  file.number(24, 4) + file.number(32, 4) + file.number(0, 4) +
                                  std::string("\xff\0\0\0\0\xff\0\0", 8) + names),
                         4));
    const std::uint32_t place = file.add(info);
    for (std::uint32_t z = 0; z < slices; ++z) {
        std::vector<TiffBytes::Entry> tags = pageTags(8, 0, 2, PHOTOMETRIC_RGB);
        const std::string strips =
            file.number(file.add(planeOf(file, z, 8)), 4) + file.number(file.add(planeOf(file, z + 10, 8)), 4);
        const std::uint32_t strip = file.add(strips);
        const std::uint32_t counts = file.add(file.number(kWide * kHigh, 4) + file.number(kWide * kHigh, 4));
        tags[2] = {TIFFTAG_BITSPERSAMPLE, TIFF_SHORT, 2, 8 | 8 << 16};
        tags[5] = {TIFFTAG_STRIPOFFSETS, TIFF_LONG, 2, strip};
        tags[8] = {TIFFTAG_STRIPBYTECOUNTS, TIFF_LONG, 2, counts};
        tags.push_back({TIFFTAG_PLANARCONFIG, TIFF_SHORT, 1, PLANARCONFIG_SEPARATE});
        if (z == 0) {
            tags.push_back({34412, TIFF_BYTE, 272, place});
        }
        file.directory(tags);
        std::vector<TiffBytes::Entry> small = pageTags(8, file.add(std::string(27, '\x7f')), 3, PHOTOMETRIC_RGB);
        small.insert(small.begin(), {TIFFTAG_SUBFILETYPE, TIFF_LONG, 1, FILETYPE_REDUCEDIMAGE});
        small[1].value = 3;
        small[2].value = 3;
        small[9].value = 27;
        file.directory(small);
    }
    return file.bytes();
}

TEST(TiffStacks, OfZeissHaveChannelsAndNoThumbnails) {
    const TempDir dir;
    const auto path = dir / "cells.lsm";
    writeBytes(path, zeiss(3));
    const ImageInfo info = readImageInfo(path);
    EXPECT_EQ(axesText(info), "z3");
    EXPECT_EQ(info.pixelSize, (PixelSize{1.3e-7 * 1e6, 1.3e-7 * 1e6, "µm", "Zeiss LSM", false, 5e-7 * 1e6}));
    EXPECT_TRUE(info.levels.empty());
    const std::vector<Channel> channels = channelsOf(info);
    ASSERT_EQ(channels.size(), 2U);
    EXPECT_EQ(channels[1].name, "Ch2");
    EXPECT_EQ(channels[1].colour, (std::array<std::uint8_t, 3>{0, 255, 0}));
    EXPECT_EQ(firstValue(path, ofPage(2, "Ch1")), 21);
    EXPECT_EQ(firstValue(path, ofPage(2, "Ch2")), 121);
    EXPECT_EQ(readVolume(path, ofPage(0, "Ch2")).image->level(kWide * kHigh), 111);
}

TEST(TiffStacks, OfDamagedDescriptionsAreHarmless) {
    const TempDir dir;
    const auto path = dir / "damaged.tif";
    for (const std::string& whole : {metaMorph(3, 2, 1), zeiss(2), oneDirectory(true, 16, 3, "images=3\nslices=3\n")}) {
        for (std::size_t at = 0; at < whole.size() && at < 700; ++at) {
            std::string damaged = whole;
            damaged[at] = static_cast<char>(~damaged[at]);
            writeBytes(path, damaged);
            (void)failure(path, {});
            (void)failure(path, {}, true);
        }
    }
}

/// An 8-bit image with a colour table whose entry i is (red i, green i, blue i) / 255 of the brightest.
void writeIndexed(const std::filesystem::path& path, const std::string& description, int red, int green, int blue,
                  std::uint32_t photometric = PHOTOMETRIC_PALETTE) {
    TiffBytes file;
    std::string table;
    for (const int colour : {red, green, blue}) {
        for (int i = 0; i < 256; ++i) {
            table += file.number(static_cast<std::uint32_t>(colour < 0 ? (255 - i) * 257 : i * colour * 257 / 255), 2);
        }
    }
    const std::uint32_t colours = file.add(table);
    std::vector<TiffBytes::Entry> tags = pageTags(8, file.add(planeOf(file, 4, 8)), 1, photometric);
    if (photometric == PHOTOMETRIC_PALETTE) {
        tags.push_back({TIFFTAG_COLORMAP, TIFF_SHORT, 768, colours});
    }
    if (!description.empty()) {
        tags.push_back(file.text(TIFFTAG_IMAGEDESCRIPTION, description));
    }
    sortTags(tags);
    file.directory(tags);
    writeBytes(path, file.bytes());
}

TEST(TiffColourTables, ForDisplayLeaveTheNumbers) {
    const TempDir dir;
    const auto path = dir / "table.tif";
    const std::string imageJ = "ImageJ=1.53t\nmin=0\nmax=255\n";
    for (const auto& [red, green] : {std::pair{255, 255}, {0, 255}, {255, 17}, {-1, -1}}) {
        writeIndexed(path, imageJ, red, green, red);
        EXPECT_EQ(firstValue(path, {}), 41);
        EXPECT_EQ(firstValue(path, ofPage(0, "index")), 41);
        EXPECT_EQ(channelsOf(readImageInfo(path)).size(), 1U);
    }
    writeIndexed(path, imageJ, 0, 0, 0, PHOTOMETRIC_MINISWHITE);
    EXPECT_EQ(firstValue(path, {}), 41) << "the inverting table of ImageJ";
    writeIndexed(path, "", 0, 0, 0, PHOTOMETRIC_MINISWHITE);
    EXPECT_EQ(firstValue(path, {}), 255 - 41);
    writeIndexed(path, "", 0, 0, 255);
    EXPECT_EQ(firstValue(path, {}), 41) << "a ramp of blue";
}

TEST(TiffColourTables, OfColoursHaveTheChannelIndex) {
    const TempDir dir;
    const auto path = dir / "classes.tif";
    writeIndexed(path, "", -1, 255, 255);
    EXPECT_EQ(firstValue(path, ofPage(0, "index")), 41);
    EXPECT_EQ(firstValue(path, ofPage(0, "green")), 41);
    EXPECT_EQ(firstValue(path, ofPage(0, "red")), 255 - 41);
    EXPECT_EQ(channelsOf(readImageInfo(path)).size(), 3U);
    EXPECT_THAT(readImageInfo(path).notes, Contains(HasSubstr("luminance of the palette; its numbers")));
}

TEST(TiffSamples, OfRgbThatAreFewAreNumbers) {
    const TempDir dir;
    const auto path = dir / "two.tif";
    TiffBytes file;
    std::string pixels;
    for (std::uint32_t i = 0; i < kWide * kHigh; ++i) {
        pixels += static_cast<char>(10 + i);
        pixels += static_cast<char>(100 + i);
    }
    std::vector<TiffBytes::Entry> tags = pageTags(8, file.add(pixels), 2, PHOTOMETRIC_RGB);
    tags[2] = {TIFFTAG_BITSPERSAMPLE, TIFF_SHORT, 2, 8 | 8 << 16};
    file.directory(tags);
    writeBytes(path, file.bytes());
    EXPECT_EQ(firstValue(path, {}), 10);
    EXPECT_EQ(firstValue(path, ofPage(0, "1")), 100);
    EXPECT_THAT(readImageInfo(path).notes, Contains(HasSubstr("RGB with 2 samples")));
}

} // namespace

} // namespace pollard::test
