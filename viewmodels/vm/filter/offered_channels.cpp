#include "vm/filter/offered_channels.hpp"

#include "vm/filter/channel_filters.hpp"

#include "base/error.hpp"
#include "channels/derivation.hpp"

#include <QCoreApplication>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace pollard::vm {

namespace {

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
