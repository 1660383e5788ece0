#pragma once

#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "components/label_scores.hpp"
#include "image/image.hpp"
#include "io/image_file.hpp"
#include "recipe/run_recipe.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace pollard {

/// The true labels of images: a folder with a file for each, label images or outlines; or one COCO file of all.
class TruthFolder {
public:
    /// @throws Error(fileNotFound), Error(fileUnreadable)
    explicit TruthFolder(const std::filesystem::path& folder);

    /// The file with the truth of an image: of the same name without the ending, else the only one whose name goes on
    /// with a point, a dash, an underscore or a space: cells_labels.png of cells.tif. Nothing without one.
    /// @throws Error(invalidArgument) for several
    [[nodiscard]] std::optional<std::filesystem::path> of(const std::filesystem::path& image) const;

private:
    std::filesystem::path folder_;
    std::vector<std::filesystem::path> files_; ///< sorted; empty: `folder_` is the file of all images
};

/// An image beside its truth.
struct TruthScore {
    std::filesystem::path truth; ///< empty: there is none, and no score
    ScoreTotals score = {};      ///< with usualThresholds()
};

/// The labels of the listed objects of a step; the others are background.
[[nodiscard]] Buffer<std::uint32_t> listedLabels(const ObjectsStepReport& report);

/// Scores the objects of a part of an image.
/// @param labels of a result in raster order, 0: background
/// @throws Error(invalidArgument) for a truth of another size; errors of TruthFolder::of(), LabelSource, LabelScores;
/// Cancelled
[[nodiscard]] TruthScore scoreBeside(const TruthFolder& truths, const std::filesystem::path& image,
                                     const ReadOptions& part, std::span<const std::uint32_t> labels,
                                     const Extent& extent, bool isVolume, const JobControl& control = {});

} // namespace pollard
