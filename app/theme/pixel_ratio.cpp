#include "theme/pixel_ratio.hpp"

#include <utility>

namespace pollard::app {
namespace {

class PixelRatioWatch : public QObject {
public:
    PixelRatioWatch(QWidget* widget, std::function<void()> update) : QObject(widget), update_(std::move(update)) {
        widget->installEventFilter(this);
    }

protected:
    bool eventFilter(QObject*, QEvent* event) override {
        if (tellsPixelRatio(*event)) {
            update_();
        }
        return false;
    }

private:
    std::function<void()> update_;
};

} // namespace

bool tellsPixelRatio(const QEvent& event) {
#if QT_VERSION >= QT_VERSION_CHECK(6, 6, 0)
    if (event.type() == QEvent::DevicePixelRatioChange) {
        return true;
    }
#endif
    return event.type() == QEvent::ScreenChangeInternal;
}

void onPixelRatio(QWidget* widget, std::function<void()> update) { new PixelRatioWatch(widget, std::move(update)); }

} // namespace pollard::app
