#include "channels/channel_numbers.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

namespace pollard {

namespace {

constexpr std::size_t kSumGrain = std::size_t{1} << 16;
constexpr std::size_t kBlock = 1024;

/// Adds up sums in double precision, in the same order for any number of threads. Calls `add(begin, end, sums)` for
/// pieces of the pixels.
template <class Add>
std::vector<double> summed(std::size_t pixels, std::size_t sums, const JobControl& control, const Add& add) {
    return tbb::parallel_deterministic_reduce(
        tbb::blocked_range<std::size_t>(0, pixels, kSumGrain), std::vector<double>(sums),
        [&](const auto& range, std::vector<double> sum) {
            control.throwIfStopped();
            add(range.begin(), range.end(), sum);
            return sum;
        },
        [](std::vector<double> a, const std::vector<double>& b) {
            std::ranges::transform(a, b, a.begin(), std::plus<>());
            return a;
        });
}

/// One rotation that makes element (p, q) zero.
void rotate(std::vector<std::vector<double>>& matrix, std::vector<std::vector<double>>& vectors, std::size_t p,
            std::size_t q) {
    const double half = (matrix[q][q] - matrix[p][p]) / (2 * matrix[p][q]);
    const double tangent = std::copysign(1.0, half) / (std::abs(half) + std::hypot(half, 1.0));
    const double cosine = 1 / std::hypot(tangent, 1.0);
    const double sine = tangent * cosine;
    const auto turn = [&](double& a, double& b) {
        const double before = a;
        a = cosine * before - sine * b;
        b = sine * before + cosine * b;
    };
    for (std::vector<double>& row : matrix) {
        turn(row[p], row[q]);
    }
    for (std::size_t i = 0; i < matrix.size(); ++i) {
        turn(matrix[p][i], matrix[q][i]);
    }
    matrix[p][q] = 0;
    matrix[q][p] = 0;
    for (std::size_t i = 0; i < vectors.size(); ++i) {
        turn(vectors[p][i], vectors[q][i]);
    }
}

} // namespace

ChannelNumbers::ChannelNumbers(const ChannelPlane& plane, ExactValues exact, Function function)
    : plane_(&plane), exact_(std::move(exact)), function_(std::move(function)) {
    if (!exact_) {
        table_.resize(std::size_t{maxLevelOf(plane.image->type())} + 1);
        for (std::size_t level = 0; level < table_.size(); ++level) {
            const auto number = static_cast<double>(level);
            table_[level] = function_(plane.mapping ? plane.mapping->valueOf(number) : number);
        }
    }
}

std::vector<ChannelNumbers> ChannelValues::densities(double white, std::array<double, 3> factors) const {
    const double darkest = white > 1 ? 1 / white : 1e-6;
    return numbers([white, darkest, factors](std::size_t channel, double value) {
        return -std::log10(std::max(value / white, darkest)) * factors[channel];
    });
}

void removeGaps(std::span<const ChannelPlane> planes, Buffer<double>& values, const JobControl& control) {
    for (const ChannelPlane& plane : planes) {
        if (!plane.valid) {
            continue;
        }
        const std::uint32_t width = plane.image->width();
        forEachIndex(
            plane.image->height(), control,
            [&](std::size_t y) {
                for (std::uint32_t x = 0; x < width; ++x) {
                    if (!plane.valid->test(x, static_cast<std::uint32_t>(y))) {
                        values[y * width + x] = std::numeric_limits<double>::quiet_NaN();
                    }
                }
            },
            std::max<std::size_t>(1, kGrain / width));
    }
}

Moments momentsOf(const std::vector<ChannelNumbers>& numbers, const Buffer<double>& included,
                  const JobControl& control) {
    const std::size_t channels = numbers.size();
    const auto numberOf = [&](std::size_t channel, std::size_t pixel) { return numbers[channel].at(pixel); };
    const std::vector<double> sums = summed(included.size(), channels + 1, control,
                                            [&](std::size_t begin, std::size_t end, std::vector<double>& sum) {
                                                for (std::size_t i = begin; i != end; ++i) {
                                                    if (!std::isnan(included[i])) {
                                                        for (std::size_t channel = 0; channel < channels; ++channel) {
                                                            sum[channel] += numberOf(channel, i);
                                                        }
                                                        ++sum[channels];
                                                    }
                                                }
                                            });
    Moments moments{static_cast<std::uint64_t>(sums[channels]), sums,
                    std::vector<std::vector<double>>(channels, std::vector<double>(channels))};
    moments.means.pop_back();
    if (moments.count == 0) {
        return moments;
    }
    const double count = sums[channels];
    std::ranges::for_each(moments.means, [&](double& mean) { mean /= count; });
    const std::vector<double> products =
        summed(included.size(), channels * channels, control,
               [&](std::size_t begin, std::size_t end, std::vector<double>& sum) {
                   std::vector<double> centred(channels * kBlock);
                   for (std::size_t i = begin; i < end;) {
                       std::size_t taken = 0;
                       for (; i < end && taken < kBlock; ++i) {
                           if (!std::isnan(included[i])) {
                               for (std::size_t channel = 0; channel < channels; ++channel) {
                                   centred[channel * kBlock + taken] = numberOf(channel, i) - moments.means[channel];
                               }
                               ++taken;
                           }
                       }
                       for (std::size_t a = 0; a < channels; ++a) {
                           for (std::size_t b = a; b < channels; ++b) {
                               sum[a * channels + b] = std::inner_product(
                                   centred.begin() + static_cast<std::ptrdiff_t>(a * kBlock),
                                   centred.begin() + static_cast<std::ptrdiff_t>(a * kBlock + taken),
                                   centred.begin() + static_cast<std::ptrdiff_t>(b * kBlock), sum[a * channels + b]);
                           }
                       }
                   }
               });
    for (std::size_t a = 0; a < channels; ++a) {
        for (std::size_t b = 0; b < channels; ++b) {
            moments.covariances[a][b] = products[std::min(a, b) * channels + std::max(a, b)] / count;
        }
    }
    return moments;
}

std::vector<std::vector<double>> eigenvectorsOf(std::vector<std::vector<double>> matrix) {
    constexpr int kMostSweeps = 60;
    const std::size_t size = matrix.size();
    std::vector<std::vector<double>> vectors(size, std::vector<double>(size));
    for (std::size_t i = 0; i < size; ++i) {
        vectors[i][i] = 1;
    }
    bool turned = true;
    for (int sweep = 0; turned && sweep < kMostSweeps; ++sweep) {
        turned = false;
        for (std::size_t p = 0; p < size; ++p) {
            for (std::size_t q = p + 1; q < size; ++q) {
                const double least = std::numeric_limits<double>::epsilon() / 16 * std::sqrt(std::abs(matrix[p][p])) *
                                     std::sqrt(std::abs(matrix[q][q]));
                if (std::abs(matrix[p][q]) > least) {
                    rotate(matrix, vectors, p, q);
                    turned = true;
                }
            }
        }
    }
    std::vector<std::size_t> order(size);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, std::greater<>(), [&](std::size_t i) { return matrix[i][i]; });
    std::vector<std::vector<double>> sorted;
    for (const std::size_t i : order) {
        std::vector<double>& vector = sorted.emplace_back(vectors[i]);
        const double largest = *std::ranges::max_element(vector, {}, [](double each) { return std::abs(each); });
        if (largest < 0) {
            std::ranges::transform(vector, vector.begin(), std::negate<>());
        }
    }
    return sorted;
}

} // namespace pollard
