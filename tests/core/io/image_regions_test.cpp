#include "core/io/io_jp2_variants.hpp"
#include "core/io/io_support.hpp"
#include "core/io/io_tiff_variants.hpp"
#include "core/io/io_volume_files.hpp"

#include "io/region_source.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <gmock/gmock.h>
#include <limits>
#include <random>
#include <sys/stat.h>

namespace pollard::test {

namespace {

using ::testing::HasSubstr;

/// Levels and validity of an image put together from regions.
struct Glued {
    std::vector<std::uint16_t> levels;
    std::vector<bool> valid;
    std::uint64_t invalid = 0;
};

Glued reference(const LoadedImage& whole) {
    Glued all{levelsOf(*whole.image), std::vector<bool>(whole.image->pixelCount(), true), whole.info.invalidPixels};
    for (std::size_t i = 0; whole.valid && i < all.valid.size(); ++i) {
        all.valid[i] = whole.valid->test(static_cast<std::uint32_t>(i % whole.image->width()),
                                         static_cast<std::uint32_t>(i / whole.image->width()));
    }
    return all;
}

/// Reads regions of random sizes that cover the image, in rows of different heights.
Glued glue(RegionSource& image, std::mt19937& random, std::uint32_t most) {
    const auto [width, height, slices] = image.extent();
    Glued all{std::vector<std::uint16_t>(std::size_t{width} * height), {}, 0};
    all.valid.resize(all.levels.size(), true);
    for (std::uint32_t y = 0; y < height;) {
        const std::uint32_t rows = std::min(static_cast<std::uint32_t>(1 + random() % most), height - y);
        for (std::uint32_t x = 0; x < width;) {
            const std::uint32_t columns = std::min(static_cast<std::uint32_t>(1 + random() % most), width - x);
            const LoadedImage part = image.read({x, y, columns, rows});
            EXPECT_EQ(part.image->type(), image.type());
            EXPECT_EQ(part.image->width(), columns);
            EXPECT_EQ(part.image->height(), rows);
            EXPECT_EQ(part.valid == nullptr, part.info.invalidPixels == 0);
            all.invalid += part.info.invalidPixels;
            for (std::uint32_t j = 0; j < rows; ++j) {
                for (std::uint32_t i = 0; i < columns; ++i) {
                    const std::size_t at = (std::size_t{y} + j) * width + x + i;
                    all.levels[at] = part.image->level(std::size_t{j} * columns + i);
                    all.valid[at] = !part.valid || part.valid->test(i, j);
                }
            }
            x += columns;
        }
        y += rows;
    }
    return all;
}

void expectValidLevels(const RegionSource& image, const Glued& whole) {
    if (whole.invalid == 0) {
        EXPECT_FALSE(image.validLevels());
        return;
    }
    ASSERT_TRUE(image.validLevels());
    ValidLevels expected{whole.invalid, true, 0xffff, 0};
    for (std::size_t i = 0; i < whole.levels.size(); ++i) {
        if (whole.valid[i]) {
            expected.none = false;
            expected.smallest = std::min(expected.smallest, whole.levels[i]);
            expected.largest = std::max(expected.largest, whole.levels[i]);
        }
    }
    if (expected.none) {
        expected.smallest = 0;
    }
    EXPECT_EQ(*image.validLevels(), expected)
        << image.validLevels()->smallest << " to " << image.validLevels()->largest << ", "
        << image.validLevels()->invalid << " invalid, expected " << expected.smallest << " to " << expected.largest
        << ", " << expected.invalid;
}

/// Compares regions of at most these sides with the whole that readImage() reads. @returns the number of passes
int expectWhole(const std::filesystem::path& path, const ReadOptions& options = {}, std::uint32_t seed = 1,
                std::initializer_list<std::uint32_t> sides = {7, 40, 1000}) {
    const LoadedImage loaded = readImage(path, options);
    const Glued whole = reference(loaded);
    const auto image = openRegions(path, options);
    image->prepare();
    EXPECT_EQ(image->extent().width, loaded.image->width());
    EXPECT_EQ(image->extent().height, loaded.image->height());
    EXPECT_EQ(image->type(), loaded.image->type());
    std::mt19937 random(seed);
    for (const std::uint32_t most : sides) {
        const Glued glued = glue(*image, random, most);
        EXPECT_EQ(glued.levels, whole.levels);
        EXPECT_EQ(glued.valid, whole.valid);
        EXPECT_EQ(glued.invalid, whole.invalid);
    }
    const LoadedImage corner = image->read({image->extent().width - 1, image->extent().height - 1, 1, 1});
    EXPECT_EQ(corner.info.mapping.has_value(), loaded.info.mapping.has_value());
    if (corner.info.mapping && loaded.info.mapping) {
        EXPECT_EQ(corner.info.mapping->offset, loaded.info.mapping->offset);
        EXPECT_EQ(corner.info.mapping->step, loaded.info.mapping->step);
        if (image->passes() > 0) {
            EXPECT_EQ(corner.info.mapping, loaded.info.mapping);
            EXPECT_EQ(image->info().mapping, loaded.info.mapping);
        }
    }
    if (image->passes() > 0) {
        EXPECT_EQ(image->info().invalidPixels, whole.invalid);
    } else {
        EXPECT_EQ(whole.invalid, 0U);
    }
    expectValidLevels(*image, whole);

    const auto told = openRegions(path, options); // makes no pass
    told->prepareBy(image->facts());
    EXPECT_EQ(told->facts(), image->facts());
    const Glued glued = glue(*told, random, 40);
    EXPECT_EQ(glued.levels, whole.levels);
    EXPECT_EQ(glued.valid, whole.valid);
    EXPECT_EQ(told->info().mapping, image->info().mapping);
    EXPECT_EQ(told->info().invalidPixels, image->info().invalidPixels);
    expectValidLevels(*told, whole);
    return image->passes();
}

template <class T> std::string bytesOfValues(const std::vector<T>& values) {
    return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

template <class T> std::vector<T> randomValues(std::size_t count, double low, double high) {
    std::mt19937 random(5);
    std::uniform_real_distribution<> range(low, high);
    std::vector<T> values(count);
    std::generate(values.begin(), values.end(), [&] { return static_cast<T>(range(random)); });
    return values;
}

template <class T> constexpr std::uint16_t kFormat = std::is_floating_point_v<T> ? SAMPLEFORMAT_IEEEFP
                                                     : std::is_signed_v<T>       ? SAMPLEFORMAT_INT
                                                                                 : SAMPLEFORMAT_UINT;

TEST(ImageRegions, OfStoredLevelsAreTheWhole) {
    const TempDir dir;
    for (const int bits : {1, 4, 8, 12, 16}) {
        for (const std::uint32_t tile : {0U, 16U}) {
            for (const std::uint16_t compression :
                 std::initializer_list<std::uint16_t>{COMPRESSION_NONE, COMPRESSION_LZW, COMPRESSION_ADOBE_DEFLATE}) {
                TiffVariant v{.width = 75, .height = 53, .bits = bits, .compression = compression, .tile = tile};
                v.photometric = bits == 4 ? PHOTOMETRIC_MINISWHITE : PHOTOMETRIC_MINISBLACK;
                v.bigTiff = bits == 8;
                SCOPED_TRACE(v.describe());
                writeVariant(dir / "levels.tif", v, {testSamples(v.sampleCount(), bits)});
                EXPECT_EQ(expectWhole(dir / "levels.tif"), 0);
            }
        }
    }
}

TEST(ImageRegions, OfColoursAlphaAndPalettesAreTheWhole) {
    const TempDir dir;
    for (const bool separate : {false, true}) {
        TiffVariant v{.width = 75, .height = 53, .samples = 4, .separate = separate, .tile = 32};
        v.photometric = PHOTOMETRIC_RGB;
        v.extraSamples = {EXTRASAMPLE_UNASSALPHA};
        auto samples = testSamples(v.sampleCount(), 8);
        for (std::size_t i = 3; i < samples.size(); i += 4 + 4 * (i % 7)) {
            samples[i] = 0;
        }
        writeVariant(dir / "alpha.tif", v, {samples});
        EXPECT_EQ(expectWhole(dir / "alpha.tif"), 1);
        EXPECT_EQ(expectWhole(dir / "alpha.tif", withChannel(1)), 1);
        std::fill(samples.begin(), samples.end(), std::uint16_t{0});
        writeVariant(dir / "transparent.tif", v, {samples});
        EXPECT_EQ(expectWhole(dir / "transparent.tif"), 1);
    }
    for (const bool deep : {false, true}) {
        TiffVariant v{.width = 40, .height = 31, .bits = 4, .photometric = PHOTOMETRIC_PALETTE, .tile = 16};
        for (std::uint16_t i = 0; i < 48; ++i) {
            v.palette.push_back(static_cast<std::uint16_t>(deep ? 1000 + i * 1111 : i * 5 * 257));
        }
        writeVariant(dir / "palette.tif", v, {testSamples(v.sampleCount(), 4)});
        EXPECT_EQ(expectWhole(dir / "palette.tif"), 0);
        EXPECT_EQ(openRegions(dir / "palette.tif")->type(), deep ? PixelType::u16 : PixelType::u8);
    }
}

TEST(ImageRegions, OfImagesWithNoDataAndOmittedBlocksAreTheWhole) {
    const TempDir dir;
    for (const std::uint32_t tile : {0U, 16U}) {
        TiffVariant v{.width = 70, .height = 45, .compression = COMPRESSION_LZW, .tile = tile};
        v.skipped = {1, 3};
        writeVariant(dir / "omitted.tif", v, {testSamples(v.sampleCount(), 8)});
        EXPECT_EQ(expectWhole(dir / "omitted.tif"), 0);
        v.noData = "17";
        auto samples = testSamples(v.sampleCount(), 8);
        std::replace_if(
            samples.begin(), samples.end(), [](std::uint16_t s) { return s < 40; }, std::uint16_t{17});
        writeVariant(dir / "no-data.tif", v, {samples});
        EXPECT_EQ(expectWhole(dir / "no-data.tif"), 1);
    }
}

TEST(ImageRegions, OfMaskedPagesAreTheWhole) {
    const TempDir dir;
    const TiffVariant page{.width = 70, .height = 45, .tile = 16};
    TiffVariant mask{.width = 70, .height = 45, .bits = 8, .photometric = PHOTOMETRIC_MASK, .tile = 32};
    mask.subfileType = FILETYPE_MASK;
    std::string inside(mask.sampleCount(), '\1');
    for (std::size_t i = 0; i < inside.size(); i += 1 + i % 11) {
        inside[i] = '\0';
    }
    std::string pixels(page.sampleCount(), '\0');
    std::mt19937 random(2);
    std::generate(pixels.begin(), pixels.end(), [&] { return static_cast<char>(random()); });
    TIFF* tiff = TIFFOpen((dir / "masked.tif").c_str(), "w");
    writePage(tiff, page, pixels);
    writePage(tiff, mask, inside);
    TIFFClose(tiff);
    ASSERT_NE(readImage(dir / "masked.tif").valid, nullptr);
    EXPECT_EQ(expectWhole(dir / "masked.tif"), 1);
}

TEST(ImageRegions, OfTurnedPagesAreTheWholeAndKnowTheirGrid) {
    const TempDir dir;
    for (std::uint16_t orientation = 1; orientation <= 8; ++orientation) {
        SCOPED_TRACE(orientation);
        TiffVariant v{.width = 75, .height = 53, .samples = 2, .tile = 32, .extraSamples = {EXTRASAMPLE_UNASSALPHA}};
        v.orientation = orientation;
        writeVariant(dir / "turned.tif", v, {testSamples(v.sampleCount(), 8)});
        expectWhole(dir / "turned.tif", {}, orientation);
        const bool swaps = orientation >= 5;
        const bool columns = orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8;
        const bool rows = orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7;
        const std::uint32_t left = columns ? 96 - 75 : 0;
        const std::uint32_t top = rows ? 64 - 53 : 0;
        EXPECT_EQ(openRegions(dir / "turned.tif")->blocks(),
                  (BlockGrid{32, 32, swaps ? top : left, swaps ? left : top}));
    }
}

template <class T> class ImageRegionsOfValues : public ::testing::Test {};
using Types = ::testing::Types<std::int8_t, std::int16_t, std::uint32_t, std::int32_t, std::uint64_t, std::int64_t,
                               float, double>;
TYPED_TEST_SUITE(ImageRegionsOfValues, Types);

/// Mapping choices that matter to values around 0 to 100.
std::vector<MappingChoice> choices() {
    using Range = MappingChoice::Range;
    return {{}, {Range::minMax, 0, 1}, {Range::percentile, 0.02, 0.9}, {Range::fixed, 10, 90.5}};
}

TYPED_TEST(ImageRegionsOfValues, AreMappedAsTheWhole) {
    const TempDir dir;
    constexpr bool kIsSigned = std::is_signed_v<TypeParam>;
    for (const bool wide : {false, true}) {
        for (const bool gaps : {false, true}) {
            TiffVariant v{.width = 61, .height = 47, .bits = 8 * sizeof(TypeParam), .tile = 16};
            v.sampleFormat = kFormat<TypeParam>;
            const double high = wide && sizeof(TypeParam) > 2 ? 1e9 : 100;
            auto values = randomValues<TypeParam>(v.sampleCount(), kIsSigned ? -high : 0, high);
            if (gaps) {
                v.noData = "42";
                std::fill_n(values.begin() + 300, 200, TypeParam{42});
                if constexpr (std::is_floating_point_v<TypeParam>) {
                    values[3] = std::numeric_limits<TypeParam>::quiet_NaN();
                    values[1000] = std::numeric_limits<TypeParam>::infinity();
                    values[2000] = -values[1000];
                    std::fill_n(values.begin() + 2100, 300, TypeParam{-0.0});
                }
            }
            writeBytesVariant(dir / "values.tif", v, bytesOfValues(values));
            for (const MappingChoice& choice : choices()) {
                SCOPED_TRACE(::testing::Message()
                             << "range " << static_cast<int>(choice.range) << ", wide " << wide << ", gaps " << gaps);
                ReadOptions options;
                options.mapping = choice;
                const int passes = expectWhole(dir / "values.tif", options);
                if (choice.range == MappingChoice::Range::percentile) {
                    EXPECT_EQ(passes, std::max<int>(1, sizeof(TypeParam) / 2));
                } else if (choice.range == MappingChoice::Range::fixed && !gaps && std::is_integral_v<TypeParam>) {
                    EXPECT_EQ(passes, 0);
                }
            }
        }
    }
}

TEST(ImageRegions, OfValuesWithoutAnyValidOneAreTheWhole) {
    const TempDir dir;
    TiffVariant v{.width = 40, .height = 33, .bits = 32, .tile = 16};
    v.sampleFormat = SAMPLEFORMAT_IEEEFP;
    for (const float value : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(), 7.5F}) {
        std::vector<float> values(v.sampleCount(), value);
        values[5] = std::numeric_limits<float>::quiet_NaN();
        writeBytesVariant(dir / "one.tif", v, bytesOfValues(values));
        for (const MappingChoice& choice : choices()) {
            ReadOptions options;
            options.mapping = choice;
            expectWhole(dir / "one.tif", options);
        }
    }
}

TEST(ImageRegions, OfComputedChannelsSamplesAndNamesAreTheWhole) {
    const TempDir dir;
    TiffVariant v{.width = 61, .height = 47, .samples = 3, .photometric = PHOTOMETRIC_RGB, .tile = 16};
    writeVariant(dir / "rgb.tif", v, {testSamples(v.sampleCount(), 8)});
    for (const char* channel : {"red", "2", "nd(0,1)", "stain(he,1)", "0-1", "max(0,1)"}) {
        SCOPED_TRACE(channel);
        ReadOptions options;
        try {
            options.channel = ChannelChoice::parse(channel);
        } catch (const Error&) {
            continue; // not an expression of this version
        }
        expectWhole(dir / "rgb.tif", options);
    }
    for (const char* channel : {"pca(1)", "macenko(1)"}) {
        ReadOptions options;
        options.channel = ChannelChoice::parse(channel);
        EXPECT_THROW((void)openRegions(dir / "rgb.tif", options), Error) << "they follow from all pixels";
    }
}

TEST(ImageRegions, OfLargeStripsAreDecodedInAnyOrder) {
    const TempDir dir;
    for (const bool separate : {false, true}) {
        TiffVariant v{.width = 2100, .height = 2100, .bits = 16, .samples = separate ? 3 : 1, .separate = separate};
        v.photometric = separate ? PHOTOMETRIC_RGB : PHOTOMETRIC_MINISBLACK;
        v.compression = COMPRESSION_LZW;
        v.rowsPerStrip = 2100;
        std::vector<std::uint16_t> samples(v.sampleCount());
        for (std::size_t i = 0; i < samples.size(); ++i) {
            samples[i] = static_cast<std::uint16_t>(i / 5 * 40503);
        }
        writeVariant(dir / "large.tif", v, {samples});
        const LoadedImage whole = readImage(dir / "large.tif");
        const auto image = openRegions(dir / "large.tif");
        EXPECT_EQ(image->blocks(), (BlockGrid{2100, 2100, 0, 0}));
        for (const std::uint32_t y : {0U, 100U, 201U, 50U, 50U, 1000U, 2099U, 7U}) {
            const LoadedImage part = image->read({11, y, 1500, std::min(100U, 2100 - y)});
            for (std::size_t i = 0; i < part.image->pixelCount(); ++i) {
                ASSERT_EQ(part.image->level(i), whole.image->level((y + i / 1500) * 2100 + 11 + i % 1500)) << y;
            }
        }
    }
}

TEST(ImageRegions, AreSoundAfterAFailureInTheSameStrip) {
    const TempDir dir;
    const auto samples = testSamples(std::size_t{2100} * 4200, 8);
    const std::string stream = deflated(std::string(samples.begin(), samples.end()), false);
    HandmadeTiff tiff{.width = 2100, .height = 4200, .compression = COMPRESSION_ADOBE_DEFLATE};
    tiff.strip = stream.substr(0, stream.size() / 2);
    writeBytes(dir / "strip.tif", tiff.bytes());
    const auto image = openRegions(dir / "strip.tif");
    for (const std::uint32_t y : {10U, 40U, 10U}) {
        const auto levels = levelsOf(*image->read({0, y, 2100, 20}).image);
        EXPECT_TRUE(std::equal(levels.begin(), levels.end(), samples.begin() + y * 2100)) << y;
        for (int again = 0; again < 2; ++again) {
            EXPECT_THROW((void)image->read({0, 4100, 2100, 20}), Error);
        }
    }
}

TEST(ImageRegions, OfAPartArePlacedInIt) {
    const TempDir dir;
    const TiffVariant v{.width = 90, .height = 70, .bits = 32, .sampleFormat = SAMPLEFORMAT_IEEEFP, .tile = 16};
    writeBytesVariant(dir / "part.tif", v, bytesOfValues(randomValues<float>(v.sampleCount(), -3, 3)));
    ReadOptions options;
    options.region = PixelRegion{21, 18, 50, 37};
    EXPECT_EQ(expectWhole(dir / "part.tif", options), 1);
    EXPECT_EQ(openRegions(dir / "part.tif", options)->blocks(), (BlockGrid{16, 16, 5, 2}));
}

TEST(ImageRegions, OfRawFilesAreTheWhole) {
    const TempDir dir;
    ReadOptions options;
    options.raw = RawLayout{.width = 51, .height = 40, .type = RawLayout::SampleType::f32, .samples = 2, .offset = 13};
    writeBytes(dir / "values.raw", std::string(13, 'x') + bytesOfValues(randomValues<float>(51 * 40 * 2, -9, 9)));
    options.channel = {ChannelChoice::Kind::sample, 1};
    for (const MappingChoice& choice : choices()) {
        options.mapping = choice;
        EXPECT_GE(expectWhole(dir / "values.raw", options), 1);
    }
    options.raw->type = RawLayout::SampleType::u16;
    EXPECT_EQ(expectWhole(dir / "values.raw", options), 0);
}

TEST(ImageRegions, OfOtherFormatsThatReadRegionsAreTheWhole) {
    const TempDir dir;
    const auto sample = [](int component, std::uint32_t x, std::uint32_t y) {
        return component == 1 ? static_cast<int>((x * y) % 5) : static_cast<int>((x * 31 + y * 17 + x * y) % 200);
    };
    writeJp2(dir / "grey.j2k", {.bits = 12, .codestream = true, .tile = 16, .offset = 5}, sample);
    EXPECT_EQ(expectWhole(dir / "grey.j2k", {}, 1, {30}), 1);
    writeJp2(dir / "signed.jp2", {.bits = 16, .isSigned = true, .tile = 16}, sample);
    ReadOptions options;
    options.mapping.range = MappingChoice::Range::minMax;
    EXPECT_EQ(expectWhole(dir / "signed.jp2", options, 1, {30}), 1);

    for (const double slope : {1.0, 0.5, -0.25}) {
        NiftiHeader header;
        header.dim = {51, 40, 2};
        header.datatype = 16; // float
        header.slope = slope;
        const auto values = randomValues<float>(51 * 40 * 2, -9, 9);
        writeBytes(dir / "volume.nii", header.bytes() + bytesOfValues(values));
        for (const MappingChoice& choice : choices()) {
            SCOPED_TRACE(::testing::Message() << "slope " << slope << ", range " << static_cast<int>(choice.range));
            options.mapping = choice;
            options.page = 1;
            EXPECT_EQ(expectWhole(dir / "volume.nii", options, 1, {30}), 1);
        }
    }
}

/// Makes a file of @p bytes bytes with @p places, elsewhere zeros that take no space. False if the file system cannot.
bool writeSparse(const std::filesystem::path& path, std::uint64_t bytes,
                 const std::vector<std::pair<std::uint64_t, std::string>>& places) {
    writeBytes(path, "");
    std::error_code error;
    std::filesystem::resize_file(path, bytes, error);
    std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
    for (const auto& [at, content] : places) {
        file.seekp(static_cast<std::streamoff>(at));
        file.write(content.data(), static_cast<std::streamsize>(content.size()));
    }
    file.close();
    struct stat status {};
    return !error && ::stat(path.c_str(), &status) == 0 && status.st_blocks < 200'000;
}

TEST(ImageRegions, OfARawFileBeyondFourGigapixelsAreFoundByTheirPlace) {
    const TempDir dir;
    constexpr std::uint64_t kSide = 70'000;
    if (!writeSparse(dir / "large.raw", kSide * kSide, {{kSide * kSide - 3, "abc"}, {kSide * 65'000 + 5, "xy"}})) {
        GTEST_SKIP() << "the file system has no holes for a file of 4.9 GB";
    }
    ReadOptions options;
    options.raw = RawLayout{.width = kSide, .height = kSide, .type = RawLayout::SampleType::u8};
    const auto image = openRegions(dir / "large.raw", options);
    EXPECT_EQ(image->passes(), 0);
    EXPECT_EQ(levelsOf(*image->read({kSide - 4, kSide - 1, 4, 1}).image),
              (std::vector<std::uint16_t>{0, 'a', 'b', 'c'}));
    EXPECT_EQ(levelsOf(*image->read({4, 64'999, 4, 2}).image),
              (std::vector<std::uint16_t>{0, 0, 0, 0, 0, 'x', 'y', 0}));
}

/// Entries of a little-endian BigTIFF of 8-bit grey tiles.
class BigTiff {
public:
    static constexpr std::uint64_t kTile = 512;

    BigTiff(std::uint64_t width, std::uint64_t height)
        : width_(width), height_(height), across_((width + kTile - 1) / kTile),
          tiles_(across_ * ((height + kTile - 1) / kTile)) {}

    [[nodiscard]] std::uint64_t tiles() const { return tiles_; }
    [[nodiscard]] std::uint64_t tileOf(std::uint64_t x, std::uint64_t y) const {
        return y / kTile * across_ + x / kTile;
    }

    /// Stores one tile; all others are omitted. @param bytes stated length
    bool write(const std::filesystem::path& path, std::uint64_t tile, const std::string& content,
               std::uint64_t bytes) const {
        const std::uint64_t data = kTables + 16 * tiles_;
        return writeSparse(path, data + content.size(),
                           {{0, head()},
                            {kTables + 8 * tile, number(data, 8)},
                            {kTables + 8 * (tiles_ + tile), number(bytes, 8)},
                            {data, content}});
    }

private:
    static constexpr std::uint64_t kEntries = 9;
    static constexpr std::uint64_t kTables = 16 + 8 + kEntries * 20 + 8;

    static std::string number(std::uint64_t value, int bytes) {
        std::string out;
        for (int i = 0; i < bytes; ++i) {
            out += static_cast<char>(value >> 8 * i & 0xff);
        }
        return out;
    }
    [[nodiscard]] std::string head() const {
        std::string out = "II" + number(43, 2) + number(8, 2) + number(0, 2) + number(16, 8) + number(kEntries, 8);
        const auto entry = [&](std::uint64_t tag, std::uint64_t type, std::uint64_t count, std::uint64_t value) {
            out += number(tag, 2) + number(type, 2) + number(count, 8) + number(value, 8);
        };
        entry(TIFFTAG_IMAGEWIDTH, TIFF_LONG, 1, width_);
        entry(TIFFTAG_IMAGELENGTH, TIFF_LONG, 1, height_);
        entry(TIFFTAG_BITSPERSAMPLE, TIFF_SHORT, 1, 8);
        entry(TIFFTAG_COMPRESSION, TIFF_SHORT, 1, COMPRESSION_NONE);
        entry(TIFFTAG_PHOTOMETRIC, TIFF_SHORT, 1, PHOTOMETRIC_MINISBLACK);
        entry(TIFFTAG_TILEWIDTH, TIFF_LONG, 1, kTile);
        entry(TIFFTAG_TILELENGTH, TIFF_LONG, 1, kTile);
        entry(TIFFTAG_TILEOFFSETS, TIFF_LONG8, tiles_, kTables);
        entry(TIFFTAG_TILEBYTECOUNTS, TIFF_LONG8, tiles_, kTables + 8 * tiles_);
        return out + number(0, 8);
    }

    std::uint64_t width_;
    std::uint64_t height_;
    std::uint64_t across_;
    std::uint64_t tiles_;
};

TEST(ImageRegions, OfAHundredGigapixelsAreReadAtFarCorners) {
    const TempDir dir;
    constexpr std::uint32_t kWidth = 1'000'000;
    constexpr std::uint32_t kHeight = 100'000;
    const BigTiff tiff(kWidth, kHeight);
    std::string content(BigTiff::kTile * BigTiff::kTile, '\x07');
    const std::uint64_t tile = tiff.tileOf(kWidth - 1, kHeight - 1);
    ASSERT_EQ(tile, tiff.tiles() - 1);
    const std::uint32_t left = (kWidth - 1) / 512 * 512;
    const std::uint32_t top = (kHeight - 1) / 512 * 512;
    content[(kHeight - 1 - top) * 512 + kWidth - 1 - left] = '\x2a';
    if (!tiff.write(dir / "huge.tif", tile, content, content.size())) {
        GTEST_SKIP() << "the file system has no holes";
    }
    EXPECT_EQ(readFailure(dir / "huge.tif"), ErrorCode::limitExceeded);
    const auto image = openRegions(dir / "huge.tif");
    EXPECT_EQ(image->extent().width, kWidth);
    EXPECT_EQ(image->extent().height, kHeight);
    EXPECT_EQ(image->passes(), 0);
    EXPECT_EQ(image->blocks(), (BlockGrid{512, 512, 0, 0}));
    EXPECT_EQ(levelsOf(*image->read({0, 0, 2, 2}).image), std::vector<std::uint16_t>(4, 0));
    EXPECT_EQ(levelsOf(*image->read({kWidth - 1, 0, 1, 3}).image), std::vector<std::uint16_t>(3, 0));
    EXPECT_EQ(levelsOf(*image->read({kWidth - 2, kHeight - 1, 2, 1}).image), (std::vector<std::uint16_t>{7, 0x2a}));
    EXPECT_EQ(levelsOf(*image->read({left - 1, top, 3, 1}).image), (std::vector<std::uint16_t>{0, 7, 7}));
    EXPECT_THROW((void)image->read({0, 0, kWidth, kHeight}), Error);
    // More than 256 MiB without any stored byte: omitted blocks are not compressed ones.
    EXPECT_EQ(image->read({5000, 5000, 16'400, 16'400}).image->level(0), 0);
}

TEST(ImageRegions, OfFilesThatHoldLessThanTheyClaimAreRefused) {
    const TempDir dir;
    const BigTiff tiff(200'000, 100'000);
    const std::string content(BigTiff::kTile * BigTiff::kTile, '\x07');
    const auto failure = [&](const std::string& name, const ReadOptions& options = {}) -> std::optional<ErrorCode> {
        try {
            const auto image = openRegions(dir / name, options);
            image->prepare();
            (void)image->read({0, 0, 1, 1});
            return std::nullopt;
        } catch (const Error& error) {
            EXPECT_THAT(error.what(), HasSubstr((dir / name).string()));
            return error.code();
        }
    };
    ASSERT_TRUE(tiff.write(dir / "sound.tif", 0, content, content.size()));
    EXPECT_EQ(failure("sound.tif"), std::nullopt);
    ASSERT_TRUE(tiff.write(dir / "long.tif", 9, content, content.size() + 1000));
    EXPECT_EQ(failure("long.tif"), ErrorCode::fileDamaged);
    ASSERT_TRUE(tiff.write(dir / "short.tif", 0, content.substr(0, 1000), 1000));
    EXPECT_EQ(failure("short.tif"), ErrorCode::fileDamaged);

    TiffVariant v{.width = 300, .height = 300, .compression = COMPRESSION_LZW, .tile = 64};
    writeVariant(dir / "whole.tif", v, {testSamples(v.sampleCount(), 8)});
    const std::string bytes = readBytes(dir / "whole.tif");
    for (const std::size_t part : {std::size_t{100}, bytes.size() / 2, bytes.size() - 1}) {
        writeBytes(dir / "cut.tif", bytes.substr(0, part));
        EXPECT_EQ(failure("cut.tif"), ErrorCode::fileDamaged) << part;
    }
    ReadOptions raw;
    raw.raw = RawLayout{.width = 1U << 31, .height = 1U << 31, .type = RawLayout::SampleType::u16};
    EXPECT_EQ(failure("whole.tif", raw), ErrorCode::invalidArgument);
}

TEST(ImageRegions, RefuseWhatTheyCannotRead) {
    const TempDir dir;
    const TiffVariant v{.width = 90, .height = 70, .bits = 32, .sampleFormat = SAMPLEFORMAT_IEEEFP, .tile = 16};
    writeBytesVariant(dir / "values.tif", v, bytesOfValues(randomValues<float>(v.sampleCount(), -3, 3)));
    const auto image = openRegions(dir / "values.tif");
    EXPECT_THROW((void)image->read({0, 0, 1, 1}), Error) << "before the passes";
    image->prepare();
    for (const PixelRegion& region : {PixelRegion{0, 0, 0, 1}, PixelRegion{90, 0, 1, 1}, PixelRegion{80, 60, 10, 11},
                                      PixelRegion{1, 1, 0xffff'ffffU, 1}}) {
        EXPECT_THROW((void)image->read(region), Error);
    }
    ReadOptions options;
    options.shrink = 2;
    EXPECT_THROW((void)openRegions(dir / "values.tif", options), Error);
    options.shrink = 1;
    options.limits.maxPixels = 300;
    const auto small = openRegions(dir / "values.tif", options);
    small->prepare();
    EXPECT_EQ(small->info().mapping, readImage(dir / "values.tif").info.mapping);
    EXPECT_THROW((void)small->read({0, 0, 31, 10}), Error);
    writeBytes(dir / "grey.pgm", "P5 2 2 255\nabcd");
    try {
        const auto pgm = openRegions(dir / "grey.pgm");
        ADD_FAILURE();
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::formatUnsupported);
        EXPECT_THAT(error.what(), HasSubstr("convert it to a tiled TIFF"));
    }
}

TEST(ImageRegions, CanBeCancelledAndPreparedAgain) {
    const TempDir dir;
    TiffVariant v{.width = 60, .height = 50, .bits = 32, .sampleFormat = SAMPLEFORMAT_IEEEFP, .tile = 16};
    writeBytesVariant(dir / "values.tif", v, bytesOfValues(randomValues<float>(v.sampleCount(), -3, 3)));
    ReadOptions options;
    options.mapping = {MappingChoice::Range::percentile, 0.1, 0.9};
    const auto image = openRegions(dir / "values.tif", options);
    std::stop_source stop;
    std::vector<double> fractions;
    EXPECT_THROW(image->prepare(JobControl(stop.get_token(), [&](double, std::string_view) { stop.request_stop(); })),
                 Cancelled);
    EXPECT_FALSE(image->isPrepared());
    image->prepare(JobControl({}, [&](double fraction, std::string_view) { fractions.push_back(fraction); }));
    EXPECT_TRUE(image->isPrepared());
    EXPECT_TRUE(std::is_sorted(fractions.begin(), fractions.end()));
    EXPECT_EQ(fractions.back(), 1.0);
    EXPECT_EQ(image->info().mapping, readImage(dir / "values.tif", options).info.mapping);
    EXPECT_THROW((void)image->read({0, 0, 1, 1}, JobControl(stop.get_token())), Cancelled);
}

TEST(ImageRegions, RefuseFactsOfOthers) {
    const TempDir dir;
    const auto write = [&]<class T>(const char* name, T) {
        TiffVariant v{.width = 6, .height = 5, .bits = 8 * sizeof(T)};
        v.sampleFormat = kFormat<T>;
        writeBytesVariant(dir / name, v, bytesOfValues(randomValues<T>(v.sampleCount(), 0, 99)));
        return dir / name;
    };
    const auto reals = openRegions(write("reals.tif", 1.0F));
    EXPECT_EQ(reals->facts(), "");
    for (const std::string facts : {"", "{}", "[1]", "{\"values\":{\"type\":77}}", "{\"values\":1}"}) {
        EXPECT_THROW(reals->prepareBy(facts), Error) << facts;
        EXPECT_FALSE(reals->isPrepared());
    }
    const auto wholes = openRegions(write("wholes.tif", std::uint32_t{1}));
    wholes->prepare();
    EXPECT_THROW(reals->prepareBy(wholes->facts()), Error);
}

TEST(ImageRegions, HaveTheIdentityOfFileAndOptions) {
    const TempDir dir;
    const TiffVariant v{.width = 60, .height = 50, .tile = 16};
    writeVariant(dir / "one.tif", v, {testSamples(v.sampleCount(), 8)});
    const std::uint64_t identity = openRegions(dir / "one.tif")->identity();
    EXPECT_EQ(openRegions(dir / "one.tif")->identity(), identity);
    ReadOptions options;
    options.threads = 3;
    EXPECT_EQ(openRegions(dir / "one.tif", options)->identity(), identity);
    options.region = PixelRegion{0, 0, 60, 49};
    EXPECT_NE(openRegions(dir / "one.tif", options)->identity(), identity);
    const auto time = std::filesystem::last_write_time(dir / "one.tif");
    std::filesystem::rename(dir / "one.tif", dir / "two.tif");
    EXPECT_EQ(openRegions(dir / "two.tif")->identity(), identity);
    std::filesystem::last_write_time(dir / "two.tif", time + std::chrono::seconds(1));
    EXPECT_NE(openRegions(dir / "two.tif")->identity(), identity);
}

} // namespace

} // namespace pollard::test
