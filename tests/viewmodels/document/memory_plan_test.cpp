#include "vm/picture/memory_plan.hpp"

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

TEST(MemoryPlan, CountsWhatAPictureTakes) {
    struct Case {
        ImageInfo info;
        std::uint64_t decoded;
        std::uint64_t picture;
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
        EXPECT_EQ(need.picture, wanted.picture);
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
}

TEST(MemoryPlan, SaysWhatCannotFitWhateverThePicture) {
    // 8 bits: 3 pictures and 8 to 56 bytes of tree per pixel.
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
        EXPECT_EQ(with.picture, without.picture + std::uint64_t{800} * 700 * 2);
        EXPECT_EQ(with.host, without.host + std::uint64_t{800} * 700 * 2);
        EXPECT_EQ(with.device, without.device);
    }
    const std::uint64_t between = 2 * memoryNeed(info, {}, false).host + 1;
    EXPECT_FALSE(planMemory(info, {}, 1, {between, 0}).mustAsk());
    EXPECT_TRUE(planMemory(info, {}, 1, {between, 0}, true).mustAsk());
}

} // namespace
} // namespace pollard::vm
