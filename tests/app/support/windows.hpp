#pragma once

#include "base/compiler.hpp"

class QWidget;

namespace pollard::app {

/// Timeout, ms.
#ifdef POLLARD_ASAN
inline constexpr int kPatience = 120000; // unoptimised build
#else
inline constexpr int kPatience = 20000;
#endif

/// Waits until a window is on the screen.
[[nodiscard]] bool appears(QWidget& window);

/// Asks for the focus of a window: the window manager, or the display if there is none. Either may ignore it.
void requestFocus(QWidget& window);

/// Activates a window; repeats the request until the window is active.
[[nodiscard]] bool activate(QWidget& window);

/// Gives a widget the keyboard focus, in the active window.
[[nodiscard]] bool focus(QWidget& widget);

} // namespace pollard::app
