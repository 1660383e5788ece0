#include "vm/display/composite_view_model.hpp"

#include "vm/base/change.hpp"
#include "vm/document/document_view_model.hpp"

#include "vm/image/level_histogram.hpp"
#include "vm/image/look.hpp"
#include "vm/image/open_request.hpp"

#include "io/channels.hpp"

#include <QFileInfo>
#include <QLocale>

#include <algorithm>
#include <utility>

namespace pollard::vm {

namespace {

ChannelLook hiddenLook() {
    ChannelLook look;
    look.visible = false;
    return look;
}

CompositeViewModel::Plane planeOf(ChannelPlane& read, PyramidPool& pool, const JobControl& control) {
    CompositeViewModel::Plane plane;
    std::shared_ptr<const Coverage> coverage;
    if (read.valid) {
        const std::size_t levels = Pyramid::levelsOf(read.image->width(), read.image->height());
        coverage = std::make_shared<const Coverage>(read.valid, levels, control);
    }
    const CountedArea area{{}, nullptr, read.valid.get()};
    plane.histogram =
        std::make_shared<const LevelHistogram>(inEvenLevels(countLevels(*read.image, area, control), read.mapping));
    const std::uint16_t last = maxLevelOf(read.image->type());
    plane.pyramid = pool.make(inEvenLevels(std::move(read.image), read.mapping), std::move(coverage), control);
    plane.automatic = autoWindow(*plane.histogram);
    plane.mapping = evenMappingOf(read.mapping, last);
    return plane;
}

} // namespace

CompositeViewModel::CompositeViewModel(DocumentViewModel& document, QObject* parent)
    : QAbstractListModel(parent), document_(document), planes_([this] { emit stateChanged(); }) {
    connect(&document_, &DocumentViewModel::imageChanged, this, &CompositeViewModel::onImage);
    connect(&document_, &DocumentViewModel::sliceChanged, this, &CompositeViewModel::onImage);
    onImage();
}

bool CompositeViewModel::isOfLuminance() const {
    return isPhoto_ && !source_ && document_.request().channel.kind == ChannelChoice::Kind::luminance;
}

bool CompositeViewModel::isOn() const {
    const int row = sourceRow();
    return wanted_ && (source_ || row < 0 || isOfLuminance() || isDrawn(row));
}

bool CompositeViewModel::isShown() const {
    const auto image = document_.image();
    return isOn() && image && planes_.value() && !planes_.value()->empty() &&
           std::ranges::all_of(*planes_.value(), [&](const auto& entry) {
               const Image& plane = *entry.second.pyramid->image();
               return plane.width() == image->width() && plane.height() == image->height();
           });
}

QString CompositeViewModel::title(int row) const {
    const Row& shown = rows_.at(static_cast<std::size_t>(row));
    return shown.channel                                ? vm::titleOf(channels_[*shown.channel])
           : shown.choice == QLatin1String("luminance") ? tr("Luminance")
                                                        : shown.choice;
}

int CompositeViewModel::sourceRow() const {
    const auto found = std::ranges::find(rows_, source_, &Row::channel);
    return found == rows_.end() ? -1 : static_cast<int>(found - rows_.begin());
}

const CompositeViewModel::Plane* CompositeViewModel::plane(int row) const {
    const auto& channel = rows_.at(static_cast<std::size_t>(row)).channel;
    if (!channel) {
        return computed_.pyramid ? &computed_ : nullptr;
    }
    if (!planes_.value()) {
        return nullptr;
    }
    const auto found = planes_.value()->find(*channel);
    return found == planes_.value()->end() ? nullptr : &found->second;
}

LevelWindow CompositeViewModel::window(int row) const {
    const Plane* read = plane(row);
    if (read == nullptr) {
        return {0, static_cast<double>(maxLevel())};
    }
    const Row& shown = rows_.at(static_cast<std::size_t>(row));
    if (shown.look.window) {
        return levelsOf(*shown.look.window, read->mapping);
    }
    if (shown.channel && channels_[*shown.channel].window) {
        return levelsOf(ofSamples(*channels_[*shown.channel].window, read->mapping), read->mapping);
    }
    return shown.channel && isPhoto_ ? photoWindow() : read->automatic;
}

LevelWindow CompositeViewModel::photoWindow() const {
    if (maxLevel() == maxLevelOf(PixelType::u8)) {
        return {0, static_cast<double>(maxLevel())};
    }
    LevelWindow all{static_cast<double>(maxLevel()), 0};
    for (const auto& [channel, plane] : *planes_.value()) {
        all = {std::min(all.low, plane.automatic.low), std::max(all.high, plane.automatic.high)};
    }
    return all;
}

int CompositeViewModel::maxLevel() const {
    const auto image = document_.image();
    return maxLevelOf(image ? image->type() : PixelType::u8);
}

std::vector<CompositeViewModel::Layer> CompositeViewModel::layers() const {
    std::vector<Layer> drawn;
    for (int row = 0; row < count() && drawn.size() < kMostShown; ++row) {
        const Plane* read = plane(row);
        if (!isDrawn(row) || read == nullptr) {
            continue;
        }
        const Row& shown = rows_[static_cast<std::size_t>(row)];
        Layer layer{read->pyramid, nullptr,          isSource(row),     shown.channel,
                    window(row),   shown.look.gamma, shown.look.colour, shown.look.map};
        if (!layer.isSource && shown.channel) {
            const auto filtered = filtered_.find(*shown.channel);
            layer.after = filtered == filtered_.end() ? nullptr : filtered->second;
        }
        drawn.push_back(std::move(layer));
    }
    return drawn;
}

std::vector<std::size_t> CompositeViewModel::drawnChannels() const {
    std::vector<std::size_t> drawn;
    for (const Layer& layer : layers()) {
        if (layer.channel) {
            drawn.push_back(*layer.channel);
        }
    }
    std::ranges::sort(drawn);
    return drawn;
}

bool CompositeViewModel::isMapped() const {
    return planes_.value() &&
           std::ranges::any_of(*planes_.value(), [](const auto& plane) { return plane.second.mapping.has_value(); });
}

CompositeViewModel::ResultUse CompositeViewModel::useOf(Output output) const {
    if (output == Output::mask && cutsOut_) {
        return ResultUse::cutOut;
    }
    const int row = sourceRow();
    const bool isLuminance = isOfLuminance() && row >= 0 && !isDrawn(row);
    return !isLuminance ? ResultUse::channel : output == Output::filtered ? ResultUse::luminance : ResultUse::alone;
}

QString CompositeViewModel::valuesAt(int x, int y) const {
    const QLocale locale;
    QStringList texts;
    for (int row = 0; row < count(); ++row) {
        const Plane* read = plane(row);
        if (read == nullptr || x < 0 || y < 0) {
            continue;
        }
        const Image& image = *read->pyramid->image();
        const auto column = static_cast<std::uint32_t>(x);
        const auto line = static_cast<std::uint32_t>(y);
        if (column < image.width() && line < image.height()) {
            const double level = image.level(static_cast<std::size_t>(line) * image.width() + column);
            texts << nameOf(row) + u' ' + locale.toString(read->mapping ? read->mapping->valueOf(level) : level);
        }
    }
    return texts.join(QStringLiteral(", "));
}

QString CompositeViewModel::nameOf(int row) const {
    const Row& shown = rows_.at(static_cast<std::size_t>(row));
    return shown.channel ? QString::fromStdString(channels_[*shown.channel].name) : shown.choice;
}

bool CompositeViewModel::offers(std::size_t composite) const {
    return bandsOf(kBandComposites.at(composite), channels_).has_value();
}

QVariant CompositeViewModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= count()) {
        return {};
    }
    switch (role) {
    case Qt::DisplayRole:
        return title(index.row());
    case Qt::DecorationRole:
        return look(index.row()).colour;
    case Qt::CheckStateRole:
        return look(index.row()).visible ? Qt::Checked : Qt::Unchecked;
    case Qt::ToolTipRole:
        return isSource(index.row()) ? tr("%1: the filter works on this channel").arg(title(index.row()))
                                     : title(index.row());
    default:
        return {};
    }
}

