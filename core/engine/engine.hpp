#pragma once

#include "analysis/attribute_histogram.hpp"
#include "analysis/attribute_plane.hpp"
#include "analysis/bins.hpp"
#include "analysis/spectrum.hpp"
#include "attributes/attribute.hpp"
#include "base/job_control.hpp"
#include "base/stage_timer.hpp"
#include "components/components.hpp"
#include "engine/device_frame.hpp"
#include "engine/device_pixels.hpp"
#include "engine/gl_target.hpp"
#include "filter/filter_spec.hpp"
#include "image/image.hpp"
#include "image/label_image.hpp"
#include "tree/component_tree.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace pollard {

class ObjectStream;
struct SnakeJob;
struct SnakeResult;
struct ApartSnakesJob;
struct ApartSnakesResult;
struct SnakeState;

/// An algorithm that can be asked for by name.
struct AlgorithmInfo {
    std::string name;
    std::string job;    ///< "max-tree", kLabellingJob, kSnakeJob
    std::string engine; ///< "cpu", "cuda"
    std::string source; ///< paper or "Pollard"
};

struct TreeReport {
    std::string algorithm;
    std::uint32_t nodes = 0;
    std::uint32_t leaves = 0;
    std::uint32_t depth = 0;
    std::uint16_t rootLevel = 0;
    std::vector<StageTime> stages;
    double milliseconds = 0; ///< whole build, node tables included
};

struct SessionOptions {
    int threads = 0; ///< 0 = all cores
};

/// One image, its tree, its attributes and the workspace, on one device. Asked in a few coarse calls, from one
/// thread at a time. A call that throws (Error or Cancelled) leaves the session as it was before the call.
class Session {
public:
    virtual ~Session() = default;
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    /// Takes the image; an earlier tree and its attributes are forgotten.
    virtual void openImage(std::shared_ptr<const Image> image) = 0;

    /// Builds the tree of the open image and forgets attributes of an earlier one.
    /// @throws Error(invalidArgument) without an image, Error(engineUnavailable) for an unknown algorithm,
    ///         Error(outOfMemory) when the estimate exceeds what there is; Cancelled within 100 ms of a request
    virtual TreeReport buildTree(const TreeSpec& spec, const JobControl& control = {}) = 0;

    /// The tree in host memory, shared and immutable; null before buildTree().
    [[nodiscard]] virtual std::shared_ptr<const ComponentTree> tree() const = 0;

    /// One attribute of all nodes; computed once per tree.
    /// @throws Error(invalidArgument) without a tree; Cancelled
    [[nodiscard]] virtual std::shared_ptr<const AttributeColumn> attribute(AttributeId id,
                                                                           const JobControl& control = {}) = 0;

    /// Filters the tree and writes an image of the open image's type and size into @p out.
    /// Attributes it needs are computed on the way.
    /// @throws Error(invalidArgument) without a tree or if @p out has another type or size; Cancelled
    virtual FilterReport filter(const FilterSpec& spec, Image& out, const JobControl& control = {}) = 0;

    /// The maximal components that the filter keeps (a kept node that no other kept one holds; the root only if the
    /// rule keeps it for its own sake), numbered 1 .. count in raster order of first appearance. The output of @p spec
    /// is ignored. Works on the tree in host memory unless the engine knows better.
    /// @throws Error(invalidArgument) without a tree, Error(outOfMemory); Cancelled
    [[nodiscard]] virtual LabelImage labels(const FilterSpec& spec, const JobControl& control = {});

    /// As filter(), but the picture stays on the device: deviceFrame() is it, and fetchFrame() brings it to the host.
    /// @return nothing, and nothing is done, if the device is the host: filter() does it
    [[nodiscard]] virtual std::optional<FilterReport> filterOnDevice(const FilterSpec& spec,
                                                                     const JobControl& control = {});

    /// Writes a picture that this session made on its device into @p out.
    /// @throws Error(invalidArgument) if the frame is another session's or @p out has another type or size; Cancelled
    virtual void fetchFrame(const DeviceFrame& frame, Image& out, const JobControl& control = {});

    /// The picture of the last filter() or filterOnDevice(), where the engine's device keeps it; null if it does not.
    /// It stays valid whatever the session does next.
    [[nodiscard]] virtual std::shared_ptr<const DeviceFrame> deviceFrame() const { return nullptr; }

    /// The number of every pixel's node (TexelType::u32), where the engine's device keeps it; null if it does not, and
    /// before buildTree(). It stays valid whatever the session does next.
    [[nodiscard]] virtual std::shared_ptr<const DevicePixels> deviceNodes() const { return nullptr; }

    /// attributeHistogram(), attributePlane(), patternSpectrum() and patternSpectrum2d() of the tree, counted where its
    /// attributes are; what they need is measured on the way.
    /// @throws Error(invalidArgument) without a tree and as those do; Cancelled
    [[nodiscard]] virtual AttributeHistogram histogram(AttributeId id, const BinSpec& spec,
                                                       const JobControl& control = {});
    [[nodiscard]] virtual AttributePlane plane(AttributeId idX, const BinSpec& specX, AttributeId idY,
                                               const BinSpec& specY, const JobControl& control = {});
    [[nodiscard]] virtual PatternSpectrum spectrum(AttributeId id, const BinSpec& spec, const JobControl& control = {});
    [[nodiscard]] virtual PatternSpectrum2d spectrum2d(AttributeId idX, const BinSpec& specX, AttributeId idY,
                                                       const BinSpec& specY, const JobControl& control = {});

