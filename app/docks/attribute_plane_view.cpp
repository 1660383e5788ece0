#include "docks/attribute_plane_view.hpp"

#include "attribute_catalogue.hpp"
#include "attribute_plane_view_model.hpp"
#include "docks/chart_ticks.hpp"
#include "overlays/selection_overlay.hpp"
#include "theme/density_ramp.hpp"
#include "theme/theme.hpp"
#include "widgets/panel_parts.hpp"

#include <QCategoryAxis>
#include <QChart>
#include <QGraphicsLayout>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainterPath>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace pollard::app {

using Plane = vm::AttributePlaneViewModel;

namespace {

constexpr int kMarginal = 34; ///< px of the histograms beside the plane
constexpr int kGap = 3;       ///< px between them and the plane
constexpr int kPixelsPerTickX = 64;
constexpr int kPixelsPerTickY = 30;
constexpr double kReach = 5;        ///< px around a side in which it is meant
constexpr double kDragSpread = 3;   ///< px that a click may move
constexpr double kLassoSpacing = 3; ///< px between two corners
constexpr double kSelectedMark = 3; ///< px, at least
constexpr double kMark = 5.5;       ///< px, radius
constexpr int kLargeStep = 10;      ///< cells, with Ctrl

QString titleOf(AttributeId id) {
    const QString title = vm::attributeTitle(id);
    const QString unit = vm::fromUtf8(attributeInfo(id).unit);
    const bool complete = unit.isEmpty() || title.contains(u'('); // "Height (grey)" beside "Height (px)"
    return complete ? title : QStringLiteral("%1 (%2)").arg(title, unit);
}

/// First and last bin that each px along an axis of so many px shows: those with their middle in it, so that none is
/// lost where bins are narrower than px, or the one that the px lies in.
std::vector<std::array<std::size_t, 2>> binsOfPixels(const Bins& bins, const PlaneAxis& axis, int pixels) {
    std::vector<std::array<std::size_t, 2>> found;
    found.reserve(static_cast<std::size_t>(pixels));
    std::vector<double> edges(bins.edges.size());
    std::ranges::transform(bins.edges, edges.begin(), [&](double edge) { return axis.values.placeOf(edge) * pixels; });
    std::size_t bin = 0;
    std::size_t next = 0; // whose middle is not reached yet
    for (int i = 0; i < pixels; ++i) {
        while (bin + 1 < bins.count() && i + 0.5 >= edges[bin + 1]) {
            ++bin;
        }
        const std::size_t first = next;
        while (next < bins.count() && (edges[next] + edges[next + 1]) / 2 < i + 1) {
            ++next;
        }
        found.push_back(next > first ? std::array{first, next - 1} : std::array{bin, bin});
    }
    return found;
}

/// Fills cells with the colour of the selection, at least so many px wide and high, so that a single one is seen.
void markCells(const vm::AttributePlaneViewModel::Counted& counted, const std::vector<std::uint8_t>& cells,
               double least, QImage& image) {
    QPainter painter(&image);
    const auto span = [least](const Bins& bins, const PlaneAxis& axis, std::size_t bin, int pixels) {
        const double low = axis.values.placeOf(bins.edges[bin]) * pixels;
        const double high = axis.values.placeOf(bins.edges[bin + 1]) * pixels;
        const double more = std::max(0.0, least - (high - low)) / 2;
        return std::pair(low - more, high + more);
    };
    const std::size_t columns = counted.plane.x.count();
    for (std::size_t cell = 0; cell < cells.size(); ++cell) {
        if (cells[cell] != 0) {
            const auto [left, right] = span(counted.plane.x, counted.x, cell % columns, image.width());
            const auto [bottom, top] = span(counted.plane.y, counted.y, cell / columns, image.height());
            painter.fillRect(QRectF(left, image.height() - top, right - left, top - bottom),
                             QColor::fromRgba(selectionColour()));
        }
    }
}

/// Outline of a histogram from one end to the other: (place, height 0..1), heights growing with the logarithm.
std::vector<QPointF> outlineOf(const Bins& bins, const PlaneAxis& axis, const std::vector<std::uint64_t>& counts) {
    const double full = std::log1p(static_cast<double>(std::max<std::uint64_t>(1, std::ranges::max(counts))));
    std::vector<QPointF> outline{{0, 0}};
    for (std::size_t i = 0; i < counts.size(); ++i) {
        const double height = std::log1p(static_cast<double>(counts[i])) / full;
        outline.emplace_back(axis.values.placeOf(bins.edges[i]), height);
        outline.emplace_back(axis.values.placeOf(bins.edges[i + 1]), height);
    }
    outline.emplace_back(1, 0);
    return outline;
}

} // namespace

