#include "formats/tiff/tiff_writer.hpp"

#include "formats/tiff/pending_tiff.hpp"
#include "formats/tiff/tiff_tags.hpp"
#include "io/write/rgb_writer.hpp"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

namespace pollard {

namespace {

/// Large enough to compress well, small enough that a reader can decode few rows.
constexpr std::uint64_t kStripBytes = 256 << 10;
/// Most of the compression of the highest level in a fraction of its time. Without a predictor it takes as long as the
/// next level with one.
int effortOf(TiffCompression compression) { return compression == TiffCompression::deflate ? 2 : 3; }

struct Layout {
    std::uint32_t width;
    std::uint32_t height;
    std::uint16_t bits;
    SampleLayout stored = {};

    [[nodiscard]] std::uint64_t sampleBytes() const noexcept { return bits / 8; }
    /// Of a row in a strip.
    [[nodiscard]] std::uint64_t rowBytes() const noexcept {
        return width * sampleBytes() * static_cast<unsigned>(stored.planar ? 1 : stored.samples);
    }
    [[nodiscard]] std::uint64_t pageBytes() const noexcept {
        return width * sampleBytes() * static_cast<unsigned>(stored.samples) * height;
    }
    bool operator==(const Layout&) const = default;
    [[nodiscard]] std::uint32_t rowsPerStrip() const noexcept {
        return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(kStripBytes / rowBytes(), 1, height));
    }
};

/// Photometric interpretation and extra samples.
void setColours(TIFF* tiff, const SampleLayout& stored) {
    using enum SampleLayout::Colours;
    TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC,
                 stored.colours == rgb    ? PHOTOMETRIC_RGB
                 : stored.colours == cmyk ? PHOTOMETRIC_SEPARATED
                                          : PHOTOMETRIC_MINISBLACK);
    const int colours = static_cast<int>(stored.colours);
    if (stored.samples <= colours) {
        return;
    }
    std::vector<std::uint16_t> extra(static_cast<std::size_t>(stored.samples - colours), EXTRASAMPLE_UNSPECIFIED);
    if (stored.alpha >= colours) {
        extra.at(static_cast<std::size_t>(stored.alpha - colours)) =
            stored.premultiplied ? EXTRASAMPLE_ASSOCALPHA : EXTRASAMPLE_UNASSALPHA;
    }
    TIFFSetField(tiff, TIFFTAG_EXTRASAMPLES, static_cast<int>(extra.size()), extra.data());
}

/// Tags of the layout. @returns false if libtiff rejects the compression
bool setTags(TIFF* tiff, const Layout& layout, TiffCompression compression) {
    TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, layout.width);
    TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, layout.height);
    TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, layout.bits);
    TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, layout.stored.samples);
    if (layout.stored.samples == 1) {
        TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_UINT);
    }
    setColours(tiff, layout.stored);
    TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, layout.stored.planar ? PLANARCONFIG_SEPARATE : PLANARCONFIG_CONTIG);
    TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, layout.rowsPerStrip());
    TIFFSetField(tiff, TIFFTAG_SOFTWARE, "Pollard");
    return setCompression(tiff, compression, effortOf(compression));
}

/// The pages of a file as its description needs them.
WrittenPages writtenPages(const Layout& layout, int pages, TiffCompression compression) {
    const bool isBig = layout.pageBytes() * static_cast<std::uint64_t>(pages) > kClassicTiffBytes;
    const bool isKnown = compression == TiffCompression::deflate || compression == TiffCompression::none;
    return {layout.bits,
            layout.stored.samples,
            layout.width,
            layout.height,
            pages,
            isKnown && !isBig,
            compression != TiffCompression::none};
}

using Step = std::function<void(double fraction)>; ///< called with the part of a plane that is written

/// Reports progress and stops, in a job that writes planes.
Step stepsOf(const JobControl& control, int plane, int planes) {
    return [&control, plane, planes](double fraction) {
        control.report((plane + fraction) / planes, "writing");
        control.throwIfStopped();
    };
}

/// A plane to be written.
PixelRows pixelRowsOf(const WrittenPage& page) { return page.image ? pixelRowsOf(*page.image) : page.rows; }

/// Writes the samples of one plane, of @p bytes each, to every place of @p stride samples.
void spread(const std::byte* from, std::size_t count, std::size_t bytes, std::size_t stride, std::byte* out) {
    const auto copy = [&]<class T>(T) {
        const T* sample = reinterpret_cast<const T*>(from);
        T* to = reinterpret_cast<T*>(out);
        for (std::size_t i = 0; i < count; ++i) {
            to[i * stride] = sample[i];
        }
    };
    switch (bytes) {
    case 1:
        return copy(std::uint8_t{});
    case 2:
        return copy(std::uint16_t{});
    default:
        return copy(std::uint32_t{});
    }
}

/// A TIFF of strips being written.
class StripTiff {
public:
    StripTiff(const std::filesystem::path& path, bool bigTiff) : tiff_(path, bigTiff) {}

