#pragma once

#include "vm/display/composite_view_model.hpp"
#include "vm/history/edit_history.hpp"
#include "vm/history/edit_state.hpp"
#include "vm/picture/look.hpp"
#include "vm/picture/open_request.hpp"

#include "session/session.hpp"

#include <QString>

#include <cstdint>
#include <vector>

namespace pollard::vm {

class DisplayViewModel;

// Conversions between the names of sessions and those of the window.

[[nodiscard]] SessionView sessionOf(const DisplayViewModel& display);
/// Empty while the composite is off.
[[nodiscard]] std::vector<SessionLayer> sessionOf(const CompositeViewModel& composite);
[[nodiscard]] ReadStep readStepOf(const OpenRequest& request);

/// The results of a session without selections. @param pixels number of pixels of the picture
[[nodiscard]] EditState editStateOf(const SavedSession& session, std::uint64_t pixels);
[[nodiscard]] CanonicalSelections selectionsOf(std::vector<std::uint32_t> selected,
                                               std::vector<SessionSelection> selections);
[[nodiscard]] OpenRequest requestOf(const ReadStep& step, const QString& path);

/// @throws Error(invalidArgument) naming place and value of an unknown entry
[[nodiscard]] Look lookOf(const SessionView& view);
/// @throws Error(invalidArgument)
[[nodiscard]] CompositeViewModel::NamedLooks looksOf(const std::vector<SessionLayer>& layers);
/// Turns the composite of a picture with several channels on with these looks; off without. @param layers accepted by
/// looksOf()
void show(const std::vector<SessionLayer>& layers, CompositeViewModel& composite);
/// Applies the view of a session. @param view accepted by lookOf()
void show(const SessionView& view, DisplayViewModel& display);

} // namespace pollard::vm
