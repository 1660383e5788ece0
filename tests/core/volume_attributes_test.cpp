// Attributes of the components of volumes against their definitions.
#include "support/affordable.hpp"
#include "support/engines.hpp"
#include "support/naive_tree.hpp"
#include "support/naive_volume_attributes.hpp"
#include "support/random_images.hpp"
#include "support/random_volumes.hpp"

#include "attributes/attribute.hpp"
#include "attributes/volume_formulas.hpp"
#include "base/error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace pollard::testing {
namespace {

using ::testing::HasSubstr;

std::unique_ptr<Session> sessionOf(const std::shared_ptr<Image>& image, TreeKind kind, Connectivity connectivity) {
    auto session = makeCpuEngine()->openSession();
    session->open(image);
    (void)session->buildTree({kind, connectivity, {}});
    return session;
}

/// Volume of 8 bits whose voxels are 1 in a shape, else 0.
std::shared_ptr<Image> solid(const Extent& extent, const std::function<bool(int, int, int)>& inside) {
    auto volume = std::make_shared<Image>(PixelType::u8, extent);
    std::uint32_t index = 0;
    for (std::uint8_t& pixel : volume->pixels<std::uint8_t>()) {
        const Voxel at = voxelAt(index++, extent);
        pixel = inside(static_cast<int>(at.x), static_cast<int>(at.y), static_cast<int>(at.z)) ? 1 : 0;
    }
    return volume;
}

/// Attribute of the only component of a solid.
double ofSolid(const std::shared_ptr<Image>& volume, AttributeId id, Connectivity connectivity = Connectivity::six) {
    const auto session = sessionOf(volume, TreeKind::max, connectivity);
    EXPECT_EQ(session->tree()->nodeCount(), 2U);
    return session->attribute(id)->at(1);
}

/// Border voxels by definition.
std::uint32_t borderOf(const NaiveNode& node, const Extent& extent) {
    return static_cast<std::uint32_t>(std::ranges::count_if(node.support, [&](std::uint32_t p) {
        const Voxel at = voxelAt(p, extent);
        return at.x == 0 || at.y == 0 || at.z == 0 || at.x + 1 == extent.width || at.y + 1 == extent.height ||
               at.z + 1 == extent.slices;
    }));
}

class VolumeAttributes : public ::testing::TestWithParam<std::tuple<TreeKind, Connectivity>> {
protected:
    const TreeKind kind = std::get<TreeKind>(GetParam());
    const Connectivity connectivity = std::get<Connectivity>(GetParam());

