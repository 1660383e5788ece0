#pragma once

#include "vm/session/load_preview.hpp"
#include "vm/session/stored_sessions.hpp"

#include <QAction>
#include <QGridLayout>
#include <QLabel>
#include <QPointer>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>
#include <QWidget>

#include <vector>

namespace pollard::vm {
class RecentFilesModel;
}

namespace pollard::app {

/// Shows a button for every sample, with its image, its title and its use.
class SampleGallery : public QWidget {
    Q_OBJECT

public:
    explicit SampleGallery(QWidget* parent = nullptr);

    /// Arranges the buttons for this width, px.
    void fitTo(int width);

signals:
    void chosen(const QString& file);

protected:
    void showEvent(QShowEvent* event) override;

private:
    void makeThumbnails();
    void showThumbnails();

    vm::SampleList samples_;
    QGridLayout* grid_;
    std::vector<QToolButton*> buttons_;
    int columns_ = 0;
};

/// Shown instead of the image while no file is open.
class WelcomePage : public QScrollArea {
    Q_OBJECT

public:
    /// @param open,firstSteps actions of the buttons; all must outlive this
    WelcomePage(QAction& open, QAction& firstSteps, vm::RecentFilesModel& recent, QWidget* parent = nullptr);

    /// Lists the stored sessions.
    void showStoredSessions(vm::StoredSessions& sessions);

signals:
    void fileChosen(const QString& path);
    /// Requests opening an included sample.
    void sampleChosen(const QString& file);
    void sessionChosen(const QString& path);
    /// Requests deleting the stored session at @p path.
    void sessionDiscarded(const QString& path);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void listStoredSessions();
    void showRecent();

    vm::RecentFilesModel& recent_;
    int furtherRecent_ = 0; ///< files for which the page has room
    QPointer<vm::StoredSessions> storedSessions_;
    QLabel* icon_;
    QWidget* sessionList_;
    QVBoxLayout* sessionLayout_;
    QWidget* list_;
    QGridLayout* listLayout_;
    SampleGallery* gallery_;
};

} // namespace pollard::app
