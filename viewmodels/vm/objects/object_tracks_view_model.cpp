#include "vm/objects/object_tracks_view_model.hpp"

#include "vm/base/attribute_catalogue.hpp"
#include "vm/base/change.hpp"
#include "vm/base/retired_data.hpp"
#include "vm/base/value_text.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/objects/object_table_model.hpp"
#include "vm/objects/objects_view_model.hpp"
#include "vm/objects/page_objects.hpp"

#include "components/objects/track_files.hpp"

#include <array>
#include <utility>

namespace pollard::vm {

namespace {

TrackedStack follow(const FollowedPages& pages, const JobControl::ProgressFunction& progress,
                    const std::stop_token& stop) {
    TrackedStack made;
    ObjectTracker tracker;
    findOnPages(pages,
                [&](Components found) {
                    ComponentRecords objects = std::move(found.objects);
                    const std::uint64_t foreground = found.foreground;
                    TrackedFrame frame = tracker.add(std::move(found), JobControl(stop));
                    made.history.add(objects, frame);
                    made.objectCount += objects.size();
                    made.foreground.push_back(foreground);
                    made.objects.push_back(std::move(objects));
                    made.frames.push_back(std::move(frame));
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
        return picturesOnlyText();
    }
    if (document_.pageCount() < 2) {
        return tr("The file has one page; objects are followed over several.");
    }
    return {};
}

QString ObjectTracksViewModel::summary() const {
    if (!tracks_) {
        return {};
    }
    const auto& events = tracks_->history.events();
    const auto text = [&](std::size_t kind) { return countText(events[kind]); };
    return tr("%1 objects on %2 tracks over %3 pages; births %4, splits %5, merges %6, deaths %7")
        .arg(countText(tracks_->objectCount), countText(tracks_->history.tracks().size()),
             countText(tracks_->history.frameCount()), text(0), text(1), text(2), text(3));
}

const Track* ObjectTracksViewModel::currentTrack() const noexcept {
    return tracks_ && current_ != 0 ? &tracks_->history.tracks()[current_ - 1] : nullptr;
}

void ObjectTracksViewModel::start() {
    if (!whyNot().isEmpty()) {
        return;
    }
    if (tracks_ && !holds()) {
        forget(); // possible while the picture of a change is pending
    }
    auto pages = std::make_shared<const FollowedPages>(FollowedPages{
        document_.pageFilter(), document_.engines(), document_.pageCount(), objects_.recipe(), filtersPages()});
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
    RetiredData old;
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

bool ObjectTracksViewModel::holds() const {
    if (!document_.hasImage() || !followed_) {
        return false;
    }
    const FollowedPages& then = *followed_;
    const bool filtered = filtersPages();
    if (filtered != then.filtered || !objects_.recipe().findsAs(then.rule)) {
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
    const auto page = static_cast<std::uint32_t>(table_.listing()->found->page);
    if (page < track->firstFrame || page > track->lastFrame()) {
        return;
    }
    const std::uint32_t label = track->points[page - track->firstFrame].label;
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

void ObjectTracksViewModel::showFirstPage() {
    if (const Track* const track = currentTrack()) {
        document_.reading().setPage(static_cast<int>(track->firstFrame));
    }
}

void ObjectTracksViewModel::save(const QString& path) {
    if (tracks_ && !isSaving()) {
        saver_.write(path, tr("The tracks were not saved"),
                     [tracks = tracks_](const std::filesystem::path& target, const JobControl& control) {
                         TrackFiles files(target, {});
                         for (std::size_t i = 0; i < tracks->frames.size(); ++i) {
                             files.add(tracks->objects[i], tracks->frames[i], control);
                         }
                         files.commit();
                     });
    }
}

} // namespace pollard::vm
