#include "widgets/more_options.hpp"

#include "widgets/panel_parts.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QSettings>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>

namespace pollard::app {
namespace {

/// Empty for a box that is not checked.
QString valueOf(const QWidget& option) {
    if (const auto* choice = qobject_cast<const QComboBox*>(&option)) {
        return choice->currentText();
    }
    if (const auto* number = qobject_cast<const QAbstractSpinBox*>(&option)) {
        return number->text();
    }
    const auto* box = qobject_cast<const QCheckBox*>(&option);
    return box != nullptr && box->isChecked() ? box->text().remove(u'&') : QString();
}

} // namespace

MoreOptions::MoreOptions(const QString& name, QWidget* content, const QList<QWidget*>& options, QWidget* parent)
    : QWidget(parent), options_(options), content_(content), heading_(new QToolButton(this)),
      values_(new ElidedLabel(this)) {
    setObjectName(name);
    heading_->setObjectName(name + QStringLiteral("Heading"));
    heading_->setText(tr("More"));
    heading_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    heading_->setAutoRaise(true);
    explain(heading_, tr("More options"), tr("Show or hide options that are seldom changed"));
    values_->setForegroundRole(QPalette::PlaceholderText);
    auto* head = new QHBoxLayout;
    head->setSpacing(kPanelSpacing / 2);
    head->addWidget(heading_);
    head->addWidget(values_, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kPanelSpacing / 2);
    layout->addLayout(head);
    layout->addWidget(content_);
    for (QWidget* option : options_) {
        if (auto* choice = qobject_cast<QComboBox*>(option)) {
            connect(choice, &QComboBox::currentTextChanged, this, &MoreOptions::showValues);
        } else if (auto* number = qobject_cast<QSpinBox*>(option)) {
            connect(number, &QSpinBox::textChanged, this, &MoreOptions::showValues);
        } else if (auto* box = qobject_cast<QCheckBox*>(option)) {
            connect(box, &QCheckBox::toggled, this, &MoreOptions::showValues);
        }
    }
    connect(heading_, &QToolButton::clicked, this, [this] { setFolded(!folded_); });
    setFolded(QSettings().value(QStringLiteral("folded/") + name, true).toBool());
}

void MoreOptions::setFolded(bool folded) {
    folded_ = folded;
    heading_->setArrowType(folded ? Qt::RightArrow : Qt::DownArrow);
    content_->setVisible(!folded);
    values_->setVisible(folded);
    showValues();
    QSettings().setValue(QStringLiteral("folded/") + objectName(), folded);
}

void MoreOptions::showValues() {
    QStringList values;
    for (const QWidget* option : options_) {
        if (const QString value = valueOf(*option); !value.isEmpty() && option->isEnabled()) {
            values.push_back(value);
        }
    }
    values_->setFullText(values.join(QStringLiteral(", ")));
}

} // namespace pollard::app
