// Objects of a mask: labels and measurements against flood filling, outlines against the enclosed pixels.

#include "base/error.hpp"
#include "components/components.hpp"
#include "components/outline_files/outlines.hpp"
#include "components/threshold.hpp"
#include "support/random_images.hpp"

#include <gtest/gtest.h>

#include <tbb/task_arena.h>

#include <algorithm>
#include <map>
#include <set>
#include <stop_token>

namespace pollard::testing {
namespace {

constexpr std::array kConnectivities{Connectivity::four, Connectivity::eight};

/// Blocks of set pixels, noise, or patterns that are hard for labelling.
Mask randomMask(Random& random, std::uint32_t width, std::uint32_t height) {
    Mask mask(width, height, false);
    const std::uint32_t kind = random() % 6;
    const std::uint32_t density = random() % 101;
    const std::uint32_t block = 1 + random() % 4;
    std::map<std::pair<std::uint32_t, std::uint32_t>, bool> drawn;
    for (std::uint32_t y = 0; y < height; ++y) {
        for (std::uint32_t x = 0; x < width; ++x) {
            bool set = false;
            switch (kind) {
            case 0: // checkerboard
                set = (x + y) % 2 == 0;
                break;
            case 1: // concentric rings
                set = std::min({x, y, width - 1 - x, height - 1 - y}) % 2 == 0;
                break;
            case 2: // comb: teeth joined at the bottom
                set = x % 2 == 0 || y + 1 == height;
                break;
            case 3: // serpentine
                set = y % 2 == 0 || x == (y % 4 == 1 ? width - 1 : 0);
                break;
            default: {
                const auto [place, isNew] = drawn.try_emplace({x / block, y / block}, false);
                if (isNew) {
                    place->second = random() % 100 < density;
                }
                set = place->second;
            }
            }
            mask.set(x, y, set);
        }
    }
    return mask;
}

struct NaiveObjects {
    std::vector<std::uint32_t> labels;
    std::vector<std::vector<std::uint32_t>> pixels;
};

/// Flood fills the set (or unset) pixels in raster order.
NaiveObjects flood(const Mask& mask, bool set, bool diagonal) {
    const int width = static_cast<int>(mask.width());
    const int height = static_cast<int>(mask.height());
    NaiveObjects objects;
    objects.labels.assign(static_cast<std::size_t>(width) * static_cast<std::size_t>(height), 0);
    const auto in = [&](int x, int y) {
        return x >= 0 && y >= 0 && x < width && y < height &&
               mask.test(static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y)) == set;
    };
    for (std::uint32_t start = 0; start < objects.labels.size(); ++start) {
        if (objects.labels[start] != 0 || !in(static_cast<int>(start) % width, static_cast<int>(start) / width)) {
            continue;
        }
        std::vector<std::uint32_t> pixels{start};
        const auto label = static_cast<std::uint32_t>(objects.pixels.size() + 1);
        objects.labels[start] = label;
        for (std::size_t k = 0; k < pixels.size(); ++k) {
            const int x = static_cast<int>(pixels[k]) % width;
            const int y = static_cast<int>(pixels[k]) / width;
            for (int dy = -1; dy <= 1; ++dy) {
                for (int dx = -1; dx <= 1; ++dx) {
                    if ((dx != 0 && dy != 0 && !diagonal) || !in(x + dx, y + dy)) {
                        continue;
                    }
                    const auto q = static_cast<std::uint32_t>((y + dy) * width + x + dx);
                    if (objects.labels[q] == 0) {
                        objects.labels[q] = label;
                        pixels.push_back(q);
                    }
                }
            }
        }
        objects.pixels.push_back(std::move(pixels));
    }
    return objects;
}

/// Holes of one object: components of its complement, with a margin around the image, without the outside.
std::uint64_t naiveHoles(const std::vector<std::uint32_t>& pixels, std::uint32_t width, std::uint32_t height,
                         bool diagonal) {
    Mask alone(width + 2, height + 2, false);
    for (const std::uint32_t p : pixels) {
        alone.set(p % width + 1, p / width + 1, true);
    }
    return flood(alone, false, !diagonal).pixels.size() - 1;
}

ComponentRecord naiveRecord(const std::vector<std::uint32_t>& pixels, const Image& grey, bool diagonal) {
    const std::set<std::uint32_t> all(pixels.begin(), pixels.end());
    ComponentRecord record;
    record.left = grey.width();
    record.top = grey.height();
    record.greyMin = 0xffff;
    for (const std::uint32_t p : pixels) {
        const std::uint64_t x = p % grey.width();
        const std::uint64_t y = p / grey.width();
        ++record.area;
        record.left = std::min<std::uint32_t>(record.left, static_cast<std::uint32_t>(x));
        record.top = std::min<std::uint32_t>(record.top, static_cast<std::uint32_t>(y));
        record.right = std::max<std::uint32_t>(record.right, static_cast<std::uint32_t>(x));
        record.bottom = std::max<std::uint32_t>(record.bottom, static_cast<std::uint32_t>(y));
        record.sumX += x;
        record.sumY += y;
        record.sumXX += x * x;
        record.sumXY += x * y;
        record.sumYY += y * y;
        record.greySum += grey.level(p);
        record.greyMin = std::min(record.greyMin, grey.level(p));
        record.greyMax = std::max(record.greyMax, grey.level(p));
        record.perimeter += x == 0 || all.count(p - 1) == 0 ? 1 : 0;
        record.perimeter += x + 1 == grey.width() || all.count(p + 1) == 0 ? 1 : 0;
        record.perimeter += all.count(p - grey.width()) == 0 ? 1 : 0;
        record.perimeter += all.count(p + grey.width()) == 0 ? 1 : 0;
    }
    record.holes = naiveHoles(pixels, grey.width(), grey.height(), diagonal);
    return record;
}

TEST(Components, EqualFlooding) {
    Random random(61);
    for (int repeat = 0; repeat < 2000; ++repeat) {
        const std::uint32_t width = 1 + random() % 18;
        const std::uint32_t height = 1 + random() % 18;
        const Mask mask = randomMask(random, width, height);
        const auto grey = randomImage(random, width, height);
        for (const Connectivity connectivity : kConnectivities) {
            const bool diagonal = connectivity == Connectivity::eight;
            const NaiveObjects expected = flood(mask, true, diagonal);
            const Components found = labelComponents(mask, grey.get(), {.connectivity = connectivity, .algorithm = {}});
            ASSERT_EQ(found.count, expected.pixels.size());
            ASSERT_EQ(found.foreground, mask.count());
            ASSERT_TRUE(std::ranges::equal(found.labels, expected.labels));
            ASSERT_EQ(found.objects.size(), expected.pixels.size());
            for (std::size_t i = 0; i < found.objects.size(); ++i) {
                ASSERT_EQ(found.objects[i], naiveRecord(expected.pixels[i], *grey, diagonal)) << "object " << i + 1;
            }
        }
    }
}

TEST(Components, ReachAcrossWordsOfTheMask) {
    Random random(63);
    for (int repeat = 0; repeat < 150; ++repeat) {
        const Mask mask = randomMask(random, 60 + random() % 80, 1 + random() % 5);
        const auto grey = randomImage(random, mask.width(), mask.height());
        for (const Connectivity connectivity : kConnectivities) {
            const bool diagonal = connectivity == Connectivity::eight;
            const NaiveObjects expected = flood(mask, true, diagonal);
            const Components found = labelComponents(mask, grey.get(), {.connectivity = connectivity, .algorithm = {}});
            ASSERT_TRUE(std::ranges::equal(found.labels, expected.labels)) << mask.width() << " px wide";
            for (std::size_t i = 0; i < found.objects.size(); ++i) {
                ASSERT_EQ(found.objects[i], naiveRecord(expected.pixels[i], *grey, diagonal)) << "object " << i + 1;
            }
        }
    }
}

TEST(Components, ReachAcrossBandsOfRows) {
    Random random(62);
    for (int repeat = 0; repeat < 12; ++repeat) {
        const Mask mask = randomMask(random, 5 + random() % 60, 520 + random() % 300);
        const auto grey = randomImage(random, mask.width(), mask.height());
        for (const Connectivity connectivity : kConnectivities) {
            const NaiveObjects expected = flood(mask, true, connectivity == Connectivity::eight);
            Components alone;
            Components together;
            const ComponentsSpec spec{.connectivity = connectivity, .algorithm = {}};
            tbb::task_arena(1).execute([&] { alone = labelComponents(mask, grey.get(), spec); });
            tbb::task_arena(4).execute([&] { together = labelComponents(mask, grey.get(), spec); });
            ASSERT_TRUE(std::ranges::equal(together.labels, expected.labels));
            ASSERT_TRUE(std::ranges::equal(together.labels, alone.labels));
            ASSERT_EQ(together.objects, alone.objects);
            std::uint64_t area = 0;
            for (std::size_t i = 0; i < together.objects.size(); ++i) {
                area += together.objects[i].area;
                ASSERT_EQ(together.objects[i].area, expected.pixels[i].size());
                if (expected.pixels[i].size() > 600) { // objects that cross a band's border
                    ASSERT_EQ(together.objects[i],
                              naiveRecord(expected.pixels[i], *grey, connectivity == Connectivity::eight));
                }
            }
            ASSERT_EQ(area, together.foreground);
        }
    }
}

TEST(Components, SumsPass32Bits) {
    constexpr std::uint32_t kSide = 2048;
    const Mask mask(kSide, kSide, true);
    const Image grey = [] {
        Image image(PixelType::u16, kSide, kSide);
        std::ranges::fill(image.pixels<std::uint16_t>(), std::uint16_t{65535});
        return image;
    }();
    const Components found = labelComponents(mask, &grey, {});
    ASSERT_EQ(found.count, 1U);
    const ComponentRecord& object = found.objects[0];
    EXPECT_EQ(object.sumX, 4292870144ULL);
    EXPECT_EQ(object.sumXX, 5859767746560ULL);
    EXPECT_EQ(object.greySum, 65535ULL * kSide * kSide);
    EXPECT_EQ(object.perimeter, 4ULL * kSide);
    EXPECT_EQ(object.holes, 0U);
    EXPECT_EQ(object.centroidX(), 1023.5);
}

TEST(Components, GiveOnlyWhatIsAskedFor) {
    const Mask mask(9, 7, true);
    const Components labels = labelComponents(mask, nullptr, {.algorithm = "runs", .features = false});
    EXPECT_EQ(labels.labels.size(), 63U);
    EXPECT_TRUE(labels.objects.empty());
    const Components features = labelComponents(mask, nullptr, {.algorithm = {}, .labels = false});
    EXPECT_TRUE(features.labels.empty());
    ASSERT_EQ(features.objects.size(), 1U);
    EXPECT_EQ(features.objects[0].greyMin, 0) << "no grey image, no grey values";
    EXPECT_EQ(labelComponents(Mask(5, 5, false), nullptr, {}).count, 0U);
}

TEST(Components, RefuseWhatTheyCannotDo) {
    const Mask mask(9, 7, true);
    EXPECT_THROW((void)labelComponents(mask, nullptr, {.algorithm = "none"}), Error);
    const Image grey(PixelType::u8, 9, 8);
    EXPECT_THROW((void)labelComponents(mask, &grey, {}), Error);
    const Mask strip(3000000, 1, true);
    EXPECT_THROW((void)labelComponents(strip, nullptr, {}), Error) << "sums of squares would pass 64 bits";
    EXPECT_EQ(labelComponents(strip, nullptr, {.algorithm = {}, .features = false}).count, 1U);
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW((void)labelComponents(mask, nullptr, {}, JobControl(stop.get_token())), Cancelled);
}

/// Whether a pixel's centre is inside a ring, by counting the vertical edges to its left.
bool encloses(std::span<const OutlinePoint> ring, std::uint32_t x, std::uint32_t y) {
    bool inside = false;
    for (std::size_t i = 0; i < ring.size(); ++i) {
        const OutlinePoint& a = ring[i];
        const OutlinePoint& b = ring[(i + 1) % ring.size()];
        if (a.x == b.x && a.x <= x && std::min(a.y, b.y) <= y && y < std::max(a.y, b.y)) {
            inside = !inside;
        }
    }
    return inside;
}

TEST(Outlines, EncloseTheirObjectsAndNothingElse) {
    Random random(63);
    for (int repeat = 0; repeat < 1000; ++repeat) {
        const std::uint32_t width = 1 + random() % 14;
        const std::uint32_t height = 1 + random() % 14;
        const Mask mask = randomMask(random, width, height);
        for (const Connectivity connectivity : kConnectivities) {
            const Components found = labelComponents(mask, nullptr, {.connectivity = connectivity, .algorithm = {}});
            const Outlines outlines = traceOutlines(found);
            std::map<std::uint32_t, std::uint64_t> lengths;
            std::map<std::uint32_t, std::uint32_t> labelOfPiece;
            std::vector<std::uint32_t> painted(std::size_t{width} * height, 0);
            std::pair<std::uint32_t, std::uint32_t> before{0, 0};
            std::map<std::uint32_t, int> outers;
            for (const OutlineRing& ring : outlines.rings) {
                const auto points = outlines.pointsOf(ring);
                ASSERT_GE(points.size(), 4U);
                ASSERT_EQ(points.size() % 2, 0U);
                std::set<std::pair<std::uint32_t, std::uint32_t>> distinct;
                std::int64_t doubled = 0;
                for (std::size_t i = 0; i < points.size(); ++i) {
                    const OutlinePoint& a = points[i];
                    const OutlinePoint& b = points[(i + 1) % points.size()];
                    const OutlinePoint& c = points[(i + 2) % points.size()];
                    ASSERT_TRUE(distinct.insert({a.x, a.y}).second) << "a ring visits no point twice";
                    ASSERT_NE(a.x == b.x, a.y == b.y) << "edges are horizontal or vertical";
                    ASSERT_NE(a.x == b.x, b.x == c.x) << "every point is a corner";
                    doubled += std::int64_t{a.x} * b.y - std::int64_t{b.x} * a.y;
                    lengths[ring.label] +=
                        a.x == b.x ? std::max(a.y, b.y) - std::min(a.y, b.y) : std::max(a.x, b.x) - std::min(a.x, b.x);
                }
                ASSERT_EQ(doubled < 0, ring.hole);
                ASSERT_LE(before, std::pair(ring.label, ring.piece));
                // Each piece has one outer ring, which comes first.
                ASSERT_EQ(ring.hole, before == std::pair(ring.label, ring.piece) && outers[ring.piece] > 0);
                before = {ring.label, ring.piece};
                outers[ring.piece] += ring.hole ? 0 : 1;
                labelOfPiece[ring.piece] = ring.label;
            }
            for (const auto& [piece, label] : labelOfPiece) {
                ASSERT_EQ(outers[piece], 1);
                for (std::uint32_t p = 0; p < painted.size(); ++p) {
                    bool inside = false;
                    for (const OutlineRing& ring : outlines.rings) {
                        if (ring.piece == piece && encloses(outlines.pointsOf(ring), p % width, p / width)) {
                            inside = !ring.hole;
                            if (ring.hole) {
                                break;
                            }
                        }
                    }
                    if (inside) {
                        ASSERT_EQ(painted[p], 0U) << "polygons do not overlap";
                        painted[p] = label;
                    }
                }
            }
            ASSERT_TRUE(std::ranges::equal(painted, found.labels));
            for (std::uint32_t i = 0; i < found.count; ++i) {
                ASSERT_EQ(lengths[i + 1], found.objects[i].perimeter);
            }
            if (connectivity == Connectivity::four) {
                ASSERT_EQ(labelOfPiece.size(), found.count) << "one polygon an object";
            }
        }
    }
}

TEST(Outlines, NeedLabels) {
    const Components found = labelComponents(Mask(4, 4, true), nullptr, {.algorithm = {}, .labels = false});
    EXPECT_THROW((void)traceOutlines(found), Error);
}

TEST(Threshold, KeepsWhatLiesBetween) {
    Random random(64);
    for (int repeat = 0; repeat < 200; ++repeat) {
        const auto image = randomImage(random, 1 + random() % 150, 1 + random() % 8);
        const auto low = static_cast<std::uint16_t>(random() % 300);
        const auto high = static_cast<std::uint16_t>(low + random() % 300);
        Mask valid(image->width(), image->height(), true);
        for (std::size_t p = 0; p < image->pixelCount(); ++p) {
            valid.set(static_cast<std::uint32_t>(p % image->width()), static_cast<std::uint32_t>(p / image->width()),
                      random() % 4 != 0);
        }
        const Mask* const counted = repeat % 2 == 0 ? nullptr : &valid;
        const Mask mask = thresholdMask(*image, low, high, counted);
        for (std::uint32_t y = 0; y < image->height(); ++y) {
            for (std::uint32_t x = 0; x < image->width(); ++x) {
                const int level = image->level(std::size_t{y} * image->width() + x);
                const bool in = level >= low && level <= high && (counted == nullptr || valid.test(x, y));
                ASSERT_EQ(mask.test(x, y), in);
            }
        }
    }
}

} // namespace
} // namespace pollard::testing
