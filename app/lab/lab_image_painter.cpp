#include "lab/lab_painters.hpp"
#include "theme/theme.hpp"
#include "vm/lab/lab_recording.hpp"

#include <QPainter>
#include <QPainterPath>
#include <QPolygonF>

#include <algorithm>
#include <cmath>

namespace pollard::app {
namespace {

using teach::Layer;

std::vector<std::int64_t> levelsOf(const LabScene& scene) {
    const auto& levels = scene.image.levels;
    return {levels.begin(), levels.end()};
}

/// A layer with a number per pixel of the current image; empty if there is none.
const std::vector<std::int64_t>& pixelLayer(const LabScene& scene, Layer layer) {
    static const std::vector<std::int64_t> kNone;
    const auto& found = scene.layer(layer);
    return found.size() == scene.image.pixelCount() ? found : kNone;
}

void paintLevels(QPainter& painter, const LabGrid& grid, const LabScene& scene) {
    const auto& levels = scene.image.levels;
    const auto [least, most] = std::ranges::minmax_element(levels);
    for (std::size_t p = 0; p < levels.size(); ++p) {
        const QRectF cell = grid.cell(static_cast<std::int64_t>(p));
        const double edge = cell.width() * 0.14;
        paintFitting(
            painter,
            QRectF(cell.left() + edge, cell.top() + cell.height() * 0.3, cell.width() - 2 * edge, cell.height() * 0.42),
            scene, QString::number(levels[p]), inkOn(cellColour(levels[p], *least, *most)));
    }
}

void paintNumbers(QPainter& painter, const LabGrid& grid, const LabScene& scene) {
    const auto& numbers = pixelLayer(scene, Layer::number);
    for (std::size_t p = 0; p < numbers.size(); ++p) {
        if (numbers[p] >= 0) {
            const QRectF cell = grid.cell(static_cast<std::int64_t>(p));
            const QRectF plate(cell.left(), cell.top(), cell.width() * 0.44, cell.height() * 0.28);
            painter.fillRect(plate, scene.palette.color(QPalette::Base));
            paintFitting(painter, plate.adjusted(1, 0, -1, 0), scene, QString::number(numbers[p]),
                         scene.palette.color(QPalette::Text));
        }
    }
}

void paintTiles(QPainter& painter, const LabGrid& grid, const LabScene& scene) {
    const auto& tiles = pixelLayer(scene, Layer::tile);
    const int width = static_cast<int>(scene.image.width);
    painter.setPen(QPen(scene.palette.color(QPalette::Link), std::max(2.0, grid.side() / 12)));
    for (int p = 0; p < static_cast<int>(tiles.size()); ++p) {
        const auto at = static_cast<std::size_t>(p);
        const int x = p % width;
        const int y = p / width;
        if (x > 0 && tiles[at] != tiles[at - 1]) {
            painter.drawLine(grid.corner(x, y), grid.corner(x, y + 1));
        }
        if (y > 0 && tiles[at] != tiles[at - static_cast<std::size_t>(width)]) {
            painter.drawLine(grid.corner(x, y), grid.corner(x + 1, y));
        }
    }
}

void paintEdges(QPainter& painter, const LabGrid& grid, const LabScene& scene) {
    const auto& marks = scene.layer(Layer::edge);
    const auto& recording = scene.recording;
    if (recording == nullptr || marks.size() != recording->edges.size() ||
        recording->trace->image.width != scene.image.width) {
        return;
    }
    constexpr double kReach = 0.22; // fraction of the distance between pixels, on both sides of the border
    for (std::size_t e = 0; e < marks.size(); ++e) {
        const auto mark = static_cast<teach::EdgeMark>(marks[e]);
        if (mark == teach::EdgeMark::open) {
            continue;
        }
        const auto [one, other] = recording->edges[e];
        const QPointF middle = (grid.centre(one) + grid.centre(other)) / 2;
        const QPointF half = (grid.centre(other) - grid.centre(one)) * kReach;
        const bool thick = mark == teach::EdgeMark::active || mark == teach::EdgeMark::used;
        painter.setPen(QPen(edgeColour(mark, scene.palette), grid.side() * (thick ? 0.1 : 0.05),
                            mark == teach::EdgeMark::idle ? Qt::DotLine : Qt::SolidLine, Qt::FlatCap));
        if (mark == teach::EdgeMark::superfluous) {
            const QPointF across(half.y() / 2, -half.x() / 2);
            painter.drawLine(middle - half / 2 - across, middle + half / 2 + across);
            painter.drawLine(middle - half / 2 + across, middle + half / 2 - across);
        } else {
            painter.drawLine(middle - half, middle + half);
        }
    }
}

/// Marks differ in line style as well as in colour.
Qt::PenStyle penOf(teach::Mark mark) {
    switch (mark) {
    case teach::Mark::other:
        return Qt::DashLine;
    case teach::Mark::waiting:
        return Qt::DotLine;
    case teach::Mark::retried:
        return Qt::DashDotLine;
    default:
        return Qt::SolidLine;
    }
}

void paintMarks(QPainter& painter, const LabGrid& grid, const LabScene& scene) {
    const auto& marks = pixelLayer(scene, Layer::mark);
    painter.setBrush(Qt::NoBrush);
    for (std::size_t p = 0; p < marks.size(); ++p) {
        const auto mark = static_cast<teach::Mark>(marks[p]);
        const QColor colour = markColour(mark, scene.palette);
        if (!colour.isValid()) {
            continue;
        }
        const QRectF cell = grid.cell(static_cast<std::int64_t>(p));
        if (mark == teach::Mark::done) {
            const double dot = grid.side() * 0.08;
            painter.setPen(Qt::NoPen);
            painter.setBrush(colour);
            painter.drawEllipse(QPointF(cell.left() + 2 * dot, cell.bottom() - 2 * dot), dot, dot);
            painter.setBrush(Qt::NoBrush);
            continue;
        }
        const double thick = grid.side() * (mark == teach::Mark::active ? 0.11 : 0.085);
        painter.setPen(QPen(colour, thick, penOf(mark), Qt::FlatCap, Qt::MiterJoin));
        painter.drawRect(cell.adjusted(thick / 2, thick / 2, -thick / 2, -thick / 2));
    }
}

void paintKept(QPainter& painter, const LabGrid& grid, const LabScene& scene) {
    const auto& kept = pixelLayer(scene, Layer::kept);
    for (std::size_t p = 0; p < kept.size(); ++p) {
        if (kept[p] < 0) {
            continue;
        }
        const QRectF cell = grid.cell(static_cast<std::int64_t>(p));
        const double s = grid.side() * 0.2;
        const QPointF at(cell.right() - 1.3 * s, cell.bottom() - 1.2 * s);
        const bool keeps = kept[p] != 0;
        painter.setPen(
            QPen(keeps ? scene.palette.color(QPalette::Highlight) : markColour(teach::Mark::retried, scene.palette),
                 grid.side() * 0.07));
        if (keeps) {
            const QPolygonF tick{at + QPointF(-s / 2, 0), at + QPointF(-s / 8, s / 2), at + QPointF(s / 2, -s / 2)};
            painter.drawPolyline(tick);
        } else {
            painter.drawLine(at + QPointF(-s / 2, -s / 2), at + QPointF(s / 2, s / 2));
            painter.drawLine(at + QPointF(-s / 2, s / 2), at + QPointF(s / 2, -s / 2));
        }
    }
}

void paintThreads(QPainter& painter, const LabGrid& grid, const LabScene& scene, Layer layer) {
    const auto& places = scene.layer(layer);
    const auto pixels = static_cast<std::int64_t>(scene.image.pixelCount());
    std::vector<int> standing(scene.image.pixelCount(), 0);
    for (std::size_t t = 0; t < places.size(); ++t) {
        if (places[t] < 0 || places[t] >= pixels) {
            continue;
        }
        const QRectF cell = grid.cell(places[t]);
        const int before = standing[static_cast<std::size_t>(places[t])]++;
        const double radius = grid.side() * 0.17;
        // Several threads at one pixel are painted side by side: threads below, their partners above.
        const double y = layer == Layer::thread ? cell.bottom() - radius * 1.1 : cell.top() + radius * 1.1;
        const QPointF at(cell.right() - radius * 1.1 - before * radius * 1.2, y);
        const QColor colour = threadColour(static_cast<std::int64_t>(t));
        const bool filled = layer == Layer::thread;
        painter.setPen(QPen(filled ? QColor(Qt::white) : colour, radius * (filled ? 0.15 : 0.4)));
        painter.setBrush(filled ? colour : scene.palette.color(QPalette::Base));
        painter.drawEllipse(at, radius, radius);
        paintFitting(painter, QRectF(at.x() - radius, at.y() - radius * 0.7, 2 * radius, radius * 1.4), scene,
                     vm::threadName(static_cast<std::int64_t>(t)),
                     filled ? inkOn(colour) : scene.palette.color(QPalette::Text));
    }
}

void paintContour(QPainter& painter, const LabGrid& grid, const LabScene& scene) {
    const auto& contour = scene.layer(Layer::contour);
    QPolygonF line;
    for (std::size_t i = 0; i + 1 < contour.size(); i += 2) {
        if (contour[i] >= 0 && contour[i + 1] >= 0) {
            line << grid.corner(static_cast<double>(contour[i]), static_cast<double>(contour[i + 1]));
        }
    }
    if (line.size() < 2) {
        return;
    }
    const QColor colour = markColour(teach::Mark::active, scene.palette);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(colour, std::max(2.0, grid.side() * 0.09)));
    painter.drawPolygon(line);
    painter.setBrush(colour);
    painter.setPen(QPen(Qt::white, 1));
    for (const QPointF& node : line) {
        painter.drawEllipse(node, grid.side() * 0.11, grid.side() * 0.11);
    }
}

} // namespace

