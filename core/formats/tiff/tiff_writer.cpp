#include "formats/tiff/tiff_writer.hpp"

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "formats/tiff/tiff_handle.hpp"
#include "formats/tiff/tiff_tags.hpp"
#include "io/write/image_writer.hpp"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace pollard {

namespace {

/// Large enough to compress well, small enough that a reader can decode few rows.
constexpr std::uint64_t kStripBytes = 256 << 10;
/// Compresses nearly as well as the highest level in a fraction of the time. Level 2 without a predictor takes as long
/// as level 3 with a predictor.
int effortOf(TiffCompression compression) { return compression == TiffCompression::deflate ? 2 : 3; }

struct Layout {
    std::uint32_t width;
    std::uint32_t height;
    ValueType type;
    SampleLayout stored = {};

    [[nodiscard]] std::uint64_t sampleBytes() const noexcept { return bytesOf(type); }
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

/// Tags of the layout. @returns false if libtiff rejects the compression
bool setTags(TIFF* tiff, const Layout& layout, TiffCompression compression) {
    setSampleTags(tiff, layout.width, layout.height, layout.type, layout.stored);
    TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, layout.rowsPerStrip());
    TIFFSetField(tiff, TIFFTAG_SOFTWARE, "Pollard");
    return setCompression(tiff, compression, effortOf(compression), isFloat(layout.type));
}

/// The pages of a file as its description needs them.
WrittenPages writtenPages(const Layout& layout, int pages, TiffCompression compression) {
    const bool isBig = layout.pageBytes() * static_cast<std::uint64_t>(pages) > kClassicTiffBytes;
    const bool isKnown = compression == TiffCompression::deflate || compression == TiffCompression::none;
    return {layout.type,
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

/// Rows with the samples of a page as neighbours.
PixelRows interleaved(std::vector<PixelRows> samples, const Layout& layout) {
    PixelRows rows;
    rows.read = [samples = std::move(samples), layout](std::uint64_t first, std::uint32_t count, std::byte* out) {
        std::vector<std::byte> one(count * samples.front().rowBytes());
        for (const PixelRows& sample : samples) {
            sample.read(first, count, one.data());
            dispatch(layout.type, [&]<class T>(T) {
                const T* const from = reinterpret_cast<const T*>(one.data());
                T* const to = reinterpret_cast<T*>(out);
                for (std::size_t i = 0; i < std::size_t{count} * layout.width; ++i) {
                    to[i * samples.size()] = from[i];
                }
            });
            out += layout.sampleBytes();
        }
    };
    return rows;
}

/// Compresses strips of a directory in memory, to the bytes that libtiff writes into a file.
class StripCoder {
public:
    StripCoder(const Layout& layout, TiffCompression compression) : handle_(TiffHandle::createIn(bytes_)) {
        require(setTags(handle_.get(), layout, compression));
    }

    /// @param strip another one at each call
    /// @throws Error(writeFailed)
    [[nodiscard]] std::vector<std::byte> encode(std::uint32_t strip, std::span<std::byte> pixels) {
        bytes_.clear();
        require(TIFFWriteEncodedStrip(handle_.get(), strip, pixels.data(), static_cast<tmsize_t>(pixels.size())) >= 0);
        return std::exchange(bytes_, {});
    }

private:
    void require(bool ok) const {
        if (!ok) {
            throw Error(ErrorCode::writeFailed, "cannot compress a strip: " + handle_.messages().lastError);
        }
    }

    std::vector<std::byte> bytes_; // outlives the handle, which writes to it at its end
    TiffHandle handle_;
};

/// A TIFF of strips being written.
class StripTiff {
public:
    StripTiff(const std::filesystem::path& path, bool bigTiff) : tiff_(path, bigTiff) {}

    /// Writes the tags of the current directory.
    void begin(const Layout& layout, TiffCompression compression, const std::vector<CopiedTag>& tags) {
        errno = 0;
        tiff_.require(setTags(tiff_.get(), layout, compression));
        tiff_.require(writeCopiedTags(tiff_.get(), tags));
        compression_ = compression;
        strip_ = 0;
    }

    /// Writes the next strip.
    void writeStrip(const std::byte* data, std::uint64_t bytes) { put(data, bytes, TIFFWriteEncodedStrip); }

    /// Writes the strips of a page, or of a plane: reads and writes one after another, compresses several at a time.
    /// @param first row of @p pixels
    void writeRows(const PixelRows& pixels, std::uint64_t first, const Layout& layout, const Step& step) {
        const std::uint32_t rowsEach = layout.rowsPerStrip();
        const std::uint32_t strips = (layout.height + rowsEach - 1) / rowsEach;
        const bool areCoded = strips > 1 && compression_ != TiffCompression::none;
        std::vector<Strip> places(areCoded ? placesOf(rowsEach * layout.rowBytes(), strips) : 1);
        const auto read = [&](std::uint32_t number) {
            const std::uint32_t top = number * rowsEach;
            const std::uint32_t rows = std::min(rowsEach, layout.height - top);
            std::vector<std::byte>& out = places[number % places.size()].pixels;
            out.resize(rows * layout.rowBytes());
            pixels.read(first + top, rows, out.data());
        };
        for (std::uint32_t i = 0; i < std::min<std::size_t>(places.size(), strips); ++i) {
            read(i);
        }
        const std::uint32_t firstStrip = strip_;
        const auto encode = [&](std::uint64_t number) {
            if (Strip& strip = places[number % places.size()]; areCoded) {
                if (!strip.coder) {
                    strip.coder = std::make_unique<StripCoder>(layout, compression_);
                }
                strip.coded = strip.coder->encode(firstStrip + static_cast<std::uint32_t>(number), strip.pixels);
            }
        };
        const auto write = [&](std::uint64_t number) {
            const Strip& strip = places[number % places.size()];
            if (areCoded) {
                put(strip.coded.data(), strip.coded.size(), TIFFWriteRawStrip);
            } else {
                writeStrip(strip.pixels.data(), strip.pixels.size());
            }
            if (number + places.size() < strips) {
                read(static_cast<std::uint32_t>(number + places.size()));
            }
            step(static_cast<double>(number + 1) / strips);
        };
        runInOrder(strips, places.size(), {}, encode, write);
    }

    /// Ends the directory; the next begin() starts another. The tag of the number has 16 bits; files with more pages
    /// are valid.
    void endPage(int page, int pages) {
        constexpr int kMost = 65535;
        errno = 0;
        TIFFSetField(tiff_.get(), TIFFTAG_SUBFILETYPE, FILETYPE_PAGE);
        TIFFSetField(tiff_.get(), TIFFTAG_PAGENUMBER, std::min(page, kMost), std::min(pages, kMost));
        tiff_.require(TIFFWriteDirectory(tiff_.get()) == 1);
    }

    void commit() { tiff_.commit(); }

private:
    /// A strip on its way through a thread.
    struct Strip {
        std::vector<std::byte> pixels;
        std::vector<std::byte> coded;
        std::unique_ptr<StripCoder> coder;
    };

    /// Number of strips in memory at a time.
    static std::size_t placesOf(std::uint64_t stripBytes, std::uint32_t strips) {
        constexpr std::uint64_t kMostBytes = 64 << 20;
        return std::clamp<std::size_t>(kMostBytes / stripBytes, 1, std::min<std::size_t>(valuesAtOnce(), strips));
    }

    /// @param write a function of libtiff, which does not change the data; only its signature lacks const
    void put(const std::byte* data, std::uint64_t bytes, tmsize_t (*write)(TIFF*, std::uint32_t, void*, tmsize_t)) {
        errno = 0;
        if (write(tiff_.get(), strip_++, const_cast<std::byte*>(data), static_cast<tmsize_t>(bytes)) < 0) {
            tiff_.fail(errno);
        }
    }

    PendingTiff tiff_;
    TiffCompression compression_ = TiffCompression::none;
    std::uint32_t strip_ = 0;
};

class TiffRgbWriter : public RgbWriter {
public:
    TiffRgbWriter(const std::filesystem::path& path, std::uint32_t width, std::uint32_t height,
                  const std::optional<PixelSize>& pixelSize)
        : RgbWriter(kWriteTiff, path, width, height), layout_{width,
                                                              height,
                                                              ValueType::u8,
                                                              {.samples = 3, .colours = SampleLayout::Colours::rgb}},
          tiff_(path, layout_.pageBytes() > kClassicTiffBytes) {
        constexpr TiffCompression kCompression = TiffCompression::deflate;
        SceneDescription scene;
        scene.pixelSize = pixelSize;
        scene.wantsOme = isOmeName(path);
        tiff_.begin(layout_, kCompression, pageTags({}, scene, writtenPages(layout_, 1, kCompression), true));
    }

private:
    void writeRows(std::span<const std::uint8_t> rgb) override {
        // Strips and pieces have different ends.
        const auto bytes = std::as_bytes(rgb);
        pending_.insert(pending_.end(), bytes.begin(), bytes.end());
        const std::size_t stripBytes = layout_.rowBytes() * layout_.rowsPerStrip();
        std::size_t done = 0;
        for (; pending_.size() - done >= stripBytes; done += stripBytes) {
            tiff_.writeStrip(pending_.data() + done, stripBytes);
        }
        pending_.erase(pending_.begin(), pending_.begin() + static_cast<std::ptrdiff_t>(done));
    }

    void end() override {
        if (!pending_.empty()) {
            tiff_.writeStrip(pending_.data(), pending_.size());
            pending_.clear();
        }
        tiff_.commit();
    }

    Layout layout_;
    StripTiff tiff_;
    std::vector<std::byte> pending_;
};

/// The scene of a file by the facts about its first plane.
SceneDescription sceneOf(const std::filesystem::path& path, const Plane& first) {
    SceneDescription scene = first.facts.scene;
    scene.wantsOme = scene.wantsOme || isOmeName(path);
    const bool isShownAnyway = first.rows.type == ValueType::u8 && first.rows.largest == maxLevelOf(PixelType::u8);
    if (first.rows.largest > 0 && !isShownAnyway) {
        scene.window = ChannelWindow{0, static_cast<double>(first.rows.largest)};
    }
    return scene;
}

/// Writes the planes of a file one after another.
class PlaneWriter {
public:
    PlaneWriter(const std::filesystem::path& path, int planes, const TiffWriteOptions& options,
                const JobControl& control)
        : path_(path), planes_(planes), options_(options), control_(control) {
        const int samples = options.samples.samples;
        if (options.arePages && planes < 1) {
            refuse("no pages");
        }
        if (planes < 1 || samples < 1 || planes % samples != 0) {
            refuse(std::to_string(planes) + " channels are no pages of " + std::to_string(samples) + " samples");
        }
    }

    void write(const Plane& plane) {
        const Layout layout{plane.rows.extent.width, plane.rows.extent.height, plane.rows.type, options_.samples};
        if (!tiff_) {
            first_ = layout;
            slices_ = static_cast<int>(plane.rows.extent.slices);
            scene_ = sceneOf(path_, plane);
            tiff_.emplace(path_, layout.pageBytes() * static_cast<std::uint64_t>(pages()) > kClassicTiffBytes);
        }
        if (!options_.arePages && layout != first_) {
            refuse("channel " + std::to_string(number_) + " differs in size or type from the first");
        }
        for (int slice = 0; slice < slices_; ++slice) {
            writeSlice(plane, slice, layout);
        }
        ++number_;
    }

    void commit() { tiff_->commit(); }

private:
    [[nodiscard]] int pages() const { return planes_ / options_.samples.samples * slices_; }

    void writeSlice(const Plane& plane, int slice, const Layout& layout) {
        const int sample = number_ % layout.stored.samples;
        const int page = number_ / layout.stored.samples * slices_ + slice;
        if (sample == 0) {
            tiff_->begin(
                layout, options_.compression,
                pageTags(plane.facts.carried, scene_, writtenPages(first_, pages(), options_.compression), page == 0));
        }
        const bool isLast = sample + 1 == layout.stored.samples;
        const Step step = stepsOf(control_, number_ * slices_ + slice, planes_ * slices_);
        const std::uint64_t top = std::uint64_t{layout.height} * static_cast<std::uint64_t>(slice);
        if (layout.stored.planar || layout.stored.samples == 1) {
            tiff_->writeRows(plane.rows, top, layout, step);
        } else {
            waiting_.push_back(plane.rows);
            if (isLast) {
                tiff_->writeRows(interleaved(std::exchange(waiting_, {}), layout), top, layout, step);
            }
        }
        if (isLast && (pages() > 1 || options_.arePages)) {
            tiff_->endPage(page, pages());
        }
    }

    [[noreturn]] void refuse(const std::string& why) const {
        throw Error(ErrorCode::invalidArgument, std::string(kWriteTiff) + ": " + path_.string() + ": " + why);
    }

    const std::filesystem::path& path_;
    int planes_;
    const TiffWriteOptions& options_;
    const JobControl& control_;
    std::optional<StripTiff> tiff_;
    Layout first_{};
    int slices_ = 1; ///< of a plane
    SceneDescription scene_;
    std::vector<PixelRows> waiting_; ///< to be written together
    int number_ = 0;                 ///< of the next plane
};

} // namespace

void writeTiff(const std::filesystem::path& path, const Planes& planes, const TiffWriteOptions& options,
               const JobControl& control) {
    PlaneWriter writer(path, planes.count, options, control);
    for (int plane = 0; plane < planes.count; ++plane) {
        control.throwIfStopped();
        writer.write(planes.make(plane, control));
    }
    writer.commit();
}

std::unique_ptr<RgbWriter> makeTiffRgbWriter(const std::filesystem::path& path, std::uint32_t width,
                                             std::uint32_t height, const std::optional<PixelSize>& pixelSize) {
    return std::make_unique<TiffRgbWriter>(path, width, height, pixelSize);
}

} // namespace pollard
