#pragma once

#include "image/channel.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace pollard {

/// Index of a channel by its name, in any case of letters if that is unambiguous, or by its number from 0.
[[nodiscard]] std::optional<std::size_t> findChannel(std::span<const Channel> channels, std::string_view name);

/// As findChannel().
/// @throws Error(invalidArgument) with the names there are
[[nodiscard]] std::size_t channelNamed(std::span<const Channel> channels, std::string_view name);

/// "DAPI, GFP, channel 2"
[[nodiscard]] std::string namesOf(std::span<const Channel> channels);

} // namespace pollard
