#include "docks/filter/prominence_controls.hpp"

#include "vm/document/document_view_model.hpp"
#include "vm/filter/filter_texts.hpp"
#include "widgets/couple.hpp"
#include "widgets/number_box.hpp"
#include "widgets/panel_parts.hpp"

#include <QHBoxLayout>
#include <QVBoxLayout>

namespace pollard::app {

ProminenceControls::ProminenceControls(vm::FilterViewModel& filter, vm::DocumentViewModel& document, QWidget* parent)
    : QWidget(parent), filter_(filter), document_(document), only_(new QCheckBox(this)), details_(new QWidget(this)) {
    using Filter = vm::FilterViewModel;
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    only_->setObjectName(QStringLiteral("prominentOnly"));
    layout->addWidget(only_);

    auto* count = new WholeBox(details_);
    measure_ = new QComboBox(details_);
    count->setObjectName(QStringLiteral("prominentCount"));
    count->setRange(1, Filter::kMaxProminent);
    count->setGroupSeparatorShown(true);
    count->setKeyboardTracking(false); // a partly typed number is no count
    count->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
    explain(count, tr("Number of the most prominent"),
            tr("Number of the most prominent to keep; of equal ones those further up and left"));
    measure_->setObjectName(QStringLiteral("prominence"));
    for (const Prominence measure : kAllProminences) {
        measure_->addItem(vm::prominenceTitle(measure), static_cast<int>(measure));
        measure_->setItemData(measure_->count() - 1, vm::prominenceToolTip(measure), Qt::ToolTipRole);
    }
    auto* row = new QHBoxLayout(details_);
    row->setContentsMargins(22, 0, 0, 0); // aligned with the text of the check box
    row->setSpacing(6);
    row->addWidget(count, 1);
    row->addWidget(new CaptionLabel(tr("by"), details_));
    row->addWidget(measure_, 1);
    layout->addWidget(details_);

    couple(only_, filter_, &Filter::isProminentOnly, &Filter::setProminentOnly, &Filter::prominentChanged);
    couple(count, filter_, &Filter::prominentCount, &Filter::setProminentCount, &Filter::prominentChanged);
    couple(measure_, filter_, &Filter::prominence, &Filter::setProminence, &Filter::prominentChanged);
    connect(&document_.choices(), &vm::DocumentChoices::treeSpecChanged, this, &ProminenceControls::showState);
    follow(this, &ProminenceControls::showState, filter_, &Filter::prominentChanged, &Filter::enabledChanged);
}

void ProminenceControls::showState() {
    only_->setText(document_.choices().treeKind() == TreeKind::max ? tr("Only the most prominent maxima")
                                                                   : tr("Only the most prominent minima"));
    explain(only_, only_->text(), tr("Remove components that hold none of the most prominent extrema"));
    explain(measure_, tr("Measure of prominence"), vm::prominenceToolTip(filter_.prominence()));
    details_->setVisible(filter_.isProminentOnly());
    setEnabled(filter_.isEnabled());
}

} // namespace pollard::app
