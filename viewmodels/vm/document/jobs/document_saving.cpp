#include "vm/document/jobs/document_saving.hpp"

#include "vm/document/document_choices.hpp"

#include "recipe/results/result_file.hpp"
#include "recipe/results/result_tags.hpp"

#include <QCoreApplication>
#include <QFileInfo>
#include <QStringList>

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
        Step{QLatin1String("merges"), QT_TRANSLATE_NOOP("Stage", "joining the parts of the image")},
        Step{QLatin1String("seams"), QT_TRANSLATE_NOOP("Stage", "joining the parts of the image")},
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

DocumentSaving::DocumentSaving(LatestWinsWorker& worker, ProgressRelay& progress, std::shared_ptr<DocumentJobs> jobs,
                               const DocumentContents& shown, const DocumentChoices& choices,
                               DocumentActivity& activity)
    : worker_(worker), progress_(progress), jobs_(std::move(jobs)), shown_(shown), choices_(choices),
      activity_(activity) {}

void DocumentSaving::saveFiltered(const QString& path) {
    if (!shown_.hasResult()) {
        activity_.fail(tr("The image was not saved"), {JobOutcome::Kind::failed, ErrorCode::invalidArgument,
                                                       tr("There is no filtered image.").toStdString()});
        return;
    }
    const bool filtering = activity_.isFiltering();
    const FilterSpec filter = filtering ? choices_.filterSpec() : shown_.frame.spec;
    const ResultValues values = resultValuesAfter(resultValuesOf(shown_.earlier), filter);
    const QFileInfo file(path);
    const QString what = tr("Saving %1").arg(file.fileName());
    if (shown_.volume) {
        auto run = [jobs = jobs_, target = file.filesystemAbsoluteFilePath(), spec = filter, values,
                    volume = LoadedImage{shown_.volume, shown_.volumeValid, *shown_.sourceInfo()}](
                       const std::shared_ptr<const Image>& /*image*/, const JobContext& context) {
            jobs->saveVolume(target, volume, spec, values, context);
        };
        add({file.absoluteFilePath(), what, std::move(run), nullptr, false});
        activity_.setProgress(0, what);
        return;
    }
    auto run = [jobs = jobs_, target = file.filesystemAbsoluteFilePath(), values, mapping = shown_.mapping,
                earlier = shown_.earlier, filter, source = LoadedImage{shown_.image, shown_.valid, *shown_.info}](
                   const std::shared_ptr<const Image>& image, const JobContext& context) {
        const LoadedImage from = sourceOf(source, image, earlier, filter, mapping);
        jobs->services().write(target, resultPlane(*image, from, values), context.part(0, 1), {});
    };
    add({file.absoluteFilePath(), what, std::move(run), filtering ? nullptr : shown_.frame.image, true});
}

void DocumentSaving::saveAllPages(const QString& path, const PageFilter& filter) {
    if (!shown_.image) {
        return;
    }
    const QFileInfo file(path);
    const QString what = tr("Filtering all pages into %1").arg(file.fileName());
    OpenRequest stack = filter.stack;
    stack.projection.reset();
    stack.sliceRange.reset();
    auto run = [jobs = jobs_, target = file.filesystemFilePath(), pages = shown_.info->pages, filter,
                stack](const std::shared_ptr<const Image>& /*image*/, const JobContext& context) {
        jobs->filterPages(target, stack, pages, filter.rules, filter.tree, context);
    };
    add({file.absoluteFilePath(), what, std::move(run), nullptr, false});
    activity_.setProgress(0, what);
}

void DocumentSaving::add(Entry entry) {
    waiting_.push_back(std::move(entry));
    emit queueChanged();
}

void DocumentSaving::advance(const std::shared_ptr<const Image>& settled) {
    if (running_ || waiting_.empty()) {
        return;
    }
    Entry& next = waiting_.front();
    if (next.needsFiltered && !next.image) {
        if (!settled) {
            return;
        }
        next.image = settled;
    }
    auto job = [run = std::move(next.run), image = std::move(next.image),
                report = progress_.forJob(next.what)](const std::stop_token& stop) {
        run(image, {stop, report});
    };
    auto done = [this, path = next.path](LatestWinsWorker::Generation, const JobOutcome& outcome) {
        onSaved(path, outcome);
    };
    waiting_.pop_front();
    running_ = true;
    worker_.post(Lane::save, std::move(job), std::move(done));
}

void DocumentSaving::onSaved(const QString& path, const JobOutcome& outcome) {
    running_ = false;
    emit queueChanged();
    if (outcome.ok()) {
        emit saved(path);
    } else {
        activity_.fail(tr("%1 was not saved").arg(QFileInfo(path).fileName()), outcome);
    }
}

void DocumentSaving::dropWaiting() {
    QStringList paths;
    std::deque<Entry> made;
    for (Entry& entry : waiting_) {
        if (entry.needsFiltered && !entry.image) {
            paths << entry.path;
        } else {
            made.push_back(std::move(entry));
        }
    }
    waiting_ = std::move(made);
    for (const QString& path : std::as_const(paths)) {
        activity_.fail(
            tr("%1 was not saved").arg(QFileInfo(path).fileName()),
            {JobOutcome::Kind::failed, {}, tr("The image was closed before it was filtered.").toStdString()});
    }
}

} // namespace pollard::vm
