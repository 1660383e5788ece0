#include "app/test_window.hpp"

#include "batch/input_files.hpp"
#include "core/io/volumes/dicom_files.hpp"
#include "docks/charts/level_charts.hpp"
#include "headless/screenshot.hpp"
#include "support/plate_files.hpp"
#include "theme/theme.hpp"
#include "vm/batch/plate_view_model.hpp"
#include "vm/recipe/recipe_files.hpp"
#include "window/dialogs/document_dialogs.hpp"
#include "window/image_area.hpp"

#include <QDockWidget>
#include <QDoubleSpinBox>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFile>
#include <QGraphicsTextItem>
#include <QLabel>
#include <QLocale>
#include <QMimeData>
#include <QProgressBar>
#include <QScopeGuard>
#include <QSignalSpy>
#include <QStatusBar>
#include <QTemporaryDir>
#include <QTreeWidget>
#include <QUrl>
#include <QValueAxis>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

namespace pollard::app {
namespace {

using ::testing::HasSubstr;

TEST(Window, TellsOneFailureOnceAndKeepsTheDocument) {
    TestWindow test;
    test.open("good", makeNoise(64));
    const QString path = test.models.document.path();
    const QImage before = test.window.canvas()->grabFramebuffer();
    test.window.openFile(QStringLiteral("/nowhere/missing.tif"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return !test.errors.texts.isEmpty(); }, kPatience));
    ASSERT_TRUE(test.settle());
    EXPECT_EQ(test.errors.texts.size(), 1);
    EXPECT_THAT(test.errors.texts.value(0).toStdString(), HasSubstr("missing.tif"));
    EXPECT_EQ(test.models.document.path(), path);
    EXPECT_EQ(test.window.canvas()->grabFramebuffer(), before);
}

TEST(Window, RefusesTextAndTruncatedFilesWithAMessage) {
    TestWindow test;
    const QTemporaryDir folder;
    for (const auto& [name, content] :
         {std::pair("empty.tif", ""), std::pair("text.tif", "not an image at all"), std::pair("cut.tif", "II*\x08")}) {
        const QString path = folder.filePath(QLatin1String(name));
        QFile file(path);
        ASSERT_TRUE(file.open(QIODevice::WriteOnly));
        file.write(content);
        file.close();
        test.errors.texts.clear();
        test.window.openFile(path);
        ASSERT_TRUE(QTest::qWaitFor([&] { return !test.errors.texts.isEmpty(); }, kPatience)) << name;
        ASSERT_TRUE(test.settle());
        EXPECT_EQ(test.errors.texts.size(), 1) << name;
        EXPECT_FALSE(test.models.document.hasImage()) << name;
    }
}

class DroppedOnWindow : public ::testing::Test {
protected:
    QTemporaryDir folder;
    TestWindow test;

