#include "io/write/image_writer.hpp"

#include "base/error.hpp"
#include "io/metadata/length_units.hpp"
#include "io/write/atomic_file.hpp"
#include "io/write/planes.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <csetjmp>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <jerror.h>
#include <jpeglib.h>
#include <memory>
#include <new>
#include <optional>
#include <png.h>
#include <string>
#include <utility>
#include <vector>

namespace pollard {

RgbWriter::RgbWriter(std::string what, const std::filesystem::path& path, std::uint32_t width, std::uint32_t height,
                     std::size_t pixelBytes)
    : what_(std::move(what)), path_(path.string()), width_(width), height_(height), pixelBytes_(pixelBytes) {
    constexpr std::uint32_t kMostPng = 0x7fff'ffff; // sides are signed 31-bit in the format
    if (width == 0 || height == 0 || width > kMostPng || height > kMostPng) {
        refuse("an image of " + std::to_string(width) + " x " + std::to_string(height) + " px cannot be written");
    }
}

void RgbWriter::write(std::span<const std::uint8_t> rgb) {
    const std::size_t rows = rgb.size() / rowBytes();
    if (rows * rowBytes() != rgb.size() || rows > height_ - written_) {
        refuse(std::to_string(rgb.size()) + " values are no whole rows of " + std::to_string(width_) +
               " px, or too many");
    }
    written_ += static_cast<std::uint32_t>(rows);
    writeRows(rgb);
}

void RgbWriter::finish() {
    if (written_ != height_) {
        refuse(std::to_string(written_) + " of " + std::to_string(height_) + " rows were given");
    }
    end();
}

void RgbWriter::refuse(const std::string& why) const {
    throw Error(ErrorCode::invalidArgument, what_ + ": " + path_ + ": " + why);
}

RgbFormat rgbFormatOf(const std::filesystem::path& path) {
    const std::string ending = knownEnding(path);
    return ending == ".tif" || ending == ".tiff"   ? RgbFormat::tiff
           : ending == ".jpg" || ending == ".jpeg" ? RgbFormat::jpeg
                                                   : RgbFormat::png;
}

namespace {

constexpr int kDeflateLevel = 4;
constexpr const char* kWritePng = "cannot write PNG";

/// libpng leaves a failed call by longjmp, so no object with a destructor may live between setjmp and the call: the
/// calls are in separate functions without any.
class PngRgbWriter : public RgbWriter {
public:
    PngRgbWriter(const std::filesystem::path& path, std::uint32_t width, std::uint32_t height,
                 const std::optional<PixelSize>& pixelSize, int samples, int bits)
        : RgbWriter(kWritePng, path, width, height, static_cast<std::size_t>(samples * bits / 8)),
          file_(path, kWritePng), samples_(samples), bits_(bits), perMetreX_(perMetre(pixelSize, &PixelSize::x)),
          perMetreY_(perMetre(pixelSize, &PixelSize::y)) {
        png_ = png_create_write_struct(PNG_LIBPNG_VER_STRING, this, onError, onWarning);
        info_ = png_ != nullptr ? png_create_info_struct(png_) : nullptr;
        if (info_ == nullptr) {
            png_destroy_write_struct(&png_, nullptr);
            throw std::bad_alloc();
        }
        png_set_write_fn(png_, this, onWrite, onFlush);
        if (!begin()) {
            png_destroy_write_struct(&png_, &info_);
            rethrow();
        }
    }
    ~PngRgbWriter() override { png_destroy_write_struct(&png_, &info_); }
    PngRgbWriter(const PngRgbWriter&) = delete;
    PngRgbWriter& operator=(const PngRgbWriter&) = delete;

private:
    void writeRows(std::span<const std::uint8_t> rgb) override {
        if (!putRows(rgb.data(), static_cast<std::uint32_t>(rgb.size() / rowBytes()))) {
            rethrow();
        }
    }
    void end() override {
        if (!putEnd()) {
            rethrow();
        }
        file_.commit();
    }

