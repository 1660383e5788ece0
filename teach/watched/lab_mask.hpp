#pragma once

#include "cuda/components/device_mask.hpp"
#include "image/mask.hpp"
#include "player/player.hpp"

#include <cstdint>
#include <vector>

namespace pollard::teach {

/// The objects of a small image, as a mask of the emulated device.
class LabMask {
public:
    /// @param kind max: pixels of at least the threshold; min: of at most
    LabMask(const LabImage& picture, const PlayerSpec& spec, TreeKind kind = TreeKind::max);
    LabMask(const LabMask&) = delete;
    LabMask& operator=(const LabMask&) = delete;

    [[nodiscard]] const cuda::DeviceMask& view() const noexcept { return view_; }
    [[nodiscard]] bool isSet(std::uint32_t pixel) const {
        return view_.isSet(pixel % view_.width, pixel / view_.width);
    }
    /// A row as one word, which is wide enough for images of the lab.
    [[nodiscard]] std::uint32_t row(std::uint32_t y) const { return view_.word(0, y); }

private:
    std::vector<std::uint32_t> words_;
    cuda::DeviceMask view_{};
};

} // namespace pollard::teach
