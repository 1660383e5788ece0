#include "max_tree.hpp"

#include "analysis/spectrum.hpp"
#include "arrays.hpp"
#include "job.hpp"
#include "value_mappings.hpp"

#include "analysis/bins.hpp"
#include "analysis/h_maxima.hpp"
#include "analysis/mser.hpp"
#include "analysis/reconstruction.hpp"
#include "attributes/grey_values.hpp"
#include "base/buffer.hpp"
#include "base/error.hpp"
#include "base/job_control.hpp"
#include "base/parallel.hpp"
#include "engine/engine_registry.hpp"
#include "engine/profile.hpp"
#include "filter/filter_spec.hpp"
#include "filter/filter_units.hpp"
#include "filter/forest.hpp"
#include "filter/node_decision.hpp"
#include "filter/output_values.hpp"
#include "image/image.hpp"
#include "image/mask.hpp"
#include "io/metadata/scene_units.hpp"
#include "learn/criteria_learner.hpp"
#include "learn/forest_learner.hpp"
#include "learn/mask_nodes.hpp"
#include "tree/component_tree.hpp"
#include "tree/node_set.hpp"
#include "tree/stability.hpp"

#include <pybind11/stl.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace pollard::python {

namespace {

TreeSpec specFor(const TreeArguments& request, const Shape& shape, const Extent& extent) {
    return {request.kind, neighboursIn(shape.size(), extent, request.connectivity), {}};
}

constexpr double kMostExact = 9007199254740992; // 2^53: doubles up to here have all whole numbers

/// A column in values, integers if they are and doubles hold them exactly.
py::array inValues(const AttributeColumn& column, const ValueMapping& mapping) {
    std::vector<double> values(column.size());
    bool isWhole = attributeInfo(column.id).integral && hasIntegers(mapping);
    for (std::size_t node = 0; node < values.size(); ++node) {
        values[node] = columnValue(column.id, column.at(node), mapping);
        isWhole = isWhole && std::abs(values[node]) <= kMostExact; // false for NaN
    }
    const auto itself = [](double value) { return value; };
    return isWhole ? py::array(columnOf<std::int64_t>(values, itself)) : py::array(columnOf<double>(values, itself));
}

/// Columns of a pattern spectrum.
struct SpectrumColumns {
    const AttributeColumn& contrast;
    const AttributeColumn& area;
    const AttributeColumn& binned;
};

/// A pattern spectrum in values.
struct ValueSpectrum {
    std::vector<double> edges;
    std::vector<double> mass; ///< per bin, contrast * area
    std::vector<std::uint64_t> nodes;
    double total = 0; ///< mass of all nodes but the root
};

/// As patternSpectrum(), in values; the last bin is closed unless the last edge is given.
ValueSpectrum valueSpectrum(const SpectrumColumns& columns, const BinSpec& spec, const ValueMapping& mapping,
                            const JobControl& control) {
    const AttributeInfo& info = attributeInfo(columns.binned.id);
    const auto valueIn = [&](const AttributeColumn& column, std::size_t node) {
        return columnValue(column.id, column.at(node), mapping);
    };
    ColumnRange range;
    for (std::size_t node = 1; node < columns.binned.size(); ++node) {
        const double value = valueIn(columns.binned, node);
        if (std::isfinite(value) && (spec.scale == BinScale::linear || value > 0)) {
            range = {std::min(range.minimum, value), std::max(range.maximum, value)};
        }
    }
    control.throwIfStopped();
    const Bins bins = makeBins(spec, range.minimum, range.maximum, info.integral && info.grey == Grey::none);
    const BinFinder binOf(bins);
    ValueSpectrum found{bins.edges, std::vector<double>(bins.count()), std::vector<std::uint64_t>(bins.count())};
    for (std::size_t node = 1; node < columns.binned.size(); ++node) {
        const double mass = valueIn(columns.contrast, node) * columns.area.at(node);
        found.total += mass;
        if (const std::uint32_t bin = binOf(valueIn(columns.binned, node)); bin < bins.count()) {
            found.mass[bin] += mass;
            ++found.nodes[bin];
        }
    }
    return found;
}

/// Sets the smallest and the largest value of the pixels inside, if there are any.
void setRange(ValueMapping& mapping, const Image& image, const Mask* inside) {
    dispatch(image.type(), [&]<class Pixel>(Pixel) {
        const Pixel* row = image.pixels<Pixel>().data();
        std::uint16_t low = std::numeric_limits<std::uint16_t>::max();
        std::uint16_t high = 0;
        for (std::uint32_t y = 0; y < image.extent().rows(); ++y, row += image.width()) {
            const auto take = [&](std::uint32_t first, std::uint32_t last) {
                const auto [least, most] = std::minmax_element(row + first, row + last);
                low = std::min<std::uint16_t>(low, *least);
                high = std::max<std::uint16_t>(high, *most);
            };
            if (inside != nullptr) {
                forEachRun(*inside, y, true, take);
            } else {
                take(0, image.width());
            }
        }
        mapping.minimum = mapping.valueOf(std::min(low, high));
        mapping.maximum = mapping.valueOf(high);
    });
}

} // namespace