AttributePlaneView::AttributePlaneView(Plane& plane, QWidget* parent)
    : QChartView(parent), plane_(plane), axes_{new QCategoryAxis, new QCategoryAxis} {
    setObjectName(QStringLiteral("planeView"));
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setMinimumSize(200, 150);
    setAcceptDrops(false); // files are for the window
    setRenderHint(QPainter::Antialiasing);
    setViewportUpdateMode(QGraphicsView::FullViewportUpdate);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    explain(this, tr("Attribute plane"),
            tr("How many components have which values of two attributes, on a logarithmic scale of colours.\n"
               "Drag: draw a rectangle that filters, move it, or move one of its sides. Double click or Esc: remove "
               "it.\nArrows: move it by a cell, with Shift its upper right corner, with Ctrl by ten."));
    QChart* chart = this->chart();
    chart->legend()->hide();
    chart->layout()->setContentsMargins(0, 0, 0, 0);
    chart->setMargins(QMargins(2, kMarginal + kGap, kMarginal + kGap, 0));
    chart->setBackgroundRoundness(0);
    chart->addAxis(axes_[0], Qt::AlignBottom);
    chart->addAxis(axes_[1], Qt::AlignLeft);
    for (QCategoryAxis* axis : axes_) {
        axis->setLabelsPosition(QCategoryAxis::AxisLabelsPositionOnValue);
        axis->setRange(0, 1);
    }
    connect(chart, &QChart::plotAreaChanged, this, [this] {
        forgetDensity();
        showTicks();
    });
    connect(scene(), &QGraphicsScene::changed, this, [this] { ground_ = {}; });
    connect(&plane_, &Plane::changed, this, &AttributePlaneView::onPlane);
    connect(&plane_, &Plane::rectangleChanged, this, &AttributePlaneView::updateMarks);
    connect(&plane_, &Plane::markChanged, this, &AttributePlaneView::updateMarks);
    connect(&plane_, &Plane::selectedCellsChanged, this, [this] {
        forgetDensity();
        viewport()->update();
    });
    connect(&plane_, &Plane::inverseChanged, this, &AttributePlaneView::updateMarks);
    dress();
    onPlane();
}

void AttributePlaneView::setLasso(bool lasso) {
    if (lasso == lasso_) {
        return;
    }
    endDrag();
    lasso_ = lasso;
    enclosed_.clear();
    viewport()->update();
}

void AttributePlaneView::dress() {
    const QPalette palette = QGuiApplication::palette();
    chart()->setBackgroundBrush(palette.color(QPalette::Window));
    setBackgroundBrush(palette.color(QPalette::Window));
    chart()->setPlotAreaBackgroundBrush(palette.color(QPalette::Base));
    chart()->setPlotAreaBackgroundVisible(true);
    QFont small = font();
    small.setPointSizeF(small.pointSizeF() * 0.85);
    for (QCategoryAxis* axis : axes_) {
        axis->setLinePen(QPen(hairline(palette), 1));
        axis->setGridLinePen(QPen(hairline(palette), 1));
        axis->setLabelsColor(secondaryText(palette));
        axis->setLabelsFont(small);
        axis->setTitleFont(small);
        axis->setTitleBrush(palette.color(QPalette::WindowText));
    }
    forgetDensity();
}

void AttributePlaneView::onPlane() {
    const auto counted = plane_.counted();
    if (!counted) {
        endDrag();
        enclosed_.clear();
    }
    forgetDensity();
    for (QCategoryAxis* axis : axes_) {
        axis->setVisible(counted != nullptr);
    }
    if (counted) {
        axes_[0]->setTitleText(titleOf(counted->x.attribute));
        axes_[1]->setTitleText(titleOf(counted->y.attribute));
    }
    chart()->setPlotAreaBackgroundVisible(counted != nullptr);
    showTicks();
    setPointed(pointed_);
    viewport()->update();
}

