#pragma once

#include <QStatusBar>
#include <QToolButton>

namespace pollard::app {

/// Opens the folder of a file in the file manager. In a status bar it is visible as long as the notice about the file.
class FolderButton : public QToolButton {
    Q_OBJECT

public:
    explicit FolderButton(QStatusBar& bar);
    /// Call it before the bar shows @p notice.
    void offer(const QString& folder, const QString& notice);

private:
    QString folder_;
    QString notice_;
};

} // namespace pollard::app
