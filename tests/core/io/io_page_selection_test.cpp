// Selections of pages by axes: the same planes in files of another order, against naive loops over the planes.
#include "base/error.hpp"
#include "core/io/io_support.hpp"
#include "formats/tiff/tiff_writer.hpp"
#include "io/channels.hpp"
#include "io/metadata/stack_places.hpp"
#include "io/page_selection.hpp"
#include "io/reduce.hpp"
#include "io/volumes/read_volume.hpp"
#include "support/temp_dir.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <tiffio.h>
#include <utility>
#include <vector>

namespace pollard::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::uint32_t kPlaneWidth = 7;
constexpr std::uint32_t kPlaneHeight = 5;
constexpr int kPlaneSlices = 4;
constexpr int kPlaneTimes = 3;
const std::vector<std::string> kPlaneChannels{"DAPI", "GFP"};

/// Place of a plane.
struct PlaneAt {
    int c = 0;
    int z = 0;
    int t = 0;
};

std::uint16_t planeLevel(const PlaneAt& plane, std::uint32_t x, std::uint32_t y) {
    const std::uint32_t seed =
        static_cast<std::uint32_t>(plane.c * 1009 + plane.z * 211 + plane.t * 37) + x * 17 + y * 5;
    return static_cast<std::uint16_t>(seed * 2654435761U >> 20U);
}

std::shared_ptr<const Image> planeImage(const PlaneAt& plane) {
    auto image = std::make_shared<Image>(PixelType::u16, kPlaneWidth, kPlaneHeight);
    for (std::uint32_t y = 0; y < kPlaneHeight; ++y) {
        for (std::uint32_t x = 0; x < kPlaneWidth; ++x) {
            image->pixels<std::uint16_t>()[std::size_t{y} * kPlaneWidth + x] = planeLevel(plane, x, y);
        }
    }
    return image;
}

/// Writes two channels, four slices and three times. @param order of the axes, the fastest first: "czt"
void writePlanes(const std::filesystem::path& path, const std::string& order, bool asOme) {
    SceneDescription scene;
    scene.wantsOme = asOme;
    for (const char name : order) {
        scene.axes.push_back({name, name == 'c' ? 2 : name == 'z' ? kPlaneSlices : kPlaneTimes, {}});
        if (name == 'c') {
            scene.axes.back().labels = kPlaneChannels;
        }
    }
    for (const std::string& name : kPlaneChannels) {
        Channel channel;
        channel.name = name;
        scene.channels.push_back(channel);
    }
    const auto make = [&](int page, const JobControl&) {
        PlaneAt at;
        int rest = page;
        for (const StackAxis& axis : scene.axes) {
            (axis.name == 'c' ? at.c : axis.name == 'z' ? at.z : at.t) = rest % axis.count;
            rest /= axis.count;
        }
        return Plane{ownedRows(planeImage(at)), {.scene = scene}};
    };
    writeTiff(path, {2 * kPlaneSlices * kPlaneTimes, make}, {.compression = TiffCompression::none, .arePages = true});
}

