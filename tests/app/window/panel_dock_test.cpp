// View > Panels and the command palette bring a panel to the front.
#include "app/test_window.hpp"

#include "window/dialogs/command_palette.hpp"
#include "window/panel_dock.hpp"
#include "window/workspaces.hpp"

#include <QDockWidget>
#include <QLineEdit>
#include <QPointer>
#include <QStatusBar>
#include <QToolBar>

#include <algorithm>

namespace pollard::app {
namespace {

class Panels : public ::testing::Test {
protected:
    TestWindow test;

    void SetUp() override {
        test.window.resize(1400, 900);
        test.open("noise", makeNoise(48));
    }
    [[nodiscard]] QList<QDockWidget*> docks() const {
        return test.window.findChildren<QDockWidget*>(QString(), Qt::FindDirectChildrenOnly);
    }
    [[nodiscard]] static bool isInFront(const QDockWidget& dock) {
        return dock.isVisible() && !dock.visibleRegion().isEmpty();
    }
    [[nodiscard]] static bool holdsFocus(const QDockWidget& dock) {
        const QWidget* focused = QApplication::focusWidget();
        return focused != nullptr && dock.isAncestorOf(focused);
    }
    /// Brings another dock to the front of its tabs. @returns whether there is one
    [[nodiscard]] bool putBehind(QDockWidget& dock) {
        dock.show();
        const QList<QDockWidget*> beside = test.window.tabifiedDockWidgets(&dock);
        if (beside.isEmpty()) {
            return false;
        }
        beside.front()->show();
        beside.front()->raise();
        test.window.canvas()->setFocus();
        QCoreApplication::processEvents();
        return true;
    }
};

TEST_F(Panels, TheEntryOfAPanelBehindAnotherRaisesItAndOfOneInFrontHidesIt) {
    int count = 0;
    for (QDockWidget* dock : docks()) {
        if (!putBehind(*dock)) {
            continue;
        }
        const std::string name = dock->objectName().toStdString();
        ++count;
        ASSERT_FALSE(isInFront(*dock)) << name;
        QAction* entry = dock->toggleViewAction();
        entry->trigger();
        EXPECT_TRUE(QTest::qWaitFor([&] { return isInFront(*dock) && holdsFocus(*dock); }, kPatience)) << name;
        EXPECT_TRUE(entry->isChecked()) << name;
        entry->trigger();
        EXPECT_TRUE(dock->isHidden()) << name;
        EXPECT_FALSE(entry->isChecked()) << name;
        entry->trigger();
        EXPECT_TRUE(QTest::qWaitFor([&] { return isInFront(*dock) && holdsFocus(*dock); }, kPatience)) << name;
        EXPECT_TRUE(entry->isChecked()) << name;
    }
    EXPECT_GT(count, 10);
}

TEST_F(Panels, TheCommandPaletteNeverHidesOne) {
    const auto run = [this](const QDockWidget& dock) {
        test.window.actionList().commands->trigger();
        const QList<CommandPalette*> palettes = test.window.findChildren<CommandPalette*>();
        ASSERT_FALSE(palettes.isEmpty());
        const QPointer<CommandPalette> palette = palettes.back();
        ASSERT_TRUE(appears(*palette));
        auto* query = palette->findChild<QLineEdit*>(QStringLiteral("commandQuery"));
        query->setText(QStringLiteral("panels %1").arg(dock.windowTitle()));
        QTest::keyClick(query, Qt::Key_Return);
        ASSERT_TRUE(QTest::qWaitFor([&] { return palette == nullptr || !palette->isVisible(); }, kPatience));
        EXPECT_TRUE(QTest::qWaitFor(
            [&] {
                return isInFront(dock) && test.window.focusWidget() != nullptr &&
                       dock.isAncestorOf(test.window.focusWidget());
            },
            kPatience))
            << dock.objectName().toStdString();
    };
    test.window.workspaces().show(QStringLiteral("compare"));
    auto* filter = test.part<QDockWidget>("filterDock");
    ASSERT_TRUE(putBehind(*filter));
    ASSERT_NO_FATAL_FAILURE(run(*filter));
    ASSERT_NO_FATAL_FAILURE(run(*filter)); // already in front
    auto* display = test.part<QDockWidget>("displayDock");
    ASSERT_NO_FATAL_FAILURE(run(*display));
    display->close();
    ASSERT_NO_FATAL_FAILURE(run(*display));
}

TEST_F(Panels, AreGoneThroughByAKeyTogetherWithTheOtherParts) {
    test.window.workspaces().show(QStringLiteral("compare"));
    showPanel(test.window, QStringLiteral("image"));
    ASSERT_TRUE(test.settle());
    ASSERT_TRUE(test.isLaidOut());
    const auto part = [this]() -> const QWidget* {
        for (const QWidget* each = QApplication::focusWidget(); each != nullptr; each = each->parentWidget()) {
            if (each == test.window.canvas() || qobject_cast<const QDockWidget*>(each) != nullptr ||
                qobject_cast<const QToolBar*>(each) != nullptr) {
                return each;
            }
        }
        return nullptr;
    };
    const auto walk = [&](Qt::KeyboardModifiers modifiers) {
        QList<const QWidget*> parts;
        test.window.canvas()->setFocus();
        do {
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_F6, modifiers);
            parts << part();
        } while (parts.back() != test.window.canvas() && parts.size() < 20);
        return parts;
    };
    test.window.setAttribute(Qt::WA_KeyboardFocusChange, false);
    QList<const QWidget*> forward = walk(Qt::NoModifier);
    EXPECT_TRUE(test.window.testAttribute(Qt::WA_KeyboardFocusChange)) << "controls do not show the focus";
    for (const QDockWidget* dock : docks()) {
        EXPECT_EQ(forward.count(dock), isInFront(*dock) ? 1 : 0) << dock->objectName().toStdString();
    }
    EXPECT_EQ(forward.count(test.part<QToolBar>("toolBar")), 1);
    EXPECT_EQ(forward.count(test.part<QToolBar>("workspaceBar")), 1);
    EXPECT_FALSE(forward.contains(nullptr));
    EXPECT_EQ(test.window.statusBar()->currentMessage(), QStringLiteral("Image"));
    QList<const QWidget*> back = walk(Qt::ShiftModifier);
    forward.removeLast(); // the image
    back.removeLast();
    std::reverse(back.begin(), back.end());
    EXPECT_EQ(back, forward);
}

} // namespace
} // namespace pollard::app
