#pragma once

#include <QActionGroup>
#include <QByteArray>
#include <QMainWindow>
#include <QObject>
#include <QString>
#include <QStringList>

namespace pollard::vm {
class SettingsViewModel;
}

namespace pollard::app {

/// Arranges the panels, in one way for each kind of work. Each workspace keeps the changes that the user made in it.
class Workspaces : public QObject {
    Q_OBJECT

public:
    /// Adds a bar at the left edge of the window, with the workspaces and the panels that open next to the bar.
    /// @param window has all panels; it and the settings must outlive this
    Workspaces(QMainWindow& window, vm::SettingsViewModel& settings);

    /// One checkable action for each workspace.
    [[nodiscard]] const QActionGroup& actions() const noexcept { return *actions_; }
    [[nodiscard]] QAction& resetAction() const noexcept { return *reset_; }
    [[nodiscard]] QString current() const { return current_; }
    [[nodiscard]] static QStringList names();

    /// Changes to a workspace, in the arrangement in which it was left. For the current workspace, shows its main panel
    /// again.
    void show(const QString& name);
    /// Changes to the workspace that a panel belongs to, unless the panel is visible.
    void showWorkspaceOf(const QString& panel);
    /// Restores the first arrangement of the current workspace.
    void reset();
    /// Shows the stored workspace. Call once, after the window has its size and while it is neither maximised nor in
    /// full screen.
    void restore();
    /// The current workspace and its arrangement, for a session: "name:Base64".
    [[nodiscard]] QString toText() const;
    /// Shows the workspace of a session as it was stored. Sessions of earlier versions name no workspace and arrange
    /// the panels of the current workspace. A damaged arrangement changes no panel.
    void take(const QString& text);
    /// Writes the arrangement of the current workspace to the settings.
    void store();

signals:
    /// Emitted when a workspace has been arranged, also if it is the same one again.
    void shown(const QString& name);
    /// The stored arrangement of a workspace is damaged, and the first one is shown. @param title of the workspace
    void setAside(const QString& title);

private:
    void makeActions();
    void makeBar();
    /// Shows the panels of the current workspace as they were left.
    void place();
    void arrange();
    void markCurrent();

    QMainWindow& window_;
    vm::SettingsViewModel& settings_;
    QActionGroup* actions_;
    QAction* reset_;
    QString current_;
};

} // namespace pollard::app
