// DocumentViewModel: results of jobs. Those of a finished job are always taken over, even if a newer one was posted,
// because the session has them.
#include "vm/document/document_view_model.hpp"

#include "image/mask_shape.hpp"

#include <QFileInfo>

#include <utility>

namespace pollard::vm {

void DocumentViewModel::onLoaded(const OpenRequest& request, Generation generation, const JobOutcome& outcome,
                                 LoadResult& result) {
    const bool newest = generation == loadGeneration_;
    OpenRequest opened = request;
    if (loading_ && loading_->path == request.path) {
        opened.pixelSize = loading_->pixelSize; // may have been set during the load
    }
    if (newest) {
        loadGeneration_ = 0;
        loading_.reset();
    }
    if (outcome.ok() && result.question) {
        if (newest) {
            onQuestion(request, *result.question);
        }
    } else if (outcome.ok()) {
        emit documentAboutToChange(request);
        const RetiredData old = shown_.retire();
        const EngineUse engine = result.tree.engine;
        dropUnmadeSaves();
        jobs_->letPicturesStay(true);
        // A domain drawn while the page was read is still applied, unless it does not fit the page.
        const bool keepDomain = request.path == path() && result.image && (!domain_ || fits(*domain_, *result.image));
        takeCache(result.cache);
        const FilterStages stages = stagesFor(request);
        const bool otherFilters = stages != earlier_;
        const bool carried = hasImage() && request.path != path();
        earlier_ = stages;
        shown_.adopt(opened, result);
        statePixelSize();
        openFailed_ = false;
        if (!keepDomain) {
            takeDomain(nullptr);
        }
        updateActivity();
        setLastError({});
        emit documentChanged();
        if (otherFilters) {
            emit earlierFiltersChanged();
        }
        announceTree();
        adoptEngine(engine);
        const std::size_t filters = effectiveStages(stages).size();
        if (carried && filters > 0 && earlier_ == stages) { // a session has its own filters
            emit noticeRaised(filters == 1 ? tr("The earlier filter works on this picture, too")
                                           : tr("The %1 earlier filters work on this picture, too").arg(filters));
        }
        buildIfNotAsWanted();
    } else if (newest || outcome.kind == JobOutcome::Kind::failed) {
        openFailed_ = outcome.kind == JobOutcome::Kind::failed && !hasImage();
        if (outcome.kind == JobOutcome::Kind::cancelled) {
            revertTreeChoice();
        } else if (newest && buildGeneration_ == 0) {
            postBuild(); // restarts the build that the load cancelled
        }
        filterIfNotAsWanted();
        updateActivity();
        if (outcome.kind == JobOutcome::Kind::failed) {
            const bool unknown = outcome.code == ErrorCode::formatUnknown && !request.raw;
            unknownFormatPath_ = unknown ? request.path : QString();
            fail(tr("%1 was not opened").arg(QFileInfo(request.path).fileName()), outcome);
            unknownFormatPath_.clear();
        }
    }
    postNextSave();
}

void DocumentViewModel::onQuestion(const OpenRequest& request, const MemoryPlan& plan) {
    if (buildGeneration_ == 0) {
        postBuild(); // restarts the build that the load cancelled
    }
    filterIfNotAsWanted();
    updateActivity();
    emit decisionNeeded(plan, request);
}

void DocumentViewModel::takeCache(const CacheUse& use) {
    if (cache_ != use) {
        cache_ = use;
        emit cacheChanged();
    }
}

void DocumentViewModel::onBuilt(Generation generation, const JobOutcome& outcome, TreeResult& result) {
    const bool newest = generation == buildGeneration_;
    if (newest) {
        buildGeneration_ = 0;
    }
    if (outcome.ok()) {
        const RetiredData old = shown_.retire();
        const EngineUse engine = result.engine;
        shown_.adopt(result);
        takeCache({}); // the cached pages have the previous tree
        updateActivity();
        announceTree();
        adoptEngine(engine);
        buildIfNotAsWanted();
    } else if (newest) {
        revertTreeChoice();
        filterIfNotAsWanted();
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
        shown_.adopt(result);
    }
    updateActivity();
    if (outcome.ok()) {
        emit frameReady();
        if (shown_.frame.takenOver) {
            adoptEngine(*std::exchange(shown_.frame.takenOver, {}));
        }
    } else if (outcome.kind == JobOutcome::Kind::failed) {
        fail(tr("The picture was not filtered"), outcome);
    }
    postNextSave();
}

void DocumentViewModel::onFetched(const std::shared_ptr<const DeviceFrame>& frame, const JobOutcome& outcome,
                                  const std::shared_ptr<const Image>& image) {
    if (frame != shown_.frame.deviceFrame || result()) {
        return;
    }
    if (outcome.kind == JobOutcome::Kind::failed) {
        jobs_->letPicturesStay(false);
        postFilter(); // fails in the same way and switches to the other engine, or makes the picture
    } else if (outcome.ok()) {
        shown_.frame.image = image;
        emit resultFetched();
    }
    postNextSave();
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

void DocumentViewModel::announceTree() {
    emit treeChanged();
    emit frameReady();
}

void DocumentViewModel::buildIfNotAsWanted() {
    if (loadGeneration_ == 0 && buildGeneration_ == 0) {
        postBuild(); // does nothing if the tree is present
    }
}

} // namespace pollard::vm
