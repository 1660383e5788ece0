#include "vm/tree/inspector_view_model.hpp"

#include "vm/base/attribute_catalogue.hpp"
#include "vm/base/value_text.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/document/image_units.hpp"
#include "vm/tree/chain_view_model.hpp"

#include <QLocale>

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace pollard::vm {
namespace {

/// Source places of @p count places in a row, from first to end.
std::vector<std::size_t> placesOf(std::uint32_t first, std::uint32_t end, std::uint32_t count) {
    std::vector<std::size_t> places(count);
    for (std::uint32_t i = 0; i < count; ++i) {
        places[i] = first + (std::uint64_t{2} * i + 1) * (end - first) / (2 * std::uint64_t{count});
    }
    return places;
}

constexpr quintptr kGroup = 0; ///< internal id of a group; for an attribute the group's row + 1
/// ms between cut-outs: each takes all cores, which delays a moving pointer.
constexpr int kCutoutPause = 40;

} // namespace

ComponentCutout cutOut(const ComponentTree& tree, const Image& image, std::uint32_t node, const ComponentBox& component,
                       std::uint32_t slice, std::uint32_t longestSide) {
    ComponentCutout cutout;
    cutout.component = component;
    cutout.slice = slice;
    const PixelRegion& box = component.box;
    const std::uint32_t margin = std::max(2U, std::max(box.width, box.height) / 8);
    const std::uint32_t left = box.x - std::min(margin, box.x);
    const std::uint32_t top = box.y - std::min(margin, box.y);
    const std::uint32_t right = std::min(tree.width, box.x + box.width + margin);
    const std::uint32_t bottom = std::min(tree.height, box.y + box.height + margin);
    const double scale = std::min(1.0, static_cast<double>(longestSide) / std::max(right - left, bottom - top));
    const auto shrunk = [scale](std::uint32_t side) { return std::max(1U, static_cast<std::uint32_t>(side * scale)); };
    const auto columns = placesOf(left, right, shrunk(right - left));
    const auto rows = placesOf(top, bottom, shrunk(bottom - top));

    auto levels = std::make_shared<Image>(image.type(), static_cast<std::uint32_t>(columns.size()),
                                          static_cast<std::uint32_t>(rows.size()));
    dispatch(image.type(), [&]<class T>(T) {
        T* pixel = levels->pixels<T>().data();
        const T* const first = image.pixels<T>().data() + slice * image.extent().slicePixels();
        for (const std::size_t row : rows) {
            const T* const line = first + row * image.width();
            pixel = std::ranges::transform(columns, pixel, [line](std::size_t column) { return line[column]; }).out;
        }
    });
    cutout.levels = std::move(levels);
    cutout.marks.resize(columns.size() * rows.size());
    paintComponent({&tree, columns, rows, ComponentCutout::kInside, ComponentCutout::kOutline, {VolumeAxis::z, slice}},
                   node, cutout.marks);
    return cutout;
}

std::vector<std::uint32_t> slicesOf(const ComponentBox& component, std::uint32_t most) {
    const std::uint32_t count = std::min(component.slices, most);
    std::vector<std::uint32_t> slices(count);
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint64_t steps = std::uint64_t{i} * (component.slices - 1);
        slices[i] = component.front + static_cast<std::uint32_t>(count > 1 ? steps / (count - 1) : 0);
    }
    return slices;
}

InspectorViewModel::InspectorViewModel(DocumentViewModel& document, ChainViewModel& chain, QObject* parent)
    : QAbstractItemModel(parent), document_(document), chain_(chain) {
    makeGroups();
    groups_.front().open = true;
    pause_.setSingleShot(true);
    pause_.setInterval(kCutoutPause);
    connect(&pause_, &QTimer::timeout, this, [this] {
        if (isCutoutWanted_) {
            startCutout();
        }
    });
    connect(&document_, &DocumentViewModel::imageChanged, this, [this, volumes = describesVolumes()]() mutable {
        if (std::exchange(volumes, describesVolumes()) != describesVolumes()) {
            makeGroups();
        }
    });
    connect(&document_, &DocumentViewModel::sliceChanged, this, [this] {
        if (node_ && active_) {
            makeCutout();
        }
    });
    connect(&chain_, &ChainViewModel::currentChanged, this, &InspectorViewModel::follow);
    connect(&document_, &DocumentViewModel::treeChanged, this, [this] {
        follow();
        askForValues();
    });
    connect(&document_, &DocumentViewModel::attributeReady, this, [this] {
        if (active_) {
            announceValues();
        }
    });
}

void InspectorViewModel::makeGroups() {
    std::vector<Group> groups;
    for (const AttributeInfo& info : describedAttributes()) {
        const QString title = attributeGroup(info.id);
        auto group = std::ranges::find(groups, title, &Group::title);
        if (group == groups.end()) {
            const auto before = std::ranges::find(groups_, title, &Group::title);
            group = groups.insert(groups.end(), {title, {}, before != groups_.end() && before->open});
        }
        group->attributes.push_back(info.id);
    }
    beginResetModel();
    groups_ = std::move(groups);
    endResetModel();
}

QModelIndex InspectorViewModel::index(int row, int column, const QModelIndex& parent) const {
    if (!hasIndex(row, column, parent)) {
        return {};
    }
    return createIndex(row, column, parent.isValid() ? static_cast<quintptr>(parent.row()) + 1 : kGroup);
}

QModelIndex InspectorViewModel::parent(const QModelIndex& index) const {
    if (!index.isValid() || index.internalId() == kGroup) {
        return {};
    }
    return createIndex(static_cast<int>(index.internalId()) - 1, 0, kGroup);
}

