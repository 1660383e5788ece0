#include "recipe/results/recipe_outputs.hpp"

#include "base/error.hpp"
#include "components/objects/measured_objects.hpp"
#include "components/shape/object_edges.hpp"
#include "geo/map_coordinates.hpp"
#include "io/metadata/scene_units.hpp"
#include "io/write/atomic_file.hpp"
#include "recipe/no_data.hpp"
#include "recipe/results/result_file.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace pollard {

namespace {

/// "-objects.csv", "-objects2.csv"
std::string endingOf(std::string_view what, std::size_t number, std::string_view extension) {
    std::string ending = "-" + std::string(what);
    if (number > 0) {
        ending += std::to_string(number + 1);
    }
    return ending + "." + std::string(extension);
}

void writeImage(const std::filesystem::path& path, const RecipeResult& result, const LoadedImage& loaded,
                const JobControl& control) {
    writeResult(path,
                result.image
                    ? resultPlane(*result.image, result.own ? withOwnLevels(loaded, result.image, *result.own) : loaded,
                                  result.values)
                    : resultPlane(result.labelled->labels.span(), loaded.image->extent(), loaded.info),
                control);
}

/// @throws Error(invalidArgument) without the size of a pixel in this unit
ObjectUnit tableUnitOf(LengthUnit unit, const ImageInfo& info, bool inVolume) {
    const std::string why = unit == LengthUnit::pixel ? std::string() : whyNoObjectUnit(info.pixelSize, inVolume);
    if (!why.empty()) {
        throw Error(ErrorCode::invalidArgument, "unit of tables '" + unitName(unit, Dimension::length) + "': " + why);
    }
    return objectUnitOf(unit, info.pixelSize, inVolume, info.spacing, info.mapping);
}

/// Features among the columns of a step.
std::vector<std::string> furtherFeatures(const ObjectsStep& step) {
    std::vector<std::string> further;
    for (const std::string& column : step.columns) {
        if (findObjectFeature(column) || findObjectFeature(column, objectFeatures(Connectivity::six))) {
            further.push_back(column);
        }
    }
    return further;
}

/// Columns of the features that the usual table of the objects lacks.
std::vector<ObjectColumn> featureColumns(const std::vector<std::string>& ids, const Components& components,
                                         const ObjectUnit& unit, const JobControl& control) {
    const std::vector<ObjectFeatureInfo> usual = tableFeatures(components.connectivity).features;
    std::vector<ObjectFeatureInfo> features;
    EdgeMeasure measure = EdgeMeasure::none;
    for (const std::string& id : ids) {
        const auto feature = findObjectFeature(id, objectFeatures(components.connectivity));
        if (feature && std::ranges::find(usual, *feature, &ObjectFeatureInfo::feature) == usual.end()) {
            features.push_back(objectFeatureInfo(*feature, components.isVolume()));
            measure = std::max(measure, features.back().edge);
        }
    }
    const auto edges =
        std::make_shared<const ObjectEdges>(measureEdges(components, measure, control, unit.proportions()));
    std::vector<ObjectColumn> columns;
    for (const ObjectFeatureInfo& info : features) {
        columns.push_back({columnOf(info, unit.unit), [info, edges, unit, &components](std::uint32_t label) {
                               return tableValue(
                                   MeasuredObjects(components, edges.get(), unit).value(label, info.feature), info,
                                   unit.unit);
                           }});
    }
    return columns;
}

ContourOutput outputOf(const ContourStepReport& report, const LoadedImage& loaded, const std::string& title) {
    ContourOutput output;
    for (const SnakeState& state : report.contours.states) {
        output.contours.push_back(state.nodes);
    }
    output.width = loaded.image->width();
    output.height = loaded.image->height();
    output.title = title;
    output.mask = resultFacts(loaded.info, ResultValues::others);
    output.states = report.states;
    return output;
}

} // namespace

std::vector<RecipeFile> filesOf(const Recipe& recipe) {
    std::vector<RecipeFile> files;
    std::size_t objects = 0;
    std::size_t contours = 0;
    bool filters = !recipe.channels.empty();
    for (const RecipeStep& step : recipe.steps) {
        filters = filters || std::holds_alternative<FilterStep>(step) || std::holds_alternative<OperatorStep>(step);
        if (const auto* found = std::get_if<ObjectsStep>(&step)) {
            for (const ObjectFile file : found->files) {
                files.push_back({file, objects, endingOf("objects", objects, extensionOf(file)), found->geojsonIn,
                                 file == ObjectFile::table ? furtherFeatures(*found) : std::vector<std::string>()});
            }
            ++objects;
        } else if (const auto* contour = std::get_if<ContoursStep>(&step)) {
            for (const ContourFile file : contour->files) {
                files.push_back({file, contours, endingOf("contour", contours, extensionOf(file)), contour->geojsonIn});
            }
            ++contours;
        }
    }
    if (filters) {
        files.push_back({ResultImageFile{}, 0, ".tif", GeoJsonIn::pixels});
    }
    return files;
}

