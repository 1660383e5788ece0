// Hierarchies against their definition on sets of pixels, and laws of their partitions.

#include "base/error.hpp"
#include "hierarchy/boundary_map.hpp"
#include "hierarchy/hierarchy.hpp"
#include "hierarchy/make_hierarchy.hpp"
#include "hierarchy/partition.hpp"
#include "image/volume_plane.hpp"
#include "support/random_images.hpp"
#include "support/random_volumes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <limits>
#include <map>
#include <set>
#include <vector>

namespace pollard::testing {
namespace {

constexpr std::uint64_t kLast = std::numeric_limits<std::uint64_t>::max(); ///< extinction of the lowest minimum

/// All edges of a grid, in ascending order of their weights.
std::vector<WeightedEdge> gridEdges(const Image& image, const HierarchySpec& spec) {
    const Extent& extent = image.extent();
    const Connectivity connectivity = connectivityIn(extent, spec.connectivity);
    const bool isFull = connectivity == Connectivity::eight || connectivity == Connectivity::twentySix;
    const int sides = isFull ? 3 : connectivity == Connectivity::eighteen ? 2 : 1;
    std::vector<WeightedEdge> edges;
    for (std::uint32_t p = 0; p < image.pixelCount(); ++p) {
        for (std::uint32_t q = p + 1; q < image.pixelCount(); ++q) {
            const Voxel a = voxelAt(p, extent);
            const Voxel b = voxelAt(q, extent);
            const int dx = std::abs(static_cast<int>(a.x) - static_cast<int>(b.x));
            const int dy = std::abs(static_cast<int>(a.y) - static_cast<int>(b.y));
            const int dz = std::abs(static_cast<int>(a.z) - static_cast<int>(b.z));
            if (std::max({dx, dy, dz}) == 1 && dx + dy + dz <= sides) {
                const int low = image.level(p);
                const int high = image.level(q);
                edges.push_back({static_cast<std::uint16_t>(spec.weight == EdgeWeight::maximum ? std::max(low, high)
                                                                                               : std::abs(low - high)),
                                 p, q});
            }
        }
    }
    std::ranges::sort(edges, std::less<>());
    return edges;
}

using Pixels = std::set<std::uint32_t>;

/// The set of each pixel if edges of at most (or less than) a weight connect.
std::vector<Pixels> zonesOf(std::size_t pixels, const std::vector<WeightedEdge>& edges, int weight) {
    std::vector<std::uint32_t> zone(pixels);
    for (std::uint32_t p = 0; p < pixels; ++p) {
        zone[p] = p;
    }
    for (const WeightedEdge& edge : edges) {
        if (edge.weight <= weight && zone[edge.first] != zone[edge.second]) {
            std::ranges::replace(zone, std::uint32_t{zone[edge.second]}, std::uint32_t{zone[edge.first]});
        }
    }
    std::map<std::uint32_t, Pixels> sets;
    for (std::uint32_t p = 0; p < pixels; ++p) {
        sets[zone[p]].insert(p);
    }
    std::vector<Pixels> found;
    for (const auto& each : sets) {
        found.push_back(each.second);
    }
    return found;
}

/// The minima of a weighted grid and their extinction values, by the definition.
class Minima {
public:
    Minima(std::size_t pixels, const std::vector<WeightedEdge>& edges, Strength strength)
        : strength_(strength), lowestAt_(pixels, std::numeric_limits<int>::max()) {
        for (const WeightedEdge& edge : edges) {
            for (const std::uint32_t p : {edge.first, edge.second}) {
                lowestAt_[p] = std::min(lowestAt_[p], int{edge.weight});
            }
        }
        std::set<int> weights;
        for (const WeightedEdge& edge : edges) {
            weights.insert(edge.weight);
        }
        for (const int weight : weights) {
            rise(zonesOf(pixels, edges, weight - 1), zonesOf(pixels, edges, weight), weight);
        }
    }

