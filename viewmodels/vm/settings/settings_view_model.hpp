#pragma once

#include <QByteArray>
#include <QObject>
#include <QString>
#include <QStringList>

class QSettings;

namespace pollard::vm {

/// Empties settings whose file is no settings file, after copying it. Call before the first setting is read.
/// @return path of the copy; empty if the file is sound
[[nodiscard]] QString setDamagedFileAside(QSettings& settings);

/// The stored settings of the program. Every setter writes at once.
class SettingsViewModel : public QObject {
    Q_OBJECT

public:
    enum class Theme { system, light, dark, contrast };
    Q_ENUM(Theme)

    /// @param settings must outlive this
    explicit SettingsViewModel(QSettings& settings, QObject* parent = nullptr);

    [[nodiscard]] Theme theme() const noexcept { return theme_; }
    /// Initial directory of open and save dialogs; default: the user's images (or home).
    [[nodiscard]] QString lastDirectory() const { return lastDirectory_; }
    [[nodiscard]] bool isLive() const noexcept { return live_; }
    [[nodiscard]] bool isSmooth() const noexcept { return smooth_; }
    [[nodiscard]] bool isLogarithmicHistogram() const noexcept { return logarithmicHistogram_; }
    [[nodiscard]] QString engine() const { return engine_; } ///< "auto", "cpu", "cuda"
    /// Processors for a document from the next start on; 0 = all.
    [[nodiscard]] int threads() const noexcept { return threads_; }
    /// "en", "fr"; empty: the language of the system. Applies from the next start on.
    [[nodiscard]] QString language() const { return language_; }
    /// Animations and automatic blinking are off.
    [[nodiscard]] bool hasReducedMotion() const noexcept { return reducedMotion_; }
    /// Objects are measured in a physical unit if the pixel size is known, else in px.
    [[nodiscard]] bool hasSceneUnits() const noexcept { return sceneUnits_; }
    /// Whether to ask about modified work when its image is closed; else it is kept.
    [[nodiscard]] bool isAskingAboutWork() const noexcept { return askingAboutWork_; }
    /// Opaque, from QMainWindow::saveGeometry(). Versions without windowStates() store the states in it, too.
    [[nodiscard]] QByteArray windowGeometry() const;
    /// Whether the window was maximised and whether it was in full screen.
    [[nodiscard]] Qt::WindowStates windowStates() const;
    /// Name of the workspace that was shown last; empty at the first start.
    [[nodiscard]] QString workspace() const;
    /// Arrangement of the panels in a workspace, from QMainWindow::saveState(); empty for the first one.
    [[nodiscard]] QByteArray arrangement(const QString& workspace) const;

    static constexpr int kMostThreads = 1024;

    [[nodiscard]] static QString themeTitle(Theme theme);

public slots:
    void setTheme(pollard::vm::SettingsViewModel::Theme theme);
    void setLastDirectory(const QString& directory);
    void setLive(bool live);
    void setSmooth(bool smooth);
    void setLogarithmicHistogram(bool logarithmic);
    void setEngine(const QString& name);
    void setThreads(int threads);
    void setLanguage(const QString& code);
    void setReducedMotion(bool reduced);
    void setSceneUnits(bool scene);
    void setAskingAboutWork(bool asking);
    void setWindowGeometry(const QByteArray& geometry);
    void setWindowStates(Qt::WindowStates states);
    void setWorkspace(const QString& name);
    /// @param state empty: the first arrangement
    void setArrangement(const QString& workspace, const QByteArray& state);
    /// Moves damaged settings to the group "setAside", where they stay for a report: place and states of the window.
    void setPlaceAside();
    /// Moves the arrangement of a workspace there.
    void setArrangementAside(const QString& workspace);
    /// Moves the place and all arrangements there. @return false if there are none
    bool setLookAside();

signals:
    void themeChanged();
    void lastDirectoryChanged();
    void liveChanged();
    void smoothChanged();
    void logarithmicHistogramChanged();
    void engineChanged();
    void threadsChanged();
    void languageChanged();
    void reducedMotionChanged();
    void sceneUnitsChanged();
    void askingAboutWorkChanged();

private:
    /// Sets and writes a setting.
    template <class T> void store(T& member, const T& value, const char* key, void (SettingsViewModel::*changed)());
    void setAside(const QStringList& keys);

    QSettings& settings_;
    Theme theme_ = Theme::system;
    QString lastDirectory_;
    bool live_ = true;
    bool smooth_ = false;
    bool logarithmicHistogram_ = true;
    QString engine_;
    int threads_ = 0;
    QString language_;
    bool reducedMotion_ = false;
    bool sceneUnits_ = true;
    bool askingAboutWork_ = true;
};

} // namespace pollard::vm