/// Writes a.ome.tif and b.ome.tif with a channel each, of an image that both describe. @return the first
std::filesystem::path writeFileForEachChannel(const std::filesystem::path& folder) {
    const std::array<std::string, 2> names{"a.ome.tif", "b.ome.tif"};
    std::string blocks;
    for (const std::string& name : kPlaneChannels) {
        blocks += "<Channel Name=\"" + name + "\"/>";
    }
    for (std::size_t c = 0; c < 2; ++c) {
        for (int plane = 0; plane < kPlaneSlices * kPlaneTimes; ++plane) {
            blocks += "<TiffData FirstC=\"" + std::to_string(c) + "\" FirstZ=\"" +
                      std::to_string(plane % kPlaneSlices) + "\" FirstT=\"" + std::to_string(plane / kPlaneSlices) +
                      "\" IFD=\"" + std::to_string(plane) + "\" PlaneCount=\"1\"><UUID FileName=\"" + names[c] +
                      "\">urn:" + names[c] + "</UUID></TiffData>";
        }
    }
    for (std::size_t c = 0; c < 2; ++c) {
        const std::string text =
            "<OME UUID=\"urn:" + names[c] +
            R"("><Image><Pixels DimensionOrder="XYCZT" SizeX="7" SizeY="5" SizeC="2" SizeZ="4" SizeT="3">)" + blocks +
            "</Pixels></Image></OME>";
        TIFF* tiff = TIFFOpen((folder / names[c]).c_str(), "w");
        for (int plane = 0; plane < kPlaneSlices * kPlaneTimes; ++plane) {
            TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, kPlaneWidth);
            TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, kPlaneHeight);
            TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, 16);
            TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, 1);
            TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
            TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, kPlaneHeight);
            if (plane == 0) {
                TIFFSetField(tiff, TIFFTAG_IMAGEDESCRIPTION, text.c_str());
            }
            const PlaneAt at{static_cast<int>(c), plane % kPlaneSlices, plane / kPlaneSlices};
            for (std::uint32_t y = 0; y < kPlaneHeight; ++y) {
                std::array<std::uint16_t, kPlaneWidth> row{};
                for (std::uint32_t x = 0; x < kPlaneWidth; ++x) {
                    row[x] = planeLevel(at, x, y);
                }
                TIFFWriteScanline(tiff, row.data(), y, 0);
            }
            TIFFWriteDirectory(tiff);
        }
        TIFFClose(tiff);
    }
    return folder / names[0];
}

std::vector<std::uint16_t> shownLevels(const Image& image) {
    std::vector<std::uint16_t> levels;
    for (std::size_t i = 0; i < image.pixelCount(); ++i) {
        levels.push_back(image.level(i));
    }
    return levels;
}

std::vector<std::uint16_t> shownLevels(const std::filesystem::path& path, const SelectedPart& part) {
    return shownLevels(*readPart(path, part).image);
}

SelectedParts selectedIn(const std::filesystem::path& path, const std::string& text) {
    return partsOf(parseSelection(text), readImageInfo(path));
}

