#include "io/image_reader.hpp"
#include "io/metadata/length_units.hpp"
#include "io/read_support.hpp"
#include "io/samples/row_sink.hpp"

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
    /// libjpeg repairs damaged data with only a warning; a repaired image differs from the original.
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

class JpegPage final : public FilePage {
public:
    JpegPage(const SourceFile& source, const ReadOptions& options) : FilePage(source, options), decoder_(source) {
        requireFirstPage(source, options.page);
        decoder_.readHeader();
        const jpeg_decompress_struct& state = decoder_.state();
        const bool grey = state.jpeg_color_space == JCS_GRAYSCALE;
        if (!grey && state.jpeg_color_space != JCS_YCbCr && state.jpeg_color_space != JCS_RGB) {
            const bool cmyk = state.jpeg_color_space == JCS_CMYK || state.jpeg_color_space == JCS_YCCK;
            throw readError(ErrorCode::formatUnsupported, source.path,
                            "JPEG with " + std::string(cmyk ? "CMYK" : "unknown") +
                                " colours is not supported, only grey, YCbCr and RGB");
        }
        info_.format = "JPEG";
        info_.compression = "JPEG";
        info_.photometric = grey ? "MinIsBlack" : "RGB";
        info_.width = state.image_width;
        info_.height = state.image_height;
        info_.bits = state.data_precision;
        constexpr int kPerInch = 1;
        constexpr int kPerCentimetre = 2;
        if (state.saw_JFIF_marker != 0 && (state.density_unit == kPerInch || state.density_unit == kPerCentimetre)) {
            info_.pixelSize = pixelSizeOfResolution(state.X_density, state.Y_density,
                                                    state.density_unit == kPerInch ? 25400.0 : 10000.0, "JPEG density");
        }
        info_.samples = grey ? 1 : 3;
        plan_ =
            GreyPlan::forSamples(source, options.channel, info_.bits, info_.samples, info_.samples, false, info_.notes);
    }

    LoadedImage read(const JobControl& control) override {
        const std::size_t rowBytes = std::size_t{info_.width} * info_.samples;
        checkClaim(source_, {info_.width, info_.height, info_.bits, rowBytes * info_.height, source_.size, true},
                   options_.limits);
        auto image = std::make_shared<Image>(plan_.type, info_.width, info_.height);
        GreyRows rows(source_, plan_, *image);
        std::vector<std::byte> row(rowBytes);
        decoder_.start(info_.samples == 1 ? JCS_GRAYSCALE : JCS_RGB);
        for (std::uint32_t y = 0; y < info_.height; ++y) {
            decoder_.readRow(row.data());
            rows.putInterleaved(0, y, info_.width, row.data(), info_.samples);
            passRow(control, y, info_.height);
        }
        decoder_.finish();
        control.report(1.0, "reading");
        return {std::move(image), nullptr, info_};
    }

private:
    JpegDecoder decoder_;
    GreyPlan plan_;
};

} // namespace

const ImageReader& jpegReader() {
    static const ImageReader reader{
        .filter = {"JPEG", {"jpg", "jpeg", "jpe"}},
        .recognises = [](const SourceFile& source) { return source.startsWith("\xff\xd8\xff"); },
        .open = openAs<JpegPage>};
    return reader;
}

} // namespace pollard
