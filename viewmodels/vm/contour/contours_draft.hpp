#pragma once

#include "base/job_control.hpp"
#include "image/mask.hpp"
#include "session/session.hpp"

#include <cstdint>
#include <memory>
#include <variant>
#include <vector>

namespace pollard::vm {

/// Contours of a session as the window gives them, without a look at a pixel of their masks.
struct ContoursDraft {
    /// Forbidden pixels as the window has them, or as they came from a session.
    using DraftMask = std::variant<std::shared_ptr<const Mask>, std::shared_ptr<const SessionMask>>;

    SessionContours contours; ///< with the indices of the list here, and no masks of its own
    std::vector<DraftMask> masks;

    /// The index of a mask in the list, into which it is put if need be.
    [[nodiscard]] std::uint32_t indexOf(const DraftMask& mask);
};

/// The contours with their masks, each once, in the order of the draft.
[[nodiscard]] SessionContours finished(const ContoursDraft& draft, const JobControl& control);

} // namespace pollard::vm
