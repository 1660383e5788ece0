#include "base/error.hpp"
#include "base/job_control.hpp"
#include "chunks/chunk_job.hpp"
#include "chunks/image_chunks.hpp"
#include "command.hpp"
#include "filter/filter_units.hpp"
#include "jobs/chunk_run.hpp"
#include "jobs/filter_job.hpp"
#include "options/image_argument.hpp"
#include "options/named_files.hpp"
#include "recipe/no_data.hpp"
#include "recipe/results/channel_file.hpp"
#include "recipe/results/result_file.hpp"
#include "recipe/results/result_tags.hpp"
#include "report.hpp"
#include "text.hpp"

#include <CLI/App.hpp>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace pollard::cli {

namespace {

/// Numbers of a filter on several channels, one row each, with their totals.
class ChannelReport {
public:
    explicit ChannelReport(const std::vector<Channel>& channels) {
        for (const Channel& channel : channels) {
            rows_.push_back({channel.name});
        }
    }

    /// Adds a channel's tree. The session of @p result is not kept.
    void addTree(std::size_t channel, const FilteredImage& result);
    /// Adds a channel that was filtered in chunks.
    void addChunks(std::size_t channel, const ChunkReport& result);
    void setTime(double milliseconds) { report_.milliseconds = milliseconds; } ///< of all chunks
    void setChanged(std::size_t channel, std::uint64_t pixels) { rows_[channel].changed = pixels; }
    /// Criteria of this channel only.
    void setCriteria(std::size_t channel, std::vector<std::string> texts) {
        rows_[channel].criteria = std::move(texts);
    }
    /// Bits of the written samples.
    void setBits(int bits) { bits_ = bits; }
    /// Names the only channel with a tree.
    void setGuide(const std::string& name) { guide_ = name; }

    /// The fields of a filter on one channel as totals, and `channels`.
    /// @param asked with the criteria of all channels
    void print(const FilterRequest& request, const FilterSpec& asked, const Context& context) const;

private:
    struct Row {
        std::string name;
        std::vector<std::string> criteria = {};
        bool hasTree = false;
        bool isCut = false; ///< nodes and kept ones are not counted, see ChunkCounts
        std::uint64_t nodes = 0;
        std::uint64_t kept = 0;
        std::uint64_t removed = 0;
        std::uint64_t changed = 0; ///< pixels
    };

    [[nodiscard]] std::uint64_t sum(std::uint64_t Row::*value) const;
    void addTotals(Json& object, const FilterRequest& request, const FilterSpec& filter) const;
    void addRows(Report& report) const;

