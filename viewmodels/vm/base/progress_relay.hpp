#pragma once

#include <QObject>
#include <QString>

#include <functional>
#include <mutex>
#include <string>
#include <string_view>

namespace pollard::vm {

/// Carries progress from any thread to its own one, at most one queued call at a time: what comes faster than the
/// event loop turns is summed up in the latest value.
class ProgressRelay : public QObject {
    Q_OBJECT

public:
    /// The form that JobControl takes. Must not be called after the relay is gone.
    using Function = std::function<void(double fraction, std::string_view stage)>;

    explicit ProgressRelay(QObject* parent = nullptr);

    /// A function that reports for the job called @p what.
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
