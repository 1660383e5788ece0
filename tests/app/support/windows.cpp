#include "app/support/windows.hpp"

#include <QGuiApplication>
#include <QTest>
#include <QWidget>

#include <cstdlib>

#ifdef POLLARD_TEST_XCB
#include <xcb/xcb.h>
#endif

namespace pollard::app {
namespace {

#ifdef POLLARD_TEST_XCB
/// A window manager may refuse a request of a program, and the display ignores one with an old time.
bool requestFromDisplay(QWidget& window) {
    const auto* display = qGuiApp->nativeInterface<QNativeInterface::QX11Application>();
    if (display == nullptr) {
        return false;
    }
    xcb_connection_t* const connection = display->connection();
    const auto id = static_cast<xcb_window_t>(window.window()->winId());
    std::free(xcb_request_check(connection, xcb_set_input_focus_checked(connection, XCB_INPUT_FOCUS_PARENT, id,
                                                                         XCB_CURRENT_TIME)));
    // No change, but an event with the time, from which Qt takes the time of its own requests.
    xcb_change_property(connection, XCB_PROP_MODE_APPEND, id, XCB_ATOM_WM_NAME, XCB_ATOM_STRING, 8, 0, nullptr);
    xcb_flush(connection);
    return true;
}
#else
bool requestFromDisplay(QWidget&) { return false; }
#endif

} // namespace

bool appears(QWidget& window) { return QTest::qWaitForWindowExposed(&window, kPatience); }

void requestFocus(QWidget& window) {
    if (!requestFromDisplay(window)) {
        window.activateWindow();
    }
}

bool activate(QWidget& window) {
    return QTest::qWaitFor(
        [&window] {
            if (!window.isActiveWindow()) {
                requestFocus(window);
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