    std::vector<Row> rows_;
    std::string guide_;
    SessionTree built_; ///< without a session: times in total, the largest depth and estimate
    std::uint64_t leaves_ = 0;
    FilterSpec filter_;
    FilterReport report_;               ///< times in total
    std::optional<ChunkReport> chunks_; ///< in total, if channels were filtered in chunks
    Extent extent_;
    int bits_ = 0;
};

/// Adds the times of a job to the times of earlier jobs.
template <class Report> void addTimes(Report& sum, const Report& report) {
    sum.milliseconds += report.milliseconds;
    for (const StageTime& stage : report.stages) {
        const auto found = std::ranges::find(sum.stages, stage.name, &StageTime::name);
        if (found == sum.stages.end()) {
            sum.stages.push_back(stage);
        } else {
            found->milliseconds += stage.milliseconds;
        }
    }
}

void ChannelReport::addTree(std::size_t channel, const FilteredImage& result) {
    const TreeReport& tree = result.built.report;
    Row& row = rows_[channel];
    row.hasTree = true;
    row.nodes = tree.nodes;
    row.kept = result.report.keptNodes;
    row.removed = result.report.removedNodes;
    row.changed = result.report.changedPixels;
    leaves_ += tree.leaves;
    built_.engine = result.built.engine;
    built_.spec = result.built.spec;
    built_.estimateBytes = std::max(built_.estimateBytes, result.built.estimateBytes);
    built_.report.algorithm = tree.algorithm;
    built_.report.depth = std::max(built_.report.depth, tree.depth);
    built_.report.rootLevel = tree.rootLevel;
    built_.values = result.built.values;
    addTimes(built_.report, tree);
    addTimes(report_, result.report);
    filter_ = result.filter;
    extent_ = result.image->extent();
}

void ChannelReport::addChunks(std::size_t channel, const ChunkReport& result) {
    const ChunkCounts& counts = result.counts;
    Row& row = rows_[channel];
    row.hasTree = true;
    row.isCut = counts.isCut;
    row.nodes = counts.nodes;
    row.kept = counts.keptNodes;
    row.removed = counts.nodes - counts.keptNodes;
    row.changed = counts.changedPixels;
    extent_ = result.extent;
    bits_ = result.bits;
    if (!chunks_) {
        chunks_ = result;
        return;
    }
    chunks_->counts.add(counts);
    chunks_->readings = std::max(chunks_->readings, result.readings);
}

void ChannelReport::print(const FilterRequest& request, const FilterSpec& asked, const Context& context) const {
    FilterSpec filter = chunks_ ? asked : filter_;
    filter.output = asked.output;
    filter.criteria = asked.criteria;
    Report report;
    report.addImage(request.image.image, extent_, bits_, request.target);
    addTotals(report.fields, request, filter);
    addRows(report);
    TextTable facts({"filter", FilterOptions::describe(filter) + " (" + fixed(report_.milliseconds, 1) + " ms)"}, "ll");
    if (!guide_.empty()) {
        facts.add({"guide", guide_});
    }
    if (chunks_) {
        facts.add({"chunks", sidesText(chunks_->chunk) + " (" + chunks_->engine + "), " + chunksText(*chunks_)});
    }
    facts.add({"written", request.target});
    facts.print(report.text);
    report.print(context);
}

std::uint64_t ChannelReport::sum(std::uint64_t Row::*value) const {
    return std::accumulate(rows_.begin(), rows_.end(), std::uint64_t{0},
                           [value](std::uint64_t total, const Row& row) { return total + row.*value; });
}

void ChannelReport::addTotals(Json& object, const FilterRequest& request, const FilterSpec& filter) const {
    const bool isCut = chunks_ && chunks_->counts.isCut;
    object["kept"] = countJson(sum(&Row::kept), isCut);
    object["removed"] = sum(&Row::removed);
    object["changed_pixels"] = sum(&Row::changed);
    if (!guide_.empty()) {
        object["guide"] = guide_;
    }
    request.filter.addFields(object, filter);
    if (chunks_) {
        object["nodes"] = countJson(sum(&Row::nodes), isCut);
        addChunkFields(object, *chunks_);
        object["total_ms"] = report_.milliseconds;
        return;
    }
    addTreeFields(object, built_);
    object["nodes"] = sum(&Row::nodes);
    object["leaves"] = leaves_;
    if (std::ranges::count(rows_, true, &Row::hasTree) > 1) {
        object.erase("root_level"); // trees have one each
    }
    object["filter_ms"] = report_.milliseconds;
    object["filter_stages"] = stagesJson(report_.stages);
}

void ChannelReport::addRows(Report& report) const {
    TextTable table({"channel", "nodes", "kept", "removed", "changed pixels"}, "lrrrr");
    Json& channels = report.fields["channels"] = Json::array();
    for (const Row& row : rows_) {
        Json channel{{"name", row.name}};
        if (!row.criteria.empty()) {
            channel["criteria"] = row.criteria;
        }
        if (row.hasTree) {
            channel["kept"] = countJson(row.kept, row.isCut);
            channel["removed"] = row.removed;
        }
        channel["changed_pixels"] = row.changed;
        if (row.hasTree) {
            channel["nodes"] = countJson(row.nodes, row.isCut);
        }
        channels.push_back(std::move(channel));
        const auto ofTree = [&row](std::uint64_t number) { return row.hasTree ? grouped(number) : "-"; };
        const auto counted = [&](std::uint64_t number) { return row.isCut ? "-" : ofTree(number); };
        const std::string criteria = row.criteria.empty() ? "" : ": " + joined(row.criteria, ", ");
        table.add({row.name + criteria, counted(row.nodes), counted(row.kept), ofTree(row.removed),
                   grouped(row.changed) + shareText(row.changed, extent_.pixelCount())});
    }
    table.print(report.text);
}

void refuseForChannels(const FilterRequest& request, Output output, bool named) {
    const bool isGuided = !request.guide.empty();
    const std::string& channel = request.image.channel;
    refuseConflicts({{!isGuided && output == Output::labels,
                      "--channel all: labels number the components of one channel; name it, or write another output"},
                     {isGuided && output != Output::filtered,
                      "--guide: keeps or removes values of all channels, so the output must be filtered"},
                     {isGuided && named, "--guide: only the guide is filtered; leave out the channel in --keep"},
                     {isGuided && channel != FilterRequest::kAllChannels && channel != ImageOptions{}.channel,
                      "--guide: writes all channels; leave out --channel " + channel}});
}

/// The level of the value nearest to 0.
std::uint16_t zeroLevel(const LoadedImage& loaded) {
    const double last = maxLevelOf(loaded.image->type());
    return static_cast<std::uint16_t>(std::clamp(std::round(levelOf(loaded.info.mapping, 0)), 0.0, last));
}

/// The level of removed pixels: the no-data value of the file if it has one, else the value nearest to 0.
std::uint16_t emptyLevel(const LoadedImage& loaded) {
    return noDataLevel(loaded.image->type(), loaded.info).value_or(zeroLevel(loaded));
}

/// The level of removed pixels if it is a level of pixels with data, so not the no-data value.
std::optional<std::uint16_t> emptiedOf(const LoadedImage& loaded) {
    const bool isNoData = noDataLevel(loaded.image->type(), loaded.info).has_value();
    return isNoData ? std::nullopt : std::optional(zeroLevel(loaded));
}

struct MaskedImage {
    std::shared_ptr<const Image> image;
    std::uint64_t changed = 0; ///< pixels
};

/// The pixels of @p image at which @p kept is above 0; all others get the level @p empty.
MaskedImage maskedBy(const Image& image, const Image& kept, std::uint16_t empty) {
    const auto result = std::make_shared<Image>(image.type(), image.width(), image.height());
    std::uint64_t changed = 0;
    dispatch(image.type(), [&]<class T>(T) {
        const std::span<const T> from = image.pixels<T>();
        const std::span<T> to = result->pixels<T>();
        for (std::size_t i = 0; i < from.size(); ++i) {
            to[i] = kept.level(i) > 0 ? from[i] : static_cast<T>(empty);
            changed += to[i] != from[i] ? 1 : 0;
        }
    });
    return {result, changed};
}

/// Reads and filters the channels of a file one after another.
class ChannelFilter {
public:
    ChannelFilter(const FilterRequest& request, const Context& context, ProgressLine& progress)
        : request_(request), context_(context), progress_(progress), named_(request_.filter.takeNamed()),
          asked_(request_.filter.spec()), path_(parseImageArgument(request.image.image).path) {
        refuseForChannels(request_, asked_.output, !named_.empty());
        engines_ = enginesWith(context_, request.tree.spec().algorithm);
        requireChannelsName(request_.target);
        requireOutputs(request.image.image, {{request_.target, "the result"}});
        ReadOptions read = request.image.readOptions();
        read.threads = context_.common.threads;
        read.mapping.proportional = read.mapping.proportional || needsProportional(asked_);
        read.keepSamples = true;
        file_.emplace(path_, read,
                      ChannelFile::Listener{[this](const std::string& channel) {
                                                progress_.setSubject(channel);
                                                return progress_.control("reading", context_.stop);
                                            },
                                            [this](const std::string& note) {
                                                progress_.clear();
                                                printNote(context_, path_.string() + ": " + note);
                                            }});
        file_->requireTarget(request_.target);
    }

