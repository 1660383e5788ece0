#pragma once

#include "attributes/attribute.hpp"
#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "engine/device_pixels.hpp"
#include "filter/filter_spec.hpp"
#include "image/image.hpp"
#include "image/value_mapping.hpp"
#include "tree/component_tree.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace pollard {

class Hierarchy;
class Mask;
class ObjectStream;
struct AttributePlane;
struct BinSpec;
struct Components;
struct ComponentsSpec;
struct HierarchySpec;
struct PatternSpectrum;
struct PatternSpectrum2d;
struct SnakeJob;
struct SnakeResult;
struct SnakeState;
struct VolumePlane;
struct WatershedSpec;

/// An algorithm that can be selected by name.
struct AlgorithmInfo {
    std::string name;
    std::string job;    ///< "max-tree", kLabellingJob, kSnakeJob
    std::string engine; ///< "cpu", "cuda"
    std::string source; ///< paper or "Pollard"
    /// Peak memory of the build of a tree, at most, in bytes a pixel without the image; 0: as
    /// Session::estimateTreeBytes() says.
    std::uint64_t treeBytes = 0;
    bool takesVolumes = true; ///< of a max-tree or a labelling algorithm
};

struct TreeReport {
    std::string algorithm;
    std::uint32_t nodes = 0;
    std::uint32_t leaves = 0;
    std::uint32_t depth = 0;
    std::uint16_t rootLevel = 0;
    std::vector<StageTime> stages;
    double milliseconds = 0; ///< whole build, including node tables
};

struct SessionOptions {
    int threads = 0; ///< 0 = all cores
};

/// A filtered image, the values of its levels, and the report of the filter.
struct ValueResult {
    std::shared_ptr<Image> image; ///< 16-bit
    ValueMapping mapping;
    FilterReport report;
};

/// An image with its tree, attributes and working memory on one device, and a few coarse operations. For use from one
/// thread at a time. A call that throws (Error or Cancelled) leaves the session unchanged.
///
/// If a mask restricts the analysis, the tree is built from analysisImage(). Pixels outside keep the image's values in
/// filtered images and are 0 in all other outputs. Engines implement the protected functions, which know no masks.
class Session {
public:
    virtual ~Session() = default;
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    /// Sets the image and the pixels to analyse; discards the tree and attributes of the previous image.
    /// @param inside in the rows of all slices; null for all pixels
    /// @param mapping of the levels to values, for attributes in values, see isColumnInValues()
    /// @throws Error(invalidArgument) without an image or if the mask has another size
    void open(std::shared_ptr<const Image> image, std::shared_ptr<const Mask> inside = nullptr,
              std::optional<ValueMapping> mapping = std::nullopt);

    /// Mapping of the open image's levels to values; unset if levels are values.
    [[nodiscard]] const std::optional<ValueMapping>& mapping() const noexcept { return mapping_; }

    /// Builds the tree of the open image; discards attributes of the previous tree. With a mask, a tree of the other
    /// kind is discarded first, even if the build fails.
    /// @throws Error(invalidArgument) without an image, Error(engineUnavailable) for an unknown algorithm,
    /// Error(outOfMemory) if the estimate exceeds the available memory; Cancelled within 100 ms of a request
    TreeReport buildTree(const TreeSpec& spec, const JobControl& control = {});

    /// The tree in host memory, shared and immutable; null before buildTree().
    [[nodiscard]] virtual std::shared_ptr<const ComponentTree> tree() const = 0;

    /// One attribute of all nodes, computed once per tree.
    /// @throws Error(invalidArgument) without a tree; Cancelled
    [[nodiscard]] virtual std::shared_ptr<const AttributeColumn> attribute(AttributeId id,
                                                                           const JobControl& control = {}) = 0;

    /// Filters the tree and writes the result to @p out, an image of the open image's type and size. Computes missing
    /// attributes.
    /// @throws Error(invalidArgument) without a tree, if @p out has another type or size, or as requireProportional()
    /// if needsProportional(); Cancelled
    FilterReport filter(const FilterSpec& spec, Image& out, const JobControl& control = {});

