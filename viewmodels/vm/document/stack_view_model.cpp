#include "vm/document/stack_view_model.hpp"

#include "vm/base/change.hpp"
#include "vm/document/document_view_model.hpp"

#include "io/metadata/stack_places.hpp"

#include <QLocale>
#include <QStringList>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace pollard::vm {

namespace {

using Projected = std::pair<StackViewModel::Depth, Projection>;
constexpr std::array<Projected, 4> kProjected{{{StackViewModel::Depth::maximum, Projection::maximum},
                                               {StackViewModel::Depth::minimum, Projection::minimum},
                                               {StackViewModel::Depth::mean, Projection::mean},
                                               {StackViewModel::Depth::sharpest, Projection::sharpest}}};

} // namespace

StackViewModel::StackViewModel(DocumentViewModel& document, QObject* parent) : QObject(parent), document_(document) {
    connect(&document_, &DocumentViewModel::imageChanged, this, &StackViewModel::refresh);
    connect(&document_.activity(), &DocumentActivity::stateChanged, this, [this] {
        if (document_.image() == image_.lock()) { // else imageChanged() follows with other axes
            emit positionChanged();
        }
    });
    connect(&document_, &DocumentViewModel::sliceWanted, this, &StackViewModel::positionChanged);
    connect(&document_, &DocumentViewModel::sliceChanged, this, [this] { image_ = document_.image(); });
    // A page that fails to load ends the playback instead of being requested repeatedly.
    connect(&document_.activity(), &DocumentActivity::errorOccurred, this, [this] { play(-1); });
    connect(&document_, &DocumentViewModel::decisionNeeded, this, [this] { play(-1); });
    timer_.setInterval(kPlayInterval);
    connect(&timer_, &QTimer::timeout, this, &StackViewModel::showNext);
}

QString StackViewModel::axisTitle(int axis) const {
    switch (has(axis) ? axes_[static_cast<std::size_t>(axis)].name : 'p') {
    case 'c':
        return tr("Channel");
    case 'z':
        return tr("Z");
    case 't':
        return tr("Time");
    default:
        return tr("Page");
    }
}

int StackViewModel::size(int axis) const { return has(axis) ? axes_[static_cast<std::size_t>(axis)].count : 0; }

int StackViewModel::stride(int axis) const {
    int product = 1;
    for (int i = 0; i < axis; ++i) {
        product *= size(i);
    }
    return product;
}

int StackViewModel::sliceAxis() const {
    if (!document_.isVolume()) {
        return -1;
    }
    const auto z = std::ranges::find(axes_, 'z', &StackAxis::name);
    return z == axes_.end() ? 0 : static_cast<int>(z - axes_.begin());
}

bool StackViewModel::offersDepth() const { return document_.canBeVolume(); }

bool StackViewModel::offersAxes() const {
    const bool areBare = axes_.size() == 1 && (axes_[0].name == 'p' || axes_[0].name == kUnclearAxis);
    return (areBare && axes_[0].labels.empty() && !document_.isVolume()) || !document_.request().axes.empty();
}

StackViewModel::Depth StackViewModel::depth() const {
    if (document_.isVolume()) {
        return Depth::volume;
    }
    const auto& projection = document_.request().projection;
    return projection ? std::ranges::find(kProjected, *projection, &Projected::second)->first : Depth::slice;
}

void StackViewModel::setDepth(Depth depth) {
    const auto* const found = std::ranges::find(kProjected, depth, &Projected::first);
    document_.setSlices(depth == Depth::volume ? Slices::volume : Slices::pages,
                        found != kProjected.end() ? std::optional(found->second) : std::nullopt);
}

bool StackViewModel::isProjected(int axis) const {
    const bool isAlone = axisCount() == 1 && has(axis) && axes_.front().name == 'p'; // plain pages are the slices
    return document_.request().projection && has(axis) &&
           (axes_[static_cast<std::size_t>(axis)].name == 'z' || isAlone);
}

QString StackViewModel::pagesText() const {
    QString pages = tr("%1 pages").arg(QLocale().toString(document_.pageCount()));
    QStringList parts;
    for (const StackAxis& axis : axes_) {
        const QString count = QLocale().toString(axis.count);
        switch (axis.name) {
        case 'c':
            parts << tr("%1 channels").arg(count);
            break;
        case 'z':
            parts << tr("%1 z").arg(count);
            break;
        case 't':
            parts << tr("%1 times").arg(count);
            break;
        default:
            return pages;
        }
    }
    return parts.isEmpty() ? pages : tr("%1 (%2)").arg(pages, parts.join(QStringLiteral(" × ")));
}

int StackViewModel::position(int axis) const {
    if (has(axis) && axis == sliceAxis()) {
        return document_.slice();
    }
    return has(axis) ? document_.reading().wantedPage() / stride(axis) % size(axis) : 0;
}

QString StackViewModel::label(int axis) const {
    if (!has(axis)) {
        return {};
    }
    const std::vector<std::string>& labels = axes_[static_cast<std::size_t>(axis)].labels;
    const auto index = static_cast<std::size_t>(position(axis));
    return index < labels.size() ? QString::fromStdString(labels[index]) : QString();
}

void StackViewModel::setPosition(int axis, int position) {
    if (!has(axis)) {
        return;
    }
    const int present = this->position(axis);
    const int wanted = std::clamp(position, 0, size(axis) - 1);
    if (wanted == present || isProjected(axis)) {
        return;
    }
    if (axis == sliceAxis()) {
        document_.setSlice(wanted);
        return;
    }
    document_.reading().setPage(document_.reading().wantedPage() + (wanted - present) * stride(axis));
    emit positionChanged();
}

void StackViewModel::stepPage(int by) {
    if (document_.isVolume()) {
        document_.setSlice(document_.slice() + by);
    } else if (axisCount() > 0) {
        document_.reading().setPage(document_.reading().wantedPage() + by);
        emit positionChanged();
    }
}

void StackViewModel::step(int axis, int by) { setPosition(axis, position(axis) + by); }

void StackViewModel::showFirst() {
    if (document_.isVolume()) {
        document_.setSlice(0);
    } else if (axisCount() > 0) {
        document_.reading().setPage(0);
        emit positionChanged();
    }
}

void StackViewModel::showLast() {
    if (document_.isVolume()) {
        document_.setSlice(document_.sliceCount() - 1);
    } else if (axisCount() > 0) {
        document_.reading().setPage(document_.pageCount() - 1);
        emit positionChanged();
    }
}

void StackViewModel::play(int axis) {
    const int wanted = has(axis) ? axis : -1;
    if (!change(playing_, wanted)) {
        return;
    }
    if (playing_ < 0) {
        timer_.stop();
    } else {
        timer_.start();
    }
    emit playingChanged();
}

void StackViewModel::showNext() {
    const bool isSeen = !document_.isVolume() || document_.slice() == static_cast<int>(document_.shown().slice);
    if (isSeen && document_.activity().state() == DocumentActivity::State::ready &&
        !document_.activity().isFiltering()) {
        setPosition(playing_, (position(playing_) + 1) % size(playing_));
    }
}

void StackViewModel::refresh() {
    image_ = document_.image();
    std::vector<StackAxis> axes;
    if (const auto info = document_.imageInfo()) {
        axes = axesOf(*info);
    }
    if (axes != axes_) {
        axes_ = std::move(axes);
        play(-1);
        emit axesChanged();
    }
    emit positionChanged();
}

} // namespace pollard::vm
