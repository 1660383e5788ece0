// Any bytes as an image file of any format: an error in one line, or an image that meets its contract.
#include "memory_file.hpp"
#include "promise.hpp"

#include "base/error.hpp"
#include "io/channels.hpp"
#include "io/volumes/read_volume.hpp"

#include <cstring>
#include <set>
#include <string>
#include <string_view>

namespace {

using namespace pollard;
using fuzz::require;

constexpr std::uint64_t kMaxPixels = 1U << 20;
constexpr std::uint64_t kMaxDecodedBytes = 64U << 20;

/// The last byte of the input, so that the file format is not affected.
ReadOptions optionsFrom(std::uint8_t choice) {
    ReadOptions options;
    options.threads = 1;
    options.limits.maxPixels = kMaxPixels;
    options.limits.maxDecodedBytes = kMaxDecodedBytes;
    options.page = choice & 3U;
    if ((choice & 4U) != 0) {
        options.channel = {ChannelChoice::Kind::sample, 1};
    }
    if ((choice & 8U) != 0) {
        options.region = PixelRegion{1, 1, 5, 3};
    }
    if ((choice & 16U) != 0) {
        options.shrink = 3;
    }
    if ((choice & 32U) != 0) {
        options.level = 1;
    }
    if ((choice & 64U) != 0) {
        options.mapping = {MappingChoice::Range::percentile, 0.01, 0.99};
    }
    if ((choice & 128U) != 0) {
        options.raw = RawLayout{7, 5, RawLayout::SampleType::f32, (choice & 1U) != 0, 1, choice & 7U, 1};
        options.page = 0;
    }
    return options;
}

void check(const LoadedImage& loaded, const ReadOptions& options) {
    require(loaded.image != nullptr, "an image");
    const Image& image = *loaded.image;
    require(image.pixelCount() <= kMaxPixels, "no more pixels than the limit");
    if (options.region && options.shrink == 1) {
        require(image.width() == options.region->width && image.height() == options.region->height,
                "the size of the region");
    }
    require(loaded.info.page == options.page && loaded.info.pages > options.page, "the page that was asked for");
    std::uint64_t invalid = 0;
    if (loaded.valid) {
        require(loaded.valid->width() == image.width() && loaded.valid->height() == image.height(),
                "a mask of the image's size");
        invalid = image.pixelCount() - loaded.valid->count();
        require(invalid > 0, "no mask where every pixel is valid");
    }
    require(loaded.info.invalidPixels == invalid, "the count of invalid pixels");
    if (loaded.info.pixelSize) {
        require(loaded.info.pixelSize->x > 0 && loaded.info.pixelSize->y > 0, "positive sizes of pixels");
    }
    // Touches every byte, so that sanitizers find uninitialised pixels.
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < image.pixelCount(); ++i) {
        sum += image.level(i);
    }
    require(sum <= std::uint64_t{0xffff} * image.pixelCount(), "levels of 16 bits");
}

void read(const std::filesystem::path& path, const ReadOptions& options) {
    try {
        check(readImage(path, options), options);
    } catch (const Error& error) {
        const std::string_view message = error.what();
        require(!message.empty() && message.find('\n') == std::string_view::npos, "an error of one line");
    }
}

void readSlices(const std::filesystem::path& path, ReadOptions options) {
    constexpr int kMostSlices = 32; // may be read twice
    try {
        const int pages = readImageInfo(path, options).pages;
        if (pages < 2 || pages > kMostSlices) {
            return;
        }
        options.shrink = options.shrink > 1 ? 2 : 1;
        if (options.region) {
            options.slices = SliceRange{1, 3};
        }
        const LoadedImage loaded = readVolume(path, options);
        const Image& volume = *loaded.image;
        require(volume.extent().isVolume() && volume.pixelCount() <= kMaxPixels, "a volume within the limit");
        require(!options.slices || volume.extent().slices == (options.shrink == 1 ? 3 : 2), "the slices of the part");
        require(!loaded.valid || fits(*loaded.valid, volume), "a mask of all rows");
        const std::uint64_t invalid = loaded.valid ? volume.pixelCount() - loaded.valid->count() : 0;
        require(loaded.info.invalidPixels == invalid && (invalid > 0) == (loaded.valid != nullptr),
                "the count of invalid voxels");
        std::uint64_t sum = 0;
        for (std::size_t i = 0; i < volume.pixelCount(); ++i) {
            sum += volume.level(i);
        }
        require(sum <= std::uint64_t{0xffff} * volume.pixelCount(), "levels of 16 bits");
    } catch (const Error& error) {
        const std::string_view message = error.what();
        require(!message.empty() && message.find('\n') == std::string_view::npos, "an error of one line");
    }
}

void readAll(const std::filesystem::path& path, const ReadOptions& options) {
    constexpr int kMostChannels = 8; // each is decoded alone, too
    try {
        if (readImageInfo(path, options).samples > kMostChannels) {
            return;
        }
        const ChannelImage read = readChannels(path, options);
        const Image& first = *read.planes.front().image;
        std::set<std::string> names;
        for (const ChannelPlane& plane : read.planes) {
            require(names.insert(plane.channel.name).second, "names that differ");
            require(plane.image->width() == first.width() && plane.image->height() == first.height() &&
                        plane.image->type() == first.type(),
                    "planes of one size and type");
            ReadOptions one = options;
            one.page = plane.channel.page;
            one.channel = {ChannelChoice::Kind::sample, plane.channel.sample};
            const LoadedImage alone = readImage(path, one);
            check(alone, one);
            require(std::memcmp(alone.image->data(), plane.image->data(), first.bytes()) == 0 &&
                        (alone.valid == nullptr) == (plane.valid == nullptr),
                    "the pixels of the channel alone");
        }
    } catch (const Error& error) {
        const std::string_view message = error.what();
        require(!message.empty() && message.find('\n') == std::string_view::npos, "an error of one line");
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
#ifdef POLLARD_FUZZ_FOLDER
    static fuzz::FolderFile file; // GDAL reads none in memory
#else
    static fuzz::MemoryFile file;
#endif
    if (size == 0) {
        return 0;
    }
    const ReadOptions options = optionsFrom(data[size - 1]);
    file.assign(data, size - 1);
    if ((data[size - 1] & 68U) == 68U) {
        readAll(file.path(), options);
    } else {
        read(file.path(), options);
        readSlices(file.path(), options);
    }
    try {
        (void)readImageInfo(file.path(), options);
    } catch (const Error&) { // checked in read()
    }
    return 0;
}
