#include "formats/images/webp_animation.hpp"

#include "base/error.hpp"
#include "io/write/atomic_file.hpp"

#include <string>
#include <webp/encode.h>
#include <webp/mux.h>

namespace pollard {
namespace {

constexpr const char* kWhat = "cannot write WebP";
constexpr int kChannels = 3;
/// 0 to 9; higher values take several times as long for drawings and hardly reduce the size
constexpr int kLosslessEffort = 2;

struct EncoderDeleter {
    void operator()(WebPAnimEncoder* encoder) const noexcept { WebPAnimEncoderDelete(encoder); }
};
using Encoder = std::unique_ptr<WebPAnimEncoder, EncoderDeleter>;

/// Owner of a libwebp image.
struct EncodedImage {
    WebPPicture it{};

    EncodedImage(std::uint32_t width, std::uint32_t height) {
        WebPPictureInit(&it);
        it.use_argb = 1;
        it.width = static_cast<int>(width);
        it.height = static_cast<int>(height);
    }
    ~EncodedImage() { WebPPictureFree(&it); }
    EncodedImage(const EncodedImage&) = delete;
    EncodedImage& operator=(const EncodedImage&) = delete;
};

/// Owner of the bytes of a finished animation.
struct EncodedAnimation {
    WebPData data{};
    EncodedAnimation() { WebPDataInit(&data); }
    ~EncodedAnimation() { WebPDataClear(&data); }
    EncodedAnimation(const EncodedAnimation&) = delete;
    EncodedAnimation& operator=(const EncodedAnimation&) = delete;
};

Encoder makeEncoder(std::uint32_t width, std::uint32_t height) {
    if (width == 0 || height == 0 || width > WebpAnimation::kMaxSide || height > WebpAnimation::kMaxSide) {
        throw Error(ErrorCode::invalidArgument, std::string(kWhat) + ": " + std::to_string(width) + " x " +
                                                    std::to_string(height) + " px; sides are 1 to " +
                                                    std::to_string(WebpAnimation::kMaxSide));
    }
    WebPAnimEncoderOptions options;
    WebPAnimEncoderOptionsInit(&options);
    return Encoder(WebPAnimEncoderNew(static_cast<int>(width), static_cast<int>(height), &options));
}

} // namespace

struct WebpAnimation::State {
    State(const std::filesystem::path& path, std::uint32_t w, std::uint32_t h)
        : encoder(makeEncoder(w, h)), file(path, kWhat), width(w), height(h) {
        if (encoder == nullptr) {
            throw Error(ErrorCode::outOfMemory, std::string(kWhat) + ": there is not enough memory");
        }
        WebPConfigInit(&config);
        WebPConfigLosslessPreset(&config, kLosslessEffort);
    }

    Encoder encoder;
    AtomicFile file;
    WebPConfig config{};
    std::uint32_t width;
    std::uint32_t height;
    int time = 0; ///< start of the next frame, ms
    bool empty = true;
};

WebpAnimation::WebpAnimation(const std::filesystem::path& path, std::uint32_t width, std::uint32_t height)
    : state_(std::make_unique<State>(path, width, height)) {}

WebpAnimation::~WebpAnimation() = default;

void WebpAnimation::add(std::span<const std::uint8_t> rgb, int milliseconds) {
    const std::size_t rowBytes = std::size_t{state_->width} * kChannels;
    if (rgb.size() != rowBytes * state_->height || milliseconds < 1) {
        throw Error(ErrorCode::invalidArgument, std::string(kWhat) + ": a frame of " + std::to_string(rgb.size()) +
                                                    " bytes shown for " + std::to_string(milliseconds) + " ms");
    }
    EncodedImage image(state_->width, state_->height);
    if (WebPPictureImportRGB(&image.it, rgb.data(), static_cast<int>(rowBytes)) == 0) {
        throw Error(ErrorCode::outOfMemory, std::string(kWhat) + ": there is not enough memory for a frame");
    }
    if (WebPAnimEncoderAdd(state_->encoder.get(), &image.it, state_->time, &state_->config) == 0) {
        state_->file.fail(WebPAnimEncoderGetError(state_->encoder.get()));
    }
    state_->time += milliseconds;
    state_->empty = false;
}

void WebpAnimation::finish() {
    if (state_->empty) {
        throw Error(ErrorCode::invalidArgument, std::string(kWhat) + ": there is no frame");
    }
    EncodedAnimation encoded;
    if (WebPAnimEncoderAdd(state_->encoder.get(), nullptr, state_->time, nullptr) == 0 ||
        WebPAnimEncoderAssemble(state_->encoder.get(), &encoded.data) == 0) {
        state_->file.fail(WebPAnimEncoderGetError(state_->encoder.get()));
    }
    state_->file.writeAll(encoded.data.bytes, encoded.data.size);
    state_->file.commit();
}

} // namespace pollard
