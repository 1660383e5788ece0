#pragma once

#include "vm/base/retired_data.hpp"
#include "vm/document/document_jobs.hpp"
#include "vm/picture/open_request.hpp"

#include <map>
#include <memory>
#include <set>

namespace pollard::vm {

/// What a document shows: the picture that was read, its tree, its attributes and the filtered picture. Everything
/// is null or empty while nothing is open.
struct DocumentContents {
    OpenRequest request;
    std::shared_ptr<const ImageInfo> fileInfo; ///< as the file states it
    std::shared_ptr<const ImageInfo> info;     ///< the same with the pixel size that a person states
    std::shared_ptr<const Image> image;
    std::shared_ptr<const Mask> valid;
    std::shared_ptr<const Pyramid> pyramid; ///< of the image
    std::shared_ptr<const LevelHistogram> histogram;

    TreeSpec treeSpec;
    std::shared_ptr<const Mask> domain; ///< the tree was built for
    FilterStages earlier;               ///< the same
    std::shared_ptr<const Image> input; ///< the tree is of; null: `image`
    std::shared_ptr<const ComponentTree> tree;
    std::shared_ptr<const DevicePixels> deviceNodes; ///< see TreeResult::nodes
    Engine* treeEngine = nullptr;                    ///< keeps them
    TreeReport treeReport;
    std::map<AttributeId, std::shared_ptr<const AttributeColumn>> attributes;
    std::set<AttributeId> missingAttributes; ///< asked for and not yet measured
    FrameResult frame;

    void adopt(const OpenRequest& of, LoadResult& loaded);
    void adopt(TreeResult& built);
    void adopt(FrameResult& made);
    /// Null until it was measured.
    [[nodiscard]] std::shared_ptr<const AttributeColumn> attribute(AttributeId id) const noexcept;
    /// Holds everything large, for when it is about to be replaced.
    [[nodiscard]] RetiredData retire() const;
};

} // namespace pollard::vm
