// The contour dock in the real window: start, playback, steps, scrubbing, dragging, branches, files.
#include "app/docks/contour_dock.hpp"
#include "app/test_window.hpp"
#include "canvas/canvas.hpp"

#include "docks/charts/contour_charts.hpp"
#include "docks/contour/contour_panel.hpp"
#include "export/contour_frames.hpp"
#include "overlays/overlay_layer.hpp"
#include "widgets/panel_parts.hpp"
#include "window/panel_dock.hpp"
#include "window_times/contour_measurement.hpp"

#include "snake/contour/contour_files.hpp"
#include "snake/contour/contour_rows.hpp"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QDockWidget>
#include <QFile>
#include <QLabel>
#include <QSettings>
#include <QSignalSpy>
#include <QSlider>
#include <QSpinBox>
#include <QToolButton>

#include <algorithm>

namespace pollard::app {
namespace {

TEST_F(ContourDock, SaysWhatToDoWhenItIsEmpty) {
    auto* text = test.part<QLabel>("contourEmpty");
    showPanel(test.window, QStringLiteral("contour"));
    EXPECT_FALSE(text->isVisible());
    EXPECT_FALSE(test.part<QToolButton>("contourStart")->isEnabled());
    open();
    EXPECT_TRUE(text->isVisible());
    EXPECT_TRUE(text->text().contains(QStringLiteral("where the contour starts"))) << text->text().toStdString();
    EXPECT_TRUE(test.part<QAction>("contourFromMiddle")->isEnabled());
    EXPECT_FALSE(test.part<QAction>("contourFromRegion")->isEnabled());
    EXPECT_FALSE(test.part<QAction>("contourFromPick")->isEnabled());
    test.part<QAction>("contourFromMiddle")->trigger();
    ASSERT_TRUE(rests());
    EXPECT_FALSE(text->isVisible());
    EXPECT_TRUE(test.part<ContourChart>("contourChart")->isVisible());
}

TEST_F(ContourDock, HasOneSystemOfUnitsInChartAndTable) {
    start();
    const auto* chart = test.part<ContourChart>("contourChart");
    EXPECT_TRUE(QTest::qWaitFor([&] { return chart->areaUnit() == QStringLiteral("px"); }, kPatience));
    test.models.document.pixelSizes().set(PixelSize{0.5, 0.25, "nm", "test"});
    EXPECT_TRUE(QTest::qWaitFor([&] { return chart->areaUnit() == QStringLiteral("nm²"); }, kPatience))
        << chart->areaUnit().toStdString();
    const auto* info = test.models.document.imageInfo().get();
    EXPECT_EQ(vm::sceneAreaUnit(info, 100).factor, 0.125);
    EXPECT_EQ(vm::sceneArea(info, 100), QStringLiteral("12.5\u00a0nm²"));
    test.models.document.pixelSizes().set(std::nullopt);
    EXPECT_TRUE(QTest::qWaitFor([&] { return chart->areaUnit() == QStringLiteral("px"); }, kPatience));
}

TEST_F(ContourDock, PlaysToTheBorderOfTheObject) {
    start();
    test.part<QComboBox>("contourSpeed")->setCurrentIndex(test.part<QComboBox>("contourSpeed")->findData(0.0));
    EXPECT_EQ(contours.playback().speed(), vm::ContourPlayback::kFastest);
    click("contourPlay");
    EXPECT_TRUE(contours.playback().isPlaying());
    ASSERT_TRUE(rests());
    EXPECT_TRUE(contours.runs().isFinished());
    EXPECT_EQ(contours.runs().shown(), contours.runs().stateCount() - 1);
    const Image mask = contourMask(contours.runs().nodes(), 120, 120);
    int wrong = 0;
    for (std::uint32_t y = 0; y < 120; ++y) {
        for (std::uint32_t x = 0; x < 120; ++x) {
            const int dx = 2 * static_cast<int>(x) + 1 - 120;
            const int dy = 2 * static_cast<int>(y) + 1 - 120;
            wrong += (dx * dx + dy * dy < 3600) != (mask.level(y * 120 + x) != 0) ? 1 : 0;
        }
    }
    EXPECT_LT(wrong, 120) << "of 2,827 px";
    const auto number = static_cast<qlonglong>(contours.runs().figures()->inside.pixels);
    EXPECT_EQ(test.part<QLabel>("contourInsidePixels")->text(), QLocale().toString(number));
}

TEST_F(ContourDock, ShowingStatesIsMeasured) {
    start();
    finish();
    const int last = contours.runs().shown();
    ContourMeasurement measurement(test.models, test.window, 7);
    QSignalSpy finished(&measurement, &ContourMeasurement::finished);
    test.window.canvas()->wantFrame();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !finished.isEmpty(); }, 20000));
    EXPECT_EQ(finished.at(0).at(1).toString(), QString());
    EXPECT_TRUE(finished.at(0).at(0).toString().startsWith(
        QStringLiteral("contour: 7 frames of %1 states").arg(contours.runs().stateCount())));
    ASSERT_GT(last, 7);
    EXPECT_EQ(contours.runs().shown(), last - 7);
}