MaxTree::MaxTree(const py::array& levels, const std::optional<py::array>& mask, const TreeArguments& request)
    : shape_(shapeOf(levels)), extent_(extentOf(shape_, "image")), spec_(specFor(request, shape_, extent_)),
      mapping_(request.mapping), size_(request.size) {
    const std::shared_ptr<Image> over = imageOf(levels, "image");
    over->setSides(shape_.size() > 2 ? request.sides : VoxelSides{});
    image_ = over;
    type_ = over->type();
    const std::shared_ptr<const Mask> inside = mask ? maskOf(*mask, "mask") : nullptr;
    if (mask && shapeOf(*mask) != shape_) {
        throw Error(ErrorCode::invalidArgument, "mask: has another shape than the image");
    }
    if (mapping_ && mapping_->isProportional()) {
        setRange(*mapping_, *over, inside.get());
    }
    runJob(work(), [&](const JobControl& control) {
        onDevice(request.device, [&](Engine& engine) {
            std::unique_ptr<Session> session = engine.openSession({.threads = request.threads});
            requireMemory(engine, session->leastTreeBytes(*image_) + image_->bytes(), extent_);
            session->open(image_, inside, mapping_);
            report_ = session->buildTree(spec_, control);
            device_ = engine.name();
            session_ = std::move(session);
        });
    });
}

MaxTree::MaxTree(const GpuArray& levels, const TreeArguments& request)
    : shape_(levels.shape), extent_(levels.pixels.extent), spec_(specFor(request, shape_, extent_)),
      size_(request.size) {
    if (request.device == "cpu") {
        throw Error(ErrorCode::invalidArgument, "image: is in the memory of a GPU; copy it to the host for the CPU");
    }
    type_ = levels.pixels.type == TexelType::u8 ? PixelType::u8 : PixelType::u16;
    runJob(work(), [&](const JobControl& control) {
        onDevice(request.device == "auto" ? "cuda" : request.device, [&](Engine& engine) {
            std::unique_ptr<Session> session = engine.openSession({.threads = request.threads});
            arrays_ = dynamic_cast<DeviceArrays*>(session.get());
            if (arrays_ == nullptr) {
                throw Error(ErrorCode::engineUnavailable, "image: the engine takes no arrays of a GPU");
            }
            arrays_->openArray(levels.pixels, request.sides);
            report_ = session->buildTree(spec_, control);
            device_ = engine.name();
            session_ = std::move(session);
        });
    });
}

std::shared_ptr<const ComponentTree> MaxTree::tree() const {
    if (tree_ == nullptr) {
        std::shared_ptr<const ComponentTree> fetched;
        use([&](Session& session, const JobControl&) { fetched = session.tree(); });
        tree_ = std::move(fetched);
    }
    return tree_;
}