bool CompositeViewModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (!index.isValid() || role != Qt::CheckStateRole) {
        return false;
    }
    setVisible(index.row(), value.toInt() == Qt::Checked);
    return true;
}

Qt::ItemFlags CompositeViewModel::flags(const QModelIndex& index) const {
    return index.isValid() ? Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable | Qt::ItemIsDragEnabled
                           : Qt::ItemIsDropEnabled;
}

bool CompositeViewModel::moveRows(const QModelIndex& parent, int first, int count, const QModelIndex& target,
                                  int before) {
    if (count < 1 || first < 0 || first + count > this->count() || before < 0 || before > this->count() ||
        !beginMoveRows(parent, first, first + count - 1, target, before)) {
        return false;
    }
    const std::optional<int> solo = std::exchange(solo_, std::nullopt);
    const auto alone = solo ? rows_[static_cast<std::size_t>(*solo)].channel : std::nullopt;
    const auto begin = rows_.begin();
    if (before < first) {
        std::rotate(begin + before, begin + first, begin + first + count);
    } else {
        std::rotate(begin + first, begin + first + count, begin + before);
    }
    if (solo) {
        solo_ = static_cast<int>(std::ranges::find(rows_, alone, &Row::channel) - rows_.begin());
    }
    endMoveRows();
    emit looksChanged();
    return true;
}

