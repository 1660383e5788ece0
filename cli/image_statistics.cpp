#include "image_statistics.hpp"

#include <cmath>
#include <vector>

namespace pollard::cli {

namespace {

std::vector<std::uint64_t> histogramOf(const Image& image, const Mask* valid) {
    std::vector<std::uint64_t> histogram(std::size_t{maxLevelOf(image.type())} + 1, 0);
    dispatch(image.type(), [&]<class T>(T) {
        const T* pixel = image.pixels<T>().data();
        for (std::uint32_t y = 0; y < image.height(); ++y) {
            for (std::uint32_t x = 0; x < image.width(); ++x, ++pixel) {
                if (valid == nullptr || valid->test(x, y)) {
                    ++histogram[*pixel];
                }
            }
        }
    });
    return histogram;
}

} // namespace

ImageStatistics statisticsOf(const Image& image, const Mask* valid) {
    const std::vector<std::uint64_t> histogram = histogramOf(image, valid);
    ImageStatistics result;
    const double count =
        valid == nullptr ? static_cast<double>(image.pixelCount()) : static_cast<double>(valid->count());
    if (count == 0) {
        return result;
    }
    double sum = 0;
    std::uint64_t below = 0;
    std::size_t next = 0;
    for (std::size_t level = 0; level < histogram.size(); ++level) {
        if (histogram[level] == 0) {
            continue;
        }
        const auto grey = static_cast<std::uint16_t>(level);
        result.minimum = result.distinctLevels == 0 ? grey : result.minimum;
        result.maximum = grey;
        ++result.distinctLevels;
        sum += static_cast<double>(level) * static_cast<double>(histogram[level]);
        below += histogram[level];
        while (next < result.percentiles.size() &&
               static_cast<double>(below) * 100 >= ImageStatistics::kPercentages[next] * count) {
            result.percentiles[next++] = grey;
        }
    }
    result.mean = sum / count;
    double squares = 0;
    for (std::size_t level = 0; level < histogram.size(); ++level) {
        const double distance = static_cast<double>(level) - result.mean;
        squares += distance * distance * static_cast<double>(histogram[level]);
    }
    result.standardDeviation = std::sqrt(squares / count);
    return result;
}

} // namespace pollard::cli
