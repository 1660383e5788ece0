#include "gl/volume_texture.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <utility>

namespace pollard::app {
namespace {

constexpr std::uint64_t kPiece = std::uint64_t{2} << 20; ///< bytes of a copy, unless a slice is larger

} // namespace

void VolumeTexture::setLevels(std::shared_ptr<const Image> volume) {
    if (!volume) {
        set(nullptr, {}, {0, 0, 0});
        return;
    }
    const Format format = volume->type() == PixelType::u8 ? Format{} : Format{GL_R16, GL_RED, GL_UNSIGNED_SHORT, 2};
    const Extent extent = volume->extent();
    const std::byte* const levels = volume->data();
    set({std::move(volume), levels}, format, extent);
}

void VolumeTexture::setNumbers(std::shared_ptr<const std::uint32_t> numbers, const Extent& extent) {
    const Extent size = numbers ? extent : Extent{0, 0, 0};
    set(std::move(numbers), {GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, sizeof(std::uint32_t)}, size);
}

void VolumeTexture::set(std::shared_ptr<const void> data, const Format& format, const Extent& extent) {
    if (data != data_) {
        data_ = std::move(data);
        format_ = format;
        extent_ = extent;
        loaded_ = 0;
    }
}

void VolumeTexture::allocate() {
    if (texture_ != 0 && allocated_ == format_ && allocatedExtent_ == extent_) {
        return;
    }
    destroy();
    while (glGetError() != GL_NO_ERROR) {
        // clears older errors, which could be taken for a refused texture
    }
    glGenTextures(1, &texture_);
    glBindTexture(GL_TEXTURE_3D, texture_);
    const GLint filter = format_.pixels == GL_RED ? GL_LINEAR : GL_NEAREST;
    glTexParameteri(GL_TEXTURE_3D, GL_TEXTURE_MIN_FILTER, filter);
    glTexParameteri(GL_TEXTURE_3D, GL_TEXTURE_MAG_FILTER, filter);
    for (const GLenum side : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T, GL_TEXTURE_WRAP_R}) {
        glTexParameteri(GL_TEXTURE_3D, side, GL_CLAMP_TO_EDGE);
    }
    glTexParameteri(GL_TEXTURE_3D, GL_TEXTURE_MAX_LEVEL, 0);
    glTexImage3D(GL_TEXTURE_3D, 0, format_.internal, static_cast<GLsizei>(extent_.width),
                 static_cast<GLsizei>(extent_.height), static_cast<GLsizei>(extent_.slices), 0, format_.pixels,
                 format_.type, nullptr);
    glBindTexture(GL_TEXTURE_3D, 0);
    if (glGetError() != GL_NO_ERROR) {
        destroy();
        throw Error(ErrorCode::outOfMemory,
                    "show the volume: the graphics driver refuses a texture of " + text(extent_));
    }
    allocated_ = format_;
    allocatedExtent_ = extent_;
    loaded_ = 0;
}

void VolumeTexture::load(UploadAllowance& allowance) {
    if (!ready_) {
        initializeOpenGLFunctions();
        ready_ = true;
    }
    if (data_ == nullptr) {
        destroy();
        return;
    }
    allocate();
    const std::uint64_t slice = extent_.slicePixels() * format_.bytes;
    const auto piece = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(kPiece / slice, 1, extent_.slices));
    glBindTexture(GL_TEXTURE_3D, texture_);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    while (loaded_ < extent_.slices && allowance.take(piece * slice)) {
        const std::uint32_t count = std::min(piece, extent_.slices - loaded_);
        glTexSubImage3D(GL_TEXTURE_3D, 0, 0, 0, static_cast<GLint>(loaded_), static_cast<GLsizei>(extent_.width),
                        static_cast<GLsizei>(extent_.height), static_cast<GLsizei>(count), format_.pixels, format_.type,
                        static_cast<const std::byte*>(data_.get()) + loaded_ * slice);
        loaded_ += count;
    }
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glBindTexture(GL_TEXTURE_3D, 0);
}

void VolumeTexture::bind(int unit) {
    glActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(unit));
    glBindTexture(GL_TEXTURE_3D, texture_);
}

void VolumeTexture::destroy() {
    if (texture_ != 0) {
        glDeleteTextures(1, &texture_);
        texture_ = 0;
    }
    loaded_ = 0;
}

} // namespace pollard::app