    void expectDefinitions(const std::shared_ptr<Image>& volume) {
        const Extent& extent = volume->extent();
        const auto session = sessionOf(volume, kind, connectivity);
        const auto tree = session->tree();
        const auto nodes = naiveTree(*volume, kind, connectivity);
        ASSERT_EQ(tree->nodeCount(), nodes.size());
        for (const AttributeInfo& info : volumeAttributes()) {
            if (info.id == AttributeId::euler && connectivity == Connectivity::eighteen) {
                continue;
            }
            const auto column = session->attribute(info.id);
            for (const NaiveNode& node : nodes) {
                const std::uint32_t number = tree->pixelNode[node.canonical];
                double expected =
                    NaiveSolid(node.support, extent, volume->sides()).value(info.id, connectivity == Connectivity::six);
                if (info.id == AttributeId::area) {
                    expected = static_cast<double>(node.support.size());
                } else if (info.id == AttributeId::border) {
                    expected = borderOf(node, extent);
                } else if (info.id == AttributeId::borderContrast || info.id == AttributeId::outerMean) {
                    expected =
                        naiveBorderMean(node.support, extent, volume->sides(), info.id == AttributeId::borderContrast,
                                        [&](std::uint32_t p) { return static_cast<long double>(volume->level(p)); });
                    ASSERT_EQ(std::isnan(expected), number == 0);
                    ASSERT_EQ(std::isnan(column->at(number)), number == 0);
                }
                if (!std::isnan(expected)) { // others do not depend on the third dimension
                    ASSERT_NEAR(column->at(number), expected, 1e-9 * std::abs(expected))
                        << info.name << " of node " << number << " of " << text(extent);
                }
            }
        }
    }
};

TEST_P(VolumeAttributes, OfSmallVolumes) {
    Random random(17);
    for (int i = 0; i < repeats(30); ++i) {
        const Extent extent{1 + random() % 5, 1 + random() % 5, 2 + random() % 4};
        const auto volume = randomVolume(random, extent);
        volume->setSides({1, 1.0 + random() % 3, 0.5 + random() % 4});
        expectDefinitions(volume);
    }
}

TEST_P(VolumeAttributes, OfThinVolumes) {
    Random random(18);
    for (const Extent& extent : {Extent{1, 1, 40}, Extent{40, 1, 2}, Extent{1, 23, 3}, Extent{9, 7, 2}}) {
        expectDefinitions(randomVolume(random, extent));
    }
}

std::string caseName(const ::testing::TestParamInfo<std::tuple<TreeKind, Connectivity>>& info) {
    return std::string(std::get<0>(info.param) == TreeKind::max ? "Max" : "Min") +
           std::to_string(static_cast<int>(std::get<1>(info.param)));
}
INSTANTIATE_TEST_SUITE_P(All, VolumeAttributes,
                         ::testing::Combine(::testing::Values(TreeKind::max, TreeKind::min),
                                            ::testing::Values(Connectivity::six, Connectivity::eighteen,
                                                              Connectivity::twentySix)),
                         caseName);

TEST(VolumeShapes, ABallIsOne) {
    const auto ball = solid({45, 45, 45}, [](int x, int y, int z) {
        return (x - 22) * (x - 22) + (y - 22) * (y - 22) + (z - 22) * (z - 22) <= 400;
    });
    EXPECT_NEAR(ofSolid(ball, AttributeId::sphericity), 1, 0.01);
    EXPECT_NEAR(ofSolid(ball, AttributeId::inertia), 0.231, 0.001);
    EXPECT_NEAR(ofSolid(ball, AttributeId::major), 40, 0.1);
    EXPECT_NEAR(ofSolid(ball, AttributeId::flatness), 1, 1e-12);
    EXPECT_EQ(ofSolid(ball, AttributeId::euler), 1);
    EXPECT_EQ(ofSolid(ball, AttributeId::centroidZ), 22);
}

TEST(VolumeShapes, RodsAndPlatesOneVoxelThickHaveTheirAxes) {
    const auto rod = solid({200, 3, 3}, [](int /*x*/, int y, int z) { return y == 1 && z == 1; });
    EXPECT_NEAR(ofSolid(rod, AttributeId::elongation), 200, 1e-9);
    EXPECT_NEAR(ofSolid(rod, AttributeId::flatness), 1, 1e-12);
    const auto plate = solid({60, 3, 60}, [](int /*x*/, int y, int /*z*/) { return y == 1; });
    EXPECT_NEAR(ofSolid(plate, AttributeId::flatness), 60, 1e-10);
    EXPECT_NEAR(ofSolid(plate, AttributeId::elongation), 1, 1e-12);
    // Oblique: a diagonal line of cubes is (n^2 - 1)/4 + 1/12 long in space and 1/12 thick.
    const auto diagonal = solid({50, 50, 50}, [](int x, int y, int z) { return x == y && y == z; });
    EXPECT_NEAR(ofSolid(diagonal, AttributeId::major, Connectivity::twentySix),
                2 * std::sqrt(5 * ((50.0 * 50 - 1) / 4 + 1.0 / 12)), 1e-10);
    EXPECT_NEAR(ofSolid(diagonal, AttributeId::minor, Connectivity::twentySix), 2 * std::sqrt(5.0 / 12), 1e-10);
}

TEST(VolumeShapes, AnisotropicVoxelsAreMeasuredInSpace) {
    // 20 x 20 voxels of 1 x 1 and 5 slices of 4: a cube of 20.
    const auto cube =
        solid({24, 24, 9}, [](int x, int y, int z) { return x >= 2 && x < 22 && y >= 2 && y < 22 && z >= 2 && z < 7; });
    EXPECT_GT(ofSolid(cube, AttributeId::flatness), 3.9);
    cube->setSides({1, 1, 4});
    EXPECT_NEAR(ofSolid(cube, AttributeId::flatness), 1, 1e-12);
    EXPECT_NEAR(ofSolid(cube, AttributeId::major), 2 * std::sqrt(5 * 400.0 / 12), 1e-10);
    EXPECT_EQ(ofSolid(cube, AttributeId::surface), 6 * 400);
    EXPECT_NEAR(ofSolid(cube, AttributeId::bboxDiagonal), std::sqrt(3.0) * 20, 1e-12);
    EXPECT_EQ(ofSolid(cube, AttributeId::slicesPx), 5);
}

TEST(VolumeShapes, EulerNumbersCountPartsTunnelsAndCavities) {
    for (const Connectivity connectivity : {Connectivity::six, Connectivity::twentySix}) {
        const auto euler = [&](const std::function<bool(int, int, int)>& inside) {
            return ofSolid(solid({9, 9, 9}, inside), AttributeId::euler, connectivity);
        };
        const auto within = [](int v, int low, int high) { return v >= low && v <= high; };
        const auto block = [&](int x, int y, int z) { return within(x, 1, 7) && within(y, 1, 7) && within(z, 1, 7); };
        EXPECT_EQ(euler(block), 1);
        EXPECT_EQ(euler([&](int x, int y, int z) { return block(x, y, z) && !(x == 4 && y == 4); }), 0) << "tunnel";
        EXPECT_EQ(euler([&](int x, int y, int z) { return block(x, y, z) && !(x == 4 && y == 4 && z == 4); }), 2)
            << "cavity";
        EXPECT_EQ(
            euler([&](int x, int y, int z) { return block(x, y, z) && !(x == 3 && y == 3) && !(x == 5 && y == 5); }),
            -1)
            << "two tunnels";
    }
}

TEST(VolumeShapes, LongVolumesHaveExactSums) {
    // The sums of squares need more than 64 bits: 2 rows of 2^21 voxels in 2 slices.
    const Extent extent{1U << 21, 2, 2};
    const auto session =
        sessionOf(solid(extent, [](int x, int, int) { return x % (1 << 20) != 0; }), TreeKind::max, Connectivity::six);
    const double n = double{1U << 21} * 4;
    EXPECT_EQ(session->attribute(AttributeId::area)->at(0), n);
    EXPECT_EQ(session->attribute(AttributeId::centroidX)->at(0), ((1U << 21) - 1) / 2.0);
    EXPECT_NEAR(session->attribute(AttributeId::major)->at(0), 2 * std::sqrt(5.0 / 12) * (1U << 21), 1e-6);
    EXPECT_NEAR(session->attribute(AttributeId::minor)->at(0), 2 * std::sqrt(5 * 4.0 / 12), 1e-3);
}

TEST(VolumeShapes, AttributesOfTheOtherKindAreRefusedByName) {
    const auto expectRefusal = [](Session& session, AttributeId id, const std::string& why) {
        try {
            (void)session.attribute(id);
            FAIL() << "no error";
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::invalidArgument);
            EXPECT_THAT(error.what(), HasSubstr(why));
        }
    };
    const auto cube = solid({4, 4, 4}, [](int x, int y, int z) { return x + y + z > 6; });
    const auto inVolume = sessionOf(cube, TreeKind::max, Connectivity::eighteen);
    expectRefusal(*inVolume, AttributeId::perimeter, "attribute 'perimeter': not measured in volumes");
    expectRefusal(*inVolume, AttributeId::euler, "attribute 'euler': defined for 6 and 26 neighbours, not for 18");
    auto image = std::make_shared<Image>(PixelType::u8, 4, 4);
    std::fill_n(image->pixels<std::uint8_t>().begin(), 16, std::uint8_t{1});
    const auto inImage = sessionOf(image, TreeKind::max, Connectivity::four);
    expectRefusal(*inImage, AttributeId::surface, "attribute 'surface': measured in volumes only");
}

TEST(VolumeShapes, CubeRootsDoNotDependOnTheLibrary) {
    for (double value = 1e-6; value < 1e30; value *= 1.37) {
        const double root = cubeRootOf(value);
        ASSERT_NEAR(root * root * root, value, 5e-15 * value);
    }
    EXPECT_EQ(cubeRootOf(27), 3);
}

} // namespace
} // namespace pollard::testing
