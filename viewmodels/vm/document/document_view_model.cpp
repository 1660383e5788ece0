#include "vm/document/document_view_model.hpp"

#include "vm/document/followed_stages.hpp"

#include <QCoreApplication>
#include <QFileInfo>

#include <algorithm>
#include <utility>

namespace pollard::vm {

namespace {

/// Up to this size, reading a page and building its tree take a fraction of a second, px.
constexpr std::size_t kQuickPixels = 8'000'000;

constexpr std::array kColourNames{"red", "green", "blue"};

} // namespace

DocumentViewModel::DocumentViewModel(DocumentServices services, QObject* parent)
    : QObject(parent), jobs_(std::make_shared<DocumentJobs>(std::move(services))),
      worker_([jobs = jobs_] { jobs->close(); }),
      saves_(worker_, progressRelay_, jobs_,
             [this](const QString& path, const JobOutcome& outcome) { onSaved(path, outcome); }),
      fetch_(worker_, jobs_, [this](const auto& frame, const JobOutcome& outcome, const auto& image) {
          onFetched(frame, outcome, image);
      }) {
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
    const QString name = QFileInfo(path()).fileName();
    QString title = pageCount() > 1 ? tr("%1 (page %2 of %3)").arg(name).arg(page() + 1).arg(pageCount()) : name;
    const QString reduction = reductionText();
    return reduction.isEmpty() ? title : QStringLiteral("%1 [%2]").arg(title, reduction);
}

int DocumentViewModel::pageCount() const noexcept { return shown_.info ? shown_.info->pages : 0; }

QString DocumentViewModel::channelName() const {
    if (channel().kind == ChannelChoice::Kind::luminance) {
        return QStringLiteral("luminance");
    }
    const auto sample = static_cast<std::size_t>(std::max(0, channel().sample));
    return sample < kColourNames.size() ? QString::fromLatin1(kColourNames[sample]) : QString::number(sample);
}

QStringList DocumentViewModel::channelNames() const {
    QStringList names{QStringLiteral("luminance")};
    if (shown_.info && (shown_.info->samples >= 3 || shown_.info->photometric == "Palette")) {
        for (const char* name : kColourNames) {
            names << QString::fromLatin1(name);
        }
    }
    return names;
}

// Requests

void DocumentViewModel::open(const QString& path, int page) {
    OpenRequest request;
    request.path = QFileInfo(path).absoluteFilePath();
    request.page = page;
    postLoad(request);
}

void DocumentViewModel::openAs(const OpenRequest& request) { postLoad(request); }

void DocumentViewModel::openAnyway(const OpenRequest& request) {
    decided_ = request;
    postLoad(request);
}

void DocumentViewModel::close() {
    for (const Lane lane : {Lane::load, Lane::build, Lane::measure, Lane::filter, Lane::count}) {
        worker_.cancel(lane);
        worker_.forget(lane);
    }
    dropUnmadeSaves();
    loadGeneration_ = buildGeneration_ = filterGeneration_ = 0;
    loading_.reset();
    openFailed_ = false;
    const RetiredData old = shown_.retire();
    if (hasImage()) {
        emit documentAboutToChange({});
        worker_.post(Lane::close, [jobs = jobs_](const std::stop_token&) { jobs->close(); }, {});
        const TreeSpec built = shown_.treeSpec;
        shown_ = {};
        shown_.treeSpec = built;
        takeDomain(nullptr);
        takeCache({});
        FilterStages stages = carriedOver(earlier_);
        const bool otherFilters = stages != earlier_;
        earlier_ = std::move(stages);
        emit documentChanged();
        if (otherFilters) {
            emit earlierFiltersChanged();
        }
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

template <class Change> void DocumentViewModel::readWith(const Change& change) {
    if (isOpeningAnother()) {
        emit readingKept();
        return;
    }
    const OpenRequest last = presentRequest();
    OpenRequest request = last;
    change(request);
    if (!last.path.isEmpty() && !(request == last)) {
        postLoad(request);
    }
}

void DocumentViewModel::setPage(int page) {
    readWith([page](OpenRequest& request) { request.page = page; });
}

void DocumentViewModel::setChannel(const ChannelChoice& channel) {
    readWith([&channel](OpenRequest& request) { request.channel = channel; });
}

void DocumentViewModel::setMapping(const MappingChoice& mapping) {
    readWith([&mapping](OpenRequest& request) { request.mapping = mapping; });
}

void DocumentViewModel::setLevel(int level) {
    readWith([level](OpenRequest& request) {
        if (request.level != level) {
            request.level = level;
            request.region.reset(); // a part of the other level
        }
    });
}

void DocumentViewModel::setReadRegion(const std::optional<PixelRegion>& region) {
    readWith([&region](OpenRequest& request) { request.region = region; });
}

void DocumentViewModel::setShrink(int factor) {
    readWith([factor](OpenRequest& request) { request.shrink = factor; });
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

void DocumentViewModel::setDomain(const std::shared_ptr<const Mask>& domain) {
    if (domain == domain_ || !hasImage()) {
        return;
    }
    takeDomain(domain);
    postBuild();
}

void DocumentViewModel::takeDomain(const std::shared_ptr<const Mask>& domain) {
    if (domain != domain_) {
        domain_ = domain;
        emit domainChanged();
    }
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
    const bool comingOrThere = filterGeneration_ != 0 || (hasResult() && resultSpec() == spec);
    if (spec == filterSpec_ && comingOrThere) {
        return;
    }
    filterSpec_ = spec;
    if (hasImage() || loadGeneration_ != 0) {
        postFilter();
    }
}

void DocumentViewModel::setResultPyramidWanted(bool wanted) {
    if (wanted == resultPyramidWanted_) {
        return;
    }
    resultPyramidWanted_ = wanted;
    jobs_->wantResultPyramids(wanted);
    if (wanted && hasResult() && !resultPyramid() && filterGeneration_ == 0) {
        postFilter();
    }
}

void DocumentViewModel::requestAttribute(AttributeId id) {
    lastRequestedAttribute_ = id;
    if (attribute(id)) {
        emit attributeReady(id);
    } else if (tree() && shown_.missingAttributes.insert(id).second) {
        postMeasure();
    }
}

void DocumentViewModel::requestPlane(const std::shared_ptr<const PlaneRequest>& request) {
    auto plane = std::make_shared<AttributePlane>();
    worker_.cancel(Lane::count);
    worker_.post(
        Lane::count,
        [jobs = jobs_, request, plane](const std::stop_token& stop) {
            *plane = jobs->plane(*request, {stop, {}});
        },
        [this, request, plane](Generation, const JobOutcome& outcome) {
            if (outcome.ok()) {
                emit planeCounted(request, plane, {});
            } else if (outcome.kind == JobOutcome::Kind::failed) {
                emit planeCounted(request, nullptr, QString::fromStdString(outcome.message));
            }
        });
}

// Jobs

bool DocumentViewModel::isOpeningAnother() const { return hasImage() && loading_ && loading_->path != path(); }

OpenRequest DocumentViewModel::presentRequest() const { return loading_.value_or(shown_.request); }

TreeRequest DocumentViewModel::treeRequest() const {
    std::set<AttributeId> ids{AttributeId::area, lastRequestedAttribute_};
    for (const Criterion& criterion : filterSpec_.criteria) {
        ids.insert(criterion.attribute);
    }
    return {requestedEngine_.toStdString(), treeSpec_, domain_, earlier_, {ids.begin(), ids.end()}, filterSpec_};
}

void DocumentViewModel::postLoad(const OpenRequest& request) {
    // Jobs of the previous image are cancelled; should this load fail, the requested tree is built again. A small page
    // of the same stack is finished: otherwise no page would be displayed while the user moves through a stack.
    const bool sameStack = hasImage() && request.sameStack(shown_.request);
    if (!sameStack || !loading_ || !loading_->sameStack(request) || image()->pixelCount() > kQuickPixels) {
        worker_.cancel(Lane::load);
    }
    worker_.cancel(Lane::build);
    buildGeneration_ = 0;

    const QFileInfo file(request.path);
    const QString what = tr("Opening %1").arg(file.fileName());
    TreeRequest tree = withoutPicks(treeRequest());
    tree.earlier = stagesFor(request);
    if (request.path != path()) {
        tree.domain.reset(); // drawn in another picture
    }
    LoadRules rules = rules_;
    rules.askFirst = rules.askFirst && !sameStack && !(decided_ && decided_->sameStack(request));
    auto result = std::make_shared<LoadResult>();
    auto job = [jobs = jobs_, request, rules, tree = std::move(tree), progress = progressRelay_.forJob(what),
                result](const std::stop_token& stop) {
        *result = jobs->load(request, rules, tree, {stop, progress});
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
    if (!hasImage() && loadGeneration_ == 0) {
        return;
    }
    if (holds_ > 0) {
        buildHeld_ = true;
        return;
    }
    worker_.cancel(Lane::build);
    const bool stopped = std::exchange(buildGeneration_, 0) != 0;
    if (isTreeAsWanted() && loadGeneration_ == 0) {
        shown_.earlier = earlier_; // includes filters that are off
        if (stopped) {
            filterIfNotAsWanted();
        }
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
    if (holds_ > 0) {
        filterHeld_ = true;
        return;
    }
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
    auto job = [jobs = jobs_, ids = std::vector(shown_.missingAttributes.begin(), shown_.missingAttributes.end()),
                result](const std::stop_token& stop) {
        *result = jobs->measure(ids, {stop, {}});
    };
    auto done = [this, tree = std::weak_ptr(shown_.tree), result](Generation, const JobOutcome& outcome) {
        if (tree.lock() != shown_.tree) {
            return; // the new tree came with its filter and attributes
        }
        if (!outcome.ok()) {
            shown_.missingAttributes.clear();
            fail(tr("The attribute was not measured"), outcome);
            return;
        }
        std::vector<AttributeId> fresh; // a job posted during this one measures the same attributes again
        for (const auto& [id, column] : *result) {
            shown_.missingAttributes.erase(id);
            if (shown_.attributes.try_emplace(id, column).second) {
                fresh.push_back(id);
            }
        }
        for (const AttributeId id : fresh) {
            emit attributeReady(id);
        }
    };
    worker_.post(Lane::measure, std::move(job), std::move(done));
}

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
                        : hasImage()            ? State::ready
                        : openFailed_           ? State::failed
                                                : State::empty;
    const bool busy = loadGeneration_ != 0 || buildGeneration_ != 0 || saves_.isBusy();
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
    if (hasResult() && !result() && !filtering_) {
        fetch_.ask(deviceFrame());
    } else {
        fetch_.stop();
    }
}

} // namespace pollard::vm
