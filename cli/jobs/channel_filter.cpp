#include "jobs/channel_filter.hpp"

#include "base/error.hpp"
#include "io/channels.hpp"
#include "io/image_reader.hpp"
#include "io/metadata/geo_keys.hpp"
#include "io/tiff/sample_layout.hpp"
#include "io/tiff/tiff_writer.hpp"
#include "jobs/channel_report.hpp"
#include "options/output_target.hpp"
#include "progress_line.hpp"
#include "recipe/result_tags.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <optional>
#include <set>
#include <span>
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

/// The level of removed pixels: the no-data value of the file if it is a level, else the value nearest to 0.
std::uint16_t emptyLevel(const LoadedImage& loaded) {
    const double last = maxLevelOf(loaded.image->type());
    if (const auto& mapping = loaded.info.mapping) {
        return static_cast<std::uint16_t>(std::clamp(std::round(-mapping->offset / mapping->step), 0.0, last));
    }
    const double noData = noDataOf(loaded.info.carried).value_or(0);
    const bool isLevel = noData >= 0 && noData <= last && noData == std::floor(noData);
    return isLevel ? static_cast<std::uint16_t>(noData) : std::uint16_t{0};
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
          asked_(request_.filter.spec()), path_(parseImageArgument(request.image.image).path),
          read_(request.image.readOptions()) {
        requireChannels(request_, asked_.output, !named_.empty());
        engines_ = enginesWith(context_, request.tree.spec().algorithm);
        requireTiffName(request_.target);
        requireDifferent(path_, request_.target, "the input");
        requireWritable(request_.target);
        read_.channel = {};
        read_.threads = context_.common.threads;
        const ImageInfo info = readImageInfo(path_, read_);
        channels_ = channelsOf(info);
        onPage_ = static_cast<std::size_t>(std::ranges::count(channels_, channels_.front().page, &Channel::page));
        layout_ = sampleLayoutOf(path_, read_, info, std::span(channels_).first(onPage_));
        // The tags of a page say how the levels of all its samples become values, which may need their pixels.
        const bool hasLevels = info.sampleFormat == "unsigned" && info.bits <= 16 && info.photometric != "CIE Lab";
        readsPages_ = layout_.samples > 1 && (!layout_.planar || !hasLevels);
    }

    void run() {
        std::vector<std::string> names;
        for (const Channel& channel : channels_) {
            names.push_back(channel.name);
        }
        ChannelReport report(names);
        addNamed(report);
        if (!request_.guide.empty()) {
            readGuide(report);
        }
        writeTiffChannels(
            request_.target, static_cast<int>(channels_.size() / onPage_) * layout_.samples, layout_,
            [&](int plane, const JobControl&) { return make(static_cast<std::size_t>(plane), report); }, {},
            progress_.control("writing", context_.stop));
        progress_.setSubject({});
        progress_.clear();
        report.print(request_, asked_, context_);
    }

private:
    /// Sets the filters of all channels, with the criteria that name one.
    void addNamed(ChannelReport& report) {
        filters_.assign(channels_.size(), asked_);
        std::vector<FilterSpec> own(channels_.size());
        for (const auto& [name, criterion] : named_) {
            const std::size_t index = channelOfFile("--keep", request_.image, channels_, name);
            filters_[index].criteria.push_back(criterion);
            own[index].criteria.push_back(criterion);
            report.setCriteria(index, FilterOptions::criteriaTexts(own[index]));
        }
    }

    /// Reads samples of a page, and prints notes that are new.
    [[nodiscard]] std::vector<LoadedImage> load(int page, const std::vector<int>& samples) {
        ReadOptions ofPage = read_;
        ofPage.page = page;
        std::vector<LoadedImage> read =
            readSamples(path_, ofPage, samples, progress_.control("reading", context_.stop));
        progress_.clear();
        for (const LoadedImage& each : read) {
            for (const std::string& note : each.info.notes) {
                // All channels are written, so that notes about the one shown do not apply.
                if (!note.starts_with("shown") && notes_.insert(note).second) {
                    printNote(context_, path_.string() + ": " + note);
                }
            }
        }
        return read;
    }

    [[nodiscard]] Filtered filtered(const LoadedImage& loaded, std::size_t index, const FilterSpec& filter) {
        try {
            return filterImage(request_, filter, engines_, loaded, context_, progress_);
        } catch (const Error& error) {
            throw Error(error.code(), "channel " + channels_[index].name + ": " + error.what());
        }
    }

    void readGuide(ChannelReport& report) {
        const std::size_t guide = channelOfFile("--guide", request_.image, channels_, request_.guide);
        progress_.setSubject(channels_[guide].name);
        const LoadedImage read = std::move(load(channels_[guide].page, {channels_[guide].sample}).front());
        FilterSpec filter = filters_[guide];
        filter.output = Output::mask;
        const Filtered result = filtered(read, guide, filter);
        kept_ = result.picture;
        report.addTree(guide, result);
        report.setGuide(channels_[guide].name);
    }

    /// A plane to write, and with the first one of a page its tags.
    [[nodiscard]] WrittenPage make(std::size_t plane, ChannelReport& report) {
        const auto samples = static_cast<std::size_t>(layout_.samples);
        const std::size_t sample = plane % samples;
        const std::size_t first = plane / samples * onPage_;
        const bool isAlpha = static_cast<int>(sample) == layout_.alpha;
        const std::size_t index =
            first + sample - (layout_.alpha >= 0 && static_cast<int>(sample) > layout_.alpha ? 1 : 0);
        progress_.setSubject(isAlpha ? "transparency" : channels_[index].name);
        if (sample == 0 || !readsPages_) {
            std::vector<int> wanted(readsPages_ ? samples : 1);
            std::iota(wanted.begin(), wanted.end(), static_cast<int>(sample));
            loaded_.clear();
            loaded_ = load(channels_[first].page, wanted);
        }
        WrittenPage made;
        if (sample == 0) {
            std::vector<std::optional<ValueMapping>> mappings;
            for (const LoadedImage& each : loaded_) {
                mappings.push_back(each.info.mapping);
            }
            TiffWriteOptions options = channelOptions(loaded_.front().info, resultValuesOf(asked_.output), mappings);
            made.carried = std::move(options.carried);
            made.scene = std::move(options.scene);
        }
        // The pixels of the source are needed until the result is there.
        const LoadedImage source = std::exchange(loaded_[readsPages_ ? sample : 0], {});
        made.image = isAlpha ? source.image : resultOf(source, index, report);
        return made;
    }

    [[nodiscard]] std::shared_ptr<const Image> resultOf(const LoadedImage& source, std::size_t index,
                                                        ChannelReport& report) {
        if (kept_) {
            if (source.image->width() != kept_->width() || source.image->height() != kept_->height()) {
                throw Error(ErrorCode::invalidArgument,
                            path_.string() + ": channel " + channels_[index].name + " differs in size from the guide");
            }
            CutOut result = cutOut(*source.image, *kept_, emptyLevel(source));
            report.setChanged(index, result.changed);
            return std::move(result.image);
        }
        const Filtered result = filtered(source, index, filters_[index]);
        report.addTree(index, result);
        return result.picture;
    }

    FilterRequest request_;
    const Context& context_;
    ProgressLine& progress_;
    std::vector<std::pair<std::string, Criterion>> named_; ///< criteria of single channels
    FilterSpec asked_;                                     ///< with the other criteria
    std::filesystem::path path_;
    ReadOptions read_;
    std::vector<Engine*> engines_;
    std::vector<Channel> channels_;
    std::size_t onPage_ = 1;          ///< channels of a page
    std::vector<FilterSpec> filters_; ///< of the channels
    SampleLayout layout_;
    bool readsPages_ = false; ///< all samples of a page are read together
    std::vector<LoadedImage> loaded_;
    std::set<std::string> notes_;
    std::shared_ptr<const Image> kept_; ///< mask of the guide; null without one
};

} // namespace

bool filtersAllChannels(const FilterRequest& request) {
    return request.image.channel == kAll || !request.guide.empty();
}

void filterChannels(const FilterRequest& request, const Context& context) {
    ProgressLine progress(context.err, context.showProgress, context.pace);
    ChannelFilter(request, context, progress).run();
}

} // namespace pollard::cli