    /// Largest extinction value of a minimum in a set; 0 if it holds none.
    [[nodiscard]] std::uint64_t largestIn(const Pixels& set) const {
        std::uint64_t largest = 0;
        for (const auto& [minimum, extinction] : extinction_) {
            if (set.contains(minimum)) {
                largest = std::max(largest, extinction);
            }
        }
        return largest;
    }

private:
    /// Lets the zones that meet at a weight join: all their minima but one vanish.
    void rise(const std::vector<Pixels>& before, const std::vector<Pixels>& after, int weight) {
        for (const Pixels& zone : after) {
            std::vector<std::pair<std::uint64_t, std::uint32_t>> meeting; // measure and minimum
            for (const Pixels& part : before) {
                if (part.size() > 1 && zone.contains(*part.begin())) {
                    meeting.emplace_back(measure(part, weight), livingIn(part));
                }
            }
            if (meeting.empty() && zone.size() > 1) {
                extinction_[*zone.begin()] = kLast; // a minimum, named by its first pixel
            }
            std::ranges::sort(meeting);
            for (std::size_t i = 0; i + 1 < meeting.size(); ++i) {
                extinction_[meeting[i].second] = meeting[i].first;
            }
        }
    }
    [[nodiscard]] std::uint32_t livingIn(const Pixels& zone) const {
        return std::ranges::find_if(extinction_,
                                    [&](const auto& each) { return each.second == kLast && zone.contains(each.first); })
            ->first;
    }
    [[nodiscard]] std::uint64_t measure(const Pixels& zone, int weight) const {
        std::uint64_t volume = 0;
        std::uint64_t deepest = 0;
        for (const std::uint32_t p : zone) {
            const auto rise = static_cast<std::uint64_t>(weight - lowestAt_[p]);
            volume += rise;
            deepest = std::max(deepest, rise);
        }
        return strength_ == Strength::area ? zone.size() : strength_ == Strength::volume ? volume : deepest;
    }

