#pragma once

#include "display_view_model.hpp"

#include <QRgb>

#include <array>

namespace pollard::app {

/// The colours that the canvas shows levels in, for overlays that show pixels themselves; the counterpart of
/// resources/shaders/tone.frag.
class LevelColours {
public:
    explicit LevelColours(const vm::DisplayViewModel& display);

    /// @param result of the filtered picture, whose window may be another
    [[nodiscard]] QRgb colour(double level, bool result) const noexcept;

private:
    vm::LevelWindow image_;
    vm::LevelWindow result_;
    std::array<QRgb, 256> map_{};
};

} // namespace pollard::app
