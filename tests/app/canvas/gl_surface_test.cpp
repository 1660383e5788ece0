// The canvas's native window: content of the screen, and mouse input.
#include "app/support/on_screen.hpp"
#include "app/test_window.hpp"
#include "canvas/surface_window.hpp"
#include "overlays/overlay_layer.hpp"

#include <QCursor>
#include <QDragEnterEvent>
#include <QLabel>
#include <QMimeData>
#include <QPainter>
#include <QSignalSpy>
#include <QUrl>
#include <QWheelEvent>
#include <gtest/gtest.h>

namespace pollard::app {
namespace {

class Surface : public ::testing::Test {
protected:
    Surface() {
        test.window.move(0, 0);
        test.open("noise", makeNoise(96));
        test.models.overlays.setScaleBar(true);
        test.models.display.setSplitEnabled(true); // two labels
        test.models.overlays.setRulers(true);
        EXPECT_TRUE(test.settle());
    }

    ~Surface() override { QCursor::setPos(pointer); } // moves the real mouse pointer away for other tests

    /// Waits until the screen shows the same as a grab of the canvas.
    [[nodiscard]] bool isShown() {
        return QTest::qWaitFor(
            [&] {
                const QImage wanted = paintedAnew(canvas);
                return test.settle() && differences(onScreen(canvas), wanted) == 0;
            },
            kPatience);
    }

    const QPoint pointer = QCursor::pos();
    TestWindow test;
    Canvas& canvas = *test.window.canvas();
};

TEST_F(Surface, ShowsImageAndOverlaysOnTheScreen) {
    ASSERT_TRUE(isShown());
    const QImage first = onScreen(canvas);
    EXPECT_GT(differences(first, canvas.grabFramebuffer().convertToFormat(QImage::Format_RGB32)), 100)
        << "the overlays are not seen";
    test.models.overlays.setRulers(false);
    ASSERT_TRUE(isShown());
    EXPECT_GT(differences(first, onScreen(canvas)), 1000);
    test.window.resize(test.window.size() - QSize(130, 70));
    EXPECT_TRUE(isShown());
    test.models.display.setSplitPosition(0.8); // labels move
    EXPECT_TRUE(isShown());
    test.models.display.setSplitEnabled(false); // and are hidden
    EXPECT_TRUE(isShown());
}

TEST_F(Surface, LeavesTheRestOfTheWindowWithoutOpenGl) {
    EXPECT_EQ(test.window.windowHandle()->surfaceType(), QSurface::RasterSurface);
    ASSERT_TRUE(isShown());
    const QWidget& label = *test.part<QLabel>("probe");
    EXPECT_EQ(differences(onScreen(label), test.window.grab({label.mapTo(&test.window, QPoint()), label.size()})
                                               .toImage()
                                               .convertToFormat(QImage::Format_RGB32)),
              0);
}

TEST_F(Surface, LetsTheMouseThrough) {
    ASSERT_TRUE(isShown());
    QSignalSpy moved(&canvas.input(), &CanvasInput::pointerMoved);
    QSignalSpy left(&canvas.input(), &CanvasInput::pointerLeft);
    const QPoint middle = canvas.rect().center();
    QCursor::setPos(canvas.mapToGlobal(middle)); // the real mouse pointer, unlike QTest's
    ASSERT_TRUE(QTest::qWaitFor([&] { return !moved.isEmpty(); }, kPatience));
    const QPointF place = moved.back().at(0).toPointF();
    const QPointF expected = test.models.display.view().toImage(QPointF(middle) * canvas.devicePixelRatioF());
    EXPECT_NEAR(place.x(), expected.x(), 1);
    EXPECT_NEAR(place.y(), expected.y(), 1);
    const QWidget& label = *test.part<QLabel>("probe");
    QCursor::setPos(label.mapToGlobal(label.rect().center()));
    EXPECT_TRUE(QTest::qWaitFor([&] { return !left.isEmpty(); }, kPatience));
}

TEST_F(Surface, HandsOnWhatItsNativeWindowGets) {
    ASSERT_TRUE(isShown());
    QWindow* native = nullptr; // as on systems that do not pass the pointer through
    for (QWindow* child : test.window.windowHandle()->findChildren<QWindow*>()) {
        native = child->surfaceType() == QSurface::OpenGLSurface ? child : native;
    }
    ASSERT_NE(native, nullptr);
    QSignalSpy moved(&canvas.input(), &CanvasInput::pointerMoved);
    const QPoint place = canvas.rect().center() + QPoint(40, 30); // outside of the split line
    const auto image = [&] { return test.models.display.view().toImage(QPointF(place) * canvas.devicePixelRatioF()); };
    QTest::mouseMove(native, place);
    ASSERT_FALSE(moved.isEmpty());
    EXPECT_NEAR(moved.back().at(0).toPointF().x(), image().x(), 1);
    EXPECT_NEAR(moved.back().at(0).toPointF().y(), image().y(), 1);

    const double zoom = test.models.display.zoom();
    QWheelEvent wheel(place, native->mapToGlobal(place), {}, {0, 120}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase,
                      false);
    QCoreApplication::sendEvent(native, &wheel);
    EXPECT_GT(test.models.display.zoom(), zoom);
    QSignalSpy clicked(&canvas.input(), &CanvasInput::clicked);
    test.models.chain.setActive(false);
    QTest::mouseClick(native, Qt::LeftButton, Qt::NoModifier, place);
    ASSERT_EQ(clicked.count(), 1);
    EXPECT_NEAR(clicked.back().at(0).toPointF().x(), image().x(), 1);

    QMimeData files;
    files.setUrls({QUrl::fromLocalFile(QStringLiteral("/memory/dropped"))});
    QDragEnterEvent enter(place, Qt::CopyAction, &files, Qt::LeftButton, Qt::NoModifier);
    enter.ignore();
    QCoreApplication::sendEvent(native, &enter);
    EXPECT_TRUE(enter.isAccepted());
    QMimeData words;
    words.setText(QStringLiteral("words"));
    QDragEnterEvent refused(place, Qt::CopyAction, &words, Qt::LeftButton, Qt::NoModifier);
    refused.ignore();
    QCoreApplication::sendEvent(native, &refused);
    EXPECT_FALSE(refused.isAccepted());

    QSignalSpy left(&canvas.input(), &CanvasInput::pointerLeft);
    QEvent leave(QEvent::Leave);
    QCoreApplication::sendEvent(native, &leave);
    EXPECT_EQ(left.count(), 1);
    EXPECT_EQ(native->cursor().shape(), canvas.cursor().shape());
}

TEST_F(Surface, ComesBackAfterAnotherPage) {
    test.models.document.close();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !canvas.isVisible(); }, kPatience));
    test.open("other", makeNoise(50));
    EXPECT_TRUE(isShown());
    test.window.hide();
    test.window.show();
    ASSERT_TRUE(appears(test.window));
    EXPECT_TRUE(isShown());
}

