#include "channels/bands.hpp"

#include "base/error.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <string>
#include <vector>

namespace pollard {

namespace {

struct Band {
    std::string_view name;
    std::vector<std::string_view> aliases; ///< in lower case, words separated by a space
    std::string_view sentinel;             ///< of Sentinel-2, without leading zero
    double centre;                         ///< nm
    double shortest;
    double longest;
};

/// The limits cover the bands of Landsat 4 to 9, Sentinel-2, SPOT and common aerial cameras.
const std::vector<Band>& bands() {
    static const std::vector<Band> kBands{
        {"blue", {"blue"}, "b2", 490, 440, 520},
        {"green", {"green"}, "b3", 560, 520, 600},
        {"red", {"red"}, "b4", 660, 620, 690},
        {"rededge", {"rededge", "red edge", "red edge 1", "rededge1"}, "b5", 705, 690, 760},
        {"nir",
         {"nir", "near infrared", "near infra red", "nearinfrared", "near ir", "nir1", "nir 1"},
         "b8",
         842,
         760,
         900},
        {"swir",
         {"swir", "swir1", "swir 1", "short wave infrared", "shortwave infrared", "short wave infrared 1",
          "shortwave infrared 1"},
         "b11",
         1610,
         1550,
         1750},
        {"swir2", {"swir2", "swir 2", "short wave infrared 2", "shortwave infrared 2"}, "b12", 2200, 2080, 2350},
    };
    return kBands;
}

/// Words in lower case, separated by one space.
std::string wordsOf(std::string_view name) {
    std::string words;
    for (const char c : lowered(name)) {
        const bool letter = static_cast<unsigned char>(c) >= 0x80 || std::isalnum(static_cast<unsigned char>(c)) != 0;
        if (letter) {
            words += c;
        } else if (!words.empty() && words.back() != ' ') {
            words += ' ';
        }
    }
    if (!words.empty() && words.back() == ' ') {
        words.pop_back();
    }
    return words;
}

/// "b8" of "B08" or "B8, central wavelength 842 nm"; @p padded becomes true for "B08".
std::string numberOf(std::string_view name, bool& padded) {
    std::string text = lowered(name.substr(0, name.find(',')));
    if (text.size() == 3 && text.starts_with("b0")) {
        padded = true;
        text.erase(1, 1);
    }
    return text;
}

/// Finds the channel with a name of Sentinel-2. Landsat uses the same names for other bands; its files have a band 5,
/// but no 8A, no 12 and no leading zeros.
std::optional<std::size_t> findSentinel(std::span<const Channel> channels, std::string_view number) {
    bool sentinel = false;
    std::vector<std::string> numbers;
    for (const Channel& channel : channels) {
        numbers.push_back(numberOf(channel.name, sentinel));
    }
    const auto has = [&](std::string_view wanted) { return std::ranges::count(numbers, wanted) == 1; };
    sentinel = sentinel || has("b8a") || has("b12") || (has("b8") && !has("b5"));
    if (!sentinel || !has(number)) {
        return std::nullopt;
    }
    return static_cast<std::size_t>(std::ranges::find(numbers, number) - numbers.begin());
}

} // namespace

std::optional<std::size_t> findBand(std::span<const Channel> channels, std::string_view name) {
    const auto band = std::ranges::find(bands(), lowered(name), &Band::name);
    if (band == bands().end()) {
        return std::nullopt;
    }
    for (const std::string_view alias : band->aliases) {
        const auto found = std::ranges::find(channels, alias, [](const Channel& each) { return wordsOf(each.name); });
        if (found != channels.end()) {
            return static_cast<std::size_t>(found - channels.begin());
        }
    }
    if (const auto found = findSentinel(channels, band->sentinel)) {
        return found;
    }
    std::optional<std::size_t> closest;
    const auto distance = [&](std::size_t at) { return std::abs(channels[at].wavelength - band->centre); };
    for (std::size_t i = 0; i < channels.size(); ++i) {
        const double wavelength = channels[i].wavelength;
        if (wavelength >= band->shortest && wavelength <= band->longest &&
            (!closest || distance(i) < distance(*closest))) {
            closest = i;
        }
    }
    return closest;
}

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
