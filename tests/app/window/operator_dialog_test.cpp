// The dialog of operators, with mouse and keyboard: its rows follow the operator, Apply adds a step.
#include "app/test_window.hpp"

#include "overlays/overlay_layer.hpp"
#include "overlays/preview_overlay.hpp"
#include "vm/recipe/operator_preview.hpp"
#include "vm/recipe/operator_view_model.hpp"
#include "window/dialogs/operator_dialog.hpp"

#include "operators/apply_operator.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QPushButton>

namespace pollard::app {
namespace {

class OperatorWindow : public ::testing::Test {
protected:
    TestWindow test;
    const SharedImage image = makeNoise(64);

    void SetUp() override { test.open("noise", image); }
    [[nodiscard]] OperatorDialog& dialog() {
        if (test.window.findChild<OperatorDialog*>() == nullptr) {
            test.part<QAction>("applyOperator")->trigger();
        }
        auto* const shown = test.window.findChild<OperatorDialog*>();
        EXPECT_TRUE(appears(*shown));
        return *shown;
    }
    template <class T> [[nodiscard]] T* in(const char* name) { return dialog().findChild<T*>(QLatin1String(name)); }
    void choose(OperatorKind kind) {
        auto* const box = in<QComboBox>("operatorKind");
        box->setCurrentIndex(box->findData(static_cast<int>(kind)));
    }
    void apply() {
        QTest::mouseClick(in<QPushButton>("applyOperator"), Qt::LeftButton);
        ASSERT_TRUE(test.settle());
        ASSERT_TRUE(test.errors.texts.isEmpty()) << test.errors.texts.join(u'\n').toStdString();
    }
    [[nodiscard]] SharedImage direct(const OperatorSpec& spec) {
        const auto engine = makeCpuEngine();
        return applyOperator(*engine, image, spec, {}, {}).image;
    }
};

TEST_F(OperatorWindow, AppliesWhatIsChosenWithMouseAndKeyboard) {
    auto* const radius = in<QDoubleSpinBox>("operatorRadius");
    radius->setFocus();
    radius->selectAll();
    QTest::keyClicks(radius, "2.5");
    QTest::keyClick(radius, Qt::Key_Tab);
    EXPECT_EQ(test.models.operators.radius(), 2.5);
    apply();
    EXPECT_TRUE(samePixels(*test.models.document.result(), *direct({OperatorKind::opening, OperatorShape::disc, 2.5})));
    EXPECT_EQ(test.models.earlier.details(), QStringLiteral("Opening: disc, radius 2.5 px"));
    EXPECT_TRUE(dialog().isVisible()) << "for the next operator";
    choose(OperatorKind::whiteTophat);
    auto* const shape = in<QComboBox>("operatorShape");
    shape->setFocus();
    QTest::keyClick(shape, Qt::Key_Down);
    EXPECT_EQ(test.models.operators.shape(), OperatorShape::box);
    apply();
    EXPECT_EQ(test.models.earlier.count(), 2);
    test.part<QAction>("undo")->trigger();
    test.part<QAction>("undo")->trigger();
    ASSERT_TRUE(test.settle());
    EXPECT_TRUE(samePixels(*test.models.document.result(), *image));
    QTest::keyClick(&dialog(), Qt::Key_Escape);
    EXPECT_TRUE(QTest::qWaitFor([&] { return test.window.findChild<OperatorDialog*>() == nullptr; }, kPatience));
}

TEST_F(OperatorWindow, HasTheRowsThatTheOperatorTakes) {
    for (const OperatorKind kind : kOperators) {
        choose(kind);
        EXPECT_EQ(in<QComboBox>("operatorShape")->isVisible(), takesShape(kind)) << nameOf(kind);
        EXPECT_EQ(in<QDoubleSpinBox>("operatorRadius")->isVisible(), takesShape(kind));
        EXPECT_EQ(in<QDoubleSpinBox>("operatorSigma")->isVisible(), takesSigma(kind));
        EXPECT_EQ(in<QDoubleSpinBox>("operatorHeight")->isVisible(), takesHeight(kind));
        EXPECT_EQ(in<QComboBox>("operatorUnit")->isVisible(), takesLengths(kind));
        EXPECT_EQ(in<QPushButton>("operatorMarker")->isVisible(), takesMarker(kind));
        EXPECT_EQ(in<QLineEdit>("operatorMarkerChannel")->isVisible(), takesMarker(kind));
        EXPECT_EQ(in<QCheckBox>("operatorGreyMarker")->isVisible(), takesMarker(kind));
        EXPECT_EQ(in<QComboBox>("operatorNeighbours")->isVisible(), takesConnectivity(kind));
        EXPECT_EQ(in<QPushButton>("applyOperator")->isEnabled(), !takesMarker(kind));
        EXPECT_EQ(in<QLabel>("operatorProblem")->isVisible(), takesMarker(kind));
    }
}

TEST_F(OperatorWindow, ShowsAPreviewUntilItIsApplied) {
    const auto isShown = [this](bool isPreview) {
        return QTest::qWaitFor(
            [&] {
                const auto& preview = *test.window.findChild<vm::OperatorPreview*>();
                return (preview.shown() != nullptr) == isPreview && !preview.isComputing() &&
                       test.part<OverlayLayer>("overlayLayer")->isUpToDate();
            },
            kPatience);
    };
    const auto shown = [this] {
        auto* const layer = test.part<OverlayLayer>("overlayLayer");
        QImage drawn(layer->size(), QImage::Format_ARGB32_Premultiplied);
        drawn.fill(Qt::transparent);
        QPainter painter(&drawn);
        PreviewOverlay overlay(test.models.document, test.models.display);
        overlay.show(test.window.findChild<vm::OperatorPreview*>());
        overlay.paint(painter, layer->scene());
        painter.end();
        return QColor(drawn.pixelColor(layer->scene().toSurface({32.5, 32.5}).toPoint()));
    };
    EXPECT_TRUE(in<QCheckBox>("operatorPreview")->isChecked());
    ASSERT_TRUE(isShown(true));
    choose(OperatorKind::erosion);
    in<QDoubleSpinBox>("operatorRadius")->setValue(60); // all of the image
    ASSERT_TRUE(isShown(true));
    EXPECT_EQ(shown(), QColor(Qt::black)) << "the smallest value";
    choose(OperatorKind::dilation);
    ASSERT_TRUE(isShown(true));
    EXPECT_EQ(shown(), QColor(Qt::white)) << "the largest value";
    in<QCheckBox>("operatorPreview")->click();
    ASSERT_TRUE(isShown(false));
    EXPECT_EQ(shown().alpha(), 0);
    in<QCheckBox>("operatorPreview")->click();
    ASSERT_TRUE(isShown(true));
    apply();
    ASSERT_TRUE(isShown(false));
    EXPECT_GT(test.colourAt(32, 32).lightness(), 250);
    choose(OperatorKind::median);
    ASSERT_TRUE(isShown(true));
    dialog().close();
    EXPECT_TRUE(QTest::qWaitFor([&] { return test.window.findChild<vm::OperatorPreview*>() == nullptr; }, kPatience));
    EXPECT_EQ(shown().alpha(), 0);
}

TEST_F(OperatorWindow, OffersNeighboursAndGreyMarkers) {
    choose(OperatorKind::fillHoles);
    auto* const neighbours = in<QComboBox>("operatorNeighbours");
    EXPECT_EQ(neighbours->count(), 2);
    neighbours->setFocus();
    const QString before = neighbours->currentText();
    QTest::keyClick(neighbours, before.startsWith(u'4') ? Qt::Key_Up : Qt::Key_Down);
    EXPECT_NE(neighbours->currentText(), before);
    EXPECT_EQ(test.models.operators.connectivity(), before.startsWith(u'4') ? Connectivity::eight : Connectivity::four);
    choose(OperatorKind::reconstructionByErosion);
    auto* const grey = in<QCheckBox>("operatorGreyMarker");
    QTest::mouseClick(grey, Qt::LeftButton, {}, QPoint(grey->height() / 2, grey->height() / 2));
    EXPECT_TRUE(test.models.operators.hasGreyMarker());
    auto* const channel = in<QLineEdit>("operatorMarkerChannel");
    channel->setFocus();
    QTest::keyClicks(channel, "2");
    QTest::keyClick(channel, Qt::Key_Tab);
    EXPECT_EQ(test.models.operators.markerChannel(), QStringLiteral("2"));
}

TEST_F(OperatorWindow, OpensOnce) {
    EXPECT_TRUE(dialog().isVisible());
    EXPECT_FALSE(dialog().isModal());
    test.part<QAction>("applyOperator")->trigger();
    EXPECT_EQ(test.window.findChildren<OperatorDialog*>().size(), 1) << "one at a time";
}

TEST_F(OperatorWindow, ShowsAResultOfAnotherDepth) {
    const SharedImage mask = makeImage(PixelType::u8, 400, 300, [](std::uint32_t x, std::uint32_t y) {
        return x > 20 && x < 380 && y > 20 && y < 280 && x % 90 != 0 ? 255 : 0;
    });
    test.open("mask", mask);
    choose(OperatorKind::distance);
    apply();
    ASSERT_NE(test.models.document.result(), nullptr);
    EXPECT_GT(test.colourAt(315, 150).lightness(), test.colourAt(275, 150).lightness());
    EXPECT_LT(test.colourAt(5, 5).lightness(), 10);
}

} // namespace
} // namespace pollard::app
