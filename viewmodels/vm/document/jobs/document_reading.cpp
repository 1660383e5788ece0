#include "vm/document/jobs/document_reading.hpp"

#include "vm/document/jobs/document_saving.hpp"
#include "vm/image/open_request.hpp"
#include "vm/image/world_scale.hpp"

#include "channels/bands.hpp"
#include "io/channels.hpp"
#include "io/metadata/length_units.hpp"
#include "io/metadata/stack_places.hpp"
#include "io/page_selection.hpp"
#include "recipe/filter_stages.hpp"

#include <QFileInfo>
#include <QHash>

#include <algorithm>
#include <system_error>
#include <utility>
#include <vector>

namespace pollard::vm {

std::optional<ChannelPlane> ChannelReader::Known::plane() const {
    ChannelPlane plane = facts;
    plane.image = image.lock();
    plane.valid = valid.lock();
    return plane.image && (plane.valid != nullptr) == isMasked ? std::optional(std::move(plane)) : std::nullopt;
}

ChannelImage ChannelReader::read(const OpenRequest& image, const ReadLimits& limits,
                                 std::span<const std::size_t> wanted, const JobControl& control) {
    const std::filesystem::path path = QFileInfo(image.path).filesystemFilePath();
    std::error_code ignored; // a missing file is reported by the read
    const auto changed = std::filesystem::last_write_time(path, ignored);
    ChannelImage result;
    result.planes.resize(wanted.size());
    std::vector<std::size_t> missing;
    std::vector<std::size_t> places; ///< of the missing ones in the result
    {
        const std::lock_guard lock(mutex_);
        if (!(image == image_) || changed != changed_) {
            known_.clear();
            image_ = image;
            changed_ = changed;
        }
        for (std::size_t place = 0; place < wanted.size(); ++place) {
            const auto known = known_.find(wanted[place]);
            auto plane = known == known_.end() ? std::nullopt : known->second.plane();
            if (plane) {
                result.planes[place] = std::move(*plane);
            } else {
                missing.push_back(wanted[place]);
                places.push_back(place);
            }
        }
    }
    if (missing.empty()) {
        return result;
    }
    const SelectedPart part{image.options(limits), image.slices == Slices::volume, {}};
    ChannelImage read = readPartChannels(path, part, missing, control);
    result.info = std::move(read.info);
    const std::lock_guard lock(mutex_);
    for (std::size_t i = 0; i < missing.size(); ++i) {
        ChannelPlane& plane = read.planes[i];
        if (image == image_ && changed == changed_) {
            known_[missing[i]] = {
                {plane.channel, nullptr, nullptr, plane.mapping}, plane.image, plane.valid, plane.valid != nullptr};
        }
        result.planes[places[i]] = std::move(plane);
    }
    return result;
}

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

std::optional<PixelSize> DocumentPixelSizes::ofFolder() const {
    return folderSizes_ != nullptr ? folderSizes_->sizeFor(shown_.request.path) : std::nullopt;
}

std::optional<PixelSize> DocumentPixelSizes::stated() const {
    const std::optional<PixelSize>& byHand = shown_.request.pixelSize;
    return byHand || sceneSize(shown_.fileInfo.get()) ? byHand : ofFolder();
}

bool DocumentPixelSizes::apply() {
    const std::optional<PixelSize> before = present();
    const std::optional<PixelSize> size = stated();
    if (!size) {
        shown_.info = shown_.fileInfo;
        return present() != before;
    }
    auto info = std::make_shared<ImageInfo>(*shown_.fileInfo);
    const int shrink = shown_.request.shrink;
    statePixelSize(*info, *size, shrink, shown_.volume ? shrink : 1);
    if (info->pixelSize == before) {
        return false;
    }
    shown_.info = std::move(info);
    return true;
}

void DocumentPixelSizes::set(const std::optional<PixelSize>& size) {
    std::optional<PixelSize> byHand = size;
    if (byHand) {
        byHand->source = kSetByHand;
        byHand->print = false;
    }
    reading_.setPixelSize(byHand);
    if (shown_.image && std::exchange(shown_.request.pixelSize, byHand) != byHand) {
        adopt();
    }
}

void DocumentPixelSizes::setForFolder(const std::optional<PixelSize>& size) {
    if (folderSizes_ == nullptr || !shown_.image) {
        return;
    }
    std::optional<PixelSize> forFolder = size;
    if (forFolder) {
        forFolder->source = kSetForFolder;
    }
    if (forFolder != ofFolder()) {
        folderSizes_->setFor(shown_.request.path, forFolder);
        apply();
        emit changed();
    }
}

void DocumentPixelSizes::adopt() {
    if (shown_.image && apply()) {
        emit changed();
    }
}

} // namespace pollard::vm
