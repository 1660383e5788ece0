#include "core/io/io_jp2_variants.hpp"
#include "core/io/io_support.hpp"

#include "io/samples/row_sink.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

namespace pollard::test {

namespace {

using ::testing::HasSubstr;

/// A smooth image with some noise, so that every resolution has content.
int sampleAt(int bits, bool isSigned, int component, std::uint32_t x, std::uint32_t y) {
    const int range = 1 << bits;
    const auto value = static_cast<int>((x * 7 + y * 13 + (x * y) % 5 + static_cast<std::uint32_t>(component) * 50) *
                                        11 % static_cast<std::uint32_t>(range));
    return isSigned ? value - range / 2 : value;
}

TEST(Jpeg2000, ReadsUnsignedDepthsExactly) {
    const TempDir dir;
    for (const int bits : {1, 8, 12, 16}) {
        for (const bool codestream : {false, true}) {
            for (const std::uint32_t tile : {0U, 16U}) {
                SCOPED_TRACE(std::to_string(bits) + " bits, tiles of " + std::to_string(tile));
                const Jp2Variant v{.bits = bits, .codestream = codestream, .tile = tile};
                writeJp2(dir / "g.jp2", v,
                         [&](int c, std::uint32_t x, std::uint32_t y) { return sampleAt(bits, false, c, x, y); });
                const LoadedImage loaded = readImage(dir / "g.jp2");
                EXPECT_EQ(loaded.image->type(), bits > 8 ? PixelType::u16 : PixelType::u8);
                EXPECT_EQ(loaded.info.bits, bits);
                for (std::uint32_t i = 0; i < v.width * v.height; ++i) {
                    ASSERT_EQ(loaded.image->level(i), sampleAt(bits, false, 0, i % v.width, i / v.width)) << i;
                }
            }
        }
    }
}

TEST(Jpeg2000, MapsSignedSamplesExactly) {
    const TempDir dir;
    for (const int bits : {8, 16}) {
        const Jp2Variant v{.bits = bits, .isSigned = true};
        writeJp2(dir / "s.jp2", v,
                 [&](int c, std::uint32_t x, std::uint32_t y) { return sampleAt(bits, true, c, x, y); });
        const LoadedImage loaded = readImage(dir / "s.jp2");
        ASSERT_TRUE(loaded.info.mapping);
        EXPECT_TRUE(loaded.info.mapping->exact);
        EXPECT_EQ(loaded.info.sampleFormat, "signed");
        for (std::uint32_t i = 0; i < v.width * v.height; ++i) {
            ASSERT_EQ(loaded.info.mapping->valueOf(loaded.image->level(i)),
                      sampleAt(bits, true, 0, i % v.width, i / v.width));
        }
    }
}

TEST(Jpeg2000, MakesColourGreyAndOpacityAMask) {
    const TempDir dir;
    const Jp2Variant v{.components = 4, .space = OPJ_CLRSPC_SRGB, .alpha = 3};
    const auto value = [](int c, std::uint32_t x, std::uint32_t y) {
        return c == 3 ? (x % 4 == 0 ? 0 : 255) : sampleAt(8, false, c, x, y);
    };
    writeJp2(dir / "c.jp2", v, value);
    const LoadedImage loaded = readImage(dir / "c.jp2");
    const LoadedImage green = readImage(dir / "c.jp2", withChannel(1));
    const LoadedImage alpha = readImage(dir / "c.jp2", withChannel(3));
    ASSERT_TRUE(loaded.valid);
    for (std::uint32_t y = 0; y < v.height; ++y) {
        for (std::uint32_t x = 0; x < v.width; ++x) {
            const auto sample = [&](int c) { return static_cast<std::uint32_t>(value(c, x, y)); };
            const std::size_t i = std::size_t{y} * v.width + x;
            ASSERT_EQ(loaded.image->level(i), luminanceOf(sample(0), sample(1), sample(2)));
            ASSERT_EQ(loaded.valid->test(x, y), x % 4 != 0);
            ASSERT_EQ(green.image->level(i), sample(1));
            ASSERT_EQ(alpha.image->level(i), sample(3));
        }
    }
    EXPECT_EQ(alpha.valid, nullptr);
    EXPECT_EQ(readFailure(dir / "c.jp2", withChannel(4)), ErrorCode::invalidArgument);
}

TEST(Jpeg2000, ReadsRegionsLikeTheWhole) {
    const TempDir dir;
    for (const std::uint32_t offset : {0U, 5U}) {
        const Jp2Variant v{.bits = 12, .codestream = true, .tile = 16, .offset = offset};
        writeJp2(dir / "r.j2k", v,
                 [&](int c, std::uint32_t x, std::uint32_t y) { return sampleAt(12, false, c, x, y); });
        for (const int level : {0, 1, 2}) {
            ReadOptions options;
            options.level = level;
            const LoadedImage whole = readImage(dir / "r.j2k", options);
            ASSERT_GT(whole.info.levels.size(), 2U);
            EXPECT_EQ(whole.info.levels[static_cast<std::size_t>(level)],
                      (ResolutionLevel{whole.image->width(), whole.image->height()}));
            options.region = PixelRegion{3, 1, 5, 4};
            const LoadedImage part = readImage(dir / "r.j2k", options);
            for (std::uint32_t y = 0; y < 4; ++y) {
                for (std::uint32_t x = 0; x < 5; ++x) {
                    ASSERT_EQ(part.image->level(y * 5 + x), whole.image->level((y + 1) * whole.image->width() + x + 3))
                        << "level " << level << ", offset " << offset;
                }
            }
        }
        ReadOptions options;
        options.level = 4;
        EXPECT_EQ(readFailure(dir / "r.j2k", options), ErrorCode::invalidArgument);
        options.level = 0;
        options.region = PixelRegion{40, 0, 6, 1};
        EXPECT_EQ(readFailure(dir / "r.j2k", options), ErrorCode::invalidArgument);
    }
}

TEST(Jpeg2000, RepeatsSubsampledColours) {
    const TempDir dir;
    const Jp2Variant v{.components = 3, .space = OPJ_CLRSPC_SYCC, .subsampling = 2};
    writeJp2(dir / "y.jp2", v, [&](int c, std::uint32_t x, std::uint32_t) {
        return c == 0 ? static_cast<int>(40 + x * 4) : 128; // no colour
    });
    const LoadedImage loaded = readImage(dir / "y.jp2");
    for (std::uint32_t x = 0; x < v.width; ++x) {
        EXPECT_EQ(loaded.image->level(x), 40 + x * 4);
    }
    writeJp2(dir / "y.jp2", v, [&](int c, std::uint32_t x, std::uint32_t) {
        return c == 0 ? 100 : c == 2 ? static_cast<int>(128 + x) : 128;
    });
    const LoadedImage red = readImage(dir / "y.jp2", withChannel(0));
    for (std::uint32_t x = 0; x < v.width; ++x) {
        EXPECT_EQ(red.image->level(x), std::lround(100 + 1.402 * (x / 2))) << x;
    }
}

TEST(Jpeg2000, TakesTheColoursThatTheFileStates) {
    const TempDir dir;
    const auto value = [](int c, std::uint32_t x, std::uint32_t y) { return sampleAt(8, false, c, x, y); };
    const auto firstLevel = [&](OPJ_COLOR_SPACE space) {
        writeJp2(dir / "c.jp2", {.components = 3, .space = space}, value);
        return static_cast<int>(readImage(dir / "c.jp2").image->level(0));
    };
    const std::array<int, 3> samples{value(0, 0, 0), value(1, 0, 0), value(2, 0, 0)};
    EXPECT_EQ(firstLevel(OPJ_CLRSPC_GRAY), samples[0]);
    EXPECT_EQ(firstLevel(OPJ_CLRSPC_SRGB),
              luminanceOf(static_cast<std::uint32_t>(samples[0]), static_cast<std::uint32_t>(samples[1]),
                          static_cast<std::uint32_t>(samples[2])));
    EXPECT_EQ(readImageInfo(dir / "c.jp2").photometric, "RGB");
    (void)firstLevel(OPJ_CLRSPC_SYCC);
    EXPECT_EQ(readImageInfo(dir / "c.jp2").photometric, "YCbCr");
    EXPECT_EQ(readImage(dir / "c.jp2", withChannel(2)).image->level(0),
              std::clamp(std::lround(samples[0] + 1.772 * (samples[1] - 128)), 0L, 255L));

    std::string bytes = readBytes(dir / "c.jp2");
    const std::size_t box = bytes.find("colr");
    ASSERT_NE(box, std::string::npos);
    ASSERT_EQ(bytes[box + 10], 18);
    bytes[box + 10] = 12;
    writeBytes(dir / "k.jp2", bytes);
    EXPECT_EQ(readFailure(dir / "k.jp2"), ErrorCode::formatUnsupported) << "CMYK";
}

TEST(Jpeg2000, EveryPrefixIsRefusedOrRight) {
    const TempDir dir;
    for (const bool codestream : {false, true}) {
        for (const std::uint32_t tile : {0U, 16U}) {
            const Jp2Variant v{.width = 21, .height = 18, .codestream = codestream, .tile = tile};
            writeJp2(dir / "w.jp2", v,
                     [&](int c, std::uint32_t x, std::uint32_t y) { return sampleAt(8, false, c, x, y); });
            const std::string bytes = readBytes(dir / "w.jp2");
            const auto expected = levelsOf(*readImage(dir / "w.jp2").image);
            for (std::size_t length = 0; length < bytes.size(); ++length) {
                writeBytes(dir / "cut.jp2", bytes.substr(0, length));
                try {
                    ASSERT_EQ(levelsOf(*readImage(dir / "cut.jp2").image), expected)
                        << length << " of " << bytes.size() << ", tile " << tile;
                } catch (const Error& error) {
                    ASSERT_TRUE(error.code() == ErrorCode::fileDamaged || error.code() == ErrorCode::fileUnreadable ||
                                error.code() == ErrorCode::formatUnknown)
                        << error.what();
                }
            }
        }
    }
}

TEST(Jpeg2000, RefusesHostileSizes) {
    const TempDir dir;
    writeJp2(dir / "g.j2k", {.codestream = true},
             [](int c, std::uint32_t x, std::uint32_t y) { return sampleAt(8, false, c, x, y); });
    const std::string good = readBytes(dir / "g.j2k");
    const auto failure = [&](std::size_t at, const std::string& bytes, std::string* message = nullptr) {
        std::string bad = good;
        bad.replace(at, bytes.size(), bytes);
        writeBytes(dir / "bad.j2k", bad);
        return readFailure(dir / "bad.j2k", {}, message);
    };
    using namespace std::string_literals;
    const std::string huge = "\x7f\xff\xff\xf0"s;
    std::string message;
    // Sides are at byte 8, tile sides at 24, components at 40.
    EXPECT_EQ(failure(8, huge + huge, &message), ErrorCode::limitExceeded) << message;
    EXPECT_EQ(failure(8, "\xff\xff\xff\xff\xff\xff\xff\xff"s), ErrorCode::limitExceeded);
    EXPECT_EQ(failure(8, "\0\0\xea\x60\0\0\xea\x60"s + std::string(8, '\0') + "\0\0\xea\x60\0\0\xea\x60"s, &message),
              ErrorCode::limitExceeded);
    EXPECT_THAT(message, HasSubstr("3.6 GB"));
    EXPECT_EQ(failure(24, std::string(3, '\0') + "\1" + std::string(3, '\0') + "\1"), ErrorCode::fileDamaged);
    EXPECT_EQ(failure(24, std::string(8, '\0')), ErrorCode::fileDamaged);
    EXPECT_EQ(failure(8, std::string(8, '\0')), ErrorCode::fileDamaged);
    EXPECT_EQ(failure(40, "\x40\x00"s), ErrorCode::limitExceeded);
    EXPECT_EQ(failure(40, "\0\0"s), ErrorCode::fileDamaged);
}

TEST(Jpeg2000, FlippedBytesNeverCrash) {
    const TempDir dir;
    writeJp2(dir / "g.jp2", {.width = 20, .height = 20, .components = 3, .space = OPJ_CLRSPC_SRGB},
             [](int c, std::uint32_t x, std::uint32_t y) { return sampleAt(8, false, c, x, y); });
    const std::string good = readBytes(dir / "g.jp2");
    for (std::size_t at = 0; at < good.size(); ++at) {
        for (const int flip : {at % 2 == 0 ? 0xff : 0x01}) {
            std::string bad = good;
            bad[at] = static_cast<char>(bad[at] ^ flip);
            writeBytes(dir / "bad.jp2", bad);
            (void)readFailure(dir / "bad.jp2");
        }
    }
}

} // namespace

} // namespace pollard::test
