#include "window/panel_dock.hpp"

#include <QAction>
#include <QDockWidget>
#include <QMainWindow>

namespace pollard::app {

QDockWidget* addPanelDock(QMainWindow& window, const QString& objectName, const QString& title, QWidget* panel,
                          Qt::DockWidgetArea area) {
    auto* dock = new QDockWidget(title, &window);
    dock->setObjectName(objectName);
    dock->setWidget(panel);
    window.addDockWidget(area, dock);
    dock->hide();
    QObject::connect(dock->toggleViewAction(), &QAction::triggered, dock, [dock](bool shown) {
        if (shown) {
            dock->raise(); // of its tabs, the one that was asked for
        }
    });
    return dock;
}

void showPanel(QMainWindow& window, const QString& name) {
    if (auto* dock = window.findChild<QDockWidget*>(name + QStringLiteral("Dock"))) {
        dock->show();
        dock->raise();
    }
}

} // namespace pollard::app
