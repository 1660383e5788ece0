#pragma once

#include "command.hpp"
#include "options/image_argument.hpp"

#include "components/components.hpp"
#include "components/objects/channel_measures.hpp"
#include "components/objects/object_classes.hpp"
#include "components/objects/object_condition.hpp"
#include "components/objects/object_features.hpp"
#include "components/objects/object_parents.hpp"
#include "components/objects/object_rule.hpp"
#include "components/threshold.hpp"
#include "image/image.hpp"
#include "image/value_mapping.hpp"
#include "io/image_file.hpp"
#include "tree/component_tree.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace pollard::cli {

struct Report;

/// Values of the foreground, as given or by a method.
struct ThresholdRange {
    std::optional<ThresholdMethod> method;
    ValueBounds values; ///< unless a method is set
};

/// Values of the foreground as they are reported.
struct FoundThreshold {
    std::optional<double> low;
    std::optional<double> high;
    std::string unit;

    /// @param levels that were found
    FoundThreshold(const ThresholdRange& range, LevelRange levels, const std::optional<ValueMapping>& mapping);

    /// "from 300 HU on", "-200 to 300 HU", "up to 300"
    [[nodiscard]] std::string text() const;
};

/// Declares --threshold.
void declareThreshold(CLI::App& command, std::string& text);

/// Declares --fill-holes, --no-border, --split and --split-strength. @param holes,border descriptions
void declareSwitches(CLI::App& command, ObjectSwitches& switches, const std::string& holes, const std::string& border);

/// Adds the fields of --split, if it is set.
void addSplit(Json& fields, const ObjectSwitches& switches);

/// @throws UsageError unless the text is LO, LO:HI, :HI or a method
[[nodiscard]] ThresholdRange parseThreshold(const std::string& text);

/// @throws Error(invalidArgument) naming the image, if no such image has the values
void requirePossible(const ThresholdRange& range, const std::optional<ValueMapping>& mapping, PixelType type,
                     const std::string& image);

/// The rule of objects of these options.
[[nodiscard]] ObjectRule ruleOf(const ThresholdRange& range, const ObjectSwitches& switches, Connectivity connectivity);

/// The option --class.
struct ClassOptions {
    std::vector<std::string> texts;

    void declare(CLI::App& command);
    /// @param features that the conditions may name
    /// @throws UsageError
    [[nodiscard]] std::vector<ObjectClass> parse(std::span<const ObjectFeatureInfo> features = objectFeatures()) const;
};

/// Adds classes with their counts, as text "classes: bright 12, dim 30, none 4". @param listed objects that are counted
void addClasses(Report& report, const ClassifiedObjects& classified, std::span<const std::uint32_t> listed);

/// Columns of a table of objects from other channels of the file and from the objects of an earlier run.
struct ObjectColumns {
    std::vector<ObjectColumn> columns;
    std::vector<ObjectColumn> measured; ///< of the channels of the options and of the conditions
    std::vector<std::string> channels;  ///< measured ones; empty without --measure
    std::vector<ObjectParent> parents;  ///< per object; empty without --parents
    std::vector<ChildCount> children;   ///< per object of --parents, of the children that are listed
};

/// A condition of an option.
struct OptionCondition {
    std::string option; ///< for messages: "--where"
    ObjectCondition condition;

    /// Converts numbers with a unit. @throws Error(invalidArgument) naming image and option
    /// @param unit of the features of a volume
    void toPixels(const ImageInfo& info, const std::string& image, bool inVolume, LengthUnit unit);
    /// @throws Error(invalidArgument) naming image and option
    [[nodiscard]] ObjectCondition withColumns(std::span<const ObjectColumn> columns, const std::string& image) const;
    [[nodiscard]] bool needsLabels() const noexcept {
        return condition.edgeMeasure() != EdgeMeasure::none || !condition.columns().empty();
    }
};

/// The channels to measure, found in the file, and how.
struct ColumnPlan {
    ReadOptions read;
    std::vector<std::size_t> channels;  ///< indices in channelsOf(); first of --measure, then of conditions
    std::vector<NamedMeasure> measures; ///< likewise
    std::size_t listedChannels = 0;     ///< channels of --measure
    std::size_t listedMeasures = 0;
    ChannelMeasuresSpec spec;
};

/// The options --measure, --measures, --ring, --pairs, --signal-above, --parents and --children.
struct ColumnOptions {
    std::string measure;
    std::string measures;
    std::uint32_t ring = 0;
    std::string pairs;
    std::string signal;
    std::string parents;
    std::string children; ///< table to write

    void declare(CLI::App& command);
    /// Checks the options before any work. @param written whether a table or outlines are written
    /// @throws UsageError
    void check(bool written) const;
    /// Finds the channels of --measure and of the conditions, and checks that the label image of the parents is one,
    /// before any work.
    /// @throws UsageError as ImageOptions::readOptions(); ConditionError for an unknown channel; Error
    [[nodiscard]] ColumnPlan planOf(const ImageOptions& image, std::span<const OptionCondition> conditions,
                                    const Context& context) const;
    /// Whether the label image is needed.
    [[nodiscard]] bool asked() const { return !measure.empty() || !parents.empty(); }
    /// Reads the channels of the plan and measures the objects in them.
    /// @param plan of the same image
    /// @throws Error, Cancelled
    [[nodiscard]] ObjectColumns measured(const ImageOptions& image, const ColumnPlan& plan,
                                         const Components& components, const JobControl& control) const;
    /// Reads the label image of the parents, if there is one, and adds its columns.
    /// @param listed labels of the objects to write
    /// @throws Error, Cancelled
    void addParents(ObjectColumns& found, const Components& components, const std::vector<std::uint32_t>& listed,
                    const JobControl& control) const;
    /// Adds the names of the measurements to the result of --json.
    void addTo(Json& object, const ObjectColumns& found) const;
};

} // namespace pollard::cli
