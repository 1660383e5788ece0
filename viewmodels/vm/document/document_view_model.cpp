#include "vm/document/document_view_model.hpp"

#include "vm/base/attribute_catalogue.hpp"
#include "vm/base/change.hpp"
#include "vm/document/jobs/page_builder.hpp"
#include "vm/image/open_request.hpp"

#include "filter/filter_units.hpp"
#include "image/mask.hpp"
#include "io/volumes/read_volume.hpp"

#include <QDir>
#include <QFileInfo>
#include <QLocale>

#include <algorithm>
#include <functional>
#include <utility>

namespace pollard::vm {

DocumentViewModel::DocumentViewModel(DocumentServices services, QObject* parent)
    : QObject(parent), reading_(shown_, activity_), choices_(shown_), pixelSizes_(shown_, reading_),
      jobs_(std::make_shared<DocumentJobs>(std::move(services))), worker_([jobs = jobs_] { jobs->close(); }),
      saving_(worker_, progressRelay_, jobs_, shown_, choices_, activity_),
      fetch_(worker_, jobs_, std::bind_front(&DocumentViewModel::onFetched, this)),
      volumeFetch_(worker_, jobs_, shown_) {
    connect(&progressRelay_, &ProgressRelay::progressed, &activity_, &DocumentActivity::setStep);
    connect(&reading_, &DocumentReading::requested, this, &DocumentViewModel::openAs);
    connect(&choices_, &DocumentChoices::treeRequested, this, &DocumentViewModel::postBuild);
    connect(&choices_, &DocumentChoices::released, this, &DocumentViewModel::onReleased);
    connect(&pixelSizes_, &DocumentPixelSizes::changed, this, &DocumentViewModel::onPixelSize);
    connect(&saving_, &DocumentSaving::queueChanged, this, &DocumentViewModel::postNextSave);
}

QString DocumentViewModel::name() const {
    const QString folder = shown_.info && shown_.info->isSeries ? QFileInfo(path()).dir().dirName() : QString();
    return folder.isEmpty() ? imageName(path()) : folder;
}

QString DocumentViewModel::title() const {
    const QString name = this->name();
    const auto& projection = request().projection;
    QString title = isVolume()        ? tr("%1 (slice %2 of %3)").arg(name).arg(shown_.slice + 1).arg(sliceCount())
                    : projection      ? tr("%1 (%2 of the slices)").arg(name, projectionName(*projection))
                    : pageCount() > 1 ? tr("%1 (page %2 of %3)").arg(name).arg(page() + 1).arg(pageCount())
                                      : name;
    const QString reduction = request().reductionText();
    return reduction.isEmpty() ? title : QStringLiteral("%1 [%2]").arg(title, reduction);
}

bool DocumentViewModel::shows(const OpenRequest& request) const {
    OpenRequest page = request;
    if (isVolume() && request.slices == Slices::volume) {
        ImageInfo info = *shown_.info;
        info.page = request.page;
        page.page = slicePages(info).first;
    }
    return page.sameImage(shown_.request);
}

OpenRequest DocumentViewModel::pageRequest() const {
    OpenRequest request = shown_.request;
    if (isVolume()) {
        request.page = page();
        request.slices = Slices::pages;
    }
    return request;
}

void DocumentViewModel::open(const QString& path, int page) {
    OpenRequest request;
    request.path = QFileInfo(path).absoluteFilePath();
    request.page = page;
    request.mayReduce = true;
    postLoad(request);
}

void DocumentViewModel::askAbout(const OpenRequest& request) { postLoad(request, true); }

void DocumentViewModel::openAnyway(const OpenRequest& request) {
    reading_.decide(request);
    postLoad(request);
}

void DocumentViewModel::close() {
    for (const Lane lane : {Lane::load, Lane::build, Lane::measure, Lane::slice, Lane::filter, Lane::count}) {
        worker_.stop(lane);
    }
    saving_.dropWaiting();
    loadGeneration_ = buildGeneration_ = filterGeneration_ = 0;
    reading_.stop();
    openFailed_ = false;
    const DeferredRelease old = shown_.retire();
    if (hasImage()) {
        emit documentAboutToChange({});
        worker_.post(Lane::close, [jobs = jobs_](const std::stop_token&) { jobs->close(); }, {});
        const TreeSpec built = shown_.treeSpec;
        shown_ = {};
        wantedSlice_ = 0;
        shown_.treeSpec = built;
        reading_.takeCache({});
        announceDocument(choices_.leaveImage());
    }
    updateActivity();
    postNextSave();
}

void DocumentViewModel::cancel() {
    saving_.clear();
    for (const Lane lane : {Lane::load, Lane::build, Lane::save}) {
        worker_.cancel(lane);
    }
    updateActivity();
}

void DocumentViewModel::requestFilter(const FilterSpec& spec) {
    const bool there = hasResult() && resultSpec() == spec;
    if (spec == choices_.filterSpec() && (filterGeneration_ != 0 || there)) {
        return;
    }
    choices_.setFilterSpec(spec);
    const bool awaited = loadGeneration_ != 0 || buildGeneration_ != 0 || filterGeneration_ != 0;
    if (there && !awaited) {
        return; // the image was opened with this filter
    }
    if (hasImage() || loadGeneration_ != 0) {
        postFilter();
    }
}

void DocumentViewModel::setSlice(int slice) {
    const int wanted = std::clamp(slice, 0, sliceCount() - 1);
    if (!change(wantedSlice_, wanted)) {
        return;
    }
    auto work = [volume = shown_.volume, wanted, spec = choices_.filterSpec()](DocumentJobs& jobs,
                                                                               const JobContext& context) {
        return jobs.showSlice(volume.get(), static_cast<std::uint32_t>(wanted), spec, context);
    };
    sliceGeneration_ = post(Lane::slice, {}, std::move(work), std::bind_front(&DocumentViewModel::onSlice, this));
    volumeFetch_.postpone();
    emit sliceWanted();
}

void DocumentViewModel::onSlice(Generation generation, const JobOutcome& outcome, ShownSlice& result) {
    if (!outcome.ok()) {
        activity_.fail(tr("The slice was not shown"), outcome);
        if (generation == sliceGeneration_) { // else the slice that is wanted now follows
            wantedSlice_ = static_cast<int>(shown_.slice);
            emit sliceWanted();
        }
        return;
    }
    const DeferredRelease old = shown_.retire();
    shown_.adopt(result);
    pixelSizes_.apply();
    updateActivity();
    emit sliceChanged();
    announceTitle();
    announceFrame();
    postNextSave();
}

bool DocumentViewModel::canBeVolume() const {
    return hasImage() && jobs_->services().readVolume && jobs_->services().readInfo &&
           slicePages(*shown_.fileInfo).count > 1;
}

void DocumentViewModel::setVolume(bool volume) { setSlices(volume ? Slices::volume : Slices::pages); }

void DocumentViewModel::setSlices(Slices slices, const std::optional<Projection>& projection) {
    if (!canBeVolume()) {
        return;
    }
    if (statesVolume(*shown_.fileInfo)) {
        reading_.preferSlices(slices, projection);
    }
    OpenRequest request = reading_.presentRequest();
    if (request.slices == slices && request.projection == projection) {
        return;
    }
    request.slices = slices;
    request.projection = projection;
    request.page = page();
    postLoad(request);
}

void DocumentViewModel::setResultPyramidWanted(bool wanted) {
    if (!change(resultPyramidWanted_, wanted)) {
        return;
    }
    jobs_->wantResultPyramids(wanted);
    if (wanted && hasResult() && !shown_.frame.pyramid && filterGeneration_ == 0) {
        postFilter();
    }
}

void DocumentViewModel::requestAttribute(AttributeId id) {
    choices_.setAttribute(id);
    if (attribute(id)) {
        emit attributeReady(id);
    } else if (tree() && shown_.missingAttributes.insert(id).second) {
        postMeasure();
    }
}

void DocumentViewModel::requestPlane(const std::shared_ptr<const PlaneRequest>& request) {
    worker_.cancel(Lane::count);
    post(
        Lane::count, {},
        [request](DocumentJobs& jobs, const JobContext& context) {
            return std::make_shared<const AttributePlane>(jobs.plane(*request, context));
        },
        [this, request](Generation, const JobOutcome& outcome, const std::shared_ptr<const AttributePlane>& plane) {
            if (outcome.kind != JobOutcome::Kind::cancelled) {
                emit planeCounted(request, plane, QString::fromStdString(outcome.message));
            }
        });
}

void DocumentViewModel::requestSections(const std::vector<VolumePlane>& planes) {
    auto work = [volume = shown_.volume, planes](DocumentJobs& jobs, const JobContext& context) {
        return jobs.sections(volume.get(), planes, context);
    };
    post(Lane::section, {}, std::move(work),
         [this, volume = shown_.volume](Generation, const JobOutcome& outcome, SectionsResult& result) {
             onSections(volume.get(), outcome, result);
         });
}

template <class Work, class Done>
LatestWinsWorker::Generation DocumentViewModel::post(Lane lane, const QString& what, Work work, Done done) {
    auto progress = what.isEmpty() ? ProgressRelay::Function() : progressRelay_.forJob(what);
    return worker_.post(
        lane,
        [jobs = jobs_, work = std::move(work), progress](const std::stop_token& stop) {
            return work(*jobs, JobContext{stop, progress});
        },
        std::move(done));
}

void DocumentViewModel::postLoad(const OpenRequest& asked, bool askAlways) {
    OpenRequest request = asked;
    if (hasImage() && request.slices == Slices::automatic && request.path == path()) {
        request.slices = shown_.request.slices;
        request.projection = shown_.request.projection;
    }
    if (isVolume() && request.slices == Slices::volume && request.path == path()) {
        ImageInfo info = *shown_.info;
        info.page = request.page;
        if (request.page == slicePages(info).first) { // the seen slice stays
            request.page += page() - shown_.request.page;
        }
    }
    // Jobs of the previous image are cancelled; should this load fail, the requested tree is built again. A small page
    // of the same stack is finished: otherwise no page would be displayed while the user moves through a stack.
    constexpr std::size_t kQuickPixels = 8'000'000; // reading and building take a fraction of a second
    const bool sameStack = hasImage() && request.sameStack(shown_.request);
    const auto& loading = reading_.loading();
    if (!sameStack || !loading || !loading->sameStack(request) || image()->pixelCount() > kQuickPixels) {
        worker_.cancel(Lane::load);
    }
    worker_.cancel(Lane::build);
    buildGeneration_ = 0;
    volumeFetch_.postpone();

    LoadRules rules = reading_.rulesFor(request);
    rules.askAlways = askAlways;
    auto work = [request, rules, tree = choices_.requestFor(request)](DocumentJobs& jobs, const JobContext& context) {
        return jobs.load(request, rules, tree, context);
    };
    reading_.begin(request);
    const QString what = tr("Opening %1").arg(QFileInfo(request.path).fileName());
    loadGeneration_ =
        post(Lane::load, what, std::move(work), std::bind_front(&DocumentViewModel::onLoaded, this, request));
    activity_.setProgress(0, what);
    updateActivity();
}

void DocumentViewModel::postBuild() {
    if ((!hasImage() && loadGeneration_ == 0) || choices_.holdTree()) {
        return;
    }
    worker_.cancel(Lane::build);
    const bool stopped = std::exchange(buildGeneration_, 0) != 0;
    if (choices_.isTreeAsWanted() && loadGeneration_ == 0) {
        shown_.earlier = choices_.earlierFilters(); // includes filters that are off
        if (stopped) {
            filterIfNotAsWanted();
        }
        updateActivity();
        return;
    }
    const QString what =
        choices_.treeKind() == TreeKind::max ? tr("Building the max-tree") : tr("Building the min-tree");
    auto work = [tree = choices_.request(), image = shown_.fileInfo,
                 size = pixelSizes_.present()](DocumentJobs& jobs, const JobContext& context) {
        jobs.usePixelSize(image.get(), size);
        return jobs.build(tree, context);
    };
    volumeFetch_.postpone();
    buildGeneration_ = post(Lane::build, what, std::move(work), std::bind_front(&DocumentViewModel::onBuilt, this));
    activity_.setProgress(0, what);
    updateActivity();
}

void DocumentViewModel::postFilter() {
    if (choices_.holdFilter()) {
        return;
    }
    auto work = [spec = choices_.filterSpec(), image = shown_.fileInfo,
                 size = pixelSizes_.present()](DocumentJobs& jobs, const JobContext& context) {
        jobs.usePixelSize(image.get(), size);
        return jobs.filter(spec, context);
    };
    volumeFetch_.postpone();
    filterGeneration_ = post(Lane::filter, {}, std::move(work), std::bind_front(&DocumentViewModel::onFiltered, this));
    updateActivity();
}

void DocumentViewModel::postMeasure() {
    auto work = [ids = std::vector(shown_.missingAttributes.begin(), shown_.missingAttributes.end())](
                    DocumentJobs& jobs, const JobContext& context) { return jobs.measure(ids, context); };
    auto done = [this, tree = std::weak_ptr(shown_.tree)](Generation, const JobOutcome& outcome,
                                                          const AttributeColumns& columns) {
        if (tree.lock() != shown_.tree) {
            return; // the new tree came with its filter and attributes
        }
        if (!outcome.ok()) {
            shown_.missingAttributes.clear();
            activity_.fail(tr("The attribute was not measured"), outcome);
            return;
        }
        std::vector<AttributeId> fresh; // a job posted during this one measures the same attributes again
        for (const auto& [id, column] : columns) {
            shown_.missingAttributes.erase(id);
            if (shown_.attributes.try_emplace(id, column).second) {
                fresh.push_back(id);
            }
        }
        for (const AttributeId id : fresh) {
            emit attributeReady(id);
        }
    };
    post(Lane::measure, {}, std::move(work), std::move(done));
}

void DocumentViewModel::updateActivity() {
    using State = DocumentActivity::State;
    const State state = loadGeneration_ != 0    ? State::loading
                        : buildGeneration_ != 0 ? State::building
                        : hasImage()            ? State::ready
                        : openFailed_           ? State::failed
                                                : State::empty;
    const bool busy = loadGeneration_ != 0 || buildGeneration_ != 0 || saving_.isBusy();
    activity_.update(state, busy, filterGeneration_ != 0);
    if (hasResult() && !result() && !activity_.isFiltering()) {
        fetch_.ask({shown_.frame.deviceFrame, shown_.slice});
    } else {
        fetch_.stop();
    }
}

void DocumentViewModel::postNextSave() {
    saving_.advance(filterGeneration_ != 0 ? nullptr : result()); // onFiltered() calls this function again
    updateActivity();
}

PageFilter DocumentViewModel::pageFilter() const {
    OpenRequest stack = shown_.request;
    stack.slices = Slices::pages;
    if (!stack.projection) {
        stack.sliceRange.reset();
    }
    stack.pixelSize = pixelSizes_.stated();
    return {jobs_->services(), std::move(stack), reading_.rules(), choices_.requestForPages()};
}

std::vector<Engine*> DocumentViewModel::engines() const {
    const DocumentServices& services = jobs_->services();
    Engine* const shown = shown_.frame.engine;
    return services.enginesFrom(shown != nullptr ? *shown : services.selectEngine(kFallbackEngine));
}

// Reports. The result of a finished job is always taken over, even if a newer one was posted, because the session has
// it.

void DocumentViewModel::onLoaded(const OpenRequest& request, Generation generation, const JobOutcome& outcome,
                                 LoadResult& result) {
    const bool newest = generation == loadGeneration_;
    OpenRequest opened = reading_.end(request, newest);
    if (outcome.ok()) {
        opened.slices = result.request.slices;
        opened.projection = result.request.projection;
        opened.page = result.request.page;
        opened.level = result.request.level;
        opened.shrink = result.request.shrink;
        opened.mayReduce = false;
    }
    if (newest) {
        loadGeneration_ = 0;
    }
    if (outcome.ok() && !result.question) {
        onOpened(request, opened, result);
    } else if (newest || outcome.kind == JobOutcome::Kind::failed) {
        onNotOpened(request, newest, outcome, result);
    }
    postNextSave();
}

void DocumentViewModel::onOpened(const OpenRequest& request, const OpenRequest& opened, LoadResult& result) {
    emit documentAboutToChange(opened);
    const DeferredRelease old = shown_.retire();
    const EngineUse engine = result.tree.engine;
    saving_.dropWaiting();
    jobs_->allowImagesOnDevice(true);
    // A domain drawn while the page was read is still applied, unless it does not fit the page.
    const auto domain = choices_.domain();
    const auto& image = result.tree.shown.image;
    const bool keepDomain = choices_.isSamePlace(opened) && image && (!domain || fits(*domain, *image));
    reading_.takeCache(result.cache);
    const FilterStages stages = choices_.stagesFor(opened);
    const bool otherFilters = choices_.takeEarlier(stages);
    const bool carried = hasImage() && request.path != path();
    shown_.adopt(opened, result);
    wantedSlice_ = static_cast<int>(shown_.slice);
    worker_.stop(Lane::slice);
    pixelSizes_.apply();
    choices_.adoptConnectivity();
    openFailed_ = false;
    if (!keepDomain) {
        choices_.takeDomain(nullptr);
    }
    updateActivity();
    activity_.clearError();
    announceDocument(otherFilters);
    adoptEngine(engine);
    const std::size_t filters = effectiveStages(stages).size();
    if (carried && filters > 0 && choices_.earlierFilters() == stages) { // a session has its own filters
        emit noticeRaised(filters == 1 ? tr("The earlier filter works on this image, too")
                                       : tr("The %1 earlier filters work on this image, too").arg(filters));
    }
    if (result.tooLarge) {
        const auto text = [](std::uint64_t bytes) {
            return QLocale().formattedDataSize(static_cast<qint64>(bytes), 1);
        };
        const MemoryPlan& plan = *result.tooLarge; // where the memory of a device is too small: of the CPU engine
        const MemoryNeed& need = plan.overHost ? plan.need : plan.cpuNeed.value_or(plan.need);
        emit noticeRaised(tr("Opened as pages: as a volume it needs up to %1 of memory, %2 are free")
                              .arg(text(need.host), text(plan.there.host)));
    }
    buildIfNotAsWanted();
    if (pixelSizes_.stated() != request.pixelSize) { // set while it was read, or for its folder
        onPixelSize();
    }
}

void DocumentViewModel::onPixelSize() {
    if (dependsOnPixelSize(choices_.earlierFilters())) {
        postBuild();
    } else if (hasUnits(choices_.filterSpec())) {
        postFilter();
    }
}

void DocumentViewModel::onNotOpened(const OpenRequest& request, bool newest, const JobOutcome& outcome,
                                    const LoadResult& result) {
    const bool failed = outcome.kind == JobOutcome::Kind::failed;
    if (!outcome.ok()) {
        openFailed_ = failed && !hasImage();
    }
    if (outcome.kind == JobOutcome::Kind::cancelled) {
        choices_.revertTree();
    } else if (newest && buildGeneration_ == 0) {
        postBuild(); // restarts the build that the load cancelled
    }
    filterIfNotAsWanted();
    updateActivity();
    if (failed) {
        const bool unknown = outcome.code == ErrorCode::formatUnknown && !request.raw;
        activity_.fail(tr("%1 was not opened").arg(QFileInfo(request.path).fileName()), outcome,
                       unknown ? request.path : QString());
    } else if (outcome.ok()) {
        emit decisionNeeded(*result.question, result.request);
    }
}

void DocumentViewModel::onBuilt(Generation generation, const JobOutcome& outcome, TreeResult& result) {
    const bool newest = generation == buildGeneration_;
    if (newest) {
        buildGeneration_ = 0;
    }
    if (outcome.ok()) {
        const DeferredRelease old = shown_.retire();
        const EngineUse engine = result.engine;
        shown_.adopt(result);
        reading_.takeCache({}); // the cached pages have the previous tree
        updateActivity();
        announceTree();
        adoptEngine(engine);
        buildIfNotAsWanted();
    } else if (newest) {
        choices_.revertTree();
        filterIfNotAsWanted();
        updateActivity();
        activity_.fail(tr("The tree was not built"), outcome);
    }
}

void DocumentViewModel::onFiltered(Generation generation, const JobOutcome& outcome, FrameResult& result) {
    if (generation == filterGeneration_) {
        filterGeneration_ = 0;
    }
    if (outcome.ok()) {
        shown_.adopt(result);
    }
    updateActivity();
    if (outcome.ok()) {
        announceFrame();
    } else {
        activity_.fail(tr("The image was not filtered"), outcome);
    }
    postNextSave();
}

void DocumentViewModel::onSections(const Image* volume, const JobOutcome& outcome, SectionsResult& result) {
    if (outcome.kind != JobOutcome::Kind::cancelled) {
        emit sectionsReady(result.sections, QString::fromStdString(outcome.message));
    }
    if (result.frame && volume == shown_.volume.get()) {
        shown_.adopt(*result.frame);
        updateActivity();
        announceFrame();
    }
}

void DocumentViewModel::onFetched(const DeviceSlice& slice, const JobOutcome& outcome,
                                  const std::shared_ptr<const Image>& image) {
    if (slice != DeviceSlice{shown_.frame.deviceFrame, shown_.slice} || result()) {
        return;
    }
    if (outcome.kind == JobOutcome::Kind::failed) {
        jobs_->allowImagesOnDevice(false);
        postFilter(); // fails in the same way and switches to the other engine, or makes the image
    } else if (outcome.ok()) {
        shown_.frame.image = image;
        emit resultFetched();
    }
    postNextSave();
}

void DocumentViewModel::adoptEngine(const EngineUse& use) {
    choices_.takeEngine(use);
    if (!use.notice.empty()) {
        emit noticeRaised(tr("The %1 engine took over: %2")
                              .arg(QString::fromStdString(use.name), QString::fromStdString(use.notice)));
    }
}

void DocumentViewModel::onReleased(bool tree, bool filter) {
    if (tree) {
        postBuild();
    }
    const bool comesWithTree = tree && buildGeneration_ != 0 && filterGeneration_ == 0;
    if (filter && !comesWithTree) { // a waiting filter job is replaced: it would run after the tree is built
        postFilter();
    }
}

void DocumentViewModel::announceDocument(bool otherFilters) {
    describeVolumes(isVolume());
    emit imageChanged();
    announceTitle();
    if (otherFilters) {
        emit choices_.earlierFiltersChanged();
    }
    announceTree();
}

void DocumentViewModel::announceTitle() {
    const QString before = std::exchange(announcedTitle_, title());
    if (before.isEmpty() != announcedTitle_.isEmpty()) {
        emit hasImageChanged();
    }
    if (before != announcedTitle_) {
        emit titleChanged();
    }
}

void DocumentViewModel::announceTree() {
    volumeFetch_.drop();
    emit treeChanged();
    emit frameReady();
}

void DocumentViewModel::announceFrame() {
    emit frameReady();
    if (shown_.frame.takenOver) {
        adoptEngine(*std::exchange(shown_.frame.takenOver, {}));
    }
}

void DocumentViewModel::buildIfNotAsWanted() {
    if (loadGeneration_ == 0 && buildGeneration_ == 0) {
        postBuild(); // does nothing if the tree is present
    }
}

void DocumentViewModel::filterIfNotAsWanted() {
    const bool awaited = loadGeneration_ != 0 || buildGeneration_ != 0 || filterGeneration_ != 0;
    if (hasImage() && !awaited && resultSpec() != choices_.filterSpec()) {
        postFilter();
    }
}

} // namespace pollard::vm
