#pragma once

#include "gl/upload_allowance.hpp"

#include "image/extent.hpp"
#include "image/image.hpp"

#include <QOpenGLExtraFunctions>

#include <cstddef>
#include <cstdint>
#include <memory>

namespace pollard::app {

/// A 3-D texture of a volume: levels (R8 or R16, 0 to 1, interpolated) or numbers (R32UI). It is copied slice by slice.
/// Calls marked (GL) require the context of the first one to be current.
class VolumeTexture : protected QOpenGLExtraFunctions {
public:
    VolumeTexture() = default;
    VolumeTexture(const VolumeTexture&) = delete;
    VolumeTexture& operator=(const VolumeTexture&) = delete;

    /// Sets the volume for load(); null for none.
    void setLevels(std::shared_ptr<const Image> volume);
    void setNumbers(std::shared_ptr<const std::uint32_t> numbers, const Extent& extent);
    /// Copies slices while the allowance lasts; frees the texture if there is no volume. (GL)
    /// @throws Error(outOfMemory) if the driver refuses the texture, which is then empty
    void load(UploadAllowance& allowance);
    /// Whether all slices of the volume are in the texture.
    [[nodiscard]] bool isComplete() const noexcept { return loaded_ == extent_.slices || data_ == nullptr; }
    [[nodiscard]] bool hasTexture() const noexcept { return texture_ != 0; }
    [[nodiscard]] const Extent& extent() const noexcept { return extent_; } ///< of the volume
    [[nodiscard]] std::uint16_t largestLevel() const noexcept { return format_.bytes == 1 ? 0xff : 0xffff; }
    /// (GL)
    void bind(int unit);
    void destroy(); ///< (GL)

private:
    struct Format {
        GLint internal = GL_R8;
        GLenum pixels = GL_RED;
        GLenum type = GL_UNSIGNED_BYTE;
        std::size_t bytes = 1;

        bool operator==(const Format&) const = default;
    };
    void set(std::shared_ptr<const void> data, const Format& format, const Extent& extent);
    void allocate();

    std::shared_ptr<const void> data_;
    Format format_;
    Extent extent_{0, 0, 0};
    std::uint32_t loaded_ = 0; ///< slices
    GLuint texture_ = 0;
    Format allocated_;         ///< of texture_
    Extent allocatedExtent_{}; ///< of texture_
    bool ready_ = false;
};

} // namespace pollard::app
