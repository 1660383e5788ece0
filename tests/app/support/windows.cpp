#include "app/support/windows.hpp"

#include <QGuiApplication>
#include <QTest>
#include <QWidget>

#include <cstdlib>

#ifdef POLLARD_TEST_XCB
#include <xcb/xcb.h>
#endif

namespace pollard::app {

bool appears(QWidget& window) { return QTest::qWaitForWindowExposed(&window, kPatience); }

void requestFocus(QWidget& window) {
#ifdef POLLARD_TEST_XCB
    // The display ignores a request with a time before the last change of the focus, and Qt takes the time from events.
    if (const auto* display = qGuiApp->nativeInterface<QNativeInterface::QX11Application>()) {
        xcb_connection_t* const connection = display->connection();
        const auto id = static_cast<xcb_window_t>(window.window()->winId());
        xcb_change_property(connection, XCB_PROP_MODE_APPEND, id, XCB_ATOM_NOTICE, XCB_ATOM_STRING, 8, 0, nullptr);
        std::free(
            xcb_get_input_focus_reply(connection, xcb_get_input_focus(connection), nullptr)); // waits for the event
        QCoreApplication::processEvents();
    }
#endif
    window.activateWindow();
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
