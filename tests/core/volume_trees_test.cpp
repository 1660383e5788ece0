// Trees of volumes against their definition, and laws that connect them with trees of images.
#include "support/affordable.hpp"
#include "support/engines.hpp"
#include "support/naive_tree.hpp"
#include "support/random_images.hpp"
#include "support/random_volumes.hpp"

#include "attributes/attribute.hpp"
#include "base/error.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace pollard::testing {
namespace {

using SharedImage = std::shared_ptr<Image>;

/// The algorithms for volumes; empty: the default.
const std::vector<std::string> kAlgorithms{"branches", "union-find", "flooding"};

std::shared_ptr<const ComponentTree> treeOf(const SharedImage& image, TreeKind kind, Connectivity connectivity,
                                            const std::string& algorithm = {}) {
    const auto session = makeCpuEngine()->openSession();
    session->open(image);
    (void)session->buildTree({kind, connectivity, algorithm});
    return session->tree();
}

void expectSameTree(const ComponentTree& a, const ComponentTree& b) {
    EXPECT_EQ(a.extent(), b.extent());
    EXPECT_EQ(a.leafCount, b.leafCount);
    EXPECT_EQ(a.depth, b.depth);
    ASSERT_TRUE(std::ranges::equal(a.parent, b.parent));
    ASSERT_TRUE(std::ranges::equal(a.level, b.level));
    ASSERT_TRUE(std::ranges::equal(a.canonical, b.canonical));
    ASSERT_TRUE(std::ranges::equal(a.subtreeEnd, b.subtreeEnd));
    ASSERT_TRUE(std::ranges::equal(a.pixelNode, b.pixelNode));
}

class VolumeTrees : public ::testing::TestWithParam<std::tuple<TreeKind, Connectivity>> {
protected:
    const TreeKind kind = std::get<TreeKind>(GetParam());
    const Connectivity connectivity = std::get<Connectivity>(GetParam());

