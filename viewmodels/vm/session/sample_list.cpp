#include "vm/session/sample_list.hpp"

#include "vm/session/load_preview.hpp"

#include "base/error.hpp"
#include "io/image_file.hpp"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>

#include <filesystem>
#include <utility>

namespace pollard::vm {
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
        std::vector<QImage> pictures;
        const QTemporaryDir copies;
        for (const Sample& sample : samples) {
            if (!stop.stop_requested()) {
                pictures.push_back(thumbnailOf(QDir(folder).filePath(sample.file), QDir(copies.path()), longestSide));
            }
        }
        return pictures;
    });
}

const std::vector<QImage>& SampleList::thumbnails() const {
    static const std::vector<QImage> kNone;
    return made_.value() ? *made_.value() : kNone;
}

} // namespace pollard::vm