void paintImage(QPainter& painter, const QRectF& area, const LabScene& scene) {
    const LabGrid grid(scene.image, area);
    paintCells(painter, grid, scene, levelsOf(scene), false);
    paintLevels(painter, grid, scene);
    paintNumbers(painter, grid, scene);
    paintTiles(painter, grid, scene);
    paintEdges(painter, grid, scene);
    paintMarks(painter, grid, scene);
    paintKept(painter, grid, scene);
    paintFocus(painter, grid, scene);
    paintContour(painter, grid, scene);
    paintThreads(painter, grid, scene, Layer::partner);
    paintThreads(painter, grid, scene, Layer::thread);
}

void paintResult(QPainter& painter, const QRectF& area, const LabScene& scene) {
    const LabGrid grid(scene.image, area);
    const auto& output = pixelLayer(scene, Layer::output);
    const auto [least, most] = std::ranges::minmax_element(scene.image.levels);
    paintCells(painter, grid, scene, output, false);
    for (std::size_t p = 0; p < output.size(); ++p) {
        if (output[p] >= 0) {
            const QRectF cell = grid.cell(static_cast<std::int64_t>(p));
            const double edge = cell.width() * 0.14;
            paintFitting(painter,
                         QRectF(cell.left() + edge, cell.top() + cell.height() * 0.3, cell.width() - 2 * edge,
                                cell.height() * 0.42),
                         scene, QString::number(output[p]),
                         inkOn(cellColour(static_cast<int>(output[p]), *least, *most)));
        }
    }
    paintFocus(painter, grid, scene);
}

