// Composition root: engines, view-models and the window.
#include "headless/command_line.hpp"
#include "headless/display_start.hpp"
#include "headless/program.hpp"
#include "headless/screenshot.hpp"
#include "shell/notices.hpp"
#include "shell/translation.hpp"
#include "vm/session/load_preview.hpp"
#include "vm/session/stored_sessions.hpp"
#include "vm/settings/settings_view_model.hpp"
#include "window/dialogs/leave_question.hpp"
#include "window/dialogs/tour.hpp"
#include "window/files/session_files.hpp"
#include "window/image_area.hpp"
#include "window/main_window.hpp"
#include "window/menus/stored_sessions_menu.hpp"
#include "window/window_look.hpp"

#include "cpu/cpu_engine.hpp"
#include "engine/engine_registry.hpp"
#include "engine/program_facts.hpp"

#ifdef POLLARD_WITH_CUDA
#include "cuda/cuda_engine.hpp"
#endif

#include <QApplication>
#include <QIcon>
#include <QSessionManager>
#include <QSettings>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace {

using namespace pollard;

QIcon programIcon() {
    QIcon icon;
    for (const int size : {16, 24, 32, 48, 64, 128, 256}) {
        icon.addFile(QStringLiteral(":/pollard/icons/pollard-%1.png").arg(size));
    }
    return icon;
}

/// Stores the work when a signal or the end of the desktop session ends the program.
void keepAtTheEnd(app::Models& models, app::MainWindow& window) {
    auto* quit = new app::QuitSignals(&window);
    QObject::connect(quit, &app::QuitSignals::raised, &window, [&models, &window](int number) {
        constexpr int kEndedBySignal = 128; // exit code as in shells
        const auto end = [number] { QCoreApplication::exit(kEndedBySignal + number); };
        QObject::connect(&models.leave, &vm::LeaveViewModel::failed, &window,
                         [end](const QString& title, const QString& why) {
                             app::printError(title + QStringLiteral(": ") + why);
                             end();
                         });
        models.leave.leaveKept(&window, end);
    });
    QObject::connect(
        qApp, &QGuiApplication::commitDataRequest, &window,
        [&models, &window](QSessionManager& manager) {
            const bool mayAsk = manager.allowsInteraction();
            if (!app::leaveAtLogout(window, models, mayAsk)) {
                manager.cancel();
            }
            if (mayAsk) {
                manager.release();
            }
        },
        Qt::DirectConnection);
}

int runWindow(const app::CommandLine& line, const EngineRegistry& registry) {
    QSettings store;
    const QString damaged = vm::setDamagedFileAside(store);
    app::installLanguage(line.language.isEmpty() ? store.value(QStringLiteral("language")).toString() : line.language);
    vm::LoadPreview preview;
    vm::DocumentServices services = vm::DocumentServices::standard(registry);
    preview.watch(services);
    app::Models models(std::move(services), store);
    app::applyOptions(models, line);
    vm::SessionAutosave autosave(models.sessions, vm::SessionAutosave::standardFolder());
    vm::StoredSessions kept(models.sessions, vm::SessionAutosave::standardFolder());
    app::MessageBoxPresenter boxes;
    app::StartMark mark(app::StartMark::standardPath());
    const bool isSetAside = mark.hasLastFailed() && models.settings.setLookAside();
    app::MainWindow window(models, registry, boxes);
    mark.endWith(window);
    if (isSetAside) {
        window.look().reportFailedStart();
    }
    if (!damaged.isEmpty()) {
        window.look().reportDamagedFile(damaged);
    }
    if (line.size) {
        window.resize(*line.size);
    }
    window.findChild<app::ImageArea*>()->showPreviews(preview);
    window.show();
    app::presentErrors(window, boxes, autosave, &vm::SessionAutosave::failed);
    app::addStoredSessions(window, models, kept, boxes);
    keepAtTheEnd(models, window);
    app::offerRecovery(window, autosave);
    if (line.image.isEmpty() && line.panels.isEmpty() && line.workspace.isEmpty()) { // else there is a job already
        app::offerTour(window, models, store);
    }
    app::openImage(models, window, line);
    return QApplication::exec();
}

} // namespace

int main(int argc, char** argv) {
    if (app::wantsNoWindow(argc, argv)) {
        const QCoreApplication bare(argc, argv);
        return std::max(app::answerWithoutWindow(app::parseCommandLine(QCoreApplication::arguments())), 0);
    }
    app::prepareApplication();
    std::optional<app::DisplayStart> start(std::in_place, argc, argv);
    const QApplication application(argc, argv);
    start.reset();
    QApplication::setWindowIcon(programIcon());

    const app::CommandLine line = app::parseCommandLine(QCoreApplication::arguments());
    if (const int answer = app::answerWithoutWindow(line); answer >= 0) {
        return answer;
    }
    EngineRegistry registry{makeCpuEngine()};
#ifdef POLLARD_WITH_CUDA
    registry.add(makeCudaEngine());
#endif
    ProgramFacts facts = programFacts("pollard", POLLARD_VERSION, registry);
    facts.lines.push_back(std::string("window: Qt ") + qVersion() + ", " +
                          QGuiApplication::platformName().toStdString());
    keepCrashLogs(crashFolder(), facts);
    if (const int refused = app::refuseEngine(line, registry); refused != 0) {
        return refused;
    }
    return line.screenshot.isEmpty() ? runWindow(line, registry) : app::runHeadless(line, registry);
}
