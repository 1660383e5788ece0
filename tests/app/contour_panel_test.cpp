// The contour dock in the real window: start, play, step, scrub, drag, branch, files.
#include "canvas/canvas.hpp"
#include "test_window.hpp"

#include "docks/contour_chart.hpp"
#include "docks/contour_panel.hpp"
#include "docks/follow_bar.hpp"
#include "overlays/contour_overlay.hpp"
#include "overlays/forbidden_overlay.hpp"
#include "overlays/overlay_layer.hpp"
#include "shell/contour_frames.hpp"
#include "shell/contour_measurement.hpp"
#include "window/panel_dock.hpp"

#include "io/tiff_writer.hpp"
#include "snake/contour_files.hpp"
#include "snake/contour_mask.hpp"
#include "snake/snake_job.hpp"

#include <QAction>
#include <QChart>
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QDockWidget>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QProcess>
#include <QSignalSpy>
#include <QSlider>
#include <QSpinBox>
#include <QStandardPaths>
#include <QTimer>
#include <QToolButton>

#include <algorithm>
#include <random>

namespace pollard::app {
namespace {

using Contours = vm::ContourViewModel;

/// A bright disc of radius 30 in noise, in the middle of 120 x 120 px.
SharedImage disc() {
    std::mt19937 random(3);
    return makeImage(PixelType::u8, 120, 120, [&](std::uint32_t x, std::uint32_t y) {
        const int dx = 2 * static_cast<int>(x) + 1 - 120;
        const int dy = 2 * static_cast<int>(y) + 1 - 120;
        return (dx * dx + dy * dy < 3600 ? 130 : 70) + static_cast<int>(random() % 50);
    });
}

class ContourDock : public ::testing::Test {
protected:
    ContourDock() { QStandardPaths::setTestModeEnabled(true); }

    TestWindow test;
    Contours& contours = test.models.contours;

