#pragma once

#include <QImage>
#include <QRegion>
#include <QSize>
#include <QWidget>

namespace pollard::app {

/// An image of the children of a widget on a transparent background.
class ChildLayer {
public:
    /// @param parent must outlive this
    explicit ChildLayer(QWidget& parent) : parent_(parent) {}

    /// Marks @p area (logical px of the parent) as changed.
    void touch(const QRegion& area) { touched_ += area; }
    /// Repaints the changed area, or everything if the size has changed.
    /// @param size of the image, px
    /// @param ratio px per logical px
    /// @returns painted region, px
    QRegion repaint(QSize size, double ratio);

    /// Premultiplied; null before repaint().
    [[nodiscard]] const QImage& picture() const noexcept { return picture_; }
    /// Rectangles outside of which the image is transparent, px.
    [[nodiscard]] const QRegion& covered() const noexcept { return covered_; }

private:
    void paintChildren(const QRegion& area);
    void lookAt(const QRegion& pixels);

    QWidget& parent_;
    QImage picture_;
    QRegion touched_; ///< logical px
    QRegion covered_;
};

} // namespace pollard::app
