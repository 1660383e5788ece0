#include "core/io/io_support.hpp"

#include "io/samples/row_sink.hpp"

#include <cstring>
#include <gmock/gmock.h>
#include <webp/encode.h>

namespace pollard::test {

namespace {

using ::testing::HasSubstr;

constexpr int kWidth = 23;
constexpr int kHeight = 17;

std::string lossless(const std::vector<std::uint8_t>& rgba, int width, int height) {
    WebPConfig config;
    WebPConfigInit(&config);
    config.lossless = 1;
    config.exact = 1; // keeps colours under full transparency
    WebPPicture image;
    WebPPictureInit(&image);
    image.use_argb = 1;
    image.width = width;
    image.height = height;
    WebPPictureImportRGBA(&image, rgba.data(), width * 4);
    WebPMemoryWriter writer;
    WebPMemoryWriterInit(&writer);
    image.writer = WebPMemoryWrite;
    image.custom_ptr = &writer;
    EXPECT_NE(WebPEncode(&config, &image), 0);
    std::string bytes(reinterpret_cast<const char*>(writer.mem), writer.size);
    WebPMemoryWriterClear(&writer);
    WebPPictureFree(&image);
    return bytes;
}

std::vector<std::uint8_t> image(bool alpha, std::uint32_t seed = 3) {
    const auto samples = testSamples(std::size_t{kWidth} * kHeight * 4, 8, seed);
    std::vector<std::uint8_t> rgba(samples.begin(), samples.end());
    for (std::size_t i = 3; i < rgba.size(); i += 4) {
        rgba[i] = alpha ? static_cast<std::uint8_t>(i % 3 == 0 ? 0 : 200) : 255;
    }
    return rgba;
}

/// A file of consecutive opaque frames of the canvas's size.
std::string animation(const std::vector<std::vector<std::uint8_t>>& frames) {
    const auto number = [](std::uint32_t value, int bytes) {
        std::string out;
        for (int i = 0; i < bytes; ++i) {
            out += static_cast<char>(value >> 8 * i & 0xff);
        }
        return out;
    };
    const auto chunk = [&](const std::string& name, const std::string& content) {
        return name + number(static_cast<std::uint32_t>(content.size()), 4) + content +
               (content.size() % 2 != 0 ? std::string(1, '\0') : "");
    };
    std::string body = chunk("VP8X", number(2, 4) + number(kWidth - 1, 3) + number(kHeight - 1, 3));
    body += chunk("ANIM", number(0, 4) + number(0, 2));
    for (const auto& frame : frames) {
        const std::string image = lossless(frame, kWidth, kHeight).substr(12); // without RIFF....WEBP
        body += chunk("ANMF", number(0, 3) + number(0, 3) + number(kWidth - 1, 3) + number(kHeight - 1, 3) +
                                  number(100, 3) + number(2, 1) + image);
    }
    return "RIFF" + number(static_cast<std::uint32_t>(body.size() + 4), 4) + "WEBP" + body;
}

std::vector<std::uint16_t> luminancesOf(const std::vector<std::uint8_t>& rgba) {
    std::vector<std::uint16_t> levels;
    for (std::size_t i = 0; i < rgba.size(); i += 4) {
        levels.push_back(luminanceOf(rgba[i], rgba[i + 1], rgba[i + 2]));
    }
    return levels;
}

TEST(Webp, ReadsLosslessPixelsExactly) {
    const TempDir dir;
    const auto rgba = image(false);
    writeBytes(dir / "l.webp", lossless(rgba, kWidth, kHeight));
    const LoadedImage loaded = readImage(dir / "l.webp");
    EXPECT_EQ(levelsOf(*loaded.image), luminancesOf(rgba));
    EXPECT_EQ(loaded.valid, nullptr);
    EXPECT_EQ(loaded.info.format, "WebP");
    EXPECT_EQ(loaded.info.width, static_cast<std::uint32_t>(kWidth));
    const LoadedImage blue = readImage(dir / "l.webp", withChannel(2));
    for (std::size_t i = 0; i < blue.image->pixelCount(); ++i) {
        ASSERT_EQ(blue.image->level(i), rgba[i * 4 + 2]);
    }
    EXPECT_EQ(readFailure(dir / "l.webp", withChannel(3)), ErrorCode::invalidArgument);
}

TEST(Webp, TakesTransparentPixelsForGaps) {
    const TempDir dir;
    const auto rgba = image(true);
    writeBytes(dir / "a.webp", lossless(rgba, kWidth, kHeight));
    const LoadedImage loaded = readImage(dir / "a.webp");
    ASSERT_TRUE(loaded.valid);
    std::uint64_t gaps = 0;
    for (std::uint32_t i = 0; i < kWidth * kHeight; ++i) {
        EXPECT_EQ(loaded.valid->test(i % kWidth, i / kWidth), rgba[i * 4 + 3] != 0);
        gaps += rgba[i * 4 + 3] == 0 ? 1 : 0;
    }
    EXPECT_EQ(loaded.info.invalidPixels, gaps);
    EXPECT_EQ(levelsOf(*loaded.image), luminancesOf(rgba));
    const LoadedImage alpha = readImage(dir / "a.webp", withChannel(3));
    EXPECT_EQ(alpha.image->level(3), rgba[15]);
    EXPECT_EQ(alpha.valid, nullptr);
}

TEST(Webp, ReadsLossyPixelsClosely) {
    const TempDir dir;
    std::vector<std::uint8_t> rgba;
    for (int i = 0; i < kWidth * kHeight; ++i) {
        const auto level = static_cast<std::uint8_t>(60 + i % kWidth * 5);
        rgba.insert(rgba.end(), {level, level, level, 255});
    }
    std::uint8_t* out = nullptr;
    const std::size_t size = WebPEncodeRGBA(rgba.data(), kWidth, kHeight, kWidth * 4, 95, &out);
    writeBytes(dir / "y.webp", std::string(reinterpret_cast<const char*>(out), size));
    WebPFree(out);
    const LoadedImage loaded = readImage(dir / "y.webp");
    EXPECT_EQ(loaded.info.compression, "VP8");
    for (std::size_t i = 0; i < loaded.image->pixelCount(); ++i) {
        EXPECT_NEAR(loaded.image->level(i), rgba[i * 4], 8);
    }
}

TEST(Webp, FramesOfAnAnimationArePages) {
    const TempDir dir;
    const auto first = image(false, 5);
    const auto second = image(false, 6);
    writeBytes(dir / "m.webp", animation({first, second, first}));
    ReadOptions options;
    for (const int page : {0, 1, 2}) {
        options.page = page;
        const LoadedImage loaded = readImage(dir / "m.webp", options);
        EXPECT_EQ(levelsOf(*loaded.image), luminancesOf(page == 1 ? second : first)) << page;
        EXPECT_EQ(loaded.info.pages, 3);
        EXPECT_EQ(loaded.info.axes, (std::vector<StackAxis>{{'t', 3, {}}}));
    }
    options.page = 3;
    EXPECT_EQ(readFailure(dir / "m.webp", options), ErrorCode::invalidArgument);
    writeBytes(dir / "one.webp", animation({second}));
    EXPECT_EQ(levelsOf(*readImage(dir / "one.webp").image), luminancesOf(second));
}

TEST(Webp, EveryPrefixIsRefusedOrRight) {
    const TempDir dir;
    for (const std::string& bytes : {lossless(image(true), kWidth, kHeight), animation({image(false)})}) {
        writeBytes(dir / "w.webp", bytes);
        const auto expected = levelsOf(*readImage(dir / "w.webp").image);
        for (std::size_t length = 0; length < bytes.size(); ++length) {
            writeBytes(dir / "cut.webp", bytes.substr(0, length));
            try {
                ASSERT_EQ(levelsOf(*readImage(dir / "cut.webp").image), expected) << length << " of " << bytes.size();
            } catch (const Error& error) {
                ASSERT_TRUE(error.code() == ErrorCode::fileDamaged || error.code() == ErrorCode::fileUnreadable ||
                            error.code() == ErrorCode::formatUnknown)
                    << error.what();
            }
        }
    }
}

TEST(Webp, RefusesFlippedBytesOrReadsSomething) {
    const TempDir dir;
    const std::string good = animation({image(true)});
    for (std::size_t at = 12; at < std::min<std::size_t>(good.size(), 150); ++at) {
        std::string bad = good;
        bad[at] = static_cast<char>(bad[at] ^ 0xff);
        writeBytes(dir / "f.webp", bad);
        (void)readFailure(dir / "f.webp");
    }
    std::string message;
    writeBytes(dir / "f.webp", std::string("RIFF\x0c\0\0\0WEBPVP8 ", 16));
    EXPECT_EQ(readFailure(dir / "f.webp", {}, &message), ErrorCode::fileDamaged);
    EXPECT_THAT(message, HasSubstr("WebP"));
}

} // namespace

} // namespace pollard::test
