#include "io/formats/raw_guess.hpp"
#include "io/image_reader.hpp"
#include "io/read_support.hpp"
#include "io/samples/grey_rows.hpp"
#include "io/samples/value_image.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace pollard {

namespace {

using SampleType = RawLayout::SampleType;

constexpr std::uint32_t kRowsPerCheck = 64;
constexpr int kMaxSamples = 64;

/// Value type for the mapping; nothing if samples are levels.
std::optional<ValueType> valueTypeOf(SampleType type) {
    switch (type) {
    case SampleType::u8:
    case SampleType::u16:
        return std::nullopt;
    case SampleType::i8:
        return ValueType::i8;
    case SampleType::i16:
        return ValueType::i16;
    case SampleType::u32:
        return ValueType::u32;
    case SampleType::i32:
        return ValueType::i32;
    case SampleType::f32:
        return ValueType::f32;
    case SampleType::f64:
        return ValueType::f64;
    }
    return std::nullopt;
}

struct Header {
    RawLayout layout;
    ImageInfo info;
    GreyPlan plan; ///< `samples` applies to all types, the rest to unsigned bytes and words
};

void requireFits(const SourceFile& source, const RawLayout& layout) {
    const auto refuse = [&](ErrorCode code, const std::string& why) {
        throw readError(code, source.path, "raw: " + why);
    };
    if (layout.width == 0 || layout.height == 0) {
        refuse(ErrorCode::invalidArgument, std::to_string(layout.width) + " x " + std::to_string(layout.height) +
                                               " px: both sides must be at least 1");
    }
    if (layout.samples < 1 || layout.samples > kMaxSamples) {
        refuse(ErrorCode::invalidArgument,
               std::to_string(layout.samples) + " samples a pixel: must be 1 to " + std::to_string(kMaxSamples));
    }
    if (layout.pages < 1) {
        refuse(ErrorCode::invalidArgument, std::to_string(layout.pages) + " pages: must be at least 1");
    }
    const std::uint64_t needed = rawBytes(layout);
    if (needed > source.size) {
        refuse(ErrorCode::invalidArgument, describe(layout) + " need " + std::to_string(needed) +
                                               " bytes, the file has " + std::to_string(source.size));
    }
}

Header readHeader(const SourceFile& source, const ReadOptions& options) {
    Header header;
    header.layout = options.raw.value_or(RawLayout{});
    const RawLayout& layout = header.layout;
    requireFits(source, layout);
    if (options.page >= layout.pages) {
        throw readError(ErrorCode::invalidArgument, source.path,
                        "page " + std::to_string(options.page) + " does not exist, the layout has pages 0 to " +
                            std::to_string(layout.pages - 1));
    }
    ImageInfo& info = header.info;
    const bool levels = !valueTypeOf(layout.type);
    const bool colour = levels && (layout.samples == 3 || layout.samples == 4);
    info.format = "raw";
    info.compression = "none";
    info.photometric = colour ? "RGB" : "MinIsBlack";
    info.width = layout.width;
    info.height = layout.height;
    info.bits = 8 * bytesOf(layout.type);
    info.sampleFormat =
        layout.type == SampleType::f32 || layout.type == SampleType::f64 ? "float"
        : layout.type == SampleType::i8 || layout.type == SampleType::i16 || layout.type == SampleType::i32
            ? "signed"
            : "unsigned";
    info.samples = layout.samples;
    info.pages = layout.pages;
    info.page = options.page;
    if (layout.pages > 1) {
        info.axes = {{'p', layout.pages, {}}};
    }
    if (bytesOf(layout.type) > 1) {
        info.facts.emplace_back("Byte order", layout.bigEndian ? "big-endian" : "little-endian");
    }
    if (const std::uint64_t unused = source.size - rawBytes(layout); unused > 0) {
        info.notes.push_back(std::to_string(unused) + " bytes after the pixels are not used");
    }
    header.plan = GreyPlan::forSamples(source, options.channel, std::min(info.bits, 16), colour ? 3 : 1, info.samples,
                                       false, info.notes);
    return header;
}

/// Rows of a region of the page, in host byte order.
class RawRows {
public:
    RawRows(const SourceFile& source, const RawLayout& layout, int page, const PixelRegion& region)
        : source_(source), file_(openForReading(source.path)), layout_(layout), region_(region),
          sampleBytes_(static_cast<std::size_t>(bytesOf(layout.type))),
          pixelBytes_(sampleBytes_ * static_cast<std::size_t>(layout.samples)), row_(region.width * pixelBytes_) {
        pageOffset_ = layout.offset + static_cast<std::uint64_t>(page) * layout.width * layout.height * pixelBytes_;
    }

