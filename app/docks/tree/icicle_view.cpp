#include "docks/tree/icicle_view.hpp"

#include "docks/tree/icicle_axis.hpp"
#include "docks/tree/icicle_colours.hpp"
#include "docks/tree/icicle_keys.hpp"
#include "plot/chart_ticks.hpp"
#include "theme/theme.hpp"
#include "vm/tree/chain_view_model.hpp"
#include "vm/tree/icicle_view_model.hpp"
#include "widgets/panel_parts.hpp"

#include <QApplication>
#include <QImage>
#include <QKeyEvent>
#include <QLocale>
#include <QMouseEvent>
#include <QPainter>
#include <QStyleHints>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <limits>

namespace pollard::app {

namespace {

using Icicle = vm::IcicleViewModel;

constexpr int kGap = 6; ///< px between plot and numbers
constexpr int kRight = 14;
constexpr int kTop = 6;
constexpr double kTickSpace = 64; ///< px for a tick label of areas
constexpr double kNotch = 120;    ///< eighths of a degree of the wheel per notch
constexpr double kWheelZoom = 1.25;
constexpr QRgb kIcicleMark = qRgb(255, 196, 0); ///< as in the image
constexpr QRgb kCasing = qRgba(0, 0, 0, 170);   ///< around the mark, for contrast on every colour
constexpr QRgb kChainCasing = qRgba(0, 0, 0, 90);
constexpr double kLeastMark = 4; ///< px
constexpr double kPercent = 100;
constexpr double kSlack = 1e-9; ///< of a power of ten

} // namespace

IcicleView::IcicleView(Icicle& icicle, vm::ChainViewModel& chain, QWidget* parent)
    : QWidget(parent), icicle_(icicle), chain_(chain) {
    setObjectName(QStringLiteral("icicleView"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    explain(this, tr("Tree of components"),
            tr("Every component is a box as wide as its area, from its parent's level to its own; its children are "
               "below it. Wheel: zoom (Ctrl or Shift: levels); drag: move; click: hold; double click or Return: open a "
               "component; Backspace: back; Home: all; arrows: parent, first child, siblings; Esc: release"));
    const auto repaint = qOverload<>(&QWidget::update);
    connect(&icicle_, &Icicle::changed, this, repaint);
    connect(&icicle_, &Icicle::viewChanged, this, [this] {
        if (glide_.target() != icicle_.view()) {
            glide_.end();
        }
        update();
    });
    connect(&icicle_, &Icicle::focusMoved, this,
            [this](const IcicleRect& before) { glide_.begin(before, icicle_.view(), icicle_.frame()); });
    connect(&glide_, &QVariantAnimation::valueChanged, this, repaint);
    connect(&icicle_, &Icicle::readoutChanged, this, [this] { setAccessibleDescription(icicle_.readout()); });
    connect(&chain_, &vm::ChainViewModel::chainChanged, this, repaint);
    connect(&chain_, &vm::ChainViewModel::currentChanged, this, repaint);
    setColours();
}

void IcicleView::setPlot() {
    const int line = fontMetrics().height();
    const int left = levelAxisWidth(*this);
    plot_ = {left, kTop, std::max(1, width() - left - kRight), std::max(1, height() - kTop - line - kGap)};
    setSurface();
    update();
}

QPointF IcicleView::pixelOf(QPointF place) const {
    const QRectF area = plot_;
    return {area.left() + place.x() * area.width(), area.top() + place.y() * area.height()};
}

QPointF IcicleView::placeAt(QPointF pixel) const {
    const QRectF area = plot_;
    return {(pixel.x() - area.left()) / area.width(), (pixel.y() - area.top()) / area.height()};
}

IcicleRect IcicleView::shownPart() const { return glide_.isUnderWay() ? glide_.part() : icicle_.view(); }

QRectF IcicleView::pixelsOf(const IcicleRect& part) const {
    const IcicleRect shown = shownPart();
    const auto pixel = [&](double area, double height) {
        return pixelOf({(area - shown.left) / shown.width(), (height - shown.top) / shown.height()});
    };
    return {pixel(part.left, part.top), pixel(part.right, part.bottom)};
}

QRectF IcicleView::boxOf(std::uint32_t node) const { return pixelsOf(icicle_.frame()->layout->boxOf(node)); }

void IcicleView::setSurface() {
    const QSizeF size = QSizeF(plot_.size()) * devicePixelRatioF();
    icicle_.setSurface({static_cast<int>(std::lround(size.width())), static_cast<int>(std::lround(size.height()))});
}

void IcicleView::setColours() { icicle_.setPalette(iciclePalette(palette())); }

bool IcicleView::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride && isIcicleKey(*static_cast<QKeyEvent*>(event))) {
        event->accept();
        return true;
    }
    return QWidget::event(event);
}

void IcicleView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    setPlot();
}

