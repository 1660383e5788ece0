#include "io/samples/row_sink.hpp"

#include "io/metadata/channel_facts.hpp"
#include "io/read_support.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>

namespace pollard {

RowSinkGroup::RowSinkGroup(std::vector<std::unique_ptr<RowSink>> sinks) : sinks_(std::move(sinks)) {
    for (const auto& sink : sinks_) {
        samples_.insert(samples_.end(), sink->samples().begin(), sink->samples().end());
    }
}

void RowSinkGroup::put(const RowPlace& place, const PackedRows& packed) {
    for (const auto& sink : sinks_) {
        sink->put(place, packed);
    }
}

void GapMap::clear(std::uint32_t first, std::size_t last, std::uint32_t y) {
    if (!mask_) {
        mask_ = std::make_shared<Mask>(width_, height_, true);
    }
    mask_->setRun(first, static_cast<std::uint32_t>(last), y, false);
}

void GapMap::add(const RowPlace& place) {
    const std::scoped_lock lock(mutex_); // neighbours in a row share words
    clear(place.x, place.x + place.count, place.y);
}

void GapMap::add(const RowPlace& place, std::span<const std::uint8_t> flags) {
    auto first = std::find_if(flags.begin(), flags.end(), [](std::uint8_t flag) { return flag != 0; });
    if (first == flags.end()) {
        return;
    }
    const std::scoped_lock lock(mutex_);
    while (first != flags.end()) {
        const auto last = std::find(first, flags.end(), std::uint8_t{0});
        clear(place.x + static_cast<std::uint32_t>(first - flags.begin()),
              place.x + static_cast<std::size_t>(last - flags.begin()), place.y);
        first = std::find_if(last, flags.end(), [](std::uint8_t flag) { return flag != 0; });
    }
}

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

namespace {

float fromParts(bool negative, std::uint32_t exponent, std::uint32_t largestExponent, int bias, std::uint32_t fraction,
                int fractionBits) {
    float magnitude = 0;
    if (exponent == largestExponent) {
        magnitude = fraction == 0 ? std::numeric_limits<float>::infinity() : std::numeric_limits<float>::quiet_NaN();
    } else {
        const std::uint32_t significand = exponent == 0 ? fraction : fraction | 1U << fractionBits;
        const int power = static_cast<int>(std::max(exponent, 1U)) - bias - fractionBits;
        magnitude = std::ldexp(static_cast<float>(significand), power);
    }
    return negative ? -magnitude : magnitude;
}

/// Bits of sample @p index of a packed row.
std::uint64_t packedBits(const std::byte* row, unsigned bits, std::size_t index) noexcept {
    const std::size_t begin = index * bits;
    std::uint64_t word = 0;
    for (std::size_t bit = begin; bit < begin + bits;) {
        const auto inByte = static_cast<unsigned>(bit % 8);
        const auto take = static_cast<unsigned>(std::min<std::size_t>(8 - inByte, begin + bits - bit));
        const unsigned byte = std::to_integer<unsigned>(row[bit / 8]);
        word = word << take | (byte >> (8 - inByte - take) & ((1U << take) - 1));
        bit += take;
    }
    return word;
}

/// Three bytes in host order.
std::uint32_t threeBytes(const std::byte* bytes) noexcept {
    const auto at = [&](int i) {
        return std::to_integer<std::uint32_t>(bytes[std::endian::native == std::endian::little ? i : 2 - i]);
    };
    return at(0) | at(1) << 8 | at(2) << 16;
}

/// Two bytes in host order.
std::uint16_t twoBytes(const std::byte* bytes) noexcept {
    std::uint16_t word = 0;
    std::memcpy(&word, bytes, sizeof word);
    return word;
}

/// Sample @p index of a row.
template <class T> T sampleAt(const std::byte* row, SampleKind kind, int bits, std::size_t index) noexcept {
    if (static_cast<std::size_t>(bits) == 8 * sizeof(T)) {
        T value;
        std::memcpy(&value, row + index * sizeof(T), sizeof(T));
        return value;
    }
    if constexpr (std::is_floating_point_v<T>) {
        if (bits == 16) {
            return floatFromHalf(twoBytes(row + 2 * index));
        }
        return floatFrom24Bits(threeBytes(row + 3 * index));
    } else {
        const std::uint64_t word = bits == 16   ? twoBytes(row + 2 * index)
                                   : bits == 24 ? threeBytes(row + 3 * index)
                                                : packedBits(row, static_cast<unsigned>(bits), index);
        const int unused = 64 - bits;
        // Shifting left and back extends the sign.
        return kind == SampleKind::signedInteger ? static_cast<T>(static_cast<std::int64_t>(word << unused) >> unused)
                                                 : static_cast<T>(word);
    }
}

constexpr std::array<int, 3> kWeights = {2126, 7152, 722};
constexpr int kWeightSum = 10000;

template <class T> T luminance(const std::array<T, 3>& rgb) noexcept {
    if constexpr (std::is_floating_point_v<T>) {
        double sum = 0;
        for (std::size_t i = 0; i < 3; ++i) {
            sum += kWeights[i] * 1e-4 * static_cast<double>(rgb[i]);
        }
        return static_cast<T>(sum);
    } else {
        // Splits values into quotients and remainders by the sum of the weights, so that 64-bit values do not overflow.
        T whole = 0;
        std::int64_t rest = kWeightSum / 2;
        for (std::size_t i = 0; i < 3; ++i) {
            T quotient = 0;
            auto remainder = static_cast<std::int64_t>(+rgb[i]);
            if constexpr (sizeof(T) >= sizeof(std::int32_t)) {
                quotient = rgb[i] / static_cast<T>(kWeightSum);
                remainder = static_cast<std::int64_t>(rgb[i] % static_cast<T>(kWeightSum));
            }
            whole = static_cast<T>(whole + quotient * static_cast<T>(kWeights[i]));
            rest += remainder * kWeights[i];
        }
        const std::int64_t down = rest >= 0 ? rest / kWeightSum : -((kWeightSum - 1 - rest) / kWeightSum);
        return static_cast<T>(whole + static_cast<T>(down));
    }
}

/// Zero in any representation.
bool isZero(const std::byte* row, const ValuePlan& plan, std::size_t index) noexcept {
    if (plan.kind == SampleKind::real && plan.bits == 64) {
        return sampleAt<double>(row, plan.kind, plan.bits, index) == 0;
    }
    if (plan.kind == SampleKind::real) {
        return sampleAt<float>(row, plan.kind, plan.bits, index) == 0;
    }
    return sampleAt<std::uint64_t>(row, SampleKind::unsignedInteger, plan.bits, index) == 0;
}

} // namespace

float floatFromHalf(std::uint16_t bits) noexcept {
    return fromParts((bits & 0x8000U) != 0, bits >> 10 & 0x1fU, 0x1f, 15, bits & 0x3ffU, 10);
}

float floatFrom24Bits(std::uint32_t bits) noexcept {
    return fromParts((bits & 0x800000U) != 0, bits >> 16 & 0x7fU, 0x7f, 63, bits & 0xffffU, 16);
}

ValueType ValuePlan::type() const noexcept {
    if (kind == SampleKind::real) {
        return bits > 32 ? ValueType::f64 : ValueType::f32;
    }
    const bool isSigned = kind == SampleKind::signedInteger;
    if (bits > 32) {
        return isSigned ? ValueType::i64 : ValueType::u64;
    }
    if (bits > 16 || !isSigned) {
        return isSigned ? ValueType::i32 : ValueType::u32;
    }
    return bits > 8 ? ValueType::i16 : ValueType::i8;
}

ValueType ValuePlan::stored() const noexcept {
    if (kind != SampleKind::unsignedInteger || bits > 16) {
        return type();
    }
    return bits > 8 ? ValueType::u16 : ValueType::u8;
}

ValueRows::ValueRows(ValuePlan plan, ValueBuffer& values, GapMap& gaps)
    : plan_(std::move(plan)), values_(values), gaps_(gaps), needed_(plan_.samples) {
    if (plan_.alpha >= 0) {
        needed_.push_back(plan_.alpha);
    }
}

void ValueRows::put(const RowPlace& place, const PackedRows& packed) {
    dispatch(values_.grid().type, [&]<class T>(T) { putValues<T>(place, packed); });
    if (plan_.alpha >= 0) {
        findTransparent(place, packed);
    }
}

template <class T> void ValueRows::putValues(const RowPlace& place, const PackedRows& packed) {
    const bool planes = packed.rows.size() > 1;
    const auto stride = static_cast<std::size_t>(packed.stride);
    const auto indexOf = [&](std::size_t channel) {
        const std::size_t sample = planes || stride == 1 ? 0 : static_cast<std::size_t>(needed_[channel]);
        return packed.skip * stride + sample;
    };
    T* out = values_.at<T>(place.x, place.y);
    if (plan_.samples.size() == 1) {
        const std::size_t first = indexOf(0);
        if (stride == 1 && static_cast<std::size_t>(plan_.bits) == 8 * sizeof(T)) {
            std::memcpy(out, packed.rows[0] + first * sizeof(T), place.count * sizeof(T));
            return;
        }
        for (std::size_t i = 0; i < place.count; ++i) {
            out[i] = sampleAt<T>(packed.rows[0], plan_.kind, plan_.bits, first + i * stride);
        }
        return;
    }
    const std::optional<T> noData = plan_.noData ? sampleOf<T>(*plan_.noData) : std::nullopt;
    flags_.assign(place.count, 0);
    for (std::size_t i = 0; i < place.count; ++i) {
        std::array<T, 3> rgb{};
        for (std::size_t c = 0; c < 3; ++c) {
            rgb[c] = sampleAt<T>(packed.rows[planes ? c : 0], plan_.kind, plan_.bits, indexOf(c) + i * stride);
        }
        out[i] = luminance(rgb);
        const bool isGap = noData && std::ranges::all_of(rgb, [&](T value) { return isNoData(value, *noData); });
        flags_[i] = isGap ? 1 : 0;
    }
    gaps_.add(place, flags_);
}

void ValueRows::findTransparent(const RowPlace& place, const PackedRows& packed) {
    const bool planes = packed.rows.size() > 1;
    const auto stride = static_cast<std::size_t>(packed.stride);
    const std::size_t first = packed.skip * stride + (planes ? 0 : static_cast<std::size_t>(plan_.alpha));
    flags_.assign(place.count, 0);
    for (std::size_t i = 0; i < place.count; ++i) {
        flags_[i] = isZero(packed.rows[planes ? needed_.size() - 1 : 0], plan_, first + i * stride) ? 1 : 0;
    }
    gaps_.add(place, flags_);
}

} // namespace pollard
