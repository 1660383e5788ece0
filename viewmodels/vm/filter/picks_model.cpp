#include "vm/filter/picks_model.hpp"

#include "vm/document/document_view_model.hpp"
#include "vm/filter/filter_view_model.hpp"

#include "filter/node_decision.hpp"

#include <QLocale>

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

namespace pollard::vm {
namespace {

/// The level of the filtered image, or plane of a volume, at a pixel; empty if it cannot be derived.
std::optional<std::uint16_t> filteredLevelAt(const ShownSlice& shown, TreeKind kind, std::size_t pixel) {
    const FilterSpec& spec = shown.frame.spec;
    const auto& result = shown.frame.image;
    if (!result || result->pixelCount() <= pixel || spec.rule == Rule::subtractive) {
        return std::nullopt;
    }
    switch (spec.output) {
    case Output::filtered:
        return result->level(pixel);
    case Output::residue:
        return filteredLevel(kind, (shown.input ? shown.input : shown.image)->level(pixel), result->level(pixel));
    case Output::mask:
    case Output::labels:
        return std::nullopt;
    }
    return std::nullopt;
}

} // namespace

std::optional<std::uint32_t> pickNode(const ComponentTree& tree, const PickQuestion& question,
                                      const std::function<bool(std::uint32_t node)>& isLargeEnough) {
    if (question.pixel >= tree.pixelCount()) {
        return std::nullopt;
    }
    const auto isSeen = [&](std::uint32_t node) {
        if (!question.shownLevel) {
            return true;
        }
        return tree.kind == TreeKind::max ? tree.level[node] <= *question.shownLevel
                                          : tree.level[node] >= *question.shownLevel;
    };
    std::uint32_t node = tree.pixelNode[question.pixel];
    while (node != 0 && (!isSeen(node) || !isLargeEnough(node))) {
        node = tree.parent[node];
    }
    // Climbs out of removed components: each pass leaves at least one.
    for (bool outside = false; !outside;) {
        outside = true;
        for (const std::uint32_t canonical : question.removed) {
            const auto removed = nodeOfCanonical(tree, canonical);
            if (removed && *removed != 0 && tree.contains(*removed, node)) {
                node = tree.parent[*removed];
                outside = false;
            }
        }
    }
    return node == 0 ? std::nullopt : std::optional(node);
}

PicksModel::PicksModel(DocumentViewModel& document, QObject* parent) : QAbstractListModel(parent), document_(document) {
    connect(&document_, &DocumentViewModel::imageChanged, this, &PicksModel::clear);
    // Areas and places belong to the present tree.
    connect(&document_, &DocumentViewModel::treeChanged, this, [this] {
        if (!picks_.empty()) {
            emit dataChanged(index(0), index(count() - 1));
        }
    });
}

int PicksModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : count(); }

QVariant PicksModel::data(const QModelIndex& index, int role) const {
    if (index.row() < 0 || index.row() >= count()) {
        return {};
    }
    switch (role) {
    case Qt::DisplayRole:
        return text(picks_[static_cast<std::size_t>(index.row())]);
    case Qt::ToolTipRole:
        return tr("Click to undo it");
    default:
        return {};
    }
}

std::optional<std::uint32_t> PicksModel::last() const {
    return picks_.empty() ? std::nullopt : std::optional(picks_.back().canonical);
}

QString PicksModel::summary() const {
    const auto numberOf = [this](PickEffect effect) { return std::ranges::count(picks_, effect, &Pick::effect); };
    QStringList parts;
    if (const auto removed = numberOf(PickEffect::removed); removed > 0) {
        parts << tr("%1 removed").arg(removed);
    }
    if (const auto kept = numberOf(PickEffect::kept); kept > 0) {
        parts << tr("%1 kept").arg(kept);
    }
    if (const auto only = numberOf(PickEffect::only); only > 0) {
        parts << tr("only %1 kept").arg(only);
    }
    return parts.join(tr(", "));
}

