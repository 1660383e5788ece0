#include "jobs/channel_filter.hpp"

#include "base/error.hpp"
#include "base/stage_timer.hpp"
#include "jobs/channel_report.hpp"
#include "jobs/stream_job.hpp"
#include "options/output_target.hpp"
#include "parts/stored_filter.hpp"
#include "progress_line.hpp"
#include "recipe/channel_file.hpp"
#include "recipe/no_data.hpp"
#include "recipe/result_tags.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>

namespace pollard::cli {

namespace {

constexpr const char* kAll = "all";

void requireChannels(const FilterRequest& request, Output output, bool named) {
    if (request.guide.empty()) {
        if (output == Output::labels) {
            throw UsageError("--channel all: labels number the components of one channel; name it, or write another "
                             "output");
        }
        return;
    }
    if (output != Output::filtered) {
        throw UsageError("--guide: keeps or removes values of all channels, so the output must be filtered");
    }
    if (named) {
        throw UsageError("--guide: only the guide is filtered; leave out the channel in --keep");
    }
    if (request.image.channel != kAll && request.image.channel != ImageOptions{}.channel) {
        throw UsageError("--guide: writes all channels; leave out --channel " + request.image.channel);
    }
}

/// @throws UsageError for options that need the channels as a whole
void requireChunksOfChannels(const FilterRequest& request) {
    if (!request.guide.empty()) {
        throw UsageError("--stream: filters each channel by its own tree; leave out --guide");
    }
    if (request.filter.hasPicks()) {
        throw UsageError("--stream: components are not picked by pixel in chunks");
    }
    refuseShrinking(request.image);
}

/// The level of the value nearest to 0.
std::uint16_t zeroLevel(const LoadedImage& loaded) {
    const double last = maxLevelOf(loaded.image->type());
    const auto& mapping = loaded.info.mapping;
    const double level = mapping ? std::round(-mapping->offset / mapping->step) : 0;
    return static_cast<std::uint16_t>(std::clamp(level, 0.0, last));
}

/// The level of removed pixels: the no-data value of the file if it has one, else the value nearest to 0.
std::uint16_t emptyLevel(const LoadedImage& loaded) {
    return noDataLevel(loaded.image->type(), loaded.info).value_or(zeroLevel(loaded));
}

/// That level if it is one of pixels with data.
std::optional<std::uint16_t> emptiedOf(const LoadedImage& loaded) {
    const bool isNoData = noDataLevel(loaded.image->type(), loaded.info).has_value();
    return isNoData ? std::nullopt : std::optional(zeroLevel(loaded));
}

struct CutOut {
    std::shared_ptr<const Image> image;
    std::uint64_t changed = 0; ///< pixels
};

/// The pixels of @p image at which @p kept is above 0; all others get the level @p empty.
CutOut cutOut(const Image& image, const Image& kept, std::uint16_t empty) {
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
        requireChannels(request_, asked_.output, !named_.empty());
        engines_ = enginesWith(context_, request.tree.spec().algorithm);
        requireChannelsName(request_.target);
        requireDifferent(path_, request_.target, "the input");
        requireWritable(request_.target);
        ReadOptions read = request.image.readOptions();
        read.threads = context_.common.threads;
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
        ChannelReport report(names());
        addNamed(report);
        if (!request_.guide.empty()) {
            readGuide(report);
        }
        file_->write(
            request_.target, std::vector(file_->channels().size(), resultLevelsOf(asked_)),
            [&](const LoadedImage& source, std::size_t channel) { return resultOf(source, channel, report); },
            progress_.control("writing", context_.stop), request_.stream.tiffCompression(),
            kept_ ? emptiedOf : ChannelFile::Emptied());
        progress_.setSubject({});
        progress_.clear();
        report.print(request_, asked_, context_);
    }

    void runInChunks() {
        ChannelReport report(names());
        addNamed(report);
        PictureFilter common = pictureRequest(request_.image, request_.tree.spec(), request_.stream, context_);
        common.target = request_.target;
        common.compression = request_.stream.tiffCompression();
        common.folder = request_.stream.workFolder;
        common.resume = request_.stream.resume;
        StageTimer timer;
        const auto reports =
            pollard::filterChannels(common, *file_, filters_, progress_.control("filtering in chunks", context_.stop));
        progress_.clear();
        timer.finish("all");
        std::set<std::string> notes;
        for (std::size_t channel = 0; channel < reports.size(); ++channel) {
            report.addChunks(channel, reports[channel]);
            for (const std::string& note : reports[channel].info.notes) {
                // All channels are written, so that notes about the one shown do not apply.
                if (!note.starts_with("shown") && notes.insert(note).second) {
                    printNote(context_, path_.string() + ": " + note);
                }
            }
        }
        report.setTime(timer.totalMilliseconds());
        report.print(request_, asked_, context_);
    }

private:
    [[nodiscard]] std::vector<std::string> names() const {
        std::vector<std::string> names;
        for (const Channel& channel : file_->channels()) {
            names.push_back(channel.name);
        }
        return names;
    }

    /// Sets the filters of all channels, with the criteria that name one.
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

    [[nodiscard]] Filtered filtered(const LoadedImage& loaded, std::size_t index, const FilterSpec& filter) {
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
        const Filtered result = filtered(read, guide, filter);
        kept_ = result.picture;
        report.addTree(guide, result);
        report.setGuide(nameOf(guide));
    }

    [[nodiscard]] ChannelFile::Changed resultOf(const LoadedImage& source, std::size_t index, ChannelReport& report) {
        progress_.clear();
        progress_.setSubject(nameOf(index));
        if (kept_) {
            if (source.image->width() != kept_->width() || source.image->height() != kept_->height()) {
                throw Error(ErrorCode::invalidArgument,
                            path_.string() + ": channel " + nameOf(index) + " differs in size from the guide");
            }
            CutOut result = cutOut(*source.image, *kept_, emptyLevel(source));
            report.setChanged(index, result.changed);
            return {std::move(result.image), source.valid};
        }
        const Filtered result = filtered(source, index, filters_[index]);
        report.addTree(index, result);
        return {result.picture, source.valid};
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

} // namespace

bool filtersAllChannels(const FilterRequest& request) {
    return request.image.channel == kAll || !request.guide.empty();
}

void filterChannels(const FilterRequest& request, const Context& context) {
    const bool asksForChunks = request.stream.asksForChunks();
    if (request.image.volume) {
        throw UsageError("--volume: filters one channel; leave out --guide and --channel all");
    }
    if (asksForChunks) {
        requireChunksOfChannels(request);
    }
    ProgressLine progress(context.err, context.showProgress, context.pace);
    ChannelFilter filter(request, context, progress);
    if (asksForChunks) {
        filter.runInChunks();
    } else {
        filter.run();
    }
}

} // namespace pollard::cli