    void run() {
        ChannelReport report(file_->channels());
        addNamed(report);
        if (!request_.guide.empty()) {
            readGuide(report);
        }
        file_->write(
            request_.target, std::vector(file_->channels().size(), resultValuesOf(asked_)),
            [&](const LoadedImage& source, std::size_t channel) { return resultOf(source, channel, report); },
            progress_.control("writing", context_.stop), request_.stream.tiffCompression(),
            kept_ ? emptiedOf : ChannelFile::FurtherLevel());
        progress_.setSubject({});
        progress_.clear();
        report.setBits(bitsOf(file_->writtenType()));
        report.print(request_, asked_, context_);
    }

    void runInChunks() {
        ChannelReport report(file_->channels());
        addNamed(report);
        ChunkRequest common = chunkRequest(request_.image, request_.tree.spec(), request_.stream, context_);
        common.target = request_.target;
        common.read.mapping.proportional = common.read.mapping.proportional || needsProportional(asked_);
        StageTimer timer;
        const auto reports =
            pollard::filterChannels(common, *file_, filters_, progress_.control("filtering in chunks", context_.stop));
        progress_.clear();
        timer.finish("all");
        std::set<std::string> notes;
        for (std::size_t channel = 0; channel < reports.size(); ++channel) {
            report.addChunks(channel, reports[channel]);
            for (const std::string& note : reports[channel].info.notes) {
                // All channels are written, so notes about the chosen channel do not apply.
                if (!note.starts_with("shown") && notes.insert(note).second) {
                    printNote(context_, path_.string() + ": " + note);
                }
            }
        }
        report.setTime(timer.totalMilliseconds());
        report.print(request_, asked_, context_);
    }

private:
    /// Sets the filters of all channels, with the criteria that name a channel.
    void addNamed(ChannelReport& report) {
        filters_.assign(file_->channels().size(), asked_);
        std::vector<FilterSpec> own(filters_.size());
        for (const auto& [name, criterion] : named_) {
            const std::size_t index = channelOfFile("--keep", request_.image, file_->channels(), name);
            filters_[index].criteria.push_back(criterion);
            own[index].criteria.push_back(criterion);
            report.setCriteria(index, FilterOptions::criteriaTexts(own[index]));
        }
    }

