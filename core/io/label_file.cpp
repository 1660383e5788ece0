#include "io/label_file.hpp"

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"
#include "image/value_mapping.hpp"
#include "io/read_support.hpp"
#include "io/volumes/read_volume.hpp"
#include "io/write/atomic_file.hpp"

#include <atomic>
#include <cstddef>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace pollard {
namespace {

[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& why) {
    throw readError(ErrorCode::formatUnsupported, path, "is no label image: " + why);
}

void requireLabels(const std::filesystem::path& path, const ImageInfo& info) {
    if (info.samples != 1) {
        refuse(path, "it has " + std::to_string(info.samples) + " samples per pixel");
    }
    if (!info.photometric.empty() && info.photometric != "MinIsBlack") {
        refuse(path, "its numbers are colours or densities (" + info.photometric + ')');
    }
}

/// The label that a sample states; nothing if it is none.
template <class Sample> std::optional<std::uint32_t> labelIn(Sample sample) {
    constexpr auto kMost = std::numeric_limits<std::uint32_t>::max();
    if constexpr (std::is_floating_point_v<Sample>) {
        if (!(sample >= 0 && static_cast<double>(sample) <= kMost)) {
            return std::nullopt;
        }
        const auto label = static_cast<std::uint32_t>(sample);
        return static_cast<Sample>(label) == sample ? std::optional(label) : std::nullopt;
    } else {
        const bool fits = std::cmp_greater_equal(sample, 0) && std::cmp_less_equal(sample, kMost);
        return fits ? std::optional(static_cast<std::uint32_t>(sample)) : std::nullopt;
    }
}

/// Fills the labels of pixels with data. @param sampleAt sample of a pixel
template <class SampleAt> void fillLabels(const std::filesystem::path& path, const LoadedImage& loaded,
                                          std::span<std::uint32_t> labels, const JobControl& control,
                                          const SampleAt& sampleAt) {
    constexpr std::size_t kRows = 64;
    const std::uint32_t width = loaded.image->width();
    std::atomic<std::size_t> wrong = labels.size();
    forEachIndex(
        loaded.image->extent().rows(), control,
        [&](std::size_t y) {
            for (std::uint32_t x = 0; x != width; ++x) {
                const std::size_t i = y * width + x;
                const bool hasData = !loaded.valid || loaded.valid->test(x, static_cast<std::uint32_t>(y));
                const std::optional<std::uint32_t> label = hasData ? labelIn(sampleAt(i)) : 0;
                if (!label) {
                    wrong.store(i, std::memory_order_relaxed);
                }
                labels[i] = label.value_or(0);
            }
        },
        kRows);
    if (wrong != labels.size()) {
        refuse(path, "it has the value " + exactNumber(static_cast<double>(sampleAt(wrong))));
    }
}

} // namespace

void requireLabels(const std::filesystem::path& path, const ReadOptions& options) {
    requireLabels(path, readImageInfo(path, options));
}

StoredLabels readLabels(const std::filesystem::path& path, ReadOptions options, bool isVolume,
                        const JobControl& control) {
    options.keepSamples = true;
    const LoadedImage loaded = isVolume ? readVolume(path, options, control) : readImage(path, options, control);
    requireLabels(path, loaded.info);
    const Image& image = *loaded.image;
    StoredLabels result{image.extent(), Buffer<std::uint32_t>(image.pixelCount()), loaded.info};
    const auto fill = [&](const auto& sampleAt) { fillLabels(path, loaded, result.labels.span(), control, sampleAt); };
    if (loaded.samples) {
        dispatch(loaded.samples->type, [&]<class Sample>(Sample) {
            const std::byte* const samples = loaded.samples->samples.data();
            fill([samples](std::size_t i) {
                Sample sample{};
                std::memcpy(&sample, samples + i * sizeof(Sample), sizeof(Sample));
                return sample;
            });
        });
        return result;
    }
    dispatch(image.type(), [&]<class Pixel>(Pixel) {
        const std::span<const Pixel> levels = image.pixels<Pixel>();
        if (!loaded.info.mapping) {
            fill([levels](std::size_t i) { return levels[i]; });
            return;
        }
        const ValueMapping& mapping = *loaded.info.mapping;
        dispatch(mapping.file.type, [&]<class Sample>(Sample) {
            fill([&mapping, levels](std::size_t i) {
                const std::uint64_t bits = mapping.sampleOf(levels[i]);
                Sample sample{};
                std::memcpy(&sample, &bits, sizeof(Sample));
                return sample;
            });
        });
    });
    return result;
}

std::filesystem::path labelFileOf(const std::string& name, const std::filesystem::path& image) {
    constexpr std::string_view kStem = "{stem}";
    const std::string file = image.filename().string();
    const std::string stem = file.substr(0, file.size() - knownEnding(image).size());
    std::string filled = name;
    for (std::size_t at = 0; (at = filled.find(kStem, at)) != std::string::npos; at += stem.size()) {
        filled.replace(at, kStem.size(), stem);
    }
    return image.parent_path() / filled;
}

LabelSource labelsBeside(const std::filesystem::path& image, const ReadOptions& part) {
    ReadOptions read;
    read.page = part.page;
    read.level = part.level;
    read.region = part.region;
    read.slices = part.slices;
    read.threads = part.threads;
    read.limits = part.limits;
    return [image, read](const std::string& name, const Extent& extent, bool isVolume, const JobControl& control) {
        const std::filesystem::path path = labelFileOf(name, image);
        ReadOptions own = read;
        if (read.page != 0 && readImageInfo(path).pages == 1) {
            own.page = 0;
        }
        auto stored = std::make_shared<const StoredLabels>(readLabels(path, own, isVolume, control));
        if (stored->extent != extent) {
            throw Error(ErrorCode::invalidArgument, "labels: " + path.string() + ": has " + text(stored->extent) +
                                                        ", the image has " + text(extent));
        }
        return stored;
    };
}

} // namespace pollard
