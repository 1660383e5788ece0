// The window without an image, and panels without content.
#include "app/support/gated_engine.hpp"
#include "app/support/ui_audit.hpp"
#include "app/test_window.hpp"

#include "shell/notices.hpp"
#include "theme/theme.hpp"
#include "vm/session/load_preview.hpp"
#include "window/image_area.hpp"
#include "window/panel_dock.hpp"
#include "window/panels.hpp"
#include "window/welcome_page.hpp"

#include <QDockWidget>
#include <QFile>
#include <QLabel>
#include <QPushButton>
#include <QScopeGuard>
#include <QTabBar>
#include <QToolButton>

#include <fstream>
#include <future>
#include <utility>

#include <sys/stat.h>

namespace pollard::app {
namespace {

QDockWidget& dockOf(TestWindow& test, const QString& panel) {
    showPanel(test.window, panel);
    QCoreApplication::processEvents();
    return *test.window.findChild<QDockWidget*>(panel + QStringLiteral("Dock"));
}

TEST(EmptyPanels, TellTheirPurposeAndOpenASample) {
    TestWindow test;
    QSet<QString> purposes;
    for (const QString& panel : panelNames()) {
        QDockWidget& dock = dockOf(test, panel);
        const auto* purpose = dock.findChild<QLabel*>(QStringLiteral("panelPurpose"));
        ASSERT_NE(purpose, nullptr) << panel.toStdString();
        EXPECT_TRUE(purpose->isVisible()) << panel.toStdString();
        EXPECT_TRUE(purpose->text().endsWith(u'.')) << panel.toStdString();
        EXPECT_TRUE(dock.findChild<QPushButton*>(QStringLiteral("openHere"))->isEnabled()) << panel.toStdString();
        EXPECT_TRUE(testing::cutTexts(dock).isEmpty()) << testing::cutTexts(dock).join(u'\n').toStdString();
        purposes.insert(purpose->text());
    }
    EXPECT_EQ(purposes.size(), panelNames().size());
    QDockWidget& dock = dockOf(test, QStringLiteral("objects"));
    dock.findChild<QPushButton*>(QStringLiteral("trySampleHere"))->click();
    ASSERT_TRUE(QTest::qWaitFor([&] { return test.models.document.hasImage(); }, kPatience));
    EXPECT_FALSE(dock.findChild<QLabel*>(QStringLiteral("panelPurpose"))->isVisible());
    EXPECT_TRUE(test.part<QWidget>("objectsThreshold")->isVisible());
}

/// A panel, the name of its button without content, and a control that is visible afterwards.
struct Start {
    const char* panel;
    const char* button;
    const char* content;
};

class EmptyPanelTest : public ::testing::TestWithParam<Start> {};

TEST_P(EmptyPanelTest, StartsByAButton) {
    TestWindow test;
    test.open("noise", makeNoise(64));
    QDockWidget& dock = dockOf(test, QLatin1String(GetParam().panel));
    auto* button = dock.findChild<QPushButton*>(QLatin1String(GetParam().button));
    ASSERT_NE(button, nullptr);
    ASSERT_TRUE(button->isVisible());
    EXPECT_FALSE(test.part<QWidget>(GetParam().content)->isVisible());
    QTest::keyClick(button, Qt::Key_Space);
    EXPECT_TRUE(QTest::qWaitFor([&] { return test.part<QWidget>(GetParam().content)->isVisible(); }, kPatience));
    EXPECT_FALSE(button->isVisible());
}

INSTANTIATE_TEST_SUITE_P(Panels, EmptyPanelTest,
                         ::testing::Values(Start{"chain", "chainStart", "chainTable"},
                                           Start{"component", "inspectorStart", "inspectorTree"},
                                           Start{"contour", "contourFromMiddleHere", "contourChart"}),
                         [](const auto& each) { return std::string(each.param.panel); });

TEST(EmptyPanels, LeadBackToRowsOfTheObjects) {
    TestWindow test;
    test.open("noise", makeNoise(64));
    QDockWidget& dock = dockOf(test, QStringLiteral("objects"));
    const auto isShown = [&](const char* name) { return dock.findChild<QWidget*>(QLatin1String(name))->isVisible(); };
    ASSERT_TRUE(QTest::qWaitFor([&] { return isShown("objectsTable"); }, kPatience));
    test.models.objectTable.setCondition(QStringLiteral("area > 1e9"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return isShown("objectsEveryRow"); }, kPatience));
    EXPECT_FALSE(isShown("objectsFindThreshold"));
    dock.findChild<QPushButton*>(QStringLiteral("objectsEveryRow"))->click();
    EXPECT_TRUE(QTest::qWaitFor([&] { return isShown("objectsTable"); }, kPatience));
    EXPECT_TRUE(test.models.objectTable.condition().isEmpty());
}

TEST(EmptyPanels, DrawARegion) {
    TestWindow test;
    test.open("noise", makeNoise(64));
    QDockWidget& dock = dockOf(test, QStringLiteral("region"));
    const auto buttons =
        dock.findChild<QLabel*>(QStringLiteral("regionHint"))->parentWidget()->findChildren<QPushButton*>();
    ASSERT_EQ(buttons.size(), 1);
    buttons.front()->click();
    EXPECT_EQ(test.models.region.tool(), vm::RegionViewModel::Tool::rectangle);
}

TEST(Welcome, HasAnImageOfEverySampleAndOpensIt) {
    TestWindow test;
    auto* gallery = test.window.findChild<SampleGallery*>();
    ASSERT_NE(gallery, nullptr);
    const auto buttons = gallery->findChildren<QToolButton*>();
    ASSERT_EQ(buttons.size(), vm::SampleList::all().size());
    const auto isDrawn = [](const QToolButton* button) {
        const QImage image = button->icon().pixmap(button->iconSize()).toImage();
        return image.pixelColor(image.rect().center()).alpha() == 255;
    };
    for (const QToolButton* button : buttons) {
        EXPECT_TRUE(QTest::qWaitFor([&] { return isDrawn(button); }, kPatience)) << button->text().toStdString();
    }
    EXPECT_TRUE(testing::cutTexts(*gallery).isEmpty());
    EXPECT_TRUE(testing::unreachableControls(*gallery).isEmpty());
    buttons[1]->setFocus();
    QTest::keyClick(buttons[1], Qt::Key_Space);
    ASSERT_TRUE(QTest::qWaitFor([&] { return test.models.document.hasImage(); }, kPatience));
    EXPECT_TRUE(test.models.document.title().startsWith(QStringLiteral("cells")));
}

TEST(Welcome, NamesTheFolderOfARecentFileElidedInTheMiddle) {
    TestWindow test;
    test.models.recentFiles.add(QStringLiteral("/data/plate") + QString(200, u'x') + QStringLiteral("/july/a.tif"));
    const auto* folder = test.window.findChild<WelcomePage*>()->findChild<QLabel*>(QStringLiteral("recentFolder"));
    ASSERT_NE(folder, nullptr);
    EXPECT_TRUE(folder->text().startsWith(QStringLiteral("/data")));
    EXPECT_TRUE(folder->text().endsWith(QStringLiteral("july")));
    EXPECT_LT(folder->text().size(), 80);
    EXPECT_TRUE(folder->toolTip().endsWith(QStringLiteral("x/july")));
}

TEST(LoadPreview, IsOnTheScreenBeforeTheTreeIsBuilt) {
    std::promise<void> gate;
    vm::LoadPreview early;
    TestWindow test(std::make_unique<testing::GatedEngine>(gate.get_future().share()));
    test.window.findChild<ImageArea*>()->showPreviews(early);
    test.part<QAction>("trySample")->trigger();
    ASSERT_TRUE(QTest::qWaitFor([&] { return test.models.document.activity().isBusy(); }, kPatience));
    QImage image(40, 30, QImage::Format_Grayscale8);
    image.fill(200);
    emit early.read(image);
    const auto* shown = test.part<QLabel>("earlyImage");
    EXPECT_TRUE(shown->isVisible());
    EXPECT_EQ(shown->pixmap().toImage().pixelColor(5, 5), QColor(200, 200, 200));
    EXPECT_FALSE(test.models.document.hasImage());
    gate.set_value();
    ASSERT_TRUE(test.settle());
    EXPECT_FALSE(shown->isVisible());
    EXPECT_TRUE(test.window.canvas()->isVisible());
    emit early.read(image);
    EXPECT_FALSE(shown->isVisible()) << "an image of the open file";
}

TEST(LoadPreview, IsMadeOfLargeImagesOnly) {
    vm::LoadPreview early;
    QList<QSize> sizes;
    QObject::connect(&early, &vm::LoadPreview::read, &early, [&](const QImage& image) { sizes << image.size(); });
    vm::DocumentServices services;
    std::uint32_t side = 2400;
    services.read = [&side](const auto&, const auto&, const auto&) {
        LoadedImage loaded;
        loaded.image = makeNoise(side);
        return loaded;
    };
    early.watch(services);
    EXPECT_EQ(services.read("a.tif", {}, {}).image->width(), 2400U);
    side = 100;
    EXPECT_EQ(services.read("b.tif", {}, {}).image->width(), 100U);
    QCoreApplication::processEvents();
    EXPECT_EQ(sizes, QList<QSize>{QSize(1200, 1200)});
}

TEST(BusyIndicator, AppearsOnlyForWorkThatTakesTime) {
    TestWindow test;
    QString work = QStringLiteral("Writing a.csv…");
    auto* sign = new BusyIndicator(test.window, QStringLiteral("sign"), [&work] { return work; });
    sign->look();
    EXPECT_FALSE(sign->isVisible());
    EXPECT_TRUE(QTest::qWaitFor([&] { return sign->isVisible(); }, kPatience));
    EXPECT_EQ(sign->findChild<QLabel*>()->text(), work);
    work.clear();
    sign->look();
    EXPECT_FALSE(sign->isVisible());
    work = QStringLiteral("Writing b.csv…");
    sign->look();
    work.clear();
    sign->look(); // done at once
    QTest::qWait(2 * BusyIndicator::kPatience);
    EXPECT_FALSE(sign->isVisible());
}

TEST(BusyIndicator, IsThereForEveryKindOfFile) {
    TestWindow test;
    for (const char* name : {"contourWriting", "objectsWriting", "objectsFinding", "treeWriting", "nodesWriting",
                             "reportWriting", "recipeWriting", "sessionWriting"}) {
        EXPECT_NE(test.part<BusyIndicator>(name), nullptr);
    }
}

TEST(BusyIndicator, IsShownWhileTheWriteOfASessionTakesTime) {
    TestWindow test;
    test.open("noise", makeNoise(32));
    const QTemporaryDir folder;
    const QString pipe = folder.filePath(QStringLiteral("pipe.pollard"));
    const QString session = folder.filePath(QStringLiteral("a.pollard"));
    ASSERT_EQ(::mkfifo(pipe.toLocal8Bit().constData(), 0600), 0);
    const auto* sign = test.part<BusyIndicator>("sessionWriting");
    test.models.sessions.open(pipe); // holds the thread that writes until the other end is opened
    test.models.sessions.save(session);
    EXPECT_TRUE(QTest::qWaitFor([&] { return sign->isVisible(); }, kPatience));
    EXPECT_FALSE(QFile::exists(session));
    std::ofstream(pipe.toStdString()) << "no session";
    EXPECT_TRUE(QTest::qWaitFor([&] { return !sign->isVisible(); }, kPatience));
    EXPECT_TRUE(QFile::exists(session));
    EXPECT_EQ(test.errors.titles, QStringList{QStringLiteral("The session was not opened")});
}

TEST(HighContrast, TellsTheActiveTabFromTheOthers) {
    const auto restore = qScopeGuard([] { applyTheme(vm::SettingsViewModel::Theme::system); });
    applyTheme(vm::SettingsViewModel::Theme::contrast);
    QTabBar tabs;
    tabs.addTab(QStringLiteral("One"));
    tabs.addTab(QStringLiteral("Two"));
    tabs.show();
    ASSERT_TRUE(appears(tabs));
    const QImage shown = tabs.grab().toImage();
    const auto ground = [&](int tab) { return shown.pixelColor(tabs.tabRect(tab).topLeft() + QPoint(6, 6)); };
    EXPECT_GT(qAbs(ground(0).lightness() - ground(1).lightness()), 100);
}

TEST(ShowOriginal, IsNotCheckedDuringAComparison) {
    TestWindow test;
    test.open("noise", makeNoise(64));
    const QAction& original = *test.window.actionList().showOriginal;
    test.window.actionList().showOriginal->trigger();
    EXPECT_TRUE(original.isChecked());
    test.window.actionList().split->trigger();
    EXPECT_FALSE(original.isChecked());
    EXPECT_FALSE(original.isEnabled());
    test.window.actionList().split->trigger();
    EXPECT_TRUE(original.isChecked());
}

} // namespace
} // namespace pollard::app
