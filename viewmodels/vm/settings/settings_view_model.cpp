#include "vm/settings/settings_view_model.hpp"

#include "vm/base/change.hpp"

#include <QDir>
#include <QFile>
#include <QMetaEnum>
#include <QSettings>
#include <QStandardPaths>

#include <algorithm>

namespace pollard::vm {
namespace {

constexpr auto kTheme = "theme";
constexpr auto kLastDirectory = "lastDirectory";
constexpr auto kLive = "filter/live";
constexpr auto kSmooth = "display/smooth";
constexpr auto kLogarithmicHistogram = "display/logarithmicHistogram";
constexpr auto kEngine = "engine";
constexpr auto kThreads = "threads";
constexpr auto kLanguage = "language";
constexpr auto kReducedMotion = "reducedMotion";
constexpr auto kSceneUnits = "units/scene";
constexpr auto kAskAboutWork = "work/ask";
constexpr auto kWindow = "window/";
constexpr auto kWindowGeometry = "window/geometry";
constexpr auto kMaximised = "window/maximised";
constexpr auto kFullScreen = "window/fullScreen";
constexpr auto kWindowState = "window/state"; ///< the only arrangement that versions without workspaces wrote
constexpr auto kWorkspace = "workspaces/current";
constexpr auto kArrangement = "workspaces/";
constexpr auto kAside = "setAside/";

QString imagesDirectory() {
    const QString images = QStandardPaths::writableLocation(QStandardPaths::PicturesLocation);
    return QDir(images).exists() ? images : QDir::homePath();
}

} // namespace

QString setDamagedFileAside(QSettings& settings) {
    if (settings.status() != QSettings::FormatError) {
        return {};
    }
    QString copy = settings.fileName() + QStringLiteral(".damaged");
    QFile::remove(copy);
    QFile::copy(settings.fileName(), copy);
    settings.clear();
    return copy;
}

SettingsViewModel::SettingsViewModel(QSettings& settings, QObject* parent) : QObject(parent), settings_(settings) {
    bool known = false;
    const int theme =
        QMetaEnum::fromType<Theme>().keyToValue(settings_.value(kTheme).toString().toLatin1().constData(), &known);
    theme_ = known ? static_cast<Theme>(theme) : Theme::system;
    lastDirectory_ = settings_.value(kLastDirectory).toString();
    if (lastDirectory_.isEmpty()) {
        lastDirectory_ = imagesDirectory();
    }
    live_ = settings_.value(kLive, live_).toBool();
    smooth_ = settings_.value(kSmooth, smooth_).toBool();
    logarithmicHistogram_ = settings_.value(kLogarithmicHistogram, logarithmicHistogram_).toBool();
    engine_ = settings_.value(kEngine, QStringLiteral("auto")).toString();
    threads_ = std::clamp(settings_.value(kThreads, threads_).toInt(), 0, kMostThreads);
    language_ = settings_.value(kLanguage).toString();
    reducedMotion_ = settings_.value(kReducedMotion, reducedMotion_).toBool();
    sceneUnits_ = settings_.value(kSceneUnits, sceneUnits_).toBool();
    askingAboutWork_ = settings_.value(kAskAboutWork, askingAboutWork_).toBool();
}

QByteArray SettingsViewModel::windowGeometry() const { return settings_.value(kWindowGeometry).toByteArray(); }

Qt::WindowStates SettingsViewModel::windowStates() const {
    Qt::WindowStates states;
    states.setFlag(Qt::WindowMaximized, settings_.value(kMaximised).toBool());
    states.setFlag(Qt::WindowFullScreen, settings_.value(kFullScreen).toBool());
    return states;
}

QString SettingsViewModel::workspace() const { return settings_.value(kWorkspace).toString(); }

QByteArray SettingsViewModel::arrangement(const QString& workspace) const {
    const QString key = kArrangement + workspace;
    if (!settings_.contains(key) && this->workspace().isEmpty()) {
        return settings_.value(kWindowState).toByteArray();
    }
    return settings_.value(key).toByteArray();
}

QString SettingsViewModel::themeTitle(Theme theme) {
    switch (theme) {
    case Theme::system:
        return tr("As the system");
    case Theme::light:
        return tr("Light");
    case Theme::dark:
        return tr("Dark");
    case Theme::contrast:
        return tr("High contrast");
    }
    return {};
}

void SettingsViewModel::setTheme(Theme theme) {
    if (change(theme_, theme)) {
        const char* const name = QMetaEnum::fromType<Theme>().valueToKey(static_cast<int>(theme));
        settings_.setValue(kTheme, QString::fromLatin1(name));
        emit themeChanged();
    }
}

template <class T>
void SettingsViewModel::store(T& member, const T& value, const char* key, void (SettingsViewModel::*changed)()) {
    if (change(member, value)) {
        settings_.setValue(key, value);
        emit(this->*changed)();
    }
}

void SettingsViewModel::setLastDirectory(const QString& directory) {
    store(lastDirectory_, directory, kLastDirectory, &SettingsViewModel::lastDirectoryChanged);
}

void SettingsViewModel::setLive(bool live) { store(live_, live, kLive, &SettingsViewModel::liveChanged); }

void SettingsViewModel::setSmooth(bool smooth) { store(smooth_, smooth, kSmooth, &SettingsViewModel::smoothChanged); }

void SettingsViewModel::setLogarithmicHistogram(bool logarithmic) {
    store(logarithmicHistogram_, logarithmic, kLogarithmicHistogram, &SettingsViewModel::logarithmicHistogramChanged);
}

void SettingsViewModel::setEngine(const QString& name) {
    store(engine_, name, kEngine, &SettingsViewModel::engineChanged);
}

void SettingsViewModel::setThreads(int threads) {
    store(threads_, std::clamp(threads, 0, kMostThreads), kThreads, &SettingsViewModel::threadsChanged);
}

void SettingsViewModel::setLanguage(const QString& code) {
    store(language_, code, kLanguage, &SettingsViewModel::languageChanged);
}

void SettingsViewModel::setReducedMotion(bool reduced) {
    store(reducedMotion_, reduced, kReducedMotion, &SettingsViewModel::reducedMotionChanged);
}

void SettingsViewModel::setSceneUnits(bool scene) {
    store(sceneUnits_, scene, kSceneUnits, &SettingsViewModel::sceneUnitsChanged);
}

void SettingsViewModel::setAskingAboutWork(bool asking) {
    store(askingAboutWork_, asking, kAskAboutWork, &SettingsViewModel::askingAboutWorkChanged);
}

void SettingsViewModel::setWindowGeometry(const QByteArray& geometry) { settings_.setValue(kWindowGeometry, geometry); }

void SettingsViewModel::setWindowStates(Qt::WindowStates states) {
    settings_.setValue(kMaximised, states.testFlag(Qt::WindowMaximized));
    settings_.setValue(kFullScreen, states.testFlag(Qt::WindowFullScreen));
}

void SettingsViewModel::setWorkspace(const QString& name) { settings_.setValue(kWorkspace, name); }

void SettingsViewModel::setArrangement(const QString& workspace, const QByteArray& state) {
    settings_.setValue(kArrangement + workspace, state);
}

void SettingsViewModel::setAside(const QStringList& keys) {
    for (const QString& key : keys) {
        if (settings_.contains(key)) {
            settings_.setValue(kAside + key, settings_.value(key));
            settings_.remove(key);
        }
    }
}

void SettingsViewModel::setPlaceAside() { setAside({kWindowGeometry, kMaximised, kFullScreen}); }

void SettingsViewModel::setArrangementAside(const QString& workspace) {
    setAside({kArrangement + workspace, kWindowState});
}

bool SettingsViewModel::setLookAside() {
    QStringList keys = settings_.allKeys();
    keys.removeIf([](const QString& key) { return !key.startsWith(kWindow) && !key.startsWith(kArrangement); });
    setAside(keys);
    return !keys.isEmpty();
}

} // namespace pollard::vm