    /// As filter(), for levels that are ranks and a filter with needsProportional(). The result has values of its own.
    /// It is made on the host with every engine: kernels add levels of 16 bits, distances of values need 62.
    /// @throws Error(invalidArgument) without a tree or without ranks; Cancelled
    [[nodiscard]] ValueResult filterRanks(const FilterSpec& spec, const JobControl& control = {});

    /// As filter(), but writes one plane of a volume only, faster, to @p out, an image of its size. The report is that
    /// of the whole volume. A repeated call with the same spec for another plane takes the time of the plane.
    /// @throws Error(invalidArgument) without a tree, or if there is no such plane or @p out has another type or size;
    /// Cancelled
    FilterReport filterPlane(const FilterSpec& spec, const VolumePlane& plane, Image& out,
                             const JobControl& control = {});

    /// Labels the maximal components that the filter keeps (a kept node without a kept ancestor; the root only if the
    /// rule itself keeps it) 1 .. count in raster order of first appearance. Ignores the output of @p spec.
    /// @throws Error(invalidArgument) without a tree, Error(outOfMemory); Cancelled
    [[nodiscard]] LabelImage labels(const FilterSpec& spec, const JobControl& control = {});

    /// As filter(), but leaves the image on the device: deviceFrame() returns it, fetchFrame() copies it to the host.
    /// All slices of a volume are left there; a repeated call with the same spec, or one after filterPlane(), keeps
    /// them.
    /// @return nothing, without an effect, if the device is the host or a mask restricts the analysis; use filter() or
    /// filterPlane() then
    [[nodiscard]] std::optional<FilterReport> filterOnDevice(const FilterSpec& spec, const JobControl& control = {});

    /// Copies an image or volume that this session computed on its device to @p out.
    /// @throws Error(invalidArgument) if the frame belongs to another session or @p out has another type or size;
    /// Cancelled
    virtual void fetchFrame(const DeviceFrame& frame, Image& out, const JobControl& control = {});

    /// Image or volume of the last filter(), filterPlane() or filterOnDevice() in device memory; null if the engine
    /// keeps none or a mask restricts the analysis. Stays valid during later calls.
    [[nodiscard]] std::shared_ptr<const DeviceFrame> deviceFrame() const {
        return inside_ == nullptr ? lastFrame() : nullptr;
    }

    /// Node index per pixel or voxel (TexelType::u32) in device memory; null before buildTree() or if the engine keeps
    /// none. Stays valid during later calls.
    [[nodiscard]] virtual std::shared_ptr<const DevicePixels> deviceNodes() const { return nullptr; }

    /// attributePlane(), patternSpectrum() and patternSpectrum2d() of the tree, computed where its attributes are.
    /// Computes missing attributes.
    /// If levels are ranks, spectra are computed from the values, on the host.
    /// @throws Error(invalidArgument) without a tree and as these functions; Cancelled
    [[nodiscard]] virtual AttributePlane plane(AttributeId idX, const BinSpec& specX, AttributeId idY,
                                               const BinSpec& specY, const JobControl& control = {});
    [[nodiscard]] virtual PatternSpectrum spectrum(AttributeId id, const BinSpec& spec, const JobControl& control = {});
    [[nodiscard]] virtual PatternSpectrum2d spectrum2d(AttributeId idX, const BinSpec& specX, AttributeId idY,
                                                       const BinSpec& specY, const JobControl& control = {});

    /// Upper bound of the peak memory of buildTree() in bytes, without the image.
    [[nodiscard]] virtual std::uint64_t estimateTreeBytes(const Image& image) const = 0;
    /// The same for the image of this size that needs the least. With less memory than estimateTreeBytes(), but this
    /// much, a build may fail with Error(outOfMemory), and then changes nothing.
    [[nodiscard]] virtual std::uint64_t leastTreeBytes(const Image& image) const { return estimateTreeBytes(image); }

