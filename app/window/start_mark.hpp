#pragma once

#include <QLockFile>
#include <QObject>
#include <QString>

class QWidget;

namespace pollard::app {

/// A file that exists while the program starts. If the start ends in a crash, the file stays, and the next start can
/// tell.
class StartMark : public QObject {
    Q_OBJECT

public:
    /// The mark of the user's settings.
    [[nodiscard]] static QString standardPath();

    /// Marks the start, unless another process is starting.
    /// @param path of the file; its folder is made
    explicit StartMark(const QString& path, QObject* parent = nullptr);

    /// Whether the last start ended before its window was shown.
    [[nodiscard]] bool hasLastFailed() const noexcept { return lastFailed_; }
    /// Removes the mark when @p window has been painted or closed. Without this call the destructor removes it.
    void endWith(QWidget& window);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QLockFile file_;
    bool lastFailed_ = false;
};

} // namespace pollard::app
