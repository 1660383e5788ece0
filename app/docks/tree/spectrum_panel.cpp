#include "docks/tree/spectrum_panel.hpp"

#include "docks/charts/spectrum_chart.hpp"
#include "docks/filter/attribute_picker.hpp"
#include "vm/filter/filter_view_model.hpp"
#include "vm/tree/spectrum_view_model.hpp"
#include "widgets/couple.hpp"
#include "widgets/number_box.hpp"
#include "widgets/panel_parts.hpp"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QVBoxLayout>

namespace pollard::app {

SpectrumPanel::SpectrumPanel(vm::SpectrumViewModel& spectrum, vm::FilterViewModel& filter, QWidget* parent)
    : QWidget(parent), spectrum_(spectrum) {
    auto* attribute = new AttributeButton(this);
    auto* logarithmic = new QCheckBox(tr("&Logarithmic"), this);
    auto* bins = new WholeBox(this);
    chart_ = new SpectrumChart(spectrum, filter, this);
    readout_ = new ElidedLabel(this);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(kPanelMargin, kPanelSpacing, kPanelMargin, kPanelSpacing);
    layout->setSpacing(kPanelSpacing / 2);
    auto* head = new QHBoxLayout;
    head->setSpacing(kPanelSpacing);
    attribute->setObjectName(QStringLiteral("spectrumAttribute"));
    attribute->setAccessibleName(tr("Attribute of the spectrum"));
    head->addWidget(attribute);
    logarithmic->setObjectName(QStringLiteral("spectrumLogarithmic"));
    explain(logarithmic, tr("Logarithmic bins"),
            tr("Bins of equal ratios instead of equal widths. Attributes that can be negative have none"));
    head->addWidget(logarithmic);
    head->addWidget(captionFor(bins, tr("&Bins")));
    bins->setObjectName(QStringLiteral("spectrumBins"));
    bins->setRange(vm::SpectrumViewModel::kFewestBins, vm::SpectrumViewModel::kMostBins);
    bins->setKeyboardTracking(false);
    explain(bins, tr("Number of bins"), tr("Number of bars; whole numbers may leave fewer"));
    head->addWidget(bins);
    readout_->setObjectName(QStringLiteral("spectrumReadout"));
    readout_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    head->addWidget(readout_, 1);
    layout->addLayout(head);
    layout->addWidget(chart_, 1);

    using Spectrum = vm::SpectrumViewModel;
    connect(attribute, &AttributeButton::chosen, &spectrum_, &Spectrum::setAttribute);
    const auto showAttribute = [&spectrum, attribute] { attribute->setAttributeId(spectrum.attribute()); };
    follow(this, showAttribute, spectrum, &Spectrum::attributeChanged);
    couple(logarithmic, spectrum, &Spectrum::isLogarithmic, &Spectrum::setLogarithmic, &Spectrum::binsChanged);
    couple(bins, spectrum, &Spectrum::binCount, &Spectrum::setBinCount, &Spectrum::binsChanged);
    connect(chart_, &SpectrumChart::currentBinChanged, this, &SpectrumPanel::showReadout);
    follow(this, &SpectrumPanel::showReadout, spectrum, &Spectrum::changed);
}

void SpectrumPanel::showReadout() {
    const QString bar = spectrum_.readout(chart_->currentBin());
    readout_->setFullText(bar.isEmpty() ? spectrum_.leftOutText() : bar);
}

} // namespace pollard::app
