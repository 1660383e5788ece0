#include "core/io/io_support.hpp"
#include "io/page_selection.hpp"
#include "recipe/results/result_file.hpp"
#include "recipe/results/result_tags.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fitsio.h>
#include <functional>
#include <gmock/gmock.h>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <zlib.h>

namespace pollard::test {

namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

constexpr long kWidth = 13;
constexpr long kHeight = 9;
constexpr long kPixels = kWidth * kHeight;

/// A FITS file written with cfitsio and closed by the destructor.
class FitsWriter {
public:
    explicit FitsWriter(const std::filesystem::path& path) {
        std::filesystem::remove(path);
        fits_create_diskfile(&file_, path.c_str(), &status_);
    }
    ~FitsWriter() {
        fits_close_file(file_, &status_);
        EXPECT_EQ(status_, 0);
    }
    FitsWriter(const FitsWriter&) = delete;
    FitsWriter& operator=(const FitsWriter&) = delete;

    void image(int type, std::vector<long> sides) {
        fits_create_img(file_, type, static_cast<int>(sides.size()), sides.data(), &status_);
    }
    template <class T> void pixels(int type, std::vector<T> values) {
        fits_write_img(file_, type, 1, static_cast<LONGLONG>(values.size()), values.data(), &status_);
    }
    template <class T> void key(int type, const char* name, T value) {
        fits_update_key(file_, type, name, &value, nullptr, &status_);
    }
    void text(const char* name, const char* value) {
        fits_update_key(file_, TSTRING, name, const_cast<char*>(value), nullptr, &status_);
    }
    [[nodiscard]] fitsfile* get() { return file_; }
    int* status() { return &status_; }

private:
    fitsfile* file_ = nullptr;
    int status_ = 0;
};

/// Values in display order: the last row of the file first.
template <class T> std::vector<T> upright(const std::vector<T>& stored, std::size_t plane = 0) {
    std::vector<T> rows;
    for (long y = kHeight; y-- > 0;) {
        const auto first = stored.begin() + static_cast<long>(plane) * kPixels + y * kWidth;
        rows.insert(rows.end(), first, first + kWidth);
    }
    return rows;
}

template <class T> std::vector<T> ramp(double start, double step) {
    std::vector<T> values;
    for (long i = 0; i < kPixels; ++i) {
        values.push_back(static_cast<T>(start + step * static_cast<double>(i)));
    }
    return values;
}

template <class T> void expectExact(int image, int type, const std::vector<T>& values, const char* format, int bits) {
    const TempDir dir;
    {
        FitsWriter writer(dir / "v.fits");
        writer.image(image, {kWidth, kHeight});
        writer.pixels(type, values);
    }
    const LoadedImage loaded = readImage(dir / "v.fits");
    EXPECT_EQ(loaded.info.sampleFormat, format);
    EXPECT_EQ(loaded.info.bits, bits);
    EXPECT_EQ(loaded.info.format, "FITS");
    const auto expected = upright(values);
    const ValueMapping mapping = loaded.info.mapping.value_or(ValueMapping{0, 1, true});
    EXPECT_TRUE(mapping.exact);
    for (std::size_t i = 0; i < expected.size(); ++i) {
        ASSERT_EQ(mapping.valueOf(loaded.image->level(i)), static_cast<double>(expected[i])) << i;
    }
}

TEST(Fits, ReadsIntegersExactlyAndTheLastRowFirst) {
    expectExact(BYTE_IMG, TBYTE, ramp<std::uint8_t>(0, 2), "unsigned", 8);
    expectExact(SBYTE_IMG, TSBYTE, ramp<std::int8_t>(-100, 1), "signed", 8);
    expectExact(SHORT_IMG, TSHORT, ramp<std::int16_t>(-32768, 500), "signed", 16);
    expectExact(USHORT_IMG, TUSHORT, ramp<std::uint16_t>(0, 560), "unsigned", 16);
    expectExact(LONG_IMG, TINT, ramp<std::int32_t>(-2000000000, 100), "signed", 32);
    expectExact(ULONG_IMG, TUINT, ramp<std::uint32_t>(4000000000.0, 100), "unsigned", 32);
    expectExact(LONGLONG_IMG, TLONGLONG, ramp<LONGLONG>(-9e15, 256), "signed", 64);
    expectExact(ULONGLONG_IMG, TULONGLONG, ramp<ULONGLONG>(9e15, 256), "unsigned", 64);
}

TEST(Fits, KeepsUnsignedWordsAsLevels) {
    const TempDir dir;
    const auto values = ramp<std::uint16_t>(0, 560);
    {
        FitsWriter writer(dir / "u.fits");
        writer.image(USHORT_IMG, {kWidth, kHeight});
        writer.pixels(TUSHORT, values);
    }
    const LoadedImage loaded = readImage(dir / "u.fits");
    EXPECT_FALSE(loaded.info.mapping);
    EXPECT_EQ(levelsOf(*loaded.image), upright(values));
}

TEST(Fits, MapsFloatsAndCountsWhatIsNoNumber) {
    const TempDir dir;
    auto values = ramp<float>(-3, 0.125);
    values[4] = std::numeric_limits<float>::quiet_NaN();
    values[5] = std::numeric_limits<float>::infinity();
    for (const bool wide : {false, true}) {
        {
            FitsWriter writer(dir / "f.fits");
            writer.image(wide ? DOUBLE_IMG : FLOAT_IMG, {kWidth, kHeight});
            writer.pixels(wide ? TFLOAT : TFLOAT, values);
        }
        const LoadedImage loaded = readImage(dir / "f.fits");
        ASSERT_TRUE(loaded.info.mapping && loaded.valid);
        EXPECT_EQ(loaded.info.mapping->nan, 1U);
        EXPECT_EQ(loaded.info.mapping->infinite, 1U);
        EXPECT_FALSE(loaded.valid->test(4, kHeight - 1));
        EXPECT_EQ(loaded.info.invalidPixels, 1U);
        const auto expected = upright(values);
        for (std::size_t i = 0; i < expected.size(); ++i) {
            if (std::isfinite(expected[i])) {
                EXPECT_NEAR(loaded.info.mapping->valueOf(loaded.image->level(i)), expected[i],
                            loaded.info.mapping->step * 0.51);
            }
        }
    }
}

TEST(Fits, AppliesScaleZeroAndBlank) {
    const TempDir dir;
    const auto stored = ramp<std::int16_t>(0, 3);
    {
        FitsWriter writer(dir / "s.fits");
        writer.image(SHORT_IMG, {kWidth, kHeight});
        writer.pixels(TSHORT, stored);
        writer.key(TDOUBLE, "BSCALE", 0.5);
        writer.key(TDOUBLE, "BZERO", 100.0);
        writer.key(TINT, "BLANK", 6);
    }
    const LoadedImage loaded = readImage(dir / "s.fits");
    ASSERT_TRUE(loaded.info.mapping && loaded.valid);
    EXPECT_EQ(loaded.info.invalidPixels, 1U);
    EXPECT_FALSE(loaded.valid->test(2, kHeight - 1));
    EXPECT_EQ(loaded.info.mapping->minimum, 100);
    EXPECT_EQ(loaded.info.mapping->maximum, 100 + 0.5 * 3 * (kPixels - 1));
    EXPECT_EQ(loaded.info.mapping->file.slope, 0.5);
    EXPECT_EQ(loaded.info.mapping->file.intercept, 100);
    EXPECT_TRUE(loaded.info.mapping->exact) << "integers";
    EXPECT_EQ(loaded.info.sampleFormat, "signed");
    EXPECT_EQ(loaded.info.bits, 16);

    {
        FitsWriter writer(dir / "b.fits");
        writer.image(BYTE_IMG, {kWidth, kHeight});
        writer.pixels(TBYTE, ramp<std::uint8_t>(0, 1));
        writer.key(TINT, "BLANK", 7);
    }
    const LoadedImage bytes = readImage(dir / "b.fits");
    ASSERT_TRUE(bytes.valid);
    EXPECT_FALSE(bytes.valid->test(7, kHeight - 1));
    EXPECT_EQ(bytes.info.invalidPixels, 1U);
    EXPECT_FALSE(bytes.info.mapping);
}

TEST(Fits, PlanesOfACubeArePagesAlongAxes) {
    const TempDir dir;
    std::vector<std::uint8_t> values;
    for (int i = 0; i < kPixels * 6; ++i) {
        values.push_back(static_cast<std::uint8_t>(i * 31 % 251));
    }
    {
        FitsWriter writer(dir / "c.fits");
        writer.image(BYTE_IMG, {kWidth, kHeight, 3, 2});
        writer.pixels(TBYTE, values);
    }
    ReadOptions options;
    for (int page = 0; page < 6; ++page) {
        options.page = page;
        const LoadedImage loaded = readImage(dir / "c.fits", options);
        const auto expected = upright(values, static_cast<std::size_t>(page));
        EXPECT_EQ(levelsOf(*loaded.image), std::vector<std::uint16_t>(expected.begin(), expected.end())) << page;
        EXPECT_EQ(loaded.info.pages, 6);
        EXPECT_THAT(loaded.info.axes, ElementsAre(StackAxis{'z', 3, {}}, StackAxis{'t', 2, {}}));
    }
    options.page = 6;
    EXPECT_EQ(readFailure(dir / "c.fits", options), ErrorCode::invalidArgument);
    {
        FitsWriter writer(dir / "t.fits");
        writer.image(BYTE_IMG, {kWidth, kHeight, 3});
        writer.text("CTYPE3", "TIME");
        writer.text("CUNIT3", "d");
        writer.key(TDOUBLE, "CDELT3", 0.5);
        writer.pixels(TBYTE, std::vector(values.begin(), values.begin() + values.size() / 2));
    }
    const ImageInfo times = readImageInfo(dir / "t.fits");
    ASSERT_THAT(times.axes, ElementsAre(StackAxis{'t', 3, {}}));
    EXPECT_EQ(distanceOn('t', 2, times), 86400.0);

    options.page = 4;
    options.region = PixelRegion{3, 2, 5, 4};
    const LoadedImage part = readImage(dir / "c.fits", options);
    const auto whole = upright(values, 4);
    for (std::uint32_t y = 0; y < 4; ++y) {
        for (std::uint32_t x = 0; x < 5; ++x) {
            EXPECT_EQ(part.image->level(y * 5 + x), whole[(y + 2) * kWidth + x + 3]);
        }
    }
}

TEST(Fits, UnitsAreNamedPagesAndAnEmptyFirstOneIsSkipped) {
    const TempDir dir;
    {
        FitsWriter writer(dir / "m.fits");
        writer.image(BYTE_IMG, {});
        writer.text("TELESCOP", "a mirror");
        writer.text("OBJECT", "M 31");
        writer.image(BYTE_IMG, {kWidth, kHeight});
        writer.text("EXTNAME", "SCI");
        writer.pixels(TBYTE, ramp<std::uint8_t>(0, 1));
        writer.image(FLOAT_IMG, {4, 2, 2});
        writer.pixels(TFLOAT, std::vector<float>(16, 1.5F));
        char name[] = "X";
        char form[] = "J";
        char* names[] = {name};
        char* forms[] = {form};
        fits_create_tbl(writer.get(), BINARY_TBL, 3, 1, names, forms, nullptr, nullptr, writer.status());
        writer.image(SHORT_IMG, {5, 5});
        writer.text("EXTNAME", "DQ");
        writer.text("OBJECT", "flags");
        writer.pixels(TSHORT, std::vector<std::int16_t>(25, -4));
    }
    ReadOptions options;
    const ImageInfo first = readImageInfo(dir / "m.fits", options);
    EXPECT_EQ(first.pages, 4);
    EXPECT_EQ(first.width, static_cast<std::uint32_t>(kWidth));
    EXPECT_THAT(first.axes, ElementsAre(StackAxis{'p', 4, {"SCI", "HDU 3 [1]", "HDU 3 [2]", "DQ"}}));
    EXPECT_THAT(first.facts, ElementsAre(Pair("HDU", "SCI"), Pair("Object", "M 31"), Pair("Telescope", "a mirror")));
    options.page = 3;
    const LoadedImage last = readImage(dir / "m.fits", options);
    EXPECT_EQ(last.info.width, 5U);
    EXPECT_EQ(last.info.mapping->minimum, -4);
    EXPECT_THAT(last.info.facts, Contains(Pair("Object", "flags")));
}

TEST(Fits, ReadsCompressedImages) {
    const TempDir dir;
    const auto values = ramp<std::uint16_t>(1000, 7);
    for (const int method : {RICE_1, GZIP_1, GZIP_2}) {
        SCOPED_TRACE(method);
        {
            FitsWriter writer(dir / "z.fits");
            fits_set_compression_type(writer.get(), method, writer.status());
            long tile[] = {6, 5};
            fits_set_tile_dim(writer.get(), 2, tile, writer.status());
            writer.image(USHORT_IMG, {kWidth, kHeight});
            writer.pixels(TUSHORT, values);
        }
        const LoadedImage loaded = readImage(dir / "z.fits");
        const ValueMapping mapping = loaded.info.mapping.value_or(ValueMapping{0, 1, true});
        const auto expected = upright(values);
        for (std::size_t i = 0; i < expected.size(); ++i) {
            ASSERT_EQ(mapping.valueOf(loaded.image->level(i)), expected[i]);
        }
        EXPECT_NE(loaded.info.compression, "none");
        EXPECT_NE(loaded.info.compression, "");
    }
}

TEST(Fits, RefusesCompressionsWhoseDecoderCannotBeTrusted) {
    const TempDir dir;
    {
        FitsWriter writer(dir / "h.fits");
        fits_set_compression_type(writer.get(), HCOMPRESS_1, writer.status());
        writer.image(SHORT_IMG, {kWidth, kHeight});
        writer.pixels(TSHORT, ramp<std::int16_t>(0, 5));
    }
    std::string message;
    EXPECT_EQ(readFailure(dir / "h.fits", {}, &message), ErrorCode::formatUnsupported);
    EXPECT_THAT(message, HasSubstr("HCOMPRESS_1"));
}

TEST(Fits, GivesTheAngleOfAPixel) {
    const TempDir dir;
    const auto size = [&](const std::function<void(FitsWriter&)>& addKeys) {
        {
            FitsWriter writer(dir / "w.fits");
            writer.image(BYTE_IMG, {2, 2});
            writer.pixels(TBYTE, std::vector<std::uint8_t>(4, 1));
            addKeys(writer);
        }
        return readImageInfo(dir / "w.fits").pixelSize;
    };
    const auto delta = size([](FitsWriter& writer) {
        writer.text("CTYPE1", "RA---TAN");
        writer.key(TDOUBLE, "CDELT1", -0.001);
        writer.key(TDOUBLE, "CDELT2", 0.002);
    });
    ASSERT_TRUE(delta);
    EXPECT_DOUBLE_EQ(delta->x, 3.6);
    EXPECT_DOUBLE_EQ(delta->y, 7.2);
    EXPECT_EQ(delta->unit, "arcsec");
    const auto matrix = size([](FitsWriter& writer) {
        writer.text("CTYPE1", "GLON-CAR");
        writer.key(TDOUBLE, "CD1_1", 3.0 / 3600);
        writer.key(TDOUBLE, "CD2_1", 4.0 / 3600);
        writer.key(TDOUBLE, "CD1_2", -4.0 / 3600);
        writer.key(TDOUBLE, "CD2_2", 3.0 / 3600);
    });
    ASSERT_TRUE(matrix);
    EXPECT_NEAR(matrix->x, 5, 1e-9);
    EXPECT_NEAR(matrix->y, 5, 1e-9);
    EXPECT_FALSE(size([](FitsWriter&) {}));
    EXPECT_FALSE(size([](FitsWriter& writer) { writer.key(TDOUBLE, "CDELT1", 1.0); }));
}

std::map<std::string, std::string> skyCardsIn(const std::filesystem::path& path) {
    std::map<std::string, std::string> cards;
    const LoadedImage loaded = readImage(path);
    if (loaded.info.sky) {
        for (const std::string& card : loaded.info.sky->cards) {
            cards[card.substr(0, card.find(' '))] = card;
        }
    }
    return cards;
}

TEST(Fits, ResultsHaveTheCoordinatesOfTheirSource) {
    const TempDir dir;
    {
        FitsWriter writer(dir / "s.fits");
        writer.image(USHORT_IMG, {kWidth, kHeight});
        writer.pixels(TUSHORT, ramp<std::uint16_t>(0, 5));
        writer.text("OBJECT", "M 51");
        writer.text("CTYPE1", "RA---TPV");
        writer.text("CTYPE2", "DEC--TPV");
        writer.key(TDOUBLE, "CRPIX1", 4.5);
        writer.key(TDOUBLE, "CRPIX2", 3.0);
        writer.key(TDOUBLE, "CRVAL1", 202.5);
        writer.key(TDOUBLE, "CRVAL2", 47.2);
        writer.key(TDOUBLE, "CD1_1", -0.001);
        writer.key(TDOUBLE, "CD2_2", 0.001);
        writer.key(TDOUBLE, "PV1_1", 1.01);
        writer.text("RADESYS", "ICRS");
    }
    const auto before = skyCardsIn(dir / "s.fits");
    EXPECT_EQ(before.size(), 10U);
    const auto written = [&](const ReadOptions& options) {
        const LoadedImage read = readImage(dir / "s.fits", options);
        writeResult(dir / "r.fits", resultPlane(*read.image, read, ResultValues::levels), {});
        return skyCardsIn(dir / "r.fits");
    };
    EXPECT_EQ(written({}), before);
    ReadOptions part;
    part.region = PixelRegion{2, 1, 8, 6}; // rows 1 to 6 from the top of 9; 2 are below
    auto cards = written(part);
    EXPECT_THAT(cards.at("CRPIX1"), HasSubstr(" 2.5"));
    EXPECT_THAT(cards.at("CRPIX2"), HasSubstr(" 1.0"));
    EXPECT_EQ(cards.at("CD2_2"), before.at("CD2_2"));
    part.shrink = 2;
    cards = written(part);
    EXPECT_THAT(cards.at("CRPIX1"), HasSubstr(" 1.5"));
    EXPECT_THAT(cards.at("CRPIX2"), HasSubstr(" 0.75"));
    EXPECT_THAT(cards.at("CD2_2"), HasSubstr(" 0.002"));
    EXPECT_EQ(cards.at("PV1_1"), before.at("PV1_1"));
    EXPECT_THAT(readImageInfo(dir / "r.fits").facts, Contains(Pair("Sky coordinates", HasSubstr("(ICRS)"))));
}

/// The place in the plane of the sky of a pixel, by the matrix CD and the reference pixel.
std::array<double, 2> skyPlaceOf(const ImageInfo& info, double x, double y) {
    const auto number = [&](const char* key) { return std::stod(info.sky->text(key)); };
    const auto pixel = info.sky->imagePixel(x, y);
    const double right = pixel[0] - number("CRPIX1");
    const double up = pixel[1] - number("CRPIX2");
    return {number("CD1_1") * right + number("CD1_2") * up, number("CD2_1") * right + number("CD2_2") * up};
}

TEST(Fits, ResultsOfPartsAndBlocksKeepRandomMatrices) {
    const TempDir dir;
    std::mt19937_64 random(29);
    for (int round = 0; round < 8; ++round) {
        {
            FitsWriter writer(dir / "s.fits");
            writer.image(USHORT_IMG, {kWidth, kHeight});
            writer.pixels(TUSHORT, ramp<std::uint16_t>(0, 5));
            writer.text("CTYPE1", "RA---TAN");
            writer.text("CTYPE2", "DEC--TAN");
            writer.key(TDOUBLE, "CRVAL1", 202.5);
            writer.key(TDOUBLE, "CRVAL2", 47.25);
            for (const char* key : {"CD1_1", "CD1_2", "CD2_1", "CD2_2", "CRPIX1", "CRPIX2"}) {
                const double part = static_cast<double>(random() % 2'000'001) / 1e6 - 1;
                writer.key(TDOUBLE, key, key[1] == 'D' ? part / 100 : 20 * part);
            }
        }
        const ImageInfo whole = readImageInfo(dir / "s.fits");
        ASSERT_TRUE(whole.sky);
        for (const int shrink : {1, 2}) {
            ReadOptions options;
            options.region = PixelRegion{1, 2, 8, 6};
            options.shrink = shrink;
            const LoadedImage loaded = readImage(dir / "s.fits", options);
            writeResult(dir / "r.fits", resultPlane(*loaded.image, loaded, ResultValues::levels), {});
            const ImageInfo result = readImageInfo(dir / "r.fits");
            ASSERT_TRUE(result.sky);
            for (const auto& [x, y] : {std::pair(0, 0), std::pair(3, 1), std::pair(1, 2)}) {
                const double middle = (shrink - 1) / 2.0; // of a block
                const auto expected = skyPlaceOf(whole, 1 + x * shrink + middle, 2 + y * shrink + middle);
                const auto found = skyPlaceOf(result, x, y);
                EXPECT_NEAR(found[0], expected[0], 1e-9) << "round " << round << ", shrunk by " << shrink;
                EXPECT_NEAR(found[1], expected[1], 1e-9) << "round " << round << ", shrunk by " << shrink;
            }
        }
    }
}

TEST(Fits, APlaneOfACubeKnowsItsPlaceOnTheThirdAxis) {
    const TempDir dir;
    {
        FitsWriter writer(dir / "c.fits");
        writer.image(BYTE_IMG, {kWidth, kHeight, 3});
        writer.pixels(TBYTE, std::vector<std::uint8_t>(3 * kPixels, 1));
        writer.text("CTYPE3", "FREQ");
        writer.key(TDOUBLE, "CRPIX3", 1.0);
        writer.key(TDOUBLE, "CRVAL3", 1.4e9);
    }
    ReadOptions options;
    options.page = 2;
    const LoadedImage read = readImage(dir / "c.fits", options);
    writeResult(dir / "r.fits", resultPlane(*read.image, read, ResultValues::levels), {});
    EXPECT_THAT(skyCardsIn(dir / "r.fits").at("CRPIX3"), HasSubstr(" -1.0"));
}

void expectPrefixesRefusedOrRight(const TempDir& dir, const std::filesystem::path& path) {
    const std::string bytes = readBytes(path);
    const auto expected = levelsOf(*readImage(path).image);
    for (std::size_t length = 0; length < bytes.size(); length += length < 100 ? 1 : 37) {
        writeBytes(dir / "cut.fits", bytes.substr(0, length));
        try {
            ASSERT_EQ(levelsOf(*readImage(dir / "cut.fits").image), expected) << length << " of " << bytes.size();
        } catch (const Error& error) {
            ASSERT_TRUE(error.code() == ErrorCode::fileDamaged || error.code() == ErrorCode::fileUnreadable ||
                        error.code() == ErrorCode::formatUnknown || error.code() == ErrorCode::formatUnsupported)
                << length << ": " << error.what();
        }
    }
}

TEST(Fits, EveryPrefixIsRefusedOrRight) {
    const TempDir dir;
    {
        FitsWriter writer(dir / "p.fits");
        writer.image(SHORT_IMG, {kWidth, kHeight});
        writer.pixels(TSHORT, ramp<std::int16_t>(-1000, 77));
    }
    expectPrefixesRefusedOrRight(dir, dir / "p.fits");
    {
        FitsWriter writer(dir / "z.fits");
        fits_set_compression_type(writer.get(), RICE_1, writer.status());
        writer.image(SHORT_IMG, {kWidth, kHeight});
        writer.pixels(TSHORT, ramp<std::int16_t>(-1000, 77));
    }
    expectPrefixesRefusedOrRight(dir, dir / "z.fits");
}

/// A header of cards without pixels.
std::string header(const std::vector<std::string>& cards) {
    std::string bytes;
    for (std::string card : cards) {
        card.resize(80, ' ');
        bytes += card;
    }
    bytes += "END";
    bytes.resize((bytes.size() + 2879) / 2880 * 2880, ' ');
    return bytes;
}

TEST(Fits, RefusesHostileHeadersFast) {
    const TempDir dir;
    const auto failure = [&](const std::vector<std::string>& cards, std::string* message = nullptr) {
        writeBytes(dir / "h.fits", header(cards));
        return readFailure(dir / "h.fits", {}, message);
    };
    const std::string simple = "SIMPLE  =                    T";
    std::string message;
    EXPECT_EQ(failure({simple, "BITPIX  =                   16", "NAXIS   =                    2",
                       "NAXIS1  =                60000", "NAXIS2  =                60000"},
                      &message),
              ErrorCode::fileDamaged);
    EXPECT_THAT(message, HasSubstr("the file has 2880"));
    EXPECT_TRUE(failure({simple, "BITPIX  =                  -64", "NAXIS   =                    4",
                         "NAXIS1  =           4000000000", "NAXIS2  =           4000000000",
                         "NAXIS3  =           4000000000", "NAXIS4  =           4000000000"},
                        &message));
    EXPECT_THAT(message, HasSubstr("the sizes are too large"));
    // A number of values that is 0 modulo 2^64.
    EXPECT_TRUE(failure({simple, "BITPIX  =                    8", "NAXIS   =                    4",
                         "NAXIS1  =                  256", "NAXIS2  =                  256",
                         "NAXIS3  =             16777216", "NAXIS4  =             16777216"},
                        &message));
    EXPECT_THAT(message, HasSubstr("the sizes are too large"));
    EXPECT_TRUE(failure({simple, "BITPIX  =                   16", "NAXIS   =                    2",
                         "NAXIS1  =                   -5", "NAXIS2  =                    5"}));
    EXPECT_TRUE(failure({simple, "BITPIX  =                    7", "NAXIS   =                    2",
                         "NAXIS1  =                    5", "NAXIS2  =                    5"}));
    EXPECT_TRUE(failure({simple, "BITPIX  =                    8", "NAXIS   =                  999"}));
    EXPECT_EQ(failure({simple, "BITPIX  =                    8", "NAXIS   =                    0"}, &message),
              ErrorCode::formatUnsupported);
    EXPECT_THAT(message, HasSubstr("no image"));
    EXPECT_TRUE(failure({simple}));
    EXPECT_TRUE(failure({}));
}

TEST(Fits, RefusesTilesThatWouldEndTheProcess) {
    const TempDir dir;
    {
        FitsWriter writer(dir / "z.fits");
        fits_set_compression_type(writer.get(), RICE_1, writer.status());
        writer.image(SHORT_IMG, {kWidth, kHeight});
        writer.pixels(TSHORT, ramp<std::int16_t>(0, 5));
    }
    const std::string good = readBytes(dir / "z.fits");
    // A side of 0, and a card that cfitsio parses as one.
    for (const auto& [from, to] :
         {std::pair<std::string, std::string>{"ZTILE1  =                   13", "ZTILE1  =                    0"},
          {"ZTILE1  = ", "ZTILE1  =0"}}) {
        std::string bad = good;
        const std::size_t at = bad.find(from);
        ASSERT_NE(at, std::string::npos);
        bad.replace(at, to.size(), to);
        writeBytes(dir / "bad.fits", bad);
        std::string message;
        EXPECT_EQ(readFailure(dir / "bad.fits", {}, &message), ErrorCode::fileDamaged);
        EXPECT_THAT(message, HasSubstr("ZTILE1"));
    }
}

TEST(Fits, NamesAreNotInterpreted) {
    const TempDir dir;
    // cfitsio would interpret these as a filter, a section of pixels and an output file.
    for (const char* name : {"a.fits[1:2,1:2]", "b.fits(copy.fits)", "c.fits[EVENTS]", "mem:", "-", "!d.fits"}) {
        {
            FitsWriter writer(dir / "plain.fits");
            writer.image(BYTE_IMG, {kWidth, kHeight});
            writer.pixels(TBYTE, ramp<std::uint8_t>(0, 1));
        }
        std::filesystem::rename(dir / "plain.fits", dir / name);
        EXPECT_EQ(readImage(dir / name).info.width, static_cast<std::uint32_t>(kWidth)) << name;
    }
    EXPECT_EQ(dir.entries(), 6U);
}

TEST(Fits, FlippedBytesNeverCrash) {
    const TempDir dir;
    for (const bool compressed : {false, true}) {
        {
            FitsWriter writer(dir / "g.fits");
            fits_set_compression_type(writer.get(), compressed ? RICE_1 : 0, writer.status());
            writer.image(SHORT_IMG, {kWidth, kHeight});
            writer.pixels(TSHORT, ramp<std::int16_t>(0, 5));
        }
        const std::string good = readBytes(dir / "g.fits");
        std::mt19937 random(99);
        for (int round = 0; round < 600; ++round) {
            std::string bad = good;
            for (int flip = 0; flip < 3; ++flip) {
                bad[random() % bad.size()] = static_cast<char>(random() % 2 == 0 ? '0' + random() % 10 : random());
            }
            writeBytes(dir / "bad.fits", bad);
            (void)readFailure(dir / "bad.fits");
        }
    }
}

/// The file compressed by gzip.
std::string gzipped(const std::string& bytes, const std::filesystem::path& path) {
    const gzFile file = gzopen(path.c_str(), "wb");
    EXPECT_EQ(gzwrite(file, bytes.data(), static_cast<unsigned>(bytes.size())), static_cast<int>(bytes.size()));
    gzclose(file);
    return readBytes(path);
}

TEST(FitsGzip, IsReadAsThePlainFile) {
    const TempDir dir;
    std::vector<short> values(kPixels);
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = static_cast<short>(i * 71 - 3000);
    }
    {
        FitsWriter file(dir / "a.fits");
        file.image(SHORT_IMG, {kWidth, kHeight});
        file.pixels(TSHORT, values);
    }
    const std::string packed = gzipped(readBytes(dir / "a.fits"), dir / "a.fits.gz");
    ReadOptions part;
    part.region = PixelRegion{3, 2, 5, 4};
    for (const ReadOptions& options : {ReadOptions{}, part}) {
        const LoadedImage plain = readImage(dir / "a.fits", options);
        const LoadedImage unpacked = readImage(dir / "a.fits.gz", options);
        EXPECT_EQ(unpacked.info.mapping, plain.info.mapping);
        EXPECT_EQ(std::memcmp(unpacked.image->data(), plain.image->data(), plain.image->bytes()), 0);
    }
    const auto failure = [&](const ReadOptions& options) {
        try {
            (void)readImageInfo(dir / "cut.fits.gz", options);
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    writeBytes(dir / "cut.fits.gz", packed.substr(0, packed.size() - 12));
    EXPECT_THAT(failure({}), HasSubstr("end early"));
    writeBytes(dir / "cut.fits.gz", packed);
    ReadOptions small;
    small.limits.maxDecodedBytes = 1000;
    EXPECT_THAT(failure(small), HasSubstr("need more than the allowed"));
}

} // namespace

} // namespace pollard::test
