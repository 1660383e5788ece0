#include "options/named_files.hpp"

#include "base/error.hpp"
#include "batch/input_files.hpp"
#include "command.hpp"
#include "io/image_file.hpp"
#include "io/write/atomic_file.hpp"
#include "io/write/image_writer.hpp"
#include "options/image_argument.hpp"
#include "options/option_values.hpp"
#include "recipe/presets.hpp"
#include "recipe/results/result_file.hpp"
#include "text.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <unistd.h>
#include <utility>
#include <vector>

namespace pollard::cli {

namespace fs = std::filesystem;

namespace {

/// * matches any text, ? any byte. On a mismatch the last * is extended.
bool matches(std::string_view name, std::string_view pattern) {
    std::size_t n = 0;
    std::size_t p = 0;
    std::size_t star = std::string_view::npos;
    std::size_t taken = 0; ///< length of the name matched before the last *
    while (n < name.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            taken = n;
        } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == name[n])) {
            ++p;
            ++n;
        } else if (star != std::string_view::npos) {
            p = star + 1;
            n = ++taken;
        } else {
            return false;
        }
    }
    return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

bool isDigit(char c) { return c >= '0' && c <= '9'; }

/// Takes the digits at the front of a text, without leading zeros.
std::string_view takeNumber(std::string_view& text) {
    const auto end = static_cast<std::size_t>(std::ranges::find_if_not(text, isDigit) - text.begin());
    std::string_view digits = text.substr(0, end);
    text.remove_prefix(end);
    digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
    return digits;
}

/// Compares numbers in names by their values: a2 before a10.
bool comesBefore(std::string_view a, std::string_view b) {
    const auto [first, second] = std::pair{a, b};
    while (!a.empty() && !b.empty()) {
        if (isDigit(a.front()) && isDigit(b.front())) {
            const std::string_view one = takeNumber(a);
            const std::string_view other = takeNumber(b);
            if (one != other) {
                return one.size() != other.size() ? one.size() < other.size() : one < other;
            }
        } else if (a.front() != b.front()) {
            return a.front() < b.front();
        } else {
            a.remove_prefix(1);
            b.remove_prefix(1);
        }
    }
    return a.empty() != b.empty() ? a.empty() : first < second;
}

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

std::vector<std::filesystem::path> slicesNamed(const fs::path& path) {
    const std::vector<std::string> files = expandInputs({path.string()});
    std::vector<fs::path> slices(files.begin(), files.end());
    if (slices.size() == 1 && slices.front() == path) {
        return {};
    }
    std::ranges::sort(slices, [](const fs::path& a, const fs::path& b) {
        return comesBefore(a.filename().string(), b.filename().string());
    });
    return slices;
}

std::vector<std::string> expandInputs(const std::vector<std::string>& inputs) {
    std::vector<std::string> all;
    for (const std::string& input : inputs) {
        const fs::path path(input);
        const std::string last = path.filename().string();
        std::error_code problem;
        std::vector<std::string> files{input};
        if (fs::is_directory(path, problem) && !isZarrFolder(path)) {
            files = imagesIn(path);
        } else if (last.find_first_of("*?") != std::string::npos && !fs::exists(path, problem)) {
            const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
            files = filesIn(folder, [&](const fs::path& file) { return matches(file.filename().string(), last); });
            if (!path.has_parent_path()) {
                for (std::string& file : files) {
                    file = fs::path(file).filename().string();
                }
            }
        }
        refuseConflicts({{files.empty(), "input: no image in " + input}});
        all.insert(all.end(), files.begin(), files.end());
    }
    return all;
}

RecipeArgument recipeNamed(const std::string& text) {
    constexpr std::string_view kPresetPrefix = "preset:";
    if (!text.starts_with(kPresetPrefix)) {
        return {loadRecipe(text), text};
    }
    const std::string name = text.substr(kPresetPrefix.size());
    if (const Preset* preset = findPreset(name)) {
        return {preset->recipe, {}};
    }
    throw unknownName("preset", name, textsOf(allPresets(), &Preset::name));
}

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
