#pragma once

#include "vm/base/async_result.hpp"
#include "vm/base/change.hpp"
#include "vm/objects/object_listing.hpp"

#include "components/objects/channel_measures.hpp"
#include "components/objects/object_rule.hpp"
#include "io/channels.hpp"

#include <QObject>
#include <QString>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pollard::vm {

class DocumentViewModel;

/// The channels in which objects are measured in addition to the displayed one: none, some or all channels of the
/// image. They are read on another thread while active, and kept until the image or the choice of channels changes.
class MeasuredChannels : public QObject {
    Q_OBJECT

public:
    /// @param document must outlive this
    explicit MeasuredChannels(DocumentViewModel& document, QObject* parent = nullptr);

    /// The image or volume has two or more channels.
    [[nodiscard]] bool isOffered() const noexcept;
    [[nodiscard]] const MeasureChoice& choice() const noexcept { return choice_; }
    /// Sets the choice, also for later images.
    void setChoice(const pollard::MeasureChoice& choice) {
        change(this, choice_, choice, &MeasuredChannels::choiceChanged, &MeasuredChannels::update);
    }
    /// Background rings are in images, not in volumes.
    [[nodiscard]] bool offersRing() const noexcept;
    /// The choice without channels that the image lacks, and without rings in a volume; empty if nothing is measured.
    [[nodiscard]] std::optional<MeasureChoice> inForce() const;
    /// Whether a channel of the image, by index in names(), is measured.
    [[nodiscard]] bool isChosen(std::size_t channel) const;
    /// Ticking the last one chooses all, of later images too.
    void setChosen(std::size_t channel, bool chosen);
    /// Reads only while active.
    void setActive(bool active) { change(this, active_, active, &MeasuredChannels::update); }

    /// Names of the columns that a table of objects has, "mean[DAPI]"; empty unless channels are chosen and the image
    /// has several.
    [[nodiscard]] const std::vector<std::string>& columns() const noexcept { return columns_; }
    /// How the chosen channels are measured, pairs by place among them, and the channel whose objects are counted.
    [[nodiscard]] PlaneMeasures measures() const;
    /// The channel whose objects are counted in the objects of the displayed one, in a column "count[RFP]"; empty:
    /// none.
    [[nodiscard]] const std::optional<CountedChannel>& counted() const noexcept { return choice_.counted; }
    /// Sets the counted channel, also for later images, which may lack it.
    void setCounted(const std::optional<CountedChannel>& counted) {
        MeasureChoice choice = choice_;
        choice.counted = counted;
        setChoice(choice);
    }
    /// The choice for the user: "DAPI, GFP, pairs".
    [[nodiscard]] QString choiceText() const;
    /// The chosen channels, then the counted one; null until they are read.
    [[nodiscard]] std::shared_ptr<const ChannelImage> planes() const noexcept { return planes_.value(); }
    [[nodiscard]] bool isReading() const noexcept { return planes_.state() == AsyncState::computing; }
    /// State for the user: being read, or why not; else empty.
    [[nodiscard]] QString stateText() const;
    /// Names of the channels of the image.
    [[nodiscard]] const std::vector<std::string>& names() const noexcept { return names_; }

signals:
    void choiceChanged();
    void changed(); ///< names, columns, planes or state

private:
    void onImage();
    void update();
    [[nodiscard]] std::vector<std::size_t> chosen() const;
    /// The counted channel by index in names(); empty if there is none.
    [[nodiscard]] std::optional<std::size_t> countedIndex() const;

    DocumentViewModel& document_;
    MeasureChoice choice_;
    std::vector<std::size_t> wanted_; ///< channels of planes_
    bool active_ = false;
    std::vector<std::string> names_;
    std::vector<std::string> columns_;
    AsyncResult<ChannelImage> planes_{[this] { emit changed(); }}; ///< last: its job ends before the other members
};

} // namespace pollard::vm
