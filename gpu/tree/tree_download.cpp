#include "tree/tree_download.hpp"

#include "tree/read_back.hpp"

#include <new>
#include <string>

namespace pollard::cuda {

namespace {

constexpr const char* kOperation = "copy the tree from the GPU";

template <class T> Buffer<T> download(const DeviceBuffer<T>& from, cudaStream_t stream, const JobControl& control) {
    Buffer<T> to(from.size());
    readBack(to.data(), from.data(), from.size(), stream, control, kOperation);
    return to;
}

} // namespace

ComponentTree downloadTree(const DeviceTree& tree, const DeviceImage& image, const TreeSpec& spec,
                           const std::shared_ptr<DeviceMemory>& memory, const JobControl& control) {
    const cudaStream_t stream = memory->stream();
    ComponentTree result;
    result.kind = spec.kind;
    result.connectivity = spec.connectivity;
    result.pixelType = image.type;
    result.width = image.width;
    result.height = image.height;
    result.leafCount = tree.leafCount;
    result.depth = tree.depth;
    try {
        result.pixelNode = download(*tree.pixelNode, stream, control);
        result.parent = download(tree.parent, stream, control);
        result.level = download(tree.level, stream, control);
        result.subtreeEnd = download(tree.subtreeEnd, stream, control);
        result.canonical = download(tree.canonical, stream, control);
    } catch (const std::bad_alloc&) {
        throw Error(ErrorCode::outOfMemory,
                    std::string(kOperation) + ": no memory for " + std::to_string(tree.nodeCount) + " nodes");
    }
    return result;
}

} // namespace pollard::cuda
