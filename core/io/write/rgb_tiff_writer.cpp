#include "io/metadata/scene_description.hpp"
#include "io/tiff/tiff_handle.hpp"
#include "io/tiff/tiff_tags.hpp"
#include "io/write/atomic_file.hpp"
#include "io/write/rgb_writers.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

namespace pollard {

namespace {

constexpr std::uint64_t kStripBytes = 256 << 10;
constexpr int kDeflateLevel = 3;
constexpr std::uint64_t kClassicBytes = 0xf000'0000ULL; ///< limit below 4 GiB for classic TIFF
constexpr const char* kWhat = "cannot write TIFF";

class TiffRgbWriter : public RgbWriter {
public:
    TiffRgbWriter(const std::filesystem::path& path, std::uint32_t width, std::uint32_t height,
                  const std::optional<PixelSize>& pixelSize)
        : rows_(kWhat, path, width, height), file_(path, kWhat),
          handle_(TiffHandle::createIn(file_.duplicateDescriptor(), path,
                                       std::uint64_t{rows_.rowBytes()} * height > kClassicBytes)) {
        rowsPerStrip_ =
            static_cast<std::uint32_t>(std::clamp<std::uint64_t>(kStripBytes / rows_.rowBytes(), 1, height));
        TIFF* tiff = handle_.get();
        TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, width);
        TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, height);
        TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, 8);
        TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, 3);
        TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_RGB);
        TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
        TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, rowsPerStrip_);
        TIFFSetField(tiff, TIFFTAG_SOFTWARE, "Pollard");
        TIFFSetField(tiff, TIFFTAG_COMPRESSION, COMPRESSION_ADOBE_DEFLATE);
        TIFFSetField(tiff, TIFFTAG_PREDICTOR, PREDICTOR_HORIZONTAL);
        TIFFSetField(tiff, TIFFTAG_ZIPQUALITY, kDeflateLevel);
        if (pixelSize) {
            setSize(*pixelSize);
        }
        if (!handle_.messages().lastError.empty()) {
            fail(0);
        }
    }

    void write(std::span<const std::uint8_t> rgb) override {
        rows_.take(rgb);
        // Strips do not end where pieces do.
        pending_.insert(pending_.end(), rgb.begin(), rgb.end());
        const std::size_t stripBytes = rows_.rowBytes() * rowsPerStrip_;
        std::size_t done = 0;
        for (; pending_.size() - done >= stripBytes; done += stripBytes) {
            writeStrip(pending_.data() + done, stripBytes);
        }
        pending_.erase(pending_.begin(), pending_.begin() + static_cast<std::ptrdiff_t>(done));
    }

    void finish() override {
        rows_.checkComplete();
        if (!pending_.empty()) {
            writeStrip(pending_.data(), pending_.size());
            pending_.clear();
        }
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
    void setSize(const PixelSize& size) {
        std::vector<CarriedTag> tags = resolutionTags(size);
        if (auto description = imageDescription({size, {}, {}}, {8, 3, rows_.width(), rows_.height(), 1})) {
            tags.push_back(std::move(*description));
        }
        if (!writeCarriedTags(handle_.get(), tags)) {
            fail(0);
        }
    }
    void writeStrip(std::uint8_t* data, std::size_t bytes) {
        errno = 0;
        if (TIFFWriteEncodedStrip(handle_.get(), strip_++, data, static_cast<tmsize_t>(bytes)) < 0) {
            fail(errno);
        }
    }
    [[noreturn]] void fail(int systemError) const {
        const std::string& text = handle_.messages().lastError;
        file_.fail(systemError != 0 ? std::strerror(systemError) : text.empty() ? "unknown failure of libtiff" : text);
    }

    RgbRowCount rows_;
    AtomicFile file_;
    TiffHandle handle_;
    std::uint32_t rowsPerStrip_ = 1;
    std::uint32_t strip_ = 0;
    std::vector<std::uint8_t> pending_;
};

} // namespace

std::unique_ptr<RgbWriter> makeTiffRgbWriter(const std::filesystem::path& path, std::uint32_t width,
                                             std::uint32_t height, const std::optional<PixelSize>& pixelSize) {
    return std::make_unique<TiffRgbWriter>(path, width, height, pixelSize);
}

} // namespace pollard
