#include "io/image_reader.hpp"
#include "io/metadata/channel_facts.hpp"
#include "io/read_support.hpp"
#include "io/samples/grey_rows.hpp"
#include "io/samples/value_image.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <webp/decode.h>
#include <webp/demux.h>

namespace pollard {

namespace {

constexpr std::size_t kRgba = 4;
/// Limit of the format's 32-bit sizes.
constexpr std::uint64_t kMaxFile = 1ULL << 32;

struct DeleteDemuxer {
    void operator()(WebPDemuxer* demuxer) const noexcept { WebPDemuxDelete(demuxer); }
};
struct DeleteAnimation {
    void operator()(WebPAnimDecoder* decoder) const noexcept { WebPAnimDecoderDelete(decoder); }
};

/// A WebP file in memory, as libwebp requires.
class WebpFile {
public:
    explicit WebpFile(const SourceFile& source) : source_(source) {
        if (source.size > kMaxFile) {
            throw readError(ErrorCode::limitExceeded, source.path, "a WebP file has at most 4 GB");
        }
        bytes_.resize(source.size);
        const FilePointer file = openForReading(source.path);
        if (std::fread(bytes_.data(), 1, bytes_.size(), file.get()) != bytes_.size()) {
            fail("the file cannot be read to its end");
        }
        data_ = {bytes_.data(), bytes_.size()};
        demuxer_.reset(WebPDemux(&data_));
        if (!demuxer_) {
            fail("the file is cut short or its chunks make no sense");
        }
    }

    [[nodiscard]] std::uint32_t number(WebPFormatFeature feature) const {
        return WebPDemuxGetI(demuxer_.get(), feature);
    }

    /// Features of the first frame.
    [[nodiscard]] WebPBitstreamFeatures features() const {
        WebPBitstreamFeatures features{};
        if (WebPGetFeatures(bytes_.data(), bytes_.size(), &features) != VP8_STATUS_OK) {
            fail("the header of the picture is damaged");
        }
        return features;
    }

    /// Decodes the only frame to R, G, B, A.
    void decode(std::uint8_t* out, std::size_t bytes, int stride) const {
        if (WebPDecodeRGBAInto(bytes_.data(), bytes_.size(), out, bytes, stride) == nullptr) {
            fail("the pixels cannot be decoded");
        }
    }

    /// Calls @p take with the picture displayed at frame @p wanted, composed of all frames up to it.
    template <class Take> void decodeFrame(int wanted, int threads, const JobControl& control, const Take& take) const {
        WebPAnimDecoderOptions options;
        WebPAnimDecoderOptionsInit(&options);
        options.color_mode = MODE_RGBA;
        options.use_threads = threads == 1 ? 0 : 1;
        const std::unique_ptr<WebPAnimDecoder, DeleteAnimation> decoder(WebPAnimDecoderNew(&data_, &options));
        if (!decoder) {
            fail("the animation cannot be decoded");
        }
        std::uint8_t* pixels = nullptr;
        for (int frame = 0; frame <= wanted; ++frame) {
            int time = 0;
            control.report(static_cast<double>(frame) / (wanted + 1), "reading");
            control.throwIfStopped();
            if (WebPAnimDecoderGetNext(decoder.get(), &pixels, &time) == 0) {
                fail("frame " + std::to_string(frame) + " cannot be decoded");
            }
        }
        take(pixels);
    }