void CompositeViewModel::setOn(bool on) {
    wanted_ = on;
    if (on && !isOn()) {
        rows_.at(static_cast<std::size_t>(sourceRow())).look.visible = true;
        emit dataChanged(index(sourceRow()), index(sourceRow()));
    }
    if (isOn()) {
        read();
    } else {
        planes_.clear();
    }
    emit onChanged();
}

void CompositeViewModel::setCutsOut(bool cutsOut) {
    vm::change(this, cutsOut_, cutsOut, &CompositeViewModel::looksChanged);
}

template <class Value> void CompositeViewModel::change(int row, Value ChannelLook::*member, Value value) {
    ChannelLook& look = rows_.at(static_cast<std::size_t>(row)).look;
    if (look.*member != value) {
        look.*member = std::move(value);
        announce(row);
    }
}

void CompositeViewModel::announce(int row) {
    emit dataChanged(index(row), index(row));
    emit looksChanged();
}

void CompositeViewModel::setVisible(int row, bool visible) {
    const auto shown =
        static_cast<std::size_t>(std::ranges::count_if(rows_, [](const Row& other) { return other.look.visible; }));
    if (!visible || shown < kMostShown) {
        change(row, &ChannelLook::visible, visible);
        read();
        if (row == sourceRow()) {
            emit onChanged();
        }
    }
}

void CompositeViewModel::setColour(int row, const QColor& colour) {
    if (colour.isValid()) {
        change(row, &ChannelLook::map, std::optional<ColourMap>());
        change(row, &ChannelLook::colour, colour);
    }
}

void CompositeViewModel::setColourMap(int row, std::optional<ColourMap> map) { change(row, &ChannelLook::map, map); }

void CompositeViewModel::setWindow(int row, LevelWindow window) {
    if (const Plane* read = plane(row)) {
        window.low = std::clamp(window.low, 0.0, maxLevel() - 1.0);
        window.high = std::clamp(window.high, window.low + 1, static_cast<double>(maxLevel()));
        change(row, &ChannelLook::window, std::optional(valuesOf(window, read->mapping)));
    }
}

void CompositeViewModel::autoWindow(int row) {
    if (const Plane* read = plane(row)) {
        setWindow(row, read->automatic);
    }
}

void CompositeViewModel::fullWindow(int row) { setWindow(row, {0, static_cast<double>(maxLevel())}); }

void CompositeViewModel::eachDrawn(void (CompositeViewModel::*set)(int row)) {
    for (int row = 0; row < count(); ++row) {
        if (isDrawn(row)) {
            (this->*set)(row);
        }
    }
}

void CompositeViewModel::setGamma(int row, double gamma) {
    change(row, &ChannelLook::gamma, std::clamp(gamma, kSmallestGamma, kLargestGamma));
}

void CompositeViewModel::setSolo(std::optional<int> row) {
    if (row != solo_ && (!row || (*row >= 0 && *row < count()))) {
        solo_ = row;
        read();
        emit looksChanged();
    }
}

void CompositeViewModel::filterOn(int row) {
    const auto& channel = rows_.at(static_cast<std::size_t>(row)).channel;
    if (!channel || channel == source_) {
        return;
    }
    OpenRequest request = document_.reading().presentRequest();
    request.page = channels_[*channel].page;
    request.channel = {ChannelChoice::Kind::sample, channels_[*channel].sample, {}};
    document_.openAs(request);
}

void CompositeViewModel::showBands(std::size_t composite) {
    if (const auto bands = bandsOf(kBandComposites.at(composite), channels_)) {
        constexpr std::array kRgb{Qt::red, Qt::green, Qt::blue};
        solo_.reset();
        for (Row& row : rows_) {
            const auto band = row.channel ? std::ranges::find(*bands, *row.channel) : bands->end();
            row.look.visible = band != bands->end();
            if (row.look.visible) {
                row.look.colour = kRgb[static_cast<std::size_t>(band - bands->begin())];
                row.look.map.reset();
            }
        }
        announceAll();
    }
}

void CompositeViewModel::resetLooks() {
    solo_.reset();
    setDefaultLooks();
    announceAll();
}

CompositeViewModel::NamedLooks CompositeViewModel::looks() const {
    NamedLooks looks;
    for (const Row& row : rows_) {
        if (row.channel) {
            looks.emplace_back(channels_[*row.channel].name, row.look);
        }
    }
    return looks;
}

