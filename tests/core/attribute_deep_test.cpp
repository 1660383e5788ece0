// Attributes of extremely deep and extremely wide trees, against values that follow from their construction.

#include "attributes/attribute.hpp"
#include "cpu/cpu_engine.hpp"
#include "cpu/node_attributes.hpp"
#include "support/affordable.hpp"
#include "support/engines.hpp"
#include "support/peak_memory.hpp"
#include "support/random_images.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>

namespace pollard::testing {
namespace {

class AttributesOfLargeTrees : public ::testing::Test {
protected:
    void build(std::shared_ptr<const Image> image) {
        EngineRegistry registry{makeCpuEngine()};
        session_ = registry.select("cpu").openSession();
        session_->open(std::move(image));
        session_->buildTree({});
        columns_.clear();
        for (const AttributeInfo& info : allAttributes()) {
            columns_[info.id] = session_->attribute(info.id);
        }
    }
    [[nodiscard]] double at(AttributeId id, std::size_t node) const { return columns_.at(id)->at(node); }

    std::unique_ptr<Session> session_;
    std::map<AttributeId, std::shared_ptr<const AttributeColumn>> columns_;
};

TEST_F(AttributesOfLargeTrees, RampOf65536Levels) {
    constexpr std::uint32_t kLevels = 65536;
    build(makeImage(PixelType::u16, 1024, 256, [](auto x, auto y) { return (y * 1024 + x) / 4; }));
    ASSERT_EQ(session_->tree()->nodeCount(), kLevels);
    for (std::uint32_t v = 0; v < kLevels; ++v) { // the node of level v contains the levels from v on
        const double count = kLevels - v;
        ASSERT_EQ(at(AttributeId::area, v), 4 * count);
        ASSERT_EQ(at(AttributeId::depth, v), v);
        ASSERT_EQ(at(AttributeId::descendants, v), count - 1);
        ASSERT_EQ(at(AttributeId::children, v), v + 1 < kLevels ? 1 : 0);
        ASSERT_EQ(at(AttributeId::leaves, v), 1);
        ASSERT_EQ(at(AttributeId::contrast, v), v > 0 ? 1 : 0);
        ASSERT_EQ(at(AttributeId::dynamics, v), kLevels - 1);
        ASSERT_EQ(at(AttributeId::extinctionArea, v), 4.0 * kLevels);
        ASSERT_EQ(at(AttributeId::sum, v), 4 * (v + kLevels - 1.0) * count / 2);
        ASSERT_NEAR(at(AttributeId::variance, v), (count * count - 1) / 12, 1e-9 * count * count);
        ASSERT_EQ(at(AttributeId::euler, v), 1);
    }
    EXPECT_NEAR(at(AttributeId::entropy, 0), 8, 1e-12); // 256 bins with 256 levels each
    EXPECT_NEAR(at(AttributeId::entropy, kLevels / 2), 7, 1e-12);
    EXPECT_EQ(at(AttributeId::entropy, kLevels - 1), 0);
    EXPECT_TRUE(std::isnan(at(AttributeId::stability, 0)));
    EXPECT_EQ(at(AttributeId::stability, 40'000), 1285.0 / (kLevels - 40'000));
}

TEST_F(AttributesOfLargeTrees, SpikesOnAPlain) {
    // 250,000 maxima of one pixel, each a child of the root; every third one is higher.
    constexpr std::uint32_t kSide = 1000;
    build(makeImage(PixelType::u8, kSide, kSide, [](auto x, auto y) {
        return x % 2 == 1 && y % 2 == 1 ? ((x / 2 + y / 2) % 3 == 0 ? 90 : 40) : 10;
    }));
    ASSERT_EQ(session_->tree()->nodeCount(), 250'001U);
    EXPECT_EQ(at(AttributeId::children, 0), 250'000);
    EXPECT_EQ(at(AttributeId::leaves, 0), 250'000);
    EXPECT_EQ(at(AttributeId::perimeter, 0), 4 * kSide);
    EXPECT_EQ(at(AttributeId::dynamics, 0), 80);
    EXPECT_EQ(at(AttributeId::extinctionArea, 0), kSide * kSide);
    std::size_t survivors = 0;
    for (std::size_t n = 1; n < 250'001; ++n) {
        ASSERT_EQ(at(AttributeId::area, n), 1);
        ASSERT_EQ(at(AttributeId::perimeter, n), 4);
        ASSERT_NEAR(at(AttributeId::inertia, n), 1.0 / 6, 1e-15);
        ASSERT_EQ(at(AttributeId::orientation, n), 0);
        ASSERT_EQ(at(AttributeId::dynamics, n), at(AttributeId::level, n) - 10);
        survivors += at(AttributeId::extinctionArea, n) != 1 ? 1 : 0;
    }
    EXPECT_EQ(survivors, 1U); // at a tie the smallest canonical pixel survives, which is in the first node
    EXPECT_EQ(at(AttributeId::extinctionArea, 1), kSide * kSide);
}

TEST(AttributesOfTrees, StayWithinTheirEstimates) {
    constexpr std::uint32_t kSide = isSanitized() ? 300 : 700;
    constexpr std::uint32_t kTop = 60'000;
    std::uint64_t ofEntropy = 0;
    Random random(71);
    // 65,536 levels in one path; a path of 30,000 nodes that all have a leaf behind it, which thus are open at once;
    // and as many siblings as possible.
    for (const auto& image : {makeImage(PixelType::u16, 1024, 256, [](auto x, auto y) { return (y * 1024 + x) / 4; }),
                              makeImage(PixelType::u16, kTop, 1, [](auto x, auto) { return kTop - (x ^ 1U); }),
                              makeImage(PixelType::u16, kSide, kSide, [&](auto, auto) { return random() % 65536; })}) {
        const auto session = makeCpuEngine()->openSession();
        session->open(image);
        session->buildTree({});
        const auto tree = session->tree();
        for (const AttributeInfo& info : allAttributes()) {
            cpu::NodeAttributes attributes(tree);
            const std::uint64_t estimate = attributes.estimateBytes(info.id);
            const PeakMemory memory;
            if (!memory.isKnown()) {
                GTEST_SKIP() << "this system does not reset the peak of a process's memory";
            }
            const AttributeColumn column = attributes.compute(info.id, {});
            EXPECT_LE(memory.bytes(), estimate + PeakMemory::kOverhead) << info.name;
            if (info.id == AttributeId::entropy) {
                ofEntropy = std::max(ofEntropy, memory.bytes());
            }
        }
    }
    EXPECT_GT(ofEntropy, std::uint64_t{16} << 20) << "no histograms of open nodes were measured";
}

} // namespace
} // namespace pollard::testing
