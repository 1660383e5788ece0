#include "core/io/io_support.hpp"

#include "io/samples/row_sink.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <gmock/gmock.h>
#include <png.h>

#include <jpeglib.h>

namespace pollard::test {

namespace {

using ::testing::ElementsAre;

/// Writes interleaved samples as PNG; 16-bit ones are in host order.
void writePngVariant(const std::filesystem::path& path, int bits, int type, int interlace, std::uint32_t width,
                     std::uint32_t height, const std::vector<std::uint16_t>& samples, int perPixel) {
    std::filesystem::remove(path);
    std::FILE* file = std::fopen(path.c_str(), "wb");
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
    png_infop info = png_create_info_struct(png);
    png_init_io(png, file);
    png_set_IHDR(png, info, width, height, bits, type, interlace, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    if (type == PNG_COLOR_TYPE_PALETTE) {
        std::vector<png_color> palette(std::size_t{1} << bits);
        for (std::size_t i = 0; i < palette.size(); ++i) {
            palette[i] = {static_cast<png_byte>(i), static_cast<png_byte>(255 - i), 7};
        }
        png_set_PLTE(png, info, palette.data(), static_cast<int>(palette.size()));
    }
    png_write_info(png, info);
    png_set_packing(png);
    png_set_swap(png);
    const std::size_t bytes = bits > 8 ? 2 : 1;
    const std::size_t rowSamples = std::size_t{width} * static_cast<std::size_t>(perPixel);
    std::vector<std::vector<png_byte>> rows;
    std::vector<png_bytep> pointers;
    for (std::uint32_t y = 0; y < height; ++y) {
        auto& row = rows.emplace_back(rowSamples * bytes);
        for (std::size_t i = 0; i < rowSamples; ++i) {
            std::memcpy(row.data() + i * bytes, &samples[y * rowSamples + i], bytes);
        }
    }
    for (auto& row : rows) {
        pointers.push_back(row.data());
    }
    png_write_image(png, pointers.data());
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
    std::fclose(file);
}

TEST(Png, ReadsEveryDepthAndColourTypeInterlacedOrNot) {
    const TempDir dir;
    struct Kind {
        int bits, type, samples;
    };
    const std::vector<Kind> kinds = {
        {1, PNG_COLOR_TYPE_GRAY, 1},        {2, PNG_COLOR_TYPE_GRAY, 1},    {4, PNG_COLOR_TYPE_GRAY, 1},
        {8, PNG_COLOR_TYPE_GRAY, 1},        {16, PNG_COLOR_TYPE_GRAY, 1},   {1, PNG_COLOR_TYPE_PALETTE, 1},
        {2, PNG_COLOR_TYPE_PALETTE, 1},     {4, PNG_COLOR_TYPE_PALETTE, 1}, {8, PNG_COLOR_TYPE_PALETTE, 1},
        {8, PNG_COLOR_TYPE_GRAY_ALPHA, 2},  {8, PNG_COLOR_TYPE_RGB, 3},     {8, PNG_COLOR_TYPE_RGB_ALPHA, 4},
        {16, PNG_COLOR_TYPE_GRAY_ALPHA, 2}, {16, PNG_COLOR_TYPE_RGB, 3},    {16, PNG_COLOR_TYPE_RGB_ALPHA, 4},
    };
    constexpr std::uint32_t kWidth = 19;
    constexpr std::uint32_t kHeight = 11;
    for (const Kind& kind : kinds) {
        for (const int interlace : {PNG_INTERLACE_NONE, PNG_INTERLACE_ADAM7}) {
            SCOPED_TRACE(std::to_string(kind.bits) + " bits, type " + std::to_string(kind.type));
            const auto samples = testSamples(std::size_t{kWidth} * kHeight * kind.samples, kind.bits);
            writePngVariant(dir / "v.png", kind.bits, kind.type, interlace, kWidth, kHeight, samples, kind.samples);
            std::vector<std::uint16_t> expected;
            for (std::size_t i = 0; i < samples.size(); i += static_cast<std::size_t>(kind.samples)) {
                if (kind.type == PNG_COLOR_TYPE_PALETTE) {
                    expected.push_back(luminanceOf(samples[i], 255U - samples[i], 7));
                } else if (kind.samples >= 3) {
                    expected.push_back(luminanceOf(samples[i], samples[i + 1], samples[i + 2]));
                } else {
                    expected.push_back(samples[i]);
                }
            }
            const LoadedImage loaded = readImage(dir / "v.png");
            EXPECT_EQ(levelsOf(*loaded.image), expected);
            EXPECT_EQ(loaded.image->type(), kind.bits > 8 ? PixelType::u16 : PixelType::u8);
            EXPECT_EQ(loaded.info.bits, kind.bits);
            EXPECT_EQ(loaded.info.samples, kind.samples);
            EXPECT_EQ(readImageInfo(dir / "v.png").notes, loaded.info.notes);
        }
    }
}

TEST(Png, TakesTheChosenSample) {
    const TempDir dir;
    writePngVariant(dir / "rgba.png", 8, PNG_COLOR_TYPE_RGB_ALPHA, 0, 2, 1, {1, 2, 3, 4, 5, 6, 7, 8}, 4);
    EXPECT_THAT(levelsOf(*readImage(dir / "rgba.png", withChannel(2)).image), ElementsAre(3, 7));
    EXPECT_THAT(levelsOf(*readImage(dir / "rgba.png", withChannel(3)).image), ElementsAre(4, 8));
    EXPECT_EQ(readFailure(dir / "rgba.png", withChannel(4)), ErrorCode::invalidArgument);
    ReadOptions second;
    second.page = 1;
    EXPECT_EQ(readFailure(dir / "rgba.png", second), ErrorCode::invalidArgument);
}

TEST(Png, FullyTransparentPixelsHoldNoData) {
    const TempDir dir;
    writePngVariant(dir / "ga.png", 8, PNG_COLOR_TYPE_GRAY_ALPHA, 0, 3, 1, {9, 0, 7, 1, 5, 255}, 2);
    const LoadedImage loaded = readImage(dir / "ga.png");
    ASSERT_NE(loaded.valid, nullptr);
    EXPECT_FALSE(loaded.valid->test(0, 0));
    EXPECT_TRUE(loaded.valid->test(1, 0));
    EXPECT_TRUE(loaded.valid->test(2, 0));
    EXPECT_EQ(loaded.info.invalidPixels, 1U);
    EXPECT_EQ(readImage(dir / "ga.png", withChannel(1)).valid, nullptr) << "alpha itself is data everywhere";
    writePngVariant(dir / "opaque.png", 16, PNG_COLOR_TYPE_RGB_ALPHA, 0, 1, 1, {1, 2, 3, 4}, 4);
    EXPECT_EQ(readImage(dir / "opaque.png").valid, nullptr);
}

void checkPrefixes(const std::filesystem::path& whole, const std::filesystem::path& cut) {
    const std::string bytes = readBytes(whole);
    const auto expected = levelsOf(*readImage(whole).image);
    for (std::size_t length = 0; length < bytes.size(); ++length) {
        writeBytes(cut, bytes.substr(0, length));
        try {
            ASSERT_EQ(levelsOf(*readImage(cut).image), expected) << length << " of " << bytes.size() << " bytes";
        } catch (const Error& error) {
            ASSERT_TRUE(error.code() == ErrorCode::fileDamaged || error.code() == ErrorCode::fileUnreadable ||
                        error.code() == ErrorCode::formatUnknown)
                << error.what();
        }
    }
}

TEST(Png, EveryPrefixIsRefusedOrRight) {
    const TempDir dir;
    for (const int interlace : {PNG_INTERLACE_NONE, PNG_INTERLACE_ADAM7}) {
        writePngVariant(dir / "w.png", 8, PNG_COLOR_TYPE_RGB, interlace, 13, 9, testSamples(13 * 9 * 3, 8), 3);
        checkPrefixes(dir / "w.png", dir / "cut.png");
    }
}

TEST(Png, RefusesAnIndexOutsideThePalette) {
    const TempDir dir;
    writePngVariant(dir / "p.png", 2, PNG_COLOR_TYPE_PALETTE, 0, 4, 1, {0, 1, 2, 3}, 1);
    std::string bytes = readBytes(dir / "p.png");
    // Reduces the palette from 4 to 2 colours, and updates the chunk's length and checksum.
    const std::size_t at = bytes.find("PLTE");
    ASSERT_NE(at, std::string::npos);
    bytes[at - 1] = 6;
    bytes.erase(at + 4 + 6, 6 + 4);
    std::uint32_t crc = 0xffffffffU;
    for (std::size_t i = at; i < at + 10; ++i) {
        crc ^= static_cast<unsigned char>(bytes[i]);
        for (int b = 0; b < 8; ++b) {
            crc = (crc & 1) != 0 ? crc >> 1 ^ 0xedb88320U : crc >> 1;
        }
    }
    crc = ~crc;
    for (int b = 3; b >= 0; --b) {
        bytes.insert(at + 10 + static_cast<std::size_t>(3 - b), 1, static_cast<char>(crc >> 8 * b));
    }
    writeBytes(dir / "p.png", bytes);
    EXPECT_EQ(readFailure(dir / "p.png"), ErrorCode::fileDamaged);
}

void writeJpeg(const std::filesystem::path& path, J_COLOR_SPACE space, int samples, bool progressive,
               std::uint32_t side, const std::vector<unsigned char>& colour) {
    std::filesystem::remove(path);
    std::FILE* file = std::fopen(path.c_str(), "wb");
    jpeg_compress_struct jpeg{};
    jpeg_error_mgr errors{};
    jpeg.err = jpeg_std_error(&errors);
    jpeg_create_compress(&jpeg);
    jpeg_stdio_dest(&jpeg, file);
    jpeg.image_width = side;
    jpeg.image_height = side;
    jpeg.input_components = samples;
    jpeg.in_color_space = space;
    jpeg_set_defaults(&jpeg);
    jpeg_set_quality(&jpeg, 95, TRUE);
    if (progressive) {
        jpeg_simple_progression(&jpeg);
    }
    jpeg_start_compress(&jpeg, TRUE);
    std::vector<unsigned char> row;
    for (std::uint32_t x = 0; x < side; ++x) {
        for (int s = 0; s < samples; ++s) {
            row.push_back(static_cast<unsigned char>(colour[static_cast<std::size_t>(s)] + x));
        }
    }
    for (std::uint32_t y = 0; y < side; ++y) {
        JSAMPROW pointer = row.data();
        jpeg_write_scanlines(&jpeg, &pointer, 1);
    }
    jpeg_finish_compress(&jpeg);
    jpeg_destroy_compress(&jpeg);
    std::fclose(file);
}

TEST(Jpeg, ReadsGreyAndColour) {
    const TempDir dir;
    for (const bool progressive : {false, true}) {
        writeJpeg(dir / "g.jpg", JCS_GRAYSCALE, 1, progressive, 40, {100});
        const LoadedImage grey = readImage(dir / "g.jpg");
        EXPECT_EQ(grey.info.samples, 1);
        writeJpeg(dir / "c.jpg", JCS_RGB, 3, progressive, 40, {200, 100, 50});
        const LoadedImage colour = readImage(dir / "c.jpg");
        const LoadedImage blue = readImage(dir / "c.jpg", withChannel(2));
        for (std::uint32_t x = 0; x < 40; ++x) {
            EXPECT_NEAR(grey.image->level(x), 100 + x, 3);
            EXPECT_NEAR(colour.image->level(x), luminanceOf(200 + x, 100 + x, 50 + x), 3);
            EXPECT_NEAR(blue.image->level(x), 50 + x, 6);
        }
        EXPECT_THAT(colour.info.notes, ElementsAre("shown as luminance of RGB"));
        checkPrefixes(dir / "c.jpg", dir / "cut.jpg");
        checkPrefixes(dir / "g.jpg", dir / "cut.jpg");
    }
}

TEST(Jpeg, RefusesCmyk) {
    const TempDir dir;
    writeJpeg(dir / "k.jpg", JCS_CMYK, 4, false, 16, {1, 2, 3, 4});
    std::string message;
    EXPECT_EQ(readFailure(dir / "k.jpg", {}, &message), ErrorCode::formatUnsupported);
    EXPECT_NE(message.find("CMYK"), std::string::npos);
}

TEST(Jpeg, RefusesAHugeClaimAtOnce) {
    const TempDir dir;
    writeJpeg(dir / "b.jpg", JCS_RGB, 3, false, 16, {1, 2, 3});
    std::string bytes = readBytes(dir / "b.jpg");
    const std::size_t frame = bytes.find("\xff\xc0");
    ASSERT_NE(frame, std::string::npos);
    bytes.replace(frame + 5, 4, "\xff\xdc\xff\xdc");
    writeBytes(dir / "b.jpg", bytes);
    EXPECT_EQ(readFailure(dir / "b.jpg"), ErrorCode::limitExceeded);
}

struct PnmCase {
    std::string bytes;
    PixelType type;
    std::vector<std::uint16_t> levels;
};

TEST(Pnm, ReadsAllSixKinds) {
    const TempDir dir;
    const auto raw = [](std::initializer_list<int> values) {
        std::string bytes;
        for (const int value : values) {
            bytes += static_cast<char>(value);
        }
        return bytes;
    };
    const std::vector<PnmCase> cases = {
        {"P1\n# a comment\n3 2\n1 0 1\n010", PixelType::u8, {0, 1, 0, 1, 0, 1}},
        {"P2 2 2 15 # maxval\n0 15\n7 8\n", PixelType::u8, {0, 15, 7, 8}},
        {"P2\n2#w\n1\n65535\n00065535 300", PixelType::u16, {65535, 300}},
        {"P3 1 2 255\n255 0 0  0 0 255", PixelType::u8, {54, 18}},
        {"P4\n10 1\n" + raw({0xaa, 0x40}), PixelType::u8, {0, 1, 0, 1, 0, 1, 0, 1, 1, 0}},
        {"P5 3 1 255\n" + raw({0, 10, 255}), PixelType::u8, {0, 10, 255}},
        {"P5 2 1 1000 " + raw({0x01, 0x00, 0x03, 0xe8}), PixelType::u16, {256, 1000}},
        {"P6 1 1 255\n" + raw({10, 20, 30}), PixelType::u8, {19}},
        {"P6 1 1 65535\n" + raw({1, 0, 1, 0, 1, 0}), PixelType::u16, {256}},
    };
    for (const PnmCase& c : cases) {
        SCOPED_TRACE(c.bytes.substr(0, 20));
        writeBytes(dir / "p.pnm", c.bytes);
        const LoadedImage loaded = readImage(dir / "p.pnm");
        EXPECT_EQ(loaded.image->type(), c.type);
        EXPECT_EQ(levelsOf(*loaded.image), c.levels);
    }
}

TEST(Pnm, RefusesDamage) {
    const TempDir dir;
    const std::vector<std::string> damaged = {"P5 2 2 255\nabc",
                                              "P5 0 2 255\n",
                                              "P5 2 2 0\nabcd",
                                              "P5 2 2 65536\nabcdefgh",
                                              "P5 2 -2 255\nabcd",
                                              "P5 2 2x 255\nabcd",
                                              "P5 2",
                                              "P5 ",
                                              "P5 99999999999 2 255\nabc",
                                              "P5 1 1 100\n\xff",
                                              "P2 2 1 255\n1 256",
                                              "P2 2 1 255\n1 a",
                                              "P2 2 1 255\n1",
                                              "P1 2 2\n1 0 1",
                                              "P1 2 1\n1 2",
                                              "P6 60000 60000 255\nabc",
                                              "P4 9 2\nabc",
                                              "P3 1 1 255\n1 2",
                                              "P2 1 1 255\n#no end"};
    for (const std::string& bytes : damaged) {
        writeBytes(dir / "d.pnm", bytes);
        EXPECT_EQ(readFailure(dir / "d.pnm"), ErrorCode::fileDamaged) << bytes;
    }
}

} // namespace

} // namespace pollard::test