void MaxTree::use(const std::function<void(Session&, const JobControl&)>& work) const {
    runJob(this->work(), [&](const JobControl& control) {
        const std::lock_guard lock(*using_);
        work(*session_, control);
    });
}

AttributeId MaxTree::attributeNamed(const std::string& name) const {
    const std::optional<AttributeId> id = findAttribute(name);
    const bool isVolume = extent_.isVolume();
    if (!id) {
        std::string known;
        for (const AttributeInfo& info : isVolume ? volumeAttributes() : allAttributes()) {
            known += (known.empty() ? "" : ", ") + std::string(info.name);
        }
        throw Error(ErrorCode::invalidArgument, "attribute: '" + name + "': unknown (there are " + known + ")");
    }
    requireMeasured(*id, isVolume);
    return *id;
}

py::array MaxTree::attribute(const std::string& name) const {
    const AttributeId id = attributeNamed(name);
    std::shared_ptr<const AttributeColumn> column;
    use([&](Session& session, const JobControl& control) { column = session.attribute(id, control); });
    if (mapping_ && (isColumnInValues(id, *mapping_) || attributeInfo(id).grey == Grey::position)) {
        return inValues(*column, *mapping_);
    }
    return std::visit(
        [&](const auto& values) -> py::array {
            return arrayOver(values.data(), {static_cast<py::ssize_t>(values.size())}, column);
        },
        column->values);
}

std::optional<PixelSize> MaxTree::sizeOf(AttributeId id) const {
    const bool isVolume = extent_.isVolume();
    if (!size_ || dimensionOf(id, isVolume) == Dimension::none) {
        return std::nullopt;
    }
    if (const std::string why = whyNoUnit(id, size_, isVolume); !why.empty()) {
        throw Error(ErrorCode::invalidArgument, "attribute '" + std::string(attributeInfo(id).name) + "': " + why);
    }
    return sizeFor(id, *size_, isVolume);
}

double MaxTree::unitFactor(const std::string& name) const {
    const AttributeId id = attributeNamed(name);
    const std::optional<PixelSize> size = sizeOf(id);
    return size ? inUnit(1, unitAtStart(size->unit)->unit, dimensionOf(id, extent_.isVolume()), *size) : 1;
}

double MaxTree::inPixels(const std::string& name, double value) const {
    const AttributeId id = attributeNamed(name);
    const std::optional<PixelSize> size = sizeOf(id);
    return size ? pixelsOf(value, unitAtStart(size->unit)->unit, dimensionOf(id, extent_.isVolume()), *size) : value;
}

FilterSpec filterOf(const FilterArguments& request, bool hasSize, bool isVolume) {
    FilterSpec spec;
    for (const std::string& criterion : request.criteria) {
        const Criterion parsed = parseCriterion(criterion);
        requireMeasured(parsed.attribute, isVolume);
        if (parsed.unit != LengthUnit::pixel && !hasSize) {
            throw Error(ErrorCode::invalidArgument, "criterion '" + criterion +
                                                        "': the pixels of an array have no size; give the bound in "
                                                        "px, or spacing and unit of the array");
        }
        spec.criteria.push_back(parsed);
    }
    for (const std::vector<std::string>& questions : request.forest) {
        DecisionTree& tree = spec.forest.trees.emplace_back();
        for (const std::string& question : questions) {
            tree.push_back(parseQuestion(question));
            requireMeasured(tree.back().condition.attribute, isVolume);
        }
    }
    if (const std::string why = forestProblem(spec.forest); !why.empty()) {
        throw Error(ErrorCode::invalidArgument, "forest: " + why);
    }
    spec.match = named(kAllMatches, request.match, "match");
    spec.rule = named(kAllRules, request.rule, "rule");
    spec.output = named(kAllOutputs, request.output, "output");
    if (!request.prominent.empty()) {
        spec.prominent = parseProminent(request.prominent);
    }
    return spec;
}

