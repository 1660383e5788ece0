#pragma once

#include <QSize>

class QWidget;

namespace pollard::app {

/// The largest size of a window on the screen of @p window: without its frame and the bars of the desktop.
[[nodiscard]] QSize largestSize(const QWidget& window);

/// Gives a window its first size, bounded by largestSize().
void resizeOnScreen(QWidget& window, const QSize& size);

} // namespace pollard::app
