// The objects dock in the real window: controls, table, image.
#include "app/test_window.hpp"

#include "docks/objects/objects_chart_panel.hpp"
#include "docks/objects/objects_panel.hpp"
#include "docks/objects/objects_table.hpp"
#include "overlays/objects_overlay.hpp"
#include "overlays/overlay_layer.hpp"
#include "shell/help_browser.hpp"
#include "support/channel_files.hpp"
#include "support/result_files.hpp"
#include "widgets/panel_parts.hpp"
#include "widgets/range_slider.hpp"
#include "window/panel_dock.hpp"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QDockWidget>
#include <QFile>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QSlider>
#include <QSpinBox>
#include <QTextBrowser>
#include <QToolButton>
#include <QTreeView>

#include <cstdlib>
#include <set>

namespace pollard::app {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using State = vm::ObjectsViewModel::State;

/// Four bright squares of 20, 30, 40 and 50 px side by side.
SharedImage squares() {
    return makeImage(PixelType::u8, 240, 80, [](std::uint32_t x, std::uint32_t y) {
        const std::uint32_t number = x / 60;
        const std::uint32_t side = 20 + 10 * number;
        const bool in = x % 60 >= 5 && x % 60 < 5 + side && y >= 10 && y < 10 + side;
        return in ? 150 + static_cast<int>(number) * 20 : 30;
    });
}

class ObjectsDock : public ::testing::Test {
protected:
    TestWindow test;
    vm::ObjectsViewModel& objects = test.models.objects;
    vm::ObjectTableModel& table = test.models.objectTable;

