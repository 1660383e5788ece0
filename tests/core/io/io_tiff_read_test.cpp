#include "core/io/io_support.hpp"
#include "core/io/io_tiff_variants.hpp"

#include "io/samples/row_sink.hpp"

#include <algorithm>
#include <gmock/gmock.h>

namespace pollard::test {

namespace {

using ::testing::ElementsAre;

/// Expected grey levels from one sample of each pixel.
std::vector<std::uint16_t> pick(const TiffVariant& v, const std::vector<std::uint16_t>& samples, int sample) {
    std::vector<std::uint16_t> levels;
    for (std::size_t i = static_cast<std::size_t>(sample); i < samples.size();
         i += static_cast<std::size_t>(v.samples)) {
        levels.push_back(samples[i]);
    }
    return levels;
}

std::vector<std::uint16_t> luminances(const TiffVariant& v, const std::vector<std::uint16_t>& samples) {
    std::vector<std::uint16_t> levels;
    for (std::size_t i = 0; i < samples.size(); i += static_cast<std::size_t>(v.samples)) {
        const double exact = 0.2126 * samples[i] + 0.7152 * samples[i + 1] + 0.0722 * samples[i + 2];
        levels.push_back(static_cast<std::uint16_t>(exact + 0.5));
    }
    return levels;
}

class TiffBits : public ::testing::TestWithParam<int> {
protected:
    /// Calls @p check with every combination of layout, byte order, compression and file kind.
    template <class Check> void forAllStorage(TiffVariant v, Check&& check) {
        for (const std::uint32_t tile : {0U, 16U}) {
            for (const bool bigEndian : {false, true}) {
                for (const bool bigTiff : {false, true}) {
                    for (const std::uint16_t compression : std::initializer_list<std::uint16_t>{
                             COMPRESSION_NONE, COMPRESSION_LZW, COMPRESSION_ADOBE_DEFLATE, COMPRESSION_PACKBITS}) {
                        const bool predicts =
                            compression == COMPRESSION_LZW || compression == COMPRESSION_ADOBE_DEFLATE;
                        const bool wholeBytes = v.bits == 8 || v.bits == 16;
                        for (int predictor = 1; predictor <= (predicts && wholeBytes ? 2 : 1); ++predictor) {
                            v.tile = tile;
                            v.bigEndian = bigEndian;
                            v.bigTiff = bigTiff;
                            v.compression = compression;
                            v.predictor = static_cast<std::uint16_t>(predictor);
                            SCOPED_TRACE(v.describe());
                            const auto samples = testSamples(v.sampleCount(), v.bits);
                            writeVariant(path_, v, {samples});
                            check(v, samples);
                            if (HasFatalFailure()) {
                                return;
                            }
                        }
                    }
                }
            }
        }
    }

