#include "widgets/panel_parts.hpp"

#include "theme/theme.hpp"

#include <QComboBox>
#include <QEvent>
#include <QGuiApplication>
#include <QPainter>
#include <QScrollBar>
#include <QStyle>

#include <algorithm>

namespace pollard::app {
namespace {

constexpr int kShortest = 8;     ///< letters of a choice that are always visible
constexpr int kLeastHeight = 36; ///< px, of scrolled controls

void setTextColour(QLabel& label, const QColor& colour) {
    QPalette palette = label.palette();
    if (palette.color(QPalette::WindowText) != colour) {
        palette.setColor(QPalette::WindowText, colour);
        label.setPalette(palette);
    }
}

} // namespace

SectionLabel::SectionLabel(const QString& text, QWidget* parent) : QLabel(text, parent) { dress(); }

void SectionLabel::dress() {
    QFont heading = font();
    if (heading.weight() != QFont::DemiBold) {
        heading.setWeight(QFont::DemiBold);
        setFont(heading);
    }
}

void SectionLabel::changeEvent(QEvent* event) {
    QLabel::changeEvent(event);
    if (event->type() == QEvent::ApplicationFontChange) {
        dress();
    }
}

CaptionLabel::CaptionLabel(const QString& text, QWidget* parent) : QLabel(text, parent) { dress(); }

void CaptionLabel::dress() { setTextColour(*this, secondaryText(QGuiApplication::palette())); }

void CaptionLabel::changeEvent(QEvent* event) {
    QLabel::changeEvent(event);
    if (event->type() == QEvent::ApplicationPaletteChange || event->type() == QEvent::StyleChange) {
        dress();
    }
}

CaptionLabel* captionFor(QWidget* control, const QString& text) {
    auto* label = new CaptionLabel(text, control->parentWidget());
    label->setBuddy(control);
    return label;
}

ElidedLabel::ElidedLabel(QWidget* parent, Qt::TextElideMode mode) : QLabel(parent), mode_(mode) {
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
}

void ElidedLabel::setFullText(const QString& text) {
    if (text == full_ && text == toolTip()) {
        return;
    }
    setToolTip(text);
    setAccessibleName(text);
    showText(text);
}

void ElidedLabel::showText(const QString& text) {
    if (text != full_) {
        full_ = text;
        update();
    }
}

QSize ElidedLabel::minimumSizeHint() const { return {40, QLabel::minimumSizeHint().height()}; }

void ElidedLabel::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const QRect room = contentsRect();
    style()->drawItemText(&painter, room, QStyle::visualAlignment(layoutDirection(), alignment()), palette(),
                          isEnabled(), fontMetrics().elidedText(full_, mode_, room.width()), foregroundRole());
}

Divider::Divider(QWidget* parent) : QWidget(parent) { setFixedHeight(1); }

void Divider::paintEvent(QPaintEvent*) { QPainter(this).fillRect(rect(), hairline(palette())); }

ScrolledControls::ScrolledControls(QWidget* content, int width, QWidget* parent) : QScrollArea(parent), width_(width) {
    setWidget(content);
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn); // keeps its width free, so that nothing moves sideways
    QScrollBar* bar = verticalScrollBar();
    bar->setVisible(bar->maximum() > bar->minimum());
    connect(bar, &QScrollBar::rangeChanged, bar, [bar](int least, int most) { bar->setVisible(most > least); });
    setFocusPolicy(Qt::NoFocus);
    setSizePolicy(width > 0 ? QSizePolicy::Maximum : QSizePolicy::Expanding, QSizePolicy::Expanding);
}

QSize ScrolledControls::sizeHint() const {
    const QSize hint = widget()->sizeHint(); // QScrollArea keeps the one of before the style sheet
    const int least = minimumSizeHint().width();
    return {width_ > 0 ? least : std::max(least, hint.width()), hint.height()};
}

QSize ScrolledControls::minimumSizeHint() const {
    const int wanted = widget()->minimumSizeHint().width() + verticalScrollBar()->sizeHint().width();
    return {std::max(width_, wanted), std::min(kLeastHeight, QScrollArea::minimumSizeHint().height())};
}

bool ScrolledControls::event(QEvent* event) {
    // The style sheet sets the widths of controls when they are shown.
    if (event->type() == QEvent::LayoutRequest || event->type() == QEvent::Show) {
        updateGeometry();
    }
    return QScrollArea::event(event);
}

ControlsAndContent::ControlsAndContent(QWidget* controls, int width, QWidget* content, Upper upper, QWidget* parent)
    : QSplitter(parent), controls_(new ScrolledControls(controls, width, this)), upper_(upper) {
    setChildrenCollapsible(false);
    addWidget(controls_);
    addWidget(content);
    setStretchFactor(indexOf(content), 1);
    connect(this, &QSplitter::splitterMoved, this, [this] { isSetByHand_ = true; });
}

void ControlsAndContent::setTall(bool tall) {
    isSetByHand_ = false;
    setOrientation(tall ? Qt::Vertical : Qt::Horizontal);
    controls_->setSizePolicy(tall ? QSizePolicy::Expanding : QSizePolicy::Maximum, QSizePolicy::Expanding);
    insertWidget(tall && upper_ == Upper::content ? 1 : 0, controls_);
}

bool ControlsAndContent::event(QEvent* event) {
    const bool handled = QSplitter::event(event);
    if (event->type() == QEvent::LayoutRequest && orientation() == Qt::Vertical && !isSetByHand_) {
        const int wanted = std::min(controls_->sizeHint().height(), height() / 2);
        const int rest = std::max(height() - handleWidth() - wanted, 0);
        setSizes(indexOf(controls_) == 0 ? QList{wanted, rest} : QList{rest, wanted});
    }
    return handled;
}

void shorten(QComboBox& choice) {
    choice.setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    choice.setMinimumContentsLength(kShortest);
}

bool isSeen(const QWidget& widget) {
    const auto* area = qobject_cast<const QAbstractScrollArea*>(&widget);
    const auto* scrolled = qobject_cast<const QScrollArea*>(&widget);
    // The viewport covers the area, and a scrolled widget the viewport.
    const QWidget& surface = scrolled != nullptr && scrolled->widget() != nullptr ? *scrolled->widget()
                             : area != nullptr                                    ? *area->viewport()
                                                                                  : widget;
    return surface.isVisible() && !surface.visibleRegion().isEmpty();
}

void explain(QWidget* widget, const QString& name, const QString& toolTip) {
    widget->setAccessibleName(name);
    widget->setToolTip(toolTip);
    widget->setWhatsThis(QStringLiteral("<b>%1</b><p>%2</p>").arg(name.toHtmlEscaped(), toolTip.toHtmlEscaped()));
}

} // namespace pollard::app
