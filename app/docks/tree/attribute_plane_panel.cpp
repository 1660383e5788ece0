#include "docks/tree/attribute_plane_panel.hpp"

#include "docks/filter/attribute_picker.hpp"
#include "docks/tree/attribute_plane_view.hpp"
#include "widgets/icon_button.hpp"
#include "widgets/panel_parts.hpp"

#include <QHBoxLayout>
#include <QLocale>
#include <QSignalBlocker>
#include <QVBoxLayout>

namespace pollard::app {

using Plane = vm::AttributePlaneViewModel;

AttributePlanePanel::AttributePlanePanel(Plane& plane, QWidget* parent)
    : QWidget(parent), plane_(plane), axes_{makeAxis(Side::x), makeAxis(Side::y)},
      swap_(makeIconButton(this, "planeSwap", QStringLiteral("swap"), tr("Swap the axes"),
                           tr("Swap the attributes of the two axes"))),
      inverse_(makeIconButton(this, "planeInverse", QStringLiteral("inverse"), tr("Remove the inside"),
                              tr("The rectangle removes components instead of keeping them. The others meet any of: x "
                                 "below, x above, y below, y above it"))),
      lasso_(makeIconButton(this, "planeLasso", QStringLiteral("lasso"), tr("Lasso"),
                            tr("Enclose components with the pointer to select them; the filter stays as it is"))),
      clear_(makeIconButton(this, "planeClear", QStringLiteral("reset"), tr("Remove the rectangle"),
                            tr("Restore the filter without the rectangle (Esc in the plane)"))),
      view_(new AttributePlaneView(plane, this)), readout_(new ElidedLabel(this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(kPanelMargin, kPanelSpacing, kPanelMargin, kPanelSpacing);
    layout->setSpacing(kPanelSpacing / 2);
    auto* head = new QHBoxLayout;
    head->setSpacing(kPanelSpacing / 2);
    const std::array captions{tr("&Right"), tr("U&p")};
    for (std::size_t i = 0; i < axes_.size(); ++i) {
        auto* caption = new CaptionLabel(captions[i], this);
        caption->setBuddy(axes_[i].attribute);
        head->addWidget(caption);
        head->addWidget(axes_[i].attribute);
        head->addWidget(axes_[i].logarithmic);
    }
    head->addStretch(1);
    for (QToolButton* button : {swap_, inverse_, lasso_, clear_}) {
        head->addWidget(button);
    }
    inverse_->setCheckable(true);
    lasso_->setCheckable(true);
    readout_->setObjectName(QStringLiteral("planeReadout"));
    readout_->setMinimumHeight(readout_->fontMetrics().height());
    layout->addLayout(head);
    layout->addWidget(view_, 1);
    layout->addWidget(readout_);

    connect(swap_, &QToolButton::clicked, &plane_, &Plane::swapAxes);
    connect(inverse_, &QToolButton::toggled, &plane_, &Plane::setInverse);
    connect(lasso_, &QToolButton::toggled, view_, &AttributePlaneView::setLasso);
    connect(clear_, &QToolButton::clicked, &plane_, &Plane::clear);
    connect(&plane_, &Plane::axesChanged, this, &AttributePlanePanel::showChoices);
    connect(&plane_, &Plane::inverseChanged, this, &AttributePlanePanel::showChoices);
    connect(&plane_, &Plane::rectangleChanged, this, [this] { clear_->setEnabled(plane_.rectangle().has_value()); });
    const auto leaveLasso = [this] {
        chosen_.clear();
        showReadout();
    };
    connect(&plane_, &Plane::changed, this, leaveLasso);
    connect(&plane_, &Plane::rectangleChanged, this, leaveLasso);
    connect(&plane_, &Plane::inverseChanged, this, leaveLasso);
    connect(&plane_, &Plane::nodesChosen, this, [this](const auto& nodes) {
        chosen_ = tr("In the lasso: %1 components").arg(QLocale().toString(static_cast<qulonglong>(nodes->size())));
        showReadout();
    });
    connect(&plane_, &Plane::insideCounted, this, &AttributePlanePanel::showReadout);
    connect(view_, &AttributePlaneView::pointedChanged, this, &AttributePlanePanel::showReadout);
    showChoices();
    showReadout();
}

AttributePlanePanel::AxisControls AttributePlanePanel::makeAxis(Side side) {
    const bool right = side == Side::x;
    AxisControls controls{new AttributeButton(this), new QCheckBox(tr("Log"), this)};
    controls.attribute->setObjectName(right ? QStringLiteral("planeX") : QStringLiteral("planeY"));
    controls.attribute->setAccessibleName(right ? tr("Attribute to the right") : tr("Attribute upwards"));
    controls.logarithmic->setObjectName(right ? QStringLiteral("planeLogX") : QStringLiteral("planeLogY"));
    explain(controls.logarithmic, right ? tr("Logarithmic to the right") : tr("Logarithmic upwards"),
            tr("Equal ratios are equally long; components of value 0 are left out. Attributes that can be negative "
               "have no logarithm"));
    connect(controls.attribute, &AttributeButton::chosen, &plane_,
            [this, side](AttributeId id) { plane_.setAttribute(side, id); });
    connect(controls.logarithmic, &QCheckBox::toggled, &plane_,
            [this, side](bool logarithmic) { plane_.setLogarithmic(side, logarithmic); });
    return controls;
}

void AttributePlanePanel::showChoices() {
    for (const Side side : {Side::x, Side::y}) {
        const AxisControls& controls = axes_[side == Side::x ? 0 : 1];
        const QSignalBlocker quiet(controls.logarithmic);
        controls.attribute->setAttributeId(plane_.attribute(side));
        controls.logarithmic->setChecked(plane_.isLogarithmic(side));
        controls.logarithmic->setEnabled(plane_.canBeLogarithmic(side));
    }
    inverse_->setChecked(plane_.isInverse());
    clear_->setEnabled(plane_.rectangle().has_value());
}

void AttributePlanePanel::showReadout() {
    const auto place = view_->pointedPlace();
    const QString cell = place ? plane_.readout(*place) : QString();
    readout_->setFullText(!cell.isEmpty() ? cell : chosen_.isEmpty() ? plane_.summary() : chosen_);
}

} // namespace pollard::app
