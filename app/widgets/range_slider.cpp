#include "widgets/range_slider.hpp"

#include "theme/theme.hpp"

#include <QEnterEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace pollard::app {
namespace {

constexpr int kHandle = 20;       ///< px, the widget of a handle including its focus ring
constexpr double kGroove = 4;     ///< px, height of the groove
constexpr int kResolution = 1000; ///< of the positions for assistive technology
constexpr int kPageSteps = 10;

} // namespace

RangeHandle::RangeHandle(QWidget* parent) : QAbstractSlider(parent) {
    setOrientation(Qt::Horizontal);
    setRange(0, kResolution);
    setFocusPolicy(Qt::StrongFocus);
    setFixedSize(kHandle, kHandle);
    setAttribute(Qt::WA_Hover);
}

bool RangeHandle::event(QEvent* event) {
    // Page Up and Page Down turn pages elsewhere in the window; on a handle they move it.
    if (event->type() == QEvent::ShortcutOverride) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_PageUp || key == Qt::Key_PageDown) {
            event->accept();
            return true;
        }
    }
    return QAbstractSlider::event(event);
}

void RangeHandle::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QPointF centre = rect().toRectF().center();
    const QColor accent = palette().color(isEnabled() ? QPalette::Highlight : QPalette::Mid);
    if (hasFocus() || underMouse()) {
        QColor ring = accent;
        ring.setAlphaF(hasFocus() ? 0.38F : 0.18F);
        painter.setPen(Qt::NoPen);
        painter.setBrush(ring);
        painter.drawEllipse(centre, 10.0, 10.0);
    }
    painter.setPen(QPen(accent, 2));
    painter.setBrush(isDark(palette()) ? palette().color(QPalette::Text) : QColor(Qt::white));
    if (!isEnabled()) {
        painter.setBrush(palette().color(QPalette::Window));
    }
    painter.drawEllipse(centre, 6.5, 6.5);
}

void RangeHandle::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Down:
        emit stepped(-1);
        break;
    case Qt::Key_Right:
    case Qt::Key_Up:
        emit stepped(1);
        break;
    case Qt::Key_PageDown:
        emit stepped(-kPageSteps);
        break;
    case Qt::Key_PageUp:
        emit stepped(kPageSteps);
        break;
    case Qt::Key_Home:
        emit jumpedToStart();
        break;
    case Qt::Key_End:
        emit jumpedToEnd();
        break;
    default:
        event->ignore();
        break;
    }
}

// The mouse is handled by the slider below, which decides between handles at the same position.
void RangeHandle::mousePressEvent(QMouseEvent* event) { event->ignore(); }
void RangeHandle::mouseMoveEvent(QMouseEvent* event) { event->ignore(); }
void RangeHandle::mouseReleaseEvent(QMouseEvent* event) { event->ignore(); }
// The wheel scrolls the panel.
void RangeHandle::wheelEvent(QWheelEvent* event) { event->ignore(); }

void RangeHandle::enterEvent(QEnterEvent* event) {
    QAbstractSlider::enterEvent(event);
    update();
}

void RangeHandle::leaveEvent(QEvent* event) {
    QAbstractSlider::leaveEvent(event);
    update();
}

RangeSlider::RangeSlider(QWidget* parent)
    : QWidget(parent), lowerHandle_(new RangeHandle(this)), upperHandle_(new RangeHandle(this)),
      handles_(kHandle / 2.0) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    lowerHandle_->setObjectName(QStringLiteral("lowerHandle"));
    upperHandle_->setObjectName(QStringLiteral("upperHandle"));
    setTabOrder(lowerHandle_, upperHandle_);
    connect(lowerHandle_, &RangeHandle::stepped, this, &RangeSlider::lowerStepped);
    connect(upperHandle_, &RangeHandle::stepped, this, &RangeSlider::upperStepped);
    connect(lowerHandle_, &RangeHandle::jumpedToStart, this, [this] { emit lowerMoved(0.0); });
    connect(lowerHandle_, &RangeHandle::jumpedToEnd, this, [this] { emit lowerMoved(upper_); });
    connect(upperHandle_, &RangeHandle::jumpedToStart, this, [this] { emit upperMoved(lower_); });
    connect(upperHandle_, &RangeHandle::jumpedToEnd, this, [this] { emit upperMoved(1.0); });
}