void AttributePlaneView::showTicks() {
    const auto counted = plane_.counted();
    if (!counted) {
        return;
    }
    const auto fill = [](QCategoryAxis& shown, const PlaneAxis& axis, double room) {
        for (const QString& label : shown.categoriesLabels()) {
            shown.remove(label);
        }
        const ChartAxis& values = axis.values;
        const int most = std::max(2, static_cast<int>(room));
        for (const ChartTick& tick : ticksBetween(values.low, values.high, values.logarithmic, most)) {
            // A whole number stands in the middle of what it fills.
            const double place = axis.holds(tick.value) ? axis.placeOf(tick.value) : values.placeOf(tick.value);
            shown.append(tick.label, std::clamp(place, 0.0, 1.0));
        }
        shown.setRange(0, 1);
    };
    fill(*axes_[0], counted->x, chart()->plotArea().width() / kPixelsPerTickX);
    fill(*axes_[1], counted->y, chart()->plotArea().height() / kPixelsPerTickY);
}

QPointF AttributePlaneView::pixelOf(QPointF place) const {
    const QRectF area = chart()->plotArea();
    return {area.left() + place.x() * area.width(), area.bottom() - place.y() * area.height()};
}

QPointF AttributePlaneView::placeAt(QPointF pixel) const {
    const QRectF area = chart()->plotArea();
    return {(pixel.x() - area.left()) / std::max(1.0, area.width()),
            (area.bottom() - pixel.y()) / std::max(1.0, area.height())};
}

QRectF AttributePlaneView::rectanglePixels() const {
    const auto places = plane_.rectanglePlaces();
    return places ? QRectF(pixelOf(places->topLeft()), pixelOf(places->bottomRight())).normalized() : QRectF();
}

AttributePlaneView::Grip AttributePlaneView::gripAt(QPointF pixel) const {
    const QRectF area = rectanglePixels();
    Grip grip;
    if (area.isNull() || !area.adjusted(-kReach, -kReach, kReach, kReach).contains(pixel)) {
        return grip;
    }
    // Of two sides that are both near, the nearer one.
    const auto near = [](double at, double low, double high, Qt::Edge first, Qt::Edge last) {
        const double toLow = std::abs(at - low);
        const double toHigh = std::abs(at - high);
        // In a narrow rectangle there has to be a middle to take hold of.
        const double reach = std::min(kReach, std::max(1.0, (high - low) / 4));
        const bool beyond = at < low || at > high;
        if (std::min(toLow, toHigh) > (beyond ? kReach : reach)) {
            return Qt::Edges();
        }
        return Qt::Edges(toLow < toHigh ? first : last);
    };
    grip.sides = near(pixel.x(), area.left(), area.right(), Qt::LeftEdge, Qt::RightEdge) |
                 near(pixel.y(), area.top(), area.bottom(), Qt::TopEdge, Qt::BottomEdge);
    grip.moves = !grip.sides;
    return grip;
}

void AttributePlaneView::setPointed(std::optional<QPointF> place) {
    pointed_ = place;
    const QString text = place ? plane_.readout(*place) : QString();
    setAccessibleDescription(text.isEmpty() ? plane_.summary() : text);
    emit pointedChanged();
}

QString AttributePlaneView::emptyText() const {
    switch (plane_.state()) {
    case Plane::State::empty:
        return tr("Open an image to see its components by two attributes.");
    case Plane::State::computing:
        return tr("Measuring …");
    case Plane::State::failed:
        return plane_.problem();
    case Plane::State::ready:
        break;
    }
    return {};
}

void AttributePlaneView::updateMarks() {
    onlyMarks_ = true;
    viewport()->update();
}

void AttributePlaneView::forgetDensity() {
    density_ = {};
    ground_ = {};
}

void AttributePlaneView::makeGround() {
    ground_ = QPixmap(viewport()->size() * devicePixelRatioF());
    ground_.setDevicePixelRatio(devicePixelRatioF());
    QPainter painter(&ground_);
    painter.setRenderHints(renderHints());
    render(&painter, viewport()->rect(), viewport()->rect());
}