    [[nodiscard]] QString pathOf(const char* name) const { return folder.filePath(QLatin1String(name)); }
    QString write(const char* name, const std::string& bytes) const {
        const QString path = pathOf(name);
        pollard::test::writePlatePart(path.toStdString(), bytes);
        return path;
    }
    [[nodiscard]] QString writeImage(const char* name) const { return write(name, "P5\n3 2\n255\n\1\2\3\4\5\6"); }
    /// @return whether the window accepts the drop
    bool drop(const QList<QUrl>& urls) {
        QMimeData data;
        data.setUrls(urls);
        QDragEnterEvent enter(QPoint(400, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        enter.ignore();
        QApplication::sendEvent(&test.window, &enter);
        QDropEvent event(QPointF(400, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        event.ignore();
        QApplication::sendEvent(&test.window, &event);
        EXPECT_EQ(enter.isAccepted(), event.isAccepted());
        return event.isAccepted();
    }
    bool dropFiles(const QStringList& paths) {
        QList<QUrl> urls;
        for (const QString& path : paths) {
            urls << QUrl::fromLocalFile(path);
        }
        return drop(urls);
    }
    [[nodiscard]] bool opens(const QString& path) {
        return QTest::qWaitFor([&] { return test.models.document.path() == path; }, kPatience) && test.settle() &&
               test.models.document.hasImage() && test.errors.texts.isEmpty();
    }
    /// Names in the list of images once the search has ended; it is closed.
    [[nodiscard]] QStringList listed() {
        auto* dialog = test.window.findChild<SeriesDialog*>();
        if (dialog == nullptr ||
            !QTest::qWaitFor([&] { return dialog->findChild<QProgressBar*>()->isHidden(); }, kPatience)) {
            return {QStringLiteral("no list")};
        }
        QStringList names;
        auto* list = dialog->findChild<QTreeWidget*>(QStringLiteral("series"));
        for (int i = 0; i < list->topLevelItemCount(); ++i) {
            names << list->topLevelItem(i)->text(0);
        }
        if (names.isEmpty()) {
            names << dialog->findChild<QLabel*>(QStringLiteral("seriesState"))->text();
        }
        dialog->reject();
        QCoreApplication::sendPostedEvents(dialog, QEvent::DeferredDelete);
        return names;
    }
};

TEST_F(DroppedOnWindow, OpensAnImage) {
    const QString path = writeImage("dropped.pgm");
    ASSERT_TRUE(dropFiles({path}));
    ASSERT_TRUE(opens(path));
    EXPECT_EQ(test.models.document.image()->width(), 3U);
    EXPECT_THAT(test.window.windowTitle().toStdString(), HasSubstr("dropped.pgm"));
    EXPECT_EQ(test.models.recentFiles.paths().value(0), path);
}

TEST_F(DroppedOnWindow, ListsTheSeriesAndImagesOfAFolder) {
    for (int i = 0; i < 3; ++i) {
        write(("scan/IM" + std::to_string(i)).c_str(), pollard::test::dicomSlice(i, 7).bytes());
    }
    (void)writeImage("scan/day/b.pgm");
    write("scan/notes.txt", "no image");
    ASSERT_TRUE(dropFiles({pathOf("scan")}));
    EXPECT_EQ(listed(), (QStringList{QStringLiteral("series 4 (CT)"), QStringLiteral("b.pgm")}));
    QFile::remove(pathOf("scan/day/b.pgm"));
    ASSERT_TRUE(dropFiles({pathOf("scan")}));
    ASSERT_TRUE(opens(pathOf("scan/IM0"))) << "nothing to choose";
    EXPECT_EQ(test.models.document.sliceCount(), 3);
}

TEST_F(DroppedOnWindow, ListsSeveralFilesAndFolders) {
    const QString first = writeImage("a.pgm");
    const QString second = writeImage("b.pgm");
    (void)writeImage("day/c.pgm");
    const QString text = write("notes.txt", "no image");
    ASSERT_TRUE(dropFiles({first, text, second, pathOf("day")}));
    EXPECT_EQ(listed(), (QStringList{QStringLiteral("a.pgm"), QStringLiteral("b.pgm"), QStringLiteral("c.pgm")}));
    EXPECT_FALSE(test.models.document.hasImage());
    ASSERT_TRUE(dropFiles({text, second}));
    ASSERT_TRUE(opens(second)) << "the only image";
    ASSERT_TRUE(dropFiles({text, write("more.txt", "no image")}));
    EXPECT_EQ(listed(), QStringList{QStringLiteral("None of these files has the name of an image.")});
}

TEST_F(DroppedOnWindow, OpensOmeZarrAndPlatesWithAnyName) {
    pollard::test::writePlate(pathOf("screen").toStdString());
    pollard::test::writeField(pathOf("field").toStdString(), 0);
    if (imagesListedBy(pathOf("screen").toStdString()).paths.empty()) {
        GTEST_SKIP() << "built without Zarr";
    }
    ASSERT_TRUE(dropFiles({pathOf("field")}));
    ASSERT_TRUE(opens(pathOf("field")));
    const auto* plate = test.window.findChild<vm::PlateViewModel*>();
    ASSERT_TRUE(dropFiles({pathOf("screen")}));
    ASSERT_TRUE(opens(pathOf("screen/B/2/0"))) << "the first well of the list that exists";
    ASSERT_TRUE(QTest::qWaitFor([&] { return plate->well() == 2; }, kPatience)) << "known by its metadata";
    EXPECT_THAT(test.window.windowTitle().toStdString(), HasSubstr("screen · B/2 · field 0"));
}

TEST_F(DroppedOnWindow, OpensSessionsAndLoadsRecipes) {
    const QString image = writeImage("a.pgm");
    test.window.openFile(image);
    ASSERT_TRUE(opens(image));
    test.models.filter.setMinimum(2);
    ASSERT_TRUE(test.settle());
    auto* recipes = test.window.findChild<vm::RecipeFiles*>();
    recipes->save(pathOf("steps.json"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return !recipes->isBusy(); }, kPatience));
    QSignalSpy saved(&test.models.sessions, &vm::SessionViewModel::saved);
    test.models.sessions.save(pathOf("work.pollard"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return !saved.isEmpty(); }, kPatience));
    test.models.filter.reset();
    ASSERT_NE(test.models.filter.minimum(), 2);
    ASSERT_TRUE(dropFiles({pathOf("steps.json")}));
    EXPECT_TRUE(QTest::qWaitFor([&] { return test.models.filter.minimum() == 2; }, kPatience));
    test.models.document.close();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !test.models.document.hasImage(); }, kPatience));
    ASSERT_TRUE(dropFiles({pathOf("work.pollard")}));
    ASSERT_TRUE(opens(image));
    EXPECT_TRUE(QTest::qWaitFor([&] { return test.models.sessions.path() == pathOf("work.pollard"); }, kPatience));
}

