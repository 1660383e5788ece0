#include "recipe/results/channel_file.hpp"

#include "base/error.hpp"
#include "io/channels.hpp"
#include "io/image_reader.hpp"
#include "recipe/results/result_file.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace pollard {

ChannelFile::ChannelFile(std::filesystem::path path, const ReadOptions& read, Listener listener)
    : path_(std::move(path)), read_(read), listener_(std::move(listener)) {
    read_.channel = {};
    read_.keepSamples = true;
    info_ = readImageInfo(path_, read_);
    channels_ = channelsOf(info_);
    onPage_ = static_cast<std::size_t>(std::ranges::count(channels_, channels_.front().page, &Channel::page));
    layout_ = sampleLayoutOf(path_, read_, info_, std::span(channels_).first(onPage_));
    // The tags of a page say how the levels of all its samples become values; this may depend on the pixels.
    const bool hasLevels = info_.sampleFormat == "unsigned" && info_.bits <= 16 && info_.photometric != "CIE Lab";
    readsPages_ = layout_.samples > 1 && (!layout_.planar || !hasLevels);
}

LoadedImage ChannelFile::load(std::size_t channel) {
    const Channel& wanted = channels_[channel];
    return std::move(load(wanted.name, wanted.page, {wanted.sample}).front());
}

std::vector<LoadedImage> ChannelFile::load(const std::string& name, int page, const std::vector<int>& samples) {
    std::vector<ChannelChoice> choices;
    for (const int sample : samples) {
        choices.push_back({ChannelChoice::Kind::sample, sample});
    }
    std::vector<LoadedImage> read = openPage(path_, optionsOf(page, samples.front()), PageUse::pixels)
                                        ->readEach(choices, listener_.reading ? listener_.reading(name) : JobControl());
    for (const LoadedImage& each : read) {
        for (const std::string& note : each.info.notes) {
            // All channels are written, so notes about the displayed channel do not apply.
            if (!note.starts_with("shown") && notes_.insert(note).second && listener_.noted) {
                listener_.noted(note);
            }
        }
    }
    return read;
}

std::size_t ChannelFile::channelAt(std::size_t plane) const {
    const auto samples = static_cast<std::size_t>(layout_.samples);
    const std::size_t sample = sampleOf(plane);
    return plane / samples * onPage_ + sample - (layout_.alpha >= 0 && std::cmp_greater(sample, layout_.alpha) ? 1 : 0);
}

void ChannelFile::requireTarget(const std::filesystem::path& target) const {
    if (isZarrResult(target) && layout_.alpha >= 0) {
        throw Error(ErrorCode::invalidArgument,
                    "cannot write: " + target.string() +
                        ": the image has transparency, which OME-Zarr does not hold; write .tif");
    }
}

void ChannelFile::write(const std::filesystem::path& target, std::span<const ResultValues> values, const Change& change,
                        const JobControl& control, TiffCompression compression, const FurtherLevel& emptied) {
    const auto sourceOf = [&](std::size_t plane, std::size_t described) {
        const std::size_t at = loadPlane(plane);
        Source planeSource;
        for (std::size_t i = at; i < std::min(at + described, loaded_.size()); ++i) {
            planeSource.samples.push_back(loaded_[i].info);
        }
        if (described > 0) {
            written_ = samplesOf(plane, values, emptied);
            if (isZarrResult(target)) {
                written_.mark.reset();
            }
        }
        planeSource.written = written_;
        const LoadedImage source = std::exchange(loaded_[at], {}); // keeps the pixels until the result is complete
        if (isAlpha(sampleOf(plane))) {
            planeSource.rows = ownedRows(source.image, source, ResultValues::levels, {written_.type, {}});
        } else {
            const std::size_t channel = channelAt(plane);
            ChangedChannel changed = change(source, channel);
            LoadedImage written = source;
            written.valid = std::move(changed.valid);
            planeSource.rows = ownedRows(std::move(changed.image), written, values[channel], written_);
        }
        return planeSource;
    };
    writeSources(target, values, sourceOf, control, compression);
}

ReadOptions ChannelFile::optionsOf(int page, int sample) const {
    ReadOptions one = read_;
    one.page = page;
    one.channel = {ChannelChoice::Kind::sample, sample};
    return one;
}

