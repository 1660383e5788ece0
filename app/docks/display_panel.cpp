#include "docks/display_panel.hpp"

#include "display_view_model.hpp"
#include "docks/histogram_view.hpp"
#include "document_view_model.hpp"
#include "histogram_view_model.hpp"
#include "theme/colour_stops.hpp"
#include "theme/icons.hpp"
#include "widgets/panel_parts.hpp"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QVBoxLayout>

namespace pollard::app {
namespace {

constexpr QSize kSwatch(48, 14);

QDoubleSpinBox* makeEdge(QWidget* parent, const QString& name, const QString& toolTip, const QString& objectName) {
    auto* box = new QDoubleSpinBox(parent);
    box->setObjectName(objectName);
    box->setDecimals(0);
    box->setGroupSeparatorShown(true);
    box->setKeyboardTracking(false);
    box->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
    box->setMinimumWidth(72);
    explain(box, name, toolTip);
    return box;
}

} // namespace

DisplayPanel::DisplayPanel(vm::DocumentViewModel& document, vm::DisplayViewModel& display,
                           vm::HistogramViewModel& histogram, QWidget* parent)
    : QWidget(parent), document_(document), display_(display), histogram_(histogram) {
    build();
    connectModels();
    showWindow();
    showColourMap();
    showAvailability();
}

void DisplayPanel::build() {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(kPanelMargin, kPanelMargin - 4, kPanelMargin, kPanelMargin);
    layout->setSpacing(kPanelSpacing);
    chart_ = new HistogramView(histogram_, display_, this);
    layout->addWidget(chart_, 1);

    low_ = makeEdge(this, tr("Black level"), tr("Grey level shown as the first colour"), QStringLiteral("windowLow"));
    high_ = makeEdge(this, tr("White level"), tr("Grey level shown as the last colour"), QStringLiteral("windowHigh"));
    auto* edges = new QGridLayout;
    edges->setHorizontalSpacing(kPanelSpacing);
    edges->setVerticalSpacing(3);
    auto* lowLabel = new CaptionLabel(tr("&Black"), this);
    lowLabel->setBuddy(low_);
    auto* highLabel = new CaptionLabel(tr("&White"), this);
    highLabel->setBuddy(high_);
    edges->addWidget(lowLabel, 0, 0);
    edges->addWidget(highLabel, 0, 1);
    edges->addWidget(low_, 1, 0);
    edges->addWidget(high_, 1, 1);
    layout->addLayout(edges);

    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(kPanelSpacing);
    auto_ = new QPushButton(themedIcon(QStringLiteral("auto")), tr("Auto"), this);
    auto_->setObjectName(QStringLiteral("autoWindow"));
    explain(auto_, tr("Automatic window"), tr("From the 0.1 % to the 99.9 % percentile of the grey levels (A)"));
    full_ = new QPushButton(tr("Full range"), this);
    full_->setObjectName(QStringLiteral("fullWindow"));
    explain(full_, tr("Full range"), tr("From 0 to the largest level that the pixel type holds"));
    logarithmic_ = new QCheckBox(tr("Log"), this);
    logarithmic_->setObjectName(QStringLiteral("logarithmic"));
    explain(logarithmic_, tr("Logarithmic histogram"), tr("Bars grow with the logarithm of the number of pixels"));
    buttons->addWidget(auto_);
    buttons->addWidget(full_);
    buttons->addStretch(1);
    buttons->addWidget(logarithmic_);
    layout->addLayout(buttons);

    auto* colours = new QHBoxLayout;
    colours->setSpacing(kPanelSpacing);
    colourMap_ = new QComboBox(this);
    colourMap_->setObjectName(QStringLiteral("colourMap"));
    colourMap_->setIconSize(kSwatch);
    explain(colourMap_, tr("Colour map"), tr("Colours that grey levels are shown in"));
    for (const vm::ColourMap map : vm::kColourMaps) {
        colourMap_->addItem(colourMapIcon(map, kSwatch), vm::titleOf(map), static_cast<int>(map));
    }
    auto* colourLabel = new CaptionLabel(tr("&Colours"), this);
    colourLabel->setBuddy(colourMap_);
    colours->addWidget(colourLabel);
    colours->addWidget(colourMap_, 1);
    layout->addLayout(colours);
}

void DisplayPanel::connectModels() {
    using Display = vm::DisplayViewModel;
    connect(low_, &QDoubleSpinBox::valueChanged, &display_, &Display::setWindowLow);
    connect(high_, &QDoubleSpinBox::valueChanged, &display_, &Display::setWindowHigh);
    connect(auto_, &QPushButton::clicked, &display_, &Display::autoWindow);
    connect(full_, &QPushButton::clicked, &display_, &Display::fullWindow);
    connect(logarithmic_, &QCheckBox::toggled, &histogram_, &vm::HistogramViewModel::setLogarithmic);
    connect(colourMap_, &QComboBox::activated, this,
            [this] { display_.setColourMap(static_cast<vm::ColourMap>(colourMap_->currentData().toInt())); });
    connect(&display_, &Display::windowChanged, this, &DisplayPanel::showWindow);
    connect(&display_, &Display::levelDomainChanged, this, &DisplayPanel::showWindow);
    connect(&display_, &Display::colourMapChanged, this, &DisplayPanel::showColourMap);
    connect(&histogram_, &vm::HistogramViewModel::changed, this, &DisplayPanel::showAvailability);
    connect(&document_, &vm::DocumentViewModel::documentChanged, this, &DisplayPanel::showAvailability);
}

void DisplayPanel::showWindow() {
    for (auto [box, value] : {std::pair(low_, display_.windowLow()), std::pair(high_, display_.windowHigh())}) {
        const QSignalBlocker quiet(box);
        box->setRange(0, display_.maxLevel());
        box->setValue(value);
    }
}

void DisplayPanel::showColourMap() {
    colourMap_->setCurrentIndex(colourMap_->findData(static_cast<int>(display_.colourMap())));
}

void DisplayPanel::showAvailability() {
    const bool image = document_.hasImage();
    for (QWidget* widget : {chart_, static_cast<QWidget*>(low_), static_cast<QWidget*>(high_),
                            static_cast<QWidget*>(auto_), static_cast<QWidget*>(full_)}) {
        widget->setEnabled(image);
    }
    const QSignalBlocker quiet(logarithmic_);
    logarithmic_->setChecked(histogram_.isLogarithmic());
    logarithmic_->setEnabled(image);
}

} // namespace pollard::app
