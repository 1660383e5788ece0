#include "jobs/batch_inputs.hpp"

#include "batch/input_files.hpp"
#include "command.hpp"

#include <filesystem>
#include <string_view>

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

} // namespace

std::vector<std::string> expandInputs(const std::vector<std::string>& inputs) {
    std::vector<std::string> all;
    for (const std::string& input : inputs) {
        const fs::path path(input);
        const std::string last = path.filename().string();
        std::error_code problem;
        std::vector<std::string> files{input};
        if (fs::is_directory(path, problem)) {
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
        if (files.empty()) {
            throw UsageError("input: no image in " + input);
        }
        all.insert(all.end(), files.begin(), files.end());
    }
    return all;
}

} // namespace pollard::cli
