#include "batch/truth_folder.hpp"

#include "base/error.hpp"
#include "batch/input_files.hpp"
#include "components/outline_files/label_outlines.hpp"

#include <algorithm>
#include <memory>
#include <string_view>
#include <system_error>

namespace pollard {

TruthFolder::TruthFolder(const std::filesystem::path& folder) : folder_(std::filesystem::absolute(folder)) {
    std::error_code problem;
    if (!std::filesystem::exists(folder, problem)) {
        throw Error(ErrorCode::fileNotFound, "truth: " + folder.string() + ": no such file or folder");
    }
    if (!std::filesystem::is_directory(folder, problem) || isZarrFolder(folder)) {
        return;
    }
    for (const auto& entry : std::filesystem::directory_iterator(folder_, problem)) {
        if (isImageName(entry.path()) || isImageArray(entry.path()) || namesOutlines(entry.path())) {
            files_.push_back(entry.path());
        }
    }
    if (problem) {
        throw Error(ErrorCode::fileUnreadable, "truth: " + folder.string() + ": " + problem.message());
    }
    if (files_.empty()) {
        throw Error(ErrorCode::fileNotFound, "truth: " + folder.string() + ": has no label images and no outlines");
    }
    std::ranges::sort(files_);
}

std::optional<std::filesystem::path> TruthFolder::of(const std::filesystem::path& image) const {
    constexpr std::string_view kSeparators = "._- ";
    if (files_.empty()) {
        return folder_;
    }
    const std::string name = resultName(image);
    std::vector<std::filesystem::path> same;
    std::vector<std::filesystem::path> longer;
    for (const std::filesystem::path& file : files_) {
        const std::string own = resultName(file);
        if (own == name) {
            same.push_back(file);
        } else if (own.starts_with(name) && kSeparators.find(own[name.size()]) != std::string_view::npos) {
            longer.push_back(file);
        }
    }
    const std::vector<std::filesystem::path>& found = same.empty() ? longer : same;
    if (found.size() > 1) {
        throw Error(ErrorCode::invalidArgument, "truth: " + folder_.string() + ": has several files of " + name + ": " +
                                                    found[0].filename().string() + " and " +
                                                    found[1].filename().string());
    }
    return found.empty() ? std::nullopt : std::optional(found.front());
}

Buffer<std::uint32_t> listedLabels(const ObjectsStepReport& report) {
    const Components& found = report.components;
    Buffer<std::uint32_t> labels(found.labels.size());
    std::ranges::transform(found.labels, labels.begin(),
                           [&](std::uint32_t label) { return report.list.lists(label) ? label : 0; });
    return labels;
}

TruthScore scoreBeside(const TruthFolder& truths, const std::filesystem::path& image, const ReadOptions& part,
                       std::span<const std::uint32_t> labels, const Extent& extent, bool isVolume,
                       const JobControl& control) {
    const std::optional<std::filesystem::path> file = truths.of(image);
    if (!file) {
        return {};
    }
    const std::shared_ptr<const StoredLabels> truth =
        labelsOfImage(image, part)(file->string(), extent, isVolume, control);
    const std::vector<double> thresholds = usualThresholds();
    TruthScore result{*file};
    result.score.add(LabelScores(labels, truth->labels.span(), thresholds, control), labels.size());
    return result;
}

} // namespace pollard
