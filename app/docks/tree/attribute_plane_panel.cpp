#include "docks/tree/attribute_plane_panel.hpp"

#include "docks/filter/attribute_picker.hpp"
#include "docks/tree/attribute_plane_view.hpp"
#include "widgets/couple.hpp"
#include "widgets/icon_button.hpp"
#include "widgets/panel_parts.hpp"
#include "widgets/wrapping_row.hpp"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLocale>
#include <QVBoxLayout>

namespace pollard::app {

using Plane = vm::AttributePlaneViewModel;

AttributePlanePanel::AttributePlanePanel(Plane& plane, QWidget* parent) : QWidget(parent), plane_(plane) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(kPanelMargin, kPanelSpacing, kPanelMargin, kPanelSpacing);
    layout->setSpacing(kPanelSpacing / 2);
    auto* head = new WrappingRow(kPanelSpacing / 2);
    addAxis(*head, Side::x, tr("&X axis"));
    addAxis(*head, Side::y, tr("&Y axis"));
    auto* swap = makeIconButton(this, "planeSwap", QStringLiteral("swap"), tr("Swap the axes"),
                                tr("Swap the attributes of the two axes"));
    auto* inverse = makeIconButton(this, "planeInverse", QStringLiteral("inverse"), tr("Remove the inside"),
                                   tr("The rectangle removes components instead of keeping them. The others meet any "
                                      "of: x below, x above, y below, y above it"));
    auto* lasso = makeIconButton(this, "planeLasso", QStringLiteral("lasso"), tr("Lasso"),
                                 tr("Enclose components with the pointer to select them; the filter stays as it is"));
    clear_ = makeIconButton(this, "planeClear", QStringLiteral("reset"), tr("Remove the rectangle"),
                            tr("Restore the filter without the rectangle (Esc in the plane)"));
    view_ = new AttributePlaneView(plane, this);
    readout_ = new ElidedLabel(this);
    auto* buttons = new QWidget(this); // stay together where the row wraps
    auto* row = new QHBoxLayout(buttons);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(kPanelSpacing / 2);
    for (QToolButton* button : {swap, inverse, lasso, clear_}) {
        row->addWidget(button);
    }
    head->addStretch();
    head->addWidget(buttons);
    inverse->setCheckable(true);
    lasso->setCheckable(true);
    readout_->setObjectName(QStringLiteral("planeReadout"));
    readout_->setMinimumHeight(readout_->fontMetrics().height());
    layout->addLayout(head);
    layout->addWidget(view_, 1);
    layout->addWidget(readout_);

    connect(swap, &QToolButton::clicked, &plane_, &Plane::swapAxes);
    couple(inverse, plane_, &Plane::isInverse, &Plane::setInverse, &Plane::inverseChanged);
    connect(lasso, &QToolButton::toggled, view_, &AttributePlaneView::setLasso);
    connect(clear_, &QToolButton::clicked, &plane_, &Plane::clear);
    follow(
        this, [this] { clear_->setEnabled(plane_.rectangle().has_value()); }, plane_, &Plane::rectangleChanged);
    const auto leaveLasso = [this] {
        chosen_.clear();
        showReadout();
    };
    follow(this, leaveLasso, plane_, &Plane::changed, &Plane::rectangleChanged, &Plane::inverseChanged);
    connect(&plane_, &Plane::nodesChosen, this, [this](const auto& nodes) {
        chosen_ = tr("In the lasso: %1 components").arg(QLocale().toString(static_cast<qulonglong>(nodes->size())));
        showReadout();
    });
    connect(&plane_, &Plane::insideCounted, this, &AttributePlanePanel::showReadout);
    connect(view_, &AttributePlaneView::pointedChanged, this, &AttributePlanePanel::showReadout);
}

void AttributePlanePanel::addAxis(QLayout& head, Side side, const QString& title) {
    const bool right = side == Side::x;
    auto* attribute = new AttributeButton(this);
    auto* logarithmic = new QCheckBox(tr("Log"), this);
    attribute->setObjectName(right ? QStringLiteral("planeX") : QStringLiteral("planeY"));
    attribute->setAccessibleName(right ? tr("Attribute of the x axis") : tr("Attribute of the y axis"));
    logarithmic->setObjectName(right ? QStringLiteral("planeLogX") : QStringLiteral("planeLogY"));
    explain(logarithmic, right ? tr("Logarithmic x axis") : tr("Logarithmic y axis"),
            tr("Equal ratios are equally long; components of value 0 are left out. Attributes that can be negative "
               "have no logarithm"));
    auto* axis = new QWidget(this); // stays together where the row wraps
    auto* row = new QHBoxLayout(axis);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(kPanelSpacing / 2);
    row->addWidget(captionFor(attribute, title));
    row->addWidget(attribute);
    row->addWidget(logarithmic);
    head.addWidget(axis);
    connect(attribute, &AttributeButton::chosen, &plane_,
            [this, side](AttributeId id) { plane_.setAttribute(side, id); });
    const auto showAxis = [this, side, attribute, logarithmic] {
        attribute->setAttributeId(plane_.attribute(side));
        logarithmic->setEnabled(plane_.canBeLogarithmic(side));
    };
    follow(this, showAxis, plane_, &Plane::axesChanged);
    couple(
        logarithmic, plane_, [side](const Plane& plane) { return plane.isLogarithmic(side); },
        [side](Plane& plane, bool on) { plane.setLogarithmic(side, on); }, &Plane::axesChanged);
}

void AttributePlanePanel::showReadout() {
    const auto place = view_->pointedPlace();
    const QString cell = place ? plane_.readout(*place) : QString();
    readout_->setFullText(!cell.isEmpty() ? cell : chosen_.isEmpty() ? plane_.summary() : chosen_);
}

} // namespace pollard::app
