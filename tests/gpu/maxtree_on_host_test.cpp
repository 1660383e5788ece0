#include "maxtree_on_host.hpp"

#include "cpu/cpu_engine.hpp"
#include "engine/engine.hpp"
#include "support/random_images.hpp"

#include <gtest/gtest.h>

#include <tuple>

namespace pollard::cuda {
namespace {

using testing::MaxTreeOnHost;

std::vector<std::uint32_t> expectedParents(const std::shared_ptr<const Image>& image, TreeKind kind,
                                           Connectivity connectivity) {
    const auto engine = makeCpuEngine();
    const auto session = engine->openSession();
    session->open(image);
    session->buildTree({kind, connectivity, {}});
    const Buffer<std::uint32_t> parents = canonicalParentImage(*session->tree());
    return {parents.begin(), parents.end()};
}

template <int Width, int Height>
std::vector<std::uint32_t> parentsOnHost(const Image& image, TreeKind kind, BoundaryRule rule,
                                         const std::string& algorithm, int threads, std::uint32_t seed) {
    return dispatch(image.type(), [&]<class Level>(Level) {
        const std::vector<Level> pixels(image.pixels<Level>().begin(), image.pixels<Level>().end());
        const Level flip = kind == TreeKind::min ? std::numeric_limits<Level>::max() : Level{0};
        return MaxTreeOnHost<Level, Width, Height>(pixels, image.width(), flip, rule, threads, seed).build(algorithm);
    });
}

using Param = std::tuple<std::string, TreeKind, Connectivity, bool>;

std::string nameOfParam(const ::testing::TestParamInfo<Param>& info) {
    const auto& [algorithm, kind, connectivity, simplify] = info.param;
    return algorithm + (kind == TreeKind::max ? "_max" : "_min") + (connectivity == Connectivity::four ? "_4" : "_8") +
           (simplify ? "_simplified" : "_full");
}

class MaxTreeFunctions : public ::testing::TestWithParam<Param> {
protected:
    template <int Width, int Height>
    void compare(const std::shared_ptr<const Image>& image, int threads, std::uint32_t seed) {
        const auto& [algorithm, kind, connectivity, simplify] = GetParam();
        const BoundaryRule rule{connectivity == Connectivity::eight, simplify};
        ASSERT_EQ((parentsOnHost<Width, Height>(*image, kind, rule, algorithm, threads, seed)),
                  expectedParents(image, kind, connectivity))
            << image->width() << " x " << image->height() << " px, tiles of " << Width << " x " << Height << ", seed "
            << seed;
    }
};

TEST_P(MaxTreeFunctions, GiveTheCanonicalParentImageOfRandomImages) {
    for (std::uint32_t seed = 0; seed < 400; ++seed) {
        pollard::testing::Random random(seed);
        const std::uint32_t width = 1 + random() % 22;
        const std::uint32_t height = 1 + random() % 22;
        const auto image = pollard::testing::randomImage(random, width, height);
        compare<4, 3>(image, 1, seed);
        compare<7, 5>(image, 1, seed);
        compare<2, 2>(image, 1, seed);
    }
}

TEST_P(MaxTreeFunctions, GiveTheSameWhenThreadsMeet) {
    for (std::uint32_t seed = 0; seed < 12; ++seed) {
        pollard::testing::Random random(1000 + seed);
        compare<16, 8>(pollard::testing::randomImage(random, 90 + seed, 70), 4, seed);
    }
}

TEST_P(MaxTreeFunctions, ClimbChainsOfEveryLevel) {
    const auto ramp = pollard::testing::makeImage(PixelType::u16, 256, 256,
                                                  [](std::uint32_t x, std::uint32_t y) { return y * 256 + x; });
    compare<32, 32>(ramp, 1, 0);
}

INSTANTIATE_TEST_SUITE_P(All, MaxTreeFunctions,
                         ::testing::Combine(::testing::Values(std::string("base"), std::string("columns"),
                                                              std::string("border"), std::string("halo")),
                                            ::testing::Values(TreeKind::max, TreeKind::min),
                                            ::testing::Values(Connectivity::four, Connectivity::eight),
                                            ::testing::Bool()),
                         nameOfParam);

TEST(HaloLayout, CoversEveryPixelAndReturnsToIt) {
    for (std::uint32_t width = 1; width < 40; ++width) {
        const HaloLayout halo{width, 5, 8, 4};
        const ImageTiling tiles = halo.tiles();
        ASSERT_LE(tiles.width, 2 * width);
        for (std::uint32_t p = 0; p < width * 5; ++p) {
            ASSERT_EQ(halo.fromHalo(halo.toHalo(p)), p) << width;
        }
        for (std::uint32_t p = 0; p < tiles.pixels(); ++p) {
            ASSERT_LT(halo.fromHalo(p), width * 5) << width;
        }
        // Neighbours stay neighbours within a tile, and a boundary stands between two copies of one pixel.
        for (std::uint32_t x = 1; x < tiles.width; ++x) {
            const std::uint32_t step = halo.fromHalo(x) - halo.fromHalo(x - 1);
            ASSERT_EQ(step, x % 8 == 0 ? 0U : 1U) << width;
        }
    }
}

TEST(KeptEdges, AreAtMostOneAPosition) {
    for (std::uint32_t bits = 0; bits < 4096; ++bits) {
        const auto level = [bits](std::uint32_t i) { return (bits >> (2 * i)) & 3U; };
        for (const bool eight : {false, true}) {
            const std::uint32_t kept =
                keptEdges({level(0), level(1), level(2), level(3), level(4), level(5), true, true}, {eight, true});
            ASSERT_EQ(kept & (kept - 1), 0U);
        }
    }
}

TEST(LinkRecord, OrdersPixelsByLevelThenBackwardsByIndex) {
    EXPECT_LT(TileRecord::make(3, 0), TileRecord::make(4, 65534));
    EXPECT_LT(TileRecord::make(3, 7), TileRecord::make(3, 6));
    EXPECT_NE(TileRecord::make(0, 65534), TileRecord::kNone);
    EXPECT_EQ(TileRecord::level(TileRecord::make(65535, 12)), 65535U);
    EXPECT_EQ(TileRecord::index(TileRecord::make(65535, 12)), 12U);
    EXPECT_NE(PixelRecord::make(0, 0xfffffffeU), PixelRecord::kNone);
    EXPECT_EQ(PixelRecord::index(PixelRecord::make(9, 0xfffffffeU)), 0xfffffffeU);
    EXPECT_EQ(PixelRecord::level(PixelRecord::make(9, 0xfffffffeU)), 9U);
}

} // namespace
} // namespace pollard::cuda
