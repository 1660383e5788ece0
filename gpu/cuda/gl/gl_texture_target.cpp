#include "cuda/gl/gl_texture_target.hpp"

#include "base/error.hpp"
#include "cuda/device/cuda_error.hpp"
#include "cuda/device/cuda_stream.hpp"
#include "cuda/gl/graphics_resource.hpp"
#include "cuda/gl/write_surface.cuh"
#include "cuda/tree/cuda_pixels.hpp"

#include <cuda_gl_interop.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace pollard::cuda {

namespace {

constexpr const char* kShare = "share the window's textures: ";

/// Throws unless the current CUDA device also renders the current OpenGL context. Checked before any texture is
/// registered: registering a texture of another card may crash some drivers.
void requireContextOfThisGpu() {
    int present = 0;
    check(cudaGetDevice(&present), "look for the GPU in use");
    std::array<int, 64> devices{};
    unsigned found = 0;
    const cudaError_t status =
        cudaGLGetDevices(&found, devices.data(), static_cast<unsigned>(devices.size()), cudaGLDeviceListAll);
    if (status != cudaSuccess) {
        cudaGetLastError(); // clear the last error, or a later check reports it again
        throw Error(ErrorCode::engineUnavailable, std::string(kShare) +
                                                      "the window is drawn by another graphics card or in software (" +
                                                      cudaGetErrorString(status) + ")");
    }
    if (std::find(devices.begin(), devices.begin() + found, present) == devices.begin() + found) {
        throw Error(ErrorCode::engineUnavailable,
                    std::string(kShare) + "the window is drawn by another graphics card than the one that computes");
    }
}

class GlTextureTarget final : public GlTarget {
public:
    ~GlTextureTarget() override { GlTextureTarget::detach(); }

    void attach(TexelType type, std::span<const GlTile> tiles) override {
        detach();
        try {
            requireContextOfThisGpu();
            if (!stream_) {
                stream_.emplace();
            }
            if (!written_) { // separate check: creating it may have failed before
                written_.emplace();
            }
            for (const GlTile& tile : tiles) {
                shareTextureOf(tile);
            }
        } catch (const Error& error) {
            detach();
            if (error.code() == ErrorCode::engineUnavailable) {
                throw;
            }
            throw Error(ErrorCode::engineUnavailable, kShare + std::string(error.what()));
        } catch (...) {
            detach();
            throw;
        }
        type_ = type;
    }

    void write(const DevicePixels& pixels, std::uint32_t slice) override {
        const auto* image = dynamic_cast<const CudaPixels*>(&pixels);
        if (image == nullptr) {
            throw Error(ErrorCode::invalidArgument, "show the image: it is not one of the CUDA engine");
        }
        requireFit(pixels, slice);
        releaseSurfaces();
        try {
            std::visit([&](const auto& view) { queueWrite(image->order(), view); }, image->viewOf(slice));
        } catch (...) {
            // Part of the write may be queued and must not outlive the frame's memory.
            if (cudaStreamSynchronize(stream_->get()) != cudaSuccess) {
                cudaGetLastError();
            }
            throw;
        }
    }

    void detach() noexcept override {
        if (stream_ && cudaStreamSynchronize(stream_->get()) != cudaSuccess) {
            cudaGetLastError();
        }
        surfaces_.clear();
        handles_.clear();
        resources_.clear();
        tiles_.clear();
        resourceOfTile_.clear();
    }

private:
    void shareTextureOf(const GlTile& tile) {
        if (tiles_.empty() || tiles_.back().texture != tile.texture) {
            resources_.emplace_back(tile.texture,
                                    tile.layer == GlTile::kNoLayer ? TextureKind::plain : TextureKind::array);
            handles_.push_back(resources_.back().get());
        }
        tiles_.push_back(tile);
        resourceOfTile_.push_back(resources_.size() - 1);
    }

    void requireFit(const DevicePixels& pixels, std::uint32_t slice) const {
        if (slice >= pixels.slices()) {
            throw Error(ErrorCode::invalidArgument, "show the image: there is no slice " + std::to_string(slice) +
                                                        ", but " + std::to_string(pixels.slices()));
        }
        std::uint32_t width = 0;
        std::uint32_t height = 0;
        for (const GlTile& tile : tiles_) {
            width = std::max(width, tile.x + tile.width);
            height = std::max(height, tile.y + tile.height);
        }
        if (tiles_.empty() || pixels.texels() != type_ || pixels.width() != width || pixels.height() != height) {
            throw Error(ErrorCode::invalidArgument,
                        "show the image: it is " + std::to_string(pixels.width()) + " x " +
                            std::to_string(pixels.height()) + " px of " + std::to_string(bitsOf(pixels.texels())) +
                            " bits, the textures are for " + std::to_string(width) + " x " + std::to_string(height) +
                            " px of " + std::to_string(bitsOf(type_)));
        }
    }

    template <class View> void queueWrite(const ReadOrder& order, const View& view) {
        order.makeWait(stream_->get());
        MappedResources mapped(handles_, stream_->get());
        for (std::size_t i = 0; i < tiles_.size(); ++i) {
            // Each mapping may return another array.
            surfaces_.emplace_back(mapped.array(resourceOfTile_[i], tiles_[i].layer));
            check(launchWriteSurface(view, surfaces_.back().get(), tiles_[i], stream_->get()),
                  "write the window's textures");
        }
        mapped.release();
        written_->record(stream_->get());
        order.markRead(stream_->get());
    }

    /// Destroys the surfaces of the previous write. With alternating textures that was two frames ago, so this rarely
    /// waits.
    void releaseSurfaces() {
        if (!surfaces_.empty()) {
            written_->wait("write the window's textures");
            surfaces_.clear();
        }
    }

    TexelType type_ = TexelType::u8;
    std::vector<GlTile> tiles_;
    std::vector<std::size_t> resourceOfTile_;
    std::optional<Stream> stream_; // created by the first attach()
    std::optional<Event> written_;
    std::vector<GraphicsResource> resources_;     ///< one per texture
    std::vector<cudaGraphicsResource_t> handles_; ///< of resources_
    std::vector<Surface> surfaces_;               ///< of the last write; kernels may still use them
};

} // namespace

std::unique_ptr<GlTarget> makeGlTextureTarget() { return std::make_unique<GlTextureTarget>(); }

} // namespace pollard::cuda
