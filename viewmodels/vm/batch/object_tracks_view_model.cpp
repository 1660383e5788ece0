#include "vm/batch/object_tracks_view_model.hpp"

#include "vm/base/async_result.hpp"
#include "vm/base/change.hpp"
#include "vm/base/value_text.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/objects/object_listing.hpp"
#include "vm/objects/object_table_model.hpp"
#include "vm/objects/objects_view_model.hpp"

#include "components/object_tracks.hpp"
#include "components/objects/measured_objects.hpp"
#include "components/shape/object_edges.hpp"
#include "io/volumes/read_volume.hpp"

#include <QLocale>

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

namespace pollard::vm {

namespace {

/// Leaves the listed objects in @p found. @returns the page with the former facts of all objects
TrackedPage keepListed(Components& found, const FollowedPages& pages, const std::optional<ValueMapping>& mapping,
                       const JobControl& control) {
    TrackedPage page;
    page.foreground = found.foreground;
    page.tracks.resize(found.count);
    if (!found.objects.empty()) {
        page.first = found.objects.front();
        page.last = found.objects.back();
    }
    const ObjectList list = listObjects(found, pages.listed, control, mapping);
    page.labels = keepObjects(
        found, [&list](std::uint32_t label) { return list.lists(label); }, control);
    return page;
}

TrackedStack follow(const FollowedPages& pages, const JobControl::ProgressFunction& progress,
                    const std::stop_token& stop) {
    TrackedStack made;
    made.along = pages.along;
    made.axis = pages.axis;
    ObjectTracker tracker;
    findOnPages(pages,
                [&](Components found, const std::optional<ValueMapping>& mapping) {
                    const JobControl control(stop);
                    TrackedPage page = keepListed(found, pages, mapping, control);
                    page.objects = std::move(found.objects);
                    page.frame = tracker.add(std::move(found), control);
                    made.history.add(page.objects, page.frame);
                    made.objectCount += page.objects.size();
                    for (std::size_t i = 0; i < page.labels.size(); ++i) {
                        page.tracks[page.labels[i] - 1] = page.frame.tracks[i];
                    }
                    made.pages.push_back(std::move(page));
                },
                {stop, progress});
    return made;
}

} // namespace

ObjectTracksViewModel::ObjectTracksViewModel(DocumentViewModel& document, ObjectsViewModel& objects,
                                             ObjectTableModel& table, QObject* parent)
    : QObject(parent), document_(document), objects_(objects), table_(table) {
    connect(&document_, &DocumentViewModel::imageChanged, this, &ObjectTracksViewModel::onChange);
    connect(&document_.choices(), &DocumentChoices::domainChanged, this, &ObjectTracksViewModel::onChange);
    connect(&objects_, &ObjectsViewModel::settingsChanged, this, &ObjectTracksViewModel::onChange);
    for (const auto signal : {&DocumentChoices::treeSpecChanged, &DocumentChoices::earlierFiltersChanged}) {
        connect(&document_.choices(), signal, this, &ObjectTracksViewModel::onFilter);
    }
    connect(&document_, &DocumentViewModel::frameReady, this, &ObjectTracksViewModel::onFilter);
    connect(&table_, &ObjectTableModel::listingChanged, this, &ObjectTracksViewModel::onListing);
    connect(&table_, &ObjectTableModel::conditionChanged, this, &ObjectTracksViewModel::onChange);
    connect(&table_.marks(), &ObjectMarks::selectionChanged, this, &ObjectTracksViewModel::onSelection);
    connect(&saver_, &FileExport::availableChanged, this, &ObjectTracksViewModel::savingChanged);
    connect(&saver_, &FileExport::saved, this, &ObjectTracksViewModel::saved);
    connect(&saver_, &FileExport::failed, this, &ObjectTracksViewModel::saveFailed);
    connect(&relay_, &ProgressRelay::progressed, this, [this](double fraction) {
        if (state_ == State::running) {
            progress_ = fraction;
            emit progressChanged();
        }
    });
}

QString ObjectTracksViewModel::whyNot() const {
    if (!document_.hasImage()) {
        return tr("Open a stack to follow its objects.");
    }
    if (document_.isVolume()) {
        return tr("Objects are followed over time or pages, not in a volume.");
    }
    if (document_.pageCount() < 2) {
        return tr("The file has one page; objects are followed over several.");
    }
    if (axis() == 0) {
        return tr("The file has no time axis, along which objects are followed.");
    }
    if (!table_.rowSpec().condition.columns().empty()) {
        return tr("The condition names channels or places, which are measured on the shown page only. Objects are "
                  "followed by a condition on other features.");
    }
    return {};
}

std::optional<AxisPosition> ObjectTracksViewModel::placeOf(std::uint32_t frame) const {
    const auto info = document_.imageInfo();
    if (!tracks_ || !info || tracks_->axis == 'p') {
        return std::nullopt;
    }
    const auto index = static_cast<int>(frame);
    return AxisPosition{tracks_->axis, index, {}, distanceOn(tracks_->axis, index, *info)};
}

char ObjectTracksViewModel::axis() const {
    const auto info = document_.imageInfo();
    const std::vector<StackAxis> axes = info ? axesOf(*info) : std::vector<StackAxis>();
    if (std::ranges::find(axes, 't', &StackAxis::name) != axes.end()) {
        return 't';
    }
    const bool mayFollow = axes.size() == 1 && axes.front().name != 'c' && !document_.request().projection;
    return !mayFollow ? '\0' : axes.front().name == 'z' ? 'z' : 'p';
}

QString ObjectTracksViewModel::summary() const {
    if (!tracks_) {
        return {};
    }
    const auto& events = tracks_->history.events();
    const auto text = [&](std::size_t kind) { return countText(events[kind]); };
    const QString over = tracks_->axis == 't'   ? tr("%1 objects on %2 tracks over %3 times")
                         : tracks_->axis == 'z' ? tr("%1 objects on %2 tracks over %3 slices")
                                                : tr("%1 objects on %2 tracks over %3 pages");
    return tr("%1; births %2, splits %3, merges %4, deaths %5")
        .arg(over.arg(countText(tracks_->objectCount), countText(tracks_->history.tracks().size()),
                      countText(tracks_->history.frameCount())),
             text(0), text(1), text(2), text(3));
}

const Track* ObjectTracksViewModel::currentTrack() const noexcept {
    return tracks_ && current_ != 0 ? &tracks_->history.tracks()[current_ - 1] : nullptr;
}

void ObjectTracksViewModel::start() {
    if (!whyNot().isEmpty()) {
        return;
    }
    if (tracks_ && !holds()) {
        forget(); // possible while the image of a change is pending
    }
    ImageInfo info = *document_.imageInfo();
    info.page = document_.page();
    auto pages = std::make_shared<const FollowedPages>(
        FollowedPages{document_.pageFilter(), document_.engines(),
                      axis() == 'p' ? SlicePages{0, 1, info.pages} : pagesAlong(info, axis()), axis(),
                      objects_.recipeForPages(), filtersPages(), table_.rowSpec(), condition()});
    followed_ = pages;
    progress_ = 0;
    worker_.forget(Lane::measure);
    worker_.post(
        Lane::measure,
        [pages, report = relay_.forJob({})](const std::stop_token& stop) {
            return std::make_shared<const TrackedStack>(follow(*pages, report, stop));
        },
        [this](const JobOutcome& outcome, const std::shared_ptr<const TrackedStack>& made) {
            if (outcome.ok()) {
                adopt(State::ready, made);
            } else if (outcome.kind == JobOutcome::Kind::failed) {
                problem_ = QString::fromStdString(outcome.message);
                adopt(State::failed, nullptr);
            }
        });
    state_ = State::running;
    emit stateChanged();
}

void ObjectTracksViewModel::cancel() {
    if (state_ != State::running) {
        return;
    }
    worker_.stop(Lane::measure);
    state_ = tracks_ ? State::ready : State::empty;
    emit stateChanged();
}

void ObjectTracksViewModel::adopt(State state, std::shared_ptr<const TrackedStack> tracks) {
    DeferredRelease old;
    old.hold(std::exchange(tracks_, std::move(tracks)));
    state_ = state;
    const bool hadCurrent = std::exchange(current_, 0) != 0;
    table_.setTracks(tracks_);
    emit stateChanged();
    if (hadCurrent) {
        emit currentChanged();
    }
    onSelection();
}

bool ObjectTracksViewModel::filtersPages() const {
    const PageFilter filter = document_.pageFilter();
    FilterSpec nothing; // a filter that removes no component, with the same rule
    nothing.rule = filter.tree.filter.rule;
    return objects_.source() == ObjectsViewModel::Source::result &&
           (filter.tree.filter != nothing || !effectiveStages(filter.tree.earlier).empty());
}

QString ObjectTracksViewModel::condition() const {
    const TableCondition::Stated stated = table_.statedCondition();
    return stated.text.isEmpty() ? QString()
                                 : QStringLiteral("%1 %2").arg(stated.text).arg(static_cast<int>(stated.unit));
}

bool ObjectTracksViewModel::holds() const {
    if (!document_.hasImage() || !followed_) {
        return false;
    }
    const FollowedPages& then = *followed_;
    const bool filtered = filtersPages();
    if (filtered != then.filtered || !objects_.recipeForPages().findsSameObjectsAs(then.rule) ||
        condition() != then.condition || table_.rowSpec().withoutBorder != then.listed.withoutBorder) {
        return false;
    }
    const PageFilter now = document_.pageFilter();
    return filtered ? now.filtersAs(then.filter)
                    : now.stack.sameStack(then.filter.stack) && now.tree.domain == then.filter.tree.domain;
}

void ObjectTracksViewModel::onChange() {
    if (!holds() && (tracks_ || state_ == State::running || state_ == State::failed)) {
        forget();
        return;
    }
    emit stateChanged(); // for whyNot()
}

void ObjectTracksViewModel::onFilter() {
    if (followed_ && !holds()) {
        forget();
    }
}

void ObjectTracksViewModel::forget() {
    followed_.reset();
    worker_.stop(Lane::measure);
    adopt(State::empty, nullptr);
}

void ObjectTracksViewModel::onListing() {
    const Track* const track = currentTrack();
    const auto* const numbers = table_.trackNumbers();
    if (track == nullptr || numbers == nullptr) {
        return;
    }
    const auto frame = tracks_->frameOf(table_.listing()->found->page);
    if (!frame || *frame < track->firstFrame || *frame > track->lastFrame()) {
        return;
    }
    const std::uint32_t label = tracks_->pages[*frame].labels[track->points[*frame - track->firstFrame].label - 1];
    if (table_.listing()->lists(label) && table_.marks().selectedCount() == 0) {
        table_.marks().select(std::array{label});
    }
}

void ObjectTracksViewModel::onSelection() {
    const auto* const numbers = table_.trackNumbers();
    const auto& selected = table_.marks().selected();
    if (numbers != nullptr && selected.size() == 1 && selected.front() <= numbers->size()) {
        setCurrent((*numbers)[selected.front() - 1]);
    }
}

void ObjectTracksViewModel::setCurrent(quint32 track) {
    const quint32 known = tracks_ && track <= tracks_->history.tracks().size() ? track : 0;
    if (!change(current_, known)) {
        return;
    }
    emit currentChanged();
    const auto* const numbers = table_.trackNumbers();
    if (numbers == nullptr || current_ == 0) {
        return;
    }
    const auto& selected = table_.marks().selected();
    if (selected.size() != 1 || (*numbers)[selected.front() - 1] != current_) {
        table_.marks().select({});
        onListing();
    }
}

bool ObjectTracksViewModel::canShowPages() const { return document_.isVolume() && document_.canBeVolume(); }

void ObjectTracksViewModel::showPages() { document_.setVolume(false); }

void ObjectTracksViewModel::showFirstPage() {
    if (const Track* const track = currentTrack()) {
        document_.reading().setPage(tracks_->pageOf(track->firstFrame));
    }
}

void ObjectTracksViewModel::save(const QString& path) {
    if (tracks_ && !isSaving()) {
        std::vector<std::optional<AxisPosition>> places;
        for (const TrackedPage& page : tracks_->pages) {
            places.push_back(placeOf(page.frame.frame));
        }
        saver_.write(path, tr("The tracks were not saved"),
                     [tracks = tracks_, places](const std::filesystem::path& target, const JobControl& control) {
                         TrackFiles files(target, {});
                         for (const TrackedPage& page : tracks->pages) {
                             files.add(page.objects, page.frame, control, {}, places[page.frame.frame]);
                         }
                         files.commit();
                     });
    }
}

namespace {

constexpr int kDistanceDigits = 10;

} // namespace

TrackTableModel::TrackTableModel(ObjectTracksViewModel& tracks, QObject* parent)
    : QAbstractTableModel(parent), tracks_(tracks) {
    connect(&tracks_, &ObjectTracksViewModel::stateChanged, this, &TrackTableModel::adopt);
    connect(&tracks_.table(), &ObjectTableModel::unitChanged, this, [this] {
        emit headerDataChanged(Qt::Horizontal, displacement, pathLength);
        if (rowCount() > 0) {
            emit dataChanged(index(0, displacement), index(rowCount() - 1, pathLength));
        }
    });
    adopt();
}

int TrackTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(order_.size());
}

int TrackTableModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : kColumns; }

char TrackTableModel::axis() const { return shown_ ? shown_->axis : tracks_.axis(); }

const Track& TrackTableModel::at(int row) const {
    return shown_->history.tracks()[order_[static_cast<std::size_t>(row)]];
}

quint32 TrackTableModel::trackOf(int row) const { return row < 0 || row >= rowCount() ? 0 : at(row).number; }

int TrackTableModel::rowOf(quint32 track) const {
    return track == 0 || track > rows_.size() ? -1 : static_cast<int>(rows_[track - 1]);
}

QVariant TrackTableModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount() || index.column() >= kColumns) {
        return {};
    }
    switch (role) {
    case Qt::DisplayRole:
        return textOf(at(index.row()), index.column());
    case Qt::UserRole:
        return valueOf(at(index.row()), index.column());
    case Qt::TextAlignmentRole:
        return static_cast<int>((index.column() == began || index.column() == ended ? Qt::AlignLeft : Qt::AlignRight) |
                                Qt::AlignVCenter);
    default:
        return {};
    }
}

QVariant TrackTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) {
        return {};
    }
    switch (section) {
    case number:
        return tr("Track");
    case firstPage:
        return axis() == 't' ? tr("First time") : axis() == 'z' ? tr("First slice") : tr("First page");
    case lastPage:
        return axis() == 't' ? tr("Last time") : axis() == 'z' ? tr("Last slice") : tr("Last page");
    case pages:
        return axis() == 't' ? tr("Times") : axis() == 'z' ? tr("Slices") : tr("Pages");
    case began:
        return tr("Begins by");
    case ended:
        return tr("Ends by");
    case displacement:
        return tr("Displacement (%1)").arg(tracks_.table().lengthUnit());
    case pathLength:
        return tr("Path (%1)").arg(tracks_.table().lengthUnit());
    default:
        return {};
    }
}

