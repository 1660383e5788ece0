// Parts of volumes, smaller versions, ranges of values and voxels without data, against their definitions.
#include "core/io/io_volume_support.hpp"

#include "formats/tiff/tiff_writer.hpp"
#include "io/volumes/read_volume.hpp"
#include "io/volumes/volume_slices.hpp"
#include "support/random_images.hpp"

#include <cmath>
#include <gmock/gmock.h>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace pollard::test {

namespace {

using pollard::testing::Random;
using ::testing::HasSubstr;
using Range = MappingChoice::Range;

/// Levels of voxels and whether they have data.
struct Voxels {
    Extent extent;
    std::vector<std::uint16_t> levels;
    std::vector<bool> valid;

    bool operator==(const Voxels&) const = default;
};

class VolumeParts : public ::testing::Test {
protected:
    const TempDir dir;

    static Voxels voxelsOf(const Image& image, const Mask* valid) {
        Voxels voxels{image.extent(), levelsOf(image), {}};
        for (std::size_t i = 0; i < image.pixelCount(); ++i) {
            voxels.valid.push_back(valid == nullptr || valid->test(static_cast<std::uint32_t>(i % image.width()),
                                                                   static_cast<std::uint32_t>(i / image.width())));
        }
        return voxels;
    }
    static Voxels voxelsOf(const LoadedImage& loaded) {
        const Voxels voxels = voxelsOf(*loaded.image, loaded.valid.get());
        EXPECT_EQ(loaded.info.invalidPixels, static_cast<std::uint64_t>(std::ranges::count(voxels.valid, false)));
        EXPECT_EQ(loaded.valid != nullptr, loaded.info.invalidPixels > 0);
        return voxels;
    }

    static Voxels cut(const Voxels& whole, const PixelRegion& region, const SliceRange& slices) {
        Voxels part{{region.width, region.height, slices.count}, {}, {}};
        for (std::size_t z = slices.first; z < slices.first + slices.count; ++z) {
            for (std::size_t y = region.y; y < region.y + region.height; ++y) {
                for (std::size_t x = region.x; x < region.x + region.width; ++x) {
                    const std::size_t i = (z * whole.extent.height + y) * whole.extent.width + x;
                    part.levels.push_back(whole.levels[i]);
                    part.valid.push_back(whole.valid[i]);
                }
            }
        }
        return part;
    }

    static Voxels shrunk(const Voxels& whole, std::uint32_t side) {
        const auto blocks = [side](std::uint32_t voxels) { return (voxels + side - 1) / side; };
        const Extent& extent = whole.extent;
        Voxels small{{blocks(extent.width), blocks(extent.height), blocks(extent.slices)}, {}, {}};
        for (std::uint32_t block = 0; block < small.extent.pixelCount(); ++block) {
            const Voxel at = voxelAt(block, small.extent);
            std::vector<double> all;
            std::vector<double> withData;
            for (std::size_t i = 0; i < whole.levels.size(); ++i) {
                const Voxel voxel = voxelAt(static_cast<std::uint32_t>(i), extent);
                if (voxel.x / side == at.x && voxel.y / side == at.y && voxel.z / side == at.z) {
                    all.push_back(whole.levels[i]);
                    if (whole.valid[i]) {
                        withData.push_back(whole.levels[i]);
                    }
                }
            }
            const std::vector<double>& used = withData.empty() ? all : withData;
            double sum = 0;
            for (const double level : used) {
                sum += level;
            }
            small.levels.push_back(
                static_cast<std::uint16_t>(std::floor(sum / static_cast<double>(used.size()) + 0.5)));
            small.valid.push_back(!withData.empty());
        }
        return small;
    }

    static std::string failureOf(const std::filesystem::path& path, const ReadOptions& options) {
        try {
            (void)readVolume(path, options);
        } catch (const Error& error) {
            return error.what();
        }
        return {};
    }