void AttributePlaneView::paintEvent(QPaintEvent* event) {
    // A chart takes milliseconds, a rectangle that is dragged over it need not.
    if (std::exchange(onlyMarks_, false) && plane_.counted()) {
        if (ground_.isNull()) {
            makeGround();
        }
        QPainter painter(viewport());
        painter.drawPixmap(0, 0, ground_);
    } else {
        QChartView::paintEvent(event);
    }
    if (!plane_.counted()) {
        return;
    }
    QPainter painter(viewport());
    painter.setRenderHints(renderHints());
    paintGlow(painter);
    painter.setClipRect(chart()->plotArea().adjusted(-1, -1, 1, 1));
    paintRectangle(painter);
    paintLasso(painter);
    paintMark(painter);
}

void AttributePlaneView::drawForeground(QPainter* painter, const QRectF&) {
    if (!plane_.counted()) {
        painter->setPen(secondaryText(QGuiApplication::palette()));
        painter->drawText(QRectF(viewport()->rect()).adjusted(16, 8, -16, -8), Qt::AlignCenter | Qt::TextWordWrap,
                          emptyText());
        return;
    }
    paintDensity(*painter);
    paintMarginals(*painter);
}

void AttributePlaneView::makeDensity() {
    const auto counted = plane_.counted();
    const QSize size = (chart()->plotArea().size() * devicePixelRatioF()).toSize().expandedTo({1, 1});
    density_ = QImage(size, QImage::Format_ARGB32_Premultiplied);
    const DensityRamp ramp = densityRamp(QGuiApplication::palette());
    const AttributePlane& cells = counted->plane;
    std::vector<std::uint8_t> steps(cells.counts.size());
    std::ranges::transform(cells.counts, steps.begin(),
                           [&](std::uint32_t count) { return densityStep(count, counted->largest); });
    const auto columns = binsOfPixels(cells.x, counted->x, size.width());
    const auto rows = binsOfPixels(cells.y, counted->y, size.height());
    for (int y = 0; y < size.height(); ++y) {
        auto* line = reinterpret_cast<QRgb*>(density_.scanLine(size.height() - 1 - y));
        for (std::size_t x = 0; x < columns.size(); ++x) {
            std::uint8_t most = 0;
            for (std::size_t row = rows[static_cast<std::size_t>(y)][0]; row <= rows[static_cast<std::size_t>(y)][1];
                 ++row) {
                for (std::size_t column = columns[x][0]; column <= columns[x][1]; ++column) {
                    most = std::max(most, steps[row * cells.x.count() + column]);
                }
            }
            line[x] = ramp[most];
        }
    }
    if (const auto selected = plane_.selectedCells()) {
        markCells(*counted, *selected, kSelectedMark * devicePixelRatioF(), density_);
    }
}

void AttributePlaneView::paintDensity(QPainter& painter) {
    if (density_.isNull()) {
        makeDensity();
    }
    painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
    painter.drawImage(chart()->plotArea(), density_);
}

void AttributePlaneView::paintMarginals(QPainter& painter) const {
    const auto counted = plane_.counted();
    const QRectF area = chart()->plotArea();
    const auto fill = [&](const std::vector<QPointF>& outline, const auto& toPixel) {
        QPolygonF shape;
        shape.reserve(static_cast<qsizetype>(outline.size()));
        std::ranges::transform(outline, std::back_inserter(shape), toPixel);
        painter.drawPolygon(shape);
    };
    QColor ink = QGuiApplication::palette().color(QPalette::WindowText);
    ink.setAlphaF(0.4F);
    painter.setPen(Qt::NoPen);
    painter.setBrush(ink);
    painter.setRenderHint(QPainter::Antialiasing, false);
    fill(outlineOf(counted->plane.x, counted->x, counted->columns), [&](QPointF of) {
        return QPointF(area.left() + of.x() * area.width(), area.top() - kGap - of.y() * kMarginal);
    });
    fill(outlineOf(counted->plane.y, counted->y, counted->rows), [&](QPointF of) {
        return QPointF(area.right() + kGap + of.y() * kMarginal, area.bottom() - of.x() * area.height());
    });
    painter.setRenderHint(QPainter::Antialiasing);
}

void AttributePlaneView::paintGlow(QPainter& painter) const {
    const QRectF chosen = rectanglePixels();
    if (chosen.isNull()) {
        return;
    }
    const QRectF area = chart()->plotArea();
    QColor glow = QGuiApplication::palette().color(QPalette::Highlight);
    glow.setAlphaF(0.28F);
    painter.fillRect(QRectF(chosen.left(), area.top() - kGap - kMarginal, chosen.width(), kMarginal), glow);
    painter.fillRect(QRectF(area.right() + kGap, chosen.top(), kMarginal, chosen.height()), glow);
}

