#pragma once

#include "command.hpp"
#include "options/geojson_option.hpp"
#include "options/image_argument.hpp"
#include "options/object_options.hpp"
#include "options/region_options.hpp"
#include "options/stream_options.hpp"

#include "base/job_control.hpp"
#include "components/best/best_components.hpp"
#include "components/components.hpp"
#include "components/local_background.hpp"
#include "components/object_places.hpp"
#include "components/objects/measured_objects.hpp"
#include "components/objects/object_classes.hpp"
#include "components/objects/object_features.hpp"
#include "components/objects/object_files.hpp"
#include "components/objects/object_rule.hpp"
#include "io/image_file.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pollard::cli {

/// Options of `components`.
struct ComponentsRequest : ObjectSwitches {
    ImageOptions image;
    std::string threshold = "1";
    std::optional<double> aboveBackground; ///< sigmas; in place of the threshold
    std::uint32_t backgroundBox = BackgroundThreshold{}.box;
    bool statesThreshold = false;
    RegionOptions regions;
    int connectivity = 0; ///< 0: 4, and 6 in volumes; 8 and 26 for the best components
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

    [[nodiscard]] std::optional<BackgroundThreshold> above() const noexcept {
        return aboveBackground ? std::optional(BackgroundThreshold{*aboveBackground, backgroundBox}) : std::nullopt;
    }
    [[nodiscard]] bool asksForOutlines() const noexcept { return !outlines.empty() || !vector.empty(); }
};

/// Objects with the data of their files.
struct ObjectResults {
    Components components;
    std::vector<UnsureRegion> unsure; ///< of best components
    TableFeatures table;              ///< columns of the table
    ObjectUnit unit;                  ///< of the table and the properties of outlines
    ObjectList list;                  ///< objects to write
    ObjectColumns further;
    ImagePlaces places;                                  ///< of the table and of vector files, see placeColumns()
    std::optional<std::vector<double>> fluxes;           ///< likewise, also of outlines
    std::shared_ptr<const ClassifiedObjects> classified; ///< null without classes
};

/// Whether the objects have a table, in a file or in the metadata of a label image.
[[nodiscard]] bool asksForTable(const ComponentsRequest& request);

/// Columns of the table, as --features names them. @throws UsageError
[[nodiscard]] TableFeatures featuresOf(const ComponentsRequest& request, Connectivity connectivity);

/// Unit of the table for an image. @throws Error(invalidArgument) if the size of a pixel is unknown
[[nodiscard]] ObjectUnit unitFor(const ComponentsRequest& request, LengthUnit unit, const ImageInfo& info);

/// Checks the files to write: names, differences between them, folders. @throws Error, UsageError
void checkObjectTargets(const ComponentsRequest& request);

/// Writes the files about the objects. They appear together: tables and outlines are temporaries until the label image
/// is written.
/// @param results loses the labels of objects that are not listed
/// @throws Error, Cancelled
void writeObjectResults(const ComponentsRequest& request, ObjectResults& results, const LoadedImage& loaded,
                        const Context& context, const JobControl& control);

} // namespace pollard::cli
