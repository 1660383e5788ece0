#include "lessons/lab_images.hpp"

#include "cpu/cpu_engine.hpp"
#include "engine/engine_registry.hpp"
#include "headless/screenshot.hpp"
#include "lab/lab_window.hpp"
#include "lessons/lesson_canvas.hpp"
#include "lessons/lesson_examples.hpp"
#include "shell/models.hpp"
#include "theme/theme.hpp"

#include <QCoreApplication>
#include <QEventLoop>
#include <QSettings>
#include <QTemporaryDir>

namespace pollard::app {
namespace {

constexpr QSize kWindow(1240, 780);
constexpr int kLabStep = 60;
constexpr int kLectureStep = 25;
const char* const kLectureScene = "A rule that prunes: min";

/// The window without a visible screen.
class HiddenLab {
public:
    explicit HiddenLab(vm::SettingsViewModel::Theme theme)
        : store_(folder_.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat),
          models_(vm::DocumentServices::standard(registry_), store_), window_(models_, errors_, nullptr) {
        applyTheme(theme);
        window_.setAttribute(Qt::WA_DontShowOnScreen);
        window_.show();
    }

    LabWindow* operator->() { return &window_; }

    void waitForRun() {
        while (!window_.player().isIdle() || window_.player().recording() == nullptr) {
            QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
        }
    }

    void save(const QString& path) {
        window_.setWindowState(Qt::WindowNoState);
        window_.resize(kWindow);
        QCoreApplication::processEvents();
        saveImage(window_.grab().toImage(), path);
    }

private:
    QTemporaryDir folder_;
    QSettings store_;
    EngineRegistry registry_{makeCpuEngine()};
    StderrPresenter errors_;
    Models models_;
    LabWindow window_;
};

} // namespace

void drawLab(const QDir& folder) {
    {
        HiddenLab lab(vm::SettingsViewModel::Theme::light);
        lab->lab().setImage(teach::peaksAndSaddles());
        lab->player().start(static_cast<int>(teach::findPlayer("columns") - teach::players().data()), {}, kLabStep);
        lab.waitForRun();
        lab.save(folder.filePath(QStringLiteral("teach-lab.png")));
    }
    HiddenLab lecture(vm::SettingsViewModel::Theme::dark);
    lecture->demonstration().setActive(true);
    lecture->demonstration().show(
        static_cast<int>(lecture->demonstration().titles().indexOf(QLatin1String(kLectureScene))));
    lecture.waitForRun();
    lecture->player().moveTo(kLectureStep);
    lecture.save(folder.filePath(QStringLiteral("teach-lecture.png")));
}

} // namespace pollard::app
