#include "vm/document/document_contents.hpp"

#include <utility>

namespace pollard::vm {

void DocumentContents::adopt(const OpenRequest& of, LoadResult& loaded) {
    request = of;
    fileInfo = std::move(loaded.info);
    info = fileInfo;
    image = std::move(loaded.image);
    volume = std::move(loaded.volume);
    volumeValid = std::move(loaded.volumeValid);
    slice = loaded.slice;
    valid = std::move(loaded.valid);
    pyramid = std::move(loaded.pyramid);
    histogram = std::move(loaded.histogram);
    adopt(loaded.tree);
}

void DocumentContents::adopt(TreeResult& built) {
    treeSpec = std::move(built.spec);
    domain = std::move(built.domain);
    earlier = std::move(built.earlier);
    earlierSize = std::move(built.pixelSize);
    volumeInput = volume ? std::move(built.input) : nullptr;
    input = volume ? std::move(built.inputSlice) : std::move(built.input);
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

void DocumentContents::adopt(SliceResult& seen) {
    slice = seen.slice;
    image = std::move(seen.image);
    input = std::move(seen.input);
    valid = std::move(seen.valid);
    pyramid = std::move(seen.pyramid);
    fileInfo = std::move(seen.info);
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

const std::shared_ptr<const Image>& DocumentContents::analysed() const noexcept {
    const auto& read = volume ? volume : image;
    const auto& filtered = volume ? volumeInput : input;
    return filtered ? filtered : read;
}

std::shared_ptr<const AttributeColumn> DocumentContents::attribute(AttributeId id) const noexcept {
    const auto found = attributes.find(id);
    return found == attributes.end() ? nullptr : found->second;
}

RetiredData DocumentContents::retire() const {
    RetiredData data;
    data.hold(image);
    data.hold(volume);
    data.hold(volumeValid);
    data.hold(input);
    data.hold(volumeInput);
    data.hold(valid);
    data.hold(pyramid);
    data.hold(histogram);
    data.hold(tree);
    data.hold(deviceNodes);
    data.hold(frame.image);
    data.hold(frame.pyramid);
    data.hold(frame.deviceFrame);
    for (const auto& [id, column] : attributes) {
        data.hold(column);
    }
    return data;
}

} // namespace pollard::vm
