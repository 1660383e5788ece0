#include "vm/filter/channel_parts.hpp"

#include "vm/filter/channel_filters.hpp"
#include "vm/filter/filter_view_model.hpp"
#include "vm/image/channel_key.hpp"

#include "base/error.hpp"
#include "channels/derivation.hpp"
#include "io/channels.hpp"
#include "recipe/recipe_channels.hpp"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <limits>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace pollard::vm {
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
    std::vector<OwnStain> stains;
    try {
        stains = Derivation::parse(expression.toStdString()).ownStains();
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

QString channelProblem(const Recipe& recipe, const OpenRequest& picture, const ImageInfo& info) {
    ImageInfo ofPage = info;
    ofPage.page = picture.page;
    const std::vector<Channel> channels = channelsOf(ofPage);
    std::set<std::string> seen{channelKey(picture, ofPage)};
    QStringList missing;
    for (const RecipeChannel& each : recipe.channels) {
        const QString name = QString::fromStdString(each.channel);
        try {
            if (!seen.insert(keyOf(each.channel, ofPage, channels)).second) {
                return ChannelTexts::tr("The recipe has two filters for the channel %1 of this picture.").arg(name);
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
               ? ChannelTexts::tr("This picture has one channel, but the recipe has filters for several: %1.")
                     .arg(missing.join(QStringLiteral(", ")))
               : ChannelTexts::tr(
                     "The recipe has filters for channels that this picture does not have: %1. Its channels are %2.")
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