    [[noreturn]] void fail(const std::string& why) const {
        throw readError(ErrorCode::fileDamaged, source_.path, "damaged WebP: " + why);
    }

private:
    const SourceFile& source_;
    std::vector<std::uint8_t> bytes_;
    WebPData data_{};
    std::unique_ptr<WebPDemuxer, DeleteDemuxer> demuxer_;
};

struct WebpHeader {
    ImageInfo info;
    GreyPlan plan;
    bool alpha = false;
    bool animated = false;
};

WebpHeader readWebpHeader(const SourceFile& source, const ReadOptions& options, const WebpFile& file) {
    constexpr int kLossless = 2;
    const WebPBitstreamFeatures features = file.features();
    WebpHeader header;
    ImageInfo& info = header.info;
    info.format = "WebP";
    info.compression = features.format == kLossless ? "VP8L (lossless)" : features.format == 1 ? "VP8" : "VP8 / VP8L";
    info.photometric = "RGB";
    info.width = file.number(WEBP_FF_CANVAS_WIDTH);
    info.height = file.number(WEBP_FF_CANVAS_HEIGHT);
    info.bits = 8;
    header.alpha = features.has_alpha != 0;
    header.animated = features.has_animation != 0;
    info.samples = header.alpha ? 4 : 3;
    info.pages = static_cast<int>(std::max<std::uint32_t>(file.number(WEBP_FF_FRAME_COUNT), 1));
    info.page = options.page;
    if (options.page >= info.pages) {
        throw readError(ErrorCode::invalidArgument, source.path,
                        "page " + std::to_string(options.page) + " does not exist, the file has pages 0 to " +
                            std::to_string(info.pages - 1));
    }
    if (info.pages > 1) {
        info.axes = {{'t', info.pages, {}}};
    }
    arrangeChannels(info, header.alpha ? 3 : -1);
    // Alpha defines which pixels have data instead of being ignored, so the plan excludes it.
    const bool wantsAlpha = options.channel.kind == ChannelChoice::Kind::sample && options.channel.sample == 3;
    header.plan = GreyPlan::forSamples(source, options.channel, 8, 3, wantsAlpha ? info.samples : 3, false, info.notes);
    if (header.alpha && !wantsAlpha) {
        info.notes.emplace_back("fully transparent pixels hold no data");
    }
    return header;
}

/// Levels and mask from a canvas of R, G, B, A.
LoadedImage fromCanvas(const SourceFile& source, WebpHeader header, const std::uint8_t* canvas,
                       const JobControl& control) {
    const std::uint32_t width = header.info.width;
    const std::uint32_t height = header.info.height;
    auto image = std::make_shared<Image>(PixelType::u8, width, height);
    const bool alphaShown = header.plan.samples == std::vector<int>{3};
    GreyRows rows(source, std::move(header.plan), *image);
    Mask valid(width, height, true);
    for (std::uint32_t y = 0; y < height; ++y) {
        const std::uint8_t* row = canvas + std::size_t{y} * width * kRgba;
        rows.putInterleaved(0, y, width, reinterpret_cast<const std::byte*>(row), kRgba);
        for (std::uint32_t x = 0; header.alpha && !alphaShown && x < width; ++x) {
            if (row[x * kRgba + 3] == 0) {
                valid.set(x, y, false);
            }
        }
        if (y % kRowsPerCheck == 0) {
            control.throwIfStopped();
        }
    }
    LoadedImage loaded{std::move(image), nullptr, std::move(header.info)};
    loaded.valid = maskOfGaps(std::move(valid), loaded.info.invalidPixels);
    control.report(1.0, "reading");
    return loaded;
}

class WebpReader final : public ImageReader {
public:
    FormatFilter filter() const override { return {"WebP", {"webp"}}; }

    bool recognises(std::span<const std::byte> head) const override {
        return head.size() >= 12 && std::memcmp(head.data(), "RIFF", 4) == 0 &&
               std::memcmp(head.data() + 8, "WEBP", 4) == 0;
    }

    ImageInfo info(const SourceFile& source, const ReadOptions& options) const override {
        const WebpFile file(source);
        return readWebpHeader(source, options, file).info;
    }

    LoadedImage read(const SourceFile& source, const ReadOptions& options, const JobControl& control) const override {
        const WebpFile file(source);
        WebpHeader header = readWebpHeader(source, options, file);
        const ImageInfo& info = header.info;
        const std::uint64_t bytes = std::uint64_t{info.width} * info.height * kRgba;
        checkClaim(source, {info.width, info.height, 8, bytes, source.size, true}, options.limits);
        LoadedImage loaded;
        if (header.animated) {
            file.decodeFrame(info.page, options.threads, control, [&](const std::uint8_t* canvas) {
                loaded = fromCanvas(source, std::move(header), canvas, control);
            });
            return loaded;
        }
        Buffer<std::uint8_t> canvas(bytes);
        file.decode(canvas.data(), canvas.size(), static_cast<int>(info.width * kRgba));
        return fromCanvas(source, std::move(header), canvas.data(), control);
    }
};

} // namespace

const ImageReader& webpReader() {
    static const WebpReader reader;
    return reader;
}

} // namespace pollard
