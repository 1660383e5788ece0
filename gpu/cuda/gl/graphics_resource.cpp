#include "cuda/gl/graphics_resource.hpp"

#include "base/error.hpp"
#include "engine/device_pixels.hpp"

#include <GL/gl.h>
#include <GL/glext.h>
#include <cuda_gl_interop.h>

#include <string>

namespace pollard::cuda {

namespace {

GLenum targetOf(TextureKind kind) { return kind == TextureKind::plain ? GL_TEXTURE_2D : GL_TEXTURE_2D_ARRAY; }

} // namespace

GraphicsResource::GraphicsResource(std::uint32_t texture, TextureKind kind) {
    const cudaError_t status = faults::interopIsRefused()
                                   ? cudaErrorNotSupported
                                   : cudaGraphicsGLRegisterImage(&resource_, texture, targetOf(kind),
                                                                 cudaGraphicsRegisterFlagsSurfaceLoadStore);
    if (status != cudaSuccess) {
        resource_ = nullptr;
        cudaGetLastError(); // clear the last error, or a later check reports it again
        throw Error(ErrorCode::engineUnavailable,
                    std::string("share the window's textures: the GPU refuses them: ") + cudaGetErrorString(status));
    }
    // Every write covers the whole texture. This is only a hint, so its failure is ignored.
    if (cudaGraphicsResourceSetMapFlags(resource_, cudaGraphicsMapFlagsWriteDiscard) != cudaSuccess) {
        cudaGetLastError();
    }
}

GraphicsResource::~GraphicsResource() {
    if (resource_ != nullptr && cudaGraphicsUnregisterResource(resource_) != cudaSuccess) {
        cudaGetLastError();
    }
}

MappedResources::MappedResources(std::span<cudaGraphicsResource_t> resources, cudaStream_t stream)
    : resources_(resources), stream_(stream) {
    try {
        check(cudaGraphicsMapResources(static_cast<int>(resources_.size()), resources_.data(), stream_),
              "take the window's textures");
    } catch (...) {
        unmap(); // resources mapped before the failure
        throw;
    }
}

MappedResources::~MappedResources() {
    if (mapped_) {
        unmap();
    }
}

void MappedResources::unmap() noexcept {
    if (cudaGraphicsUnmapResources(static_cast<int>(resources_.size()), resources_.data(), stream_) != cudaSuccess) {
        cudaGetLastError();
    }
}

cudaArray_t MappedResources::array(std::size_t index, std::uint32_t layer) const {
    cudaArray_t array = nullptr;
    check(cudaGraphicsSubResourceGetMappedArray(&array, resources_[index], layer == GlTile::kNoLayer ? 0 : layer, 0),
          "find the window's texture");
    return array;
}

void MappedResources::release() {
    mapped_ = false;
    check(cudaGraphicsUnmapResources(static_cast<int>(resources_.size()), resources_.data(), stream_),
          "give the window's textures back");
}

Surface::Surface(cudaArray_t array) {
    cudaResourceDesc description{};
    description.resType = cudaResourceTypeArray;
    description.res.array.array = array;
    check(cudaCreateSurfaceObject(&surface_, &description), "open the window's texture for writing");
}

Surface::~Surface() {
    if (surface_ != 0 && cudaDestroySurfaceObject(surface_) != cudaSuccess) {
        cudaGetLastError();
    }
}

} // namespace pollard::cuda