    [[nodiscard]] bool rests() {
        return test.settle() && QTest::qWaitFor(
                                    [this] {
                                        return !contours.isComputing() && !contours.isPlaying() &&
                                               !test.models.contourExport.isBusy();
                                    },
                                    20000);
    }
    void open() {
        test.open("disc", disc());
        showPanel(test.window, QStringLiteral("contour"));
        ASSERT_TRUE(rests());
        test.models.display.fit();
        QTest::qWait(30);
    }
    void start() {
        open();
        test.part<QAction>("contourFromMiddle")->trigger();
        ASSERT_TRUE(rests());
        ASSERT_EQ(contours.stateCount(), 1) << contours.problem().toStdString();
        QTest::qWait(100); // the panel has got another page, and the picture its place
        ASSERT_TRUE(rests());
    }
    void finish() {
        click("contourToEnd");
        ASSERT_TRUE(rests());
        ASSERT_TRUE(contours.isFinished());
    }
    void click(const char* button) { QTest::mouseClick(test.part<QToolButton>(button), Qt::LeftButton); }
    [[nodiscard]] OverlayScene scene() { return test.part<OverlayLayer>("overlayLayer")->scene(); }
    [[nodiscard]] QPointF surfaceOf(ContourNode node) { return scene().toSurface(QPointF(node.x, node.y)); }
    /// Colour of the overlay alone at a place of the picture.
    [[nodiscard]] QColor overlayAt(QPointF place) {
        const OverlayScene present = scene();
        QImage image(present.size.toSize(), QImage::Format_ARGB32_Premultiplied);
        image.fill(Qt::transparent);
        QPainter painter(&image);
        ContourOverlay(contours).paint(painter, present);
        painter.end();
        return image.pixelColor(present.toSurface(place).toPoint());
    }
    /// The reddest colour across a level line, which may lie between two rows of px.
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

TEST_F(ContourDock, SaysWhatToDoWhenItIsEmpty) {
    auto* text = test.part<QLabel>("contourEmpty");
    showPanel(test.window, QStringLiteral("contour"));
    EXPECT_TRUE(text->text().contains(QStringLiteral("Open an image"))) << text->text().toStdString();
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

TEST_F(ContourDock, PlaysToTheBorderOfTheObject) {
    start();
    test.part<QComboBox>("contourSpeed")->setCurrentIndex(test.part<QComboBox>("contourSpeed")->findData(0.0));
    EXPECT_EQ(contours.speed(), Contours::kFastest);
    click("contourPlay");
    EXPECT_TRUE(contours.isPlaying());
    ASSERT_TRUE(rests());
    EXPECT_TRUE(contours.isFinished());
    EXPECT_EQ(contours.shown(), contours.stateCount() - 1);
    const Image mask = contourMask(contours.nodes(), 120, 120);
    int wrong = 0;
    for (std::uint32_t y = 0; y < 120; ++y) {
        for (std::uint32_t x = 0; x < 120; ++x) {
            const int dx = 2 * static_cast<int>(x) + 1 - 120;
            const int dy = 2 * static_cast<int>(y) + 1 - 120;
            wrong += (dx * dx + dy * dy < 3600) != (mask.level(y * 120 + x) != 0) ? 1 : 0;
        }
    }
    EXPECT_LT(wrong, 120) << "of 2,827 px";
    const auto number = static_cast<qlonglong>(contours.figures()->inside.pixels);
    EXPECT_EQ(test.part<QLabel>("contourInsidePixels")->text(), QLocale().toString(number));
}

TEST_F(ContourDock, ShowingStatesIsMeasured) {
    start();
    finish();
    const int last = contours.shown();
    ContourMeasurement measurement(test.models, test.window, 7);
    QSignalSpy finished(&measurement, &ContourMeasurement::finished);
    test.window.canvas()->update();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !finished.isEmpty(); }, 20000));
    EXPECT_EQ(finished.at(0).at(1).toString(), QString());
    EXPECT_TRUE(finished.at(0).at(0).toString().startsWith(
        QStringLiteral("contour: 7 frames of %1 states").arg(contours.stateCount())));
    ASSERT_GT(last, 7);
    EXPECT_EQ(contours.shown(), last - 7);
}

TEST_F(ContourDock, StepsByButtonsAndKeys) {
    start();
    click("contourForward");
    ASSERT_TRUE(rests());
    EXPECT_EQ(contours.shown(), 1);
    auto* panel = test.window.findChild<ContourPanel*>();
    panel->setFocus();
    QTest::keyClick(panel, Qt::Key_Right);
    ASSERT_TRUE(rests());
    EXPECT_EQ(contours.shown(), 2);
    QTest::keyClick(panel, Qt::Key_Left);
    EXPECT_EQ(contours.shown(), 1);
    QTest::keyClick(panel, Qt::Key_End);
    ASSERT_TRUE(rests());
    EXPECT_TRUE(contours.isFinished());
    QTest::keyClick(panel, Qt::Key_Home);
    EXPECT_EQ(contours.shown(), 0);
    contours.setSpeed(1);
    QTest::keyClick(panel, Qt::Key_Space);
    EXPECT_TRUE(contours.isPlaying());
    QTest::keyClick(panel, Qt::Key_Space);
    EXPECT_FALSE(contours.isPlaying());
    auto* timeline = test.part<QSlider>("contourTimeline");
    timeline->setFocus();
    QTest::keyClick(timeline, Qt::Key_Right);
    EXPECT_EQ(contours.shown(), 1);
    // In the picture the same keys move the picture.
    test.models.display.setZoom(20);
    test.window.canvas()->setFocus();
    QTest::keyClick(test.window.canvas(), Qt::Key_Right);
    QTest::keyClick(test.window.canvas(), Qt::Key_Space);
    EXPECT_EQ(contours.shown(), 1);
    EXPECT_FALSE(contours.isPlaying());
    // In a number field they edit.
    auto* edge = test.part<QSpinBox>("contourMinLength");
    edge->setFocus();
    QTest::keyClick(edge, Qt::Key_Home);
    EXPECT_EQ(contours.shown(), 1);
}

TEST_F(ContourDock, SliderAndChartShowTheStatesThatTheyPointAt) {
    start();
    finish();
    const vm::ContourRecord& record = contours.currentRun()->record;
    auto* timeline = test.part<QSlider>("contourTimeline");
    ASSERT_EQ(timeline->maximum(), record.count() - 1);
    for (const int k : {record.count() / 2, 3, record.count() - 2}) {
        timeline->setValue(k);
        EXPECT_EQ(contours.shown(), k);
        EXPECT_EQ(contours.nodes(), record.nodes(k));
    }
    auto* chart = test.part<ContourChart>("contourChart");
    QTest::qWait(100); // the axes are laid out
    const auto at = [&](int k) {
        return QPoint(static_cast<int>(std::lround(chart->pixelOf(k))), chart->height() / 2);
    };
    const int half = record.count() / 2;
    QTest::mousePress(chart->viewport(), Qt::LeftButton, Qt::NoModifier, at(half));
    EXPECT_NEAR(contours.shown(), half, 1);
    QTest::mouseMove(chart->viewport(), at(record.count() - 1) + QPoint(500, 0));
    QTest::mouseRelease(chart->viewport(), Qt::LeftButton, Qt::NoModifier, at(record.count() - 1));
    EXPECT_EQ(timeline->value(), contours.shown());
    QTest::mouseClick(chart->viewport(), Qt::LeftButton, Qt::NoModifier, at(0) - QPoint(3, 0));
    EXPECT_EQ(contours.shown(), 0);
    EXPECT_EQ(contours.nodes(), record.nodes(0));
}

TEST_F(ContourDock, DrawsTheContourOnlyWhileItIsOpen) {
    start();
    const ContourNode corner = contours.nodes()[0];
    const QPointF onLine(corner.x + 20, corner.y);
    EXPECT_GT(overlayAt(onLine).alpha(), 200);
    EXPECT_GT(overlayAt({60, 60}).alpha(), 10) << "tinted";
    test.part<QCheckBox>("contourTinted")->click();
    EXPECT_EQ(overlayAt({60, 60}).alpha(), 0);
    EXPECT_EQ(overlayAt({2, 2}).alpha(), 0);
    test.part<QDockWidget>("contourDock")->close();
    EXPECT_EQ(overlayAt(onLine).alpha(), 0);
    EXPECT_EQ(contours.runs().size(), 1U) << "the run stays";
}

TEST_F(ContourDock, ANodeIsDraggedOnTheCanvas) {
    start();
    finish();
    contours.scrub(0);
    const Contour before = contours.nodes();
    const QPoint from = test.inWindow(test.window.canvas(), surfaceOf(before[0]));
    const double scale = scene().scale;
    const QPoint by(static_cast<int>(-8 * scale), static_cast<int>(-6 * scale));
    test.press(from);
    ASSERT_TRUE(contours.draggedNode());
    test.move(from + by / 2);
    test.move(from + by);
    EXPECT_EQ(contours.runs().size(), 1U) << "not before the button is released";
    test.release(from + by);
    ASSERT_TRUE(rests());
    ASSERT_EQ(contours.runs().size(), 2U);
    EXPECT_EQ(contours.currentRun()->parent, 1);
    const ContourNode moved = contours.nodes()[0];
    EXPECT_NEAR(moved.x, before[0].x - 8, 1);
    EXPECT_NEAR(moved.y, before[0].y - 6, 1);
    EXPECT_EQ(test.part<QComboBox>("contourRuns")->count(), 2);
    // Beyond the opposite corner it would cross: it snaps back, with a message.
    const QPoint again = test.inWindow(test.window.canvas(), surfaceOf(moved));
    const QPoint beyond = test.inWindow(test.window.canvas(), surfaceOf({before[2].x + 10, before[2].y - 20}));
    test.press(again);
    test.move(beyond);
    test.release(beyond);
    ASSERT_TRUE(rests());
    EXPECT_EQ(contours.nodes()[0], moved);
    EXPECT_EQ(contours.runs().size(), 2U);
    auto* problem = test.part<QLabel>("contourProblem");
    EXPECT_TRUE(problem->isVisible());
    EXPECT_TRUE(problem->toolTip().contains(QStringLiteral("went back"))) << problem->toolTip().toStdString();
}

TEST_F(ContourDock, ParametersBranchAndRunsAreChosenComparedAndDeleted) {
    start();
    finish();
    contours.scrub(4);
    QTest::keyClick(test.part<QComboBox>("contourLaw"), Qt::Key_Down);
    ASSERT_TRUE(rests());
    EXPECT_EQ(contours.spec().law, RegionLaw::poisson);
    ASSERT_EQ(contours.runs().size(), 2U);
    test.part<QSpinBox>("contourMinLength")->setValue(12);
    ASSERT_TRUE(rests());
    ASSERT_EQ(contours.runs().size(), 2U);
    finish();
    auto* runs = test.part<QComboBox>("contourRuns");
    ASSERT_EQ(runs->count(), 2);
    EXPECT_TRUE(runs->currentText().contains(QStringLiteral("Poisson")));
    EXPECT_TRUE(runs->currentText().contains(QStringLiteral("length 12")));
    runs->setCurrentIndex(0);
    EXPECT_EQ(contours.current(), 0);
    EXPECT_EQ(test.part<QComboBox>("contourLaw")->currentText(), QStringLiteral("Gaussian"));
    EXPECT_EQ(test.part<QSpinBox>("contourMinLength")->value(), 8);
    test.part<QToolButton>("contourCompare")->click();
    runs->setCurrentIndex(1);
    EXPECT_EQ(contours.comparedContours().size(), 1U);
    EXPECT_FALSE(test.part<QToolButton>("contourCompare")->isChecked());
    click("contourDelete");
    EXPECT_EQ(runs->count(), 1);
    EXPECT_EQ(contours.current(), 0);
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
    EXPECT_EQ(contours.nodes(), (Contour{{10, 10}, {100, 20}, {60, 110}}));
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
    EXPECT_TRUE(contours.problem().isEmpty()) << contours.problem().toStdString();
    EXPECT_TRUE(contours.currentRun()->origin.contains(QStringLiteral("object")));
    ASSERT_TRUE(test.models.filter.picks().pickAt({60, 60}, vm::PicksModel::Fate::kept));
    ASSERT_TRUE(rests());
    test.part<QAction>("contourFromPick")->trigger();
    ASSERT_TRUE(rests());
    EXPECT_TRUE(contours.problem().isEmpty()) << contours.problem().toStdString();
    EXPECT_EQ(contours.currentRun()->origin, QStringLiteral("component"));
}

TEST_F(ContourDock, WritesFilesOfTheShownContourAndOfTheRun) {
    start();
    finish();
    contours.scrub(contours.stateCount() / 2);
    QTemporaryDir folder;
    const auto save = [&](vm::ContourFile file) {
        const QString path = folder.filePath(QStringLiteral("c.") + vm::suffixOf(file));
        test.models.contourExport.save(file, path);
        EXPECT_TRUE(rests());
        QFile read(path);
        EXPECT_TRUE(read.open(QIODevice::ReadOnly)) << path.toStdString();
        return read.readAll();
    };
    const auto filed = contoursIn(save(vm::ContourFile::outline).toStdString());
    ASSERT_EQ(filed.size(), 1U);
    EXPECT_EQ(filed.front(), contours.nodes());
    const QByteArray trace = save(vm::ContourFile::trace);
    EXPECT_EQ(trace.count('\n'), contours.stateCount() + 1);
    EXPECT_TRUE(save(vm::ContourFile::drawing).contains("<svg"));
    EXPECT_TRUE(save(vm::ContourFile::region).startsWith("Iout"));
    static_cast<void>(save(vm::ContourFile::mask));
    const LoadedImage mask = readImage(folder.filePath(QStringLiteral("c.tif")).toStdString(), {});
    EXPECT_TRUE(samePixels(*mask.image, contourMask(contours.nodes(), 120, 120)));
    EXPECT_THAT(test.errors.texts, ::testing::IsEmpty());
    test.models.contourExport.save(vm::ContourFile::outline, folder.filePath(QStringLiteral("no/such/folder.geojson")));
    ASSERT_TRUE(rests());
    EXPECT_EQ(test.errors.titles.size(), 1);
}

TEST_F(ContourDock, WritesAFrameForEveryState) {
    start();
    finish();
    QTemporaryDir folder;
    ContourFrames frames(*test.window.canvas(), *test.part<OverlayLayer>("overlayLayer"), contours);
    QSignalSpy finished(&frames, &ContourFrames::finished);
    frames.start(folder.path());
    ASSERT_TRUE(QTest::qWaitFor([&] { return !finished.isEmpty(); }, 60000));
    EXPECT_EQ(finished.constFirst().at(0).toInt(), contours.stateCount());
    EXPECT_TRUE(finished.constFirst().at(1).toString().isEmpty());
    const QStringList names = QDir(folder.path()).entryList({QStringLiteral("*.png")}, QDir::Files, QDir::Name);
    ASSERT_EQ(names.size(), contours.stateCount());
    EXPECT_EQ(names.constFirst(), QStringLiteral("contour_0000.png"));
    const QImage first(folder.filePath(names.constFirst()));
    const QImage last(folder.filePath(names.constLast()));
    EXPECT_EQ(first.size(), test.window.canvas()->size() * test.window.canvas()->devicePixelRatio());
    const ContourNode corner = contours.currentRun()->record.nodes(0)[0];
    const QPoint onLine = (surfaceOf({corner.x + 20, corner.y}) * first.devicePixelRatio()).toPoint();
    int reddest = 0; // the line may lie between two rows of px
    for (int by = -1; by <= 1; ++by) {
        reddest = std::max(reddest, first.pixelColor(onLine + QPoint(0, by)).red());
    }
    EXPECT_GT(reddest, 200);
    EXPECT_NE(first.pixelColor(onLine), last.pixelColor(onLine));
    // A cancelled one stops soon, and keeps what is there.
    ContourFrames some(*test.window.canvas(), *test.part<OverlayLayer>("overlayLayer"), contours);
    QSignalSpy stopped(&some, &ContourFrames::finished);
    some.start(folder.filePath(QStringLiteral(".")));
    some.cancel();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !stopped.isEmpty(); }, kPatience));
    EXPECT_LT(stopped.constFirst().at(0).toInt(), contours.stateCount());
}

