#include "widgets/screen_size.hpp"

#include <QScreen>
#include <QWidget>

namespace pollard::app {
namespace {

constexpr QSize kFrame(12, 40); ///< px that the window manager adds

} // namespace

QSize largestSize(const QWidget& window) { return window.screen()->availableSize() - kFrame; }

void resizeOnScreen(QWidget& window, const QSize& size) { window.resize(size.boundedTo(largestSize(window))); }

} // namespace pollard::app