FilterSpec MaxTree::specOf(const FilterArguments& request) const {
    return pollard::inPixels(filterOf(request, size_.has_value(), extent_.isVolume()),
                             {size_, mapping_, extent_.isVolume()});
}

py::object MaxTree::filter(const FilterArguments& request) const {
    const FilterSpec spec = specOf(request);
    if (arrays_ != nullptr) {
        GpuArray result{{}, shape_};
        use([&](Session&, const JobControl& control) { result.pixels = arrays_->filteredArray(spec, control); });
        return py::cast(std::move(result));
    }
    const auto out = std::make_shared<Image>(type_, extent_);
    use([&](Session& session, const JobControl& control) { session.filter(spec, *out, control); });
    return arrayOf(out, shape_);
}

py::tuple MaxTree::labelled(LabelImage image) const {
    const std::uint32_t count = image.count;
    return py::make_tuple(arrayOf(std::move(image.labels), shape_), count);
}

py::tuple MaxTree::labels(const FilterArguments& request) const {
    const FilterSpec spec = specOf(request);
    if (arrays_ != nullptr) {
        DeviceLabelArray found;
        use([&](Session&, const JobControl& control) { found = arrays_->labelledArray(spec, control); });
        return py::make_tuple(GpuArray{std::move(found.labels), shape_}, found.count);
    }
    LabelImage image;
    use([&](Session& session, const JobControl& control) { image = session.labels(spec, control); });
    return labelled(std::move(image));
}

py::tuple MaxTree::labelsOf(const py::array& keep, const std::string& rule) const {
    const auto tree = this->tree();
    NodeDecision decision{flagsOf(keep, tree->nodeCount(), "labels")};
    const Rule chosen = named(kAllRules, rule, "rule");
    LabelImage image;
    runJob(work(), [&](const JobControl& control) {
        const bool keepsRoot = decision.keep[0] != 0;
        applyRule(chosen, *tree, {}, decision.keep, control);
        decision.rootCounts = chosen == Rule::max ? decision.keep[0] != 0 : keepsRoot;
        decision.keep[0] = 1;
        image = labelPixels(*tree, labelNodes(*tree, decision, control), control);
        session_->clearOutside(image);
    });
    return labelled(std::move(image));
}

std::shared_ptr<Image> MaxTree::paint(const ComponentTree& tree, const Buffer<std::uint16_t>& levels,
                                      const JobControl& control) const {
    auto out = std::make_shared<Image>(type_, extent_);
    dispatch(out->type(), [&]<class Pixel>(Pixel) {
        Pixel* target = out->pixels<Pixel>().data();
        forEachIndex(tree.pixelCount(), control,
                     [&](std::size_t p) { target[p] = static_cast<Pixel>(levels[tree.pixelNode[p]]); });
    });
    session_->restoreOutside(Output::filtered, *out, control);
    return out;
}

py::array MaxTree::reconstruct(const py::array& keep, const std::string& rule) const {
    const auto tree = this->tree();
    Buffer<std::uint8_t> flags = flagsOf(keep, tree->nodeCount(), "reconstruct");
    const Rule chosen = named(kAllRules, rule, "rule");
    std::shared_ptr<Image> out;
    runJob(work(), [&](const JobControl& control) {
        applyRule(chosen, *tree, {}, flags, control);
        out = paint(*tree, filteredLevels(*tree, chosen, flags), control);
    });
    return arrayOf(out, shape_);
}

py::array MaxTree::hMaxima(std::uint16_t h) const {
    const auto tree = this->tree();
    std::shared_ptr<Image> out;
    runJob(work(), [&](const JobControl& control) { out = paint(*tree, hMaximaLevels(*tree, h, control), control); });
    return arrayOf(out, shape_);
}

