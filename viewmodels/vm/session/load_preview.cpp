#include "vm/session/load_preview.hpp"

#include "vm/image/level_histogram.hpp"
#include "vm/tree/profile_thumbnails.hpp"

#include "io/image_file.hpp"
#include "io/volumes/read_volume.hpp"

#include <QMetaObject>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace pollard::vm {
namespace {

constexpr std::size_t kSmall = std::size_t{1} << 20; ///< pixels

} // namespace

QImage greyThumbnail(const Image& image, int longestSide) {
    constexpr double kWhite = 255;
    const auto small = makeThumbnail(image, static_cast<std::uint32_t>(longestSide));
    const LevelWindow window = autoWindow(countLevels(*small));
    QImage grey(static_cast<int>(small->width()), static_cast<int>(small->height()), QImage::Format_Grayscale8);
    std::size_t pixel = 0;
    for (int y = 0; y < grey.height(); ++y) {
        uchar* line = grey.scanLine(y);
        for (int x = 0; x < grey.width(); ++x) {
            const double share = (small->level(pixel++) - window.low) / (window.high - window.low);
            line[x] = static_cast<uchar>(std::lround(kWhite * std::clamp(share, 0.0, 1.0)));
        }
    }
    return grey;
}

void LoadPreview::watch(DocumentServices& services) {
    const auto watched = [this](auto inner) {
        return [this, inner = std::move(inner)](const std::filesystem::path& path, const ReadOptions& options,
                                                const JobControl& control) {
            LoadedImage loaded = inner(path, options, control);
            if (loaded.image->pixelCount() > kSmall) {
                show(*loaded.image, loaded.info, options);
            }
            return loaded;
        };
    };
    services.read = watched(std::move(services.read));
    if (services.readVolume) {
        services.readVolume = watched(std::move(services.readVolume));
    }
}

void LoadPreview::show(const Image& image, const ImageInfo& info, const ReadOptions& options) {
    QImage picture;
    if (image.extent().isVolume()) {
        const SlicePages pages = slicePages(info);
        const int first = static_cast<int>(options.slices ? options.slices->first : 0);
        const int slice = ((options.page - pages.first) / pages.stride - first) / options.shrink;
        const int last = static_cast<int>(image.extent().slices) - 1;
        picture = greyThumbnail(sliceOf(image, static_cast<std::uint32_t>(std::clamp(slice, 0, last))), kLongestSide);
    } else {
        picture = greyThumbnail(image, kLongestSide);
    }
    QMetaObject::invokeMethod(
        this, [this, picture = std::move(picture)] { emit read(picture); }, Qt::QueuedConnection);
}

} // namespace pollard::vm
