// The row "Pixel size" of the Image panel, the line over a scale bar, and dimming of outdated numbers.
#include "app/test_window.hpp"

#include "docks/filter/counter_table.hpp"
#include "docks/pixel_size_controls.hpp"
#include "overlays/overlay_layer.hpp"
#include "shell/canvas_actions.hpp"
#include "widgets/number_box.hpp"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>

namespace pollard::app {
namespace {

void type(QDoubleSpinBox* box, const QString& text) {
    box->setFocus();
    box->selectAll();
    QTest::keyClicks(box, text);
    QTest::keyClick(box, Qt::Key_Return);
}

void choose(QComboBox* box, int index) {
    box->setCurrentIndex(index);
    emit box->activated(index);
    emit box->textActivated(box->currentText());
}

/// Presses, moves and releases the left button over the canvas, in px of the image.
void drag(TestWindow& test, QPointF from, QPointF to, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
    Canvas* const canvas = test.window.canvas();
    const OverlayScene scene = test.part<OverlayLayer>("overlayLayer")->scene();
    const auto send = [&](QEvent::Type event, QPointF image, Qt::MouseButton button, Qt::MouseButtons buttons) {
        const QPointF place = scene.toSurface(image);
        QMouseEvent mouse(event, place, canvas->mapToGlobal(place), button, buttons, modifiers);
        QApplication::sendEvent(canvas, &mouse);
    };
    send(QEvent::MouseButtonPress, from, Qt::LeftButton, Qt::LeftButton);
    send(QEvent::MouseMove, to, Qt::NoButton, Qt::LeftButton);
    send(QEvent::MouseButtonRelease, to, Qt::LeftButton, Qt::NoButton);
}

TEST(PixelSizePanel, TakesNumbersAndTakesThemBack) {
    TestWindow test;
    auto* width = test.part<LengthBox>("pixelWidth");
    EXPECT_FALSE(width->isVisible()) << "nothing is open";
    test.open("noise", makeNoise(64));
    EXPECT_EQ(width->text(), QStringLiteral("unknown"));
    auto* revert = test.part<QPushButton>("pixelRevert");
    EXPECT_TRUE(revert->isHidden());
    EXPECT_EQ(test.part<QLabel>("pixelOrigin")->text(), QStringLiteral("the file states none"));
    type(width, QStringLiteral("0.325"));
    const auto& document = test.models.document;
    ASSERT_TRUE(document.pixelSizes().present());
    EXPECT_EQ(document.pixelSizes().present()->x, 0.325);
    EXPECT_EQ(width->text(), QStringLiteral("0.325"));
    EXPECT_FALSE(revert->isHidden());
    EXPECT_EQ(test.part<OverlayLayer>("overlayLayer")->scene().pixelSize, document.pixelSizes().present())
        << "the scale bar follows";
    auto* height = test.part<LengthBox>("pixelHeight");
    EXPECT_TRUE(height->isHidden()) << "pixels are square";
    test.part<QToolButton>("pixelApart")->click();
    EXPECT_FALSE(height->isHidden());
    type(height, QStringLiteral("0.65"));
    EXPECT_EQ(document.pixelSizes().present()->y, 0.65);
    EXPECT_EQ(document.pixelSizes().present()->x, 0.325);
    test.part<QToolButton>("pixelApart")->click();
    EXPECT_EQ(document.pixelSizes().present()->y, 0.325);
    choose(test.part<QComboBox>("pixelUnit"), 2);
    EXPECT_EQ(document.pixelSizes().present()->unit, "mm");
    type(width, QStringLiteral("0"));
    EXPECT_EQ(width->text(), QStringLiteral("0.325")) << "that is no size";
    choose(test.part<QComboBox>("pixelScope"), 1);
    EXPECT_EQ(document.pixelSizes().present()->source, "set for this folder");
    test.open("other", makeNoise(32));
    EXPECT_EQ(width->text(), QStringLiteral("0.325"));
    EXPECT_EQ(test.part<QLabel>("pixelOrigin")->text(), QStringLiteral("set for this folder; the file states none"));
    revert->click();
    EXPECT_FALSE(document.pixelSizes().present());
    EXPECT_EQ(width->text(), QStringLiteral("unknown"));
}

TEST(PixelSizePanel, MeasuresFromALineOverAScaleBar) {
    TestWindow test;
    test.open("noise", makeNoise(100));
    auto* measure = test.part<QPushButton>("pixelMeasure");
    auto* hint = test.part<QLabel>("pixelHint");
    EXPECT_TRUE(hint->isHidden());
    measure->click();
    EXPECT_FALSE(hint->isHidden());
    EXPECT_TRUE(test.models.pixelSize.isMeasuring());
    EXPECT_TRUE(test.part<QAction>("measureScale")->isChecked());
    drag(test, {20, 30}, {70, 34}, Qt::ShiftModifier);
    auto* dialog = test.part<ScaleBarDialog>("scaleBarDialog");
    ASSERT_NE(dialog, nullptr);
    EXPECT_NEAR(dialog->findChild<QDoubleSpinBox*>("linePixels")->value(), 50, 1e-9) << "Shift keeps it straight";
    EXPECT_EQ(dialog->findChild<QComboBox*>("lineUnit")->currentText(), QStringLiteral("µm"));
    auto* length = dialog->findChild<QDoubleSpinBox*>("lineLength");
    auto* result = dialog->findChild<QLabel*>("lineResult");
    EXPECT_EQ(result->text(), QStringLiteral("Enter a length above 0."));
    dialog->accept();
    EXPECT_FALSE(test.models.document.pixelSizes().present()) << "of no length";
    length->setValue(25);
    EXPECT_EQ(result->text(), QStringLiteral("A pixel is 0.5 µm wide and high."));
    dialog->accept();
    EXPECT_NEAR(test.models.document.pixelSizes().present()->x, 0.5, 1e-12);
    EXPECT_NEAR(test.models.document.pixelSizes().present()->y, 0.5, 1e-12);
    EXPECT_FALSE(test.models.pixelSize.isMeasuring());
    EXPECT_FALSE(test.models.pixelSize.line());
    EXPECT_FALSE(measure->isChecked());
}

TEST(PixelSizePanel, MeasuresByTheKeyboardAndEndsByEscape) {
    TestWindow test;
    test.open("noise", makeNoise(100));
    Canvas* const canvas = test.window.canvas();
    test.part<QAction>("measureScale")->trigger();
    EXPECT_TRUE(test.models.pixelSize.isMeasuring());
    EXPECT_TRUE(canvas->hasFocus());
    QTest::keyClick(canvas, Qt::Key_Return);
    auto* dialog = test.part<ScaleBarDialog>("scaleBarDialog");
    ASSERT_NE(dialog, nullptr);
    dialog->findChild<QDoubleSpinBox*>("linePixels")->setValue(40);
    dialog->findChild<QDoubleSpinBox*>("lineLength")->setValue(10);
    dialog->accept();
    EXPECT_EQ(test.models.document.pixelSizes().present()->x, 0.25);
    test.part<QAction>("measureScale")->trigger();
    test.models.pixelSize.beginLine({1, 1});
    QTest::keyClick(canvas, Qt::Key_Escape);
    EXPECT_FALSE(test.models.pixelSize.line());
    EXPECT_TRUE(test.models.pixelSize.isMeasuring()) << "first the line, then the tool";
    QTest::keyClick(canvas, Qt::Key_Escape);
    EXPECT_FALSE(test.models.pixelSize.isMeasuring());
    // One tool at a time.
    test.part<QAction>("measureScale")->trigger();
    test.part<QAction>("rectangleTool")->trigger();
    EXPECT_FALSE(test.models.pixelSize.isMeasuring());
    test.part<QAction>("measureScale")->trigger();
    EXPECT_EQ(test.models.region.tool(), vm::RegionViewModel::Tool::hand);
    test.part<QAction>("pickComponent")->trigger();
    EXPECT_FALSE(test.models.pixelSize.isMeasuring());
}

TEST(CounterTable, IsDimmedWhileItsNumbersAreOld) {
    TestWindow test;
    test.open("noise", makeNoise(64));
    auto* kept = test.part<QLabel>("keptNodes");
    EXPECT_TRUE(kept->isEnabled());
    test.models.filter.setLive(false);
    test.models.filter.setMinimum(5);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !kept->isEnabled(); }, kPatience));
    test.models.filter.apply();
    ASSERT_TRUE(test.settle());
    EXPECT_TRUE(kept->isEnabled());
    EXPECT_EQ(test.part<QLabel>("keptName")->text(), QStringLiteral("Nodes kept"));
    test.models.filter.setMinimum(1);
    test.models.filter.setMaximum(100);
    test.models.filter.apply();
    ASSERT_TRUE(test.settle());
    EXPECT_EQ(test.part<QLabel>("keptName")->text(), QStringLiteral("Nodes kept, with the root"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return test.models.filter.criteria().kept(0).has_value(); }, kPatience));
    EXPECT_EQ(test.models.filter.keptNodes(), *test.models.filter.criteria().kept(0) + 1);
}

TEST(DisplayPanel, CountsWhatIsMarkedBelowTheMarks) {
    TestWindow test;
    test.open("ramp", makeImage(PixelType::u8, 256, 4, [](auto x, auto) { return static_cast<int>(x); }));
    auto* clipped = test.part<QLabel>("clipped");
    test.models.display.setWindow(9, 205);
    EXPECT_EQ(clipped->text(), QStringLiteral("Clipped by the window: 204 px (19.92 %) white, 40 px (3.91 %) black"));
    EXPECT_EQ(test.part<QLabel>("saturation")->text(),
              QStringLiteral("Saturated in the file: 4 px (0.39 %) white, 4 px (0.39 %) black"));
    EXPECT_FALSE(clipped->parentWidget()->isHidden());
}

} // namespace
} // namespace pollard::app
