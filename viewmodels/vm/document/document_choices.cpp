// DocumentViewModel: pixel size, earlier filters, changes that are applied together, undoing a choice.
#include "vm/document/document_view_model.hpp"

#include "vm/document/followed_stages.hpp"
#include "vm/picture/folder_sizes.hpp"
#include "vm/picture/world_scale.hpp"

#include "io/metadata/stated_size.hpp"

#include <utility>

namespace pollard::vm {

std::optional<PixelSize> DocumentViewModel::pixelSize() const {
    return shown_.info ? shown_.info->pixelSize : std::nullopt;
}

std::optional<PixelSize> DocumentViewModel::filePixelSize() const {
    return shown_.fileInfo ? shown_.fileInfo->pixelSize : std::nullopt;
}

std::optional<PixelSize> DocumentViewModel::folderPixelSize() const {
    return folderSizes_ != nullptr ? folderSizes_->sizeFor(path()) : std::nullopt;
}

std::optional<PixelSize> DocumentViewModel::statedSizeFor(const OpenRequest& request) const {
    if (request.pixelSize || folderSizes_ == nullptr || sceneSize(shown_.fileInfo.get())) {
        return request.pixelSize;
    }
    return folderSizes_->sizeFor(request.path);
}

bool DocumentViewModel::statePixelSize() {
    const std::optional<PixelSize> before = pixelSize();
    const std::optional<PixelSize> stated = statedPixelSize();
    if (!stated) {
        shown_.info = shown_.fileInfo;
        return pixelSize() != before;
    }
    auto info = std::make_shared<ImageInfo>(*shown_.fileInfo);
    pollard::statePixelSize(*info, *stated, shown_.request.shrink);
    if (info->pixelSize == before) {
        return false;
    }
    shown_.info = std::move(info);
    return true;
}

void DocumentViewModel::setPixelSize(const std::optional<PixelSize>& size) {
    std::optional<PixelSize> byHand = size;
    if (byHand) {
        byHand->source = kSetByHand;
        byHand->print = false;
    }
    if (loading_ && (!hasImage() || loading_->path == path())) {
        loading_->pixelSize = byHand;
    }
    if (hasImage() && std::exchange(shown_.request.pixelSize, byHand) != byHand) {
        adoptPixelSize();
    }
}

void DocumentViewModel::setFolderPixelSize(const std::optional<PixelSize>& size) {
    if (folderSizes_ == nullptr || !hasImage()) {
        return;
    }
    std::optional<PixelSize> forFolder = size;
    if (forFolder) {
        forFolder->source = kSetForFolder;
    }
    if (forFolder != folderPixelSize()) {
        folderSizes_->setFor(path(), forFolder);
        statePixelSize();
        emit pixelSizeChanged();
    }
}

void DocumentViewModel::adoptPixelSize() {
    if (hasImage() && statePixelSize()) {
        emit pixelSizeChanged();
    }
}

void DocumentViewModel::setEarlierFilters(const FilterStages& stages) {
    if (stages == earlier_) {
        return;
    }
    takeEarlier(stages);
    postBuild();
}

void DocumentViewModel::takeEarlier(const FilterStages& stages) {
    if (stages != earlier_) {
        earlier_ = stages;
        emit earlierFiltersChanged();
    }
}

FilterStages DocumentViewModel::stagesFor(const OpenRequest& request) const {
    return hasImage() ? followed(earlier_, shown_.request, request, *shown_.info) : earlier_;
}

bool DocumentViewModel::isResultAsWanted() const {
    // By any engine.
    return hasResult() && resultSpec() == filterSpec_ && treeSpec_ == shown_.treeSpec && domain_ == shown_.domain &&
           effectiveStages(earlier_) == effectiveStages(shown_.earlier);
}

bool DocumentViewModel::isTreeAsWanted() const {
    return treeSpec_ == shown_.treeSpec && domain_ == shown_.domain && requestedEngine_ == adoptedEngine_ &&
           effectiveStages(earlier_) == effectiveStages(shown_.earlier);
}

void DocumentViewModel::revertTreeChoice() {
    if (!hasImage()) {
        return; // applies to the first image that is opened
    }
    const bool otherFilters = std::exchange(earlier_, shown_.earlier) != shown_.earlier;
    const bool otherEngine = std::exchange(requestedEngine_, adoptedEngine_) != adoptedEngine_;
    const bool otherDomain = std::exchange(domain_, shown_.domain) != shown_.domain;
    const bool otherTree = !(std::exchange(treeSpec_, shown_.treeSpec) == shown_.treeSpec);
    if (otherFilters) {
        emit earlierFiltersChanged();
    }
    if (otherEngine) {
        emit engineChanged();
    }
    if (otherDomain) {
        emit domainChanged();
    }
    if (otherTree) {
        emit treeSpecChanged();
    }
}

void DocumentViewModel::filterIfNotAsWanted() {
    const bool awaited = loadGeneration_ != 0 || buildGeneration_ != 0 || filterGeneration_ != 0;
    if (hasImage() && !awaited && resultSpec() != filterSpec_) {
        postFilter();
    }
}

void DocumentViewModel::release() {
    if (--holds_ > 0) {
        return;
    }
    const bool filter = std::exchange(filterHeld_, false);
    const bool build = std::exchange(buildHeld_, false);
    if (build) {
        postBuild();
    }
    const bool comesWithTree = build && buildGeneration_ != 0 && filterGeneration_ == 0;
    if (filter && !comesWithTree) { // a waiting filter job is replaced: it would run after the tree is built
        postFilter();
    }
}

} // namespace pollard::vm
