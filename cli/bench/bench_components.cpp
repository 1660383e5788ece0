#include "bench/bench_run.hpp"

#include "base/parallel.hpp"
#include "bench/bench_images.hpp"
#include "bench/bench_samples.hpp"
#include "command.hpp"
#include "jobs/tree_job.hpp"
#include "text.hpp"

#include "base/error.hpp"
#include "base/job_control.hpp"
#include "components/components.hpp"
#include "components/objects/object_stream.hpp"
#include "components/threshold.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

namespace pollard::cli {

namespace {

/// Input of a measurement.
struct Subject {
    std::string name;
    std::shared_ptr<const Image> image;
    std::uint16_t low; ///< lowest level of set pixels
    Mask mask;
};

struct Workload {
    const char* name;
    bool features;
    bool grey;
};
constexpr Workload kWorkloads[] = {{"labels", false, false}, {"shape", true, false}, {"grey", true, true}};

std::vector<std::uint32_t> parseNumbers(const char* option, const std::string& text, std::uint32_t least,
                                        std::uint32_t most) {
    std::vector<std::uint32_t> numbers;
    for (const std::string& part : splitList(text)) {
        const auto number = numberIn<std::uint32_t>(part);
        refuseConflicts({{!number || *number < least || *number > most,
                          std::string(option) + ": '" + part + "': must be a number from " + std::to_string(least) +
                              " to " + std::to_string(most)}});
        numbers.push_back(*number);
    }
    return numbers;
}

Subject subjectOf(std::string name, std::shared_ptr<const Image> image, std::uint16_t low, const Context& context) {
    Mask mask = thresholdMask(*image, low, 0xffff, nullptr, JobControl(context.stop));
    return {std::move(name), std::move(image), low, std::move(mask)};
}

/// Calls @p visit with each subject, holding one at a time in memory.
template <class Visit>
void forEachSubject(const BenchOptions& options, const Context& context, ProgressLine& progress, const Visit& visit) {
    const auto granularities = parseNumbers("granularity", options.granularities, 1, 4096);
    const auto densities = parseNumbers("density", options.densities, 0, 100);
    if (!options.images.empty()) {
        for (const BenchSubject& subject : loadSubjects(options, context, progress)) {
            const auto image = atDepth(subject, PixelType::u16).image;
            const std::uint16_t low =
                automaticThreshold(ThresholdMethod::otsu, *image, nullptr, JobControl(context.stop));
            visit(subjectOf(subject.name, image, low, context));
        }
        return;
    }
    for (const ImageSize& size : parseSizes(options.sizes)) {
        for (const std::uint32_t granularity : granularities) {
            for (const std::uint32_t density : densities) {
                visit(subjectOf(std::to_string(size.width) + "x" + std::to_string(size.height) + " g" +
                                    std::to_string(granularity) + " d" + std::to_string(density),
                                makeSquares(granularity, density, size.width, size.height), 0x8000, context));
            }
        }
    }
}

/// The image shifted down cyclically by parts of its height, so that the frames of a sequence differ in memory.
std::vector<std::shared_ptr<const Image>> makeFrames(const Image& image) {
    constexpr std::uint32_t kFrames = 4;
    const std::size_t rowBytes = image.bytes() / image.height();
    std::vector<std::shared_ptr<const Image>> frames;
    for (std::uint32_t i = 0; i < kFrames; ++i) {
        auto frame = std::make_shared<Image>(image.type(), image.width(), image.height());
        const std::size_t moved = rowBytes * (std::uint64_t{image.height()} * i / kFrames);
        std::copy(image.data(), image.data() + (image.bytes() - moved), frame->data() + moved);
        std::copy(image.data() + (image.bytes() - moved), image.data() + image.bytes(), frame->data());
        frames.push_back(std::move(frame));
    }
    return frames;
}

/// Times of a stream of frames pushed as fast as accepted.
struct StreamTimes {
    double millisecondsOfFrame = 0; ///< total wall time divided by the number of frames
    Latencies latencies;
    std::uint32_t objects = 0;
};

StreamTimes timeStream(Engine& engine, const ComponentsSpec& spec, int inFlight, int threads, int count,
                       const std::vector<std::shared_ptr<const Image>>& frames, std::uint16_t low,
                       const JobControl& control) {
    const auto stream = engine.streamObjects(spec, inFlight, {.threads = threads});
    StreamTimes times;
    const auto pop = [&] {
        const StreamedObjects found = stream->pop(control);
        times.objects = found.components.count;
        return found.milliseconds;
    };
    for (std::size_t i = 0; i < stream->capacity(); ++i) { // warm-up: allocates memory, fills caches
        stream->push({frames[i % frames.size()], nullptr, low});
    }
    while (stream->underWay() > 0) {
        static_cast<void>(pop());
    }
    StageTimer timer;
    for (int i = 0; i < count; ++i) {
        if (stream->underWay() == stream->capacity()) {
            times.latencies.add(pop());
        }
        stream->push({frames[static_cast<std::size_t>(i) % frames.size()], nullptr, low});
    }
    while (stream->underWay() > 0) {
        times.latencies.add(pop());
    }
    timer.finish("all");
    times.millisecondsOfFrame = timer.totalMilliseconds() / count;
    return times;
}

/// Adds the times of one call.
void addTimes(SampleTable& samples, const std::string& work, const Components& found) {
    double kernels = 0;
    for (const StageTime& stage : found.stages) {
        samples.add(work + "/" + stage.name, stage.milliseconds);
        const bool isWork = stage.name != "upload" && stage.name != "download" && stage.name != "memory";
        kernels += isWork ? stage.milliseconds : 0;
    }
    if (!found.stages.empty()) {
        samples.add(work + "/kernels", kernels);
    }
    samples.add(work + "/wall", found.milliseconds);
}

class ComponentsBench {
public:
    ComponentsBench(const BenchOptions& options, const Context& context, ProgressLine& progress)
        : options_(options), context_(context), progress_(progress), engines_(enginesWith(context, {}, kLabellingJob)) {
        for (const std::string& name : splitList(options.algorithms)) {
            static_cast<void>(enginesWith(context, name, kLabellingJob)); // throws if unknown
        }
    }

