#pragma once

#include "vm/session/stored_sessions.hpp"

#include <QAction>
#include <QGridLayout>
#include <QLabel>
#include <QPointer>
#include <QScrollArea>
#include <QVBoxLayout>

namespace pollard::vm {
class RecentFilesModel;
}

namespace pollard::app {

class SampleGallery;

/// Shown instead of the image while no file is open.
class WelcomePage : public QScrollArea {
    Q_OBJECT

public:
    /// @param open,firstSteps actions of the buttons; all must outlive this
    WelcomePage(QAction& open, QAction& firstSteps, vm::RecentFilesModel& recent, QWidget* parent = nullptr);

    /// Lists the kept work.
    void showKept(vm::StoredSessions& kept);

signals:
    void fileChosen(const QString& path);
    /// Requests opening an included sample.
    void sampleChosen(const QString& file);
    void keptChosen(const QString& path);
    /// Requests deleting the kept work at @p path.
    void keptDiscarded(const QString& path);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void fillKept();
    void showRecent();

    vm::RecentFilesModel& recent_;
    int furtherRecent_ = 0; ///< files for which the page has room
    QPointer<vm::StoredSessions> kept_;
    QLabel* icon_;
    QWidget* keptList_;
    QVBoxLayout* keptLayout_;
    QWidget* list_;
    QGridLayout* listLayout_;
    SampleGallery* gallery_;
};

} // namespace pollard::app
