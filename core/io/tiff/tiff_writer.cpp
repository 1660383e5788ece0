#include "io/tiff/tiff_writer.hpp"

#include "io/tiff/tiff_handle.hpp"
#include "io/tiff/tiff_tags.hpp"
#include "io/write/atomic_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

namespace pollard {

namespace {

/// Large enough to compress well, small enough that a reader can decode few rows.
constexpr std::uint64_t kStripBytes = 256 << 10;
/// Most of the compression of the highest level in a fraction of its time.
constexpr int kDeflateLevel = 3;
/// Classic TIFF is limited to 4 GiB; Deflate can enlarge noise slightly, and the strip table needs space.
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

/// The tags of the options with the scene's description.
TiffWriteOptions described(TiffWriteOptions options, const Samples& samples, int pages) {
    if (auto tag = imageDescription(options.scene, {samples.bits, 1, samples.width, samples.height, pages})) {
        options.carried.push_back(std::move(*tag));
    }
    return options;
}

[[noreturn]] void failWith(const AtomicFile& file, const TiffHandle& handle, int systemError) {
    const std::string& text = handle.messages().lastError;
    file.fail(systemError != 0 ? std::strerror(systemError) : text.empty() ? "unknown failure of libtiff" : text);
}

/// A TIFF being written.
class PendingTiff {
public:
    PendingTiff(const std::filesystem::path& path, bool bigTiff)
        : file_(path, kWhat), handle_(TiffHandle::createIn(file_.duplicateDescriptor(), path, bigTiff)) {}

    /// Writes pixels and tags of the current directory.
    void write(const Samples& samples, const TiffWriteOptions& options, const JobControl& control) {
        const std::uint64_t rowBytes = std::uint64_t{samples.width} * samples.bits / 8;
        const auto rowsPerStrip =
            static_cast<std::uint32_t>(std::clamp<std::uint64_t>(kStripBytes / rowBytes, 1, samples.height));
        TIFF* tiff = handle_.get();
        setTags(tiff, samples, rowsPerStrip, options);
        if (!writeCarriedTags(tiff, options.carried) || !handle_.messages().lastError.empty()) {
            failWith(file_, handle_, 0);
        }
        std::uint32_t strip = 0;
        for (std::uint64_t top = 0; top < samples.height; top += rowsPerStrip, ++strip) {
            const std::uint64_t rows = std::min<std::uint64_t>(rowsPerStrip, samples.height - top);
            errno = 0;
            // libtiff's predictor works on a copy; only the signature lacks const.
            auto* data = const_cast<std::byte*>(samples.data + top * rowBytes);
            if (TIFFWriteEncodedStrip(tiff, strip, data, static_cast<tmsize_t>(rows * rowBytes)) < 0) {
                failWith(file_, handle_, errno);
            }
            control.report(static_cast<double>(top + rows) / samples.height, "writing");
            control.throwIfStopped();
        }
    }

    /// Ends the directory; the next write() starts another.
    void endPage(int page, int pages) {
        errno = 0;
        TIFF* tiff = handle_.get();
        TIFFSetField(tiff, TIFFTAG_SUBFILETYPE, FILETYPE_PAGE);
        TIFFSetField(tiff, TIFFTAG_PAGENUMBER, page, pages);
        if (TIFFWriteDirectory(tiff) != 1 || !handle_.messages().lastError.empty()) {
            failWith(file_, handle_, errno);
        }
    }

    void commit() {
        errno = 0;
        const bool flushed = TIFFFlush(handle_.get()) == 1;
        const int flushError = errno;
        handle_.close();
        if (!flushed || !handle_.messages().lastError.empty()) {
            failWith(file_, handle_, flushError);
        }
        file_.commit();
    }

private:
    AtomicFile file_;
    TiffHandle handle_;
};

void write(const std::filesystem::path& path, const Samples& samples, const TiffWriteOptions& options,
           const JobControl& control) {
    control.throwIfStopped();
    const std::uint64_t bytes = std::uint64_t{samples.width} * samples.bits / 8 * samples.height;
    PendingTiff tiff(path, bytes > kClassicBytes);
    tiff.write(samples, described(options, samples, 1), control);
    tiff.commit();
}

Samples samplesOf(const Image& image) {
    return {image.data(), image.width(), image.height(), static_cast<std::uint16_t>(bitsOf(image.type()))};
}

} // namespace

void writeTiff(const std::filesystem::path& path, const Image& image, const TiffWriteOptions& options,
               const JobControl& control) {
    write(path, samplesOf(image), options, control);
}

void writeTiffPages(const std::filesystem::path& path, int pages, const WrittenPageSource& source,
                    const TiffWriteOptions& options, const JobControl& control) {
    // The page number tag has 16 bits; files with more pages are valid.
    constexpr int kNumbered = 65535;
    if (pages < 1) {
        throw Error(ErrorCode::invalidArgument, std::string(kWhat) + ": " + path.string() + ": no pages");
    }
    std::optional<PendingTiff> tiff;
    for (int page = 0; page < pages; ++page) {
        control.throwIfStopped();
        const WrittenPage made = source(page, control);
        const Samples samples = samplesOf(*made.image);
        if (!tiff) {
            const std::uint64_t bytes = std::uint64_t{made.image->bytes()} * static_cast<std::uint64_t>(pages);
            tiff.emplace(path, bytes > kClassicBytes);
        }
        TiffWriteOptions ofPage = options;
        ofPage.carried.insert(ofPage.carried.end(), made.carried.begin(), made.carried.end());
        if (page == 0) {
            ofPage.scene = made.scene.value_or(options.scene);
            ofPage = described(std::move(ofPage), samples, pages);
        }
        tiff->write(samples, ofPage, JobControl());
        tiff->endPage(std::min(page, kNumbered), std::min(pages, kNumbered));
        control.report(static_cast<double>(page + 1) / pages, "writing");
    }
    tiff->commit();
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
