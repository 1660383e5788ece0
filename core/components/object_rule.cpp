#include "components/object_rule.hpp"

namespace pollard {

LevelRange ObjectRule::levelsOf(const Image& image, const Mask* inside, const JobControl& control) const {
    if (!method) {
        return levels;
    }
    const std::uint16_t threshold = automaticThreshold(*method, image, inside, control);
    return dark ? LevelRange{0, static_cast<std::uint16_t>(threshold - 1)}
                : LevelRange{threshold, maxLevelOf(image.type())};
}

} // namespace pollard
