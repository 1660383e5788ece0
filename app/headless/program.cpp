#include "headless/program.hpp"

#include "base/error.hpp"
#include "engine/engine_registry.hpp"
#include "headless/screenshot.hpp"
#include "shell/translation.hpp"
#include "theme/theme.hpp"
#include "vm/objects/condition_text.hpp"
#include "vm/recipe/recipe_files.hpp"
#include "vm/session/load_preview.hpp"
#include "window/image_area.hpp"
#include "window/main_window.hpp"
#include "window/panel_dock.hpp"
#include "window/workspaces.hpp"

#include <QApplication>
#include <QSettings>
#include <QSocketNotifier>
#include <QSurfaceFormat>
#include <QTemporaryDir>

#include <cstdio>
#include <utility>

#ifndef _WIN32
#include <array>
#include <cerrno>
#include <csignal>

#include <fcntl.h>
#include <unistd.h>
#endif

namespace pollard::app {
namespace {

/// Starts a contour without a limit of distance when the image is open, and evolves it to the end.
void startContour(Models& models, const QRect& start) {
    auto& contours = models.contours;
    contours.settings().setReach(std::nullopt);
    const RegionShape shape{
        RegionShape::Kind::rectangle,
        {{1.0 * start.x(), 1.0 * start.y()}, {1.0 * start.x() + start.width(), 1.0 * start.y() + start.height()}}};
    QObject::connect(
        &models.document, &vm::DocumentViewModel::imageChanged, &contours,
        [&contours, shape] { contours.startFromShapes({shape}); }, Qt::SingleShotConnection);
    auto* first = new QObject(&contours); // only for the first run
    QObject::connect(&contours.runs(), &vm::ContourRuns::changed, first, [&contours, first] {
        if (contours.runs().stateCount() == 1) {
            first->deleteLater();
            contours.playback().toEnd();
        }
    });
}

/// Prints an error, if any, and ends the program.
void endHeadless(const QString& error) {
    if (!error.isEmpty()) {
        printError(error);
    }
    QCoreApplication::exit(error.isEmpty() ? 0 : 1);
}

} // namespace

void prepareApplication() {
    QSurfaceFormat format;
    format.setVersion(3, 3);
    format.setProfile(QSurfaceFormat::CoreProfile);
    QSurfaceFormat::setDefaultFormat(format);
    QCoreApplication::setAttribute(Qt::AA_ShareOpenGLContexts);
    QCoreApplication::setOrganizationName(QStringLiteral("Pollard"));
    QCoreApplication::setApplicationName(QStringLiteral("pollard"));
    QCoreApplication::setApplicationVersion(QStringLiteral(POLLARD_VERSION));
    QGuiApplication::setApplicationDisplayName(QStringLiteral("Pollard"));
    QGuiApplication::setDesktopFileName(QStringLiteral("org.pollard.Pollard"));
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

int answerWithoutWindow(const CommandLine& line) {
    if (!line.error.isEmpty()) {
        std::fprintf(stderr, "pollard: error: %s (see --help)\n", line.error.toUtf8().constData());
        return 2;
    }
    if (!line.help.isEmpty()) {
        std::fputs(line.help.toUtf8().constData(), stdout);
        return 0;
    }
    if (line.version) {
        std::puts("pollard " POLLARD_VERSION);
        return 0;
    }
    return -1;
}

int refuseEngine(const CommandLine& line, const EngineRegistry& registry) {
    if (!line.engine.isEmpty()) {
        try {
            static_cast<void>(registry.select(line.engine.toStdString()));
        } catch (const Error& error) {
            printError(QString::fromUtf8(error.what()));
            return error.code() == ErrorCode::invalidArgument ? 2 : 1;
        }
    }
    return 0;
}

void applyOptions(Models& models, const CommandLine& line) {
    if (!line.engine.isEmpty()) {
        models.document.choices().setEngine(line.engine);
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
    if (line.where.contains(u'[')) { // a column of channels
        models.objects.channels().setChoice({.all = true, .channels = {}});
    }
    models.objectTable.setCondition(vm::shownCondition(line.where));
    models.display.setSplitEnabled(line.split);
    if (line.composite) {
        models.display.composite().setOn(*line.composite);
    }
    models.presentation.setMode(line.transfer);
    applyTheme(line.theme.value_or(models.settings.theme()));
}

void openImage(Models& models, MainWindow& window, const CommandLine& line) {
    if (!line.workspace.isEmpty()) {
        window.workspaces().show(line.workspace);
    } else if (!line.panels.isEmpty()) {
        window.workspaces().showWorkspaceOf(line.panels.front());
    }
    for (const QString& panel : line.panels) {
        showPanel(window, panel);
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
        line.screenshot.isEmpty() ? window.openFile(line.image) : models.openFile(line.image); // no dialog can ask
    }
}

int runHeadless(const CommandLine& line, const EngineRegistry& registry,
                const std::function<void(Models&, MainWindow&, const Finished&)>& job) {
    const QTemporaryDir scratch;
    QSettings store(scratch.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat);
    installLanguage(line.language.isEmpty() ? QStringLiteral("en") : line.language);
    vm::LoadPreview preview;
    vm::DocumentServices services = vm::DocumentServices::standard(registry);
    preview.watch(services);
    Models models(std::move(services), store);
    applyOptions(models, line);
    models.limits.setAsking(false); // no user can answer
    StderrPresenter lines;
    MainWindow window(models, registry, lines);
    if (line.size) {
        window.resize(*line.size);
    }
    window.findChild<ImageArea*>()->showPreviews(preview);
    const Finished shoot = [&models, &window, &line](const QString& error) {
        if (!error.isEmpty() || line.screenshot.isEmpty()) {
            endHeadless(error);
            return;
        }
        auto* screenshot = new Screenshot(models, window, line.screenshot, &window);
        QObject::connect(screenshot, &Screenshot::finished, &window, endHeadless);
    };
    if (job) {
        job(models, window, shoot);
    } else {
        shoot({});
    }
    window.show();
    openImage(models, window, line);
    return QApplication::exec();
}

#ifdef _WIN32

QuitSignals::QuitSignals(QObject* parent) : QObject(parent) {}
QuitSignals::~QuitSignals() = default;
void QuitSignals::read() {}

#else

namespace {

constexpr std::array kNumbers{SIGTERM, SIGINT, SIGHUP};

volatile std::sig_atomic_t writerEnd = -1;

extern "C" void passOn(int number) {
    const int error = errno;
    const auto byte = static_cast<unsigned char>(number);
    static_cast<void>(!write(writerEnd, &byte, 1)); // a full pipe contains a signal already
    errno = error;
}

} // namespace

QuitSignals::QuitSignals(QObject* parent) : QObject(parent) {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) != 0) {
        return; // signals end the program immediately
    }
    reader_ = ends[0];
    writerEnd = ends[1];
    auto* notifier = new QSocketNotifier(reader_, QSocketNotifier::Read, this);
    connect(notifier, &QSocketNotifier::activated, this, &QuitSignals::read);
    for (const int number : kNumbers) {
        struct sigaction before {};
        struct sigaction action {};
        action.sa_handler = passOn;
        action.sa_flags = static_cast<int>(SA_RESTART | SA_RESETHAND);
        sigemptyset(&action.sa_mask);
        if (sigaction(number, nullptr, &before) == 0 && before.sa_handler != SIG_IGN) {
            sigaction(number, &action, nullptr);
        }
    }
}

QuitSignals::~QuitSignals() {
    if (reader_ < 0) {
        return;
    }
    for (const int number : kNumbers) {
        struct sigaction present {};
        if (sigaction(number, nullptr, &present) == 0 && present.sa_handler == passOn) {
            present.sa_handler = SIG_DFL;
            sigaction(number, &present, nullptr);
        }
    }
    close(writerEnd);
    close(reader_);
    writerEnd = -1;
}

void QuitSignals::read() {
    unsigned char byte = 0;
    if (::read(reader_, &byte, 1) == 1) {
        emit raised(byte);
    }
}

#endif

} // namespace pollard::app
