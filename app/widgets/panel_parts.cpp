#include "widgets/panel_parts.hpp"

#include "theme/theme.hpp"

#include <QEvent>
#include <QGuiApplication>
#include <QPainter>
#include <QStyle>

namespace pollard::app {
namespace {

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

ElidedLabel::ElidedLabel(QWidget* parent) : QLabel(parent) {
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
                          isEnabled(), fontMetrics().elidedText(full_, Qt::ElideMiddle, room.width()),
                          foregroundRole());
}

Divider::Divider(QWidget* parent) : QWidget(parent) { setFixedHeight(1); }

void Divider::paintEvent(QPaintEvent*) { QPainter(this).fillRect(rect(), hairline(palette())); }

void explain(QWidget* widget, const QString& name, const QString& toolTip) {
    widget->setAccessibleName(name);
    widget->setToolTip(toolTip);
    widget->setWhatsThis(QStringLiteral("<b>%1</b><p>%2</p>").arg(name.toHtmlEscaped(), toolTip.toHtmlEscaped()));
}

} // namespace pollard::app
