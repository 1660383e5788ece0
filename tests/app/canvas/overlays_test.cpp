#include "app/test_window.hpp"

#include "overlays/magnifier_overlay.hpp"
#include "overlays/measure_overlays.hpp"
#include "overlays/overlay_layer.hpp"

#include <QDoubleSpinBox>
#include <QLabel>

namespace pollard::app {
namespace {

using Region = vm::RegionViewModel;
using Kind = RegionShape::Kind;

/// The window with an image of 400 x 300 px at 2:1, and functions for mouse input at its px.
class CanvasRegion : public ::testing::Test {
protected:
    TestWindow test;
    Region& region = test.models.region;

    void SetUp() override {
        test.open("picture", makeImage(PixelType::u8, 400, 300, [](std::uint32_t x, std::uint32_t y) {
                      return static_cast<int>((x * 3 + y * 7) % 200);
                  }));
        test.models.display.setZoom(1.5);
        test.models.display.setCentre({200, 150});
        test.window.canvas()->setFocus();
    }
    [[nodiscard]] QPoint at(double x, double y) {
        const OverlayScene scene = layer()->scene();
        return test.inWindow(test.window.canvas(), scene.toSurface({x, y}));
    }
    [[nodiscard]] OverlayLayer* layer() { return test.part<OverlayLayer>("overlayLayer"); }
    void drag(QPoint from, QPoint to) {
        test.press(from);
        test.move((from + to) / 2);
        test.move(to);
        test.release(to);
    }
    void key(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
        QTest::keyClick(test.window.canvas(), key, modifiers);
    }
    [[nodiscard]] QRectF box(int index) const {
        const auto bounds = boundsOf(region.shapes().at(static_cast<std::size_t>(index)).points);
        return {bounds->left, bounds->top, bounds->width(), bounds->height()};
    }
};

TEST_F(CanvasRegion, DragDrawsARectangleThatRestrictsTheAnalysis) {
    region.setTool(Region::Tool::rectangle);
    drag(at(80, 60), at(180, 140));
    ASSERT_EQ(region.count(), 1);
    EXPECT_EQ(box(0), QRectF(80, 60, 100, 80));
    EXPECT_EQ(region.selected(), 0);
    ASSERT_TRUE(QTest::qWaitFor([&] { return test.models.document.choices().domain() != nullptr; }, kPatience));
    EXPECT_EQ(test.models.document.choices().domain()->count(), 8000U);
    EXPECT_EQ(region.pixelCount(), 8000);
    ASSERT_TRUE(test.settle());
    EXPECT_TRUE(test.errors.texts.isEmpty());
}

TEST_F(CanvasRegion, HandDragMovesTheImageAndDrawsNothing) {
    const QPointF before = test.models.display.centre();
    drag(at(150, 100), at(180, 120));
    EXPECT_EQ(region.count(), 0);
    EXPECT_NE(test.models.display.centre(), before);
}

TEST_F(CanvasRegion, DragWithinMovesAndHandleResizes) {
    region.setTool(Region::Tool::rectangle);
    region.add({Kind::rectangle, {{50, 60}, {150, 140}}});
    drag(at(100, 100), at(120, 90));
    EXPECT_EQ(box(0), QRectF(70, 50, 100, 80));
    drag(at(170, 130), at(200, 150)); // lower right corner
    EXPECT_EQ(box(0), QRectF(70, 50, 130, 100));
    drag(at(70, 100), at(60, 100)); // left side
    EXPECT_EQ(box(0), QRectF(60, 50, 140, 100));
    test.models.history.undo();
    EXPECT_EQ(box(0), QRectF(70, 50, 130, 100)) << "a drag is one change";
    test.models.history.undo();
    test.models.history.undo();
    EXPECT_EQ(box(0), QRectF(50, 60, 100, 80));
    test.models.history.redo();
    EXPECT_EQ(box(0), QRectF(70, 50, 100, 80));
}

TEST_F(CanvasRegion, EscapeDuringADragTakesItBack) {
    region.setTool(Region::Tool::rectangle);
    region.add({Kind::rectangle, {{50, 60}, {150, 140}}});
    test.press(at(100, 100));
    test.move(at(130, 120));
    EXPECT_NE(box(0), QRectF(50, 60, 100, 80));
    key(Qt::Key_Escape);
    EXPECT_EQ(box(0), QRectF(50, 60, 100, 80));
    test.release(at(130, 120));
    EXPECT_EQ(box(0), QRectF(50, 60, 100, 80));
    test.press(at(250, 200));
    test.move(at(300, 250));
    EXPECT_TRUE(region.isDrawing());
    key(Qt::Key_Escape);
    test.release(at(300, 250));
    EXPECT_EQ(region.count(), 1);
}

TEST_F(CanvasRegion, ClicksDrawAPolygonAndBackspaceTakesACornerBack) {
    region.setTool(Region::Tool::polygon);
    const auto click = [&](double x, double y) {
        test.press(at(x, y));
        test.release(at(x, y));
    };
    click(100, 80);
    click(200, 80);
    click(260, 20); // removed
    key(Qt::Key_Backspace);
    click(200, 180);
    EXPECT_TRUE(region.isDrawing());
    key(Qt::Key_Return);
    EXPECT_FALSE(region.isDrawing());
    ASSERT_EQ(region.count(), 1);
    const RegionShape& shape = region.shapes().front();
    ASSERT_EQ(shape.points.size(), 3U);
    EXPECT_NEAR(shape.points[2].x, 200, 0.7);
    EXPECT_NEAR(shape.points[2].y, 180, 0.7);
    EXPECT_NEAR(areaOf(shape), 5000, 150);
}

TEST_F(CanvasRegion, DoubleClickOrTheFirstCornerClosesAPolygon) {
    region.setTool(Region::Tool::polygon);
    const auto click = [&](double x, double y) {
        test.press(at(x, y));
        test.release(at(x, y));
    };
    click(100, 80);
    click(200, 80);
    click(200, 180);
    click(100, 80);
    EXPECT_EQ(region.count(), 1);
    EXPECT_EQ(region.shapes().front().points.size(), 3U);
    click(250, 80);
    click(300, 80);
    QTest::mouseDClick(test.window.windowHandle(), Qt::LeftButton, Qt::NoModifier, at(300, 180));
    EXPECT_EQ(region.count(), 2);
    EXPECT_EQ(region.shapes().back().points.size(), 3U);
}

TEST_F(CanvasRegion, KeyboardAloneDrawsMovesResizesAndDeletes) {
    key(Qt::Key_R);
    ASSERT_EQ(region.tool(), Region::Tool::rectangle);
    key(Qt::Key_Right); // shows the crosshair in the middle of the view
    key(Qt::Key_Space);
    ASSERT_TRUE(region.isDrawing());
    for (int i = 0; i < 4; ++i) {
        key(Qt::Key_Right);
        key(Qt::Key_Down);
    }
    key(Qt::Key_Space);
    ASSERT_EQ(region.count(), 1);
    const QRectF drawn = box(0);
    EXPECT_NEAR(drawn.left(), 200, 1);
    EXPECT_GE(drawn.width(), 16);
    key(Qt::Key_Left);
    EXPECT_EQ(box(0), drawn.translated(-1, 0));
    key(Qt::Key_Up, Qt::ShiftModifier);
    EXPECT_EQ(box(0), drawn.translated(-1, -10));
    key(Qt::Key_Right, Qt::ControlModifier);
    EXPECT_EQ(box(0).width(), drawn.width() + 1);
    key(Qt::Key_Delete);
    EXPECT_EQ(region.count(), 0);
    key(Qt::Key_Z, Qt::ControlModifier);
    EXPECT_EQ(region.count(), 1);
    key(Qt::Key_V);
    EXPECT_EQ(region.tool(), Region::Tool::hand);
}

TEST_F(CanvasRegion, NumbersOfThePanelMoveTheShape) {
    region.add({Kind::rectangle, {{50, 60}, {150, 140}}});
    auto* left = test.part<QDoubleSpinBox>("regionX");
    auto* width = test.part<QDoubleSpinBox>("regionWidth");
    EXPECT_EQ(left->value(), 50);
    EXPECT_EQ(width->value(), 100);
    left->setValue(70);
    width->setValue(330); // the image is 400 px wide
    EXPECT_EQ(box(0), QRectF(70, 60, 330, 80));
    EXPECT_EQ(test.part<QLabel>("shapeArea")->text().replace(QChar(QChar::Nbsp), u' ').remove(u','), "26400 px²");
    width->setValue(380);
    EXPECT_EQ(box(0).right(), 400);
    EXPECT_EQ(width->value(), box(0).width());
}

TEST_F(CanvasRegion, OutsideIsDimmedOnTheScreen) {
    region.add({Kind::rectangle, {{100, 50}, {300, 250}}});
    const OverlayScene scene = layer()->scene();
    QImage white(scene.size.toSize(), QImage::Format_RGB32);
    const auto paint = [&] {
        white.fill(Qt::white);
        QPainter painter(&white);
        layer()->paintOnto(painter, scene, false);
    };
    const auto shade = [&](double x, double y) { return white.pixelColor(scene.toSurface({x, y}).toPoint()).red(); };
    paint();
    EXPECT_EQ(shade(200, 150), 255);
    EXPECT_LT(shade(60, 150), 200);
    region.setInverted(true);
    paint();
    EXPECT_LT(shade(200, 150), 200);
    EXPECT_EQ(shade(60, 150), 255);
}

TEST_F(CanvasRegion, PageOfAnotherSizeOrFileForgetsTheShapes) {
    region.add({Kind::rectangle, {{50, 60}, {150, 140}}});
    test.open("other", makeNoise(64));
    EXPECT_EQ(region.count(), 0);
    EXPECT_EQ(test.models.document.choices().domain(), nullptr);
    EXPECT_EQ(region.pixelCount(), 64 * 64);
}

TEST_F(CanvasRegion, MinimapAppearsWhenNeededAndAClickMovesTheView) {
    OverlayLayer& overlays = *layer();
    test.models.display.fit();
    EXPECT_EQ(overlays.minimap().frame(overlays.scene()), std::nullopt);
    test.models.display.setZoom(8);
    test.models.display.setCentre({300, 220});
    const auto frame = overlays.minimap().frame(overlays.scene());
    ASSERT_TRUE(frame);
    const QPointF target(frame->left() + frame->width() * 0.3, frame->top() + frame->height() * 0.25);
    const QPoint place = test.inWindow(test.window.canvas(), target);
    region.setTool(Region::Tool::rectangle); // the minimap is above the drawn shape
    test.press(place);
    test.release(place);
    EXPECT_NEAR(test.models.display.centre().x(), 120, 3);
    EXPECT_NEAR(test.models.display.centre().y(), 75, 3);
    EXPECT_FALSE(region.isDrawing());
    drag(place, place + QPoint(10, 0)); // a drag of the frame moves it
    EXPECT_NEAR(test.models.display.centre().x(), 120 + 10 / frame->width() * 400, 4);
    test.models.overlays.setMinimap(false);
    EXPECT_EQ(overlays.minimap().frame(overlays.scene()), std::nullopt);
}

TEST_F(CanvasRegion, RulersHaveTheSizesOfBothSidesOfAPixel) {
    test.models.overlays.setRulers(true);
    OverlayScene scene = layer()->scene();
    const auto leftRuler = [&](double x, double y) {
        scene.pixelSize = PixelSize{x, y, "µm", "", false};
        QImage painted(scene.size.toSize(), QImage::Format_RGB32);
        painted.fill(Qt::black);
        QPainter painter(&painted);
        layer()->paintOnto(painter, scene, true);
        painter.end();
        return painted.copy(0, 30, 20, painted.height() - 120);
    };
    EXPECT_EQ(leftRuler(1, 2), leftRuler(2, 2));
    EXPECT_NE(leftRuler(1, 2), leftRuler(1, 1));
}

TEST_F(CanvasRegion, RulersOfSectionsHaveTheirProportionsAndDirections) {
    test.models.overlays.setRulers(true);
    const OverlayScene whole = layer()->scene();
    const auto leftRuler = [&](const OverlayScene& scene) {
        QImage painted(scene.size.toSize(), QImage::Format_RGB32);
        painted.fill(Qt::black);
        QPainter painter(&painted);
        RulerOverlay(test.models.overlays).paint(painter, scene);
        painter.end();
        return painted.copy(0, 30, 20, painted.height() - 60);
    };
    OverlayScene square = whole;
    square.pixelSize = PixelSize{1, 1, "µm", "", false};
    OverlayScene tall = square; // as large on the surface, of rows that are twice as high
    tall.pixelSize->y = 2;
    tall.aspect = 2;
    tall.image.setHeight(whole.image.height() / 2);
    EXPECT_EQ(leftRuler(tall), leftRuler(square));
    tall.aspect = 1;
    EXPECT_NE(leftRuler(tall), leftRuler(square));
    OverlayScene upsideDown = square;
    upsideDown.plane = {VolumeAxis::y, 0, {.isUpsideDown = true}};
    EXPECT_NE(leftRuler(upsideDown), leftRuler(square));
    OverlayScene falling = square;
    falling.map.emplace();
    falling.map->x = falling.map->y = {
        .unit = QStringLiteral("µm"), .first = static_cast<double>(whole.image.height()), .perPixel = -1};
    EXPECT_EQ(leftRuler(upsideDown), leftRuler(falling)) << "from the first voxel on";
}

TEST_F(CanvasRegion, ScaleBarIsDrawnWithTheLengthOfItsText) {
    // 1.5 logical px per px at ratio 1: the longest bar below 180 px is 100 px of the image.
    OverlayScene scene = layer()->scene();
    QImage black(scene.size.toSize(), QImage::Format_RGB32);
    black.fill(Qt::black);
    QPainter painter(&black);
    layer()->paintOnto(painter, scene, false);
    painter.end();
    int longest = 0;
    for (int y = black.height() - 60; y < black.height(); ++y) {
        int run = 0;
        for (int x = 0; x < black.width() / 2; ++x) {
            run = black.pixelColor(x, y).red() > 250 ? run + 1 : 0;
            longest = std::max(longest, run);
        }
    }
    EXPECT_NEAR(longest, 100 * scene.scale * 1.0, 1);
}

TEST_F(CanvasRegion, MagnifierShowsThePixelUnderThePointer) {
    test.models.overlays.setMagnifier(true);
    test.models.display.fullWindow();
    OverlayScene scene = layer()->scene();
    scene.pointer = scene.toSurface({120.5, 90.5});
    QImage surface(scene.size.toSize(), QImage::Format_RGB32);
    surface.fill(Qt::red);
    QPainter painter(&surface);
    layer()->paintOnto(painter, scene, true);
    painter.end();
    const int expected = (120 * 3 + 90 * 7) % 200;
    const int right = (121 * 3 + 90 * 7) % 200;
    const double side = MagnifierOverlay::pixelSide(scene);
    // The centre of the lens is above and to the right of the pointer, see lens().
    const QPointF middle = *scene.pointer + QPointF(110, -110) * 0.8;
    EXPECT_NEAR(surface.pixelColor(middle.toPoint()).red(), expected, 1);
    EXPECT_NEAR(surface.pixelColor((middle + QPointF(side, 0)).toPoint()).red(), right, 1);
    EXPECT_NEAR(surface.pixelColor((middle + QPointF(side, 0)).toPoint()).blue(), right, 1);
}

TEST(Overlays, AreRemembered) {
    TestWindow test;
    EXPECT_TRUE(test.models.overlays.hasScaleBar());
    EXPECT_FALSE(test.models.overlays.hasRulers());
    QTest::keyClick(&test.window, Qt::Key_R, Qt::ShiftModifier);
    EXPECT_TRUE(test.models.overlays.hasRulers());
}

} // namespace
} // namespace pollard::app
