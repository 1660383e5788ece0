#include "vm/document/document_contents.hpp"

#include <utility>

namespace pollard::vm {

void DocumentContents::adopt(const OpenRequest& of, LoadResult& loaded) {
    request = of;
    info = loaded.tree.shown.fileInfo;
    adopt(loaded.tree);
}

void DocumentContents::adopt(TreeResult& built) {
    static_cast<ShownImage&>(*this) = std::move(built.shown);
    treeSpec = std::move(built.spec);
    domain = std::move(built.domain);
    earlier = std::move(built.earlier);
    earlierSize = std::move(built.pixelSize);
    tree = std::move(built.tree);
    deviceNodes = std::move(built.nodes);
    treeEngine = built.engine.engine;
    treeReport = std::move(built.report);
    attributes.clear();
    missingAttributes.clear();
    for (auto& [id, column] : built.attributes) {
        attributes[id] = std::move(column);
    }
    adopt(built.frame);
}

void DocumentContents::adopt(FrameResult& made) {
    frame = std::move(made);
    if (frame.takenOver) { // the device that kept deviceNodes failed
        deviceNodes.reset();
    }
}

void DocumentContents::adopt(ShownSlice& seen) {
    static_cast<ShownImage&>(*this) = std::move(static_cast<ShownImage&>(seen));
    info = fileInfo;
    adopt(seen.frame);
}

std::shared_ptr<const ImageInfo> DocumentContents::sourceInfo() const {
    if (!volume) {
        return info;
    }
    auto first = std::make_shared<ImageInfo>(*info);
    first->page = request.page;
    return first;
}

std::shared_ptr<const AttributeColumn> DocumentContents::attribute(AttributeId id) const noexcept {
    const auto found = attributes.find(id);
    return found == attributes.end() ? nullptr : found->second;
}

DeferredRelease DocumentContents::retire() const {
    DeferredRelease data;
    data.hold(std::make_shared<const ShownSlice>(*this));
    data.hold(tree);
    data.hold(deviceNodes);
    for (const auto& [id, column] : attributes) {
        data.hold(column);
    }
    return data;
}

} // namespace pollard::vm