    /// Writes the values outside of the analysed pixels to a result that was computed from the tree by other means than
    /// this session.
    /// @param output kind of the result
    /// @param out of the open image's type and size
    void restoreOutside(Output output, Image& out, const JobControl& control = {}) const;
    /// Sets the labels outside of the analysed pixels to 0.
    void clearOutside(LabelImage& labels) const;

protected:
    Session() = default;

    /// Sets the image of the tree and discards the previous one with its tree. @param image null closes the session
    virtual void setImage(std::shared_ptr<const Image> image) = 0;
    virtual TreeReport build(const TreeSpec& spec, const JobControl& control) = 0;
    virtual FilterReport runFilter(const FilterSpec& spec, Image& out, const JobControl& control) = 0;
    /// The default implementation uses the tree in host memory.
    virtual FilterReport runPlaneFilter(const FilterSpec& spec, const VolumePlane& plane, Image& out,
                                        const JobControl& control);
    /// The default implementation uses the tree in host memory.
    [[nodiscard]] virtual LabelImage label(const FilterSpec& spec, const JobControl& control);
    [[nodiscard]] virtual std::optional<FilterReport> runFilterOnDevice(const FilterSpec& /*spec*/,
                                                                        const JobControl& /*control*/) {
        return std::nullopt;
    }
    [[nodiscard]] virtual std::shared_ptr<const DeviceFrame> lastFrame() const { return nullptr; }

    /// After the engine took an image that this class does not know: all its pixels are analysed, levels are values.
    void analyseAll() noexcept;

private:
    /// The last filter of filterPlane().
    struct SlicedFilter {
        std::weak_ptr<const ComponentTree> tree;
        FilterSpec spec;
        Buffer<std::uint16_t> values; ///< per node
        FilterReport report;
    };
    void requireProportionalFor(const FilterSpec& spec) const;
    [[nodiscard]] SlicedFilter decideSliced(const std::shared_ptr<const ComponentTree>& tree, const FilterSpec& spec,
                                            const JobControl& control);

    std::optional<ValueMapping> mapping_; ///< unset if levels are values
    std::shared_ptr<const Image> image_;  ///< null if all pixels are analysed
    std::shared_ptr<const Mask> inside_;  ///< null if all pixels are analysed
    std::optional<TreeKind> analysedFor_; ///< kind of trees that the engine's image is for; empty: it has none
    std::optional<SlicedFilter> sliced_;
};

/// A compute device and the algorithms it offers.
class Engine {
public:
    virtual ~Engine() = default;

    [[nodiscard]] virtual std::string name() const = 0;   ///< "cpu", "cuda"
    [[nodiscard]] virtual std::string device() const = 0; ///< "2 threads", "NVIDIA H100 80GB HBM3"
    /// Empty if the engine is usable, else the reason for the user.
    [[nodiscard]] virtual std::string unusableReason() const = 0;
    [[nodiscard]] virtual std::uint64_t memoryBytes() const = 0; ///< of the device; 0 = unknown
    [[nodiscard]] virtual std::vector<AlgorithmInfo> algorithms() const = 0;
    /// @throws Error(engineUnavailable)
    [[nodiscard]] virtual std::unique_ptr<Session> openSession(const SessionOptions& options = {}) = 0;

    /// Labels and measures the objects of a mask, see pollard::labelComponents(). Labels and records are bit-identical
    /// for all engines and algorithms. Thread-safe. Engines without a labelling algorithm use the CPU.
    /// @param grey image to measure, of the mask's size; null: the grey fields are 0
    /// @throws as pollard::labelComponents(); Error(deviceFailed), Error(engineUnavailable) for a volume too wide for
    /// the engine
    [[nodiscard]] virtual Components labelComponents(const Mask& mask, const Image* grey, const ComponentsSpec& spec,
                                                     const JobControl& control = {});

    /// Exact squared distances to the nearest unset pixel, see pollard::squaredDistances(); equal for all engines.
    /// Thread-safe. @throws as pollard::squaredDistances(); Error(deviceFailed)
    [[nodiscard]] virtual Buffer<std::uint32_t> squaredDistances(const Mask& mask, std::uint32_t slices = 1,
                                                                 const JobControl& control = {});

