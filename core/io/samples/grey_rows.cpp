#include "io/samples/grey_rows.hpp"

#include "io/metadata/channel_facts.hpp"
#include "io/read_support.hpp"

#include <algorithm>
#include <cstring>

namespace pollard {

void unpackSamples(const std::byte* row, int bits, std::size_t first, std::size_t stride, std::size_t count,
                   std::uint16_t* out) noexcept {
    if (bits == 8) {
        for (std::size_t i = 0; i < count; ++i) {
            out[i] = std::to_integer<std::uint16_t>(row[first + i * stride]);
        }
        return;
    }
    if (bits == 16) {
        for (std::size_t i = 0; i < count; ++i) {
            std::memcpy(out + i, row + 2 * (first + i * stride), 2);
        }
        return;
    }
    const auto width = static_cast<unsigned>(bits);
    const std::uint32_t mask = (1U << width) - 1;
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t begin = (first + i * stride) * width;
        const std::size_t end = begin + width;
        const std::size_t lastByte = (end - 1) / 8;
        std::uint32_t word = 0;
        for (std::size_t b = begin / 8; b <= lastByte; ++b) {
            word = word << 8 | std::to_integer<std::uint32_t>(row[b]);
        }
        out[i] = static_cast<std::uint16_t>(word >> ((lastByte + 1) * 8 - end) & mask);
    }
}

std::optional<std::uint16_t> levelOfNoData(const NoData& noData) noexcept {
    return noData.number <= maxLevelOf(PixelType::u16) ? sampleOf<std::uint16_t>(noData) : std::nullopt;
}

namespace {

std::string sampleName(int sample, int colourSamples) {
    constexpr const char* kNames[] = {"red", "green", "blue"};
    return colourSamples == 3 && sample < 3 ? kNames[sample] : "sample " + std::to_string(sample);
}

} // namespace

GreyPlan GreyPlan::forSamples(const SourceFile& source, const ChannelChoice& choice, int bits, int colourSamples,
                              int samples, bool alpha, std::vector<std::string>& notes, int alphaSample) {
    GreyPlan plan;
    plan.bits = bits;
    plan.type = bits > 8 ? PixelType::u16 : PixelType::u8;
    if (choice.kind == ChannelChoice::Kind::sample) {
        requireIndex(source.path, "channel", choice.sample, samples, "image");
        plan.samples = {choice.sample};
        if (samples > 1) {
            notes.push_back("shown: " + sampleName(choice.sample, colourSamples) + " of " + std::to_string(samples) +
                            " samples");
        }
        return plan;
    }
    plan.alpha = alphaSample;
    plan.samples = {0};
    if (colourSamples == 3) {
        plan.samples = {0, 1, 2};
        notes.emplace_back("shown as luminance of RGB");
    } else if (colourSamples == 4) {
        plan.samples = {0, 1, 2, 3};
        notes.emplace_back("shown as luminance of CMYK, R = (1 - C) (1 - K)");
    }
    if (alphaSample >= 0) {
        notes.emplace_back("alpha: fully transparent pixels hold no data");
        alpha = false;
    }
    const int further = samples - colourSamples - (alphaSample >= 0 ? 1 : 0);
    if (further == 1) {
        notes.emplace_back(alpha ? "alpha ignored" : "1 further sample is another channel");
    } else if (further > 1) {
        notes.push_back(std::to_string(further) + " further samples are other channels" +
                        (alpha ? ", alpha among them" : ""));
    }
    return plan;
}

GreyPlan GreyPlan::forPalette(const SourceFile& source, const ChannelChoice& choice, int bits, PixelType type,
                              const std::vector<std::array<std::uint16_t, 3>>& colours,
                              std::vector<std::string>& notes) {
    const bool luminance = choice.kind == ChannelChoice::Kind::luminance;
    if (!luminance && choice.sample != kPaletteIndex) {
        requireIndex(source.path, "channel", choice.sample, 3, "image");
    }
    GreyPlan plan;
    plan.samples = {0};
    plan.bits = bits;
    if (!luminance && choice.sample == kPaletteIndex) {
        plan.type = bits > 8 ? PixelType::u16 : PixelType::u8;
        notes.emplace_back("shown as index of the palette");
        return plan;
    }
    plan.type = type;
    plan.palette.reserve(colours.size());
    for (const auto& colour : colours) {
        plan.palette.push_back(luminance ? luminanceOf(colour[0], colour[1], colour[2])
                                         : colour[static_cast<std::size_t>(choice.sample)]);
    }
    notes.push_back("shown as " + (luminance ? "luminance" : sampleName(choice.sample, 3)) + " of the palette" +
                    (luminance ? std::string("; its numbers are the channel ") + kPaletteIndexName : ""));
    return plan;
}

