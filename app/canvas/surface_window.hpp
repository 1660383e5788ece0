#pragma once

#include <QWindow>

#include <functional>

namespace pollard::app {

/// The native window of a GlSurface. Most systems let the pointer and what is dropped through it; what others (Wayland
/// with Qt 6.4) bring here nevertheless goes on to the window that it lies in.
class SurfaceWindow : public QWindow {
public:
    /// @param exposed is called when it has to be drawn
    explicit SurfaceWindow(std::function<void()> exposed);

protected:
    void exposeEvent(QExposeEvent* event) override;
    bool event(QEvent* event) override;

private:
    [[nodiscard]] bool handOn(QEvent& event);

    std::function<void()> exposed_;
};

} // namespace pollard::app
