#include "io/samples/statistics_json.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>
#include <type_traits>
#include <vector>

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
    if (choice.proportional) {
        json["proportional"] = true;
    }
    dispatch(*statistics.type(), [&]<class T>(T) {
        const ValueSummary<T>& all = *statistics.summary<T>();
        json["ends"] = {all.lowest, all.highest};
        json["counts"] = {all.finite, all.infinite, all.nan, all.invalid, all.clipped};
        json["infinities"] = {all.negativeInfinity, all.positiveInfinity};
        if (std::is_floating_point_v<T> && all.whole) {
            json["whole"] = true;
        }
        const LevelPlan<T>& plan = *statistics.plan<T>();
        const bool isCut = plan.low != all.lowest || plan.high != all.highest;
        if (plan.kind == LevelPlan<T>::Kind::range && all.finite > 0 &&
            (choice.range == MappingChoice::Range::percentile || isCut)) {
            json["quantiles"] = {plan.low, plan.high};
        }
        if (plan.ranks) {
            std::vector<std::uint64_t> bits;
            for (const T sample : plan.ranks->samples()) {
                bits.push_back(bitsOfSample(sample));
            }
            json["ranks"] = bits;
        }
    });
    const std::optional<ValueType>& stored = statistics.stored();
    if (const Calibration& scale = statistics.scale(); !scale.isIdentity() || stored) {
        json["scale"] = {scale.slope, scale.intercept, static_cast<int>(stored.value_or(*statistics.type()))};
    }
    return json;
}

void setStatistics(const nlohmann::json& json, ValueStatistics& statistics) {
    const nlohmann::json& choice = json.at("choice");
    const MappingChoice made{enumIn<MappingChoice::Range>(choice.at(0), kLastRange), choice.at(1).get<double>(),
                             choice.at(2).get<double>(), json.value("proportional", false)};
    const auto type = enumIn<ValueType>(json.at("type"), kLastType);
    ValueGrid like{type};
    if (const auto stated = json.find("scale"); stated != json.end()) {
        like.scale = {stated->at(0).get<double>(), stated->at(1).get<double>(), {}};
        like.stored = enumIn<ValueType>(stated->at(2), kLastType);
    }
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
        all.whole = json.value("whole", std::is_integral_v<T>);
        statistics.add(like, made, all, DistinctValues<T>());
        const auto ranks = [&]() -> std::optional<std::vector<T>> {
            if (!json.contains("ranks")) {
                return std::nullopt;
            }
            std::vector<T> values;
            for (const std::uint64_t bits : json.at("ranks").get<std::vector<std::uint64_t>>()) {
                T sample{};
                std::memcpy(&sample, &bits, sizeof sample); // little-endian
                values.push_back(sample);
            }
            if (values.empty() || !std::ranges::is_sorted(values)) {
                throw nlohmann::json::other_error::create(0, "ranks that do not ascend", &json);
            }
            return values;
        };
        const auto quantiles = [&] {
            std::optional<std::array<T, 2>> ends;
            if (json.contains("quantiles") || made.range == MappingChoice::Range::percentile) {
                ends = json.at("quantiles").get<std::array<T, 2>>();
            }
            return ends;
        };
        statistics.setPlan(chooseLevels<T>(made, like.storedType(), like.scale, all, ranks, quantiles), all.clipped);
    });
    statistics.finish();
}

} // namespace pollard
