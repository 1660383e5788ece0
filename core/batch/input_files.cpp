#include "batch/input_files.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "io/image_file.hpp"
#include "io/write/atomic_file.hpp"

#ifdef POLLARD_WITH_ZARR
#include "formats/zarr/ome_zarr.hpp"
#endif

#include <algorithm>
#include <array>
#include <string_view>
#include <system_error>
#include <utility>

namespace pollard {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kArrayEnding = ".npy";

/// Files of DICOM often have no extension, or the end of an identifier of digits.
bool isUnnamedDicom(const fs::path& file) {
    const std::string extension = file.extension().string();
    const bool isNumber = std::ranges::all_of(extension, [](char c) { return c == '.' || (c >= '0' && c <= '9'); });
    return isNumber && lowered(file.filename().string()) != "dicomdir" && hasDicomMark(file);
}

bool isReadableName(const fs::path& file) {
    static const std::vector<FormatFilter> formats = readableFormats();
    const std::string name = lowered(file.filename().string());
    return std::ranges::any_of(formats, [&](const FormatFilter& format) {
        return std::ranges::any_of(format.extensions,
                                   [&](const std::string& extension) { return name.ends_with('.' + extension); });
    });
}

bool isZarrMetadata(const fs::path& path) {
    constexpr std::array<std::string_view, 4> kNames{"zarr.json", ".zgroup", ".zarray", ".zattrs"};
    return std::ranges::find(kNames, path.filename().string()) != kNames.end();
}

/// Whether a path inside a Zarr folder can belong to the hierarchy: its metadata or a folder, but no image file.
bool canBeInZarr(const fs::path& path) {
    std::error_code none;
    return isZarrMetadata(path) || !fs::is_regular_file(path, none);
}

} // namespace

std::vector<std::string> filesIn(const fs::path& folder, const std::function<bool(const fs::path&)>& wanted) {
    std::vector<std::string> files;
    std::error_code problem;
    for (fs::directory_iterator each(folder, problem), end; !problem && each != end; each.increment(problem)) {
        std::error_code gone;
        const bool isImage = each->is_regular_file(gone) || isZarrFolder(each->path());
        if (isImage && wanted(each->path())) {
            files.push_back(each->path().string());
        }
    }
    if (problem) {
        throw Error(ErrorCode::fileUnreadable, "cannot read folder: " + folder.string() + ": " + problem.message());
    }
    std::ranges::sort(files);
    return files;
}

ImageList imagesListedBy([[maybe_unused]] const fs::path& path) {
    ImageList found;
#ifdef POLLARD_WITH_ZARR
    constexpr std::uintmax_t kMostMetadata = 1 << 20;
    const bool isMetadata = isZarrMetadata(path);
    const fs::path folder = isMetadata ? path.parent_path() : path;
    if (!isMetadata && !isZarrFolder(path)) {
        return found;
    }
    for (const std::string_view name : kZarrMetadata) {
        std::error_code none;
        if (const std::uintmax_t size = fs::file_size(folder / name, none); !none && size > kMostMetadata) {
            return found;
        }
    }
    try {
        OmeZarrList list = readOmeZarrList(*openFolderStore(folder));
        found.title = std::move(list.title);
        found.folder = folder;
        found.exists = std::move(list.exists);
        found.rows = std::move(list.rows);
        found.columns = std::move(list.columns);
        for (const fs::path each : list.paths) {
            if (each.is_absolute() || std::ranges::find(each, "..") != each.end()) { // leads out of the folder
                return {};
            }
            found.paths.push_back(folder / each);
        }
    } catch (const Error&) { // reported when the image is read
    }
#endif
    return found;
}

std::vector<fs::path> imagesUnder(const fs::path& path, std::vector<fs::path>* missing) {
    std::vector<fs::path> all;
    std::vector<fs::path> absent;
    // Two levels, a plate and its wells: longer chains may be circles of links.
    const ImageList list = imagesListedBy(path);
    for (std::size_t i = 0; i < list.paths.size(); ++i) {
        if (!list.exists[i]) {
            absent.push_back(list.paths[i]);
            continue;
        }
        const ImageList inner = imagesListedBy(list.paths[i]);
        if (inner.paths.empty()) {
            all.push_back(list.paths[i]);
        }
        for (std::size_t k = 0; k < inner.paths.size(); ++k) {
            (inner.exists[k] ? all : absent).push_back(inner.paths[k]);
        }
    }
    if (all.empty()) {
        return {path};
    }
    if (missing != nullptr) {
        missing->insert(missing->end(), absent.begin(), absent.end());
    }
    return all;
}

fs::path firstOfPlate(const fs::path& path) {
    fs::path chosen = path;
    for (const std::string_view title : {"Wells", "Fields of the well"}) {
        const ImageList list = imagesListedBy(chosen);
        const auto first = std::ranges::find(list.exists, true);
        if (list.title == title && first != list.exists.end()) {
            chosen = list.paths[static_cast<std::size_t>(first - list.exists.begin())];
        }
    }
    return chosen;
}

fs::path hierarchyOf(const fs::path& image) {
    const bool canBeInside = canBeInZarr(image);
    fs::path above;
    fs::path outermost;
    for (const fs::path& part : image) {
        above /= part;
        if (lowered(part.extension().string()) == ".zarr") { // has the name if it does not exist, too
            return above;
        }
        const bool isNamed = part != "." && part != ".." && above != above.root_path();
        if (canBeInside && outermost.empty() && isNamed && isZarrFolder(above)) {
            outermost = above;
        }
    }
    return outermost.empty() ? image : outermost;
}

fs::path nameInTables(const fs::path& image) {
    const fs::path root = hierarchyOf(image);
    return root == image ? image.filename() : root.filename() / image.lexically_relative(root);
}

std::string resultName(const fs::path& image) {
    const fs::path root = hierarchyOf(image);
    std::string name = root.stem().string();
    for (const fs::path& part : image.lexically_relative(root)) {
        if (part != "." && !part.empty() && !isZarrMetadata(part)) {
            name += "_" + part.string();
        }
    }
    return name;
}

std::vector<std::string> imagesIn(const fs::path& folder) { return filesIn(folder, isImageName); }

bool isImageName(const fs::path& file) {
    return (isReadableName(file) && knownEnding(file) != kArrayEnding) || isUnnamedDicom(file);
}

bool isImageArray(const fs::path& file) {
    try {
        return knownEnding(file) == kArrayEnding && readImageInfo(file).pages > 0;
    } catch (const Error&) {
        return false;
    }
}

std::vector<fs::path> filesUnder(const fs::path& folder, const JobControl& control) {
    std::vector<std::pair<fs::path, fs::path>> found; // folder, file
    std::error_code problem;
    constexpr auto kHow = fs::directory_options::skip_permission_denied;
    for (fs::recursive_directory_iterator each(folder, kHow, problem), end; !problem && each != end;
         each.increment(problem)) {
        control.throwIfStopped();
        std::error_code gone;
        const bool isZarr = each->is_directory(gone) && isZarrFolder(each->path());
        if (isZarr) {
            each.disable_recursion_pending(); // its files are chunks
        }
        if (isZarr || each->is_regular_file(gone)) {
            found.emplace_back(each->path().parent_path(), each->path());
        }
    }
    if (problem && found.empty()) {
        throw Error(ErrorCode::fileUnreadable, "cannot read folder: " + folder.string() + ": " + problem.message());
    }
    std::ranges::sort(found);
    std::vector<fs::path> files(found.size());
    std::ranges::transform(found, files.begin(), [](auto& each) { return std::move(each.second); });
    return files;
}

} // namespace pollard
