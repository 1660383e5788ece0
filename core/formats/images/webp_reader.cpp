#include "io/image_reader.hpp"
#include "io/metadata/channel_facts.hpp"
#include "io/read_support.hpp"
#include "io/samples/row_sink.hpp"
#include "io/samples/value_image.hpp"

#include <algorithm>
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
            fail("the header of the image is damaged");
        }
        return features;
    }

    /// Decodes the only frame to R, G, B, A.
    void decode(std::uint8_t* out, std::size_t bytes, int stride) const {
        if (WebPDecodeRGBAInto(bytes_.data(), bytes_.size(), out, bytes, stride) == nullptr) {
            fail("the pixels cannot be decoded");
        }
    }

    /// Calls @p take with the image displayed at frame @p wanted, composed of all frames up to it.
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

class WebpPage final : public FilePage {
public:
    WebpPage(const SourceFile& source, const ReadOptions& options) : FilePage(source, options), file_(source) {
        constexpr int kLossless = 2;
        const WebPBitstreamFeatures features = file_.features();
        info_.format = "WebP";
        info_.compression = features.format == kLossless ? "VP8L (lossless)"
                            : features.format == 1       ? "VP8"
                                                         : "VP8 / VP8L";
        info_.photometric = "RGB";
        info_.width = file_.number(WEBP_FF_CANVAS_WIDTH);
        info_.height = file_.number(WEBP_FF_CANVAS_HEIGHT);
        info_.bits = 8;
        const bool hasAlpha = features.has_alpha != 0;
        isAnimated_ = features.has_animation != 0;
        info_.samples = hasAlpha ? 4 : 3;
        info_.pages = static_cast<int>(std::max<std::uint32_t>(file_.number(WEBP_FF_FRAME_COUNT), 1));
        info_.page = options.page;
        requireIndex(source.path, "page", options.page, info_.pages, "file");
        if (info_.pages > 1) {
            info_.axes = {{'t', info_.pages, {}}};
        }
        arrangeChannels(info_, hasAlpha ? 3 : -1);
        // Alpha defines which pixels have data instead of being ignored, so the plan excludes it.
        const bool wantsAlpha = options.channel.kind == ChannelChoice::Kind::sample && options.channel.sample == 3;
        plan_ = GreyPlan::forSamples(source, options.channel, 8, 3, wantsAlpha ? info_.samples : 3, false, info_.notes);
        masksPixels_ = hasAlpha && !wantsAlpha && !options.ignoreAlpha;
        info_.masksByAlpha = masksPixels_;
        if (hasAlpha && !wantsAlpha) {
            info_.notes.emplace_back(masksPixels_ ? "fully transparent pixels hold no data" : "alpha ignored");
        }
    }

    LoadedImage read(const JobControl& control) override {
        const std::uint64_t bytes = std::uint64_t{info_.width} * info_.height * kRgba;
        checkClaim(source_, {info_.width, info_.height, 8, bytes, source_.size, true}, options_.limits);
        LoadedImage loaded;
        if (isAnimated_) {
            file_.decodeFrame(info_.page, options_.threads, control,
                              [&](const std::uint8_t* canvas) { loaded = fromCanvas(canvas, control); });
            return loaded;
        }
        Buffer<std::uint8_t> canvas(bytes);
        file_.decode(canvas.data(), canvas.size(), static_cast<int>(info_.width * kRgba));
        return fromCanvas(canvas.data(), control);
    }

private:
    /// Levels and mask from a canvas of R, G, B, A.
    [[nodiscard]] LoadedImage fromCanvas(const std::uint8_t* canvas, const JobControl& control) const {
        const std::uint32_t width = info_.width;
        const std::uint32_t height = info_.height;
        auto image = std::make_shared<Image>(PixelType::u8, width, height);
        GreyRows rows(source_, plan_, *image);
        Mask valid(width, height, true);
        for (std::uint32_t y = 0; y < height; ++y) {
            const std::uint8_t* row = canvas + std::size_t{y} * width * kRgba;
            rows.putInterleaved(0, y, width, reinterpret_cast<const std::byte*>(row), kRgba);
            for (std::uint32_t x = 0; masksPixels_ && x < width; ++x) {
                if (row[x * kRgba + 3] == 0) {
                    valid.set(x, y, false);
                }
            }
            if (y % kRowsPerCheck == 0) {
                control.throwIfStopped();
            }
        }
        LoadedImage loaded{std::move(image), nullptr, info_};
        loaded.valid = maskOfGaps(std::move(valid), loaded.info.invalidPixels);
        control.report(1.0, "reading");
        return loaded;
    }

    WebpFile file_;
    GreyPlan plan_;
    bool masksPixels_ = false; ///< by their transparency
    bool isAnimated_ = false;
};

} // namespace

const ImageReader& webpReader() {
    static const ImageReader reader{
        .filter = {"WebP", {"webp"}},
        .recognises =
            [](const SourceFile& source) { return source.startsWith("RIFF") && source.startsWith("WEBP", 8); },
        .open = openAs<WebpPage>};
    return reader;
}

} // namespace pollard
