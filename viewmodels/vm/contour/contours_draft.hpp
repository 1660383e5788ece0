#pragma once

#include "base/job_control.hpp"
#include "image/mask.hpp"
#include "session/session.hpp"

#include <cstdint>
#include <memory>
#include <variant>
#include <vector>

namespace pollard::vm {

/// Contours of a session taken from the window without reading pixels of their masks.
struct ContoursDraft {
    /// Forbidden pixels of the window, or from a session.
    using DraftMask = std::variant<std::shared_ptr<const Mask>, std::shared_ptr<const SessionMask>>;

    SessionContours contours; ///< with the indices of the list below, and without masks
    std::vector<DraftMask> masks;

    /// The index of a mask in the list; appends it if missing.
    [[nodiscard]] std::uint32_t indexOf(const DraftMask& mask);
};

/// The contours with their distinct masks, in the order of the draft.
[[nodiscard]] SessionContours finished(const ContoursDraft& draft, const JobControl& control);

} // namespace pollard::vm
