// Rows needed to draw a curve with many more.
#include "vm/tree/chain_view_model.hpp"

#include "support/random_images.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace pollard::vm {
namespace {

using testing::Random;

/// A curve that is monotonic in each direction, with steps of very different sizes, sometimes 0.
std::vector<QPointF> randomCurve(Random& random, int rows, bool falls) {
    std::vector<QPointF> places{{0, 0}};
    for (int row = 1; row < rows; ++row) {
        const auto step = [&] {
            const std::uint32_t kind = random() % 50;
            return kind == 0 ? (random() % 1000) / 20.0 : kind < 20 ? 0.0 : (random() % 1000) / 5e4;
        };
        const double across = step();
        places.push_back(places.back() + QPointF(across, falls ? -step() : step()));
    }
    return places;
}

TEST(ThinnedCurve, LeavesOutOnlyWhatLiesBesideItsNeighbours) {
    Random random(7);
    for (const int rows : {1, 2, 3, 10, 1000, 30'000}) {
        for (const bool falls : {false, true}) {
            const auto places = randomCurve(random, rows, falls);
            int asked = 0;
            const auto curve = thinnedCurve(
                rows,
                [&](int row) {
                    ++asked;
                    return places.at(static_cast<std::size_t>(row));
                },
                1.0);
            ASSERT_FALSE(curve.empty());
            EXPECT_EQ(curve.front().row, 0);
            EXPECT_EQ(curve.back().row, rows - 1);
            for (std::size_t i = 0; i < curve.size(); ++i) {
                EXPECT_EQ(curve[i].place, places[static_cast<std::size_t>(curve[i].row)]);
                if (i == 0) {
                    continue;
                }
                ASSERT_GT(curve[i].row, curve[i - 1].row);
                const QPointF way = curve[i].place - curve[i - 1].place;
                EXPECT_TRUE(curve[i].row == curve[i - 1].row + 1 || (std::abs(way.x()) <= 1 && std::abs(way.y()) <= 1));
            }
            const QPointF size = places.back();
            const double most = 2 * (std::abs(size.x()) + std::abs(size.y())) + 2;
            EXPECT_LE(static_cast<double>(curve.size()), most * 2);
            EXPECT_LE(asked, most * (std::log2(rows) + 1) + 2) << rows;
        }
    }
}

TEST(ThinnedCurve, OfOnePlaceHasTwoEnds) {
    const auto curve = thinnedCurve(
        5000, [](int) { return QPointF(3, 4); }, 1.0);
    ASSERT_EQ(curve.size(), 2U);
    EXPECT_EQ(curve[1].row, 4999);
}

TEST(ThinnedCurve, OfNothingIsEmpty) {
    EXPECT_TRUE(thinnedCurve(
                    0, [](int) { return QPointF(); }, 1.0)
                    .empty());
}

} // namespace
} // namespace pollard::vm
