#include "batch/input_files.hpp"

#include "base/error.hpp"
#include "io/image_file.hpp"

#include <algorithm>
#include <cctype>

namespace pollard {

namespace fs = std::filesystem;

namespace {

std::string lowered(std::string text) {
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

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

} // namespace

std::vector<std::string> filesIn(const fs::path& folder, const std::function<bool(const fs::path&)>& wanted) {
    std::vector<std::string> files;
    std::error_code problem;
    for (fs::directory_iterator each(folder, problem), end; !problem && each != end; each.increment(problem)) {
        std::error_code gone;
        const bool isPicture = each->is_regular_file(gone) || isZarrFolder(each->path());
        if (isPicture && wanted(each->path())) {
            files.push_back(each->path().string());
        }
    }
    if (problem) {
        throw Error(ErrorCode::fileUnreadable, "cannot read folder: " + folder.string() + ": " + problem.message());
    }
    std::ranges::sort(files);
    return files;
}

std::vector<std::string> imagesIn(const fs::path& folder) {
    return filesIn(folder, [](const fs::path& file) { return isReadableName(file) || isUnnamedDicom(file); });
}

} // namespace pollard
