#pragma once

#include "document_services.hpp"
#include "frame_pool.hpp"
#include "level_histogram.hpp"

#include "attributes/attribute.hpp"
#include "base/job_control.hpp"
#include "engine/engine.hpp"
#include "filter/filter_spec.hpp"
#include "tree/component_tree.hpp"

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace pollard::vm {

using AttributeColumns = std::vector<std::pair<AttributeId, std::shared_ptr<const AttributeColumn>>>;

/// Which engine did the work.
struct EngineUse {
    std::string name;
    std::string device;
    std::string notice; ///< why it is not the one that was asked for; empty if it is
};

/// A filtered picture.
struct FrameResult {
    std::shared_ptr<const Image> image;
    FilterSpec spec;
    FilterReport report;
};

/// A tree with everything that is shown together with it.
struct TreeResult {
    TreeSpec spec;
    std::shared_ptr<const ComponentTree> tree;
    TreeReport report;
    AttributeColumns attributes;
    FrameResult frame;
    EngineUse engine;
};

/// A document that was opened.
struct LoadResult {
    std::shared_ptr<const Image> image;
    std::shared_ptr<const ImageInfo> info;
    std::shared_ptr<const LevelHistogram> histogram;
    TreeResult tree;
};

/// What to show with a tree as soon as it is there.
struct TreeRequest {
    std::string engine = "auto";
    TreeSpec spec;
    std::vector<AttributeId> attributes;
    FilterSpec filter;
};

/// The compute thread's side of a document: owns the session. Only that thread calls it. Every function either does
/// its whole job or throws (Error, Cancelled, std::bad_alloc) and leaves the session it had before.
class DocumentJobs {
public:
    explicit DocumentJobs(DocumentServices services);

    /// Reads a page and builds its tree in a new session, which then replaces the present one.
    [[nodiscard]] LoadResult load(const std::filesystem::path& path, const ReadOptions& options,
                                  const TreeRequest& request, const JobControl& control);
    /// Builds another tree of the present image, in a new session if the engine is another one.
    [[nodiscard]] TreeResult build(const TreeRequest& request, const JobControl& control);
    [[nodiscard]] AttributeColumns measure(const std::vector<AttributeId>& ids, const JobControl& control);
    [[nodiscard]] FrameResult filter(const FilterSpec& spec, const JobControl& control);
    void save(const std::filesystem::path& path, const Image& image, const TiffWriteOptions& options,
              const JobControl& control);
    /// Gives session and image back.
    void close() noexcept;

    [[nodiscard]] bool hasSession() const noexcept { return session_ != nullptr; }

private:
    struct Opened {
        std::unique_ptr<Session> session;
        EngineUse engine;
        TreeResult tree;
    };
    [[nodiscard]] Opened openWith(Engine& engine, const std::shared_ptr<const Image>& image, const TreeRequest& request,
                                  const JobControl& control);
    [[nodiscard]] Opened openWithFallback(const std::shared_ptr<const Image>& image, const TreeRequest& request,
                                          const JobControl& control);
    void completeTree(Session& session, const Image& image, const TreeRequest& request, TreeResult& result,
                      const JobControl& control);
    [[nodiscard]] FrameResult filterWith(Session& session, const Image& image, const FilterSpec& spec,
                                         const JobControl& control);
    void adopt(Opened& opened, std::shared_ptr<const Image> image, const std::string& requestedEngine);

    DocumentServices services_;
    FramePool frames_;
    std::shared_ptr<const Image> image_;
    std::unique_ptr<Session> session_;
    EngineUse engine_;
    std::string requestedEngine_;
};

} // namespace pollard::vm
