#include "io/region_source.hpp"

#include "base/error.hpp"
#include "core/io/io_support.hpp"
#include "formats/tiff/tiff_writer.hpp"
#include "io/volumes/read_volume.hpp"
#include "io/write/volume_writer.hpp"
#include "support/affordable.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <random>
#include <stop_token>
#include <string>
#include <vector>

namespace pollard {
namespace {

using namespace testing;
using test::TempDir;

constexpr std::uint64_t kMemory = std::uint64_t{1} << 30;
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

using Paths = std::vector<std::filesystem::path>;
using RawType = RawLayout::SampleType;

std::uint32_t below(std::mt19937& random, std::uint32_t end) { return static_cast<std::uint32_t>(random() % end); }

/// Reads random boxes, and compares them with the whole volume in memory.
void expectTheWhole(const Paths& files, const ReadOptions& options, const std::string& what, unsigned seed = 1) {
    SCOPED_TRACE(what);
    const LoadedImage whole = readVolume(files, options);
    const Image& image = *whole.image;
    const Extent& extent = image.extent();
    const auto regions = openRegions(VolumeFiles{files, kMemory}, options);
    ASSERT_EQ(regions->extent(), extent);
    regions->prepare({});
    ASSERT_EQ(regions->type(), image.type());
    EXPECT_EQ(regions->info().mapping.has_value(), whole.info.mapping.has_value());
    if (whole.info.mapping && regions->info().mapping) {
        EXPECT_EQ(regions->info().mapping->offset, whole.info.mapping->offset);
        EXPECT_EQ(regions->info().mapping->step, whole.info.mapping->step);
    }
    EXPECT_EQ(regions->info().invalidPixels, whole.info.invalidPixels);
    EXPECT_EQ(regions->info().pixelSize, whole.info.pixelSize);
    EXPECT_EQ(regions->info().axes, whole.info.axes);
    EXPECT_EQ(regions->info().carried, whole.info.carried);
    ASSERT_EQ(regions->validLevels().has_value(), whole.valid != nullptr);

    ValidLevels expected;
    for (std::uint32_t p = 0; p < image.pixelCount(); ++p) {
        const Voxel at = voxelAt(p, extent);
        if (whole.valid && whole.valid->test(at.x, at.z * extent.height + at.y)) {
            expected.join({0, false, image.level(p), image.level(p)});
        }
    }
    expected.invalid = whole.info.invalidPixels;
    if (whole.valid) {
        EXPECT_EQ(*regions->validLevels(), expected);
    }
    std::mt19937 random(seed);
    for (int i = 0; i < 12; ++i) {
        const std::uint32_t x = below(random, extent.width);
        const std::uint32_t y = below(random, extent.height);
        const std::uint32_t z = below(random, extent.slices);
        const Extent box{1 + below(random, extent.width - x), 1 + below(random, extent.height - y),
                         1 + below(random, extent.slices - z)};
        const LoadedImage part = regions->readBox({x, y, box.width, box.height}, {z, box.slices}, {});
        ASSERT_EQ(part.image->extent(), box);
        for (std::uint32_t p = 0; p < part.image->pixelCount(); ++p) {
            const Voxel at = voxelAt(p, box);
            const std::size_t from = (std::size_t{z + at.z} * extent.height + y + at.y) * extent.width + x + at.x;
            ASSERT_EQ(part.image->level(p), image.level(from)) << "box " << i;
            const bool isValid = !whole.valid || whole.valid->test(x + at.x, (z + at.z) * extent.height + y + at.y);
            ASSERT_EQ(!part.valid || part.valid->test(at.x, at.z * box.height + at.y), isValid) << "box " << i;
        }
    }
}

template <class T> void writeRaw(const std::filesystem::path& path, const std::vector<T>& values) {
    std::string bytes(values.size() * sizeof(T), '\0');
    std::memcpy(bytes.data(), values.data(), bytes.size());
    test::writeBytes(path, bytes);
}

template <class T> constexpr RawType kRawType = RawType::f32;
template <> constexpr RawType kRawType<std::int16_t> = RawType::i16;
template <> constexpr RawType kRawType<std::int32_t> = RawType::i32;
template <> constexpr RawType kRawType<double> = RawType::f64;

constexpr Extent kRaw{11, 7, 5};

/// Pages of values. @param value of a voxel
template <class T> ReadOptions rawVolume(const std::filesystem::path& path,
                                         const std::function<T(std::uint32_t z, std::uint32_t i)>& value) {
    std::vector<T> values;
    for (std::uint32_t z = 0; z < kRaw.slices; ++z) {
        for (std::uint32_t i = 0; i < kRaw.slicePixels(); ++i) {
            values.push_back(value(z, i));
        }
    }
    writeRaw(path, values);
    ReadOptions options;
    options.raw = RawLayout{kRaw.width, kRaw.height, kRawType<T>, false, 1, 0, static_cast<int>(kRaw.slices)};
    return options;
}

/// With all choices of a range.
void expectForAllRanges(const std::filesystem::path& path, ReadOptions options, const std::string& what) {
    using enum MappingChoice::Range;
    for (const MappingChoice& choice : {MappingChoice{}, {minMax}, {percentile, 0.1, 0.8}, {fixed, -3, 40}}) {
        options.mapping = choice;
        expectTheWhole({path}, options, what + ", range " + std::to_string(static_cast<int>(choice.range)));
    }
}

Image randomImage(PixelType type, const Extent& extent, unsigned seed) {
    Image image(type, extent);
    std::mt19937 random(seed);
    dispatch(type, [&]<class T>(T) {
        for (T& pixel : image.pixels<T>()) {
            pixel = static_cast<T>(random());
        }
    });
    return image;
}

TEST(VolumeRegions, OfPagesWithLevelsAreTheWhole) {
    const TempDir dir;
    for (const PixelType type : {PixelType::u8, PixelType::u16}) {
        PixelSize size{0.5, 0.5, "µm", "OME-XML"};
        size.z = 2;
        writeTiff(dir / "v.tif",
                  {randomImage(type, {31, 17, 9}, 3), {.scene = {.pixelSize = size, .axes = {{'z', 9, {}}}}}});
        expectTheWhole({dir / "v.tif"}, {}, "pages");
        EXPECT_EQ(openRegions(VolumeFiles{{dir / "v.tif"}, kMemory}, {})->passes(), 0);
        ReadOptions part;
        part.region = PixelRegion{3, 2, 20, 11};
        part.slices = SliceRange{2, 5};
        expectTheWhole({dir / "v.tif"}, part, "a part");
    }
}

TEST(VolumeRegions, OfFilesOfVoxelsAreTheWhole) {
    const TempDir dir;
    PixelSize size{0.5, 0.25, "mm", "NIfTI"};
    size.z = 2;
    const Image image = randomImage(PixelType::u16, {9, 8, 7}, 4);
    for (const char* const name : {"v.nii", "v.nii.gz", "v.nrrd"}) {
        writeVoxels(dir / name, {image, {.scene = {.pixelSize = size}}});
        expectTheWhole({dir / name}, {}, name);
        // Values that need doubles and floats, signed ones and wide ones.
        using Mapping = std::pair<double, double>; // offset and step
        for (const auto& [offset, step] :
             {Mapping(-3e9, 1.5), Mapping(0.25, 0.5), Mapping(-40000, 1), Mapping(0, 1000)}) {
            writeVoxels(dir / name, {image, {.scale = {step, offset, {}}, .scene = {.pixelSize = size}}});
            expectForAllRanges(dir / name, {}, name + std::string(", values"));
        }
    }
}

TEST(VolumeRegions, OfValuesHaveTheMappingOfAllSlices) {
    const TempDir dir;
    std::mt19937 random(5);
    const auto path = dir / "v.raw";
    expectForAllRanges(
        path,
        rawVolume<float>(
            path, [&](auto z, auto) { return static_cast<float>(below(random, 100)) / 7 + static_cast<float>(z); }),
        "floats of several ranges");
    expectForAllRanges(path,
                       rawVolume<float>(path,
                                        [&](auto, auto i) {
                                            return i < 2 ? 9.5F * static_cast<float>(i)
                                                         : static_cast<float>(below(random, 95)) / 10;
                                        }),
                       "floats of one range");
    expectForAllRanges(path, rawVolume<float>(path, [](auto, auto) { return 2.5F; }), "a constant");
    expectForAllRanges(path, rawVolume<float>(path, [](auto z, auto) { return static_cast<float>(z / 2); }),
                       "constant slices");
    expectForAllRanges(
        path, rawVolume<double>(path, [&](auto z, auto) { return 1e300 * (below(random, 100) - 50.0) * (z + 1); }),
        "huge doubles");
    expectForAllRanges(
        path,
        rawVolume<std::int32_t>(
            path, [&](auto, auto i) { return i == 0 ? -7 : static_cast<std::int32_t>(below(random, 300)) - 7; }),
        "integers with the same smallest one");
    expectForAllRanges(
        path,
        rawVolume<std::int32_t>(path, [&](auto z, auto) { return static_cast<std::int32_t>(random() >> (z + 1)); }),
        "wide integers");
    expectForAllRanges(path,
                       rawVolume<std::int16_t>(path, [&](auto, auto) { return static_cast<std::int16_t>(random()); }),
                       "short integers");
}

TEST(VolumeRegions, KnowTheVoxelsWithoutData) {
    const TempDir dir;
    std::mt19937 random(6);
    const auto path = dir / "v.raw";
    const auto some = [&](float other) {
        return [&random, other](std::uint32_t z, std::uint32_t) {
            return below(random, 6) == 0 ? other : static_cast<float>(below(random, 50) + 3 * z);
        };
    };
    expectForAllRanges(path, rawVolume<float>(path, some(kNan)), "NaN");
    expectForAllRanges(path, rawVolume<float>(path, some(-kInfinity)), "infinite");
    expectForAllRanges(path, rawVolume<float>(path, [](auto, auto) { return kNan; }), "nothing valid");
    expectForAllRanges(path, rawVolume<float>(path, [](auto, auto) { return kInfinity; }), "nothing finite");
    expectForAllRanges(path,
                       rawVolume<float>(path,
                                        [](auto z, auto i) {
                                            return z == 2 ? kNan : z == 3 && i == 4 ? kInfinity : static_cast<float>(i);
                                        }),
                       "a slice without data");
}

TEST(VolumeRegions, OfPagesOfWhichOneHasNoDataAreTheWhole) {
    const TempDir dir;
    const std::string text = "7";
    CopiedTag tag{42113, 2, 2, std::vector<std::byte>(2)}; // GDAL_NODATA
    std::memcpy(tag.data.data(), text.data(), 1);
    writeTiff(
        dir / "v.tif",
        {4,
         [&](int page, const JobControl&) {
             auto image = std::make_shared<Image>(randomImage(PixelType::u8, {20, 10}, static_cast<unsigned>(page)));
             image->pixels<std::uint8_t>()[5] = 7;
             return Plane{ownedRows(image), {.carried = page == 2 ? std::vector{tag} : std::vector<CopiedTag>()}};
         }},
        {.arePages = true});
    expectTheWhole({dir / "v.tif"}, {}, "no-data value of a page");
    EXPECT_EQ(openRegions(VolumeFiles{{dir / "v.tif"}, kMemory}, {})->passes(), 1);
}

TEST(VolumeRegions, OfSlicesInFilesAreTheWhole) {
    const TempDir dir;
    Paths grey;
    Paths values;
    std::mt19937 random(8);
    for (int i = 0; i < 5; ++i) {
        grey.push_back(dir / ("s" + std::to_string(i) + ".pgm"));
        std::string bytes = "P5 13 9 255\n";
        for (int p = 0; p < 13 * 9; ++p) {
            bytes += static_cast<char>(random());
        }
        test::writeBytes(grey.back(), bytes);
        values.push_back(dir / ("s" + std::to_string(i) + ".nii"));
        // Each file with its own type of values.
        writeVoxels(values.back(), {randomImage(PixelType::u8, {6, 5, 1}, static_cast<unsigned>(i)),
                                    {.scale = {i % 2 == 0 ? 0.5 : 1.5, -3.0 * i, {}}}});
    }
    expectTheWhole(grey, {}, "files that are read as a whole");
    expectTheWhole(values, {}, "files with values");
}

TEST(VolumeRegions, OfComputedChannelsAreTheWhole) {
    const TempDir dir;
    writeTiff(dir / "v.tif",
              {9,
               [&](int plane, const JobControl&) {
                   return Plane{ownedRows(
                       std::make_shared<Image>(randomImage(PixelType::u8, {15, 12}, static_cast<unsigned>(plane))))};
               }},
              {.samples = {.samples = 3, .colours = SampleLayout::Colours::rgb}});
    for (const char* const channel : {"nd(0,1)", "ratio(0,2)", "pca(1)", "max(0,2)", "luminance", "1"}) {
        ReadOptions options;
        options.channel = ChannelChoice::parse(channel);
        expectTheWhole({dir / "v.tif"}, options, channel);
    }
}

TEST(VolumeRegions, RefuseWhatTheyCannotRead) {
    const TempDir dir;
    writeTiff(dir / "v.tif", randomImage(PixelType::u8, {31, 17, 9}, 3));
    const auto regions = openRegions(VolumeFiles{{dir / "v.tif"}, kMemory}, {});
    const auto refused = [&](const PixelRegion& region, const SliceRange& slices) {
        EXPECT_THROW((void)regions->readBox(region, slices, {}), Error);
    };
    refused({0, 0, 32, 1}, {0, 1});
    refused({0, 17, 1, 1}, {0, 1});
    refused({0, 0, 1, 1}, {9, 1});
    refused({0, 0, 1, 1}, {8, 2});
    refused({0, 0, 1, 1}, {0, 0});
    ReadOptions shrunk;
    shrunk.shrink = 2;
    EXPECT_THROW((void)openRegions(VolumeFiles{{dir / "v.tif"}, kMemory}, shrunk), Error);
    EXPECT_THROW((void)openRegions(VolumeFiles{{dir / "v.tif"}, 1000}, {}), Error) << "a slice does not fit the memory";
    const auto path = dir / "v.raw";
    const ReadOptions options = rawVolume<float>(path, [](auto z, auto) { return static_cast<float>(z); });
    const auto values = openRegions(VolumeFiles{{path}, kMemory}, options);
    EXPECT_THROW((void)values->readBox({0, 0, 1, 1}, {0, 1}, {}), Error) << "before the pass";
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW(values->prepare(JobControl(stop.get_token())), Cancelled);
    values->prepare({});
    EXPECT_THROW((void)values->readBox({0, 0, 1, 1}, {0, 1}, JobControl(stop.get_token())), Cancelled);
    // Pages of different sizes.
    writeTiff(
        dir / "p.tif",
        {3,
         [](int page, const JobControl&) {
             return Plane{ownedRows(std::make_shared<Image>(randomImage(PixelType::u8, {page == 1 ? 4U : 5U, 5}, 1)))};
         }},
        {.arePages = true});
    const auto pages = openRegions(VolumeFiles{{dir / "p.tif"}, kMemory}, {});
    EXPECT_THROW((void)pages->readBox({0, 0, 5, 5}, {0, 3}, {}), Error);
}

TEST(VolumeRegions, HaveTheIdentityOfFilesAndOptions) {
    const TempDir dir;
    writeTiff(dir / "v.tif", randomImage(PixelType::u8, {31, 17, 9}, 3));
    ReadOptions part;
    part.slices = SliceRange{0, 5};
    const auto identity = [&](const ReadOptions& options) {
        return openRegions(VolumeFiles{{dir / "v.tif"}, kMemory}, options)->identity();
    };
    EXPECT_EQ(identity({}), identity({}));
    EXPECT_NE(identity(part), identity({}));
    part.slices = SliceRange{1, 5};
    const std::uint64_t other = identity(part);
    part.slices = SliceRange{0, 5};
    EXPECT_NE(identity(part), other);
}

} // namespace
} // namespace pollard
