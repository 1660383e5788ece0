// Objects without a threshold in the real window: controls, clicks and sliders.
#include "app/test_window.hpp"

#include "overlays/objects_overlay.hpp"
#include "overlays/overlay_layer.hpp"
#include "vm/objects/best_learning.hpp"
#include "vm/objects/object_regions.hpp"
#include "widgets/panel_parts.hpp"
#include "window/panel_dock.hpp"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QPushButton>
#include <QSlider>
#include <QTest>

#include <algorithm>
#include <array>
#include <cmath>

namespace pollard::app {
namespace {

using State = vm::ObjectsViewModel::State;
using vm::FindBy;

/// Bright discs on a dark ground, two of which touch.
SharedImage discs() {
    return makeImage(PixelType::u8, 120, 80, [](std::uint32_t x, std::uint32_t y) {
        double level = 20;
        for (const auto& [cx, cy, r] :
             std::array<std::array<double, 3>, 4>{{{20, 22, 11}, {39, 24, 11}, {80, 30, 11}, {95, 60, 11}}}) {
            level = std::max(level, 20 + 180 / (1 + std::exp(2 * (std::hypot(x - cx, y - cy) - r))));
        }
        return static_cast<std::uint32_t>(level) + (x * 7 + y * 13) % 3;
    });
}

class ObjectsDockRegions : public ::testing::Test {
protected:
    TestWindow test;
    vm::ObjectsViewModel& objects = test.models.objects;
    vm::ObjectTableModel& table = test.models.objectTable;

