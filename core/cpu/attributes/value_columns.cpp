#include "cpu/attributes/value_columns.hpp"

#include "attributes/formulas.hpp"
#include "base/compiler.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"
#include "cpu/attributes/borders.hpp"
#include "cpu/attributes/entropy.hpp"
#include "cpu/attributes/sizes.hpp"
#include "image/grey_weights.hpp"
#include "tree/prominence.hpp"
#include "tree/stability.hpp"
#include "tree/tree_sweeps.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace pollard::cpu {

namespace {

template <class T> T distance(T a, T b) noexcept { return a > b ? a - b : b - a; }

/// Sums over weights h 2^31 + l, and of their products.
struct HalfSums {
    static constexpr int kLow = 31;

    std::uint64_t h, l;
    UInt128 hh, hl, ll;

    [[nodiscard]] static HalfSums of(std::uint64_t weight, std::uint64_t count) noexcept {
        const std::uint64_t h = weight >> kLow;
        const std::uint64_t l = weight & ((std::uint64_t{1} << kLow) - 1);
        const UInt128 n = count;
        return {count * h, count * l, n * h * h, n * h * l, n * l * l};
    }
    void add(const HalfSums& other) noexcept {
        h += other.h;
        l += other.l;
        hh += other.hh;
        hl += other.hl;
        ll += other.ll;
    }
    /// Population variance, from exact products.
    [[nodiscard]] double variance(std::uint64_t area) const noexcept {
        const auto signedOf = [](UInt128 value) { return static_cast<Int128>(value); };
        const UInt128 a = area;
        // area^2 times the variance is high 2^62 + mixed 2^32 + low; it is carried into high 2^62 + low, both >= 0
        const Int128 mixed = signedOf(a * hl - UInt128{h} * l);
        Int128 high = signedOf(a * hh - UInt128{h} * h) + (mixed >> (kLow - 1));
        Int128 low = signedOf(a * ll - UInt128{l} * l) + ((mixed & ((Int128{1} << (kLow - 1)) - 1)) << (kLow + 1));
        high += low >> (2 * kLow);
        low &= (Int128{1} << (2 * kLow)) - 1;
        const bool fits = high >> (2 * kLow) == 0;
        const double sum = fits ? toDouble(high * (Int128{1} << (2 * kLow)) + low)
                                : std::ldexp(toDouble(high), 2 * kLow) + toDouble(low);
        return sum / (static_cast<double>(area) * static_cast<double>(area));
    }
};

/// Makes columns in values, by the weights of the levels.
class RankColumns {
public:
    RankColumns(const ComponentTree& tree, const Buffer<std::uint32_t>& own, const Buffer<std::uint32_t>& area,
                const ValueMapping& mapping, const JobControl& control)
        : tree_(tree), own_(own), area_(area), mapping_(mapping), weights_(mapping), control_(control) {}

    [[nodiscard]] Buffer<double> make(AttributeId id) const;

private:
    [[nodiscard]] std::uint64_t weight(std::size_t node) const noexcept { return weights_.of(tree_.level[node]); }
    [[nodiscard]] std::uint64_t parentWeight(std::size_t node) const noexcept { return weight(tree_.parent[node]); }

    template <class T, class Function> [[nodiscard]] Buffer<T> each(const Function& function) const {
        Buffer<T> out(tree_.nodeCount());
        forEachIndex(out.size(), control_, [&](std::size_t i) { out[i] = function(i); });
        return out;
    }
    template <class T> [[nodiscard]] Buffer<double> differences(const Buffer<T>& weights) const {
        return each<double>([&](std::size_t i) { return weights_.differenceOf(weights[i]); });
    }
    [[nodiscard]] Buffer<UInt128> sums() const;
    [[nodiscard]] Buffer<std::uint64_t> heights() const;
    [[nodiscard]] Buffer<UInt128> volumes() const;
    [[nodiscard]] Buffer<double> variances() const;
    [[nodiscard]] Buffer<double> entropies() const;
    [[nodiscard]] Buffer<double> stabilities() const;
    template <class ToValue>
    [[nodiscard]] Buffer<double> borderMeans(std::uint64_t BorderSums::*sum, const ToValue& toValue) const;

