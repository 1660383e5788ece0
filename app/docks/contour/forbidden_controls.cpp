#include "docks/contour/forbidden_controls.hpp"

#include "shell/models.hpp"
#include "widgets/icon_button.hpp"
#include "widgets/panel_parts.hpp"

#include <QHBoxLayout>
#include <QMenu>
#include <QSignalBlocker>

namespace pollard::app {

using Area = vm::ForbiddenArea;

ForbiddenControls::ForbiddenControls(Models& models, QWidget* parent)
    : QWidget(parent), models_(models), brush_(new QSpinBox(this)) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(3);
    Area& area = models_.contours.settings().forbidden();
    auto* caption = new CaptionLabel(tr("&Forbid"), this);
    row->addWidget(caption);
    row->addStretch(1);
    paint_ = makeIconButton(this, "forbiddenPaint", QStringLiteral("brush"), tr("Paint the forbidden area"),
                            tr("Paint pixels that no contour may contain; Shift erases, Esc ends"));
    paint_->setCheckable(true);
    erase_ = makeIconButton(this, "forbiddenErase", QStringLiteral("erase"), tr("Erase the forbidden area"),
                            tr("The brush erases; Shift paints"));
    erase_->setCheckable(true);
    caption->setBuddy(paint_);
    brush_->setObjectName(QStringLiteral("forbiddenBrush"));
    brush_->setRange(1, Area::kLargestBrush);
    brush_->setSuffix(tr(" px"));
    brush_->setKeyboardTracking(false);
    brush_->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
    explain(brush_, tr("Size of the brush"), tr("Diameter of the brush, px of the picture"));
    makeMenu();
    for (QWidget* part : {static_cast<QWidget*>(paint_), static_cast<QWidget*>(erase_), static_cast<QWidget*>(brush_),
                          static_cast<QWidget*>(more_)}) {
        row->addWidget(part);
    }
    connect(paint_, &QToolButton::toggled, &area, &Area::setPainting);
    connect(erase_, &QToolButton::toggled, &area, [&area](bool erases) {
        area.setErasing(erases);
        area.setPainting(area.isPainting() || erases);
    });
    connect(brush_, &QSpinBox::valueChanged, &area, &Area::setBrush);
    connect(&area, &Area::brushChanged, this, &ForbiddenControls::showState);
    connect(&area, &Area::changed, this, &ForbiddenControls::showState);
    connect(&models_.document, &vm::DocumentViewModel::hasImageChanged, this, &ForbiddenControls::showState);
    connect(&models_.selection, &vm::NodeSelection::changed, this, &ForbiddenControls::showState);
    showState();
}

void ForbiddenControls::makeMenu() {
    more_ = makeIconButton(this, "forbiddenMore", QStringLiteral("image"), tr("More for the forbidden area"),
                           tr("Take the forbidden area from an image or from the selection, or clear it"));
    more_->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(more_);
    menu->setToolTipsVisible(true);
    const auto add = [&](const char* objectName, const QString& name, const QString& what) {
        QAction* action = menu->addAction(name);
        action->setObjectName(QLatin1String(objectName));
        action->setToolTip(what);
        return action;
    };
    fromImage_ = add("forbiddenFromImage", tr("From a mask &image…"),
                     tr("All pixels that are not 0 in an image as large as this one"));
    fromSelection_ =
        add("forbiddenFromSelection", tr("From the &selection"), tr("The pixels of all selected components"));
    clear_ = add("forbiddenClear", tr("&Clear"), tr("Forbid nothing"));
    more_->setMenu(menu);
    Area& area = models_.contours.settings().forbidden();
    connect(fromImage_, &QAction::triggered, this, &ForbiddenControls::imageRequested);
    connect(fromSelection_, &QAction::triggered, this, [this, &area] { area.takeNodes(models_.selection.nodes()); });
    connect(clear_, &QAction::triggered, &area, &Area::clear);
}

void ForbiddenControls::showState() {
    const Area& area = models_.contours.settings().forbidden();
    const QSignalBlocker quietPaint(paint_);
    const QSignalBlocker quietErase(erase_);
    const QSignalBlocker quietBrush(brush_);
    paint_->setChecked(area.isPainting());
    erase_->setChecked(area.isErasing());
    brush_->setValue(area.brush());
    const bool there = models_.document.hasImage();
    setEnabled(there);
    fromSelection_->setEnabled(there && models_.selection.count() > 0);
    clear_->setEnabled(area.mask() != nullptr);
}

} // namespace pollard::app
