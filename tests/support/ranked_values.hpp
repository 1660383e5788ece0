#pragma once

#include "image/value_mapping.hpp"
#include "support/random_images.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace pollard::testing {

/// A mapping by rank for ascending samples of a type.
template <class T> [[nodiscard]] ValueMapping rankedMapping(ValueType type, const std::vector<T>& samples,
                                                            double slope = 1, double intercept = 0) {
    auto ranks = std::make_shared<RankedValues>();
    for (const T sample : samples) {
        ranks->values.push_back(intercept + slope * static_cast<double>(sample));
        ranks->samples.push_back(bitsOfSample(sample));
    }
    ValueMapping mapping;
    mapping.exact = true;
    mapping.minimum = ranks->values.front();
    mapping.maximum = ranks->values.back();
    mapping.file = {type, slope, intercept};
    mapping.ranks = std::move(ranks);
    return mapping;
}

/// Float samples at uneven distances, all with fractions.
[[nodiscard]] inline std::vector<float> unevenFloats(Random& random, std::size_t count) {
    std::vector<float> samples;
    double value = -3.7;
    for (std::size_t i = 0; i < count; ++i) {
        value += 0.013 + std::ldexp(1 + random() % 1000, -static_cast<int>(random() % 12) - 3);
        samples.push_back(static_cast<float>(value));
    }
    return samples;
}

} // namespace pollard::testing
