#pragma once

#include "vm/image/memory_plan.hpp"
#include "vm/image/open_request.hpp"
#include "vm/image/shown_image.hpp"

#include "analysis/bins.hpp"
#include "attributes/attribute.hpp"
#include "base/job_control.hpp"
#include "engine/engine.hpp"
#include "engine/engine_registry.hpp"
#include "filter/filter_spec.hpp"
#include "image/mask.hpp"
#include "image/pyramid.hpp"
#include "io/image_file.hpp"
#include "recipe/filter_stages.hpp"
#include "tree/component_tree.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pollard {
struct Planes;
struct TiffWriteOptions;
} // namespace pollard

namespace pollard::vm {

/// External functions of a document. All are called on the compute thread only, except that any thread may select the
/// CPU engine.
struct DocumentServices {
    /// Engine by name; "auto": the best usable one. @throws Error
    std::function<Engine&(std::string_view name)> selectEngine;
    std::function<LoadedImage(const std::filesystem::path&, const ReadOptions&, const JobControl&)> read;
    /// Reads a volume, see pollard::readVolume(). Without this or readInfo, slices are opened as pages.
    std::function<LoadedImage(const std::filesystem::path&, const ReadOptions&, const JobControl&)> readVolume;
    /// See writeResult().
    std::function<void(const std::filesystem::path&, const Planes&, const JobControl&, const TiffWriteOptions&)> write;
    /// Facts of a page without its pixels. Without this, or without availableMemory, memory is not checked.
    std::function<ImageInfo(const std::filesystem::path&, const ReadOptions&)> readInfo;
    /// Whether a shrunk image is read in bands, see pollard::readsRegions(); without this none is.
    std::function<bool(const std::filesystem::path&, const ReadOptions&)> readsRegions;
    std::function<std::uint64_t()> availableMemory; ///< bytes available to a new job
    SessionOptions sessionOptions;

    /// An engine, followed by the CPU engine, which takes over if the device of the first one fails.
    [[nodiscard]] std::vector<Engine*> enginesFrom(Engine& first) const;

    /// The readers and writers of core and the engines of @p registry, which must outlive the document.
    [[nodiscard]] static DocumentServices standard(const EngineRegistry& registry);
};

/// The engine used when a device fails.
inline constexpr const char* kFallbackEngine = "cpu";

using AttributeColumns = std::vector<std::pair<AttributeId, std::shared_ptr<const AttributeColumn>>>;

/// Stop request and progress of a job, divisible into parts.
struct JobContext {
    std::stop_token stop;
    JobControl::ProgressFunction progress; ///< may be empty

    /// Control of a step that takes the part [from, to] of the whole job.
    [[nodiscard]] JobControl part(double from, double to) const;
    /// The context of a step that reports progress between @p from and @p to; must not outlive this.
    [[nodiscard]] JobContext share(double from, double to) const;
};

/// The engine that did the work.
struct EngineUse {
    std::string requested; ///< "auto", "cpu" ...
    std::string name;
    std::string device;
    std::string notice; ///< why it is not the requested one; empty if it is
    Engine* engine = nullptr;
};

/// A filtered image on the device of an engine, or a slice of a volume there.
struct DeviceSlice {
    std::shared_ptr<const DeviceFrame> frame;
    std::uint32_t slice = 0; ///< 0 in an image

    bool operator==(const DeviceSlice&) const = default;
};

/// A filtered image, or of a volume the seen slice.
struct FrameResult {
    std::shared_ptr<const Image> image; ///< may be null while only the device has it
    /// The same image, or all slices of the volume, on the engine's device; null if the device does not keep it.
    std::shared_ptr<const DeviceFrame> deviceFrame;
    Engine* engine = nullptr;               ///< source of the image
    std::shared_ptr<const Pyramid> pyramid; ///< of `image`; null if not requested
    FilterSpec spec;
    FilterReport report;
    std::uint16_t brightLevel = 0;      ///< of a residue, labels or lengths, see brightLevel(); 0 for others
    std::optional<EngineUse> takenOver; ///< set if another engine took over
};

/// An image, or a plane of a volume, with its filtered version.
struct ShownSlice : ShownImage {
    FrameResult frame; ///< its pixels stay constant while a reference exists
};

/// A tree with the data displayed with it.
struct TreeResult {
    TreeSpec spec;
    ShownImage shown;                   ///< with the source of the tree
    std::shared_ptr<const Mask> domain; ///< analysed pixels; null for the whole image
    FilterStages earlier;               ///< applied before the tree is built
    std::optional<PixelSize> pixelSize; ///< for bounds in units of `earlier`
    std::shared_ptr<const ComponentTree> tree;
    std::shared_ptr<const DevicePixels> nodes; ///< node of every pixel or voxel if the engine keeps it, else null
    TreeReport report;
    AttributeColumns attributes;
    FrameResult frame;
    EngineUse engine;
};

/// Planes of a volume, displayed next to the seen slice.
struct SectionsResult {
    std::vector<ShownSlice> sections;
    std::optional<FrameResult> frame; ///< of the seen slice, if another engine took over
};

/// Components to count by two attributes measured of the present tree.
struct PlaneRequest {
    std::shared_ptr<const AttributeColumn> x;
    BinSpec binsX;
    std::shared_ptr<const AttributeColumn> y;
    BinSpec binsY;
};

/// Size of the page cache.
struct CacheUse {
    int pages = 0;
    std::uint64_t bytes = 0;

    bool operator==(const CacheUse&) const = default;
};

/// A document that was opened, or the memory plan to confirm first.
struct LoadResult {
    std::optional<MemoryPlan> question; ///< if set, the image was not read: the user decides first
    OpenRequest request;                ///< as asked for, with its slices decided
    std::optional<MemoryPlan> tooLarge; ///< see DecidedRequest
    TreeResult tree;
    CacheUse cache;
};

/// Rules of reading for all images.
struct LoadRules {
    ReadLimits limits;
    bool askFirst = false;        ///< before images that need more than half of the memory
    bool askAlways = false;       ///< before every image
    std::uint64_t cacheBytes = 0; ///< main memory for cached pages
    /// How slices are opened instead of as a volume, unless a request says it.
    Slices slices = Slices::automatic;
    std::optional<Projection> projection = {}; ///< of these slices, if `slices` is pages
};

/// A tree with the filter and attributes to display with it.
struct TreeRequest {
    std::string engine = "auto";
    TreeSpec spec;
    std::shared_ptr<const Mask> domain; ///< pixels to analyse; null for all
    FilterStages earlier;               ///< applied before the tree is built
    std::vector<AttributeId> attributes;
    FilterSpec filter;
};

} // namespace pollard::vm
