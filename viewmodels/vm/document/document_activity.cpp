#include "vm/document/document_activity.hpp"

#include <QCoreApplication>

#include <utility>

namespace pollard::vm {

void DocumentActivity::update(State state, bool busy, bool filtering) {
    const bool stateDiffers = std::exchange(state_, state) != state;
    const bool busyDiffers = std::exchange(busy_, busy) != busy;
    const bool filteringDiffers = std::exchange(filtering_, filtering) != filtering;
    if (stateDiffers) {
        emit stateChanged();
    }
    if (busyDiffers) {
        if (!busy) {
            setProgress(0, {});
        }
        emit busyChanged();
    }
    if (filteringDiffers) {
        emit filteringChanged();
    }
}

void DocumentActivity::setProgress(double fraction, const QString& text) {
    if (fraction == progress_ && text == progressText_) {
        return;
    }
    progress_ = fraction;
    progressText_ = text;
    emit progressChanged();
}

void DocumentActivity::setStep(double fraction, const QString& what, const QString& stage) {
    if (busy_) {
        const QString step = QCoreApplication::translate("Stage", stage.toUtf8().constData());
        setProgress(fraction, step.isEmpty() ? what : tr("%1: %2").arg(what, step));
    }
}

void DocumentActivity::fail(const QString& title, const JobOutcome& outcome, const QString& unknownFormatPath) {
    if (outcome.kind == JobOutcome::Kind::cancelled) {
        return;
    }
    lastError_ = QString::fromStdString(outcome.message);
    if (lastError_.isEmpty()) {
        lastError_ = outcome.code == ErrorCode::outOfMemory ? tr("There is not enough memory for it.")
                                                            : tr("The reason is unknown.");
    }
    unknownFormatPath_ = unknownFormatPath;
    emit errorOccurred(title, QString(lastError_));
    unknownFormatPath_.clear();
}

} // namespace pollard::vm