TEST_F(ContourDock, AStateIsDrawnWithTheNextFrameOrLiesBesideWhatIsSeen) {
    start();
    contours.playback().toEnd();
    ASSERT_TRUE(rests());
    const auto isDrawn = [&] { return contours.playback().isDrawn(); };
    ASSERT_TRUE(QTest::qWaitFor(isDrawn, kPatience));
    contours.playback().stepBack();
    EXPECT_FALSE(contours.playback().isDrawn()) << "the frame comes later";
    EXPECT_TRUE(QTest::qWaitFor(isDrawn, kPatience));
    test.models.display.setZoom(40);
    test.models.display.setCentre({0, 0}); // the corner of the image
    ASSERT_TRUE(rests());
    contours.playback().stepBack();
    EXPECT_TRUE(contours.playback().isDrawn()) << "no frame will come";
}

TEST_F(ContourDock, StepsByButtonsAndKeys) {
    start();
    click("contourForward");
    ASSERT_TRUE(rests());
    EXPECT_EQ(contours.runs().shown(), 1);
    auto* panel = test.window.findChild<ContourPanel*>();
    panel->setFocus();
    QTest::keyClick(panel, Qt::Key_Right);
    ASSERT_TRUE(rests());
    EXPECT_EQ(contours.runs().shown(), 2);
    QTest::keyClick(panel, Qt::Key_Left);
    EXPECT_EQ(contours.runs().shown(), 1);
    QTest::keyClick(panel, Qt::Key_End);
    ASSERT_TRUE(rests());
    EXPECT_TRUE(contours.runs().isFinished());
    QTest::keyClick(panel, Qt::Key_Home);
    EXPECT_EQ(contours.runs().shown(), 0);
    contours.playback().setSpeed(1);
    QTest::keyClick(panel, Qt::Key_Space);
    EXPECT_TRUE(contours.playback().isPlaying());
    QTest::keyClick(panel, Qt::Key_Space);
    EXPECT_FALSE(contours.playback().isPlaying());
    auto* timeline = test.part<QSlider>("contourTimeline");
    timeline->setFocus();
    QTest::keyClick(timeline, Qt::Key_Right);
    EXPECT_EQ(contours.runs().shown(), 1);
    // With the focus in the image the same keys move the image.
    test.models.display.setZoom(20);
    test.window.canvas()->setFocus();
    QTest::keyClick(test.window.canvas(), Qt::Key_Right);
    QTest::keyClick(test.window.canvas(), Qt::Key_Space);
    EXPECT_EQ(contours.runs().shown(), 1);
    EXPECT_FALSE(contours.playback().isPlaying());
    // In a number field they edit.
    auto* edge = test.part<QSpinBox>("contourMinLength");
    edge->setFocus();
    QTest::keyClick(edge, Qt::Key_Home);
    EXPECT_EQ(contours.runs().shown(), 1);
}

TEST_F(ContourDock, SliderAndChartShowTheStatesThatTheyPointAt) {
    start();
    finish();
    const vm::ContourRecord& record = contours.runs().currentRun()->record;
    auto* timeline = test.part<QSlider>("contourTimeline");
    ASSERT_EQ(timeline->maximum(), record.count() - 1);
    for (const int k : {record.count() / 2, 3, record.count() - 2}) {
        timeline->setValue(k);
        EXPECT_EQ(contours.runs().shown(), k);
        EXPECT_EQ(contours.runs().nodes(), record.nodes(k));
    }
    auto* chart = test.part<ContourChart>("contourChart");
    ASSERT_TRUE(test.isLaidOut()); // the axes, too
    const auto at = [&](int k) {
        return QPoint(static_cast<int>(std::lround(chart->pixelOf(k))), chart->height() / 2);
    };
    const int half = record.count() / 2;
    QTest::mousePress(chart->viewport(), Qt::LeftButton, Qt::NoModifier, at(half));
    EXPECT_NEAR(contours.runs().shown(), half, 1);
    QTest::mouseMove(chart->viewport(), at(record.count() - 1) + QPoint(500, 0));
    QTest::mouseRelease(chart->viewport(), Qt::LeftButton, Qt::NoModifier, at(record.count() - 1));
    EXPECT_EQ(timeline->value(), contours.runs().shown());
    QTest::mouseClick(chart->viewport(), Qt::LeftButton, Qt::NoModifier, at(0) - QPoint(3, 0));
    EXPECT_EQ(contours.runs().shown(), 0);
    EXPECT_EQ(contours.runs().nodes(), record.nodes(0));
}

