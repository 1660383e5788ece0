#pragma once

#include "vm/base/deferred_release.hpp"
#include "vm/document/document_jobs.hpp"
#include "vm/image/open_request.hpp"

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <set>

namespace pollard::vm {

/// The displayed document: image, tree, attributes, filtered image. All null or empty while no document is open.
/// Of a volume, the shown slice is the seen one. Engines outlive it.
struct DocumentContents : ShownSlice {
    OpenRequest request;
    std::shared_ptr<const ImageInfo> info; ///< `fileInfo` with the pixel size set by the user

    TreeSpec treeSpec;
    std::shared_ptr<const Mask> domain;   ///< of the tree
    FilterStages earlier;                 ///< of the tree
    std::optional<PixelSize> earlierSize; ///< for bounds in units of `earlier`
    std::shared_ptr<const ComponentTree> tree;
    std::shared_ptr<const DevicePixels> deviceNodes; ///< see TreeResult::nodes; held only while displayed
    Engine* treeEngine = nullptr;                    ///< that built the tree; owner of deviceNodes
    TreeReport treeReport;
    std::map<AttributeId, std::shared_ptr<const AttributeColumn>> attributes;
    std::set<AttributeId> missingAttributes; ///< requested and not measured yet

    /// Facts about the image or the first slice of the volume, for results of its size.
    [[nodiscard]] std::shared_ptr<const ImageInfo> sourceInfo() const;
    /// Index in the tree of the first pixel of `image`: of the seen slice of a volume.
    [[nodiscard]] std::size_t firstPixel() const noexcept { return image ? slice * image->pixelCount() : 0; }
    /// Whether a filtered image exists: frame.image, or frame.deviceFrame until it arrives.
    [[nodiscard]] bool hasResult() const noexcept { return frame.image || frame.deviceFrame; }
    void adopt(const OpenRequest& of, LoadResult& loaded);
    void adopt(TreeResult& built);
    void adopt(FrameResult& made);
    void adopt(ShownSlice& seen);
    /// Null until measured.
    [[nodiscard]] std::shared_ptr<const AttributeColumn> attribute(AttributeId id) const noexcept;
    /// All large data, taken over before its replacement.
    [[nodiscard]] DeferredRelease retire() const;
};

} // namespace pollard::vm
