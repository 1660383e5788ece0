// Surfaces whose window comes to a screen of another density.
#include "app/support/on_screen.hpp"
#include "app/test_window.hpp"

#include "theme/theme.hpp"

#include <array>

namespace pollard::app {
namespace {

/// A surface with a pixel ratio that the test sets.
template <class Surface> class Dense : public Surface {
public:
    using Surface::Surface;
    double ratio = 1;

    /// As on Wayland: the ratio is another one, the size in logical px the same.
    void moveTo(double other) {
        ratio = other;
        QEvent moved(QEvent::ScreenChangeInternal);
        QCoreApplication::sendEvent(this, &moved);
    }

protected:
    [[nodiscard]] int metric(QPaintDevice::PaintDeviceMetric metric) const override {
#if QT_VERSION >= QT_VERSION_CHECK(6, 8, 0)
        if (metric == QPaintDevice::PdmDevicePixelRatioF_EncodedA ||
            metric == QPaintDevice::PdmDevicePixelRatioF_EncodedB) {
            return QPaintDevice::encodeMetricF(metric, ratio);
        }
#endif
        return metric == QPaintDevice::PdmDevicePixelRatioScaled
                   ? static_cast<int>(ratio * QPaintDevice::devicePixelRatioFScale())
                   : Surface::metric(metric);
    }
};

constexpr std::array kLevels{40, 90, 160, 230};

/// Four quarters.
SharedImage quarters() {
    return makeImage(PixelType::u8, 30, 20,
                     [](std::uint32_t x, std::uint32_t y) { return kLevels[(x < 15 ? 0 : 1) + (y < 10 ? 0U : 2U)]; });
}

class PixelRatio : public ::testing::Test {
protected:
    PixelRatio() {
        test.open("quarters", quarters());
        test.models.display.fullWindow();
        test.window.hide(); // its canvas would set the size of the view
        canvas.move(0, 0);
        canvas.resize(300, 200);
        canvas.show();
        EXPECT_TRUE(appears(canvas));
        EXPECT_TRUE(isShown());
    }

    /// Whether the quarters of an image of the canvas have their levels.
    static bool hasQuarters(const QImage& image) {
        for (std::size_t i = 0; i < kLevels.size(); ++i) {
            const QPoint place(image.width() * (i % 2 == 0 ? 1 : 3) / 4, image.height() * (i < 2 ? 1 : 3) / 4);
            if (std::abs(image.pixelColor(place).red() - kLevels[i]) > 2) {
                return false;
            }
        }
        return true;
    }
    [[nodiscard]] QSize viewSize() const { return test.models.display.view().viewSize.toSize(); }
    /// Waits until the screen shows the whole image.
    [[nodiscard]] bool isShown() {
        return QTest::qWaitFor([this] { return canvas.isUpToDate() && hasQuarters(onScreen(canvas)); }, kPatience);
    }

    TestWindow test;
    Dense<Canvas> canvas{test.models.document, test.models.display, test.models.presentation};
};

TEST_F(PixelRatio, ChangesWithTheScreenOfTheCanvas) {
    for (const double ratio : {2.0, 1.5, 1.0}) {
        canvas.moveTo(ratio);
        EXPECT_EQ(viewSize(), QSize(300, 200) * ratio);
        EXPECT_TRUE(isShown()) << ratio;
        const QImage frame = canvas.grabFramebuffer();
        EXPECT_EQ(frame.size(), QSize(300, 200) * ratio);
        EXPECT_TRUE(hasQuarters(frame)) << ratio;
    }
}

TEST_F(PixelRatio, IsReadWithEveryFrame) {
    canvas.ratio = 2; // without an event
    EXPECT_TRUE(hasQuarters(canvas.grabFramebuffer()));
    EXPECT_EQ(viewSize(), QSize(600, 400));
}

TEST_F(PixelRatio, LeavesTheZoomInPixelsOfTheScreen) {
    test.models.display.setZoom(1);
    canvas.moveTo(2);
    EXPECT_EQ(test.models.display.zoom(), 1);
    EXPECT_EQ(test.models.display.view().toView({15, 10}), QPointF(300, 200)) << "the middle stays";
    test.models.display.fit();
    EXPECT_EQ(test.models.display.zoom(), 20);
    EXPECT_TRUE(isShown());
}

TEST_F(PixelRatio, TellsOtherWidgets) {
    QWidget widget;
    int times = 0;
    onPixelRatio(&widget, [&times] { ++times; });
    QEvent moved(QEvent::ScreenChangeInternal);
    QCoreApplication::sendEvent(&widget, &moved);
    EXPECT_EQ(times, 1);
}

} // namespace
} // namespace pollard::app
