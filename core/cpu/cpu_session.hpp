#pragma once

#include "cpu/node_attributes.hpp"
#include "engine/engine.hpp"
#include "engine/timed_parts.hpp"

#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <map>
#include <memory>
#include <optional>

namespace pollard::cpu {

/// Session of the CPU engine: data in host memory, work in its own arena.
class CpuSession final : public Session, public TimedParts {
public:
    explicit CpuSession(const SessionOptions& options);

    void openImage(std::shared_ptr<const Image> image) override;
    TreeReport buildTree(const TreeSpec& spec, const JobControl& control) override;
    [[nodiscard]] std::shared_ptr<const ComponentTree> tree() const override { return tree_; }
    [[nodiscard]] std::shared_ptr<const AttributeColumn> attribute(AttributeId id, const JobControl& control) override;
    FilterReport filter(const FilterSpec& spec, Image& out, const JobControl& control) override;
    [[nodiscard]] LabelImage labels(const FilterSpec& spec, const JobControl& control) override;
    [[nodiscard]] std::vector<StageTime> timeParentImage(const TreeSpec& spec, const JobControl& control) override;
    [[nodiscard]] std::uint64_t estimateTreeBytes(const Image& image) const override;

private:
    void requireImage(const TreeSpec& spec) const;
    void requireTree(const char* operation) const;

    std::optional<tbb::global_control> moreThreads_; ///< allows oneTBB more than one thread per core
    tbb::task_arena arena_;
    std::shared_ptr<const Image> image_;
    std::shared_ptr<const ComponentTree> tree_;
    std::unique_ptr<NodeAttributes> attributes_;
    std::map<AttributeId, std::shared_ptr<const AttributeColumn>> columns_;
};

} // namespace pollard::cpu
