#include "io/write/image_writer.hpp"

#include "base/error.hpp"
#include "io/image_file.hpp"
#include "io/write/planes.hpp"
#include "recipe/results/result_file.hpp"
#include "support/temp_dir.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace pollard {
namespace {

using test::TempDir;
using ::testing::HasSubstr;

/// A ramp, larger than a piece if asked.
Image rampOf(PixelType type, std::uint32_t width, std::uint32_t height) {
    Image image(type, width, height);
    const std::uint32_t most = type == PixelType::u8 ? 255 : 65535;
    for (std::size_t i = 0; i < image.pixelCount(); ++i) {
        const auto level = static_cast<std::uint16_t>(std::uint64_t{most} * i / (image.pixelCount() - 1));
        dispatch(type, [&]<class T>(T) { image.pixels<T>()[i] = static_cast<T>(level); });
    }
    return image;
}

std::string refusalToWrite(const std::filesystem::path& path, const Planes& planes) {
    try {
        writeResult(path, planes, {});
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::invalidArgument);
        return error.what();
    }
    return "written";
}

TEST(ImageWriter, WritesPngOfEightAndSixteenBits) {
    const TempDir dir;
    for (const PixelType type : {PixelType::u8, PixelType::u16}) {
        const Image image = rampOf(type, 1501, 1999); // 16 bits: several pieces
        PlaneFacts facts;
        facts.scene.pixelSize = PixelSize{0.5, 0.5, "µm", "test", false};
        writeResult(dir / "r.png", {image, facts}, {});
        const LoadedImage read = readImage(dir / "r.png");
        EXPECT_EQ(read.info.format, "PNG");
        EXPECT_EQ(read.info.bits, type == PixelType::u8 ? 8 : 16);
        EXPECT_EQ(read.info.samples, 1);
        ASSERT_EQ(read.image->type(), type);
        ASSERT_EQ(read.image->pixelCount(), image.pixelCount());
        for (std::size_t i = 0; i < image.pixelCount(); ++i) {
            ASSERT_EQ(read.image->level(i), image.level(i)) << i;
        }
    }
}

TEST(ImageWriter, WritesJpegOfEightBitsNearly) {
    const TempDir dir;
    const Image image = rampOf(PixelType::u8, 300, 200);
    for (const char* name : {"r.jpg", "r.JPEG"}) {
        writeResult(dir / name, image, {});
        const LoadedImage read = readImage(dir / name);
        EXPECT_EQ(read.info.format, "JPEG");
        EXPECT_EQ(read.info.samples, 1);
        ASSERT_EQ(read.image->pixelCount(), image.pixelCount());
        for (std::size_t i = 0; i < image.pixelCount(); ++i) {
            ASSERT_LE(std::abs(read.image->level(i) - image.level(i)), 4) << i;
        }
    }
}

TEST(ImageWriter, WritesColoursAsJpeg) {
    const TempDir dir;
    EXPECT_EQ(rgbFormatOf("a.JPG"), RgbFormat::jpeg);
    EXPECT_EQ(rgbFormatOf("a.tiff"), RgbFormat::tiff);
    EXPECT_EQ(rgbFormatOf("a.png"), RgbFormat::png);
    const auto writer = makeRgbWriter(dir / "c.jpg", RgbFormat::jpeg, 64, 48);
    std::vector<std::uint8_t> rgb;
    for (int i = 0; i < 64 * 48; ++i) {
        rgb.insert(rgb.end(), {200, 40, 90});
    }
    writer->write(rgb);
    EXPECT_FALSE(std::filesystem::exists(dir / "c.jpg")) << "before it is complete";
    writer->finish();
    const int expected[] = {200, 40, 90};
    for (int sample = 0; sample < 3; ++sample) {
        ReadOptions options;
        options.channel = {ChannelChoice::Kind::sample, sample};
        EXPECT_NEAR(readImage(dir / "c.jpg", options).image->level(100), expected[sample], 3) << sample;
    }
}

TEST(ImageWriter, RefusesValuesThatTheFormatDoesNotHold) {
    const TempDir dir;
    const Image bytes = rampOf(PixelType::u8, 9, 7);
    const Image words = rampOf(PixelType::u16, 9, 7);
    EXPECT_THAT(refusalToWrite(dir / "r.jpg", words), HasSubstr("unsigned values of 16 bits, but JPEG holds"));
    EXPECT_THAT(refusalToWrite(dir / "r.jpg", words), HasSubstr("write .tif or .png"));
    PlaneFacts marks;
    marks.means = false;
    EXPECT_THAT(refusalToWrite(dir / "r.jpg", {bytes, marks}), HasSubstr("labels or a mask"));
    EXPECT_EQ(refusalToWrite(dir / "mask.png", {bytes, marks}), "written");
    const std::vector<float> reals(63, 0.5F);
    EXPECT_THAT(refusalToWrite(dir / "r.png", pixelRowsOf(reals.data(), {9, 7}, ValueType::f32)),
                HasSubstr("floating-point values of 32 bits"));
    PlaneFacts shifted;
    shifted.scale.intercept = -1024; // values below 0
    EXPECT_THAT(refusalToWrite(dir / "r.png", {words, shifted}), HasSubstr("signed values of"));
    EXPECT_THAT(refusalToWrite(dir / "r.png", pixelRowsOf(bytes.data(), {3, 7, 3}, ValueType::u8)),
                HasSubstr("one slice"));
    EXPECT_EQ(dir.entries(), 1U) << "nothing but the mask";
    EXPECT_TRUE(holdsValues("a.png", 16, false));
    EXPECT_FALSE(holdsValues("a.png", 32, true));
    EXPECT_FALSE(holdsValues("a.jpg", 8, false));
}

} // namespace
} // namespace pollard
