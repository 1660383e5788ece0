#include "docks/contour/contour_picker.hpp"

#include "vm/contour/contour_view_model.hpp"
#include "widgets/couple.hpp"
#include "widgets/icon_button.hpp"
#include "widgets/panel_parts.hpp"

#include <QHBoxLayout>
#include <QLocale>
#include <QMenu>
#include <QSignalBlocker>

namespace pollard::app {

using Contours = vm::ContourViewModel;

ContourPicker::ContourPicker(Contours& contours, const QList<QAction*>& add, QWidget* parent)
    : QWidget(parent), contours_(contours), which_(new QComboBox(this)),
      add_(makeIconButton(this, "contourAdd", QStringLiteral("duplicate"), tr("Add a contour"),
                          tr("Let another contour evolve together with the shown ones; they never overlap"))),
      remove_(makeIconButton(this, "contourRemove", QStringLiteral("cancel"), tr("Remove this contour"),
                             tr("Continue without the current contour"))) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(3);
    which_->setObjectName(QStringLiteral("contourWhich"));
    explain(which_, tr("Current contour"),
            tr("The contour of the curves, histograms and numbers; the others are drawn thin and pale"));
    add_->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(add_);
    menu->setToolTipsVisible(true);
    menu->addActions(add);
    add_->setMenu(menu);
    row->addWidget(which_);
    row->addWidget(add_);
    row->addWidget(remove_);
    connect(which_, &QComboBox::currentIndexChanged, &contours_.runs(), &vm::ContourRuns::setContour);
    connect(remove_, &QToolButton::clicked, this, [this] { contours_.removeContour(contours_.runs().contour()); });
    follow(this, &ContourPicker::showState, contours_.runs(), &vm::ContourRuns::changed);
}

void ContourPicker::showState() {
    const QSignalBlocker quiet(which_);
    const int count = contours_.runs().contourCount();
    if (which_->count() != count) {
        which_->clear();
        const QLocale locale;
        for (int i = 0; i < count; ++i) {
            which_->addItem(tr("%1 of %2").arg(locale.toString(i + 1), locale.toString(count)));
        }
    }
    which_->setCurrentIndex(count > 0 ? contours_.runs().contour() : -1);
    which_->setVisible(count > 1);
    remove_->setVisible(count > 1);
    add_->setEnabled(count > 0);
}

} // namespace pollard::app