    /// Pixels per metre; 0 if rounding changes it by more than a thousandth.
    static png_uint_32 perMetre(const std::optional<PixelSize>& size, double PixelSize::*side) {
        const double unit = size ? micrometresOf(size->unit).value_or(0) : 0;
        const double exact = unit > 0 ? 1e6 / (unit * ((*size).*side)) : 0;
        const double rounded = std::round(exact);
        const bool fits = rounded >= 1 && rounded <= 0x7fff'ffff && std::abs(rounded - exact) <= 1e-3 * exact;
        return fits ? static_cast<png_uint_32>(rounded) : 0;
    }

    bool begin() noexcept {
        if (setjmp(png_jmpbuf(png_)) != 0) {
            return false;
        }
        png_set_IHDR(png_, info_, width(), height(), bits_, samples_ == 1 ? PNG_COLOR_TYPE_GRAY : PNG_COLOR_TYPE_RGB,
                     PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
        if (perMetreX_ > 0 && perMetreY_ > 0) {
            png_set_pHYs(png_, info_, perMetreX_, perMetreY_, PNG_RESOLUTION_METER);
        }
        png_set_compression_level(png_, kDeflateLevel);
        png_write_info(png_, info_);
        if (bits_ == 16 && std::endian::native == std::endian::little) {
            png_set_swap(png_);
        }
        return true;
    }
    bool putRows(const std::uint8_t* data, std::uint32_t count) noexcept {
        if (setjmp(png_jmpbuf(png_)) != 0) {
            return false;
        }
        for (std::uint32_t y = 0; y < count; ++y) {
            png_write_row(png_, data + y * rowBytes());
        }
        return true;
    }
    bool putEnd() noexcept {
        if (setjmp(png_jmpbuf(png_)) != 0) {
            return false;
        }
        png_write_end(png_, info_);
        return true;
    }
    [[noreturn]] void rethrow() {
        if (failure_) {
            std::rethrow_exception(failure_);
        }
        file_.fail(message_);
    }

    static void onWrite(png_structp png, png_bytep data, std::size_t bytes) {
        auto& writer = *static_cast<PngRgbWriter*>(png_get_io_ptr(png));
        try {
            writer.file_.writeAll(data, bytes);
            return;
        } catch (...) {
            writer.failure_ = std::current_exception();
        }
        png_error(png, "write failed");
    }
    static void onFlush(png_structp) {}
    static void onError(png_structp png, png_const_charp message) {
        auto& writer = *static_cast<PngRgbWriter*>(png_get_error_ptr(png));
        std::snprintf(writer.message_, sizeof writer.message_, "%s", message);
        png_longjmp(png, 1);
    }
    static void onWarning(png_structp, png_const_charp) {}

    AtomicFile file_;
    int samples_;           ///< per pixel
    int bits_;              ///< per sample
    png_uint_32 perMetreX_; ///< 0: no size is written
    png_uint_32 perMetreY_;
    png_structp png_ = nullptr;
    png_infop info_ = nullptr;
    std::exception_ptr failure_;
    char message_[128] = {};
};

constexpr const char* kWriteJpeg = "cannot write JPEG";
constexpr int kQuality = 95;

/// libjpeg's encoder, with the rule for libpng: each member that calls the library sets its own jump target and has no
/// object with a destructor.
class JpegRgbWriter : public RgbWriter {
public:
    JpegRgbWriter(const std::filesystem::path& path, std::uint32_t width, std::uint32_t height, int samples)
        : RgbWriter(kWriteJpeg, path, width, height, static_cast<std::size_t>(samples)), file_(path, kWriteJpeg),
          samples_(samples) {
        if (width > JPEG_MAX_DIMENSION || height > JPEG_MAX_DIMENSION) {
            throw Error(ErrorCode::invalidArgument, std::string(kWriteJpeg) + ": " + path.string() + ": " +
                                                        std::to_string(width) + " x " + std::to_string(height) +
                                                        " px; its sides have at most " +
                                                        std::to_string(JPEG_MAX_DIMENSION) + " px");
        }
        encoder_.err = jpeg_std_error(&errors_);
        encoder_.client_data = this;
        errors_.error_exit = onError;
        errors_.emit_message = [](j_common_ptr, int) {};
        destination_.init_destination = onStart;
        destination_.empty_output_buffer = onFull;
        destination_.term_destination = onEnd;
        if (!begin()) {
            jpeg_destroy_compress(&encoder_);
            rethrow();
        }
    }
    ~JpegRgbWriter() override { jpeg_destroy_compress(&encoder_); }
    JpegRgbWriter(const JpegRgbWriter&) = delete;
    JpegRgbWriter& operator=(const JpegRgbWriter&) = delete;

private:
    void writeRows(std::span<const std::uint8_t> rows) override {
        if (!putRows(rows.data(), rows.size() / rowBytes())) {
            rethrow();
        }
    }
    void end() override {
        if (!putEnd()) {
            rethrow();
        }
        file_.commit();
    }

