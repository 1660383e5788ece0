#pragma once

#include "vm/contour/contour_run.hpp"
#include "vm/filter/channel_filters.hpp"
#include "vm/filter/filter_view_model.hpp"
#include "vm/objects/object_marks.hpp"
#include "vm/objects/objects_view_model.hpp"
#include "vm/picture/open_request.hpp"
#include "vm/region/region_view_model.hpp"

#include "recipe/filter_stages.hpp"
#include "tree/component_tree.hpp"
#include "tree/node_set.hpp"

#include <QString>

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

namespace pollard::vm {

/// Parameters of the tree.
struct TreeChoice {
    TreeKind kind = TreeKind::max;
    Connectivity connectivity = Connectivity::four;

    bool operator==(const TreeChoice&) const = default;
};

/// Selected components by node indices, which are equal for all trees of the same pixels and the same choice.
struct SelectedNodes {
    std::shared_ptr<const NodeSet> nodes; ///< null: unknown
    std::size_t nodesOfTree = 0;

    bool operator==(const SelectedNodes& other) const noexcept;
};

/// Parameters of the evolution of contours.
struct ContourChoice {
    SnakeSpec spec;
    ContourEngine engine;

    bool operator==(const ContourChoice&) const = default;
};

/// The user's settings for the results of an open picture, to be restored later.
struct EditState {
    OpenRequest read;                    ///< the file and its reading
    std::optional<PixelSize> folderSize; ///< of pixels, set for the folder
    FilterStages earlier;                ///< filters before the current one
    FilterViewModel::State filter;
    TreeChoice tree;
    RegionViewModel::State region;
    SelectedNodes selection;
    ObjectSettings objects;
    RemovedObjects removedObjects;
    ContourChoice contours;
    ChannelFilters::State channels; ///< filters of the other channels
};

/// Whether both give the same results, ignoring the selected criterion and shape.
[[nodiscard]] bool isSameEdit(const EditState& a, const EditState& b);

/// The difference of two states as a text that follows "Undo": "area at least 120", "removed component". The first of
/// several differences; empty if there is none.
[[nodiscard]] QString editText(const EditState& before, const EditState& after);

} // namespace pollard::vm