    void expectEqualsDefinition(const SharedImage& volume, const std::string& algorithm) {
        const auto tree = treeOf(volume, kind, connectivity, algorithm);
        const auto nodes = naiveTree(*volume, kind, connectivity);
        EXPECT_EQ(tree->extent(), volume->extent());
        ASSERT_EQ(tree->nodeCount(), nodes.size());
        std::map<std::uint32_t, std::size_t> byCanonical;
        for (std::size_t n = 0; n < nodes.size(); ++n) {
            byCanonical[nodes[n].canonical] = n;
        }
        std::vector<std::uint32_t> support(nodes.size(), 0);
        for (const std::uint32_t node : tree->pixelNode) {
            ++support[node];
        }
        for (std::uint32_t n = static_cast<std::uint32_t>(nodes.size()); n-- > 1;) {
            support[tree->parent[n]] += support[n];
        }
        for (std::uint32_t n = 0; n < tree->nodeCount(); ++n) {
            ASSERT_TRUE(byCanonical.contains(tree->canonical[n]));
            const NaiveNode& expected = nodes[byCanonical[tree->canonical[n]]];
            ASSERT_EQ(tree->level[n], expected.level);
            ASSERT_EQ(tree->canonical[tree->parent[n]], nodes[expected.parent].canonical);
            ASSERT_EQ(support[n], expected.support.size());
        }
    }
};

TEST_P(VolumeTrees, OfSmallSizesEqualTheDefinition) {
    Random random(31);
    for (int repeat = 0; repeat < repeats(300); ++repeat) {
        const Extent extent{1 + random() % 7, 1 + random() % 7, 2 + random() % 6};
        SCOPED_TRACE(text(extent) + ", repeat " + std::to_string(repeat));
        const auto volume = randomVolume(random, extent);
        for (const std::string& algorithm : kAlgorithms) {
            ASSERT_NO_FATAL_FAILURE(expectEqualsDefinition(volume, algorithm)) << algorithm;
        }
    }
}

TEST_P(VolumeTrees, OfLargerVolumesEqualTheDefinition) {
    Random random(32);
    for (const Extent extent : {Extent{33, 17, 18}, Extent{5, 40, 35}, Extent{1, 1, 300}, Extent{50, 1, 20}}) {
        SCOPED_TRACE(text(extent));
        const auto noise = makeVolume(PixelType::u16, extent, [&](auto, auto, auto) { return random() % 9 * 7000; });
        ASSERT_NO_FATAL_FAILURE(expectEqualsDefinition(noise, {}));
    }
}

TEST_P(VolumeTrees, OfManyBricksAreThoseOfAllAlgorithms) {
    Random random(36);
    for (int repeat = 0; repeat < repeats(24); ++repeat) {
        const Extent extent{1 + random() % 70, 1 + random() % 70, 2 + random() % 70};
        SCOPED_TRACE(text(extent) + ", repeat " + std::to_string(repeat));
        const auto volume = repeat % 2 == 0 ? randomVolume(random, extent)
                                            : makeVolume(PixelType::u16, extent, [&](auto x, auto y, auto z) {
                                                  return (x * 37 + y * 11 + z * 23) % 1024 * 60 + random() % 3000;
                                              });
        ASSERT_NO_FATAL_FAILURE(
            expectSameTree(*treeOf(volume, kind, connectivity), *treeOf(volume, kind, connectivity, "union-find")));
    }
}

TEST_P(VolumeTrees, DoNotDependOnThreads) {
    Random random(37);
    const auto volume = makeVolume(PixelType::u16, {90, 80, 70}, [&](auto x, auto y, auto z) {
        return (x * 37 + y * 11 + z * 5) % 4096 * 8 + random() % 400;
    });
    const auto treeWith = [&](int threads) {
        const auto session = makeCpuEngine()->openSession({threads});
        session->open(volume);
        (void)session->buildTree({kind, connectivity, {}});
        return session->tree();
    };
    const auto one = treeWith(1);
    for (const int threads : {2, 4, 4}) {
        ASSERT_NO_FATAL_FAILURE(expectSameTree(*treeWith(threads), *one));
    }
}

TEST_P(VolumeTrees, OfDeepVolumesAreThoseOfAllAlgorithms) {
    // A serpentine: one path of rising levels through all voxels.
    const Extent extent{16, 16, 16};
    const auto serpentine = makeVolume(PixelType::u16, extent, [&](auto x, auto y, auto z) {
        const std::uint32_t row = z % 2 == 0 ? y : extent.height - 1 - y;
        const std::uint32_t column = (z * extent.height + row) % 2 == 0 ? x : extent.width - 1 - x;
        return ((z * extent.height + row) * extent.width + column) * 16;
    });
    const auto ramp = makeVolume(PixelType::u16, {65536, 1, 2}, [](auto x, auto, auto) { return x; });
    for (const auto& volume : {serpentine, ramp}) {
        const auto flooded = treeOf(volume, kind, connectivity, "flooding");
        expectSameTree(*treeOf(volume, kind, connectivity, "union-find"), *flooded);
        expectSameTree(*treeOf(volume, kind, connectivity), *flooded);
        EXPECT_EQ(flooded->depth + 1, volume == ramp ? 65536U : 4096U);
    }
}

TEST_P(VolumeTrees, PermutedAxesPermuteTheComponents) {
    Random random(33);
    for (int repeat = 0; repeat < 20; ++repeat) {
        const Extent extent{2 + random() % 9, 2 + random() % 9, 2 + random() % 9};
        const auto volume = randomVolume(random, extent);
        const auto turned =
            makeVolume(volume->type(), {extent.slices, extent.width, extent.height}, [&](auto z, auto x, auto y) {
                return volume->level((std::size_t{z} * extent.height + y) * extent.width + x);
            });
        const auto areasOf = [&](const SharedImage& image) {
            const auto session = makeCpuEngine()->openSession();
            session->open(image);
            (void)session->buildTree({kind, connectivity, {}});
            const auto column = session->attribute(AttributeId::area);
            const auto& areas = std::get<Buffer<std::uint32_t>>(column->values);
            std::vector<std::uint32_t> sorted(areas.begin(), areas.end());
            std::ranges::sort(sorted);
            return sorted;
        };
        EXPECT_EQ(areasOf(volume), areasOf(turned));
    }
}

std::string nameOfParam(const ::testing::TestParamInfo<std::tuple<TreeKind, Connectivity>>& info) {
    const auto& [kind, connectivity] = info.param;
    return std::string(kind == TreeKind::max ? "max_" : "min_") + std::to_string(static_cast<int>(connectivity));
}
INSTANTIATE_TEST_SUITE_P(All, VolumeTrees,
                         ::testing::Combine(::testing::Values(TreeKind::max, TreeKind::min),
                                            ::testing::Values(Connectivity::six, Connectivity::eighteen,
                                                              Connectivity::twentySix)),
                         nameOfParam);

TEST(Volumes, OfOneSliceHaveTheTreeOfTheImage) {
    Random random(34);
    for (int repeat = 0; repeat < 60; ++repeat) {
        const auto image = randomImage(random, 1 + random() % 90, 1 + random() % 90);
        for (const TreeKind kind : {TreeKind::max, TreeKind::min}) {
            for (const std::string algorithm : {"branches", "union-find", "flooding"}) {
                const auto four = treeOf(image, kind, Connectivity::four);
                const auto eight = treeOf(image, kind, Connectivity::eight);
                expectSameTree(*treeOf(image, kind, Connectivity::six, algorithm), *four);
                expectSameTree(*treeOf(image, kind, Connectivity::eighteen, algorithm), *eight);
                expectSameTree(*treeOf(image, kind, Connectivity::twentySix, algorithm), *eight);
                EXPECT_EQ(treeOf(image, kind, Connectivity::six)->connectivity, Connectivity::four);
            }
        }
    }
}

/// The message of the error.
std::string refusal(const std::function<void()>& work) {
    try {
        work();
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

TEST(Volumes, RefuseWorkOfImages) {
    const auto volume = makeVolume(PixelType::u8, {4, 3, 2}, [](auto x, auto, auto) { return x; });
    EXPECT_EQ(refusal([&] { (void)treeOf(volume, TreeKind::max, Connectivity::four); }),
              "connectivity: 4 neighbours are for images; a volume has 6, 18 or 26");
    const auto session = makeCpuEngine()->openSession();
    session->open(volume);
    (void)session->buildTree({TreeKind::max, Connectivity::six, {}});
    for (const AttributeInfo& info : allAttributes()) {
        const bool isOfImages = !refusal([&] { (void)session->attribute(info.id); }).empty();
        const bool isPlane = info.name.starts_with("hu") || info.id == AttributeId::orientation ||
                             info.id == AttributeId::eccentricity || info.id == AttributeId::perimeter ||
                             info.id == AttributeId::circularity || info.id == AttributeId::holes;
        EXPECT_EQ(isOfImages, isPlane) << info.name;
    }
    Image slice(PixelType::u8, 4, 3);
    EXPECT_EQ(refusal([&] { (void)session->filter({}, slice); }),
              "filter: the output image differs from the input in type or size");
}

TEST(Volumes, HaveEverySideAndAtMostTheLargestNumberOfPixels) {
    EXPECT_EQ(refusal([] {
                  Image(PixelType::u8, {4, 3, 0});
              }),
              "image of 4 x 3 x 0 pixels: all sides must be at least 1");
    EXPECT_EQ(refusal([] {
                  Image(PixelType::u8, {65536, 65536, 4});
              }),
              "image of 65536 x 65536 x 4 pixels: more than 4294967295 pixels");
    EXPECT_EQ(Image(PixelType::u16, {4, 3, 2}).bytes(), 48U);
}

TEST(Volumes, FilteredEqualTheSumOfKeptComponents) {
    // An opening by area, by the definition: the highest threshold at which the pixel's component is large enough.
    Random random(35);
    for (int repeat = 0; repeat < 30; ++repeat) {
        const auto volume = randomVolume(random, {2 + random() % 6, 2 + random() % 6, 2 + random() % 6});
        const std::uint32_t least = 1 + random() % 40;
        const auto nodes = naiveTree(*volume, TreeKind::max, Connectivity::twentySix);
        std::vector<std::uint16_t> expected(volume->pixelCount(), nodes.front().level);
        for (const NaiveNode& node : nodes) { // by rising level
            for (const std::uint32_t p : node.support) {
                expected[p] = node.support.size() >= least ? node.level : expected[p];
            }
        }
        const auto session = makeCpuEngine()->openSession();
        session->open(volume);
        (void)session->buildTree({TreeKind::max, Connectivity::twentySix, {}});
        FilterSpec spec;
        spec.criteria = {{AttributeId::area, static_cast<double>(least)}};
        Image out(volume->type(), volume->extent());
        (void)session->filter(spec, out);
        for (std::size_t p = 0; p < expected.size(); ++p) {
            ASSERT_EQ(out.level(p), expected[p]);
        }
        const LabelImage labels = session->labels(spec);
        EXPECT_EQ(labels.slices, volume->extent().slices);
        EXPECT_EQ(labels.labels.size(), volume->pixelCount());
    }
}

TEST(Volumes, EndWhenTheyAreStopped) {
    std::stop_source stop;
    stop.request_stop();
    const auto session = makeCpuEngine()->openSession();
    session->open(makeVolume(PixelType::u8, {20, 20, 20}, [](auto x, auto, auto) { return x; }));
    EXPECT_THROW((void)session->buildTree({TreeKind::max, Connectivity::six, {}}, JobControl(stop.get_token())),
                 Cancelled);
    EXPECT_EQ(session->tree(), nullptr);
}

} // namespace
} // namespace pollard::testing
