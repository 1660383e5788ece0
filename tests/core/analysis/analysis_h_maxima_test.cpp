// h-maxima and h-minima against reconstruction by iterated geodesic dilation.

#include "analysis/h_maxima.hpp"
#include "base/error.hpp"
#include "support/engines.hpp"
#include "support/random_images.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

namespace pollard::testing {
namespace {

class HMaxima : public EveryTree {};

/// Calls visit(q) for the neighbours of pixel p.
template <class Visit>
void forEachNeighbour(const Image& image, std::size_t p, Connectivity connectivity, Visit&& visit) {
    const int width = static_cast<int>(image.width());
    const int height = static_cast<int>(image.height());
    const int x = static_cast<int>(p) % width;
    const int y = static_cast<int>(p) / width;
    for (int dy = -1; dy <= 1; ++dy) {
        for (int dx = -1; dx <= 1; ++dx) {
            const bool diagonal = dx != 0 && dy != 0;
            if ((dx == 0 && dy == 0) || (diagonal && connectivity == Connectivity::four) || x + dx < 0 ||
                x + dx >= width || y + dy < 0 || y + dy >= height) {
                continue;
            }
            visit(static_cast<std::size_t>((y + dy) * width + x + dx));
        }
    }
}

/// Dilates f - h under f until stable; for the min-tree all levels are subtracted from the largest.
std::vector<int> naiveHMaxima(const Image& image, int h, TreeKind kind, Connectivity connectivity) {
    const int largest = maxLevelOf(image.type());
    const auto flipped = [&](int level) { return kind == TreeKind::max ? level : largest - level; };
    std::vector<int> marker(image.pixelCount());
    for (std::size_t p = 0; p < marker.size(); ++p) {
        marker[p] = std::max(0, flipped(image.level(p)) - h);
    }
    for (bool moved = true; moved;) {
        moved = false;
        for (std::size_t p = 0; p < marker.size(); ++p) {
            int highest = marker[p];
            forEachNeighbour(image, p, connectivity, [&](std::size_t q) { highest = std::max(highest, marker[q]); });
            highest = std::min(highest, flipped(image.level(p)));
            moved = moved || highest != marker[p];
            marker[p] = highest;
        }
    }
    for (int& level : marker) {
        level = flipped(level);
    }
    return marker;
}

/// Regional maxima (min-tree: minima) by flood filling plateaus.
std::uint64_t naiveMaxima(const Image& shape, const std::vector<int>& levels, TreeKind kind,
                          Connectivity connectivity) {
    std::vector<bool> seen(levels.size(), false);
    std::uint64_t count = 0;
    for (std::size_t start = 0; start < levels.size(); ++start) {
        if (seen[start]) {
            continue;
        }
        bool maximal = true;
        std::vector<std::size_t> plateau{start};
        seen[start] = true;
        for (std::size_t k = 0; k < plateau.size(); ++k) {
            forEachNeighbour(shape, plateau[k], connectivity, [&](std::size_t q) {
                const int above = kind == TreeKind::max ? levels[q] - levels[start] : levels[start] - levels[q];
                maximal = maximal && above <= 0;
                if (above == 0 && !seen[q]) {
                    seen[q] = true;
                    plateau.push_back(q);
                }
            });
        }
        count += maximal ? 1 : 0;
    }
    return count;
}

TEST_P(HMaxima, EqualTheReconstruction) {
    Random random(41);
    for (int repeat = 0; repeat < 700; ++repeat) {
        const auto image = randomImage(random, 1 + random() % 14, 1 + random() % 14);
        const auto session = build(image);
        constexpr std::uint16_t kHeights[] = {0, 1, 2, 5, 30, 200, 255, 20000, 65535};
        const std::uint16_t h = kHeights[random() % 9];
        const std::vector<int> expected = naiveHMaxima(*image, h, spec().kind, spec().connectivity);
        Image out(image->type(), image->width(), image->height());
        Image domes(image->type(), image->width(), image->height());
        const HMaximaReport report = hMaxima(*session->tree(), h, Output::filtered, out);
        ASSERT_EQ(hMaxima(*session->tree(), h, Output::residue, domes), report);
        std::uint64_t changed = 0;
        std::uint64_t mass = 0;
        for (std::size_t p = 0; p < expected.size(); ++p) {
            const int lost = std::abs(image->level(p) - expected[p]);
            ASSERT_EQ(out.level(p), expected[p]) << "h = " << h << ", pixel " << p;
            ASSERT_EQ(domes.level(p), lost);
            changed += lost != 0 ? 1 : 0;
            mass += static_cast<std::uint64_t>(lost);
        }
        ASSERT_EQ(report.changedPixels, changed);
        ASSERT_EQ(report.changedMass, mass);
        ASSERT_EQ(report.maxima, naiveMaxima(*image, expected, spec().kind, spec().connectivity));
    }
}

TEST_P(HMaxima, OfHeightZeroAreTheImage) {
    Random random(42);
    const auto image = randomImage(random, 50, 40);
    const auto session = build(image);
    Image out(image->type(), 50, 40);
    const HMaximaReport report = hMaxima(*session->tree(), 0, Output::filtered, out);
    EXPECT_EQ(report.changedPixels, 0U);
    EXPECT_EQ(report.maxima, session->tree()->leafCount);
}

TEST_P(HMaxima, OfADeepTree) {
    const auto image = makeImage(PixelType::u16, 256, 1024, [](auto x, auto y) { return (y * 256 + x) / 4; });
    const auto session = build(image);
    ASSERT_EQ(session->tree()->nodeCount(), 65536U);
    Image out(image->type(), 256, 1024);
    const HMaximaReport report = hMaxima(*session->tree(), 1000, Output::filtered, out);
    EXPECT_EQ(report.changedPixels, 4000U);
    EXPECT_EQ(report.maxima, 1U);
    for (std::size_t p = 0; p < out.pixelCount(); ++p) {
        const int level = static_cast<int>(p / 4);
        ASSERT_EQ(out.level(p), spec().kind == TreeKind::max ? std::min(level, 64535) : std::max(level, 1000));
    }
}

TEST_P(HMaxima, RefuseOtherOutputsAndSizes) {
    const auto image = makeImage(PixelType::u8, 4, 4, [](auto x, auto y) { return x + y; });
    const auto session = build(image);
    Image out(PixelType::u8, 4, 4);
    EXPECT_THROW(hMaxima(*session->tree(), 1, Output::mask, out), Error);
    Image other(PixelType::u8, 5, 4);
    EXPECT_THROW(hMaxima(*session->tree(), 1, Output::filtered, other), Error);
}

POLLARD_FOR_EVERY_TREE(HMaxima);

} // namespace
} // namespace pollard::testing
