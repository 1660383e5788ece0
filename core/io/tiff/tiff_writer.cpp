#include "io/tiff/tiff_writer.hpp"

#include "io/tiff/tiff_handle.hpp"
#include "io/tiff/tiff_tags.hpp"
#include "io/write/atomic_file.hpp"
#include "io/write/rgb_writer.hpp"

#include <algorithm>
#include <cerrno>
#include <cstddef>
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

struct Layout {
    std::uint32_t width;
    std::uint32_t height;
    std::uint16_t bits;
    std::uint16_t samples = 1; ///< 1 (grey) or 3 (RGB)

    [[nodiscard]] std::uint64_t rowBytes() const noexcept { return std::uint64_t{width} * samples * bits / 8; }
    [[nodiscard]] std::uint64_t bytes() const noexcept { return rowBytes() * height; }
    [[nodiscard]] std::uint32_t rowsPerStrip() const noexcept {
        return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(kStripBytes / rowBytes(), 1, height));
    }
};

void setTags(TIFF* tiff, const Layout& layout, bool deflate) {
    TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, layout.width);
    TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, layout.height);
    TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, layout.bits);
    TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, layout.samples);
    if (layout.samples == 1) {
        TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_UINT);
    }
    TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, layout.samples == 1 ? PHOTOMETRIC_MINISBLACK : PHOTOMETRIC_RGB);
    TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
    TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, layout.rowsPerStrip());
    TIFFSetField(tiff, TIFFTAG_SOFTWARE, "Pollard");
    if (deflate) {
        TIFFSetField(tiff, TIFFTAG_COMPRESSION, COMPRESSION_ADOBE_DEFLATE);
        TIFFSetField(tiff, TIFFTAG_PREDICTOR, PREDICTOR_HORIZONTAL);
        TIFFSetField(tiff, TIFFTAG_ZIPQUALITY, kDeflateLevel);
    } else {
        TIFFSetField(tiff, TIFFTAG_COMPRESSION, COMPRESSION_NONE);
    }
}

/// The tags of the options with the scene's description.
TiffWriteOptions described(TiffWriteOptions options, const Layout& layout, int pages) {
    if (auto tag = imageDescription(options.scene, {layout.bits, layout.samples, layout.width, layout.height, pages})) {
        options.carried.push_back(std::move(*tag));
    }
    return options;
}

/// A TIFF being written.
class PendingTiff {
public:
    PendingTiff(const std::filesystem::path& path, bool bigTiff)
        : file_(path, kWhat), handle_(TiffHandle::createIn(file_.duplicateDescriptor(), path, bigTiff)) {}

    /// Writes the tags of the current directory.
    void begin(const Layout& layout, const TiffWriteOptions& options) {
        TIFF* tiff = handle_.get();
        setTags(tiff, layout, options.deflate);
        if (!writeCarriedTags(tiff, options.carried) || !handle_.messages().lastError.empty()) {
            fail(0);
        }
        strip_ = 0;
    }

    /// Writes the next strip.
    void writeStrip(const std::byte* data, std::uint64_t bytes) {
        errno = 0;
        // libtiff's predictor works on a copy; only the signature lacks const.
        if (TIFFWriteEncodedStrip(handle_.get(), strip_++, const_cast<std::byte*>(data), static_cast<tmsize_t>(bytes)) <
            0) {
            fail(errno);
        }
    }

    /// Writes pixels and tags of the current directory.
    void write(const std::byte* data, const Layout& layout, const TiffWriteOptions& options,
               const JobControl& control) {
        begin(layout, options);
        for (std::uint64_t top = 0; top < layout.height; top += layout.rowsPerStrip()) {
            const std::uint64_t rows = std::min<std::uint64_t>(layout.rowsPerStrip(), layout.height - top);
            writeStrip(data + top * layout.rowBytes(), rows * layout.rowBytes());
            control.report(static_cast<double>(top + rows) / layout.height, "writing");
            control.throwIfStopped();
        }
    }

    /// Ends the directory; the next begin() starts another.
    void endPage(int page, int pages) {
        errno = 0;
        TIFF* tiff = handle_.get();
        TIFFSetField(tiff, TIFFTAG_SUBFILETYPE, FILETYPE_PAGE);
        TIFFSetField(tiff, TIFFTAG_PAGENUMBER, page, pages);
        if (TIFFWriteDirectory(tiff) != 1 || !handle_.messages().lastError.empty()) {
            fail(errno);
        }
    }

