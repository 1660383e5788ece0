#include "options/output_target.hpp"

#include "base/error.hpp"
#include "command.hpp"
#include "io/write/image_writer.hpp"
#include "io/write/name_ending.hpp"
#include "options/image_argument.hpp"
#include "options/input_files.hpp"
#include "recipe/result_file.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <unistd.h>
#include <utility>
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
    const std::string why = !fs::exists(folder, ignored)         ? "the folder " + folder.string() + " does not exist"
                            : !fs::is_directory(folder, ignored) ? folder.string() + " is not a folder"
                            : !target.has_filename() || fs::is_directory(target, ignored) ? "it is a folder"
                            : access(folder.c_str(), W_OK) != 0 ? "no permission to write into " + folder.string()
                                                                : "";
    if (!why.empty()) {
        throw Error(ErrorCode::writeFailed, "cannot write: " + target.string() + ": " + why);
    }
}

bool namesArray(const fs::path& target) { return knownEnding(target) == ".npy"; }

void requireResultName(const fs::path& target, bool orArray, bool orImage) {
    std::vector<std::string_view> endings = resultEndings();
    if (orImage) {
        std::ranges::copy(imageEndings(), std::back_inserter(endings));
    }
    if (!orArray) {
        std::erase(endings, ".npy");
    }
    requireEnding(target, std::move(endings), false, false);
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

void requireOutputs(const std::vector<NamedFile>& inputs, const std::vector<NamedFile>& outputs) {
    std::vector<NamedFile> others = inputs;
    for (const NamedFile& output : outputs) {
        if (output.path.empty()) {
            continue;
        }
        for (const NamedFile& other : others) {
            requireDifferent(other.path, output.path, other.what);
        }
        requireWritable(output.path);
        others.push_back(output);
    }
}

void requireOutputs(const std::string& image, const std::vector<NamedFile>& outputs) {
    requireOutputs({{parseImageArgument(image).path, "the input"}}, outputs);
}

} // namespace pollard::cli
