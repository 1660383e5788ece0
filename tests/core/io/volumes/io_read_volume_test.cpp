#include "core/io/io_volume_support.hpp"

#include "formats/tiff/tiff_writer.hpp"
#include "io/volumes/read_volume.hpp"
#include "io/write/npy_writer.hpp"

#include <cstring>
#include <gmock/gmock.h>
#include <memory>

namespace pollard::test {

namespace {

using ::testing::HasSubstr;

std::shared_ptr<Image> makeVolume(const Extent& extent) {
    auto volume = std::make_shared<Image>(PixelType::u16, extent);
    for (std::size_t i = 0; i < volume->pixelCount(); ++i) {
        volume->pixels<std::uint16_t>()[i] = static_cast<std::uint16_t>(i * 37 % 65521);
    }
    return volume;
}

std::string failureOf(const std::filesystem::path& path, const ReadOptions& options = {}) {
    try {
        (void)readVolume(path, options);
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

/// Pages of 3 x 2 float values: value(page, pixel).
template <class Value> void writeFloats(const std::filesystem::path& path, int pages, Value value) {
    std::string bytes;
    for (int page = 0; page < pages; ++page) {
        for (int pixel = 0; pixel < 6; ++pixel) {
            const auto number = static_cast<float>(value(page, pixel));
            char word[sizeof number];
            std::memcpy(word, &number, sizeof number);
            bytes.append(word, sizeof word);
        }
    }
    writeBytes(path, bytes);
}

ReadOptions floats(int pages) {
    ReadOptions options;
    options.raw = RawLayout{3, 2, RawLayout::SampleType::f32, false, 1, 0, pages};
    return options;
}

TEST(Volume, OfPagesIsThatWritten) {
    const TempDir dir;
    const auto volume = makeVolume({31, 17, 9});
    writeTiff(dir / "v.tif", {*volume, {.scene = {.axes = {{'z', 9, {}}}}}});
    const LoadedImage read = readVolume(dir / "v.tif");
    EXPECT_EQ(read.image->extent(), volume->extent());
    EXPECT_EQ(levelsOf(*read.image), levelsOf(*volume));
    EXPECT_FALSE(read.valid);
    EXPECT_EQ(read.info.pages, 9);
    ReadOptions page;
    page.page = 4;
    const auto slice = levelsOf(*readImage(dir / "v.tif", page).image);
    const auto all = levelsOf(*volume);
    EXPECT_TRUE(std::equal(slice.begin(), slice.end(), all.begin() + 4 * 31 * 17));
}

TEST(Volume, OfPagesWithoutAxesHasThemAll) {
    const TempDir dir;
    writeTiff(dir / "v.tif", *makeVolume({5, 4, 3}));
    EXPECT_EQ(readVolume(dir / "v.tif").image->extent(), (Extent{5, 4, 3}));
}

TEST(Volume, OfAStackWithChannelsIsThatOfThePagesChannel) {
    const TempDir dir;
    SceneDescription scene;
    scene.axes = {{'c', 2, {"DAPI", "GFP"}}, {'z', 3, {}}};
    writeTiff(dir / "s.ome.tif",
              {6,
               [&](int page, const JobControl&) {
                   auto image = std::make_shared<Image>(PixelType::u8, 4, 2);
                   std::fill_n(image->pixels<std::uint8_t>().data(), 8, static_cast<std::uint8_t>(10 * page));
                   return Plane{ownedRows(image), {.scene = scene}};
               }},
              {.arePages = true});
    for (const auto& [page, first] : {std::pair{0, 0}, {4, 0}, {1, 10}, {5, 10}}) {
        ReadOptions options;
        options.page = page;
        const LoadedImage read = readVolume(dir / "s.ome.tif", options);
        ASSERT_EQ(read.image->extent(), (Extent{4, 2, 3}));
        for (int z = 0; z < 3; ++z) {
            EXPECT_EQ(read.image->level(static_cast<std::size_t>(8 * z)), first + 20 * z) << page;
        }
    }
}

TEST(Volume, OfFloatsHasOneMapping) {
    const TempDir dir;
    writeFloats(dir / "f.raw", 4, [](int page, int pixel) { return 100.0 * page + pixel - 50.0; });
    const LoadedImage read = readVolume(dir / "f.raw", floats(4));
    ASSERT_TRUE(read.info.mapping);
    EXPECT_EQ(read.info.mapping->minimum, -50.0);
    EXPECT_EQ(read.info.mapping->maximum, 255.0);
    for (int i = 0; i < 24; ++i) {
        const double value = 100.0 * (i / 6) + i % 6 - 50.0;
        EXPECT_NEAR(read.info.mapping->valueOf(read.image->level(static_cast<std::size_t>(i))), value,
                    read.info.mapping->step);
    }
    ReadOptions fixed = floats(4);
    fixed.mapping = {MappingChoice::Range::fixed, 0, 100};
    const LoadedImage clipped = readVolume(dir / "f.raw", fixed);
    EXPECT_EQ(clipped.info.mapping->clipped, 18U)
        << "six negative ones, and twelve above 100, which the third page's are";
}

TEST(Volume, OfACompressedFileIsThatOfThePlainOne) {
    const TempDir dir;
    const auto check = [&]<class T>(T, int datatype) {
        NiftiHeader header{.dim = {5, 4, 3, 2}};
        header.datatype = datatype;
        const std::string file = header.bytes() + bytesOfNumbers<T>(voxelsOf<T>(5 * 4 * 3 * 2));
        writeBytes(dir / "v.nii", file);
        writeBytes(dir / "v.nii.gz", deflated(file, true));
        for (const int page : {0, 2, 4}) { // of both times
            ReadOptions options;
            options.page = page;
            const LoadedImage plain = readVolume(dir / "v.nii", options);
            const LoadedImage packed = readVolume(dir / "v.nii.gz", options);
            ASSERT_EQ(plain.image->extent(), (Extent{5, 4, 3}));
            ASSERT_EQ(packed.image->extent(), plain.image->extent());
            EXPECT_EQ(levelsOf(*packed.image), levelsOf(*plain.image));
            ASSERT_EQ(packed.info.mapping.has_value(), plain.info.mapping.has_value());
            if (plain.info.mapping) {
                EXPECT_EQ(packed.info.mapping->offset, plain.info.mapping->offset);
                EXPECT_EQ(packed.info.mapping->step, plain.info.mapping->step);
            }
            EXPECT_EQ(packed.info.height, 4U);
            EXPECT_EQ(packed.info.pages, 6);
        }
    };
    check(std::uint8_t{}, 2);
    check(std::int16_t{}, 4);
    check(float{}, 16);
}

TEST(Volume, HasTheProportionsOfItsVoxels) {
    PixelSize size{0.2, 0.3, "µm", "ImageJ"};
    EXPECT_EQ(voxelSides(size), (VoxelSides{1, 1.5, 1})) << "the distance of the slices is unknown";
    size.z = 0.6;
    EXPECT_EQ(voxelSides(size), (VoxelSides{1, 1.5, 3}));
    size.z = 0.1;
    EXPECT_EQ(voxelSides(size), (VoxelSides{1, 1.5, 0.5}));
    size.print = true;
    EXPECT_EQ(voxelSides(size), VoxelSides());
    EXPECT_EQ(voxelSides(std::nullopt), VoxelSides());
}

TEST(Volume, IsRefusedInOneSentence) {
    const TempDir dir;
    writeTiff(dir / "one.tif", Image(PixelType::u8, 3, 2));
    EXPECT_THAT(failureOf(dir / "one.tif"), HasSubstr("has one slice; a volume has several pages along z"));
    writeTiff(dir / "time.tif", {*makeVolume({5, 4, 3}), {.scene = {.axes = {{'t', 3, {}}}}}});
    EXPECT_THAT(failureOf(dir / "time.tif"), HasSubstr("has one slice")) << "a series in time is no volume";
    const auto sizes = [](int page, const JobControl&) {
        return Plane{ownedRows(std::make_shared<Image>(PixelType::u8, page == 1 ? 4U : 3U, 2U))};
    };
    writeTiff(dir / "sizes.tif", {2, sizes}, {.arePages = true});
    EXPECT_THAT(failureOf(dir / "sizes.tif"), HasSubstr("page 1 differs in size or depth from the first slice"));
    ReadOptions options;
    writeTiff(dir / "v.tif", *makeVolume({5, 4, 3}));
    options.limits.maxDecodedBytes = 100;
    EXPECT_THAT(failureOf(dir / "v.tif", options),
                HasSubstr("a volume of 5 x 4 x 3 px needs 120 bytes, 100 bytes are allowed"));
    options = {};
    options.limits.maxPixels = 59;
    EXPECT_THAT(failureOf(dir / "v.tif", options), HasSubstr("has more than the allowed 59 pixels"));
}

TEST(Volume, LabelsAndArraysHaveTheirSlices) {
    const TempDir dir;
    std::vector<std::uint32_t> values(5 * 4 * 3);
    for (std::uint32_t i = 0; i < values.size(); ++i) {
        values[i] = 70000 * i;
    }
    writeTiff(dir / "l.tif", measuredRowsOf(values, Extent{5, 4, 3}));
    EXPECT_EQ(readImageInfo(dir / "l.tif").pages, 3);
    EXPECT_EQ(readImageInfo(dir / "l.tif").bits, 32);
    writeNpy(dir / "l.npy", measuredRowsOf(values, {5, 4, 3}));
    EXPECT_THAT(readBytes(dir / "l.npy"), HasSubstr("'shape': (3, 4, 5"));
    EXPECT_THROW((void)measuredRowsOf(values, {5, 4, 2}), Error);
}

} // namespace

} // namespace pollard::test
