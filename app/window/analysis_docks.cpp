#include "window/analysis_docks.hpp"

#include "attribute_plane_view_model.hpp"
#include "docks/attribute_plane_panel.hpp"
#include "docks/chain_activity.hpp"
#include "docks/chain_panel.hpp"
#include "docks/contour_panel.hpp"
#include "docks/objects_panel.hpp"
#include "docks/profile_strip.hpp"
#include "docks/spectrum_panel.hpp"
#include "profile_view_model.hpp"
#include "shell/models.hpp"
#include "spectrum_view_model.hpp"

#include <QAction>
#include <QCoreApplication>
#include <QDockWidget>
#include <QMainWindow>

namespace pollard::app {
namespace {

QString text(const char* source) { return QCoreApplication::translate("AnalysisDocks", source); }

QDockWidget* addDock(QMainWindow& window, const QString& objectName, const QString& title, QWidget* panel) {
    auto* dock = new QDockWidget(title, &window);
    dock->setObjectName(objectName);
    dock->setWidget(panel);
    window.addDockWidget(Qt::BottomDockWidgetArea, dock);
    dock->hide();
    QObject::connect(dock->toggleViewAction(), &QAction::triggered, dock, [dock](bool shown) {
        if (shown) {
            dock->raise(); // of its tabs, the one that was asked for
        }
    });
    return dock;
}

} // namespace

void addAnalysisDocks(QMainWindow& window, Models& models) {
    auto* spectrum = new vm::SpectrumViewModel(models.document, models.filter, &window);
    auto* profile = new vm::ProfileViewModel(models.document, models.filter, &window);
    QDockWidget* first =
        addDock(window, QStringLiteral("spectrumDock"), text("Spectrum"), new SpectrumPanel(*spectrum, models.filter));
    QDockWidget* second =
        addDock(window, QStringLiteral("profileDock"), text("Profile"), new ProfileStrip(*profile, models.display));
    auto* objects = new ObjectsPanel(models.objects, models.objectTable, models.objectExport, models.display);
    QObject::connect(objects, &ObjectsPanel::refineRequested, &window, [&window, &models](quint32 label) {
        if (const auto listing = models.objectTable.listing()) {
            models.contours.startFromObject(listing->found, label);
            showPanel(window, QStringLiteral("contour"));
        }
    });
    QDockWidget* third = addDock(window, QStringLiteral("objectsDock"), text("Objects"), objects);
    QDockWidget* fourth = addDock(window, QStringLiteral("contourDock"), text("Contour"), new ContourPanel(models));
    auto* chain = new ChainPanel(models.chain);
    QObject::connect(chain, &ChainPanel::refineRequested, &window, [&window, &models](quint32 canonical) {
        models.contours.startFromComponent(canonical);
        showPanel(window, QStringLiteral("contour"));
    });
    QDockWidget* fifth = addDock(window, QStringLiteral("chainDock"), text("Chain"), chain);
    auto* plane = new vm::AttributePlaneViewModel(models.document, models.filter, models.chain, &window);
    auto* planePanel = new AttributePlanePanel(*plane);
    QDockWidget* sixth = addDock(window, QStringLiteral("planeDock"), text("Attribute plane"), planePanel);
    new ChainActivity(models.chain, {chain, planePanel}, &window);
    window.tabifyDockWidget(first, second);
    window.tabifyDockWidget(second, third);
    window.tabifyDockWidget(third, fourth);
    window.tabifyDockWidget(fourth, fifth);
    window.tabifyDockWidget(fifth, sixth);
    // They take their height from the picture; the panels beside it keep theirs.
    window.setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    window.setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
}

void showPanel(QMainWindow& window, const QString& name) {
    if (auto* dock = window.findChild<QDockWidget*>(name + QStringLiteral("Dock"))) {
        dock->show();
        dock->raise();
    }
}

bool analysesRest(const QMainWindow& window) {
    return window.findChild<vm::SpectrumViewModel*>()->state() != vm::SpectrumViewModel::State::computing &&
           window.findChild<vm::ProfileViewModel*>()->state() != vm::ProfileViewModel::State::computing &&
           window.findChild<vm::AttributePlaneViewModel*>()->state() != vm::AttributePlaneViewModel::State::computing;
}

void onAnalysisChange(const QMainWindow& window, QObject* context, const std::function<void()>& function) {
    QObject::connect(window.findChild<vm::SpectrumViewModel*>(), &vm::SpectrumViewModel::changed, context, function);
    QObject::connect(window.findChild<vm::ProfileViewModel*>(), &vm::ProfileViewModel::changed, context, function);
    QObject::connect(window.findChild<vm::AttributePlaneViewModel*>(), &vm::AttributePlaneViewModel::changed, context,
                     function);
}

} // namespace pollard::app
