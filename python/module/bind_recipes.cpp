#include "arrays.hpp"
#include "bindings.hpp"
#include "job.hpp"
#include "value_mappings.hpp"

#include "base/error.hpp"
#include "batch/recipe_batch.hpp"
#include "geo/map_coordinates.hpp"
#include "image/length_unit.hpp"
#include "io/page_selection.hpp"
#include "io/volumes/read_volume.hpp"
#include "recipe/presets.hpp"
#include "recipe/recipe.hpp"
#include "recipe/run_recipe.hpp"

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pollard::python {

namespace {

Recipe presetNamed(const std::string& name) {
    if (const Preset* preset = findPreset(name)) {
        return preset->recipe;
    }
    throw Error(ErrorCode::invalidArgument, "preset: '" + name + "': unknown");
}

py::list presetNames() {
    py::list names;
    for (const Preset& preset : allPresets()) {
        names.append(preset.name);
    }
    return names;
}

py::object resultImage(RecipeResult& result, const Shape& shape) {
    if (result.labelled) {
        return arrayOf(std::move(result.labelled->labels), shape);
    }
    return arrayOf(std::const_pointer_cast<Image>(result.image), shape);
}

/// "levels" of the source, "differences" of levels, or "others".
std::string kindOf(const RecipeResult& result) {
    if (result.labelled || result.values == ResultValues::others) {
        return "others";
    }
    return result.isLength ? "lengths" : areLevels(result.values) ? "levels" : "differences";
}

/// Results of a recipe: "image" with the "kind" of its values, the values of its levels as "own" if they differ from
/// the values of the source's levels, and lists of tables of objects and of contours, in the order of the steps.
/// @param channels for objects that are measured in channels; empty: none
/// @param unit of the tables of objects
py::dict run(const Recipe& recipe, const LoadedImage& loaded, const Shape& shape, const std::string& device,
             const ChannelSource& channels = {}, LengthUnit unit = LengthUnit::pixel) {
    if (!recipe.channels.empty()) {
        throw Error(ErrorCode::invalidArgument,
                    "recipe '" + recipe.name + "': has filters of several channels; 'pollard-cli run' makes its files");
    }
    RecipeResult result;
    std::vector<ObjectEdges> edges;
    const JobControl::ProgressFunction progress = progressOfJob();
    runStoppable(kLongJob, [&](const std::stop_token& stop) {
        onDevice(device,
                 [&](Engine& engine) { result = runRecipe(recipe, loaded, engine, {}, stop, progress, {}, channels); });
        edges.clear();
        for (const ObjectsStepReport& report : result.objects) {
            edges.push_back(measureEdges(report.components, EdgeMeasure::traced, JobControl(stop)));
        }
    });
    py::list objects;
    for (std::size_t i = 0; i < result.objects.size(); ++i) {
        const ObjectsStepReport& report = result.objects[i];
        const bool inVolume = report.components.isVolume();
        ObjectUnit tableUnit;
        if (inVolume || unit != LengthUnit::pixel) {
            tableUnit = objectUnitOf(unit, loaded.info.pixelSize, inVolume, loaded.info.spacing);
        }
        tableUnit.values = loaded.info.mapping;
        py::dict table = tableOf(MeasuredObjects(report.components, &edges[i], tableUnit), report.list.labels);
        for (const ObjectColumn& column : report.columns) {
            const auto valueOf = [&column](std::uint32_t label) { return column.valueOf(label); };
            table[py::str(column.name)] = columnOf<double>(report.list.labels, valueOf);
        }
        objects.append(std::move(table));
    }
    py::list contours;
    for (const ContourStepReport& report : result.contours) {
        contours.append(resultOf(report.contours));
    }
    py::dict all;
    all["kind"] = kindOf(result);
    if (result.own) {
        all["own"] = valuesOfLevels(*result.own);
    }
    all["image"] = resultImage(result, shape);
    all["objects"] = objects;
    all["contours"] = contours;
    return all;
}

py::dict runOnArray(const Recipe& recipe, const py::array& levels, const std::optional<py::array>& mask,
                    const std::optional<ValueMapping>& mapping, const std::string& device,
                    const std::optional<std::array<double, 3>>& sides, const std::optional<std::string>& unit) {
    if (mapping && !mapping->isProportional() && readOptionsOf(recipe).mapping.proportional) {
        throw Error(ErrorCode::invalidArgument,
                    "image: a step of the recipe takes distances of levels for distances of values, which the ranks of "
                    "real numbers and of wide integers are not; scale the values to uint16");
    }
    LoadedImage loaded;
    const std::shared_ptr<Image> image = imageOf(levels, "image");
    LengthUnit unitOfTables = LengthUnit::pixel;
    if (sides && unit) {
        loaded.info.pixelSize = sizeOfArray(*sides, *unit);
        unitOfTables = unitAtStart(loaded.info.pixelSize->unit)->unit;
        if (image->extent().isVolume()) {
            image->setSides(voxelSides(loaded.info.pixelSize, std::nullopt));
        }
    }
    loaded.image = image;
    loaded.valid = mask ? maskOf(*mask, "mask") : nullptr;
    loaded.info.mapping = mapping;
    loaded.info.width = loaded.image->width();
    loaded.info.height = loaded.image->height();
    return run(recipe, loaded, shapeOf(levels), device, {}, unitOfTables);
}

/// @param at text of parseSelection() that replaces the recipe's selection; empty: the recipe's selection
py::dict runOnFile(Recipe recipe, const std::filesystem::path& path, const std::string& device, const std::string& at) {
    if (!at.empty()) {
        setSelection(recipe, parseSelection(at));
    }
    SelectedParts parts;
    LoadedImage loaded;
    runJob(kLongJob, [&](const JobControl& control) {
        parts = partsOf(recipe, path, readOptionsOf(recipe));
        if (parts.parts.size() != 1) {
            throw Error(ErrorCode::invalidArgument,
                        path.string() + ": at: selects several images; name one position of each axis");
        }
        loaded = readPart(path, parts.parts.front(), control);
        findGroundSize(loaded.info, loaded.image->width(), loaded.image->height());
    });
    const Extent extent = loaded.image->extent();
    Shape shape{extent.height, extent.width};
    if (extent.isVolume()) {
        shape.insert(shape.begin(), extent.slices);
    }
    const std::optional<ValueMapping> mapping = loaded.info.mapping;
    py::dict found = run(recipe, loaded, shape, device, channelsOfFile(path, parts.parts.front()));
    if (mapping) {
        found["values"] = valuesOfLevels(*mapping);
        found["step"] = mapping->step;
    }
    return found;
}

/// Writes the files of `pollard-cli run` for an image. @return their paths
std::vector<std::filesystem::path> writeFiles(const Recipe& recipe, const std::filesystem::path& path,
                                              const std::filesystem::path& folder, int page,
                                              const std::string& device) {
    std::vector<BatchItem> items;
    runStoppable(kLongJob, [&](const std::stop_token& stop) {
        BatchOptions options;
        options.engines = enginesNamed(device);
        items = planBatch(recipe, {{path.string(), path, page}}, folder);
        makeBatchFolder(folder);
        for (const BatchResult& result : runBatch(recipe, items, options, stop)) {
            if (!result.error.empty()) {
                throw Error(ErrorCode::invalidArgument, result.error);
            }
        }
    });
    std::vector<std::filesystem::path> written;
    for (const BatchItem& item : items) {
        written.insert(written.end(), item.targets.begin(), item.targets.end());
    }
    return written;
}

} // namespace

void bindRecipes(py::module_& module) {
    py::class_<Recipe>(module, "Recipe")
        .def(py::init(&parseRecipe), py::arg("text"))
        .def_readonly("name", &Recipe::name)
        .def_readonly("description", &Recipe::description)
        .def("json", &toJson)
        .def("save", &saveRecipe, py::arg("path"))
        .def("run_on_array", &runOnArray, py::arg("levels"), py::arg("mask"), py::arg("mapping"), py::arg("device"),
             py::arg("sides"), py::arg("unit"))
        .def("run_on_file", &runOnFile, py::arg("path"), py::arg("device"), py::arg("at") = "")
        .def("write_files", &writeFiles, py::arg("path"), py::arg("folder"), py::arg("page"), py::arg("device"));
    module.def("load_recipe", &loadRecipe, py::arg("path"));
    module.def("preset_recipe", &presetNamed, py::arg("name"));
    module.def("preset_names", &presetNames);
}

} // namespace pollard::python