py::array MaxTree::reconstructFrom(const py::array& marker) const {
    const std::shared_ptr<Image> from = imageOf(marker, "seed");
    const auto tree = this->tree();
    std::shared_ptr<Image> out;
    runJob(work(),
           [&](const JobControl& control) { out = paint(*tree, reconstructedLevels(*tree, *from, control), control); });
    return arrayOf(out, shape_);
}

py::dict MaxTree::spectrum(const std::string& attribute, std::uint32_t bins, const std::string& scale,
                           std::optional<double> low, std::optional<double> high) const {
    const AttributeId id = attributeNamed(attribute);
    if (scale != "linear" && scale != "log") {
        throw Error(ErrorCode::invalidArgument, "scale: '" + scale + "': unknown (there are linear, log)");
    }
    const BinSpec spec{bins, scale == "log" ? BinScale::log : BinScale::linear, low, high};
    if (mapping_ && (!mapping_->isProportional() || attributeInfo(id).grey != Grey::none)) {
        return spectrumInValues(id, spec);
    }
    PatternSpectrum found;
    use([&](Session& session, const JobControl& control) { found = session.spectrum(id, spec, control); });
    py::dict result;
    result["edges"] = columnOf<double>(found.bins.edges, [](double edge) { return edge; });
    result["mass"] = columnOf<std::uint64_t>(found.shares, [](const SpectrumShare& share) { return share.mass; });
    result["nodes"] = columnOf<std::uint64_t>(found.shares, [](const SpectrumShare& share) { return share.nodes; });
    result["total"] = found.total;
    return result;
}

py::dict MaxTree::spectrumInValues(AttributeId id, const BinSpec& spec) const {
    ValueSpectrum found;
    use([&](Session& session, const JobControl& control) {
        const auto contrast = session.attribute(AttributeId::contrast, control);
        const auto area = session.attribute(AttributeId::area, control);
        const auto column = session.attribute(id, control);
        found = valueSpectrum({*contrast, *area, *column}, spec, *mapping_, control);
    });
    const auto itself = [](auto number) { return number; };
    const bool isWhole = hasIntegers(*mapping_) && found.total <= kMostExact;
    py::dict result;
    result["edges"] = columnOf<double>(found.edges, itself);
    result["mass"] = isWhole ? py::array(columnOf<std::uint64_t>(found.mass, itself))
                             : py::array(columnOf<double>(found.mass, itself));
    result["nodes"] = columnOf<std::uint64_t>(found.nodes, itself);
    result["total"] =
        isWhole ? py::object(py::int_(static_cast<std::uint64_t>(found.total))) : py::object(py::float_(found.total));
    return result;
}

template <class T> py::array_t<T> MaxTree::pathSums(const py::array_t<T>& numbers) const {
    const auto tree = this->tree();
    if (numbers.ndim() != 1 || static_cast<std::size_t>(numbers.size()) != tree->nodeCount()) {
        throw Error(ErrorCode::invalidArgument,
                    "path sums: need a number for each of the " + std::to_string(tree->nodeCount()) + " nodes");
    }
    py::array_t<T> sums(Shape{numbers.size()}); // with strides by the size of T, see imageOf()
    const auto number = numbers.template unchecked<1>();
    auto sum = sums.template mutable_unchecked<1>();
    for (py::ssize_t i = 0; i < numbers.size(); ++i) {
        sum(i) = i == 0 ? number(i) : static_cast<T>(sum(tree->parent[static_cast<std::size_t>(i)]) + number(i));
    }
    return sums;
}
template py::array_t<double> MaxTree::pathSums(const py::array_t<double>&) const;
template py::array_t<std::uint64_t> MaxTree::pathSums(const py::array_t<std::uint64_t>&) const;

std::shared_ptr<const Image> MaxTree::hostImage(Session& session, const JobControl& control) const {
    if (image_ != nullptr) {
        return image_;
    }
    auto unfiltered = std::make_shared<Image>(type_, extent_);
    session.filter({}, *unfiltered, control);
    return unfiltered;
}