    [[nodiscard]] bool rests() {
        return test.settle() && QTest::qWaitFor(
                                    [this] {
                                        return objects.state() != State::computing && !table.isListing() &&
                                               !test.models.objectExport.isBusy();
                                    },
                                    kPatience);
    }
    void open() {
        test.open("squares", squares());
        showPanel(test.window, QStringLiteral("objects"));
        ASSERT_TRUE(rests());
        ASSERT_EQ(table.rowCount(), 4);
        test.models.display.setZoom(2);
        test.models.display.setCentre({120, 40});
        ASSERT_TRUE(test.isLaidOut());
    }
    [[nodiscard]] OverlayScene scene() { return test.part<OverlayLayer>("overlayLayer")->scene(); }
    void clickImage(double x, double y, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
        QTest::mouseClick(test.window.canvas(), Qt::LeftButton, modifiers, scene().toSurface({x, y}).toPoint());
    }
    [[nodiscard]] const std::vector<std::uint32_t>& selected() { return table.marks().selected(); }
    void click(const char* button) { QTest::mouseClick(test.part<QToolButton>(button), Qt::LeftButton); }
    /// Colour of the overlay alone at a position of the image.
    [[nodiscard]] QColor overlayAt(double x, double y) {
        const OverlayScene present = scene();
        QImage image(present.size.toSize(), QImage::Format_ARGB32_Premultiplied);
        image.fill(Qt::transparent);
        QPainter painter(&image);
        ObjectsOverlay(objects, table, test.models.display).paint(painter, present);
        painter.end();
        return image.pixelColor(present.toSurface({x, y}).toPoint());
    }
    [[nodiscard]] std::vector<std::uint32_t> rowsOfView() {
        std::vector<std::uint32_t> labels;
        for (int row = 0; row < table.rowCount(); ++row) {
            labels.push_back(table.data(table.index(row, 0), Qt::UserRole).toUInt());
        }
        return labels;
    }
};

TEST_F(ObjectsDock, SaysWhatToDoWhenItIsEmpty) {
    auto* text = test.part<QLabel>("objectsEmpty");
    showPanel(test.window, QStringLiteral("objects"));
    EXPECT_FALSE(text->isVisible());
    test.open("flat", makeImage(PixelType::u8, 30, 30, [](auto, auto) { return 9; }));
    ASSERT_TRUE(rests());
    EXPECT_TRUE(text->isVisible());
    EXPECT_TRUE(text->text().contains(QStringLiteral("only one"))) << text->text().toStdString();
    open();
    EXPECT_FALSE(text->isVisible());
    EXPECT_TRUE(test.part<ObjectsTable>("objectsTable")->isVisible());
    objects.setLevels(31, 149);
    ASSERT_TRUE(rests());
    EXPECT_TRUE(text->text().contains(QStringLiteral("No pixel has a level from 31 to 149")));
    objects.setThreshold(ThresholdMethod::otsu);
    table.setCondition(QStringLiteral("area > 1e9"));
    ASSERT_TRUE(rests());
    EXPECT_TRUE(text->text().contains(QStringLiteral("None of the 4 objects meets"))) << text->text().toStdString();
}

TEST_F(ObjectsDock, HasOneRowOfButtonsAndOneSectionBesideTheImage) {
    test.part<QAction>("workspace-objects")->trigger();
    open();
    const int row = test.part<QToolButton>("objectsEdit")->y();
    EXPECT_EQ(test.part<QToolButton>("objectsSave")->y(), row);
    auto* const score = test.part<QToolButton>("objectsShowScore");
    auto* const tracks = test.part<QToolButton>("objectsShowTracks");
    const auto* const rows = test.part<ObjectsTable>("objectsTable");
    click("objectsShowScore");
    ASSERT_TRUE(test.isLaidOut());
    EXPECT_TRUE(score->isChecked());
    EXPECT_GE(rows->viewport()->height(), 3 * rows->rowHeight(0));
    click("objectsShowTracks");
    ASSERT_TRUE(test.isLaidOut());
    EXPECT_TRUE(tracks->isChecked());
    EXPECT_FALSE(score->isChecked());
    EXPECT_FALSE(test.part<QWidget>("scorePanel")->isVisible());
    click("objectsShowTracks");
    EXPECT_FALSE(tracks->isChecked());
    auto* const panel = test.part<QDockWidget>("objectsDock")->findChild<ObjectsPanel*>();
    panel->setTall(false);
    click("objectsShowTracks");
    click("objectsShowScore");
    EXPECT_TRUE(tracks->isChecked() && score->isChecked()) << "below the image there is room";
    panel->setTall(true);
    EXPECT_FALSE(tracks->isChecked());
    EXPECT_TRUE(score->isChecked());
}

TEST_F(ObjectsDock, FindsNothingWhileItIsHidden) {
    open();
    test.part<QDockWidget>("objectsDock")->close();
    EXPECT_FALSE(objects.isActive());
    EXPECT_EQ(table.rowCount(), 0);
    EXPECT_EQ(overlayAt(15, 20).alpha(), 0);
}

TEST_F(ObjectsDock, ColoursLieOverOtherWorkspacesOnlyOnRequest) {
    test.part<QAction>("workspace-objects")->trigger();
    open();
    ASSERT_GT(overlayAt(15, 20).alpha(), 0);
    test.part<QAction>("workspace-contour")->trigger();
    ASSERT_TRUE(rests());
    EXPECT_EQ(overlayAt(15, 20).alpha(), 0) << "the contour has the image for itself";
    auto* box = test.part<QCheckBox>("contourShowObjects");
    EXPECT_FALSE(box->isChecked());
    box->click();
    ASSERT_TRUE(rests());
    EXPECT_GT(overlayAt(15, 20).alpha(), 0);
    test.part<QAction>("workspace-explore")->trigger();
    ASSERT_TRUE(rests());
    EXPECT_GT(overlayAt(15, 20).alpha(), 0) << "the choice is kept";
    QAction* everywhere = test.part<QAction>("objectsEverywhere");
    EXPECT_TRUE(everywhere->isChecked());
    everywhere->trigger();
    EXPECT_EQ(overlayAt(15, 20).alpha(), 0);
    test.part<QAction>("workspace-objects")->trigger();
    ASSERT_TRUE(rests());
    EXPECT_GT(overlayAt(15, 20).alpha(), 0);
}

TEST_F(ObjectsDock, ColoursAndTheTrackGoBehindAnotherTab) {
    open();
    auto* dock = test.part<QDockWidget>("objectsDock");
    auto* chain = test.part<QDockWidget>("chainDock");
    chain->show();
    test.window.tabifyDockWidget(dock, chain);
    chain->raise();
    ASSERT_TRUE(QTest::qWaitFor([this] { return !objects.isActive(); }, kPatience));
    EXPECT_EQ(overlayAt(15, 20).alpha(), 0) << "a component of the chain shows through";
    dock->raise();
    ASSERT_TRUE(QTest::qWaitFor([this] { return objects.isActive(); }, kPatience));
    ASSERT_TRUE(rests());
    EXPECT_EQ(table.rowCount(), 4);
}

TEST_F(ObjectsDock, AMinimisedWindowKeepsItsObjects) {
    open();
    auto* dock = test.part<QDockWidget>("objectsDock");
    test.window.setWindowState(Qt::WindowMinimized);
    emit dock->visibilityChanged(false); // as on a desktop that hides the parts of a minimised window
    EXPECT_TRUE(objects.isActive());
    test.window.setWindowState(Qt::WindowNoState);
    emit dock->visibilityChanged(false);
    EXPECT_FALSE(objects.isActive());
}

TEST_F(ObjectsDock, ControlsSetWhatMakesObjects) {
    open();
    auto* threshold = test.part<QComboBox>("objectsThreshold");
    EXPECT_EQ(threshold->currentText(), QStringLiteral("Otsu"));
    auto* low = test.part<QDoubleSpinBox>("objectsLow");
    low->setValue(160);
    EXPECT_EQ(threshold->currentText(), QStringLiteral("By hand"));
    ASSERT_TRUE(rests());
    EXPECT_EQ(table.rowCount(), 3);
    auto* range = test.part<RangeSlider>("objectsRange");
    QTest::keyClick(range->upperHandle(), Qt::Key_Left);
    EXPECT_EQ(objects.levels().high, 209);
    ASSERT_TRUE(rests());
    EXPECT_EQ(table.rowCount(), 2) << "without the brightest";
    QTest::keyClick(threshold, Qt::Key_T);
    EXPECT_EQ(objects.threshold(), ThresholdMethod::triangle);
    test.part<QCheckBox>("objectsDark")->click();
    EXPECT_TRUE(objects.option(&ObjectRule::dark));
    QTest::keyClick(test.part<QComboBox>("objectsConnectivity"), Qt::Key_4);
    EXPECT_EQ(objects.connectivity(), Connectivity::four);
    EXPECT_EQ(objects.source(), StepImage::result);
    EXPECT_TRUE(test.part<QComboBox>("objectsSource")->currentText().startsWith(QStringLiteral("Result")));
    QTest::keyClick(test.part<QComboBox>("objectsSource"), Qt::Key_Down);
    EXPECT_EQ(objects.source(), StepImage::original);
    test.part<QCheckBox>("objectsFillHoles")->click();
    EXPECT_TRUE(objects.option(&ObjectRule::fillHoles));
    test.part<QCheckBox>("objectsWithoutBorder")->click();
    EXPECT_TRUE(objects.option(&ObjectRule::withoutBorder));
    EXPECT_FALSE(test.part<QSlider>("objectsSplitStrength")->isEnabled());
    QTest::keyClick(test.part<QComboBox>("objectsSplit"), Qt::Key_Down);
    EXPECT_EQ(objects.split(), (ObjectSplit{SplitBy::shape, .8}));
    test.part<QSlider>("objectsSplitStrength")->setValue(65);
    EXPECT_EQ(objects.split(), (ObjectSplit{SplitBy::shape, .65}));
    objects.setSplit(std::nullopt);
    EXPECT_EQ(test.part<QComboBox>("objectsSplit")->currentText(), QStringLiteral("No"));
    EXPECT_EQ(objects.splitStrength(), .65) << "kept for the next split";
    objects.setOption(&ObjectRule::fillHoles, false);
    EXPECT_FALSE(test.part<QCheckBox>("objectsFillHoles")->isChecked());
    test.part<QSlider>("objectsOpacity")->setValue(80);
    EXPECT_EQ(objects.opacity(), 0.8);
}

TEST_F(ObjectsDock, CountsWhatAPresetLeavesInTheImage) {
    test.window.openFile(QStringLiteral(POLLARD_SOURCE_DIR "/resources/samples/cells_uneven_384_u16.tif"));
    ASSERT_TRUE(rests());
    showPanel(test.window, QStringLiteral("objects"));
    test.part<QAction>("preset-uneven-background")->trigger();
    ASSERT_TRUE(test.settle() && rests());
    ASSERT_EQ(test.models.document.resultSpec().output, Output::residue);
    EXPECT_EQ(table.rowCount(), 60);
    EXPECT_TRUE(test.part<ElidedLabel>("objectsSummary")->fullText().startsWith(QStringLiteral("60 objects")));
    objects.setSource(StepImage::original);
    ASSERT_TRUE(rests());
    EXPECT_NE(table.rowCount(), 60) << "the uneven ground is one of them";
}

TEST_F(ObjectsDock, SaysWhatLabelsMeasureAndWhatTheBorderHides) {
    open();
    auto* measured = test.part<QLabel>("objectsMeasured");
    EXPECT_FALSE(measured->isVisible());
    test.models.filter.setRange(500, 5000); // excludes the whole image
    test.models.filter.setOutput(Output::labels);
    ASSERT_TRUE(rests());
    EXPECT_TRUE(measured->isVisible());
    EXPECT_TRUE(measured->text().contains(QStringLiteral("numbers")));
    test.models.filter.setOutput(Output::mask);
    ASSERT_TRUE(rests());
    EXPECT_TRUE(measured->isVisible());
    EXPECT_TRUE(measured->text().contains(QStringLiteral("measured in the original")));
    EXPECT_EQ(table.rowCount(), 3) << "of 900 px and more";
    objects.setSource(StepImage::original);
    objects.setOption(&ObjectRule::dark, true); // the background
    objects.setOption(&ObjectRule::withoutBorder, true);
    ASSERT_TRUE(rests());
    EXPECT_EQ(table.rowCount(), 0);
    const QString empty = test.part<QLabel>("objectsEmpty")->text();
    EXPECT_TRUE(empty.contains(QStringLiteral("touch the border (1)"))) << empty.toStdString();
}

TEST_F(ObjectsDock, LeadsToTheDefinitionsOfFeatures) {
    open();
    test.part<QAction>("objectsFeatureHelp")->trigger();
    const auto* browser = test.window.findChild<HelpBrowser*>();
    ASSERT_NE(browser, nullptr);
    const auto* text = browser->findChild<QTextBrowser*>(QStringLiteral("helpText"));
    EXPECT_TRUE(text->toPlainText().contains(QStringLiteral("perimeter_imagej")));
    EXPECT_GT(text->verticalScrollBar()->value(), 0) << "at the heading";
}

TEST_F(ObjectsDock, AClickInTheImageSelectsTheRowAndTheOtherWayRound) {
    open();
    auto* view = test.part<ObjectsTable>("objectsTable");
    clickImage(130, 20);
    EXPECT_THAT(selected(), ElementsAre(3));
    ASSERT_EQ(view->selectionModel()->selectedRows().size(), 1);
    EXPECT_EQ(view->selectionModel()->selectedRows().constFirst().row(), 2);
    clickImage(15, 20, Qt::ControlModifier);
    EXPECT_THAT(selected(), ElementsAre(3, 1));
    EXPECT_EQ(view->selectionModel()->selectedRows().size(), 2);
    clickImage(2, 2);
    EXPECT_THAT(selected(), IsEmpty()) << "beside all objects";
    const QRect cell = view->visualRect(table.index(1, 1));
    QTest::mouseClick(view->viewport(), Qt::LeftButton, Qt::NoModifier, cell.center());
    EXPECT_THAT(selected(), ElementsAre(2));
    EXPECT_TRUE(test.part<QLabel>("objectsSummary")->toolTip().contains(QStringLiteral("1 selected")));
    view->selectAll();
    EXPECT_EQ(selected().size(), 4U);
    test.models.display.setZoom(12);
    view->scrollTo(table.index(3, 1));
    const QPoint fourth = view->visualRect(table.index(3, 1)).center();
    QTest::mouseClick(view->viewport(), Qt::LeftButton, Qt::NoModifier, fourth);
    QTest::mouseDClick(view->viewport(), Qt::LeftButton, Qt::NoModifier, fourth);
    EXPECT_NEAR(test.models.display.centre().x(), 210, 0.6) << "brought to the middle";
    // A drag moves the image and selects nothing.
    table.marks().select({});
    const QPoint from = test.inWindow(test.window.canvas(), scene().toSurface({208, 34}));
    test.press(from);
    test.move(from + QPoint(30, 10));
    test.release(from + QPoint(30, 10));
    EXPECT_THAT(selected(), IsEmpty());
}

TEST_F(ObjectsDock, ColoursObjectsByTheirLabels) {
    open();
    std::set<QRgb> colours;
    for (const auto& [x, label] : {std::pair{15, 1}, {80, 2}, {140, 3}, {200, 4}}) {
        const QColor colour = overlayAt(x, 20);
        EXPECT_NEAR(colour.alphaF(), objects.opacity(), 0.02);
        const QColor pure(objectColour(static_cast<std::uint32_t>(label)));
        EXPECT_NEAR(colour.red(), pure.red(), 4);
        EXPECT_NEAR(colour.green(), pure.green(), 4);
        EXPECT_NEAR(colour.blue(), pure.blue(), 4);
        colours.insert(pure.rgb());
    }
    EXPECT_EQ(colours.size(), 4U);
    EXPECT_EQ(overlayAt(2, 2).alpha(), 0);
    clickImage(130, 20);
    EXPECT_EQ(overlayAt(125.3, 30).rgb(), QColor(Qt::white).rgb()) << "the left side of object 3";
    EXPECT_NE(overlayAt(140, 30).rgb(), QColor(Qt::white).rgb());
    table.setCondition(QStringLiteral("label != 2"));
    ASSERT_TRUE(rests());
    EXPECT_EQ(overlayAt(80, 20).alpha(), 0);
    // On the screen, too: the overlay tints the grey image.
    test.models.objects.setOpacity(1);
    const auto seen = [this] {
        const QImage shot = test.window.canvas()->grab().toImage();
        return shot.pixelColor((scene().toSurface({200, 20}) * shot.devicePixelRatio()).toPoint()).rgb();
    };
    EXPECT_TRUE(QTest::qWaitFor([&] { return seen() == objectColour(4); }, kPatience));
}

TEST(ObjectColours, OfNeighbouringLabelsLookDifferent) {
    for (std::uint32_t label = 1; label < 3000; ++label) {
        for (std::uint32_t other = label + 1; other <= label + 4; ++other) {
            const QColor a(objectColour(label));
            const QColor b(objectColour(other));
            const int distance =
                std::abs(a.red() - b.red()) + std::abs(a.green() - b.green()) + std::abs(a.blue() - b.blue());
            ASSERT_GT(distance, 60) << label << " and " << other;
        }
    }
}

TEST_F(ObjectsDock, SortsFiltersDeletesAndUndoes) {
    open();
    auto* view = test.part<ObjectsTable>("objectsTable");
    const auto clickHeader = [&](int column) {
        const QHeaderView* header = view->horizontalHeader();
        QTest::mouseClick(header->viewport(), Qt::LeftButton, Qt::NoModifier,
                          QPoint(header->sectionViewportPosition(column) + 20, header->height() / 2));
        EXPECT_TRUE(rests());
    };
    clickHeader(1);
    clickHeader(1);
    EXPECT_THAT(rowsOfView(), ElementsAre(4, 3, 2, 1)) << "area, downwards";
    auto* condition = test.part<QLineEdit>("objectsCondition");
    condition->setFocus();
    QTest::keyClicks(condition, QStringLiteral("area > 400 && grey_mean < 200"));
    ASSERT_TRUE(rests());
    EXPECT_THAT(rowsOfView(), ElementsAre(3, 2));
    auto* problem = test.part<QLabel>("objectsConditionProblem");
    EXPECT_FALSE(problem->isVisible());
    QTest::keyClicks(condition, QStringLiteral(" &&"));
    EXPECT_TRUE(problem->isVisible());
    EXPECT_TRUE(problem->text().contains(QStringLiteral("at the end"))) << problem->text().toStdString();
    condition->clear();
    ASSERT_TRUE(rests());
    EXPECT_FALSE(problem->isVisible());
    EXPECT_FALSE(test.part<QToolButton>("objectsDelete")->isEnabled());
    table.marks().select(std::vector<std::uint32_t>{2});
    click("objectsDelete");
    ASSERT_TRUE(rests());
    EXPECT_THAT(rowsOfView(), ElementsAre(4, 3, 1));
    EXPECT_EQ(overlayAt(80, 20).alpha(), 0);
    view->setFocus();
    view->selectRow(0);
    QTest::keyClick(view, Qt::Key_Delete);
    ASSERT_TRUE(rests());
    EXPECT_THAT(rowsOfView(), ElementsAre(3, 1));
    QTest::keyClick(view, Qt::Key_Z, Qt::ControlModifier);
    ASSERT_TRUE(rests());
    EXPECT_THAT(rowsOfView(), ElementsAre(4, 3, 1));
    click("objectsRedo");
    ASSERT_TRUE(rests());
    EXPECT_THAT(rowsOfView(), ElementsAre(3, 1));
    table.marks().select(std::vector<std::uint32_t>{1});
    click("objectsKeep");
    ASSERT_TRUE(rests());
    EXPECT_THAT(rowsOfView(), ElementsAre(1));
    for (int i = 0; i < 3; ++i) {
        click("objectsUndo");
    }
    ASSERT_TRUE(rests());
    EXPECT_EQ(table.rowCount(), 4);
}

TEST_F(ObjectsDock, ShowsTheColumnsThatAreChosen) {
    open();
    auto* view = test.part<ObjectsTable>("objectsTable");
    const int columns = table.columnCount();
    test.part<QAction>("objectsColumn-holes")->trigger();
    EXPECT_EQ(table.columnCount(), columns + 1);
    test.part<QAction>("objectsColumn-area")->trigger();
    EXPECT_EQ(table.columnCount(), columns);
    EXPECT_NE(view->horizontalHeader()->count(), 0);
    EXPECT_FALSE(test.part<QComboBox>("objectsUnits")->isEnabled());
    EXPECT_FALSE(test.part<QComboBox>("objectsUnits")->toolTip().isEmpty());
}

TEST_F(ObjectsDock, WritesTheListedObjects) {
    QTemporaryDir folder;
    open();
    auto* panel = test.window.findChild<ObjectsPanel*>();
    QSignalSpy asked(panel, &ObjectsPanel::saveRequested);
    table.setCondition(QStringLiteral("label > 1"));
    ASSERT_TRUE(rests());
    // Native file dialogs cannot be driven; their actions are called directly.
    for (const vm::ObjectFile file : testing::writtenKinds(kObjectFiles)) {
        const QString path = folder.filePath(QStringLiteral("o.") + vm::suffixOf(file));
        test.models.objectExport.save(file, path);
        EXPECT_FALSE(test.models.objectExport.isAvailable()) << "one at a time";
        ASSERT_TRUE(rests());
        QFile written(path);
        ASSERT_TRUE(written.open(QIODevice::ReadOnly)) << path.toStdString();
        const QByteArray content = written.readAll();
        if (file == vm::ObjectFile::table) {
            EXPECT_EQ(content.count('\n'), 4);
        } else if (file == vm::ObjectFile::outlines) {
            EXPECT_EQ(content.count("\"Feature\""), 3);
        } else if (file == vm::ObjectFile::regions) {
            EXPECT_EQ(content.count("Iout"), 3);
        } else if (file == vm::ObjectFile::vector) {
            EXPECT_TRUE(content.startsWith("SQLite format 3"));
        } else {
            EXPECT_EQ(readImageInfo(path.toStdString()).bits, 16);
        }
    }
    EXPECT_TRUE(test.errors.texts.isEmpty());
    test.models.objectExport.save(vm::ObjectFile::table, folder.filePath(QStringLiteral("no/such/folder.csv")));
    ASSERT_TRUE(rests());
    EXPECT_EQ(test.errors.titles.size(), 1);
    EXPECT_TRUE(test.part<QToolButton>("objectsSave")->isEnabled());
}

TEST_F(ObjectsDock, SortsObjectsIntoClasses) {
    open();
    auto* list = test.part<QTreeView>("classesList");
    auto* add = test.part<QPushButton>("classesAdd");
    EXPECT_FALSE(add->isVisible());
    click("objectsShowClasses");
    EXPECT_TRUE(add->isVisible());
    EXPECT_FALSE(add->isEnabled()) << "there is no condition";
    EXPECT_FALSE(list->isVisible()) << "there is no class";
    const auto addClass = [&](const char* condition, const char* name) {
        test.part<QLineEdit>("objectsCondition")->setText(QString::fromUtf8(condition));
        QTest::mouseClick(add, Qt::LeftButton);
        auto* editor = list->viewport()->findChild<QLineEdit*>();
        ASSERT_NE(editor, nullptr) << "the name is edited at once";
        QTest::keyClicks(editor, QString::fromUtf8(name));
        QTest::keyClick(editor, Qt::Key_Return);
        ASSERT_TRUE(rests());
    };
    addClass("area > 500", "large");
    EXPECT_EQ(test.part<QLineEdit>("objectsCondition")->text(), QString());
    EXPECT_EQ(table.rowCount(), 4);
    addClass("area > 2000", "very large");
    const auto shownAt = [&](double x) {
        const QColor colour = overlayAt(x, 20);
        for (int row = 0; row < objects.classes().rowCount(); ++row) {
            const QColor own = objects.classes().colour(row);
            if (std::abs(colour.red() - own.red()) + std::abs(colour.green() - own.green()) +
                    std::abs(colour.blue() - own.blue()) <
                12) {
                return objects.classes().index(row, 0).data().toString();
            }
        }
        return colour.saturation() < 10 ? QStringLiteral("grey") : QString();
    };
    EXPECT_EQ(shownAt(15), QStringLiteral("grey"));
    EXPECT_EQ(shownAt(80), QStringLiteral("large"));
    EXPECT_EQ(shownAt(200), QStringLiteral("large")) << "the first class whose condition holds";
    click("classesUp");
    ASSERT_TRUE(rests());
    EXPECT_EQ(shownAt(200), QStringLiteral("very large"));
    EXPECT_EQ(list->model()->index(0, 2).data().toString(), QStringLiteral("1"));
    EXPECT_TRUE(test.part<QLabel>("classesText")->text().endsWith(QStringLiteral(": 1")));

    // The points of the chart have the colours, too.
    click("objectsShowChart");
    auto* view = test.part<ObjectChartView>("objectsChart");
    auto& chart = test.window.findChild<ObjectsChartPanel*>()->model();
    ASSERT_TRUE(QTest::qWaitFor([&] { return chart.chart() != nullptr; }, kPatience));
    const ChartPoint last = chart.chart()->points[3];
    const QColor point = view->grab().toImage().pixelColor(view->pixelOf({last.x, last.y}).toPoint());
    EXPECT_NEAR(point.hsvHue(), objects.classes().colour(0).hsvHue(), 6);

    click("classesRemove");
    ASSERT_TRUE(rests());
    EXPECT_EQ(shownAt(200), QStringLiteral("large"));
    click("objectsUndo");
    ASSERT_TRUE(rests());
    EXPECT_EQ(shownAt(200), QStringLiteral("very large"));
}

TEST_F(ObjectsDock, MeasuresInChosenChannels) {
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("c.tif"));
    test::writeChannelPages(path.toStdString(), {test::makeChannel("DAPI"), test::makeChannel("GFP")}, 60, 40,
                            [](int channel, auto x, auto y) { return x > 10 && x < 30 && y > 5 ? 1000 + channel : 0; });
    test.window.openFile(path);
    showPanel(test.window, QStringLiteral("objects"));
    ASSERT_TRUE(rests());
    auto* button = test.part<QPushButton>("objectsChannels");
    EXPECT_EQ(button->accessibleDescription(), QStringLiteral("This channel"));
    auto* list = test.part<QListWidget>("measureChannels");
    auto* pairs = test.part<QCheckBox>("measurePairs");
    ASSERT_EQ(list->count(), 2);
    EXPECT_FALSE(pairs->isEnabled()) << "no channel is chosen";
    list->item(1)->setCheckState(Qt::Checked);
    EXPECT_EQ(button->accessibleDescription(), QStringLiteral("GFP"));
    ASSERT_TRUE(rests());
    EXPECT_THAT(table.channelColumns(), ::testing::Contains("mean[GFP]"));
    EXPECT_THAT(table.channelColumns(), ::testing::Not(::testing::Contains("mean[DAPI]")));
    list->item(0)->setCheckState(Qt::Checked);
    EXPECT_TRUE(test.part<QCheckBox>("measureAll")->isChecked());
    pairs->click();
    test.part<QSpinBox>("measureRing")->setValue(3);
    EXPECT_EQ(button->accessibleDescription(), QStringLiteral("All channels, pairs, ring 3 px"));
    EXPECT_THAT(table.channelColumns(), ::testing::Contains("pearson[DAPI,GFP]"));
    EXPECT_THAT(table.channelColumns(), ::testing::Contains("ring[DAPI]"));
    test.part<QCheckBox>("measureAll")->click();
    EXPECT_EQ(list->item(0)->checkState(), Qt::Unchecked);
    EXPECT_THAT(table.channelColumns(), IsEmpty());
    auto* counted = test.part<QComboBox>("measureCounted");
    ASSERT_EQ(counted->count(), 3) << "none, and the channels";
    EXPECT_FALSE(test.part<QLineEdit>("measureCountedFrom")->isEnabled());
    counted->setCurrentIndex(2);
    emit counted->activated(2);
    EXPECT_THAT(table.channelColumns(), ::testing::ElementsAre("count[GFP]"));
    EXPECT_EQ(button->accessibleDescription(), QStringLiteral("This channel, count of GFP"));
    test.part<QLineEdit>("measureCountedFrom")->setText(QStringLiteral("500"));
    emit test.part<QLineEdit>("measureCountedFrom")->editingFinished();
    EXPECT_EQ(test.models.objects.channels().counted(), (CountedChannel{"GFP", 500}));
    counted->setCurrentIndex(0);
    emit counted->activated(0);
    EXPECT_THAT(table.channelColumns(), IsEmpty());
}

