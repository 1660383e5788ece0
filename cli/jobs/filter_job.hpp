#pragma once

#include "filter/filter_spec.hpp"
#include "image/image.hpp"
#include "image/label_image.hpp"
#include "image/value_mapping.hpp"
#include "io/image_file.hpp"
#include "jobs/tree_job.hpp"
#include "options/filter_options.hpp"
#include "options/image_argument.hpp"
#include "options/stream_options.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pollard::cli {

/// Options of the command filter.
struct FilterRequest {
    ImageOptions image;
    TreeOptions tree;
    FilterOptions filter;
    StreamOptions stream;
    std::string target;
    std::string guide; ///< channel whose tree decides for all; empty if there is none

    /// Declares the options and their help.
    void declare(CLI::App& command);
    [[nodiscard]] TreeSpec treeSpec() const { return tree.spec(image.volume); }
};

/// A filtered image. Pixels without data as Session::open() says.
struct Filtered {
    SessionTree built;
    FilterSpec filter; ///< criteria as given, with the components picked by pixel
    FilterReport report;
    std::shared_ptr<Image> picture;  ///< for all outputs except labels
    LabelImage labels;               ///< for output labels
    std::optional<ValueMapping> own; ///< of the image if its levels are not those of the image
};

/// Builds the tree of an image and filters it on the first of @p engines that works.
/// @param asked the filter of the request, perhaps with another output
/// @throws Error, Cancelled
[[nodiscard]] Filtered filterImage(const FilterRequest& request, const FilterSpec& asked,
                                   const std::vector<Engine*>& engines, const LoadedImage& loaded,
                                   const Context& context, ProgressLine& progress);

} // namespace pollard::cli
