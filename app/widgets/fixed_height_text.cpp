#include "widgets/fixed_height_text.hpp"

#include <QResizeEvent>

#include <algorithm>

namespace pollard::app {

FixedHeightLabel::FixedHeightLabel(int lines, QWidget* parent)
    : QWidget(parent), label_(new QLabel(this)), lines_(lines) {
    label_->setWordWrap(true);
    keepRoom();
}

void FixedHeightLabel::showText(const QString& text) {
    if (text != label_->text()) {
        label_->setText(text);
        keepRoom();
    }
}

void FixedHeightLabel::keepRoom() {
    const int least = std::max(minimumHeight(), lines_ * label_->fontMetrics().lineSpacing());
    setFixedHeight(width() > 0 ? std::max(least, label_->heightForWidth(width())) : least);
}

void FixedHeightLabel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    if (event->size().width() != event->oldSize().width()) {
        setMinimumHeight(0);
        keepRoom();
    }
    label_->setGeometry(rect());
}

void FixedHeightLabel::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) {
        setMinimumHeight(0);
        keepRoom();
    }
}

} // namespace pollard::app
