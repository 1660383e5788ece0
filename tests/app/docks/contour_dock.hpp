#pragma once

#include "app/test_window.hpp"
#include "canvas/canvas.hpp"

#include "overlays/contour_overlay.hpp"
#include "overlays/overlay_layer.hpp"
#include "window/panel_dock.hpp"

#include <QAction>
#include <QToolButton>

#include <optional>
#include <random>

namespace pollard::app {

/// A bright disc of radius 30 in noise, in the middle of 120 x 120 px.
inline SharedImage disc() {
    std::mt19937 random(3);
    return makeImage(PixelType::u8, 120, 120, [&](std::uint32_t x, std::uint32_t y) {
        const int dx = 2 * static_cast<int>(x) + 1 - 120;
        const int dy = 2 * static_cast<int>(y) + 1 - 120;
        return (dx * dx + dy * dy < 3600 ? 130 : 70) + static_cast<int>(random() % 50);
    });
}

/// The window with the contour panel, without a limit of distance.
class ContourDock : public ::testing::Test {
protected:
    using Contours = vm::ContourViewModel;

    ContourDock() { contours.settings().setReach(std::nullopt); }

    TestWindow test;
    Contours& contours = test.models.contours;

    [[nodiscard]] bool rests() {
        return test.settle() && QTest::qWaitFor(
                                    [this] {
                                        return !contours.isComputing() && !contours.playback().isPlaying() &&
                                               !test.models.contourExport.isBusy();
                                    },
                                    20000);
    }
    void open() {
        test.open("disc", disc());
        showPanel(test.window, QStringLiteral("contour"));
        ASSERT_TRUE(rests());
        test.models.display.fit();
        ASSERT_TRUE(test.isLaidOut());
    }
    void start() {
        open();
        test.part<QAction>("contourFromMiddle")->trigger();
        ASSERT_TRUE(rests());
        ASSERT_EQ(contours.runs().stateCount(), 1) << contours.runs().problem().toStdString();
        ASSERT_TRUE(test.isLaidOut()); // the panel has another page
        ASSERT_TRUE(rests());
    }
    void finish() {
        click("contourToEnd");
        ASSERT_TRUE(rests());
        ASSERT_TRUE(contours.runs().isFinished());
    }
    void click(const char* button) { QTest::mouseClick(test.part<QToolButton>(button), Qt::LeftButton); }
    [[nodiscard]] OverlayScene scene() { return test.part<OverlayLayer>("overlayLayer")->scene(); }
    [[nodiscard]] QPointF surfaceOf(ContourNode node) { return scene().toSurface(QPointF(node.x, node.y)); }
    /// Colour of the overlay alone at a position of the image.
    [[nodiscard]] QColor overlayAt(QPointF place) {
        const OverlayScene present = scene();
        QImage image(present.size.toSize(), QImage::Format_ARGB32_Premultiplied);
        image.fill(Qt::transparent);
        QPainter painter(&image);
        ContourOverlay(contours).paint(painter, present);
        painter.end();
        return image.pixelColor(present.toSurface(place).toPoint());
    }
    /// The reddest colour across a horizontal line, which may lie between two rows of px.
    [[nodiscard]] QColor lineAt(QPointF place) {
        QColor reddest(0, 0, 0);
        const double px = 1 / scene().scale;
        for (int by = -2; by <= 2; ++by) {
            const QColor colour = overlayAt(place + QPointF(0, by * px));
            reddest = colour.red() * colour.alpha() > reddest.red() * reddest.alpha() ? colour : reddest;
        }
        return reddest;
    }
};

} // namespace pollard::app
