// Erosions and dilations against their definition, and the laws of openings and closings.

#include "operators/flat_operators.hpp"

#include "base/error.hpp"
#include "core/operators/naive_operators.hpp"
#include "operators/structuring_element.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <vector>

namespace pollard::testing {
namespace {

StructuringElement anyElement(Random& random) {
    constexpr double kRadii[] = {0, 1, 1.5, 2, 2.3, 3, 5, 7.1, 30};
    return {random() % 2 == 0 ? OperatorShape::disc : OperatorShape::box, kRadii[random() % 9]};
}

/// max - level for pixels inside.
std::shared_ptr<Image> inverted(const Image& image) {
    return imageBy(image, nullptr, [&](auto p) { return maxLevelOf(image.type()) - image.level(p); });
}

bool isBelow(const Image& low, const Image& high) {
    return std::ranges::equal(levelsOf(low), levelsOf(high), std::less_equal<>());
}

TEST(FlatOperators, EqualTheirDefinition) {
    Random random(1);
    for (int i = 0; i < 600; ++i) {
        const auto image = anyImage(random);
        const auto inside = anyMask(random, *image);
        const StructuringElement element = anyElement(random);
        EXPECT_EQ(levelsOf(erosionOf(*image, element, inside.get(), {})),
                  levelsOf(*naiveErosion(*image, element.shape, element.radius, inside.get())))
            << i;
        EXPECT_EQ(levelsOf(dilationOf(*image, element, inside.get(), {})),
                  levelsOf(*naiveDilation(*image, element.shape, element.radius, inside.get())))
            << i;
    }
}

TEST(FlatOperators, EqualTheirDefinitionBeyondTilesAndBands) {
    Random random(2);
    for (const auto& [width, height] : {std::pair(2300U, 3U), std::pair(3U, 300U), std::pair(1100U, 70U)}) {
        for (const OperatorShape shape : kOperatorShapes) {
            const auto image = makeImage(width == 1100 ? PixelType::u16 : PixelType::u8, width, height,
                                         [&](auto, auto) { return random(); });
            EXPECT_EQ(levelsOf(erosionOf(*image, {shape, 4}, nullptr, {})),
                      levelsOf(*naiveErosion(*image, shape, 4, nullptr)));
            EXPECT_EQ(levelsOf(dilationOf(*image, {shape, 9}, nullptr, {})),
                      levelsOf(*naiveDilation(*image, shape, 9, nullptr)));
        }
    }
}

TEST(FlatOperators, AreDualAndAdjoint) {
    Random random(3);
    for (int i = 0; i < 300; ++i) {
        const auto image = anyImage(random);
        const auto inside = anyMask(random, *image);
        const StructuringElement element = anyElement(random);
        const Image eroded = erosionOf(*image, element, inside.get(), {});
        EXPECT_EQ(levelsOf(*inverted(eroded)), levelsOf(dilationOf(*inverted(*image), element, inside.get(), {})));
        // dilation(f) <= g if and only if f <= erosion(g)
        const auto other = imageBy(*image, nullptr, [&](auto p) {
            return random() % 2 == 0 ? image->level(p) : random() % (maxLevelOf(image->type()) + 1U);
        });
        const Image dilated = dilationOf(*other, element, nullptr, {});
        EXPECT_EQ(isBelow(dilated, *image), isBelow(*other, erosionOf(*image, element, nullptr, {})));
        EXPECT_TRUE(isBelow(*other, erosionOf(dilated, element, nullptr, {})));
    }
}

TEST(FlatOperators, OpenIdempotentlyBelowTheImage) {
    Random random(4);
    for (int i = 0; i < 200; ++i) {
        const auto image = anyImage(random);
        const auto inside = anyMask(random, *image);
        const StructuringElement element = anyElement(random);
        const auto open = [&](const Image& from) {
            return dilationOf(erosionOf(from, element, inside.get(), {}), element, inside.get(), {});
        };
        const Image opened = open(*image);
        EXPECT_TRUE(isBelow(opened, *image));
        EXPECT_EQ(levelsOf(open(opened)), levelsOf(opened));
    }
}

TEST(FlatOperators, StructuringElementsAreExact) {
    const std::vector<Chord> disc = chordsOf(OperatorShape::disc, 5, {}, false);
    std::int64_t pixels = 0;
    for (const Chord& chord : disc) {
        pixels += 2 * chord.half + 1;
    }
    EXPECT_EQ(pixels, 81); // x^2 + y^2 <= 25
    // 0.1 is no binary number: 3 px of 0.1 are not 2.
    EXPECT_EQ(reachAlong(.1 + .1 + .1, .1), 3);
    EXPECT_EQ(reachAlong(.3, .1), 3);
}

TEST(FlatOperators, StopOnRequest) {
    std::stop_source stop;
    stop.request_stop();
    const Image image(PixelType::u8, 50, 50);
    for (const OperatorShape shape : kOperatorShapes) {
        EXPECT_THROW((void)erosionOf(image, {shape, 5}, nullptr, JobControl(stop.get_token())), Cancelled);
    }
}

} // namespace
} // namespace pollard::testing
