#include "io/samples/kept_values.hpp"

#include "io/reduce.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>
#include <variant>

namespace pollard {

namespace {

thread_local KeptValues* present = nullptr;

template <class T> T sampleAt(const SampleGrid& grid, std::size_t pixel) noexcept {
    T sample{};
    std::memcpy(&sample, grid.samples.data() + pixel * sizeof(T), sizeof(T));
    return sample;
}

SampleGrid gridFor(ValueType type, std::size_t pixels) { return {type, Buffer<std::byte>(pixels * bytesOf(type))}; }

/// Samples from other places: `at(pixel)`.
template <class At> SampleGrid moved(const SampleGrid& from, std::size_t pixels, const At& at) {
    SampleGrid to = gridFor(from.type, pixels);
    const std::size_t bytes = bytesOf(from.type);
    for (std::size_t i = 0; i < pixels; ++i) {
        std::memcpy(to.samples.data() + i * bytes, from.samples.data() + at(i) * bytes, bytes);
    }
    return to;
}

template <class T> double blockMean(const SampleGrid& samples, const LoadedImage& whole, const PixelRegion& block) {
    double sum = 0;
    double count = 0;
    double validSum = 0;
    double validCount = 0;
    for (std::uint32_t y = block.y; y < block.y + block.height; ++y) {
        for (std::uint32_t x = block.x; x < block.x + block.width; ++x) {
            const auto value = static_cast<double>(sampleAt<T>(samples, std::size_t{y} * whole.image->width() + x));
            sum += value;
            ++count;
            if (whole.valid && whole.valid->test(x, y)) {
                validSum += value;
                ++validCount;
            }
        }
    }
    return validCount > 0 ? validSum / validCount : sum / count;
}

/// Whether the levels state all samples.
template <class T> bool areStated(const Image& levels, const T* samples, const ValueMapping& mapping) {
    const std::vector<std::uint64_t> ofLevels = samplesOfLevels(mapping, levels.type());
    const std::size_t bytes = bytesOf(mapping.file.type);
    const std::uint64_t mask = bytes == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << 8 * bytes) - 1;
    return dispatch(levels.type(), [&]<class L>(L) {
        const std::span<const L> pixels = levels.pixels<L>();
        for (std::size_t i = 0; i < pixels.size(); ++i) {
            if ((bitsOfSample(samples[i]) & mask) != (ofLevels[pixels[i]] & mask)) {
                return false;
            }
        }
        return true;
    });
}

} // namespace

KeptValues::KeptValues() : outer_(std::exchange(present, this)) {}

KeptValues::~KeptValues() { present = outer_; }

KeptValues::Entry* KeptValues::entryOf(const std::shared_ptr<const Image>& image) {
    const auto place = std::ranges::find(all_, image, [](const Entry& kept) { return kept.image.lock(); });
    return place == all_.end() ? nullptr : &*place;
}

const KeptValues::Entry* KeptValues::find(const std::shared_ptr<const Image>& image) const {
    const auto place = std::ranges::find(all_, image, [](const Entry& kept) { return kept.image.lock(); });
    return place == all_.end() ? nullptr : &*place;
}

std::shared_ptr<const SampleGrid> KeptValues::samplesOf(const std::shared_ptr<const Image>& image) const {
    const Entry* kept = find(image);
    return kept != nullptr ? kept->samples : nullptr;
}

ExactValues KeptValues::valuesOf(const std::shared_ptr<const Image>& image) const {
    const Entry* kept = find(image);
    if (kept == nullptr) {
        return nullptr;
    }
    return dispatch(kept->samples->type, [&]<class T>(T) {
        const auto converted = [&]<class V>(Buffer<V> values) {
            for (std::size_t i = 0; i < values.size(); ++i) {
                values[i] = static_cast<V>(kept->scale.valueOf(static_cast<double>(sampleAt<T>(*kept->samples, i))));
            }
            return std::make_shared<const std::variant<Buffer<float>, Buffer<double>>>(std::move(values));
        };
        const bool isFloat = std::is_same_v<T, float> && kept->scale.isIdentity();
        return isFloat ? converted(Buffer<float>(image->pixelCount())) : converted(Buffer<double>(image->pixelCount()));
    });
}

