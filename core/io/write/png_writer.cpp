#include "io/write/png_writer.hpp"

#include "base/error.hpp"
#include "io/write/atomic_file.hpp"

#include <bit>
#include <cstdio>
#include <exception>
#include <png.h>
#include <string>

namespace pollard {

namespace {

constexpr int kDeflateLevel = 4;
constexpr const char* kWhat = "cannot write PNG";

struct Raster {
    const std::byte* data;
    std::uint32_t width;
    std::uint32_t height;
    int bits;
    int colourType;
    std::size_t rowBytes;
};

/// Owns libpng's two structures. libpng leaves a failed call by longjmp, so no object with a destructor may live
/// between setjmp and the call: the calls are in run(), which has none.
class PngStream {
public:
    explicit PngStream(const AtomicFile& file) : file_(file) {
        png_ = png_create_write_struct(PNG_LIBPNG_VER_STRING, this, onError, onWarning);
        info_ = png_ != nullptr ? png_create_info_struct(png_) : nullptr;
        if (info_ == nullptr) {
            png_destroy_write_struct(&png_, nullptr);
            throw std::bad_alloc();
        }
        png_set_write_fn(png_, this, onWrite, onFlush);
    }
    ~PngStream() { png_destroy_write_struct(&png_, &info_); }
    PngStream(const PngStream&) = delete;
    PngStream& operator=(const PngStream&) = delete;

    void write(const Raster& raster) {
        if (run(raster)) {
            return;
        }
        if (failure_) {
            std::rethrow_exception(failure_);
        }
        file_.fail(message_);
    }

private:
    bool run(const Raster& raster) noexcept {
        if (setjmp(png_jmpbuf(png_)) != 0) {
            return false;
        }
        png_set_IHDR(png_, info_, raster.width, raster.height, raster.bits, raster.colourType, PNG_INTERLACE_NONE,
                     PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
        png_set_compression_level(png_, kDeflateLevel);
        png_write_info(png_, info_);
        if (raster.bits == 16 && std::endian::native == std::endian::little) {
            png_set_swap(png_);
        }
        for (std::uint32_t y = 0; y < raster.height; ++y) {
            png_write_row(png_, reinterpret_cast<png_const_bytep>(raster.data + y * raster.rowBytes));
        }
        png_write_end(png_, info_);
        return true;
    }

    static PngStream& self(png_structp png) { return *static_cast<PngStream*>(png_get_io_ptr(png)); }

    static void onWrite(png_structp png, png_bytep data, std::size_t bytes) {
        PngStream& stream = self(png);
        try {
            stream.file_.writeAll(data, bytes);
            return;
        } catch (...) {
            stream.failure_ = std::current_exception();
        }
        png_error(png, "write failed");
    }
    static void onFlush(png_structp) {}
    static void onError(png_structp png, png_const_charp message) {
        auto& stream = *static_cast<PngStream*>(png_get_error_ptr(png));
        std::snprintf(stream.message_, sizeof stream.message_, "%s", message);
        png_longjmp(png, 1);
    }
    static void onWarning(png_structp, png_const_charp) {}

    const AtomicFile& file_;
    png_structp png_ = nullptr;
    png_infop info_ = nullptr;
    std::exception_ptr failure_;
    char message_[128] = {};
};

void write(const std::filesystem::path& path, const Raster& raster) {
    AtomicFile file(path, kWhat);
    PngStream(file).write(raster);
    file.commit();
}

} // namespace

void writePng(const std::filesystem::path& path, const Image& image) {
    const std::size_t rowBytes = image.width() * bytesOf(image.type());
    write(path, {image.data(), image.width(), image.height(), bitsOf(image.type()), PNG_COLOR_TYPE_GRAY, rowBytes});
}

void writePngRgb(const std::filesystem::path& path, std::span<const std::uint8_t> rgb, std::uint32_t width,
                 std::uint32_t height) {
    const std::uint64_t rowBytes = std::uint64_t{width} * 3;
    if (rgb.empty() || rgb.size() != rowBytes * height) {
        throw Error(ErrorCode::invalidArgument,
                    std::string(kWhat) + ": " + path.string() + ": " + std::to_string(rgb.size()) + " values for " +
                        std::to_string(width) + " x " + std::to_string(height) + " RGB pixels");
    }
    write(path, {reinterpret_cast<const std::byte*>(rgb.data()), width, height, 8, PNG_COLOR_TYPE_RGB, rowBytes});
}

} // namespace pollard