    /// Writes the tags of the current directory.
    void begin(const Layout& layout, TiffCompression compression, const std::vector<CarriedTag>& tags) {
        errno = 0;
        tiff_.require(setTags(tiff_.get(), layout, compression));
        tiff_.require(writeCarriedTags(tiff_.get(), tags));
        strip_ = 0;
    }

    /// Writes the next strip.
    void writeStrip(const std::byte* data, std::uint64_t bytes) {
        errno = 0;
        // libtiff's predictor works on a copy; only the signature lacks const.
        if (TIFFWriteEncodedStrip(tiff_.get(), strip_++, const_cast<std::byte*>(data), static_cast<tmsize_t>(bytes)) <
            0) {
            tiff_.fail(errno);
        }
    }

    /// Writes the strips of a plane, or of all samples of the page if they are interleaved.
    /// @param fill writes rows that begin with row @p top into a strip
    template <class Fill> void writeStrips(const Layout& layout, Fill&& fill, const Step& step) {
        std::vector<std::byte> strip(layout.rowsPerStrip() * layout.rowBytes());
        for (std::uint32_t top = 0; top < layout.height;) {
            const std::uint32_t rows = std::min(layout.rowsPerStrip(), layout.height - top);
            fill(top, rows, strip.data());
            writeStrip(strip.data(), rows * layout.rowBytes());
            top += rows;
            step(static_cast<double>(top) / layout.height);
        }
    }

    /// @param first row of the plane
    void writePlane(const PixelRows& pixels, std::uint64_t first, const Layout& layout, const Step& step) {
        writeStrips(
            layout, [&](std::uint32_t top, std::uint32_t rows, std::byte* out) { pixels.read(first + top, rows, out); },
            step);
    }

    /// Writes the samples of a page as neighbours; all planes have the size and type of the layout.
    void writeInterleaved(const std::vector<WrittenPage>& planes, const Layout& layout, const Step& step) {
        std::vector<PixelRows> samples;
        std::ranges::transform(planes, std::back_inserter(samples),
                               [](const WrittenPage& plane) { return pixelRowsOf(plane); });
        std::vector<std::byte> rowsOfSample(layout.rowsPerStrip() * samples.front().rowBytes());
        writeStrips(
            layout,
            [&](std::uint32_t top, std::uint32_t rows, std::byte* out) {
                for (const PixelRows& sample : samples) {
                    sample.read(top, rows, rowsOfSample.data());
                    spread(rowsOfSample.data(), std::size_t{rows} * layout.width, layout.sampleBytes(), samples.size(),
                           out);
                    out += layout.sampleBytes();
                }
            },
            step);
    }

    /// Ends the directory; the next begin() starts another.
    void endPage(int page, int pages) {
        errno = 0;
        TIFFSetField(tiff_.get(), TIFFTAG_SUBFILETYPE, FILETYPE_PAGE);
        TIFFSetField(tiff_.get(), TIFFTAG_PAGENUMBER, page, pages);
        tiff_.require(TIFFWriteDirectory(tiff_.get()) == 1);
    }

    void commit() { tiff_.commit(); }

private:
    PendingTiff tiff_;
    std::uint32_t strip_ = 0;
};