    bool begin() noexcept {
        if (setjmp(target_) != 0) {
            return false;
        }
        jpeg_create_compress(&encoder_);
        encoder_.dest = &destination_;
        encoder_.image_width = width();
        encoder_.image_height = height();
        encoder_.input_components = samples_;
        encoder_.in_color_space = samples_ == 1 ? JCS_GRAYSCALE : JCS_RGB;
        jpeg_set_defaults(&encoder_);
        jpeg_set_quality(&encoder_, kQuality, TRUE);
        encoder_.comp_info[0].h_samp_factor = 1; // colours of full resolution
        encoder_.comp_info[0].v_samp_factor = 1;
        jpeg_start_compress(&encoder_, TRUE);
        return true;
    }
    bool putRows(const std::uint8_t* data, std::size_t count) noexcept {
        if (setjmp(target_) != 0) {
            return false;
        }
        for (std::size_t y = 0; y < count; ++y) {
            auto* row = const_cast<JSAMPROW>(data + y * rowBytes()); // libjpeg only reads it
            (void)jpeg_write_scanlines(&encoder_, &row, 1);
        }
        return true;
    }
    bool putEnd() noexcept {
        if (setjmp(target_) != 0) {
            return false;
        }
        jpeg_finish_compress(&encoder_);
        return true;
    }
    [[noreturn]] void rethrow() {
        if (failure_) {
            std::rethrow_exception(failure_);
        }
        file_.fail(message_.data());
    }

    /// Writes the first bytes of the buffer. @returns false after a failure
    bool flush(std::size_t bytes) noexcept {
        try {
            file_.writeAll(buffer_.data(), bytes);
        } catch (...) {
            failure_ = std::current_exception();
            return false;
        }
        destination_.next_output_byte = buffer_.data();
        destination_.free_in_buffer = buffer_.size();
        return true;
    }
    static JpegRgbWriter& of(j_compress_ptr encoder) { return *static_cast<JpegRgbWriter*>(encoder->client_data); }
    static void onStart(j_compress_ptr encoder) {
        JpegRgbWriter& writer = of(encoder);
        writer.destination_.next_output_byte = writer.buffer_.data();
        writer.destination_.free_in_buffer = writer.buffer_.size();
    }
    static boolean onFull(j_compress_ptr encoder) {
        JpegRgbWriter& writer = of(encoder);
        if (!writer.flush(writer.buffer_.size())) {
            std::longjmp(writer.target_, 1);
        }
        return TRUE;
    }
    static void onEnd(j_compress_ptr encoder) {
        JpegRgbWriter& writer = of(encoder);
        if (!writer.flush(writer.buffer_.size() - writer.destination_.free_in_buffer)) {
            std::longjmp(writer.target_, 1);
        }
    }
    static void onError(j_common_ptr encoder) {
        auto& writer = *static_cast<JpegRgbWriter*>(encoder->client_data);
        encoder->err->format_message(encoder, writer.message_.data());
        std::longjmp(writer.target_, 1);
    }

