#include "channels/channel_names.hpp"

#include "base/error.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <charconv>

namespace pollard {

std::optional<std::size_t> findChannel(std::span<const Channel> channels, std::string_view name) {
    const auto indexOf = [&](auto found) { return static_cast<std::size_t>(found - channels.begin()); };
    if (const auto exact = std::ranges::find(channels, name, &Channel::name); exact != channels.end()) {
        return indexOf(exact);
    }
    const auto same = [wanted = lowered(name)](const Channel& channel) { return lowered(channel.name) == wanted; };
    if (std::ranges::count_if(channels, same) == 1) {
        return indexOf(std::ranges::find_if(channels, same));
    }
    std::size_t number = 0;
    const auto [end, problem] = std::from_chars(name.data(), name.data() + name.size(), number);
    if (problem == std::errc{} && end == name.data() + name.size() && number < channels.size()) {
        return number;
    }
    return std::nullopt;
}

std::size_t channelNamed(std::span<const Channel> channels, std::string_view name) {
    if (const auto found = findChannel(channels, name)) {
        return *found;
    }
    throw Error(ErrorCode::invalidArgument,
                "channel " + std::string(name) + " does not exist; there are: " + namesOf(channels));
}

std::string namesOf(std::span<const Channel> channels) {
    std::string names;
    for (const Channel& channel : channels) {
        names += (names.empty() ? "" : ", ") + channel.name;
    }
    return names;
}

} // namespace pollard
