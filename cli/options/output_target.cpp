#include "options/output_target.hpp"

#include "base/error.hpp"
#include "command.hpp"
#include "io/write/name_ending.hpp"
#include "options/input_files.hpp"
#include "recipe/result_file.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <unistd.h>
#include <vector>

namespace pollard::cli {

namespace fs = std::filesystem;

namespace {

/// @param orZarr OME-Zarr is written, too, if the build has it
void requireEnding(const fs::path& target, std::vector<std::string_view> endings, bool orZarr, bool orArray) {
    if (orZarr && isZarrResult("picture.zarr")) {
        endings.emplace_back(".zarr");
    }
    if (orArray) {
        endings.emplace_back(".npy");
    }
    if (std::ranges::find(endings, knownEnding(target)) == endings.end()) {
        throw UsageError("output: '" + target.string() + "': the name must end in " + endingList(endings));
    }
}

} // namespace

void requireWritable(const fs::path& target) {
    std::error_code ignored;
    const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
    const auto refuse = [&target](const std::string& why) {
        throw Error(ErrorCode::writeFailed, "cannot write: " + target.string() + ": " + why);
    };
    if (!fs::exists(folder, ignored)) {
        refuse("the folder " + folder.string() + " does not exist");
    }
    if (!fs::is_directory(folder, ignored)) {
        refuse(folder.string() + " is not a folder");
    }
    if (!target.has_filename() || fs::is_directory(target, ignored)) {
        refuse("it is a folder");
    }
    if (access(folder.c_str(), W_OK) != 0) {
        refuse("no permission to write into " + folder.string());
    }
}

bool namesArray(const fs::path& target) { return knownEnding(target) == ".npy"; }

void requireResultName(const fs::path& target, bool orArray) {
    requireEnding(target, {".tif", ".tiff", ".nii", ".nii.gz", ".nrrd"}, true, orArray);
}

void requireTiffName(const fs::path& target, bool orArray) { requireEnding(target, {".tif", ".tiff"}, false, orArray); }

void requireChannelsName(const fs::path& target) { requireEnding(target, {".tif", ".tiff"}, true, false); }

void requireDifferent(const fs::path& one, const fs::path& other, const std::string& what) {
    std::error_code ignored;
    std::vector<fs::path> files{one};
    if (fs::is_directory(one, ignored) || !fs::exists(one, ignored)) {
        std::ranges::copy(slicesNamed(one), std::back_inserter(files)); // of a volume
    }
    for (const fs::path& file : files) {
        if (file.lexically_normal() == other.lexically_normal() || fs::equivalent(file, other, ignored)) {
            throw UsageError("output: '" + other.string() + "': is also " + what + "; name another file");
        }
    }
}

} // namespace pollard::cli
