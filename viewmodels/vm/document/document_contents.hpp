#pragma once

#include "vm/base/retired_data.hpp"
#include "vm/document/document_jobs.hpp"
#include "vm/picture/open_request.hpp"

#include <map>
#include <memory>
#include <set>

namespace pollard::vm {

/// The displayed document: picture, tree, attributes, filtered picture. All null or empty while no document is open.
struct DocumentContents {
    OpenRequest request;
    std::shared_ptr<const ImageInfo> fileInfo; ///< as in the file
    std::shared_ptr<const ImageInfo> info;     ///< the same with the pixel size set by the user
    std::shared_ptr<const Image> image;
    std::shared_ptr<const Mask> valid;
    std::shared_ptr<const Pyramid> pyramid; ///< of the image
    std::shared_ptr<const LevelHistogram> histogram;

    TreeSpec treeSpec;
    std::shared_ptr<const Mask> domain; ///< of the tree
    FilterStages earlier;               ///< of the tree
    std::shared_ptr<const Image> input; ///< source of the tree; null: `image`
    std::shared_ptr<const ComponentTree> tree;
    std::shared_ptr<const DevicePixels> deviceNodes; ///< see TreeResult::nodes
    Engine* treeEngine = nullptr;                    ///< owner of deviceNodes
    TreeReport treeReport;
    std::map<AttributeId, std::shared_ptr<const AttributeColumn>> attributes;
    std::set<AttributeId> missingAttributes; ///< requested and not measured yet
    FrameResult frame;

    void adopt(const OpenRequest& of, LoadResult& loaded);
    void adopt(TreeResult& built);
    void adopt(FrameResult& made);
    /// Null until measured.
    [[nodiscard]] std::shared_ptr<const AttributeColumn> attribute(AttributeId id) const noexcept;
    /// All large data, taken over before its replacement.
    [[nodiscard]] RetiredData retire() const;
};

} // namespace pollard::vm
