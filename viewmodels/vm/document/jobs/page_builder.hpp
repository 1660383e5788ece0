#pragma once

#include "vm/document/jobs/job_types.hpp"
#include "vm/image/memory_plan.hpp"
#include "vm/image/open_request.hpp"
#include "vm/image/shown_image.hpp"

#include "attributes/attribute.hpp"
#include "base/job_control.hpp"
#include "engine/engine.hpp"
#include "filter/filter_spec.hpp"
#include "filter/filter_units.hpp"
#include "image/image.hpp"
#include "image/pyramid.hpp"
#include "io/image_file.hpp"
#include "io/volumes/read_volume.hpp"
#include "recipe/filter_stages.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <optional>
#include <span>
#include <utility>

namespace pollard::vm {

/// An image with the pixels of its tree.
struct PageImage : ShownImage {
    SlicePages slices;                  ///< pages of the slices of a volume
    std::shared_ptr<const Mask> inside; ///< pixels of the tree, of a volume in the rows of all slices; null for all
    std::optional<PixelSize> pixelSize; ///< for bounds in units: stated by the file, or set by the user

    /// Units of the lengths and values of the image.
    [[nodiscard]] ImageUnits units() const { return {pixelSize, mapping, volume != nullptr}; }
    /// Whether it is displayed and its results need display data.
    [[nodiscard]] bool isShown() const noexcept { return pyramid != nullptr; }
};

/// The last filtered image of a page, as long as another owner holds its pixels.
class LastFrame {
public:
    void set(const FrameResult& frame);
    /// Sets the image after a copy from the device.
    void setImage(const std::shared_ptr<const Image>& image) { image_ = image; }
    [[nodiscard]] std::uint16_t brightLevel() const noexcept { return frame_.brightLevel; }
    [[nodiscard]] const FilterSpec& spec() const noexcept { return frame_.spec; }
    /// Whether the frame on the device is @p frame.
    [[nodiscard]] bool isOn(const DeviceFrame& frame) const noexcept { return device_.lock().get() == &frame; }
    /// The image of this filter with its pyramid, without a copy on the device; empty if it has been freed.
    [[nodiscard]] std::optional<FrameResult> get(const FilterSpec& spec, bool wantsPyramid) const;

private:
    FrameResult frame_; ///< without the images
    std::weak_ptr<const DeviceFrame> device_;
    std::weak_ptr<const Image> image_;
    std::weak_ptr<const Pyramid> pyramid_;
};

/// All data of one tree including the session; lives on the compute thread.
struct OpenedPage {
    PageImage image;
    std::unique_ptr<Session> session;
    TreeRequest request; ///< the session's request
    TreeResult tree;     ///< without the image; its frame is empty once handed out
    LastFrame frame;

    /// Approximate main memory of this page.
    [[nodiscard]] std::uint64_t hostBytes() const;
    /// Approximate memory of this page on the device of its engine; 0 for the CPU engine.
    [[nodiscard]] std::uint64_t deviceBytes() const;
};

/// Pages and channels of one file with their trees, for a fast return. When memory is full, the least recently used
/// page is dropped first. Lives on the compute thread like its sessions.
class PageCache {
public:
    struct Budget {
        std::uint64_t host = 0;   ///< bytes of main memory; 0 keeps nothing
        std::uint64_t device = 0; ///< bytes on the device of an engine that has one
    };

    struct Key {
        int page = 0;
        ChannelChoice channel;

        bool operator==(const Key&) const = default;
    };

    /// Pages beyond a smaller budget are dropped at once.
    void setBudget(const Budget& budget);
    /// Keeps a page, unless this page exceeds the budget; replaces a page of the same key.
    void keep(const Key& key, OpenedPage page);
    /// Takes a page out.
    [[nodiscard]] std::optional<OpenedPage> take(const Key& key);
    void clear() noexcept;

    [[nodiscard]] std::size_t pages() const noexcept { return entries_.size(); }
    [[nodiscard]] std::uint64_t hostBytes() const noexcept { return hostBytes_; }

private:
    struct Entry {
        Key key;
        std::uint64_t hostBytes = 0;
        std::uint64_t deviceBytes = 0;
        OpenedPage page;
    };
    void makeRoom(std::uint64_t hostBytes, std::uint64_t deviceBytes);
    void erase(std::list<Entry>::iterator entry);

    Budget budget_;
    std::list<Entry> entries_; ///< most recently used first
    std::uint64_t hostBytes_ = 0;
    std::uint64_t deviceBytes_ = 0;
};

/// A request with its slices decided.
struct DecidedRequest {
    OpenRequest request;                ///< a volume by the page of its first slice
    std::uint32_t slice = 0;            ///< to show
    int page = 0;                       ///< the same as a page of the file
    std::optional<MemoryPlan> tooLarge; ///< of the volume, if its slices are opened as pages for want of memory
};

/// Reads pages and volumes for DocumentJobs, with the data of their display. Only the compute thread calls it.
class PageImageReader {
public:
    /// @param services must outlive this
    explicit PageImageReader(const DocumentServices& services) : services_(services) {}

