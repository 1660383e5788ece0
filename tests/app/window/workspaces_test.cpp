// Workspaces arrange the panels, keep what the user changes, and fit on small screens.
#include "app/test_window.hpp"

#include "formats/tiff/tiff_writer.hpp"
#include "shell/translation.hpp"
#include "window/panel_dock.hpp"
#include "window/workspaces.hpp"

#include <QAbstractScrollArea>
#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QDockWidget>
#include <QLineEdit>
#include <QScopeGuard>
#include <QTemporaryDir>
#include <QToolBar>
#include <QToolButton>

#include <tuple>

namespace pollard::app {
namespace {

QDockWidget* dockOfPanel(TestWindow& test, const char* panel) {
    return test.part<QDockWidget>((std::string(panel) + "Dock").c_str());
}

bool isControl(const QWidget* widget) {
    return qobject_cast<const QAbstractButton*>(widget) != nullptr ||
           qobject_cast<const QComboBox*>(widget) != nullptr ||
           qobject_cast<const QAbstractSpinBox*>(widget) != nullptr ||
           qobject_cast<const QLineEdit*>(widget) != nullptr || qobject_cast<const QAbstractSlider*>(widget) != nullptr;
}

/// Whether the user can scroll to a control.
bool scrolls(const QWidget* widget) {
    for (const QWidget* each = widget->parentWidget(); each != nullptr; each = each->parentWidget()) {
        if (qobject_cast<const QAbstractScrollArea*>(each) != nullptr) {
            return true;
        }
    }
    return false;
}

QList<QDockWidget*> openDocks(const QMainWindow& window) {
    QList<QDockWidget*> docks = window.findChildren<QDockWidget*>(QString(), Qt::FindDirectChildrenOnly);
    docks.removeIf([](const QDockWidget* dock) { return dock->isHidden(); });
    return docks;
}

/// Names the controls that are not entirely on the screen, with each panel in front of its tabs in turn.
std::string cutControls(const QMainWindow& window) {
    std::string names;
    const auto look = [&names](const QWidget& part) {
        for (const QWidget* widget : part.findChildren<QWidget*>()) {
            if (widget->isVisible() && isControl(widget) && !scrolls(widget) &&
                widget->visibleRegion().boundingRect() != widget->rect()) {
                names += '\n' + part.objectName().toStdString() + ": " + widget->objectName().toStdString();
            }
        }
    };
    for (QDockWidget* dock : openDocks(window)) {
        dock->raise();
        QCoreApplication::processEvents();
        look(*dock);
    }
    for (const QToolBar* bar : window.findChildren<QToolBar*>()) {
        look(*bar);
    }
    return names;
}

/// The least sizes of the open panels.
std::string leastSizes(const QMainWindow& window) {
    std::string sizes;
    for (const QDockWidget* dock : openDocks(window)) {
        const QSize least = dock->minimumSizeHint();
        sizes += '\n' + dock->objectName().toStdString() + ' ' + std::to_string(least.width()) + " x " +
                 std::to_string(least.height());
    }
    return sizes;
}

SharedImage makeSteps() {
    return makeImage(PixelType::u8, 120, 90, [](std::uint32_t x, std::uint32_t y) {
        return static_cast<int>((x / 15 + y / 15) % 2 * 90 + (x * 5 + y * 3) % 30);
    });
}

struct Screen {
    const char* name;
    QSize size;
    double image; ///< least part of the window that the image has
};

class WorkspaceSizes : public ::testing::TestWithParam<std::tuple<Screen, const char*>> {};

TEST_P(WorkspaceSizes, FitAndLeaveRoomForTheImage) {
    const auto& [screen, language] = GetParam();
    installLanguage(QLatin1String(language));
    const auto english = qScopeGuard([] { installLanguage(QStringLiteral("en")); });
    TestWindow test;
    test.open("steps", makeSteps());
    const QAction& objects = *test.window.workspaces().actions().actions().at(1);
    EXPECT_EQ(objects.text(), QLatin1String(language) == QLatin1String("fr") ? "Objets" : "Objects");
    for (const QString& name : Workspaces::names()) {
        test.window.resize(screen.size);
        test.window.workspaces().show(name);
        test.window.workspaces().reset();
        ASSERT_TRUE(test.settle());
        ASSERT_TRUE(test.isLaidOut());
        EXPECT_EQ(test.window.size(), screen.size) << name.toStdString() << ' ' << test.window.width() << " x "
                                                   << test.window.height() << leastSizes(test.window);
        EXPECT_EQ(cutControls(test.window), "") << name.toStdString();
        const QSize image = test.window.canvas()->size();
        EXPECT_GE(1.0 * image.width() * image.height() / (screen.size.width() * screen.size.height()), screen.image)
            << name.toStdString() << ' ' << image.width() << " x " << image.height() << leastSizes(test.window);
    }
}

INSTANTIATE_TEST_SUITE_P(
    Screens, WorkspaceSizes,
    ::testing::Combine(::testing::Values(Screen{"1440x900", {1440, 900}, 0.6}, Screen{"1280x800", {1280, 800}, 0.55},
                                         Screen{"1024x768", {1024, 768}, 0.4},
                                         Screen{"1366x768at125", {1092, 614}, 0.4},
                                         Screen{"1920x1080at200", {960, 540}, 0.4}),
                       ::testing::Values("en", "fr")),
    [](const auto& info) { return std::string(std::get<0>(info.param).name) + std::get<1>(info.param); });

enum class Kind { plain, stack, volume };

/// Opens an image, a stack of two times, three slices and three channels, or the same as volumes.
void openKind(TestWindow& test, Kind kind, const QString& folder) {
    if (kind == Kind::plain) {
        test.open("steps", makeSteps());
        return;
    }
    vm::OpenRequest request;
    request.path = folder + QStringLiteral("/embryo with a long name.ome.tif");
    request.slices = kind == Kind::stack ? vm::Slices::pages : request.slices;
    PlaneFacts facts;
    facts.scene.axes = {{'c', 3, {"DAPI", "GFP of the nuclei", "RFP"}}, {'z', 3, {}}, {'t', 2, {}}};
    const auto plane = [&facts](int, const JobControl&) { return Plane{ownedRows(makeSteps()), facts}; };
    writeTiff(request.path.toStdString(), {18, plane}, {.arePages = true});
    test.models.document.openAs(request);
    ASSERT_TRUE(test.settle());
    ASSERT_TRUE(test.models.document.hasImage()) << test.errors.texts.join(u'\n').toStdString();
    ASSERT_EQ(test.models.document.isVolume(), kind == Kind::volume);
}

using Fit = std::tuple<Kind, const char*, QSize>;
class WindowSize : public ::testing::TestWithParam<Fit> {};

/// One workspace after the other: their panels need the most space while they change.
TEST_P(WindowSize, IsThatOfTheUserInEveryWorkspace) {
    const auto& [kind, language, size] = GetParam();
    installLanguage(QLatin1String(language));
    const auto english = qScopeGuard([] { installLanguage(QStringLiteral("en")); });
    const QTemporaryDir folder;
    TestWindow test;
    ASSERT_NO_FATAL_FAILURE(openKind(test, kind, folder.path()));
    test.window.resize(size);
    for (int round = 0; round < 2; ++round) {
        for (const QString& name : Workspaces::names()) {
            test.window.workspaces().show(name);
            ASSERT_TRUE(test.settle());
            ASSERT_TRUE(test.isLaidOut());
            EXPECT_EQ(test.window.size(), size) << name.toStdString() << ' ' << test.window.width() << " x "
                                                << test.window.height() << leastSizes(test.window);
            const QSize least = test.window.minimumSizeHint();
            EXPECT_TRUE(least.width() <= 1024 && least.height() <= size.height())
                << name.toStdString() << ' ' << least.width() << " x " << least.height() << leastSizes(test.window);
        }
    }
    EXPECT_EQ(test.window.minimumSize(), test.window.minimumSizeHint()) << "the panels keep their room";
}

INSTANTIATE_TEST_SUITE_P(Kinds, WindowSize,
                         ::testing::Combine(::testing::Values(Kind::plain, Kind::stack, Kind::volume),
                                            ::testing::Values("en", "fr"),
                                            ::testing::Values(QSize(1024, 700), QSize(1440, 860))));

TEST(Workspaces, TheContourPanelTakesAtMostAThirdOfASmallWindow) {
    for (const char* language : {"en", "fr"}) {
        installLanguage(QLatin1String(language));
        const auto english = qScopeGuard([] { installLanguage(QStringLiteral("en")); });
        TestWindow test;
        const QDockWidget* contour = dockOfPanel(test, "contour");
        test.window.resize(1280, 800);
        test.window.workspaces().show(QStringLiteral("contour")); // the panel is hidden: no image is open
        test.open("steps", makeSteps());
        ASSERT_TRUE(test.isLaidOut());
        EXPECT_TRUE(contour->isVisible());
        EXPECT_LE(3 * contour->width(), 1280) << language << leastSizes(test.window);
        test.models.contours.startFrom({{{10, 10}, {50, 10}, {50, 50}, {10, 50}}}, {});
        ASSERT_TRUE(test.settle());
        ASSERT_TRUE(QTest::qWaitFor([&] { return !test.models.contours.isComputing(); }));
        ASSERT_TRUE(test.isLaidOut());
        EXPECT_LE(3 * contour->minimumSizeHint().width(), 1280) << language;
        EXPECT_LE(3 * contour->width(), 1280) << language;
    }
}

TEST(Workspaces, KeepWhatWasMovedAndResetBringsTheFirstArrangementBack) {
    TestWindow test;
    Workspaces& workspaces = test.window.workspaces();
    EXPECT_EQ(workspaces.current(), "filter");
    QDockWidget* filter = dockOfPanel(test, "filter");
    QDockWidget* image = dockOfPanel(test, "image");
    QDockWidget* objects = dockOfPanel(test, "objects");
    EXPECT_TRUE(filter->isVisible());
    EXPECT_FALSE(image->isVisible());
    test.window.addDockWidget(Qt::BottomDockWidgetArea, filter);
    image->show();
    workspaces.show(QStringLiteral("objects"));
    EXPECT_TRUE(objects->isVisible());
    EXPECT_FALSE(filter->isVisible());
    EXPECT_FALSE(image->isVisible());
    workspaces.show(QStringLiteral("filter"));
    EXPECT_TRUE(filter->isVisible());
    EXPECT_TRUE(image->isVisible());
    EXPECT_FALSE(objects->isVisible());
    EXPECT_EQ(test.window.dockWidgetArea(filter), Qt::BottomDockWidgetArea);
    workspaces.resetAction().trigger();
    EXPECT_EQ(test.window.dockWidgetArea(filter), Qt::RightDockWidgetArea);
    EXPECT_FALSE(image->isVisible());
}

TEST(Workspaces, AreRememberedWithTheirArrangement) {
    TestWindow test;
    test.window.workspaces().show(QStringLiteral("explore"));
    dockOfPanel(test, "recipe")->show();
    test.window.close();
    EXPECT_EQ(test.models.settings.workspace(), "explore");
    RecordingPresenter errors;
    const EngineRegistry registry{makeCpuEngine()};
    MainWindow again(test.models, registry, errors);
    again.show();
    EXPECT_EQ(again.workspaces().current(), "explore");
    EXPECT_TRUE(again.findChild<QDockWidget*>(QStringLiteral("recipeDock"))->isVisible());
    EXPECT_TRUE(again.findChild<QDockWidget*>(QStringLiteral("planeDock"))->isVisible());
    EXPECT_FALSE(again.findChild<QDockWidget*>(QStringLiteral("filterDock"))->isVisible());
}

TEST(Workspaces, ChangeByTheirKeysAndByTheBar) {
    TestWindow test;
    QTest::keyClick(&test.window, Qt::Key_3, Qt::AltModifier);
    EXPECT_EQ(test.window.workspaces().current(), "contour");
    EXPECT_TRUE(dockOfPanel(test, "contour")->isVisible());
    auto* bar = test.part<QToolBar>("workspaceBar");
    QAction* objects = test.window.workspaces().actions().actions().at(1);
    QTest::mouseClick(bar->widgetForAction(objects), Qt::LeftButton);
    EXPECT_EQ(test.window.workspaces().current(), "objects");
    EXPECT_TRUE(objects->isChecked());
    QTest::mouseClick(bar->widgetForAction(dockOfPanel(test, "image")->toggleViewAction()), Qt::LeftButton);
    EXPECT_TRUE(dockOfPanel(test, "image")->isVisible());
    EXPECT_EQ(test.window.dockWidgetArea(dockOfPanel(test, "image")), Qt::LeftDockWidgetArea);
}

TEST(Workspaces, BringTheirMainPanelBack) {
    TestWindow test;
    Workspaces& workspaces = test.window.workspaces();
    const auto* bar = test.part<QToolBar>("workspaceBar");
    const auto click = [&](int workspace) {
        QTest::mouseClick(bar->widgetForAction(workspaces.actions().actions().at(workspace)), Qt::LeftButton);
    };
    QDockWidget* filter = dockOfPanel(test, "filter");
    filter->close();
    click(0); // the workspace that is shown
    EXPECT_TRUE(filter->isVisible());
    EXPECT_TRUE(workspaces.actions().actions().at(0)->isChecked());
    filter->close();
    click(1);
    EXPECT_FALSE(filter->isVisible());
    click(0);
    EXPECT_TRUE(filter->isVisible());
    workspaces.show(QStringLiteral("explore")); // another one of its upper panels is enough
    dockOfPanel(test, "plane")->close();
    click(0);
    workspaces.show(QStringLiteral("explore"));
    EXPECT_TRUE(dockOfPanel(test, "plane")->isHidden());
    EXPECT_FALSE(dockOfPanel(test, "icicle")->isHidden());
}

TEST(Workspaces, APanelOfAnotherOneIsShownInItsOwn) {
    TestWindow test;
    Workspaces& workspaces = test.window.workspaces();
    workspaces.showWorkspaceOf(QStringLiteral("contour"));
    EXPECT_EQ(workspaces.current(), "contour");
    showPanel(test.window, QStringLiteral("objects"));
    workspaces.showWorkspaceOf(QStringLiteral("objects"));
    EXPECT_EQ(workspaces.current(), "contour"); // seen already
    workspaces.showWorkspaceOf(QStringLiteral("image"));
    EXPECT_EQ(workspaces.current(), "contour"); // belongs to none
}

} // namespace
} // namespace pollard::app
