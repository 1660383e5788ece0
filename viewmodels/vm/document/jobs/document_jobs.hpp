#pragma once

#include "analysis/attribute_plane.hpp"
#include "vm/document/jobs/job_types.hpp"
#include "vm/document/jobs/page_builder.hpp"
#include "vm/image/open_request.hpp"

#include "base/error.hpp"
#include "recipe/results/result_tags.hpp"

#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace pollard::vm {

/// How a document filters the displayed page: input of DocumentJobs::filterPage(), which filters other pages in the
/// same way on another thread.
struct PageFilter {
    DocumentServices services;
    OpenRequest stack; ///< its page is ignored
    LoadRules rules;
    TreeRequest tree; ///< without hand-picked components, which belong to one page

    /// Whether both give the same images for all pages.
    [[nodiscard]] bool filtersAs(const PageFilter& other) const;
};

/// The source of a written result: with a mapping of its own if it has lengths.
/// @param mapping of the image after the earlier filters
[[nodiscard]] LoadedImage sourceOf(const LoadedImage& source, const std::shared_ptr<const Image>& result,
                                   const FilterStages& earlier, const FilterSpec& filter,
                                   const std::optional<ValueMapping>& mapping);

/// Jobs of a document on the compute thread; owns the session. Only that thread calls it. Every function either
/// completes or throws (Error, Cancelled, std::bad_alloc) and then changes nothing: a tree is built in a new session,
/// which replaces the present one at the end. Pages and channels of the file that were displayed earlier are kept with
/// their trees within the memory budget.
///
/// A device that fails or has too little memory is replaced by the CPU engine, with a notice in EngineUse.
class DocumentJobs {
public:
    explicit DocumentJobs(DocumentServices services);

    [[nodiscard]] const DocumentServices& services() const noexcept { return services_; }
    /// The memory plan of a page to confirm before it is read; nothing if confirmation is off or the page needs less
    /// than half of the memory.
    [[nodiscard]] std::optional<MemoryPlan> questionAbout(const OpenRequest& page, const LoadRules& rules,
                                                          const TreeRequest& request) const {
        return reader_.questionAbout(page, rules, request);
    }

    /// Reads a page or volume and builds its tree, or takes both from the cache. A domain of another size than the page
    /// is ignored.
    [[nodiscard]] LoadResult load(const OpenRequest& asked, const LoadRules& rules, const TreeRequest& request,
                                  const JobContext& context);
    /// Applies the size of a pixel to bounds in units. Does nothing if the present image is not @p image, facts of
    /// its file.
    void usePixelSize(const ImageInfo* image, const std::optional<PixelSize>& size);
    /// Builds another tree of the present image. @throws Error(invalidArgument) if the domain has another size
    [[nodiscard]] TreeResult build(const TreeRequest& request, const JobContext& context);
    [[nodiscard]] AttributeColumns measure(const std::vector<AttributeId>& ids, const JobContext& context);
    /// Counts where the session has its attributes, or on the host if its device fails. A request for the previous tree
    /// is allowed: its report follows the report of the present tree.
    [[nodiscard]] AttributePlane plane(const PlaneRequest& request, const JobContext& context);
    /// The result may stay in device memory; fetch() copies it to the host.
    [[nodiscard]] FrameResult filter(const FilterSpec& spec, const JobContext& context);
    /// Shows another slice of the present volume, filtered by @p spec.
    /// @throws Cancelled if the present image is not @p volume
    [[nodiscard]] ShownSlice showSlice(const Image* volume, std::uint32_t slice, const FilterSpec& spec,
                                       const JobContext& context);
    /// Copies an image of filter(), or the seen slice, from the device to main memory.
    /// @throws Cancelled if it is not the present one
    [[nodiscard]] std::shared_ptr<const Image> fetch(const DeviceSlice& slice, const JobControl& control);
    /// Reads and filters any page without the data for display: pyramids, histogram, bright level. A domain of another
    /// size than the page is ignored.
    [[nodiscard]] OpenedPage filterPage(const OpenRequest& page, const LoadRules& rules, const TreeRequest& request,
                                        const JobContext& context);
    /// Planes of the present volume and its result. @throws Cancelled if @p volume is not the present one
    [[nodiscard]] SectionsResult sections(const Image* volume, const std::vector<VolumePlane>& planes,
                                          const JobContext& context);
    /// All slices of the present volume, filtered by @p spec.
    /// @throws Cancelled if the present image is not @p volume
    [[nodiscard]] std::shared_ptr<const Image> filterVolume(const Image* volume, const FilterSpec& spec,
                                                            const JobContext& context);
    /// Filters the present volume by @p spec and writes it, see writeResult().
    /// @throws Cancelled if the present image is not @p volume
    void saveVolume(const std::filesystem::path& path, const LoadedImage& volume, const FilterSpec& spec,
                    ResultValues values, const JobContext& context);
    /// Filters every page of the stack by @p request and writes the images as the pages of one TIFF.
    /// @param pages number of pages
    /// @throws Error naming the page that failed; no file is written then
    void filterPages(const std::filesystem::path& target, const OpenRequest& stack, int pages, const LoadRules& rules,
                     const TreeRequest& request, const JobContext& context);
    /// Frees everything.
    void close() noexcept;
    /// Whether filtered images have pyramids even if the device keeps them; from any thread.
    void wantResultPyramids(bool wanted) noexcept { builder_.wantPyramids(wanted); }
    /// Whether filtered images may stay on the device only; from any thread.
    void allowImagesOnDevice(bool may) noexcept { imagesMayStayOnDevice_ = may; }

private:
    /// Equal for all cached pages.
    struct StackKey {
        OpenRequest stack; ///< page and channel as by default
        std::uint64_t fileBytes = 0;
        std::filesystem::file_time_type changed;
        TreeSpec spec;
        std::string engine;
        std::shared_ptr<const Mask> domain;
        FilterStages earlier; ///< only those that are on