    void commit() {
        errno = 0;
        const bool flushed = TIFFFlush(handle_.get()) == 1;
        const int flushError = errno;
        handle_.close();
        if (!flushed || !handle_.messages().lastError.empty()) {
            fail(flushError);
        }
        file_.commit();
    }

private:
    [[noreturn]] void fail(int systemError) const {
        const std::string& text = handle_.messages().lastError;
        file_.fail(systemError != 0 ? std::strerror(systemError) : text.empty() ? "unknown failure of libtiff" : text);
    }

    AtomicFile file_;
    TiffHandle handle_;
    std::uint32_t strip_ = 0;
};

class TiffRgbWriter : public RgbWriter {
public:
    TiffRgbWriter(const std::filesystem::path& path, std::uint32_t width, std::uint32_t height,
                  const std::optional<PixelSize>& pixelSize)
        : count_(kWhat, path, width, height), layout_{width, height, 8, 3},
          tiff_(path, layout_.bytes() > kClassicBytes) {
        TiffWriteOptions options;
        if (pixelSize) {
            options = {.carried = resolutionTags(*pixelSize), .scene = {*pixelSize, {}, {}}};
        }
        tiff_.begin(layout_, described(std::move(options), layout_, 1));
    }

    void write(std::span<const std::uint8_t> rgb) override {
        count_.take(rgb);
        // Strips do not end where pieces do.
        const auto bytes = std::as_bytes(rgb);
        pending_.insert(pending_.end(), bytes.begin(), bytes.end());
        const std::size_t stripBytes = layout_.rowBytes() * layout_.rowsPerStrip();
        std::size_t done = 0;
        for (; pending_.size() - done >= stripBytes; done += stripBytes) {
            tiff_.writeStrip(pending_.data() + done, stripBytes);
        }
        pending_.erase(pending_.begin(), pending_.begin() + static_cast<std::ptrdiff_t>(done));
    }

    void finish() override {
        count_.checkComplete();
        if (!pending_.empty()) {
            tiff_.writeStrip(pending_.data(), pending_.size());
            pending_.clear();
        }
        tiff_.commit();
    }

private:
    RgbRowCount count_;
    Layout layout_;
    PendingTiff tiff_;
    std::vector<std::byte> pending_;
};

void write(const std::filesystem::path& path, const std::byte* data, const Layout& layout,
           const TiffWriteOptions& options, const JobControl& control) {
    control.throwIfStopped();
    PendingTiff tiff(path, layout.bytes() > kClassicBytes);
    tiff.write(data, layout, described(options, layout, 1), control);
    tiff.commit();
}

Layout layoutOf(const Image& image) {
    return {image.width(), image.height(), static_cast<std::uint16_t>(bitsOf(image.type()))};
}

} // namespace

void writeTiff(const std::filesystem::path& path, const Image& image, const TiffWriteOptions& options,
               const JobControl& control) {
    write(path, image.data(), layoutOf(image), options, control);
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
        const Layout layout = layoutOf(*made.image);
        if (!tiff) {
            const std::uint64_t bytes = std::uint64_t{made.image->bytes()} * static_cast<std::uint64_t>(pages);
            tiff.emplace(path, bytes > kClassicBytes);
        }
        TiffWriteOptions ofPage = options;
        ofPage.carried.insert(ofPage.carried.end(), made.carried.begin(), made.carried.end());
        if (page == 0) {
            ofPage.scene = made.scene.value_or(options.scene);
            ofPage = described(std::move(ofPage), layout, pages);
        }
        tiff->write(made.image->data(), layout, ofPage, JobControl());
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
    write(path, reinterpret_cast<const std::byte*>(values.data()), {width, height, 32}, options, control);
}

std::unique_ptr<RgbWriter> makeTiffRgbWriter(const std::filesystem::path& path, std::uint32_t width,
                                             std::uint32_t height, const std::optional<PixelSize>& pixelSize) {
    return std::make_unique<TiffRgbWriter>(path, width, height, pixelSize);
}

} // namespace pollard
