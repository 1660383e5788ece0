#include "vm/document/document_reading.hpp"

#include "vm/document/document_activity.hpp"
#include "vm/image/channel_key.hpp"

#include "channels/bands.hpp"
#include "io/channels.hpp"
#include "io/metadata/stack_places.hpp"
#include "recipe/recipe_channels.hpp"

#include <QHash>

#include <algorithm>

namespace pollard::vm {

namespace {

const QStringList kColourNames{QStringLiteral("red"), QStringLiteral("green"), QStringLiteral("blue")};

/// Expressions that the channels allow, with their names.
QList<ChannelEntry> computedChannels(const std::vector<Channel>& channels, bool stained) {
    QList<ChannelEntry> entries;
    if (stained) {
        entries << ChannelEntry{QStringLiteral("stain(he,haematoxylin)"), DocumentReading::tr("Haematoxylin (of H&E)")}
                << ChannelEntry{QStringLiteral("stain(he,eosin)"), DocumentReading::tr("Eosin (of H&E)")}
                << ChannelEntry{QStringLiteral("stain(hdab,haematoxylin)"),
                                DocumentReading::tr("Haematoxylin (of H-DAB)")}
                << ChannelEntry{QStringLiteral("stain(hdab,dab)"), DocumentReading::tr("DAB (of H-DAB)")}
                << ChannelEntry{QStringLiteral("macenko(1)"), DocumentReading::tr("Haematoxylin (estimated, Macenko)")}
                << ChannelEntry{QStringLiteral("macenko(2)"), DocumentReading::tr("Eosin (estimated, Macenko)")};
    }
    for (const SpectralIndex& index : kSpectralIndices) {
        if (findBand(channels, index.first) && findBand(channels, index.second)) {
            const QString name = QString::fromLatin1(index.name.data(), static_cast<qsizetype>(index.name.size()));
            entries << ChannelEntry{name, name.toUpper()};
        }
    }
    return entries;
}

} // namespace

QString titleOf(const Channel& channel) {
    static const QHash<QString, QString> kTitles{{kColourNames[0], DocumentReading::tr("Red")},
                                                 {kColourNames[1], DocumentReading::tr("Green")},
                                                 {kColourNames[2], DocumentReading::tr("Blue")}};
    const QString name = QString::fromStdString(channel.name);
    const QString title = kTitles.value(name, name);
    return channel.wavelength > 0 ? DocumentReading::tr("%1 (%2 nm)").arg(title).arg(channel.wavelength) : title;
}

int DocumentReading::wantedPage() const { return isOpeningAnother() ? shown_.request.page : presentRequest().page; }

bool DocumentReading::isOpeningAnother() const {
    return shown_.image && loading_ && loading_->path != shown_.request.path;
}

QString DocumentReading::channelName() const { return QString::fromStdString(channel().text()); }

QList<ChannelEntry> DocumentReading::channels() const {
    QList<ChannelEntry> entries{{QStringLiteral("luminance"), tr("Luminance")}};
    if (shown_.info) {
        const ImageInfo& info = *shown_.info;
        std::vector<Channel> channels = channelsOf(info);
        std::erase_if(channels, [&](const Channel& channel) { return channel.page != info.page; });
        const bool colours = hasColours(info);
        for (const Channel& channel : channels.size() > 1 ? channels : std::vector<Channel>()) {
            const QString name = QString::fromStdString(channel.name);
            const bool isColour = colours && kColourNames.contains(name);
            entries << ChannelEntry{isColour ? name : QString::number(channel.sample), titleOf(channel)};
        }
        if (!colours && entries.size() > 1) { // the luminance is the first sample
            entries.removeFirst();
            entries.first().choice = QStringLiteral("luminance");
        }
        entries << computedChannels(channels, hasStains(info));
    }
    const QString present = channelName();
    if (std::ranges::find(entries, present, &ChannelEntry::choice) == entries.end()) {
        entries << ChannelEntry{present, present};
    }
    return entries;
}

LoadRules DocumentReading::rulesFor(const OpenRequest& request) const {
    const bool decided =
        (shown_.image && request.sameExtent(shown_.request)) || (decided_ && decided_->sameExtent(request));
    LoadRules rules = rules_;
    rules.askFirst = rules.askFirst && !decided;
    return rules;
}

void DocumentReading::change(const OpenRequest& request) {
    if (isOpeningAnother()) {
        emit readingKept();
    } else if (!request.path.isEmpty() && !(request == presentRequest())) {
        emit requested(request);
    }
}

void DocumentReading::setLevel(int level) {
    OpenRequest request = presentRequest();
    if (request.level != level) {
        request.level = level;
        request.region.reset(); // a part of the other level
    }
    change(request);
}

void DocumentReading::setChannelName(const QString& name) {
    try {
        setChannel(ChannelChoice::parse(name.toStdString()));
    } catch (const Error& error) {
        activity_.fail(tr("The channel cannot be shown"), {JobOutcome::Kind::failed, error.code(), error.what()});
    }
}

void DocumentReading::setAxes(const QString& order) {
    try {
        const std::string text = order.simplified().remove(u' ').toStdString();
        set(&OpenRequest::axes, text.empty() ? text : parseAxisOrder(text));
    } catch (const Error& error) {
        activity_.fail(tr("The axes cannot be stated"), {JobOutcome::Kind::failed, error.code(), error.what()});
    }
}

OpenRequest DocumentReading::end(const OpenRequest& request, bool newest) {
    OpenRequest opened = request;
    if (loading_ && loading_->path == request.path) {
        opened.pixelSize = loading_->pixelSize;
    }
    if (newest) {
        loading_.reset();
    }
    return opened;
}

void DocumentReading::setPixelSize(const std::optional<PixelSize>& size) {
    if (loading_ && (!shown_.image || loading_->path == shown_.request.path)) {
        loading_->pixelSize = size;
    }
}

void DocumentReading::takeCache(const CacheUse& use) {
    if (cache_ != use) {
        cache_ = use;
        emit cacheChanged();
    }
}

} // namespace pollard::vm
