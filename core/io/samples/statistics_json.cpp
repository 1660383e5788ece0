#include "io/samples/statistics_json.hpp"

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>

namespace pollard {

namespace {

constexpr int kLastType = static_cast<int>(ValueType::u16);
constexpr int kLastRange = static_cast<int>(MappingChoice::Range::fixed);

/// @throws nlohmann::json::exception unless the number is one of 0 to @p last
template <class Enum> Enum enumIn(const nlohmann::json& json, int last) {
    const int number = json.get<int>();
    if (number < 0 || number > last) {
        throw nlohmann::json::other_error::create(0, "a number of no kind", &json);
    }
    return static_cast<Enum>(number);
}

} // namespace

nlohmann::ordered_json jsonOf(const ValueStatistics& statistics) {
    const MappingChoice& choice = statistics.choice();
    nlohmann::ordered_json json{
        {"type", static_cast<int>(*statistics.type())},
        {"choice", {static_cast<int>(choice.range), choice.low, choice.high}},
    };
    dispatch(*statistics.type(), [&]<class T>(T) {
        const ValueSummary<T>& all = *statistics.summary<T>();
        json["ends"] = {all.lowest, all.highest};
        json["counts"] = {all.finite, all.infinite, all.nan, all.invalid, all.clipped};
        json["infinities"] = {all.negativeInfinity, all.positiveInfinity};
        if (choice.range == MappingChoice::Range::percentile && all.finite > 0) {
            const auto [low, high] = statistics.quantiles<T>();
            json["quantiles"] = {low, high};
        }
    });
    return json;
}

void setStatistics(const nlohmann::json& json, ValueStatistics& statistics) {
    const nlohmann::json& choice = json.at("choice");
    const MappingChoice made{enumIn<MappingChoice::Range>(choice.at(0), kLastRange), choice.at(1).get<double>(),
                             choice.at(2).get<double>()};
    const auto type = enumIn<ValueType>(json.at("type"), kLastType);
    statistics.beginPass(true);
    dispatch(type, [&]<class T>(T) {
        ValueSummary<T> all;
        all.lowest = json.at("ends").at(0).get<T>();
        all.highest = json.at("ends").at(1).get<T>();
        const auto counts = json.at("counts").get<std::array<std::uint64_t, 5>>();
        all.finite = counts[0];
        all.infinite = counts[1];
        all.nan = counts[2];
        all.invalid = counts[3];
        all.clipped = counts[4];
        all.negativeInfinity = json.at("infinities").at(0).get<bool>();
        all.positiveInfinity = json.at("infinities").at(1).get<bool>();
        statistics.add(type, all, made);
        if (json.contains("quantiles")) {
            const nlohmann::json& quantiles = json.at("quantiles");
            statistics.setQuantiles(quantiles.at(0).get<T>(), quantiles.at(1).get<T>(), all.clipped);
        }
    });
    statistics.finish();
}

} // namespace pollard