double TrackTableModel::valueOf(const Track& track, int column) const {
    switch (column) {
    case firstPage:
        return track.firstFrame;
    case lastPage:
        return track.lastFrame();
    case pages:
        return track.frameCount();
    case began:
        return static_cast<double>(track.began);
    case ended:
        return track.ended ? static_cast<double>(*track.ended) : -1;
    case displacement:
        return track.displacement() * tracks_.table().side();
    case pathLength:
        return track.pathLength() * tracks_.table().side();
    default:
        return track.number;
    }
}

QString TrackTableModel::placeText(std::uint32_t frame) const {
    const QLocale locale;
    const QString frameNumber = locale.toString(frame + 1);
    const auto place = tracks_.placeOf(frame);
    return place && place->distance ? QStringLiteral("%1 (%2 %3)")
                                          .arg(frameNumber, locale.toString(*place->distance, 'g', kDistanceDigits),
                                               place->axis == 't' ? QStringLiteral("s") : QStringLiteral("µm"))
                                    : frameNumber;
}

QString TrackTableModel::textOf(const Track& track, int column) const {
    const QLocale locale;
    switch (column) {
    case firstPage:
        return placeText(track.firstFrame);
    case lastPage:
        return placeText(track.lastFrame());
    case began:
        return track.from == 0 ? tr("birth") : tr("split from %1").arg(locale.toString(track.from));
    case ended:
        if (!track.ended) {
            return QStringLiteral("–");
        }
        return track.into == 0 ? tr("death") : tr("merge into %1").arg(locale.toString(track.into));
    case displacement:
    case pathLength:
        return tracks_.table().textOf(ObjectFeature::major, valueOf(track, column)); // representative of all lengths
    default:
        return locale.toString(static_cast<qulonglong>(valueOf(track, column)));
    }
}

