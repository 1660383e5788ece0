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
    /// @param open action behind the button; like @p recent it must outlive this
    WelcomePage(QAction& open, vm::RecentFilesModel& recent, QWidget* parent = nullptr);

signals:
    void fileChosen(const QString& path);

private:
    void showRecent();

    vm::RecentFilesModel& recent_;
    QWidget* list_;
    QVBoxLayout* listLayout_;
};

} // namespace pollard::app
