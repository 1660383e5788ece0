// The view of a volume from any direction.
#include "vm/image/rendering_look.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>

namespace pollard::vm {
namespace {

constexpr QSizeF kView(640, 400);

VolumeCamera camera() {
    VolumeCamera made;
    made.extent = {60, 40, 10};
    made.sides = {1, 1, 3};
    return made;
}

/// Of many directions, zooms and places.
std::vector<VolumeCamera> cameras() {
    std::mt19937 random(1);
    std::uniform_real_distribution<double> drag(-300, 300);
    std::vector<VolumeCamera> all;
    for (const PlaneTurn& turn : {PlaneTurn{}, PlaneTurn{true, false, true}, PlaneTurn{false, true, false}}) {
        for (const VolumeAxis axis : {VolumeAxis::x, VolumeAxis::y, VolumeAxis::z}) {
            all.push_back(camera().along(axis, turn));
        }
        all.push_back(camera().slanted(VolumeAxis::y, turn));
    }
    for (int i = 0; i < 30; ++i) {
        all.push_back(all.back()
                          .turned({drag(random), drag(random)}, kView)
                          .moved({drag(random) / 30, drag(random) / 30}, kView)
                          .zoomedAbout({drag(random) + 320, 200}, std::exp2(drag(random) / 300), kView));
    }
    return all;
}

void expectNear(const QPointF& a, const QPointF& b, double tolerance) {
    EXPECT_NEAR(a.x(), b.x(), tolerance);
    EXPECT_NEAR(a.y(), b.y(), tolerance);
}

TEST(VolumeCamera, HasRaysThroughThePointsOfItsView) {
    for (const VolumeCamera& each : cameras()) {
        for (const QVector3D& point : {QVector3D(0, 0, 0), QVector3D(60, 40, 10), QVector3D(12.5F, 30, 7.25F)}) {
            const VolumeCamera::Ray ray = each.rayAt(each.toView(point, kView), kView);
            // In space, where the direction has the length 1.
            const QVector3D sides(1, 1, 3);
            const QVector3D offset = (point - ray.origin) * sides;
            const QVector3D direction = ray.direction * sides;
            EXPECT_NEAR(direction.length(), 1, 1e-5);
            const float along = QVector3D::dotProduct(offset, direction);
            EXPECT_LT((offset - along * direction).length(), 1e-3);
            EXPECT_GT(along, 0) << "rays begin before the box";
        }
    }
}

TEST(VolumeCamera, FindsWhereARayIsInTheBox) {
    std::mt19937 random(2);
    std::uniform_real_distribution<double> x(0, kView.width());
    std::uniform_real_distribution<double> y(0, kView.height());
    int hits = 0;
    for (const VolumeCamera& each : cameras()) {
        for (int i = 0; i < 20; ++i) {
            const VolumeCamera::Ray ray = each.rayAt({x(random), y(random)}, kView);
            const VolumeCamera::RayInterval inside = each.insideOf(ray);
            const float length = each.boxSides().length();
            for (float t = 0; t < length; t += length / 997) {
                const QVector3D at = ray.origin + t * ray.direction;
                const auto isIn = [&](float margin) {
                    return at.x() > margin && at.x() < 60 - margin && at.y() > margin && at.y() < 40 - margin &&
                           at.z() > margin && at.z() < 10 - margin;
                };
                if (isIn(0.01F)) {
                    ++hits;
                    ASSERT_TRUE(t >= inside.first && t <= inside.last);
                } else if (!isIn(-0.01F)) {
                    ASSERT_FALSE(t > inside.first && t < inside.last);
                }
            }
        }
    }
    EXPECT_GT(hits, 1000);
}

TEST(VolumeCamera, ShowsTheWholeBoxFromEveryDirection) {
    for (VolumeCamera each : cameras()) {
        each = each.fitted();
        QRectF seen;
        for (int corner = 0; corner < 8; ++corner) {
            const QVector3D at(static_cast<float>(corner % 2 * 60), static_cast<float>(corner / 2 % 2 * 40),
                               static_cast<float>(corner / 4 * 10));
            const QPointF place = each.toView(at, kView);
            EXPECT_TRUE(QRectF(QPointF(0, 0), kView).adjusted(-0.1, -0.1, 0.1, 0.1).contains(place));
            seen |= QRectF(place, QSizeF(1e-3, 1e-3));
        }
        EXPECT_GT(std::max(seen.width(), seen.height()), 0.9 * kView.height());
        EXPECT_LT((seen.center() - QPointF(320, 200)).manhattanLength(), 0.1);
    }
}

TEST(VolumeCamera, LooksAlongTheAxes) {
    struct Case {
        VolumeAxis axis;
        PlaneTurn turn;
        QVector3D right; ///< of these steps in voxels
        QVector3D down;
    };
    const QVector3D x(1, 0, 0);
    const QVector3D y(0, 1, 0);
    const QVector3D z(0, 0, 1);
    for (const Case& each : {Case{VolumeAxis::z, {}, x, y},
                             {VolumeAxis::y, {}, x, z},
                             {VolumeAxis::y, {false, false, true}, x, -z},
                             {VolumeAxis::y, {true, true, false}, -z, x},
                             {VolumeAxis::x, {}, z, y},
                             {VolumeAxis::x, {true, false, true}, y, -z},
                             {VolumeAxis::x, {true, true, true}, -y, -z}}) {
        const VolumeCamera made = camera().along(each.axis, each.turn);
        const double scale = 1 / made.unitsPerPixel(kView);
        const auto step = [&](const QVector3D& by) { return made.toView(by, kView) - made.toView({}, kView); };
        const auto side = [](const QVector3D& by) { return by.z() == 0 ? 1.0 : 3.0; };
        expectNear(step(each.right), {side(each.right) * scale, 0}, 1e-3);
        expectNear(step(each.down), {0, side(each.down) * scale}, 1e-3);
    }
}

TEST(VolumeCamera, FollowsADrag) {
    for (const VolumeCamera& each : cameras()) {
        const QVector3D middle(30, 20, 5);
        expectNear(each.moved({12, -7}, kView).toView(middle, kView) - each.toView(middle, kView), {12, -7}, 1e-2);
        // The point of the box nearest to the viewer moves with the pointer.
        const QVector3D near = middle - each.rayAt({0, 0}, kView).direction * 5;
        const QPointF by = each.turned({10, 0}, kView).toView(near, kView) - each.toView(near, kView);
        EXPECT_GT(by.x(), 0);
        EXPECT_NEAR(by.y(), 0, 1e-2);
        EXPECT_GT((each.turned({0, 10}, kView).toView(near, kView) - each.toView(near, kView)).y(), 0);
    }
}

TEST(VolumeCamera, ZoomsAboutAPlace) {
    for (const VolumeCamera& each : cameras()) {
        const QPointF at(100, 300);
        const QVector3D point = each.rayAt(at, kView).origin;
        const VolumeCamera zoomed = each.zoomedAbout(at, 1.5, kView);
        expectNear(zoomed.toView(point, kView), at, 1e-2 * zoomed.zoom);
        EXPECT_LE(zoomed.zoom, VolumeCamera::kMostZoom);
    }
}

TEST(VolumeCamera, HidesACorner) {
    for (const VolumeCamera& each : cameras()) {
        const QVector3D box(60, 40, 10);
        const QVector3D direction = each.rayAt({0, 0}, kView).direction;
        const auto depth = [&](const QVector3D& corner) {
            const QVector3D sides(1, 1, 3);
            return QVector3D::dotProduct(corner * box * sides, direction * sides);
        };
        for (int corner = 0; corner < 8; ++corner) {
            const QVector3D other(static_cast<float>(corner & 1), static_cast<float>(corner >> 1 & 1),
                                  static_cast<float>(corner >> 2));
            EXPECT_LE(depth(other), depth(each.farCorner()) + 1e-3);
        }
    }
}

} // namespace
} // namespace pollard::vm
