#include "engine/engine.hpp"

#include "base/error.hpp"
#include "cpu/tree_filter.hpp"

#include <chrono>
#include <cstddef>
#include <new>
#include <string>

namespace pollard {

LabelImage Session::labels(const FilterSpec& spec, const JobControl& control) {
    const auto tree = this->tree();
    if (tree == nullptr) {
        throw Error(ErrorCode::invalidArgument, "label components: build a tree first");
    }
    const FilterColumns columns = columnsOf(spec, [&](AttributeId id) { return attribute(id, control); });
    try {
        return cpu::labelKept(*tree, spec, columns, control);
    } catch (const std::bad_alloc&) {
        throw Error(ErrorCode::outOfMemory,
                    "label components: no memory for " + std::to_string(tree->pixelCount()) + " pixels");
    }
}

std::vector<StageTime> Session::timeParentImage(const TreeSpec& /*spec*/, const JobControl& /*control*/) { return {}; }

StreamReport Engine::streamTrees(std::span<const std::shared_ptr<const Image>> images, const TreeSpec& spec, int count,
                                 const SessionOptions& options, const JobControl& control) {
    if (images.empty() || count < 1) {
        throw Error(ErrorCode::invalidArgument, "stream of trees: there is no image");
    }
    const auto session = openSession(options);
    StreamReport report;
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < count; ++i) {
        session->openImage(images[static_cast<std::size_t>(i) % images.size()]);
        report.algorithm = session->buildTree(spec, control).algorithm;
    }
    report.images = count;
    report.milliseconds = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    return report;
}

} // namespace pollard