    TempDir dir_;
    std::filesystem::path path_ = dir_ / "variant.tif";
};

TEST_P(TiffBits, GreyRoundTripsThroughEveryStorage) {
    TiffVariant variant;
    variant.bits = GetParam();
    forAllStorage(variant, [&](const TiffVariant& v, const std::vector<std::uint16_t>& samples) {
        const LoadedImage loaded = readImage(path_);
        ASSERT_EQ(loaded.image->type(), v.bits > 8 ? PixelType::u16 : PixelType::u8);
        ASSERT_EQ(loaded.image->width(), v.width);
        ASSERT_EQ(loaded.image->height(), v.height);
        ASSERT_EQ(levelsOf(*loaded.image), samples);
        EXPECT_EQ(loaded.info.bits, v.bits);
        EXPECT_EQ(loaded.info.format, v.bigTiff ? "BigTIFF" : "TIFF");
        EXPECT_TRUE(loaded.info.notes.empty());
    });
}

TEST_P(TiffBits, MinIsWhiteIsInvertedWithinTheBitDepth) {
    TiffVariant variant;
    variant.bits = GetParam();
    variant.photometric = PHOTOMETRIC_MINISWHITE;
    forAllStorage(variant, [&](const TiffVariant& v, std::vector<std::uint16_t> samples) {
        for (std::uint16_t& sample : samples) {
            sample = static_cast<std::uint16_t>((1 << v.bits) - 1 - sample);
        }
        ASSERT_EQ(levelsOf(*readImage(path_).image), samples);
    });
}

TEST_P(TiffBits, ColourAndAlphaGiveLuminanceOrTheChosenSample) {
    for (const bool separate : {false, true}) {
        for (const int samples : {3, 4}) {
            TiffVariant variant;
            variant.bits = GetParam();
            variant.samples = samples;
            variant.photometric = PHOTOMETRIC_RGB;
            variant.separate = separate;
            if (samples == 4) {
                variant.extraSamples = {EXTRASAMPLE_UNASSALPHA};
            }
            forAllStorage(variant, [&](const TiffVariant& v, const std::vector<std::uint16_t>& data) {
                const LoadedImage loaded = readImage(path_);
                ASSERT_EQ(levelsOf(*loaded.image), luminances(v, data));
                EXPECT_EQ(loaded.info.notes.size(), samples == 4 ? 2U : 1U);
                for (int sample = 0; sample < samples; ++sample) {
                    ASSERT_EQ(levelsOf(*readImage(path_, withChannel(sample)).image), pick(v, data, sample));
                }
                EXPECT_EQ(readFailure(path_, withChannel(samples)), ErrorCode::invalidArgument);
            });
        }
    }
}

TEST_P(TiffBits, AlphaOfGreyTellsWhereThereIsNoData) {
    for (const bool separate : {false, true}) {
        for (const std::uint16_t kind :
             std::initializer_list<std::uint16_t>{EXTRASAMPLE_ASSOCALPHA, EXTRASAMPLE_UNASSALPHA}) {
            TiffVariant variant;
            variant.bits = GetParam();
            variant.samples = 2;
            variant.separate = separate;
            variant.extraSamples = {kind};
            forAllStorage(variant, [&](const TiffVariant& v, const std::vector<std::uint16_t>& data) {
                const LoadedImage loaded = readImage(path_);
                ASSERT_EQ(levelsOf(*loaded.image), pick(v, data, 0));
                EXPECT_THAT(loaded.info.notes, ElementsAre("alpha: fully transparent pixels hold no data"));
                const auto alpha = pick(v, data, 1);
                ASSERT_EQ(levelsOf(*readImage(path_, withChannel(1)).image), alpha);
                EXPECT_EQ(readImage(path_, withChannel(1)).valid, nullptr);
                for (std::uint32_t i = 0; i < alpha.size(); ++i) {
                    ASSERT_EQ(!loaded.valid || loaded.valid->test(i % v.width, i / v.width), alpha[i] != 0) << i;
                }
                EXPECT_EQ(loaded.info.invalidPixels,
                          static_cast<std::uint64_t>(std::count(alpha.begin(), alpha.end(), 0)));
            });
        }
    }
}

TEST_P(TiffBits, FurtherSamplesWithoutAMeaningAreIgnoredWithANote) {
    TiffVariant v{.bits = GetParam(), .samples = 3, .extraSamples = {EXTRASAMPLE_UNSPECIFIED, EXTRASAMPLE_UNSPECIFIED}};
    const auto data = testSamples(v.sampleCount(), v.bits);
    writeVariant(path_, v, {data});
    const LoadedImage loaded = readImage(path_);
    EXPECT_EQ(levelsOf(*loaded.image), pick(v, data, 0));
    EXPECT_EQ(loaded.valid, nullptr);
    EXPECT_THAT(loaded.info.notes, ElementsAre("2 further samples are other channels"));
}

TEST_P(TiffBits, InfoSaysTheSameAsReading) {
    TiffVariant variant;
    variant.bits = GetParam();
    writeVariant(path_, variant, {testSamples(variant.sampleCount(), variant.bits)});
    const ImageInfo info = readImageInfo(path_);
    const ImageInfo read = readImage(path_).info;
    EXPECT_EQ(info.width, read.width);
    EXPECT_EQ(info.bits, read.bits);
    EXPECT_EQ(info.format, read.format);
    EXPECT_EQ(info.notes, read.notes);
    EXPECT_EQ(info.carried, read.carried);
}

INSTANTIATE_TEST_SUITE_P(AllDepths, TiffBits, ::testing::Range(1, 17));

/// Reads a 4-bit palette whose entry i is (i, 2i, 3i) * scale.
LoadedImage readPalette(const std::filesystem::path& path, int scale, int offset, const ReadOptions& options = {}) {
    TiffVariant v{.width = 16, .height = 1, .bits = 4, .photometric = PHOTOMETRIC_PALETTE};
    for (int c = 1; c <= 3; ++c) {
        for (int i = 0; i < 16; ++i) {
            v.palette.push_back(static_cast<std::uint16_t>(c * i * scale + offset));
        }
    }
    std::vector<std::uint16_t> indices(16);
    for (std::size_t i = 0; i < indices.size(); ++i) {
        indices[i] = static_cast<std::uint16_t>(15 - i);
    }
    writeVariant(path, v, {indices});
    return readImage(path, options);
}

TEST(TiffPalette, EightBitColoursGiveEightBitsHoweverTheyAreStored) {
    const TempDir dir;
    for (const int scale : {257, 256}) {
        const LoadedImage loaded = readPalette(dir / "p.tif", scale, 0);
        EXPECT_EQ(loaded.image->type(), PixelType::u8);
        for (std::uint32_t x = 0; x < 16; ++x) {
            const std::uint32_t i = 15 - x;
            EXPECT_EQ(loaded.image->level(x), luminanceOf(i, 2 * i, 3 * i));
        }
    }
    EXPECT_EQ(readPalette(dir / "p.tif", 257, 0, withChannel(1)).image->level(0), 30);
    EXPECT_EQ(readPalette(dir / "p.tif", 257, 0, withChannel(3)).image->level(0), 15) << "the index";
    EXPECT_EQ(readFailure(dir / "p.tif", withChannel(4)), ErrorCode::invalidArgument);
}

TEST(TiffPalette, SixteenBitColoursGiveSixteenBits) {
    const TempDir dir;
    const LoadedImage loaded = readPalette(dir / "p.tif", 1000, 1, withChannel(2));
    EXPECT_EQ(loaded.image->type(), PixelType::u16);
    EXPECT_EQ(loaded.image->level(0), 45001);
}

TEST(TiffReader, ReadsEachPageAndRefusesTheNext) {
    const TempDir dir;
    for (const bool bigTiff : {false, true}) {
        TiffVariant v;
        v.bigTiff = bigTiff;
        const std::vector<std::vector<std::uint16_t>> pages = {
            testSamples(v.sampleCount(), 8, 1), testSamples(v.sampleCount(), 8, 2), testSamples(v.sampleCount(), 8, 3)};
        writeVariant(dir / "pages.tif", v, pages);
        for (int page = 0; page < 3; ++page) {
            ReadOptions options;
            options.page = page;
            const LoadedImage loaded = readImage(dir / "pages.tif", options);
            EXPECT_EQ(levelsOf(*loaded.image), pages[static_cast<std::size_t>(page)]);
            EXPECT_EQ(loaded.info.pages, 3);
            EXPECT_EQ(loaded.info.page, page);
        }
        for (const int page : {3, -1}) {
            ReadOptions options;
            options.page = page;
            EXPECT_EQ(readFailure(dir / "pages.tif", options), ErrorCode::invalidArgument);
        }
    }
}

TEST(TiffReader, DecodesLargeStripsRowByRowToTheSamePixels) {
    const TempDir dir;
    for (const std::uint16_t compression :
         std::initializer_list<std::uint16_t>{COMPRESSION_ADOBE_DEFLATE, COMPRESSION_LZW, COMPRESSION_PACKBITS}) {
        TiffVariant v{.width = 3100, .height = 3000, .compression = compression, .rowsPerStrip = 3000};
        const auto samples = testSamples(v.sampleCount(), 8);
        writeVariant(dir / "large.tif", v, {samples});
        EXPECT_EQ(levelsOf(*readImage(dir / "large.tif").image), samples);
    }
}

TEST(TiffReader, ReadsOtherLosslessCodecsThatLibtiffHas) {
    const TempDir dir;
    for (const std::uint16_t compression : std::initializer_list<std::uint16_t>{
             COMPRESSION_CCITTRLE, COMPRESSION_CCITTFAX3, COMPRESSION_CCITTFAX4, COMPRESSION_ZSTD, COMPRESSION_LZMA}) {
        if (TIFFIsCODECConfigured(compression) == 0) {
            continue;
        }
        TiffVariant v{.width = 200, .bits = 1, .photometric = PHOTOMETRIC_MINISWHITE, .compression = compression};
        auto samples = testSamples(v.sampleCount(), 1);
        writeVariant(dir / "codec.tif", v, {samples});
        for (std::uint16_t& sample : samples) {
            sample ^= 1;
        }
        EXPECT_EQ(levelsOf(*readImage(dir / "codec.tif").image), samples) << v.describe();
    }
}

TEST(TiffReader, ReadsJpegCompressedYCbCrAsRgb) {
    const TempDir dir;
    TiffVariant v{.width = 64,
                  .height = 64,
                  .samples = 3,
                  .photometric = PHOTOMETRIC_YCBCR,
                  .compression = COMPRESSION_JPEG,
                  .rowsPerStrip = 16};
    std::vector<std::uint16_t> samples;
    for (std::size_t i = 0; i < 64 * 64; ++i) {
        samples.insert(samples.end(), {200, 100, 50});
    }
    writeVariant(dir / "jpeg.tif", v, {samples});
    for (const int sample : {0, 1, 2}) {
        const LoadedImage loaded = readImage(dir / "jpeg.tif", withChannel(sample));
        for (const std::uint16_t level : levelsOf(*loaded.image)) {
            ASSERT_NEAR(level, samples[static_cast<std::size_t>(sample)], 3);
        }
    }
}

TEST(TiffReader, ReportsProgressAndStops) {
    const TempDir dir;
    TiffVariant v{.width = 500, .height = 1000};
    writeVariant(dir / "long.tif", v, {testSamples(v.sampleCount(), 8)});
    std::vector<double> fractions;
    std::stop_source stop;
    (void)readImage(dir / "long.tif", {},
                    JobControl(stop.get_token(), [&](double f, std::string_view) { fractions.push_back(f); }));
    EXPECT_TRUE(std::is_sorted(fractions.begin(), fractions.end()));
    EXPECT_EQ(fractions.back(), 1.0);
    EXPECT_GT(fractions.size(), 10U);
    const JobControl stopping(stop.get_token(), [&](double f, std::string_view) {
        if (f > 0.5) {
            stop.request_stop();
        }
    });
    EXPECT_THROW((void)readImage(dir / "long.tif", {}, stopping), Cancelled);
}

} // namespace

} // namespace pollard::test
