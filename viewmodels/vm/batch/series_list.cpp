#include "vm/batch/series_list.hpp"

#include "base/error.hpp"
#include "batch/input_files.hpp"
#include "formats/dicom/dicom_series.hpp"
#include "io/image_file.hpp"

#include <QFileInfo>

#include <algorithm>
#include <iterator>
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
            entry.pictures = imagesListedBy(file).paths.size();
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

} // namespace pollard::vm
