#pragma once

#include "command.hpp"
#include "report.hpp"

#include "components/best/best_components.hpp"
#include "components/components.hpp"
#include "components/objects/object_rule.hpp"
#include "hierarchy/hierarchy.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pollard::cli {

/// The ways to find objects that are no components of a threshold: --best, --watershed, --hierarchy, --from-labels and
/// their options.
struct RegionOptions {
    bool best = false;
    std::string size; ///< empty: estimated
    double strictness = BestChoice::kUsualStrictness;
    std::string weights; ///< empty: the built-in ones
    std::vector<std::string> keep;
    std::vector<std::string> drop;
    std::size_t ask = 0; ///< number of unsure regions to print
    bool dark = false;
    std::string watershed; ///< name of a Relief; empty: none
    std::string seeds;     ///< rule of --seeds; empty: all maxima
    std::string seedsOf;   ///< name of a Relief; empty: the flooded one
    bool lines = false;
    std::string hierarchy; ///< name of a Strength; empty: none
    std::string weight{nameOf(EdgeWeight::difference)};
    std::optional<double> above;
    std::optional<std::uint32_t> regions;
    std::string sizes;
    std::string labels; ///< file of --from-labels

    void declare(CLI::App& command);
    /// "--best", "--watershed", "--hierarchy" or "--from-labels"; empty without such an option.
    [[nodiscard]] std::string option() const;
    /// Adds the way to the rule of the other options.
    /// @param hasThreshold whether a threshold is stated
    /// @throws UsageError for options that do not go together or are wrong
    void addTo(ObjectRule& rule, bool hasThreshold, bool inVolume) const;
};

/// Adds "least_sure" with a table, if there are unsure regions.
void addUnsure(Report& report, const std::vector<UnsureRegion>& unsure, const Extent& image);

/// Adds the fields "best", "watershed", "hierarchy" or "from_labels" of a rule.
void addRegions(Json& fields, const ObjectRule& rule, const Components& found);

/// " of about 200 px2, best components", " of a hierarchy by area"; empty for another rule.
[[nodiscard]] std::string regionText(const ObjectRule& rule, const Components& found);
/// Says which marks for objects of the best components no object contains; empty if there are none.
[[nodiscard]] std::string unmetText(const Components& found);

} // namespace pollard::cli
