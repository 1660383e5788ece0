#pragma once

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

// What sessions and the window call the same things, from one to the other.

[[nodiscard]] SessionFilter sessionOf(const FilterViewModel::State& filter);
[[nodiscard]] SessionObjects sessionOf(const ObjectChoice& objects);
[[nodiscard]] SessionView sessionOf(const DisplayViewModel& display);
[[nodiscard]] ReadStep readStepOf(const OpenRequest& request);

/// What a session says of the results, but for what is selected. @param pixels of the picture
[[nodiscard]] EditState editStateOf(const SavedSession& session, std::uint64_t pixels);
[[nodiscard]] CanonicalSelections selectionsOf(std::vector<std::uint32_t> selected,
                                               std::vector<SessionSelection> selections);
[[nodiscard]] OpenRequest requestOf(const ReadStep& step, const QString& path);

/// @throws Error(invalidArgument) naming place and value of what the window does not have
[[nodiscard]] Look lookOf(const SessionView& view);
/// Shows the picture as a session says. @param view that lookOf() takes
void show(const SessionView& view, DisplayViewModel& display);

} // namespace pollard::vm
