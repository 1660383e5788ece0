#pragma once

#include "shell/error_presenter.hpp"
#include "shell/models.hpp"

#include <QMainWindow>
#include <QString>

namespace pollard::app {

/// Shows a text in the status line for 8 s.
void showNotice(QMainWindow& window, const QString& notice);
/// Shows that a file is saved; for GeoJSON in pixels of an image with unusable map coordinates, with the reason.
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

} // namespace pollard::app