std::string selectionProblem(const std::filesystem::path& path, const std::string& text) {
    try {
        (void)selectedIn(path, text);
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

class PageSelectionTest : public ::testing::Test {
protected:
    void SetUp() override {
        for (const char* order : {"czt", "zct", "tzc"}) {
            files_.push_back(folder_ / (std::string(order) + ".ome.tif"));
            writePlanes(files_.back(), order, true);
        }
        files_.push_back(folder_ / "imagej.tif");
        writePlanes(files_.back(), "czt", false);
        files_.push_back(writeFileForEachChannel(folder_.path()));
    }
    TempDir folder_;
    std::vector<std::filesystem::path> files_;
};

TEST(PageSelectionText, ReadsBackWhatItWrites) {
    for (const char* text : {"",
                             "channel=DAPI",
                             "channel=\"488\"",
                             "channel=\"a, b\"",
                             "channel=2",
                             "channel=nd(nir,red)",
                             "channel=red,z=3",
                             "z=max",
                             "z=min:2..8",
                             "z=mean,t=last",
                             "z=sharpest,t=each:0..4",
                             "z=volume",
                             "z=volume:1..2,t=first",
                             "z=middle",
                             "page=each",
                             "page=7",
                             "channel=luminance,z=each,t=0",
                             "z=1,scene=left",
                             "scene=\"left, upper\"",
                             "scene=\"7\"",
                             "scene=7",
                             "scene=each:0..2",
                             "scene=A:1"}) {
        EXPECT_EQ(toString(parseSelection(text)), text);
    }
    const PageSelection selection = parseSelection(" z = max:2..8 , channel = \"say \"\"a\"\", b\" ");
    EXPECT_EQ(selection.channel->name, "say \"a\", b");
    EXPECT_EQ(selection.z.range, (SliceRange{2, 7}));
    EXPECT_EQ(parseSelection(toString(selection)), selection);
    for (const char* text : {"z",
                             "z=",
                             "=3",
                             "w=3",
                             "z=3,z=4",
                             "channel=a,channel=b",
                             "t=max",
                             "page=volume",
                             "z=-1",
                             "z=1.5",
                             "z=max:8..2",
                             "z=max:2",
                             "z=3:1..2",
                             "z=9999999999",
                             "channel=\"",
                             "channel=\"\"",
                             "z=most",
                             "z=1,",
                             "channel=nd(1",
                             "scene=",
                             "scene=\"",
                             "scene=a,scene=b",
                             "scene=9999999999x,z=q"}) {
        EXPECT_THROW((void)parseSelection(text), Error) << text;
    }
    EXPECT_THAT([] { (void)parseSelection("z=most"); },
                ::testing::ThrowsMessage<Error>(HasSubstr("z: 'most': must be a number from 0")));
}

TEST_F(PageSelectionTest, ReadsTheSamePlanesOfFilesInAnotherOrder) {
    for (const std::filesystem::path& file : files_) {
        ASSERT_EQ(readImageInfo(file).axes.size(), 3U) << file;
        for (int c = 0; c < 2; ++c) {
            for (int z = 0; z < kPlaneSlices; ++z) {
                for (int t = 0; t < kPlaneTimes; ++t) {
                    const SelectedParts found =
                        selectedIn(file, "channel=" + kPlaneChannels[static_cast<std::size_t>(c)] +
                                             ",z=" + std::to_string(z) + ",t=" + std::to_string(t));
                    ASSERT_EQ(found.parts.size(), 1U);
                    EXPECT_THAT(found.notes, IsEmpty());
                    EXPECT_EQ(shownLevels(file, found.parts.front()), shownLevels(*planeImage({c, z, t})))
                        << file << " " << c << " " << z << " " << t;
                    EXPECT_THAT(found.parts.front().positions,
                                ElementsAre(AxisPosition{'z', z, ""}, AxisPosition{'t', t, ""}));
                }
            }
        }
        const SelectedParts words = selectedIn(file, "channel=1,z=last,t=middle");
        EXPECT_EQ(shownLevels(file, words.parts.front()), shownLevels(*planeImage({1, kPlaneSlices - 1, 1})));
    }
}

TEST_F(PageSelectionTest, NotesTheAxesThatAreNotStated) {
    for (const std::filesystem::path& file : files_) {
        const SelectedParts found = selectedIn(file, "");
        EXPECT_THAT(found.notes, ElementsAre("channel: DAPI, 0 of 2", "z: middle, 2 of 4", "t: first, 0 of 3"));
        EXPECT_EQ(shownLevels(file, found.parts.front()), shownLevels(*planeImage({0, 2, 0})));
    }
}

TEST_F(PageSelectionTest, EachIsTheUnionOfSinglePositions) {
    for (const std::filesystem::path& file : files_) {
        const std::vector<SelectedPart> each = selectedIn(file, "channel=GFP,z=each:1..2,t=each").parts;
        ASSERT_EQ(each.size(), 2U * kPlaneTimes);
        std::size_t next = 0;
        for (int t = 0; t < kPlaneTimes; ++t) {
            for (const int z : {1, 2}) {
                EXPECT_EQ(shownLevels(file, each[next++]), shownLevels(*planeImage({1, z, t}))) << file;
            }
        }
    }
}

TEST_F(PageSelectionTest, ProjectsSlicesAsNaiveLoopsDo) {
    for (const std::filesystem::path& file : files_) {
        for (const std::string name : {"max", "min", "mean"}) {
            for (const auto& [range, first, last] : {std::tuple("", 0, kPlaneSlices - 1), std::tuple(":1..2", 1, 2)}) {
                const SelectedPart part = selectedIn(file, "channel=GFP,t=2,z=" + name + range).parts.front();
                std::vector<std::uint16_t> expected;
                for (std::uint32_t y = 0; y < kPlaneHeight; ++y) {
                    for (std::uint32_t x = 0; x < kPlaneWidth; ++x) {
                        std::vector<std::uint32_t> levels;
                        for (int z = first; z <= last; ++z) {
                            levels.push_back(planeLevel({1, z, 2}, x, y));
                        }
                        double sum = 0;
                        for (const std::uint32_t level : levels) {
                            sum += level;
                        }
                        expected.push_back(static_cast<std::uint16_t>(
                            name == "max"   ? std::ranges::max(levels)
                            : name == "min" ? std::ranges::min(levels)
                                            : std::floor(sum / static_cast<double>(levels.size()) + 0.5)));
                    }
                }
                const LoadedImage read = readPart(file, part);
                EXPECT_EQ(shownLevels(*read.image), expected) << file << " " << name << range;
                EXPECT_FALSE(read.image->extent().isVolume());
                EXPECT_EQ(read.info.page, part.options.page);
                EXPECT_THAT(read.info.notes, ::testing::Contains(HasSubstr("projection: " + name)));
            }
        }
        const SelectedPart volume = selectedIn(file, "channel=GFP,t=2,z=volume").parts.front();
        EXPECT_EQ(readPart(file, volume).image->extent().slices, static_cast<std::uint32_t>(kPlaneSlices));
    }
}

TEST_F(PageSelectionTest, RegionAndShrinkingAreThoseOfTheProjection) {
    const std::filesystem::path& file = files_.front();
    SelectedPart part = selectedIn(file, "channel=DAPI,t=1,z=max").parts.front();
    const LoadedImage whole = readPart(file, part);
    part.options.region = PixelRegion{1, 2, 5, 3};
    const LoadedImage region = readPart(file, part);
    EXPECT_EQ(shownLevels(*region.image), shownLevels(*cropped(whole, *part.options.region).image));
    part.options.shrink = 2;
    EXPECT_EQ(shownLevels(file, part), shownLevels(*shrunk(region, 2).image));
}

TEST_F(PageSelectionTest, MissingEntriesAreRefusedByName) {
    for (const std::filesystem::path& file : files_) {
        EXPECT_EQ(selectionProblem(file, "channel=RFP"), "no channel RFP (has DAPI, GFP)");
        EXPECT_EQ(selectionProblem(file, "channel=2"), "no channel 2 (has DAPI, GFP)");
        EXPECT_EQ(selectionProblem(file, "channel=luminance"), "no channel luminance (has DAPI, GFP)");
        EXPECT_THAT(selectionProblem(file, "channel=ratio(DAPI,RFP)"), HasSubstr("RFP"));
        EXPECT_EQ(selectionProblem(file, "z=4"), "no z 4 (has 0 to 3)");
        EXPECT_EQ(selectionProblem(file, "z=max:2..4"), "no z 4 (has 0 to 3)");
        EXPECT_EQ(selectionProblem(file, "t=3"), "no t 3 (has 0 to 2)");
        EXPECT_THAT(selectionProblem(file, "page=3"), HasSubstr("no axis page (has "));
    }
}

TEST_F(PageSelectionTest, WhatIsShownIsWhatItsSelectionReads) {
    for (const std::filesystem::path& file : files_) {
        for (int page = 0; page < 2 * kPlaneSlices * kPlaneTimes; ++page) {
            ReadOptions options;
            options.page = page;
            const ImageInfo info = readImageInfo(file, options);
            const PageSelection selection = selectionOf(info, options, false);
            EXPECT_EQ(selection.page, AxisPositions{});
            const SelectedParts found = partsOf(parseSelection(toString(selection)), readImageInfo(file));
            ASSERT_EQ(found.parts.size(), 1U);
            EXPECT_THAT(found.notes, IsEmpty());
            EXPECT_EQ(shownLevels(file, found.parts.front()), shownLevels(*readImage(file, options).image)) << page;
            options.projection = Projection::maximum;
            const SelectedParts projected = partsOf(selectionOf(info, options, false), info);
            EXPECT_EQ(shownLevels(file, projected.parts.front()), shownLevels(*readImage(file, options).image)) << page;
            options.projection.reset();
            const SelectedParts volume = partsOf(selectionOf(info, options, true), info);
            ASSERT_TRUE(volume.parts.front().volume);
            EXPECT_EQ(shownLevels(file, volume.parts.front()), shownLevels(*readVolume(file, options).image)) << page;
        }
    }
}

/// A file without a header: pages of 6 x 5 px.
class ProjectionOfValues : public ::testing::Test {
protected:
    static constexpr std::uint32_t kSide = 6;
    static constexpr std::uint32_t kRows = 5;
    static constexpr int kPages = 5;
    static constexpr std::size_t kPixels = std::size_t{kSide} * kRows;

    template <class T> void write(const std::vector<T>& values, RawLayout::SampleType type) {
        std::ofstream(path_, std::ios::binary)
            .write(reinterpret_cast<const char*>(values.data()),
                   static_cast<std::streamsize>(values.size() * sizeof(T)));
        options_.raw = RawLayout{kSide, kRows, type, false, 1, 0, kPages};
    }
    TempDir folder_;
    std::filesystem::path path_ = folder_ / "stack.raw";
    ReadOptions options_;
};

TEST_F(ProjectionOfValues, CountsValuesWithDataAlone) {
    std::vector<float> values;
    for (std::size_t i = 0; i < kPixels * kPages; ++i) {
        const bool isGap = i % kPixels == 7 || i % 11 == 3; // pixel 7 has no data in any page
        values.push_back(isGap ? std::numeric_limits<float>::quiet_NaN()
                               : static_cast<float>(static_cast<double>(i * 7919 % 1000) / 8 - 40));
    }
    write(values, RawLayout::SampleType::f32);
    for (const Projection projection : {Projection::maximum, Projection::minimum, Projection::mean}) {
        options_.projection = projection;
        const LoadedImage read = readImage(path_, options_);
        ASSERT_TRUE(read.valid);
        ASSERT_TRUE(read.info.mapping);
        EXPECT_EQ(read.info.invalidPixels, 1U);
        for (std::size_t pixel = 0; pixel < kPixels; ++pixel) {
            std::vector<double> column;
            for (std::size_t page = 0; page < kPages; ++page) {
                if (const double value = values[page * kPixels + pixel]; !std::isnan(value)) {
                    column.push_back(value);
                }
            }
            const auto x = static_cast<std::uint32_t>(pixel % kSide);
            const auto y = static_cast<std::uint32_t>(pixel / kSide);
            EXPECT_EQ(read.valid->test(x, y), !column.empty()) << pixel;
            if (column.empty()) {
                continue;
            }
            double sum = 0;
            for (const double value : column) {
                sum += value;
            }
            const double expected = projection == Projection::maximum   ? std::ranges::max(column)
                                    : projection == Projection::minimum ? std::ranges::min(column)
                                                                        : sum / static_cast<double>(column.size());
            EXPECT_NEAR(read.info.mapping->valueOf(read.image->level(pixel)), expected, 0.005) << pixel;
        }
    }
}

TEST_F(ProjectionOfValues, HighestAndLowestKeepTheSamplesOfTheFile) {
    constexpr std::uint32_t kWide = 300;
    constexpr std::size_t kWidePixels = std::size_t{kWide} * kWide; // more different values than levels
    std::mt19937 random(3);
    std::vector<double> values(kWidePixels * 2);
    std::ranges::generate(values, [&] { return static_cast<double>(random()) / 7e9; });
    values[5] = values[5 + kWidePixels] = std::numeric_limits<double>::quiet_NaN();
    values[6] = std::numeric_limits<double>::quiet_NaN();
    write(values, RawLayout::SampleType::f64);
    options_.raw = RawLayout{kWide, kWide, RawLayout::SampleType::f64, false, 1, 0, 2};
    options_.keepSamples = true;
    for (const Projection projection : {Projection::maximum, Projection::minimum, Projection::mean}) {
        options_.projection = projection;
        const LoadedImage read = readImage(path_, options_);
        ASSERT_EQ(read.samples != nullptr, projection != Projection::mean);
        if (!read.samples) {
            continue;
        }
        ASSERT_EQ(read.samples->type, ValueType::f64);
        for (std::size_t pixel = 0; pixel < kWidePixels; ++pixel) {
            double sample = 0;
            std::memcpy(&sample, read.samples->samples.data() + pixel * sizeof sample, sizeof sample);
            const double above = values[pixel];
            const double below = values[pixel + kWidePixels];
            const double expected = std::isnan(above)                   ? below
                                    : projection == Projection::maximum ? std::max(above, below)
                                                                        : std::min(above, below);
            ASSERT_TRUE(sample == expected || (pixel == 5 && std::isnan(sample))) << pixel;
        }
    }
}

TEST_F(ProjectionOfValues, OfBytesAreExact) {
    std::vector<std::uint8_t> values;
    for (std::size_t i = 0; i < kPixels * kPages; ++i) {
        values.push_back(static_cast<std::uint8_t>(i * 101 % 256));
    }
    write(values, RawLayout::SampleType::u8);
    options_.projection = Projection::mean;
    const LoadedImage read = readImage(path_, options_);
    EXPECT_EQ(read.image->type(), PixelType::u8);
    for (std::size_t pixel = 0; pixel < kPixels; ++pixel) {
        unsigned sum = 0;
        for (std::size_t page = 0; page < kPages; ++page) {
            sum += values[page * kPixels + pixel];
        }
        EXPECT_EQ(read.image->level(pixel), (2 * sum + kPages) / (2 * kPages)) << pixel;
    }
    options_.slices = SliceRange{2, 1}; // one slice is a page
    EXPECT_EQ(readImage(path_, options_).image->level(3), values[2 * kPixels + 3]);
    options_.slices = SliceRange{4, 2};
    EXPECT_THROW((void)readImage(path_, options_), Error);
}

TEST_F(ProjectionOfValues, TheSharpestSliceHasTheLargestVarianceOfTheLaplacian) {
    std::vector<std::uint8_t> values(kPixels * kPages, 50);
    for (const std::size_t page : {1U, 3U}) { // equally sharp
        values[page * kPixels + 2 * kSide + 3] = 250;
    }
    values[4 * kPixels + 2 * kSide + 2] = 120;
    write(values, RawLayout::SampleType::u8);
    options_.projection = Projection::sharpest;
    const LoadedImage read = readImage(path_, options_);
    EXPECT_EQ(read.image->level(2 * kSide + 3), 250);
    EXPECT_THAT(read.info.notes, ::testing::Contains(HasSubstr("slice 1")));
    options_.slices = SliceRange{2, 3};
    EXPECT_THAT(readImage(path_, options_).info.notes, ::testing::Contains(HasSubstr("slice 3")));
}

/// The axes of a file after stateAxes(), the fastest first, "c2 z5 t3"; or the error.
std::string statedAxesOf(const std::string& order, int pages, const std::vector<StackAxis>& axes) {
    ImageInfo info;
    info.pages = pages;
    info.axes = axes;
    try {
        for (int time = 0; time < 2; ++time) { // the second time the file states them
            stateAxes(parseAxisOrder(order), info);
        }
    } catch (const Error& error) {
        return error.what();
    }
    std::string text;
    for (const StackAxis& axis : info.axes) {
        text += (text.empty() ? "" : " ") + std::string(1, axis.name) + std::to_string(axis.count);
    }
    return text;
}

TEST(StatedAxes, AreThoseOfFilesThatStateNone) {
    const std::vector<StackAxis> plain{{'p', 30, {}}};
    for (const auto& [order, axes] : {std::pair("t3z5c2", "c2 z5 t3"), std::pair("TZ5C2yx", "c2 z5 t3"),
                                      std::pair("z", "z30"), std::pair("t1z30", "z30"), std::pair("c2t", "t15 c2")}) {
        EXPECT_EQ(statedAxesOf(order, 30, plain), axes);
        EXPECT_EQ(statedAxesOf(order, 30, {{'?', 30, {}}}), axes) << "an unclear order";
    }
    EXPECT_EQ(statedAxesOf("z", 1, {}), "");
    EXPECT_THAT(statedAxesOf("t2z5", 30, plain), HasSubstr("do not multiply to the pages; the file has 30 pages"));
    EXPECT_THAT(statedAxesOf("tz7", 30, plain), HasSubstr("do not multiply to the pages; the file has 30 pages"));
    EXPECT_THAT(statedAxesOf("t2000000000z2000000000c2000000000", 30, plain), HasSubstr("do not multiply"));
    EXPECT_THAT(statedAxesOf("tzcyx", 30, plain), HasSubstr("axes 'tzc': state how many positions all axes but one"));
    EXPECT_THAT(statedAxesOf("z5", 1, {}), HasSubstr("the file has 1 page"));
    for (const char* order : {"", "yx", "q", "tt3", "t0", "t3z5c2x", "t99999999999", "3t", "t-3", "p3"}) {
        EXPECT_THAT(statedAxesOf(order, 30, plain), HasSubstr("must be t, z and c")) << order;
    }
}

TEST(StatedAxes, MustBeThoseThatAFileStates) {
    const std::vector<StackAxis> stated{{'c', 2, {"DAPI", "GFP"}}, {'z', 5, {}}, {'t', 3, {}}};
    EXPECT_EQ(statedAxesOf("tzc", 30, stated), "c2 z5 t3");
    EXPECT_EQ(statedAxesOf("t3z5c2", 30, stated), "c2 z5 t3");
    for (const char* order : {"ztc", "t3z5", "tz4c", "z"}) {
        EXPECT_THAT(statedAxesOf(order, 30, stated), HasSubstr("the file states t3z5c2")) << order;
    }
    EXPECT_EQ(statedAxesOf("tzc", 10, {{'c', 2, {}}, {'t', 5, {}}}), "c2 t5") << "one slice";
}

TEST_F(ProjectionOfValues, PagesHaveTheAxesThatTheOptionsState) {
    std::vector<std::uint8_t> values(kPixels * kPages);
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = static_cast<std::uint8_t>(i / kPixels * 10);
    }
    std::vector<std::uint8_t> six = values;
    six.insert(six.end(), kPixels, 50);
    write(six, RawLayout::SampleType::u8);
    options_.raw->pages = 6;
    options_.axes = "t3c2"; // page = channel + 2 * time
    const ImageInfo info = readImageInfo(path_, options_);
    EXPECT_THAT(info.axes, ElementsAre(StackAxis{'c', 2, {}}, StackAxis{'t', 3, {}}));
    const auto levelOf = [&](const char* text) {
        return readPart(path_, partsOf(parseSelection(text), info, options_).parts.front()).image->level(0);
    };
    EXPECT_EQ(levelOf("channel=1,t=2"), 50);
    EXPECT_EQ(levelOf("channel=1,t=0"), 10);
    EXPECT_EQ(levelOf("channel=0,t=last"), 40);
    const LoadedImage sum =
        readPart(path_, partsOf(parseSelection("channel=sum(0,1),t=1"), info, options_).parts.front());
    EXPECT_EQ(valueOf(sum.info.mapping, sum.image->level(0)), 50) << "20 + 30";
    options_.page = 4;
    EXPECT_EQ(readImage(path_, options_).info.axes, info.axes);
    options_.page = 0;
    options_.axes = "t4c2";
    try {
        (void)readImageInfo(path_, options_);
        ADD_FAILURE();
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("stack.raw: axes 't4c2': the counts do not multiply to the pages"));
    }
    options_.axes = "t2z3"; // page = z + 3 * t
    const ImageInfo slices = readImageInfo(path_, options_);
    const SelectedPart volume = partsOf(parseSelection("t=1,z=volume"), slices, options_).parts.front();
    const LoadedImage read = readPart(path_, volume);
    EXPECT_EQ(read.image->extent().slices, 3U);
    EXPECT_EQ(read.image->level(kPixels), 40) << "slice 1 of time 1 is page 4";
}

