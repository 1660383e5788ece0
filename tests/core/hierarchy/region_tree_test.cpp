// Trees of regions against sets of pixels: nodes, numbers of nodes, frontiers, kept regions, cuts at samples.

#include "attributes/attribute.hpp"
#include "base/error.hpp"
#include "hierarchy/grid_edges.hpp"
#include "hierarchy/hierarchy.hpp"
#include "hierarchy/make_hierarchy.hpp"
#include "hierarchy/partition.hpp"
#include "hierarchy/region_means.hpp"
#include "hierarchy/region_measures.hpp"
#include "hierarchy/region_tree.hpp"
#include "image/mask.hpp"
#include "support/random_images.hpp"
#include "support/random_volumes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace pollard::testing {
namespace {

using Pixels = std::set<std::uint32_t>;

constexpr Strength kEachStrength[] = {Strength::altitude, Strength::dynamics, Strength::area, Strength::volume};

/// An image, its hierarchy and the tree of its regions.
struct TreeCase {
    std::shared_ptr<Image> image;
    std::unique_ptr<Mask> valid;
    HierarchySpec spec;
    std::unique_ptr<Hierarchy> hierarchy;
    RegionTree tree;

    TreeCase(Random& random, int i, RegionForm form) {
        const bool isVolume = i % 3 == 0;
        image = isVolume ? randomVolume(random, {1 + random() % 4, 1 + random() % 3, 2 + random() % 2})
                         : randomImage(random, 1 + random() % 8, 1 + random() % 6);
        spec = {kEachStrength[i % 4], random() % 2 == 0 ? EdgeWeight::difference : EdgeWeight::maximum,
                isVolume            ? Connectivity::eighteen
                : random() % 2 == 0 ? Connectivity::four
                                    : Connectivity::eight};
        if (i % 5 == 0) {
            valid = std::make_unique<Mask>(image->width(), image->height() * image->extent().slices, true);
            valid->set(random() % image->width(), random() % valid->height(), false);
        }
        hierarchy = std::make_unique<Hierarchy>(makeHierarchy(*image, valid.get(), spec, {}, {3, 2, 2}));
        tree = makeRegionTree(*hierarchy, form);
    }
    [[nodiscard]] bool hasData(std::uint32_t pixel) const {
        return valid == nullptr || valid->test(pixel % image->width(), pixel / image->width());
    }
    /// Pixels of each node, from the pixels of its leaves.
    [[nodiscard]] std::vector<Pixels> pixels() const {
        std::vector<Pixels> of(tree.nodeCount());
        for (std::uint32_t pixel = 0; pixel < image->pixelCount(); ++pixel) {
            for (std::uint32_t node = hierarchy->basins()[pixel];; node = tree.parent[node]) {
                of[node].insert(pixel);
                if (tree.isRoot(node)) {
                    break;
                }
            }
        }
        return of;
    }
    [[nodiscard]] std::vector<WeightedEdge> edges() const {
        std::vector<WeightedEdge> all;
        GridEdges(*image, valid.get(), spec.weight, spec.connectivity)
            .forEach(0, static_cast<std::uint32_t>(image->pixelCount()),
                     [&](std::uint32_t pixel, std::uint32_t other, std::uint16_t weight) {
                         all.push_back({weight, pixel, other});
                     });
        return all;
    }
    [[nodiscard]] Buffer<double> column(const std::string& name) const {
        RegionMeasures measures(*hierarchy, tree, *image, valid.get(), spec);
        return measures.compute(*findRegionAttribute(name, image->extent().isVolume()));
    }
};

TEST(RegionTree, NodesAreTheRegionsOfAllStrengths) {
    Random random(31);
    for (int i = 0; i < 240; ++i) {
        const TreeCase one(random, i, RegionForm::merged);
        std::set<std::pair<std::uint64_t, Pixels>> expected; // regions where they are formed
        std::set<std::uint64_t> strengths{0};
        strengths.insert(one.hierarchy->strengths().begin(), one.hierarchy->strengths().end());
        std::set<Pixels> known;
        for (const std::uint64_t strength : strengths) {
            std::map<std::uint32_t, Pixels> regions;
            for (std::uint32_t p = 0; p < one.image->pixelCount(); ++p) {
                regions[one.hierarchy->regionOf(one.hierarchy->basins()[p], strength)].insert(p);
            }
            for (const auto& [basin, region] : regions) {
                if (known.insert(region).second) {
                    expected.emplace(strength, region);
                }
            }
        }
        const std::vector<Pixels> pixels = one.pixels();
        std::set<std::pair<std::uint64_t, Pixels>> found;
        for (std::uint32_t node = 0; node < pixels.size(); ++node) {
            found.emplace(one.tree.strength[node], pixels[node]);
        }
        ASSERT_EQ(found, expected) << "image " << i;
        ASSERT_EQ(found.size(), one.tree.nodeCount()) << "each region is one node";
    }
}

TEST(RegionTree, ParentsComeLaterAndBinaryNodesHaveTwoChildren) {
    Random random(32);
    for (int i = 0; i < 120; ++i) {
        const RegionForm form = i % 2 == 0 ? RegionForm::binary : RegionForm::merged;
        const TreeCase one(random, i, form);
        const std::vector<Pixels> pixels = one.pixels();
        std::vector<int> children(one.tree.nodeCount());
        for (std::uint32_t node = 0; node < one.tree.nodeCount(); ++node) {
            ASSERT_TRUE(one.tree.isRoot(node) || one.tree.parent[node] > node);
            children[one.tree.parent[node]] += one.tree.isRoot(node) ? 0 : 1;
            if (node > one.tree.leafCount) { // by strength, then, with merged ones, by first pixel
                const std::pair before(one.tree.strength[node - 1], *pixels[node - 1].begin());
                const std::pair here(one.tree.strength[node], *pixels[node].begin());
                ASSERT_TRUE(form == RegionForm::merged ? before < here : before.first <= here.first);
            }
        }
        for (std::uint32_t node = 0; node < one.tree.nodeCount(); ++node) {
            ASSERT_EQ(children[node] > 0, node >= one.tree.leafCount);
            ASSERT_TRUE(form == RegionForm::merged || node < one.tree.leafCount || children[node] == 2);
        }
        for (std::size_t merge = 0; merge < one.tree.mergeNode.size(); ++merge) {
            ASSERT_EQ(one.tree.strength[one.tree.mergeNode[merge]], one.hierarchy->strengths()[merge]);
        }
    }
}

TEST(RegionTree, GreyValuesBoxesAndEdgesAreThoseOfTheSets) {
    Random random(33);
    for (int i = 0; i < 120; ++i) {
        const TreeCase one(random, i, i % 2 == 0 ? RegionForm::merged : RegionForm::binary);
        const std::vector<Pixels> pixels = one.pixels();
        const std::vector<WeightedEdge> edges = one.edges();
        std::map<std::string, Buffer<double>> columns;
        for (const char* name : {"area", "sum", "minimum", "maximum", "range", "variance", "width", "height_px",
                                 "frontier_strength", "frontier_length", "contour_strength", "contour_length", "basins",
                                 "strength", "centroid_x", "depth", "children"}) {
            columns.emplace(name, one.column(name));
        }
        for (std::uint32_t node = 0; node < one.tree.nodeCount(); ++node) {
            Pixels inside;
            std::ranges::copy_if(pixels[node], std::inserter(inside, inside.end()),
                                 [&](std::uint32_t p) { return one.hasData(p); });
            const auto is = [&](const char* name, double value) {
                const double found = columns.at(name)[node];
                EXPECT_TRUE(found == value || std::abs(found - value) <= 1e-9 * std::abs(value) ||
                            (std::isnan(found) && std::isnan(value)))
                    << name << " of node " << node << ", image " << i << ": " << found << " for " << value;
            };
            is("area", static_cast<double>(inside.size()));
            is("strength", static_cast<double>(one.tree.strength[node]));
            double sum = 0;
            double sumX = 0;
            std::set<int> levels;
            std::set<std::uint32_t> columnsIn;
            std::set<std::uint32_t> rowsIn;
            std::set<std::uint32_t> basinsIn;
            for (const std::uint32_t p : inside) {
                const Voxel at = voxelAt(p, one.image->extent());
                sum += one.image->level(p);
                sumX += at.x;
                levels.insert(one.image->level(p));
                columnsIn.insert(at.x);
                rowsIn.insert(at.y);
            }
            for (const std::uint32_t p : pixels[node]) {
                basinsIn.insert(one.hierarchy->basins()[p]);
            }
            const auto n = static_cast<double>(inside.size());
            double squares = 0;
            for (const std::uint32_t p : inside) {
                squares += (one.image->level(p) - sum / n) * (one.image->level(p) - sum / n);
            }
            is("basins", static_cast<double>(basinsIn.size()));
            is("sum", sum);
            is("centroid_x", sumX / n);
            is("variance", squares / n);
            is("minimum", inside.empty() ? 0 : *levels.begin());
            is("maximum", inside.empty() ? 0 : *levels.rbegin());
            is("range", inside.empty() ? 0 : *levels.rbegin() - *levels.begin());
            is("width", inside.empty() ? 0 : *columnsIn.rbegin() - *columnsIn.begin() + 1);
            is("height_px", inside.empty() ? 0 : *rowsIn.rbegin() - *rowsIn.begin() + 1);
            double frontier = 0;
            double frontierWeight = 0;
            double contour = 0;
            double contourWeight = 0;
            for (const WeightedEdge& edge : edges) {
                const bool isIn = pixels[node].contains(edge.first);
                if (isIn != pixels[node].contains(edge.second)) {
                    contour += 1;
                    contourWeight += edge.weight;
                }
                const auto childOf = [&](std::uint32_t pixel) {
                    std::uint32_t child = one.hierarchy->basins()[pixel];
                    while (child != node && one.tree.parent[child] != node) {
                        child = one.tree.parent[child];
                    }
                    return child;
                };
                if (isIn && pixels[node].contains(edge.second) && childOf(edge.first) != childOf(edge.second)) {
                    frontier += 1;
                    frontierWeight += edge.weight;
                }
            }
            is("frontier_length", frontier);
            is("frontier_strength", frontier == 0 ? 0 : frontierWeight / frontier);
            is("contour_length", contour);
            is("contour_strength", contour == 0 ? 0 : contourWeight / contour);
            double depth = 0;
            for (std::uint32_t at = node; !one.tree.isRoot(at); at = one.tree.parent[at]) {
                ++depth;
            }
            is("depth", depth);
            double children = 0;
            for (std::uint32_t other = 0; other < node; ++other) {
                children += one.tree.parent[other] == node ? 1 : 0;
            }
            is("children", children);
        }
    }
}

TEST(RegionTree, ShapesAreThoseOfTheFormulas) {
    // A row of 5 x 1 px: covariance (25 - 1) / 12 + 1 / 12 along x, 1 / 12 across.
    const auto image = makeImage(PixelType::u8, 7, 3, [](auto x, auto y) { return x > 0 && x < 6 && y == 1 ? 9 : 0; });
    const HierarchySpec spec{Strength::altitude, EdgeWeight::difference, Connectivity::four};
    const Hierarchy hierarchy = makeHierarchy(*image, nullptr, spec);
    const RegionTree tree = makeRegionTree(hierarchy);
    RegionMeasures measures(hierarchy, tree, *image, nullptr, spec);
    ASSERT_EQ(tree.nodeCount(), 3U);
    EXPECT_DOUBLE_EQ(measures.compute(AttributeId::elongation)[1], 5);
    EXPECT_DOUBLE_EQ(measures.compute(AttributeId::orientation)[1], 0);
    EXPECT_DOUBLE_EQ(measures.compute(AttributeId::major)[1], 4 * std::sqrt(25.0 / 12));
    EXPECT_DOUBLE_EQ(measures.compute(AttributeId::centroidY)[1], 1);
    EXPECT_DOUBLE_EQ(measures.compute(RegionNumber::frontierStrength)[2], 9);
    EXPECT_THROW((void)measures.compute(AttributeId::perimeter), Error);
    EXPECT_FALSE(findRegionAttribute("level", false));
    EXPECT_FALSE(findRegionAttribute("flatness", false));
    EXPECT_TRUE(findRegionAttribute("flatness", true));
    for (const bool isVolume : {false, true}) {
        for (const RegionAttribute& each : regionAttributes(isVolume)) {
            EXPECT_EQ(findRegionAttribute(nameOf(each), isVolume), each) << nameOf(each);
        }
    }
}

TEST(RegionTree, KeptRegionsAreTheSmallestAndTheLargestOnTheWayToTheRoot) {
    Random random(34);
    for (int i = 0; i < 120; ++i) {
        const TreeCase one(random, i, RegionForm::merged);
        std::vector<std::uint8_t> keep(one.tree.nodeCount());
        std::ranges::generate(keep, [&] { return static_cast<std::uint8_t>(random() % 3 == 0); });
        const Buffer<std::uint32_t> smallest = smallestKept(one.tree, keep);
        const Buffer<std::uint32_t> largest = largestKept(one.tree, keep);
        std::map<std::uint32_t, std::uint32_t> numbers; // of nodes in the order of their first pixels
        const LabelImage labels = labelsOf(*one.hierarchy, one.tree, keep);
        for (std::uint32_t p = 0; p < one.image->pixelCount(); ++p) {
            const std::uint32_t leaf = one.hierarchy->basins()[p];
            std::vector<std::uint32_t> way;
            for (std::uint32_t node = leaf;; node = one.tree.parent[node]) {
                if (keep[node] != 0) {
                    way.push_back(node);
                }
                if (one.tree.isRoot(node)) {
                    break;
                }
            }
            ASSERT_EQ(smallest[leaf], way.empty() ? RegionTree::kNone : way.front());
            ASSERT_EQ(largest[leaf], way.empty() ? RegionTree::kNone : way.back());
            const auto next = static_cast<std::uint32_t>(numbers.size() + 1);
            ASSERT_EQ(labels.labels[p], way.empty() ? 0 : numbers.emplace(way.back(), next).first->second);
        }
        ASSERT_EQ(labels.count, numbers.size());
        keep.pop_back();
        ASSERT_THROW((void)smallestKept(one.tree, keep), Error);
    }
}

TEST(RegionTree, NoRegionIsSmallAfterSimplifying) {
    Random random(35);
    for (int i = 0; i < 160; ++i) {
        const TreeCase one(random, i, RegionForm::binary);
        const std::uint64_t area = 1 + random() % 6;
        const Buffer<std::uint32_t> areas = basinAreas(*one.hierarchy, one.valid.get());
        const Hierarchy simple = withoutSmallRegions(*one.hierarchy, areas, area);
        const Buffer<std::uint32_t> left = basinAreas(simple, one.valid.get());
        ASSERT_EQ(simple.strengths().size(),
                  one.hierarchy->strengths().size() - (one.hierarchy->basinCount() - simple.basinCount()));
        ASSERT_EQ(simple.regionsAt(0), one.hierarchy->regionsAt(0) + simple.basinCount() - one.hierarchy->basinCount());
        for (std::uint32_t basin = 0; basin < left.size(); ++basin) {
            ASSERT_TRUE(left[basin] >= area || simple.joins()[basin].into == basin);
        }
        if (area == 1) {
            ASSERT_TRUE(std::ranges::equal(simple.basins(), one.hierarchy->basins()));
            ASSERT_EQ(simple.strengths(), one.hierarchy->strengths());
        }
        // The boundaries between two large regions keep their strengths.
        std::vector<std::uint64_t> expected;
        const Buffer<double> sizes = one.column("area");
        std::vector<double> smaller(one.tree.nodeCount(), INFINITY);
        for (std::uint32_t node = 0; node < one.tree.nodeCount(); ++node) {
            if (!one.tree.isRoot(node)) {
                double& of = smaller[one.tree.parent[node]];
                of = std::min(of, sizes[node]);
            }
        }
        for (std::uint32_t node = 0; node < one.tree.nodeCount(); ++node) {
            if (node >= one.tree.leafCount && smaller[node] >= static_cast<double>(area)) {
                expected.push_back(one.tree.strength[node]);
            }
        }
        ASSERT_EQ(simple.strengths(), expected);
        // Each of its regions is a union of basins, in the order of first pixels.
        std::uint32_t most = 0;
        for (const std::uint32_t basin : simple.basins()) {
            ASSERT_LE(basin, most);
            most = std::max(most, basin + 1);
        }
    }
    const TreeCase one(random, 1, RegionForm::binary);
    EXPECT_THROW((void)withoutSmallRegions(*one.hierarchy, Buffer<std::uint32_t>(one.tree.leafCount + 1), 2), Error);
}

/// Hierarchies of images and volumes, of each strength, every other one with a pixel without data.
struct RandomHierarchy {
    bool isVolume;
    std::shared_ptr<const Image> image;
    std::optional<Mask> valid;
    Hierarchy hierarchy;