    [[nodiscard]] const std::string& nameOf(std::size_t channel) const { return file_->channels()[channel].name; }

    [[nodiscard]] FilteredImage filtered(const LoadedImage& loaded, std::size_t index, const FilterSpec& filter) {
        try {
            return filterImage(request_, filter, engines_, loaded, context_, progress_);
        } catch (const Error& error) {
            throw Error(error.code(), "channel " + nameOf(index) + ": " + error.what());
        }
    }

    void readGuide(ChannelReport& report) {
        const std::size_t guide = channelOfFile("--guide", request_.image, file_->channels(), request_.guide);
        const LoadedImage read = file_->load(guide);
        progress_.clear();
        FilterSpec filter = filters_[guide];
        filter.output = Output::mask;
        const FilteredImage result = filtered(read, guide, filter);
        kept_ = result.image;
        report.addTree(guide, result);
        report.setGuide(nameOf(guide));
    }

    [[nodiscard]] ChannelFile::ChangedChannel resultOf(const LoadedImage& source, std::size_t index,
                                                       ChannelReport& report) {
        progress_.clear();
        progress_.setSubject(nameOf(index));
        if (kept_) {
            if (source.image->width() != kept_->width() || source.image->height() != kept_->height()) {
                throw Error(ErrorCode::invalidArgument,
                            path_.string() + ": channel " + nameOf(index) + " differs in size from the guide");
            }
            MaskedImage result = maskedBy(*source.image, *kept_, emptyLevel(source));
            report.setChanged(index, result.changed);
            return {std::move(result.image), source.valid};
        }
        const FilteredImage result = filtered(source, index, filters_[index]);
        report.addTree(index, result);
        return {result.image, source.valid};
    }

