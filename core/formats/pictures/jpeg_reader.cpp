#include "io/image_reader.hpp"
#include "io/metadata/print_resolution.hpp"
#include "io/read_support.hpp"
#include "io/samples/grey_rows.hpp"

#include <csetjmp>
#include <cstdio>
#include <vector>

#include <jpeglib.h>

#include <jerror.h>

namespace pollard {

namespace {

/// Memory limit of libjpeg; progressive files keep all coefficients, and the excess goes to a temporary file.
constexpr long kLibraryMemory = 1L << 30;

/// libjpeg's decoder, with the rule for libpng: each member that calls the library sets its own jump target, has no
/// object with a destructor, and converts the jump to an Error afterwards.
class JpegDecoder {
public:
    explicit JpegDecoder(const SourceFile& source) : source_(source), file_(openForReading(source.path)) {
        decoder_.err = jpeg_std_error(&errors_);
        decoder_.client_data = this;
        errors_.error_exit = onError;
        errors_.emit_message = onMessage;
        require(tryCreate());
    }
    ~JpegDecoder() { jpeg_destroy_decompress(&decoder_); }
    JpegDecoder(const JpegDecoder&) = delete;
    JpegDecoder& operator=(const JpegDecoder&) = delete;

    void readHeader() { require(tryHeader()); }
    void start(J_COLOR_SPACE space) {
        decoder_.out_color_space = space;
        require(tryStart());
    }
    void readRow(std::byte* row) { require(tryRow(reinterpret_cast<JSAMPROW>(row))); }
    void finish() { require(tryFinish()); }

    [[nodiscard]] const jpeg_decompress_struct& state() const noexcept { return decoder_; }

private:
    bool tryCreate() noexcept {
        if (setjmp(target_) != 0) {
            return false;
        }
        jpeg_create_decompress(&decoder_);
        decoder_.mem->max_memory_to_use = kLibraryMemory;
        jpeg_stdio_src(&decoder_, file_.get());
        return true;
    }
    bool tryHeader() noexcept {
        if (setjmp(target_) != 0) {
            return false;
        }
        jpeg_read_header(&decoder_, TRUE);
        return true;
    }
    bool tryStart() noexcept {
        if (setjmp(target_) != 0) {
            return false;
        }
        jpeg_start_decompress(&decoder_);
        return true;
    }
    bool tryRow(JSAMPROW row) noexcept {
        if (setjmp(target_) != 0) {
            return false;
        }
        return jpeg_read_scanlines(&decoder_, &row, 1) == 1;
    }
    bool tryFinish() noexcept {
        if (setjmp(target_) != 0) {
            return false;
        }
        jpeg_finish_decompress(&decoder_);
        return true;
    }

    void require(bool done) const {
        if (done) {
            return;
        }
        switch (failure_) {
        case JERR_BAD_PRECISION:
        case JERR_ARITH_NOTIMPL:
        case JERR_SOF_UNSUPPORTED:
        case JERR_CONVERSION_NOTIMPL:
            throw readError(ErrorCode::formatUnsupported, source_.path, std::string("JPEG: ") + message_);
        case JERR_OUT_OF_MEMORY:
            throw readError(ErrorCode::outOfMemory, source_.path, message_);
        default:
            throw readError(ErrorCode::fileDamaged, source_.path, std::string("damaged JPEG: ") + message_);
        }
    }

    [[noreturn]] static void leave(j_common_ptr library) {
        auto& self = *static_cast<JpegDecoder*>(library->client_data);
        self.failure_ = library->err->msg_code;
        library->err->format_message(library, self.message_);
        std::longjmp(self.target_, 1);
    }
    static void onError(j_common_ptr library) { leave(library); }
    /// libjpeg repairs damaged data with only a warning; a repaired picture differs from the original.
    static void onMessage(j_common_ptr library, int level) {
        const int code = library->err->msg_code;
        if (level < 0 && code != JWRN_EXTRANEOUS_DATA && code != JWRN_ADOBE_XFORM && code != JWRN_JFIF_MAJOR) {
            leave(library);
        }
    }