void RangeSlider::setPositions(double lower, double upper) {
    lower_ = std::clamp(lower, 0.0, 1.0);
    upper_ = std::clamp(upper, lower_, 1.0);
    placeHandles();
    update();
}

void RangeSlider::describe(const QString& lowerName, const QString& lowerValue, const QString& upperName,
                           const QString& upperValue) {
    lowerHandle_->setAccessibleName(lowerName);
    lowerHandle_->setAccessibleDescription(lowerValue);
    upperHandle_->setAccessibleName(upperName);
    upperHandle_->setAccessibleDescription(upperValue);
    lowerHandle_->setToolTip(QStringLiteral("%1: %2").arg(lowerName, lowerValue));
    upperHandle_->setToolTip(QStringLiteral("%1: %2").arg(upperName, upperValue));
}

IntervalHandles::Line RangeSlider::line() const {
    return {.left = kHandle / 2.0,
            .length = static_cast<double>(std::max(1, width() - kHandle)),
            .value = {lower_, upper_}};
}

double RangeSlider::pixelOf(double position) const { return line().pixelOf(position); }

void RangeSlider::placeHandles() {
    const int top = (height() - kHandle) / 2;
    lowerHandle_->move(static_cast<int>(std::lround(pixelOf(lower_) - kHandle / 2.0)), top);
    upperHandle_->move(static_cast<int>(std::lround(pixelOf(upper_) - kHandle / 2.0)), top);
    lowerHandle_->setSliderPosition(static_cast<int>(std::lround(lower_ * kResolution)));
    upperHandle_->setSliderPosition(static_cast<int>(std::lround(upper_ * kResolution)));
}

void RangeSlider::resizeEvent(QResizeEvent*) { placeHandles(); }

void RangeSlider::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    const double middle = height() / 2.0;
    const QRectF groove(pixelOf(0), middle - kGroove / 2, pixelOf(1) - pixelOf(0), kGroove);
    QColor empty = palette().color(QPalette::WindowText);
    empty.setAlphaF(0.16F);
    painter.setBrush(empty);
    painter.drawRoundedRect(groove, kGroove / 2, kGroove / 2);
    QRectF kept = groove;
    kept.setLeft(pixelOf(lower_));
    kept.setRight(pixelOf(upper_));
    painter.setBrush(palette().color(isEnabled() ? QPalette::Highlight : QPalette::Mid));
    painter.drawRoundedRect(kept, kGroove / 2, kGroove / 2);
}

void RangeSlider::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) {
        event->ignore();
        return;
    }
    const double x = event->position().x();
    handles_.press(line(), x);
    grip_ = 0;
    if (handles_.dragged() == IntervalHandles::Part::both) {
        return;
    }
    const bool takesLower = handles_.dragged() == IntervalHandles::Part::low;
    RangeHandle* handle = takesLower ? lowerHandle_ : upperHandle_;
    handle->raise();
    handle->setFocus(Qt::MouseFocusReason);
    const double distance = x - pixelOf(takesLower ? lower_ : upper_);
    if (std::abs(distance) <= kHandle / 2.0) {
        grip_ = distance;
    } else {
        mouseMoveEvent(event);
    }
}

void RangeSlider::mouseMoveEvent(QMouseEvent* event) {
    const auto [low, high] = handles_.drag(line(), event->position().x() - grip_);
    const bool moveLow = handles_.dragged() == IntervalHandles::Part::low;
    const bool moveHigh = handles_.dragged() == IntervalHandles::Part::high;
    const bool both = handles_.dragged() == IntervalHandles::Part::both;
    // Of both, the leading bound moves first, so that the two never cross.
    const bool rises = low > lower_;
    if (moveHigh || (both && rises)) {
        emit upperMoved(high);
    }
    if (moveLow || both) {
        emit lowerMoved(low);
    }
    if (both && !rises) {
        emit upperMoved(high);
    }
}

void RangeSlider::mouseReleaseEvent(QMouseEvent*) { handles_.release(); }

} // namespace pollard::app
