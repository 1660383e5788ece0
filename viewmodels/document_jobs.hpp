#pragma once

#include "document_services.hpp"
#include "frame_pool.hpp"
#include "level_histogram.hpp"

#include "attributes/attribute.hpp"
#include "base/job_control.hpp"
#include "engine/engine.hpp"
#include "filter/filter_spec.hpp"
#include "image/mask.hpp"
#include "image/pyramid.hpp"
#include "tree/component_tree.hpp"

#include <atomic>
#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace pollard::vm {

using AttributeColumns = std::vector<std::pair<AttributeId, std::shared_ptr<const AttributeColumn>>>;

/// How a job learns that it shall stop and tells how far it is, in parts.
struct JobContext {
    std::stop_token stop;
    JobControl::ProgressFunction progress; ///< may be empty

    /// Control of a step that makes up the part [from, to] of the whole job.
    [[nodiscard]] JobControl part(double from, double to) const;
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
    std::shared_ptr<const Image> image;
    std::shared_ptr<const DeviceFrame> deviceFrame; ///< the same where the engine's device keeps it, else null
    Engine* engine = nullptr;                       ///< that made it
    std::shared_ptr<const Pyramid> pyramid;         ///< of `image`; null while nobody wants it
    FilterSpec spec;
    FilterReport report;
    std::uint16_t brightLevel = 0;      ///< of a residue, see brightLevel(); 0 for other outputs
    std::optional<EngineUse> takenOver; ///< set if another engine had to take over
};

/// A tree with everything that is shown together with it.
struct TreeResult {
    TreeSpec spec;
    std::shared_ptr<const Mask> domain; ///< that was analysed; null for the whole picture
    std::shared_ptr<const ComponentTree> tree;
    TreeReport report;
    AttributeColumns attributes;
    FrameResult frame;
    EngineUse engine;
};

/// A document that was opened.
struct LoadResult {
    std::shared_ptr<const Image> image;
    std::shared_ptr<const Mask> valid; ///< null if every pixel holds data
    std::shared_ptr<const Pyramid> pyramid;
    std::shared_ptr<const ImageInfo> info;
    std::shared_ptr<const LevelHistogram> histogram;
    TreeResult tree;
};

/// What to show with a tree as soon as it is there.
struct TreeRequest {
    std::string engine = "auto";
    TreeSpec spec;
    std::shared_ptr<const Mask> domain; ///< pixels to analyse; null for all
    std::vector<AttributeId> attributes;
    FilterSpec filter;
};

/// The compute thread's side of a document: owns the session. Only that thread calls it. Every function either does
/// its whole job or throws (Error, Cancelled, std::bad_alloc) and leaves everything as it was before: a tree is built
/// in a session of its own, which replaces the present one at the end.
///
/// A device that fails or is too small is replaced by the CPU engine, with a notice in EngineUse.
class DocumentJobs {
public:
    explicit DocumentJobs(DocumentServices services);

    /// Reads a page and builds its tree. A domain of another size than the page is left out.
    [[nodiscard]] LoadResult load(const std::filesystem::path& path, const ReadOptions& options,
                                  const TreeRequest& request, const JobContext& context);
    /// Builds another tree of the present image. @throws Error(invalidArgument) if the domain has another size
    [[nodiscard]] TreeResult build(const TreeRequest& request, const JobContext& context);
    [[nodiscard]] AttributeColumns measure(const std::vector<AttributeId>& ids, const JobContext& context);
    [[nodiscard]] FrameResult filter(const FilterSpec& spec, const JobContext& context);
    void save(const std::filesystem::path& path, const Image& image, const TiffWriteOptions& options,
              const JobContext& context) const;
    /// Gives session and image back.
    void close() noexcept;
    /// Whether filtered pictures come with pyramids even where the device keeps them; from any thread.
    void wantResultPyramids(bool wanted) noexcept { wantsPyramids_ = wanted; }

private:
    /// What is analysed and shown: the picture as it was read and the pixels that take part.
    struct Picture {
        std::shared_ptr<const Image> image;
        std::shared_ptr<const Mask> valid;        ///< pixels with data; null for all
        std::shared_ptr<const Mask> inside;       ///< pixels of the tree; null for all
        std::shared_ptr<const Coverage> coverage; ///< of `valid`; null for all
    };
    /// Everything that belongs to one tree.
    struct Opened {
        Picture picture;
        std::unique_ptr<Session> session;
        TreeRequest request; ///< what the session was made for
        TreeResult tree;
    };
    [[nodiscard]] Opened openWith(Engine& engine, const Picture& picture, const TreeRequest& request,
                                  const JobContext& context);
    [[nodiscard]] Opened openWithFallback(Picture picture, const TreeRequest& request, const JobContext& context);
    [[nodiscard]] FrameResult filterWith(Engine& engine, Session& session, const Picture& picture,
                                         const FilterSpec& spec, const JobControl& control);

    /// Makes it the present one. @returns what is to be shown
    [[nodiscard]] TreeResult take(Opened opened);

    DocumentServices services_;
    FramePool frames_;
    PyramidPool pyramids_;
    std::atomic<bool> wantsPyramids_ = true;
    std::optional<Opened> present_;
};

} // namespace pollard::vm
