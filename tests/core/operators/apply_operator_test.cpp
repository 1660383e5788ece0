// Operators that use trees, distances and skeletons, against their definitions.

#include "operators/apply_operator.hpp"

#include "base/error.hpp"
#include "core/operators/naive_operators.hpp"
#include "core/recipe/recipe_support.hpp"
#include "formats/tiff/tiff_writer.hpp"
#include "operators/skeleton.hpp"
#include "support/temp_dir.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <limits>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace pollard::testing {
namespace {

using Neighbours = std::vector<std::vector<std::uint32_t>>;

/// For each pixel inside, the pixels inside that touch it.
Neighbours neighboursOf(const Image& image, Connectivity connectivity, const Mask* inside) {
    const Extent& extent = image.extent();
    const int sides = connectivity == Connectivity::four || connectivity == Connectivity::six ? 1
                      : connectivity == Connectivity::eighteen                                ? 2
                                                                                              : 3;
    Neighbours neighbours(image.pixelCount());
    for (std::uint32_t p = 0; p < image.pixelCount(); ++p) {
        for (std::uint32_t q = 0; q < image.pixelCount(); ++q) {
            const Voxel a = voxelAt(p, extent);
            const Voxel b = voxelAt(q, extent);
            const int dx = std::abs(static_cast<int>(a.x) - static_cast<int>(b.x));
            const int dy = std::abs(static_cast<int>(a.y) - static_cast<int>(b.y));
            const int dz = std::abs(static_cast<int>(a.z) - static_cast<int>(b.z));
            if (p != q && std::max({dx, dy, dz}) == 1 && dx + dy + dz <= sides && isIn(inside, p, extent) &&
                isIn(inside, q, extent)) {
                neighbours[p].push_back(q);
            }
        }
    }
    return neighbours;
}

/// Geodesic dilations of a marker under the image (erosions above it) until nothing changes.
std::vector<int> naiveReconstruction(const Image& image, std::vector<int> marker, const Neighbours& neighbours,
                                     bool byDilation) {
    const auto lower = [&](int a, int b) { return byDilation ? std::min(a, b) : std::max(a, b); };
    const auto higher = [&](int a, int b) { return byDilation ? std::max(a, b) : std::min(a, b); };
    for (std::size_t p = 0; p < marker.size(); ++p) {
        marker[p] = lower(marker[p], image.level(p));
    }
    for (bool changes = true; changes;) {
        changes = false;
        for (std::size_t p = 0; p < marker.size(); ++p) {
            int reached = marker[p];
            for (const std::uint32_t q : neighbours[p]) {
                reached = higher(reached, marker[q]);
            }
            reached = lower(reached, image.level(p));
            changes = changes || reached != marker[p];
            marker[p] = reached;
        }
    }
    return marker;
}

bool isAtBorder(const Image& image, std::uint32_t pixel, const Neighbours& alongAxes) {
    return alongAxes[pixel].size() < (image.extent().isVolume() ? 6U : 4U);
}

OperatorResult applied(const std::shared_ptr<const Image>& image, const OperatorSpec& spec,
                       const OperatorMasks& masks = {}) {
    return applyOperator(cpu(), image, spec, ImageUnits(std::nullopt, std::nullopt, image->extent().isVolume()), masks);
}

TEST(Operators, ReconstructionsEqualTheirDefinition) {
    Random random(21);
    const test::TempDir folder;
    for (int i = 0; i < 250; ++i) {
        const auto image = anyImage(random);
        const auto inside = anyMask(random, *image);
        const bool isVolume = image->extent().isVolume();
        OperatorSpec spec;
        spec.shape = OperatorShape::box;
        spec.radius = 1;
        spec.height = random() % 40;
        spec.connectivity = random() % 2 == 0 ? Connectivity::four : Connectivity::eight;
        const Neighbours neighbours =
            neighboursOf(*image, correspondingConnectivity(image->extent(), spec.connectivity), inside.get());
        const Neighbours alongAxes =
            neighboursOf(*image, isVolume ? Connectivity::six : Connectivity::four, inside.get());
        const int most = maxLevelOf(image->type());
        auto marked = std::make_shared<Mask>(image->width(), static_cast<std::uint32_t>(image->extent().rows()), false);
        int smallest = most;
        int largest = 0;
        for (std::uint32_t p = 0; p < image->pixelCount(); ++p) {
            if (isIn(inside.get(), p, image->extent())) {
                smallest = std::min<int>(smallest, image->level(p));
                largest = std::max<int>(largest, image->level(p));
            }
        }
        const std::size_t marks = random() % 4;
        for (std::size_t mark = 0; mark < marks; ++mark) {
            const auto p = static_cast<std::uint32_t>(random() % image->pixelCount());
            marked->set(p % image->width(), p / image->width(), true);
        }
        const auto height = static_cast<int>(spec.height);
        // A tree joins disjoint parts of the mask at the level of its root, which h-maxima and h-minima may undercut.
        const auto joinParts = [&](std::vector<int>& reached, const std::vector<int>& marker) {
            if (!takesHeight(spec.kind) && !takesMarker(spec.kind)) {
                return;
            }
            const bool isMax =
                spec.kind == OperatorKind::hMaxima || spec.kind == OperatorKind::reconstructionByDilation;
            int root = isMax ? most : 0;
            int farthest = isMax ? 0 : most;
            for (std::uint32_t p = 0; p < image->pixelCount(); ++p) {
                if (isIn(inside.get(), p, image->extent())) {
                    root = isMax ? std::min<int>(root, image->level(p)) : std::max<int>(root, image->level(p));
                    farthest = isMax ? std::max(farthest, marker[p]) : std::min(farthest, marker[p]);
                }
            }
            for (int& level : reached) {
                level = isMax ? std::max(level, std::min(root, farthest)) : std::min(level, std::max(root, farthest));
            }
        };
        const auto check = [&](OperatorKind kind, bool byDilation, const auto& markerAt, bool isDifference) {
            spec.kind = kind;
            std::vector<int> marker;
            for (std::uint32_t p = 0; p < image->pixelCount(); ++p) {
                marker.push_back(markerAt(p));
            }
            std::vector<int> reached = naiveReconstruction(*image, marker, neighbours, byDilation);
            joinParts(reached, marker);
            std::vector<std::uint16_t> expected;
            for (std::uint32_t p = 0; p < image->pixelCount(); ++p) {
                const bool isInside = isIn(inside.get(), p, image->extent());
                const int level = image->level(p);
                expected.push_back(static_cast<std::uint16_t>(isDifference ? (isInside ? level - reached[p] : 0)
                                                                           : (isInside ? reached[p] : level)));
            }
            EXPECT_EQ(levelsOf(*applied(image, spec, {inside, marked}).image), expected) << nameOf(kind) << ' ' << i;
        };
        const auto atBorder = [&](auto p) { return isAtBorder(*image, p, alongAxes); };
        check(
            OperatorKind::fillHoles, false, [&](auto p) { return atBorder(p) ? image->level(p) : most; }, false);
        check(
            OperatorKind::clearBorder, true, [&](auto p) { return atBorder(p) ? image->level(p) : 0; }, true);
        check(
            OperatorKind::hMaxima, true, [&](auto p) { return std::max(image->level(p) - height, 0); }, false);
        check(
            OperatorKind::hMinima, false, [&](auto p) { return std::min(image->level(p) + height, most); }, false);
        const auto eroded = naiveErosion(*image, spec.shape, 1, inside.get());
        const auto dilated = naiveDilation(*image, spec.shape, 1, inside.get());
        check(
            OperatorKind::openingByReconstruction, true, [&](auto p) { return eroded->level(p); }, false);
        check(
            OperatorKind::closingByReconstruction, false, [&](auto p) { return dilated->level(p); }, false);
        const auto markedOr = [&](auto p, int elsewhere) {
            return marked->test(p % image->width(), p / image->width()) ? image->level(p) : elsewhere;
        };
        check(
            OperatorKind::reconstructionByDilation, true, [&](auto p) { return markedOr(p, smallest); }, false);
        check(
            OperatorKind::reconstructionByErosion, false, [&](auto p) { return markedOr(p, largest); }, false);
        const auto grey =
            isVolume ? randomVolume(random, image->extent()) : randomImage(random, image->width(), image->height());
        spec.marker = (folder.path() / "marker.tif").string();
        spec.greyMarker = true;
        writeTiff(spec.marker, *grey);
        const auto greyAt = [&](auto p) { return std::min<int>(grey->level(p), most); };
        check(OperatorKind::reconstructionByDilation, true, greyAt, false);
        check(OperatorKind::reconstructionByErosion, false, greyAt, false);
    }
}

TEST(Operators, GreyMarkersHaveValuesBetweenThoseOfTheImage) {
    const test::TempDir folder;
    OperatorSpec spec;
    spec.marker = (folder.path() / "marker.nrrd").string();
    spec.greyMarker = true;
    const float marker[] = {0, 0, 0.1F, 0, 0.34F, 0, std::numeric_limits<float>::quiet_NaN(), 0, -3, 0, 7};
    std::ofstream(spec.marker, std::ios::binary)
        << "NRRD0004\ntype: float\ndimension: 2\nsizes: 11 1\nendian: little\nencoding: raw\n\n"
        << std::string_view(reinterpret_cast<const char*>(marker), sizeof marker);
    const ImageUnits tenths({}, ValueMapping{.offset = 0, .step = 0.1, .file = {.type = ValueType::f32}}, false);
    const auto levelsBy = [&](OperatorKind kind, std::uint8_t level, std::uint8_t wall) {
        const auto image = std::make_shared<Image>(PixelType::u8, 11, 1);
        for (std::uint32_t x = 0; x < 11; ++x) { // every second pixel is apart from the others
            image->pixels<std::uint8_t>()[x] = x % 2 == 0 ? level : wall;
        }
        spec.kind = kind;
        std::vector<std::uint16_t> levels = levelsOf(*applyOperator(cpu(), image, spec, tenths, {}).image);
        for (std::size_t x = 1; x < levels.size(); ++x) {
            levels.erase(levels.begin() + static_cast<std::ptrdiff_t>(x));
        }
        return levels;
    };
    using ::testing::ElementsAre;
    EXPECT_THAT(levelsBy(OperatorKind::reconstructionByDilation, 9, 0), ElementsAre(0, 1, 3, 0, 0, 9));
    EXPECT_THAT(levelsBy(OperatorKind::reconstructionByErosion, 0, 255), ElementsAre(0, 1, 4, 255, 0, 70));
    EXPECT_THROW((void)applied(std::make_shared<Image>(PixelType::u8, 10, 1), spec), Error) << "of another size";
}

TEST(Operators, CombineErosionsAndDilations) {
    Random random(22);
    for (int i = 0; i < 150; ++i) {
        const auto image = anyImage(random);
        const auto inside = anyMask(random, *image);
        OperatorSpec spec;
        spec.shape = random() % 2 == 0 ? OperatorShape::disc : OperatorShape::box;
        spec.radius = 1 + random() % 3;
        const auto of = [&](OperatorKind kind) {
            spec.kind = kind;
            return levelsOf(*applied(image, spec, {inside}).image);
        };
        const auto less = [&](std::vector<std::uint16_t> high, const std::vector<std::uint16_t>& low) {
            for (std::size_t p = 0; p < high.size(); ++p) {
                const bool isInside = isIn(inside.get(), static_cast<std::uint32_t>(p), image->extent());
                high[p] = static_cast<std::uint16_t>(isInside ? high[p] - low[p] : 0);
            }
            return high;
        };
        const auto eroded = naiveErosion(*image, spec.shape, spec.radius, inside.get());
        const auto dilated = naiveDilation(*image, spec.shape, spec.radius, inside.get());
        const auto opened = levelsOf(*naiveDilation(*eroded, spec.shape, spec.radius, inside.get()));
        const auto closed = levelsOf(*naiveErosion(*dilated, spec.shape, spec.radius, inside.get()));
        EXPECT_EQ(of(OperatorKind::erosion), levelsOf(*eroded));
        EXPECT_EQ(of(OperatorKind::dilation), levelsOf(*dilated));
        EXPECT_EQ(of(OperatorKind::opening), opened);
        EXPECT_EQ(of(OperatorKind::closing), closed);
        EXPECT_EQ(of(OperatorKind::whiteTophat), less(levelsOf(*image), opened));
        EXPECT_EQ(of(OperatorKind::blackTophat), less(closed, levelsOf(*image)));
        EXPECT_EQ(of(OperatorKind::gradient), less(levelsOf(*dilated), levelsOf(*eroded)));
    }
}

TEST(Operators, DistancesAreExactInTheUnit) {
    Random random(23);
    for (int i = 0; i < 150; ++i) {
        const auto image = anyImage(random);
        const auto inside = anyMask(random, *image);
        PixelSize size;
        size.x = .5;
        size.y = .5 * image->sides().y;
        size.z = .5 * image->sides().z;
        size.unit = "µm";
        const bool isMicrometre = random() % 2 == 0 && (image->extent().isVolume() || size.x == size.y);
        OperatorSpec spec;
        spec.kind = OperatorKind::distance;
        spec.unit = isMicrometre ? LengthUnit::micrometre : LengthUnit::pixel;
        const auto isBackground = [&](auto p) {
            return isIn(inside.get(), p, image->extent()) && image->level(p) == 0;
        };
        bool hasBackground = false;
        bool hasObjects = false;
        for (std::uint32_t p = 0; p < image->pixelCount(); ++p) {
            hasBackground = hasBackground || isBackground(p);
            hasObjects = hasObjects || (isIn(inside.get(), p, image->extent()) && image->level(p) != 0);
        }
        if (hasObjects && !hasBackground) {
            EXPECT_THROW((void)applied(image, spec, {inside}), Error);
            continue;
        }
        const OperatorResult result =
            applyOperator(cpu(), image, spec, ImageUnits(size, {}, image->extent().isVolume()), {inside});
        EXPECT_EQ(result.values, OperatorValues::lengths);
        EXPECT_EQ(result.mapping->unit, isMicrometre ? "µm" : "px");
        for (std::uint32_t p = 0; p < image->pixelCount(); ++p) {
            const bool isObject = isIn(inside.get(), p, image->extent()) && image->level(p) != 0;
            double nearest = isObject ? std::numeric_limits<double>::infinity() : 0;
            for (std::uint32_t q = 0; q < image->pixelCount(); ++q) {
                if (isBackground(q)) {
                    const Voxel a = voxelAt(p, image->extent());
                    const Voxel b = voxelAt(q, image->extent());
                    const VoxelSides& sides = image->sides();
                    nearest = std::min(nearest, std::hypot((1. * a.x - b.x) * sides.x, (1. * a.y - b.y) * sides.y,
                                                           (1. * a.z - b.z) * sides.z));
                }
            }
            EXPECT_FLOAT_EQ(static_cast<float>(result.mapping->valueOf(result.image->level(p))),
                            static_cast<float>(nearest * (isMicrometre ? .5 : 1)));
        }
    }
}

std::uint32_t componentsOf(const Mask& mask, bool set, bool touchAtCorners) {
    std::set<std::pair<int, int>> left;
    const int margin = set ? 0 : 1; // the background goes on beyond the image
    for (int y = -margin; y < static_cast<int>(mask.height()) + margin; ++y) {
        for (int x = -margin; x < static_cast<int>(mask.width()) + margin; ++x) {
            const bool isOn = x >= 0 && y >= 0 && x < static_cast<int>(mask.width()) &&
                              y < static_cast<int>(mask.height()) &&
                              mask.test(static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y));
            if (isOn == set) {
                left.emplace(x, y);
            }
        }
    }
    std::uint32_t components = 0;
    while (!left.empty()) {
        ++components;
        std::vector<std::pair<int, int>> open{*left.begin()};
        left.erase(left.begin());
        while (!open.empty()) {
            const auto [x, y] = open.back();
            open.pop_back();
            for (int dy = -1; dy <= 1; ++dy) {
                for (int dx = -1; dx <= 1; ++dx) {
                    if ((touchAtCorners || dx == 0 || dy == 0) && left.erase({x + dx, y + dy}) != 0) {
                        open.emplace_back(x + dx, y + dy);
                    }
                }
            }
        }
    }
    return components;
}