/// Facts about two images of three slices each.
ImageInfo twoScenes(const std::vector<std::string>& names) {
    ImageInfo info;
    info.samples = 1;
    info.pages = 6;
    info.axes = {{'z', 3, {}}, {'p', 2, names}};
    return info;
}

TEST(Scenes, AreSelectedByNameOrNumber) {
    const ImageInfo info = twoScenes({"left", "right"});
    EXPECT_THAT(scenesOf(info), ElementsAre("left", "right"));
    const auto pageOf = [&](const char* text) {
        return partsOf(parseSelection(text), info).parts.front().options.page;
    };
    EXPECT_EQ(pageOf("scene=right,z=1"), 4);
    EXPECT_EQ(pageOf("scene=1,z=1"), 4);
    EXPECT_EQ(pageOf("scene=left,z=2"), 2);
    EXPECT_EQ(pageOf("z=1"), 1);
    EXPECT_EQ(pageOf("page=1,z=0"), 3) << "as recipes without scenes say";
    EXPECT_THAT(partsOf(parseSelection("z=1"), info).notes, ElementsAre("scene: first, 0 of 2"));
    const std::vector<SelectedPart> each = partsOf(parseSelection("scene=each,z=0"), info).parts;
    ASSERT_EQ(each.size(), 2U);
    EXPECT_EQ(each[1].options.page, 3);
    EXPECT_THAT(each[1].positions, ElementsAre(AxisPosition{'z', 0, ""}, AxisPosition{kSceneAxis, 1, "right"}));
    const auto problemOf = [](const char* text, const ImageInfo& of) -> std::string {
        try {
            (void)partsOf(parseSelection(text), of);
        } catch (const Error& error) {
            return error.what();
        }
        return "no error";
    };
    EXPECT_EQ(problemOf("scene=up", info), "no scene up (has left, right)");
    EXPECT_EQ(problemOf("scene=2", info), "no scene 2 (has 0 to 1)");
    EXPECT_THAT(problemOf("scene=0,page=0", info), HasSubstr("one of them is enough"));
    ReadOptions seen;
    seen.page = 5;
    EXPECT_EQ(toString(selectionOf(info, seen, false)), "z=2,scene=right");
    EXPECT_EQ(toString(selectionOf(twoScenes({"a", "a"}), seen, false)), "z=2,scene=1") << "the name is no one's";
    EXPECT_EQ(toString(selectionOf(twoScenes({}), seen, false)), "z=2,scene=1");

    ImageInfo one;
    one.samples = 1;
    one.facts = {{"Image name", "left"}};
    for (const char* text : {"scene=0", "scene=first", "scene=each", "scene=left"}) {
        EXPECT_EQ(problemOf(text, one), "no error") << text;
    }
    EXPECT_EQ(problemOf("scene=right", one), "no scene right (the file has one scene)");
    EXPECT_EQ(problemOf("scene=1", one), "no scene 1 (the file has one scene)");
    ImageInfo plain;
    plain.pages = 3;
    plain.axes = {{'p', 3, {}}};
    EXPECT_THAT(scenesOf(plain), IsEmpty()) << "pages are no scenes";
}

