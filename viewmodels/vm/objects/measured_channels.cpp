#include "vm/objects/measured_channels.hpp"

#include "vm/document/document_view_model.hpp"
#include "vm/picture/channel_key.hpp"

#include "components/objects/channel_columns.hpp"

#include <QLocale>

#include <numeric>
#include <utility>

namespace pollard::vm {

MeasuredChannels::MeasuredChannels(DocumentViewModel& document, QObject* parent)
    : QObject(parent), document_(document) {
    connect(&document_, &DocumentViewModel::imageChanged, this, &MeasuredChannels::onPicture);
    onPicture();
}

void MeasuredChannels::setChoice(Choice choice) {
    if (choice != choice_) {
        choice_ = choice;
        emit choiceChanged();
        update();
    }
}

void MeasuredChannels::setActive(bool active) {
    if (active != active_) {
        active_ = active;
        update();
    }
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
    emit changed();
}

void MeasuredChannels::update() {
    const bool all = choice_ == Choice::all && isOffered();
    auto columns = all ? channelColumnNames(parseChannelMeasures(kUsualMeasures), names_) : std::vector<std::string>();
    const bool others = std::exchange(columns_, std::move(columns)) != columns_;
    const AsyncState before = planes_.state();
    if (!all || (!active_ && before == AsyncState::computing)) {
        planes_.clear();
    } else if (active_ && before == AsyncState::empty) {
        planes_.begin(nullptr);
        std::vector<std::size_t> wanted(names_.size());
        std::iota(wanted.begin(), wanted.end(), std::size_t{0});
        planes_.compute([reader = document_.reading().channelReader(), wanted = std::move(wanted),
                         picture = allChannels(document_.request(), *document_.imageInfo()),
                         limits = document_.reading().rules().limits](const std::stop_token& stop) {
            return reader->read(picture, limits, wanted, JobControl(stop));
        });
    }
    if (others && planes_.state() == before) {
        emit changed();
    }
}

QString MeasuredChannels::stateText() const {
    switch (planes_.state()) {
    case AsyncState::computing:
        return tr("Reading %1 channels…").arg(QLocale().toString(static_cast<qulonglong>(names_.size())));
    case AsyncState::failed:
        return tr("The channels were not read: %1. Objects are measured in this channel only.").arg(planes_.problem());
    case AsyncState::empty:
    case AsyncState::ready:
        break;
    }
    return {};
}

} // namespace pollard::vm
