#pragma once

#include "lab/lab_grid.hpp"
#include "lab/lab_scene.hpp"

#include <QColor>
#include <QPointF>
#include <QString>

#include <vector>

class QPainter;

namespace pollard::app {

// What paintPart() is made of.
void paintPicture(QPainter& painter, const QRectF& area, const LabScene& scene);
void paintParents(QPainter& painter, const QRectF& area, const LabScene& scene);
void paintResult(QPainter& painter, const QRectF& area, const LabScene& scene);
void paintTree(QPainter& painter, const QRectF& area, const LabScene& scene);
void paintTable(QPainter& painter, const QRectF& area, const LabScene& scene);
void paintWords(QPainter& painter, const QRectF& area, const LabScene& scene);

/// Where the nodes of the tree are drawn, in the order of LabTree; empty without a recording.
[[nodiscard]] std::vector<QPointF> nodePlaces(const QRectF& area, const LabScene& scene);
/// Node under a place; -1 for none.
[[nodiscard]] int nodeAt(QPointF place, const QRectF& area, const LabScene& scene);

/// Text in the middle of a box, as large as it fits; nothing where it could not be read.
void paintFitting(QPainter& painter, const QRectF& box, const LabScene& scene, const QString& text, const QColor& ink);
/// The levels as grey cells with lines between them.
void paintCells(QPainter& painter, const LabGrid& grid, const LabScene& scene, const std::vector<std::int64_t>& levels,
                bool pale);
/// The component of the pixel that is lit, and the pixel.
void paintFocus(QPainter& painter, const LabGrid& grid, const LabScene& scene);

} // namespace pollard::app
