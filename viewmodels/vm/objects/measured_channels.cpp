#include "vm/objects/measured_channels.hpp"

#include "vm/base/value_text.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/image/open_request.hpp"

#include "components/objects/channel_measures.hpp"

#include <QLocale>
#include <QStringList>

#include <algorithm>
#include <cstdint>

namespace pollard::vm {

namespace {

/// The displayed image or volume with all of its channels.
OpenRequest imageOf(const DocumentViewModel& document) {
    ImageInfo info = *document.imageInfo();
    info.page = document.request().page; // of a volume its first slice
    return allChannels(document.request(), info);
}

} // namespace

MeasuredChannels::MeasuredChannels(DocumentViewModel& document, QObject* parent)
    : QObject(parent), document_(document) {
    connect(&document_, &DocumentViewModel::imageChanged, this, &MeasuredChannels::onImage);
    onImage();
}

bool MeasuredChannels::isOffered() const noexcept { return names_.size() > 1; }

bool MeasuredChannels::offersRing() const noexcept { return !document_.isVolume(); }

std::optional<MeasureChoice> MeasuredChannels::inForce() const {
    const std::vector<std::size_t> channels = chosen();
    if (channels.empty() && !countedIndex()) {
        return std::nullopt;
    }
    MeasureChoice choice = choice_;
    choice.channels.clear();
    choice.counted = countedIndex() ? choice_.counted : std::nullopt;
    for (std::size_t i = 0; !choice.all && i < channels.size(); ++i) {
        choice.channels.push_back(names_[channels[i]]);
    }
    choice.ring = measures().spec.ring;
    return choice;
}

bool MeasuredChannels::isChosen(std::size_t channel) const {
    return choice_.all || std::ranges::find(choice_.channels, names_[channel]) != choice_.channels.end();
}

void MeasuredChannels::setChosen(std::size_t channel, bool chosen) {
    MeasureChoice choice = choice_;
    choice.channels.clear();
    for (std::size_t i = 0; i < names_.size(); ++i) {
        if (i == channel ? chosen : isChosen(i)) {
            choice.channels.push_back(names_[i]);
        }
    }
    choice.all = choice.channels.size() == names_.size();
    if (choice.all) {
        choice.channels.clear();
    }
    setChoice(choice);
}

std::vector<std::size_t> MeasuredChannels::chosen() const {
    std::vector<std::size_t> chosen;
    for (std::size_t i = 0; isOffered() && i < names_.size(); ++i) {
        if (isChosen(i)) {
            chosen.push_back(i);
        }
    }
    return chosen;
}

std::optional<std::size_t> MeasuredChannels::countedIndex() const {
    const auto found =
        choice_.counted && isOffered() ? std::ranges::find(names_, choice_.counted->channel) : names_.end();
    return found == names_.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - names_.begin()));
}

PlaneMeasures MeasuredChannels::measures() const {
    PlaneMeasures measures;
    measures.planes = chosen().size();
    measures.counted = countedIndex() ? choice_.counted : std::nullopt;
    ChannelMeasuresSpec& spec = measures.spec;
    spec.percentiles = percentilesOf(parseChannelMeasures(kUsualMeasures));
    spec.ring = offersRing() ? choice_.ring : 0;
    const std::size_t count = choice_.pairs ? measures.planes : 0;
    for (std::size_t first = 0; first < count; ++first) {
        for (std::size_t second = first + 1; second < count; ++second) {
            spec.pairs.push_back({first, second});
        }
    }
    return measures;
}

QString MeasuredChannels::choiceText() const {
    const std::vector<std::size_t> channels = chosen();
    QStringList parts;
    if (channels.empty()) {
        parts << tr("This channel");
    } else if (channels.size() == names_.size()) {
        parts << tr("All channels");
    } else {
        for (const std::size_t channel : channels) {
            parts << QString::fromStdString(names_[channel]);
        }
    }
    if (choice_.pairs && channels.size() > 1) {
        parts << tr("pairs");
    }
    if (const std::uint32_t ring = measures().spec.ring; ring > 0 && !channels.empty()) {
        parts << tr("ring %1 px").arg(QLocale().toString(ring));
    }
    if (const auto counted = countedIndex()) {
        parts << tr("count of %1").arg(QString::fromStdString(names_[*counted]));
    }
    return parts.join(QStringLiteral(", "));
}

void MeasuredChannels::onImage() {
    names_.clear();
    if (const auto info = document_.imageInfo()) {
        for (const Channel& channel : channelsOf(*info)) {
            names_.push_back(channel.name);
        }
    }
    planes_.clear();
    update();
}

void MeasuredChannels::update() {
    std::vector<std::size_t> wanted = chosen();
    std::vector<std::string> names;
    for (const std::size_t channel : wanted) {
        names.push_back(names_[channel]);
    }
    columns_ = channelColumnNames(parseChannelMeasures(kUsualMeasures), names, measures().spec);
    if (const auto counted = countedIndex()) {
        columns_.push_back(std::string(kCountMeasure) + '[' + names_[*counted] + ']');
        if (std::ranges::find(wanted, *counted) == wanted.end()) {
            wanted.push_back(*counted);
        }
    }
    const AsyncState before = planes_.state();
    if (wanted.empty() || (!active_ && before == AsyncState::computing)) {
        planes_.clear();
    } else if (active_ && (before == AsyncState::empty || wanted != wanted_)) {
        const auto held = planes_.value(); // so that their pixels are not read again
        wanted_ = wanted;
        planes_.begin(nullptr);
        planes_.compute([held, wanted, reader = document_.reading().channelReader(), image = imageOf(document_),
                         limits = document_.reading().rules().limits](const std::stop_token& stop) {
            return reader->read(image, limits, wanted, JobControl(stop));
        });
    }
    emit changed();
}

QString MeasuredChannels::stateText() const {
    switch (planes_.state()) {
    case AsyncState::computing:
        return tr("Reading %1 channels…").arg(countText(wanted_.size()));
    case AsyncState::failed:
        return tr("The channels were not read: %1. Objects are measured in this channel only.").arg(planes_.problem());
    case AsyncState::empty:
    case AsyncState::ready:
        break;
    }
    return {};
}

} // namespace pollard::vm
