#pragma once

#include "cuda/device/cuda_error.hpp"

#include <cuda_runtime_api.h>

#include <cstdint>
#include <span>
#include <utility>

namespace pollard::cuda {

/// Binding target of an OpenGL texture.
enum class TextureKind : bool {
    plain, ///< GL_TEXTURE_2D
    array, ///< GL_TEXTURE_2D_ARRAY
};

/// Move-only registration of an OpenGL texture; create and destroy it with the texture's context current.
class GraphicsResource {
public:
    /// @param texture name of a texture with allocated storage
    /// @throws Error(engineUnavailable) if the GPU cannot share it
    GraphicsResource(std::uint32_t texture, TextureKind kind);
    ~GraphicsResource();
    GraphicsResource(GraphicsResource&& other) noexcept : resource_(std::exchange(other.resource_, nullptr)) {}
    GraphicsResource& operator=(GraphicsResource&& other) noexcept {
        std::swap(resource_, other.resource_);
        return *this;
    }
    GraphicsResource(const GraphicsResource&) = delete;
    GraphicsResource& operator=(const GraphicsResource&) = delete;

    [[nodiscard]] cudaGraphicsResource_t get() const noexcept { return resource_; }

private:
    cudaGraphicsResource_t resource_ = nullptr;
};

/// Textures mapped for CUDA during the object's lifetime: earlier OpenGL work on them precedes work queued on the
/// stream afterwards, and later OpenGL work sees it.
class MappedResources {
public:
    /// @throws Error(deviceFailed)
    MappedResources(std::span<cudaGraphicsResource_t> resources, cudaStream_t stream);
    /// Unmaps the textures, unless release() has; a failure shows in the next call on the stream.
    ~MappedResources();
    MappedResources(const MappedResources&) = delete;
    MappedResources& operator=(const MappedResources&) = delete;

    /// Array of a texture, or of one of its layers. Valid during the object's lifetime.
    /// @param layer GlTile::kNoLayer for a texture without layers
    /// @throws Error(deviceFailed)
    [[nodiscard]] cudaArray_t array(std::size_t index, std::uint32_t layer) const;
    /// Unmaps the textures.
    /// @throws Error(deviceFailed)
    void release();

private:
    void unmap() noexcept;

    std::span<cudaGraphicsResource_t> resources_;
    cudaStream_t stream_;
    bool mapped_ = true;
};

/// Move-only surface object through which kernels write an array.
class Surface {
public:
    /// @throws Error(deviceFailed)
    explicit Surface(cudaArray_t array);
    ~Surface();
    Surface(Surface&& other) noexcept : surface_(std::exchange(other.surface_, 0)) {}
    Surface& operator=(Surface&& other) noexcept {
        std::swap(surface_, other.surface_);
        return *this;
    }
    Surface(const Surface&) = delete;
    Surface& operator=(const Surface&) = delete;

    [[nodiscard]] cudaSurfaceObject_t get() const noexcept { return surface_; }

private:
    cudaSurfaceObject_t surface_ = 0;
};

} // namespace pollard::cuda