    const SourceFile& source_;
    FilePointer file_;
    jpeg_decompress_struct decoder_{};
    jpeg_error_mgr errors_{};
    std::jmp_buf target_{};
    int failure_ = 0;
    char message_[JMSG_LENGTH_MAX] = {};
};

struct JpegHeader {
    ImageInfo info;
    GreyPlan plan;
};

JpegHeader readJpegHeader(const SourceFile& source, const ReadOptions& options, JpegDecoder& decoder) {
    requireFirstPage(source, options.page);
    decoder.readHeader();
    const jpeg_decompress_struct& state = decoder.state();
    JpegHeader header;
    ImageInfo& info = header.info;
    const bool grey = state.jpeg_color_space == JCS_GRAYSCALE;
    if (!grey && state.jpeg_color_space != JCS_YCbCr && state.jpeg_color_space != JCS_RGB) {
        const bool cmyk = state.jpeg_color_space == JCS_CMYK || state.jpeg_color_space == JCS_YCCK;
        throw readError(ErrorCode::formatUnsupported, source.path,
                        "JPEG with " + std::string(cmyk ? "CMYK" : "unknown") +
                            " colours is not supported, only grey, YCbCr and RGB");
    }
    info.format = "JPEG";
    info.compression = "JPEG";
    info.photometric = grey ? "MinIsBlack" : "RGB";
    info.width = state.image_width;
    info.height = state.image_height;
    info.bits = state.data_precision;
    constexpr int kPerInch = 1;
    constexpr int kPerCentimetre = 2;
    if (state.saw_JFIF_marker != 0 && (state.density_unit == kPerInch || state.density_unit == kPerCentimetre)) {
        info.pixelSize = pixelSizeOfResolution(state.X_density, state.Y_density,
                                               state.density_unit == kPerInch ? 25400.0 : 10000.0, "JPEG density");
    }
    info.samples = grey ? 1 : 3;
    header.plan =
        GreyPlan::forSamples(source, options.channel, info.bits, info.samples, info.samples, false, info.notes);
    return header;
}

class JpegReader final : public ImageReader {
public:
    FormatFilter filter() const override { return {"JPEG", {"jpg", "jpeg", "jpe"}}; }

    bool recognises(std::span<const std::byte> head) const override {
        return head.size() >= 3 && head[0] == std::byte{0xff} && head[1] == std::byte{0xd8} &&
               head[2] == std::byte{0xff};
    }

    ImageInfo info(const SourceFile& source, const ReadOptions& options) const override {
        JpegDecoder decoder(source);
        return readJpegHeader(source, options, decoder).info;
    }

    LoadedImage read(const SourceFile& source, const ReadOptions& options, const JobControl& control) const override {
        JpegDecoder decoder(source);
        JpegHeader header = readJpegHeader(source, options, decoder);
        const ImageInfo& info = header.info;
        const std::size_t rowBytes = std::size_t{info.width} * info.samples;
        checkClaim(source, {info.width, info.height, info.bits, rowBytes * info.height, source.size, true},
                   options.limits);
        auto image = std::make_shared<Image>(header.plan.type, info.width, info.height);
        GreyRows rows(source, std::move(header.plan), *image);
        std::vector<std::byte> row(rowBytes);
        decoder.start(info.samples == 1 ? JCS_GRAYSCALE : JCS_RGB);
        for (std::uint32_t y = 0; y < info.height; ++y) {
            decoder.readRow(row.data());
            rows.putInterleaved(0, y, info.width, row.data(), info.samples);
            if (y % kRowsPerCheck == 0) {
                control.report(static_cast<double>(y) / info.height, "reading");
                control.throwIfStopped();
            }
        }
        decoder.finish();
        control.report(1.0, "reading");
        return {std::move(image), nullptr, std::move(header.info)};
    }
};

} // namespace

const ImageReader& jpegReader() {
    static const JpegReader reader;
    return reader;
}

} // namespace pollard
