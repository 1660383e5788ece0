// The window starts again after every way of closing, with the same state, panels and normal size.
#include "app/test_window.hpp"

#include "window/window_look.hpp"
#include "window/workspaces.hpp"

#include <QDockWidget>
#include <QMap>
#include <QProcess>
#include <QScreen>
#include <QTimer>
#include <QToolBar>

#include <iterator>
#include <set>
#include <string>
#include <tuple>

namespace pollard::app {
namespace {

/// A start of the window with stored settings.
struct Start {
    explicit Start(QSettings& store)
        : registry(makeCpuEngine()), models(vm::DocumentServices::standard(registry), store),
          window(models, registry, errors) {
        for (const QWidget* panel : window.findChildren<QDockWidget*>(QString(), Qt::FindDirectChildrenOnly)) {
            hasPanelBefore = hasPanelBefore || panel->isVisible();
        }
        window.show();
        EXPECT_TRUE(appears(window));
    }
    [[nodiscard]] bool waitFor(const std::function<bool()>& condition) const {
        return QTest::qWaitFor(condition, kPatience);
    }
    /// Names of the panels that are open, with "*" if they float.
    [[nodiscard]] std::set<std::string> panels() const {
        std::set<std::string> names;
        for (const QDockWidget* dock : window.findChildren<QDockWidget*>(QString(), Qt::FindDirectChildrenOnly)) {
            if (!dock->isHidden()) {
                names.insert(dock->objectName().toStdString() + (dock->isFloating() ? "*" : ""));
            }
        }
        return names;
    }

    EngineRegistry registry;
    RecordingPresenter errors;
    Models models;
    MainWindow window;
    bool hasPanelBefore = false; ///< a panel is on the screen before the window
};

class WindowLookTest : public ::testing::Test {
protected:
    QTemporaryDir folder;
    QSettings store{folder.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat};

