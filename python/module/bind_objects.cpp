#include "arrays.hpp"
#include "bindings.hpp"
#include "job.hpp"
#include "value_mappings.hpp"

#include "base/error.hpp"
#include "components/best/best_components.hpp"
#include "components/best/best_rule.hpp"
#include "components/best/best_weights.hpp"
#include "components/best/brightness.hpp"
#include "components/labelled_components.hpp"
#include "components/objects/measured_objects.hpp"
#include "components/objects/object_files.hpp"
#include "components/outline_files/label_outlines.hpp"
#include "components/shape/object_edges.hpp"
#include "engine/best_objects.hpp"
#include "engine/find_objects.hpp"
#include "recipe/step_records.hpp"
#include "json/json_members.hpp"
#include "json/json_record.hpp"

#include <nlohmann/json.hpp>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace pollard::python {

namespace {

/// @param sides of a voxel (z, y, x), in a unit that the caller knows; nothing for px
ObjectUnit unitOf(const std::optional<std::array<double, 3>>& sides) {
    ObjectUnit unit;
    if (sides) {
        unit.unit = LengthUnit::micrometre;
        unit.sides = {(*sides)[2], (*sides)[1], (*sides)[0]};
    }
    return unit;
}

/// The ids of features that are measured if they are named. @throws Error(invalidArgument) for an unknown one
std::vector<std::string> furtherIn(const std::vector<std::string>& named, Connectivity connectivity) {
    const std::span<const ObjectFeatureInfo> known = objectFeatures(connectivity);
    std::vector<std::string> ids = named;
    if (named == std::vector{std::string(kAllFeatures)}) {
        ids.clear();
        for (const ObjectFeatureInfo& info : known) {
            ids.emplace_back(info.id);
        }
    }
    for (const std::string& id : ids) {
        (void)parseFeatures(id, known);
    }
    return ids;
}

/// The measurements that tables have, with these features.
EdgeMeasure measureOf(const std::vector<std::string>& ids, Connectivity connectivity) {
    EdgeMeasure measure = EdgeMeasure::traced;
    for (const std::string& id : ids) {
        measure = std::max(measure, edgeMeasureOf(*findObjectFeature(id, objectFeatures(connectivity))));
    }
    return measure;
}

/// Labels of the objects of a mask, their number, and the table of their features or None.
/// @param sides of a voxel (z, y, x), the unit of the features; nothing for px
/// @param further features beside the usual ones, or "all"
py::tuple label(const py::array& flags, const std::optional<py::array>& grey, int connectivity, bool features,
                const std::optional<std::array<double, 3>>& sides, const std::vector<std::string>& further,
                const std::string& device) {
    const std::shared_ptr<const Mask> mask = maskOf(flags, "label");
    const Shape shape = shapeOf(flags);
    const Extent extent = extentOf(shape, "label");
    ComponentsSpec spec;
    spec.connectivity = neighboursIn(shape.size(), extent, connectivity);
    spec.features = features;
    std::shared_ptr<const Image> measured;
    if (grey) {
        measured = imageOf(*grey, "intensity_image");
        if (measured->extent() != extent) {
            throw Error(ErrorCode::invalidArgument, "intensity_image: has another shape than the mask");
        }
    }
    spec.slices = extent.slices;
    const std::vector<std::string> ids = furtherIn(further, spec.connectivity);
    Components found;
    ObjectEdges edges;
    runJob(extent.pixelCount(), [&](const JobControl& control) {
        onDevice(device, [&](Engine& engine) {
            found = engine.labelComponents(*mask, measured.get(), spec, control);
            edges = measureEdges(found, features ? measureOf(ids, spec.connectivity) : EdgeMeasure::none, control,
                                 unitOf(sides).proportions());
        });
    });
    const py::object table =
        features ? py::object(tableOf(MeasuredObjects(found, &edges, unitOf(sides)), allLabels(found), ids))
                 : py::none();
    return py::make_tuple(arrayOf(std::move(found.labels), shape), found.count, table);
}

/// An image in which best components are found.
class BestImage {
public:
    /// @param flags pixels in which objects may lie; nothing: all
    /// @param values of the levels; nothing if levels are values
    /// @param sides of a voxel (z, y, x)
    BestImage(const py::array& levels, const std::optional<py::array>& flags, const std::optional<ValueMapping>& values,
              bool dark, const std::optional<std::array<double, 3>>& sides)
        : image_(imageOf(levels, "image")), mask_(flags ? maskOf(*flags, "mask") : nullptr), values_(values),
          dark_(dark) {
        if (image_->extent().isVolume()) {
            image_->setSides(unitOf(sides).proportions());
        }
    }
    [[nodiscard]] const Image& image() const noexcept { return *image_; }