py::array MaxTree::profile(const std::string& attribute, const std::vector<double>& thresholds, const std::string& rule,
                           bool differential) const {
    ProfileSpec spec{attributeNamed(attribute), thresholds, named(kAllRules, rule, "rule"), differential};
    for (double& threshold : spec.thresholds) {
        threshold -= columnValue(spec.attribute, 0, mapping_); // steps of levels are 1 where a column is in levels
    }
    Shape shape = shape_;
    shape.insert(shape.begin(), static_cast<py::ssize_t>(thresholds.size()));
    Buffer<std::byte> pages;
    use([&](Session& session, const JobControl& control) {
        AttributeProfile profile(session, hostImage(session, control), spec);
        Image page(type_, extent_);
        const std::size_t bytes = page.bytes();
        pages = Buffer<std::byte>(bytes * thresholds.size());
        for (int i = 0; i < profile.pageCount(); ++i) {
            profile.page(i, page, control);
            std::copy(page.data(), page.data() + bytes, pages.data() + static_cast<std::size_t>(i) * bytes);
        }
    });
    const auto owner = std::make_shared<Buffer<std::byte>>(std::move(pages));
    return dispatch(type_, [&]<class Pixel>(Pixel) -> py::array {
        return arrayOver(reinterpret_cast<Pixel*>(owner->data()), shape, owner);
    });
}

py::tuple MaxTree::learn(const std::vector<std::vector<std::pair<std::uint32_t, bool>>>& batches,
                         const std::vector<std::string>& attributes, bool anySize, std::size_t ask, bool forest) const {
    std::vector<AttributeId> ids;
    for (const std::string& name : attributes) {
        ids.push_back(attributeNamed(name));
    }
    if (attributes.empty()) {
        ids = attributesToLearn(extent_.isVolume());
    }
    requireMemoryToLearn(report_.nodes, ids.size() + 1);
    const LearnedSize sizes = anySize ? LearnedSize::any : LearnedSize::ofKept;
    LearnedCriteria learned;
    std::vector<UnsureNode> unsure;
    use([&](Session& session, const JobControl& control) {
        LearnedColumns columns;
        for (const AttributeId id : ids) {
            columns.push_back(session.attribute(id, control));
        }
        const auto area = session.attribute(AttributeId::area, control);
        const auto addAll = [&](auto& learner) {
            for (const auto& batch : batches) {
                std::vector<Example> examples;
                for (const auto& [node, keep] : batch) {
                    examples.push_back({node, keep});
                }
                learner.add(examples, control);
            }
            learned = learner.learned();
        };
        if (forest) {
            ForestLearner learner(session.tree(), std::move(columns), area, mapping_, sizes);
            addAll(learner);
        } else {
            CriteriaLearner learner(std::move(columns), area, mapping_, sizes, control);
            addAll(learner);
            unsure = learner.leastSure(*session.tree(), ask, control);
        }
    });
    std::vector<std::string> criteria;
    for (const Criterion& criterion : learned.criteria) {
        criteria.push_back(toString(criterion));
    }
    std::vector<std::vector<std::string>> trees;
    for (const DecisionTree& tree : learned.forest.trees) {
        std::vector<std::string>& questions = trees.emplace_back();
        for (const ForestNode& node : tree) {
            questions.push_back(toString(node));
        }
    }
    return py::make_tuple(criteria, learned.margin,
                          columnOf<std::uint32_t>(learned.wrong, [](const Example& example) { return example.node; }),
                          columnOf<std::uint32_t>(unsure, [](const UnsureNode& each) { return each.node; }), trees);
}

py::array MaxTree::maskNodes(const py::array& flags) const {
    const std::shared_ptr<const Mask> mask = maskOf(flags, "mask");
    MaskNodes found;
    use([&](Session& session, const JobControl& control) { found = nodesOfMask(*session.tree(), *mask, control); });
    return columnOf<std::uint32_t>(found.nodes, std::identity{});
}

