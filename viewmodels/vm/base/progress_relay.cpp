#include "vm/base/progress_relay.hpp"

namespace pollard::vm {

ProgressRelay::ProgressRelay(QObject* parent) : QObject(parent) {}

ProgressRelay::Function ProgressRelay::forJob(const QString& what) {
    return [this, what](double fraction, std::string_view stage) { report(what, fraction, stage); };
}

void ProgressRelay::report(const QString& what, double fraction, std::string_view stage) {
    {
        const std::scoped_lock lock(mutex_);
        fraction_ = fraction;
        stage_ = stage;
        what_ = what;
        if (queued_) {
            return;
        }
        queued_ = true;
    }
    QMetaObject::invokeMethod(this, "deliver", Qt::QueuedConnection);
}

void ProgressRelay::deliver() {
    double fraction = 0;
    QString what;
    QString stage;
    {
        const std::scoped_lock lock(mutex_);
        queued_ = false;
        fraction = fraction_;
        what = what_;
        stage = QString::fromStdString(stage_);
    }
    emit progressed(fraction, what, stage);
}

} // namespace pollard::vm