    /// Files of the same 7 x 5 x 9 voxels in ways that are read differently.
    std::vector<std::filesystem::path> writeVolumes() const {
        const Extent extent{7, 5, 9};
        Random random(3);
        auto volume = std::make_shared<Image>(PixelType::u16, extent);
        std::vector<std::int16_t> integers;
        std::vector<float> reals;
        for (std::uint16_t& level : volume->pixels<std::uint16_t>()) {
            level = static_cast<std::uint16_t>(random());
            integers.push_back(static_cast<std::int16_t>(level));
            reals.push_back(static_cast<float>(level) / 7 - 3000);
        }
        writeTiff(dir / "v.tif", {*volume, {.scene = {.axes = {{'z', 9, {}}}}}});
        NiftiHeader header{.dim = {7, 5, 9}};
        header.datatype = 4;
        const std::string ofIntegers = header.bytes() + bytesOfNumbers<std::int16_t>(integers);
        header.datatype = 16;
        reals[40] = reals[41] = std::nanf("");
        const std::string ofReals = header.bytes() + bytesOfNumbers<float>(reals);
        writeBytes(dir / "i.nii", ofIntegers);
        writeBytes(dir / "i.nii.gz", deflated(ofIntegers, true));
        writeBytes(dir / "f.nii", ofReals);
        writeBytes(dir / "f.nii.gz", deflated(ofReals, true));
        return {dir / "v.tif", dir / "i.nii", dir / "i.nii.gz", dir / "f.nii", dir / "f.nii.gz"};
    }
};

TEST_F(VolumeParts, AreCutFromTheWhole) {
    Random random(11);
    for (const auto& file : writeVolumes()) {
        const Voxels whole = voxelsOf(readVolume(file));
        EXPECT_EQ(whole.extent, (Extent{7, 5, 9}));
        for (int round = 0; round < 40; ++round) {
            const auto draw = [&](std::uint32_t from, std::uint32_t to) { return from + random() % (to - from + 1); };
            PixelRegion region{draw(0, 6), draw(0, 4), 0, 0};
            region.width = draw(1, 7 - region.x);
            region.height = draw(1, 5 - region.y);
            SliceRange slices{draw(0, 7), 0};
            slices.count = draw(2, 9 - slices.first);
            ReadOptions options;
            options.page = static_cast<int>(draw(0, 8)); // any slice of the volume
            options.slices = slices;
            if (round % 4 == 0) {
                region = {0, 0, 7, 5};
            } else {
                options.region = region;
            }
            const LoadedImage part = readVolume(file, options);
            ASSERT_EQ(voxelsOf(part), cut(whole, region, slices)) << file << " " << round;
            EXPECT_EQ(part.info.page, static_cast<int>(slices.first)) << "facts are those of the first slice";
        }
        ReadOptions inPlane;
        inPlane.region = PixelRegion{2, 1, 4, 3};
        EXPECT_EQ(voxelsOf(readVolume(file, inPlane)), cut(whole, *inPlane.region, {0, 9})) << file;
    }
}

TEST_F(VolumeParts, OfATimeAndOfFiles) {
    NiftiHeader header{.dim = {4, 3, 5, 2}};
    const std::string bytes = header.bytes() + bytesOfNumbers<std::uint8_t>(smallVoxels<std::uint8_t>(120, 0, 1));
    writeBytes(dir / "t.nii.gz", deflated(bytes, true));
    ReadOptions options;
    options.page = 7; // of the second time
    options.slices = SliceRange{1, 3};
    options.region = PixelRegion{1, 2, 2, 1};
    const LoadedImage part = readVolume(dir / "t.nii.gz", options);
    EXPECT_EQ(levelsOf(*part.image), (std::vector<std::uint16_t>{81, 82, 93, 94, 105, 106}));
    EXPECT_EQ(part.info.page, 6);

    std::vector<std::filesystem::path> files;
    for (int i = 0; i < 5; ++i) {
        Image image(PixelType::u8, 2, 1);
        image.pixels<std::uint8_t>()[0] = static_cast<std::uint8_t>(i);
        image.pixels<std::uint8_t>()[1] = static_cast<std::uint8_t>(10 * i);
        files.push_back(dir / ("s" + std::to_string(i) + ".tif"));
        writeTiff(files.back(), image);
    }
    options = {};
    options.slices = SliceRange{2, 2};
    EXPECT_EQ(levelsOf(*readVolume(files, options).image), (std::vector<std::uint16_t>{2, 20, 3, 30}));
    options.slices = SliceRange{4, 2};
    EXPECT_THROW((void)readVolume(files, options), Error);
    options = {};
    options.shrink = 0;
    EXPECT_THROW((void)readVolume(files, options), Error);
}

TEST_F(VolumeParts, BeyondTheVolumeAreRefused) {
    (void)writeVolumes();
    for (const char* const name : {"v.tif", "i.nii.gz"}) {
        ReadOptions options;
        for (const SliceRange slices : {SliceRange{9, 1}, SliceRange{8, 2}, SliceRange{0, 10}, SliceRange{0, 0},
                                        SliceRange{4'294'967'295U, 4'294'967'295U}}) {
            options.slices = slices;
            EXPECT_THAT(failureOf(dir / name, options), HasSubstr("lie within the 9 slices of the volume"));
        }
        options.slices = SliceRange{3, 1};
        EXPECT_THAT(failureOf(dir / name, options), HasSubstr("one slice is a page and no volume"));
        options.slices = SliceRange{3, 4};
        options.shrink = 4;
        EXPECT_THAT(failureOf(dir / name, options), HasSubstr("shrinking by 4 leaves one of 4 slices"));
        options = {};
        options.region = PixelRegion{5, 0, 3, 2};
        EXPECT_THAT(failureOf(dir / name, options), HasSubstr("must hold a pixel and lie within the 7 x 5 px"));
        options = {};
        options.shrink = 0;
        EXPECT_THAT(failureOf(dir / name, options), HasSubstr("must be at least 1"));
    }
}

TEST_F(VolumeParts, ShrunkAreMeansOfBlocks) {
    for (const auto& file : writeVolumes()) {
        ReadOptions plain;
        plain.mapping.proportional = true; // as levels that are averaged
        const Voxels whole = voxelsOf(readVolume(file, plain));
        for (const int side : {2, 3, 4, 8}) {
            ReadOptions options;
            options.shrink = side;
            ASSERT_EQ(voxelsOf(readVolume(file, options)), shrunk(whole, static_cast<std::uint32_t>(side)))
                << file << " " << side;
            if (side < 8) {
                options.region = PixelRegion{1, 0, 5, 4};
                options.slices = SliceRange{2, 6};
                ASSERT_EQ(voxelsOf(readVolume(file, options)),
                          shrunk(cut(whole, *options.region, *options.slices), static_cast<std::uint32_t>(side)))
                    << file << " " << side;
            }
        }
    }
}

TEST_F(VolumeParts, AssembledOfAnySlices) {
    Random random(7);
    for (int round = 0; round < 300; ++round) {
        const auto draw = [&](std::uint32_t count) { return random() % count; };
        const Extent extent{1 + draw(11), 1 + draw(9), 1 + draw(10)};
        const std::uint32_t side = 1 + draw(5);
        const bool gaps = draw(3) != 0;
        const PixelType type = draw(2) == 0 ? PixelType::u8 : PixelType::u16;
        VolumeAssembly assembly(type, extent, side);
        Voxels whole{extent, {}, {}};
        for (std::uint32_t z = 0; z < extent.slices; ++z) {
            const auto slice = pollard::testing::makeImage(type, extent.width, extent.height,
                                                           [&](auto, auto) { return random() | 1U << 31U; });
            Mask valid(extent.width, extent.height, true);
            if (gaps && draw(2) == 0) {
                for (std::uint32_t i = 0; i < slice->pixelCount(); ++i) {
                    valid.set(i % extent.width, i / extent.width, draw(3) == 0);
                }
            }
            const bool hasMask = valid.count() < slice->pixelCount();
            assembly.add(z, *slice, hasMask ? &valid : nullptr, {});
            const Voxels one = voxelsOf(*slice, &valid);
            whole.levels.insert(whole.levels.end(), one.levels.begin(), one.levels.end());
            whole.valid.insert(whole.valid.end(), one.valid.begin(), one.valid.end());
        }
        ASSERT_EQ(voxelsOf(*assembly.volume(), assembly.valid().get()), shrunk(whole, side)) << round;
    }
    const Extent largest{9, 8, 8};
    VolumeAssembly white(PixelType::u16, largest, 8);
    for (std::uint32_t z = 0; z < 8; ++z) {
        white.add(z, *pollard::testing::makeImage(PixelType::u16, 9, 8, [](auto, auto) { return 65535; }), nullptr, {});
    }
    EXPECT_EQ(levelsOf(*white.volume()), (std::vector<std::uint16_t>{65535, 65535})) << "sums do not overflow";
}

TEST_F(VolumeParts, ShrunkHaveLargerVoxels) {
    Image volume(PixelType::u8, Extent{8, 8, 8});
    std::ranges::fill(volume.pixels<std::uint8_t>(), std::uint8_t{5});
    PixelSize size{0.5, 0.25, "µm", "OME-XML"};
    size.z = 2;
    writeTiff(dir / "s.tif", {volume, {.scene = {.pixelSize = size, .axes = {{'z', 8, {}}}}}});
    ReadOptions options;
    options.shrink = 4;
    const LoadedImage read = readVolume(dir / "s.tif", options);
    EXPECT_EQ(read.image->extent(), (Extent{2, 2, 2}));
    ASSERT_TRUE(read.info.pixelSize);
    EXPECT_EQ(read.info.pixelSize->x, 2);
    EXPECT_EQ(read.info.pixelSize->y, 1);
    EXPECT_EQ(read.info.pixelSize->z, 8);
    EXPECT_EQ(read.image->sides(), (VoxelSides{1, 0.5, 4}));
    options.limits.maxDecodedBytes = 64; // a page has that many
    EXPECT_EQ(readVolume(dir / "s.tif", options).image->pixelCount(), 8U) << "the memory is that of the result";
}

/// Raw volumes of 7 x 5 x 6 samples and one image of all their rows.
class VolumeRanges : public VolumeParts {
protected:
    static constexpr std::uint32_t kWidth = 7;
    static constexpr std::uint32_t kHeight = 5;
    static constexpr int kSlices = 6;
    static constexpr std::size_t kVoxels = std::size_t{kWidth} * kHeight * kSlices;

