#include "formats/images/raw_reader.hpp"

#include "io/image_reader.hpp"
#include "io/read_support.hpp"
#include "io/volumes/volume_layout.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace pollard {

namespace {

using RawSample = RawLayout::SampleType;

struct Side {
    std::uint32_t width;
    std::uint32_t height;
};

/// Common sizes of sensors and screens, the most common first.
constexpr std::array<Side, 25> kKnownSides = {{{512, 512},   {1024, 1024}, {2048, 2048}, {256, 256},   {4096, 4096},
                                               {640, 480},   {1024, 768},  {1280, 1024}, {1920, 1080}, {1344, 1024},
                                               {1392, 1040}, {1376, 1038}, {2560, 2160}, {2304, 2304}, {1200, 1200},
                                               {1280, 960},  {1600, 1200}, {1280, 720},  {1920, 1200}, {2592, 1944},
                                               {2448, 2048}, {3840, 2160}, {3072, 2048}, {320, 240},   {768, 576}}};

struct Kind {
    RawSample type;
    int samples;
    double penalty; ///< higher for less common types
};
constexpr std::array<Kind, 6> kRawKinds = {{{RawSample::u16, 1, 0},
                                            {RawSample::u8, 1, 0.2},
                                            {RawSample::u8, 3, 1.5},
                                            {RawSample::f32, 1, 1.5},
                                            {RawSample::f64, 1, 3},
                                            {RawSample::u16, 3, 3}}};

constexpr std::array<std::uint64_t, 8> kHeaders = {0, 512, 1024, 256, 128, 2048, 4096, 352};
constexpr int kMaxPages = 4096;

struct Guess {
    RawLayout layout;
    double penalty;
};

class Guesser {
public:
    void tryAll(std::uint64_t bytes) {
        for (std::size_t h = 0; h < kHeaders.size() && kHeaders[h] < bytes; ++h) {
            for (const Kind& kind : kRawKinds) {
                const auto samples = static_cast<std::uint64_t>(kind.samples);
                const std::uint64_t pixelBytes = static_cast<std::uint64_t>(bytesOf(kind.type)) * samples;
                const std::uint64_t rest = bytes - kHeaders[h];
                if (rest % pixelBytes != 0) {
                    continue;
                }
                const double penalty = kind.penalty + (h == 0 ? 0.0 : 4.0 + 0.1 * static_cast<double>(h));
                base_ = RawLayout{0, 0, kind.type, false, kind.samples, kHeaders[h], 1};
                tryKnown(rest / pixelBytes, penalty);
                tryShapes(rest / pixelBytes, penalty);
            }
        }
    }

    std::vector<RawLayout> best(std::size_t limit) {
        std::stable_sort(guesses_.begin(), guesses_.end(),
                         [](const Guess& a, const Guess& b) { return a.penalty < b.penalty; });
        std::vector<RawLayout> layouts;
        for (const Guess& guess : guesses_) {
            if (layouts.size() == limit) {
                break;
            }
            if (std::find(layouts.begin(), layouts.end(), guess.layout) == layouts.end()) {
                layouts.push_back(guess.layout);
            }
        }
        return layouts;
    }

private:
    void add(std::uint32_t width, std::uint32_t height, int pages, double penalty) {
        RawLayout layout = base_;
        layout.width = width;
        layout.height = height;
        layout.pages = pages;
        guesses_.push_back({layout, penalty});
    }

    void tryKnown(std::uint64_t pixels, double penalty) {
        for (std::size_t i = 0; i < kKnownSides.size(); ++i) {
            const std::uint64_t page = std::uint64_t{kKnownSides[i].width} * kKnownSides[i].height;
            if (pixels % page == 0 && pixels / page <= kMaxPages) {
                const auto pages = static_cast<int>(pixels / page);
                // A stack of few common images is more likely than an uncommon single one.
                const double many = pages == 1 ? 0 : 2.0 + 0.3 * std::log2(pages);
                add(kKnownSides[i].width, kKnownSides[i].height, pages, penalty + many + 0.01 * static_cast<double>(i));
            }
        }
    }

