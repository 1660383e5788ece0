#include "formats/pictures/raw_guess.hpp"
#include "io/image_reader.hpp"
#include "io/read_support.hpp"
#include "io/volumes/volume_layout.hpp"

#include <algorithm>

namespace pollard {

namespace {

using SampleType = RawLayout::SampleType;

constexpr int kMaxSamples = 64;

SampleKind kindOf(SampleType type) {
    switch (type) {
    case SampleType::u8:
    case SampleType::u16:
    case SampleType::u32:
        return SampleKind::unsignedInteger;
    case SampleType::i8:
    case SampleType::i16:
    case SampleType::i32:
        return SampleKind::signedInteger;
    case SampleType::f32:
    case SampleType::f64:
        break;
    }
    return SampleKind::real;
}

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

VolumeLayout rawLayoutOf(const SourceFile& source, const ReadOptions& options) {
    const RawLayout raw = options.raw.value_or(RawLayout{});
    requireFits(source, raw);
    VolumeLayout layout;
    layout.format = "raw";
    layout.data = source;
    layout.begin = raw.offset;
    layout.kind = kindOf(raw.type);
    layout.bits = 8 * bytesOf(raw.type);
    layout.bigEndian = raw.bigEndian;
    layout.samples = static_cast<std::uint64_t>(raw.samples);
    const bool isLevel = layout.kind == SampleKind::unsignedInteger && layout.bits <= 16;
    layout.colour = isLevel && (raw.samples == 3 || raw.samples == 4);
    layout.coloursHaveData = true;
    layout.oneRange = false;
    layout.width = raw.width;
    layout.height = raw.height;
    layout.axes = {{'p', static_cast<std::uint64_t>(raw.pages)}};
    if (const std::uint64_t unused = source.size - rawBytes(raw); unused > 0) {
        layout.notes.push_back(std::to_string(unused) + " bytes after the pixels are not used");
    }
    return layout;
}

} // namespace

/// Of files without a header. Never detected, only read with ReadOptions::raw.
const ImageReader& rawReader() {
    static const ImageReader reader{
        .filter = {"Raw samples", {"raw", "bin", "dat"}},
        .open = [](const SourceFile& source, const ReadOptions& options, PageUse) -> std::unique_ptr<FilePage> {
            return std::make_unique<VolumePage>(source, rawLayoutOf(source, options), options);
        },
        .readsRegions = true};
    return reader;
}

} // namespace pollard