    FilterRequest request_;
    const Context& context_;
    ProgressLine& progress_;
    std::vector<std::pair<std::string, Criterion>> named_; ///< criteria of single channels
    FilterSpec asked_;                                     ///< with the other criteria
    std::filesystem::path path_;
    std::vector<Engine*> engines_;
    std::optional<ChannelFile> file_;   ///< made once the request is checked
    std::vector<FilterSpec> filters_;   ///< of the channels
    std::shared_ptr<const Image> kept_; ///< mask of the guide; null without one
};

/// Filters all channels of a file, each with its own tree, or keeps the pixels that the tree of the guide keeps.
/// Writes a file with the layout of the source and prints the result. Has one tree in memory at a time.
/// @throws UsageError for an output that has no channels; Error, Cancelled
void filterChannels(const FilterRequest& request, const Context& context) {
    const bool asksForChunks = request.stream.asksForChunks();
    refuseConflicts({{request.image.volume, "--volume: filters one channel; leave out --guide and --channel all"}});
    if (asksForChunks) {
        refuseInChunks(request, true);
    }
    ProgressLine progress(context.err, context.showProgress, context.pace);
    ChannelFilter filter(request, context, progress);
    if (asksForChunks) {
        filter.runInChunks();
    } else {
        filter.run();
    }
}

void printFilter(const FilterRequest& options, const FilteredImage& result, int bits, const Context& context) {
    const FilterReport& report = result.report;
    const FilterSpec& filter = result.filter;
    const Extent extent = result.image->extent();
    Report printed;
    printed.addImage(options.image.image, extent, bits, options.target);
    Json& fields = printed.fields;
    fields["kept"] = report.keptNodes;
    fields["removed"] = report.removedNodes;
    fields["changed_pixels"] = report.changedPixels;
    TextTable table({"tree", describe(result.built)}, "ll");
    table.add({"filter", FilterOptions::describe(filter) + " (" + fixed(report.milliseconds, 1) + " ms)"});
    table.add({"kept", partText(report.keptNodes, result.built.report.nodes, " nodes")});
    table.add({"removed", counted(report.removedNodes, "node")});
    table.add({"changed", partText(report.changedPixels, extent.pixelCount(), " pixels")});
    if (filter.output == Output::labels) {
        fields["labels"] = result.labels.count;
        table.add({"labels", grouped(result.labels.count)});
    }
    addSlices(fields, extent);
    options.filter.addFields(fields, filter);
    addTreeFields(fields, result.built);
    fields["filter_ms"] = report.milliseconds;
    fields["filter_stages"] = stagesJson(report.stages);
    table.add({"written", options.target});
    table.print(printed.text);
    printed.print(context);
}

void runFilter(Context& context, const FilterRequest& options) {
    if (options.concernsAllChannels()) {
        filterChannels(options, context);
        return;
    }
    const FilterSpec asked = options.filter.spec();
    if (worksInChunks(
            options.stream, [&] { return chunksNeeded(options, asked); }, "filtered in chunks", context)) {
        filterInChunks(options, asked, context);
        return;
    }
    const std::vector<Engine*> engines = enginesWith(context, options.tree.algorithm);
    requireTarget(options, true, !options.image.volume && asked.output != Output::labels);

    ProgressLine progress(context.err, context.showProgress, context.pace);
    const LoadedImage loaded = loadImage(options.image, context, progress, {.keepSamples = true});
    const FilteredImage result = filterImage(options, asked, engines, loaded, context, progress);
    const LoadedImage source = result.own ? withOwnLevels(loaded, result.image, *result.own) : loaded;
    const Plane plane = result.filter.output == Output::labels
                            ? resultPlane(result.labels.labels.span(), result.image->extent(), loaded.info)
                            : resultPlane(*result.image, source, resultValuesOf(result.filter));
    writeResult(options.target, plane, progress.control("writing", context.stop),
                {.compression = options.stream.tiffCompression()});
    progress.clear();
    printNote(context, noteOnType(loaded.info, resultValuesOf(result.filter), plane.rows.type));
    printFilter(options, result, bitsOf(plane.rows.type), context);
}

} // namespace

CommandAction declareFilter(CLI::App& app) {
    CLI::App& command = *app.add_subcommand("filter", "Keep the components of an image that meet criteria");
    const auto options = std::make_shared<FilterRequest>();
    options->declare(command);
    return [options](Context& context) { runFilter(context, *options); };
}

} // namespace pollard::cli
