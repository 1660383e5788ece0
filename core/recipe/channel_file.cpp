#include "recipe/channel_file.hpp"

#include "base/error.hpp"
#include "io/channels.hpp"
#include "io/image_reader.hpp"
#include "recipe/result_file.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

namespace pollard {

ChannelFile::ChannelFile(std::filesystem::path path, const ReadOptions& read, Listener listener)
    : path_(std::move(path)), read_(read), listener_(std::move(listener)) {
    read_.channel = {};
    info_ = readImageInfo(path_, read_);
    channels_ = channelsOf(info_);
    onPage_ = static_cast<std::size_t>(std::ranges::count(channels_, channels_.front().page, &Channel::page));
    layout_ = sampleLayoutOf(path_, read_, info_, std::span(channels_).first(onPage_));
    // The tags of a page say how the levels of all its samples become values, which may need their pixels.
    const bool hasLevels = info_.sampleFormat == "unsigned" && info_.bits <= 16 && info_.photometric != "CIE Lab";
    readsPages_ = layout_.samples > 1 && (!layout_.planar || !hasLevels);
}

LoadedImage ChannelFile::load(std::size_t channel) {
    const Channel& wanted = channels_[channel];
    return std::move(load(wanted.name, wanted.page, {wanted.sample}).front());
}

std::vector<LoadedImage> ChannelFile::load(const std::string& name, int page, const std::vector<int>& samples) {
    ReadOptions ofPage = read_;
    ofPage.page = page;
    std::vector<LoadedImage> read =
        readSamples(path_, ofPage, samples, listener_.reading ? listener_.reading(name) : JobControl());
    for (const LoadedImage& each : read) {
        for (const std::string& note : each.info.notes) {
            // All channels are written, so that notes about the one shown do not apply.
            if (!note.starts_with("shown") && notes_.insert(note).second && listener_.noted) {
                listener_.noted(note);
            }
        }
    }
    return read;
}

std::size_t ChannelFile::channelAt(std::size_t plane) const {
    const auto samples = static_cast<std::size_t>(layout_.samples);
    const std::size_t sample = plane % samples;
    return plane / samples * onPage_ + sample - (layout_.alpha >= 0 && std::cmp_greater(sample, layout_.alpha) ? 1 : 0);
}

void ChannelFile::requireTarget(const std::filesystem::path& target) const {
    if (isZarrResult(target) && layout_.alpha >= 0) {
        throw Error(ErrorCode::invalidArgument,
                    "cannot write: " + target.string() +
                        ": the picture has transparency, which OME-Zarr does not hold; write .tif");
    }
}

void ChannelFile::write(const std::filesystem::path& target, std::span<const ResultLevels> levels, const Change& change,
                        const JobControl& control, TiffCompression compression, const Emptied& emptied) {
    requireTarget(target);
    if (isZarrResult(target)) {
        writeResultChannels(
            target, channels_.size(),
            [&](std::size_t channel) { // without transparency a plane is a channel
                loadPlane(channel);
                const LoadedImage source = takePlane(channel);
                std::shared_ptr<const Image> result = change(source, channel).image;
                PixelRows pixels = pixelRowsOf(*result);
                return ResultChannel{std::move(pixels), std::move(result), channels_[channel], source.info,
                                     resultValuesOf(levels[channel])};
            },
            control);
        return;
    }
    writeTiffChannels(
        target, planes(), layout_,
        [&](int plane, const JobControl&) { return make(static_cast<std::size_t>(plane), levels, change, emptied); },
        {.compression = compression, .carried = {}}, control);
}

ReadOptions ChannelFile::optionsOf(int page, int sample) const {
    ReadOptions one = read_;
    one.page = page;
    one.channel = {ChannelChoice::Kind::sample, sample};
    return one;
}

void ChannelFile::writePlanes(const std::filesystem::path& target, std::span<const ResultLevels> levels,
                              const Planes& planesOf, const JobControl& control, TiffCompression compression) const {
    requireTarget(target);
    if (isZarrResult(target)) {
        writeResultChannels(
            target, channels_.size(),
            [&](std::size_t channel) {
                Plane plane = planesOf(channel, optionsOf(channel));
                return ResultChannel{std::move(plane.rows),
                                     {},
                                     channels_[channel],
                                     std::move(plane.info),
                                     resultValuesOf(levels[channel])};
            },
            control);
        return;
    }
    const auto samples = static_cast<std::size_t>(layout_.samples);
    const auto planeAt = [&](std::size_t plane) {
        const std::size_t sample = plane % samples;
        const int page = channels_[plane / samples * onPage_].page;
        return planesOf(isAlpha(sample) ? std::nullopt : std::optional(channelAt(plane)),
                        optionsOf(page, static_cast<int>(sample)));
    };
    writeTiffChannels(
        target, planes(), layout_,
        [&](int number, const JobControl&) {
            const auto plane = static_cast<std::size_t>(number);
            WrittenPage made;
            if (plane % samples == 0) {
                std::vector<ImageInfo> infos(samples);
                std::optional<NoDataMark> mark;
                for (std::size_t i = 0; i < samples; ++i) {
                    Plane one = planeAt(plane + i);
                    infos[i] = std::move(one.info);
                    mark = mark ? mark : one.mark;
                }
                describe(plane, levels, infos, mark, made);
            }
            made.rows = planeAt(plane).rows;
            return made;
        },
        {.compression = compression, .carried = {}}, control);
}

void ChannelFile::describe(std::size_t firstPlane, std::span<const ResultLevels> levels,
                           std::span<const ImageInfo> samples, const std::optional<NoDataMark>& mark,
                           WrittenPage& made) const {
    std::vector<SampleValues> written(static_cast<std::size_t>(layout_.samples));
    for (std::size_t i = 0; i < written.size(); ++i) {
        if (!isAlpha(i)) {
            written[i].values = resultValuesOf(levels[channelAt(firstPlane + i)]);
        }
        if (i < samples.size()) {
            written[i].mapping = samples[i].mapping;
        }
    }
    TiffWriteOptions options = channelOptions(samples.front(), written, mark);
    made.carried = std::move(options.carried);
    made.scene = std::move(options.scene);
}

void ChannelFile::loadPlane(std::size_t plane) {
    const auto samples = static_cast<std::size_t>(layout_.samples);
    const std::size_t sample = plane % samples;
    if (sample == 0 || !readsPages_) {
        std::vector<int> wanted(readsPages_ ? samples : 1);
        std::iota(wanted.begin(), wanted.end(), static_cast<int>(sample));
        loaded_.clear();
        loaded_ = load(isAlpha(sample) ? "transparency" : channels_[channelAt(plane)].name,
                       channels_[plane / samples * onPage_].page, wanted);
    }
}

LoadedImage ChannelFile::takePlane(std::size_t plane) {
    const std::size_t sample = plane % static_cast<std::size_t>(layout_.samples);
    return std::exchange(loaded_[readsPages_ ? sample : 0], {});
}

std::optional<NoDataMark> ChannelFile::markOf(std::size_t firstPlane, std::span<const ResultLevels> levels,
                                              const Emptied& emptied) const {
    const auto isWhole = [](const LoadedImage& source) { return source.valid == nullptr; };
    if (hasTransparency() || (!emptied && std::ranges::all_of(loaded_, isWhole))) {
        return std::nullopt; // transparency stays, and says which pixels have no data
    }
    LevelsInUse used;
    std::vector<ResultLevels> all;
    for (const LoadedImage& source : loaded_) {
        used.add(source);
        if (const auto level = emptied ? emptied(source) : std::nullopt) {
            used.add(*level);
        } else if (emptied) {
            used.addGaps();
        }
        all.push_back(levels[channelAt(firstPlane + all.size())]);
    }
    return used.markFor(all);
}

/// A plane to write, and with the first one of a page its tags.
WrittenPage ChannelFile::make(std::size_t plane, std::span<const ResultLevels> levels, const Change& change,
                              const Emptied& emptied) {
    const std::size_t sample = plane % static_cast<std::size_t>(layout_.samples);
    loadPlane(plane);
    WrittenPage made;
    if (sample == 0) {
        std::vector<ImageInfo> infos;
        std::ranges::transform(loaded_, std::back_inserter(infos), &LoadedImage::info);
        mark_ = markOf(plane, levels, emptied);
        describe(plane, levels, infos, mark_, made);
    }
    const LoadedImage source = takePlane(plane); // its pixels are needed until the result is there
    if (isAlpha(sample)) {
        made.image = source.image;
        return made;
    }
    Changed changed = change(source, channelAt(plane));
    WrittenPage page = markedPage(std::move(changed.image), std::move(changed.valid), mark_);
    made.image = std::move(page.image);
    made.rows = std::move(page.rows);
    return made;
}

} // namespace pollard
