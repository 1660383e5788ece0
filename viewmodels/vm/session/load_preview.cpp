#include "vm/session/load_preview.hpp"

#include "vm/image/level_histogram.hpp"
#include "vm/tree/attribute_analysis.hpp"

#include "base/error.hpp"
#include "io/image_file.hpp"
#include "io/volumes/read_volume.hpp"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QMetaObject>
#include <QTemporaryDir>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
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
    QImage drawn;
    if (image.extent().isVolume()) {
        const SlicePages pages = slicePages(info);
        const int first = static_cast<int>(options.slices ? options.slices->first : 0);
        const int slice = ((options.page - pages.first) / pages.stride - first) / options.shrink;
        const int last = static_cast<int>(image.extent().slices) - 1;
        drawn = greyThumbnail(sliceOf(image, static_cast<std::uint32_t>(std::clamp(slice, 0, last))), kLongestSide);
    } else {
        drawn = greyThumbnail(image, kLongestSide);
    }
    QMetaObject::invokeMethod(
        this, [this, drawn = std::move(drawn)] { emit read(drawn); }, Qt::QueuedConnection);
}

namespace {

/// @param copies a folder on disk: the readers do not open the program's resources
QImage thumbnailOf(const QString& path, const QDir& copies, int longestSide) {
    const QString copy = copies.filePath(QFileInfo(path).fileName());
    try {
        if (!QFile::copy(path, copy)) {
            return {};
        }
        const std::filesystem::path file = QFileInfo(copy).filesystemFilePath();
        ReadOptions middle; // of a volume
        middle.page = readImageInfo(file).pages / 2;
        return greyThumbnail(*readImage(file, middle).image, longestSide);
    } catch (const Error&) {
        return {};
    }
}

} // namespace

SampleList::SampleList(QString folder, QObject* parent) : QObject(parent), folder_(std::move(folder)) {}

QList<SampleList::Sample> SampleList::all() {
    return {
        {QStringLiteral("coins_384x303_u8.tif"), tr("Coins"), tr("Count and measure")},
        {QStringLiteral("cells_uneven_384_u16.tif"), tr("Cells"), tr("Remove uneven light")},
        {QStringLiteral("nuts_and_screws_480x360_u8.tif"), tr("Nuts and screws"), tr("Select by shape")},
        {QStringLiteral("retina_vessels_480x360_u8.tif"), tr("Retina"), tr("Find long structures")},
        {QStringLiteral("deep_field_400_u8.tif"), tr("Deep field"), tr("Find faint sources")},
        {QStringLiteral("city_lights_400x300_u16.tif"), tr("City lights"), tr("Find small bright spots")},
        {QStringLiteral("page_480x320_u8.tif"), tr("Page"), tr("Extract text")},
        {QStringLiteral("cell_phase_300_u8.tif"), tr("Cell"), tr("Outline an object")},
        {QStringLiteral("head_mri_128x96x24_u16.tif"), tr("Head"), tr("Filter a volume")},
    };
}

void SampleList::makeThumbnails(int longestSide) {
    made_.compute([folder = folder_, samples = all(), longestSide](const std::stop_token& stop) {
        std::vector<QImage> images;
        const QTemporaryDir copies;
        for (const Sample& sample : samples) {
            if (!stop.stop_requested()) {
                images.push_back(thumbnailOf(QDir(folder).filePath(sample.file), QDir(copies.path()), longestSide));
            }
        }
        return images;
    });
}

const std::vector<QImage>& SampleList::thumbnails() const {
    static const std::vector<QImage> kNone;
    return made_.value() ? *made_.value() : kNone;
}

} // namespace pollard::vm
