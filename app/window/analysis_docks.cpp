#include "window/analysis_docks.hpp"

#include "docks/chain_panel.hpp"
#include "docks/contour_panel.hpp"
#include "docks/icicle_panel.hpp"
#include "docks/objects_panel.hpp"
#include "docks/profile_strip.hpp"
#include "docks/spectrum_panel.hpp"
#include "icicle_view_model.hpp"
#include "profile_view_model.hpp"
#include "shell/models.hpp"
#include "spectrum_view_model.hpp"
#include "window/panel_dock.hpp"

#include <QCoreApplication>
#include <QDockWidget>
#include <QMainWindow>

namespace pollard::app {
namespace {

QString text(const char* source) { return QCoreApplication::translate("AnalysisDocks", source); }

QDockWidget* addDock(QMainWindow& window, const QString& objectName, const QString& title, QWidget* panel) {
    return addPanelDock(window, objectName, title, panel, Qt::BottomDockWidgetArea);
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
    auto* icicle = new vm::IcicleViewModel(models.document, models.filter, models.chain, &window);
    QDockWidget* sixth =
        addDock(window, QStringLiteral("icicleDock"), text("Tree"), new IciclePanel(*icicle, models.chain));
    // A tab behind another one is not hidden, but its dock tells.
    QObject::connect(sixth, &QDockWidget::visibilityChanged, icicle, &vm::IcicleViewModel::setActive);
    window.tabifyDockWidget(first, second);
    window.tabifyDockWidget(second, third);
    window.tabifyDockWidget(third, fourth);
    window.tabifyDockWidget(fourth, fifth);
    window.tabifyDockWidget(fifth, sixth);
    // They take their height from the picture; the panels beside it keep theirs.
    window.setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    window.setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
}

bool analysesRest(const QMainWindow& window) {
    return window.findChild<vm::SpectrumViewModel*>()->state() != vm::SpectrumViewModel::State::computing &&
           window.findChild<vm::ProfileViewModel*>()->state() != vm::ProfileViewModel::State::computing &&
           window.findChild<vm::IcicleViewModel*>()->rests();
}

void onAnalysisChange(const QMainWindow& window, QObject* context, const std::function<void()>& function) {
    QObject::connect(window.findChild<vm::SpectrumViewModel*>(), &vm::SpectrumViewModel::changed, context, function);
    QObject::connect(window.findChild<vm::ProfileViewModel*>(), &vm::ProfileViewModel::changed, context, function);
    QObject::connect(window.findChild<vm::IcicleViewModel*>(), &vm::IcicleViewModel::changed, context, function);
}

} // namespace pollard::app