TEST_F(DroppedOnWindow, RefusesOtherThingsWithAMessage) {
    const QStringList refused{write("text.tif", "not an image at all"), write("notes.txt", "no image"),
                              write("no-recipe.json", "[1, 2"), pathOf("missing.tif")};
    for (const QString& path : refused) {
        test.errors.texts.clear();
        ASSERT_TRUE(dropFiles({path}));
        ASSERT_TRUE(QTest::qWaitFor([&] { return !test.errors.texts.isEmpty(); }, kPatience)) << path.toStdString();
        ASSERT_TRUE(test.settle());
        EXPECT_EQ(test.errors.texts.size(), 1) << path.toStdString();
    }
    test.errors.texts.clear();
    EXPECT_FALSE(drop({QUrl(QStringLiteral("https://example.org/a.tif"))}));
    EXPECT_EQ(test.window.statusBar()->currentMessage(),
              QStringLiteral("Only files and folders of this computer can be dropped here"));
    EXPECT_FALSE(test.models.document.hasImage());
    EXPECT_TRUE(test.errors.texts.isEmpty());
}

TEST(Window, MarksWorkThatIsNotSavedInTheTitle) {
    TestWindow test;
    test.open("noise", makeNoise(64));
    EXPECT_FALSE(test.window.isWindowModified());
    test.models.filter.setMinimum(5);
    ASSERT_TRUE(QTest::qWaitFor([&] { return test.window.isWindowModified(); }, kPatience));
    ASSERT_TRUE(test.settle());
    const QTemporaryDir folder;
    QSignalSpy saved(&test.models.document.saving(), &vm::DocumentSaving::saved);
    const QString path = folder.filePath(QStringLiteral("out.tif"));
    test.models.document.saving().saveFiltered(path);
    ASSERT_TRUE(saved.wait());
    EXPECT_TRUE(test.window.isWindowModified()) << "the result is saved, the work is not";
    test.models.sessions.save(folder.filePath(QStringLiteral("out.pollard")));
    EXPECT_TRUE(QTest::qWaitFor([&] { return !test.window.isWindowModified(); }, kPatience));
    test.models.region.add({RegionShape::Kind::rectangle, {{4, 4}, {20, 20}}});
    EXPECT_TRUE(QTest::qWaitFor([&] { return test.window.isWindowModified(); }, kPatience));
    test.models.history.undo();
    EXPECT_TRUE(QTest::qWaitFor([&] { return !test.window.isWindowModified(); }, kPatience));
    ASSERT_TRUE(test.settle());
    EXPECT_TRUE(samePixels(*readImage(path.toStdString()).image, *test.models.document.result()));
}

