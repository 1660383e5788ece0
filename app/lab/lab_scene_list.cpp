#include "lab/lab_scene_list.hpp"

#include "vm/lab/demonstration_view_model.hpp"
#include "widgets/panel_parts.hpp"

#include <QKeyEvent>
#include <QSignalBlocker>

namespace pollard::app {

using Demonstration = vm::DemonstrationViewModel;

LabSceneList::LabSceneList(Demonstration& demonstration, QWidget* parent)
    : QListWidget(parent), demonstration_(demonstration) {
    setObjectName(QStringLiteral("labScenes"));
    setWordWrap(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    explain(this, tr("Scenes"), tr("The prepared scenes; Page Down moves to the next one when a scene has ended"));
    connect(this, &QListWidget::currentRowChanged, &demonstration_, &Demonstration::show);
    connect(&demonstration_, &Demonstration::scenesChanged, this, &LabSceneList::showScenes);
    connect(&demonstration_, &Demonstration::currentChanged, this, &LabSceneList::showCurrent);
    showScenes();
}

void LabSceneList::showScenes() {
    const QSignalBlocker quiet(this);
    clear();
    addItems(demonstration_.titles());
    showCurrent();
}

void LabSceneList::keyPressEvent(QKeyEvent* event) {
    // The keys of a presenter's remote control the player for any focus.
    const int key = event->key();
    if (key == Qt::Key_PageUp || key == Qt::Key_PageDown || key == Qt::Key_Space) {
        event->ignore();
    } else {
        QListWidget::keyPressEvent(event);
    }
}

void LabSceneList::showCurrent() {
    const QSignalBlocker quiet(this);
    setCurrentRow(demonstration_.current());
}

} // namespace pollard::app