        bool operator==(const StackKey&) const = default;
    };
    [[nodiscard]] static StackKey keyOf(const OpenRequest& page, const TreeRequest& request);
    [[nodiscard]] std::optional<LoadResult> loadKept(const DecidedRequest& decided, const TreeRequest& request,
                                                     const JobContext& context);
    [[nodiscard]] OpenedPage buildWith(Engine& engine, const PageImage& image, const TreeRequest& request,
                                       const JobContext& context);
    [[nodiscard]] OpenedPage openWithFallback(PageImage image, const TreeRequest& request, const JobContext& context);
    /// Filters the present image, or its next slice.
    [[nodiscard]] FrameResult filterPresent(const PageImage& image, const FilterSpec& spec, const JobContext& context);
    /// Runs @p work with the present page. If its device fails, the CPU engine builds the page of @p image, which
    /// becomes the present one.
    /// @return the image filtered by the CPU engine; nothing if the device did not fail
    [[nodiscard]] std::optional<FrameResult> onPresent(const std::function<void()>& work, const PageImage& image,
                                                       const FilterSpec& spec, const JobContext& context);
    [[nodiscard]] std::vector<ShownSlice> sectionsOf(const std::vector<VolumePlane>& planes, const JobControl& control);
    /// An image on the device only, or all slices of a volume, if possible.
    [[nodiscard]] std::optional<FrameResult> filterOnDevice(const FilterSpec& spec, const JobControl& control);
    /// Caches the present page if the next one is of the same stack.
    void retirePresent(const StackKey& next);
    /// Makes the page the present one. @returns the data to display
    [[nodiscard]] TreeResult take(OpenedPage opened);
    /// The result of load() for another image.
    [[nodiscard]] LoadResult loaded(OpenedPage opened, const OpenRequest& page, std::optional<MemoryPlan> tooLarge);

    DocumentServices services_;
    PageImageReader reader_{services_};
    PageBuilder builder_{services_, reader_};
    std::atomic<bool> imagesMayStayOnDevice_ = true;
    std::optional<OpenedPage> present_;
    PageCache::Key presentPage_;
    StackKey presentKey_;
    PageCache cache_; ///< for presentKey_
};

} // namespace pollard::vm
