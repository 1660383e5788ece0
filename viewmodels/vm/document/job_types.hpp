#pragma once

#include "vm/picture/level_histogram.hpp"
#include "vm/picture/memory_plan.hpp"

#include "analysis/bins.hpp"
#include "attributes/attribute.hpp"
#include "base/job_control.hpp"
#include "engine/engine.hpp"
#include "filter/filter_spec.hpp"
#include "image/mask.hpp"
#include "image/pyramid.hpp"
#include "io/image_file.hpp"
#include "recipe/filter_stages.hpp"
#include "tree/component_tree.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace pollard::vm {

/// The engine that takes over when a device fails.
inline constexpr const char* kFallbackEngine = "cpu";

using AttributeColumns = std::vector<std::pair<AttributeId, std::shared_ptr<const AttributeColumn>>>;

/// How a job learns that it shall stop and tells how far it is, in parts.
struct JobContext {
    std::stop_token stop;
    JobControl::ProgressFunction progress; ///< may be empty

    /// Control of a step that makes up the part [from, to] of the whole job.
    [[nodiscard]] JobControl part(double from, double to) const;
    /// The same for a step that has parts itself; it must not outlive this.
    [[nodiscard]] JobContext share(double from, double to) const;
};

/// Which engine did the work.
struct EngineUse {
    std::string requested; ///< "auto", "cpu" ...
    std::string name;
    std::string device;
    std::string notice; ///< why it is not the one that was asked for; empty if it is
    Engine* engine = nullptr;
};

/// A filtered picture.
struct FrameResult {
    std::shared_ptr<const Image> image;             ///< may be null as long as only the device has it
    std::shared_ptr<const DeviceFrame> deviceFrame; ///< the same where the engine's device keeps it, else null
    Engine* engine = nullptr;                       ///< that made it
    std::shared_ptr<const Pyramid> pyramid;         ///< of `image`; null while nobody wants it
    FilterSpec spec;
    FilterReport report;
    std::uint16_t brightLevel = 0;      ///< of a residue or of labels, see brightLevel(); 0 for other outputs
    std::optional<EngineUse> takenOver; ///< set if another engine had to take over
};

/// A tree with everything that is shown together with it.
struct TreeResult {
    TreeSpec spec;
    std::shared_ptr<const Mask> domain; ///< that was analysed; null for the whole picture
    FilterStages earlier;               ///< filters that were done before
    std::shared_ptr<const Image> input; ///< what they left, of which the tree is; null: the picture that was read
    std::shared_ptr<const ComponentTree> tree;
    std::shared_ptr<const DevicePixels> nodes; ///< numbers of the pixels' nodes where the engine keeps them, else null
    TreeReport report;
    AttributeColumns attributes;
    FrameResult frame;
    EngineUse engine;
};

/// Components to be counted by two attributes that were measured of the present tree.
struct PlaneRequest {
    std::shared_ptr<const AttributeColumn> x;
    BinSpec binsX;
    std::shared_ptr<const AttributeColumn> y;
    BinSpec binsY;
};

/// How much of the pages that were shown before is kept.
struct CacheUse {
    int pages = 0;
    std::uint64_t bytes = 0;

    bool operator==(const CacheUse&) const = default;
};

/// A document that was opened, or the question that comes before it.
struct LoadResult {
    std::optional<MemoryPlan> question; ///< if set, nothing was read: somebody has to decide first
    std::shared_ptr<const Image> image;
    std::shared_ptr<const Mask> valid; ///< null if every pixel holds data
    std::shared_ptr<const Pyramid> pyramid;
    std::shared_ptr<const ImageInfo> info;
    std::shared_ptr<const LevelHistogram> histogram;
    TreeResult tree;
    CacheUse cache;
};

/// What governs reading, whatever the picture.
struct LoadRules {
    ReadLimits limits;
    bool askFirst = false;        ///< about pictures that need more than half of the memory
    std::uint64_t cacheBytes = 0; ///< main memory for pages that were shown before
};

/// What to show with a tree as soon as it is there.
struct TreeRequest {
    std::string engine = "auto";
    TreeSpec spec;
    std::shared_ptr<const Mask> domain; ///< pixels to analyse; null for all
    FilterStages earlier;               ///< that are done before the tree is built
    std::vector<AttributeId> attributes;
    FilterSpec filter;
};

} // namespace pollard::vm