void AttributePlaneView::paintRectangle(QPainter& painter) const {
    const QRectF inside = rectanglePixels();
    if (inside.isNull()) {
        return;
    }
    const QPalette palette = QGuiApplication::palette();
    QColor shade = palette.color(QPalette::Base);
    shade.setAlphaF(0.62F);
    QPainterPath dimmed;
    dimmed.addRect(inside);
    if (!plane_.isInverse()) {
        dimmed.addRect(chart()->plotArea()); // around the rectangle, by the even-odd rule
    }
    painter.fillPath(dimmed, shade);
    const QColor line = palette.color(QPalette::WindowText);
    painter.setPen(QPen(line, hasFocus() ? 1.8 : 1.2, plane_.isInverse() ? Qt::DashLine : Qt::SolidLine));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(inside);
}

void AttributePlaneView::paintMark(QPainter& painter) const {
    const auto place = plane_.markedPlace();
    if (!place) {
        return;
    }
    const QPointF centre = pixelOf(*place);
    const QPalette palette = QGuiApplication::palette();
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(palette.color(QPalette::Base), 4));
    painter.drawEllipse(centre, kMark, kMark);
    painter.setPen(QPen(palette.color(QPalette::WindowText), 1.8));
    painter.drawEllipse(centre, kMark, kMark);
    painter.setBrush(palette.color(QPalette::WindowText));
    painter.drawEllipse(centre, 1, 1);
}

void AttributePlaneView::paintLasso(QPainter& painter) const {
    if (enclosed_.size() < 2) {
        return;
    }
    QPolygonF outline;
    outline.reserve(enclosed_.size());
    std::ranges::transform(enclosed_, std::back_inserter(outline), [this](QPointF place) { return pixelOf(place); });
    const QPalette palette = QGuiApplication::palette();
    QColor fill = palette.color(QPalette::WindowText);
    painter.setPen(QPen(fill, 1.4, Qt::DashLine));
    fill.setAlphaF(0.1F);
    painter.setBrush(fill);
    painter.drawPolygon(outline, Qt::OddEvenFill);
}

void AttributePlaneView::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !plane_.counted() ||
        !chart()->plotArea().adjusted(-kReach, -kReach, kReach, kReach).contains(event->position())) {
        QChartView::mousePressEvent(event);
        return;
    }
    dragging_ = true;
    drew_ = false;
    pressed_ = event->position();
    grip_ = lasso_ ? Grip{} : gripAt(pressed_);
    held_ = plane_.rectanglePlaces().value_or(QRectF());
    enclosed_.clear();
    viewport()->update();
}

void AttributePlaneView::mouseMoveEvent(QMouseEvent* event) {
    if (dragging_) {
        drag(event->position());
    } else {
        showCursor(event->position());
    }
    setPointed(placeAt(event->position()));
}

void AttributePlaneView::drag(QPointF pixel) {
    drew_ = drew_ || (pixel - pressed_).manhattanLength() >= kDragSpread;
    if (!drew_) {
        return;
    }
    const auto within = [](QPointF place) {
        return QPointF(std::clamp(place.x(), 0.0, 1.0), std::clamp(place.y(), 0.0, 1.0));
    };
    if (lasso_) {
        if (enclosed_.isEmpty()) {
            enclosed_ << within(placeAt(pressed_));
        }
        if ((pixelOf(enclosed_.back()) - pixel).manhattanLength() >= kLassoSpacing) {
            enclosed_ << within(placeAt(pixel));
            updateMarks();
        }
        return;
    }
    const QPointF by = placeAt(pixel) - placeAt(pressed_);
    if (grip_.moves) {
        plane_.reshape(held_.translated(std::clamp(by.x(), -held_.left(), 1 - held_.right()),
                                        std::clamp(by.y(), -held_.top(), 1 - held_.bottom())));
        return;
    }
    if (!grip_.sides) {
        plane_.brush(QRectF(within(placeAt(pressed_)), within(placeAt(pixel))).normalized());
        return;
    }
    // Qt's top edge is the upper side on the screen, where places are large.
    QRectF places = held_;
    if (grip_.sides & Qt::LeftEdge) {
        places.setLeft(places.left() + by.x());
    }
    if (grip_.sides & Qt::RightEdge) {
        places.setRight(places.right() + by.x());
    }
    if (grip_.sides & Qt::TopEdge) {
        places.setBottom(places.bottom() + by.y());
    }
    if (grip_.sides & Qt::BottomEdge) {
        places.setTop(places.top() + by.y());
    }
    places = places.normalized();
    plane_.reshape(QRectF(within(places.topLeft()), within(places.bottomRight())));
}

