#include "gl/gl_texture_target.hpp"

#include "base/error.hpp"
#include "device/cuda_error.hpp"
#include "device/cuda_event.hpp"
#include "device/cuda_stream.hpp"
#include "gl/graphics_resource.hpp"
#include "gl/write_surface.cuh"
#include "tree/cuda_frame.hpp"

#include <cuda_gl_interop.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

namespace pollard::cuda {

namespace {

constexpr const char* kShare = "share the window's textures: ";

/// Whether the GPU that this engine works on also draws for the current OpenGL context. Asked before anything is
/// registered: a driver may fail in worse ways than an error for a texture of another card.
void requireContextOfThisGpu() {
    int present = 0;
    check(cudaGetDevice(&present), "look for the GPU in use");
    std::array<int, 64> devices{};
    unsigned found = 0;
    const cudaError_t status =
        cudaGLGetDevices(&found, devices.data(), static_cast<unsigned>(devices.size()), cudaGLDeviceListAll);
    if (status != cudaSuccess) {
        cudaGetLastError(); // reported here, so it must not be reported again by the next call
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

    void attach(PixelType type, std::span<const GlTile> tiles) override {
        detach();
        try {
            requireContextOfThisGpu();
            if (!stream_) {
                stream_.emplace();
            }
            if (!written_) { // on its own: making it may have failed the last time
                written_.emplace();
            }
            for (const GlTile& tile : tiles) {
                resources_.emplace_back(tile.texture);
                handles_.push_back(resources_.back().get());
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
        tiles_.assign(tiles.begin(), tiles.end());
    }

    void write(const DeviceFrame& frame) override {
        const auto* picture = dynamic_cast<const CudaFrame*>(&frame);
        if (picture == nullptr) {
            throw Error(ErrorCode::invalidArgument, "show the picture: it is not one of the CUDA engine");
        }
        requireFit(frame);
        letSurfacesGo();
        try {
            dispatch(type_, [&]<class T>(T) { queueWrite(*picture, picture->view<T>()); });
        } catch (...) {
            // Part of it may be queued and must not outlive the picture's memory.
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
    }

private:
    void requireFit(const DeviceFrame& frame) const {
        std::uint32_t width = 0;
        std::uint32_t height = 0;
        for (const GlTile& tile : tiles_) {
            width = std::max(width, tile.x + tile.width);
            height = std::max(height, tile.y + tile.height);
        }
        if (tiles_.empty() || frame.type() != type_ || frame.width() != width || frame.height() != height) {
            throw Error(ErrorCode::invalidArgument,
                        "show the picture: it is " + std::to_string(frame.width()) + " x " +
                            std::to_string(frame.height()) + " px of " + std::to_string(bitsOf(frame.type())) +
                            " bits, the textures are for " + std::to_string(width) + " x " + std::to_string(height) +
                            " px of " + std::to_string(bitsOf(type_)));
        }
    }

    template <class T> void queueWrite(const CudaFrame& frame, const FrameView<T>& view) {
        frame.makeWait(stream_->get());
        MappedResources mapped(handles_, stream_->get());
        for (std::size_t i = 0; i < tiles_.size(); ++i) {
            surfaces_.emplace_back(mapped.array(i)); // the array may be another one every time
            check(launchWriteSurface(view, surfaces_.back().get(), tiles_[i], stream_->get()),
                  "write the window's textures");
        }
        mapped.release();
        written_->record(stream_->get());
        frame.markRead(stream_->get());
    }

    /// Those of the write before: two pictures ago where textures take turns, so this hardly ever waits.
    void letSurfacesGo() {
        if (!surfaces_.empty()) {
            written_->wait("write the window's textures");
            surfaces_.clear();
        }
    }

    PixelType type_ = PixelType::u8;
    std::vector<GlTile> tiles_;
    std::optional<Stream> stream_; // made by the first attach()
    std::optional<Event> written_;
    std::vector<GraphicsResource> resources_;
    std::vector<cudaGraphicsResource_t> handles_; ///< of resources_
    std::vector<Surface> surfaces_;               ///< of the last write; kernels may still use them
};

} // namespace

std::unique_ptr<GlTarget> makeGlTextureTarget() { return std::make_unique<GlTextureTarget>(); }

} // namespace pollard::cuda
