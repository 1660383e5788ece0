#include "vm/document/document_pixel_sizes.hpp"

#include "vm/document/document_reading.hpp"
#include "vm/image/folder_sizes.hpp"
#include "vm/image/world_scale.hpp"

#include "io/metadata/stated_size.hpp"

#include <utility>

namespace pollard::vm {

std::optional<PixelSize> DocumentPixelSizes::ofFolder() const {
    return folderSizes_ != nullptr ? folderSizes_->sizeFor(shown_.request.path) : std::nullopt;
}

std::optional<PixelSize> DocumentPixelSizes::stated() const {
    const std::optional<PixelSize>& byHand = shown_.request.pixelSize;
    return byHand || sceneSize(shown_.fileInfo.get()) ? byHand : ofFolder();
}

bool DocumentPixelSizes::apply() {
    const std::optional<PixelSize> before = present();
    const std::optional<PixelSize> size = stated();
    if (!size) {
        shown_.info = shown_.fileInfo;
        return present() != before;
    }
    auto info = std::make_shared<ImageInfo>(*shown_.fileInfo);
    const int shrink = shown_.request.shrink;
    statePixelSize(*info, *size, shrink, shown_.volume ? shrink : 1);
    if (info->pixelSize == before) {
        return false;
    }
    shown_.info = std::move(info);
    return true;
}

void DocumentPixelSizes::set(const std::optional<PixelSize>& size) {
    std::optional<PixelSize> byHand = size;
    if (byHand) {
        byHand->source = kSetByHand;
        byHand->print = false;
    }
    reading_.setPixelSize(byHand);
    if (shown_.image && std::exchange(shown_.request.pixelSize, byHand) != byHand) {
        adopt();
    }
}

void DocumentPixelSizes::setForFolder(const std::optional<PixelSize>& size) {
    if (folderSizes_ == nullptr || !shown_.image) {
        return;
    }
    std::optional<PixelSize> forFolder = size;
    if (forFolder) {
        forFolder->source = kSetForFolder;
    }
    if (forFolder != ofFolder()) {
        folderSizes_->setFor(shown_.request.path, forFolder);
        apply();
        emit changed();
    }
}

void DocumentPixelSizes::adopt() {
    if (shown_.image && apply()) {
        emit changed();
    }
}

} // namespace pollard::vm
