// A dialog keeps the focus when a window that it blocks is activated.
#include "widgets/input_focus.hpp"

#include "app/support/windows.hpp"

#include <QDialog>
#include <QLineEdit>
#include <QTest>
#include <gtest/gtest.h>

#include <tuple>

namespace pollard::app {
namespace {

/// Whether the dialog is the active window after another one was asked for. A window manager may answer late, or give
/// the focus to the dialog itself.
[[nodiscard]] bool keepsFocus(const QDialog& dialog, QWidget& other) {
    requestFocus(other);
    std::ignore = QTest::qWaitFor([&] { return !dialog.isActiveWindow(); }, 200);
    return QTest::qWaitFor([&] { return dialog.isActiveWindow(); }, kPatience);
}

TEST(ModalFocus, ADialogGetsTheFocusBackFromTheWindowsThatItBlocks) {
    QWidget window;
    const ModalFocus focus(&window);
    QWidget panel(&window, Qt::Tool);
    window.resize(600, 400);
    window.show();
    panel.show();
    ASSERT_TRUE(appears(window) && appears(panel));
    QDialog dialog(&window);
    new QLineEdit(&dialog);
    dialog.open();
    ASSERT_TRUE(activate(dialog));
    EXPECT_TRUE(keepsFocus(dialog, window));
    EXPECT_TRUE(keepsFocus(dialog, panel));
}

TEST(ModalFocus, ADialogOfADialogHasIt) {
    QWidget window;
    const ModalFocus focus(&window);
    window.show();
    QDialog first(&window);
    first.open();
    QDialog second(&first);
    second.open();
    ASSERT_TRUE(appears(window) && appears(first) && activate(second));
    EXPECT_TRUE(keepsFocus(second, window));
    EXPECT_TRUE(keepsFocus(second, first));
}

TEST(ModalFocus, OtherWindowsKeepIt) {
    QWidget window;
    const ModalFocus focus(&window);
    QWidget other;
    window.show();
    other.show();
    ASSERT_TRUE(appears(window) && appears(other));
    QDialog dialog(&window);
    dialog.open();
    ASSERT_TRUE(activate(dialog));
    EXPECT_TRUE(QTest::qWaitFor(
        [&] {
            const bool hasIt = activate(other);
            QTest::qWait(50); // enough for a dialog to take the focus back
            return hasIt && other.isActiveWindow();
        },
        kPatience));
}

} // namespace
} // namespace pollard::app
