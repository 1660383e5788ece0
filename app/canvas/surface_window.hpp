#pragma once

#include <QWindow>

#include <functional>

namespace pollard::app {

/// The native window of a GlSurface. Most systems pass pointer and drops through it; events that still arrive here
/// (Wayland with Qt 6.4) are forwarded to the containing window.
class SurfaceWindow : public QWindow {
public:
    /// @param exposed called when the window must be drawn
    explicit SurfaceWindow(std::function<void()> exposed);

protected:
    void exposeEvent(QExposeEvent* event) override;
    bool event(QEvent* event) override;

private:
    [[nodiscard]] bool handOn(QEvent& event);

    std::function<void()> exposed_;
};

} // namespace pollard::app
