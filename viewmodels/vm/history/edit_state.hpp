#pragma once

#include "vm/contour/contour_run.hpp"
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

namespace pollard::vm {

/// Which tree is built.
struct TreeChoice {
    TreeKind kind = TreeKind::max;
    Connectivity connectivity = Connectivity::four;

    bool operator==(const TreeChoice&) const = default;
};

/// Selected components, by numbers that are those of every tree of the same pixels and the same choice.
struct SelectedNodes {
    std::shared_ptr<const NodeSet> nodes; ///< null: no longer known
    std::size_t nodesOfTree = 0;

    bool operator==(const SelectedNodes& other) const noexcept;
};

/// How objects are made.
struct ObjectChoice {
    ObjectsViewModel::Source source = ObjectsViewModel::Source::filtered;
    ObjectsViewModel::Threshold threshold = ObjectsViewModel::Threshold::otsu;
    bool dark = false;
    Connectivity connectivity = Connectivity::eight;
    LevelRange levels; ///< ObjectsViewModel::wantedLevels() if they are set by hand, else the default
    bool fillHoles = false;
    bool withoutBorder = false; ///< those at the border are not listed

    /// Whether both make the same objects, listed or not.
    [[nodiscard]] bool findsAs(ObjectChoice other) const;
    [[nodiscard]] static ObjectChoice of(const ObjectsViewModel& objects);
    void applyTo(ObjectsViewModel& objects) const;

    bool operator==(const ObjectChoice&) const = default;
};

/// How contours evolve from now on.
struct ContourChoice {
    SnakeSpec spec;
    ContourEngine engine;

    bool operator==(const ContourChoice&) const = default;
};

/// All that a person changes about the results of an open picture, to come back to it.
struct EditState {
    OpenRequest read;                    ///< the file, and how it is read
    std::optional<PixelSize> folderSize; ///< of pixels, that was set for its folder
    FilterStages earlier;                ///< filters before the current one
    FilterViewModel::State filter;
    TreeChoice tree;
    RegionViewModel::State region;
    SelectedNodes selection;
    ObjectChoice objects;
    RemovedObjects removedObjects;
    ContourChoice contours;
};

/// Whether both give the same results. Which criterion or shape is looked at is no result.
[[nodiscard]] bool isSameEdit(const EditState& a, const EditState& b);

/// What led from one state to the other, in words that follow "Undo": "area at least 120", "removed component". Of
/// several differences the first; empty if there is none.
[[nodiscard]] QString editText(const EditState& before, const EditState& after);

} // namespace pollard::vm