TEST_F(ContourDock, DrawsTheContourOnlyWhileItIsOpen) {
    start();
    const ContourNode corner = contours.runs().nodes()[0];
    const QPointF onLine(corner.x + 20, corner.y);
    EXPECT_GT(overlayAt(onLine).alpha(), 200);
    EXPECT_GT(overlayAt({60, 60}).alpha(), 10) << "tinted";
    test.part<QCheckBox>("contourTinted")->click();
    EXPECT_EQ(overlayAt({60, 60}).alpha(), 0);
    EXPECT_EQ(overlayAt({2, 2}).alpha(), 0);
    test.part<QDockWidget>("contourDock")->close();
    EXPECT_EQ(overlayAt(onLine).alpha(), 0);
    EXPECT_EQ(contours.runs().all().size(), 1U) << "the run stays";
}

TEST_F(ContourDock, ANodeIsDraggedOnTheCanvas) {
    start();
    finish();
    contours.playback().scrub(0);
    const Contour before = contours.runs().nodes();
    const QPoint from = test.inWindow(test.window.canvas(), surfaceOf(before[0]));
    const double scale = scene().scale;
    const QPoint by(static_cast<int>(-8 * scale), static_cast<int>(-6 * scale));
    test.press(from);
    ASSERT_TRUE(contours.runs().drag());
    test.move(from + by / 2);
    test.move(from + by);
    EXPECT_EQ(contours.runs().all().size(), 1U) << "not before the button is released";
    test.release(from + by);
    ASSERT_TRUE(rests());
    ASSERT_EQ(contours.runs().all().size(), 2U);
    EXPECT_EQ(contours.runs().currentRun()->parent, 1);
    const ContourNode moved = contours.runs().nodes()[0];
    EXPECT_NEAR(moved.x, before[0].x - 8, 1);
    EXPECT_NEAR(moved.y, before[0].y - 6, 1);
    EXPECT_EQ(test.part<QComboBox>("contourRuns")->count(), 2);
    // Beyond the opposite corner the contour would cross itself: the node snaps back, with a message.
    const QPoint again = test.inWindow(test.window.canvas(), surfaceOf(moved));
    const QPoint beyond = test.inWindow(test.window.canvas(), surfaceOf({before[2].x + 10, before[2].y - 20}));
    test.press(again);
    test.move(beyond);
    test.release(beyond);
    ASSERT_TRUE(rests());
    EXPECT_EQ(contours.runs().nodes()[0], moved);
    EXPECT_EQ(contours.runs().all().size(), 2U);
    auto* problem = test.part<QLabel>("contourProblem");
    EXPECT_TRUE(problem->isVisible());
    EXPECT_TRUE(problem->toolTip().contains(QStringLiteral("went back"))) << problem->toolTip().toStdString();
}

TEST_F(ContourDock, ParametersBranchAndRunsAreChosenComparedAndDeleted) {
    start();
    finish();
    contours.playback().scrub(4);
    auto* law = test.part<QComboBox>("contourLaw");
    EXPECT_EQ(law->currentText(), QStringLiteral("Automatic (Gaussian)"));
    QTest::keyClick(law, Qt::Key_Down);
    ASSERT_TRUE(rests());
    EXPECT_EQ(law->currentText(), QStringLiteral("Gaussian"));
    ASSERT_EQ(contours.runs().all().size(), 1U) << "the law is the same";
    QTest::keyClick(law, Qt::Key_Down);
    ASSERT_TRUE(rests());
    EXPECT_EQ(contours.settings().spec().law, RegionLaw::poisson);
    ASSERT_EQ(contours.runs().all().size(), 2U);
    test.part<QSpinBox>("contourMinLength")->setValue(12);
    ASSERT_TRUE(rests());
    test.part<QDoubleSpinBox>("contourLengthPrice")->setValue(0.5);
    ASSERT_TRUE(rests());
    EXPECT_EQ(contours.settings().spec().lengthPrice, 0.5);
    ASSERT_EQ(contours.runs().all().size(), 2U);
    finish();
    auto* runs = test.part<QComboBox>("contourRuns");
    ASSERT_EQ(runs->count(), 2);
    EXPECT_TRUE(runs->currentText().contains(QStringLiteral("Poisson")));
    EXPECT_TRUE(runs->currentText().contains(QStringLiteral("length 12, price 0.5")));
    runs->setCurrentIndex(0);
    EXPECT_EQ(contours.runs().current(), 0);
    EXPECT_EQ(law->currentText(), QStringLiteral("Gaussian"));
    EXPECT_EQ(test.part<QSpinBox>("contourMinLength")->value(), 8);
    EXPECT_EQ(test.part<QDoubleSpinBox>("contourLengthPrice")->value(), 0);
    test.part<QToolButton>("contourCompare")->click();
    runs->setCurrentIndex(1);
    EXPECT_EQ(contours.runs().comparedContours().size(), 1U);
    EXPECT_FALSE(test.part<QToolButton>("contourCompare")->isChecked());
    click("contourDelete");
    EXPECT_EQ(runs->count(), 1);
    EXPECT_EQ(contours.runs().current(), 0);
    click("contourDelete");
    EXPECT_EQ(runs->count(), 0);
    EXPECT_TRUE(test.part<QLabel>("contourEmpty")->isVisible());
}

