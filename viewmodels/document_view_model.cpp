#include "document_view_model.hpp"

#include <QCoreApplication>
#include <QFileInfo>

#include <algorithm>
#include <utility>

namespace pollard::vm {

namespace {

constexpr std::array kColourNames{"red", "green", "blue"};

} // namespace

DocumentViewModel::DocumentViewModel(DocumentServices services, QObject* parent)
    : QObject(parent), jobs_(std::make_shared<DocumentJobs>(std::move(services))),
      worker_([jobs = jobs_] { jobs->close(); }) {
    connect(&progressRelay_, &ProgressRelay::progressed, this,
            [this](double fraction, const QString& what, const QString& stage) {
                if (busy_) {
                    const QString step = QCoreApplication::translate("Stage", stage.toUtf8().constData());
                    setProgress(fraction, step.isEmpty() ? what : tr("%1: %2").arg(what, step));
                }
            });
}

DocumentViewModel::~DocumentViewModel() = default;

QString DocumentViewModel::title() const {
    const QString name = QFileInfo(path_).fileName();
    return pageCount() > 1 ? tr("%1 (page %2 of %3)").arg(name).arg(page_ + 1).arg(pageCount()) : name;
}

int DocumentViewModel::pageCount() const noexcept { return info_ ? info_->pages : 0; }

QString DocumentViewModel::channelName() const {
    if (channel_.kind == ChannelChoice::Kind::luminance) {
        return QStringLiteral("luminance");
    }
    const auto sample = static_cast<std::size_t>(std::max(0, channel_.sample));
    return sample < kColourNames.size() ? QString::fromLatin1(kColourNames[sample]) : QString::number(sample);
}

QStringList DocumentViewModel::channelNames() const {
    QStringList names{QStringLiteral("luminance")};
    if (info_ && (info_->samples >= 3 || info_->photometric == "Palette")) {
        for (const char* name : kColourNames) {
            names << QString::fromLatin1(name);
        }
    }
    return names;
}

std::shared_ptr<const AttributeColumn> DocumentViewModel::attribute(AttributeId id) const noexcept {
    const auto found = attributes_.find(id);
    return found == attributes_.end() ? nullptr : found->second;
}

// What a person asks for

void DocumentViewModel::open(const QString& path, int page) {
    postLoad({QFileInfo(path).absoluteFilePath(), page, {}});
}

void DocumentViewModel::close() {
    for (const Lane lane : {Lane::load, Lane::build, Lane::measure, Lane::filter}) {
        worker_.cancel(lane);
        worker_.forget(lane);
    }
    dropUnmadeSaves();
    loadGeneration_ = buildGeneration_ = filterGeneration_ = 0;
    loading_.reset();
    openFailed_ = false;
    const RetiredData old = presentData();
    if (image_) {
        worker_.post(Lane::close, [jobs = jobs_](const std::stop_token&) { jobs->close(); }, {});
        path_.clear();
        page_ = 0;
        channel_ = {};
        info_.reset();
        image_.reset();
        valid_.reset();
        domain_.reset();
        histogram_.reset();
        tree_.reset();
        treeReport_ = {};
        attributes_.clear();
        missingAttributes_.clear();
        result_.reset();
        deviceFrame_.reset();
        resultEngine_ = nullptr;
        filterReport_ = {};
        resultBrightLevel_ = 0;
        emit documentChanged();
        announceTree();
    }
    updateActivity();
    postNextSave();
}

void DocumentViewModel::cancel() {
    saves_.clear();
    for (const Lane lane : {Lane::load, Lane::build, Lane::save}) {
        worker_.cancel(lane);
    }
    updateActivity();
}

void DocumentViewModel::setPage(int page) {
    OpenRequest request = presentRequest();
    if (request.path.isEmpty() || request.page == page) {
        return;
    }
    request.page = page;
    postLoad(request);
}

void DocumentViewModel::setChannel(const ChannelChoice& channel) {
    OpenRequest request = presentRequest();
    if (request.path.isEmpty() || request.channel == channel) {
        return;
    }
    request.channel = channel;
    postLoad(request);
}

void DocumentViewModel::setChannelName(const QString& name) {
    try {
        setChannel(ChannelChoice::parse(name.toStdString()));
    } catch (const Error& error) {
        fail(tr("The channel cannot be shown"), {JobOutcome::Kind::failed, error.code(), error.what()});
    }
}

void DocumentViewModel::setTreeKind(TreeKind kind) {
    TreeSpec spec = treeSpec_;
    spec.kind = kind;
    setTreeSpec(spec);
}

void DocumentViewModel::setConnectivity(Connectivity connectivity) {
    TreeSpec spec = treeSpec_;
    spec.connectivity = connectivity;
    setTreeSpec(spec);
}

void DocumentViewModel::setTreeSpec(const TreeSpec& spec) {
    if (spec == treeSpec_) {
        return;
    }
    treeSpec_ = spec;
    emit treeSpecChanged();
    postBuild();
}

void DocumentViewModel::setEngine(const QString& name) {
    if (name == requestedEngine_) {
        return;
    }
    requestedEngine_ = name;
    emit engineChanged();
    postBuild();
}

void DocumentViewModel::requestFilter(const FilterSpec& spec) {
    const bool comingOrThere = filterGeneration_ != 0 || (result_ && resultSpec_ == spec);
    if (spec == filterSpec_ && comingOrThere) {
        return;
    }
    filterSpec_ = spec;
    if (image_ || loadGeneration_ != 0) {
        postFilter();
    }
}

void DocumentViewModel::requestAttribute(AttributeId id) {
    lastRequestedAttribute_ = id;
    if (attribute(id)) {
        emit attributeReady(id);
    } else if (tree_ && missingAttributes_.insert(id).second) {
        postMeasure();
    }
}

void DocumentViewModel::saveFiltered(const QString& path) {
    if (!result_) {
        fail(tr("The picture was not saved"),
             {JobOutcome::Kind::failed, ErrorCode::invalidArgument, tr("There is no filtered picture.").toStdString()});
        return;
    }
    // A person who drags and saves at once wants the picture of the last position.
    saves_.push_back({QFileInfo(path).absoluteFilePath(), filtering_ ? nullptr : result_, info_});
    postNextSave();
}

// Jobs

DocumentViewModel::OpenRequest DocumentViewModel::presentRequest() const {
    return loading_.value_or(OpenRequest{path_, page_, channel_});
}

TreeRequest DocumentViewModel::treeRequest() const {
    std::set<AttributeId> ids{AttributeId::area, lastRequestedAttribute_};
    for (const Criterion& criterion : filterSpec_.criteria) {
        ids.insert(criterion.attribute);
    }
    return {requestedEngine_.toStdString(), treeSpec_, {ids.begin(), ids.end()}, filterSpec_};
}

void DocumentViewModel::postLoad(const OpenRequest& request) {
    // What runs for the image before is stale now. Should this load fail, the tree that was wanted is built again.
    worker_.cancel(Lane::load);
    worker_.cancel(Lane::build);
    buildGeneration_ = 0;

    ReadOptions options;
    options.page = request.page;
    options.channel = request.channel;
    const QFileInfo file(request.path);
    const QString what = tr("Opening %1").arg(file.fileName());
    auto result = std::make_shared<LoadResult>();
    auto job = [jobs = jobs_, path = file.filesystemFilePath(), options, tree = treeRequest(),
                progress = progressRelay_.forJob(what), result](const std::stop_token& stop) {
        *result = jobs->load(path, options, tree, {stop, progress});
    };
    auto done = [this, request, result](Generation generation, const JobOutcome& outcome) {
        onLoaded(request, generation, outcome, *result);
    };
    loading_ = request;
    loadGeneration_ = worker_.post(Lane::load, std::move(job), std::move(done));
    setProgress(0, what);
    updateActivity();
}

void DocumentViewModel::postBuild() {
    if (!image_ && loadGeneration_ == 0) {
        return;
    }
    worker_.cancel(Lane::build);
    buildGeneration_ = 0;
    const bool present = treeSpec_ == builtSpec_ && requestedEngine_ == adoptedEngine_;
    if (present && loadGeneration_ == 0) {
        updateActivity();
        return;
    }
    const QString what = treeSpec_.kind == TreeKind::max ? tr("Building the max-tree") : tr("Building the min-tree");
    auto result = std::make_shared<TreeResult>();
    auto job = [jobs = jobs_, tree = treeRequest(), progress = progressRelay_.forJob(what),
                result](const std::stop_token& stop) {
        *result = jobs->build(tree, {stop, progress});
    };
    auto done = [this, result](Generation generation, const JobOutcome& outcome) {
        onBuilt(generation, outcome, *result);
    };
    buildGeneration_ = worker_.post(Lane::build, std::move(job), std::move(done));
    setProgress(0, what);
    updateActivity();
}

void DocumentViewModel::postFilter() {
    auto result = std::make_shared<FrameResult>();
    auto job = [jobs = jobs_, spec = filterSpec_, result](const std::stop_token& stop) {
        *result = jobs->filter(spec, {stop, {}});
    };
    auto done = [this, result](Generation generation, const JobOutcome& outcome) {
        onFiltered(generation, outcome, *result);
    };
    filterGeneration_ = worker_.post(Lane::filter, std::move(job), std::move(done));
    updateActivity();
}

void DocumentViewModel::postMeasure() {
    auto result = std::make_shared<AttributeColumns>();
    auto job = [jobs = jobs_, ids = std::vector(missingAttributes_.begin(), missingAttributes_.end()),
                result](const std::stop_token& stop) {
        *result = jobs->measure(ids, {stop, {}});
    };
    auto done = [this, tree = std::weak_ptr(tree_), result](Generation, const JobOutcome& outcome) {
        if (tree.lock() != tree_) {
            return; // the new tree came with what was wanted of it
        }
        if (!outcome.ok()) {
            missingAttributes_.clear();
            fail(tr("The attribute was not measured"), outcome);
            return;
        }
        std::vector<AttributeId> fresh; // a job that follows soon measures again what this one does
        for (const auto& [id, column] : *result) {
            missingAttributes_.erase(id);
            if (attributes_.try_emplace(id, column).second) {
                fresh.push_back(id);
            }
        }
        for (const AttributeId id : fresh) {
            emit attributeReady(id);
        }
    };
    worker_.post(Lane::measure, std::move(job), std::move(done));
}

void DocumentViewModel::postNextSave() {
    if (saving_ || saves_.empty()) {
        return;
    }
    SaveRequest& next = saves_.front();
    if (!next.image) {
        if (filterGeneration_ != 0) {
            return; // onFiltered() comes back here
        }
        next.image = result_;
    }
    const SaveRequest request = std::move(next);
    saves_.pop_front();
    saving_ = true;
    TiffWriteOptions options;
    options.carried = request.info->carried;
    const QFileInfo file(request.path);
    const QString what = tr("Saving %1").arg(file.fileName());
    auto job = [jobs = jobs_, path = file.filesystemFilePath(), image = request.image, options,
                progress = progressRelay_.forJob(what)](const std::stop_token& stop) {
        jobs->save(path, *image, options, {stop, progress});
    };
    auto done = [this, path = request.path](Generation, const JobOutcome& outcome) { onSaved(path, outcome); };
    worker_.post(Lane::save, std::move(job), std::move(done));
    updateActivity();
}

void DocumentViewModel::dropUnmadeSaves() {
    std::deque<SaveRequest> made;
    std::deque<SaveRequest> unmade;
    for (SaveRequest& save : saves_) {
        (save.image ? made : unmade).push_back(std::move(save));
    }
    saves_ = std::move(made);
    for (const SaveRequest& save : unmade) {
        fail(tr("%1 was not saved").arg(QFileInfo(save.path).fileName()),
             {JobOutcome::Kind::failed, {}, tr("The image was closed before it was filtered.").toStdString()});
    }
}

// Reports. What a job finished is always taken over, even if it is no longer the newest: the session has it.

void DocumentViewModel::onLoaded(const OpenRequest& request, Generation generation, const JobOutcome& outcome,
                                 LoadResult& result) {
    const bool newest = generation == loadGeneration_;
    if (newest) {
        loadGeneration_ = 0;
        loading_.reset();
    }
    if (outcome.ok()) {
        const RetiredData old = presentData();
        dropUnmadeSaves();
        path_ = request.path;
        page_ = request.page;
        channel_ = request.channel;
        info_ = result.info;
        image_ = result.image;
        valid_ = result.valid;
        histogram_ = result.histogram;
        openFailed_ = false;
        adoptTree(result.tree);
        updateActivity();
        setLastError({});
        emit documentChanged();
        announceTree();
        adoptEngine(result.tree.engine);
        buildIfNotAsWanted();
    } else if (newest || outcome.kind == JobOutcome::Kind::failed) {
        openFailed_ = outcome.kind == JobOutcome::Kind::failed && !image_;
        if (outcome.kind == JobOutcome::Kind::cancelled) {
            revertTreeChoice();
        } else if (newest && buildGeneration_ == 0) {
            postBuild(); // the one that was stopped for this load
        }
        updateActivity();
        if (outcome.kind == JobOutcome::Kind::failed) {
            fail(tr("%1 was not opened").arg(QFileInfo(request.path).fileName()), outcome);
        }
    }
    postNextSave();
}

void DocumentViewModel::onBuilt(Generation generation, const JobOutcome& outcome, TreeResult& result) {
    const bool newest = generation == buildGeneration_;
    if (newest) {
        buildGeneration_ = 0;
    }
    if (outcome.ok()) {
        const RetiredData old = presentData();
        adoptTree(result);
        updateActivity();
        announceTree();
        adoptEngine(result.engine);
        buildIfNotAsWanted();
    } else if (newest) {
        revertTreeChoice();
        updateActivity();
        if (outcome.kind == JobOutcome::Kind::failed) {
            fail(tr("The tree was not built"), outcome);
        }
    }
}

void DocumentViewModel::onFiltered(Generation generation, const JobOutcome& outcome, FrameResult& result) {
    if (generation == filterGeneration_) {
        filterGeneration_ = 0;
    }
    if (outcome.ok()) {
        adoptFrame(result);
    }
    updateActivity();
    if (outcome.ok()) {
        emit frameReady();
        if (result.takenOver) {
            adoptEngine(*result.takenOver);
        }
    } else if (outcome.kind == JobOutcome::Kind::failed) {
        fail(tr("The picture was not filtered"), outcome);
    }
    postNextSave();
}

void DocumentViewModel::onSaved(const QString& path, const JobOutcome& outcome) {
    saving_ = false;
    postNextSave();
    updateActivity();
    if (outcome.ok()) {
        emit saved(path);
    } else if (outcome.kind == JobOutcome::Kind::failed) {
        fail(tr("%1 was not saved").arg(QFileInfo(path).fileName()), outcome);
    }
}

void DocumentViewModel::adoptTree(TreeResult& result) {
    builtSpec_ = result.spec;
    tree_ = std::move(result.tree);
    treeReport_ = std::move(result.report);
    attributes_.clear();
    missingAttributes_.clear();
    for (auto& [id, column] : result.attributes) {
        attributes_[id] = std::move(column);
    }
    adoptFrame(result.frame);
}

void DocumentViewModel::adoptFrame(FrameResult& frame) {
    result_ = std::move(frame.image);
    deviceFrame_ = std::move(frame.deviceFrame);
    resultEngine_ = frame.engine;
    resultSpec_ = std::move(frame.spec);
    filterReport_ = std::move(frame.report);
    resultBrightLevel_ = frame.brightLevel;
}

void DocumentViewModel::adoptEngine(const EngineUse& use) {
    adoptedEngine_ = QString::fromStdString(use.requested);
    const QString name = QString::fromStdString(use.name);
    const QString device = QString::fromStdString(use.device);
    if (name != engineName_ || device != engineDevice_) {
        engineName_ = name;
        engineDevice_ = device;
        emit engineChanged();
    }
    if (!use.notice.empty()) {
        emit noticeRaised(tr("The %1 engine took over: %2").arg(name, QString::fromStdString(use.notice)));
    }
}

RetiredData DocumentViewModel::presentData() const {
    RetiredData data;
    data.hold(image_);
    data.hold(histogram_);
    data.hold(tree_);
    data.hold(result_);
    data.hold(deviceFrame_);
    for (const auto& [id, column] : attributes_) {
        data.hold(column);
    }
    return data;
}

void DocumentViewModel::announceTree() {
    emit treeChanged();
    emit frameReady();
}

void DocumentViewModel::revertTreeChoice() {
    if (!image_) {
        return; // a choice for the first image to come
    }
    if (requestedEngine_ != adoptedEngine_) {
        requestedEngine_ = adoptedEngine_;
        emit engineChanged();
    }
    if (treeSpec_ != builtSpec_) {
        treeSpec_ = builtSpec_;
        emit treeSpecChanged();
    }
}

void DocumentViewModel::buildIfNotAsWanted() {
    if (loadGeneration_ == 0 && buildGeneration_ == 0) {
        postBuild(); // nothing if it is there
    }
}

// State

void DocumentViewModel::fail(const QString& title, const JobOutcome& outcome) {
    if (outcome.kind == JobOutcome::Kind::cancelled) {
        return;
    }
    QString text = QString::fromStdString(outcome.message);
    if (text.isEmpty()) {
        text = outcome.code == ErrorCode::outOfMemory ? tr("There is not enough memory for it.")
                                                      : tr("The reason is unknown.");
    }
    setLastError(text);
    emit errorOccurred(title, text);
}

void DocumentViewModel::setLastError(const QString& text) {
    if (text == lastError_) {
        return;
    }
    lastError_ = text;
    emit lastErrorChanged();
}

void DocumentViewModel::setProgress(double fraction, const QString& text) {
    if (fraction == progress_ && text == progressText_) {
        return;
    }
    progress_ = fraction;
    progressText_ = text;
    emit progressChanged();
}

void DocumentViewModel::updateActivity() {
    const State state = loadGeneration_ != 0    ? State::loading
                        : buildGeneration_ != 0 ? State::building
                        : image_                ? State::ready
                        : openFailed_           ? State::failed
                                                : State::empty;
    const bool busy = loadGeneration_ != 0 || buildGeneration_ != 0 || saving_;
    const bool filtering = filterGeneration_ != 0;
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

} // namespace pollard::vm
