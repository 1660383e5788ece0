#include "vm/image/even_levels.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace pollard::vm {

EvenLevels evenLevelsOf(const std::optional<ValueMapping>& mapping, std::uint16_t last) {
    if (!mapping || mapping->isProportional()) {
        return nullptr;
    }
    const std::vector<double>& values = mapping->ranks->values;
    const double range = values.back() - values.front();
    auto levels = std::make_shared<std::vector<std::uint16_t>>(std::size_t{last} + 1, last);
    for (std::size_t i = 0; i < std::min(values.size(), levels->size()); ++i) {
        const double place = range > 0 ? (values[i] - values.front()) / range : 0;
        (*levels)[i] = static_cast<std::uint16_t>(std::lround(place * last));
    }
    return levels;
}

std::optional<ValueMapping> evenMappingOf(std::optional<ValueMapping> mapping, std::uint16_t last) {
    if (!mapping || mapping->isProportional()) {
        return mapping;
    }
    const std::vector<double>& values = mapping->ranks->values;
    const double range = values.back() - values.front();
    mapping->offset = values.front();
    mapping->step = range > 0 && last > 0 ? range / last : 1;
    mapping->ranks = nullptr;
    mapping->exact = false;
    return mapping;
}

std::shared_ptr<const Image> inEvenLevels(std::shared_ptr<const Image> image,
                                          const std::optional<ValueMapping>& mapping) {
    const EvenLevels levels = image ? evenLevelsOf(mapping, maxLevelOf(image->type())) : nullptr;
    if (!levels) {
        return image;
    }
    auto even = std::make_shared<Image>(image->type(), image->extent());
    even->setSides(image->sides());
    dispatch(image->type(), [&]<class Pixel>(Pixel) {
        std::ranges::transform(image->pixels<Pixel>(), even->pixels<Pixel>().begin(),
                               [&](Pixel level) { return static_cast<Pixel>((*levels)[level]); });
    });
    return even;
}

LevelHistogram inEvenLevels(LevelHistogram histogram, const std::optional<ValueMapping>& mapping) {
    const EvenLevels levels = evenLevelsOf(mapping, histogram.maxLevel());
    if (!levels || histogram.counts.empty()) {
        return histogram;
    }
    std::vector<std::uint64_t> counts(histogram.counts.size(), 0);
    for (std::size_t level = 0; level < counts.size(); ++level) {
        counts[(*levels)[level]] += histogram.counts[level];
    }
    histogram.counts = std::move(counts);
    histogram.minimum = (*levels)[histogram.minimum];
    histogram.maximum = (*levels)[histogram.maximum];
    return histogram;
}

} // namespace pollard::vm
