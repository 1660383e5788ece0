// Trees of 65,536 levels, long chains of components, and stop requests.

#include "base/compiler.hpp"
#include "cpu/cpu_engine.hpp"
#include "support/engines.hpp"
#include "support/processor_time.hpp"
#include "support/random_images.hpp"

#include <gtest/gtest.h>

#include <mutex>
#include <stop_token>

namespace pollard::testing {
namespace {

class DeepTree : public EveryTree {};

// Sanitizers slow everything down, including the reaction to stop requests. The ramp has 16 MPix without them.
#ifdef POLLARD_ASAN
constexpr int kSlowDown = 20;
constexpr std::uint32_t kSide = 1024;
#else
constexpr int kSlowDown = 1;
constexpr std::uint32_t kSide = 4096;
#endif

TEST_P(DeepTree, RampOf65536Levels) {
    constexpr std::uint32_t kLevels = 65536;
    constexpr std::uint32_t kPixelsPerLevel = kSide * kSide / kLevels;
    const auto image =
        makeImage(PixelType::u16, kSide, kSide, [](auto x, auto y) { return (y * kSide + x) / kPixelsPerLevel; });
    const auto session = build(image);
    const ComponentTree& tree = *session->tree();
    ASSERT_EQ(tree.nodeCount(), kLevels);
    EXPECT_EQ(tree.depth, kLevels - 1);
    EXPECT_EQ(tree.leafCount, 1U);

    // Keeps components of at least half the image, i.e. half of the levels.
    FilterSpec filter;
    filter.criteria = {{AttributeId::area, kSide * kSide / 2.0}};
    Image out(PixelType::u16, kSide, kSide);
    const FilterReport report = session->filter(filter, out);
    EXPECT_EQ(report.keptNodes, kLevels / 2 + 1);
    EXPECT_EQ(report.changedPixels, std::uint64_t{kLevels / 2 - 1} * kPixelsPerLevel);
    const auto depth = session->attribute(AttributeId::depth);
    EXPECT_EQ(depth->maximum, kLevels - 1);
}

TEST_P(DeepTree, CombOfEverHigherTeeth) {
    // Every tooth is a maximum that joins the next higher one at a lower saddle: a chain of joins of the comb's length.
    constexpr std::uint32_t kTeeth = 20000;
    const auto comb = [&](std::uint32_t x, std::uint32_t) {
        const std::uint32_t tooth = x / 2;
        return x % 2 == 0 ? 40000 + tooth : 39999 - tooth;
    };
    for (const bool vertical : {false, true}) {
        const auto image = vertical ? makeImage(PixelType::u16, 3, 2 * kTeeth, [&](auto, auto y) { return comb(y, 0); })
                                    : makeImage(PixelType::u16, 2 * kTeeth, 3, comb);
        const auto session = build(image);
        EXPECT_EQ(session->tree()->nodeCount(), 2 * kTeeth);
        EXPECT_EQ(session->tree()->leafCount, kTeeth);
    }
}

TEST(DeepTreeOfAPath, SerpentineOfOnePixelWidth) {
    // A bright winding path that rises all the way: depth with a single maximum at its end.
    constexpr std::uint32_t kWidth = 255;
    const auto image = makeImage(PixelType::u16, kWidth, kWidth, [&](auto x, auto y) -> std::uint32_t {
        const std::uint32_t strip = y / 2;
        const bool rightwards = strip % 2 == 0;
        const std::uint32_t alongRow = rightwards ? x : kWidth - 1 - x;
        const std::uint32_t at = strip * (kWidth + 1) + alongRow;
        if (y % 2 == 0) {
            return 1 + at;
        }
        return alongRow == kWidth - 1 ? 2 + at : 0;
    });
    EngineRegistry registry{makeCpuEngine()};
    const auto session = registry.select("cpu").openSession();
    session->open(image);
    session->buildTree({}); // max-tree, 4-connectivity
    EXPECT_EQ(session->tree()->leafCount, 1U);
    EXPECT_EQ(session->tree()->depth + 1, session->tree()->nodeCount());
    EXPECT_EQ(session->tree()->nodeCount(), 128 * kWidth + 127 + 1U);
}

TEST_P(DeepTree, StopsWithin100MillisecondsAndKeepsTheTreeBefore) {
    Random random(9);
    const auto image = makeImage(PixelType::u16, 2000, 2000,
                                 [&](auto, auto) { return static_cast<std::uint32_t>(random() & 0xffff); });
    const auto small = makeImage(PixelType::u16, 5, 5, [](auto x, auto y) { return x + 5 * y; });
    const auto session = build(small);
    const auto before = session->tree();

    constexpr int kThreads = 2;
    auto large = registry_.select(std::get<std::string>(GetParam())).openSession({kThreads});
    large->open(image);
    // Requests a stop at several points of the progress, and measures the delay.
    for (const double when : {0.01, 0.2, 0.5, 0.66, 0.75, 0.9}) {
        std::stop_source stop;
        double asked = 0;
        std::once_flag once;
        const JobControl control(stop.get_token(), [&](double fraction, std::string_view) {
            if (fraction >= when) {
                std::call_once(once, [&] {
                    asked = processorSeconds();
                    stop.request_stop();
                });
            }
        });
        EXPECT_THROW(large->buildTree(spec(), control), Cancelled) << "at " << when;
        EXPECT_LT((processorSeconds() - asked) / kThreads, 0.1 * kSlowDown) << "at " << when;
        EXPECT_EQ(large->tree(), nullptr);
    }

    std::stop_source stopped;
    stopped.request_stop();
    EXPECT_THROW(session->buildTree(spec(), JobControl(stopped.get_token())), Cancelled);
    EXPECT_EQ(session->tree(), before);
}

POLLARD_FOR_EVERY_TREE(DeepTree);

} // namespace
} // namespace pollard::testing
