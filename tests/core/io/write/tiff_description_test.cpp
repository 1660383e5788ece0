#include "core/io/io_support.hpp"

#include "formats/tiff/tiff_writer.hpp"
#include "io/metadata/imagej_description.hpp"
#include "recipe/results/result_file.hpp"
#include "recipe/results/result_tags.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <gmock/gmock.h>
#include <memory>
#include <span>
#include <string>
#include <tiffio.h>
#include <utility>
#include <vector>

namespace pollard::test {

namespace {

using ::testing::HasSubstr;

constexpr WrittenPages kOne{ValueType::u16, 1, 12, 9, 1};

SceneDescription micrometres() {
    SceneDescription scene;
    scene.pixelSize = PixelSize{0.325, 0.65, "µm", "", false, 1.5};
    return scene;
}

std::shared_ptr<Image> makeImage(PixelType type, std::uint16_t level, std::uint32_t slices = 1) {
    auto image = std::make_shared<Image>(type, Extent{12, 9, slices});
    dispatch(type, [&]<class T>(T) {
        std::ranges::fill(image->pixels<T>(), T{0});
        image->pixels<T>()[5] = static_cast<T>(level);
    });
    return image;
}

std::string descriptionOf(const std::filesystem::path& path) {
    const std::unique_ptr<TIFF, void (*)(TIFF*)> tiff(TIFFOpen(path.c_str(), "r"), TIFFClose);
    const char* text = nullptr;
    return tiff && TIFFGetField(tiff.get(), TIFFTAG_IMAGEDESCRIPTION, &text) == 1 ? text : "";
}

float resolutionOf(const std::filesystem::path& path, std::uint16_t& unit) {
    const std::unique_ptr<TIFF, void (*)(TIFF*)> tiff(TIFFOpen(path.c_str(), "r"), TIFFClose);
    float resolution = 0;
    TIFFGetField(tiff.get(), TIFFTAG_XRESOLUTION, &resolution);
    TIFFGetFieldDefaulted(tiff.get(), TIFFTAG_RESOLUTIONUNIT, &unit);
    return resolution;
}

TEST(DescriptionRule, IsImageJsWhereImageJShowsAll) {
    using enum DescriptionKind;
    EXPECT_EQ(descriptionKind({}, kOne), none) << "nothing to say";
    EXPECT_EQ(descriptionKind(micrometres(), kOne), imageJ);
    SceneDescription scene = micrometres();
    scene.wantsOme = true;
    EXPECT_EQ(descriptionKind(scene, kOne), omeXml);
    scene.pixelSize->unit = "arcsec";
    EXPECT_EQ(descriptionKind(scene, kOne), imageJ) << "OME-XML has lengths only";
    WrittenPages pages = kOne;
    pages.forImageJ = false;
    EXPECT_EQ(descriptionKind(micrometres(), pages), omeXml) << "tiles, BigTIFF, predictors";
    pages = kOne;
    pages.type = ValueType::u64;
    EXPECT_EQ(descriptionKind(micrometres(), pages), none);
    pages = kOne;
    pages.samples = 5;
    EXPECT_EQ(descriptionKind(micrometres(), pages), omeXml);
    pages = kOne;
    pages.count = 6;
    scene = micrometres();
    scene.axes = {{'c', 2, {}}, {'z', 3, {}}};
    EXPECT_EQ(descriptionKind(scene, pages), imageJ);
    scene.channels.resize(2);
    scene.channels[1].wavelength = 509;
    EXPECT_EQ(descriptionKind(scene, pages), omeXml) << "ImageJ has no wavelengths";
    std::swap(scene.axes[0], scene.axes[1]);
    scene.channels.clear();
    EXPECT_EQ(descriptionKind(scene, pages), omeXml) << "ImageJ has no such order";
}

TEST(DescriptionRule, FollowsTheNameOfTheFile) {
    const TempDir dir;
    for (const char* name : {"a.ome.tif", "a.OME.tiff", "a.tif"}) {
        writeTiff(dir / name, {*makeImage(PixelType::u16, 9), {.scene = micrometres()}});
        const bool ome = std::string(name) != "a.tif";
        EXPECT_EQ(descriptionOf(dir / name).starts_with("ImageJ="), !ome) << name;
        EXPECT_EQ(readImageInfo(dir / name).pixelSize,
                  (PixelSize{0.325, 0.65, "µm", ome ? "OME-XML" : "ImageJ", false, 1.5}));
    }
}

TEST(DescriptionRule, HasTheSizeOfAnOmeTiffInFilesOfOtherNames) {
    const TempDir dir;
    writeTiff(dir / "source.ome.tif", {*makeImage(PixelType::u16, 9), {.scene = micrometres()}});
    const LoadedImage source = readImage(dir / "source.ome.tif");
    writeTiff(dir / "result.tif", {*source.image, resultFacts(source.info, ResultValues::levels)});
    EXPECT_THAT(descriptionOf(dir / "result.tif"), HasSubstr("spacing=1.5\n"));
    EXPECT_EQ(readImageInfo(dir / "result.tif").pixelSize, (PixelSize{0.325, 0.65, "µm", "ImageJ", false, 1.5}));
}

TEST(ImageJText, HasTheUnitOfItsResolution) {
    const TempDir dir;
    for (const auto& [unit, name] :
         {std::pair{"µm", "um"}, {"m", "m"}, {"mm", "mm"}, {"°", "deg"}, {"arcsec", "arcsec"}}) {
        SceneDescription scene;
        scene.pixelSize = PixelSize{10.123456789012, 20, unit, "", false, 0.7};
        writeTiff(dir / "a.tif",
                  {*makeImage(PixelType::u8, 9, 3), {.carried = resolutionTags(*scene.pixelSize), .scene = scene}});
        const std::string text = descriptionOf(dir / "a.tif");
        EXPECT_THAT(text, HasSubstr(std::string("\nunit=") + name + "\n"));
        EXPECT_THAT(text, HasSubstr("\nspacing=0.7\n"));
        std::uint16_t unitTag = 0;
        EXPECT_FLOAT_EQ(resolutionOf(dir / "a.tif", unitTag), static_cast<float>(1 / 10.123456789012));
        EXPECT_EQ(unitTag, RESUNIT_NONE);
        const PixelSize back = readImageInfo(dir / "a.tif").pixelSize.value();
        const double scale = std::string(unit) == "mm" ? 1000 : 1; // read as µm
        EXPECT_DOUBLE_EQ(back.x, 10.123456789012 * scale) << "more digits than the tag has";
        EXPECT_DOUBLE_EQ(back.y, 20 * scale);
        EXPECT_DOUBLE_EQ(back.z, 0.7 * scale);
        EXPECT_EQ(back.unit, scale == 1 ? unit : "µm");
    }
}

TEST(ImageJText, OfAChangedResolutionIsNotExact) {
    ImageInfo info;
    describeImageJ("ImageJ=1.11a\nunit=um\npixel_width=0.25\npixel_height=0.25\n", 2, 4, info);
    EXPECT_EQ(info.pixelSize, (PixelSize{0.5, 0.25, "µm", "ImageJ", false}));
}

TEST(ImageJText, KeepsAPrintersResolutionOne) {
    const TempDir dir;
    PlaneFacts facts;
    facts.carried = resolutionTags(300, 300, RESUNIT_INCH);
    facts.scene.channel = "DAPI";
    writeTiff(dir / "a.tif", {*makeImage(PixelType::u8, 9), facts});
    EXPECT_THAT(descriptionOf(dir / "a.tif"), HasSubstr("\nunit=inch\n"));
    const ImageInfo info = readImageInfo(dir / "a.tif");
    ASSERT_TRUE(info.pixelSize);
    EXPECT_TRUE(info.pixelSize->print);
    EXPECT_THAT(info.facts, ::testing::Contains(::testing::Pair("Channel", "DAPI")));
}

TEST(ImageJText, TellsTheRangeOfMasksAndLabels) {
    const TempDir dir;
    const auto textOf = [&](PixelType type, std::uint16_t level) {
        writeResult(dir / "a.tif", resultPlane(*makeImage(type, level), {}, ResultValues::others), {});
        return descriptionOf(dir / "a.tif");
    };
    EXPECT_THAT(textOf(PixelType::u8, 12), HasSubstr("\nmin=0\nmax=12\n"));
    EXPECT_THAT(textOf(PixelType::u16, 65535), HasSubstr("\nmin=0\nmax=65535\n"));
    EXPECT_EQ(textOf(PixelType::u8, 255), "") << "the range without a statement";
    EXPECT_EQ(textOf(PixelType::u8, 0), "");
    const std::vector<std::uint32_t> labels{0, 70000, 3};
    writeResult(dir / "a.tif", resultPlane(labels, Extent{1, 1, 3}, {}), {});
    EXPECT_THAT(descriptionOf(dir / "a.tif"), HasSubstr("\nmin=0\nmax=70000\n"));
    EXPECT_EQ(readImageInfo(dir / "a.tif").channels.at(0).window, (ChannelWindow{0, 70000}));
    writeTiff(dir / "a.tif", {*makeImage(PixelType::u8, 12), resultFacts({}, ResultValues::levels)});
    EXPECT_EQ(descriptionOf(dir / "a.tif"), "") << "grey values are no labels";
}

TEST(ImageJText, CountsNoImagesOfAnUncompressedStack) {
    const TempDir dir;
    PlaneFacts facts;
    facts.scene.axes = {{'z', 3, {}}};
    for (const TiffCompression compression : {TiffCompression::deflate, TiffCompression::none}) {
        writeTiff(dir / "a.tif", {*makeImage(PixelType::u8, 9, 3), facts}, {.compression = compression});
        // The number makes ImageJ read a single block of pixels if they are not compressed.
        const bool counts = descriptionOf(dir / "a.tif").find("\nimages=3\n") != std::string::npos;
        EXPECT_EQ(counts, compression == TiffCompression::deflate);
        EXPECT_EQ(readImageInfo(dir / "a.tif").axes, facts.scene.axes);
    }
}

TEST(ImageJText, StandsBesideTheTagsOfAMap) {
    const TempDir dir;
    const auto tag = [](std::uint16_t number, std::uint16_t type, const auto& values) {
        CopiedTag made{number, type, values.size(), {}};
        const auto bytes = std::as_bytes(std::span(values));
        made.data.assign(bytes.begin(), bytes.end());
        return made;
    };
    ImageInfo map;
    map.carried = {tag(33550, 12, std::vector<double>{10, 20, 0}),
                   tag(33922, 12, std::vector<double>{0, 0, 0, 500000, 5.4e6, 0}),
                   tag(34735, 3, std::vector<std::uint16_t>{1, 1, 0, 2, 1024, 0, 1, 1, 3072, 0, 1, 32632})};
    map.pixelSize = PixelSize{10, 20, "m", "GeoTIFF", false};
    const PlaneFacts facts = resultFacts(map, ResultValues::levels);
    writeTiff(dir / "a.tif", {*makeImage(PixelType::u16, 9), facts});
    EXPECT_THAT(descriptionOf(dir / "a.tif"), HasSubstr("\nunit=m\n"));
    std::uint16_t unit = 0;
    EXPECT_FLOAT_EQ(resolutionOf(dir / "a.tif", unit), 0.1F);
    const ImageInfo back = readImageInfo(dir / "a.tif");
    ASSERT_TRUE(back.pixelSize);
    EXPECT_EQ(back.pixelSize->x, 10);
    EXPECT_EQ(back.pixelSize->y, 20);
    EXPECT_EQ(back.pixelSize->unit, "m");
    EXPECT_EQ(std::ranges::count_if(back.carried, [](const CopiedTag& each) { return each.tag > 30000; }), 3);
    WrittenPages tiles = kOne;
    tiles.forImageJ = false;
    EXPECT_EQ(descriptionKind(facts.scene, tiles), DescriptionKind::none) << "the tags say it";
}

} // namespace

} // namespace pollard::test
