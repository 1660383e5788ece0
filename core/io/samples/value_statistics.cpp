#include "io/samples/value_statistics.hpp"

#include "io/samples/level_choice.hpp"
#include "io/samples/value_rank.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

namespace pollard {

namespace {

/// Collects values of one type. @returns the number of passes
template <class T>
int collectAs(ValueStatistics& statistics, const MappingChoice& choice, const std::function<void(int)>& pass) {
    using Range = MappingChoice::Range;
    const ValueType type = *statistics.type();
    const ValueType stored = statistics.stored().value_or(type);
    const Calibration scale = statistics.scale();
    int passes = 0;
    const auto visit = [&](auto&& take) {
        statistics.setVisitor<T>([&](std::span<const T> values) {
            take([&](auto&& each) { std::for_each(values.begin(), values.end(), each); });
        });
        statistics.beginPass(passes == 0);
        pass(passes++);
    };
    const auto plan = [&](const auto& quantiles) {
        return chooseLevels<T>(
            choice, stored, scale, *statistics.summary<T>(), [&] { return statistics.distinct<T>()->values(); },
            quantiles);
    };
    std::optional<std::array<T, 2>> found;
    std::array<QuantileCounts, 2> counts;
    if (mayNeedQuantiles(choice, stored)) {
        const auto isEnough = [&](const auto& smallest, const auto& largest) {
            bool needsQuantiles = false;
            const auto noteNeed = [&] {
                needsQuantiles =
                    choice.range == Range::percentile || !stayNear(*statistics.summary<T>(), smallest, largest);
                return std::optional(std::array<T, 2>{});
            };
            if (!statistics.isMixed()) {
                (void)plan(noteNeed);
            }
            return !needsQuantiles;
        };
        found = quantilesOf<T>(visit, wantedQuantiles(choice, scale), &counts, isEnough);
    } else {
        statistics.setVisitor<T>({});
        statistics.beginPass(true);
        pass(passes++);
    }
    if (statistics.isMixed()) {
        return passes;
    }
    LevelPlan<T> chosen = plan([&] { return found; });
    const bool areEnds =
        chosen.kind == LevelPlan<T>::Kind::range && found && chosen.low == (*found)[0] && chosen.high == (*found)[1];
    const std::uint64_t clipped = areEnds ? counts[0].below + counts[1].above : statistics.summary<T>()->clipped;
    statistics.setPlan(std::move(chosen), clipped);
    statistics.finish();
    return passes;
}

} // namespace

int passesOver(ValueType type, const MappingChoice& choice) noexcept {
    return mayNeedQuantiles(choice, type) ? static_cast<int>(std::max<std::size_t>(1, bytesOf(type) / 2)) : 1;
}

int collectValues(ValueStatistics& statistics, const std::function<void()>& probe,
                  const std::function<void(int)>& pass) {
    statistics.beginPass(true);
    probe();
    if (!statistics.type()) {
        return 0;
    }
    const MappingChoice choice = statistics.choice();
    const int passes = dispatch(*statistics.type(), [&]<class T>(T) { return collectAs<T>(statistics, choice, pass); });
    if (!statistics.isMixed()) {
        return passes;
    }
    if (statistics.usesValues()) {
        throw std::logic_error("the type of values differs between parts of an image");
    }
    statistics.useValues();
    return passes + collectValues(statistics, probe, pass);
}

std::uint64_t invalidValues(const ValueStatistics& statistics) {
    return dispatch(statistics.type().value(), [&]<class T>(T) { return statistics.summary<T>()->invalid; });
}

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
