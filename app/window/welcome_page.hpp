#pragma once

#include "vm/session/kept_work.hpp"

#include <QAction>
#include <QPointer>
#include <QVBoxLayout>
#include <QWidget>

namespace pollard::vm {
class RecentFilesModel;
}

namespace pollard::app {

/// Shown instead of the picture while no file is open.
class WelcomePage : public QWidget {
    Q_OBJECT

public:
    /// @param open,firstSteps actions of the buttons; all must outlive this
    WelcomePage(QAction& open, QAction& firstSteps, vm::RecentFilesModel& recent, QWidget* parent = nullptr);

    /// Lists the kept work.
    void showKept(vm::KeptWork& kept);

signals:
    void fileChosen(const QString& path);
    void keptChosen(const QString& path);
    /// Requests deleting the kept work at @p path.
    void keptDiscarded(const QString& path);

private:
    void fillKept();
    void showRecent();

    vm::RecentFilesModel& recent_;
    QPointer<vm::KeptWork> kept_;
    QWidget* keptList_;
    QVBoxLayout* keptLayout_;
    QWidget* list_;
    QVBoxLayout* listLayout_;
};

} // namespace pollard::app
