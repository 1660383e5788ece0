#include "vm/document/document_activity.hpp"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <utility>

namespace pollard::vm {

namespace {

/// The step of a computation for the window; empty for stages without a name for users.
QString stepOf(const QString& stage) {
    struct Step {
        QLatin1String stage;
        const char* name;
    };
    static constexpr std::array kSteps{
        Step{QLatin1String("reading"), QT_TRANSLATE_NOOP("Stage", "reading the file")},
        Step{QLatin1String("range"), QT_TRANSLATE_NOOP("Stage", "finding the range of all pages")},
        Step{QLatin1String("tiles"), QT_TRANSLATE_NOOP("Stage", "finding components")},
        Step{QLatin1String("merges"), QT_TRANSLATE_NOOP("Stage", "joining the parts of the picture")},
        Step{QLatin1String("seams"), QT_TRANSLATE_NOOP("Stage", "joining the parts of the picture")},
        Step{QLatin1String("numbering"), QT_TRANSLATE_NOOP("Stage", "ordering the components")},
        Step{QLatin1String("nodes"), QT_TRANSLATE_NOOP("Stage", "measuring the components")},
        Step{QLatin1String("pixels"), QT_TRANSLATE_NOOP("Stage", "assigning the pixels")},
        Step{QLatin1String("evolution"), QT_TRANSLATE_NOOP("Stage", "moving the contour")},
        Step{QLatin1String("writing"), QT_TRANSLATE_NOOP("Stage", "writing the file")},
    };
    const auto* const step = std::ranges::find(kSteps, stage, &Step::stage);
    return step == kSteps.end() ? QString() : QCoreApplication::translate("Stage", step->name);
}

} // namespace

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
        const QString step = stepOf(stage);
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
