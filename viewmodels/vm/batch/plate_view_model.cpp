#include "vm/batch/plate_view_model.hpp"

#include "vm/base/change.hpp"
#include "vm/document/document_view_model.hpp"

#include "base/error.hpp"
#include "batch/input_files.hpp"
#include "formats/dicom/dicom_series.hpp"
#include "image/image.hpp"
#include "io/image_file.hpp"

#include <QFileInfo>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <memory>
#include <system_error>
#include <utility>

namespace pollard::vm {

namespace fs = std::filesystem;

std::vector<FolderEntry> entriesAmong(std::span<const fs::path> places, const JobControl& control) {
    std::vector<fs::path> found;
    for (const fs::path& place : places) {
        std::error_code gone;
        if (fs::is_directory(place, gone) && !isZarrFolder(place)) {
            std::ranges::move(filesUnder(place, control), std::back_inserter(found));
        } else {
            found.push_back(place);
        }
    }
    const auto isPlace = [&](const fs::path& file) { return std::ranges::find(places, file) != places.end(); };
    std::vector<fs::path> slices;
    std::vector<FolderEntry> files;
    std::vector<FolderEntry> hierarchies;
    for (const fs::path& file : found) {
        control.throwIfStopped();
        FolderEntry entry{.file = file, .name = file.filename().string()};
        if (isZarrFolder(file)) {
            entry.images = imagesListedBy(file).paths.size();
            hierarchies.push_back(std::move(entry));
        } else if (hasDicomMark(file)) {
            slices.push_back(file);
        } else if (isImageName(file) && (file.extension() != ".zip" || isPlace(file))) { // few archives are images
            std::error_code gone;
            const std::uintmax_t bytes = fs::file_size(file, gone);
            entry.files = 1;
            entry.bytes = gone ? 0 : bytes;
            files.push_back(std::move(entry));
        }
    }
    std::vector<FolderEntry> entries = std::move(hierarchies);
    for (DicomSeries& each : dicomSeriesAmong(slices, control)) {
        entries.push_back({each.file, std::move(each.name), std::move(each.description), 0, each.files, each.width,
                           each.height, each.slices, each.bytes});
    }
    std::ranges::move(files, std::back_inserter(entries));
    return entries;
}

SeriesList::SeriesList(const QStringList& places, QObject* parent) : QObject(parent) {
    std::vector<fs::path> paths;
    for (const QString& place : places) {
        paths.push_back(QFileInfo(place).filesystemFilePath());
    }
    found_.begin(nullptr);
    found_.compute(
        [paths = std::move(paths)](const std::stop_token& stop) { return entriesAmong(paths, JobControl(stop)); });
}

const std::vector<FolderEntry>& SeriesList::entries() const noexcept {
    static const std::vector<FolderEntry> kNone;
    return found_.value() ? *found_.value() : kNone;
}

namespace {

constexpr std::uint32_t kThumbnailSide = 64; ///< px

using Levels = std::pair<std::uint16_t, std::uint16_t>;
using Small = std::shared_ptr<const Image>;

/// The levels below which 1 % and 99.5 % of the pixels lie.
Levels windowOf(const Image& image) {
    std::vector<std::uint16_t> levels(image.pixelCount());
    for (std::size_t i = 0; i < levels.size(); ++i) {
        levels[i] = image.level(i);
    }
    std::ranges::sort(levels);
    const std::size_t last = levels.size() - 1;
    return {levels[last / 100], levels[last - last / 200]};
}

QImage imageOf(const Image& image, Levels window) {
    QImage drawn(static_cast<int>(image.width()), static_cast<int>(image.height()), QImage::Format_Grayscale8);
    const double scale = 255.0 / std::max(1, window.second - window.first);
    for (int y = 0; y < drawn.height(); ++y) {
        uchar* row = drawn.scanLine(y);
        for (int x = 0; x < drawn.width(); ++x) {
            const std::size_t pixel = static_cast<std::size_t>(y) * image.width() + static_cast<std::size_t>(x);
            row[x] = static_cast<uchar>(std::clamp((image.level(pixel) - window.first) * scale, 0.0, 255.0));
        }
    }
    return drawn;
}

Small smallImage(const Plate::Well& well, int page, const JobControl& control) {
    try {
        return well.fields.empty() ? nullptr : thumbnailOf(well.fields.front(), page, kThumbnailSide, control);
    } catch (const Error&) { // the well has none
        return nullptr;
    }
}

} // namespace

PlateViewModel::PlateViewModel(DocumentViewModel& document, QObject* parent) : QObject(parent), document_(document) {
    connect(&document_, &DocumentViewModel::imageChanged, this, &PlateViewModel::onDocument);
    onDocument();
}

const Plate* PlateViewModel::plate() const noexcept {
    return plate_.value() && plate_.value()->has_value() ? &**plate_.value() : nullptr;
}

void PlateViewModel::onDocument() {
    const std::filesystem::path image = QFileInfo(document_.path()).filesystemFilePath();
    const std::filesystem::path whole = hierarchyOf(image);
    const bool isInside = document_.hasImage() && isZarrFolder(whole);
    const QString folder = isInside ? QString::fromStdString(whole.string()) : QString();
    if (folder == folder_) {
        place();
        return;
    }
    folder_ = folder;
    column_ = -1;
    values_.clear();
    thumbnails_.clear();
    if (folder.isEmpty()) {
        plate_.clear();
        return;
    }
    plate_.begin(nullptr);
    plate_.compute([whole](const std::stop_token& stop) { return plateOf(whole, JobControl(stop)); });
}

void PlateViewModel::onPlate() {
    if (shown_) {
        readThumbnails();
    }
    place();
}

/// Finds the open image among the fields.
void PlateViewModel::place() {
    place_ = {-1, -1};
    if (const Plate* present = plate()) {
        const std::filesystem::path image = firstOfPlate(QFileInfo(document_.path()).filesystemFilePath());
        for (std::size_t i = 0; i < present->wells.size(); ++i) {
            const auto& fields = present->wells[i].fields;
            const auto found = std::ranges::find(fields, image);
            if (found != fields.end()) {
                place_ = {static_cast<int>(i), static_cast<int>(found - fields.begin())};
            }
        }
    }
    emit changed();
}

int PlateViewModel::fieldCount() const {
    return well() < 0 ? 0 : static_cast<int>(plate()->wells[static_cast<std::size_t>(well())].fields.size());
}

int PlateViewModel::nextWell(int direction) const {
    const Plate* present = plate();
    const int count = present == nullptr || well() < 0 ? 0 : static_cast<int>(present->wells.size());
    for (int next = well() + direction; next >= 0 && next < count; next += direction) {
        if (!present->wells[static_cast<std::size_t>(next)].fields.empty()) {
            return next;
        }
    }
    return -1;
}

bool PlateViewModel::canStepField(int direction) const {
    return well() >= 0 && field() + direction >= 0 && field() + direction < fieldCount();
}

void PlateViewModel::open(int well) {
    const Plate* present = plate();
    if (present == nullptr || well < 0 || well >= static_cast<int>(present->wells.size())) {
        return;
    }
    const auto& fields = present->wells[static_cast<std::size_t>(well)].fields;
    if (!fields.empty()) {
        const auto field = static_cast<std::size_t>(std::max(place_.second, 0));
        emit openRequested(QString::fromStdString(fields[std::min(field, fields.size() - 1)].string()));
    }
}

void PlateViewModel::openField(int field) {
    if (field >= 0 && field < fieldCount() && field != this->field()) {
        const auto& fields = plate()->wells[static_cast<std::size_t>(well())].fields;
        emit openRequested(QString::fromStdString(fields[static_cast<std::size_t>(field)].string()));
    }
}

void PlateViewModel::step(int direction) { open(nextWell(direction)); }

void PlateViewModel::stepField(int direction) { openField(field() + direction); }

void PlateViewModel::setShown(bool shown) {
    shown_ = shown;
    if (!shown) {
        if (isReading()) {
            thumbnails_.clear();
        }
    } else if (thumbnails_.state() == AsyncState::empty) {
        readThumbnails();
    }
}

void PlateViewModel::readThumbnails() {
    const Plate* present = plate();
    if (present == nullptr) {
        return;
    }
    images_.assign(present->wells.size(), QImage());
    thumbnails_.begin(nullptr);
    thumbnails_.compute(
        [this, wells = present->wells, page = document_.page(), folder = folder_](const std::stop_token& stop) {
            const JobControl control(stop);
            std::vector<Small> images(wells.size());
            Levels window{65535, 0};
            for (std::size_t well = 0; well < wells.size(); ++well) {
                control.throwIfStopped();
                images[well] = smallImage(wells[well], page, control);
                if (images[well]) {
                    const Levels own = windowOf(*images[well]);
                    window = {std::min(window.first, own.first), std::max(window.second, own.second)};
                    QMetaObject::invokeMethod(
                        this,
                        [this, well, folder, image = imageOf(*images[well], window)] {
                            if (isReading() && folder == folder_ && well < images_.size()) {
                                images_[well] = image;
                                emit thumbnailRead(static_cast<int>(well));
                            }
                        },
                        Qt::QueuedConnection);
                }
            }
            std::vector<QImage> thumbnails;
            for (const Small& image : images) {
                thumbnails.push_back(image ? imageOf(*image, window) : QImage());
            }
            return thumbnails;
        });
}

QImage PlateViewModel::thumbnail(int well) const {
    const std::vector<QImage>& images = thumbnails_.value() ? *thumbnails_.value() : images_;
    return well >= 0 && well < static_cast<int>(images.size()) ? images[static_cast<std::size_t>(well)] : QImage();
}

void PlateViewModel::loadTable(const QString& path) {
    if (const Plate* present = plate()) {
        values_.begin(nullptr);
        values_.compute([table = QFileInfo(path).filesystemFilePath(), plate = *present](const std::stop_token& stop) {
            return readPlateValues(table, plate, JobControl(stop));
        });
    }
}

void PlateViewModel::onTable() {
    column_ = columns().isEmpty() ? -1 : 0;
    emit changed();
}

QStringList PlateViewModel::columns() const {
    QStringList names;
    if (values_.value()) {
        for (const std::string& name : values_.value()->columns) {
            names << QString::fromStdString(name);
        }
    }
    return names;
}

void PlateViewModel::setColumn(int column) {
    const int wanted = column < static_cast<int>(columns().size()) ? std::max(column, -1) : -1;
    change(this, column_, wanted, &PlateViewModel::changed);
}

std::optional<double> PlateViewModel::value(int well) const {
    if (!values_.value() || column_ < 0) {
        return std::nullopt;
    }
    const std::vector<double>& values = values_.value()->values[static_cast<std::size_t>(column_)];
    const bool isThere = well >= 0 && well < static_cast<int>(values.size());
    return isThere && std::isfinite(values[static_cast<std::size_t>(well)])
               ? std::optional(values[static_cast<std::size_t>(well)])
               : std::nullopt;
}

std::optional<std::pair<double, double>> PlateViewModel::range() const {
    std::optional<std::pair<double, double>> range;
    const Plate* present = plate();
    for (int i = 0; present != nullptr && i < static_cast<int>(present->wells.size()); ++i) {
        if (const std::optional<double> one = value(i)) {
            range =
                range ? std::pair(std::min(range->first, *one), std::max(range->second, *one)) : std::pair(*one, *one);
        }
    }
    return range;
}

} // namespace pollard::vm
