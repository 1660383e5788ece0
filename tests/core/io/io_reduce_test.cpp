#include "io/reduce.hpp"

#include "core/io/io_support.hpp"
#include "io/tiff/tiff_writer.hpp"

#include "support/random_images.hpp"

#include <gtest/gtest.h>

namespace pollard::test {
namespace {

using pollard::testing::Random;
using pollard::testing::randomImage;

std::shared_ptr<const Mask> randomMask(Random& random, std::uint32_t width, std::uint32_t height) {
    auto mask = std::make_shared<Mask>(width, height, true);
    for (std::uint32_t y = 0; y < height; ++y) {
        for (std::uint32_t x = 0; x < width; ++x) {
            mask->set(x, y, random() % 3 != 0);
        }
    }
    return mask;
}

bool isValid(const LoadedImage& loaded, std::uint32_t x, std::uint32_t y) {
    return !loaded.valid || loaded.valid->test(x, y);
}

TEST(Crop, TakesThePixelsAndTheMaskOfTheRegion) {
    Random random(3);
    for (int round = 0; round < 200; ++round) {
        const std::uint32_t width = 1 + random() % 90;
        const std::uint32_t height = 1 + random() % 20;
        LoadedImage whole{randomImage(random, width, height), nullptr, {}};
        if (round % 2 == 0) {
            whole.valid = randomMask(random, width, height);
        }
        PixelRegion region{random() % width, random() % height, 0, 0};
        region.width = 1 + random() % (width - region.x);
        region.height = 1 + random() % (height - region.y);
        const LoadedImage part = cropped(whole, region);
        ASSERT_EQ(part.image->type(), whole.image->type());
        ASSERT_EQ(part.image->width(), region.width);
        ASSERT_EQ(part.image->height(), region.height);
        std::uint64_t invalid = 0;
        for (std::uint32_t y = 0; y < region.height; ++y) {
            for (std::uint32_t x = 0; x < region.width; ++x) {
                ASSERT_EQ(part.image->level(std::size_t{y} * region.width + x),
                          whole.image->level(std::size_t{region.y + y} * width + region.x + x));
                ASSERT_EQ(isValid(part, x, y), isValid(whole, region.x + x, region.y + y));
                invalid += isValid(part, x, y) ? 0U : 1U;
            }
        }
        EXPECT_EQ(part.info.invalidPixels, invalid);
        EXPECT_EQ(part.valid == nullptr, invalid == 0);
    }
}

TEST(Crop, RefusesRegionsBeyondThePage) {
    for (const PixelRegion& region :
         {PixelRegion{0, 0, 0, 1}, PixelRegion{0, 0, 1, 0}, PixelRegion{10, 0, 1, 1}, PixelRegion{0, 8, 1, 1},
          PixelRegion{9, 0, 2, 1}, PixelRegion{1, 1, 0xffff'ffffU, 1}, PixelRegion{1, 7, 1, 0xffff'ffffU}}) {
        try {
            (void)checkedRegion(region, 10, 8);
            ADD_FAILURE() << region.x << "," << region.y << "," << region.width << "," << region.height;
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::invalidArgument);
        }
    }
    EXPECT_EQ(checkedRegion({9, 7, 1, 1}, 10, 8), (PixelRegion{9, 7, 1, 1}));
}

TEST(Shrink, TakesTheRoundedMeanOfTheValidPixelsOfEveryBlock) {
    Random random(5);
    for (int round = 0; round < 200; ++round) {
        const std::uint32_t width = 1 + random() % 40;
        const std::uint32_t height = 1 + random() % 40;
        const std::uint32_t factor = 1 + random() % 9;
        LoadedImage whole{randomImage(random, width, height), nullptr, {}};
        whole.info.pixelSize = PixelSize{0.5, 0.25, "µm", "test", false};
        if (round % 2 == 0) {
            whole.valid = randomMask(random, width, height);
        }
        const LoadedImage small = shrunk(whole, static_cast<int>(factor));
        ASSERT_EQ(small.image->width(), (width + factor - 1) / factor);
        ASSERT_EQ(small.image->height(), (height + factor - 1) / factor);
        EXPECT_DOUBLE_EQ(small.info.pixelSize->x, 0.5 * factor);
        EXPECT_DOUBLE_EQ(small.info.pixelSize->y, 0.25 * factor);
        for (std::uint32_t v = 0; v < small.image->height(); ++v) {
            for (std::uint32_t u = 0; u < small.image->width(); ++u) {
                std::vector<std::uint32_t> all;
                std::vector<std::uint32_t> valid;
                for (std::uint32_t y = v * factor; y < std::min(height, (v + 1) * factor); ++y) {
                    for (std::uint32_t x = u * factor; x < std::min(width, (u + 1) * factor); ++x) {
                        all.push_back(whole.image->level(std::size_t{y} * width + x));
                        if (isValid(whole, x, y)) {
                            valid.push_back(all.back());
                        }
                    }
                }
                ASSERT_EQ(isValid(small, u, v), !valid.empty());
                const auto& counted = valid.empty() ? all : valid;
                double sum = 0;
                for (const std::uint32_t level : counted) {
                    sum += level;
                }
                ASSERT_EQ(small.image->level(std::size_t{v} * small.image->width() + u),
                          static_cast<std::uint16_t>(std::floor(sum / static_cast<double>(counted.size()) + 0.5)));
            }
        }
    }
}

TEST(Shrink, TurnsAPictureIntoOnePixel) {
    const auto image = pollard::testing::makeImage(PixelType::u16, 3, 2, [](auto x, auto) { return 65535 - x; });
    const LoadedImage small = shrunk({image, nullptr, {}}, 100);
    ASSERT_EQ(small.image->pixelCount(), 1U);
    EXPECT_EQ(small.image->level(0), 65534);
    EXPECT_THROW((void)shrunk({image, nullptr, {}}, 0), Error);
}

TEST(Reading, CutsAndShrinksEveryFormatAlike) {
    const TempDir dir;
    Random random(11);
    const auto image = randomImage(random, 61, 47);
    writeTiff(dir / "a.tif", *image);
    ReadOptions options;
    options.region = PixelRegion{7, 5, 40, 30};
    options.shrink = 3;
    const LoadedImage read = readImage(dir / "a.tif", options);
    const LoadedImage expected = shrunk(cropped({image, nullptr, {}}, *options.region), 3);
    EXPECT_EQ(levelsOf(*read.image), levelsOf(*expected.image));
    EXPECT_EQ(read.image->width(), 14U);
    EXPECT_EQ(read.info.width, 61U) << "the page keeps its size";

    options.region = PixelRegion{30, 5, 40, 30};
    std::string message;
    EXPECT_EQ(readFailure(dir / "a.tif", options, &message), ErrorCode::invalidArgument);
    EXPECT_NE(message.find("a.tif"), std::string::npos) << message;
    options.region.reset();
    options.shrink = 0;
    EXPECT_EQ(readFailure(dir / "a.tif", options), ErrorCode::invalidArgument);
}

TEST(Reading, StopsWhileItShrinks) {
    Random random(13);
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW((void)shrunk({randomImage(random, 50, 50), nullptr, {}}, 2, JobControl(stop.get_token())), Cancelled);
}

} // namespace
} // namespace pollard::test