TEST(Window, HasNoDeadActions) {
    TestWindow test;
    Actions& actions = test.window.actionList();
    for (const QAction* action : {actions.save, actions.close, actions.split, actions.fit, actions.apply}) {
        EXPECT_FALSE(action->isEnabled()) << action->objectName().toStdString() << " without an image";
    }
    test.open("noise", makeNoise(64));
    EXPECT_TRUE(actions.save->isEnabled());
    QTest::keyClick(test.window.canvas(), Qt::Key_S);
    EXPECT_TRUE(test.models.display.isSplitEnabled());
    QTest::keyClick(test.window.canvas(), Qt::Key_1);
    EXPECT_EQ(test.models.display.zoom(), 1.0);
    QTest::keyClick(test.window.canvas(), Qt::Key_Plus);
    EXPECT_GT(test.models.display.zoom(), 1.0);
    QTest::keyClick(test.window.canvas(), Qt::Key_F);
    EXPECT_TRUE(test.models.display.isFitting());
    actions.minTree->trigger();
    ASSERT_TRUE(test.settle());
    EXPECT_EQ(test.models.document.tree()->kind, TreeKind::min);
    actions.eight->trigger();
    ASSERT_TRUE(test.settle());
    EXPECT_EQ(test.models.document.tree()->connectivity, Connectivity::eight);
    actions.close->trigger();
    ASSERT_TRUE(test.settle());
    EXPECT_FALSE(test.models.document.hasImage());
    EXPECT_FALSE(actions.save->isEnabled());
}

TEST(Window, SaysWhyThereIsNoCanvas) {
    TestWindow test;
    const Actions actions(test.models);
    const ImageArea area(test.models, actions, QStringLiteral("no OpenGL here"));
    EXPECT_EQ(area.canvas(), nullptr);
    EXPECT_EQ(area.problem(), QStringLiteral("no OpenGL here"));
    EXPECT_THAT(area.findChild<QLabel*>(QStringLiteral("canvasProblem"))->text().toStdString(),
                HasSubstr("no OpenGL here"));
}

TEST(Window, ChangesItsThemeAtOnce) {
    TestWindow test;
    test.models.settings.setTheme(vm::SettingsViewModel::Theme::dark);
    EXPECT_TRUE(isDark(test.window.palette()));
    test.models.settings.setTheme(vm::SettingsViewModel::Theme::light);
    EXPECT_FALSE(isDark(test.window.palette()));
}

TEST(Histogram, HasTheValuesOfTheFileBelow) {
    TestWindow test;
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("values.pfm"));
    const std::array<float, 4> values{-2, 100, 250, 500};
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write("Pf\n4 1\n-1.0\n");
    file.write(reinterpret_cast<const char*>(values.data()), sizeof values);
    file.close();
    test.models.document.open(path);
    ASSERT_TRUE(test.settle());
    test.part<QDockWidget>("displayDock")->show();
    ASSERT_TRUE(test.isLaidOut());
    const auto axes = test.part<HistogramView>("histogram")->chart()->axes(Qt::Horizontal);
    EXPECT_TRUE(std::ranges::any_of(axes, [](const QAbstractAxis* axis) {
        const auto* of = qobject_cast<const QValueAxis*>(axis);
        return of != nullptr && std::abs(of->min() + 2) < 1e-6 && std::abs(of->max() - 500) < 1e-6;
    }));
}

