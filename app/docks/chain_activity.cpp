#include "docks/chain_activity.hpp"

#include "chain_view_model.hpp"

#include <QEvent>
#include <QTimer>
#include <QWidget>

#include <algorithm>

namespace pollard::app {

ChainActivity::ChainActivity(vm::ChainViewModel& chain, const QList<QWidget*>& panels, QObject* parent)
    : QObject(parent), chain_(chain), panels_(panels) {
    for (QWidget* panel : panels_) {
        panel->installEventFilter(this);
    }
}

bool ChainActivity::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Show) {
        chain_.setActive(true);
    } else if (event->type() == QEvent::Hide) {
        QTimer::singleShot(0, this, [this] {
            chain_.setActive(std::ranges::any_of(panels_, [](const QWidget* panel) { return panel->isVisible(); }));
        });
    }
    return QObject::eventFilter(watched, event);
}

} // namespace pollard::app