    [[nodiscard]] bool rests() {
        return test.settle() &&
               QTest::qWaitFor([this] { return objects.state() != State::computing && !table.isListing(); }, kPatience);
    }
    void open() {
        test.open("discs", discs());
        showPanel(test.window, QStringLiteral("objects"));
        ASSERT_TRUE(rests());
        test.models.display.setZoom(3);
        test.models.display.setCentre({60, 40});
        ASSERT_TRUE(test.isLaidOut());
        ASSERT_EQ(table.rowCount(), 3) << "two touch";
    }
    void choose(FindBy way) {
        auto* const find = test.part<QComboBox>("objectsFind");
        find->setCurrentIndex(find->findData(static_cast<int>(way)));
        ASSERT_TRUE(rests());
        ASSERT_TRUE(test.isLaidOut());
    }
    [[nodiscard]] OverlayScene scene() { return test.part<OverlayLayer>("overlayLayer")->scene(); }
    /// What the objects add to the image.
    [[nodiscard]] QImage drawn() {
        const OverlayScene present = scene();
        QImage image(present.size.toSize(), QImage::Format_ARGB32_Premultiplied);
        image.fill(Qt::transparent);
        QPainter painter(&image);
        ObjectsOverlay(objects, table, test.models.display).paint(painter, present);
        return image;
    }
    void clickImage(double x, double y) {
        QTest::mouseClick(test.window.canvas(), Qt::LeftButton, Qt::NoModifier, scene().toSurface({x, y}).toPoint());
        ASSERT_TRUE(rests());
    }
    template <class Widget> [[nodiscard]] bool isSeen(const char* name) { return test.part<Widget>(name)->isVisible(); }
};

TEST_F(ObjectsDockRegions, EachWayHasItsControls) {
    open();
    EXPECT_TRUE(isSeen<QComboBox>("objectsThreshold"));
    EXPECT_FALSE(isSeen<QSlider>("objectsStrictness"));
    choose(FindBy::best);
    EXPECT_FALSE(isSeen<QComboBox>("objectsThreshold"));
    EXPECT_FALSE(isSeen<QComboBox>("objectsConnectivity"));
    EXPECT_TRUE(isSeen<QSlider>("objectsStrictness"));
    EXPECT_EQ(table.rowCount(), 4);
    test.part<QCheckBox>("objectsBestDark")->click();
    EXPECT_TRUE(objects.settings().rule.dark);
    test.part<QCheckBox>("objectsBestDark")->click();
    choose(FindBy::hierarchy);
    EXPECT_TRUE(isSeen<QSlider>("objectsCut"));
    EXPECT_FALSE(isSeen<QSlider>("objectsStrictness"));
    EXPECT_FALSE(isSeen<QCheckBox>("objectsFillHoles"));
    choose(FindBy::watershed);
    EXPECT_TRUE(isSeen<QComboBox>("objectsThreshold"));
    EXPECT_TRUE(isSeen<QComboBox>("objectsRelief"));
    EXPECT_FALSE(isSeen<QComboBox>("objectsSplit"));
    choose(FindBy::threshold);
    EXPECT_TRUE(isSeen<QComboBox>("objectsSplit"));
    EXPECT_EQ(table.rowCount(), 3);
}

TEST_F(ObjectsDockRegions, AClickForbidsAnObjectAndASecondOneTakesItBack) {
    open();
    choose(FindBy::best);
    ASSERT_EQ(table.rowCount(), 4);
    auto* const clear = test.part<QPushButton>("objectsClearMarks");
    EXPECT_FALSE(clear->isEnabled());
    clickImage(80, 30);
    EXPECT_EQ(table.rowCount(), 4) << "selects";
    EXPECT_EQ(table.marks().selectedCount(), 1);
    test.part<QPushButton>("objectsMark")->click();
    EXPECT_TRUE(objects.regions().isMarking());
    clickImage(80, 30);
    EXPECT_EQ(table.rowCount(), 3);
    EXPECT_TRUE(clear->isEnabled());
    EXPECT_EQ(clear->text(), QStringLiteral("Clear 1"));
    clickImage(80, 30);
    EXPECT_EQ(table.rowCount(), 4);
    EXPECT_FALSE(clear->isEnabled());
    clickImage(95, 60);
    test.part<QSlider>("objectsStrictness")->setValue(99);
    ASSERT_TRUE(rests());
    EXPECT_EQ(table.rowCount(), 0);
    EXPECT_TRUE(test.part<QLabel>("objectsEmpty")->text().contains(QStringLiteral("Lower the strictness")));
    clickImage(20, 22);
    EXPECT_EQ(table.rowCount(), 1) << "forced";
    test.part<QAction>("undo")->trigger();
    ASSERT_TRUE(rests());
    EXPECT_EQ(table.rowCount(), 0);
    test.part<QAction>("redo")->trigger();
    ASSERT_TRUE(rests());
    EXPECT_EQ(table.rowCount(), 1);
    clear->click();
    EXPECT_TRUE(objects.regions().best().marks.empty());
    QTest::keyClick(test.window.canvas(), Qt::Key_Escape);
    EXPECT_FALSE(objects.regions().isMarking());
}

TEST_F(ObjectsDockRegions, AQuestionHasARingAndItsAnswerIsAMark) {
    open();
    choose(FindBy::best);
    vm::BestLearning& learning = objects.learning();
    const auto asks = [&] { return QTest::qWaitFor([&] { return learning.question().has_value(); }, kPatience); };
    auto* const yes = test.part<QPushButton>("objectsUnsureYes");
    EXPECT_FALSE(yes->isEnabled());
    MarksOverlay marks(objects, [this] { return scene(); });
    EXPECT_TRUE(marks.area(scene()).isEmpty());
    test.part<QPushButton>("objectsNextUnsure")->click();
    ASSERT_TRUE(asks());
    EXPECT_TRUE(yes->isEnabled());
    const QPointF at = scene().toSurface({learning.question()->x + .5, learning.question()->y + .5});
    EXPECT_TRUE(marks.area(scene()).contains(at.toPoint()));
    const auto* const state = test.part<QLabel>("objectsFound1");
    EXPECT_TRUE(state->text().startsWith(QStringLiteral("Is the candidate in the ring an object?")))
        << state->text().toStdString();
    test.part<QPushButton>("objectsUnsureNo")->click();
    ASSERT_EQ(objects.regions().best().marks.size(), 1U);
    EXPECT_FALSE(objects.regions().best().marks.front().isObject);
    ASSERT_TRUE(asks());
    ASSERT_TRUE(rests());
    auto* const builtIn = test.part<QPushButton>("objectsBuiltInWeights");
    EXPECT_FALSE(builtIn->isEnabled());
    test.part<QPushButton>("objectsLearnWeights")->click();
    ASSERT_TRUE(QTest::qWaitFor([&] { return learning.hasWeights(); }, kPatience)) << learning.problem().toStdString();
    ASSERT_TRUE(rests());
    EXPECT_TRUE(builtIn->isEnabled());
    builtIn->click();
    EXPECT_FALSE(learning.hasWeights());
    EXPECT_FALSE(builtIn->isEnabled());
}

TEST_F(ObjectsDockRegions, ASliderCutsTheHierarchy) {
    open();
    choose(FindBy::hierarchy);
    auto* const cut = test.part<QSlider>("objectsCut");
    ASSERT_TRUE(cut->isEnabled());
    cut->setValue(0);
    ASSERT_TRUE(rests());
    int last = table.rowCount();
    EXPECT_GT(last, 100) << "all basins";
    // A drag of the handle, step by step.
    const int y = cut->height() / 2;
    test.press(test.inWindow(cut, QPoint(4, y)));
    for (int x = cut->width() / 3; x < cut->width(); x += cut->width() / 4) {
        test.move(test.inWindow(cut, QPoint(x, y)));
        ASSERT_TRUE(rests());
        EXPECT_LE(table.rowCount(), last);
        last = table.rowCount();
    }
    test.release(test.inWindow(cut, QPoint(cut->width() - 1, y)));
    cut->setValue(cut->maximum());
    ASSERT_TRUE(rests());
    EXPECT_EQ(table.rowCount(), 1);
    EXPECT_EQ(test.part<QLabel>("objectsFound3")->text(), QStringLiteral("1 region"));
    test.part<QAction>("undo")->trigger();
    ASSERT_TRUE(rests());
    EXPECT_GT(table.rowCount(), 1);
    auto* const value = test.part<QDoubleSpinBox>("objectsCutValue");
    EXPECT_EQ(value->suffix(), QStringLiteral(" px")) << "by area";
    value->setValue(300);
    ASSERT_TRUE(rests());
    EXPECT_EQ(objects.regions().hierarchy().above, 300);
    auto* const drawing = test.part<QComboBox>("objectsDrawing");
    drawing->setCurrentIndex(drawing->findData(static_cast<int>(HierarchyDrawing::means)));
    EXPECT_EQ(objects.drawing(), HierarchyDrawing::means);
    objects.setOpacity(1);
    const QImage image = drawn();
    const OverlayScene present = scene();
    const QColor disc = image.pixelColor(present.toSurface({80, 30}).toPoint());
    EXPECT_EQ(disc.red(), disc.blue()) << "grey, not the colour of a label";
    EXPECT_GT(disc.red(), image.pixelColor(present.toSurface({60, 70}).toPoint()).red());
}

TEST_F(ObjectsDockRegions, TheCutIsDrawnBeforeItsRegionsAreLabelled) {
    open();
    choose(FindBy::hierarchy);
    for (const auto drawing : {HierarchyDrawing::labels, HierarchyDrawing::means, HierarchyDrawing::boundaries}) {
        objects.setDrawing(drawing);
        ASSERT_TRUE(rests());
        QImage last = drawn();
        for (const double cut : {0., 40., 3., 200.}) {
            objects.regions().setCut(cut);
            ASSERT_EQ(objects.state(), State::computing);
            EXPECT_TRUE(objects.regions().mergesAhead());
            const QImage ahead = drawn();
            EXPECT_NE(ahead, last) << cut;
            ASSERT_TRUE(rests());
            EXPECT_FALSE(objects.regions().mergesAhead());
            EXPECT_EQ(drawn(), ahead) << cut;
            last = ahead;
        }
    }
    // Whether a region is an object cannot be told before it is measured.
    auto settings = objects.settings();
    settings.rule.hierarchy->sizes.least = 100;
    objects.setSettings(settings);
    ASSERT_TRUE(rests());
    objects.regions().setCut(1);
    EXPECT_FALSE(objects.regions().mergesAhead());
}

TEST_F(ObjectsDockRegions, PanelsOfTheTreeSayThatRegionsAreNoComponents) {
    open();
    showPanel(test.window, QStringLiteral("component"));
    const auto* const notice = test.part<QWidget>("componentDock")->findChild<QLabel*>(QStringLiteral("treeNotice"));
    ASSERT_NE(notice, nullptr);
    EXPECT_FALSE(notice->isVisible());
    choose(FindBy::hierarchy);
    EXPECT_TRUE(notice->isVisible());
    choose(FindBy::threshold);
    EXPECT_FALSE(notice->isVisible());
}

TEST_F(ObjectsDockRegions, BoundariesHaveTheColoursOfTheirStrengths) {
    open();
    choose(FindBy::hierarchy);
    auto* const cut = test.part<QSlider>("objectsCut");
    auto* const drawing = test.part<QComboBox>("objectsDrawing");
    EXPECT_EQ(test.part<QWidget>("objectsStrengthScale")->height(), 0);
    cut->setValue(0);
    ASSERT_TRUE(rests());
    EXPECT_FALSE(objects.objects()->boundaries) << "they are not drawn";
    drawing->setCurrentIndex(drawing->findData(static_cast<int>(HierarchyDrawing::boundaries)));
    ASSERT_TRUE(rests());
    ASSERT_TRUE(objects.objects()->boundaries);
    ASSERT_TRUE(test.isLaidOut());
    EXPECT_GT(test.part<QWidget>("objectsStrengthScale")->height(), 0);
    const auto count = [](const QImage& image) {
        int pixels = 0;
        for (int y = 0; y < image.height(); ++y) {
            for (int x = 0; x < image.width(); ++x) {
                pixels += qAlpha(image.pixel(x, y)) != 0 ? 1 : 0;
            }
        }
        return pixels;
    };
    const int all = count(drawn());
    EXPECT_GT(all, 0);
    // The disc is separated from the ground by a stronger boundary than the basins of the noise.
    objects.regions().setCut(200);
    ASSERT_TRUE(rests());
    const QImage strong = drawn();
    EXPECT_LT(count(strong), all / 2);
    EXPECT_EQ(qAlpha(strong.pixel(scene().toSurface({80.5, 30.5}).toPoint())), 0) << "inside the disc";
    bool isSurrounded = false;
    for (double x = 80.5; x < 95; ++x) {
        isSurrounded = isSurrounded || qAlpha(strong.pixel(scene().toSurface({x, 30.5}).toPoint())) != 0;
    }
    EXPECT_TRUE(isSurrounded);
    cut->setValue(cut->maximum());
    ASSERT_TRUE(rests());
    EXPECT_EQ(count(drawn()), 0) << "one region";
    EXPECT_NE(strengthColour(0), strengthColour(1));
}

} // namespace
} // namespace pollard::app
