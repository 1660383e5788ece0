#pragma once

#include "command.hpp"
#include "options/image_argument.hpp"
#include "options/object_options.hpp"

#include "analysis/relief.hpp"
#include "analysis/seeds.hpp"
#include "base/buffer.hpp"
#include "filter/filter_spec.hpp"
#include "filter/filter_units.hpp"
#include "image/image.hpp"
#include "tree/component_tree.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pollard::cli {

/// "dynamics>=20 HU", "h=20": the measure and the text of its bound. Nothing for other texts.
[[nodiscard]] std::optional<std::pair<SeedMeasure, std::string>> seedMeasureIn(std::string_view text);

/// The seeds of a watershed: --seeds, --seeds-of, --seeds-channel and --seeds-threshold.
class SeedOptions {
public:
    void declare(CLI::App& command);
    /// Checks the options, before any work. @param flooded relief of the watershed
    /// @throws UsageError; Error for a file of seeds that is no label image
    void check(Relief flooded, bool isVolume);

    /// The relief in whose maxima or minima the seeds are.
    [[nodiscard]] Relief relief() const noexcept { return relief_; }
    /// Whether the seeds are maxima or minima of relief(), see rule().
    [[nodiscard]] bool areExtremes() const noexcept { return criterion_.has_value(); }
    [[nodiscard]] const std::string& file() const noexcept { return file_; }
    /// @param units of the relief
    /// @throws Error(invalidArgument), as inPixels()
    [[nodiscard]] SeedRule rule(const ImageUnits& units) const;

    /// Labels of the file, or of the objects of the channel, for an image of this size.
    /// @throws Error, Cancelled
    [[nodiscard]] Buffer<std::uint32_t> labels(const ImageOptions& image, const Extent& extent,
                                               Connectivity connectivity, const Context& context,
                                               ProgressLine& progress) const;

private:
    std::string seeds_;
    std::string of_;
    std::string channel_;
    std::string threshold_;
    Relief relief_ = Relief::levels;
    SeedMeasure by_ = SeedMeasure::dynamics;
    std::optional<Criterion> criterion_; ///< of the attribute that is the measure
    std::string file_;
    ThresholdRange range_;
};

} // namespace pollard::cli
