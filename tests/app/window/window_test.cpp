#include "app/test_window.hpp"

#include "docks/charts/histogram_view.hpp"
#include "headless/screenshot.hpp"
#include "theme/theme.hpp"
#include "window/picture_area.hpp"

#include <QDockWidget>
#include <QDoubleSpinBox>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFile>
#include <QGraphicsTextItem>
#include <QLocale>
#include <QMimeData>
#include <QScopeGuard>
#include <QSignalSpy>
#include <QTemporaryDir>
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

TEST(Window, OpensADroppedFile) {
    TestWindow test;
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("dropped.pgm"));
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write("P5\n3 2\n255\n");
    file.write("\x01\x02\x03\x04\x05\x06", 6);
    file.close();
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(path)});
    QDragEnterEvent enter(QPoint(400, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&test.window, &enter);
    EXPECT_TRUE(enter.isAccepted());
    QDropEvent drop(QPointF(400, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&test.window, &drop);
    ASSERT_TRUE(QTest::qWaitFor([&] { return test.models.document.hasImage(); }, kPatience));
    ASSERT_TRUE(test.settle());
    EXPECT_EQ(test.models.document.image()->width(), 3U);
    EXPECT_THAT(test.window.windowTitle().toStdString(), HasSubstr("dropped.pgm"));
    EXPECT_EQ(test.models.recentFiles.paths().value(0), path);
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
    const PictureArea area(test.models, actions, QStringLiteral("no OpenGL here"));
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
    const QImage picture = saved.copy(around).convertToFormat(QImage::Format_Grayscale8);
    std::set<int> greys;
    for (int i = 0; i < 120; ++i) {
        greys.insert(qGray(picture.pixel(i, i)));
    }
    EXPECT_GT(greys.size(), 4U) << "the noise on the canvas is part of it";
}

} // namespace
} // namespace pollard::app
