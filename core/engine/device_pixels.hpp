#pragma once

#include "base/job_control.hpp"
#include "filter/filter_spec.hpp"
#include "image/image.hpp"

#include <cstdint>
#include <memory>
#include <span>

namespace pollard {

/// Type of the values per pixel, and of the texels of a texture that shows them.
enum class TexelType : std::uint8_t {
    u8,  ///< GL_R8UI
    u16, ///< GL_R16UI
    u32, ///< GL_R32UI
};

[[nodiscard]] constexpr unsigned bitsOf(TexelType type) noexcept { return 8U << static_cast<unsigned>(type); }

/// A value per pixel of an image or volume in the memory of the device that computed it; a GlTarget of the same engine
/// writes it to textures without a copy through host memory. Immutable; can be released on any thread, after which its
/// memory is reused.
class DevicePixels {
public:
    virtual ~DevicePixels() = default;
    DevicePixels(const DevicePixels&) = delete;
    DevicePixels& operator=(const DevicePixels&) = delete;

    [[nodiscard]] virtual TexelType texels() const noexcept = 0;
    [[nodiscard]] virtual std::uint32_t width() const noexcept = 0;  ///< px
    [[nodiscard]] virtual std::uint32_t height() const noexcept = 0; ///< of a slice, px
    /// Slices of a volume, in the order of the values; 1 in an image.
    [[nodiscard]] virtual std::uint32_t slices() const noexcept { return 1; }

protected:
    DevicePixels() = default;
};

[[nodiscard]] constexpr TexelType texelsOf(PixelType type) noexcept {
    return type == PixelType::u8 ? TexelType::u8 : TexelType::u16;
}

/// A filtered image or volume in the memory of its device.
class DeviceFrame : public DevicePixels {
public:
    [[nodiscard]] virtual PixelType type() const noexcept = 0;
    [[nodiscard]] TexelType texels() const noexcept final { return texelsOf(type()); }
};

/// Part of the image shown by one OpenGL texture, or by one layer of a texture array.
struct GlTile {
    static constexpr std::uint32_t kNoLayer = 0xffff'ffffU;

    std::uint32_t texture = 0; ///< name of a GL_TEXTURE_2D of this width and height, or of a GL_TEXTURE_2D_ARRAY
    std::uint32_t x = 0;       ///< left column of the part in the image, px
    std::uint32_t y = 0;       ///< top row of the part in the image, px
    std::uint32_t width = 0;   ///< px
    std::uint32_t height = 0;  ///< px
    /// Layer of the GL_TEXTURE_2D_ARRAY, with the part in its upper left corner; kNoLayer for a GL_TEXTURE_2D.
    std::uint32_t layer = kNoLayer;
};

/// Writes values per pixel from device memory to OpenGL textures. All calls are made on one thread with the textures'
/// context current. The interface has neither OpenGL nor device types, so that a window needs no device header.
class GlTarget {
public:
    virtual ~GlTarget() = default;
    GlTarget(const GlTarget&) = delete;
    GlTarget& operator=(const GlTarget&) = delete;

    /// Registers the textures of an image and releases the textures of the previous image.
    /// @param tiles grouped by texture
    /// @throws Error(engineUnavailable) with the reason why the context's textures cannot be shared with the device
    /// (another graphics card draws, software rendering, ...); nothing is registered then
    virtual void attach(TexelType type, std::span<const GlTile> tiles) = 0;

    /// Enqueues writing the values to the textures, before subsequent OpenGL drawing. Does not wait.
    /// @param slice of a volume; 0 in an image
    /// @throws Error(invalidArgument) if the pixels are another engine's, differ in type or size from attach() or have
    /// no such slice; Error(deviceFailed)
    virtual void write(const DevicePixels& pixels, std::uint32_t slice = 0) = 0;

    /// Releases the textures; call it before deleting them.
    virtual void detach() noexcept = 0;

protected:
    GlTarget() = default;
};

/// A value per pixel of an image or volume in the memory of a GPU, slice by slice and row by row without padding, for
/// other libraries of the process to read or write.
struct DeviceArray {
    std::shared_ptr<const void> values; ///< address on the GPU, with the owner of the memory
    TexelType type = TexelType::u8;
    Extent extent;
    int device = 0; ///< number of the GPU in the order of CUDA
};

/// Labels as Session::labels() numbers them.
struct DeviceLabelArray {
    DeviceArray labels; ///< TexelType::u32
    std::uint32_t count = 0;
};

/// Images that come from and go to other libraries in the memory of a GPU, without a copy through the host. Sessions
/// of engines with such memory derive from this interface, too.
class DeviceArrays {
public:
    virtual ~DeviceArrays() = default;

    /// As Session::open(), with a copy of @p pixels on the GPU, after the work that is queued there.
    /// @param pixels of TexelType::u8 or u16; can change after the call
    /// @throws Error(invalidArgument) for another type, or memory that is not of this session's GPU;
    /// Error(outOfMemory), Error(deviceFailed)
    virtual void openArray(const DeviceArray& pixels, const VoxelSides& sides) = 0;

    /// As Session::filter() and Session::labels(), with results in memory of the GPU that is complete. Its last owner
    /// waits for the work of all libraries that is queued on the GPU.
    [[nodiscard]] virtual DeviceArray filteredArray(const FilterSpec& spec, const JobControl& control) = 0;
    [[nodiscard]] virtual DeviceLabelArray labelledArray(const FilterSpec& spec, const JobControl& control) = 0;
};

} // namespace pollard