TEST(Histogram, SeparatesThousandsBelowTheBars) {
    const auto restore = qScopeGuard([before = QLocale()] { QLocale::setDefault(before); });
    QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
    TestWindow test;
    test.open("ramp", makeImage(PixelType::u16, 256, 8,
                                [](std::uint32_t x, std::uint32_t) { return static_cast<int>(x) * 257; }));
    test.part<QDockWidget>("displayDock")->show();
    ASSERT_TRUE(test.isLaidOut());
    QStringList texts;
    for (const QGraphicsItem* item : test.part<HistogramView>("histogram")->scene()->items()) {
        if (const auto* label = qgraphicsitem_cast<const QGraphicsTextItem*>(item)) {
            texts << label->toPlainText();
        }
    }
    EXPECT_TRUE(texts.contains(QStringLiteral("65,535"))) << texts.join(u' ').toStdString();
}

TEST(Histogram, HandlesMoveTheWindow) {
    TestWindow test;
    test.open("ramp",
              makeImage(PixelType::u8, 256, 8, [](std::uint32_t x, std::uint32_t) { return static_cast<int>(x); }));
    test.models.display.fullWindow();
    test.part<QDockWidget>("displayDock")->show();
    ASSERT_TRUE(test.isLaidOut());
    auto* histogram = test.part<HistogramView>("histogram");
    const auto place = [&](double level) {
        return test.inWindow(histogram, {histogram->pixelOf(level), histogram->height() / 2.0});
    };
    test.press(place(0));
    test.move(place(40));
    test.move(place(80));
    test.release(place(80));
    EXPECT_NEAR(test.models.display.windowLow(), 80, 2);
    test.press(place(255));
    test.move(place(180));
    test.release(place(180));
    EXPECT_NEAR(test.models.display.windowHigh(), 180, 2);
    const double width = test.models.display.windowHigh() - test.models.display.windowLow();
    test.press(place(130));
    test.move(place(150));
    test.release(place(150));
    EXPECT_NEAR(test.models.display.windowLow(), 100, 4);
    EXPECT_EQ(test.models.display.windowHigh() - test.models.display.windowLow(), width);
    EXPECT_EQ(test.part<QDoubleSpinBox>("windowLow")->value(), test.models.display.windowLow());
    const auto posted = test.models.document.worker().statistics(vm::Lane::filter).posted;
    test.models.display.autoWindow();
    EXPECT_EQ(test.models.document.worker().statistics(vm::Lane::filter).posted, posted)
        << "the window is a matter of the shader alone";
}

TEST(Screenshot, SavesTheWholeWindow) {
    TestWindow test;
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("shot.png"));
    Screenshot screenshot(test.models, test.window, path);
    QSignalSpy finished(&screenshot, &Screenshot::finished);
    test.open("noise", makeNoise(64));
    ASSERT_TRUE(finished.wait(10000));
    EXPECT_EQ(finished.at(0).at(0).toString(), QString());
    const QImage saved(path);
    EXPECT_EQ(saved.size(), test.window.size() * test.window.devicePixelRatioF());
    const Canvas* canvas = test.window.canvas();
    const QPoint middle = canvas->mapTo(&test.window, canvas->rect().center());
    const QRect around(middle * saved.width() / test.window.width() - QPoint(60, 60), QSize(120, 120));
    const QImage image = saved.copy(around).convertToFormat(QImage::Format_Grayscale8);
    std::set<int> greys;
    for (int i = 0; i < 120; ++i) {
        greys.insert(qGray(image.pixel(i, i)));
    }
    EXPECT_GT(greys.size(), 4U) << "the noise on the canvas is part of it";
}

} // namespace
} // namespace pollard::app