int InspectorViewModel::rowCount(const QModelIndex& parent) const {
    if (!parent.isValid()) {
        return static_cast<int>(groups_.size());
    }
    if (parent.internalId() != kGroup || parent.column() != 0) {
        return 0;
    }
    return static_cast<int>(groups_[static_cast<std::size_t>(parent.row())].attributes.size());
}

int InspectorViewModel::columnCount(const QModelIndex& /*parent*/) const { return columnCountOfAll; }

QVariant InspectorViewModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) {
        return {};
    }
    if (index.internalId() == kGroup) {
        const bool named = role == Qt::DisplayRole && index.column() == nameColumn;
        return named ? QVariant(groups_[static_cast<std::size_t>(index.row())].title) : QVariant();
    }
    const AttributeId id = groups_[index.internalId() - 1].attributes[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        return index.column() == nameColumn ? attributeTitle(id) : textOf(id);
    case Qt::ToolTipRole:
        if (const std::optional<ValueMapping>& mapping = mappingOf(document_);
            mapping && node_ && index.column() != nameColumn && id == AttributeId::level) {
            return levelText(mapping, document_.tree()->level[*node_]);
        }
        return attributeDetails(id);
    case Qt::TextAlignmentRole:
        return static_cast<int>((index.column() == nameColumn ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    default:
        return {};
    }
}

QVariant InspectorViewModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) {
        return QAbstractItemModel::headerData(section, orientation, role);
    }
    return section == nameColumn ? tr("Attribute") : tr("Value");
}

std::optional<double> InspectorViewModel::value(AttributeId id) const {
    const auto values = document_.attribute(id);
    return node_ && values ? std::optional(values->at(*node_)) : std::nullopt;
}

QString InspectorViewModel::textOf(AttributeId id) const {
    if (!node_) {
        return {};
    }
    const auto known = value(id);
    if (!known) {
        return QStringLiteral("…");
    }
    const std::optional<ValueMapping>& mapping = mappingOf(document_);
    const QString number = columnText(id, *known, mapping, 6);
    return std::isnan(*known) ? number : withUnit(number, columnUnitText(id, mapping));
}

QString InspectorViewModel::summary() const {
    const auto tree = document_.tree();
    if (!node_ || !tree) {
        return {};
    }
    const QLocale locale;
    const std::optional<ValueMapping>& mapping = mappingOf(document_);
    QString level = (mapping ? tr("Value %1") : tr("Level %1")).arg(greyText(mapping, tree->level[*node_]));
    if (!cutout_) {
        return level;
    }
    const ComponentBox& component = cutout_->component;
    const PixelRegion& box = component.box;
    if (document_.isVolume()) {
        return tr("%1, %2 voxels, %3 × %4 × %5 at (%6, %7), slices %8 to %9")
            .arg(level, countText(component.pixels), locale.toString(box.width), locale.toString(box.height),
                 locale.toString(component.slices), locale.toString(box.x), locale.toString(box.y),
                 locale.toString(component.front + 1), locale.toString(component.front + component.slices));
    }
    return tr("%1, %2 px, %3 × %4 px at (%5, %6)")
        .arg(level, countText(component.pixels), locale.toString(box.width), locale.toString(box.height),
             locale.toString(box.x), locale.toString(box.y));
}

void InspectorViewModel::follow() {
    const auto node = active_ ? chain_.node() : std::nullopt;
    if (!node && !node_) {
        return;
    }
    node_ = node;
    cutout_.reset();
    strip_.clear();
    makeCutout();
    announceValues();
    emit componentChanged();
    emit cutoutChanged();
}

void InspectorViewModel::makeCutout() {
    worker_.stop(Lane::measure);
    isCutoutWanted_ = true;
    if (!pause_.isActive()) {
        startCutout();
    }
}

void InspectorViewModel::startCutout() {
    isCutoutWanted_ = false;
    const auto tree = document_.tree();
    const auto image = document_.shown().analysed();
    if (!node_ || !tree || !image || image->extent() != tree->extent()) {
        return;
    }
    pause_.start();
    worker_.post(
        Lane::measure,
        [tree, image, node = *node_, seen = document_.shown().slice](const std::stop_token& stop) {
            const ComponentBox box = boxOfComponent(*tree, node, JobControl(stop));
            const std::uint32_t slice = std::clamp(seen, box.front, box.front + box.slices - 1);
            std::vector<ComponentCutout> cutouts{cutOut(*tree, *image, node, box, slice, kImageSide)};
            for (const std::uint32_t each :
                 tree->slices > 1 ? slicesOf(box, kStripSlices) : std::vector<std::uint32_t>()) {
                cutouts.push_back(cutOut(*tree, *image, node, box, each, kStripSide));
            }
            return cutouts;
        },
        [this](const JobOutcome& outcome, std::vector<ComponentCutout>& cutouts) {
            if (outcome.ok()) {
                cutout_ = std::make_shared<const ComponentCutout>(std::move(cutouts.front()));
                strip_.assign(std::make_move_iterator(cutouts.begin() + 1), std::make_move_iterator(cutouts.end()));
                emit cutoutChanged();
            }
        });
}

void InspectorViewModel::showSlice(quint32 slice) { document_.setSlice(static_cast<int>(slice)); }

void InspectorViewModel::askForValues() {
    if (!active_ || !document_.tree()) {
        return;
    }
    for (const Group& group : groups_) {
        for (const AttributeId id : group.attributes) {
            if (group.open && !document_.attribute(id)) {
                document_.requestAttribute(id);
            }
        }
    }
}

void InspectorViewModel::announceValues() {
    for (int group = 0; group < rowCount(); ++group) {
        const QModelIndex parent = index(group, 0);
        emit dataChanged(index(0, valueColumn, parent), index(rowCount(parent) - 1, valueColumn, parent));
    }
}

} // namespace pollard::vm
