#include "docks/tree/icicle_view.hpp"

#include "overlays/tree_overlays.hpp"
#include "plot/chart_frame.hpp"
#include "theme/colours.hpp"
#include "theme/theme.hpp"
#include "vm/base/attribute_catalogue.hpp"
#include "vm/base/value_text.hpp"
#include "vm/tree/chain_view_model.hpp"
#include "vm/tree/icicle_view_model.hpp"
#include "widgets/panel_parts.hpp"

#include <QApplication>
#include <QImage>
#include <QKeyEvent>
#include <QLinearGradient>
#include <QLocale>
#include <QMouseEvent>
#include <QPainter>
#include <QStyleHints>
#include <QWheelEvent>
#include <QWidget>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <tuple>
#include <utility>

namespace pollard::app {

namespace {

constexpr double kKeyZoom = 1.5;

constexpr std::array kKeys{Qt::Key_Up,     Qt::Key_Down,  Qt::Key_Left,   Qt::Key_Right,
                           Qt::Key_Return, Qt::Key_Enter, Qt::Key_Escape, Qt::Key_Backspace,
                           Qt::Key_Home,   Qt::Key_Plus,  Qt::Key_Equal,  Qt::Key_Minus};

void walk(vm::IcicleViewModel& icicle, vm::ChainViewModel& chain, int key) {
    if (!chain.isHeld()) {
        chain.holdNode(chain.node().value_or(icicle.focusNode()));
    } else if (key == Qt::Key_Up) {
        chain.toParent();
    } else if (key == Qt::Key_Down) {
        chain.toChild();
    } else {
        chain.toSibling(key == Qt::Key_Left ? -1 : 1);
    }
    icicle.reveal();
}

} // namespace

bool isIcicleKey(const QKeyEvent& event) {
    const bool plain = (event.modifiers() & ~(Qt::KeypadModifier | Qt::ShiftModifier)) == Qt::NoModifier;
    return plain && std::ranges::find(kKeys, event.key()) != kKeys.end();
}

bool pressIcicleKey(vm::IcicleViewModel& icicle, vm::ChainViewModel& chain, int key) {
    if (!icicle.frame()) {
        return false;
    }
    switch (key) {
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_Left:
    case Qt::Key_Right:
        walk(icicle, chain, key);
        return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (const auto node = chain.node()) {
            icicle.focus(*node);
        }
        return true;
    case Qt::Key_Escape:
        chain.letGo();
        return true;
    case Qt::Key_Backspace:
        icicle.back();
        return true;
    case Qt::Key_Home:
        icicle.focusCrumb(0);
        return true;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        icicle.zoom({0.5, 0.5}, kKeyZoom, 1);
        return true;
    case Qt::Key_Minus:
        icicle.zoom({0.5, 0.5}, 1 / kKeyZoom, 1);
        return true;
    default:
        return false;
    }
}

namespace {

constexpr int kAxisGap = 6; ///< px between plot, numbers and title
constexpr int kTickLength = 4;
constexpr int kHighestLevel = 65535;
constexpr double kAxisTickSpace = 30; ///< px for a tick label

} // namespace

int levelAxisWidth(const QWidget& widget) {
    const QFontMetrics metrics = widget.fontMetrics();
    return metrics.height() + metrics.horizontalAdvance(widget.locale().toString(kHighestLevel)) + 2 * kAxisGap;
}

void paintLevelAxis(QPainter& painter, const QWidget& widget, const QRectF& plot, const vm::IcicleViewModel& icicle,
                    double top, double bottom) {
    const auto [low, high] = std::minmax({icicle.shownAt(std::max(top, 0.0)), icicle.shownAt(bottom)});
    const int most = std::max(2, static_cast<int>(plot.height() / kAxisTickSpace));
    const double textHeight = widget.fontMetrics().height();
    for (const ChartTick& tick : ticksBetween(low, high, false, most)) {
        if (icicle.areHeightsWhole() && tick.value != std::floor(tick.value)) {
            continue; // only integers have a tick
        }
        const double y = plot.top() + (icicle.heightOfShown(tick.value) - top) / (bottom - top) * plot.height();
        painter.setPen(hairline(widget.palette()));
        painter.drawLine(QPointF(plot.left() - kTickLength, y), QPointF(plot.left() - 1, y));
        painter.setPen(secondaryText(widget.palette()));
        painter.drawText(QRectF(0, y - textHeight / 2, plot.left() - kAxisGap, textHeight),
                         Qt::AlignRight | Qt::AlignVCenter, vm::greyNumber(tick.value, 5));
    }
    painter.save();
    painter.setPen(secondaryText(widget.palette()));
    painter.translate(0, plot.center().y());
    painter.rotate(-90);
    painter.drawText(QRectF(-plot.height() / 2, 0, plot.height(), textHeight), Qt::AlignHCenter | Qt::AlignTop,
                     icicle.heightTitle());
    painter.restore();
}

namespace {

constexpr std::size_t kColours = 256;
constexpr double kPale = 0.3; ///< opacity of a removed node's grey over the background
constexpr int kStrip = 96;    ///< px
constexpr int kLeastStrip = 36;
constexpr int kStripHeight = 10;
constexpr int kLegendGap = 4;

QColor mixed(const QColor& one, const QColor& other, double share) {
    const auto part = [share](int a, int b) { return static_cast<int>(std::lround(a + share * (b - a))); };
    return {part(one.red(), other.red()), part(one.green(), other.green()), part(one.blue(), other.blue())};
}

/// Interpolates colour stops at @p share (0..1).
QColor colourAt(const std::vector<QColor>& stops, double share) {
    const double place = share * static_cast<double>(stops.size() - 1);
    const auto first = std::min(static_cast<std::size_t>(place), stops.size() - 2);
    return mixed(stops[first], stops[first + 1], place - static_cast<double>(first));
}

} // namespace

vm::IciclePalette iciclePalette(const QPalette& palette) {
    const std::vector<QColor> stops = colourStops(vm::ColourMap::viridis);
    const QColor ground = palette.color(QPalette::Base);
    const QColor ink = palette.color(QPalette::Text);
    vm::IciclePalette colours;
    for (std::size_t i = 0; i < kColours; ++i) {
        const double share = static_cast<double>(i) / (kColours - 1);
        colours.scale.push_back(colourAt(stops, share).rgba());
        colours.removed.push_back(mixed(ground, ink, kPale * (1 - share / 2)).rgba());
    }
    colours.undefined = mixed(ground, ink, 0.5).rgba();
    colours.selected = selectionColour();
    return colours;
}

IcicleLegend::IcicleLegend(vm::IcicleViewModel& icicle, QWidget* parent) : QWidget(parent), icicle_(icicle) {
    setObjectName(QStringLiteral("icicleLegend"));
    connect(&icicle_, &vm::IcicleViewModel::changed, this, [this] {
        const auto frame = icicle_.frame();
        const QString name = frame ? tr("Colours: %1 from %2 to %3")
                                         .arg(vm::attributeTitle(frame->column->id), shortNumber(frame->lowest),
                                              shortNumber(frame->column->maximum))
                                   : QString();
        explain(this, name, name);
        updateGeometry();
        update();
    });
}

int IcicleLegend::textWidth() const {
    const auto frame = icicle_.frame();
    const auto widthOf = [this](double value) { return fontMetrics().horizontalAdvance(shortNumber(value)) + 1; };
    return frame ? std::max(widthOf(frame->lowest), widthOf(frame->column->maximum)) : 0;
}

QSize IcicleLegend::sizeHint() const { return {kStrip + 2 * (kLegendGap + textWidth()), fontMetrics().height()}; }

QSize IcicleLegend::minimumSizeHint() const { return sizeHint() - QSize(kStrip - kLeastStrip, 0); }

void IcicleLegend::paintEvent(QPaintEvent*) {
    const auto frame = icicle_.frame();
    if (!frame) {
        return;
    }
    QPainter painter(this);
    const double side = kLegendGap + textWidth();
    const QRectF strip(side, (height() - kStripHeight) / 2.0, width() - 2 * side, kStripHeight);
    QLinearGradient gradient(strip.topLeft(), strip.topRight());
    const std::vector<QColor> stops = colourStops(vm::ColourMap::viridis);
    for (std::size_t i = 0; i < stops.size(); ++i) {
        gradient.setColorAt(static_cast<double>(i) / static_cast<double>(stops.size() - 1), stops[i]);
    }
    painter.setPen(hairline(palette()));
    painter.setBrush(gradient);
    painter.drawRect(strip);
    painter.setPen(secondaryText(palette()));
    painter.drawText(QRectF(0, 0, strip.left() - kLegendGap, height()), Qt::AlignRight | Qt::AlignVCenter,
                     shortNumber(frame->lowest));
    painter.drawText(QRectF(strip.right() + kLegendGap, 0, width() - strip.right() - kLegendGap, height()),
                     Qt::AlignLeft | Qt::AlignVCenter, shortNumber(frame->column->maximum));
}

namespace {

std::pair<double, double> between(double low, double high, double lowTo, double highTo, double t) {
    const double ratio = (highTo - lowTo) / (high - low);
    if (std::abs(ratio - 1) < 1e-6) {
        return {low + (lowTo - low) * t, high + (highTo - high) * t};
    }
    const double fixed = (low * ratio - lowTo) / (ratio - 1); // fixed point of the zoom
    const double factor = std::pow(ratio, t);
    return {fixed + (low - fixed) * factor, fixed + (high - fixed) * factor};
}

} // namespace

IcicleRect icicleBetween(const IcicleRect& from, const IcicleRect& to, double t) {
    IcicleRect part;
    std::tie(part.left, part.right) = between(from.left, from.right, to.left, to.right, t);
    std::tie(part.top, part.bottom) = between(from.top, from.bottom, to.top, to.bottom, t);
    return part;
}

IcicleAnimation::IcicleAnimation(QObject* parent) : QVariantAnimation(parent) {
    setDuration(kDuration);
    setStartValue(0.0);
    setEndValue(1.0);
    setEasingCurve(QEasingCurve::InOutSine);
    connect(this, &QAbstractAnimation::finished, this, [this] { frame_.reset(); });
}

void IcicleAnimation::setAllowed(bool allowed) {
    allowed_ = allowed;
    if (!allowed_) {
        end();
    }
}

void IcicleAnimation::begin(const IcicleRect& from, const IcicleRect& to,
                            std::shared_ptr<const vm::IcicleFrame> frame) {
    if (!allowed_) {
        return;
    }
    from_ = isUnderWay() ? part() : from;
    stop();
    to_ = to;
    frame_ = std::move(frame);
    start();
}

void IcicleAnimation::end() {
    stop();
    frame_.reset();
}

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