TEST_F(ContourDock, SeveralContoursJoinAreChosenAndLeave) {
    open();
    test.models.region.add({RegionShape::Kind::rectangle, {{35, 45}, {55, 75}}});
    test.models.region.add({RegionShape::Kind::rectangle, {{65, 45}, {85, 75}}});
    ASSERT_TRUE(rests());
    auto* which = test.part<QComboBox>("contourWhich");
    EXPECT_FALSE(which->isVisible());
    test.part<QAction>("contourFromShapes")->trigger();
    ASSERT_TRUE(rests());
    ASSERT_EQ(contours.contourCount(), 2) << contours.problem().toStdString();
    test.models.region.clear();
    ASSERT_TRUE(rests());
    EXPECT_TRUE(which->isVisible());
    EXPECT_EQ(which->count(), 2);
    // The one at hand is strong, the other one pale; both are tinted.
    const QColor strong = lineAt({45, 45});
    const QColor pale = lineAt({75, 45});
    EXPECT_GT(strong.alpha(), 200);
    EXPECT_GT(pale.alpha(), 100);
    EXPECT_GT(pale.blue(), strong.blue() + 40);
    EXPECT_GT(overlayAt({75, 60}).alpha(), 10);
    QTest::keyClick(which, Qt::Key_Down);
    EXPECT_EQ(contours.contour(), 1);
    EXPECT_GT(lineAt({45, 45}).blue(), lineAt({75, 45}).blue() + 40);
    finish();
    EXPECT_EQ(test.part<QLabel>("contourInsidePixels")->text(),
              QLocale().toString(static_cast<qlonglong>(contours.figures()->inside.pixels)));
    // A node of the other one takes hold of it.
    contours.scrub(0);
    const QPoint node = test.inWindow(test.window.canvas(), surfaceOf(contours.allNodes()[0][0]));
    test.press(node);
    test.release(node);
    EXPECT_EQ(contours.contour(), 0);
    EXPECT_EQ(which->currentIndex(), 0);
    contours.scrub(contours.stateCount() - 1);
    click("contourRemove");
    ASSERT_TRUE(rests());
    EXPECT_EQ(contours.contourCount(), 1);
    EXPECT_FALSE(which->isVisible());
    EXPECT_EQ(contours.runs().size(), 2U);
}