    RandomHierarchy(Random& random, int number)
        : isVolume(number % 3 == 0), image(isVolume ? randomVolume(random, {20, 15, 6}) : randomImage(random, 90, 70)),
          valid(number % 2 == 0 ? std::optional(withHole(random, image->extent())) : std::nullopt),
          hierarchy(makeHierarchy(*image, mask(),
                                  {kEachStrength[number % 4], EdgeWeight::difference,
                                   isVolume ? Connectivity::six : Connectivity::four})) {}

    [[nodiscard]] const Mask* mask() const { return valid ? &*valid : nullptr; }

private:
    static Mask withHole(Random& random, const Extent& extent) {
        Mask mask(extent.width, extent.height * extent.slices, true);
        mask.set(random() % extent.width, random() % mask.height(), false);
        return mask;
    }
};

TEST(RegionTree, SamplesTellRegionsApartAsLabelsDo) {
    Random random(36);
    for (int i = 0; i < 60; ++i) {
        const RandomHierarchy made(random, i);
        const Hierarchy& hierarchy = made.hierarchy;
        const Extent& extent = made.image->extent();
        const Mask* const mask = made.mask();
        const std::uint64_t strength = hierarchy.strengthFor(1 + random() % hierarchy.basinCount());
        const LabelImage labels = regions(hierarchy, strength, mask);
        const std::uint32_t merges = hierarchy.mergesUpTo(strength);
        PixelSamples samples{random() % extent.width};
        const bool isAlongZ = made.isVolume && random() % 2 == 0;
        const std::size_t down = isAlongZ ? extent.slicePixels() * 2 : extent.width * (1 + random() % 3);
        const std::size_t end = isAlongZ ? extent.pixelCount() : extent.slicePixels();
        std::vector<std::size_t> rows;
        for (std::size_t row = 0; row < end; row += down) {
            rows.push_back(row);
        }
        std::vector<std::size_t> columns;
        for (std::size_t x = 0; x < extent.width - samples.first; x += 1 + random() % 4) {
            columns.push_back(x);
        }
        if (random() % 2 == 0) {
            std::ranges::reverse(columns);
        }
        samples.columns = columns;
        samples.rows = rows;
        const Buffer<std::uint32_t> found = regionsAtSamples(hierarchy, merges, samples, mask);
        std::map<std::uint32_t, std::uint32_t> label{{0, 0}};
        std::map<std::uint32_t, std::uint32_t> number{{0, 0}};
        for (std::size_t y = 0; y < rows.size(); ++y) {
            for (std::size_t x = 0; x < columns.size(); ++x) {
                const std::uint32_t here = found[y * columns.size() + x];
                const std::uint32_t there = labels.labels[samples.first + rows[y] + columns[x]];
                ASSERT_EQ(label.emplace(here, there).first->second, there);
                ASSERT_EQ(number.emplace(there, here).first->second, here);
            }
        }
        const std::vector<std::uint32_t> numbers =
            regionsOfLabels(hierarchy, merges, labels.labels.span(), labels.count);
        for (const auto& [there, here] : number) {
            ASSERT_EQ(there == 0 ? 0 : numbers[there - 1], here);
        }
        rows.push_back(extent.pixelCount());
        samples.rows = rows;
        ASSERT_THROW((void)regionsAtSamples(hierarchy, merges, samples, mask), Error);
        samples.rows = {};
        ASSERT_TRUE(regionsAtSamples(hierarchy, merges, samples, mask).empty());
    }
}

TEST(RegionMeans, AreTheMeansOfTheLabelledRegions) {
    Random random(39);
    for (int i = 0; i < 60; ++i) {
        const RandomHierarchy made(random, i);
        const Hierarchy& hierarchy = made.hierarchy;
        const Mask* const mask = made.mask();
        const RegionMeans means(hierarchy, *made.image, mask);
        for (int cut = 0; cut < 8; ++cut) {
            const std::uint64_t strength = cut == 0 ? 0 : hierarchy.strengthFor(1 + random() % hierarchy.basinCount());
            const LabelImage labels = regions(hierarchy, strength, mask);
            std::vector<std::uint64_t> sums(labels.count + std::size_t{1});
            std::vector<std::uint64_t> pixels(sums.size());
            for (std::size_t pixel = 0; pixel < labels.labels.size(); ++pixel) {
                sums[labels.labels[pixel]] += made.image->level(pixel);
                ++pixels[labels.labels[pixel]];
            }
            const std::uint32_t merges = hierarchy.mergesUpTo(strength);
            for (std::size_t pixel = 0; pixel < labels.labels.size(); ++pixel) {
                const std::uint32_t label = labels.labels[pixel];
                const std::uint32_t basin = hierarchy.regionAfter(hierarchy.basins()[pixel], merges);
                ASSERT_EQ(means.of(basin, merges), label == 0 ? 0 : sums[label] / pixels[label]);
            }
        }
        EXPECT_THROW(RegionMeans(hierarchy, Image(PixelType::u8, Extent{1, 2}), nullptr), Error);
    }
}

TEST(RegionTree, NumbersOfBoundariesAreTheLargestOnes) {
    Random random(37);
    for (int i = 0; i < 20; ++i) {
        const auto image = randomImage(random, 2 + random() % 30, 2 + random() % 30);
        const Hierarchy hierarchy = makeHierarchy(*image, nullptr, {kEachStrength[i % 4]});
        const std::vector<double> same(hierarchy.strengths().begin(), hierarchy.strengths().end());
        const Buffer<std::uint64_t> strengths = boundaryStrengths(hierarchy);
        ASSERT_TRUE(std::ranges::equal(boundaryNumbers(hierarchy, same), strengths));
        const std::vector<double> ones(same.size(), 1.0);
        ASSERT_TRUE(
            std::ranges::equal(boundaryNumbers(hierarchy, ones), strengths,
                               [](double one, std::uint64_t strength) { return one == (strength > 0 ? 1 : 0); }));
    }
}

TEST(RegionTree, StopsAndRefusesAnotherImage) {
    Random random(38);
    const auto image = randomImage(random, 300, 300);
    const Hierarchy hierarchy = makeHierarchy(*image, nullptr, {});
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW((void)makeRegionTree(hierarchy, RegionForm::merged, JobControl(stop.get_token())), Cancelled);
    const RegionTree tree = makeRegionTree(hierarchy);
    RegionMeasures measures(hierarchy, tree, *image, nullptr, {});
    EXPECT_THROW((void)measures.compute(RegionNumber::frontierStrength, JobControl(stop.get_token())), Cancelled);
    EXPECT_EQ(measures.compute(RegionNumber::frontierStrength).size(), tree.nodeCount()) << "works after the stop";
    EXPECT_THROW(RegionMeasures(hierarchy, tree, Image(PixelType::u8, 3, 3), nullptr, {}), Error);
}

} // namespace
} // namespace pollard::testing
