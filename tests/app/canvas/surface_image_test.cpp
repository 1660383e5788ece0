// Layers of colours over the image: parts that are made anew, and layers that are made on another thread.
#include "overlays/overlay.hpp"

#include <QImage>
#include <QPainter>
#include <QTest>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <semaphore>
#include <span>
#include <vector>

namespace pollard::app {
namespace {

constexpr int kPatience = 10000; ///< ms

class SurfaceLayer : public ::testing::Test {
protected:
    static constexpr int kWidth = 90;
    static constexpr int kHeight = 70;
    std::shared_ptr<std::vector<QRgb>> colours = std::make_shared<std::vector<QRgb>>(kWidth * kHeight, 0xff102030);
    OverlayScene scene;
    SurfaceImage layer;
    std::atomic<std::size_t> filled = 0; ///< px of the last fill

    SurfaceLayer() {
        scene.size = QSizeF(240, 200);
        scene.image = QSize(kWidth, kHeight);
        scene.scale = 3;
        scene.mayLag = true;
    }
    /// A px has the colour of its pixel, or of the pixel beside it at the end of the fill, as outlines have.
    [[nodiscard]] SurfaceImage::Fill fill() {
        return [this, now = std::make_shared<const std::vector<QRgb>>(*colours)](const SurfaceGrid& grid,
                                                                                 std::span<QRgb> out) {
            filled = out.size();
            for (std::size_t y = 0; y < grid.rows.size(); ++y) {
                for (std::size_t x = 0; x < grid.columns.size(); ++x) {
                    const std::size_t beside = std::min(x + 2, grid.columns.size() - 1);
                    out[y * grid.columns.size() + x] = (*now)[grid.rows[y] * kWidth + grid.columns[beside]];
                }
            }
        };
    }
    [[nodiscard]] QImage painted(const std::function<void(QPainter&)>& paint) const {
        QImage image(scene.size.toSize(), QImage::Format_ARGB32_Premultiplied);
        image.fill(Qt::transparent);
        QPainter painter(&image);
        paint(painter);
        return image;
    }
    [[nodiscard]] QImage now() {
        return painted([this](QPainter& painter) { layer.paint(painter, scene, fill()); });
    }
    [[nodiscard]] QImage anew() {
        SurfaceImage other;
        return painted([&](QPainter& painter) { other.paint(painter, scene, fill()); });
    }
    void colour(const QRect& part, QRgb colour) {
        for (int y = part.top(); y <= part.bottom(); ++y) {
            for (int x = part.left(); x <= part.right(); ++x) {
                (*colours)[static_cast<std::size_t>(y * kWidth + x)] = colour;
            }
        }
    }
};

TEST_F(SurfaceLayer, MakesOnlyAPartAnew) {
    ASSERT_EQ(now(), anew());
    for (const QRect& part : {QRect(20, 30, 4, 3), QRect(0, 0, 1, 1), QRect(78, 64, 2, 2), QRect(79, 40, 1, 1)}) {
        const QImage before = now();
        colour(part, 0xff0000ff);
        EXPECT_EQ(now(), before) << "not known to be out of date";
        layer.outdate(part);
        EXPECT_EQ(now(), anew());
        EXPECT_NE(now(), before);
    }
    layer.outdate(QRect(20, 30, 4, 3));
    filled = 0;
    (void)now();
    EXPECT_GT(filled, 0U);
    EXPECT_LT(filled, std::size_t{80} * 80) << "of 240 x 200 px";
    // Parts out of date between two drawings; all of the layer at another place.
    colour({5, 5, 3, 3}, 0xff00ff00);
    layer.outdate({5, 5, 3, 3});
    colour({60, 50, 3, 3}, 0xff00ffff);
    layer.outdate({60, 50, 3, 3});
    EXPECT_EQ(now(), anew());
    colour({10, 10, 40, 3}, 0xffff0000);
    layer.outdate({10, 10, 1, 1});
    scene.origin = QPointF(-7, -12);
    EXPECT_EQ(now(), anew());
}

TEST_F(SurfaceLayer, IsMadeOnAnotherThread) {
    std::counting_semaphore<8> go(0);
    std::atomic<int> fills = 0;
    int readies = 0;
    const auto slow = [&]() -> SurfaceImage::Fill {
        return [&, fast = fill()](const SurfaceGrid& grid, std::span<QRgb> out) {
            go.acquire();
            fast(grid, out);
            ++fills;
        };
    };
    const auto later = [&] {
        return painted([&](QPainter& painter) { layer.paintLater(painter, scene, slow, [&] { ++readies; }); });
    };
    const QImage nothing = later();
    EXPECT_EQ(nothing, painted([](QPainter&) {})) << "there is no last state";
    EXPECT_FALSE(layer.isUpToDate());
    EXPECT_EQ(later(), nothing) << "no second job for the same place";
    go.release();
    ASSERT_TRUE(QTest::qWaitFor([&] { return readies == 1; }, kPatience));
    const QImage first = later();
    EXPECT_EQ(fills, 1);
    EXPECT_EQ(first, anew());
    EXPECT_TRUE(layer.isUpToDate());

    // The last state stays at its place in the image while the view moves.
    scene.origin = QPointF(-30, -15);
    const QImage moved = later();
    EXPECT_FALSE(layer.isUpToDate());
    EXPECT_EQ(moved.copy(0, 0, 200, 180), first.copy(30, 15, 200, 180));
    go.release();
    ASSERT_TRUE(QTest::qWaitFor([&] { return readies == 2; }, kPatience));
    EXPECT_EQ(later(), anew());

    // Colours that change while they are drawn are drawn again.
    colour({0, 0, kWidth, 20}, 0xff00ff00);
    layer.outdate();
    const QImage last = later();
    colour({0, 40, kWidth, 20}, 0xffff0000);
    layer.outdate({0, 40, kWidth, 20});
    (void)later();
    go.release();
    ASSERT_TRUE(QTest::qWaitFor([&] { return readies == 3; }, kPatience));
    EXPECT_NE(later(), last) << "the first change";
    EXPECT_FALSE(layer.isUpToDate());
    go.release();
    ASSERT_TRUE(QTest::qWaitFor([&] { return readies == 4; }, kPatience));
    EXPECT_EQ(later(), anew());
    EXPECT_TRUE(layer.isUpToDate());

    // A forgotten state is not drawn, nor one that was begun before.
    layer.outdate();
    (void)later();
    layer.forget();
    EXPECT_EQ(later(), nothing);
    go.release(2);
    ASSERT_TRUE(QTest::qWaitFor([&] { return readies == 5; }, kPatience));
    EXPECT_EQ(later(), anew());
}

TEST_F(SurfaceLayer, IsDrawnAtOnceIfItIsQuick) {
    const QImage image = painted([this](QPainter& painter) {
        layer.paintLater(
            painter, scene, [this] { return fill(); }, [] { ADD_FAILURE() << "nothing is to be drawn"; });
    });
    if (layer.isUpToDate()) { // unless the threads of this machine are busy
        EXPECT_EQ(image, anew());
        QTest::qWait(20);
    }
}

} // namespace
} // namespace pollard::app