void IcicleView::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) {
        setColours();
    } else if (event->type() == QEvent::FontChange) {
        setPlot();
    }
}

void IcicleView::paintEvent(QPaintEvent*) {
    setSurface(); // the window may have moved to a screen with another density
    QPainter painter(this);
    painter.fillRect(plot_, palette().color(QPalette::Base));
    if (!icicle_.frame()) {
        paintMessage(painter);
        return;
    }
    paintImage(painter);
    paintChain(painter);
    const IcicleRect shown = shownPart();
    paintLevelAxis(painter, *this, plot_, icicle_, shown.top, shown.bottom);
    paintAreas(painter);
    if (hasFocus()) {
        painter.setPen(palette().color(QPalette::Highlight));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(plot_.adjusted(-1, -1, 0, 0));
    }
}

void IcicleView::paintMessage(QPainter& painter) const {
    QString text;
    switch (icicle_.state()) {
    case Icicle::State::empty:
        break;
    case Icicle::State::computing:
    case Icicle::State::ready:
        text = tr("Laying the tree out …");
        break;
    case Icicle::State::failed:
        text = icicle_.problem();
        break;
    }
    painter.setPen(secondaryText(palette()));
    painter.drawText(plot_.adjusted(kPanelMargin, 0, -kPanelMargin, 0), Qt::AlignCenter | Qt::TextWordWrap, text);
}

void IcicleView::paintImage(QPainter& painter) const {
    const auto frame = icicle_.frame();
    painter.save();
    painter.setClipRect(plot_);
    if (const auto& before = glide_.frame(); before && before != frame && before->layout == frame->layout) {
        paintFrame(painter, *before); // around the new image
    }
    paintFrame(painter, *frame);
    painter.restore();
}

void IcicleView::paintFrame(QPainter& painter, const vm::IcicleFrame& frame) const {
    const QImage image(reinterpret_cast<const uchar*>(frame.pixels.data()), static_cast<int>(frame.columns),
                       static_cast<int>(frame.rows), QImage::Format_ARGB32_Premultiplied);
    painter.drawImage(pixelsOf(frame.part), image);
}

std::pair<QPolygonF, QPolygonF> IcicleView::sidesOf(std::span<const std::uint32_t> chain) const {
    std::pair<QPolygonF, QPolygonF> sides;
    // A chain can have 65,536 components: one per pixel of height is enough.
    double drawn = std::numeric_limits<double>::infinity();
    for (const std::uint32_t node : chain) {
        const QRectF box = boxOf(node);
        if (box.bottom() > drawn - 1 || box.bottom() < plot_.top()) {
            continue;
        }
        sides.first << box.bottomLeft() << box.topLeft();
        sides.second << box.bottomRight() << box.topRight();
        drawn = box.bottom();
    }
    return sides;
}

