#include "watched/kernel_machine.hpp"

#include "components/threshold.hpp"
#include "player/player.hpp"

#include <limits>

namespace pollard::teach {

static_assert(kLabSide <= 32);

LabMask::LabMask(const LabImage& image, const PlayerSpec& spec, TreeKind kind) {
    requireLab(image);
    const bool bright = kind == TreeKind::max;
    const Mask mask = thresholdMask(imageOf(image), bright ? spec.threshold : std::uint16_t{0},
                                    bright ? std::numeric_limits<std::uint16_t>::max() : spec.threshold, nullptr);
    for (std::uint32_t y = 0; y < mask.height(); ++y) {
        for (const Mask::Word word : mask.row(y)) {
            words_.push_back(static_cast<std::uint32_t>(word));
            words_.push_back(static_cast<std::uint32_t>(word >> 32U));
        }
    }
    view_ = {words_.data(), mask.width(), mask.height()};
}

} // namespace pollard::teach
