#include "io/image_reader.hpp"
#include "io/metadata/channel_facts.hpp"
#include "io/metadata/length_units.hpp"
#include "io/read_support.hpp"
#include "io/samples/row_sink.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdio>
#include <new>
#include <optional>
#include <png.h>

namespace pollard {

namespace {

constexpr std::uint64_t kMaxChunkBytes = 64 << 20;

/// libpng's decoder. libpng leaves a failed call by longjmp: each member that calls it sets its own jump target, has no
/// object with a destructor, and converts the jump to an Error afterwards.
class PngDecoder {
public:
    explicit PngDecoder(const SourceFile& source) : source_(source), file_(openForReading(source.path)) {
        png_ = png_create_read_struct(PNG_LIBPNG_VER_STRING, this, onError, onWarning);
        info_ = png_ != nullptr ? png_create_info_struct(png_) : nullptr;
        if (info_ == nullptr) {
            png_destroy_read_struct(&png_, nullptr, nullptr);
            throw std::bad_alloc();
        }
    }
    ~PngDecoder() { png_destroy_read_struct(&png_, &info_, nullptr); }
    PngDecoder(const PngDecoder&) = delete;
    PngDecoder& operator=(const PngDecoder&) = delete;

    void readHeader() { require(tryHeader()); }
    /// Starts decoding. @returns the number of passes over all rows
    int start() {
        require(tryStart());
        return passes_;
    }
    void readRow(std::byte* row) { require(tryRow(reinterpret_cast<png_bytep>(row))); }
    void finish() { require(tryFinish()); }

    [[nodiscard]] std::uint32_t width() const { return png_get_image_width(png_, info_); }
    [[nodiscard]] std::uint32_t height() const { return png_get_image_height(png_, info_); }
    [[nodiscard]] int bits() const { return png_get_bit_depth(png_, info_); }
    [[nodiscard]] int samples() const { return png_get_channels(png_, info_); }
    [[nodiscard]] int colourType() const { return png_get_color_type(png_, info_); }
    [[nodiscard]] bool transparentColour() const { return png_get_valid(png_, info_, PNG_INFO_tRNS) != 0; }

    [[nodiscard]] std::optional<PixelSize> pixelSize() const {
        constexpr double kMetre = 1e6;
        png_uint_32 x = 0;
        png_uint_32 y = 0;
        int unit = PNG_RESOLUTION_UNKNOWN;
        png_get_pHYs(png_, info_, &x, &y, &unit);
        return unit == PNG_RESOLUTION_METER ? pixelSizeOfResolution(x, y, kMetre, "PNG resolution") : std::nullopt;
    }

    [[nodiscard]] std::vector<std::array<std::uint16_t, 3>> palette() const {
        png_colorp entries = nullptr;
        int count = 0;
        png_get_PLTE(png_, info_, &entries, &count);
        std::vector<std::array<std::uint16_t, 3>> colours;
        std::transform(entries, entries + count, std::back_inserter(colours), [](const png_color& c) {
            return std::array<std::uint16_t, 3>{c.red, c.green, c.blue};
        });
        return colours;
    }

private:
    bool tryHeader() noexcept {
        if (setjmp(png_jmpbuf(png_)) != 0) {
            return false;
        }
        png_init_io(png_, file_.get());
        png_set_user_limits(png_, PNG_UINT_31_MAX, PNG_UINT_31_MAX); // checkClaim() has the limits, with clearer
                                                                     // messages
        png_set_chunk_malloc_max(png_, kMaxChunkBytes);
        png_read_info(png_, info_);
        return true;
    }

    bool tryStart() noexcept {
        if (setjmp(png_jmpbuf(png_)) != 0) {
            return false;
        }
        png_set_packing(png_); // one byte per sample of less than 8 bits, value unchanged
        if (std::endian::native == std::endian::little) {
            png_set_swap(png_);
        }
        passes_ = png_set_interlace_handling(png_);
        png_read_update_info(png_, info_);
        return true;
    }

    bool tryRow(png_bytep row) noexcept {
        if (setjmp(png_jmpbuf(png_)) != 0) {
            return false;
        }
        png_read_row(png_, row, nullptr);
        return true;
    }

    bool tryFinish() noexcept {
        if (setjmp(png_jmpbuf(png_)) != 0) {
            return false;
        }
        png_read_end(png_, nullptr);
        return true;
    }

    void require(bool done) const {
        if (!done) {
            throw readError(ErrorCode::fileDamaged, source_.path, std::string("damaged PNG: ") + message_);
        }
    }

    static void onError(png_structp png, png_const_charp message) {
        auto& decoder = *static_cast<PngDecoder*>(png_get_error_ptr(png));
        std::snprintf(decoder.message_, sizeof decoder.message_, "%s", message);
        png_longjmp(png, 1);
    }
    static void onWarning(png_structp, png_const_charp) {}

