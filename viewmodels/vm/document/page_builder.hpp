#pragma once

#include "vm/document/document_services.hpp"
#include "vm/document/image_reader.hpp"
#include "vm/document/job_types.hpp"
#include "vm/document/page_cache.hpp"
#include "vm/image/frame_pool.hpp"

#include "attributes/attribute.hpp"
#include "base/job_control.hpp"
#include "engine/engine.hpp"
#include "filter/filter_spec.hpp"
#include "image/image.hpp"
#include "recipe/filter_stages.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>

namespace pollard::vm {

/// Bounds in pixels and levels of this image; criteria that do not apply to it are left out, see
/// FilterViewModel::problem().
[[nodiscard]] FilterSpec pixelsOf(const FilterSpec& spec, const Picture& picture);

/// Whether one of these filters that is on has a bound in a unit of length.
[[nodiscard]] bool dependsOnPixelSize(std::span<const FilterStage> earlier);

/// An attribute of the session's tree; undefined for all nodes if such a tree does not have it.
[[nodiscard]] std::shared_ptr<const AttributeColumn> columnOf(Session& session, AttributeId id,
                                                              const JobControl& control);

/// Whether the levels of a filtered image are ranks, which are displayed by their values, see EvenLevels.
[[nodiscard]] bool areRanks(const Picture& picture, const FilterSpec& spec);

/// Whether an image is displayed with its own range, see brightLevel().
[[nodiscard]] bool isStretched(Output output);

/// Builds the trees of images with an engine, and filters the images.
class PageBuilder {
public:
    /// Both must outlive this.
    PageBuilder(const DocumentServices& services, const PictureReader& reader);

    /// Tree, attributes and filtered image, in a session of their own.
    /// @param present page of which results of earlier filters are reused, or null
    /// @throws as the engine; Error naming the earlier filter that failed
    [[nodiscard]] OpenedPage build(Engine& engine, const Picture& picture, const TreeRequest& request,
                                   const OpenedPage* present, const JobContext& context);
    /// Filters the image, or the plane of a volume; only slices may stay on the device, too.
    /// @param session of the engine, with the image's tree
    [[nodiscard]] FrameResult filter(Engine& engine, Session& session, const Picture& picture, const FilterSpec& spec,
                                     const JobControl& control);
    /// See FramePool::acquire().
    [[nodiscard]] std::shared_ptr<Image> frame(PixelType type, std::uint32_t width, std::uint32_t height) {
        return frames_.acquire(type, width, height);
    }

    /// Whether filtered images have pyramids even if the device keeps them; from any thread.
    void wantPyramids(bool wanted) noexcept { wantsPyramids_ = wanted; }
    [[nodiscard]] bool wantsPyramids() const noexcept { return wantsPyramids_; }

private:
    /// The image after the earlier filters.
    /// @returns null without such filters
    [[nodiscard]] std::shared_ptr<const Image> inputOf(Engine& engine, const Picture& picture,
                                                       const FilterStages& earlier, const OpenedPage* present,
                                                       const JobContext& context) const;

    const DocumentServices& services_;
    const PictureReader& reader_;
    FramePool frames_;
    std::atomic<bool> wantsPyramids_ = true;
};

} // namespace pollard::vm
