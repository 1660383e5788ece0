#pragma once

#include <QObject>
#include <QString>

#include <functional>
#include <mutex>
#include <string>
#include <string_view>

namespace pollard::vm {

/// Carries progress from any thread to its own one, with at most one queued call at a time, which delivers the latest
/// value.
class ProgressRelay : public QObject {
    Q_OBJECT

public:
    /// The type for JobControl. Must not be called after the relay is destroyed.
    using Function = std::function<void(double fraction, std::string_view stage)>;

    explicit ProgressRelay(QObject* parent = nullptr);

    /// A function that reports for the job named @p what.
    [[nodiscard]] Function forJob(const QString& what);

signals:
    void progressed(double fraction, const QString& what, const QString& stage);

private:
    Q_INVOKABLE void deliver();
    void report(const QString& what, double fraction, std::string_view stage);

    std::mutex mutex_;
    bool queued_ = false;
    double fraction_ = 0;
    std::string stage_;
    QString what_;
};

} // namespace pollard::vm
