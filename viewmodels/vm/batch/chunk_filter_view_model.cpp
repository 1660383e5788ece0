#include "vm/batch/chunk_filter_view_model.hpp"

#include "vm/base/attribute_catalogue.hpp"
#include "vm/base/change.hpp"
#include "vm/batch/overview.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/filter/filter_view_model.hpp"

#include "chunks/chunk_job.hpp"
#include "chunks/work_folder.hpp"
#include "filter/filter_units.hpp"
#include "io/region_source.hpp"
#include "recipe/filter_stages.hpp"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QLocale>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <utility>
#include <vector>

namespace pollard::vm {

namespace {

/// Time and progress before the time left is estimated.
constexpr qint64 kLeastTime = 3000; ///< ms
constexpr double kLeastProgress = 0.01;

std::filesystem::path pathOf(const QString& file) { return QFileInfo(file).filesystemAbsoluteFilePath(); }

QString folderOf(const QString& target) {
    ChunkRequest job;
    job.target = pathOf(target);
    return QString::fromStdString(workFolder(job).string());
}

QString stageTitle(const QString& stage) {
    struct Title {
        QLatin1String stage;
        const char* title;
    };
    static constexpr std::array kTitles{
        Title{QLatin1String("building trees"), QT_TRANSLATE_NOOP("ChunkFilter", "building trees")},
        Title{QLatin1String("deciding on nodes over the seams"),
              QT_TRANSLATE_NOOP("ChunkFilter", "deciding on components")},
        Title{QLatin1String("deciding on nodes of chunks"), QT_TRANSLATE_NOOP("ChunkFilter", "deciding on components")},
        Title{QLatin1String(kPassStage), QT_TRANSLATE_NOOP("ChunkFilter", "finding the range of values")},
        Title{QLatin1String("numbering components"), QT_TRANSLATE_NOOP("ChunkFilter", "numbering components")},
        Title{QLatin1String("filtering"), QT_TRANSLATE_NOOP("ChunkFilter", "filtering")},
    };
    const auto* const title = std::ranges::find(kTitles, stage, &Title::stage);
    return QCoreApplication::translate(
        "ChunkFilter", title == kTitles.end() ? QT_TRANSLATE_NOOP("ChunkFilter", "writing the file") : title->title);
}

/// Pixels of a chunk of a plan; 0 if they do not follow from its memory.
std::uint64_t chunkPixels(const ChunkFilterPlan& plan) {
    const Extent image{plan.width, plan.height, 1};
    return plan.job.memory == 0 ? 0 : std::min(chunkFor(image, {}, plan.job.memory).pixelCount(), image.pixelCount());
}

QString timeLeftText(double milliseconds) {
    constexpr double kMinute = 60'000;
    const auto minutes = static_cast<qint64>(std::ceil(milliseconds / kMinute));
    if (minutes <= 1) {
        return ChunkFilterViewModel::tr("less than a minute left");
    }
    return minutes < 60 ? ChunkFilterViewModel::tr("about %1 min left").arg(minutes)
                        : ChunkFilterViewModel::tr("about %1 h %2 min left").arg(minutes / 60).arg(minutes % 60);
}

bool hasLevelsByValues(const ImageInfo& info, const MappingChoice& choice) {
    constexpr double kSigned8 = -128;
    constexpr double kSigned16 = -32768;
    const auto& mapping = info.mapping;
    return mapping && choice.range != MappingChoice::Range::fixed &&
           !(mapping->exact && (mapping->offset == kSigned8 || mapping->offset == kSigned16));
}

} // namespace

ChunkFilterViewModel::ChunkFilterViewModel(const DocumentViewModel& document, const FilterViewModel& filter,
                                           QObject* parent)
    : QObject(parent), document_(document), filter_(filter) {
    connect(&document, &DocumentViewModel::imageChanged, this, &ChunkFilterViewModel::refreshTexts);
    connect(&document.choices(), &DocumentChoices::domainChanged, this, &ChunkFilterViewModel::refreshTexts);
    connect(&document.choices(), &DocumentChoices::earlierFiltersChanged, this, &ChunkFilterViewModel::refreshTexts);
    connect(&document.pixelSizes(), &DocumentPixelSizes::changed, this, &ChunkFilterViewModel::refreshTexts);
    connect(&filter, &FilterViewModel::specChanged, this, &ChunkFilterViewModel::refreshTexts);
    connect(&relay_, &ProgressRelay::progressed, this,
            [this](double fraction, const QString& /*what*/, const QString& stage) { takeProgress(fraction, stage); });
    refreshTexts();
}

QString ChunkFilterViewModel::findProblem() const {
    if (running_ || planning_) {
        return tr("Another whole image is being filtered.");
    }
    if (!document_.hasImage()) {
        return tr("No image is open.");
    }
    if (document_.isVolume()) {
        return tr("Volumes cannot be filtered in parts.");
    }
    if (!document_.request().isReduced()) {
        return tr("The whole image is open: save its result instead.");
    }
    if (document_.choices().domain()) {
        return tr("The filter is restricted to a region.");
    }
    if (!effectiveStages(document_.choices().earlierFilters()).empty()) {
        return tr("Several filters one after another cannot be applied in parts.");
    }
    const FilterSpec spec = filter_.spec();
    if (!spec.removed.empty() || !spec.kept.empty() || !spec.only.empty()) {
        return tr("Components are picked by hand.");
    }
    const FilterSpec whole = onWholePage(spec, ShownPart::of(document_.request(), *document_.imageInfo()));
    if (whole.criteria.empty() && whole.forest.trees.empty() && !whole.prominent) {
        return tr("The filter keeps every component.");
    }
    for (const Criterion& criterion : whole.criteria) {
        if (!isMeasuredInChunks(criterion.attribute, false)) {
            return tr("%1 cannot be measured in parts.").arg(attributeTitle(criterion.attribute));
        }
    }
    return QString::fromStdString(chunkProblem(whole, false));
}

bool ChunkFilterViewModel::isPreviewDismissed() const { return document_.request().sameImage(dismissed_); }

QString ChunkFilterViewModel::findPreview() const {
    const OpenRequest& shown = document_.request();
    if (running_ || !document_.hasImage() || document_.isVolume() || !shown.isReduced() || isPreviewDismissed()) {
        return {};
    }
    if (shown.level > 0 || shown.shrink > 1) {
        const std::vector<ResolutionLevel>& levels = document_.imageInfo()->levels;
        const auto level = static_cast<std::size_t>(shown.level);
        if (shown.region || level >= std::max<std::size_t>(levels.size(), 1)) {
            return tr("Preview (%1). For exact results:").arg(shown.reductionText());
        }
        const double reduction = level > 0 ? static_cast<double>(levels[0].width) / levels[level].width : 1;
        return tr("Preview at 1/%1 size. For exact results:").arg(std::lround(reduction * shown.shrink));
    }
    const FilterSpec spec = filter_.spec();
    if (spec.criteria.empty() && spec.forest.trees.empty() && !spec.prominent && spec.removed.empty()) {
        return {};
    }
    return tr("The filter works on a part of the image (%1)").arg(shown.reductionText());
}

void ChunkFilterViewModel::refreshTexts() {
    if (hasResult_ && document_.path() == target_) { // opened
        dismissResult();
    }
    change(this, problem_, findProblem(), &ChunkFilterViewModel::problemChanged);
    change(this, previewText_, findPreview(), &ChunkFilterViewModel::previewChanged);
}

QString ChunkFilterViewModel::progressText() const {
    if (stopping_) {
        return tr("Whole image: stopping");
    }
    QString text = tr("Whole image: %1 %").arg(static_cast<int>(progress_ * 100));
    const double done = progress_ - firstProgress_;
    if (firstProgress_ < 0 || done < kLeastProgress || time_.elapsed() < kLeastTime) {
        return text;
    }
    const double left = static_cast<double>(time_.elapsed()) * (1 - progress_) / done;
    return QStringLiteral("%1, %2").arg(text, timeLeftText(left));
}

QString ChunkFilterViewModel::targetProblem(const ChunkFilterPlan& plan, const QString& target) {
    if (target.trimmed().isEmpty()) {
        return tr("Name a file for the result.");
    }
    const QFileInfo file(target);
    const QFileInfo folder(file.absolutePath());
    if (!folder.isDir()) {
        return tr("There is no folder %1.").arg(QDir::toNativeSeparators(folder.filePath()));
    }
    if (file.isDir()) {
        return tr("This is a folder.");
    }
    if (!folder.isWritable()) {
        return tr("This folder cannot be written to.");
    }
    std::error_code ignored;
    return std::filesystem::equivalent(pathOf(target), plan.job.source, ignored)
               ? tr("The image cannot be replaced by its own result.")
               : QString();
}

bool ChunkFilterViewModel::canResume(const QString& target) {
    return !target.trimmed().isEmpty() && WorkFolder::hasJob(folderOf(target).toStdString());
}

void ChunkFilterViewModel::plan() {
    if (!problem_.isEmpty()) {
        return;
    }
    const PageFilter page = document_.pageFilter();
    const OpenRequest& request = document_.request();
    const ShownPart shown = ShownPart::of(request, *document_.imageInfo());
    const FilterSpec spec = filter_.spec();
    ChunkFilterPlan plan;
    plan.services = page.services;
    plan.engine = page.tree.engine;
    for (const Criterion& criterion : spec.criteria) {
        if (criterionProblem(criterion, shown.units()).empty()) {
            plan.criteria << wholePageText(criterion, shown, request);
        }
    }
    OpenRequest whole = page.stack;
    whole.level = 0;
    whole.region.reset();
    whole.shrink = 1;
    plan.job.source = pathOf(request.path);
    plan.job.read = whole.options(page.rules.limits);
    plan.job.threads = plan.job.read.threads = page.services.sessionOptions.threads;
    plan.job.kind = page.tree.spec.kind;
    plan.job.connectivity = page.tree.spec.connectivity;
    plan.job.algorithm = page.tree.spec.algorithm;
    plan.job.filter = onWholePage(spec, shown);
    plan.hasOtherLevels = hasLevelsByValues(*document_.imageInfo(), request.mapping);
    planning_ = true;
    refreshTexts();
    worker_.post(
        Lane::load,
        [plan = std::move(plan), most = most_](const std::stop_token& stop) mutable {
            const Extent image = openRegions(plan.job.source, plan.job.read, JobControl(stop))->extent();
            plan.width = image.width;
            plan.height = image.height;
            plan.available = plan.services.availableMemory ? plan.services.availableMemory() : 0;
            plan.job.memory = plan.available / 4 * 3;
            if (most > 0 && (plan.job.memory == 0 || plan.job.memory > most)) {
                plan.job.memory = most;
                plan.wasTooLarge = true;
            }
            return std::move(plan);
        },
        [this](const JobOutcome& outcome, const ChunkFilterPlan& found) {
            planning_ = false;
            refreshTexts();
            if (outcome.ok()) {
                emit planned(found);
            } else {
                fail(outcome, {});
            }
        });
}

void ChunkFilterViewModel::start(const ChunkFilterPlan& plan, const QString& target, bool resume) {
    if (running_) {
        return;
    }
    ChunkFilterPlan named = plan;
    target_ = QFileInfo(target).absoluteFilePath();
    named.job.target = pathOf(target);
    named.job.folder = workFolder(named.job); // a named folder stays after a failure
    named.job.resume = resume;
    running_ = true;
    stopping_ = hasResult_ = false;
    progress_ = 0;
    firstProgress_ = -1;
    stage_.clear();
    dismissed_ = document_.request();
    chunkPixels_ = chunkPixels(plan);
    run_ = std::make_shared<Run>();
    worker_.post(
        Lane::save,
        [plan = std::move(named), run = run_, report = relay_.forJob({})](const std::stop_token& stop) mutable {
            plan.job.engines = plan.services.enginesFrom(plan.services.selectEngine(plan.engine));
            const JobControl control(stop, [&](double fraction, std::string_view stage) {
                run->hasFolder = run->hasFolder || stage != kPassStage;
                report(fraction, stage);
            });
            try {
                (void)filterImage(plan.job, control);
            } catch (const Cancelled&) {
                if (run->isDropped) {
                    WorkFolder::discard(plan.job.folder);
                }
                throw;
            }
        },
        [this](LatestWinsWorker::Generation /*generation*/, const JobOutcome& outcome) { end(outcome); });
    refreshTexts();
    emit jobChanged();
}

void ChunkFilterViewModel::cancel() { stop(true); }
void ChunkFilterViewModel::interrupt() { stop(false); }

void ChunkFilterViewModel::stop(bool dropping) {
    if (running_) {
        run_->isDropped = dropping;
        stopping_ = true;
        worker_.cancel(Lane::save);
        emit jobChanged();
    }
}

void ChunkFilterViewModel::dismissPreview() {
    dismissed_ = document_.request();
    refreshTexts();
    emit previewChanged();
}

void ChunkFilterViewModel::dismissResult() {
    hasResult_ = false;
    emit jobChanged();
}

void ChunkFilterViewModel::takeProgress(double fraction, const QString& stage) {
    constexpr double kSteps = 1000; // shown; tiles of a large file report far more
    const double progress = std::floor(std::clamp(fraction, 0.0, 1.0) * kSteps) / kSteps;
    QString title = stageTitle(stage);
    if (!running_ || (firstProgress_ >= 0 && progress <= progress_ && title == stage_)) {
        return;
    }
    progress_ = std::max(progress_, progress);
    stage_ = std::move(title);
    if (firstProgress_ < 0) { // a resumed job begins in the middle
        firstProgress_ = progress_;
        time_.start();
    }
    emit jobChanged();
}

void ChunkFilterViewModel::end(const JobOutcome& outcome) {
    running_ = false;
    hasResult_ = outcome.ok();
    refreshTexts();
    emit jobChanged();
    if (outcome.ok()) {
        most_ = 0;
        emit written(target_);
    } else if (const QString advice = adviceAfter(outcome); !advice.isEmpty()) {
        fail(outcome, advice);
    } else {
        fail(outcome, run_->hasFolder && canResume(target_)
                          ? tr("The work done so far is kept: choose the same file to continue.")
                          : QString());
    }
}

QString ChunkFilterViewModel::adviceAfter(const JobOutcome& outcome) {
    if (outcome.kind != JobOutcome::Kind::failed || outcome.code != ErrorCode::outOfMemory || chunkPixels_ == 0) {
        return {};
    }
    constexpr std::uint64_t kPixelBytes = 56; // of a build, as MemoryPlan has it
    most_ = bytesInMemory(chunkPixels_);      // chunks take half of the memory
    const auto text = [](std::uint64_t bytes) {
        return QLocale().formattedDataSize(static_cast<qint64>(bytes), 1, QLocale::DataSizeIecFormat);
    };
    const DocumentServices& services = document_.pageFilter().services;
    const std::uint64_t available = services.availableMemory ? services.availableMemory() : 0;
    return tr("Each chunk needs %1; this program may use %2. Choose a smaller memory.")
        .arg(text(chunkPixels_ * kPixelBytes), text(available));
}

void ChunkFilterViewModel::fail(const JobOutcome& outcome, const QString& more) {
    if (outcome.kind != JobOutcome::Kind::failed) {
        return;
    }
    const QString why =
        outcome.message.empty() ? tr("There is not enough memory for it.") : QString::fromStdString(outcome.message);
    emit failed(tr("The whole image was not filtered"), more.isEmpty() ? why : why + QLatin1Char('\n') + more);
}

} // namespace pollard::vm