    /// Time since the last call of what has no report of its own: copies between host and device ("upload",
    /// "download") and attributes ("area", ...). Each name once, its times summed. Empty where the device is the host.
    [[nodiscard]] virtual std::vector<StageTime> takeTransferStages() { return {}; }

    /// Builds the canonical parent image of the open image alone, and forgets it: the time that its stages take, for
    /// comparisons. Empty on an engine that does not come by one.
    /// @throws as buildTree()
    [[nodiscard]] virtual std::vector<StageTime> timeParentImage(const TreeSpec& spec, const JobControl& control = {});

    /// Upper bound of the bytes buildTree() needs at its peak beside the image itself.
    [[nodiscard]] virtual std::uint64_t estimateTreeBytes(const Image& image) const = 0;

protected:
    Session() = default;
};

/// How fast trees come out of an engine when images come one after another.
struct StreamReport {
    std::string algorithm;
    int images = 0;
    double milliseconds = 0; ///< wall time from the first image handed in to the last parent image back
};

/// A compute device and the algorithms it offers.
class Engine {
public:
    virtual ~Engine() = default;

    [[nodiscard]] virtual std::string name() const = 0;   ///< "cpu", "cuda"
    [[nodiscard]] virtual std::string device() const = 0; ///< "2 threads", "NVIDIA H100 80GB HBM3"
    /// Empty if the engine can be used, else why not, for a person.
    [[nodiscard]] virtual std::string unusableReason() const = 0;
    [[nodiscard]] virtual std::uint64_t memoryBytes() const = 0; ///< of the device; 0 = unknown
    [[nodiscard]] virtual std::vector<AlgorithmInfo> algorithms() const = 0;
    /// @throws Error(engineUnavailable)
    [[nodiscard]] virtual std::unique_ptr<Session> openSession(const SessionOptions& options = {}) = 0;

    /// Builds the canonical parent image (or, on an engine that has no cheaper form, the tree) of one image after
    /// another, @p count in all, going round @p images, which have one type and size; transfers of one image overlap
    /// the work on others where the device can.
    /// @throws Error, Cancelled
    [[nodiscard]] virtual StreamReport streamTrees(std::span<const std::shared_ptr<const Image>> images,
                                                   const TreeSpec& spec, int count, const SessionOptions& options = {},
                                                   const JobControl& control = {});

    /// Objects of a mask and their measurements, see pollard::labelComponents(): the same labels and records, bit for
    /// bit, from every engine and algorithm. Thread-safe. An engine that lists no labelling algorithm has the CPU do
    /// it.
    /// @param grey image whose levels are measured, of the mask's size; null: the grey fields stay 0
    /// @throws as pollard::labelComponents(); Error(deviceFailed)
    [[nodiscard]] virtual Components labelComponents(const Mask& mask, const Image* grey, const ComponentsSpec& spec,
                                                     const JobControl& control = {});

    /// A stream of pictures whose objects are wanted, see components/object_stream.hpp: the same labels and records as
    /// thresholdMask() and labelComponents() give, from every engine. The engine must outlive it.
    /// @param inFlight frames under way at once, at least 1; the stream may take fewer
    /// @throws Error(invalidArgument) for an unknown algorithm, Error(outOfMemory), Error(deviceFailed),
    ///         Error(engineUnavailable)
    [[nodiscard]] virtual std::unique_ptr<ObjectStream> streamObjects(const ComponentsSpec& spec, int inFlight,
                                                                      const SessionOptions& options = {});

    /// Evolves a contour, see snake/snake_job.hpp: the same states, energies bit for bit, from every engine and
    /// algorithm with the same moves. Thread-safe. An engine that lists no algorithm for snakes has the CPU do it.
    /// @param listener is told of every accepted state, the start first, and may end the run; may be empty
    /// @throws as pollard::runSnake(); Error(engineUnavailable) for moves that no algorithm of the engine makes,
    ///         Error(outOfMemory), Error(deviceFailed)
    [[nodiscard]] virtual SnakeResult runSnake(const SnakeJob& job,
                                               const std::function<bool(const SnakeState&)>& listener,
                                               const JobControl& control = {});

    /// Contours that evolve at once, each on a part of its own of one image, see pollard::runApartSnakes(): the same
    /// states from every engine, for algorithms with the same moves. Thread-safe. An engine without an algorithm for it
    /// has the CPU do it.
    /// @throws as pollard::runApartSnakes(); Error(engineUnavailable), Error(outOfMemory), Error(deviceFailed)
    [[nodiscard]] virtual ApartSnakesResult
    runApartSnakes(const ApartSnakesJob& job, const std::function<void(std::size_t, const SnakeState&)>& listener,
                   const JobControl& control = {});

    /// A way to show what this engine keeps for every pixel in OpenGL textures; null if the engine keeps none.
    [[nodiscard]] virtual std::unique_ptr<GlTarget> makeGlTarget() { return nullptr; }
};

} // namespace pollard
