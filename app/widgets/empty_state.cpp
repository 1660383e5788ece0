#include "widgets/empty_state.hpp"

#include "widgets/panel_parts.hpp"

#include <QAction>
#include <QVBoxLayout>

namespace pollard::app {

EmptyState::EmptyState(const QString& objectName, QWidget* parent)
    : QWidget(parent), text_(new QLabel(this)), column_(new QVBoxLayout(this)) {
    text_->setObjectName(objectName);
    text_->setAlignment(Qt::AlignCenter);
    text_->setWordWrap(true);
    column_->setContentsMargins(kPanelMargin, kPanelSpacing, kPanelMargin, kPanelSpacing);
    column_->setSpacing(kPanelSpacing);
    column_->addStretch(1);
    column_->addWidget(text_);
    column_->addStretch(1);
}

QPushButton* EmptyState::addButton(QAction& action) {
    QPushButton* button =
        addButton(action.objectName() + QStringLiteral("Here"), action.text().remove(u'&'), action.toolTip());
    button->setEnabled(action.isEnabled());
    connect(&action, &QAction::enabledChanged, button, &QPushButton::setEnabled);
    connect(button, &QPushButton::clicked, &action, &QAction::trigger);
    return button;
}

QPushButton* EmptyState::addButton(const QString& objectName, const QString& text, const QString& toolTip) {
    auto* button = new QPushButton(text, this);
    button->setObjectName(objectName);
    explain(button, text, toolTip);
    button->setMinimumWidth(button->sizeHint().width() + 2 * kPanelMargin);
    column_->insertWidget(column_->count() - 1, button, 0, Qt::AlignHCenter);
    return button;
}

} // namespace pollard::app