    /// Tries one page of a common aspect ratio, larger than a thumbnail.
    void tryShapes(std::uint64_t pixels, double penalty) {
        constexpr std::array<std::pair<int, int>, 6> kRatios = {{{1, 1}, {4, 3}, {3, 2}, {16, 9}, {5, 4}, {2, 1}}};
        for (std::size_t i = 0; i < kRatios.size(); ++i) {
            const auto [across, down] = kRatios[i];
            const auto unit =
                static_cast<std::uint64_t>(std::llround(std::sqrt(static_cast<double>(pixels) / (across * down))));
            const std::uint64_t width = unit * static_cast<std::uint64_t>(across);
            const std::uint64_t height = unit * static_cast<std::uint64_t>(down);
            if (unit == 0 || width > std::numeric_limits<std::uint32_t>::max() || width * height != pixels) {
                continue;
            }
            const double round = width % 64 == 0 ? 0.5 : width % 4 == 0 ? 1.0 : 1.8;
            const double tiny = pixels < 64 * 64 ? 3.0 : 0.0;
            const double shape = round + tiny + 0.2 * static_cast<double>(i);
            add(static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height), 1, penalty + shape);
            if (width != height) {
                add(static_cast<std::uint32_t>(height), static_cast<std::uint32_t>(width), 1, penalty + shape + 3.0);
            }
        }
    }

    RawLayout base_;
    std::vector<Guess> guesses_;
};

} // namespace

std::vector<RawLayout> guessRawLayouts(std::uint64_t bytes, std::size_t limit) {
    Guesser guesser;
    guesser.tryAll(bytes);
    return guesser.best(limit);
}

int bytesOf(RawSample type) noexcept {
    switch (type) {
    case RawSample::u8:
    case RawSample::i8:
        return 1;
    case RawSample::u16:
    case RawSample::i16:
        return 2;
    case RawSample::u32:
    case RawSample::i32:
    case RawSample::f32:
        return 4;
    case RawSample::f64:
        return 8;
    }
    return 1;
}

std::uint64_t rawBytes(const RawLayout& layout) noexcept {
    constexpr std::uint64_t kTooMany = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t bytes = static_cast<std::uint64_t>(bytesOf(layout.type));
    for (const std::uint64_t factor : {std::uint64_t{layout.width}, std::uint64_t{layout.height},
                                       static_cast<std::uint64_t>(std::max(layout.samples, 0)),
                                       static_cast<std::uint64_t>(std::max(layout.pages, 0))}) {
        if (factor != 0 && bytes > kTooMany / factor) {
            return kTooMany;
        }
        bytes *= factor;
    }
    return bytes > kTooMany - layout.offset ? kTooMany : bytes + layout.offset;
}

std::string describe(const RawLayout& layout) {
    constexpr std::array<const char*, 8> kNames = {"8-bit unsigned", "8-bit signed",    "16-bit unsigned",
                                                   "16-bit signed",  "32-bit unsigned", "32-bit signed",
                                                   "32-bit float",   "64-bit float"};
    std::string text = std::to_string(layout.width) + " x " + std::to_string(layout.height) + " px, " +
                       kNames[static_cast<std::size_t>(layout.type)];
    if (bytesOf(layout.type) > 1) {
        text += layout.bigEndian ? ", big-endian" : ", little-endian";
    }
    if (layout.samples != 1) {
        text += ", " + std::to_string(layout.samples) + " samples a pixel";
    }
    if (layout.pages != 1) {
        text += ", " + std::to_string(layout.pages) + " pages";
    }
    if (layout.offset != 0) {
        text += " after " + std::to_string(layout.offset) + " bytes";
    }
    return text;
}

namespace {

constexpr int kMaxSamples = 64;

SampleKind kindOf(RawSample type) {
    switch (type) {
    case RawSample::u8:
    case RawSample::u16:
    case RawSample::u32:
        return SampleKind::unsignedInteger;
    case RawSample::i8:
    case RawSample::i16:
    case RawSample::i32:
        return SampleKind::signedInteger;
    case RawSample::f32:
    case RawSample::f64:
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
