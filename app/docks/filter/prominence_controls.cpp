#include "docks/filter/prominence_controls.hpp"

#include "vm/document/document_view_model.hpp"
#include "vm/filter/filter_texts.hpp"
#include "widgets/panel_parts.hpp"

#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QVBoxLayout>

namespace pollard::app {

ProminenceControls::ProminenceControls(vm::FilterViewModel& filter, vm::DocumentViewModel& document, QWidget* parent)
    : QWidget(parent), filter_(filter), document_(document), only_(new QCheckBox(this)), details_(new QWidget(this)),
      count_(new QSpinBox(details_)), measure_(new QComboBox(details_)) {
    using Filter = vm::FilterViewModel;
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    only_->setObjectName(QStringLiteral("prominentOnly"));
    layout->addWidget(only_);

    count_->setObjectName(QStringLiteral("prominentCount"));
    count_->setRange(1, Filter::kMaxProminent);
    count_->setGroupSeparatorShown(true);
    count_->setKeyboardTracking(false); // a partly typed number is no count
    count_->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
    explain(count_, tr("How many of the most prominent"),
            tr("So many of the most prominent are kept; of equal ones those further up and left"));
    measure_->setObjectName(QStringLiteral("prominence"));
    for (const Prominence measure : kAllProminences) {
        measure_->addItem(vm::prominenceTitle(measure), static_cast<int>(measure));
        measure_->setItemData(measure_->count() - 1, vm::prominenceToolTip(measure), Qt::ToolTipRole);
    }
    auto* row = new QHBoxLayout(details_);
    row->setContentsMargins(22, 0, 0, 0); // aligned with the text of the check box
    row->setSpacing(6);
    row->addWidget(count_, 1);
    row->addWidget(new CaptionLabel(tr("by"), details_));
    row->addWidget(measure_, 1);
    layout->addWidget(details_);

    connect(only_, &QCheckBox::toggled, &filter_, &Filter::setProminentOnly);
    connect(count_, &QSpinBox::valueChanged, &filter_, &Filter::setProminentCount);
    connect(measure_, &QComboBox::activated, this,
            [this] { filter_.setProminence(static_cast<Prominence>(measure_->currentData().toInt())); });
    connect(&filter_, &Filter::prominentChanged, this, &ProminenceControls::showState);
    connect(&filter_, &Filter::enabledChanged, this, &ProminenceControls::showState);
    connect(&document_.choices(), &vm::DocumentChoices::treeSpecChanged, this, &ProminenceControls::showState);
    showState();
}

void ProminenceControls::showState() {
    const QSignalBlocker quiet(count_);
    only_->setText(document_.choices().treeKind() == TreeKind::max ? tr("Only the most prominent maxima")
                                                                   : tr("Only the most prominent minima"));
    explain(only_, only_->text(), tr("Remove components that hold none of the most prominent extrema"));
    only_->setChecked(filter_.isProminentOnly());
    count_->setValue(filter_.prominentCount());
    measure_->setCurrentIndex(measure_->findData(static_cast<int>(filter_.prominence())));
    explain(measure_, tr("Measure of prominence"), vm::prominenceToolTip(filter_.prominence()));
    details_->setVisible(filter_.isProminentOnly());
    setEnabled(filter_.isEnabled());
}

} // namespace pollard::app
