#pragma once

#include "lab/lab_scene.hpp"
#include "trace/trace.hpp"

#include <QColor>
#include <QPalette>
#include <QPointF>
#include <QRectF>
#include <QString>

#include <cstdint>
#include <vector>

class QPainter;

namespace pollard::app {

/// Colour of virtual threads 0 to 7; distinguishable in colour blindness, and labelled by letters as well.
[[nodiscard]] QColor threadColour(std::int64_t thread);

/// Colour of the effect of a step on a pixel or an edge; invalid for none.
[[nodiscard]] QColor markColour(teach::Mark mark, const QPalette& palette);
[[nodiscard]] QColor edgeColour(teach::EdgeMark mark, const QPalette& palette);

/// Colour of the frame around the highlighted pixel and component.
[[nodiscard]] QColor focusColour();

/// Colour of a level between the lowest and the highest of an image.
[[nodiscard]] QColor cellColour(int level, int lowest, int highest);
/// Black or white, readable on a background.
[[nodiscard]] QColor inkOn(const QColor& ground);

/// Layout of the pixels of a small image: centred squares, as large as possible.
class LabGrid {
public:
    LabGrid(const teach::LabImage& image, const QRectF& area);

    [[nodiscard]] double side() const noexcept { return side_; } ///< of a pixel
    [[nodiscard]] QRectF all() const { return {origin_.x(), origin_.y(), side_ * columns_, side_ * rows_}; }
    [[nodiscard]] QRectF cell(std::int64_t pixel) const;
    [[nodiscard]] QPointF centre(std::int64_t pixel) const { return cell(pixel).center(); }
    [[nodiscard]] QPointF corner(double x, double y) const { return origin_ + QPointF(x, y) * side_; }
    /// Pixel at a position; -1 outside the image.
    [[nodiscard]] int pixelAt(QPointF place) const;

private:
    int columns_;
    int rows_;
    double side_;
    QPointF origin_;
};

// Parts of paintPart().
void paintImage(QPainter& painter, const QRectF& area, const LabScene& scene);
void paintParents(QPainter& painter, const QRectF& area, const LabScene& scene);
void paintResult(QPainter& painter, const QRectF& area, const LabScene& scene);
void paintTree(QPainter& painter, const QRectF& area, const LabScene& scene);
void paintTable(QPainter& painter, const QRectF& area, const LabScene& scene);
void paintWords(QPainter& painter, const QRectF& area, const LabScene& scene);

/// Positions of the nodes of the tree, in the order of DrawnTree; empty without a recording.
[[nodiscard]] std::vector<QPointF> nodePlaces(const QRectF& area, const LabScene& scene);
/// Node at a position; -1 for none.
[[nodiscard]] int nodeAt(QPointF place, const QRectF& area, const LabScene& scene);

/// Paints a text centred in a box, as large as possible; no text if it would be unreadable.
void paintFitting(QPainter& painter, const QRectF& box, const LabScene& scene, const QString& text, const QColor& ink);
/// Paints the levels as grey cells with lines between the cells.
void paintCells(QPainter& painter, const LabGrid& grid, const LabScene& scene, const std::vector<std::int64_t>& levels,
                bool pale);
/// Paints frames around the highlighted pixel and its component.
void paintFocus(QPainter& painter, const LabGrid& grid, const LabScene& scene);

} // namespace pollard::app
