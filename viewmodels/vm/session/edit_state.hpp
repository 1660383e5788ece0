#pragma once

#include "vm/contour/contour_run.hpp"
#include "vm/image/open_request.hpp"
#include "vm/objects/object_marks.hpp"

#include "session/session.hpp"
#include "snake/contour_choice.hpp"
#include "tree/node_set.hpp"

#include <QString>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

namespace pollard::vm {

/// Selected components by node indices, which are equal for all trees of the same pixels and the same choice.
struct SelectedNodes {
    std::shared_ptr<const NodeSet> nodes; ///< null: unknown
    std::size_t nodesOfTree = 0;

    bool operator==(const SelectedNodes& other) const noexcept;
};

/// The user's settings for the results of an open image, to be restored later: those of its session, and results of
/// the present image that a session writes in another form.
struct EditState : SessionSettings {
    OpenRequest read;                    ///< the file and its reading
    std::optional<PixelSize> folderSize; ///< of pixels, set for the folder
    std::string channel;                 ///< channelKey() of the displayed image, the channel of `filter`
    int selectedShape = -1;              ///< of the region; -1: none
    SelectedNodes selection;
    RemovedObjects removedObjects;
    ContourChoice contours;
    ContourRunList runs; ///< of contours
};

/// Whether both give the same results, ignoring the selected criterion and shape.
[[nodiscard]] bool isSameEdit(const EditState& a, const EditState& b);

/// The difference of two states as a text that follows "Undo": "area at least 120", "removed component". The first of
/// several differences; empty if there is none.
[[nodiscard]] QString editText(const EditState& before, const EditState& after);

} // namespace pollard::vm
