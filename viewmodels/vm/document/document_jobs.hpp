#pragma once

#include "vm/document/document_services.hpp"
#include "vm/document/frame_pool.hpp"
#include "vm/document/job_types.hpp"
#include "vm/document/opened_page.hpp"
#include "vm/document/page_cache.hpp"
#include "vm/picture/open_request.hpp"

#include <atomic>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

namespace pollard::vm {

/// The compute thread's side of a document: owns the session. Only that thread calls it. Every function either does
/// its whole job or throws (Error, Cancelled, std::bad_alloc) and leaves everything as it was before: a tree is built
/// in a session of its own, which replaces the present one at the end. Pages of the stack that were shown before are
/// kept with their trees as far as memory is given for it.
///
/// A device that fails or is too small is replaced by the CPU engine, with a notice in EngineUse.
class DocumentJobs {
public:
    explicit DocumentJobs(DocumentServices services);

    [[nodiscard]] const DocumentServices& services() const noexcept { return services_; }
    /// What is to be asked about a page before it is read; nothing if that is not wanted, or if it needs less than half
    /// of the memory.
    [[nodiscard]] std::optional<MemoryPlan> questionAbout(const OpenRequest& page, const LoadRules& rules,
                                                          const TreeRequest& request) const;

    /// Reads a page and builds its tree, or finds both among the pages that are kept. A domain of another size than
    /// the page is left out.
    [[nodiscard]] LoadResult load(const OpenRequest& page, const LoadRules& rules, const TreeRequest& request,
                                  const JobContext& context);
    /// Builds another tree of the present image. @throws Error(invalidArgument) if the domain has another size
    [[nodiscard]] TreeResult build(const TreeRequest& request, const JobContext& context);
    [[nodiscard]] AttributeColumns measure(const std::vector<AttributeId>& ids, const JobContext& context);
    /// Counts where the session has its attributes, or on the host if its device fails. The request may be of the tree
    /// before: then its report comes behind that of the present one.
    [[nodiscard]] AttributePlane plane(const PlaneRequest& request, const JobContext& context);
    /// May leave the picture on the device alone, for fetch().
    [[nodiscard]] FrameResult filter(const FilterSpec& spec, const JobContext& context);
    /// A picture that filter() left on the device, in main memory. @throws Cancelled if it is not the present one
    [[nodiscard]] std::shared_ptr<const Image> fetch(const DeviceFrame& frame, const JobControl& control);
    void save(const std::filesystem::path& path, const Image& image, const TiffWriteOptions& options,
              const JobContext& context) const;
    /// Reads a page and filters it, whatever the present one is, without what only a canvas needs: pyramids,
    /// histogram, bright level. A domain of another size than the page is left out.
    [[nodiscard]] OpenedPage filterPage(const OpenRequest& page, const LoadRules& rules, const TreeRequest& request,
                                        const JobContext& context);
    /// Filters every page of the stack as @p request says and writes the pictures as the pages of one TIFF.
    /// @param pages how many there are
    /// @throws Error naming the page that failed; nothing is written then
    void filterPages(const std::filesystem::path& target, const OpenRequest& stack, int pages, const LoadRules& rules,
                     const TreeRequest& request, const JobContext& context);
    /// Gives everything back.
    void close() noexcept;
    /// Whether filtered pictures come with pyramids even where the device keeps them; from any thread.
    void wantResultPyramids(bool wanted) noexcept { wantsPyramids_ = wanted; }
    /// Whether filtered pictures may stay on the device alone; from any thread.
    void letPicturesStay(bool may) noexcept { picturesMayStay_ = may; }

private:
    /// What pages that are kept have in common.
    struct StackKey {
        OpenRequest stack; ///< page 0
        std::uint64_t fileBytes = 0;
        std::filesystem::file_time_type changed;
        TreeSpec spec;
        std::string engine;
        std::shared_ptr<const Mask> domain;
        FilterStages earlier; ///< effective ones

        bool operator==(const StackKey&) const = default;
    };
    [[nodiscard]] static StackKey keyOf(const OpenRequest& page, const TreeRequest& request);
    [[nodiscard]] Picture read(const OpenRequest& page, const LoadRules& rules, const JobControl& control) const;
    /// What a picture that was read is shown with.
    void addDisplay(Picture& picture, const JobControl& control) const;
    [[nodiscard]] std::optional<LoadResult> loadKept(const OpenRequest& page, const TreeRequest& request,
                                                     const JobContext& context);
    /// What the earlier filters leave of a picture, beginning with what is known of the present one.
    /// @returns null without such filters
    /// @throws Error naming the filter that failed
    [[nodiscard]] std::shared_ptr<const Image> inputOf(Engine& engine, const Picture& picture,
                                                       const FilterStages& earlier, const JobContext& context) const;
    [[nodiscard]] OpenedPage openWith(Engine& engine, const Picture& picture, const TreeRequest& request,
                                      const JobContext& context);
    [[nodiscard]] OpenedPage openWithFallback(Picture picture, const TreeRequest& request, const JobContext& context);
    [[nodiscard]] FrameResult filterWith(Engine& engine, Session& session, const Picture& picture,
                                         const FilterSpec& spec, const JobControl& control);
    /// A picture on the device alone, if that will do.
    [[nodiscard]] std::optional<FrameResult> filterOnDevice(const FilterSpec& spec, const JobControl& control);
    /// Keeps the present page if the next one is of the same stack.
    void retirePresent(const StackKey& next);
    /// Makes it the present one. @returns what is to be shown
    [[nodiscard]] TreeResult take(OpenedPage opened);
    [[nodiscard]] LoadResult shown(const Picture& picture, TreeResult tree) const;

    DocumentServices services_;
    FramePool frames_;
    mutable PyramidPool pyramids_;
    std::atomic<bool> wantsPyramids_ = true;
    std::atomic<bool> picturesMayStay_ = true;
    std::optional<OpenedPage> present_;
    int presentPage_ = 0;
    StackKey presentKey_;
    PageCache cache_; ///< pages of presentKey_
};

} // namespace pollard::vm
