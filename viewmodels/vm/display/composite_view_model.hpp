#pragma once

#include "vm/base/async_result.hpp"
#include "vm/display/channel_look.hpp"
#include "vm/image/open_request.hpp"

#include "filter/filter_spec.hpp"
#include "image/pyramid.hpp"

#include <QAbstractListModel>
#include <QDateTime>

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pollard::vm {

class DocumentViewModel;

/// The channels of the document's image and their sum in colours: a list with the rows in the order of display. The
/// channels are read on another thread while the composite is on.
///
/// The channel that the filter works on is shown filtered. If it is not stored but computed, the list has a row for it.
class CompositeViewModel : public QAbstractListModel {
    Q_OBJECT

public:
    /// Largest number of channels shown together.
    static constexpr std::size_t kMostShown = 16;

    /// A channel as read.
    struct Plane {
        std::shared_ptr<const Pyramid> pyramid;
        std::shared_ptr<const LevelHistogram> histogram;
        LevelWindow automatic; ///< from percentile to percentile
        std::optional<ValueMapping> mapping;
    };
    using Images = std::map<std::size_t, std::shared_ptr<const Pyramid>>; ///< by index in channelsOf()
    /// The image that a row draws.
    struct Layer {
        std::shared_ptr<const Pyramid> before;
        std::shared_ptr<const Pyramid> after; ///< of a channel that was filtered and left; null: as `before`
        bool isSource = false;                ///< `after` is the present result of the document
        std::optional<std::size_t> channel;   ///< index in channelsOf(); empty: computed
        LevelWindow window;
        double gamma = 1;
        QColor colour;
        std::optional<ColourMap> map;
    };

    /// How a filter result takes part in the image.
    enum class ResultUse {
        channel,   ///< in place of its channel
        luminance, ///< red, green and blue change by as much as their luminance
        cutOut,    ///< a mask: the channels as read, black outside the mask
        alone      ///< in place of the composite
    };

    /// @param document must outlive this
    explicit CompositeViewModel(DocumentViewModel& document, QObject* parent = nullptr);

    /// Whether the image has several channels.
    [[nodiscard]] bool isPossible() const noexcept { return rows_.size() > 1; }
    /// Whether the user has switched composites on, for images with several channels.
    [[nodiscard]] bool isWanted() const noexcept { return wanted_; }
    /// Whether they are wanted for this image: the filter works on one of its channels, on the luminance of a photo, or
    /// on a computed channel that is ticked. Other computed channels are shown without the composite.
    [[nodiscard]] bool isOn() const;
    /// Whether the composite replaces the grey image: it is on, and its channels are read.
    [[nodiscard]] bool isShown() const;
    [[nodiscard]] AsyncState state() const noexcept { return planes_.state(); }
    [[nodiscard]] const QString& problem() const noexcept { return planes_.problem(); } ///< of AsyncState::failed

    /// The channels of the image, in the order of channelsOf().
    [[nodiscard]] const std::vector<Channel>& channels() const noexcept { return channels_; }
    [[nodiscard]] int count() const noexcept { return static_cast<int>(rows_.size()); }
    [[nodiscard]] QString title(int row) const; ///< "GFP (509 nm)"
    [[nodiscard]] const ChannelLook& look(int row) const { return rows_.at(static_cast<std::size_t>(row)).look; }
    [[nodiscard]] bool isSource(int row) const { return row == sourceRow(); }
    [[nodiscard]] int sourceRow() const; ///< of the channel that the filter works on
    /// Whether the row is drawn: it is the solo row, or visible without a solo row.
    [[nodiscard]] bool isDrawn(int row) const { return solo_ ? row == *solo_ : look(row).visible; }
    [[nodiscard]] std::optional<int> solo() const noexcept { return solo_; }
    /// The channel of a row; null until it is read.
    [[nodiscard]] const Plane* plane(int row) const;
    /// The window in levels, of a channel that is read.
    [[nodiscard]] LevelWindow window(int row) const;
    [[nodiscard]] int maxLevel() const;
    /// Drawn channels that are read.
    [[nodiscard]] std::vector<Layer> layers() const;
    /// Indices of the drawn channels in channelsOf(), ascending, without computed ones.
    [[nodiscard]] std::vector<std::size_t> drawnChannels() const;
    /// The image that the channels are read from, see allChannels().
    [[nodiscard]] const OpenRequest& request() const noexcept { return request_; }
    /// Whether values of a channel that is read were mapped to levels.
    [[nodiscard]] bool isMapped() const;
    /// Whether masks blacken the other pixels of all channels instead of being shown.
    [[nodiscard]] bool cutsOut() const noexcept { return cutsOut_; }
    /// The use of a result of the displayed channel.
    [[nodiscard]] ResultUse useOf(Output output) const;
    /// The names of the rows of stored channels with their looks, in the order of the list.
    using NamedLooks = std::vector<std::pair<std::string, ChannelLook>>;
    [[nodiscard]] NamedLooks looks() const;
    /// Values of all channels that are read at a pixel: "DAPI 12, GFP 340".
    [[nodiscard]] QString valuesAt(int x, int y) const;
    /// Whether the image has the bands of a composite, an index of kBandComposites.
    [[nodiscard]] bool offers(std::size_t composite) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : count(); }
    /// Title, colour (decoration) and visibility (check state).
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    [[nodiscard]] Qt::DropActions supportedDropActions() const override { return Qt::MoveAction; }
    bool moveRows(const QModelIndex& parent, int first, int count, const QModelIndex& target, int before) override;

public slots:
    /// Ticks a computed channel that a composite would not show.
    void setOn(bool on);
    void setCutsOut(bool cutsOut);
    void setVisible(int row, bool visible);
    void setColour(int row, const QColor& colour);
    void setColourMap(int row, std::optional<pollard::vm::ColourMap> map);
    /// @param window levels
    void setWindow(int row, pollard::vm::LevelWindow window);
    void autoWindow(int row);
    void fullWindow(int row);
    /// Sets the windows of all drawn channels.
    void autoWindows() { eachDrawn(&CompositeViewModel::autoWindow); }
    void fullWindows() { eachDrawn(&CompositeViewModel::fullWindow); }
    void setGamma(int row, double gamma);
    /// Shows only one channel; nothing ends this.
    void setSolo(std::optional<int> row);
    /// Filters this channel from now on.
    void filterOn(int row);
    /// Shows three bands as red, green and blue, and hides the others.
    void showBands(std::size_t composite);
    /// Back to the colours and visibility that the file suggests, and to automatic windows.
    void resetLooks();
    /// Sets order and looks of the channels with these names; other channels follow unchanged.
    void setLooks(const pollard::vm::CompositeViewModel::NamedLooks& looks);

    // For the part that filters channels:
    /// Sets the filtered images of channels other than the source; channels without one are shown as read.
    void setFiltered(Images images);

signals:
    void onChanged();       ///< isOn() or isWanted()
    void channelsChanged(); ///< other rows, or another one is the source
    void stateChanged();    ///< state(), or channels were read
    void looksChanged();    ///< of any row, or other rows are drawn

private:
    using Planes = std::map<std::size_t, Plane>; ///< by index in channelsOf()

    struct Row {
        std::optional<std::size_t> channel; ///< index in channelsOf(); empty: the computed source
        QString choice;                     ///< of the computed source
        ChannelLook look;
    };
    void onImage();
    /// Whether the filter works on the luminance of a photo.
    [[nodiscard]] bool isOfLuminance() const;
    /// Lists the channels. @param keep they have the names of the rows, whose order and looks stay
    void listRows(bool keep);
    void setDefaultLooks();
    /// Reads the channels that are wanted and not read.
    void read();
    template <class Value> void change(int row, Value ChannelLook::*member, Value value);
    void eachDrawn(void (CompositeViewModel::*set)(int row));
    void announce(int row);
    void announceAll();
    [[nodiscard]] QString nameOf(int row) const;
    /// A common window for red, green and blue, which preserves the colours.
    [[nodiscard]] LevelWindow photoWindow() const;

    DocumentViewModel& document_;
    bool wanted_ = false;
    bool cutsOut_ = false;
    OpenRequest request_; ///< of channels_, see allChannels()
    QDateTime changed_;   ///< the file, when the channels were listed
    std::vector<Channel> channels_;
    bool isPhoto_ = false; ///< the channels are red, green and blue of an image
    std::vector<Row> rows_;
    std::optional<int> solo_;
    std::optional<std::size_t> source_; ///< index in channelsOf(); empty: computed
    Plane computed_;
    Images filtered_;
    bool stale_ = false; ///< planes_ are of another image
    std::shared_ptr<PyramidPool> pool_ = std::make_shared<PyramidPool>();
    AsyncResult<Planes> planes_;
};

} // namespace pollard::vm
