#pragma once

#include "filter/filter_spec.hpp"
#include "player/player.hpp"

#include <cstdint>
#include <initializer_list>
#include <string_view>

// The images and parameters of docs/lessons.md.

namespace pollard::teach {

/// A digit per pixel.
inline LabImage imageOf(std::initializer_list<std::string_view> rows) {
    LabImage image;
    image.height = static_cast<std::uint32_t>(rows.size());
    for (const std::string_view row : rows) {
        image.width = static_cast<std::uint32_t>(row.size());
        for (const char digit : row) {
            image.levels.push_back(static_cast<std::uint16_t>(digit - '0'));
        }
    }
    return image;
}

inline LabImage twoPeaks() { return imageOf({"111111", "137151", "133551", "112241", "111111"}); }
inline LabImage peaksAndSaddles() {
    return imageOf({"00000000", "09400780", "08630750", "00520300", "00410200", "06540100", "07600090", "00000000"});
}
/// A row on which all rules differ.
inline LabImage twoMountains() { return imageOf({"13496312357771"}); }
inline PlayerSpec mountainSpec() {
    PlayerSpec spec;
    spec.filter.criteria = {parseCriterion("2<=area<=3")};
    return spec;
}

inline const char* playerOf(Rule rule) {
    switch (rule) {
    case Rule::direct:
        return "filter-direct";
    case Rule::min:
        return "filter-min";
    case Rule::max:
        return "filter-max";
    case Rule::viterbi:
        return "filter-viterbi";
    case Rule::subtractive:
        return "filter-subtractive";
    }
    return "";
}
inline const char* titleOf(Rule rule) {
    switch (rule) {
    case Rule::direct:
        return "Direct";
    case Rule::min:
        return "Min";
    case Rule::max:
        return "Max";
    case Rule::viterbi:
        return "Viterbi";
    case Rule::subtractive:
        return "Subtractive";
    }
    return "";
}

/// Line "if another thread changed it first" of the player of columns.
inline constexpr int kRetryLine = 10;

/// Number of retries after a write of another thread.
inline int retriesOf(const PlayerSpec& spec) {
    int retries = 0;
    for (const Step& step : findPlayer("columns")->record(peaksAndSaddles(), spec).steps) {
        retries += step.text->line == kRetryLine ? 1 : 0;
    }
    return retries;
}
/// With this number of threads and an order drawn from the seed.
inline int retriesOf(std::uint32_t threads, std::uint32_t seed) {
    PlayerSpec spec;
    spec.threads = threads;
    spec.turns = Turns::random;
    spec.seed = seed;
    return retriesOf(spec);
}
/// The first seed with a retry.
inline std::uint32_t seedWithRetry(std::uint32_t threads) {
    std::uint32_t seed = 1;
    while (retriesOf(threads, seed) == 0) {
        ++seed;
    }
    return seed;
}

} // namespace pollard::teach
