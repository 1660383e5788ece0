#pragma once

#include "shell/models.hpp"
#include "vm/base/file_export.hpp"

#include <QLabel>
#include <QMainWindow>
#include <QProgressBar>
#include <QString>
#include <QTimer>
#include <QWidget>

#include <functional>

namespace pollard::app {

/// Presents errors to the user; tests and screenshots have their own implementations.
class ErrorPresenter {
public:
    virtual ~ErrorPresenter() = default;
    virtual void present(QWidget* parent, const QString& title, const QString& text) = 0;
    /// Presents an error with a button for an alternative; only the error if no user can answer.
    virtual void presentWithWayOut(QWidget* parent, const QString& title, const QString& text, const QString& wayOut,
                                   const std::function<void()>& take);
};

/// A message box that does not block the event loop.
class MessageBoxPresenter : public ErrorPresenter {
public:
    void present(QWidget* parent, const QString& title, const QString& text) override;
    void presentWithWayOut(QWidget* parent, const QString& title, const QString& text, const QString& wayOut,
                           const std::function<void()>& take) override;
};

/// Shows a text in the status line for 8 s.
void showNotice(QMainWindow& window, const QString& notice);
/// Shows that a file is saved. For GeoJSON in pixels because map coordinates are unusable, the notice has the reason.
void showSaved(QMainWindow& window, const QString& path, const Models& models);

/// Shows the notices of @p source.
template <class Source> void showNotices(QMainWindow& window, const Source& source) {
    QObject::connect(&source, &Source::noticeRaised, &window,
                     [&window](const QString& notice) { showNotice(window, notice); });
}

/// Presents the failures that the signal @p failed of @p source reports.
template <class Source, class Failed>
void presentErrors(QMainWindow& window, ErrorPresenter& errors, const Source& source, Failed failed) {
    QObject::connect(&source, failed, &window, [&window, &errors](const QString& title, const QString& why) {
        errors.present(&window, title, why);
    });
}

/// Shows the files that @p files saves.
template <class Files> void showSaves(QMainWindow& window, const Models& models, const Files& files) {
    QObject::connect(&files, &Files::saved, &window,
                     [&window, &models](const QString& path) { showSaved(window, path, models); });
}

/// Shows the files that @p files saves, and its errors.
template <class Files>
void reportFiles(QMainWindow& window, const Models& models, ErrorPresenter& errors, const Files& files) {
    showSaves(window, models, files);
    presentErrors(window, errors, files, &Files::failed);
}

/// A line of the status bar about work in the background, shown when the work takes longer than 0.3 s.
class BusyIndicator : public QWidget {
    Q_OBJECT

public:
    static constexpr int kPatience = 300; ///< ms until it is shown

    /// @param work names the work that runs; empty if none does
    BusyIndicator(QMainWindow& window, const QString& objectName, std::function<QString()> work);

public slots:
    /// Call after each start and end of the work.
    void look();

private:
    std::function<QString()> work_;
    QLabel* text_;
    QTimer delay_;
};

/// A sign that a file is being written, as @p isWriting says. @param objectName of the sign
BusyIndicator* makeWritingIndicator(QMainWindow& window, const QString& objectName,
                                    const std::function<bool()>& isWriting);

/// Shows in the status bar while @p files writes.
void showWriting(QMainWindow& window, const QString& objectName, const vm::FileExport& files);

} // namespace pollard::app
