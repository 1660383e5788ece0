#include "app/support/windows.hpp"

#include <QElapsedTimer>
#include <QGuiApplication>
#include <QTest>
#include <QWidget>

#include <cstdlib>

#ifdef POLLARD_TEST_XCB
#include <xcb/xcb.h>
#endif

namespace pollard::app {

namespace {

/// Gives Qt the present time, as a key or a click of a person does: Qt takes the time of its requests from events, and
/// the display ignores a request with a time before the last change of the focus.
void tellTime([[maybe_unused]] const QWidget& window) {
#ifdef POLLARD_TEST_XCB
    if (const auto* display = qGuiApp->nativeInterface<QNativeInterface::QX11Application>()) {
        xcb_connection_t* const connection = display->connection();
        const auto id = static_cast<xcb_window_t>(window.window()->winId());
        xcb_change_property(connection, XCB_PROP_MODE_APPEND, id, XCB_ATOM_NOTICE, XCB_ATOM_STRING, 8, 0, nullptr);
        std::free(
            xcb_get_input_focus_reply(connection, xcb_get_input_focus(connection), nullptr)); // waits for the event
        QCoreApplication::processEvents();
    }
#endif
}

} // namespace

bool appears(QWidget& window) { return QTest::qWaitForWindowExposed(&window, kPatience); }

void requestFocus(QWidget& window) {
    tellTime(window);
    window.activateWindow();
}

bool activate(QWidget& window) {
    // A window manager may give a new window the focus itself, and fulfils each request some time.
    constexpr int kFirst = 100;  // ms
    constexpr int kAgain = 1000; // ms
    QElapsedTimer waited;
    waited.start();
    int next = kFirst;
    return QTest::qWaitFor(
        [&] {
            if (!window.isActiveWindow() && waited.hasExpired(next)) {
                requestFocus(window);
                waited.restart();
                next = kAgain;
            }
            if (window.isActiveWindow()) {
                tellTime(window); // also brings the event of another window that has taken or lost the focus since
            }
            return window.isActiveWindow();
        },
        kPatience);
}

bool focus(QWidget& widget) {
    widget.setFocus();
    return activate(*widget.window()) && QTest::qWaitFor([&widget] { return widget.hasFocus(); }, kPatience);
}

} // namespace pollard::app
