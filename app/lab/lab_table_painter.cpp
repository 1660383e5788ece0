#include "lab/lab_painters.hpp"
#include "theme/theme.hpp"
#include "vm/lab/lab_recording.hpp"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>

namespace pollard::app {
namespace {

using teach::Layer;

constexpr double kRowHeight = 1.5; ///< in lines of text
constexpr double kLargestBit = 26; ///< px
constexpr double kSmallestBit = 6;

/// The indices of a layer changed by the last step.
std::vector<std::size_t> changedIn(const LabScene& scene, Layer layer) {
    std::vector<std::size_t> places;
    for (const teach::Change& change : scene.lastChanges()) {
        if (change.layer == layer) {
            places.push_back(change.at);
        }
    }
    return places;
}

bool holds(const std::vector<std::size_t>& places, std::size_t place) {
    return std::ranges::find(places, place) != places.end();
}

/// The first of @p fitting visible rows, chosen so that @p wanted is visible.
std::size_t firstRow(std::size_t rows, std::size_t fitting, std::size_t wanted) {
    if (rows <= fitting) {
        return 0;
    }
    const std::size_t half = fitting / 2;
    return std::min(wanted > half ? wanted - half : 0, rows - fitting);
}

constexpr double kSmallestText = 6.5; ///< px
constexpr double kPale = 0.72;        ///< fraction of the background in pale cells

QColor mixed(const QColor& colour, const QColor& ground, double share) {
    const auto mix = [share](int a, int b) { return static_cast<int>(a * (1 - share) + b * share); };
    return {mix(colour.red(), ground.red()), mix(colour.green(), ground.green()), mix(colour.blue(), ground.blue())};
}

} // namespace

void paintTable(QPainter& painter, const QRectF& area, const LabScene& scene) {
    const auto& recording = scene.recording;
    const auto& cells = scene.layer(Layer::table);
    if (recording == nullptr || cells.empty()) {
        return;
    }
    const auto& titles = recording->trace->tableColumns;
    const std::size_t columns = std::max<std::size_t>(1, titles.size());
    const std::size_t rows = cells.size() / columns;
    const auto changed = changedIn(scene, Layer::table);
    const double line = QFontMetricsF(scene.font).height() * kRowHeight;
    const double width = area.width() / static_cast<double>(columns);
    const auto fitting = static_cast<std::size_t>(std::max(1.0, area.height() / line - 1));
    const std::size_t first = firstRow(rows, fitting, changed.empty() ? 0 : changed.back() / columns);
    const QColor ink = scene.palette.color(QPalette::Text);
    const auto box = [&](std::size_t column, std::size_t row) {
        return QRectF(area.left() + static_cast<double>(column) * width, area.top() + static_cast<double>(row) * line,
                      width, line);
    };
    painter.fillRect(area, scene.palette.color(QPalette::Base));
    for (std::size_t c = 0; c < titles.size(); ++c) {
        const QRectF place = box(c, 0);
        painter.fillRect(place, scene.palette.color(QPalette::AlternateBase));
        painter.setPen(secondaryText(scene.palette));
        painter.drawText(
            place.adjusted(4, 0, -4, 0), Qt::AlignVCenter | Qt::AlignRight,
            painter.fontMetrics().elidedText(vm::teachText(titles[c]), Qt::ElideRight, static_cast<int>(width) - 8));
    }
    for (std::size_t row = first; row < std::min(rows, first + fitting); ++row) {
        for (std::size_t c = 0; c < columns; ++c) {
            const std::size_t at = row * columns + c;
            const QRectF place = box(c, row - first + 1);
            const bool fresh = holds(changed, at);
            if (fresh) {
                painter.fillRect(place, markColour(teach::Mark::active, scene.palette));
            }
            painter.setPen(fresh ? inkOn(markColour(teach::Mark::active, scene.palette)) : ink);
            painter.drawText(place.adjusted(4, 0, -4, 0), Qt::AlignVCenter | Qt::AlignRight,
                             cells[at] < 0 ? QStringLiteral("–") : QString::number(cells[at]));
        }
        painter.setPen(hairline(scene.palette));
        painter.drawLine(QPointF(area.left(), box(0, row - first + 1).bottom()),
                         QPointF(area.right(), box(0, row - first + 1).bottom()));
    }
}

void paintWords(QPainter& painter, const QRectF& area, const LabScene& scene) {
    const auto& recording = scene.recording;
    const auto& words = scene.layer(Layer::word);
    if (recording == nullptr || words.empty()) {
        return;
    }
    const std::uint32_t bits = std::max(1U, recording->trace->wordBits);
    const auto changed = changedIn(scene, Layer::word);
    const double numbers = QFontMetricsF(scene.font).horizontalAdvance(QStringLiteral("000 "));
    const double bit = std::clamp((area.width() - numbers) / bits, kSmallestBit, kLargestBit);
    const double line = bit * 1.35;
    const auto fitting = static_cast<std::size_t>(std::max(1.0, area.height() / line));
    const std::size_t first = firstRow(words.size(), fitting, changed.empty() ? 0 : changed.back());
    const QColor ink = scene.palette.color(QPalette::Text);
    for (std::size_t w = first; w < std::min(words.size(), first + fitting); ++w) {
        const double top = area.top() + static_cast<double>(w - first) * line;
        const bool fresh = holds(changed, w);
        painter.setPen(fresh ? ink : secondaryText(scene.palette));
        painter.setFont(scene.font);
        painter.drawText(QRectF(area.left(), top, numbers - 4, bit),
                         Qt::AlignVCenter | Qt::AlignRight | Qt::TextDontClip, QString::number(w));
        for (std::uint32_t b = 0; b < bits; ++b) { // bit 0 is the leftmost pixel
            const QRectF box(area.left() + numbers + b * bit, top, bit, bit);
            const bool one = words[w] >= 0 && (static_cast<std::uint64_t>(words[w]) >> b & 1U) != 0;
            const QColor ground = one ? (fresh ? markColour(teach::Mark::active, scene.palette) : ink)
                                      : scene.palette.color(QPalette::Base);
            painter.setPen(hairline(scene.palette));
            painter.setBrush(ground);
            painter.drawRect(box);
            if (words[w] >= 0) {
                paintFitting(painter, box.adjusted(2, bit * 0.2, -2, -bit * 0.2), scene,
                             one ? QStringLiteral("1") : QStringLiteral("0"), inkOn(ground));
            }
        }
    }
}

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
    const auto& source = scene.image.levels;
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
    if (hasPart(recording.get(), LabPart::tree) && recording->tree.nodeOf.size() == scene.image.pixelCount()) {
        const std::uint32_t node = recording->tree.nodeOf[static_cast<std::size_t>(focus)];
        const int width = static_cast<int>(scene.image.width);
        const int height = static_cast<int>(scene.image.height);
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