TEST_F(ContourDock, SelectedComponentsAndObjectsJoin) {
    open();
    const auto tree = test.models.document.tree();
    test.models.selection.select(NodeSet{tree->pixelNode[60 * 120 + 60]});
    ASSERT_TRUE(rests());
    EXPECT_FALSE(test.part<QAction>("contourFromObjects")->isEnabled());
    contours.startFrom({{2, 2}, {12, 2}, {12, 12}, {2, 12}}, {});
    ASSERT_TRUE(rests());
    ASSERT_TRUE(test.part<QAction>("contourAddSelection")->isEnabled());
    SnakeSpec spec = contours.spec();
    spec.minPixels = 1;
    contours.setSpec(spec);
    ASSERT_TRUE(rests());
    test.part<QAction>("contourAddSelection")->trigger();
    ASSERT_TRUE(rests());
    EXPECT_EQ(contours.contourCount(), 2) << contours.problem().toStdString();
}

TEST_F(ContourDock, AForbiddenAreaIsPaintedOnTheCanvas) {
    start();
    vm::ForbiddenArea& area = contours.forbidden();
    click("forbiddenPaint");
    ASSERT_TRUE(area.isPainting());
    test.part<QSpinBox>("forbiddenBrush")->setValue(7);
    const auto at = [&](double x, double y) {
        return test.inWindow(test.window.canvas(), scene().toSurface(QPointF(x, y)));
    };
    test.press(at(10.5, 20.5));
    test.move(at(10.5, 60.5));
    EXPECT_TRUE(area.isStroking());
    EXPECT_EQ(area.mask(), nullptr);
    test.release(at(10.5, 60.5));
    ASSERT_TRUE(rests());
    ASSERT_NE(area.mask(), nullptr);
    EXPECT_TRUE(area.mask()->test(10, 40));
    EXPECT_FALSE(area.mask()->test(20, 40));
    EXPECT_EQ(contours.currentRun()->forbidden, area.mask());
    EXPECT_NEAR(static_cast<double>(area.mask()->count()), 7 * 40 + 38, 30);
    // It is seen, hatched, and only there.
    const OverlayScene present = scene();
    QImage image(present.size.toSize(), QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    ForbiddenOverlay(contours).paint(painter, present);
    painter.end();
    EXPECT_GT(image.pixelColor(present.toSurface({10.5, 40.5}).toPoint()).alpha(), 30);
    EXPECT_EQ(image.pixelColor(present.toSurface({30.5, 40.5}).toPoint()).alpha(), 0);
    // Escape takes a stroke back, then ends the painting.
    const auto before = area.mask();
    test.press(at(100.5, 20.5));
    test.move(at(100.5, 60.5));
    QTest::keyClick(test.window.canvas(), Qt::Key_Escape);
    test.release(at(100.5, 60.5));
    EXPECT_EQ(area.mask(), before);
    EXPECT_TRUE(area.isPainting());
    click("forbiddenErase");
    test.press(at(10.5, 20.5));
    test.move(at(10.5, 40.5));
    test.release(at(10.5, 40.5));
    ASSERT_TRUE(rests());
    EXPECT_FALSE(area.mask()->test(10, 30));
    EXPECT_TRUE(area.mask()->test(10, 55));
    test.window.canvas()->setFocus();
    QTest::keyClick(test.window.canvas(), Qt::Key_Escape);
    EXPECT_FALSE(area.isPainting());
    test.part<QAction>("forbiddenClear")->trigger();
    ASSERT_TRUE(rests());
    EXPECT_EQ(area.mask(), nullptr);
    const auto tree = test.models.document.tree();
    test.models.selection.select(NodeSet{tree->pixelNode[0]});
    ASSERT_TRUE(rests());
    EXPECT_TRUE(test.part<QAction>("forbiddenFromSelection")->isEnabled());
    click("forbiddenPaint");
    test.part<QDockWidget>("contourDock")->close();
    EXPECT_FALSE(area.isPainting()) << "nothing is painted where it is not seen";
}

TEST_F(ContourDock, ContoursAreFollowedOverThePages) {
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("stack.tif"));
    const SharedImage page = disc();
    writeTiffPages(path.toStdString(), 3,
                   [&](int, const JobControl&) {
                       return WrittenPage{page, {}};
                   },
                   {.deflate = false, .carried = {}});
    test.models.document.open(path);
    ASSERT_TRUE(test.settle());
    showPanel(test.window, QStringLiteral("contour"));
    ASSERT_TRUE(rests());
    EXPECT_FALSE(test.part<QToolButton>("contourFollow")->isEnabled());
    test.part<QAction>("contourFromMiddle")->trigger();
    ASSERT_TRUE(rests());
    EXPECT_TRUE(test.part<QToolButton>("contourFollow")->isVisible());
    bool isSeen = false;
    QObject::connect(&contours, &Contours::followChanged, test.window.findChild<FollowBar*>(),
                     [&] { isSeen = isSeen || test.window.findChild<FollowBar*>()->isVisible(); });
    click("contourFollow");
    ASSERT_TRUE(QTest::qWaitFor([&] { return !contours.isFollowing(); }, kPatience));
    EXPECT_TRUE(isSeen);
    EXPECT_FALSE(test.window.findChild<FollowBar*>()->isVisible());
    ASSERT_TRUE(rests());
    const Contour end = contours.nodes();
    test.models.document.setPage(2);
    ASSERT_TRUE(QTest::qWaitFor([&] { return contours.current() == 0; }, kPatience));
    ASSERT_TRUE(rests());
    EXPECT_TRUE(contours.isFinished());
    EXPECT_FALSE(contours.nodes().empty());
    EXPECT_EQ(test.part<QSlider>("contourTimeline")->value(), contours.stateCount() - 1);
    EXPECT_FALSE(test.part<QToolButton>("contourFollow")->isEnabled()) << "the last page";
    test.models.document.setPage(0);
    ASSERT_TRUE(
        QTest::qWaitFor([&] { return test.models.document.page() == 0 && contours.current() == 0; }, kPatience));
    EXPECT_EQ(contours.nodes(), end);
}

