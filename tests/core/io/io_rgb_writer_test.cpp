#include "io/image_file.hpp"
#include "io/write/image_writer.hpp"

#include "base/error.hpp"
#include "support/temp_dir.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <vector>

namespace pollard {
namespace {

class RgbWriterFormats : public ::testing::TestWithParam<RgbFormat> {
protected:
    test::TempDir folder;
};

TEST_P(RgbWriterFormats, PiecesOfAnyHeightMakeTheSameImage) {
    constexpr std::uint32_t kWidth = 333;
    constexpr std::uint32_t kHeight = 1000; // several strips
    std::vector<std::uint8_t> rgb(std::size_t{kWidth} * kHeight * 3);
    std::mt19937 random(3);
    for (auto& value : rgb) {
        value = static_cast<std::uint8_t>(random());
    }
    for (const std::size_t rows : {1UL, 7UL, 300UL, 1000UL}) {
        const auto path = folder / "picture";
        auto writer = makeRgbWriter(path, GetParam(), kWidth, kHeight);
        const std::size_t piece = rows * kWidth * 3;
        for (std::size_t at = 0; at < rgb.size(); at += piece) {
            writer->write(std::span(rgb).subspan(at, std::min(piece, rgb.size() - at)));
        }
        EXPECT_FALSE(std::filesystem::exists(path)) << "before it is complete";
        writer->finish();
        for (int sample = 0; sample < 3; ++sample) {
            ReadOptions options;
            options.channel = {ChannelChoice::Kind::sample, sample};
            const LoadedImage loaded = readImage(path, options);
            ASSERT_EQ(loaded.image->width(), kWidth);
            ASSERT_EQ(loaded.image->height(), kHeight);
            for (std::size_t i = 0; i < loaded.image->pixelCount(); ++i) {
                ASSERT_EQ(loaded.image->level(i), rgb[i * 3 + static_cast<std::size_t>(sample)]) << rows << " at " << i;
            }
        }
        std::filesystem::remove(path);
    }
}

TEST_P(RgbWriterFormats, WithoutFinishTheTargetStays) {
    const auto path = folder / "old";
    std::ofstream(path) << "old";
    {
        auto writer = makeRgbWriter(path, GetParam(), 10, 10);
        const std::vector<std::uint8_t> rows(10 * 3 * 5);
        writer->write(rows);
        EXPECT_THROW(writer->finish(), Error) << "half of the rows is missing";
    }
    EXPECT_EQ(std::filesystem::file_size(path), 3U);
    EXPECT_EQ(folder.entries(), 1U);
}

TEST_P(RgbWriterFormats, RefusesWhatIsNoRows) {
    auto writer = makeRgbWriter(folder / "new", GetParam(), 10, 4);
    const std::vector<std::uint8_t> values(10 * 3 * 5);
    EXPECT_THROW(writer->write(std::span(values).first(29)), Error);
    EXPECT_THROW(writer->write(values), Error) << "one row too many";
    EXPECT_THROW(static_cast<void>(makeRgbWriter(folder / "none", GetParam(), 0, 4)), Error);
    EXPECT_THROW(static_cast<void>(makeRgbWriter(folder / "missing" / "new", GetParam(), 4, 4)), Error);
}

std::string formatName(const ::testing::TestParamInfo<RgbFormat>& info) {
    return info.param == RgbFormat::png ? "png" : "tiff";
}

INSTANTIATE_TEST_SUITE_P(Formats, RgbWriterFormats, ::testing::Values(RgbFormat::png, RgbFormat::tiff), formatName);

} // namespace
} // namespace pollard