TEST_F(ContourDock, StartsFromTheRegionAnObjectOrAPick) {
    open();
    test.models.region.add({RegionShape::Kind::polygon, {{10, 10}, {100, 20}, {60, 110}}});
    ASSERT_TRUE(rests());
    test.part<QAction>("contourFromRegion")->trigger();
    ASSERT_TRUE(rests());
    EXPECT_EQ(contours.runs().nodes(), (Contour{{10, 10}, {100, 20}, {60, 110}}));
    test.models.region.clear();
    ASSERT_TRUE(rests());
    showPanel(test.window, QStringLiteral("objects"));
    ASSERT_TRUE(QTest::qWaitFor([this] { return test.models.objectTable.rowCount() > 0; }, kPatience));
    const auto listing = test.models.objectTable.listing();
    std::uint32_t largest = 1;
    for (const std::uint32_t label : listing->labels) {
        largest = listing->object(label).area > listing->object(largest).area ? label : largest;
    }
    test.models.objectTable.marks().select(std::vector<std::uint32_t>{largest});
    click("objectsRefine");
    ASSERT_TRUE(rests());
    EXPECT_TRUE(test.window.findChild<ContourPanel*>()->isVisible());
    EXPECT_TRUE(contours.runs().problem().isEmpty()) << contours.runs().problem().toStdString();
    EXPECT_TRUE(contours.runs().currentRun()->origin.contains(QStringLiteral("object")));
    ASSERT_TRUE(
        test.models.filter.picks().pickAt({60, 60}, vm::PicksModel::PickEffect::kept, test.models.document.shown()));
    ASSERT_TRUE(rests());
    test.part<QAction>("contourFromPick")->trigger();
    ASSERT_TRUE(rests());
    EXPECT_TRUE(contours.runs().problem().isEmpty()) << contours.runs().problem().toStdString();
    EXPECT_EQ(contours.runs().currentRun()->origin, QStringLiteral("component"));
}

TEST_F(ContourDock, WritesFilesOfTheShownContourAndOfTheRun) {
    start();
    finish();
    contours.playback().scrub(contours.runs().stateCount() / 2);
    QTemporaryDir folder;
    const auto save = [&](vm::ContourFile file) {
        const QString path = folder.filePath(QStringLiteral("c.") + vm::suffixOf(file));
        test.models.contourExport.save(file, path);
        EXPECT_TRUE(rests());
        QFile read(path);
        EXPECT_TRUE(read.open(QIODevice::ReadOnly)) << path.toStdString();
        return read.readAll();
    };
    const QByteArray outline = save(vm::ContourFile::outline);
    const auto filed = contoursIn(outline.toStdString());
    EXPECT_TRUE(outline.contains(R"("properties":{"area":)" +
                                 QByteArray::number(static_cast<qlonglong>(contours.runs().figures()->inside.pixels)) +
                                 R"(,"length":)"))
        << outline.toStdString();
    ASSERT_EQ(filed.size(), 1U);
    EXPECT_EQ(filed.front(), contours.runs().nodes());
    const QByteArray trace = save(vm::ContourFile::trace);
    const vm::ContourRecord& record = contours.runs().currentRun()->record;
    const int last = record.count() - 1;
    EXPECT_EQ(trace.count('\n'), record.count() + (record.figures(last).kind == SnakeStep::trim ? 0 : 1));
    EXPECT_TRUE(save(vm::ContourFile::drawing).contains("<svg"));
    EXPECT_TRUE(save(vm::ContourFile::region).startsWith("Iout"));
    static_cast<void>(save(vm::ContourFile::mask));
    const LoadedImage mask = readImage(folder.filePath(QStringLiteral("c.tif")).toStdString(), {});
    EXPECT_TRUE(samePixels(*mask.image, contourMask(contours.runs().nodes(), 120, 120)));
    EXPECT_THAT(test.errors.texts, ::testing::IsEmpty());
    test.models.contourExport.save(vm::ContourFile::outline, folder.filePath(QStringLiteral("no/such/folder.geojson")));
    ASSERT_TRUE(rests());
    EXPECT_EQ(test.errors.titles.size(), 1);
}

