#include "vm/image/memory_plan.hpp"

#include "cpu/cpu_engine.hpp"
#include "engine/engine_registry.hpp"

#include <gtest/gtest.h>

namespace pollard::vm {
namespace {

constexpr std::uint64_t kGib = std::uint64_t{1} << 30U;

ImageInfo page(std::uint32_t width, std::uint32_t height, int bits, int samples = 1, const char* format = "unsigned") {
    ImageInfo info;
    info.width = width;
    info.height = height;
    info.bits = bits;
    info.samples = samples;
    info.sampleFormat = format;
    return info;
}

TEST(MemoryPlan, CountsWhatAnImageTakes) {
    struct Case {
        ImageInfo info;
        std::uint64_t decoded;
        std::uint64_t image;
        std::uint64_t tree;
        std::uint64_t host;
    };
    const std::uint64_t mega = 1'000'000;
    for (const Case& wanted : {
             Case{page(1000, 1000, 8), mega, 3 * mega, 56 * mega, 59 * mega},
             Case{page(1000, 1000, 16), 2 * mega, 6 * mega, 56 * mega, 62 * mega},
             Case{page(1000, 1000, 16, 3), 6 * mega, 6 * mega, 56 * mega, 62 * mega},
             Case{page(1000, 1000, 1), mega / 8, 3 * mega, 56 * mega, 59 * mega},
             Case{page(1000, 1000, 32, 1, "float"), 4 * mega, 6 * mega, 56 * mega, 62 * mega},
         }) {
        const MemoryNeed need = memoryNeed(wanted.info, {}, false);
        EXPECT_EQ(need.decoded, wanted.decoded);
        EXPECT_EQ(need.image, wanted.image);
        EXPECT_EQ(need.tree, wanted.tree);
        EXPECT_EQ(need.host, wanted.host);
        EXPECT_EQ(need.device, 0U);
    }
}

TEST(MemoryPlan, IsNotBelowWhatTheEngineSays) {
    const EngineRegistry registry{makeCpuEngine()};
    const auto session = registry.select("cpu").openSession();
    const Image image(PixelType::u16, 800, 700);
    const std::uint64_t said = session->estimateTreeBytes(image);
    EXPECT_NEAR(static_cast<double>(memoryNeed(page(800, 700, 16), {}, false).tree), static_cast<double>(said),
                static_cast<double>(2U << 20U));
}

TEST(MemoryPlan, AsksAboveHalfOfWhatIsThere) {
    // 59 bytes per pixel at 8 bits: 100 MPix need 5.9e9 bytes.
    const ImageInfo info = page(10000, 10000, 8);
    EXPECT_FALSE(planMemory(info, {}, 1, {16 * kGib, 0}).mustAsk());
    EXPECT_TRUE(planMemory(info, {}, 1, {8 * kGib, 0}).mustAsk());
    EXPECT_FALSE(planMemory(info, {}, 1, {0, 0}).mustAsk()) << "nothing is known of the memory";
    const MemoryPlan exact = planMemory(info, {}, 1, {2 * 5'900'000'000ULL, 0});
    EXPECT_FALSE(exact.mustAsk());
    EXPECT_TRUE(planMemory(info, {}, 1, {2 * 5'900'000'000ULL - 2, 0}).mustAsk());
}

TEST(MemoryPlan, CountsTheGpuAndOffersTheCpu) {
    const ImageInfo info = page(10000, 10000, 16);
    const MemoryPlan plan = planMemory(info, {}, 1, {64 * kGib, 4 * kGib});
    EXPECT_EQ(plan.need.device, 3'600'000'000U);
    EXPECT_TRUE(plan.overDevice);
    EXPECT_FALSE(plan.overHost);
    EXPECT_TRUE(plan.cpuFits);
    EXPECT_FALSE(planMemory(info, {}, 1, {8 * kGib, 4 * kGib}).cpuFits) << "its tree is larger in main memory";
    EXPECT_FALSE(planMemory(info, {}, 1, {64 * kGib, 80 * kGib}).mustAsk());
}

TEST(MemoryPlan, ProposesLevelsThenShrinking) {
    ImageInfo info = page(40000, 30000, 8);
    info.levels = {{40000, 30000}, {10000, 7500}, {2500, 1875}};
    const MemoryPlan plan = planMemory(info, {}, 1, {20 * kGib, 0});
    ASSERT_EQ(plan.smaller.size(), 5U);
    EXPECT_EQ(plan.smaller[0].level, 1);
    EXPECT_EQ(plan.smaller[0].need.width, 10000U);
    EXPECT_EQ(plan.smaller[1].need.height, 1875U);
    EXPECT_EQ(plan.smaller[2].shrink, 2);
    EXPECT_EQ(plan.smaller[2].need.width, 20000U);
    EXPECT_FALSE(plan.smaller[2].fits) << "300 MPix are still too many";
    EXPECT_TRUE(plan.smaller[3].fits);
    EXPECT_EQ(plan.smaller[4].shrink, 8);
    OpenRequest part; // is of its level
    part.region = PixelRegion{100, 100, 20000, 20000};
    const MemoryPlan ofPart = planMemory(info, part, 1, {20 * kGib, 0});
    EXPECT_EQ(ofPart.smaller[0].need.width, 10000U);
    EXPECT_EQ(ofPart.smaller[2].need.width, 10000U);
}

TEST(MemoryPlan, OverviewIsTheLargestLevelThatOpensAtOnce) {
    ImageInfo info = page(100'000, 100'000, 8);
    info.levels = {{100'000, 100'000}, {25'000, 25'000}, {6250, 6250}, {2000, 2000}, {500, 500}};
    const auto overview = [&](std::uint64_t memory, bool inBands) {
        return planMemory(info, {}, 1, {memory, 0}, false, inBands).overview({});
    };
    OpenRequest level;
    level.level = 3;
    EXPECT_EQ(overview(16 * kGib, true), level);
    level.level = 4;
    EXPECT_EQ(overview(100'000'000, true), level) << "less than half of the memory";
    EXPECT_FALSE(overview(20'000'000, false)) << "not even the smallest level fits";
    info.levels = {{100'000, 100'000}, {25'000, 25'000}};
    OpenRequest shrunk;
    shrunk.level = 1;
    shrunk.shrink = 16;
    EXPECT_EQ(overview(16 * kGib, true), shrunk) << "1563 px a side; 3125 px are 9.8 megapixels";
    EXPECT_FALSE(overview(16 * kGib, false)) << "the level would be read as a whole";
}

TEST(MemoryPlan, OverviewOfAPageWithoutLevelsIsShrunkIfThatIsQuick) {
    const auto overview = [](std::uint32_t side, const OpenRequest& request) {
        return planMemory(page(side, side, 8), request, 1, {16 * kGib, 0}, false, true).overview(request);
    };
    OpenRequest shrunk;
    shrunk.shrink = 16;
    EXPECT_EQ(overview(40'000, {}), shrunk);
    EXPECT_FALSE(overview(50'000, {})) << "decoding takes long";
    OpenRequest part;
    part.region = PixelRegion{0, 0, 30'000, 30'000};
    EXPECT_FALSE(overview(40'000, part)) << "the user asked for it";
}

TEST(MemoryPlan, ShrinkingInBandsNeedsNoMemoryForThePage) {
    OpenRequest request;
    request.shrink = 32;
    const ImageInfo info = page(100'000, 100'000, 8);
    EXPECT_GT(memoryNeed(info, request, false).host, 9 * kGib);
    EXPECT_LE(memoryNeed(info, request, false, false, true).host, kGib);
    const MemoryPlan plan = planMemory(info, {}, 1, {8 * kGib, 0}, false, true);
    EXPECT_EQ(plan.smaller.back().shrink, 16) << "the first that fits";
    EXPECT_TRUE(plan.smaller.back().fits);
    EXPECT_EQ(planMemory(info, {}, 1, {8 * kGib, 0}).smaller.back().shrink, 8);
}

TEST(MemoryPlan, SaysWhatCannotFitWhateverTheImage) {
    // 8 bits: 3 images and 8 to 56 bytes of tree per pixel.
    const ImageInfo info = page(10000, 10000, 8);
    const std::uint64_t least = 1'100'000'000;
    const std::uint64_t most = 5'900'000'000;
    struct Case {
        std::uint64_t there;
        MemoryRoom room;
    };
    for (const Case& one :
         {Case{least - 1, MemoryRoom::tooLittle}, Case{least, MemoryRoom::unsure}, Case{most - 1, MemoryRoom::unsure},
          Case{most, MemoryRoom::enough}, Case{0, MemoryRoom::enough}}) {
        const MemoryPlan plan = planMemory(info, {}, 1, {one.there, 0});
        EXPECT_EQ(plan.need.least, least);
        EXPECT_EQ(plan.roomFor(plan.need), one.room) << one.there;
    }
    const MemoryPlan small = planMemory(info, {}, 1, {64 * kGib, 3'499'999'999});
    EXPECT_EQ(small.roomFor(small.need), MemoryRoom::tooLittle);
    ASSERT_TRUE(small.cpuNeed);
    EXPECT_EQ(*small.cpuNeed, memoryNeed(info, {}, false));
    const MemoryPlan large = planMemory(info, {}, 1, {64 * kGib, 3'500'000'000});
    EXPECT_EQ(large.roomFor(large.need), MemoryRoom::enough);
    EXPECT_FALSE(planMemory(info, {}, 1, {64 * kGib, 0}).cpuNeed) << "there is no GPU to leave out";
}

TEST(MemoryPlan, ProposesThePartInTheMiddleThatFits) {
    const ImageInfo info = page(40000, 20000, 8);
    EXPECT_EQ(planMemory(info, {}, 1, {64 * kGib, 0}).middlePart({}), (PixelRegion{10000, 5000, 20000, 10000}));
    const MemoryPlan little = planMemory(info, {}, 1, {4 * kGib, 0});
    const auto part = little.middlePart({});
    ASSERT_TRUE(part);
    EXPECT_EQ(*part, (PixelRegion{15000, 7500, 10000, 5000}));
    OpenRequest request;
    request.region = part;
    EXPECT_EQ(little.roomFor(little.needOfPart(request)), MemoryRoom::enough);
    EXPECT_FALSE(planMemory(info, {}, 1, {700'000'000, 0}).middlePart({})) << "the page itself is larger";
    request.region = PixelRegion{100, 200, 3, 1};
    EXPECT_EQ(little.middlePart(request), (PixelRegion{101, 200, 1, 1}));
}

TEST(MemoryPlan, ARegionNeedsLessButThePageIsReadFirst) {
    OpenRequest request;
    request.region = PixelRegion{0, 0, 1000, 1000};
    const ImageInfo info = page(30000, 30000, 8);
    const MemoryNeed need = memoryNeed(info, request, false);
    EXPECT_EQ(need.width, 1000U);
    EXPECT_EQ(need.tree, 56'000'000U);
    EXPECT_EQ(need.host, 900'000'000U) << "the page while it is cut";
    request.shrink = 3;
    EXPECT_EQ(memoryNeed(info, request, false).width, 334U);
}

TEST(MemoryPlan, CountsWhatEarlierFiltersLeave) {
    const ImageInfo info = page(800, 700, 16);
    for (const bool onDevice : {false, true}) {
        const MemoryNeed without = memoryNeed(info, {}, onDevice);
        const MemoryNeed with = memoryNeed(info, {}, onDevice, true);
        EXPECT_EQ(with.image, without.image + std::uint64_t{800} * 700 * 2);
        EXPECT_EQ(with.host, without.host + std::uint64_t{800} * 700 * 2);
        EXPECT_EQ(with.device, without.device);
    }
    const std::uint64_t between = 2 * memoryNeed(info, {}, false).host + 1;
    EXPECT_FALSE(planMemory(info, {}, 1, {between, 0}).mustAsk());
    EXPECT_TRUE(planMemory(info, {}, 1, {between, 0}, true).mustAsk());
}

} // namespace
} // namespace pollard::vm