    AtomicFile file_;
    int samples_; ///< per pixel
    jpeg_compress_struct encoder_{};
    jpeg_error_mgr errors_{};
    jpeg_destination_mgr destination_{};
    std::jmp_buf target_{};
    std::array<std::uint8_t, 65536> buffer_{};
    std::array<char, JMSG_LENGTH_MAX> message_{};
    std::exception_ptr failure_;
};

} // namespace

std::unique_ptr<RgbWriter> makePngRgbWriter(const std::filesystem::path& path, std::uint32_t width,
                                            std::uint32_t height, const std::optional<PixelSize>& pixelSize,
                                            int samples, int bits) {
    return std::make_unique<PngRgbWriter>(path, width, height, pixelSize, samples, bits);
}

std::unique_ptr<RgbWriter> makeJpegRgbWriter(const std::filesystem::path& path, std::uint32_t width,
                                             std::uint32_t height, int samples) {
    return std::make_unique<JpegRgbWriter>(path, width, height, samples);
}

std::unique_ptr<RgbWriter> makeRgbWriter(const std::filesystem::path& path, RgbFormat format, std::uint32_t width,
                                         std::uint32_t height, const std::optional<PixelSize>& pixelSize) {
    return format == RgbFormat::png    ? makePngRgbWriter(path, width, height, pixelSize)
           : format == RgbFormat::jpeg ? makeJpegRgbWriter(path, width, height)
                                       : makeTiffRgbWriter(path, width, height, pixelSize);
}

namespace {

constexpr std::size_t kPieceBytes = std::size_t{4} << 20U;

[[noreturn]] void refuseImage(const std::filesystem::path& path, const std::string& why) {
    throw Error(ErrorCode::invalidArgument, "cannot write: " + path.string() + ": " + why);
}

std::string typeText(ValueType type) {
    const std::string kind = isFloat(type) ? "floating-point" : isSigned(type) ? "signed" : "unsigned";
    return kind + " values of " + std::to_string(bitsOf(type)) + " bits";
}

void requireHeld(const std::filesystem::path& path, const Plane& plane) {
    const PixelRows& rows = plane.rows;
    if (rows.extent.isVolume()) {
        refuseImage(path, "the file holds one slice; write .tif, .nii.gz or .nrrd");
    }
    const bool isUnsigned = !isFloat(rows.type) && !isSigned(rows.type);
    if (!isUnsigned || !holdsValues(path, bitsOf(rows.type), plane.facts.means)) {
        const bool isPng = knownEnding(path) == ".png";
        const std::string has = plane.facts.means ? typeText(rows.type) : "labels or a mask of " + typeText(rows.type);
        refuseImage(path, "the image has " + has + ", but " +
                              (isPng ? "PNG holds unsigned values of 8 or 16 bits"
                                     : "JPEG holds images of 8 bits and changes their values") +
                              "; write .tif" + (isPng || !isUnsigned ? "" : " or .png"));
    }
}

} // namespace

std::vector<std::string_view> imageEndings() { return {".png", ".jpg", ".jpeg"}; }

bool isImageFile(const std::filesystem::path& path) {
    return std::ranges::count(imageEndings(), knownEnding(path)) > 0;
}

bool holdsValues(const std::filesystem::path& path, int bits, bool change) {
    return knownEnding(path) == ".png" ? bits <= 16 : change && bits <= 8;
}

void writeImage(const std::filesystem::path& path, const Planes& planes, const JobControl& control) {
    if (planes.count != 1) {
        refuseImage(path, std::to_string(planes.count) + " channels, but the file holds one; write .tif");
    }
    const Plane plane = inValues(planes.make(0, control));
    requireHeld(path, plane);
    const PixelRows& rows = plane.rows;
    const std::uint32_t width = rows.extent.width;
    const std::uint32_t height = rows.extent.height;
    const std::unique_ptr<RgbWriter> writer =
        knownEnding(path) == ".png"
            ? makePngRgbWriter(path, width, height, plane.facts.scene.pixelSize, 1, bitsOf(rows.type))
            : makeJpegRgbWriter(path, width, height, 1);
    const auto most = static_cast<std::uint32_t>(std::clamp<std::size_t>(kPieceBytes / rows.rowBytes(), 1, height));
    std::vector<std::byte> piece;
    for (std::uint32_t y = 0; y < height; y += most) {
        control.throwIfStopped();
        control.report(static_cast<double>(y) / height, "writing");
        const std::uint32_t count = std::min(most, height - y);
        piece.resize(count * rows.rowBytes());
        rows.read(y, count, piece.data());
        writer->write({reinterpret_cast<const std::uint8_t*>(piece.data()), piece.size()});
    }
    writer->finish();
}

} // namespace pollard
