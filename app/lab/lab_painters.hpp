#pragma once

#include "lab/lab_grid.hpp"
#include "lab/lab_scene.hpp"

#include <QColor>
#include <QPointF>
#include <QString>

#include <vector>

class QPainter;

namespace pollard::app {

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

/// Text centred in a box, as large as possible; omitted if it would be unreadable.
void paintFitting(QPainter& painter, const QRectF& box, const LabScene& scene, const QString& text, const QColor& ink);
/// The levels as grey cells with lines between them.
void paintCells(QPainter& painter, const LabGrid& grid, const LabScene& scene, const std::vector<std::int64_t>& levels,
                bool pale);
/// The component of the highlighted pixel, and the pixel.
void paintFocus(QPainter& painter, const LabGrid& grid, const LabScene& scene);

} // namespace pollard::app