template <class Make> void KeptValues::replace(const std::shared_ptr<const Image>& before,
                                               const std::shared_ptr<const Image>& after, const Make& make) {
    const Entry* kept = present != nullptr ? present->find(before) : nullptr;
    if (kept == nullptr) {
        return;
    }
    Entry made{after, std::make_shared<const SampleGrid>(make(*kept->samples)), kept->scale};
    std::erase_if(present->all_, [&](const Entry& one) { return one.image.lock() == before; });
    present->all_.push_back(std::move(made));
}

void KeptValues::keep(const std::shared_ptr<const Image>& levels, const ValueGrid& samples,
                      const ValueMapping& mapping) {
    if (present == nullptr) {
        return;
    }
    dispatch(samples.type, [&]<class T>(T) {
        const T* const from = static_cast<const T*>(samples.data);
        if (areStated(*levels, from, mapping)) {
            return;
        }
        SampleGrid copy = gridFor(mapping.file.type, levels->pixelCount());
        for (std::size_t i = 0; i < levels->pixelCount(); ++i) {
            putSample(copy, i, bitsOfSample(from[i]));
        }
        present->all_.push_back({levels, std::make_shared<const SampleGrid>(std::move(copy)), samples.scale});
    });
}

void KeptValues::turn(const std::shared_ptr<const Image>& stored, const std::shared_ptr<const Image>& upright,
                      int orientation) {
    replace(stored, upright, [&](const SampleGrid& from) {
        return moved(from, upright->pixelCount(), [&](std::size_t i) {
            const auto x = static_cast<std::uint32_t>(i % upright->width());
            const auto y = static_cast<std::uint32_t>(i / upright->width());
            const PixelRegion pixel = storedRegion({x, y, 1, 1}, orientation, stored->width(), stored->height());
            return std::size_t{pixel.y} * stored->width() + pixel.x;
        });
    });
}

void KeptValues::crop(const std::shared_ptr<const Image>& whole, const std::shared_ptr<const Image>& part,
                      const PixelRegion& region) {
    replace(whole, part, [&](const SampleGrid& from) { return croppedSamples(from, whole->width(), region); });
}

void KeptValues::shrink(const LoadedImage& whole, const std::shared_ptr<const Image>& small, std::uint32_t side) {
    replace(whole.image, small, [&](const SampleGrid& from) {
        return dispatch(from.type, [&]<class T>(T) {
            using Mean = std::conditional_t<std::is_same_v<T, float>, float, double>;
            SampleGrid means = gridFor(std::is_same_v<T, float> ? ValueType::f32 : ValueType::f64, small->pixelCount());
            for (std::size_t i = 0; i < small->pixelCount(); ++i) {
                const auto x = static_cast<std::uint32_t>(i % small->width()) * side;
                const auto y = static_cast<std::uint32_t>(i / small->width()) * side;
                const PixelRegion block{x, y, std::min(side, whole.image->width() - x),
                                        std::min(side, whole.image->height() - y)};
                putSample(means, i, bitsOfSample(static_cast<Mean>(blockMean<T>(from, whole, block))));
            }
            return means;
        });
    });
}

SampleGrid croppedSamples(const SampleGrid& samples, std::uint32_t width, const PixelRegion& region) {
    return moved(samples, std::size_t{region.width} * region.height, [&](std::size_t i) {
        return (std::size_t{region.y} + i / region.width) * width + region.x + i % region.width;
    });
}

std::vector<std::uint64_t> samplesOfLevels(const ValueMapping& mapping, PixelType type) {
    std::vector<std::uint64_t> samples(std::size_t{maxLevelOf(type)} + 1);
    for (std::size_t level = 0; level < samples.size(); ++level) {
        samples[level] = mapping.sampleOf(static_cast<std::uint16_t>(level));
    }
    return samples;
}

void putSample(SampleGrid& samples, std::size_t pixel, std::uint64_t bits) noexcept {
    const std::size_t bytes = bytesOf(samples.type);
    std::memcpy(samples.samples.data() + pixel * bytes, &bits, bytes);
}

void KeptValues::moveTo(const std::shared_ptr<const Image>& after, const std::shared_ptr<const Image>& before) {
    if (Entry* const kept = present != nullptr ? present->entryOf(before) : nullptr) {
        kept->image = after;
    }
}

void KeptValues::scale(const std::shared_ptr<const Image>& image, const Calibration& calibration) {
    if (Entry* const kept = present != nullptr ? present->entryOf(image) : nullptr) {
        kept->scale.intercept = calibration.valueOf(kept->scale.intercept);
        kept->scale.slope *= calibration.slope;
    }
}

} // namespace pollard
