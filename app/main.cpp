// Composition root: engines, view-models and the window.
#include "headless/command_line.hpp"
#include "headless/contour_measurement.hpp"
#include "headless/drag_measurement.hpp"
#include "headless/focus_measurement.hpp"
#include "headless/hover_measurement.hpp"
#include "headless/live_contour_measurement.hpp"
#include "headless/screenshot.hpp"
#include "headless/timed_engine.hpp"
#include "headless/view_measurement.hpp"
#include "shell/error_presenter.hpp"
#include "shell/models.hpp"
#include "shell/quit_signals.hpp"
#include "shell/translation.hpp"
#include "theme/theme.hpp"
#include "vm/session/kept_work.hpp"
#include "vm/session/preset_view_model.hpp"
#include "vm/session/session_autosave.hpp"
#include "window/dialogs/leave_question.hpp"
#include "window/dialogs/tour.hpp"
#include "window/files/session_files.hpp"
#include "window/kept_work_menu.hpp"
#include "window/main_window.hpp"
#include "window/panel_dock.hpp"

#include "base/error.hpp"
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
#include <QSurfaceFormat>
#include <QTemporaryDir>

#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
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

void applyOptions(app::Models& models, const app::CommandLine& line) {
    if (!line.engine.isEmpty()) {
        models.document.setEngine(line.engine);
    }
    if (!line.keep.empty()) {
        models.filter.criteria().assign(line.keep, line.match.value_or(Match::all));
    }
    if (line.rule) {
        models.filter.setRule(*line.rule);
    }
    if (line.output) {
        models.filter.setOutput(*line.output);
    }
    models.objectTable.setCondition(line.where);
    models.display.setSplitEnabled(line.split);
    models.presentation.setMode(line.transfer);
}

/// Starts a contour without a limit of distance when the picture is open, and evolves it to the end.
void startContour(app::Models& models, const QRect& start) {
    auto& contours = models.contours;
    contours.setReach(std::nullopt);
    const RegionShape shape{
        RegionShape::Kind::rectangle,
        {{1.0 * start.x(), 1.0 * start.y()}, {1.0 * start.x() + start.width(), 1.0 * start.y() + start.height()}}};
    QObject::connect(
        &models.document, &vm::DocumentViewModel::documentChanged, &contours,
        [&contours, shape] { contours.startFromShape(shape); }, Qt::SingleShotConnection);
    auto* first = new QObject(&contours); // only for the first run
    QObject::connect(&contours, &vm::ContourViewModel::runsChanged, first, [&contours, first] {
        if (contours.stateCount() == 1) {
            first->deleteLater();
            contours.toEnd();
        }
    });
}

/// Handles --help, --version and invalid arguments; -1 if the program should start. Needs no display.
int answerWithoutWindow(const app::CommandLine& line) {
    if (!line.error.isEmpty()) {
        std::fprintf(stderr, "pollard: error: %s (see --help)\n", line.error.toUtf8().constData());
        return 2;
    }
    if (line.help) {
        std::fputs(app::helpText().toUtf8().constData(), stdout);
        return 0;
    }
    if (line.version) {
        std::puts("pollard " POLLARD_VERSION);
        return 0;
    }
    return -1;
}

bool wantsNoWindow(int argc, char** argv) {
    for (int i = 1; i < argc; ++i) {
        const QByteArrayView argument(argv[i]);
        if (argument == "--help" || argument == "-h" || argument == "--version" || argument == "-v") {
            return true;
        }
    }
    return false;
}

/// Prints an error, if any, and ends the program.
void endHeadless(const QString& error) {
    if (!error.isEmpty()) {
        app::printError(error);
    }
    QCoreApplication::exit(error.isEmpty() ? 0 : 1);
}

/// Runs --measure-view, --measure-drag, --measure-brush, --measure-hover, --measure-focus, --measure-contour,
/// --measure-live-contour and --screenshot in this order, and ends the program.
/// @param timed the engine whose contours are timed; null if there is none
void startHeadlessJobs(app::Models& models, app::MainWindow& window, const app::CommandLine& line,
                       app::TimedEngine* timed) {
    using Next = std::function<void()>;
    const Next end = [] { endHeadless({}); };
    const Next shoot = line.screenshot.isEmpty() ? end : [&models, &window, path = line.screenshot] {
        auto* screenshot = new app::Screenshot(models, window, path, &window);
        QObject::connect(screenshot, &app::Screenshot::finished, &window, endHeadless);
    };
    // Runs a measurement if @p frames > 0, prints its report, and continues with @p next.
    const auto measure = [&models, &window]<class Measurement, class... More>(std::type_identity<Measurement>,
                                                                              int frames, Next next, More... more) {
        return Next([&models, &window, frames, next = std::move(next), more...] {
            auto* measurement = new Measurement(models, window, frames, more..., &window);
            QObject::connect(measurement, &Measurement::finished, &window,
                             [next](const QString& report, const QString& error) {
                                 if (!report.isEmpty()) {
                                     std::puts(report.toUtf8().constData());
                                 }
                                 error.isEmpty() ? next() : endHeadless(error);
                             });
        });
    };
    const Next live = line.measureLiveContour == 0 ? shoot
                      : timed == nullptr
                          ? Next([] { endHeadless(QStringLiteral("measure a live contour: no engine of a GPU")); })
                          : measure(std::type_identity<app::LiveContourMeasurement>(), line.measureLiveContour, shoot,
                                    std::ref(*timed));
    const Next contour = line.measureContour > 0
                             ? measure(std::type_identity<app::ContourMeasurement>(), line.measureContour, live)
                             : live;
    const Next focus = line.measureFocus > 0
                           ? measure(std::type_identity<app::FocusMeasurement>(), line.measureFocus, contour)
                           : contour;
    const Next hover = line.measureHover > 0 ? measure(std::type_identity<app::HoverMeasurement>(), line.measureHover,
                                                       focus, line.pointerRate)
                                             : focus;
    const Next brush =
        line.measureBrush > 0 ? measure(std::type_identity<app::BrushMeasurement>(), line.measureBrush, hover) : hover;
    const Next drag =
        line.measureDrag > 0 ? measure(std::type_identity<app::DragMeasurement>(), line.measureDrag, brush) : brush;
    const Next all =
        line.measureView > 0 ? measure(std::type_identity<app::ViewMeasurement>(), line.measureView, drag) : drag;
    all();
}

