#include "core/io/io_support.hpp"
#include "core/io/io_tiff_variants.hpp"
#include "support/processor_time.hpp"

#include <gmock/gmock.h>
#include <numeric>

namespace pollard::test {

namespace {

/// Reads every prefix: each must be refused or give exactly the pixels of the whole file.
void checkPrefixes(const std::filesystem::path& path, const std::string& bytes,
                   const std::vector<std::uint16_t>& expected) {
    for (std::size_t length = 0; length < bytes.size(); ++length) {
        writeBytes(path, bytes.substr(0, length));
        try {
            ASSERT_EQ(levelsOf(*readImage(path).image), expected) << length << " of " << bytes.size() << " bytes";
        } catch (const Error& error) {
            const ErrorCode code = error.code();
            ASSERT_TRUE(code == ErrorCode::fileDamaged || code == ErrorCode::fileUnreadable ||
                        code == ErrorCode::formatUnknown)
                << length << " bytes: " << error.what();
        }
    }
}

TEST(TiffTruncated, EveryPrefixIsRefusedOrRight) {
    const TempDir dir;
    for (const std::uint16_t compression : std::initializer_list<std::uint16_t>{
             COMPRESSION_NONE, COMPRESSION_LZW, COMPRESSION_ADOBE_DEFLATE, COMPRESSION_PACKBITS}) {
        for (const std::uint32_t tile : {0U, 16U}) {
            for (const bool bigTiff : {false, true}) {
                TiffVariant v{.width = 17, .height = 13, .compression = compression, .tile = tile, .bigTiff = bigTiff};
                const auto samples = testSamples(v.sampleCount(), 8);
                writeVariant(dir / "whole.tif", v, {samples});
                SCOPED_TRACE(v.describe());
                checkPrefixes(dir / "cut.tif", readBytes(dir / "whole.tif"), samples);
            }
        }
    }
}

/// One small file of each kind of pixels and codec.
std::vector<TiffVariant> kindsOfFiles() {
    std::vector<TiffVariant> kinds;
    const auto add = [&](TiffVariant v) {
        if (TIFFIsCODECConfigured(v.compression) != 0) {
            v.width = 11;
            v.height = 9;
            kinds.push_back(v);
        }
    };
    const auto number = [](int bits, std::uint16_t format, std::uint16_t compression, std::uint16_t predictor) {
        TiffVariant v{.bits = bits, .compression = compression, .predictor = predictor, .rowsPerStrip = 5};
        v.sampleFormat = format;
        return v;
    };
    add(number(16, SAMPLEFORMAT_INT, COMPRESSION_LZW, PREDICTOR_HORIZONTAL));
    add(number(16, SAMPLEFORMAT_IEEEFP, COMPRESSION_NONE, PREDICTOR_NONE));
    add(number(32, SAMPLEFORMAT_IEEEFP, COMPRESSION_ADOBE_DEFLATE, PREDICTOR_FLOATINGPOINT));
    add(number(64, SAMPLEFORMAT_IEEEFP, COMPRESSION_ZSTD, PREDICTOR_NONE));
    add(number(32, SAMPLEFORMAT_UINT, COMPRESSION_LZMA, PREDICTOR_NONE));
    add(number(64, SAMPLEFORMAT_INT, COMPRESSION_PACKBITS, PREDICTOR_NONE));
    add({.samples = 4, .photometric = PHOTOMETRIC_SEPARATED, .compression = COMPRESSION_LZW});
    add({.samples = 3, .photometric = PHOTOMETRIC_CIELAB});
    add({.samples = 3, .photometric = PHOTOMETRIC_YCBCR, .compression = COMPRESSION_LZW});
    add({.samples = 3, .photometric = PHOTOMETRIC_RGB, .compression = COMPRESSION_WEBP});
    add({.samples = 3, .photometric = PHOTOMETRIC_RGB, .compression = COMPRESSION_JPEG});
    add({.samples = 3, .photometric = PHOTOMETRIC_RGB, .separate = true, .tile = 16});
    add({.samples = 2,
         .compression = COMPRESSION_ADOBE_DEFLATE,
         .extraSamples = {EXTRASAMPLE_UNASSALPHA},
         .noData = "7"});
    add({.bits = 1, .photometric = PHOTOMETRIC_MINISWHITE, .compression = COMPRESSION_CCITTFAX3});
    add({.bits = 1, .photometric = PHOTOMETRIC_MINISWHITE, .compression = COMPRESSION_CCITTFAX4});
    add({.compression = COMPRESSION_LZW, .orientation = ORIENTATION_RIGHTTOP});
    return kinds;
}

TEST(TiffTruncated, EveryPrefixOfEveryKindIsRefusedOrRight) {
    const TempDir dir;
    for (const TiffVariant& v : kindsOfFiles()) {
        SCOPED_TRACE(v.describe());
        if (v.bits % 8 == 0) {
            std::string bytes;
            for (std::size_t i = 0; i < v.sampleCount() * static_cast<std::size_t>(v.bits / 8); ++i) {
                bytes += static_cast<char>(i / 7 * 5 % 120); // finite in every format
            }
            writeBytesVariant(dir / "whole.tif", v, bytes);
        } else {
            writeVariant(dir / "whole.tif", v, {testSamples(v.sampleCount(), v.bits)});
        }
        const auto expected = levelsOf(*readImage(dir / "whole.tif").image);
        checkPrefixes(dir / "cut.tif", readBytes(dir / "whole.tif"), expected);
    }
}

/// Levels and later pages are at the end: their remains are either read correctly or missing.
TEST(TiffTruncated, EveryPrefixOfAPyramidIsRefusedOrRight) {
    const TempDir dir;
    for (const std::uint16_t children : std::initializer_list<std::uint16_t>{0, 1}) {
        std::filesystem::remove(dir / "whole.tif");
        TIFF* tiff = TIFFOpen((dir / "whole.tif").c_str(), "w");
        writePage(tiff, {.width = 16, .height = 16, .subIfds = children}, std::string(256, 'a'));
        writePage(tiff, {.width = 8, .height = 8, .subfileType = FILETYPE_REDUCEDIMAGE}, std::string(64, 'b'));
        TIFFClose(tiff);
        checkPrefixes(dir / "cut.tif", readBytes(dir / "whole.tif"), std::vector<std::uint16_t>(256, 'a'));
    }
}

/// The directory stays valid and states the truncated size: only the decoder can detect the cut.
TEST(TiffTruncated, EveryCutOfTheCompressedStreamIsRefusedOrRight) {
    const TempDir dir;
    for (const std::uint16_t compression : std::initializer_list<std::uint16_t>{
             COMPRESSION_NONE, COMPRESSION_LZW, COMPRESSION_ADOBE_DEFLATE, COMPRESSION_PACKBITS, COMPRESSION_CCITTRLE,
             COMPRESSION_CCITTFAX3, COMPRESSION_CCITTFAX4, COMPRESSION_JPEG, COMPRESSION_ZSTD, COMPRESSION_LZMA}) {
        if (TIFFIsCODECConfigured(compression) == 0) {
            continue;
        }
        const bool bilevel = compression >= COMPRESSION_CCITTRLE && compression <= COMPRESSION_CCITTFAX4;
        TiffVariant v{.width = bilevel ? 45U : 48U,
                      .height = 40,
                      .bits = bilevel ? 1 : 8,
                      .compression = compression,
                      .rowsPerStrip = 40};
        writeVariant(dir / "whole.tif", v, {testSamples(v.sampleCount(), v.bits)});
        HandmadeTiff made{.width = v.width,
                          .height = v.height,
                          .bits = static_cast<std::uint32_t>(v.bits),
                          .compression = compression};
        const std::string stream = rawStrip(dir / "whole.tif");
        made.strip = stream;
        // libtiff keeps the JPEG tables in a separate tag, which the handmade file lacks.
        if (compression == COMPRESSION_JPEG) {
            writeBytes(dir / "cut.tif", made.bytes());
            EXPECT_EQ(readFailure(dir / "cut.tif"), ErrorCode::fileDamaged);
            continue;
        }
        writeBytes(dir / "cut.tif", made.bytes());
        const auto expected = levelsOf(*readImage(dir / "cut.tif").image);
        for (std::size_t length = 1; length < stream.size(); ++length) {
            made.strip = stream.substr(0, length);
            writeBytes(dir / "cut.tif", made.bytes());
            try {
                ASSERT_EQ(levelsOf(*readImage(dir / "cut.tif").image), expected)
                    << v.describe() << ": " << length << " of " << stream.size() << " bytes";
            } catch (const Error& error) {
                ASSERT_EQ(error.code(), ErrorCode::fileDamaged) << error.what();
            }
        }
    }
}

std::string infoFailure(const std::filesystem::path& path) {
    try {
        (void)readImageInfo(path);
        return "none";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::fileDamaged) << error.what();
        return error.what();
    }
}

TEST(TiffTruncated, IsSaidInBytes) {
    const TempDir dir;
    HandmadeTiff made{.width = 200, .height = 200};
    made.strip.assign(40000, 'x');
    const std::string whole = made.bytes();
    writeBytes(dir / "cut.tif", whole.substr(0, 20000));
    const std::string expected = "the file is cut off: it has 20,000 of at least 40,134 bytes; copy it again";
    EXPECT_THAT(infoFailure(dir / "cut.tif"), ::testing::HasSubstr(expected));
    std::string message;
    EXPECT_EQ(readFailure(dir / "cut.tif", {}, &message), ErrorCode::fileDamaged);
    EXPECT_THAT(message, ::testing::EndsWith("cut.tif: " + expected));

    // libtiff writes the directory after the pixels.
    writeVariant(dir / "whole.tif", {.width = 200, .height = 200}, {testSamples(40000, 8)});
    writeBytes(dir / "cut.tif", readBytes(dir / "whole.tif").substr(0, 20000));
    EXPECT_THAT(infoFailure(dir / "cut.tif"),
                ::testing::HasSubstr("the file is cut off: it has 20,000 of at least 40,"));

    // An offset far outside is not a truncation.
    made.strip.assign(40000, 'x');
    std::string wrong = made.bytes();
    for (std::size_t entry = 10; entry < 130; entry += 12) {
        if (wrong[entry] == '\x11' && wrong[entry + 1] == '\x01') { // StripOffsets
            wrong[entry + 11] = '\x40';
        }
    }
    writeBytes(dir / "wrong.tif", wrong);
    EXPECT_EQ(readFailure(dir / "wrong.tif", {}, &message), ErrorCode::fileDamaged);
    EXPECT_THAT(message, ::testing::HasSubstr("lies outside the file"));
}

TEST(TiffDamaged, ClaimsAreComparedWithTheFileBeforeAnyPixelIsRead) {
    const TempDir dir;
    for (const std::uint32_t compression : {COMPRESSION_NONE, COMPRESSION_LZW}) {
        HandmadeTiff made{.width = 65536, .height = 65536, .compression = compression};
        made.strip = "abcd";
        std::string bytes = made.bytes();
        if (compression == COMPRESSION_NONE) {
            writeBytes(dir / "one.tif", bytes);
            EXPECT_THAT(infoFailure(dir / "one.tif"), ::testing::HasSubstr("one.tif: "));
        }
        for (std::size_t entry = 10; entry < 130; entry += 12) {
            if (bytes[entry] == '\x16' && bytes[entry + 1] == '\x01') { // RowsPerStrip
                bytes.replace(entry + 8, 4, std::string("\x01\0\0\0", 4));
            }
        }
        writeBytes(dir / "many.tif", bytes);
        EXPECT_THAT(infoFailure(dir / "many.tif"), ::testing::HasSubstr("65536 strips are needed"));
    }
    // Omitted blocks take no space.
    std::vector<std::uint32_t> skipped(200);
    std::iota(skipped.begin(), skipped.end(), 7);
    writeVariant(dir / "sparse.tif", {.width = 256, .height = 256, .tile = 16, .skipped = skipped},
                 {testSamples(65536, 8)});
    ASSERT_LT(std::filesystem::file_size(dir / "sparse.tif"), 65536U);
    EXPECT_EQ(readImageInfo(dir / "sparse.tif").width, 256U);
}

TEST(TiffDamaged, GarbageInTheStreamNeverCrashes) {
    const TempDir dir;
    std::mt19937 random(7);
    for (const std::uint16_t compression : std::initializer_list<std::uint16_t>{
             COMPRESSION_LZW, COMPRESSION_ADOBE_DEFLATE, COMPRESSION_PACKBITS, COMPRESSION_CCITTFAX4}) {
        for (int round = 0; round < 200; ++round) {
            HandmadeTiff made{.bits = compression == COMPRESSION_CCITTFAX4 ? 1U : 8U, .compression = compression};
            for (int i = 0; i < 64; ++i) {
                made.strip += static_cast<char>(random());
            }
            writeBytes(dir / "garbage.tif", made.bytes());
            (void)readFailure(dir / "garbage.tif");
        }
    }
}

TEST(TiffDamaged, FlippedBytesInTheTagsNeverCrash) {
    const TempDir dir;
    std::mt19937 random(11);
    HandmadeTiff made;
    made.strip.assign(256, 'x');
    const std::string good = made.bytes();
    for (std::size_t at = 4; at < good.size() - made.strip.size(); ++at) {
        for (int round = 0; round < 8; ++round) {
            std::string bad = good;
            bad[at] = static_cast<char>(random());
            writeBytes(dir / "flipped.tif", bad);
            (void)readFailure(dir / "flipped.tif");
        }
    }
}

TEST(TiffDamaged, ALoopOfDirectoriesEnds) {
    const TempDir dir;
    HandmadeTiff made;
    made.nextDirectory = 8; // itself
    made.strip.assign(256, 'x');
    writeBytes(dir / "loop.tif", made.bytes());
    const LoadedImage loaded = readImage(dir / "loop.tif");
    EXPECT_EQ(loaded.info.pages, 1);
    EXPECT_EQ(loaded.image->level(0), 'x');
    ReadOptions second;
    second.page = 1;
    EXPECT_EQ(readFailure(dir / "loop.tif", second), ErrorCode::invalidArgument);
}

TEST(TiffDamaged, ABrokenChainStillGivesTheFirstPage) {
    const TempDir dir;
    HandmadeTiff made;
    made.nextDirectory = 100000;
    made.strip.assign(256, 'x');
    writeBytes(dir / "chain.tif", made.bytes());
    const LoadedImage loaded = readImage(dir / "chain.tif");
    EXPECT_EQ(loaded.info.pages, 1);
    ASSERT_EQ(loaded.info.notes.size(), 1U);
    EXPECT_EQ(loaded.info.notes[0], "the list of pages is damaged after page 0");
}

struct Refusal {
    const char* name;
    HandmadeTiff made;
    ErrorCode code;
    const char* says;
};

class TiffRefusal : public ::testing::TestWithParam<Refusal> {};

TEST_P(TiffRefusal, IsClearAndFast) {
    const TempDir dir;
    HandmadeTiff made = GetParam().made;
    if (made.strip.empty()) {
        made.strip.assign(58000, '\0');
    }
    writeBytes(dir / "bad.tif", made.bytes());
    const double start = testing::processorSeconds();
    std::string message;
    EXPECT_EQ(readFailure(dir / "bad.tif", {}, &message), GetParam().code);
    EXPECT_LT(testing::processorSeconds() - start, 0.5);
    EXPECT_NE(message.find(GetParam().says), std::string::npos) << message;
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, TiffRefusal,
    ::testing::Values(
        Refusal{"Bomb",
                {.width = 60000, .height = 60000, .compression = COMPRESSION_ADOBE_DEFLATE},
                ErrorCode::limitExceeded,
                "3.6 GB"},
        Refusal{"UncompressedClaim", {.width = 60000, .height = 60000}, ErrorCode::fileDamaged, "58 kB"},
        Refusal{"TooManyPixels",
                {.width = 100000, .height = 100000, .compression = COMPRESSION_LZW},
                ErrorCode::limitExceeded,
                "4294967295"},
        Refusal{"ManySamples", {.samples = 65535}, ErrorCode::limitExceeded, "65535 samples"},
        Refusal{"TooWideSamples", {.bits = 128}, ErrorCode::formatUnsupported, "128-bit unsigned"},
        Refusal{
            "OddFloat", {.bits = 40, .sampleFormat = SAMPLEFORMAT_IEEEFP}, ErrorCode::formatUnsupported, "floating"},
        Refusal{"Complex", {.sampleFormat = SAMPLEFORMAT_COMPLEXINT}, ErrorCode::formatUnsupported, "complex"},
        Refusal{"WideCmyk",
                {.bits = 32, .samples = 4, .photometric = PHOTOMETRIC_SEPARATED},
                ErrorCode::formatUnsupported,
                "CMYK"},
        Refusal{"ItuLab", {.samples = 3, .photometric = PHOTOMETRIC_ITULAB}, ErrorCode::formatUnsupported, "Lab"},
        Refusal{"UnknownColours", {.photometric = 4711}, ErrorCode::formatUnsupported, "4711"},
        Refusal{"LogWithoutItsCodec", {.photometric = PHOTOMETRIC_LOGL}, ErrorCode::formatUnsupported, "LogL"},
        Refusal{"UnknownCodec", {.compression = 12345}, ErrorCode::formatUnsupported, "12345"},
        Refusal{"OldJpeg", {.compression = COMPRESSION_OJPEG}, ErrorCode::fileDamaged, ""},
        Refusal{"Jpeg12", {.bits = 12, .compression = COMPRESSION_JPEG}, ErrorCode::formatUnsupported, "12-bit JPEG"},
        Refusal{"NoPalette", {.bits = 4, .photometric = PHOTOMETRIC_PALETTE}, ErrorCode::fileDamaged, ""},
        Refusal{
            "StripOutside", {.compression = COMPRESSION_LZW, .stripBytes = 99999}, ErrorCode::fileDamaged, "strip 0"},
        Refusal{"NoWidth", {.width = 0}, ErrorCode::fileDamaged, ""},
        Refusal{"NoBits", {.bits = 0}, ErrorCode::fileDamaged, ""}),
    [](const auto& refusal) { return refusal.param.name; });

TEST(TiffLimits, AreKeptBeforeMemoryIsTaken) {
    const TempDir dir;
    TiffVariant v{.width = 100, .height = 100, .bits = 16, .compression = COMPRESSION_LZW};
    writeVariant(dir / "image.tif", v, {testSamples(v.sampleCount(), 16)});
    ReadOptions options;
    options.limits.maxPixels = 9999;
    EXPECT_EQ(readFailure(dir / "image.tif", options), ErrorCode::limitExceeded);
    options.limits.maxPixels = 10000;
    EXPECT_EQ(readFailure(dir / "image.tif", options), std::nullopt);
    options.limits.maxDecodedBytes = 19999;
    EXPECT_EQ(readFailure(dir / "image.tif", options), ErrorCode::limitExceeded);
    options.limits.maxDecodedBytes = 20000;
    EXPECT_EQ(readFailure(dir / "image.tif", options), std::nullopt);
}

} // namespace

} // namespace pollard::test
