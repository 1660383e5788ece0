#include "docks/named_windows_menu.hpp"

#include "vm/display/display_view_model.hpp"
#include "vm/display/named_windows.hpp"
#include "vm/document/document_view_model.hpp"
#include "widgets/couple.hpp"

namespace pollard::app {

namespace {

constexpr int kMostLevelOfBytes = 255;

} // namespace

NamedWindowsMenu::NamedWindowsMenu(const vm::DocumentViewModel& document, vm::DisplayViewModel& display,
                                   QWidget* parent)
    : QMenu(tr("&Named windows"), parent), document_(document), display_(display) {
    setToolTipsVisible(true);
    connect(&display_.composite(), &vm::CompositeViewModel::onChanged, this, &NamedWindowsMenu::fill);
    connect(&display_.composite(), &vm::CompositeViewModel::channelsChanged, this, &NamedWindowsMenu::fill);
    connect(&display_, &vm::DisplayViewModel::levelDomainChanged, this, &NamedWindowsMenu::fill);
    follow(this, &NamedWindowsMenu::fill, document_, &vm::DocumentViewModel::imageChanged);
}

void NamedWindowsMenu::fill() {
    clear();
    const auto info = document_.imageInfo();
    for (const vm::NamedWindow& each : vm::namedWindows(info.get())) {
        QAction* action = addAction(each.name);
        action->setObjectName(QStringLiteral("window_") + each.id);
        action->setToolTip(tr("Black and white at %1").arg(each.valuesText()));
        connect(action, &QAction::triggered, &display_, [this, values = each.values] {
            display_.setWindow(display_.levelOf(values.low), display_.levelOf(values.high));
        });
    }
    if (display_.maxLevel() > kMostLevelOfBytes) {
        QAction* action = addAction(tr("zscale"));
        action->setObjectName(QStringLiteral("window_zscale"));
        action->setToolTip(tr("Black and white around the median, as viewers for astronomy choose them"));
        connect(action, &QAction::triggered, &display_, &vm::DisplayViewModel::zscaleWindow);
    }
    menuAction()->setEnabled(!isEmpty() && !display_.composite().isShown()); // its channels have windows of their own
}

} // namespace pollard::app
