#include "vm/session/early_picture.hpp"

#include "vm/picture/level_histogram.hpp"
#include "vm/tree/profile_thumbnails.hpp"

#include "io/image_file.hpp"

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

void EarlyPicture::watch(DocumentServices& services) {
    services.read = [this, inner = std::move(services.read)](const std::filesystem::path& path,
                                                             const ReadOptions& options, const JobControl& control) {
        LoadedImage loaded = inner(path, options, control);
        if (loaded.image->pixelCount() > kSmall) {
            QMetaObject::invokeMethod(
                this, [this, picture = greyThumbnail(*loaded.image, kLongestSide)] { emit read(picture); },
                Qt::QueuedConnection);
        }
        return loaded;
    };
}

} // namespace pollard::vm