std::optional<std::uint32_t> PicksModel::nodeAt(const QPointF& place, PickEffect effect,
                                                const ShownSlice& shown) const {
    const auto tree = document_.tree();
    const auto area = document_.attribute(AttributeId::area);
    const auto voxel = tree && area ? shown.voxelAt(place, tree->extent()) : std::nullopt;
    if (!voxel) {
        return std::nullopt;
    }
    PickQuestion question;
    question.pixel = *voxel;
    const std::vector<std::uint32_t> gone = removed();
    if (effect == PickEffect::removed) {
        const auto pixel =
            static_cast<std::size_t>(place.y()) * shown.image->width() + static_cast<std::size_t>(place.x());
        question.shownLevel = filteredLevelAt(shown, tree->kind, pixel);
        question.removed = gone;
    }
    return pickNode(*tree, question, [&](std::uint32_t n) { return area->at(n) >= minimumArea_; });
}

bool PicksModel::pickAt(const QPointF& place, PickEffect effect, const ShownSlice& shown) {
    const auto node = nodeAt(place, effect, shown);
    if (node) {
        pick(document_.tree()->canonical[*node], effect);
    }
    return node.has_value();
}

void PicksModel::pick(std::uint32_t canonical, PickEffect effect) {
    const auto known = std::ranges::find(picks_, canonical, &Pick::canonical);
    if (known != picks_.end()) {
        if (known->effect != effect) {
            known->effect = effect;
            const QModelIndex row = index(static_cast<int>(known - picks_.begin()));
            emit dataChanged(row, row);
            emit changed();
        }
        return;
    }
    beginInsertRows({}, count(), count());
    picks_.push_back({canonical, effect});
    endInsertRows();
    emit changed();
}

void PicksModel::remove(int row) {
    if (row < 0 || row >= count()) {
        return;
    }
    beginRemoveRows({}, row, row);
    picks_.erase(picks_.begin() + row);
    endRemoveRows();
    emit changed();
}

void PicksModel::clear() { assign({}, {}); }

void PicksModel::keepOnly(std::uint32_t canonical) {
    std::vector<Pick> picks = picks_;
    std::erase_if(picks,
                  [&](const Pick& pick) { return pick.effect == PickEffect::only || pick.canonical == canonical; });
    picks.push_back({canonical, PickEffect::only});
    setState(std::move(picks));
}

void PicksModel::assign(const std::vector<std::uint32_t>& removed, const std::vector<std::uint32_t>& kept,
                        const std::vector<std::uint32_t>& only) {
    setState(picksOf(removed, kept, only));
}

void PicksModel::setState(std::vector<Pick> picks) {
    if (picks == picks_) {
        return;
    }
    beginResetModel();
    picks_ = std::move(picks);
    endResetModel();
    emit changed();
}

std::vector<std::uint32_t> PicksModel::withEffect(PickEffect effect) const {
    std::vector<std::uint32_t> found;
    for (const Pick& pick : picks_) {
        if (pick.effect == effect) {
            found.push_back(pick.canonical);
        }
    }
    std::ranges::sort(found);
    return found;
}

QString PicksModel::text(const Pick& pick) const {
    const QString what = pick.effect == PickEffect::removed ? tr("removed")
                         : pick.effect == PickEffect::kept  ? tr("kept")
                                                            : tr("nothing but");
    const auto tree = document_.tree();
    const auto area = document_.attribute(AttributeId::area);
    const auto node = tree ? nodeOfCanonical(*tree, pick.canonical) : std::nullopt;
    if (!node || !area) {
        return tr("%1: not in this tree").arg(what);
    }
    const QString pixels = QLocale().toString(area->at(*node), 'f', 0);
    const Voxel place = voxelAt(pick.canonical, tree->extent());
    return tree->extent().isVolume()
               ? tr("%1: %2 voxels at %3, %4, slice %5")
                     .arg(what, pixels, QString::number(place.x), QString::number(place.y),
                          QString::number(place.z + 1))
               : tr("%1: %2 px at %3, %4").arg(what, pixels, QString::number(place.x), QString::number(place.y));
}

} // namespace pollard::vm
