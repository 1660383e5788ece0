// Drawn starts of a contour and the search distance in the Contour panel.
#include "app/docks/contour_dock.hpp"

#include "docks/charts/contour_charts.hpp"
#include "docks/contour/contour_bars.hpp"
#include "formats/tiff/tiff_writer.hpp"
#include "snake/region_law.hpp"
#include "vm/contour/contour_series.hpp"
#include "widgets/panel_parts.hpp"

#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QLocale>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTemporaryDir>

#include <algorithm>
#include <string>

namespace pollard::app {
namespace {

using Tool = vm::RegionViewModel::Tool;

TEST_F(ContourDock, AStartIsDrawnWithoutAShapeOfTheRegion) {
    open();
    const auto domain = test.models.document.choices().domain();
    const int edits = test.models.history.stack().count();
    test.part<QAction>("contourFromRectangle")->trigger();
    EXPECT_TRUE(test.models.region.isDrawingOnce());
    EXPECT_TRUE(test.window.canvas()->hasFocus()) << "its keys draw and end";
    EXPECT_FALSE(test.part<QAction>("rectangleTool")->isChecked()) << "that one is the region's";
    EXPECT_TRUE(test.part<ElidedLabel>("contourProblem")->isVisible()) << "it says what to do";
    const auto place = [this](double x, double y) {
        return test.inWindow(test.window.canvas(), scene().toSurface({x, y}));
    };
    test.press(place(40, 42));
    test.move(place(60, 60));
    test.move(place(80, 78));
    test.release(place(80, 78));
    ASSERT_TRUE(rests());
    ASSERT_EQ(contours.runs().stateCount(), 1) << contours.runs().problem().toStdString();
    EXPECT_EQ(contours.runs().contourCount(), 1);
    const Contour start = contours.runs().nodes();
    const auto [left, right] =
        std::minmax_element(start.begin(), start.end(), [](ContourNode a, ContourNode b) { return a.x < b.x; });
    EXPECT_NEAR(left->x, 40, 1);
    EXPECT_NEAR(right->x, 80, 1);
    EXPECT_EQ(test.models.region.count(), 0);
    EXPECT_EQ(test.models.document.choices().domain(), domain);
    EXPECT_EQ(test.models.history.stack().count(), edits + 1) << "the start";
    EXPECT_EQ(test.models.region.tool(), Tool::hand) << "one shape, then the hand is back";
    EXPECT_FALSE(test.models.region.isDrawingOnce());
}

TEST_F(ContourDock, DrawingAStartEndsWithEscapeAnotherToolOrThePanel) {
    open();
    for (const char* action : {"contourFromRectangle", "contourFromEllipse", "contourFromPolygon"}) {
        test.part<QAction>(action)->trigger();
        ASSERT_TRUE(test.models.region.isDrawingOnce()) << action;
        QTest::keyClick(test.window.canvas(), Qt::Key_Escape);
        EXPECT_FALSE(test.models.region.isDrawingOnce()) << action;
        EXPECT_EQ(test.models.region.tool(), Tool::hand);
    }
    test.part<QAction>("contourFromRectangle")->trigger();
    QTest::keyClick(test.window.canvas(), Qt::Key_R);
    EXPECT_EQ(test.models.region.tool(), Tool::rectangle);
    EXPECT_FALSE(test.models.region.isDrawingOnce()) << "the region's";
    EXPECT_TRUE(test.part<QAction>("rectangleTool")->isChecked());
    test.part<QAction>("contourFromEllipse")->trigger();
    test.part<QDockWidget>("contourDock")->close();
    EXPECT_FALSE(test.models.region.isDrawingOnce());
    EXPECT_EQ(contours.runs().current(), -1);
}

TEST_F(ContourDock, AShapeOfTheRegionIsNotMovedByADrawnStart) {
    open();
    const RegionShape shape{RegionShape::Kind::rectangle, {{20, 20}, {100, 100}}};
    test.models.region.add(shape);
    ASSERT_TRUE(rests());
    test.part<QAction>("contourFromEllipse")->trigger();
    const auto place = [this](double x, double y) {
        return test.inWindow(test.window.canvas(), scene().toSurface({x, y}));
    };
    test.press(place(45, 45)); // inside the shape
    test.move(place(60, 60));
    test.move(place(75, 75));
    test.release(place(75, 75));
    ASSERT_TRUE(rests());
    EXPECT_EQ(contours.runs().contourCount(), 1);
    ASSERT_EQ(test.models.region.count(), 1);
    EXPECT_EQ(test.models.region.shapes().front(), shape);
    EXPECT_EQ(test.models.region.selected(), 0);
    test.part<QAction>("contourFromRegion")->trigger(); // remains possible
    ASSERT_TRUE(rests());
    EXPECT_EQ(contours.runs().allNodes().size(), 1U);
    EXPECT_EQ(contours.runs().nodes().front().x, 20);
}

TEST_F(ContourDock, WhatAContourLooksAtIsOneChoice) {
    open();
    contours.settings().setReach(vm::ContourSettings::kUsualMargin);
    auto* reach = test.part<QComboBox>("contourReach");
    auto* margin = test.part<QSpinBox>("contourMargin");
    EXPECT_EQ(reach->currentIndex(), 0);
    EXPECT_EQ(margin->value(), 20);
    EXPECT_TRUE(margin->isEnabled());
    test.part<QAction>("contourFromMiddle")->trigger();
    ASSERT_TRUE(rests());
    EXPECT_EQ(contours.runs().currentRun()->parts.size(), 1U);
    reach->setFocus();
    QTest::keyClick(reach, Qt::Key_Down);
    ASSERT_TRUE(rests());
    EXPECT_FALSE(margin->isEnabled());
    EXPECT_TRUE(contours.runs().currentRun()->parts.empty()) << "the run that has not moved looks at the whole image";
}

TEST_F(ContourDock, FollowingTellsWhatItMadeAndLeadsToThePages) {
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("stack.tif"));
    const SharedImage page = disc();
    writeTiff(path.toStdString(), {4, [&](int, const JobControl&) { return Plane{ownedRows(page)}; }},
              {.compression = TiffCompression::none, .arePages = true});
    test.models.document.open(path);
    ASSERT_TRUE(test.settle());
    showPanel(test.window, QStringLiteral("contour"));
    ASSERT_TRUE(rests());
    test.part<QAction>("contourFromMiddle")->trigger();
    ASSERT_TRUE(rests());
    auto* bar = test.window.findChild<FollowBar*>();
    auto* text = test.part<QLabel>("followText");
    auto* follow = test.part<QToolButton>("contourFollow");
    EXPECT_FALSE(bar->isVisible());
    QStringList told;
    bool wasEnabled = false;
    QObject::connect(&contours.follow(), &vm::ContourFollow::changed, bar, [&] {
        if (contours.follow().isRunning()) {
            told << text->text();
            wasEnabled = wasEnabled || follow->isEnabled();
        }
    });
    click("contourFollow");
    ASSERT_TRUE(QTest::qWaitFor([&] { return !contours.follow().isRunning(); }, kPatience));
    ASSERT_TRUE(rests());
    EXPECT_TRUE(told.contains(QStringLiteral("Following: page 3 of 4"))) << told.join(u'\n').toStdString();
    EXPECT_FALSE(wasEnabled);
    EXPECT_TRUE(bar->isVisible());
    EXPECT_EQ(text->text(), QStringLiteral("4 contours on 4 pages"));
    auto* pages = test.part<QComboBox>("followPages");
    ASSERT_EQ(pages->count(), 4);
    EXPECT_EQ(pages->currentIndex(), 0);
    EXPECT_EQ(pages->itemText(0),
              QStringLiteral("Page 1: %1 px")
                  .arg(QLocale().toString(static_cast<qulonglong>(contours.runs().figures()->inside.pixels))));
    QSignalSpy notices(&contours.runs(), &vm::ContourRuns::noticeRaised);
    click("contourFollow");
    EXPECT_EQ(notices.size(), 1);
    EXPECT_FALSE(contours.follow().isRunning());
    pages->setFocus();
    QTest::keyClick(pages, Qt::Key_End);
    ASSERT_TRUE(QTest::qWaitFor([&] { return test.models.document.page() == 3; }, kPatience));
    ASSERT_TRUE(rests());
    EXPECT_EQ(contours.runs().all().size(), 1U);
    EXPECT_TRUE(bar->isVisible());
    EXPECT_EQ(pages->currentIndex(), 3);
    auto* chart = test.window.findChild<ContourSeriesChart*>();
    EXPECT_FALSE(chart->isVisible());
    click("followChart");
    ASSERT_TRUE(QTest::qWaitFor([&] { return chart->isVisible() && chart->model().rows().size() == 4; }, kPatience));
    ASSERT_TRUE(test.isLaidOut());
    chart->setFocus();
    QTest::keyClick(chart, Qt::Key_Left);
    ASSERT_TRUE(QTest::qWaitFor([&] { return test.models.document.page() == 2; }, kPatience));
    ASSERT_TRUE(rests());
    EXPECT_TRUE(chart->isVisible()) << "the other page belongs to the series";
    QTest::mouseClick(chart->viewport(), Qt::LeftButton, {},
                      QPoint(static_cast<int>(chart->pixelOf(0)) + 1, chart->height() / 2));
    ASSERT_TRUE(QTest::qWaitFor([&] { return test.models.document.page() == 0; }, kPatience));
    ASSERT_TRUE(rests());
    auto* measure = test.part<QComboBox>("contourMeasure");
    measure->setCurrentIndex(2);
    EXPECT_EQ(chart->model().measure(), vm::ContourMeasure::mean);
    click("followChart");
    EXPECT_FALSE(chart->isVisible());
}

TEST_F(ContourDock, SmallImagesShowWhatTheLawsFind) {
    start();
    const auto buttonOf = [this](RegionLaw law) {
        const std::string name = "contourLaw-" + std::string(nameOf(law));
        return test.part<QToolButton>(name.c_str());
    };
    auto* message = test.part<ElidedLabel>("contourLawsMessage");
    EXPECT_TRUE(message->isVisible());
    EXPECT_FALSE(buttonOf(RegionLaw::poisson)->isEnabled()) << "the contour has not ended";
    finish();
    ASSERT_TRUE(QTest::qWaitFor([&] { return buttonOf(RegionLaw::poisson)->isEnabled(); }, kPatience));
    const RegionLaw law = contours.runs().currentRun()->spec.law;
    ASSERT_NE(law, RegionLaw::poisson);
    for (const RegionLaw each : kRegionLaws) {
        QToolButton* button = buttonOf(each);
        EXPECT_FALSE(button->icon().isNull()) << nameOf(each);
        EXPECT_EQ(button->isChecked(), each == law) << nameOf(each);
        EXPECT_TRUE(button->toolTip().contains(QStringLiteral("energy"))) << nameOf(each);
        EXPECT_EQ(button->accessibleName().contains(QStringLiteral("chosen by the noise")), each == law)
            << nameOf(each);
    }
    QToolButton* poisson = buttonOf(RegionLaw::poisson);
    poisson->setFocus();
    QTest::keyClick(poisson, Qt::Key_Space);
    ASSERT_TRUE(rests());
    EXPECT_EQ(contours.runs().all().size(), 2U);
    EXPECT_EQ(contours.runs().currentRun()->spec.law, RegionLaw::poisson);
    EXPECT_TRUE(poisson->isChecked());
    EXPECT_FALSE(buttonOf(law)->isChecked());
    test.models.history.stack().undo();
    ASSERT_TRUE(rests());
    EXPECT_EQ(contours.runs().all().size(), 1U);
    EXPECT_TRUE(buttonOf(law)->isChecked());
}

} // namespace
} // namespace pollard::app