    const ComponentTree& tree_;
    const Buffer<std::uint32_t>& own_;
    const Buffer<std::uint32_t>& area_;
    const ValueMapping& mapping_;
    GreyWeights weights_;
    const JobControl& control_;
};

Buffer<UInt128> RankColumns::sums() const {
    auto sum = each<UInt128>([&](std::size_t i) { return UInt128{own_[i]} * weight(i); });
    sweepUp(tree_, control_, [&](std::uint32_t i, std::uint32_t parent) { sum[parent] += sum[i]; });
    return sum;
}

Buffer<std::uint64_t> RankColumns::heights() const {
    const Buffer<std::uint16_t> farthest = farthestLevelsOf(tree_, control_);
    return each<std::uint64_t>([&](std::size_t i) { return distance(weights_.of(farthest[i]), parentWeight(i)); });
}

Buffer<UInt128> RankColumns::volumes() const {
    Buffer<UInt128> volume = sums();
    forEachIndex(volume.size(), control_,
                 [&](std::size_t i) { volume[i] = distance(volume[i], UInt128{area_[i]} * parentWeight(i)); });
    return volume;
}

Buffer<double> RankColumns::variances() const {
    auto sum = each<HalfSums>([&](std::size_t i) { return HalfSums::of(weight(i), own_[i]); });
    sweepUp(tree_, control_, [&](std::uint32_t i, std::uint32_t parent) { sum[parent].add(sum[i]); });
    return each<double>([&](std::size_t i) { return weights_.squareOf(sum[i].variance(area_[i])); });
}

Buffer<double> RankColumns::entropies() const {
    const auto [low, high] = std::ranges::minmax(tree_.level);
    const std::uint64_t root = weight(0);
    const UInt128 numbers = UInt128{distance(weights_.of(high), weights_.of(low))} + 1;
    std::vector<std::uint8_t> bins(std::size_t{high} + 1);
    for (std::size_t level = low; level <= high; ++level) {
        const UInt128 above = distance(weights_.of(static_cast<std::uint16_t>(level)), root);
        bins[level] = static_cast<std::uint8_t>(numbers <= kEntropyBins ? above : above * kEntropyBins / numbers);
    }
    return entropiesOf(tree_, own_, area_, control_, kSweepBlock, bins);
}

Buffer<double> RankColumns::stabilities() const {
    // The same fraction of the range as 5 levels of 8 bits.
    const auto delta = static_cast<std::uint64_t>(UInt128{weights_.last()} * defaultStabilityDelta(PixelType::u8) /
                                                  maxLevelOf(PixelType::u8));
    return stabilitiesOf(tree_, area_.span(), weights_, delta, control_);
}

/// @param toValue (sum of weights, sum of the weights of faces) -> mean
template <class ToValue>
Buffer<double> RankColumns::borderMeans(std::uint64_t BorderSums::*sum, const ToValue& toValue) const {
    constexpr int kDigit = 16; // sums of 16 bits of each weight, one after another
    const auto bitsOfLast = static_cast<int>(std::bit_width(weights_.last()));
    std::vector<std::uint16_t> digits(std::size_t{maxLevelOf(PixelType::u16)} + 1);
    auto total = each<UInt128>([](std::size_t) { return UInt128{0}; });
    Buffer<BorderSums> sums;
    for (int shift = 0; shift == 0 || shift < bitsOfLast; shift += kDigit) {
        for (std::size_t level = 0; level < digits.size(); ++level) {
            digits[level] = static_cast<std::uint16_t>(weights_.of(static_cast<std::uint16_t>(level)) >> shift);
        }
        sums = borderSumsOf(tree_, control_, digits);
        forEachIndex(total.size(), control_, [&](std::size_t i) {
            const auto part = static_cast<std::int64_t>(sums[i].*sum); // differences of digits may be negative
            total[i] += static_cast<UInt128>(Int128{part}) << shift;
        });
    }
    return each<double>(
        [&](std::size_t i) { return sums[i].faces == 0 ? kUndefinedAttribute : toValue(total[i], sums[i].faces); });
}

Buffer<double> RankColumns::make(AttributeId id) const {
    switch (id) {
    case AttributeId::level:
        return each<double>([&](std::size_t i) { return mapping_.valueOf(tree_.level[i]); });
    case AttributeId::contrast:
        return each<double>([&](std::size_t i) { return weights_.differenceOf(distance(weight(i), parentWeight(i))); });
    case AttributeId::height:
        return differences(heights());
    case AttributeId::dynamics:
        return differences(extinctionsOf(tree_, heights(), control_));
    case AttributeId::volume:
        return differences(volumes());
    case AttributeId::extinctionVolume:
        return differences(extinctionsOf(tree_, volumes(), control_));
    case AttributeId::sum: {
        const Buffer<UInt128> sum = sums();
        return each<double>([&](std::size_t i) { return weights_.sumOf(sum[i], area_[i]); });
    }
    case AttributeId::mean: {
        const Buffer<UInt128> sum = sums();
        return each<double>([&](std::size_t i) { return weights_.meanOf(sum[i], area_[i]); });
    }
    case AttributeId::variance:
        return variances();
    case AttributeId::entropy:
        return entropies();
    case AttributeId::stability:
        return stabilities();
    case AttributeId::borderContrast:
        return borderMeans(&BorderSums::steps, [&](UInt128 sum, std::uint64_t faces) {
            return weights_.differenceOf(sum) / static_cast<double>(faces);
        });
    case AttributeId::outerMean:
        return borderMeans(&BorderSums::outer,
                           [&](UInt128 sum, std::uint64_t faces) { return weights_.meanOf(sum, faces); });
    default:
        break;
    }
    throw Error(ErrorCode::invalidArgument,
                "attribute '" + std::string(attributeInfo(id).name) + "': it is not measured on grey levels");
}

} // namespace

Buffer<double> valuesOfRanks(AttributeId id, const ComponentTree& tree, const Buffer<std::uint32_t>& own,
                             const Buffer<std::uint32_t>& area, const ValueMapping& mapping,
                             const JobControl& control) {
    return RankColumns(tree, own, area, mapping, control).make(id);
}

std::uint64_t valuesOfRanksBytes(AttributeId id, const ComponentTree& tree) noexcept {
    constexpr std::uint64_t kSurvivor = 2 * sizeof(std::uint32_t);
    const std::uint64_t n = tree.nodeCount();
    switch (id) {
    case AttributeId::variance:
        return n * sizeof(HalfSums);
    case AttributeId::entropy:
        return entropyScratchBytes(tree);
    case AttributeId::stability:
        return stabilityScratchBytes(tree);
    case AttributeId::borderContrast:
    case AttributeId::outerMean:
        return n * (sizeof(UInt128) + 2 * sizeof(BorderSums));
    default:
        return n * (sizeof(UInt128) + kSurvivor);
    }
}

} // namespace pollard::cpu