/// Fills a part of its area.
class Spot : public QWidget {
public:
    Spot(QWidget* parent, const QRect& place, const QColor& colour) : QWidget(parent), colour_(colour) {
        setGeometry(place);
    }

protected:
    void paintEvent(QPaintEvent*) override { QPainter(this).fillRect(rect().adjusted(2, 2, -2, -2), colour_); }

private:
    QColor colour_;
};

TEST(ChildLayer, HasWhatTheChildrenPaint) {
    QWidget parent;
    parent.resize(300, 200);
    Spot red(&parent, {10, 20, 30, 40}, Qt::red);
    Spot blue(&parent, {150, 100, 50, 50}, QColor(0, 0, 255, 128));
    parent.setAttribute(Qt::WA_DontShowOnScreen);
    parent.show();
    for (const double ratio : {1.0, 1.5, 2.0}) {
        ChildLayer layer(parent);
        const QSize size = parent.size() * ratio;
        EXPECT_EQ(layer.repaint(size, ratio).boundingRect(), QRect(QPoint(), size));
        const auto at = [&](double x, double y) {
            return layer.image().pixel(QPoint(static_cast<int>(x * ratio), static_cast<int>(y * ratio)));
        };
        EXPECT_EQ(at(25, 40), qRgba(255, 0, 0, 255));
        EXPECT_EQ(at(10.5, 20.5), 0U);
        EXPECT_EQ(qAlpha(at(170, 120)), 128);
        EXPECT_EQ(at(100, 60), 0U);
        EXPECT_TRUE(layer.covered().contains((QPointF(25, 40) * ratio).toPoint()));
        EXPECT_FALSE(layer.covered().contains((QPointF(290, 190) * ratio).toPoint()));
        EXPECT_TRUE(layer.repaint(size, ratio).isEmpty()) << "nothing was touched";

        red.hide();
        layer.invalidate(red.geometry());
        EXPECT_FALSE(layer.repaint(size, ratio).isEmpty());
        EXPECT_EQ(at(25, 40), 0U);
        EXPECT_FALSE(layer.covered().contains((QPointF(25, 40) * ratio).toPoint()));
        EXPECT_EQ(qAlpha(at(170, 120)), 128) << "was not touched";
        red.show();
    }
}

} // namespace
} // namespace pollard::app