    static std::vector<MappingChoice> choices() {
        return {{Range::minMax, 0, 1},          {Range::percentile, 0.02, 0.9}, {Range::percentile, 0.3, 0.6},
                {Range::percentile, 0, 1},      {Range::percentile, 0.5, 0.51}, {Range::percentile, 0.99, 1},
                {Range::fixed, -20.25, 1000.75}};
    }

    static void expectSame(const LoadedImage& volume, const LoadedImage& rows, const std::string& what) {
        const Voxels one = voxelsOf(volume);
        const Voxels other = voxelsOf(rows);
        ASSERT_EQ(one.levels, other.levels) << what;
        ASSERT_EQ(one.valid, other.valid) << what;
        ASSERT_EQ(volume.info.mapping.has_value(), rows.info.mapping.has_value()) << what;
        if (volume.info.mapping) {
            EXPECT_EQ(volume.info.mapping->offset, rows.info.mapping->offset) << what;
            EXPECT_EQ(volume.info.mapping->step, rows.info.mapping->step) << what;
            EXPECT_EQ(volume.info.mapping->minimum, rows.info.mapping->minimum) << what;
            EXPECT_EQ(volume.info.mapping->maximum, rows.info.mapping->maximum) << what;
            EXPECT_EQ(volume.info.mapping->nan, rows.info.mapping->nan) << what;
            EXPECT_EQ(volume.info.mapping->infinite, rows.info.mapping->infinite) << what;
            EXPECT_EQ(volume.info.mapping->clipped, rows.info.mapping->clipped) << what;
            EXPECT_EQ(volume.info.mapping->exact, rows.info.mapping->exact) << what;
        }
    }

