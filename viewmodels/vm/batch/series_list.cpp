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

namespace {

/// The folder and the folders below it, without those in hierarchies of Zarr.
std::vector<fs::path> foldersUnder(const fs::path& folder, const JobControl& control) {
    std::vector<fs::path> folders{folder};
    std::error_code problem;
    constexpr auto kHow = fs::directory_options::skip_permission_denied;
    for (fs::recursive_directory_iterator each(folder, kHow, problem), end; !problem && each != end;
         each.increment(problem)) {
        control.throwIfStopped();
        std::error_code gone;
        if (!each->is_directory(gone)) {
            continue;
        }
        if (isZarrFolder(each->path())) {
            each.disable_recursion_pending();
        } else {
            folders.push_back(each->path());
        }
    }
    std::ranges::sort(folders);
    return folders;
}

std::vector<std::string> imagesOf(const fs::path& folder) {
    try {
        return imagesIn(folder);
    } catch (const Error&) { // without permission to read it
        return {};
    }
}

} // namespace

std::vector<FolderEntry> entriesUnder(const fs::path& folder, const JobControl& control) {
    std::vector<FolderEntry> entries;
    for (DicomSeries& each : dicomSeriesUnder(folder, control)) {
        entries.push_back({each.file, std::move(each.name), std::move(each.description), 0, each.files, each.width,
                           each.height, each.slices, each.bytes});
    }
    std::vector<FolderEntry> files;
    std::vector<FolderEntry> hierarchies;
    for (const fs::path& each : foldersUnder(folder, control)) {
        for (const fs::path file : imagesOf(each)) {
            control.throwIfStopped();
            FolderEntry entry{.file = file, .name = file.filename().string()};
            if (isZarrFolder(file)) {
                entry.pictures = picturesListedBy(file).paths.size();
                hierarchies.push_back(std::move(entry));
            } else if (file.extension() != ".zip" && !hasDicomMark(file)) { // few archives are pictures
                std::error_code gone;
                const std::uintmax_t bytes = fs::file_size(file, gone);
                entry.files = 1;
                entry.bytes = gone ? 0 : bytes;
                files.push_back(std::move(entry));
            }
        }
    }
    entries.insert(entries.begin(), std::make_move_iterator(hierarchies.begin()),
                   std::make_move_iterator(hierarchies.end()));
    std::ranges::move(files, std::back_inserter(entries));
    return entries;
}

SeriesList::SeriesList(const QString& folder, QObject* parent) : QObject(parent) {
    found_.begin(nullptr);
    found_.compute([path = QFileInfo(folder).filesystemFilePath()](const std::stop_token& stop) {
        return entriesUnder(path, JobControl(stop));
    });
}

const std::vector<FolderEntry>& SeriesList::entries() const noexcept {
    static const std::vector<FolderEntry> kNone;
    return found_.value() ? *found_.value() : kNone;
}

} // namespace pollard::vm