TEST_F(ContourDock, TheCpuIsTheOnlyChoiceWithoutAnotherEngine) {
    start();
    auto* engine = test.part<QComboBox>("contourEngine");
    EXPECT_EQ(engine->count(), 1);
    EXPECT_FALSE(engine->isEnabled());
    EXPECT_TRUE(test.part<QComboBox>("contourMoves")->isEnabled());
    contours.setEngine({true, "named"});
    ASSERT_TRUE(rests());
    EXPECT_FALSE(test.part<QComboBox>("contourMoves")->isEnabled()) << "it has moves of its own";
}

TEST_F(ContourDock, AnotherEngineIsChosenInTheListBy) {
    class Device final : public Engine {
    public:
        [[nodiscard]] std::string name() const override { return "device"; }
        [[nodiscard]] std::string device() const override { return "a device"; }
        [[nodiscard]] std::string unusableReason() const override { return {}; }
        [[nodiscard]] std::uint64_t memoryBytes() const override { return 0; }
        [[nodiscard]] std::vector<AlgorithmInfo> algorithms() const override {
            return {{"whole", std::string(kSnakeJob), "device", "test"}};
        }
        [[nodiscard]] std::unique_ptr<Session> openSession(const SessionOptions& options) override {
            return cpu_.select("cpu").openSession(options);
        }
        [[nodiscard]] SnakeResult runSnake(const SnakeJob& job, const SnakeListener& listener,
                                           const JobControl& control) override {
            SnakeJob own = job;
            own.algorithm = job.algorithm == "whole" ? "parity" : job.algorithm;
            return pollard::runSnake(own, listener, control);
        }

    private:
        EngineRegistry cpu_;
    };
    TestWindow with(std::make_unique<Device>());
    Contours& own = with.models.contours;
    with.open("disc", disc());
    showPanel(with.window, QStringLiteral("contour"));
    with.part<QAction>("contourFromMiddle")->trigger();
    const auto calm = [&] {
        return with.settle() && QTest::qWaitFor([&] { return !own.isComputing() && !own.isPlaying(); }, kPatience);
    };
    ASSERT_TRUE(calm());
    auto* engine = with.part<QComboBox>("contourEngine");
    auto* moves = with.part<QComboBox>("contourMoves");
    ASSERT_EQ(engine->count(), 3);
    EXPECT_TRUE(engine->isEnabled());
    EXPECT_EQ(engine->itemText(1), QStringLiteral("device, for these moves"));
    EXPECT_EQ(engine->itemText(2), QStringLiteral("device: whole"));
    own.toEnd();
    ASSERT_TRUE(calm());
    const Contour stepwise = own.nodes();
    for (int row = 0; row < engine->count(); ++row) {
        EXPECT_FALSE(row > 0 && engine->itemData(row, Qt::ToolTipRole).toString().isEmpty());
    }
    with.part<QSlider>("contourTimeline")->setValue(0);
    engine->setFocus();
    QTest::keyClick(engine, Qt::Key_Down);
    ASSERT_TRUE(calm());
    EXPECT_EQ(own.engine(), (vm::ContourEngine{true, "", {}}));
    EXPECT_TRUE(moves->isEnabled());
    own.toEnd();
    ASSERT_TRUE(calm());
    EXPECT_EQ(own.nodes(), stepwise) << "with the same moves the same states";
    QTest::keyClick(engine, Qt::Key_Down);
    ASSERT_TRUE(calm());
    EXPECT_EQ(own.engine(), (vm::ContourEngine{true, "whole", {}}));
    EXPECT_FALSE(moves->isEnabled());
    own.selectRun(0);
    EXPECT_EQ(engine->currentIndex(), 0) << "that of the run at hand";
}

