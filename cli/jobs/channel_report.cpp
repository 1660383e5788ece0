#include "jobs/channel_report.hpp"

#include "jobs/stream_job.hpp"
#include "text.hpp"

#include <algorithm>
#include <numeric>

namespace pollard::cli {

namespace {

/// Adds the times of a job to those of others.
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

} // namespace

ChannelReport::ChannelReport(const std::vector<std::string>& names) {
    for (const std::string& name : names) {
        rows_.push_back({name});
    }
}

void ChannelReport::addTree(std::size_t channel, const Filtered& result) {
    const TreeReport& tree = result.built.report;
    Row& row = rows_[channel];
    row.hasTree = true;
    row.nodes = tree.nodes;
    row.kept = result.report.keptNodes;
    row.removed = result.report.removedNodes;
    row.changed = result.report.changedPixels;
    leaves_ += tree.leaves;
    built_.engine = result.built.engine;
    built_.estimateBytes = std::max(built_.estimateBytes, result.built.estimateBytes);
    built_.report.algorithm = tree.algorithm;
    built_.report.depth = std::max(built_.report.depth, tree.depth);
    built_.report.rootLevel = tree.rootLevel;
    addTimes(built_.report, tree);
    addTimes(report_, result.report);
    filter_ = result.filter;
    width_ = result.picture->width();
    height_ = result.picture->height();
    bits_ = bitsOf(result.picture->type());
}

void ChannelReport::addChunks(std::size_t channel, const PictureFilterReport& result) {
    const StreamedReport& stream = result.stream;
    Row& row = rows_[channel];
    row.hasTree = true;
    row.isCut = stream.isCut;
    row.nodes = stream.nodes;
    row.kept = stream.keptNodes;
    row.removed = stream.nodes - stream.keptNodes;
    row.changed = stream.changedPixels;
    width_ = result.extent.width;
    height_ = result.extent.height;
    bits_ = result.bits;
    if (!chunks_) {
        chunks_ = result;
        return;
    }
    StreamedReport& all = chunks_->stream;
    all.isCut = all.isCut || stream.isCut;
    all.builtTrees += stream.builtTrees;
    all.openNodes += stream.openNodes;
    all.mergedNodes += stream.mergedNodes;
    all.largestMerge = std::max(all.largestMerge, stream.largestMerge);
    all.largestFrontier = std::max(all.largestFrontier, stream.largestFrontier);
    chunks_->readings = std::max(chunks_->readings, result.readings);
}

void ChannelReport::print(const FilterRequest& request, const FilterSpec& asked, const Context& context) const {
    FilterSpec filter = chunks_ ? asked : filter_;
    filter.output = asked.output;
    filter.criteria = asked.criteria;
    if (context.common.json) {
        printJson(context.out, json(request, filter));
    } else if (!context.common.quiet) {
        printTables(request, filter, context.out);
    }
}

std::uint64_t ChannelReport::sum(std::uint64_t Row::*value) const {
    return std::accumulate(rows_.begin(), rows_.end(), std::uint64_t{0},
                           [value](std::uint64_t total, const Row& row) { return total + row.*value; });
}

Json ChannelReport::json(const FilterRequest& request, const FilterSpec& filter) const {
    const bool isCut = chunks_ && chunks_->stream.isCut;
    Json object{{"file", request.image.image},
                {"output_file", request.target},
                {"width", width_},
                {"height", height_},
                {"bits", bits_},
                {"kept", countJson(sum(&Row::kept), isCut)},
                {"removed", sum(&Row::removed)},
                {"changed_pixels", sum(&Row::changed)}};
    if (!guide_.empty()) {
        object["guide"] = guide_;
    }
    request.filter.addFields(object, filter);
    if (chunks_) {
        object["nodes"] = countJson(sum(&Row::nodes), isCut);
        addStreamFields(object, chunks_->engine, chunks_->chunk, chunks_->readings, chunks_->stream);
        object["total_ms"] = report_.milliseconds;
    } else {
        addTreeFields(object, built_, request.tree.spec());
        object["nodes"] = sum(&Row::nodes);
        object["leaves"] = leaves_;
        if (std::ranges::count(rows_, true, &Row::hasTree) > 1) {
            object.erase("root_level"); // trees have one each
        }
        object["filter_ms"] = report_.milliseconds;
        object["filter_stages"] = stagesJson(report_.stages);
    }
    object["channels"] = Json::array();
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
        object["channels"].push_back(std::move(channel));
    }
    return object;
}

void ChannelReport::printTables(const FilterRequest& request, const FilterSpec& filter, std::ostream& out) const {
    using enum TextTable::Align;
    TextTable channels({"channel", "nodes", "kept", "removed", "changed pixels"}, {left, right, right, right, right});
    const std::uint64_t pixels = std::uint64_t{width_} * height_;
    for (const Row& row : rows_) {
        const auto ofTree = [&row](std::uint64_t number) { return row.hasTree ? grouped(number) : "-"; };
        const auto counted = [&](std::uint64_t number) { return row.isCut ? "-" : ofTree(number); };
        const std::string criteria = row.criteria.empty() ? "" : ": " + joined(row.criteria, ", ");
        channels.add({row.name + criteria, counted(row.nodes), counted(row.kept), ofTree(row.removed),
                      grouped(row.changed) + shareText(row.changed, pixels)});
    }
    channels.print(out);
    TextTable facts({"filter", FilterOptions::describe(filter) + " (" + fixed(report_.milliseconds, 1) + " ms)"},
                    {left, left});
    if (!guide_.empty()) {
        facts.add({"guide", guide_});
    }
    if (chunks_) {
        facts.add({"chunks", sidesText(chunks_->chunk) + " (" + chunks_->engine + "), " +
                                 chunksText(chunks_->stream, chunks_->readings)});
    }
    facts.add({"written", request.target});
    facts.print(out);
}

} // namespace pollard::cli