void TrackTableModel::sort(int column, Qt::SortOrder order) {
    const bool descending = order == Qt::DescendingOrder;
    if (column < 0 || column >= kColumns || (column == key_ && descending == descending_)) {
        return;
    }
    beginResetModel();
    key_ = column;
    descending_ = descending;
    this->order();
    endResetModel();
}

void TrackTableModel::adopt() {
    if (tracks_.tracks() == shown_) {
        emit headerDataChanged(Qt::Horizontal, firstPage, pages); // the image may have another axis
        return;
    }
    beginResetModel();
    shown_ = tracks_.tracks();
    order();
    endResetModel();
}

void TrackTableModel::order() {
    const std::size_t count = shown_ ? shown_->history.tracks().size() : 0;
    order_.resize(count);
    std::iota(order_.begin(), order_.end(), 0U);
    std::vector<double> keys(count);
    for (std::size_t i = 0; i < count; ++i) {
        const double key = valueOf(shown_->history.tracks()[i], key_);
        keys[i] = descending_ ? -key : key;
    }
    std::stable_sort(order_.begin(), order_.end(),
                     [&keys](std::uint32_t a, std::uint32_t b) { return keys[a] < keys[b]; });
    rows_.resize(count);
    for (std::size_t row = 0; row < count; ++row) {
        rows_[order_[row]] = static_cast<std::uint32_t>(row);
    }
}

} // namespace pollard::vm