TEST_F(ContourDock, AForbiddenAreaIsTakenFromAFileThatIsChosen) {
    start();
    QTemporaryDir folder;
    const auto write = [&](const char* name, std::uint32_t side) {
        const SharedImage mask = makeImage(PixelType::u8, side, 120,
                                           [](std::uint32_t x, std::uint32_t y) { return x < 10 && y > 60 ? 200 : 0; });
        const QString path = folder.filePath(QLatin1String(name));
        writeTiff(path.toStdString(), *mask, {.deflate = false, .carried = {}});
        return path;
    };
    /// Opens the dialog and answers it.
    const auto choose = [&](const QString& path) {
        bool answered = false;
        QTimer poll;
        QObject::connect(&poll, &QTimer::timeout, &poll, [&] {
            auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
            if (dialog == nullptr || answered) {
                return;
            }
            answered = true;
            if (path.isEmpty()) {
                dialog->reject();
                return;
            }
            dialog->setDirectory(QFileInfo(path).path());
            dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"))->setText(path);
            static_cast<QDialog*>(dialog)->accept();
        });
        poll.start(20);
        test.part<QAction>("forbiddenFromImage")->trigger();
        return answered;
    };
    vm::ForbiddenArea& area = contours.forbidden();
    const auto idle = [&] { return QTest::qWaitFor([&] { return !area.isBusy(); }, kPatience) && rests(); };
    ASSERT_TRUE(choose({}));
    ASSERT_TRUE(idle());
    EXPECT_EQ(area.mask(), nullptr);
    ASSERT_TRUE(choose(write("mask.tif", 120)));
    ASSERT_TRUE(idle());
    ASSERT_NE(area.mask(), nullptr);
    EXPECT_EQ(area.mask()->count(), 10U * 59);
    EXPECT_TRUE(area.mask()->test(9, 61));
    EXPECT_EQ(contours.currentRun()->forbidden, area.mask());
    const auto before = area.mask();
    ASSERT_TRUE(choose(write("narrow.tif", 90)));
    ASSERT_TRUE(idle());
    EXPECT_EQ(area.mask(), before) << "one of another size is told of";
    ASSERT_FALSE(test.errors.texts.isEmpty());
    EXPECT_TRUE(test.errors.texts.back().contains(QStringLiteral("90")));
}

