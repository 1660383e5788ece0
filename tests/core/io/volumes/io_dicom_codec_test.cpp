#include "core/io/io_jp2_variants.hpp"
#include "core/io/io_volume_support.hpp"
#include "core/io/volumes/dicom_encoder.hpp"
#include "core/io/volumes/dicom_files.hpp"

namespace pollard::test {

namespace {

using ::testing::HasSubstr;

constexpr const char* kRle = "1.2.840.10008.1.2.5";
constexpr const char* kJpeg = "1.2.840.10008.1.2.4.50";
constexpr const char* kLosslessJpeg = "1.2.840.10008.1.2.4.70";
constexpr const char* kJpegLs = "1.2.840.10008.1.2.4.80";
constexpr const char* kJpeg2000 = "1.2.840.10008.1.2.4.90";

/// Images that become smaller: DCMTK's encoder of JPEG-LS writes past its buffer where a frame becomes larger.
DicomFile smooth(int bits, bool isSigned, int frames) {
    std::string pixels;
    for (int i = 0; i < 19 * 11 * frames; ++i) {
        const int value =
            (i % 19 / 4 * 5 + i / 19 % 11 * 3 + i / 209 * 20) * (bits > 8 ? 100 : 1) - (isSigned ? 50 : 0);
        pixels += bits > 8 ? bytesOfNumber(static_cast<std::uint16_t>(value), false)
                           : std::string(1, static_cast<char>(value));
    }
    DicomFile file = dicomImage(19, 11, bits, isSigned, pixels, frames);
    return file.text(0x00280008, "IS", std::to_string(frames));
}

std::vector<std::vector<std::uint16_t>> pagesOf(const std::filesystem::path& path) {
    std::vector<std::vector<std::uint16_t>> pages;
    ReadOptions options;
    for (const int count = readImageInfo(path).pages; options.page < count; ++options.page) {
        pages.push_back(levelsOf(*readImage(path, options).image));
    }
    return pages;
}

TEST(DicomCodec, LosslessSyntaxesKeepEverySample) {
    const TempDir dir;
    for (const int bits : {8, 16}) {
        for (const bool isSigned : {false, true}) {
            for (const int frames : {1, 3}) {
                const DicomFile file = smooth(bits, isSigned, frames);
                writeBytes(dir / "plain.dcm", file.bytes());
                const auto pages = pagesOf(dir / "plain.dcm");
                for (const auto& [syntax, name] : {std::pair{kRle, "RLE"}, std::pair{kLosslessJpeg, "lossless JPEG"},
                                                   std::pair{kJpegLs, "JPEG-LS"}}) {
                    SCOPED_TRACE(::testing::Message() << name << ' ' << bits << isSigned << frames);
                    writeBytes(dir / "packed.dcm", encodedDicom(file.bytes(), syntax));
                    EXPECT_EQ(readImageInfo(dir / "packed.dcm").compression, name);
                    EXPECT_EQ(pagesOf(dir / "packed.dcm"), pages);
                }
            }
        }
    }
}

TEST(DicomCodec, ColoursAreThoseOfPlainPixels) {
    const TempDir dir;
    DicomFile file = smooth(8, false, 3);
    file.number(0x00280002, 3).text(0x00280004, "CS", "RGB").number(0x00280006, 0).text(0x00280008, "IS", "1");
    writeBytes(dir / "plain.dcm", file.bytes());
    for (const char* syntax : {kRle, kLosslessJpeg, kJpegLs, kJpeg}) {
        writeBytes(dir / "packed.dcm", encodedDicom(file.bytes(), syntax));
        for (const int sample : {0, 1, 2}) {
            const auto wanted = levelsOf(*readImage(dir / "plain.dcm", withChannel(sample)).image);
            const auto found = levelsOf(*readImage(dir / "packed.dcm", withChannel(sample)).image);
            double difference = 0;
            for (std::size_t i = 0; i < wanted.size(); ++i) {
                difference += std::abs(static_cast<double>(wanted[i]) - found[i]) / static_cast<double>(wanted.size());
            }
            EXPECT_LE(difference, syntax == kJpeg ? 40.0 : 0.0) << syntax << sample;
        }
    }
}

TEST(DicomCodec, BaselineJpegIsNear) {
    const TempDir dir;
    std::string pixels;
    for (int i = 0; i < 32 * 16; ++i) {
        pixels += static_cast<char>(i % 32 * 5 + i / 32);
    }
    const DicomFile file = dicomImage(32, 16, 8, false, pixels);
    writeBytes(dir / "j.dcm", encodedDicom(file.bytes(), kJpeg));
    const LoadedImage loaded = readImage(dir / "j.dcm");
    for (std::size_t i = 0; i < pixels.size(); ++i) {
        ASSERT_NEAR(loaded.image->level(i), static_cast<unsigned char>(pixels[i]), 4);
    }
    EXPECT_EQ(loaded.info.compression, "JPEG");
}

std::string jpeg2000(const TempDir& dir, const Jp2Variant& variant) {
    writeJp2(dir / "f.j2k", variant, [&](int component, std::uint32_t x, std::uint32_t y) {
        return static_cast<int>(x * 3 + y * 2) + component * 20 - (variant.isSigned ? 100 : 0);
    });
    return readBytes(dir / "f.j2k");
}

TEST(DicomCodec, ReadsJpeg2000) {
    const TempDir dir;
    for (const int bits : {8, 12, 16}) {
        for (const bool isSigned : {false, true}) {
            const std::string frame =
                jpeg2000(dir, {.width = 40, .height = 33, .bits = bits, .isSigned = isSigned, .codestream = true});
            DicomFile file = dicomImage(40, 33, bits > 8 ? 16 : 8, isSigned, "", 2);
            file.number(0x00280101, bits).number(0x00280102, bits - 1).fragments({frame, frame});
            file.syntax = kJpeg2000;
            writeBytes(dir / "j.dcm", file.bytes());
            ReadOptions options;
            options.page = 1;
            const LoadedImage loaded = readImage(dir / "j.dcm", options);
            for (std::uint32_t i = 0; i < 1320; ++i) {
                const double value =
                    loaded.info.mapping ? loaded.info.mapping->valueOf(loaded.image->level(i)) : loaded.image->level(i);
                ASSERT_EQ(value, static_cast<int>(i % 40 * 3 + i / 40 * 2) - (isSigned ? 100 : 0)) << bits;
            }
        }
    }
    const std::string colours =
        jpeg2000(dir, {.width = 40, .height = 33, .components = 3, .space = OPJ_CLRSPC_SRGB, .codestream = true});
    DicomFile file = dicomImage(40, 33, 8, false, "");
    file.number(0x00280002, 3).text(0x00280004, "CS", "YBR_RCT").number(0x00280006, 0).fragments({colours});
    file.syntax = kJpeg2000;
    writeBytes(dir / "c.dcm", file.bytes());
    EXPECT_EQ(readImage(dir / "c.dcm", withChannel(2)).image->level(41), 3 + 2 + 40);
}

TEST(DicomCodec, FragmentsMakeUpFrames) {
    const TempDir dir;
    const std::string frame = jpeg2000(dir, {.width = 40, .height = 33, .codestream = true});
    const std::string first = frame.substr(0, 40);
    const std::string rest = frame.substr(40);
    DicomFile file = dicomImage(40, 33, 8, false, "");
    file.syntax = kJpeg2000;
    const auto level = [&](int page) {
        writeBytes(dir / "f.dcm", file.bytes());
        ReadOptions options;
        options.page = page;
        return readImage(dir / "f.dcm", options).image->level(41);
    };
    file.fragments({first, rest});
    EXPECT_EQ(level(0), 5);
    file.text(0x00280008, "IS", "2")
        .fragments({first, rest, first, rest},
                   bytesOfNumbers<std::uint32_t>(std::vector<std::uint32_t>{
                       0, static_cast<std::uint32_t>(16 + 40 + rest.size() + rest.size() % 2)}));
    EXPECT_EQ(level(1), 5);
    const auto refuse = [&](const char* part) {
        writeBytes(dir / "f.dcm", file.bytes());
        std::string message;
        EXPECT_EQ(readFailure(dir / "f.dcm", {}, &message), ErrorCode::fileDamaged);
        EXPECT_THAT(message, HasSubstr(part));
    };
    file.fragments({first, rest, frame});
    refuse("3 fragments do not make 2 frames");
    file.fragments({first, rest, frame}, std::string(8, '\0'));
    refuse("table of frames does not agree");
    file.fragments({first, rest, frame}, bytesOfNumbers<std::uint32_t>(std::vector<std::uint32_t>{0, 5}));
    refuse("table of frames does not agree");
}

TEST(DicomCodec, FramesOfAnotherSizeAreRefused) {
    const TempDir dir;
    const auto refuse = [&](std::string bytes, std::uint32_t tag, int value, const char* part) {
        const std::string key = dicomTag(tag) + "US";
        const std::size_t at = bytes.find(key);
        ASSERT_NE(at, std::string::npos);
        bytes.replace(at + 8, 2, bytesOfNumber(static_cast<std::uint16_t>(value), false));
        writeBytes(dir / "s.dcm", bytes);
        std::string message;
        EXPECT_EQ(readFailure(dir / "s.dcm", {}, &message), ErrorCode::fileDamaged);
        EXPECT_THAT(message, HasSubstr(part));
    };
    const std::string plain = smooth(8, false, 1).bytes();
    for (const char* syntax : {kLosslessJpeg, kJpegLs, kJpeg}) {
        const std::string packed = encodedDicom(plain, syntax);
        refuse(packed, 0x00280010, 12, "a JPEG frame of 19 x 11");
        refuse(packed, 0x00280011, 65535, "a JPEG frame of 19 x 11");
    }
    refuse(encodedDicom(plain, kRle), 0x00280010, 12, "a frame in RLE has not the bytes");
    DicomFile file = dicomImage(40, 33, 8, false, "");
    file.fragments({jpeg2000(dir, {.width = 40, .height = 33, .codestream = true})}).syntax = kJpeg2000;
    refuse(file.bytes(), 0x00280010, 7, "a JPEG 2000 frame of 40 x 33");
    file.fragments({"no such stream"});
    refuse(file.bytes(), 0x00280010, 33, "does not start as JPEG 2000");
}

TEST(DicomCodec, EveryPrefixIsRefusedOrRight) {
    const TempDir dir;
    for (const char* syntax : {kRle, kLosslessJpeg, kJpegLs}) {
        expectPrefixesRefused(dir, "p.dcm", encodedDicom(smooth(8, false, 2).bytes(), syntax));
    }
    DicomFile file = dicomImage(40, 33, 8, false, "");
    file.fragments({jpeg2000(dir, {.width = 40, .height = 33, .codestream = true})}).syntax = kJpeg2000;
    expectPrefixesRefused(dir, "j.dcm", file.bytes());
}

/// Any byte of the pixels may be wrong: the image has its size, or there is one error.
TEST(DicomCodec, DamagedStreamsEnd) {
    const TempDir dir;
    for (const char* syntax : {kRle, kLosslessJpeg, kJpegLs, kJpeg}) {
        const std::string packed = encodedDicom(smooth(8, false, 1).bytes(), syntax);
        const std::size_t pixels = packed.find(dicomTag(0x7fe00010));
        for (std::size_t at = pixels; at < packed.size(); ++at) {
            for (const char byte : {'\0', '\xff', '\x5a'}) {
                std::string damaged = packed;
                damaged[at] = byte;
                writeBytes(dir / "d.dcm", damaged);
                try {
                    EXPECT_EQ(readImage(dir / "d.dcm").image->pixelCount(), 19 * 11);
                } catch (const Error& error) {
                    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
                }
            }
        }
    }
}

} // namespace

} // namespace pollard::test
