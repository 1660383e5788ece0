#pragma once

#include "command.hpp"
#include "filter/filter_spec.hpp"
#include "image/image.hpp"
#include "image/value_mapping.hpp"
#include "io/image_file.hpp"
#include "jobs/tree_job.hpp"
#include "options/image_argument.hpp"
#include "options/stream_options.hpp"
#include "tree/component_tree.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pollard::cli {

/// Options of commands that filter a tree.
struct FilterOptions {
    std::vector<std::string> keep;
    std::string prominent; ///< MEASURE:COUNT; empty = no condition
    std::string forest;    ///< recipe with a forest; empty = none
    std::vector<std::string> removeAt;
    std::vector<std::string> keepAt;
    std::vector<std::string> onlyAt;
    std::string match;
    std::string rule;
    std::string output;
    bool hasNamed = false; ///< takeNamed() found criteria, so no other condition is required

    FilterOptions();
    void declare(CLI::App& command);
    /// Help text on rules and outputs.
    [[nodiscard]] static std::string help();
    /// The filter without components picked by pixel, which need a tree.
    /// @throws UsageError for invalid options or a filter without any condition
    [[nodiscard]] FilterSpec spec() const;
    /// Removes the criteria "NAME:CRITERION" for single channels and returns them. No other criterion has a colon.
    /// @throws UsageError for an invalid criterion
    [[nodiscard]] std::vector<std::pair<std::string, Criterion>> takeNamed();
    [[nodiscard]] bool hasPicks() const noexcept { return !removeAt.empty() || !keepAt.empty() || !onlyAt.empty(); }
    /// Adds the smallest components that contain the pixels of removeAt, keepAt and onlyAt.
    /// @throws Error(invalidArgument) for a pixel outside the image or in the root node, which is always kept
    void addPicks(const ComponentTree& tree, FilterSpec& spec) const;
    /// Texts of the criteria, as for --keep.
    [[nodiscard]] static std::vector<std::string> criteriaTexts(const FilterSpec& spec);
    /// "area>=100 and width<=5, 20 most prominent by dynamics, without 1 component picked, rule direct, output mask"
    [[nodiscard]] static std::string describe(const FilterSpec& spec);
    /// Adds the options as fields of --json.
    void addFields(Json& object, const FilterSpec& spec) const;

private:
    /// An option that picks components by pixels.
    struct Picks {
        const char* option;
        const char* field; ///< of --json
        const std::vector<std::string>& pixels;
        std::vector<std::uint32_t> FilterSpec::*components;
    };
    [[nodiscard]] std::array<Picks, 3> allPicks() const;
};

/// Options of the command filter.
struct FilterRequest {
    static constexpr const char* kAllChannels = "all"; ///< in place of the name of a channel

    ImageOptions image;
    TreeOptions tree;
    FilterOptions filter;
    StreamOptions stream;
    std::string target;
    std::string guide; ///< channel whose tree decides for all; empty if there is none

    /// Declares the options and their help.
    void declare(CLI::App& command);
    /// Whether all channels of the file are filtered.
    [[nodiscard]] bool concernsAllChannels() const { return image.channel == kAllChannels || !guide.empty(); }
    [[nodiscard]] TreeSpec treeSpec() const { return tree.spec(image.volume); }
};

/// A filtered image. Pixels without data as Session::open() says.
struct FilteredImage {
    SessionTree built;
    FilterSpec filter; ///< criteria as given, with the components picked by pixel
    FilterReport report;
    std::shared_ptr<Image> image;    ///< for all outputs except labels
    LabelImage labels;               ///< for output labels
    std::optional<ValueMapping> own; ///< of `image` if it has other levels than the image
};

/// Builds the tree of an image and filters it on the first of @p engines that works.
/// @param asked the filter of the request, perhaps with another output
/// @throws Error, Cancelled
[[nodiscard]] FilteredImage filterImage(const FilterRequest& request, const FilterSpec& asked,
                                        const std::vector<Engine*>& engines, const LoadedImage& loaded,
                                        const Context& context, ProgressLine& progress);

} // namespace pollard::cli