    template <class T> void check(RawLayout::SampleType type, const std::vector<T>& values, const std::string& what) {
        writeBytes(dir / "v.raw", bytesOfNumbers<T>(values));
        std::vector<MappingChoice> all = choices();
        if (!std::is_integral_v<T> || sizeof(T) <= 2) {
            all.push_back({});
        }
        for (const MappingChoice& choice : all) {
            ReadOptions options;
            options.mapping = choice;
            options.raw = RawLayout{kWidth, kHeight, type, false, 1, 0, kSlices};
            const LoadedImage volume = readVolume(dir / "v.raw", options);
            ASSERT_EQ(volume.image->extent(), (Extent{kWidth, kHeight, kSlices}));
            options.raw = RawLayout{kWidth, kHeight * kSlices, type, false, 1, 0, 1};
            expectSame(volume, readImage(dir / "v.raw", options),
                       what + ", range " + std::to_string(static_cast<int>(choice.range)) + " from " +
                           std::to_string(choice.low));
        }
    }

    /// Random values of a type; of a few or of many.
    template <class T> static std::vector<T> randomValues(Random& random, std::uint32_t different) {
        std::vector<T> values(kVoxels);
        for (T& value : values) {
            const std::uint32_t number = random() % different * 2654435761U;
            if constexpr (std::is_floating_point_v<T>) {
                value = static_cast<T>(number) / 1000;
            } else {
                value = static_cast<T>(number);
            }
        }
        return values;
    }
};

TEST_F(VolumeRanges, AreThoseOfAllRows) {
    using enum RawLayout::SampleType;
    Random random(5);
    for (const std::uint32_t different : {1U, 3U, 100000U}) {
        const std::string what = std::to_string(different) + " values";
        check(u8, randomValues<std::uint8_t>(random, different), "u8, " + what);
        check(i8, randomValues<std::int8_t>(random, different), "i8, " + what);
        check(u16, randomValues<std::uint16_t>(random, different), "u16, " + what);
        check(i16, randomValues<std::int16_t>(random, different), "i16, " + what);
        check(u32, randomValues<std::uint32_t>(random, different), "u32, " + what);
        check(i32, randomValues<std::int32_t>(random, different), "i32, " + what);
        check(f32, randomValues<float>(random, different), "f32, " + what);
        check(f64, randomValues<double>(random, different), "f64, " + what);
    }
}

TEST_F(VolumeRanges, LeaveOutWhatIsNoNumber) {
    Random random(9);
    constexpr std::size_t kSlice = std::size_t{kWidth} * kHeight;
    const auto withGaps = [&]<class T>(T) {
        std::vector<T> values = randomValues<T>(random, 1000);
        std::fill_n(values.begin(), kSlice, std::numeric_limits<T>::quiet_NaN()); // the first slice
        std::fill_n(values.begin() + 3 * kSlice, kSlice, std::numeric_limits<T>::infinity());
        values[2 * kSlice + 3] = -std::numeric_limits<T>::infinity();
        for (std::size_t i = 0; i < values.size(); i += 11) {
            values[i] = std::numeric_limits<T>::quiet_NaN();
        }
        return values;
    };
    check(RawLayout::SampleType::f32, withGaps(float{}), "f32 with gaps");
    check(RawLayout::SampleType::f64, withGaps(double{}), "f64 with gaps");
    check(RawLayout::SampleType::f32, std::vector<float>(kVoxels, std::nanf("")), "no number");
    std::vector<float> one(kVoxels, std::nanf(""));
    one[4 * kSlice] = 7.5F;
    check(RawLayout::SampleType::f32, one, "one number");
}

TEST_F(VolumeRanges, OfVoxelFilesAreThoseOfAllRows) {
    Random random(13);
    const auto checkFile = [&]<class T>(T, int datatype, double slope, std::uint32_t different) {
        NiftiHeader header{.dim = {kWidth, kHeight, kSlices}};
        header.datatype = datatype;
        header.slope = slope;
        header.inter = slope == 0 ? 0 : 12.5;
        NiftiHeader tall = header;
        tall.dim = {kWidth, kHeight * kSlices};
        const std::string samples = bytesOfNumbers<T>(randomValues<T>(random, different));
        writeBytes(dir / "v.nii", header.bytes() + samples);
        writeBytes(dir / "v.nii.gz", deflated(header.bytes() + samples, true));
        writeBytes(dir / "tall.nii", tall.bytes() + samples);
        for (const MappingChoice& choice : choices()) {
            ReadOptions options;
            options.mapping = choice;
            const LoadedImage rows = readImage(dir / "tall.nii", options);
            for (const char* const name : {"v.nii", "v.nii.gz"}) {
                expectSame(readVolume(dir / name, options), rows,
                           std::string(name) + " of type " + std::to_string(datatype) + ", slope " +
                               std::to_string(slope) + ", " + std::to_string(different) + " values, range " +
                               std::to_string(static_cast<int>(choice.range)) + " from " + std::to_string(choice.low));
            }
        }
    };
    for (const std::uint32_t different : {2U, 3U, 1000U}) {
        for (const double slope : {0.0, 2.0, -0.5}) {
            checkFile(std::uint8_t{}, 2, slope, different);
            checkFile(std::int16_t{}, 4, slope, different);
            checkFile(std::int32_t{}, 8, slope, different);
            checkFile(float{}, 16, slope, different);
        }
    }
}

TEST_F(VolumeRanges, OfPartsAreThoseOfThePart) {
    std::vector<float> values(kVoxels);
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = static_cast<float>(i);
    }
    writeBytes(dir / "p.raw", bytesOfNumbers<float>(values));
    ReadOptions options;
    options.raw = RawLayout{kWidth, kHeight, RawLayout::SampleType::f32, false, 1, 0, kSlices};
    options.slices = SliceRange{2, 3};
    options.region = PixelRegion{1, 2, 3, 2};
    const LoadedImage part = readVolume(dir / "p.raw", options);
    EXPECT_EQ(part.info.mapping->minimum, 2 * 35 + 2 * 7 + 1);
    EXPECT_EQ(part.info.mapping->maximum, 4 * 35 + 3 * 7 + 3);
    EXPECT_EQ(part.info.mapping->offset, part.info.mapping->minimum);
    options.mapping = {Range::percentile, 0.5, 1};
    EXPECT_EQ(readVolume(dir / "p.raw", options).info.mapping->offset, 3 * 35 + 3 * 7 + 1)
        << "rank 9 of 18 values: the fourth voxel of the second slice";
}

} // namespace

} // namespace pollard::test