#ifdef POLLARD_CLI_BINARY
TEST_F(ContourDock, ContoursApartEndAsThoseOfTheCommandLine) {
    const auto image = makeImage(PixelType::u8, 120, 120, [](std::uint32_t x, std::uint32_t y) {
        const auto isIn = [&](int cx, int cy) {
            const int dx = static_cast<int>(x) - cx;
            const int dy = static_cast<int>(y) - cy;
            return dx * dx + dy * dy < 15 * 15;
        };
        return (isIn(30, 30) || isIn(85, 80) ? 130 : 70) + static_cast<int>((x * 7 + y * y * 3) % 23);
    });
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("discs.tif"));
    writeTiff(path.toStdString(), *image, {.deflate = false, .carried = {}});
    test.models.document.open(path);
    ASSERT_TRUE(test.settle());
    showPanel(test.window, QStringLiteral("contour"));
    auto* several = test.part<QComboBox>("contourSeveral");
    auto* margin = test.part<QSpinBox>("contourMargin");
    EXPECT_FALSE(margin->isEnabled());
    several->setFocus();
    QTest::keyClick(several, Qt::Key_Down);
    EXPECT_TRUE(margin->isEnabled());
    margin->setValue(14);
    EXPECT_EQ(contours.engine(), (vm::ContourEngine{false, "", 14}));
    contours.startFromAll({{{24, 24}, {34, 24}, {34, 34}, {24, 34}}, {{80, 74}, {90, 74}, {90, 86}, {80, 86}}}, {});
    ASSERT_TRUE(rests());
    contours.toEnd();
    ASSERT_TRUE(rests());
    ASSERT_EQ(contours.problem(), QString());
    QProcess cli;
    cli.start(QStringLiteral(POLLARD_CLI_BINARY),
              {QStringLiteral("snake"), path, QStringLiteral("--engine"), QStringLiteral("cpu"),
               QStringLiteral("--init"), QStringLiteral("24,24,10,10"), QStringLiteral("--init"),
               QStringLiteral("80,74,10,12"), QStringLiteral("--apart"), QStringLiteral("14"),
               QStringLiteral("--geojson"), folder.filePath(QStringLiteral("cli.geojson"))});
    ASSERT_TRUE(cli.waitForFinished(kPatience));
    ASSERT_EQ(cli.exitCode(), 0) << cli.readAllStandardError().constData();
    const auto expected = readContours(folder.filePath(QStringLiteral("cli.geojson")).toStdString());
    EXPECT_EQ(contours.allNodes(), expected);
    QTest::keyClick(several, Qt::Key_Up); // the same shapes share a background now
    ASSERT_TRUE(rests());
    EXPECT_EQ(contours.engine(), vm::ContourEngine());
    EXPECT_FALSE(margin->isEnabled());
    test.part<QAction>("undo")->trigger();
    EXPECT_EQ(several->currentIndex(), 1);
    EXPECT_EQ(margin->value(), 14);
}
#endif

} // namespace
} // namespace pollard::app
