// A dialog keeps the focus when a window that it blocks is activated.
#include "widgets/modal_focus.hpp"

#include <QDialog>
#include <QGuiApplication>
#include <QLineEdit>
#include <QTest>
#include <QVBoxLayout>
#include <gtest/gtest.h>

namespace pollard::app {
namespace {

TEST(ModalFocus, ADialogGetsTheFocusBackFromTheWindowsThatItBlocks) {
    QWidget window;
    const ModalFocus focus(&window);
    QWidget panel(&window, Qt::Tool);
    window.resize(600, 400);
    window.show();
    panel.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&panel));
    QDialog dialog(&window);
    new QLineEdit(&dialog);
    dialog.open();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&dialog));
    for (QWidget* blocked : {&window, &panel}) {
        blocked->activateWindow();
        EXPECT_TRUE(QTest::qWaitFor([&] { return QGuiApplication::focusWindow() != dialog.windowHandle(); }, 500) ||
                    dialog.isActiveWindow());
        EXPECT_TRUE(QTest::qWaitFor([&] { return dialog.isActiveWindow(); }));
    }
}

TEST(ModalFocus, ADialogOfADialogHasIt) {
    QWidget window;
    const ModalFocus focus(&window);
    window.show();
    QDialog first(&window);
    first.open();
    QDialog second(&first);
    second.open();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&second));
    window.activateWindow();
    QTest::qWait(50); // for the window manager
    EXPECT_TRUE(QTest::qWaitFor([&] { return second.isActiveWindow(); }));
}

TEST(ModalFocus, OtherWindowsKeepIt) {
    const auto activates = [](QWidget& each) { // again, until the window manager has placed it
        return QTest::qWaitFor([&] {
            each.activateWindow();
            return each.isActiveWindow();
        });
    };
    QWidget window;
    const ModalFocus focus(&window);
    QWidget other;
    window.show();
    other.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&window) && activates(other));
    QDialog dialog(&window);
    dialog.open();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&dialog));
    ASSERT_TRUE(activates(other));
    QTest::qWait(50); // for the window manager
    EXPECT_TRUE(other.isActiveWindow());
}

} // namespace
} // namespace pollard::app
