#include "vm/filter/channel_filters.hpp"

#include "vm/base/deferred_release.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/filter/filter_view_model.hpp"
#include "vm/image/channel_key.hpp"

#include "io/channels.hpp"

#include <algorithm>
#include <iterator>

namespace pollard::vm {

namespace {

const ChannelFilters::Filter* findFilter(const ChannelFilters::Filters& filters, const std::string& channel) {
    const auto found = filters.find(channel);
    return found != filters.end() ? &found->second : nullptr;
}

} // namespace

std::uint64_t ChannelResult::bytes() const noexcept { return image->bytes() + (pyramid ? image->bytes() / 3 : 0); }

bool ChannelFilters::Place::operator==(const Place& other) const {
    return position == other.position && names == other.names && read.sameExtent(other.read);
}

ChannelFilters::ChannelFilters(DocumentViewModel& document, FilterViewModel& filter)
    : document_(document), filter_(filter) {
    connect(&document_, &DocumentViewModel::documentAboutToChange, this, &ChannelFilters::onLeave);
    connect(&document_, &DocumentViewModel::imageChanged, this, &ChannelFilters::onEnter);
    present_ = presentKey();
    document_.choices().setFilterSource([this](const OpenRequest& picture) { return filterFor(picture); });
}

ChannelFilters::~ChannelFilters() { document_.choices().setFilterSource({}); }

std::string ChannelFilters::presentKey() const {
    return document_.hasImage() ? channelKey(document_.pageRequest(), *document_.imageInfo()) : std::string();
}

ChannelFilters::Place ChannelFilters::presentPlace() const {
    Place place{document_.request(), 0, {}};
    const std::vector<Channel> channels = channelsOf(*document_.imageInfo());
    place.position = channels.front().page;
    std::ranges::transform(channels, std::back_inserter(place.names), &Channel::name);
    return place;
}

std::optional<ChannelResult> ChannelFilters::presentResult() const {
    const FrameResult& frame = document_.shown().frame;
    const bool mayDiffer = mayChange(frame.spec) || !effectiveStages(document_.shown().earlier).empty();
    if (!mayDiffer || !frame.image) {
        return std::nullopt;
    }
    return ChannelResult{frame.image, frame.pyramid, frame.spec, frame.brightLevel};
}

std::optional<FilterSpec> ChannelFilters::filterFor(const OpenRequest& picture) const {
    if (others_.empty() || picture.path != document_.path()) {
        return std::nullopt;
    }
    ImageInfo info = *document_.imageInfo();
    info.page = picture.page;
    const Filter* const own = findFilter(others_, channelKey(picture, info));
    if (own == nullptr) {
        return std::nullopt;
    }
    FilterSpec spec = specOf(*own);
    spec.removed = spec.kept = spec.only = {}; // images are opened without picks
    return spec;
}

void ChannelFilters::onLeave() {
    left_.reset();
    if (document_.hasImage() && !present_.empty()) {
        left_ = Left{presentPlace(), present_, filter_.state(), presentResult()};
    }
}

void ChannelFilters::onEnter() {
    const std::optional<Left> left = std::exchange(left_, std::nullopt);
    present_ = presentKey();
    const Place place = present_.empty() ? Place() : presentPlace();
    Results results;
    if (!left || left->place.names != place.names) {
        others_.clear();
    } else {
        others_[left->channel] = left->filter;
        if (left->place == place) {
            results = results_;
            if (left->result) {
                results.emplace_front(left->channel, *left->result);
            }
        } else {
            for (auto& [channel, filter] : others_) {
                filter.picks.clear();
            }
        }
    }
    const auto own = others_.extract(present_);
    std::erase_if(results, [this](const auto& result) { return result.first == present_; });
    if (left && left->channel != present_ && own) {
        filter_.setState(own.mapped());
        filter_.apply();
    }
    setResults(std::move(results));
}

void ChannelFilters::setOthers(Filters others) {
    const Filters before = std::exchange(others_, present_.empty() ? Filters() : std::move(others));
    Results results = results_;
    std::erase_if(results, [&](const auto& result) {
        const Filter* const was = findFilter(before, result.first);
        const Filter* const is = findFilter(others_, result.first);
        return was == nullptr || is == nullptr || *was != *is;
    });
    setResults(std::move(results));
}

const ChannelResult* ChannelFilters::result(std::size_t channel) const {
    const auto found = std::ranges::find(results_, std::to_string(channel), &Results::value_type::first);
    return found == results_.end() ? nullptr : &found->second;
}

std::uint64_t ChannelFilters::resultBytes() const noexcept {
    std::uint64_t bytes = 0;
    for (const auto& [channel, result] : results_) {
        bytes += result.bytes();
    }
    return bytes;
}

void ChannelFilters::setResults(Results results) {
    DeferredRelease old;
    for (const auto& [channel, result] : results_) {
        old.hold(result.image);
        old.hold(result.pyramid);
    }
    const bool differ = !std::ranges::equal(
        results, results_, {}, [](const auto& result) { return result.second.image.get(); },
        [](const auto& result) { return result.second.image.get(); });
    results_ = std::move(results);
    while (!results_.empty() && resultBytes() > document_.reading().rules().cacheBytes) {
        results_.pop_back();
    }
    if (differ) {
        emit resultsChanged();
    }
}

} // namespace pollard::vm
