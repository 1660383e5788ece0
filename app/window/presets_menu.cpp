#include "window/presets_menu.hpp"

#include "shell/models.hpp"
#include "vm/session/preset_view_model.hpp"

#include <QCoreApplication>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QStatusBar>

namespace pollard::app {
namespace {

constexpr int kNoticeTime = 8000; ///< ms

QString text(const char* source) { return QCoreApplication::translate("PresetsMenu", source); }

QAction* entryOf(QMenu& menu, const vm::PresetViewModel& presets, int preset, const QString& prefix) {
    QAction* action = menu.addAction(presets.title(preset));
    action->setObjectName(prefix + presets.name(preset));
    action->setToolTip(presets.description(preset));
    action->setStatusTip(presets.description(preset));
    return action;
}

} // namespace

void addPresetsMenu(QMainWindow& window, Models& models) {
    vm::DocumentViewModel& document = models.document;
    vm::PresetViewModel& presets =
        *new vm::PresetViewModel(document, models.filter, QStringLiteral(":/pollard/samples"), &window);
    QMenu* menu = window.menuBar()->addMenu(text("&Presets"));
    menu->setObjectName(QStringLiteral("presetsMenu"));
    menu->setToolTipsVisible(true);
    QList<QAction*> forPicture;
    for (int preset = 0; preset < presets.count(); ++preset) {
        QAction* action = entryOf(*menu, presets, preset, QStringLiteral("preset-"));
        QObject::connect(action, &QAction::triggered, &presets, [&presets, &models, preset] {
            const vm::EditHistory::Group group(models.history, text("preset %1").arg(presets.title(preset)));
            presets.apply(preset);
        });
        forPicture << action;
    }
    menu->addSeparator();
    QMenu* samples = menu->addMenu(text("Open the &sample of"));
    samples->setToolTipsVisible(true);
    for (int preset = 0; preset < presets.count(); ++preset) {
        QAction* action = entryOf(*samples, presets, preset, QStringLiteral("sample-"));
        QObject::connect(action, &QAction::triggered, &presets, [&presets, &models, preset] {
            models.leave.leave(&presets, [&presets, &models, preset] {
                const vm::EditHistory::Group group(models.history, text("preset %1").arg(presets.title(preset)));
                presets.openSample(preset);
            });
        });
    }
    const auto enable = [forPicture, &document] {
        for (QAction* action : forPicture) {
            action->setEnabled(document.hasImage());
        }
    };
    QObject::connect(&document, &vm::DocumentViewModel::hasImageChanged, menu, enable);
    enable();
    QObject::connect(&presets, &vm::PresetViewModel::applied, &window, [&window, &presets](int preset) {
        window.statusBar()->showMessage(
            QStringLiteral("%1: %2").arg(presets.title(preset), presets.description(preset)), kNoticeTime);
    });
}

} // namespace pollard::app
