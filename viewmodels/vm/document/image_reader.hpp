#pragma once

#include "vm/document/document_services.hpp"
#include "vm/document/job_types.hpp"
#include "vm/document/page_cache.hpp"
#include "vm/image/memory_plan.hpp"
#include "vm/image/open_request.hpp"

#include "base/job_control.hpp"
#include "image/pyramid.hpp"

#include <cstdint>
#include <optional>

namespace pollard::vm {

/// A request with its slices decided.
struct DecidedRequest {
    OpenRequest request;                ///< a volume by the page of its first slice
    std::uint32_t slice = 0;            ///< to show
    int page = 0;                       ///< the same as a page of the file
    std::optional<MemoryPlan> tooLarge; ///< of the volume, if its slices are opened as pages for want of memory
};

/// Reads pages and volumes for DocumentJobs, with the data of their display. Only the compute thread calls it.
class PictureReader {
public:
    /// @param services must outlive this
    explicit PictureReader(const DocumentServices& services) : services_(services) {}

    /// Whether slices are opened as a volume, see Slices.
    [[nodiscard]] DecidedRequest decide(const OpenRequest& asked, const LoadRules& rules,
                                        const TreeRequest& tree) const;
    /// See DocumentJobs::questionAbout().
    [[nodiscard]] std::optional<MemoryPlan> questionAbout(const OpenRequest& page, const LoadRules& rules,
                                                          const TreeRequest& request) const;
    /// @param slice to show of a volume
    [[nodiscard]] Picture read(const OpenRequest& page, std::uint32_t slice, const LoadRules& rules,
                               const JobControl& control) const;
    /// Adds the display data of an image or of the seen slice of a volume.
    void addDisplay(Picture& picture, const JobControl& control) const;
    /// Replaces the plane of a volume, with its display data.
    void see(Picture& picture, const VolumePlane& plane, const JobControl& control) const;
    /// Of an image as large as that of @p shown. @param coverage null for all pixels
    [[nodiscard]] std::shared_ptr<const Pyramid> pyramidOf(const ShownImage& shown, std::shared_ptr<const Image> image,
                                                           std::shared_ptr<const Coverage> coverage,
                                                           const JobControl& control) const;

private:
    [[nodiscard]] std::optional<MemoryPlan> planFor(const ImageInfo& info, const OpenRequest& page,
                                                    const TreeRequest& request) const;
    /// Facts of the page without its region and shrinking. @throws Error
    [[nodiscard]] ImageInfo infoOfWhole(OpenRequest page, const LoadRules& rules) const;
    void addPyramid(Picture& picture, const JobControl& control) const;

    const DocumentServices& services_;
    mutable PyramidPool pyramids_; ///< of all images and slices of the document
};

} // namespace pollard::vm
