#include "io/volumes/slice_values.hpp"

#include "io/samples/kept_values.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

namespace pollard {

void SliceValues::add(int slice, const LoadedImage& loaded) {
    const std::uint64_t infinite = loaded.info.mapping ? loaded.info.mapping->infinite : 0;
    slices_[static_cast<std::size_t>(slice)] = {
        loaded.info.mapping, loaded.image->pixelCount() > loaded.info.invalidPixels + infinite, loaded.samples};
}

bool SliceValues::haveOneMapping() const {
    const ValueMapping* one = nullptr;
    return std::ranges::all_of(slices_, [&](const OfSlice& slice) {
        if (!slice.any || !slice.mapping) {
            return true;
        }
        one = one == nullptr ? &*slice.mapping : one;
        const bool haveRanks = slice.mapping->ranks != nullptr || one->ranks != nullptr;
        return slice.mapping->offset == one->offset && slice.mapping->step == one->step &&
               (!haveRanks || slice.mapping->ranks == one->ranks);
    });
}

MappingChoice SliceValues::range() const {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    MappingChoice range{MappingChoice::Range::fixed, kInfinity, -kInfinity};
    for (const OfSlice& slice : slices_) {
        if (slice.any) {
            range.low = std::min(range.low, slice.mapping->minimum);
            range.high = std::max(range.high, slice.mapping->maximum);
        }
    }
    return range;
}

std::optional<ValueMapping> SliceValues::whole(const ImageInfo& slice) const {
    if (!slice.mapping) {
        return std::nullopt;
    }
    const auto some = std::ranges::find_if(slices_, &OfSlice::any);
    ValueMapping whole = *(some == slices_.end() ? slices_.front() : *some).mapping;
    if (some != slices_.end()) {
        const MappingChoice all = range();
        whole.minimum = all.low;
        whole.maximum = all.high;
    }
    whole.nan = whole.infinite = whole.clipped = 0;
    bool areExact = true;
    bool isApart = whole.minimum == whole.maximum || (slice.sampleFormat != "float" && whole.step <= 1);
    for (const OfSlice& each : slices_) {
        const ValueMapping& mapping = *each.mapping;
        whole.nan += mapping.nan;
        whole.infinite += mapping.infinite;
        whole.clipped += mapping.clipped;
        areExact = areExact && mapping.exact;
        isApart = isApart || (mapping.exact && mapping.minimum < mapping.maximum); // integers
    }
    whole.exact = areExact && (isApart || whole.ranks != nullptr);
    return whole;
}

std::shared_ptr<const SampleGrid> SliceValues::takeSamples(const Image& levels) {
    const auto some = std::ranges::find_if(slices_, [](const OfSlice& slice) { return slice.samples != nullptr; });
    if (some == slices_.end()) {
        return nullptr;
    }
    const ValueType type = some->samples->type;
    SampleGrid all{type, Buffer<std::byte>(levels.pixelCount() * bytesOf(type))};
    const std::size_t pixels = levels.pixelCount() / slices_.size();
    for (std::size_t slice = 0; slice < slices_.size(); ++slice) {
        OfSlice& from = slices_[slice];
        const std::size_t first = slice * pixels;
        if (from.samples) {
            std::ranges::copy(from.samples->samples.span(), all.samples.data() + first * bytesOf(type));
            from.samples.reset();
            continue;
        }
        const std::vector<std::uint64_t> ofLevels = samplesOfLevels(*from.mapping, levels.type());
        for (std::size_t i = first; i < first + pixels; ++i) {
            putSample(all, i, ofLevels[levels.level(i)]);
        }
    }
    return std::make_shared<const SampleGrid>(std::move(all));
}

} // namespace pollard