void CompositeViewModel::setLooks(const NamedLooks& looks) {
    beginResetModel();
    solo_.reset();
    auto next = rows_.begin();
    for (const NamedLooks::value_type& wanted : looks) {
        const auto named = std::find_if(next, rows_.end(), [&](const Row& row) {
            return row.channel && channels_[*row.channel].name == wanted.first;
        });
        if (named != rows_.end()) {
            named->look = wanted.second;
            std::rotate(next, named, named + 1);
            ++next;
        }
    }
    endResetModel();
    emit channelsChanged();
    read();
    emit looksChanged();
}

void CompositeViewModel::announceAll() {
    read();
    emit dataChanged(index(0), index(count() - 1));
    emit looksChanged();
}

void CompositeViewModel::setDefaultLooks() {
    const std::vector<ChannelLook> looks = defaultLooks(channels_, isPhoto_);
    for (Row& row : rows_) {
        row.look = row.channel ? looks[*row.channel] : hiddenLook();
    }
}

void CompositeViewModel::setFiltered(Images images) {
    filtered_ = std::move(images);
    emit looksChanged();
}

void CompositeViewModel::onImage() {
    const auto info = document_.imageInfo();
    const OpenRequest request = info ? allChannels(document_.pageRequest(), *info) : OpenRequest();
    std::vector<Channel> channels = info ? channelsOf(*info) : std::vector<Channel>();
    const QDateTime changed = QFileInfo(document_.path()).lastModified();
    const bool isSame = request == request_ && channels == channels_ && changed == changed_;
    const auto nameOf = [](const Channel& channel) { return channel.name; };
    const bool isAlike = std::ranges::equal(channels, channels_, {}, nameOf, nameOf);
    request_ = request;
    changed_ = changed;
    channels_ = std::move(channels);
    isPhoto_ = info && channels_.size() == 3 &&
               (info->photometric == "RGB" || info->photometric == "YCbCr" || info->photometric == "Palette");
    if (!isSame) {
        filtered_.clear();
    }
    listRows(isAlike);
    if (!isPossible()) {
        planes_.clear();
    } else if (!isSame) {
        stale_ = true;
        read();
    }
    emit channelsChanged();
    emit onChanged();
    emit looksChanged();
}

void CompositeViewModel::listRows(bool keep) {
    source_ = document_.hasImage() ? storedChannel(document_.pageRequest(), *document_.imageInfo()) : std::nullopt;
    const bool isComputed = !source_ && document_.hasImage();
    computed_ = isComputed ? Plane{document_.shown().pyramid,
                                   document_.shown().histogram,
                                   {},
                                   evenMappingOf(document_.imageInfo()->mapping, maxLevelOf(document_.image()->type()))}
                           : Plane{};
    if (isComputed && computed_.histogram) {
        computed_.automatic = vm::autoWindow(*computed_.histogram);
    }
    beginResetModel();
    if (!keep) {
        rows_.clear();
        solo_.reset();
        for (std::size_t i = 0; i < channels_.size(); ++i) {
            if (channels_[i].name != "alpha") {
                rows_.push_back({i, {}, {}});
            }
        }
        setDefaultLooks();
    }
    std::erase_if(rows_, [](const Row& row) { return !row.channel; });
    if (solo_ && *solo_ >= count()) {
        solo_.reset();
    }
    if (isComputed && rows_.size() > 1) {
        rows_.push_back({{}, document_.reading().channelName(), hiddenLook()});
    }
    endResetModel();
}

void CompositeViewModel::read() {
    if (!isOn() || !isPossible()) {
        return;
    }
    std::shared_ptr<const Planes> known = std::exchange(stale_, false) ? nullptr : planes_.value();
    std::vector<std::size_t> missing;
    const bool all = rows_.size() <= kMostShown;
    for (int row = 0; row < count(); ++row) {
        const auto& channel = rows_[static_cast<std::size_t>(row)].channel;
        if (channel && (all || isDrawn(row)) && !(known && known->contains(*channel))) {
            missing.push_back(*channel);
        }
    }
    if (missing.empty()) {
        return;
    }
    planes_.begin(planes_.value());
    planes_.compute([known = std::move(known), missing = std::move(missing), pool = pool_,
                     reader = document_.reading().channelReader(), request = request_,
                     limits = document_.reading().rules().limits](const std::stop_token& stop) {
        const JobControl control(stop);
        Planes planes = known ? *known : Planes();
        ChannelImage image = reader->read(request, limits, missing, control);
        for (std::size_t i = 0; i < missing.size(); ++i) {
            planes[missing[i]] = planeOf(image.planes[i], *pool, control);
        }
        return planes;
    });
}

} // namespace pollard::vm