/// Keeps the work when the program is ended by a signal or with the desktop session.
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

int runWindow(const app::CommandLine& line, const EngineRegistry& registry, app::TimedEngine* timed) {
    // Screenshots and measurements neither read nor change the settings of the user.
    const QTemporaryDir scratch;
    const bool headless = !line.screenshot.isEmpty() || line.measureDrag > 0 || line.measureView > 0 ||
                          line.measureBrush > 0 || line.measureHover > 0 || line.measureFocus > 0 ||
                          line.measureContour > 0 || line.measureLiveContour > 0;
    const auto store =
        headless ? std::make_unique<QSettings>(scratch.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat)
                 : std::make_unique<QSettings>();
    const QString preferred = headless ? QStringLiteral("en") : store->value(QStringLiteral("language")).toString();
    app::speak(line.language.isEmpty() ? preferred : line.language);
    app::Models models(vm::DocumentServices::standard(registry), *store);
    applyOptions(models, line);
    app::applyTheme(line.theme.value_or(models.settings.theme()));

    std::optional<vm::KeptWork> kept;
    std::optional<vm::SessionAutosave> autosave; // not for screenshots and measurements
    if (!headless) {
        autosave.emplace(models.sessions, vm::SessionAutosave::standardFolder());
        kept.emplace(models.sessions, vm::SessionAutosave::standardFolder());
    }
    app::MessageBoxPresenter boxes;
    app::StderrPresenter lines;
    app::MainWindow window(models, registry, headless ? static_cast<app::ErrorPresenter&>(lines) : boxes);
    if (line.size) {
        window.resize(*line.size);
    }
    if (headless) {
        models.limits.setAsking(false); // no user can answer
        startHeadlessJobs(models, window, line, timed);
    }
    window.show();
    if (autosave) {
        QObject::connect(&*autosave, &vm::SessionAutosave::failed, &window,
                         [&](const QString& title, const QString& why) { boxes.present(&window, title, why); });
        app::addKeptWork(window, models, *kept, boxes);
        keepAtTheEnd(models, window);
        app::offerRecovery(window, *autosave);
        app::offerTour(window, *store);
    }
    for (const QString& panel : line.panels) {
        app::showPanel(window, panel);
    }
    if (line.measureLiveContour > 0) {
        models.contours.setEngine({true, {}, {}});
    }
    if (line.contour) {
        startContour(models, *line.contour);
    }
    auto& presets = *window.findChild<vm::PresetViewModel*>();
    const int preset = presets.find(line.preset);
    if (line.image.isEmpty() && preset >= 0) {
        presets.openSample(preset);
    } else if (!line.image.isEmpty()) {
        if (preset >= 0) {
            presets.apply(preset);
        }
        window.openFile(line.image);
    }
    return QApplication::exec();
}

} // namespace

int main(int argc, char** argv) {
    if (wantsNoWindow(argc, argv)) {
        QCoreApplication bare(argc, argv);
        const int answer = answerWithoutWindow(app::parseCommandLine(QCoreApplication::arguments()));
        return std::max(answer, 0);
    }
    QSurfaceFormat format;
    format.setVersion(3, 3);
    format.setProfile(QSurfaceFormat::CoreProfile);
    QSurfaceFormat::setDefaultFormat(format);
    QCoreApplication::setAttribute(Qt::AA_ShareOpenGLContexts);
    QApplication application(argc, argv);
    QCoreApplication::setOrganizationName(QStringLiteral("Pollard"));
    QCoreApplication::setApplicationName(QStringLiteral("pollard"));
    QCoreApplication::setApplicationVersion(QStringLiteral(POLLARD_VERSION));
    QGuiApplication::setApplicationDisplayName(QStringLiteral("Pollard"));
    QGuiApplication::setDesktopFileName(QStringLiteral("org.pollard.Pollard"));
    QApplication::setWindowIcon(programIcon());

    const app::CommandLine line = app::parseCommandLine(QCoreApplication::arguments());
    if (const int answer = answerWithoutWindow(line); answer >= 0) {
        return answer;
    }
    EngineRegistry registry{makeCpuEngine()};
    app::TimedEngine* timed = nullptr;
#ifdef POLLARD_WITH_CUDA
    if (line.measureLiveContour > 0) {
        auto engine = std::make_unique<app::TimedEngine>(makeCudaEngine());
        timed = engine.get();
        registry.add(std::move(engine));
    } else {
        registry.add(makeCudaEngine());
    }
#endif
    ProgramFacts facts = programFacts("pollard", POLLARD_VERSION, registry);
    facts.lines.push_back(std::string("window: Qt ") + qVersion() + ", " +
                          QGuiApplication::platformName().toStdString());
    keepCrashLogs(crashFolder(), facts);
    if (!line.engine.isEmpty()) {
        try {
            static_cast<void>(registry.select(line.engine.toStdString()));
        } catch (const Error& error) {
            app::printError(QString::fromUtf8(error.what()));
            return error.code() == ErrorCode::invalidArgument ? 2 : 1;
        }
    }
    return runWindow(line, registry, timed);
}
