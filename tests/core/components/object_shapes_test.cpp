// Shapes of objects against definitions written out: hulls by all pairs of midpoints of sides, inscribed balls by all
// pixels outside, local thickness by all balls; and their laws.

#include "base/error.hpp"
#include "components/components.hpp"
#include "components/labelled_components.hpp"
#include "components/objects/measured_objects.hpp"
#include "components/objects/object_features.hpp"
#include "components/shape/object_edges.hpp"
#include "image/distance_transform.hpp"
#include "support/random_images.hpp"

#include <gtest/gtest.h>

#include <tbb/task_arena.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <numbers>
#include <span>
#include <stop_token>
#include <utility>
#include <vector>

namespace pollard::testing {
namespace {

struct Half { // of a pixel
    int x = 0;
    int y = 0;
};
using Halves = std::vector<Half>;

/// Twice the area of a triangle, with a sign.
int turn(const Half& a, const Half& b, const Half& c) { return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x); }

Halves midpointsOf(const Halves& centres) {
    Halves points;
    for (const Half& at : centres) {
        points.insert(points.end(), {{at.x - 1, at.y}, {at.x + 1, at.y}, {at.x, at.y - 1}, {at.x, at.y + 1}});
    }
    return points;
}

/// Calls function(a, b) for the pairs of points with all other points on their left or on their line.
void forEachSideOfHull(const Halves& points, const auto& function) {
    for (const Half& a : points) {
        for (const Half& b : points) {
            const bool isSide = (a.x != b.x || a.y != b.y) &&
                                std::ranges::all_of(points, [&](const Half& c) { return turn(a, b, c) >= 0; });
            if (isSide) {
                function(a, b);
            }
        }
    }
}

struct NaiveHull {
    std::uint64_t area = 0;
    double perimeter = 0;
    double most = 0;
    double mostAngle = HUGE_VAL; ///< the smallest of the largest distances
    double least = HUGE_VAL;
};

/// Centres of the convex pixels of an object.
Halves convexPixels(const Components& found, std::uint32_t label) {
    Halves centres;
    for (std::uint32_t i = 0; i < found.labels.size(); ++i) {
        if (found.labels[i] == label) {
            centres.push_back({static_cast<int>(2 * (i % found.width)), static_cast<int>(2 * (i / found.width))});
        }
    }
    std::vector<std::pair<Half, Half>> sides;
    forEachSideOfHull(midpointsOf(centres), [&](const Half& a, const Half& b) { sides.emplace_back(a, b); });
    Halves convex;
    for (int y = 0; y < static_cast<int>(found.height); ++y) {
        for (int x = 0; x < static_cast<int>(found.width); ++x) {
            if (std::ranges::all_of(sides, [&](const auto& side) {
                    return turn(side.first, side.second, {2 * x, 2 * y}) >= 0;
                })) {
                convex.push_back({2 * x, 2 * y});
            }
        }
    }
    return convex;
}

NaiveHull naiveHull(const Components& found, std::uint32_t label, const VoxelSides& sides) {
    const Halves convex = convexPixels(found, label);
    const auto lengthOf = [&](const Half& a, const Half& b) {
        return std::hypot((b.x - a.x) * sides.x, (b.y - a.y) * sides.y) / 2;
    };
    NaiveHull hull;
    hull.area = convex.size();
    const Halves points = midpointsOf(convex);
    for (const Half& a : points) {
        for (const Half& b : points) {
            const bool isFirst = a.x < b.x || (a.x == b.x && a.y < b.y);
            if (isFirst && lengthOf(a, b) > hull.most - 1e-9) {
                const double angle = std::atan2((b.y - a.y) * sides.y, (b.x - a.x) * sides.x);
                hull.mostAngle = lengthOf(a, b) > hull.most + 1e-9 ? angle : std::min(hull.mostAngle, angle);
                hull.most = std::max(hull.most, lengthOf(a, b));
            }
        }
    }
    forEachSideOfHull(points, [&](const Half& a, const Half& b) {
        double width = 0;
        for (const Half& c : points) {
            width = std::max(width, turn(a, b, c) * sides.x * sides.y / 4 / lengthOf(a, b));
        }
        hull.least = std::min(hull.least, width);
    });
    // Steps between neighbouring points of the sides.
    std::vector<std::pair<Half, Half>> steps;
    forEachSideOfHull(points, [&](const Half& a, const Half& b) {
        const bool isStep = std::ranges::none_of(points, [&](const Half& c) {
            const int along = (c.x - a.x) * (b.x - a.x) + (c.y - a.y) * (b.y - a.y);
            const int whole = (b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y);
            return turn(a, b, c) == 0 && along > 0 && along < whole;
        });
        const bool isKnown = std::ranges::any_of(steps, [&](const auto& step) {
            return step.first.x == a.x && step.first.y == a.y && step.second.x == b.x && step.second.y == b.y;
        });
        if (isStep && !isKnown) {
            steps.emplace_back(a, b);
            hull.perimeter += lengthOf(a, b);
        }
    });
    return hull;
}

Mask maskOfShape(std::uint32_t width, std::uint32_t rows, const auto& isSet) {
    Mask mask(width, rows, false);
    for (std::uint32_t y = 0; y < rows; ++y) {
        for (std::uint32_t x = 0; x < width; ++x) {
            mask.set(x, y, isSet(x, y));
        }
    }
    return mask;
}

Components labelled(const Mask& mask, Connectivity connectivity, std::uint32_t slices = 1) {
    ComponentsSpec spec;
    spec.connectivity = connectivity;
    spec.slices = slices;
    return labelComponents(mask, nullptr, spec);
}

Mask speckles(Random& random, std::uint32_t width, std::uint32_t rows) {
    const std::uint32_t density = 20 + random() % 70;
    return maskOfShape(width, rows, [&](auto, auto) { return random() % 100 < density; });
}

ObjectEdges shapesOf(const Components& found, const VoxelSides& sides = {}) {
    return measureEdges(found, EdgeMeasure::thickness, {}, sides);
}

/// Square of the distance of a pixel to the nearest pixel with another label or outside of the image.
double naiveSquare(const Components& found, std::size_t pixel, const VoxelSides& sides) {
    const auto placeOf = [&](std::size_t i) {
        const std::size_t row = i / found.width;
        return std::array{static_cast<int>(i % found.width), static_cast<int>(row % found.height),
                          static_cast<int>(row / found.height)};
    };
    const auto at = placeOf(pixel);
    double least = HUGE_VAL;
    const int deep = found.slices > 1 ? 1 : 0;
    for (int z = -deep; z < static_cast<int>(found.slices) + deep; ++z) {
        for (int y = -1; y <= static_cast<int>(found.height); ++y) {
            for (int x = -1; x <= static_cast<int>(found.width); ++x) {
                const bool isInImage = x >= 0 && y >= 0 && z >= 0 && x < static_cast<int>(found.width) &&
                                       y < static_cast<int>(found.height) && z < static_cast<int>(found.slices);
                const std::size_t other =
                    (static_cast<std::size_t>(z) * found.height + static_cast<std::size_t>(y)) * found.width +
                    static_cast<std::size_t>(x);
                if (!isInImage || found.labels[other] != found.labels[pixel]) {
                    const double dx = (x - at[0]) * sides.x;
                    const double dy = (y - at[1]) * sides.y;
                    const double dz = (z - at[2]) * sides.z;
                    least = std::min(least, dx * dx + dy * dy + dz * dz);
                }
            }
        }
    }
    return least;
}

double naiveThickness(const Components& found, std::uint32_t label, std::span<const double> squares,
                      const VoxelSides& sides) {
    std::vector<std::uint32_t> pixels;
    for (std::uint32_t i = 0; i < found.labels.size(); ++i) {
        if (found.labels[i] == label) {
            pixels.push_back(i);
        }
    }
    double sum = 0;
    for (const std::uint32_t p : pixels) {
        double largest = 0;
        for (const std::uint32_t c : pixels) {
            const auto step = [&](std::uint32_t i, std::uint32_t per, std::uint32_t count) {
                return static_cast<double>(i / per % count);
            };
            const std::uint32_t slice = found.width * found.height;
            const double dx = (step(p, 1, found.width) - step(c, 1, found.width)) * sides.x;
            const double dy = (step(p, found.width, found.height) - step(c, found.width, found.height)) * sides.y;
            const double dz = (step(p, slice, found.slices) - step(c, slice, found.slices)) * sides.z;
            if (dx * dx + dy * dy + dz * dz < squares[c]) {
                largest = std::max(largest, squares[c]);
            }
        }
        sum += 2 * std::sqrt(largest);
    }
    return sum / static_cast<double>(pixels.size());
}

/// Up to two objects, of which each may have several parts.
Components objectsInParts(Random& random, const Mask& mask) {
    std::vector<std::uint32_t> numbers(std::size_t{mask.width()} * mask.height());
    std::ranges::generate(numbers, [&] { return random() % 5 < 3 ? 0 : 1 + random() % 2; });
    return measureNumbers(numbers, {mask.width(), mask.height(), 1}, nullptr, nullptr, Connectivity::eight);
}

TEST(ObjectShapes, HullsEqualAllPairsOfMidpoints) {
    Random random(501);
    for (int repeat = 0; repeat < 60; ++repeat) {
        const Mask mask = speckles(random, 1 + random() % 9, 1 + random() % 9);
        const Components found = repeat % 4 == 3
                                     ? objectsInParts(random, mask)
                                     : labelled(mask, repeat % 2 == 0 ? Connectivity::four : Connectivity::eight);
        const VoxelSides sides = repeat % 3 == 0 ? VoxelSides{1, 1.75, 1} : VoxelSides{};
        const ObjectEdges shapes = measureEdges(found, EdgeMeasure::hull, {}, sides);
        EXPECT_TRUE(shapes.balls.empty() && shapes.thickness.empty()) << "were not asked for";
        for (std::uint32_t label = 1; label <= found.count; ++label) {
            const NaiveHull naive = naiveHull(found, label, sides);
            const ObjectHull& hull = *shapes.of(label).hull;
            ASSERT_EQ(hull.area, naive.area);
            ASSERT_NEAR(hull.perimeter, naive.perimeter, 1e-9);
            ASSERT_NEAR(hull.feretMax, naive.most, 1e-9);
            ASSERT_NEAR(hull.feretMaxAngle, naive.mostAngle, 1e-9);
            ASSERT_NEAR(hull.feretMin, naive.least, 1e-9);
        }
    }
}

/// Width of points in a direction, px.
double widthAlong(const Halves& points, double angle) {
    double least = HUGE_VAL;
    double most = -HUGE_VAL;
    for (const Half& at : points) {
        const double along = (at.x * std::cos(angle) + at.y * std::sin(angle)) / 2;
        least = std::min(least, along);
        most = std::max(most, along);
    }
    return most - least;
}

TEST(ObjectShapes, AnglesAreTheDirectionsOfTheDiameters) {
    for (int repeat = 0; repeat < 20; ++repeat) {
        const double tilt = repeat * 0.16;
        const auto isIn = [&](auto px, auto py) {
            const double x = static_cast<double>(px) - 9;
            const double y = static_cast<double>(py) - 9;
            const double along = x * std::cos(tilt) + y * std::sin(tilt);
            const double across = y * std::cos(tilt) - x * std::sin(tilt);
            return along * along / 81 + across * across / 9 <= 1;
        };
        const Components found = labelled(maskOfShape(19, 19, isIn), Connectivity::four);
        const ObjectEdges shapes = measureEdges(found, EdgeMeasure::hull);
        const ObjectHull& hull = *shapes.of(1).hull;
        const Halves points = midpointsOf(convexPixels(found, 1));
        EXPECT_NEAR(widthAlong(points, hull.feretMaxAngle), hull.feretMax, 1e-9);
        EXPECT_NEAR(widthAlong(points, hull.feretMinAngle), hull.feretMin, 1e-9);
        EXPECT_NEAR(std::sin(hull.feretMaxAngle - tilt), 0, 0.3);
        EXPECT_NEAR(std::cos(hull.feretMinAngle - tilt), 0, 0.3);
    }
}

TEST(ObjectShapes, BallsAndThicknessEqualAllPairs) {
    Random random(502);
    for (int repeat = 0; repeat < 60; ++repeat) {
        const bool isVolume = repeat % 3 == 0;
        const std::uint32_t slices = isVolume ? 1 + random() % 5 : 1;
        const std::uint32_t height = 1 + random() % 12;
        const Mask mask = repeat % 4 == 1 ? Mask(1 + random() % 20, height * slices, true)
                                          : speckles(random, 1 + random() % 20, height * slices);
        const Components found = labelled(mask, isVolume ? Connectivity::twentySix : Connectivity::eight, slices);
        const VoxelSides sides = repeat % 2 == 0 ? VoxelSides{} : VoxelSides{1, 0.5, 2.25};
        const ObjectEdges shapes = shapesOf(found, sides);
        const Buffer<double> squares = squaredDistancesToOthers(found.labels.span(), found.extent(), sides);
        std::vector<double> largest(found.count + 1U, -1);
        std::vector<std::uint32_t> centre(found.count + 1U);
        for (std::uint32_t i = 0; i < squares.size(); ++i) {
            const std::uint32_t label = found.labels[i];
            ASSERT_EQ(squares[i], label == 0 ? 0 : naiveSquare(found, i, sides));
            if (squares[i] > largest[label]) {
                largest[label] = squares[i];
                centre[label] = i;
            }
        }
        for (std::uint32_t label = 1; label <= found.count; ++label) {
            const InscribedBall& ball = *shapes.of(label).ball;
            ASSERT_EQ(ball.radius, std::sqrt(largest[label]));
            ASSERT_EQ((std::size_t{ball.z} * found.height + ball.y) * found.width + ball.x, centre[label]);
            ASSERT_NEAR(*shapes.of(label).thickness, naiveThickness(found, label, squares.span(), sides), 1e-9);
            ASSERT_EQ(shapes.of(label).hull == nullptr, isVolume);
        }
    }
}

TEST(ObjectShapes, DistancesStopAtTheNextLabel) {
    const std::vector<std::uint32_t> labels{1, 1, 1, 2, 2, 0, 3};
    const Buffer<double> squares = squaredDistancesToOthers(labels, {7, 1, 1}, {1, 10, 1});
    EXPECT_EQ(std::vector(squares.begin(), squares.end()), (std::vector<double>{1, 4, 1, 1, 1, 0, 1}));
    const Buffer<double> column = squaredDistancesToOthers(labels, {1, 7, 1}, {10, 1, 1});
    EXPECT_EQ(std::vector(column.begin(), column.end()), (std::vector<double>{1, 4, 1, 1, 1, 0, 1}));
    EXPECT_THROW((void)squaredDistancesToOthers(labels, {6, 1, 1}), Error);
    EXPECT_THROW((void)squaredDistancesToOthers(labels, {7, 1, 1}, {0, 1, 1}), Error);
}

/// Values of the only object.
std::vector<double> valuesOf(const Mask& mask, std::initializer_list<ObjectFeature> features) {
    const Components found = labelled(mask, Connectivity::eight);
    EXPECT_EQ(found.count, 1U);
    const ObjectEdges shapes = shapesOf(found);
    std::vector<double> values;
    for (const ObjectFeature feature : features) {
        values.push_back(MeasuredObjects(found, &shapes).value(1, feature));
    }
    return values;
}

void expectValues(const Mask& mask, std::initializer_list<ObjectFeature> features,
                  const std::vector<double>& expected) {
    const std::vector<double> values = valuesOf(mask, features);
    ASSERT_EQ(values.size(), expected.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        EXPECT_NEAR(values[i], expected[i], 1e-12) << objectFeatureInfo(features.begin()[i]).id;
    }
}

TEST(ObjectShapes, OfSinglePixelsAndLinesAreKnown) {
    using enum ObjectFeature;
    const auto features = {convexArea, solidity, feretMax, feretMin, inscribedRadius, thickness};
    expectValues(Mask(1, 1, true), features, {1, 1, 1, std::sqrt(0.5), 1, 2});
    expectValues(Mask(9, 1, true), features, {9, 1, 9, 1, 1, 2});
    expectValues(Mask(1, 9, true), features, {9, 1, 9, 1, 1, 2});
    expectValues(Mask(9, 1, true), {feretMaxAngle, feretMinAngle}, {0, std::numbers::pi / 2});
    expectValues(Mask(1, 9, true), {feretMaxAngle, feretMinAngle}, {std::numbers::pi / 2, 0});
    const Mask diagonal = maskOfShape(5, 5, [](auto x, auto y) { return x == y; });
    expectValues(diagonal, features, {5, 1, std::sqrt(41.0), std::sqrt(0.5), 1, 2}); // from (-.5, 0) to (4.5, 4)
    // The circles of radius 2 in the two middle columns reach the corners.
    expectValues(Mask(4, 7, true), features, {28, 1, std::sqrt(49.0 + 9), 4, 2, 4});
}

TEST(ObjectShapes, AConcavePartIsNoPartOfTheObjectButOfItsHull) {
    const Mask corner = maskOfShape(10, 10, [](auto x, auto y) { return x == 0 || y == 9; });
    const auto values = valuesOf(corner, {ObjectFeature::convexArea, ObjectFeature::solidity});
    EXPECT_EQ(values.front(), 55);
    EXPECT_DOUBLE_EQ(values.back(), 19.0 / 55);
}

/// The image turned by a quarter.
Mask turned(const Mask& mask) {
    return maskOfShape(mask.height(), mask.width(),
                       [&](auto x, auto y) { return mask.test(y, mask.height() - 1 - x); });
}

TEST(ObjectShapes, MeetTheirLawsAndKeepTheirSizesWhenTurned) {
    Random random(503);
    for (int repeat = 0; repeat < 40; ++repeat) {
        const Mask mask = speckles(random, 1 + random() % 60, 1 + random() % 60);
        const Components found = labelled(mask, Connectivity::eight);
        const Components other = labelled(turned(mask), Connectivity::eight);
        const ObjectEdges shapes = shapesOf(found);
        const ObjectEdges turnedShapes = shapesOf(other);
        ASSERT_EQ(found.count, other.count);
        for (std::uint32_t label = 1; label <= found.count; ++label) {
            const ComponentRecord& record = found.objects[label - 1];
            const ObjectHull& hull = *shapes.of(label).hull;
            const double thickness = *shapes.of(label).thickness;
            ASSERT_GE(hull.area, record.area);
            ASSERT_LE(hull.area, std::uint64_t{record.width()} * record.height());
            ASSERT_LE(hull.feretMin, hull.feretMax);
            ASSERT_LE(hull.feretMin, std::min(record.width(), record.height()));
            ASSERT_GE(hull.feretMax, std::max(record.width(), record.height()));
            // Cauchy: the perimeter is pi times the mean width.
            ASSERT_GE(hull.perimeter, std::numbers::pi * hull.feretMin * (1 - 1e-12));
            ASSERT_LE(hull.perimeter, std::numbers::pi * hull.feretMax * (1 + 1e-12));
            ASSERT_GE(thickness, 2);
            ASSERT_LE(thickness, 2 * shapes.of(label).ball->radius * (1 + 1e-12));
            // The pixel (x, y) is the pixel (height - 1 - y, x) of the turned image.
            const std::uint32_t x = record.left;
            std::uint32_t y = record.top;
            while (found.labels[std::size_t{y} * found.width + x] != label) {
                ++y;
            }
            const std::uint32_t there = other.labels[std::size_t{x} * other.width + found.height - 1 - y];
            const ObjectHull& same = *turnedShapes.of(there).hull;
            ASSERT_EQ(same.area, hull.area);
            ASSERT_NEAR(same.perimeter, hull.perimeter, 1e-9);
            ASSERT_EQ(same.feretMax, hull.feretMax);
            ASSERT_NEAR(same.feretMin, hull.feretMin, 1e-12);
            ASSERT_EQ(turnedShapes.of(there).ball->radius, shapes.of(label).ball->radius);
            ASSERT_NEAR(*turnedShapes.of(there).thickness, thickness, 1e-9);
        }
    }
}

TEST(ObjectShapes, LargeObjectsLeaveOutPaintedBallsOnly) {
    // A wide band with narrow teeth, which has far more rows of balls than pixels: most balls have no pixel of their
    // own.
    const int width = 200;
    const int height = 160;
    const Components found =
        labelled(maskOfShape(width, height, [](auto x, auto y) { return y >= 40 || x % 7 < 2; }), Connectivity::four);
    ASSERT_EQ(found.count, 1U);
    const auto indexOf = [&](int x, int y) {
        return std::size_t{found.width} * static_cast<std::size_t>(y) + static_cast<std::size_t>(x);
    };
    const Buffer<double> squares = squaredDistancesToOthers(found.labels.span(), found.extent());
    std::vector<double> largest(squares.size(), 0);
    for (int cy = 0; cy < height; ++cy) {
        for (int cx = 0; cx < width; ++cx) {
            const double square = squares[indexOf(cx, cy)];
            const int reach = static_cast<int>(std::sqrt(square));
            for (int y = cy - reach; y <= cy + reach; ++y) {
                for (int x = cx - reach; x <= cx + reach; ++x) {
                    if ((x - cx) * (x - cx) + (y - cy) * (y - cy) < square) {
                        double& here = largest[indexOf(x, y)];
                        here = std::max(here, square);
                    }
                }
            }
        }
    }
    double sum = 0;
    for (const double square : largest) {
        sum += 2 * std::sqrt(square);
    }
    EXPECT_NEAR(*shapesOf(found).of(1).thickness, sum / static_cast<double>(found.foreground), 1e-9);
}

TEST(ObjectShapes, AreInTheUnitOfThePixels) {
    using enum ObjectFeature;
    const Components found = labelled(Mask(4, 7, true), Connectivity::four);
    ObjectUnit unit;
    unit.unit = LengthUnit::micrometre;
    unit.sides = {0.5, 2, 1};
    const ObjectEdges shapes = shapesOf(found, unit.proportions());
    const MeasuredObjects objects(found, &shapes, unit);
    EXPECT_EQ(objects.value(1, convexArea), 28);
    EXPECT_EQ(objects.value(1, solidity), 1);
    EXPECT_NEAR(objects.value(1, feretMin), 2, 1e-12);
    EXPECT_NEAR(objects.value(1, feretMax), std::hypot(3 * 0.5, 14), 1e-12);
    EXPECT_NEAR(objects.value(1, inscribedRadius), 1, 1e-12);
    EXPECT_EQ(objects.value(1, inscribedX), 0.5);
    EXPECT_EQ(objects.value(1, inscribedY), 0);
    EXPECT_TRUE(std::isnan(objects.value(1, inscribedZ))) << "of volumes";
    EXPECT_TRUE(std::isnan(MeasuredObjects(found, nullptr, unit).value(1, solidity))) << "not measured";
}

TEST(ObjectShapes, OfVolumesAreBalls) {
    using enum ObjectFeature;
    const Components found = labelled(Mask(9, 9 * 5, true), Connectivity::six, 5);
    ObjectUnit unit;
    unit.unit = LengthUnit::micrometre;
    unit.sides = {0.5, 0.5, 3};
    const ObjectEdges shapes = shapesOf(found, unit.proportions());
    const MeasuredObjects objects(found, &shapes, unit);
    EXPECT_NEAR(objects.value(1, inscribedRadius), 2.5, 1e-12);
    EXPECT_EQ(objects.value(1, inscribedX), 2);
    EXPECT_EQ(objects.value(1, inscribedY), 2);
    EXPECT_EQ(objects.value(1, inscribedZ), 0) << "of several the first";
    EXPECT_TRUE(std::isnan(objects.value(1, solidity))) << "of images";
    EXPECT_EQ(measureEdges(found, EdgeMeasure::hull).of(1).hull, nullptr);
}

TEST(ObjectShapes, AreTheSameForAnyNumberOfThreads) {
    Random random(504);
    const Components found = labelled(speckles(random, 500, 400), Connectivity::eight);
    const ObjectEdges all = shapesOf(found);
    tbb::task_arena(1).execute([&] {
        const ObjectEdges one = shapesOf(found);
        EXPECT_EQ(one.hulls, all.hulls);
        EXPECT_EQ(one.balls, all.balls);
        EXPECT_EQ(one.thickness, all.thickness);
    });
}

TEST(ObjectShapes, Stop) {
    std::stop_source stop;
    stop.request_stop();
    const Components found = labelled(Mask(5, 5, true), Connectivity::four);
    EXPECT_THROW((void)measureEdges(found, EdgeMeasure::thickness, JobControl(stop.get_token())), Cancelled);
}

} // namespace
} // namespace pollard::testing
