// Bins, histograms of attributes, pattern spectra and granulometry.

#include "analysis/column_summary.hpp"
#include "analysis/spectrum.hpp"
#include "base/error.hpp"
#include "support/engines.hpp"
#include "support/naive_bins.hpp"
#include "support/naive_tree.hpp"
#include "support/random_images.hpp"

#include <gtest/gtest.h>

#include <tbb/task_arena.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>

namespace pollard::testing {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinite = std::numeric_limits<double>::infinity();

TEST(Bins, OfIntegersReachPastTheLargest) {
    const Bins bins = makeBins({.count = 10, .low = {}, .high = {}}, 1, 100, true);
    EXPECT_EQ(bins.edges, (std::vector<double>{1, 11, 21, 31, 41, 51, 61, 71, 81, 91, 101}));
    EXPECT_FALSE(bins.lastClosed);
    const BinFinder find(bins);
    EXPECT_EQ(find(11), 1U);
    EXPECT_EQ(find(100), 9U);
    EXPECT_EQ(find(101), kAboveBins);
    EXPECT_EQ(find(0), kBelowBins);
    EXPECT_EQ(find(kNan), kNanBin);
}

TEST(Bins, OfNumbersHoldTheLargest) {
    const Bins bins = makeBins({.count = 4, .low = {}, .high = {}}, 0, 1, false);
    EXPECT_EQ(bins.edges, (std::vector<double>{0, 0.25, 0.5, 0.75, 1}));
    EXPECT_EQ(BinFinder(bins)(1), 3U);
    EXPECT_EQ(BinFinder(bins)(std::nextafter(1, 2)), kAboveBins);
    EXPECT_EQ(BinFinder(bins)(kInfinite), kAboveBins);
}

TEST(Bins, LogarithmicOnesHaveEqualRatios) {
    const Bins bins = makeBins({.count = 3, .scale = BinScale::log, .low = 1, .high = 1000}, 0, 5, true);
    ASSERT_EQ(bins.count(), 3U);
    EXPECT_NEAR(bins.edges[1], 10, 1e-12);
    EXPECT_NEAR(bins.edges[2], 100, 1e-11);
    EXPECT_EQ(BinFinder(bins)(0), kBelowBins);
    EXPECT_EQ(BinFinder(bins)(-3), kBelowBins);
}

TEST(Bins, ExistWhereAllValuesAreEqualOrThereAreNone) {
    for (const BinScale scale : {BinScale::linear, BinScale::log}) {
        for (const bool integral : {true, false}) {
            const Bins same = makeBins({.count = 5, .scale = scale, .low = {}, .high = {}}, 7, 7, integral);
            EXPECT_EQ(BinFinder(same)(7), 0U);
            const Bins none =
                makeBins({.count = 5, .scale = scale, .low = {}, .high = {}}, kInfinite, -kInfinite, integral);
            EXPECT_EQ(none.count(), 5U);
        }
    }
}

TEST(Bins, RefuseWhatMakesNoSense) {
    const auto refused = [](const BinSpec& spec, double minimum = 0, double maximum = 10) {
        try {
            (void)makeBins(spec, minimum, maximum, false);
        } catch (const Error& error) {
            return error.code() == ErrorCode::invalidArgument;
        }
        return false;
    };
    EXPECT_TRUE(refused({.count = 0, .low = {}, .high = {}}));
    EXPECT_TRUE(refused({.count = BinSpec::kMaxBins + 1, .low = {}, .high = {}}));
    EXPECT_TRUE(refused({.count = 4, .low = 3, .high = 3}));
    EXPECT_TRUE(refused({.count = 4, .low = kNan, .high = {}}));
    EXPECT_TRUE(refused({.count = 4, .low = {}, .high = kInfinite}));
    EXPECT_TRUE(refused({.count = 4, .scale = BinScale::log, .low = 0, .high = 5}));
    EXPECT_FALSE(refused({.count = 4, .scale = BinScale::log, .low = {}, .high = {}}, -5, -1))
        << "no value above 0 is no error";
    EXPECT_TRUE(refused({.count = 4000, .low = {}, .high = {}}, 1e15, 1e15 + 10));
    EXPECT_FALSE(refused({.count = 4, .low = {}, .high = {}}));
}

TEST(BinFinder, AgreesWithTheEdges) {
    Random random(5);
    for (int repeat = 0; repeat < 400; ++repeat) {
        BinSpec spec;
        spec.count = 1 + random() % 40;
        spec.scale = random() % 2 == 0 ? BinScale::linear : BinScale::log;
        const double low = std::ldexp(1.0 + random() % 1000, static_cast<int>(random() % 40) - 20);
        const Bins bins = makeBins(spec, low, low * (1.001 + random() % 500), random() % 2 == 0);
        const BinFinder find(bins);
        for (const double edge : bins.edges) {
            for (const double value : {edge, std::nextafter(edge, 0), std::nextafter(edge, kInfinite)}) {
                ASSERT_EQ(find(value), naiveBin(bins, value)) << value;
            }
        }
        for (int i = 0; i < 50; ++i) {
            const double part = static_cast<double>(random()) / 4e9;
            const double value = bins.edges.front() + (bins.edges.back() - bins.edges.front()) * (1.2 * part - 0.1);
            ASSERT_EQ(find(value), naiveBin(bins, value)) << value;
        }
    }
}

AttributeColumn columnOf(AttributeId id, const std::vector<double>& values) {
    Buffer<double> buffer(values.size());
    std::copy(values.begin(), values.end(), buffer.begin());
    return {id, std::move(buffer), 0, 0};
}

TEST(AttributeHistogram, CountsWhatIsNoNumberApart) {
    const AttributeColumn column = columnOf(AttributeId::mean, {1, 2, kNan, 4, -1, 0, kNan});
    const AttributeHistogram linear = attributeHistogram(column, 5, BinScale::linear);
    EXPECT_EQ(linear.counts, (std::vector<std::uint64_t>{1, 1, 1, 1, 1}));
    EXPECT_EQ(linear.nan, 2U);
    EXPECT_EQ(linear.below + linear.above, 0U);
    const AttributeHistogram log = attributeHistogram(column, 2, BinScale::log);
    EXPECT_EQ(log.counts, (std::vector<std::uint64_t>{1, 2}));
    EXPECT_EQ(log.below, 2U);
    EXPECT_EQ(log.nan, 2U);
    EXPECT_EQ(log.bins.edges.front(), 1);
    EXPECT_EQ(log.bins.edges.back(), 4);
}

TEST(AttributeHistogram, HasNoBinsNarrowerThanAUnit) {
    Buffer<std::uint32_t> values(6);
    for (std::uint32_t i = 0; i < 6; ++i) {
        values[i] = 3 + i % 4;
    }
    const AttributeColumn column{AttributeId::width, std::move(values), 3, 6};
    const AttributeHistogram histogram = attributeHistogram(column, 256, BinScale::linear);
    EXPECT_EQ(histogram.bins.edges, (std::vector<double>{3, 4, 5, 6, 7}));
    EXPECT_EQ(histogram.counts, (std::vector<std::uint64_t>{2, 2, 1, 1}));
}

class Spectrum : public EveryTree {};

/// Sum of |f - level of the root|.
std::uint64_t massAboveGround(const Image& image, std::uint16_t ground) {
    std::uint64_t sum = 0;
    for (std::size_t p = 0; p < image.pixelCount(); ++p) {
        sum += static_cast<std::uint64_t>(std::abs(image.level(p) - ground));
    }
    return sum;
}

TEST_P(Spectrum, IsTheGreyMassOfEveryNodeSortedByTheAttribute) {
    Random random(21);
    for (int repeat = 0; repeat < 250; ++repeat) {
        const auto image = randomImage(random, 1 + random() % 16, 1 + random() % 16);
        const auto session = build(image);
        const ComponentTree& tree = *session->tree();
        const auto area = session->attribute(AttributeId::area);
        constexpr std::array kIds{AttributeId::area, AttributeId::height, AttributeId::mean, AttributeId::volume};
        const auto column = session->attribute(kIds[random() % kIds.size()]);
        BinSpec spec;
        spec.count = 1 + random() % 12;
        spec.scale = random() % 2 == 0 ? BinScale::linear : BinScale::log;
        if (random() % 3 == 0) {
            spec.low = 2;
            spec.high = 9;
        }
        const PatternSpectrum spectrum = patternSpectrum(tree, *area, *column, spec);
        ASSERT_EQ(spectrum.total, massAboveGround(*image, tree.level[0]));
        ASSERT_EQ(spectrum.rootLevel, tree.level[0]);

        std::vector<SpectrumShare> expected(spectrum.bins.count());
        SpectrumShare below;
        SpectrumShare above;
        const auto nodes = naiveTree(*image, tree.kind, tree.connectivity);
        std::map<std::uint32_t, std::size_t> byCanonical;
        for (std::size_t n = 0; n < tree.nodeCount(); ++n) {
            byCanonical[tree.canonical[n]] = n;
        }
        for (std::size_t n = 1; n < nodes.size(); ++n) {
            const auto contrast = static_cast<std::uint64_t>(std::abs(nodes[n].level - nodes[nodes[n].parent].level));
            const SpectrumShare share{contrast * nodes[n].support.size(), 1};
            const std::uint32_t bin = naiveBin(spectrum.bins, column->at(byCanonical.at(nodes[n].canonical)));
            (bin == kBelowBins ? below : bin == kAboveBins ? above : expected.at(bin)) += share;
        }
        ASSERT_EQ(spectrum.shares, expected);
        ASSERT_EQ(spectrum.below, below);
        ASSERT_EQ(spectrum.above, above);
        if (!spec.low && spec.scale == BinScale::linear) {
            ASSERT_EQ(below.nodes + above.nodes, 0U) << "open bins leave nothing out";
        }
    }
}

TEST_P(Spectrum, InTwoDimensionsAddsUpToThatInOne) {
    Random random(22);
    for (int repeat = 0; repeat < 60; ++repeat) {
        const auto image = randomImage(random, 2 + random() % 40, 2 + random() % 40);
        const auto session = build(image);
        const ComponentTree& tree = *session->tree();
        const auto area = session->attribute(AttributeId::area);
        const auto height = session->attribute(AttributeId::height);
        const BinSpec specX{.count = 7, .scale = BinScale::log, .low = {}, .high = {}};
        const BinSpec specY{.count = 5, .scale = BinScale::linear, .low = {}, .high = {}};
        const PatternSpectrum byArea = patternSpectrum(tree, *area, *area, specX);
        const PatternSpectrum byHeight = patternSpectrum(tree, *area, *height, specY);
        const PatternSpectrum2d both = patternSpectrum2d(tree, *area, *area, specX, *height, specY);
        ASSERT_EQ(both.x, byArea.bins);
        ASSERT_EQ(both.y, byHeight.bins);
        ASSERT_EQ(both.total, byArea.total);
        ASSERT_EQ(both.outside.nodes, 0U);
        for (std::size_t x = 0; x < both.x.count(); ++x) {
            SpectrumShare column;
            for (std::size_t y = 0; y < both.y.count(); ++y) {
                column += both.at(x, y);
            }
            ASSERT_EQ(column, byArea.shares[x]);
        }
        for (std::size_t y = 0; y < both.y.count(); ++y) {
            SpectrumShare row;
            for (std::size_t x = 0; x < both.x.count(); ++x) {
                row += both.at(x, y);
            }
            ASSERT_EQ(row, byHeight.shares[y]);
        }
    }
}

TEST_P(Spectrum, GranulometryIsWhatFiltersRemove) {
    Random random(23);
    for (int repeat = 0; repeat < 40; ++repeat) {
        const auto image = randomImage(random, 2 + random() % 30, 2 + random() % 30);
        const auto session = build(image);
        const ComponentTree& tree = *session->tree();
        const auto area = session->attribute(AttributeId::area);
        const PatternSpectrum spectrum =
            patternSpectrum(tree, *area, *area, {.count = 6, .scale = BinScale::linear, .low = {}, .high = {}});
        const std::vector<GranulometryPoint> curve = granulometry(spectrum);
        ASSERT_EQ(curve.size(), 7U);
        Image out(image->type(), image->width(), image->height());
        for (const GranulometryPoint& point : curve) {
            FilterSpec filter;
            filter.criteria = {{.attribute = AttributeId::area, .minimum = point.threshold}};
            session->filter(filter, out);
            std::uint64_t removed = 0;
            for (std::size_t p = 0; p < image->pixelCount(); ++p) {
                removed += static_cast<std::uint64_t>(std::abs(image->level(p) - out.level(p)));
            }
            ASSERT_EQ(point.removed, removed) << "area >= " << point.threshold;
        }
        EXPECT_EQ(curve.front().removed, 0U);
        EXPECT_EQ(curve.back().removed, spectrum.total);
        EXPECT_EQ(curve.back().share, spectrum.total == 0 ? 0 : 1);
    }
}

TEST_P(Spectrum, GranulometryBeginsAndEndsAtEdgesByHand) {
    Random random(24);
    std::uint64_t below = 0;
    for (int repeat = 0; repeat < 40; ++repeat) {
        const auto image = randomImage(random, 8 + random() % 30, 8 + random() % 30);
        const auto session = build(image);
        const ComponentTree& tree = *session->tree();
        const auto area = session->attribute(AttributeId::area);
        const auto removedBy = [&](double threshold) {
            FilterSpec filter;
            filter.criteria = {{.attribute = AttributeId::area, .minimum = threshold}};
            Image out(image->type(), image->width(), image->height());
            session->filter(filter, out);
            std::uint64_t removed = 0;
            for (std::size_t p = 0; p < image->pixelCount(); ++p) {
                removed += static_cast<std::uint64_t>(std::abs(image->level(p) - out.level(p)));
            }
            return removed;
        };
        const PatternSpectrum spectrum =
            patternSpectrum(tree, *area, *area, {.count = 4, .scale = BinScale::linear, .low = 5, .high = 45});
        for (const GranulometryPoint& point : granulometry(spectrum)) {
            ASSERT_EQ(point.removed, removedBy(point.threshold)) << "area >= " << point.threshold;
        }
        below += removedBy(5);
    }
    EXPECT_GT(below, 0U) << "nothing lies below the first edge";
}

TEST_P(Spectrum, IsTheSameForAnyNumberOfThreadsOnADeepTree) {
    constexpr std::uint32_t kLevels = 65536;
    const auto image = makeImage(PixelType::u16, 256, 1024, [](auto x, auto y) { return (y * 256 + x) / 4; });
    const auto session = build(image);
    const ComponentTree& tree = *session->tree();
    ASSERT_EQ(tree.nodeCount(), kLevels);
    const auto area = session->attribute(AttributeId::area);
    const auto depth = session->attribute(AttributeId::depth);
    const BinSpec spec{.count = 64, .scale = BinScale::log, .low = {}, .high = {}};
    PatternSpectrum alone;
    tbb::task_arena(1).execute([&] { alone = patternSpectrum(tree, *area, *depth, spec); });
    PatternSpectrum together;
    tbb::task_arena(4).execute([&] { together = patternSpectrum(tree, *area, *depth, spec); });
    EXPECT_EQ(alone, together);
    EXPECT_EQ(alone.total, massAboveGround(*image, tree.level[0]));
}

TEST_P(Spectrum, RefusesColumnsOfAnotherTree) {
    const auto small = build(makeImage(PixelType::u8, 3, 3, [](auto x, auto y) { return x * y; }));
    const auto large = build(makeImage(PixelType::u8, 9, 9, [](auto x, auto y) { return x * y; }));
    const auto area = small->attribute(AttributeId::area);
    EXPECT_THROW((void)patternSpectrum(*large->tree(), *area, *area, {}), Error);
    EXPECT_THROW((void)patternSpectrum(*small->tree(), *small->attribute(AttributeId::width), *area, {}), Error);
}

POLLARD_FOR_EVERY_TREE(Spectrum);

} // namespace
} // namespace pollard::testing
