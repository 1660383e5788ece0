#include "analysis/maxima.hpp"

#include "base/error.hpp"
#include "support/naive_watershed.hpp"
#include "support/random_images.hpp"
#include "support/random_volumes.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <vector>

namespace pollard {
namespace {

using testing::naiveNeighbours;
using testing::Random;
using testing::randomImage;
using testing::randomVolume;

/// The pixels at @p level or above that are connected with @p pixel.
std::vector<std::uint32_t> componentAt(const Image& image, const Mask& inside, std::uint32_t pixel, int level,
                                       Connectivity connectivity) {
    std::vector<std::uint32_t> component{pixel};
    for (std::size_t i = 0; i != component.size(); ++i) {
        for (const std::uint32_t other : naiveNeighbours(component[i], image.extent(), connectivity)) {
            if (image.level(other) >= level && inside.test(other % image.width(), other / image.width()) &&
                std::ranges::find(component, other) == component.end()) {
                component.push_back(other);
            }
        }
    }
    return component;
}

/// The definition, level by level.
std::vector<RegionalMaximum> naiveMaxima(const Image& image, const Mask& inside, Connectivity connectivity) {
    std::vector<RegionalMaximum> maxima;
    for (std::uint32_t p = 0; p != image.pixelCount(); ++p) {
        if (!inside.test(p % image.width(), p / image.width())) {
            continue;
        }
        const std::vector<std::uint32_t> flat = componentAt(image, inside, p, image.level(p), connectivity);
        const auto isSame = [&](std::uint32_t q) { return image.level(q) == image.level(p); };
        if (!std::ranges::all_of(flat, isSame) || std::ranges::min(flat) != p) {
            continue;
        }
        const auto levelOf = [&](std::uint32_t q) { return image.level(q); };
        const auto whole = componentAt(image, inside, p, 0, connectivity);
        const std::uint16_t lowest = levelOf(std::ranges::min(whole, {}, levelOf));
        const auto isHigher = [&](std::uint32_t q) { return image.level(q) > image.level(p) || (isSame(q) && q < p); };
        int saddle = image.level(p);
        while (saddle > lowest && std::ranges::none_of(componentAt(image, inside, p, saddle, connectivity), isHigher)) {
            --saddle;
        }
        maxima.push_back(
            {p, image.level(p), static_cast<std::uint16_t>(saddle), lowest, std::ranges::none_of(whole, isHigher)});
    }
    return maxima;
}

Image withFewLevels(const Image& image) {
    Image few(PixelType::u8, image.extent());
    for (std::size_t p = 0; p != image.pixelCount(); ++p) {
        few.pixels<std::uint8_t>()[p] = static_cast<std::uint8_t>(image.level(p) % 7);
    }
    return few;
}

Mask randomInside(Random& random, const Image& image) {
    Mask mask(image.width(), static_cast<std::uint32_t>(image.extent().rows()), true);
    for (std::uint32_t y = 0; y != mask.height(); ++y) {
        for (std::uint32_t x = 0; x != mask.width(); ++x) {
            mask.set(x, y, random() % 4 != 0);
        }
    }
    return mask;
}

TEST(RegionalMaxima, FollowTheirDefinition) {
    Random random(510);
    for (int i = 0; i != 600; ++i) {
        const Image image = withFewLevels(*randomImage(random, 1 + random() % 8, 1 + random() % 8));
        const Mask inside = randomInside(random, image);
        const Connectivity connectivity = i % 2 == 0 ? Connectivity::four : Connectivity::eight;
        ASSERT_EQ(regionalMaxima(image, &inside, connectivity), naiveMaxima(image, inside, connectivity))
            << text(image.extent());
    }
}

TEST(RegionalMaxima, FollowTheirDefinitionInVolumes) {
    Random random(511);
    constexpr Connectivity kAll[] = {Connectivity::six, Connectivity::eighteen, Connectivity::twentySix};
    for (int i = 0; i != 300; ++i) {
        const Image image = withFewLevels(*randomVolume(random, {1 + random() % 4, 1 + random() % 4, 3}));
        const Mask inside = randomInside(random, image);
        const Connectivity connectivity = kAll[i % 3];
        ASSERT_EQ(regionalMaxima(image, &inside, connectivity), naiveMaxima(image, inside, connectivity));
    }
}

TEST(RegionalMaxima, MinimaAreMaximaOfTheNegative) {
    Random random(512);
    for (int i = 0; i != 50; ++i) {
        const auto image = randomImage(random, 40, 30);
        Image negative(image->type(), image->extent());
        dispatch(image->type(), [&]<class Level>(Level) {
            for (std::size_t p = 0; p != image->pixelCount(); ++p) {
                negative.pixels<Level>()[p] = static_cast<Level>(~image->pixels<Level>()[p]);
            }
        });
        EXPECT_EQ(regionalMaxima(*image, nullptr, Connectivity::four, false),
                  regionalMaxima(negative, nullptr, Connectivity::four, true));
    }
}

TEST(RegionalMaxima, RefuseAMaskOfAnotherSize) {
    const Image image(PixelType::u8, 3, 3);
    const Mask inside(4, 3, true);
    EXPECT_THROW((void)regionalMaxima(image, &inside, Connectivity::four), Error);
}

} // namespace
} // namespace pollard
