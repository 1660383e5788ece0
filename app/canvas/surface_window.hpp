#pragma once

#include <QImage>
#include <QRegion>
#include <QSize>
#include <QWidget>
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
    [[nodiscard]] bool forwardToParent(QEvent& event);

    std::function<void()> exposed_;
};

/// An image of the children of a widget on a transparent background.
class ChildLayer {
public:
    /// @param parent must outlive this
    explicit ChildLayer(QWidget& parent) : parent_(parent) {}

    /// Marks @p area (logical px of the parent) as changed.
    void invalidate(const QRegion& area) { dirty_ += area; }
    /// Repaints the changed area, or everything if the size has changed.
    /// @param size of the image, px
    /// @param ratio px per logical px
    /// @returns painted region, px
    QRegion repaint(QSize size, double ratio);

    /// Premultiplied; null before repaint().
    [[nodiscard]] const QImage& image() const noexcept { return image_; }
    /// Rectangles that contain all pixels that are not transparent, px.
    [[nodiscard]] const QRegion& covered() const noexcept { return covered_; }

private:
    void paintChildren(const QRegion& area);
    void updateCovered(const QRegion& pixels);

    QWidget& parent_;
    QImage image_;
    QRegion dirty_; ///< logical px
    QRegion covered_;
};

/// A ring of two colours along the edge of a view of an image while the view has the keyboard focus and the user
/// works with the keyboard. One of the two colours contrasts with any image.
class FocusRing : public QWidget {
    Q_OBJECT

public:
    static constexpr int kOuter = 2; ///< width of the ring in the colour of the selection, logical px
    static constexpr int kInner = 1; ///< width of the ring within it, in the colour of the background

    /// @param view parent
    explicit FocusRing(QWidget& view);

protected:
    void paintEvent(QPaintEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void follow();
    void showFor(const QEvent& event);

    QWidget& view_;
    bool isByKeyboard_ = false;
};

} // namespace pollard::app
