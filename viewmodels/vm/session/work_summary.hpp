#pragma once

#include "vm/session/session_draft.hpp"

#include "session/session.hpp"

#include <QString>

#include <cstddef>

namespace pollard::vm {

/// Amount of work in a session.
struct WorkSummary {
    std::size_t contours = 0; ///< starts of runs that are no branches
    std::size_t regions = 0;  ///< shapes
    std::size_t criteria = 0; ///< on, with a bound
    std::size_t earlier = 0;  ///< filters before the last one
    std::size_t picks = 0;    ///< hand-picked components
    std::size_t selections = 0;
    std::size_t selected = 0; ///< components
    std::size_t removed = 0;  ///< objects

    [[nodiscard]] static WorkSummary of(const SavedSession& session);
    [[nodiscard]] static WorkSummary of(const SessionDraft& draft);

    /// "3 contours, 2 regions, a filter of 2 criteria"; "settings" if all counts are 0.
    [[nodiscard]] QString text() const;

    bool operator==(const WorkSummary&) const = default;
};

} // namespace pollard::vm