TEST_F(ObjectsDock, ChartSelectsObjects) {
    open();
    auto* view = test.part<ObjectChartView>("objectsChart");
    EXPECT_FALSE(view->isVisible());
    click("objectsShowChart");
    auto& chart = test.window.findChild<ObjectsChartPanel*>()->model();
    ASSERT_TRUE(QTest::qWaitFor([&] { return chart.chart() != nullptr; }, kPatience));
    ASSERT_EQ(chart.chart()->points.size(), 4U);
    const ChartPoint third = chart.chart()->points[2];
    QTest::mouseClick(view, Qt::LeftButton, Qt::NoModifier, view->pixelOf({third.x, third.y}).toPoint());
    EXPECT_THAT(selected(), ElementsAre(3));
    EXPECT_EQ(test.part<ObjectsTable>("objectsTable")->selectionModel()->selectedRows().size(), 1);
    // A drag over the left half selects the two smaller objects.
    const auto drag = [&](QPointF from, QPointF to) {
        QTest::mousePress(view, Qt::LeftButton, Qt::NoModifier, from.toPoint());
        QTest::mouseMove(view, ((from + to) / 2).toPoint());
        QTest::mouseMove(view, to.toPoint());
        QTest::mouseRelease(view, Qt::LeftButton, Qt::NoModifier, to.toPoint());
    };
    drag(view->plot().topLeft() - QPointF(5, 3), view->pixelOf({0.4, 0}) + QPointF(0, 8));
    EXPECT_TRUE(QTest::qWaitFor([&] { return selected() == std::vector<std::uint32_t>{1, 2}; }, kPatience));
    test.part<QComboBox>("objectsChartX")->setFocus();
    QTest::keyClick(test.part<QComboBox>("objectsChartX"), Qt::Key_Down);
    EXPECT_EQ(chart.x(), ObjectFeature::centroidX);
    QTest::keyClick(test.part<QComboBox>("objectsChartY"), Qt::Key_Home);
    ASSERT_TRUE(QTest::qWaitFor([&] { return chart.chart() && !chart.chart()->bars.empty(); }, kPatience));
    test.part<QCheckBox>("objectsChartLog")->click();
    ASSERT_TRUE(QTest::qWaitFor([&] { return chart.chart()->x.logarithmic; }, kPatience));
    QTest::mouseClick(view, Qt::LeftButton, Qt::NoModifier, (view->pixelOf({1, 0}) - QPointF(2, 4)).toPoint());
    EXPECT_TRUE(QTest::qWaitFor([&] { return selected() == std::vector<std::uint32_t>{4}; }, kPatience))
        << "the last bar";
}

