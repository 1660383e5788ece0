#include "io/metadata/length_units.hpp"
#include "io/write/atomic_file.hpp"
#include "io/write/rgb_writer.hpp"

#include <bit>
#include <cmath>
#include <cstdio>
#include <exception>
#include <new>
#include <optional>
#include <png.h>

namespace pollard {

namespace {

constexpr int kDeflateLevel = 4;
constexpr const char* kWhat = "cannot write PNG";

/// libpng leaves a failed call by longjmp, so no object with a destructor may live between setjmp and the call: the
/// calls are in separate functions without any.
class PngRgbWriter : public RgbWriter {
public:
    PngRgbWriter(const std::filesystem::path& path, std::uint32_t width, std::uint32_t height,
                 const std::optional<PixelSize>& pixelSize, int samples, int bits)
        : RgbWriter(kWhat, path, width, height, static_cast<std::size_t>(samples * bits / 8)), file_(path, kWhat),
          samples_(samples), bits_(bits), perMetreX_(perMetre(pixelSize, &PixelSize::x)),
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

} // namespace

std::unique_ptr<RgbWriter> makePngRgbWriter(const std::filesystem::path& path, std::uint32_t width,
                                            std::uint32_t height, const std::optional<PixelSize>& pixelSize,
                                            int samples, int bits) {
    return std::make_unique<PngRgbWriter>(path, width, height, pixelSize, samples, bits);
}

} // namespace pollard