TEST(ContourFrames, HaveNamesThatSortAsTheirNumbers) {
    for (const int count : {1, 9999, 10000, 10001, 200000}) {
        QStringList names;
        for (const int number : {0, 1, 9, 10, 999, 1000, 9999, 10000, 99999, 100000, 199999}) {
            if (number < count) {
                names << ContourFrames::nameOf(number, count);
            }
        }
        EXPECT_TRUE(std::ranges::is_sorted(names)) << count;
    }
}

TEST_F(ContourDock, WritesAFrameForEveryState) {
    start();
    finish();
    QTemporaryDir folder;
    ContourFrames frames(*test.window.canvas(), *test.part<OverlayLayer>("overlayLayer"), contours);
    QSignalSpy finished(&frames, &ContourFrames::finished);
    frames.start(folder.path());
    ASSERT_TRUE(QTest::qWaitFor([&] { return !finished.isEmpty(); }, 60000));
    EXPECT_EQ(finished.constFirst().at(0).toInt(), contours.runs().stateCount());
    EXPECT_TRUE(finished.constFirst().at(1).toString().isEmpty());
    const QStringList names = QDir(folder.path()).entryList({QStringLiteral("*.png")}, QDir::Files, QDir::Name);
    ASSERT_EQ(names.size(), contours.runs().stateCount());
    EXPECT_EQ(names.constFirst(), QStringLiteral("contour_0000.png"));
    const QImage first(folder.filePath(names.constFirst()));
    const QImage last(folder.filePath(names.constLast()));
    EXPECT_EQ(first.size(), test.window.canvas()->size() * test.window.canvas()->devicePixelRatio());
    const ContourNode corner = contours.runs().currentRun()->record.nodes(0)[0];
    const QPoint onLine = (surfaceOf({corner.x + 20, corner.y}) * first.devicePixelRatio()).toPoint();
    int reddest = 0; // the line may lie between two rows of px
    for (int by = -1; by <= 1; ++by) {
        reddest = std::max(reddest, first.pixelColor(onLine + QPoint(0, by)).red());
    }
    EXPECT_GT(reddest, 200);
    EXPECT_NE(first.pixelColor(onLine), last.pixelColor(onLine));
    // A cancelled export stops soon and keeps complete frames.
    ContourFrames some(*test.window.canvas(), *test.part<OverlayLayer>("overlayLayer"), contours);
    QSignalSpy stopped(&some, &ContourFrames::finished);
    some.start(folder.filePath(QStringLiteral(".")));
    some.cancel();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !stopped.isEmpty(); }, kPatience));
    EXPECT_LT(stopped.constFirst().at(0).toInt(), contours.runs().stateCount());
}

TEST_F(ContourDock, FoldsSeldomOptionsAndNamesTheirValues) {
    open();
    showPanel(test.window, QStringLiteral("contour"));
    auto* more = test.part<MoreOptions>("contourMore");
    auto* law = test.part<QComboBox>("contourLaw");
    auto* heading = test.part<QToolButton>("contourMoreHeading");
    const auto* values = more->findChild<ElidedLabel*>();
    more->setFolded(true);
    EXPECT_FALSE(law->isVisible());
    EXPECT_TRUE(values->fullText().startsWith(u"Automatic, Local best")) << values->fullText().toStdString();
    law->setCurrentIndex(2);
    EXPECT_TRUE(values->fullText().startsWith(u"Poisson, "));
    QTest::mouseClick(heading, Qt::LeftButton);
    EXPECT_TRUE(law->isVisible());
    EXPECT_FALSE(values->isVisible());
    EXPECT_FALSE(QSettings().value(QStringLiteral("folded/contourMore"), true).toBool());
    QTest::mouseClick(heading, Qt::LeftButton);
    EXPECT_FALSE(law->isVisible());
}

} // namespace
} // namespace pollard::app