    Strength strength_;
    std::vector<int> lowestAt_; ///< weight of the lowest edge of each pixel
    std::map<std::uint32_t, std::uint64_t> extinction_;
};

/// Strength of the boundary between each pair of pixels, by the definition.
std::vector<std::vector<std::uint64_t>> naiveStrengths(const Image& image, const HierarchySpec& spec) {
    const std::size_t pixels = image.pixelCount();
    const std::vector<WeightedEdge> edges = gridEdges(image, spec);
    const bool isAltitude = spec.strength == Strength::altitude;
    const Minima minima(pixels, isAltitude ? std::vector<WeightedEdge>() : edges, spec.strength);
    struct Edge {
        std::uint32_t first, second;
        std::uint64_t strength;
    };
    std::vector<Edge> tree;
    std::vector<Pixels> sets(pixels); // of each pixel
    for (std::uint32_t p = 0; p < pixels; ++p) {
        sets[p] = {p};
    }
    const auto join = [&](const WeightedEdge& edge) {
        Pixels both = sets[edge.first];
        both.insert(sets[edge.second].begin(), sets[edge.second].end());
        for (const std::uint32_t p : both) {
            sets[p] = both;
        }
    };
    for (const WeightedEdge& edge : edges) {
        if (!sets[edge.first].contains(edge.second)) {
            const std::uint64_t strength =
                isAltitude ? edge.weight
                           : std::min(minima.largestIn(sets[edge.first]), minima.largestIn(sets[edge.second]));
            tree.push_back({edge.first, edge.second, strength});
            join(edge);
        }
    }
    std::ranges::stable_sort(tree, {}, &Edge::strength);
    std::vector<std::vector<std::uint64_t>> strengths(pixels, std::vector<std::uint64_t>(pixels));
    for (std::uint32_t p = 0; p < pixels; ++p) {
        sets[p] = {p};
    }
    for (const Edge& edge : tree) {
        for (const std::uint32_t p : sets[edge.first]) {
            for (const std::uint32_t q : sets[edge.second]) {
                strengths[p][q] = strengths[q][p] = edge.strength;
            }
        }
        join({0, edge.first, edge.second});
    }
    return strengths;
}

constexpr Strength kAllStrengths[] = {Strength::altitude, Strength::dynamics, Strength::area, Strength::volume};

/// Draws an image or a volume of few pixels.
std::shared_ptr<Image> drawImage(Random& random, bool isVolume) {
    if (isVolume) {
        return randomVolume(random, {1 + random() % 4, 1 + random() % 3, 2 + random() % 2});
    }
    return randomImage(random, 1 + random() % 7, 1 + random() % 5);
}

HierarchySpec drawSpec(Random& random, bool isVolume, Strength strength) {
    constexpr Connectivity kFlat[] = {Connectivity::four, Connectivity::eight};
    constexpr Connectivity kDeep[] = {Connectivity::six, Connectivity::eighteen, Connectivity::twentySix};
    return {strength, random() % 2 == 0 ? EdgeWeight::difference : EdgeWeight::maximum,
            isVolume ? kDeep[random() % 3] : kFlat[random() % 2]};
}

Extent drawTile(Random& random) { return {1 + random() % 4, 1 + random() % 3, 1 + random() % 2}; }

std::vector<std::uint32_t> labelsOf(const LabelImage& image) { return {image.labels.begin(), image.labels.end()}; }

/// Labels renumbered in the order of their first pixels.
std::vector<std::uint32_t> inOrder(const std::vector<std::uint32_t>& labels) {
    std::map<std::uint32_t, std::uint32_t> number;
    std::vector<std::uint32_t> ordered;
    for (const std::uint32_t label : labels) {
        ordered.push_back(number.emplace(label, static_cast<std::uint32_t>(number.size()) + 1).first->second);
    }
    return ordered;
}

TEST(Hierarchy, StrengthsAreTheDefinition) {
    Random random(11);
    for (int i = 0; i < 240; ++i) {
        const bool isVolume = i % 3 == 0;
        const auto image = drawImage(random, isVolume);
        for (const Strength strength : kAllStrengths) {
            const HierarchySpec spec = drawSpec(random, isVolume, strength);
            const Hierarchy hierarchy = makeHierarchy(*image, nullptr, spec, {}, drawTile(random));
            const auto naive = naiveStrengths(*image, spec);
            for (std::uint32_t p = 0; p < image->pixelCount(); ++p) {
                for (std::uint32_t q = 0; q < image->pixelCount(); ++q) {
                    ASSERT_EQ(hierarchy.between(hierarchy.basins()[p], hierarchy.basins()[q]), naive[p][q])
                        << nameOf(strength) << ' ' << nameOf(spec.weight) << ", image " << i << ", pixels " << p
                        << " and " << q;
                }
            }
        }
    }
}

TEST(Hierarchy, RegionsOfAltitudesAreQuasiFlatZones) {
    Random random(12);
    for (int i = 0; i < 200; ++i) {
        const auto image = drawImage(random, i % 2 == 0);
        const HierarchySpec spec = drawSpec(random, i % 2 == 0, Strength::altitude);
        const Hierarchy hierarchy = makeHierarchy(*image, nullptr, spec);
        const auto edges = gridEdges(*image, spec);
        for (const int weight : {0, 1, 2, 40, 65535}) {
            const std::vector<Pixels> zones = zonesOf(image->pixelCount(), edges, weight);
            const LabelImage labels = regions(hierarchy, static_cast<std::uint64_t>(weight));
            ASSERT_EQ(labels.count, zones.size());
            ASSERT_EQ(hierarchy.regionsAt(static_cast<std::uint64_t>(weight)), zones.size());
            for (const Pixels& zone : zones) {
                for (const std::uint32_t p : zone) {
                    ASSERT_EQ(labels.labels[p], labels.labels[*zone.begin()]);
                }
            }
        }
    }
}

TEST(Hierarchy, PartitionsAreNestedAndCounted) {
    Random random(13);
    for (int i = 0; i < 36; ++i) {
        const bool isVolume = i % 4 == 0;
        const auto image = isVolume ? randomVolume(random, {30, 20, 20}) : randomImage(random, 1 + random() % 200, 140);
        const Hierarchy hierarchy = makeHierarchy(*image, nullptr, drawSpec(random, isVolume, kAllStrengths[i % 4]));
        ASSERT_EQ(hierarchy.strengths().size() + 1, hierarchy.basinCount());
        ASSERT_TRUE(std::ranges::is_sorted(hierarchy.strengths()));
        std::vector<std::uint32_t> finer = labelsOf(regions(hierarchy, 0));
        ASSERT_EQ(inOrder(finer), finer) << "labels are in the order of first pixels";
        for (std::size_t wanted = hierarchy.basinCount(); wanted > 0; wanted /= 3) {
            const std::uint64_t strength = hierarchy.strengthFor(wanted);
            const LabelImage coarse = regions(hierarchy, strength);
            ASSERT_EQ(coarse.count, hierarchy.regionsAt(strength));
            ASSERT_LE(coarse.count, wanted);
            ASSERT_TRUE(strength == 0 || hierarchy.regionsAt(strength - 1) > wanted) << "the smallest strength";
            std::map<std::uint32_t, std::uint32_t> whole;
            for (std::size_t p = 0; p < finer.size(); ++p) {
                ASSERT_EQ(whole.emplace(finer[p], coarse.labels[p]).first->second, coarse.labels[p]);
            }
            finer = labelsOf(coarse);
        }
    }
}

TEST(Hierarchy, DoesNotDependOnTheOrderOfPixels) {
    Random random(14);
    for (int i = 0; i < 24; ++i) {
        const std::uint32_t width = 20 + random() % 130;
        const std::uint32_t height = 20 + random() % 130;
        const auto image = randomImage(random, width, height);
        const auto turned = makeImage(image->type(), height, width, [&](std::uint32_t x, std::uint32_t y) {
            return image->level(std::size_t{height - 1 - x} * width + y);
        });
        // Regions of a watershed depend on ties between edges; their strengths do not.
        const HierarchySpec spec = drawSpec(random, false, kAllStrengths[i % 4]);
        const Hierarchy hierarchy = makeHierarchy(*image, nullptr, spec);
        const Hierarchy other = makeHierarchy(*turned, nullptr, spec);
        ASSERT_EQ(hierarchy.strengths(), other.strengths());
        if (spec.strength == Strength::altitude) {
            const LabelImage labels = regions(hierarchy, 2);
            const LabelImage there = regions(other, 2);
            std::vector<std::uint32_t> back;
            for (std::uint32_t y = 0; y < height; ++y) {
                for (std::uint32_t x = 0; x < width; ++x) {
                    back.push_back(there.labels[std::size_t{x} * height + height - 1 - y]);
                }
            }
            ASSERT_EQ(inOrder(back), labelsOf(labels));
        }
    }
}

TEST(Hierarchy, DoesNotDependOnTiles) {
    Random random(15);
    for (int i = 0; i < 12; ++i) {
        const bool isVolume = i % 3 == 0;
        const auto image = isVolume ? randomVolume(random, {50, 40, 30}) : randomImage(random, 300, 260);
        const HierarchySpec spec = drawSpec(random, isVolume, kAllStrengths[i % 4]);
        const Hierarchy hierarchy = makeHierarchy(*image, nullptr, spec);
        const Hierarchy other = makeHierarchy(*image, nullptr, spec, {}, drawTile(random));
        ASSERT_EQ(hierarchy.strengths(), other.strengths());
        ASSERT_TRUE(std::ranges::equal(hierarchy.basins(), other.basins()));
        const std::uint64_t strength = hierarchy.strengthFor(hierarchy.basinCount() / 5);
        ASSERT_EQ(labelsOf(regions(hierarchy, strength)), labelsOf(regions(other, strength)));
    }
}

TEST(Hierarchy, BoundariesAreWhereRegionsMeet) {
    Random random(16);
    for (int i = 0; i < 40; ++i) {
        const auto image = randomImage(random, 60, 45);
        const Hierarchy hierarchy = makeHierarchy(*image, nullptr, drawSpec(random, false, kAllStrengths[i % 4]));
        const Buffer<std::uint64_t> boundaries = boundaryStrengths(hierarchy);
        const std::uint64_t strength = hierarchy.strengthFor(1 + random() % hierarchy.basinCount());
        const LabelImage labels = regions(hierarchy, strength);
        for (std::size_t p = 0; p < boundaries.size(); ++p) {
            const Voxel at = voxelAt(static_cast<std::uint32_t>(p), image->extent());
            const auto differs = [&](bool exists, std::size_t q) {
                return exists && labels.labels[q] != labels.labels[p];
            };
            const bool isBoundary = differs(at.x > 0, p - 1) || differs(at.x + 1 < image->width(), p + 1) ||
                                    differs(at.y > 0, p - image->width()) ||
                                    differs(at.y + 1 < image->height(), p + image->width());
            ASSERT_EQ(boundaries[p] > strength, isBoundary);
        }
    }
}

TEST(Hierarchy, MapsOfBoundariesAreTheStrongestOfEachSquare) {
    Random random(19);
    for (int i = 0; i < 40; ++i) {
        const auto image = randomImage(random, 30, 25);
        const Hierarchy hierarchy = makeHierarchy(*image, nullptr, drawSpec(random, false, kAllStrengths[i % 4]));
        const BoundaryMap map(hierarchy);
        const std::uint64_t strength = hierarchy.strengthFor(1 + random() % hierarchy.basinCount());
        const std::uint32_t removed = hierarchy.mergesUpTo(strength);
        const LabelImage labels = regions(hierarchy, strength);
        const auto isBoundary = [&](std::uint32_t x, std::uint32_t y) {
            const std::size_t p = std::size_t{y} * image->width() + x;
            return (x + 1 < image->width() && labels.labels[p + 1] != labels.labels[p]) ||
                   (y + 1 < image->height() && labels.labels[p + image->width()] != labels.labels[p]);
        };
        ASSERT_EQ(map.levels().back().merges.size(), 1U);
        for (std::size_t n = 0; n < map.levels().size(); ++n) {
            const BoundaryMap::Level& level = map.levels()[n];
            ASSERT_EQ(level.width, (image->width() + (1U << n) - 1) >> n);
            ASSERT_EQ(level.height, (image->height() + (1U << n) - 1) >> n);
            std::vector<bool> expected(level.merges.size());
            for (std::uint32_t y = 0; y < image->height(); ++y) {
                for (std::uint32_t x = 0; x < image->width(); ++x) {
                    const std::size_t square = std::size_t{y >> n} * level.width + (x >> n);
                    expected[square] = expected[square] || isBoundary(x, y);
                }
            }
            for (std::size_t square = 0; square < expected.size(); ++square) {
                ASSERT_EQ(level.merges[square] > removed, expected[square]) << "level " << n;
            }
        }
    }
}

TEST(Hierarchy, MapsOfBoundariesAreOfAPlaneOfAVolume) {
    Random random(20);
    const auto volume = randomVolume(random, Extent{9, 8, 7});
    const Hierarchy hierarchy =
        makeHierarchy(*volume, nullptr, {Strength::area, EdgeWeight::difference, Connectivity::twentySix});
    const std::uint64_t strength = hierarchy.strengthFor(12);
    const LabelImage labels = regions(hierarchy, strength);
    for (const VolumeAxis across : {VolumeAxis::x, VolumeAxis::y, VolumeAxis::z}) {
        for (const bool isTurned : {false, true}) {
            const VolumePlane plane{across, 3, {isTurned, isTurned, isTurned}};
            const PlaneVoxels voxels = voxelsOf(plane, volume->extent());
            const BoundaryMap map(hierarchy, plane);
            const BoundaryMap::Level& level = map.levels().front();
            ASSERT_EQ(level.width, voxels.width);
            ASSERT_EQ(level.height, voxels.height);
            for (std::size_t y = 0; y < level.height; ++y) {
                for (std::size_t x = 0; x < level.width; ++x) {
                    const auto label = [&](std::size_t column, std::size_t row) {
                        return labels.labels[voxels.voxelAt(column, row)];
                    };
                    const bool isBoundary = (x + 1 < level.width && label(x + 1, y) != label(x, y)) ||
                                            (y + 1 < level.height && label(x, y + 1) != label(x, y));
                    ASSERT_EQ(level.merges[y * level.width + x] > hierarchy.mergesUpTo(strength), isBoundary);
                }
            }
        }
    }
    EXPECT_THROW((BoundaryMap{hierarchy, {VolumeAxis::z, 7}}), Error);
}

TEST(Hierarchy, MeansAreOfTheRegions) {
    const auto image = makeImage(PixelType::u8, 4, 2, [](auto x, auto y) { return x < 2 ? 10 + y : 200 + x; });
    const Hierarchy hierarchy =
        makeHierarchy(*image, nullptr, {Strength::altitude, EdgeWeight::difference, Connectivity::four});
    const LabelImage labels = regions(hierarchy, 1);
    ASSERT_EQ(labelsOf(labels), (std::vector<std::uint32_t>{1, 1, 2, 2, 1, 1, 2, 2}));
    const Image means = regionMeans(*image, labels);
    const std::vector<std::uint8_t> expected{11, 11, 203, 203, 11, 11, 203, 203}; // 10.5 and 202.5, half up
    EXPECT_TRUE(std::ranges::equal(means.pixels<std::uint8_t>(), expected));
    EXPECT_THROW((void)regionMeans(Image(PixelType::u8, 2, 4), labels), Error);
}

TEST(Hierarchy, PixelsWithoutDataAreApart) {
    Random random(18);
    for (int i = 0; i < 40; ++i) {
        const std::uint32_t width = 2 + random() % 30;
        const std::uint32_t gap = random() % width;
        // A column without data between two images: each has the regions of the image alone.
        const auto image = randomImage(random, width, 9);
        Mask valid(width, 9, true);
        for (std::uint32_t y = 0; y < 9; ++y) {
            valid.set(gap, y, false);
        }
        const HierarchySpec spec{kAllStrengths[i % 4], EdgeWeight::difference, Connectivity::four};
        const Hierarchy hierarchy = makeHierarchy(*image, &valid, spec, {}, drawTile(random));
        const LabelImage labels = regions(hierarchy, 0, &valid);
        std::uint32_t count = 0;
        for (const bool isLeft : {true, false}) {
            const std::uint32_t begin = isLeft ? 0 : gap + 1;
            const std::uint32_t end = isLeft ? gap : width;
            if (begin == end) {
                continue;
            }
            const auto part = makeImage(image->type(), end - begin, 9, [&](std::uint32_t x, std::uint32_t y) {
                return image->level(std::size_t{y} * width + begin + x);
            });
            const LabelImage alone = regions(makeHierarchy(*part, nullptr, spec), 0);
            count += alone.count;
            std::vector<std::uint32_t> here;
            for (std::uint32_t y = 0; y < 9; ++y) {
                here.insert(here.end(), &labels.labels[std::size_t{y} * width + begin],
                            &labels.labels[std::size_t{y} * width] + end);
                ASSERT_EQ(labels.labels[std::size_t{y} * width + gap], 0U);
            }
            ASSERT_EQ(inOrder(here), labelsOf(alone));
        }
        ASSERT_EQ(labels.count, count);
        ASSERT_EQ(regionMeans(*image, labels).level(gap), image->level(gap));
    }
}

TEST(Hierarchy, OnePixelIsOneRegion) {
    const auto image = makeImage(PixelType::u16, 1, 1, [](auto, auto) { return 7; });
    for (const Strength strength : kAllStrengths) {
        const Hierarchy hierarchy =
            makeHierarchy(*image, nullptr, {strength, EdgeWeight::maximum, Connectivity::eight});
        EXPECT_EQ(hierarchy.basinCount(), 1U);
        EXPECT_EQ(hierarchy.strengthFor(0), 0U);
        EXPECT_EQ(labelsOf(regions(hierarchy, 0)), std::vector<std::uint32_t>{1});
    }
}

TEST(Hierarchy, StopsAndRefusesWrongNeighbours) {
    Random random(17);
    const auto image = randomImage(random, 400, 400);
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW((void)makeHierarchy(*image, nullptr, {}, JobControl(stop.get_token())), Cancelled);
    const auto volume = randomVolume(random, {3, 3, 3});
    EXPECT_THROW((void)makeHierarchy(*volume, nullptr, {}), Error); // 4 neighbours in a volume
}

TEST(Hierarchy, NamesAreReadBack) {
    for (const Strength strength : kAllStrengths) {
        EXPECT_EQ(strengthOf(nameOf(strength)), strength);
    }
    for (const EdgeWeight weight : {EdgeWeight::difference, EdgeWeight::maximum}) {
        EXPECT_EQ(edgeWeightOf(nameOf(weight)), weight);
    }
    EXPECT_FALSE(strengthOf("Area"));
    EXPECT_FALSE(edgeWeightOf(""));
}

} // namespace
} // namespace pollard::testing
