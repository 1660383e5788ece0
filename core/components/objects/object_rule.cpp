#include "components/objects/object_rule.hpp"

#include "components/fill_holes.hpp"
#include "components/threshold.hpp"

namespace pollard {

LevelRange ObjectRule::levelsOf(const Image& image, const Mask* inside, const JobControl& control,
                                const std::optional<ValueMapping>& mapping) const {
    if (above) {
        return {0, maxLevelOf(image.type())};
    }
    if (!method) {
        return values ? levelsWithin(*values, mapping, maxLevelOf(image.type())) : levels;
    }
    const std::uint16_t threshold = automaticThreshold(*method, image, inside, control, mapping);
    return dark ? LevelRange{0, static_cast<std::uint16_t>(threshold - 1)}
                : LevelRange{threshold, maxLevelOf(image.type())};
}

Mask ObjectRule::maskOf(const Image& image, LevelRange range, const Mask* inside, const JobControl& control,
                        const std::optional<ValueMapping>& mapping) const {
    Mask mask = above ? LocalBackground(image, inside, above->box, control, mapping)
                            .beyond(image, above->sigmas, dark, inside, control)
                      : thresholdMask(image, range.low, range.high, inside, control);
    if (fillHoles) {
        pollard::fillHoles(mask, inside, connectivity, control, image.extent().slices);
    }
    return mask;
}

std::optional<std::vector<double>> ObjectRule::fluxesOf(const Components& found, const Image& image, const Mask* inside,
                                                        const JobControl& control,
                                                        const std::optional<ValueMapping>& mapping) const {
    if (!above) {
        return std::nullopt;
    }
    return LocalBackground(image, inside, above->box, control, mapping)
        .fluxes(image, found.labels.span(), found.count, control);
}

} // namespace pollard
