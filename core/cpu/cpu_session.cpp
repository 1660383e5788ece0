#include "cpu/cpu_session.hpp"

#include "base/error.hpp"
#include "cpu/parent_image.hpp"
#include "cpu/tree_builder.hpp"
#include "cpu/tree_filter.hpp"

#include <tbb/info.h>

#include <new>
#include <string>

namespace pollard::cpu {

namespace {

constexpr const char* kAlgorithm = "branches";

} // namespace

CpuSession::CpuSession(const SessionOptions& options)
    : arena_(options.threads > 0 ? options.threads : tbb::task_arena::automatic) {
    if (options.threads > tbb::info::default_concurrency()) {
        moreThreads_.emplace(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(options.threads));
    }
}

void CpuSession::openImage(std::shared_ptr<const Image> image) {
    if (image == nullptr) {
        throw Error(ErrorCode::invalidArgument, "open image: there is none");
    }
    image_ = std::move(image);
    tree_.reset();
    attributes_.reset();
    columns_.clear();
}

TreeReport CpuSession::buildTree(const TreeSpec& spec, const JobControl& control) {
    requireImage(spec);
    TreeReport report;
    StageTimer timer;
    auto tree = std::make_shared<const ComponentTree>(
        arena_.execute([&] { return buildComponentTree(*image_, spec, control, timer); }));
    report.algorithm = kAlgorithm;
    report.nodes = static_cast<std::uint32_t>(tree->nodeCount());
    report.leaves = tree->leafCount;
    report.depth = tree->depth;
    report.rootLevel = tree->level[0];
    report.milliseconds = timer.totalMilliseconds();
    report.stages = timer.take();
    attributes_ = std::make_unique<NodeAttributes>(tree);
    tree_ = std::move(tree);
    columns_.clear();
    return report;
}

std::shared_ptr<const AttributeColumn> CpuSession::attribute(AttributeId id, const JobControl& control) {
    requireTree("attribute");
    auto& column = columns_[id];
    if (column == nullptr) {
        try {
            column = std::make_shared<const AttributeColumn>(
                arena_.execute([&] { return attributes_->compute(id, control); }));
        } catch (const std::bad_alloc&) {
            throw Error(ErrorCode::outOfMemory, "attribute '" + std::string(attributeInfo(id).name) +
                                                    "': no memory for " + std::to_string(tree_->nodeCount()) +
                                                    " nodes");
        }
    }
    return column;
}

FilterReport CpuSession::filter(const FilterSpec& spec, Image& out, const JobControl& control) {
    requireTree("filter");
    if (out.type() != image_->type() || out.width() != image_->width() || out.height() != image_->height()) {
        throw Error(ErrorCode::invalidArgument, "filter: the output image differs from the input in type or size");
    }
    const FilterColumns columns = columnsOf(spec, [&](AttributeId id) { return attribute(id, control); });
    try {
        return arena_.execute([&] { return filterTree(*tree_, *image_, spec, columns, out, control); });
    } catch (const std::bad_alloc&) {
        throw Error(ErrorCode::outOfMemory, "filter: no memory for " + std::to_string(tree_->nodeCount()) + " nodes");
    }
}

LabelImage CpuSession::labels(const FilterSpec& spec, const JobControl& control) {
    return arena_.execute([&] { return Session::labels(spec, control); });
}

std::vector<StageTime> CpuSession::timeParentImage(const TreeSpec& spec, const JobControl& control) {
    requireImage(spec);
    StageTimer timer;
    (void)arena_.execute([&] { return buildParentImage(*image_, spec, control, timer); });
    return timer.take();
}

std::uint64_t CpuSession::estimateTreeBytes(const Image& image) const { return cpu::estimateTreeBytes(image); }

void CpuSession::requireImage(const TreeSpec& spec) const {
    if (image_ == nullptr) {
        throw Error(ErrorCode::invalidArgument, "build tree: no image is open");
    }
    if (!spec.algorithm.empty() && spec.algorithm != kAlgorithm) {
        throw Error(ErrorCode::engineUnavailable,
                    "build tree: algorithm '" + spec.algorithm + "': the CPU engine has only '" + kAlgorithm + "'");
    }
}

void CpuSession::requireTree(const char* operation) const {
    if (tree_ == nullptr) {
        throw Error(ErrorCode::invalidArgument, std::string(operation) + ": build a tree first");
    }
}

} // namespace pollard::cpu