    /// The states and the normal geometry after maximising or full screen in a version that stored both in one.
    void storeAsBefore(Qt::WindowStates states) {
        QMainWindow window;
        window.setGeometry(280, 117, 1360, 860);
        window.setWindowState(states);
        store.setValue(QStringLiteral("window/geometry"), window.saveGeometry());
    }
};

enum class Way { normal, maximised, fullScreen, minimised, halfScreen };

class Closing : public WindowLookTest, public ::testing::WithParamInterface<Way> {
protected:
    static void prepare(MainWindow& window, Way way) {
        switch (way) {
        case Way::normal:
            break;
        case Way::maximised:
            window.setWindowState(Qt::WindowMaximized);
            break;
        case Way::fullScreen:
            window.setWindowState(Qt::WindowFullScreen);
            break;
        case Way::minimised:
            window.setWindowState(Qt::WindowMinimized);
            break;
        case Way::halfScreen:
            const QRect space = window.screen()->availableGeometry();
            window.setGeometry(space.left() + 8, space.top() + 40, space.width() / 2, space.height() - 60);
            break;
        }
    }
};

TEST_P(Closing, StartsAgainWithTheSameStateAndPanels) {
    const QSize sizes[] = {{1100, 760}, {1360, 860}, {1600, 1000}};
    for (const QString& workspace : Workspaces::names()) {
        SCOPED_TRACE(workspace.toStdString());
        const QSize normal = sizes[Workspaces::names().indexOf(workspace) % std::ssize(sizes)];
        std::set<std::string> panels;
        QSize size = normal;
        {
            Start first(store);
            first.window.setWindowState(Qt::WindowNoState);
            first.window.resize(normal);
            first.window.workspaces().show(workspace);
            ASSERT_TRUE(first.waitFor([&] { return first.window.size() == normal; }));
            first.window.look().store(); // the normal place is known
            prepare(first.window, GetParam());
            QCoreApplication::processEvents();
            panels = first.panels();
            if (GetParam() == Way::halfScreen) {
                size = first.window.size();
            }
            ASSERT_TRUE(first.window.close());
        }
        Start again(store);
        ASSERT_TRUE(again.window.isVisible());
        EXPECT_EQ(again.window.isMaximized(), GetParam() == Way::maximised);
        EXPECT_EQ(again.window.isFullScreen(), GetParam() == Way::fullScreen);
        EXPECT_FALSE(again.window.isMinimized());
        EXPECT_EQ(again.panels(), panels);
        again.window.setWindowState(Qt::WindowNoState);
        EXPECT_TRUE(again.waitFor([&] { return again.window.size() == size; }))
            << again.window.width() << " x " << again.window.height();
        EXPECT_TRUE(again.errors.texts.isEmpty());
        ASSERT_TRUE(again.window.close());
    }
}

INSTANTIATE_TEST_SUITE_P(Ways, Closing,
                         ::testing::Values(Way::normal, Way::maximised, Way::fullScreen, Way::minimised,
                                           Way::halfScreen));

/// The panels of a workspace at first.
std::set<std::string> firstPanels(const QString& workspace) {
    const QTemporaryDir folder;
    QSettings store(folder.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat);
    Start start(store);
    start.window.workspaces().show(workspace);
    return start.panels();
}

class StartIn : public WindowLookTest, public ::testing::WithParamInterface<int> {};

TEST_P(StartIn, AnyWorkspaceLeavesTheOthersAsTheyWere) {
    const QString first = Workspaces::names().at(GetParam());
    for (const QString& next : {first, QStringLiteral("objects")}) {
        Start start(store);
        start.window.workspaces().show(next);
        ASSERT_TRUE(start.window.close());
    }
    Start start(store);
    EXPECT_EQ(start.window.workspaces().current(), "objects");
    EXPECT_EQ(start.panels(), firstPanels(QStringLiteral("objects")));
    for (const QString& each : QStringList(QStringLiteral("filter")) + Workspaces::names()) {
        start.window.workspaces().show(each);
        EXPECT_EQ(start.panels(), firstPanels(each)) << each.toStdString();
    }
}

INSTANTIATE_TEST_SUITE_P(All, StartIn, ::testing::Range(0, static_cast<int>(Workspaces::names().size())));

TEST_F(WindowLookTest, StartingStoresNothing) {
    {
        Start first(store);
        first.window.workspaces().show(QStringLiteral("objects"));
        ASSERT_TRUE(first.window.close());
    }
    const auto content = [this] {
        QMap<QString, QVariant> values;
        for (const QString& key : store.allKeys()) {
            values[key] = store.value(key);
        }
        return values;
    };
    const auto before = content();
    ASSERT_FALSE(before.value(QStringLiteral("workspaces/objects")).toByteArray().isEmpty());
    const Start second(store);
    EXPECT_EQ(content(), before);
}

/// Earlier versions stored an arrangement without any panel for the workspace Filter.
TEST_F(WindowLookTest, AWorkspaceWithoutItsPanelsGetsTheMainOne) {
    {
        Start first(store);
        first.window.findChild<QDockWidget*>(QStringLiteral("filterDock"))->close();
        ASSERT_TRUE(first.panels().empty());
        ASSERT_TRUE(first.window.close());
    }
    Start again(store);
    EXPECT_EQ(again.panels(), (std::set<std::string>{"filterDock"}));
}

TEST_F(WindowLookTest, ASizeBeyondTheScreenIsNeitherStoredNorRestored) {
    const QSize space = QGuiApplication::primaryScreen()->availableSize();
    const QSize large = space + QSize(400, 300);
    {
        QMainWindow window;
        window.resize(large);
        store.setValue(QStringLiteral("window/geometry"), window.saveGeometry());
    }
    {
        Start start(store);
        EXPECT_LE(start.window.width(), space.width());
        EXPECT_LE(start.window.height(), space.height());
        start.window.resize(large);
        ASSERT_TRUE(start.window.close());
        EXPECT_LE(start.window.width(), space.width());
        EXPECT_LE(start.window.height(), space.height());
    }
}

TEST_F(WindowLookTest, SettingsOfEarlierVersionsOpen) {
    for (const Qt::WindowStates states :
         {Qt::WindowStates(Qt::WindowMaximized), Qt::WindowStates(Qt::WindowFullScreen)}) {
        {
            Start first(store);
            first.window.setWindowState(states);
            ASSERT_TRUE(first.window.close());
        }
        store.remove(QStringLiteral("window"));
        storeAsBefore(states);
        Start again(store);
        EXPECT_EQ(again.window.windowState() & (Qt::WindowMaximized | Qt::WindowFullScreen), states);
        again.window.setWindowState(Qt::WindowNoState);
        EXPECT_TRUE(again.waitFor([&] { return again.window.size() == QSize(1360, 860); }));
    }
}

TEST_F(WindowLookTest, AMaximisedWindowWithoutANormalSizeGetsTheFirstOne) {
    const QRect space = QGuiApplication::primaryScreen()->availableGeometry();
    {
        QMainWindow window;
        window.setGeometry(space);
        window.setWindowState(Qt::WindowMaximized);
        store.setValue(QStringLiteral("window/geometry"), window.saveGeometry());
    }
    Start start(store);
    EXPECT_TRUE(start.window.isMaximized());
    start.window.setWindowState(Qt::WindowNoState);
    EXPECT_TRUE(start.waitFor(
        [&] { return start.window.width() <= space.width() * 3 / 4 && start.window.height() < space.height() - 40; }));
}

/// Some window managers send the size of a maximised window before the state.
TEST_F(WindowLookTest, TheSizeOfAnotherStateIsNotTheNormalOne) {
    const QSize normal(1100, 760);
    {
        Start first(store);
        first.window.resize(normal);
        ASSERT_TRUE(first.waitFor([&] { return first.window.size() == normal; }));
        const auto* placed = first.window.findChild<WindowLook*>()->findChild<QTimer*>();
        ASSERT_TRUE(first.waitFor([&] { return !placed->isActive(); })) << "the place is no step to another state";
        first.window.setGeometry(first.window.screen()->availableGeometry());
        first.window.setWindowState(Qt::WindowMaximized);
        ASSERT_TRUE(first.window.close());
    }
    Start again(store);
    EXPECT_TRUE(again.window.isMaximized());
    again.window.setWindowState(Qt::WindowNoState);
    EXPECT_TRUE(again.waitFor([&] { return again.window.size() == normal; }));
}

TEST_F(WindowLookTest, AWindowOfAnotherScreenComesToThisOne) {
    {
        Start first(store);
        ASSERT_TRUE(first.window.close());
    }
    {
        QMainWindow window;
        window.setGeometry(5000, 3000, 1100, 760);
        store.setValue(QStringLiteral("window/geometry"), window.saveGeometry());
    }
    Start again(store);
    EXPECT_TRUE(again.window.screen()->availableGeometry().contains(again.window.geometry()));
    EXPECT_TRUE(again.errors.texts.isEmpty());
}

TEST_F(WindowLookTest, DamagedSettingsAreSetAsideWithASentence) {
    {
        Start first(store);
        ASSERT_TRUE(first.window.close());
    }
    const QByteArray geometry = store.value(QStringLiteral("window/geometry")).toByteArray();
    const QByteArray arrangement = store.value(QStringLiteral("workspaces/filter")).toByteArray();
    ASSERT_FALSE(arrangement.isEmpty());
    const auto damaged = [](const QByteArray& data, int kind) {
        return kind == 0 ? QByteArray("garbage\0\xff", 9) : data.left(kind == 1 ? data.size() / 2 : data.size() - 1);
    };
    for (int kind = 0; kind < 3; ++kind) {
        for (const auto& [key, data] :
             {std::pair("window/geometry", geometry), std::pair("workspaces/filter", arrangement)}) {
            SCOPED_TRACE(key + std::to_string(kind));
            store.setValue(QLatin1String(key), damaged(data, kind));
            Start start(store);
            ASSERT_TRUE(start.waitFor([&] { return !start.errors.texts.isEmpty(); }));
            EXPECT_TRUE(start.errors.texts.join(u' ').contains(QStringLiteral("set aside")));
            EXPECT_EQ(store.value(QStringLiteral("setAside/") + QLatin1String(key)).toByteArray(), damaged(data, kind));
            EXPECT_TRUE(start.panels().contains("filterDock"));
            ASSERT_TRUE(start.window.close());
            Start next(store);
            QCoreApplication::processEvents();
            EXPECT_TRUE(next.errors.texts.isEmpty()) << "said once";
        }
    }
    QByteArray empty = geometry; // a place whose last column and row are before the first ones
    empty.replace(24, 16, QByteArray(8, '\0') + QByteArray(8, '\xff'));
    store.setValue(QStringLiteral("window/geometry"), empty);
    Start start(store);
    EXPECT_TRUE(start.waitFor([&] { return !start.errors.texts.isEmpty(); }));
}

TEST_F(WindowLookTest, FloatingPanelsStayAboveTheWindow) {
    {
        Start first(store);
        auto* dock = first.window.findChild<QDockWidget*>(QStringLiteral("filterDock"));
        dock->setFloating(true);
        ASSERT_TRUE(appears(*dock));
        ASSERT_TRUE(first.window.close());
    }
    Start again(store);
    const auto* dock = again.window.findChild<QDockWidget*>(QStringLiteral("filterDock"));
    EXPECT_TRUE(dock->isFloating());
    ASSERT_TRUE(again.waitFor([&] { return dock->isVisible(); }));
    EXPECT_FALSE(again.hasPanelBefore) << "window managers place it below the window";
    EXPECT_EQ(dock->windowHandle()->transientParent(), again.window.windowHandle());
}

TEST_F(WindowLookTest, EscapeLeavesFullScreen) {
    Start start(store);
    auto* action = start.window.findChild<QAction*>(QStringLiteral("fullScreen"));
    action->trigger();
    ASSERT_TRUE(start.waitFor([&] { return start.window.isFullScreen(); }));
    QTest::keyClick(&start.window, Qt::Key_Escape);
    EXPECT_TRUE(start.waitFor([&] { return !start.window.isFullScreen(); }));
    EXPECT_FALSE(action->isChecked());
}

TEST_F(WindowLookTest, TheBarOfWorkspacesFitsIntoALowWindow) {
    Start start(store);
    const auto* bar = start.window.findChild<QToolBar*>(QStringLiteral("workspaceBar"));
    const auto isWhole = [bar] {
        for (QAction* action : bar->actions()) {
            const QWidget* button = bar->widgetForAction(action);
            if (!button->isVisible() || button->geometry().bottom() > bar->height()) {
                return false;
            }
        }
        return true;
    };
    for (const int height : {860, 480, 860}) {
        start.window.resize(1000, height);
        ASSERT_TRUE(start.waitFor([&] { return start.window.height() == height; }));
        EXPECT_TRUE(start.waitFor(isWhole)) << height;
    }
    EXPECT_EQ(bar->toolButtonStyle(), Qt::ToolButtonTextUnderIcon);
}

} // namespace
} // namespace pollard::app