    /// Calls work(candidates, control) beside the thread that looks for Ctrl+C.
    template <class Work> void run(const std::string& device, const Work& work) const {
        runJob(image_->pixelCount(), [&](const JobControl& control) {
            onDevice(device, [&](Engine& engine) {
                const auto candidates = findBestCandidates(engine, *image_, mask_.get(), values_,
                                                           dark_ ? Polarity::dark : Polarity::bright, control);
                work(*candidates, control);
            });
        });
    }

private:
    std::shared_ptr<Image> image_;
    std::shared_ptr<const Mask> mask_;
    std::optional<ValueMapping> values_;
    bool dark_;
};

/// Column, row and slice of a pixel, and whether an object is wanted there.
using MarkTuple = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, bool>;

/// @param size expected area, px; nothing: estimated
/// @param weights text of parseBestWeights(); empty: the usual ones
BestChoice bestChoice(const std::optional<double>& size, double strictness, const std::string& weights,
                      const std::vector<MarkTuple>& marks) {
    BestChoice choice{size, strictness};
    if (!weights.empty()) {
        const auto known = parseBestWeights(weights);
        if (!known) {
            throw Error(ErrorCode::invalidArgument, "weights: '" + weights + "': must be numbers from -1000 to 1000");
        }
        choice.weights = *known;
    }
    for (const auto& [x, y, z, isObject] : marks) {
        choice.marks.push_back({x, y, isObject, z});
    }
    return choice;
}

/// Labels of the best components of an image, and the table of their features.
py::tuple bestComponents(const py::array& levels, const std::optional<py::array>& flags,
                         const std::optional<ValueMapping>& values, bool dark,
                         const std::optional<std::array<double, 3>>& sides, const std::optional<double>& size,
                         double strictness, const std::string& weights, const std::vector<MarkTuple>& marks,
                         const std::string& device) {
    const BestImage image(levels, flags, values, dark, sides);
    const BestChoice choice = bestChoice(size, strictness, weights, marks);
    const ObjectUnit unit = unitOf(sides);
    Components found;
    ObjectEdges edges;
    image.run(device, [&](const BestCandidates& candidates, const JobControl& control) {
        found = bestObjects(candidates, choice, {}, &image.image(), control, levels.ndim() == 3);
        edges = measureEdges(found, EdgeMeasure::traced, control, unit.proportions());
    });
    const py::dict table = tableOf(MeasuredObjects(found, &edges, unit), allLabels(found));
    return py::make_tuple(arrayOf(std::move(found.labels), shapeOf(levels)), table);
}

/// Columns "pixel", "object" and "expected_overlap" of the regions of which the choice is least sure.
py::dict leastSure(const py::array& levels, const std::optional<py::array>& flags,
                   const std::optional<ValueMapping>& values, bool dark,
                   const std::optional<std::array<double, 3>>& sides, const std::optional<double>& size,
                   double strictness, const std::string& weights, const std::vector<MarkTuple>& marks,
                   const std::string& device, std::size_t count) {
    const BestImage image(levels, flags, values, dark, sides);
    const BestChoice choice = bestChoice(size, strictness, weights, marks);
    std::vector<UnsureRegion> found;
    image.run(device, [&](const BestCandidates& candidates, const JobControl& control) {
        found = candidates.leastSure(choice, count, control);
    });
    py::dict columns;
    columns["pixel"] = columnOf<std::uint64_t>(found, [](const UnsureRegion& each) { return each.pixel; });
    columns["object"] = columnOf<bool>(found, [](const UnsureRegion& each) { return each.isObject; });
    columns["expected_overlap"] = columnOf<double>(found, [](const UnsureRegion& each) { return each.fit; });
    return columns;
}

/// What weights are learned from. @param truth uint32 of the shape of the image
BestLesson bestLesson(const py::array& levels, const std::optional<py::array>& flags,
                      const std::optional<ValueMapping>& values, bool dark,
                      const std::optional<std::array<double, 3>>& sides, const std::optional<double>& size,
                      const py::array& truth, const std::string& device) {
    const BestImage image(levels, flags, values, dark, sides);
    const std::span<const std::uint32_t> numbers(static_cast<const std::uint32_t*>(truth.data()),
                                                 static_cast<std::size_t>(truth.size()));
    std::optional<BestLesson> lesson;
    image.run(device, [&](const BestCandidates& candidates, const JobControl& control) {
        lesson.emplace(candidates, size, numbers, control);
    });
    return std::move(*lesson);
}

/// The weights by their names.
py::dict learnWeights(const std::vector<const BestLesson*>& lessons) {
    BestWeights learned;
    runJob(lessons.size(), [&](const JobControl& control) { learned = learnBestWeights(lessons, control); });
    py::dict weights;
    for (const auto& [name, weight] : kBestWeights) {
        weights[py::str(name.data(), name.size())] = learned.*weight;
    }
    return weights;
}

/// Reads "watershed" or "hierarchy" of recipes, and "dark". Sizes are in px, or in the unit of @p sides.
ObjectRule regionRuleIn(const std::string& text, const std::optional<std::array<double, 3>>& sides) {
    static constexpr auto kRules = json::record<ObjectRule>(
        json::field("watershed", &ObjectRule::watershed, json::optionalOf(json::kWatershedRule)).omitted(),
        json::field("hierarchy", &ObjectRule::hierarchy, json::optionalOf(json::kHierarchyRule)).omitted(),
        json::field("dark", &ObjectRule::dark, json::Flag{}));
    const JsonPlace place{"objects", {}};
    ObjectRule rule;
    kRules.read(parseJson(text, place.kind, {}), place, rule);
    if (rule.hierarchy) {
        LengthUnit& unit = rule.hierarchy->sizes.unit;
        if (unit != LengthUnit::pixel) {
            place.at("hierarchy").at("sizes").at("unit").fail("sizes are in px, or in the unit of spacing");
        }
        unit = sides ? LengthUnit::micrometre : LengthUnit::pixel;
    }
    return rule;
}

/// Labels of the regions of a watershed or hierarchy, and the table of their features.
/// @param flags pixels to divide; nothing: all
/// @param values of the levels; nothing if levels are values
/// @param rules text of regionRuleIn()
py::tuple regionObjects(const py::array& levels, const std::optional<py::array>& flags,
                        const std::optional<ValueMapping>& values, const std::string& rules, int connectivity,
                        const std::optional<std::array<double, 3>>& sides, const std::vector<std::string>& further,
                        const std::string& device) {
    const std::shared_ptr<Image> image = imageOf(levels, "intensity_image");
    const std::shared_ptr<const Mask> mask = flags ? maskOf(*flags, "mask") : nullptr;
    const VoxelSides proportions = unitOf(sides).proportions();
    if (image->extent().isVolume()) {
        image->setSides(proportions);
    }
    const LevelRange all{0, maxLevelOf(image->type())};
    ObjectRule rule = regionRuleIn(rules, sides);
    rule.connectivity = neighboursIn(shapeOf(levels).size(), image->extent(), connectivity);
    rule.levels = all;
    ObjectSource source{*image, mask.get(), values};
    source.grey = image.get();
    if (sides) {
        source.pixelSize = sizeOfArray(*sides, "um");
    }
    const std::vector<std::string> ids = furtherIn(further, rule.connectivity);
    Components found;
    ObjectEdges edges;
    runJob(image->pixelCount(), [&](const JobControl& control) {
        onDevice(device, [&](Engine& engine) {
            found = findObjects(engine, rule, source, all, {}, control.part(0, .8));
            edges = measureEdges(found, measureOf(ids, rule.connectivity), control.part(.8, .2), proportions);
        });
    });
    const py::dict table = tableOf(MeasuredObjects(found, &edges, unitOf(sides)), allLabels(found), ids);
    return py::make_tuple(arrayOf(std::move(found.labels), shapeOf(levels)), table);
}

/// Labels 1 .. count of the objects of a label image in ascending order of its numbers, and the table of their
/// features.
/// @param numbers uint32, 0: background
/// @param flags pixels to consider; nothing: all
/// @param grey levels to measure; nothing: none
py::tuple labelObjects(const py::array& numbers, const std::optional<py::array>& flags,
                       const std::optional<py::array>& grey, int connectivity,
                       const std::optional<std::array<double, 3>>& sides, const std::vector<std::string>& further) {
    const std::shared_ptr<const Mask> mask = flags ? maskOf(*flags, "mask") : nullptr;
    const std::shared_ptr<const Image> measured = grey ? imageOf(*grey, "intensity_image") : nullptr;
    const Shape shape = shapeOf(numbers);
    const Extent extent = extentOf(shape, "labels");
    const Connectivity neighbours = neighboursIn(shape.size(), extent, connectivity);
    const std::vector<std::string> ids = furtherIn(further, neighbours);
    const std::span<const std::uint32_t> stored(static_cast<const std::uint32_t*>(numbers.data()),
                                                static_cast<std::size_t>(numbers.size()));
    Components found;
    ObjectEdges edges;
    runJob(extent.pixelCount(), [&](const JobControl& control) {
        found = measureNumbers(stored, extent, mask.get(), measured.get(), neighbours, control.part(0, .5));
        edges = measureEdges(found, measureOf(ids, neighbours), control.part(.5, .5), unitOf(sides).proportions());
    });
    const py::dict table = tableOf(MeasuredObjects(found, &edges, unitOf(sides)), allLabels(found), ids);
    return py::make_tuple(arrayOf(std::move(found.labels), shape), table);
}

/// The numbers of a label file, in the shape of an image.
py::array readLabelFile(const std::filesystem::path& path, const std::vector<std::size_t>& shape) {
    const Shape wanted(shape.begin(), shape.end());
    const Extent extent = extentOf(wanted, "labels");
    std::shared_ptr<const StoredLabels> stored;
    runJob(extent.pixelCount(), [&](const JobControl& control) {
        stored = labelsOfImage({}, {})(std::filesystem::absolute(path).string(), extent, shape.size() == 3, control);
    });
    const std::span<const std::uint32_t> numbers = stored->labels.span();
    Buffer<std::uint32_t> copy(numbers.size());
    std::ranges::copy(numbers, copy.begin());
    return arrayOf(std::move(copy), wanted);
}

} // namespace

