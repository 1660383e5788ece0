#include "vm/filter/channel_filters.hpp"

#include "vm/base/async_result.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/filter/filter_view_model.hpp"
#include "vm/image/open_request.hpp"

#include "base/error.hpp"
#include "channels/derivation.hpp"
#include "io/channels.hpp"
#include "recipe/filter_stages.hpp"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <iterator>
#include <limits>
#include <optional>
#include <set>
#include <utility>
#include <vector>

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
    document_.choices().setFilterSource([this](const OpenRequest& image) { return filterFor(image); });
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

std::optional<FilterSpec> ChannelFilters::filterFor(const OpenRequest& image) const {
    if (others_.empty() || image.path != document_.path()) {
        return std::nullopt;
    }
    ImageInfo info = *document_.imageInfo();
    info.page = image.page;
    const Filter* const own = findFilter(others_, channelKey(image, info));
    if (own == nullptr) {
        return std::nullopt;
    }
    FilterSpec spec = specOf(*own);
    spec.removed = spec.kept = spec.only = {}; // images are opened without picks
    return spec;
}

void ChannelFilters::onLeave() {
    previous_.reset();
    if (document_.hasImage() && !present_.empty()) {
        previous_ = PreviousChannel{presentPlace(), present_, filter_.state(), presentResult()};
    }
}

void ChannelFilters::onEnter() {
    const std::optional<PreviousChannel> left = std::exchange(previous_, std::nullopt);
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

namespace {

struct ChannelTexts {
    Q_DECLARE_TR_FUNCTIONS(ChannelTexts)
};

/// The index of a stored channel; empty for a computed one.
std::optional<std::size_t> indexOf(const std::string& channel) {
    std::size_t index = 0;
    const char* const end = channel.data() + channel.size();
    const auto [stop, problem] = std::from_chars(channel.data(), end, index);
    return problem == std::errc{} && stop == end ? std::optional(index) : std::nullopt;
}

/// channelKey() of a channel of a recipe. @throws Error(invalidArgument) if the image does not have it
std::string keyOf(const std::string& channel, const ImageInfo& info, const std::vector<Channel>& channels) {
    const auto stored = recipeChannel(channel, info, channels);
    return stored ? std::to_string(*stored) : ChannelChoice::parse(channel).text();
}

/// The filters of the other channels, changed.
template <class Change> void changeOthers(ChannelFilters& channels, const Change& edit) {
    ChannelFilters::Filters changed = channels.others();
    edit(changed);
    channels.setOthers(std::move(changed));
}

/// All stains of an expression with own vectors; else the expression.
QList<ChannelEntry> entriesOf(const QString& expression) {
    std::vector<CustomStain> stains;
    try {
        stains = Derivation::parse(expression.toStdString()).customStains();
    } catch (const Error&) { // not an expression
    }
    QList<ChannelEntry> entries;
    for (std::size_t i = 0; i < stains.size(); ++i) {
        const QString name = QString::fromStdString(stains[i].name);
        entries << ChannelEntry{
            QString::fromStdString(stainText(stains, i)),
            name.isEmpty() ? QCoreApplication::translate("Stains", "Stain %1 (own vectors)").arg(i + 1) : name};
    }
    return entries.isEmpty() ? QList<ChannelEntry>{{expression, expression}} : entries;
}

} // namespace

std::vector<ChannelPart> channelParts(const ChannelFilters& channels) {
    std::vector<ChannelPart> parts;
    for (const auto& [channel, filter] : channels.others()) {
        ChannelFilters::Filter on = filter;
        on.enabled = true;
        if (FilterSpec spec = specOf(on); mayChange(spec)) {
            parts.push_back({channel, std::move(spec), filter.enabled});
        }
    }
    std::ranges::stable_sort(parts, {}, [](const ChannelPart& part) {
        return indexOf(part.channel).value_or(std::numeric_limits<std::size_t>::max());
    });
    return parts;
}

std::string nameOfChannel(const std::string& channel, const ImageInfo& info) {
    const std::vector<Channel> channels = channelsOf(info);
    const auto index = indexOf(channel);
    return index && *index < channels.size() ? channels[*index].name : channel;
}

void setChannelFilter(ChannelFilters& channels, const std::string& channel, const ChannelFilters::Filter& filter) {
    changeOthers(channels, [&](ChannelFilters::Filters& filters) { filters[channel] = filter; });
}

void setChannelOn(ChannelFilters& channels, const std::string& channel, bool on) {
    changeOthers(channels, [&](ChannelFilters::Filters& filters) { filters[channel].enabled = on; });
}

QString channelProblem(const Recipe& recipe, const OpenRequest& image, const ImageInfo& info) {
    ImageInfo ofPage = info;
    ofPage.page = image.page;
    const std::vector<Channel> channels = channelsOf(ofPage);
    std::set<std::string> seen{channelKey(image, ofPage)};
    QStringList missing;
    for (const RecipeChannel& each : recipe.channels) {
        const QString name = QString::fromStdString(each.channel);
        try {
            if (!seen.insert(keyOf(each.channel, ofPage, channels)).second) {
                return ChannelTexts::tr("The recipe has two filters for the channel %1 of this image.").arg(name);
            }
        } catch (const Error&) {
            missing << name;
        }
    }
    if (missing.isEmpty()) {
        return {};
    }
    const QString known = QString::fromStdString(namesOf(channels));
    return channels.size() == 1
               ? ChannelTexts::tr("This image has one channel, but the recipe has filters for several: %1.")
                     .arg(missing.join(QStringLiteral(", ")))
               : ChannelTexts::tr(
                     "The recipe has filters for channels that this image does not have: %1. Its channels are %2.")
                     .arg(missing.join(QStringLiteral(", ")), known);
}

void takeChannels(const Recipe& recipe, ChannelFilters& channels, const ImageInfo& info) {
    if (recipe.channels.empty()) {
        return;
    }
    const std::vector<Channel> all = channelsOf(info);
    changeOthers(channels, [&](ChannelFilters::Filters& filters) {
        for (auto& [channel, filter] : filters) {
            filter = stateOf({});
        }
        for (std::size_t i = 0; i < all.size(); ++i) {
            filters[std::to_string(i)] = stateOf({});
        }
        for (const RecipeChannel& each : recipe.channels) {
            filters[keyOf(each.channel, info, all)] = stateOf(each.filter);
        }
        filters.erase(channels.present());
    });
}

QList<ChannelEntry> offeredChannels(const DocumentReading& reading, const ChannelFilters& filters) {
    QList<ChannelEntry> entries = reading.channels();
    const auto addMissing = [&](const QList<ChannelEntry>& more) {
        for (const ChannelEntry& entry : more) {
            if (std::ranges::find(entries, entry.choice, &ChannelEntry::choice) == entries.end()) {
                entries << entry;
            }
        }
    };
    const QString present = reading.channelName();
    if (reading.channel().kind == ChannelChoice::Kind::derived && entries.last() == ChannelEntry{present, present}) {
        entries.removeLast();
        addMissing(entriesOf(present));
        addMissing({{present, present}}); // the residual of own vectors
    }
    for (const auto& [channel, filter] : filters.others()) {
        if (Derivation::isExpression(channel)) {
            addMissing(entriesOf(QString::fromStdString(channel)));
        }
    }
    return entries;
}

} // namespace pollard::vm