TEST(Skeletons, KeepComponentsAndHoles) {
    Random random(24);
    for (int i = 0; i < 300; ++i) {
        const std::uint32_t width = 1 + random() % 20;
        const std::uint32_t height = 1 + random() % 20;
        const std::uint32_t share = 2 + random() % 6;
        Mask mask(width, height, false);
        for (std::uint32_t y = 0; y < height; ++y) {
            for (std::uint32_t x = 0; x < width; ++x) {
                mask.set(x, y, random() % share != 0);
            }
        }
        const Mask thin = skeletonOf(mask);
        EXPECT_EQ(componentsOf(thin, true, true), componentsOf(mask, true, true));
        EXPECT_EQ(componentsOf(thin, false, false), componentsOf(mask, false, false));
        EXPECT_EQ(skeletonOf(thin), thin);
        for (std::uint32_t y = 0; y < height; ++y) {
            for (std::uint32_t x = 0; x < width; ++x) {
                EXPECT_LE(thin.test(x, y), mask.test(x, y));
            }
        }
    }
}

TEST(Skeletons, OfABarAreItsMiddle) {
    auto image = makeImage(PixelType::u8, 30, 11, [](auto x, auto y) { return x > 2 && x < 27 && y > 2 && y < 8; });
    OperatorSpec spec;
    spec.kind = OperatorKind::thickness;
    const OperatorResult thickness = applied(image, spec);
    for (std::uint32_t x = 8; x < 22; ++x) {
        EXPECT_EQ(thickness.mapping->valueOf(thickness.image->level(5 * 30 + x)), 6);
        EXPECT_EQ(thickness.mapping->valueOf(thickness.image->level(4 * 30 + x)), 0);
    }
    spec.kind = OperatorKind::skeleton;
    EXPECT_EQ(applied(image, spec).image->level(5 * 30 + 12), 255);
    EXPECT_THROW((void)skeletonOf(Mask(3, 5, true), 2), Error);
}