void paintParents(QPainter& painter, const QRectF& area, const LabScene& scene) {
    const LabGrid grid(scene.image, area);
    paintCells(painter, grid, scene, levelsOf(scene), true);
    const auto& parents = pixelLayer(scene, Layer::parent);
    std::vector<bool> isNew(parents.size(), false);
    for (const teach::Change& change : scene.lastChanges()) {
        if (change.layer == Layer::parent && change.at < isNew.size()) {
            isNew[change.at] = true;
        }
    }
    const QColor ink = scene.palette.color(QPalette::Text);
    const QColor pale = secondaryText(scene.palette);
    const QColor bright = markColour(teach::Mark::active, scene.palette);
    const double thin = std::max(1.0, grid.side() * 0.045);
    for (std::size_t p = 0; p < parents.size(); ++p) {
        const auto pixel = static_cast<std::int64_t>(p);
        const QRectF cell = grid.cell(pixel);
        const bool within = parents[p] >= 0 && parents[p] != pixel &&
                            parents[p] < static_cast<std::int64_t>(parents.size()) &&
                            scene.image.levels[p] == scene.image.levels[static_cast<std::size_t>(parents[p])];
        // Links within a node are paler than links between nodes.
        const QColor colour = isNew[p] ? bright : within ? pale : ink;
        if (scene.indices) {
            if (parents[p] >= 0) {
                paintFitting(painter, cell.adjusted(2, cell.height() * 0.33, -2, -cell.height() * 0.33), scene,
                             vm::pixelText(scene.image, parents[p]), colour);
            }
            continue;
        }
        painter.setPen(QPen(colour, isNew[p] ? 2 * thin : within ? thin / 2 : thin));
        painter.setBrush(Qt::NoBrush);
        const QPointF from = cell.center();
        if (parents[p] == pixel) {
            painter.drawEllipse(from, grid.side() * 0.2, grid.side() * 0.2);
        } else if (parents[p] >= 0 && parents[p] < static_cast<std::int64_t>(parents.size())) {
            // Shifted sideways, so that opposite links are two lines.
            const QPointF way = grid.centre(parents[p]) - from;
            const double length = std::hypot(way.x(), way.y());
            const QPointF unit = way / length;
            const QPointF aside = QPointF(-unit.y(), unit.x()) * std::min(length * 0.12, grid.side() * 0.35);
            const QPointF to = grid.centre(parents[p]) - unit * grid.side() * 0.12;
            QPainterPath path(from);
            path.quadTo((from + to) / 2 + aside, to);
            painter.drawPath(path);
            const QPointF last = to - ((from + to) / 2 + aside);
            const QPointF along = last / std::max(1.0, std::hypot(last.x(), last.y())) * grid.side() * 0.17;
            const QPointF side(-along.y() * 0.5, along.x() * 0.5);
            painter.setPen(Qt::NoPen);
            painter.setBrush(colour);
            painter.drawPolygon(QPolygonF{to, to - along + side, to - along - side});
            painter.drawEllipse(from, thin * 1.6, thin * 1.6);
        }
    }
    paintFocus(painter, grid, scene);
}

} // namespace pollard::app
