#include "widgets/image_bar.hpp"

#include "widgets/panel_parts.hpp"

#include <QAccessible>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QPushButton>
#include <QToolButton>

#include <algorithm>
#include <utility>

namespace pollard::app {
namespace {

constexpr int kMargin = 6;    ///< px to the edges of the image
constexpr int kShortest = 60; ///< minimum px of visible text

} // namespace

ImageBar::ImageBar(const char* objectName, const QString& name, QWidget& image)
    : QFrame(&image), image_(image), row_(new QHBoxLayout(this)), text_(new ElidedLabel(this)) {
    setObjectName(QLatin1String(objectName));
    setFrameShape(QFrame::StyledPanel);
    setAutoFillBackground(true);
    setCursor(Qt::ArrowCursor);
    setAccessibleName(name);
    text_->setObjectName(QLatin1String(objectName) + QStringLiteral("Text"));
    text_->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed); // place() sets the width
    row_->setContentsMargins(kPanelMargin, 3, 3, 3);
    row_->setSpacing(kPanelSpacing);
    row_->addWidget(text_);
    setVisible(false);
}

QPushButton* ImageBar::addButton(const char* objectName, const QString& text, const QString& name,
                                 const QString& toolTip, const std::function<void()>& action) {
    auto* button = new QPushButton(text, this);
    button->setObjectName(QLatin1String(objectName));
    button->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    explain(button, name, toolTip);
    connect(button, &QPushButton::clicked, this, [this, action] {
        image_.setFocus(Qt::OtherFocusReason);
        action();
    });
    row_->addWidget(button);
    return button;
}

void ImageBar::addClose(const char* objectName, const QString& toolTip, std::function<void()> action) {
    close_ = [this, action = std::move(action)] {
        image_.setFocus(Qt::OtherFocusReason);
        action();
    };
    QToolButton* button = makeIconButton(this, objectName, QStringLiteral("cancel"), tr("Close"), toolTip);
    connect(button, &QToolButton::clicked, this, [this] { close_(); });
    row_->addWidget(button);
}

void ImageBar::showText(const QString& text) {
    const bool there = !text.isEmpty();
    if (there) {
        text_->setFullText(text);
        setAccessibleDescription(text);
    } else if (isAncestorOf(focusWidget()) && focusWidget()->hasFocus()) {
        image_.setFocus(Qt::OtherFocusReason);
    }
    const bool comes = there && isHidden();
    setVisible(there);
    if (comes) {
        raise();
        QAccessibleEvent alert(this, QAccessible::Alert);
        QAccessible::updateAccessibility(&alert);
    }
    emit changed();
}

int ImageBar::place(int top) {
    if (isHidden()) {
        return top;
    }
    const int room = std::max(image_.width() - 2 * kMargin, 0);
    const int wanted = fontMetrics().horizontalAdvance(text_->fullText()) + 4;
    text_->setFixedWidth(wanted);
    row_->activate();
    const int beside = sizeHint().width() - wanted;
    text_->setFixedWidth(std::max(kShortest, std::min(wanted, room - beside)));
    row_->activate();
    const QSize size = sizeHint();
    setGeometry((image_.width() - size.width()) / 2, top + kMargin, size.width(), size.height());
    return geometry().bottom() + 1;
}

void ImageBar::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape && close_) {
        close_();
    } else {
        QFrame::keyPressEvent(event);
    }
}

} // namespace pollard::app
