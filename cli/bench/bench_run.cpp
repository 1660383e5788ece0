#include "bench/bench_run.hpp"

#include "base/error.hpp"
#include "bench/bench_samples.hpp"
#include "bench/bench_subject.hpp"
#include "engine/timed_parts.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <span>

namespace pollard::cli {

namespace {

/// Results of one repetition.
struct Repetition {
    TreeReport tree;
    FilterReport filter;
    std::vector<StageTime> parents; ///< of a parent image alone, if the tree is built without one
    std::vector<StageTime> wall;    ///< per step: upload, build, attribute, filter
    std::optional<double> upload;
    std::optional<double> download;
    std::optional<double> attribute;   ///< on the device
    std::vector<StageTime> attributes; ///< on the device, or wall time; all except area

    /// Stores times that the session reports separately.
    void take(const std::vector<StageTime>& stages) {
        for (const StageTime& stage : stages) {
            auto& sum = stage.name == "upload" ? upload : stage.name == "download" ? download : attribute;
            sum = sum.value_or(0) + stage.milliseconds;
        }
    }
};

/// Sum of the stages up to the parent image; nothing if there is none.
std::optional<double> parentImageTime(const std::vector<StageTime>& stages) {
    double sum = 0;
    for (const StageTime& stage : stages) {
        sum += stage.name == "upload" ? 0 : stage.milliseconds;
        if (stage.name == "flatten") {
            return sum;
        }
    }
    return std::nullopt;
}

void addTo(SampleTable& table, const Repetition& repetition) {
    const double uploadWall = repetition.wall[0].milliseconds;
    const double buildWall = repetition.wall[1].milliseconds;
    const double attributeWall = repetition.wall[2].milliseconds;
    const double filterWall = repetition.wall[3].milliseconds;
    if (repetition.upload) {
        table.add("upload", *repetition.upload);
        table.add("upload/wall", uploadWall);
    }
    for (const StageTime& stage : repetition.tree.stages) {
        table.add("build/" + stage.name, stage.milliseconds);
    }
    table.add("build", repetition.tree.milliseconds);
    table.add("build/wall", buildWall);
    for (const StageTime& stage : repetition.parents) {
        table.add("parents/" + stage.name, stage.milliseconds);
    }
    if (const auto parents =
            parentImageTime(repetition.parents.empty() ? repetition.tree.stages : repetition.parents)) {
        table.add(repetition.upload ? "kernels" : "parents", *parents);
    }
    const double area = repetition.attribute.value_or(attributeWall);
    table.add("attribute/area", area);
    table.add("attribute/wall", attributeWall);
    for (const StageTime& stage : repetition.filter.stages) {
        table.add("filter/" + stage.name, stage.milliseconds);
    }
    table.add("filter", repetition.filter.milliseconds);
    table.add("filter/wall", filterWall);
    if (repetition.download) {
        table.add("download", *repetition.download);
    }
    double all = area;
    for (const StageTime& stage : repetition.attributes) {
        table.add("attribute/" + stage.name, stage.milliseconds);
        all += stage.milliseconds;
    }
    if (!repetition.attributes.empty()) {
        table.add("attributes", all);
    }
    table.add("total", repetition.tree.milliseconds + area + repetition.filter.milliseconds);
    table.add("total/wall", uploadWall + buildWall + attributeWall + filterWall);
}

/// The interface of a session that has it, else @p none.
TimedParts& timedPartsOf(Session& session, TimedParts& none) {
    auto* const parts = dynamic_cast<TimedParts*>(&session);
    return parts == nullptr ? none : *parts;
}

/// Times of all attributes except area: on the device, or the wall time if the host computes them.
std::vector<StageTime> timeAttributes(Session& session, TimedParts& parts, const Extent& extent,
                                      Connectivity connectivity, const JobControl& control) {
    std::vector<StageTime> times;
    for (const AttributeInfo& info : extent.isVolume() ? volumeAttributes() : allAttributes()) {
        const bool isUndefined = info.id == AttributeId::euler && connectivity == Connectivity::eighteen;
        if (info.id == AttributeId::area || isUndefined) {
            continue;
        }
        StageTimer wall;
        (void)session.attribute(info.id, control);
        wall.finish("wall");
        std::optional<double> onDevice;
        for (const StageTime& stage : parts.takeTransferStages()) {
            if (stage.name != "upload" && stage.name != "download") {
                onDevice = onDevice.value_or(0) + stage.milliseconds;
            }
        }
        times.push_back({std::string(info.name), onDevice.value_or(wall.totalMilliseconds())});
    }
    return times;
}

FilterSpec benchFilter() {
    FilterSpec spec;
    spec.criteria.push_back({AttributeId::area, 100});
    return spec;
}

/// Wall time of the parent images (or the trees, if the engine has no cheaper form) of consecutive images, ms per
/// image.
double streamTime(Engine& engine, std::span<const std::shared_ptr<const Image>> images, const TreeSpec& spec, int count,
                  const SessionOptions& options, const JobControl& control) {
    if (auto* const streamer = dynamic_cast<TreeStreamer*>(&engine)) {
        const StreamReport report = streamer->streamTrees(images, spec, count, control);
        return report.milliseconds / report.images;
    }
    const auto session = engine.openSession(options);
    TimedParts none;
    TimedParts& parts = timedPartsOf(*session, none);
    StageTimer wall;
    for (int i = 0; i < count; ++i) {
        session->open(images[static_cast<std::size_t>(i) % images.size()]);
        if (parts.timeParentImage(spec, control).empty()) {
            (void)session->buildTree(spec, control);
        }
    }
    wall.finish("wall");
    return wall.totalMilliseconds() / count;
}

} // namespace

BenchRun benchTree(Session& session, const TreeSpec& spec, const std::shared_ptr<const Image>& image, int repeat,
                   bool attributes, const JobControl& control) {
    const FilterSpec filter = benchFilter();
    TimedParts none;
    TimedParts& parts = timedPartsOf(session, none);
    Image out(image->type(), image->extent());
    BenchRun result;
    SampleTable table;
    for (int i = 0; i <= repeat; ++i) {
        control.throwIfStopped();
        (void)parts.takeTransferStages();
        Repetition repetition;
        StageTimer wall;
        session.open(image);
        wall.finish("upload");
        repetition.tree = session.buildTree(spec, control);
        wall.finish("build");
        const auto area = session.attribute(AttributeId::area, control);
        wall.finish("attribute");
        repetition.filter = session.filter(filter, out, control);
        wall.finish("filter");
        repetition.wall = wall.take();
        repetition.take(parts.takeTransferStages());
        if (attributes) {
            repetition.attributes = timeAttributes(session, parts, image->extent(), spec.connectivity, control);
        }
        if (!parentImageTime(repetition.tree.stages)) {
            session.open(image); // without a tree in memory, as before a build
            repetition.parents = parts.timeParentImage(spec, control);
        }
        if (!spec.algorithm.empty() && repetition.tree.algorithm != spec.algorithm) {
            throw Error(ErrorCode::engineUnavailable, "benchmark: " + spec.algorithm + ": the tree came from " +
                                                          repetition.tree.algorithm + " instead");
        }
        if (i > 0) { // the first run pays for fresh memory
            addTo(table, repetition);
        }
        result.tree = std::move(repetition.tree);
    }
    result.stages = table.medians();
    return result;
}

double benchStream(Engine& engine, const TreeSpec& spec, const std::shared_ptr<const Image>& image, int count,
                   int repeat, const SessionOptions& options, const JobControl& control) {
    constexpr int kWarmUp = 8;
    const std::array images{image, turned(*image)};
    (void)streamTime(engine, images, spec, std::min(count, kWarmUp), options, control);
    std::vector<double> milliseconds;
    for (int i = 0; i < repeat; ++i) {
        control.throwIfStopped();
        milliseconds.push_back(streamTime(engine, images, spec, count, options, control));
    }
    return median(milliseconds);
}

} // namespace pollard::cli