void ChannelFile::writeStored(const std::filesystem::path& target, std::span<const ResultValues> values,
                              const StoredPlanes& planes, const JobControl& control,
                              TiffCompression compression) const {
    const auto planeAt = [&](std::size_t plane) {
        const std::size_t sample = sampleOf(plane);
        const int page = channels_[plane / static_cast<std::size_t>(layout_.samples) * onPage_].page;
        return planes(isAlpha(sample) ? std::nullopt : std::optional(channelAt(plane)),
                      optionsOf(page, static_cast<int>(sample)));
    };
    const auto sourceOf = [&](std::size_t plane, std::size_t described) {
        Source planeSource;
        for (std::size_t i = 0; i < described; ++i) {
            StoredPlane one = planeAt(plane + i);
            planeSource.samples.push_back(std::move(one.info));
            planeSource.written = i == 0 || one.samples.mark ? one.samples : planeSource.written;
        }
        planeSource.rows = planeAt(plane).rows;
        return planeSource;
    };
    writeSources(target, values, sourceOf, control, compression);
}

void ChannelFile::writeSources(const std::filesystem::path& target, std::span<const ResultValues> values,
                               const Sources& sources, const JobControl& control, TiffCompression compression) const {
    requireTarget(target);
    const bool isZarr = isZarrResult(target);
    const int planes = static_cast<int>(channels_.size() / onPage_) * layout_.samples;
    const auto make = [&](int number, const JobControl&) {
        const auto plane = static_cast<std::size_t>(number);
        const bool isFirst = sampleOf(plane) == 0;
        Source source = sources(plane, isZarr    ? 1
                                       : isFirst ? static_cast<std::size_t>(layout_.samples)
                                                 : std::size_t{0});
        PlaneFacts facts = isZarr    ? factsOf(plane, values[plane], source)
                           : isFirst ? factsOfPage(plane, values, source)
                                     : PlaneFacts();
        return Plane{std::move(source.rows), std::move(facts)};
    };
    writeResult(target, {planes, make}, control, {.compression = compression, .samples = layout_});
}

PlaneFacts ChannelFile::factsOf(std::size_t channel, ResultValues values, const Source& source) const {
    const ImageInfo& info = source.samples.front();
    PlaneFacts facts = resultFacts(info, {values, source.written}, source.rows.extent);
    facts.scene.channels = {channels_[channel]}; // without transparency a plane is a channel
    if (!areLevels(values)) {
        facts.scene.channels.front().window.reset(); // the window is in stored values
    }
    return facts;
}

PlaneFacts ChannelFile::factsOfPage(std::size_t firstPlane, std::span<const ResultValues> values,
                                    const Source& first) const {
    std::vector<SampleValues> written(static_cast<std::size_t>(layout_.samples));
    for (std::size_t i = 0; i < written.size(); ++i) {
        if (!isAlpha(i)) {
            written[i].values = values[channelAt(firstPlane + i)];
        }
        if (i < first.samples.size()) {
            written[i].mapping = first.samples[i].mapping;
        }
    }
    return pageFacts(first.samples.front(), written, first.written);
}

std::size_t ChannelFile::loadPlane(std::size_t plane) {
    const auto samples = static_cast<std::size_t>(layout_.samples);
    const std::size_t sample = sampleOf(plane);
    if (sample == 0 || !readsPages_) {
        std::vector<int> wanted(readsPages_ ? samples : 1);
        std::iota(wanted.begin(), wanted.end(), static_cast<int>(sample));
        loaded_.clear();
        loaded_ = load(isAlpha(sample) ? "transparency" : channels_[channelAt(plane)].name,
                       channels_[plane / samples * onPage_].page, wanted);
    }
    return readsPages_ ? sample : 0;
}

ResultSamples ChannelFile::samplesOf(std::size_t firstPlane, std::span<const ResultValues> values,
                                     const FurtherLevel& emptied) const {
    // Transparency stays, and says which pixels have no data.
    const bool marks = !hasTransparency();
    UsedLevels used;
    std::vector<ResultValues> all;
    std::size_t plane = firstPlane;
    for (const LoadedImage& source : loaded_) {
        if (isAlpha(sampleOf(plane))) {
            ++plane;
            continue;
        }
        all.push_back(values[channelAt(plane++)]);
        if (marks && (source.valid || emptied || all.back() == ResultValues::differences)) {
            used.add(source);
        } else {
            used.addAll(source.image->type(), source.info);
        }
        if (!marks || !emptied) {
            continue;
        }
        if (const auto level = emptied(source)) {
            used.add(*level);
        } else {
            used.addInvalidPixels();
        }
    }
    ResultSamples samples = used.samplesFor(all);
    if (!marks) {
        samples.mark.reset();
    }
    return samples;
}

} // namespace pollard
