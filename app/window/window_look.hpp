#pragma once

#include <QByteArray>
#include <QList>
#include <QLockFile>
#include <QObject>
#include <QPointer>
#include <QString>
#include <QStringList>
#include <QTimer>
#include <QWidget>

class QMainWindow;

namespace pollard::vm {
class SettingsViewModel;
}

namespace pollard::app {

class ErrorPresenter;
class Workspaces;

/// Stores place, size and state of the main window and the arrangement of its panels from one run to the next.
class WindowLook : public QObject {
    Q_OBJECT

public:
    /// All must outlive this.
    WindowLook(QMainWindow& window, Workspaces& workspaces, vm::SettingsViewModel& settings, ErrorPresenter& errors);

    /// Call once, with all panels in the window, before it is shown.
    void restore();
    /// Writes the present look to the settings.
    void store();
    /// Says that settings were set aside because the last start failed.
    void reportFailedStart();
    /// Says that the settings file was damaged. @param copy of the file
    void reportDamagedFile(const QString& copy);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    /// @return whether the stored place applies to this screen
    bool restorePlace();
    /// Makes the window large enough for its panels, but not larger than the screen.
    void boundSize();
    [[nodiscard]] bool isNormal() const;
    void keepNormalPlace();
    /// Hides the floating panels until the window is shown: window managers place a window above its parent only if the
    /// parent is there first.
    void holdFloatingPanels();
    void showFloatingPanels();
    /// Shows a sentence when the window is there.
    void tell(const QString& sentence);

    QMainWindow& window_;
    Workspaces& workspaces_;
    vm::SettingsViewModel& settings_;
    ErrorPresenter& errors_;
    /// QWidget::saveGeometry() of the window in its normal state. Qt's normalGeometry() is not enough: some window
    /// managers send the size of a maximised window before the state.
    QByteArray normalPlace_;
    QList<QPointer<QWidget>> floating_; ///< panels to show after the window
    QTimer placed_{this};               ///< since the last change of place or size
    QTimer arranged_{this};             ///< since the last change of the layout
    QStringList messages_;
};

/// A file that exists while the program starts. If the start ends in a crash, the file stays, and the next start finds
/// it.
class StartMark : public QObject {
    Q_OBJECT

public:
    /// The mark of the user's settings.
    [[nodiscard]] static QString standardPath();

    /// Marks the start, unless another process is starting.
    /// @param path of the file; its folder is made
    explicit StartMark(const QString& path, QObject* parent = nullptr);

    /// Whether the last start ended before its window was shown.
    [[nodiscard]] bool hasLastFailed() const noexcept { return lastFailed_; }
    /// Removes the mark when @p window has been painted or closed. Without this call the destructor removes it.
    void endWith(QWidget& window);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QLockFile file_;
    bool lastFailed_ = false;
};

} // namespace pollard::app