void bindObjects(py::module_& module) {
    module.def("label", &label, py::arg("mask"), py::arg("grey"), py::arg("connectivity"), py::arg("features"),
               py::arg("sides"), py::arg("further"), py::arg("device"));
    py::class_<BestLesson>(module, "BestLesson");
    module.def("best_components", &bestComponents, py::arg("image"), py::arg("mask"), py::arg("values"),
               py::arg("dark"), py::arg("sides"), py::arg("size"), py::arg("strictness"), py::arg("weights"),
               py::arg("marks"), py::arg("device"));
    module.def("least_sure", &leastSure, py::arg("image"), py::arg("mask"), py::arg("values"), py::arg("dark"),
               py::arg("sides"), py::arg("size"), py::arg("strictness"), py::arg("weights"), py::arg("marks"),
               py::arg("device"), py::arg("count"));
    module.def("best_lesson", &bestLesson, py::arg("image"), py::arg("mask"), py::arg("values"), py::arg("dark"),
               py::arg("sides"), py::arg("size"), py::arg("truth"), py::arg("device"));
    module.def("learn_weights", &learnWeights, py::arg("lessons"));
    module.def("region_objects", &regionObjects, py::arg("image"), py::arg("mask"), py::arg("values"), py::arg("rules"),
               py::arg("connectivity"), py::arg("sides"), py::arg("further"), py::arg("device"));
    module.def("label_objects", &labelObjects, py::arg("numbers"), py::arg("mask"), py::arg("grey"),
               py::arg("connectivity"), py::arg("sides"), py::arg("further"));
    module.def("read_labels", &readLabelFile, py::arg("path"), py::arg("shape"));
}

} // namespace pollard::python