    /// Seeded watershed, see pollard::watershed(); the labels are equal for all engines. Thread-safe.
    /// @throws as pollard::watershed(); Error(deviceFailed), Error(engineUnavailable) if a level has more rounds than
    /// the engine can count
    [[nodiscard]] virtual Buffer<std::uint32_t> watershed(const Image& image, std::span<const std::uint32_t> seeds,
                                                          const Mask* inside, const WatershedSpec& spec,
                                                          const JobControl& control = {});

    /// Stream that finds the objects of a sequence of images, see components/objects/object_stream.hpp. Labels and
    /// records equal the results of thresholdMask() and labelComponents() for all engines. The engine must outlive it.
    /// @param inFlight concurrent frames, at least 1; the stream may use fewer
    /// @throws Error(invalidArgument) for an unknown algorithm, Error(outOfMemory), Error(deviceFailed),
    /// Error(engineUnavailable)
    [[nodiscard]] virtual std::unique_ptr<ObjectStream> streamObjects(const ComponentsSpec& spec, int inFlight,
                                                                      const SessionOptions& options = {});

    /// Evolves contours, see snake/snake_job.hpp. States and energies are bit-identical for all engines and algorithms
    /// with the same moves. Thread-safe. Engines without a snake algorithm use the CPU, and so do all for several
    /// contours with a common background.
    /// @param listener see SnakeListener; may be empty
    /// @throws as pollard::runSnake(); Error(engineUnavailable) for moves without an algorithm on the engine,
    /// Error(outOfMemory), Error(deviceFailed)
    [[nodiscard]] virtual SnakeResult runSnake(const SnakeJob& job,
                                               const std::function<bool(std::size_t, const SnakeState&)>& listener,
                                               const JobControl& control = {});

    /// Makes a hierarchy, see pollard::makeHierarchy(). Basins, strengths and regions are identical for all engines.
    /// Thread-safe. Engines without an algorithm use the CPU. If the hierarchy is made on a device, regions() runs
    /// there, too.
    /// @throws as pollard::makeHierarchy(); Error(deviceFailed), Error(engineUnavailable)
    [[nodiscard]] virtual Hierarchy makeHierarchy(const Image& image, const Mask* valid, const HierarchySpec& spec,
                                                  const JobControl& control = {});

    /// Target to show this engine's values per pixel in OpenGL textures; null if the engine has none.
    [[nodiscard]] virtual std::unique_ptr<GlTarget> makeGlTarget() { return nullptr; }
};

} // namespace pollard

// Parts that only benchmarks measure. Sessions and engines with such parts derive from these interfaces, too.

namespace pollard {

/// Parts of a Session.
class TimedParts {
public:
    virtual ~TimedParts() = default;

    /// Times since the last call that no report contains: copies between host and device ("upload", "download") and
    /// attributes ("area", ...), summed by name. Empty if the device is the host.
    [[nodiscard]] virtual std::vector<StageTime> takeTransferStages() { return {}; }

    /// Builds only the canonical parent image of the open image, discards it and returns the times of its stages. Empty
    /// if there is no such algorithm.
    /// @throws as Session::buildTree()
    [[nodiscard]] virtual std::vector<StageTime> timeParentImage(const TreeSpec& /*spec*/,
                                                                 const JobControl& /*control*/ = {}) {
        return {};
    }
};

/// Throughput of an engine that builds trees of consecutive images.
struct StreamReport {
    std::string algorithm;
    int images = 0;
    double milliseconds = 0; ///< wall time from the first image submitted to the last parent image received
};

/// An Engine that overlaps the transfers of an image with the computation of others.
class TreeStreamer {
public:
    virtual ~TreeStreamer() = default;

    /// Builds the canonical parent image of @p count images, cycling through @p images of one type and size.
    /// @throws Error, Cancelled
    [[nodiscard]] virtual StreamReport streamTrees(std::span<const std::shared_ptr<const Image>> images,
                                                   const TreeSpec& spec, int count, const JobControl& control = {}) = 0;
};

} // namespace pollard