py::tuple MaxTree::mser(std::optional<std::uint16_t> delta, std::uint64_t minArea, std::optional<std::uint64_t> maxArea,
                        double maxVariation, double minDiversity) const {
    if (mapping_ && !mapping_->isProportional()) {
        throw Error(
            ErrorCode::invalidArgument,
            "mser: the values of the image are real numbers or spread over more than 65536 integers; scale them "
            "to uint16, so that a step of levels is one of values");
    }
    const MserSpec spec{delta ? delta : std::optional(stabilityDelta(type_, mapping_)), minArea, maxArea, maxVariation,
                        minDiversity};
    std::vector<MserRegion> regions;
    Buffer<std::uint32_t> labels;
    use([&](Session& session, const JobControl& control) {
        const auto tree = session.tree();
        regions = findMser(*tree, *session.attribute(AttributeId::area, control), spec, control);
        labels = mserLabels(*tree, regions, control);
    });
    const auto column = [&](auto member) {
        return columnOf<double>(regions, [member](const MserRegion& region) { return region.*member; });
    };
    py::dict table;
    table["node"] = columnOf<std::uint32_t>(regions, [](const MserRegion& region) { return region.node; });
    table["level"] =
        columnOf<double>(regions, [&](const MserRegion& region) { return valueOf(mapping_, region.level); });
    table["area"] = columnOf<std::uint32_t>(regions, [](const MserRegion& region) { return region.area; });
    table["variation"] = column(&MserRegion::variation);
    table["centroid_x"] = column(&MserRegion::x);
    table["centroid_y"] = column(&MserRegion::y);
    if (extent_.isVolume()) {
        table["centroid_z"] = column(&MserRegion::z);
    } else {
        table["major"] = column(&MserRegion::major);
        table["minor"] = column(&MserRegion::minor);
        table["orientation"] = column(&MserRegion::angle);
    }
    return py::make_tuple(table, arrayOf(std::move(labels), shape_));
}

py::array MaxTree::chain(std::uint32_t pixel) const {
    const auto tree = this->tree();
    if (pixel >= tree->pixelCount()) {
        throw Error(ErrorCode::invalidArgument,
                    "chain: pixel " + std::to_string(pixel) + " of " + std::to_string(tree->pixelCount()));
    }
    const std::vector<std::uint32_t> nodes = chainOf(*tree, tree->pixelNode[pixel]);
    return columnOf<std::uint32_t>(nodes, [](std::uint32_t node) { return node; });
}

py::tuple MaxTree::parentImage() const {
    const auto tree = this->tree();
    const std::size_t pixels = tree->pixelCount();
    Buffer<std::int64_t> parents(pixels);
    Buffer<std::int64_t> order(pixels);
    runJob(work(), [&](const JobControl& control) {
        const Buffer<std::uint32_t> canonical = canonicalParentImage(*tree);
        forEachIndex(pixels, control, [&](std::size_t p) { parents[p] = canonical[p]; });
        // The pixels by node, each node's canonical one first: a counting sort.
        Buffer<std::uint32_t> next(tree->nodeCount());
        std::fill(next.begin(), next.end(), 0U);
        for (const std::uint32_t node : tree->pixelNode.span()) {
            ++next[node];
        }
        control.throwIfStopped();
        toOffsets(next.span());
        for (std::size_t node = 0; node < tree->nodeCount(); ++node) {
            order[next[node]++] = tree->canonical[node];
        }
        control.throwIfStopped();
        for (std::size_t p = 0; p < pixels; ++p) {
            const std::uint32_t node = tree->pixelNode[p];
            if (tree->canonical[node] != p) {
                order[next[node]++] = static_cast<std::int64_t>(p);
            }
        }
    });
    return py::make_tuple(arrayOf(std::move(parents), shape_),
                          arrayOf(std::move(order), {static_cast<py::ssize_t>(pixels)}));
}

} // namespace pollard::python
