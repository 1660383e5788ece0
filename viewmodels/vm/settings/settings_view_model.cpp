#include "vm/settings/settings_view_model.hpp"

#include <QDir>
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

QString picturesDirectory() {
    const QString pictures = QStandardPaths::writableLocation(QStandardPaths::PicturesLocation);
    return QDir(pictures).exists() ? pictures : QDir::homePath();
}

} // namespace

SettingsViewModel::SettingsViewModel(QSettings& settings, QObject* parent) : QObject(parent), settings_(settings) {
    bool known = false;
    const int theme =
        QMetaEnum::fromType<Theme>().keyToValue(settings_.value(kTheme).toString().toLatin1().constData(), &known);
    theme_ = known ? static_cast<Theme>(theme) : Theme::system;
    lastDirectory_ = settings_.value(kLastDirectory).toString();
    if (lastDirectory_.isEmpty()) {
        lastDirectory_ = picturesDirectory();
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
    if (theme == theme_) {
        return;
    }
    theme_ = theme;
    settings_.setValue(kTheme, QString::fromLatin1(QMetaEnum::fromType<Theme>().valueToKey(static_cast<int>(theme))));
    emit themeChanged();
}

void SettingsViewModel::setLastDirectory(const QString& directory) {
    if (directory == lastDirectory_) {
        return;
    }
    lastDirectory_ = directory;
    settings_.setValue(kLastDirectory, directory);
    emit lastDirectoryChanged();
}

void SettingsViewModel::setLive(bool live) {
    if (live == live_) {
        return;
    }
    live_ = live;
    settings_.setValue(kLive, live);
    emit liveChanged();
}

void SettingsViewModel::setSmooth(bool smooth) {
    if (smooth == smooth_) {
        return;
    }
    smooth_ = smooth;
    settings_.setValue(kSmooth, smooth);
    emit smoothChanged();
}

void SettingsViewModel::setLogarithmicHistogram(bool logarithmic) {
    if (logarithmic == logarithmicHistogram_) {
        return;
    }
    logarithmicHistogram_ = logarithmic;
    settings_.setValue(kLogarithmicHistogram, logarithmic);
    emit logarithmicHistogramChanged();
}

void SettingsViewModel::setEngine(const QString& name) {
    if (name == engine_) {
        return;
    }
    engine_ = name;
    settings_.setValue(kEngine, name);
    emit engineChanged();
}

void SettingsViewModel::setThreads(int threads) {
    threads = std::clamp(threads, 0, kMostThreads);
    if (threads == threads_) {
        return;
    }
    threads_ = threads;
    settings_.setValue(kThreads, threads);
    emit threadsChanged();
}

void SettingsViewModel::setLanguage(const QString& code) {
    if (code == language_) {
        return;
    }
    language_ = code;
    settings_.setValue(kLanguage, code);
    emit languageChanged();
}

void SettingsViewModel::setReducedMotion(bool reduced) {
    if (reduced == reducedMotion_) {
        return;
    }
    reducedMotion_ = reduced;
    settings_.setValue(kReducedMotion, reduced);
    emit reducedMotionChanged();
}

void SettingsViewModel::setSceneUnits(bool scene) {
    if (scene == sceneUnits_) {
        return;
    }
    sceneUnits_ = scene;
    settings_.setValue(kSceneUnits, scene);
    emit sceneUnitsChanged();
}

void SettingsViewModel::setAskingAboutWork(bool asking) {
    if (asking == askingAboutWork_) {
        return;
    }
    askingAboutWork_ = asking;
    settings_.setValue(kAskAboutWork, asking);
    emit askingAboutWorkChanged();
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
