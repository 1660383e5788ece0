#include "vm/objects/measured_channels.hpp"

#include "vm/base/value_text.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/picture/channel_key.hpp"

#include "components/objects/channel_columns.hpp"

#include <QLocale>
#include <QStringList>

#include <algorithm>

namespace pollard::vm {

MeasuredChannels::MeasuredChannels(DocumentViewModel& document, QObject* parent)
    : QObject(parent), document_(document) {
    connect(&document_, &DocumentViewModel::imageChanged, this, &MeasuredChannels::onPicture);
    onPicture();
}

bool MeasuredChannels::isOffered() const noexcept { return names_.size() > 1 && !document_.isVolume(); }

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

ChannelMeasuresSpec MeasuredChannels::measures() const {
    ChannelMeasuresSpec spec;
    spec.percentiles = percentilesOf(parseChannelMeasures(kUsualMeasures));
    spec.ring = choice_.ring;
    const std::size_t count = choice_.pairs ? chosen().size() : 0;
    for (std::size_t first = 0; first < count; ++first) {
        for (std::size_t second = first + 1; second < count; ++second) {
            spec.pairs.push_back({first, second});
        }
    }
    return spec;
}

QString MeasuredChannels::choiceText() const {
    const std::vector<std::size_t> channels = chosen();
    if (channels.empty()) {
        return tr("This channel");
    }
    QStringList parts;
    if (channels.size() == names_.size()) {
        parts << tr("All channels");
    } else {
        for (const std::size_t channel : channels) {
            parts << QString::fromStdString(names_[channel]);
        }
    }
    if (choice_.pairs && channels.size() > 1) {
        parts << tr("pairs");
    }
    if (choice_.ring > 0) {
        parts << tr("ring %1 px").arg(QLocale().toString(choice_.ring));
    }
    return parts.join(QStringLiteral(", "));
}

void MeasuredChannels::onPicture() {
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
    const std::vector<std::size_t> wanted = chosen();
    std::vector<std::string> names;
    for (const std::size_t channel : wanted) {
        names.push_back(names_[channel]);
    }
    const ChannelMeasuresSpec spec = measures();
    columns_ = channelColumnNames(parseChannelMeasures(kUsualMeasures), names, spec);
    const AsyncState before = planes_.state();
    if (wanted.empty() || (!active_ && before == AsyncState::computing)) {
        planes_.clear();
    } else if (active_ && (before == AsyncState::empty || wanted != wanted_)) {
        const auto held = planes_.value(); // so that their pixels are not read again
        wanted_ = wanted;
        planes_.begin(nullptr);
        planes_.compute([held, wanted, reader = document_.reading().channelReader(),
                         picture = allChannels(document_.pageRequest(), *document_.imageInfo()),
                         limits = document_.reading().rules().limits](const std::stop_token& stop) {
            return reader->read(picture, limits, wanted, JobControl(stop));
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
