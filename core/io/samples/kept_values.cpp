#include "io/samples/kept_values.hpp"

#include "io/metadata/orientation.hpp"

#include <algorithm>
#include <type_traits>
#include <utility>
#include <variant>

namespace pollard {

namespace {

thread_local KeptValues* present = nullptr;

template <class T> ExactValues shared(Buffer<T> values) {
    return std::make_shared<const std::variant<Buffer<float>, Buffer<double>>>(std::move(values));
}

template <class T> double blockMean(const Buffer<T>& values, const LoadedImage& whole, const PixelRegion& block) {
    double sum = 0;
    double count = 0;
    double validSum = 0;
    double validCount = 0;
    for (std::uint32_t y = block.y; y < block.y + block.height; ++y) {
        for (std::uint32_t x = block.x; x < block.x + block.width; ++x) {
            const auto value = static_cast<double>(values[std::size_t{y} * whole.image->width() + x]);
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

} // namespace

KeptValues::KeptValues() : outer_(std::exchange(present, this)) {}

KeptValues::~KeptValues() { present = outer_; }

ExactValues KeptValues::of(const std::shared_ptr<const Image>& image) const {
    const auto found = std::ranges::find(all_, image, [](const Kept& kept) { return kept.image.lock(); });
    return found == all_.end() ? nullptr : found->values;
}

template <class At> void KeptValues::replace(const std::shared_ptr<const Image>& before,
                                             const std::shared_ptr<const Image>& after, const At& at) {
    const ExactValues values = present != nullptr ? present->of(before) : nullptr;
    if (!values) {
        return;
    }
    std::erase_if(present->all_, [&](const Kept& kept) { return kept.image.lock() == before; });
    std::visit(
        [&](const auto& from) {
            Buffer<std::decay_t<decltype(at(from, 0U, 0U))>> made(after->pixelCount());
            for (std::size_t i = 0; i < made.size(); ++i) {
                made[i] = at(from, static_cast<std::uint32_t>(i % after->width()),
                             static_cast<std::uint32_t>(i / after->width()));
            }
            present->all_.push_back({after, shared(std::move(made))});
        },
        *values);
}

void KeptValues::keep(const std::shared_ptr<const Image>& levels, const ValueGrid& values) {
    if (present == nullptr) {
        return;
    }
    dispatch(values.type, [&]<class T>(T) {
        using Stored = std::conditional_t<std::is_same_v<T, float>, float, double>;
        Buffer<Stored> copy(levels->pixelCount());
        const T* const from = static_cast<const T*>(values.data);
        std::transform(from, from + copy.size(), copy.begin(), [](T value) { return static_cast<Stored>(value); });
        present->all_.push_back({levels, shared(std::move(copy))});
    });
}

void KeptValues::turn(const std::shared_ptr<const Image>& stored, const std::shared_ptr<const Image>& upright,
                      int orientation) {
    replace(stored, upright, [&](const auto& from, std::uint32_t x, std::uint32_t y) {
        const PixelRegion pixel = storedRegion({x, y, 1, 1}, orientation, stored->width(), stored->height());
        return from[std::size_t{pixel.y} * stored->width() + pixel.x];
    });
}

void KeptValues::crop(const std::shared_ptr<const Image>& whole, const std::shared_ptr<const Image>& part,
                      const PixelRegion& region) {
    replace(whole, part, [&](const auto& from, std::uint32_t x, std::uint32_t y) {
        return from[(std::size_t{region.y} + y) * whole->width() + region.x + x];
    });
}

void KeptValues::shrink(const LoadedImage& whole, const std::shared_ptr<const Image>& small, std::uint32_t side) {
    replace(whole.image, small, [&](const auto& from, std::uint32_t x, std::uint32_t y) {
        return blockMean(from, whole,
                         {x * side, y * side, std::min(side, whole.image->width() - x * side),
                          std::min(side, whole.image->height() - y * side)});
    });
}

} // namespace pollard