    const SourceFile& source_;
    FilePointer file_;
    png_structp png_ = nullptr;
    png_infop info_ = nullptr;
    int passes_ = 1;
    char message_[128] = {};
};

/// Interlaced files have several passes over the rows, so all rows are kept until the last pass.
void decodeInterlaced(PngDecoder& decoder, int passes, const ImageInfo& info, std::size_t rowBytes, GreyRows& rows,
                      const JobControl& control) {
    Buffer<std::byte> all(rowBytes * info.height);
    std::fill(all.begin(), all.end(), std::byte{0});
    for (int pass = 0; pass < passes; ++pass) {
        for (std::uint32_t y = 0; y < info.height; ++y) {
            decoder.readRow(all.data() + y * rowBytes);
            if (y % kRowsPerCheck == 0) {
                control.throwIfStopped();
            }
        }
        control.report(static_cast<double>(pass) / passes, "reading");
    }
    for (std::uint32_t y = 0; y < info.height; ++y) {
        rows.putInterleaved(0, y, info.width, all.data() + y * rowBytes, info.samples);
    }
}

void decodePlain(PngDecoder& decoder, const ImageInfo& info, std::size_t rowBytes, GreyRows& rows,
                 const JobControl& control) {
    std::vector<std::byte> row(rowBytes);
    for (std::uint32_t y = 0; y < info.height; ++y) {
        decoder.readRow(row.data());
        rows.putInterleaved(0, y, info.width, row.data(), info.samples);
        passRow(control, y, info.height);
    }
}

class PngPage final : public FilePage {
public:
    PngPage(const SourceFile& source, const ReadOptions& options) : FilePage(source, options), decoder_(source) {
        requireFirstPage(source, options.page);
        decoder_.readHeader();
        info_.format = "PNG";
        info_.compression = "Deflate";
        info_.width = decoder_.width();
        info_.height = decoder_.height();
        info_.bits = decoder_.bits();
        info_.pixelSize = decoder_.pixelSize();
        info_.samples = decoder_.samples();
        const int type = decoder_.colourType();
        if (type == PNG_COLOR_TYPE_PALETTE) {
            info_.photometric = "Palette";
            plan_ = GreyPlan::forPalette(source, options.channel, info_.bits, PixelType::u8, decoder_.palette(),
                                         info_.notes);
        } else {
            const bool colour = (type & PNG_COLOR_MASK_COLOR) != 0;
            info_.photometric = colour ? "RGB" : "MinIsBlack";
            const bool alpha = (type & PNG_COLOR_MASK_ALPHA) != 0;
            plan_ = GreyPlan::forSamples(source, options.channel, info_.bits, colour ? 3 : 1, info_.samples, alpha,
                                         info_.notes, alpha && !options.ignoreAlpha ? info_.samples - 1 : -1);
            arrangeChannels(info_, alpha ? info_.samples - 1 : -1);
        }
        info_.masksByAlpha = plan_.alpha >= 0;
        if (decoder_.transparentColour()) {
            info_.notes.emplace_back("transparency ignored");
        }
        plan_.bits = std::max(info_.bits, 8); // rows are unpacked by libpng
    }

    LoadedImage read(const JobControl& control) override {
        const std::size_t rowBytes = std::size_t{info_.width} * info_.samples * (info_.bits > 8 ? 2 : 1);
        checkClaim(source_, {info_.width, info_.height, info_.bits, rowBytes * info_.height, source_.size, true},
                   options_.limits);
        auto image = std::make_shared<Image>(plan_.type, info_.width, info_.height);
        GapMap gaps(info_.width, info_.height);
        GreyRows rows(source_, plan_, *image, &gaps);
        const int passes = decoder_.start();
        if (passes > 1) {
            decodeInterlaced(decoder_, passes, info_, rowBytes, rows, control);
        } else {
            decodePlain(decoder_, info_, rowBytes, rows, control);
        }
        decoder_.finish();
        control.report(1.0, "reading");
        LoadedImage loaded{std::move(image), gaps.valid(), info_};
        loaded.info.invalidPixels = loaded.valid ? loaded.image->pixelCount() - loaded.valid->count() : 0;
        return loaded;
    }

private:
    PngDecoder decoder_;
    GreyPlan plan_;
};

} // namespace

const ImageReader& pngReader() {
    static const ImageReader reader{
        .filter = {"PNG", {"png"}},
        .recognises = [](const SourceFile& source) { return source.startsWith("\x89PNG\r\n\x1a\n"); },
        .open = openAs<PngPage>};
    return reader;
}

} // namespace pollard
