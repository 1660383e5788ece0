#include "docks/tree/spectrum_panel.hpp"

#include "docks/charts/spectrum_chart.hpp"
#include "docks/filter/attribute_picker.hpp"
#include "vm/filter/filter_view_model.hpp"
#include "vm/tree/spectrum_view_model.hpp"
#include "widgets/panel_parts.hpp"

#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QVBoxLayout>

namespace pollard::app {

SpectrumPanel::SpectrumPanel(vm::SpectrumViewModel& spectrum, vm::FilterViewModel& filter, QWidget* parent)
    : QWidget(parent), spectrum_(spectrum), attribute_(new AttributeButton(this)),
      logarithmic_(new QCheckBox(tr("&Logarithmic"), this)), bins_(new QSpinBox(this)),
      chart_(new SpectrumChart(spectrum, filter, this)), readout_(new ElidedLabel(this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(kPanelMargin, kPanelSpacing, kPanelMargin, kPanelSpacing);
    layout->setSpacing(kPanelSpacing / 2);
    auto* head = new QHBoxLayout;
    head->setSpacing(kPanelSpacing);
    attribute_->setObjectName(QStringLiteral("spectrumAttribute"));
    attribute_->setAccessibleName(tr("Attribute of the spectrum"));
    head->addWidget(attribute_);
    logarithmic_->setObjectName(QStringLiteral("spectrumLogarithmic"));
    explain(logarithmic_, tr("Logarithmic bins"),
            tr("Bins of equal ratios instead of equal widths. Attributes that can be negative have none"));
    head->addWidget(logarithmic_);
    auto* caption = new CaptionLabel(tr("&Bins"), this);
    caption->setBuddy(bins_);
    head->addWidget(caption);
    bins_->setObjectName(QStringLiteral("spectrumBins"));
    bins_->setRange(vm::SpectrumViewModel::kFewestBins, vm::SpectrumViewModel::kMostBins);
    bins_->setKeyboardTracking(false);
    explain(bins_, tr("Number of bins"), tr("Number of bars; whole numbers may leave fewer"));
    head->addWidget(bins_);
    readout_->setObjectName(QStringLiteral("spectrumReadout"));
    readout_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    head->addWidget(readout_, 1);
    layout->addLayout(head);
    layout->addWidget(chart_, 1);

    using Spectrum = vm::SpectrumViewModel;
    connect(attribute_, &AttributeButton::chosen, &spectrum_, &Spectrum::setAttribute);
    connect(logarithmic_, &QCheckBox::toggled, &spectrum_, &Spectrum::setLogarithmic);
    connect(bins_, &QSpinBox::valueChanged, &spectrum_, &Spectrum::setBinCount);
    connect(&spectrum_, &Spectrum::attributeChanged, this, &SpectrumPanel::showChoices);
    connect(&spectrum_, &Spectrum::binsChanged, this, &SpectrumPanel::showChoices);
    connect(&spectrum_, &Spectrum::changed, this, &SpectrumPanel::showReadout);
    connect(chart_, &SpectrumChart::currentBinChanged, this, &SpectrumPanel::showReadout);
    showChoices();
    showReadout();
}

void SpectrumPanel::showChoices() {
    const QSignalBlocker quietBins(bins_);
    attribute_->setAttributeId(spectrum_.attribute());
    logarithmic_->setChecked(spectrum_.isLogarithmic());
    bins_->setValue(spectrum_.binCount());
}

void SpectrumPanel::showReadout() {
    const QString bar = spectrum_.readout(chart_->currentBin());
    readout_->setFullText(bar.isEmpty() ? spectrum_.leftOutText() : bar);
}

} // namespace pollard::app
