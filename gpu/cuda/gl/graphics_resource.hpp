#pragma once

#include "cuda/device/cuda_error.hpp"

#include <cuda_runtime_api.h>

#include <cstdint>
#include <span>
#include <utility>

namespace pollard::cuda {

/// What an OpenGL texture is bound as.
enum class TextureKind : bool {
    plain, ///< GL_TEXTURE_2D
    array, ///< GL_TEXTURE_2D_ARRAY
};

/// Move-only registration of an OpenGL texture, made and destroyed with the texture's context current.
class GraphicsResource {
public:
    /// @param texture name of a texture with storage
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

/// Textures that belong to the GPU for as long as this lives: what OpenGL drew with them is over before work that is
/// queued on the stream afterwards, and what OpenGL draws after this sees that work.
class MappedResources {
public:
    /// @throws Error(deviceFailed)
    MappedResources(std::span<cudaGraphicsResource_t> resources, cudaStream_t stream);
    /// Gives the textures back, unless release() did; a failure shows in the next call on the stream.
    ~MappedResources();
    MappedResources(const MappedResources&) = delete;
    MappedResources& operator=(const MappedResources&) = delete;

    /// Memory of a texture, or of one layer of it. Valid while this lives.
    /// @param layer GlTile::kNoLayer for a texture without layers
    /// @throws Error(deviceFailed)
    [[nodiscard]] cudaArray_t array(std::size_t index, std::uint32_t layer) const;
    /// Gives the textures back.
    /// @throws Error(deviceFailed)
    void release();

private:
    void unmap() noexcept;

    std::span<cudaGraphicsResource_t> resources_;
    cudaStream_t stream_;
    bool mapped_ = true;
};

/// Move-only handle through which kernels write an array.
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
