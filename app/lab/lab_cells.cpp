#include "lab/lab_colours.hpp"
#include "lab/lab_painters.hpp"
#include "theme/theme.hpp"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>

namespace pollard::app {
namespace {

constexpr double kSmallestText = 6.5; ///< px
constexpr double kPale = 0.72;        ///< fraction of the background in pale cells

QColor mixed(const QColor& colour, const QColor& ground, double share) {
    const auto mix = [share](int a, int b) { return static_cast<int>(a * (1 - share) + b * share); };
    return {mix(colour.red(), ground.red()), mix(colour.green(), ground.green()), mix(colour.blue(), ground.blue())};
}

} // namespace

void paintFitting(QPainter& painter, const QRectF& box, const LabScene& scene, const QString& text, const QColor& ink) {
    QFont font = scene.font;
    const double wanted = std::max(1.0, box.height());
    font.setPixelSize(std::max(1, static_cast<int>(wanted)));
    const double width = QFontMetricsF(font).horizontalAdvance(text);
    const double size = width > box.width() ? wanted * box.width() / width : wanted;
    if (size < kSmallestText) {
        return;
    }
    font.setPixelSize(static_cast<int>(size));
    painter.setFont(font);
    painter.setPen(ink);
    painter.drawText(box, Qt::AlignCenter | Qt::TextDontClip, text);
}

void paintCells(QPainter& painter, const LabGrid& grid, const LabScene& scene, const std::vector<std::int64_t>& levels,
                bool pale) {
    const auto& source = scene.picture.levels;
    const auto [least, most] = std::ranges::minmax_element(source);
    const QColor ground = scene.palette.color(QPalette::Base);
    const QColor line = mixed(secondaryText(scene.palette), ground, 0.5);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    for (std::size_t p = 0; p < levels.size(); ++p) {
        const QRectF cell = grid.cell(static_cast<std::int64_t>(p));
        if (levels[p] >= 0) {
            const QColor grey = cellColour(static_cast<int>(levels[p]), *least, *most);
            painter.fillRect(cell, pale ? mixed(grey, ground, kPale) : grey);
        } else { // unknown level
            painter.fillRect(cell, QBrush(line, Qt::BDiagPattern));
        }
        painter.setPen(line);
        painter.drawRect(cell);
    }
    painter.restore();
}

void paintFocus(QPainter& painter, const LabGrid& grid, const LabScene& scene) {
    const auto& recording = scene.recording;
    const int focus = scene.focus;
    if (focus < 0) {
        return;
    }
    const double thick = std::max(1.5, grid.side() / 14);
    if (hasPart(recording.get(), LabPart::tree) && recording->tree.nodeOf.size() == scene.picture.pixelCount()) {
        const std::uint32_t node = recording->tree.nodeOf[static_cast<std::size_t>(focus)];
        const int width = static_cast<int>(scene.picture.width);
        const int height = static_cast<int>(scene.picture.height);
        const auto inside = [&](int x, int y) {
            return x >= 0 && y >= 0 && x < width && y < height &&
                   recording->tree.holds(node, static_cast<std::uint32_t>(y * width + x));
        };
        painter.setPen(QPen(focusColour(), thick, Qt::SolidLine, Qt::SquareCap));
        for (int y = 0; y <= height; ++y) {
            for (int x = 0; x <= width; ++x) {
                if (inside(x, y) != inside(x, y - 1)) {
                    painter.drawLine(grid.corner(x, y), grid.corner(x + 1, y));
                }
                if (inside(x, y) != inside(x - 1, y)) {
                    painter.drawLine(grid.corner(x, y), grid.corner(x, y + 1));
                }
            }
        }
    }
    const QRectF cell = grid.cell(focus).adjusted(thick, thick, -thick, -thick);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(Qt::black, thick));
    painter.drawRect(cell);
    painter.setPen(QPen(focusColour(), thick, Qt::DashLine));
    painter.drawRect(cell);
}

} // namespace pollard::app