TEST_F(ProjectionOfValues, PagesWithoutAxesAreSelectedByPage) {
    std::vector<std::uint8_t> values(kPixels * kPages);
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = static_cast<std::uint8_t>(i / kPixels * 10);
    }
    write(values, RawLayout::SampleType::u8);
    const ImageInfo info = readImageInfo(path_, options_);
    const auto levelOf = [&](const char* text) {
        return readPart(path_, partsOf(parseSelection(text), info, options_).parts.front()).image->level(0);
    };
    EXPECT_EQ(levelOf("page=3"), 30);
    EXPECT_EQ(levelOf("page=last"), 40);
    EXPECT_EQ(levelOf("z=max:1..2"), 20);
    EXPECT_EQ(partsOf(parseSelection("page=each"), info, options_).parts.size(), static_cast<std::size_t>(kPages));
    EXPECT_TRUE(partsOf(parseSelection("z=volume"), info, options_).parts.front().volume);
    for (const char* text : {"z=1", "t=0", "page=5"}) {
        EXPECT_THROW((void)partsOf(parseSelection(text), info, options_), Error) << text;
    }
    options_.page = 2;
    EXPECT_EQ(toString(selectionOf(info, options_, false)), "page=2");
    EXPECT_EQ(toString(selectionOf(info, options_, true)), "z=volume");
}

} // namespace
} // namespace pollard::test