    [[nodiscard]] std::vector<BenchRow> run() {
        refuseConflicts({{options_.volume && options_.stream > 0, "stream: sends images, not volumes"}});
        const auto connectivities = parseConnectivities(options_.neighbours(), options_.volume);
        forEachSubject(options_, context_, progress_, [&](const Subject& subject) {
            for (Engine* engine : engines_) {
                for (const AlgorithmInfo& algorithm : engine->algorithms()) {
                    if (options_.fits(algorithm, kLabellingJob) && options_.names(algorithm)) {
                        for (const Connectivity connectivity : connectivities) {
                            measure(*engine, algorithm.name, connectivity, subject);
                        }
                    }
                }
            }
        });
        return std::move(rows_);
    }

private:
    void measure(Engine& engine, const std::string& algorithm, Connectivity connectivity, const Subject& subject) {
        const JobControl control = progress_.control(subject.name + ", " + algorithm, context_.stop);
        SampleTable samples;
        std::uint32_t objects = 0;
        for (const Workload& work : kWorkloads) {
            ComponentsSpec spec;
            spec.algorithm = algorithm;
            spec.connectivity = connectivity;
            spec.features = work.features;
            spec.slices = options_.volume ? subject.image->extent().slices : 1;
            for (int i = 0; i <= options_.repeat; ++i) {
                control.throwIfStopped();
                try {
                    const Image* const grey = work.grey ? subject.image.get() : nullptr;
                    const Components found = engine.labelComponents(subject.mask, grey, spec, control);
                    objects = found.count;
                    if (i > 0) { // the first run is a warm-up
                        addTimes(samples, work.name, found);
                    }
                } catch (const Error& error) {
                    if (error.code() != ErrorCode::invalidArgument) {
                        throw;
                    }
                    return; // not for this connectivity
                }
            }
        }
        const BenchRow row{.image = subject.name,
                           .bits = bitsOf(subject.image->type()),
                           .pixels = subject.image->pixelCount(),
                           .algorithm = algorithm,
                           .connectivity = connectivity,
                           .engine = engine.name(),
                           .nodes = objects};
        addRows(rows_, row, samples.medians());
        if (options_.stream > 0) {
            measureStreams(engine, subject, row, control);
        }
    }

    /// Measures one frame at a time, and as many as the engine allows; only records, and with the label image.
    void measureStreams(Engine& engine, const Subject& subject, BenchRow row, const JobControl& control) {
        const auto frames = makeFrames(*subject.image);
        for (const bool labels : {false, true}) {
            ComponentsSpec spec;
            spec.algorithm = row.algorithm;
            spec.connectivity = row.connectivity;
            spec.labels = labels;
            for (const int inFlight : {1, kMostUnderWay}) {
                const StreamTimes times = timeStream(engine, spec, inFlight, context_.common.threads, options_.stream,
                                                     frames, subject.low, control);
                row.nodes = times.objects;
                const std::string name =
                    std::string(labels ? "stream-labels" : "stream-records") + (inFlight == 1 ? "-1/" : "-3/");
                row.stage = {name + "frame", times.millisecondsOfFrame};
                row.framesPerSecond = 1000 / times.millisecondsOfFrame;
                rows_.push_back(row);
                row.framesPerSecond.reset();
                addRows(rows_, row,
                        {{name + "latency", times.latencies.median()},
                         {name + "p95", times.latencies.p95()},
                         {name + "longest", times.latencies.longest()}});
            }
        }
    }

    static constexpr int kMostUnderWay = 3;

    const BenchOptions& options_;
    const Context& context_;
    ProgressLine& progress_;
    std::vector<Engine*> engines_;
    std::vector<BenchRow> rows_;
};

} // namespace

std::vector<BenchRow> benchComponents(const BenchOptions& options, const Context& context, ProgressLine& progress) {
    ThreadArena arena(context.common.threads);
    return arena.execute([&] { return ComponentsBench(options, context, progress).run(); });
}

} // namespace pollard::cli
