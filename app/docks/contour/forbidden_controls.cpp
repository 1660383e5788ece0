#include "docks/contour/forbidden_controls.hpp"

#include "shell/models.hpp"
#include "widgets/couple.hpp"
#include "widgets/icon_button.hpp"
#include "widgets/number_box.hpp"
#include "widgets/panel_parts.hpp"

#include <QHBoxLayout>
#include <QMenu>

#include <initializer_list>

namespace pollard::app {

using Area = vm::ForbiddenArea;

ForbiddenControls::ForbiddenControls(Models& models, QWidget* parent) : QWidget(parent), models_(models) {
    auto* brush = new WholeBox(this);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(3);
    Area& area = models_.contours.settings().forbidden();
    auto* caption = new CaptionLabel(tr("&Forbid"), this);
    row->addWidget(caption);
    row->addStretch(1);
    auto* paint = makeIconButton(this, "forbiddenPaint", QStringLiteral("brush"), tr("Paint the forbidden area"),
                                 tr("Paint pixels that no contour may contain; Shift erases, Esc ends"));
    paint->setCheckable(true);
    auto* erase = makeIconButton(this, "forbiddenErase", QStringLiteral("erase"), tr("Erase the forbidden area"),
                                 tr("The brush erases; Shift paints"));
    erase->setCheckable(true);
    caption->setBuddy(paint);
    brush->setObjectName(QStringLiteral("forbiddenBrush"));
    brush->setRange(1, Area::kLargestBrush);
    brush->setSuffix(tr(" px"));
    brush->setKeyboardTracking(false);
    brush->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
    explain(brush, tr("Size of the brush"), tr("Diameter of the brush, px of the picture"));
    for (QWidget* part : std::initializer_list<QWidget*>{paint, erase, brush, makeMenu()}) {
        row->addWidget(part);
    }
    couple(paint, area, &Area::isPainting, &Area::setPainting, &Area::brushChanged);
    const auto setErasing = [](Area& area, bool erases) {
        area.setErasing(erases);
        area.setPainting(area.isPainting() || erases);
    };
    couple(erase, area, &Area::isErasing, setErasing, &Area::brushChanged);
    couple(brush, area, &Area::brush, &Area::setBrush, &Area::brushChanged);
    connect(&models_.document, &vm::DocumentViewModel::hasImageChanged, this, &ForbiddenControls::showState);
    connect(&models_.selection, &vm::NodeSelection::changed, this, &ForbiddenControls::showState);
    follow(this, &ForbiddenControls::showState, area, &Area::changed);
}

QToolButton* ForbiddenControls::makeMenu() {
    auto* more = makeIconButton(this, "forbiddenMore", QStringLiteral("image"), tr("More for the forbidden area"),
                                tr("Take the forbidden area from an image or from the selection, or clear it"));
    more->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(more);
    menu->setToolTipsVisible(true);
    const auto add = [&](const char* objectName, const QString& name, const QString& what) {
        QAction* action = menu->addAction(name);
        action->setObjectName(QLatin1String(objectName));
        action->setToolTip(what);
        return action;
    };
    auto* fromImage = add("forbiddenFromImage", tr("From a mask &image…"),
                          tr("All pixels that are not 0 in an image as large as this one"));
    fromSelection_ =
        add("forbiddenFromSelection", tr("From the &selection"), tr("The pixels of all selected components"));
    clear_ = add("forbiddenClear", tr("&Clear"), tr("Forbid nothing"));
    more->setMenu(menu);
    Area& area = models_.contours.settings().forbidden();
    connect(fromImage, &QAction::triggered, this, &ForbiddenControls::imageRequested);
    connect(fromSelection_, &QAction::triggered, this, [this, &area] { area.takeNodes(models_.selection.nodes()); });
    connect(clear_, &QAction::triggered, &area, &Area::clear);
    return more;
}

void ForbiddenControls::showState() {
    const bool there = models_.document.hasImage();
    setEnabled(there);
    fromSelection_->setEnabled(there && models_.selection.count() > 0);
    clear_->setEnabled(models_.contours.settings().forbidden().mask() != nullptr);
}

} // namespace pollard::app
