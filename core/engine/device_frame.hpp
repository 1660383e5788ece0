#pragma once

#include "image/image.hpp"

#include <cstdint>

namespace pollard {

/// A filtered picture that stayed on the device that made it; a GlTarget of the same engine can show it without a way
/// over host memory. Immutable, may be let go on any thread; its memory is used again when the last owner lets go.
class DeviceFrame {
public:
    virtual ~DeviceFrame() = default;
    DeviceFrame(const DeviceFrame&) = delete;
    DeviceFrame& operator=(const DeviceFrame&) = delete;

    [[nodiscard]] virtual PixelType type() const noexcept = 0;
    [[nodiscard]] virtual std::uint32_t width() const noexcept = 0;  ///< px
    [[nodiscard]] virtual std::uint32_t height() const noexcept = 0; ///< px

protected:
    DeviceFrame() = default;
};

} // namespace pollard
