#include "io/image_reader.hpp"
#include "io/metadata/channel_facts.hpp"
#include "io/metadata/print_resolution.hpp"
#include "io/read_support.hpp"
#include "io/samples/grey_rows.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdio>
#include <new>
#include <optional>
#include <png.h>

namespace pollard {

namespace {

constexpr std::size_t kSignatureBytes = 8;
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

/// Facts of the file, and the plan for its pixels.
struct PngHeader {
    ImageInfo info;
    GreyPlan plan;
};

PngHeader readPngHeader(const SourceFile& source, const ReadOptions& options, PngDecoder& decoder) {
    requireFirstPage(source, options.page);
    decoder.readHeader();
    PngHeader header;
    ImageInfo& info = header.info;
    info.format = "PNG";
    info.compression = "Deflate";
    info.width = decoder.width();
    info.height = decoder.height();
    info.bits = decoder.bits();
    info.pixelSize = decoder.pixelSize();
    info.samples = decoder.samples();
    const int type = decoder.colourType();
    if (type == PNG_COLOR_TYPE_PALETTE) {
        info.photometric = "Palette";
        header.plan =
            GreyPlan::forPalette(source, options.channel, info.bits, PixelType::u8, decoder.palette(), info.notes);
    } else {
        const bool colour = (type & PNG_COLOR_MASK_COLOR) != 0;
        info.photometric = colour ? "RGB" : "MinIsBlack";
        const bool alpha = (type & PNG_COLOR_MASK_ALPHA) != 0;
        header.plan = GreyPlan::forSamples(source, options.channel, info.bits, colour ? 3 : 1, info.samples, alpha,
                                           info.notes, alpha ? info.samples - 1 : -1);
        arrangeChannels(info, alpha ? info.samples - 1 : -1);
    }
    if (decoder.transparentColour()) {
        info.notes.emplace_back("transparency ignored");
    }
    header.plan.bits = std::max(info.bits, 8); // rows are unpacked by libpng
    return header;
}

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
        if (y % kRowsPerCheck == 0) {
            control.report(static_cast<double>(y) / info.height, "reading");
            control.throwIfStopped();
        }
    }
}

class PngReader final : public ImageReader {
public:
    FormatFilter filter() const override { return {"PNG", {"png"}}; }

    bool recognises(std::span<const std::byte> head) const override {
        return head.size() >= kSignatureBytes &&
               png_sig_cmp(reinterpret_cast<png_const_bytep>(head.data()), 0, kSignatureBytes) == 0;
    }

    ImageInfo info(const SourceFile& source, const ReadOptions& options) const override {
        PngDecoder decoder(source);
        return readPngHeader(source, options, decoder).info;
    }

    LoadedImage read(const SourceFile& source, const ReadOptions& options, const JobControl& control) const override {
        PngDecoder decoder(source);
        PngHeader header = readPngHeader(source, options, decoder);
        const ImageInfo& info = header.info;
        const std::size_t rowBytes = std::size_t{info.width} * info.samples * (info.bits > 8 ? 2 : 1);
        const PixelType type = header.plan.type;
        checkClaim(source, {info.width, info.height, info.bits, rowBytes * info.height, source.size, true},
                   options.limits);
        auto image = std::make_shared<Image>(type, info.width, info.height);
        GapMap gaps(info.width, info.height);
        GreyRows rows(source, std::move(header.plan), *image, &gaps);
        const int passes = decoder.start();
        if (passes > 1) {
            decodeInterlaced(decoder, passes, info, rowBytes, rows, control);
        } else {
            decodePlain(decoder, info, rowBytes, rows, control);
        }
        decoder.finish();
        control.report(1.0, "reading");
        LoadedImage loaded{std::move(image), gaps.valid(), std::move(header.info)};
        loaded.info.invalidPixels = loaded.valid ? loaded.image->pixelCount() - loaded.valid->count() : 0;
        return loaded;
    }
};

} // namespace

const ImageReader& pngReader() {
    static const PngReader reader;
    return reader;
}

} // namespace pollard