GreyRows::GreyRows(const SourceFile& source, GreyPlan plan, Image& image, GapMap* gaps)
    : source_(source), plan_(std::move(plan)), image_(image), gaps_(gaps), needed_(plan_.samples) {
    if (gaps_ == nullptr) {
        plan_.alpha = -1;
        plan_.noData.reset();
    }
    if (plan_.alpha >= 0) {
        needed_.push_back(plan_.alpha);
    }
    channels_.resize(needed_.size());
}

void GreyRows::putInterleaved(std::uint32_t x, std::uint32_t y, std::size_t count, const std::byte* row, int stride) {
    put({x, y, count}, {{&row, 1}, stride, 0});
}

void GreyRows::put(const RowPlace& place, const PackedRows& packed) {
    if (copyPlain(place, packed)) {
        return;
    }
    const bool planes = packed.rows.size() > 1;
    for (std::size_t i = 0; i < needed_.size(); ++i) {
        channels_[i].resize(place.count);
        const auto stride = static_cast<std::size_t>(packed.stride);
        const std::size_t sample = planes || packed.stride == 1 ? 0 : static_cast<std::size_t>(needed_[i]);
        unpackSamples(packed.rows[planes ? i : 0], plan_.bits, packed.skip * stride + sample, stride, place.count,
                      channels_[i].data());
    }
    findGaps(place);
    toLevels(place);
}

bool GreyRows::copyPlain(const RowPlace& place, const PackedRows& packed) noexcept {
    if (packed.stride != 1 || needed_.size() != 1 || plan_.noData || plan_.inverted || !plan_.palette.empty() ||
        plan_.bits != bitsOf(image_.type())) {
        return false;
    }
    const std::size_t bytes = bytesOf(image_.type());
    const std::size_t index = std::size_t{place.y} * image_.width() + place.x;
    std::memcpy(image_.data() + index * bytes, packed.rows[0] + packed.skip * bytes, place.count * bytes);
    return true;
}

void GreyRows::findGaps(const RowPlace& place) {
    if (plan_.alpha < 0 && !plan_.noData) {
        return;
    }
    flags_.assign(place.count, 0);
    for (std::size_t i = 0; i < place.count; ++i) {
        bool gap = plan_.alpha >= 0 && channels_.back()[i] == 0;
        if (plan_.noData) {
            gap = gap || std::all_of(channels_.begin(), channels_.begin() + static_cast<int>(plan_.samples.size()),
                                     [&](const auto& channel) { return channel[i] == *plan_.noData; });
        }
        flags_[i] = gap ? 1 : 0;
    }
    gaps_->add(place, flags_);
}

void GreyRows::toLevels(const RowPlace& place) {
    auto& first = channels_[0];
    const std::size_t count = place.count;
    if (!plan_.palette.empty()) {
        const std::uint16_t largest = *std::max_element(first.begin(), first.end());
        if (largest >= plan_.palette.size()) {
            throw readError(ErrorCode::fileDamaged, source_.path,
                            "row " + std::to_string(place.y) + " uses colour " + std::to_string(largest) +
                                ", the palette ends at " + std::to_string(plan_.palette.size() - 1));
        }
        std::transform(first.begin(), first.end(), first.begin(), [&](std::uint16_t i) { return plan_.palette[i]; });
    } else if (plan_.samples.size() == 3) {
        for (std::size_t i = 0; i < count; ++i) {
            first[i] = luminanceOf(first[i], channels_[1][i], channels_[2][i]);
        }
    } else if (plan_.samples.size() == 4) {
        const std::uint32_t max = (1U << plan_.bits) - 1;
        for (std::size_t i = 0; i < count; ++i) {
            first[i] = luminanceOfInks(first[i], channels_[1][i], channels_[2][i], channels_[3][i], max);
        }
    }
    if (plan_.inverted) {
        const auto largest = static_cast<std::uint16_t>((1U << plan_.bits) - 1);
        std::transform(first.begin(), first.end(), first.begin(),
                       [&](std::uint16_t v) { return static_cast<std::uint16_t>(largest - v); });
    }
    dispatch(image_.type(), [&]<class T>(T) {
        T* out = image_.pixels<T>().data() + std::size_t{place.y} * image_.width() + place.x;
        std::transform(first.begin(), first.end(), out, [](std::uint16_t v) { return static_cast<T>(v); });
    });
}

} // namespace pollard
