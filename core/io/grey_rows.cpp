#include "io/grey_rows.hpp"

#include "io/read_support.hpp"
#include "io/sample_unpack.hpp"

#include <algorithm>
#include <cstring>

namespace pollard {

namespace {

std::string sampleName(int sample, int colourSamples) {
    constexpr const char* kNames[] = {"red", "green", "blue"};
    return colourSamples == 3 && sample < 3 ? kNames[sample] : "sample " + std::to_string(sample);
}

Error noSuchChannel(const SourceFile& source, int sample, int samples) {
    return readError(ErrorCode::invalidArgument, source.path,
                     "channel " + std::to_string(sample) + " does not exist, the image has channels 0 to " +
                         std::to_string(samples - 1));
}

} // namespace

GreyPlan GreyPlan::forSamples(const SourceFile& source, const ChannelChoice& choice, int bits, int colourSamples,
                              int samples, bool alpha, std::vector<std::string>& notes) {
    GreyPlan plan;
    plan.bits = bits;
    plan.type = bits > 8 ? PixelType::u16 : PixelType::u8;
    if (choice.kind == ChannelChoice::Kind::sample) {
        if (choice.sample >= samples) {
            throw noSuchChannel(source, choice.sample, samples);
        }
        plan.samples = {choice.sample};
        if (samples > 1) {
            notes.push_back("shown: " + sampleName(choice.sample, colourSamples) + " of " + std::to_string(samples) +
                            " samples");
        }
        return plan;
    }
    if (colourSamples == 3) {
        plan.samples = {0, 1, 2};
        notes.emplace_back("shown as luminance of RGB");
    } else {
        plan.samples = {0};
    }
    const int further = samples - colourSamples;
    if (further == 1) {
        notes.emplace_back(alpha ? "alpha ignored" : "1 further sample ignored");
    } else if (further > 1) {
        notes.push_back(std::to_string(further) + " further samples ignored" + (alpha ? ", alpha among them" : ""));
    }
    return plan;
}

GreyPlan GreyPlan::forPalette(const SourceFile& source, const ChannelChoice& choice, int bits, PixelType type,
                              const std::vector<std::array<std::uint16_t, 3>>& colours,
                              std::vector<std::string>& notes) {
    const bool luminance = choice.kind == ChannelChoice::Kind::luminance;
    if (!luminance && choice.sample > 2) {
        throw noSuchChannel(source, choice.sample, 3);
    }
    GreyPlan plan;
    plan.samples = {0};
    plan.bits = bits;
    plan.type = type;
    plan.palette.reserve(colours.size());
    for (const auto& colour : colours) {
        plan.palette.push_back(luminance ? luminanceOf(colour[0], colour[1], colour[2])
                                         : colour[static_cast<std::size_t>(choice.sample)]);
    }
    notes.push_back("shown as " + (luminance ? "luminance" : sampleName(choice.sample, 3)) + " of the palette");
    return plan;
}

GreyRows::GreyRows(const SourceFile& source, GreyPlan plan, Image& image)
    : source_(source), plan_(std::move(plan)), image_(image) {}

void GreyRows::putInterleaved(std::uint32_t x, std::uint32_t y, std::size_t count, const std::byte* row, int stride) {
    if (stride == 1 && copyPlain(x, y, count, row)) {
        return;
    }
    for (std::size_t i = 0; i < plan_.samples.size(); ++i) {
        channels_[i].resize(count);
        unpackSamples(row, plan_.bits, static_cast<std::size_t>(plan_.samples[i]), static_cast<std::size_t>(stride),
                      count, channels_[i].data());
    }
    put(x, y, count);
}

void GreyRows::putPlanes(std::uint32_t x, std::uint32_t y, std::size_t count,
                         const std::vector<const std::byte*>& rows) {
    if (rows.size() == 1 && copyPlain(x, y, count, rows[0])) {
        return;
    }
    for (std::size_t i = 0; i < plan_.samples.size(); ++i) {
        channels_[i].resize(count);
        unpackSamples(rows[i], plan_.bits, 0, 1, count, channels_[i].data());
    }
    put(x, y, count);
}

bool GreyRows::copyPlain(std::uint32_t x, std::uint32_t y, std::size_t count, const std::byte* row) noexcept {
    if (plan_.samples.size() != 1 || plan_.inverted || !plan_.palette.empty() || plan_.bits != bitsOf(image_.type())) {
        return false;
    }
    const std::size_t bytes = bytesOf(image_.type());
    const std::size_t index = std::size_t{y} * image_.width() + x;
    std::memcpy(image_.data() + index * bytes, row, count * bytes);
    return true;
}

void GreyRows::put(std::uint32_t x, std::uint32_t y, std::size_t count) {
    auto& first = channels_[0];
    if (!plan_.palette.empty()) {
        const std::uint16_t largest = *std::max_element(first.begin(), first.end());
        if (largest >= plan_.palette.size()) {
            throw readError(ErrorCode::fileDamaged, source_.path,
                            "row " + std::to_string(y) + " uses colour " + std::to_string(largest) +
                                ", the palette ends at " + std::to_string(plan_.palette.size() - 1));
        }
        std::transform(first.begin(), first.end(), first.begin(), [&](std::uint16_t i) { return plan_.palette[i]; });
    } else if (plan_.samples.size() == 3) {
        for (std::size_t i = 0; i < count; ++i) {
            first[i] = luminanceOf(first[i], channels_[1][i], channels_[2][i]);
        }
    }
    if (plan_.inverted) {
        const auto largest = static_cast<std::uint16_t>((1U << plan_.bits) - 1);
        std::transform(first.begin(), first.end(), first.begin(),
                       [&](std::uint16_t v) { return static_cast<std::uint16_t>(largest - v); });
    }
    dispatch(image_.type(), [&]<class T>(T) {
        T* out = image_.pixels<T>().data() + std::size_t{y} * image_.width() + x;
        std::transform(first.begin(), first.end(), out, [](std::uint16_t v) { return static_cast<T>(v); });
    });
}

} // namespace pollard
