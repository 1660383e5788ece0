#include "io/tiff_writer.hpp"

#include "io/atomic_file.hpp"
#include "io/tiff_handle.hpp"
#include "io/tiff_tags.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace pollard {

namespace {

/// Large enough to compress well, small enough that a reader can decode few rows.
constexpr std::uint64_t kStripBytes = 256 << 10;
/// Most of what the highest level gains at a fraction of its time.
constexpr int kDeflateLevel = 3;
/// Classic TIFF ends at 4 GiB; Deflate can grow noise a little, and the strip table needs room.
constexpr std::uint64_t kClassicBytes = 0xf000'0000ULL;
constexpr const char* kWhat = "cannot write TIFF";

struct Samples {
    const std::byte* data;
    std::uint32_t width;
    std::uint32_t height;
    std::uint16_t bits;
};

void setTags(TIFF* tiff, const Samples& samples, std::uint32_t rowsPerStrip, const TiffWriteOptions& options) {
    TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, samples.width);
    TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, samples.height);
    TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, samples.bits);
    TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, 1);
    TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_UINT);
    TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
    TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
    TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, rowsPerStrip);
    TIFFSetField(tiff, TIFFTAG_SOFTWARE, "Pollard");
    if (options.deflate) {
        TIFFSetField(tiff, TIFFTAG_COMPRESSION, COMPRESSION_ADOBE_DEFLATE);
        TIFFSetField(tiff, TIFFTAG_PREDICTOR, PREDICTOR_HORIZONTAL);
        TIFFSetField(tiff, TIFFTAG_ZIPQUALITY, kDeflateLevel);
    } else {
        TIFFSetField(tiff, TIFFTAG_COMPRESSION, COMPRESSION_NONE);
    }
}

[[noreturn]] void failWith(const AtomicFile& file, const TiffHandle& handle, int systemError) {
    const std::string& text = handle.messages().lastError;
    file.fail(systemError != 0 ? std::strerror(systemError) : text.empty() ? "unknown failure of libtiff" : text);
}

void write(const std::filesystem::path& path, const Samples& samples, const TiffWriteOptions& options,
           const JobControl& control) {
    control.throwIfStopped();
    AtomicFile file(path, kWhat);
    const std::uint64_t rowBytes = std::uint64_t{samples.width} * samples.bits / 8;
    const auto rowsPerStrip =
        static_cast<std::uint32_t>(std::clamp<std::uint64_t>(kStripBytes / rowBytes, 1, samples.height));
    const bool bigTiff = rowBytes * samples.height > kClassicBytes;
    TiffHandle handle = TiffHandle::createIn(file.duplicateDescriptor(), path, bigTiff);
    TIFF* tiff = handle.get();
    setTags(tiff, samples, rowsPerStrip, options);
    if (!writeCarriedTags(tiff, options.carried) || !handle.messages().lastError.empty()) {
        failWith(file, handle, 0);
    }
    std::uint32_t strip = 0;
    for (std::uint64_t top = 0; top < samples.height; top += rowsPerStrip, ++strip) {
        const std::uint64_t rows = std::min<std::uint64_t>(rowsPerStrip, samples.height - top);
        errno = 0;
        // libtiff's predictor works on a copy, its signature only lacks the const.
        auto* data = const_cast<std::byte*>(samples.data + top * rowBytes);
        if (TIFFWriteEncodedStrip(tiff, strip, data, static_cast<tmsize_t>(rows * rowBytes)) < 0) {
            failWith(file, handle, errno);
        }
        control.report(static_cast<double>(top + rows) / samples.height, "writing");
        control.throwIfStopped();
    }
    errno = 0;
    const bool flushed = TIFFFlush(tiff) == 1;
    const int flushError = errno;
    handle.close();
    if (!flushed || !handle.messages().lastError.empty()) {
        failWith(file, handle, flushError);
    }
    file.commit();
}

} // namespace

void writeTiff(const std::filesystem::path& path, const Image& image, const TiffWriteOptions& options,
               const JobControl& control) {
    const auto bits = static_cast<std::uint16_t>(bitsOf(image.type()));
    write(path, {image.data(), image.width(), image.height(), bits}, options, control);
}

void writeTiff32(const std::filesystem::path& path, std::span<const std::uint32_t> values, std::uint32_t width,
                 std::uint32_t height, const TiffWriteOptions& options, const JobControl& control) {
    if (values.empty() || values.size() != std::uint64_t{width} * height) {
        throw Error(ErrorCode::invalidArgument, std::string(kWhat) + ": " + path.string() + ": " +
                                                    std::to_string(values.size()) + " values for " +
                                                    std::to_string(width) + " x " + std::to_string(height) + " pixels");
    }
    write(path, {reinterpret_cast<const std::byte*>(values.data()), width, height, 32}, options, control);
}

} // namespace pollard