void AttributePlaneView::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !dragging_) {
        QChartView::mouseReleaseEvent(event);
        return;
    }
    drag(event->position());
    const bool encloses = lasso_ && enclosed_.size() > 2;
    endDrag();
    if (encloses) {
        plane_.choose(enclosed_);
    } else {
        enclosed_.clear();
    }
    showCursor(event->position());
    viewport()->update();
}

void AttributePlaneView::endDrag() { dragging_ = drew_ = false; }

void AttributePlaneView::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) {
        endDrag();
        enclosed_.clear();
        plane_.clear();
        viewport()->update();
    }
}

bool AttributePlaneView::moveByKey(const QKeyEvent& event) {
    const int step = event.modifiers().testFlag(Qt::ControlModifier) ? kLargeStep : 1;
    int columns = 0;
    int rows = 0;
    switch (event.key()) {
    case Qt::Key_Left:
        columns = -step;
        break;
    case Qt::Key_Right:
        columns = step;
        break;
    case Qt::Key_Down:
        rows = -step;
        break;
    case Qt::Key_Up:
        rows = step;
        break;
    default:
        return false;
    }
    if (!plane_.rectangle()) {
        plane_.brush(QRectF(0.4, 0.4, 0.2, 0.2)); // to begin with
    } else if (event.modifiers().testFlag(Qt::ShiftModifier)) {
        plane_.resizeBy(columns, rows);
    } else {
        plane_.moveBy(columns, rows);
    }
    return true;
}

void AttributePlaneView::keyPressEvent(QKeyEvent* event) {
    const bool removes = event->key() == Qt::Key_Escape || event->key() == Qt::Key_Delete;
    if (removes && (plane_.rectangle() || !enclosed_.isEmpty() || dragging_)) {
        endDrag();
        if (enclosed_.isEmpty()) {
            plane_.clear();
        }
        enclosed_.clear();
        viewport()->update();
        return;
    }
    if (!plane_.counted() || !moveByKey(*event)) {
        QChartView::keyPressEvent(event);
    }
}

bool AttributePlaneView::event(QEvent* event) {
    // The window's Escape must not take what is meant for the rectangle.
    if (event->type() == QEvent::ShortcutOverride && (plane_.rectangle() || !enclosed_.isEmpty())) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Escape || key == Qt::Key_Delete) {
            event->accept();
            return true;
        }
    }
    return QChartView::event(event);
}

void AttributePlaneView::showCursor(QPointF pixel) {
    const bool inside = plane_.counted() && chart()->plotArea().contains(pixel);
    const Grip grip = inside && !lasso_ ? gripAt(pixel) : Grip{};
    const bool falling = grip.sides == (Qt::LeftEdge | Qt::TopEdge) || grip.sides == (Qt::RightEdge | Qt::BottomEdge);
    const bool across = grip.sides.testFlag(Qt::LeftEdge) || grip.sides.testFlag(Qt::RightEdge);
    const bool along = grip.sides.testFlag(Qt::TopEdge) || grip.sides.testFlag(Qt::BottomEdge);
    viewport()->setCursor(!inside           ? Qt::ArrowCursor
                          : grip.moves      ? Qt::SizeAllCursor
                          : across && along ? (falling ? Qt::SizeFDiagCursor : Qt::SizeBDiagCursor)
                          : across          ? Qt::SizeHorCursor
                          : along           ? Qt::SizeVerCursor
                                            : Qt::CrossCursor);
}

void AttributePlaneView::leaveEvent(QEvent* event) {
    QChartView::leaveEvent(event);
    setPointed(std::nullopt);
}

void AttributePlaneView::resizeEvent(QResizeEvent* event) {
    QChartView::resizeEvent(event);
    forgetDensity();
    showTicks();
}

void AttributePlaneView::changeEvent(QEvent* event) {
    QChartView::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        dress();
    }
}

} // namespace pollard::app
