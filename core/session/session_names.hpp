#pragma once

#include "session/session.hpp"

#include <array>
#include <string_view>

namespace pollard {

/// Names that reader and writer have in common.

inline constexpr std::array kAllFates{SessionPick::Fate::removed, SessionPick::Fate::kept, SessionPick::Fate::only};

[[nodiscard]] constexpr std::string_view fateName(SessionPick::Fate fate) noexcept {
    constexpr std::array<std::string_view, 3> kNames{"removed", "kept", "only"};
    return kNames[static_cast<std::size_t>(fate)];
}

} // namespace pollard
