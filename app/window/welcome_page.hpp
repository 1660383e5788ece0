#pragma once

#include <QAction>
#include <QVBoxLayout>
#include <QWidget>

namespace pollard::vm {
class RecentFilesModel;
}

namespace pollard::app {

/// What stands in place of the picture while nothing is open.
class WelcomePage : public QWidget {
    Q_OBJECT

public:
    /// @param open,firstSteps actions behind the buttons; like @p recent they must outlive this
    WelcomePage(QAction& open, QAction& firstSteps, vm::RecentFilesModel& recent, QWidget* parent = nullptr);

signals:
    void fileChosen(const QString& path);

private:
    void showRecent();

    vm::RecentFilesModel& recent_;
    QWidget* list_;
    QVBoxLayout* listLayout_;
};

} // namespace pollard::app
