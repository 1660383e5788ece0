#pragma once

#include "vm/contour/contour_run.hpp"
#include "vm/display/compare_view_model.hpp"
#include "vm/display/composite_view_model.hpp"
#include "vm/image/open_request.hpp"
#include "vm/labels/label_work.hpp"
#include "vm/objects/object_listing.hpp"

#include "session/session.hpp"
#include "snake/snake_spec.hpp"
#include "tree/node_set.hpp"

#include <QString>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pollard::vm {

class DisplayViewModel;
class OrthogonalViewModel;
class RenderingViewModel;

/// Selected components by node indices, which are equal for all trees of the same pixels and the same choice.
struct SelectedNodes {
    std::shared_ptr<const NodeSet> nodes; ///< null: unknown
    std::size_t nodesOfTree = 0;

    bool operator==(const SelectedNodes& other) const noexcept;
};

/// The user's settings for the results of an open image, to be restored later: the settings of its session, and results
/// of the present image that a session writes in another form.
struct EditState : SessionSettings {
    OpenRequest read;                    ///< the file and its reading
    std::optional<PixelSize> folderSize; ///< of pixels, set for the folder
    std::string channel;                 ///< channelKey() of the displayed image, the channel of `filter`
    int selectedShape = -1;              ///< of the region; -1: none
    SelectedNodes selection;
    LabelEdits labels; ///< of the objects
    RemovedObjects removedObjects;
    ContourChoice contours;
    ContourRunList runs; ///< of contours
};

/// Whether both give the same results, ignoring the selected criterion and shape.
[[nodiscard]] bool isSameEdit(const EditState& a, const EditState& b);

/// The difference of two states as a text that follows "Undo": "area at least 120", "removed component". The first of
/// several differences; empty if there is none.
[[nodiscard]] QString editText(const EditState& before, const EditState& after);

// Conversions between the names of sessions and the types of the window.

[[nodiscard]] SessionView sessionOf(const DisplayViewModel& display);
/// The layers of a composite; empty while it is off.
[[nodiscard]] std::vector<SessionLayer> sessionOf(const CompositeViewModel& composite);
[[nodiscard]] SessionVolume sessionOf(const OrthogonalViewModel& orthogonal, const RenderingViewModel& rendering);
[[nodiscard]] ReadStep readStepOf(const OpenRequest& request);

[[nodiscard]] OpenRequest requestOf(const ReadStep& step, const QString& path);
/// Stores how an image is read, without `at`.
void store(const OpenRequest& request, SessionImage& image);
[[nodiscard]] OpenRequest requestOf(const SessionImage& image, const QString& path);

/// @throws Error(invalidArgument) naming place and value of an unknown entry
[[nodiscard]] CompareViewModel::Mode compareOf(const SessionView& view);
/// @throws Error(invalidArgument)
[[nodiscard]] CompositeViewModel::NamedLooks looksOf(const std::vector<SessionLayer>& layers);
/// Turns the composite of an image with several channels on with these looks; off without. @param layers accepted by
/// looksOf()
void show(const std::vector<SessionLayer>& layers, CompositeViewModel& composite);
/// Applies the view of a session. @param view accepted by lookOf() and compareOf()
void show(const SessionView& view, DisplayViewModel& display);
void show(const SessionVolume& volume, OrthogonalViewModel& orthogonal, RenderingViewModel& rendering);

} // namespace pollard::vm