std::string messageOf(const OperatorSpec& spec, const ImageUnits& units) {
    try {
        (void)inPixels(spec, units);
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

TEST(Operators, TakeLengthsInUnits) {
    OperatorSpec spec;
    spec.radius = 1.5;
    spec.unit = LengthUnit::micrometre;
    EXPECT_EQ(inPixels(spec, ImageUnits(PixelSize{.3, .3, "µm", {}}, {})).radius, 5);
    EXPECT_THAT(messageOf(spec, {}), ::testing::StartsWith("opening: unit 'um': "));
    spec.unit = LengthUnit::pixel;
    spec.radius = -1;
    EXPECT_EQ(messageOf(spec, {}), "opening: radius -1 px: must be from 0 to 10000 px");
    spec.radius = std::numeric_limits<double>::quiet_NaN();
    EXPECT_NE(messageOf(spec, {}), "");
    spec.kind = OperatorKind::hMaxima;
    spec.height = -1;
    EXPECT_EQ(messageOf(spec, {}), "h-maxima: height -1: must be 0 or more");
}

TEST(Operators, RefuseMasksOfAnotherSize) {
    const auto image = std::make_shared<Image>(PixelType::u8, 4, 4);
    EXPECT_THROW((void)applied(image, {}, {std::make_shared<Mask>(4, 5, true)}), Error);
}

} // namespace
} // namespace pollard::testing
