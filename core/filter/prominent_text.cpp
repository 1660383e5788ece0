#include "filter/prominent_text.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <charconv>

namespace pollard {

namespace {

[[noreturn]] void fail(std::string_view text, const std::string& why) {
    throw Error(ErrorCode::invalidArgument, "prominent: '" + std::string(text) + "': " + why);
}

} // namespace

Prominent parseProminent(std::string_view text) {
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos) {
        fail(text, "expected MEASURE:COUNT, for instance 'dynamics:20'");
    }
    const std::string_view name = text.substr(0, colon);
    const auto* const measure = std::ranges::find(kAllProminences, name, [](Prominence m) { return nameOf(m); });
    if (measure == kAllProminences.end()) {
        std::string known;
        for (const Prominence each : kAllProminences) {
            known.append(known.empty() ? "" : ", ").append(nameOf(each));
        }
        fail(text, "unknown measure '" + std::string(name) + "' (there are " + known + ")");
    }
    const std::string_view number = text.substr(colon + 1);
    Prominent prominent{*measure, 0};
    const auto [end, problem] = std::from_chars(number.data(), number.data() + number.size(), prominent.count);
    if (problem == std::errc::result_out_of_range) {
        fail(text, "the count is above 4294967295");
    }
    if (problem != std::errc{} || end != number.data() + number.size()) {
        fail(text, "'" + std::string(number) + "' is no count");
    }
    return prominent;
}

std::string toString(const Prominent& prominent) {
    return std::string(nameOf(prominent.measure)) + ":" + std::to_string(prominent.count);
}

} // namespace pollard