void IcicleView::paintChain(QPainter& painter) const {
    const std::vector<std::uint32_t>& chain = chain_.chain();
    if (chain_.current() < 0) {
        return;
    }
    painter.save();
    painter.setClipRect(plot_);
    painter.setBrush(Qt::NoBrush);
    const auto current = static_cast<std::size_t>(chain_.current());
    const auto [left, right] = sidesOf(std::span(chain).subspan(current));
    for (const QPen& pen : {QPen(QColor::fromRgba(kChainCasing), 3), QPen(QColor::fromRgb(kIcicleMark), 1)}) {
        painter.setPen(pen);
        painter.drawPolyline(left);
        painter.drawPolyline(right);
    }
    QRectF box = boxOf(chain[current]);
    const double wider = std::max(0.0, kLeastMark - box.width()) / 2;
    const double higher = std::max(0.0, kLeastMark - box.height()) / 2;
    box.adjust(-wider, -higher, wider, higher);
    painter.setPen(QPen(QColor::fromRgba(kCasing), 4));
    painter.drawRect(box);
    painter.setPen(QPen(QColor::fromRgb(kIcicleMark), 2));
    painter.drawRect(box);
    painter.restore();
}

void IcicleView::paintAreas(QPainter& painter) const {
    const QRectF area = plot_;
    const IcicleRect view = shownPart();
    const double all = icicle_.whole().right;
    const double textHeight = fontMetrics().height();
    const int most = std::max(2, static_cast<int>(area.width() / kTickSpace / 2));
    const auto ticks = ticksBetween(kPercent * view.left / all, kPercent * view.right / all, false, most);
    const double step = ticks.size() > 1 ? ticks[1].value - ticks[0].value : 1;
    const int decimals = std::max(0, static_cast<int>(std::ceil(-std::log10(step) - kSlack)));
    for (const ChartTick& tick : ticks) {
        const double x = pixelOf({(tick.value * all / kPercent - view.left) / view.width(), 0}).x();
        painter.setPen(hairline(palette()));
        painter.drawLine(QPointF(x, area.bottom() + 1), QPointF(x, area.bottom() + 4));
        const QString text = tr("%1 %", "share of the area").arg(locale().toString(tick.value, 'f', decimals));
        const double width = fontMetrics().horizontalAdvance(text) + 2;
        const double left = std::min(x - width / 2, this->width() - width);
        painter.setPen(secondaryText(palette()));
        painter.drawText(QRectF(left, area.bottom() + 3, width, textHeight), Qt::AlignCenter, text);
    }
}

void IcicleView::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) {
        pressed_ = last_ = event->position();
        dragging_ = false;
    }
}

void IcicleView::mouseMoveEvent(QMouseEvent* event) {
    if (!pressed_) {
        icicle_.hover(placeAt(event->position()));
        return;
    }
    const QPointF way = event->position() - *pressed_;
    if (!dragging_ && way.manhattanLength() >= QApplication::styleHints()->startDragDistance()) {
        dragging_ = true;
        setCursor(Qt::ClosedHandCursor);
    }
    if (dragging_) {
        const QPointF step = last_ - event->position();
        icicle_.pan({step.x() / plot_.width(), step.y() / plot_.height()});
        last_ = event->position();
    }
}

void IcicleView::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !pressed_) {
        return;
    }
    if (!dragging_) {
        icicle_.click(placeAt(*pressed_));
    }
    pressed_.reset();
    dragging_ = false;
    unsetCursor();
}

void IcicleView::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) {
        if (const auto node = icicle_.nodeAt(placeAt(event->position()))) {
            icicle_.focus(*node);
        }
    }
}

void IcicleView::wheelEvent(QWheelEvent* event) {
    const QPoint delta = event->angleDelta();
    const bool levels = event->modifiers() & (Qt::ControlModifier | Qt::ShiftModifier);
    if (delta.y() == 0 && !levels) {
        icicle_.pan({-delta.x() / kNotch / 10, 0});
    } else {
        const double factor = std::pow(kWheelZoom, (delta.y() != 0 ? delta.y() : delta.x()) / kNotch);
        icicle_.zoom(placeAt(event->position()), levels ? 1 : factor, levels ? factor : 1);
        icicle_.hover(placeAt(event->position()));
    }
    event->accept();
}

void IcicleView::keyPressEvent(QKeyEvent* event) {
    if (!pressIcicleKey(icicle_, chain_, event->key())) {
        QWidget::keyPressEvent(event);
    }
}

void IcicleView::leaveEvent(QEvent* event) {
    QWidget::leaveEvent(event);
    icicle_.leave();
}

} // namespace pollard::app