    [[nodiscard]] std::size_t sampleBytes() const noexcept { return sampleBytes_; }
    [[nodiscard]] std::size_t pixelBytes() const noexcept { return pixelBytes_; }

    /// @param y row of the region
    const std::vector<std::byte>& read(std::uint32_t y) {
        const std::uint64_t pixel = (std::uint64_t{region_.y} + y) * layout_.width + region_.x;
        const auto at = static_cast<off_t>(pageOffset_ + pixel * pixelBytes_);
        if (::fseeko(file_.get(), at, SEEK_SET) != 0 ||
            std::fread(row_.data(), 1, row_.size(), file_.get()) != row_.size()) {
            throw readError(ErrorCode::fileDamaged, source_.path, "the file ends in row " + std::to_string(y));
        }
        if (sampleBytes_ > 1 && layout_.bigEndian != (std::endian::native == std::endian::big)) {
            for (std::size_t i = 0; i < row_.size(); i += sampleBytes_) {
                std::reverse(row_.begin() + static_cast<std::ptrdiff_t>(i),
                             row_.begin() + static_cast<std::ptrdiff_t>(i + sampleBytes_));
            }
        }
        return row_;
    }

private:
    const SourceFile& source_;
    FilePointer file_;
    RawLayout layout_;
    PixelRegion region_;
    std::size_t sampleBytes_;
    std::size_t pixelBytes_;
    std::uint64_t pageOffset_ = 0;
    std::vector<std::byte> row_;
};

void advance(const JobControl& control, std::uint32_t y, std::uint32_t height) {
    if (y % kRowsPerCheck == 0) {
        control.report(static_cast<double>(y) / height, "reading");
        control.throwIfStopped();
    }
}

LoadedImage readLevels(const SourceFile& source, Header header, const PixelRegion& region, RawRows& rows,
                       const JobControl& control) {
    auto image = std::make_shared<Image>(header.plan.type, region.width, region.height);
    GreyRows grey(source, std::move(header.plan), *image);
    for (std::uint32_t y = 0; y < region.height; ++y) {
        grey.putInterleaved(0, y, region.width, rows.read(y).data(), header.layout.samples);
        advance(control, y, region.height);
    }
    control.report(1.0, "reading");
    return {std::move(image), nullptr, std::move(header.info)};
}

LoadedImage readValues(const SourceFile& source, const ReadOptions& options, Header header, const PixelRegion& region,
                       RawRows& rows, const JobControl& control) {
    const std::size_t bytes = rows.sampleBytes();
    const std::size_t first = static_cast<std::size_t>(header.plan.samples[0]) * bytes;
    Buffer<double> values((std::size_t{region.width} * region.height * bytes + sizeof(double) - 1) / sizeof(double));
    auto* out = reinterpret_cast<std::byte*>(values.data());
    for (std::uint32_t y = 0; y < region.height; ++y) {
        const std::byte* in = rows.read(y).data() + first;
        for (std::uint32_t x = 0; x < region.width; ++x, in += rows.pixelBytes(), out += bytes) {
            std::memcpy(out, in, bytes);
        }
        advance(control, y, region.height);
    }
    const ValueGrid grid{*valueTypeOf(header.layout.type), values.data(), region.width, region.height};
    return imageOfValues(source, grid, options, {}, std::move(header.info), control);
}

/// Files without a header. Never detected, only read with ReadOptions::raw.
class RawReader final : public ImageReader {
public:
    FormatFilter filter() const override { return {"Raw samples", {"raw", "bin", "dat"}}; }
    bool recognises(std::span<const std::byte>) const override { return false; }
    bool readsRegions() const override { return true; }

    ImageInfo info(const SourceFile& source, const ReadOptions& options) const override {
        return readHeader(source, options).info;
    }

    LoadedImage read(const SourceFile& source, const ReadOptions& options, const JobControl& control) const override {
        Header header = readHeader(source, options);
        const RawLayout layout = header.layout;
        const PixelRegion region = wantedRegion(source, options, layout.width, layout.height);
        const std::uint64_t pixels = std::uint64_t{region.width} * region.height;
        const bool levels = !valueTypeOf(layout.type);
        checkClaim(source,
                   {region.width, region.height, header.info.bits,
                    pixels * static_cast<std::uint64_t>(bytesOf(layout.type)), source.size, false},
                   options.limits);
        RawRows rows(source, layout, options.page, region);
        return levels ? readLevels(source, std::move(header), region, rows, control)
                      : readValues(source, options, std::move(header), region, rows, control);
    }
};

} // namespace

const ImageReader& rawReader() {
    static const RawReader reader;
    return reader;
}

} // namespace pollard
