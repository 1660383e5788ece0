#include "io/volumes/slice_values.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace pollard {

void SliceValues::add(int slice, const LoadedImage& loaded) {
    const std::uint64_t infinite = loaded.info.mapping ? loaded.info.mapping->infinite : 0;
    slices_[static_cast<std::size_t>(slice)] = {loaded.info.mapping,
                                                loaded.image->pixelCount() > loaded.info.invalidPixels + infinite};
}

bool SliceValues::haveOneMapping() const {
    const ValueMapping* one = nullptr;
    return std::ranges::all_of(slices_, [&](const OfSlice& slice) {
        if (!slice.any || !slice.mapping) {
            return true;
        }
        one = one == nullptr ? &*slice.mapping : one;
        return slice.mapping->offset == one->offset && slice.mapping->step == one->step;
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
    whole.exact = areExact && isApart;
    return whole;
}

} // namespace pollard