TEST_F(ObjectsDock, ChoicesFindTheirEntriesByLettersThatAreShortcuts) {
    open();
    auto* threshold = test.part<QComboBox>("objectsThreshold");
    threshold->setCurrentIndex(threshold->findText(QStringLiteral("Otsu")));
    emit threshold->activated(threshold->currentIndex());
    ASSERT_TRUE(rests());
    ASSERT_EQ(objects.threshold(), ThresholdMethod::otsu);
    const auto mode = test.models.display.compare().mode();
    ASSERT_TRUE(focus(*threshold));
    QTest::keyClick(threshold, Qt::Key_B); // a shortcut with the focus elsewhere: blinks between the images
    EXPECT_EQ(threshold->currentText(), QStringLiteral("By hand"));
    EXPECT_EQ(test.models.display.compare().mode(), mode);
    ASSERT_TRUE(focus(*test.window.canvas()));
    QTest::keyClick(test.window.canvas(), Qt::Key_B);
    EXPECT_NE(test.models.display.compare().mode(), mode);
}

TEST_F(ObjectsDock, AMillionRowsStaySmooth) {
    // Every second pixel of every second row.
    test.open("dots", makeImage(PixelType::u8, 2000, 2000, [](std::uint32_t x, std::uint32_t y) {
                  return x % 2 == 0 && y % 2 == 0 ? 100 + static_cast<int>((x * 31 + y * 17) % 150) : 10;
              }));
    showPanel(test.window, QStringLiteral("objects"));
    ASSERT_TRUE(rests());
    ASSERT_EQ(table.rowCount(), 1'000'000);
    table.sort(8, Qt::DescendingOrder);
    ASSERT_TRUE(rests());
    EXPECT_EQ(table.data(table.index(0, 8), Qt::UserRole).toDouble(), 248);
    auto* view = test.part<ObjectsTable>("objectsTable");
    view->scrollToBottom();
    EXPECT_EQ(table.data(table.index(999'999, 8), Qt::UserRole).toDouble(), 100);
    view->selectAll();
    EXPECT_EQ(selected().size(), 1'000'000U);
    table.marks().remove(std::vector(selected()));
    ASSERT_TRUE(rests());
    EXPECT_EQ(table.rowCount(), 0);
    EXPECT_TRUE(test.part<QLabel>("objectsEmpty")->text().contains(QStringLiteral("deleted")));
}

} // namespace
} // namespace pollard::app