RecipeOutputs::RecipeOutputs(std::vector<RecipeFile> files, std::vector<std::filesystem::path> targets,
                             const LoadedImage& loaded, std::string title, LengthUnit unit,
                             std::vector<ObjectColumn> axes)
    : files_(std::move(files)), targets_(std::move(targets)), loaded_(loaded), title_(std::move(title)), unit_(unit),
      axes_(std::move(axes)) {
    (void)tableUnitOf(unit_, loaded_.info, loaded_.image->extent().isVolume());
}

RecipeOutputs::~RecipeOutputs() = default;

std::shared_ptr<const MapCoordinates> RecipeOutputs::mapOf(const RecipeFile& file) {
    const bool isOutline = std::holds_alternative<ObjectFile>(file.kind)
                               ? std::get<ObjectFile>(file.kind) == ObjectFile::outlines
                               : std::get<ContourFile>(file.kind) == ContourFile::outline;
    if (!isOutline || file.geojsonIn == GeoJsonIn::pixels) {
        return nullptr;
    }
    if (!map_) {
        map_.emplace();
        try {
            map_ = MapCoordinates::of(loaded_.info.carried, loaded_.image->width(), loaded_.image->height());
        } catch (const Error& error) {
            notes_.push_back(std::string("GeoJSON is in pixels: ") + error.what());
        }
    }
    return *map_;
}

void RecipeOutputs::write(std::size_t file, const ImageWriter& writer) {
    // The written file replaces the temporary file, which gets its name together with all others. Some writers depend
    // on the extension.
    auto& waiting = written_.emplace_back(std::make_unique<AtomicFile>(targets_[file], "cannot write"));
    const std::string place = waiting->temporary().string() + targets_[file].extension().string();
    try {
        writer(place);
    } catch (const Error& error) {
        std::string message = error.what();
        if (const std::size_t found = message.find(place); found != std::string::npos) {
            message.replace(found, place.size(), targets_[file].string());
        }
        throw Error(error.code(), message);
    }
    waiting->replaceBy(place);
}

void RecipeOutputs::writeObjects(const ObjectsStepReport& report, std::size_t number, const JobControl& control) {
    for (std::size_t i = 0; i < files_.size(); ++i) {
        const auto* const kind = std::get_if<ObjectFile>(&files_[i].kind);
        if (kind != nullptr && files_[i].number == number) {
            const bool hasPlaces = *kind == ObjectFile::table || *kind == ObjectFile::vector;
            if (hasPlaces && !places_) {
                places_ = placesOf(loaded_.info, loaded_.image->width(), loaded_.image->height());
            }
            std::vector<ObjectColumn> columns =
                placeColumns(report.components, hasPlaces ? *places_ : ImagePlaces{}, report.fluxes);
            columns.insert(columns.end(), report.columns.begin(), report.columns.end());
            const bool inVolume = report.components.isVolume();
            if (!files_[i].further.empty()) {
                std::ranges::move(featureColumns(files_[i].further, report.components,
                                                 tableUnitOf(unit_, loaded_.info, inVolume), control),
                                  std::back_inserter(columns));
            }
            columns.insert(columns.end(), axes_.begin(), axes_.end());
            write(i, [&](const std::filesystem::path& path) {
                if (*kind == ObjectFile::labels && inVolume) {
                    writeVolumeLabels(path, report.components, report.list, loaded_.info, control);
                    return;
                }
                writeObjectFile(*kind, path, report.components, report.list.labels,
                                resultFacts(loaded_.info, ResultValues::others), control,
                                inVolume ? nullptr : mapOf(files_[i]).get(), tableUnitOf(unit_, loaded_.info, inVolume),
                                columns);
            });
        }
    }
}

std::vector<std::unique_ptr<AtomicFile>> RecipeOutputs::finish(const RecipeResult& result, const JobControl& control,
                                                               const ImageWriter& imageWriter) {
    for (std::size_t i = 0; i < files_.size(); ++i) {
        if (const auto* const contour = std::get_if<ContourFile>(&files_[i].kind)) {
            write(i, [&](const std::filesystem::path& path) {
                const ContourStepReport& report = result.contours[files_[i].number];
                ContourOutput output = outputOf(report, loaded_, title_);
                output.map = mapOf(files_[i]);
                for (const SnakeState& state : report.contours.states) {
                    output.values.push_back(contourValues(state.nodes, ContourSums{state.inside, state.outside},
                                                          unit_ == LengthUnit::pixel
                                                              ? contourUnitOf(loaded_.info)
                                                              : tableUnitOf(unit_, loaded_.info, false),
                                                          report.values));
                }
                writeContourFile(*contour, path, output, control);
            });
        } else if (std::holds_alternative<ResultImageFile>(files_[i].kind)) {
            write(i, [&](const std::filesystem::path& path) {
                if (imageWriter) {
                    imageWriter(path);
                } else {
                    writeImage(path, result, loaded_, control);
                }
            });
        }
    }
    return std::exchange(written_, {});
}

} // namespace pollard
