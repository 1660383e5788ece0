#pragma once

#include "command.hpp"
#include "options/class_options.hpp"
#include "options/column_options.hpp"
#include "options/geojson_option.hpp"
#include "options/image_argument.hpp"
#include "options/stream_options.hpp"

#include "components/objects/object_classes.hpp"
#include "components/objects/object_list.hpp"
#include "components/objects/object_rule.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace pollard::cli {

/// Options of `components`.
struct ComponentsRequest : ObjectSwitches {
    ImageOptions image;
    std::string threshold = "1";
    int connectivity = 0; ///< 0: 4, and 6 in volumes
    std::string algorithm;
    std::string labels;
    std::string table;
    std::string outlines;
    std::string vector; ///< .gpkg, .fgb, .csv
    GeoJsonOption positions;
    std::string where;
    std::string unit = "px";
    std::string features;
    ColumnOptions columns;
    ClassOptions classes;
    StreamOptions stream;

    /// Those of pictures.
    [[nodiscard]] bool asksForOutlines() const noexcept { return !outlines.empty() || !vector.empty(); }
};

inline constexpr const char* kAllFeatures = "all"; ///< of --features

/// Whether the objects have a table, in a file or in the metadata of a label image.
[[nodiscard]] bool asksForTable(const ComponentsRequest& request);

/// Labels whose properties a label image holds: all of them, or none and a note if the metadata would be larger than
/// readers accept. @param columns of the properties
[[nodiscard]] std::span<const std::uint32_t> describedLabels(const ComponentsRequest& request, const ObjectList& list,
                                                             std::size_t columns, const Context& context);

/// The neighbours that --connectivity names.
/// @throws UsageError for those of volumes in a picture
[[nodiscard]] Connectivity connectivityOf(const ComponentsRequest& request);

/// Prints the numbers of objects that meet --where and of those in the classes. @param classified null without classes
void printListing(Context& context, const ComponentsRequest& request, std::uint32_t count, const ObjectList& list,
                  const ClassifiedObjects* classified);

/// Finds the objects of a volume, writes table and labels and prints the result.
/// @throws UsageError for options of pictures; Error, Cancelled
void findVolumeObjects(Context& context, const ComponentsRequest& request);

} // namespace pollard::cli
