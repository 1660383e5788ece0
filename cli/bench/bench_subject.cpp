#include "bench/bench_subject.hpp"

#include "options/image_argument.hpp"
#include "progress_line.hpp"

#include <algorithm>

namespace pollard::cli {

namespace {

bool isColour(const ImageInfo& info) {
    return info.photometric == "RGB" || info.photometric == "YCbCr" || info.photometric == "Palette";
}

/// Reads the luminance of a colour image in 16 bits.
BenchSubject loadLuminance(const ImageOptions& options, const LoadedImage& grey, const Context& context,
                           ProgressLine& progress) {
    const ImageArgument argument = parseImageArgument(options.image);
    const auto read = [&](int sample) {
        ReadOptions channel;
        channel.page = argument.page;
        channel.channel = {ChannelChoice::Kind::sample, sample};
        return readImage(argument.path, channel, progress.control("reading", context.stop)).image;
    };
    // More than 8 bits give a 16-bit luminance already; fewer have no fraction worth keeping.
    const bool eightBits =
        grey.image->type() == PixelType::u8 && (grey.info.bits == 8 || grey.info.photometric == "Palette");
    auto image = eightBits ? wideLuminance(*read(0), *read(1), *read(2)) : grey.image;
    progress.clear();
    return {options.image, std::move(image), true, {}, {}};
}

} // namespace

std::shared_ptr<const Image> wideLuminance(const Image& red, const Image& green, const Image& blue) {
    auto image = std::make_shared<Image>(PixelType::u16, red.width(), red.height());
    const auto r = red.pixels<std::uint8_t>();
    const auto g = green.pixels<std::uint8_t>();
    const auto b = blue.pixels<std::uint8_t>();
    const auto out = image->pixels<std::uint16_t>();
    for (std::size_t i = 0; i < out.size(); ++i) {
        const std::uint32_t weighted = 2126U * r[i] + 7152U * g[i] + 722U * b[i]; // at most 255 * 10000
        out[i] = static_cast<std::uint16_t>((257U * weighted + 5000U) / 10000U);
    }
    return image;
}

std::vector<BenchSubject> loadSubjects(const BenchOptions& options, const Context& context, ProgressLine& progress) {
    std::vector<BenchSubject> subjects;
    for (const std::string& name : options.images) {
        ImageOptions image;
        image.image = name;
        image.channel = options.channel;
        image.volume = options.volume;
        const LoadedImage loaded = loadImage(image, context, progress);
        if (options.channel == "luminance" && isColour(loaded.info) && !options.volume) {
            subjects.push_back(loadLuminance(image, loaded, context, progress));
        } else {
            subjects.push_back({name, loaded.image, false, {}, {}});
        }
    }
    if (!subjects.empty()) {
        return subjects;
    }
    for (const ImageSize size : parseSizes(options.sizes)) {
        const std::string text = std::to_string(size.width) + "x" + std::to_string(size.height);
        for (const TestImage picture : {TestImage::smoothNoise, TestImage::noise, TestImage::ramp}) {
            subjects.push_back({std::string(nameOf(picture)) + " " + text, nullptr, false, picture, size});
        }
    }
    return subjects;
}

BenchImage atDepth(const BenchSubject& subject, PixelType type) {
    if (!subject.image) {
        return {makePicture(subject.picture, type, subject.size.width, subject.size.height), "none"};
    }
    std::string conversion = "none";
    if (subject.image->type() != type) {
        conversion = type == PixelType::u16 ? "value * 257"
                     : subject.luminance    ? "high byte of luminance"
                                            : "high byte";
    } else if (subject.luminance) {
        conversion = "luminance";
    }
    return {convertDepth(subject.image, type), std::move(conversion)};
}

std::shared_ptr<const Image> turned(const Image& image) {
    auto copy = std::make_shared<Image>(image.type(), image.extent());
    dispatch(image.type(),
             [&]<class T>(T) { std::ranges::reverse_copy(image.pixels<T>(), copy->pixels<T>().begin()); });
    return copy;
}

} // namespace pollard::cli
