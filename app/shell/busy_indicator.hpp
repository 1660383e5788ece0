#pragma once

#include "vm/base/file_export.hpp"

#include <QLabel>
#include <QMainWindow>
#include <QProgressBar>
#include <QTimer>
#include <QWidget>

#include <functional>

namespace pollard::app {

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
BusyIndicator* makeWritingSign(QMainWindow& window, const QString& objectName, const std::function<bool()>& isWriting);

/// Shows that @p files writes.
void showWriting(QMainWindow& window, const QString& objectName, const vm::FileExport& files);

} // namespace pollard::app