    /// Whether slices are opened as a volume, see Slices.
    [[nodiscard]] DecidedRequest decide(const OpenRequest& asked, const LoadRules& rules,
                                        const TreeRequest& tree) const;
    /// See DocumentJobs::questionAbout().
    [[nodiscard]] std::optional<MemoryPlan> questionAbout(const OpenRequest& page, const LoadRules& rules,
                                                          const TreeRequest& request) const;
    /// @param slice to show of a volume
    [[nodiscard]] PageImage read(const OpenRequest& page, std::uint32_t slice, const LoadRules& rules,
                                 const JobControl& control) const;
    /// Adds the display data of an image or of the seen slice of a volume.
    void addDisplay(PageImage& image, const JobControl& control) const;
    /// Replaces the plane of a volume, with its display data.
    void showPlane(PageImage& image, const VolumePlane& plane, const JobControl& control) const;
    /// The pyramid of an image as large as the image of @p shown. @param coverage null for all pixels
    [[nodiscard]] std::shared_ptr<const Pyramid> pyramidOf(const ShownImage& shown, std::shared_ptr<const Image> image,
                                                           std::shared_ptr<const Coverage> coverage,
                                                           const JobControl& control) const;

private:
    [[nodiscard]] std::optional<MemoryPlan> planFor(const ImageInfo& info, const OpenRequest& page,
                                                    const TreeRequest& request) const;
    /// Facts of the page without its region and shrinking. @throws Error
    [[nodiscard]] ImageInfo infoOfWhole(OpenRequest page, const LoadRules& rules) const;
    void addPyramid(PageImage& image, const JobControl& control) const;

    const DocumentServices& services_;
    mutable PyramidPool pyramids_; ///< of all images and slices of the document
};

/// Bounds in pixels and levels of this image; criteria that do not apply to it are left out, see
/// FilterViewModel::problem().
[[nodiscard]] FilterSpec pixelsOf(const FilterSpec& spec, const PageImage& image);

/// Whether one of these filters that is on has a bound in a unit of length, or is an operator with lengths.
[[nodiscard]] bool dependsOnPixelSize(std::span<const FilterStage> earlier);

/// An attribute of the session's tree; undefined for all nodes if such a tree does not have it.
[[nodiscard]] std::shared_ptr<const AttributeColumn> columnOf(Session& session, AttributeId id,
                                                              const JobControl& control);

/// Whether the levels of a filtered image are ranks, which are displayed by their values, see EvenLevels.
[[nodiscard]] bool areRanks(const PageImage& image, const FilterSpec& spec);

/// Whether the result of an image is displayed with its own range, see brightLevel().
[[nodiscard]] bool isStretched(const ShownImage& image, Output output);

/// Builds the trees of images with an engine, and filters the images.
class PageBuilder {
public:
    /// Both must outlive this.
    PageBuilder(const DocumentServices& services, const PageImageReader& reader);

    /// Tree, attributes and filtered image, in a session of their own.
    /// @param present page of which results of earlier filters are reused, or null
    /// @throws as the engine; Error naming the earlier filter that failed
    [[nodiscard]] OpenedPage build(Engine& engine, const PageImage& image, const TreeRequest& request,
                                   const OpenedPage* present, const JobContext& context);
    /// Filters the image, or the plane of a volume; only slices may stay on the device, too.
    /// @param session of the engine, with the image's tree
    [[nodiscard]] FrameResult filter(Engine& engine, Session& session, const PageImage& image, const FilterSpec& spec,
                                     const JobControl& control);
    /// See FramePool::acquire().
    [[nodiscard]] std::shared_ptr<Image> frame(PixelType type, std::uint32_t width, std::uint32_t height) {
        return frames_.acquire(type, width, height);
    }

    /// Whether filtered images have pyramids even if the device keeps them; from any thread.
    void wantPyramids(bool wanted) noexcept { wantsPyramids_ = wanted; }
    [[nodiscard]] bool wantsPyramids() const noexcept { return wantsPyramids_; }

private:
    /// Sets the image after the earlier filters, null without such filters, and its mapping.
    void setInput(Engine& engine, PageImage& image, const FilterStages& earlier, const OpenedPage* present,
                  const JobContext& context) const;

    const DocumentServices& services_;
    const PageImageReader& reader_;
    FramePool frames_;
    std::atomic<bool> wantsPyramids_ = true;
};

} // namespace pollard::vm