class TiffRgbWriter : public RgbWriter {
public:
    TiffRgbWriter(const std::filesystem::path& path, std::uint32_t width, std::uint32_t height,
                  const std::optional<PixelSize>& pixelSize)
        : count_(kWriteTiff, path, width, height), layout_{width,
                                                           height,
                                                           8,
                                                           {.samples = 3, .colours = SampleLayout::Colours::rgb}},
          tiff_(path, layout_.pageBytes() > kClassicTiffBytes) {
        constexpr TiffCompression kCompression = TiffCompression::deflate;
        SceneDescription scene;
        scene.pixelSize = pixelSize;
        scene.wantsOme = isOmeName(path);
        tiff_.begin(layout_, kCompression, pageTags({}, scene, writtenPages(layout_, 1, kCompression), true));
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
    StripTiff tiff_;
    std::vector<std::byte> pending_;
};

/// The page number tag has 16 bits; files with more pages are valid.
constexpr int kNumbered = 65535;

Layout layoutOf(const PixelRows& rows, const SampleLayout& stored = {}) {
    return {rows.extent.width, rows.extent.height, static_cast<std::uint16_t>(rows.bits), stored};
}

/// Writes a picture as a page, or the slices of a volume as pages.
void write(const std::filesystem::path& path, const PixelRows& rows, const TiffWriteOptions& options,
           const JobControl& control) {
    control.throwIfStopped();
    const Layout layout = layoutOf(rows);
    const int slices = static_cast<int>(rows.extent.slices);
    const std::uint64_t pageBytes = layout.pageBytes();
    StripTiff tiff(path, pageBytes * static_cast<std::uint64_t>(slices) > kClassicTiffBytes);
    const WrittenPages pages = writtenPages(layout, slices, options.compression);
    SceneDescription scene = options.scene;
    scene.wantsOme = scene.wantsOme || isOmeName(path);
    const bool isShownAnyway = layout.bits == 8 && rows.largest == maxLevelOf(PixelType::u8);
    if (options.showsLargest && rows.largest > 0 && !isShownAnyway) {
        scene.window = ChannelWindow{0, static_cast<double>(rows.largest)};
    }
    for (int slice = 0; slice < slices; ++slice) {
        tiff.begin(layout, options.compression, pageTags(options.carried, scene, pages, slice == 0));
        tiff.writePlane(rows, std::uint64_t{layout.height} * static_cast<std::uint64_t>(slice), layout,
                        stepsOf(control, slice, slices));
        if (slices > 1) {
            tiff.endPage(std::min(slice, kNumbered), std::min(slices, kNumbered));
        }
    }
    tiff.commit();
}

[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& why) {
    throw Error(ErrorCode::invalidArgument, std::string(kWriteTiff) + ": " + path.string() + ": " + why);
}

/// Writes pages of planes, see writeTiffPages() and writeTiffChannels().
/// @param alike refuses planes that differ in size or type from the first, and gives a single page no number
void writePages(const std::filesystem::path& path, int pages, const SampleLayout& stored,
                const WrittenPageSource& source, const TiffWriteOptions& options, bool alike,
                const JobControl& control) {
    const int planes = pages * stored.samples;
    std::optional<StripTiff> tiff;
    std::optional<Layout> first;
    SceneDescription scene;
    std::vector<WrittenPage> waiting; // planes to be written together
    for (int plane = 0; plane < planes; ++plane) {
        control.throwIfStopped();
        WrittenPage made = source(plane, control);
        const Layout layout = layoutOf(pixelRowsOf(made), stored);
        if (!tiff) {
            tiff.emplace(path, layout.pageBytes() * static_cast<std::uint64_t>(pages) > kClassicTiffBytes);
            first = layout;
        }
        if (alike && layout != *first) {
            refuse(path, "channel " + std::to_string(plane) + " differs in size or depth from the first");
        }
        if (plane % stored.samples == 0) {
            std::vector<CarriedTag> tags = options.carried;
            tags.insert(tags.end(), made.carried.begin(), made.carried.end());
            if (plane == 0) {
                scene = made.scene.value_or(options.scene);
                scene.wantsOme = scene.wantsOme || isOmeName(path);
            }
            tiff->begin(layout, options.compression,
                        pageTags(std::move(tags), scene, writtenPages(*first, pages, options.compression), plane == 0));
        }
        const bool isLast = (plane + 1) % stored.samples == 0;
        if (stored.planar || stored.samples == 1) {
            tiff->writePlane(pixelRowsOf(made), 0, layout, stepsOf(control, plane, planes));
        } else {
            waiting.push_back(std::move(made));
            if (isLast) {
                tiff->writeInterleaved(std::exchange(waiting, {}), layout, stepsOf(control, plane, planes));
            }
        }
        if (isLast && (pages > 1 || !alike)) {
            tiff->endPage(std::min(plane / stored.samples, kNumbered), std::min(pages, kNumbered));
        }
    }
    tiff->commit();
}

} // namespace

void writeTiff(const std::filesystem::path& path, const Image& image, const TiffWriteOptions& options,
               const JobControl& control) {
    write(path, options.showsLargest ? measuredRowsOf(image) : pixelRowsOf(image), options, control);
}

void writeTiff(const std::filesystem::path& path, const PixelRows& rows, const TiffWriteOptions& options,
               const JobControl& control) {
    write(path, rows, options, control);
}

void writeTiffPages(const std::filesystem::path& path, int pages, const WrittenPageSource& source,
                    const TiffWriteOptions& options, const JobControl& control) {
    if (pages < 1) {
        refuse(path, "no pages");
    }
    writePages(path, pages, {}, source, options, false, control);
}

void writeTiffChannels(const std::filesystem::path& path, int planes, const SampleLayout& layout,
                       const WrittenPageSource& source, const TiffWriteOptions& options, const JobControl& control) {
    if (planes < 1 || layout.samples < 1 || planes % layout.samples != 0) {
        refuse(path,
               std::to_string(planes) + " channels are no pages of " + std::to_string(layout.samples) + " samples");
    }
    writePages(path, planes / layout.samples, layout, source, options, true, control);
}

void writeTiff32(const std::filesystem::path& path, std::span<const std::uint32_t> values, const Extent& extent,
                 const TiffWriteOptions& options, const JobControl& control) {
    if (values.empty() || values.size() != extent.pixelCount()) {
        refuse(path, std::to_string(values.size()) + " values for " + text(extent));
    }
    PixelRows rows = pixelRowsOf(values.data(), extent, 32);
    rows.largest = options.showsLargest ? std::ranges::max(values) : 0;
    write(path, rows, options, control);
}

std::unique_ptr<RgbWriter> makeTiffRgbWriter(const std::filesystem::path& path, std::uint32_t width,
                                             std::uint32_t height, const std::optional<PixelSize>& pixelSize) {
    return std::make_unique<TiffRgbWriter>(path, width, height, pixelSize);
}

} // namespace pollard
