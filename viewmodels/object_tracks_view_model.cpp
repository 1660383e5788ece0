#include "object_tracks_view_model.hpp"

#include "document_view_model.hpp"
#include "object_table_model.hpp"
#include "objects_view_model.hpp"
#include "retired_data.hpp"

#include "base/error.hpp"
#include "components/object_stream.hpp"
#include "components/track_files.hpp"
#include "cpu/cpu_engine.hpp"
#include "image/analysis_image.hpp"

#include <QFileInfo>
#include <QLocale>

#include <array>
#include <span>
#include <utility>

namespace pollard::vm {

namespace {

constexpr int kMostUnderWay = 2; ///< while one page is read

/// Everything that the job needs; nothing of it changes meanwhile.
struct Task {
    OpenRequest request;
    int pages = 1;
    ReadLimits limits;
    ObjectRule recipe;
    std::shared_ptr<const Mask> region;
};

class Follower {
public:
    Follower(const Task& task, const JobControl& control)
        : task_(task), control_(control), engine_(makeCpuEngine()),
          stream_(engine_->streamObjects({.connectivity = task.recipe.connectivity, .algorithm = {}}, kMostUnderWay)) {
        made_.recipe = task.recipe;
    }

    [[nodiscard]] TrackedStack run() {
        for (int page = 0; page < task_.pages; ++page) {
            control_.throwIfStopped();
            control_.report(static_cast<double>(page) / task_.pages, "page");
            try {
                if (stream_->underWay() == stream_->capacity()) {
                    takeOldest();
                }
                stream_->push(read(page));
            } catch (const Error& error) {
                throw Error(error.code(), "page " + std::to_string(page + 1) + ": " + error.what());
            }
        }
        while (stream_->underWay() > 0) {
            takeOldest();
        }
        return std::move(made_);
    }

private:
    [[nodiscard]] StreamFrame read(int page) const {
        OpenRequest request = task_.request;
        request.page = page;
        const LoadedImage loaded =
            readImage(QFileInfo(request.path).filesystemFilePath(), request.options(task_.limits), control_);
        const Image& image = *loaded.image;
        const auto region = task_.region != nullptr && task_.region->width() == image.width() &&
                                    task_.region->height() == image.height()
                                ? task_.region
                                : nullptr;
        const auto inside = intersection(loaded.valid, region);
        const LevelRange levels = task_.recipe.levelsOf(image, inside.get(), control_);
        return {loaded.image, inside, levels.low, levels.high};
    }

    void takeOldest() {
        Components found = stream_->pop(control_).components;
        std::vector<ComponentRecord> objects = std::move(found.objects);
        const std::uint64_t foreground = found.foreground;
        TrackedFrame frame = tracker_.add(std::move(found), control_);
        made_.history.add(objects, frame);
        made_.objectCount += objects.size();
        made_.foreground.push_back(foreground);
        made_.objects.push_back(std::move(objects));
        made_.frames.push_back(std::move(frame));
    }

    const Task& task_;
    const JobControl& control_;
    std::unique_ptr<Engine> engine_;
    std::unique_ptr<ObjectStream> stream_;
    ObjectTracker tracker_;
    TrackedStack made_;
};

} // namespace

ObjectTracksViewModel::ObjectTracksViewModel(DocumentViewModel& document, ObjectsViewModel& objects,
                                             ObjectTableModel& table, QObject* parent)
    : QObject(parent), document_(document), objects_(objects), table_(table) {
    connect(&document_, &DocumentViewModel::documentChanged, this, &ObjectTracksViewModel::onChange);
    connect(&document_, &DocumentViewModel::domainChanged, this, &ObjectTracksViewModel::onChange);
    connect(&objects_, &ObjectsViewModel::settingsChanged, this, &ObjectTracksViewModel::onChange);
    connect(&table_, &ObjectTableModel::listingChanged, this, &ObjectTracksViewModel::onListing);
    connect(&table_.marks(), &ObjectMarks::selectionChanged, this, &ObjectTracksViewModel::onSelection);
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
    if (document_.pageCount() < 2) {
        return tr("The file has one page; objects are followed over several.");
    }
    if (objects_.source() != ObjectsViewModel::Source::original) {
        return tr("Objects are followed in the original picture: choose it as the picture whose levels decide.");
    }
    return {};
}

QString ObjectTracksViewModel::summary() const {
    if (!tracks_) {
        return {};
    }
    const QLocale locale;
    const auto& events = tracks_->history.events();
    const auto text = [&](std::size_t kind) { return locale.toString(static_cast<qulonglong>(events[kind])); };
    return tr("%1 objects on %2 tracks over %3 pages; births %4, splits %5, merges %6, deaths %7")
        .arg(locale.toString(static_cast<qulonglong>(tracks_->objectCount)),
             locale.toString(static_cast<qulonglong>(tracks_->history.tracks().size())),
             locale.toString(static_cast<qulonglong>(tracks_->history.frameCount())), text(0), text(1), text(2),
             text(3));
}

const Track* ObjectTracksViewModel::currentTrack() const noexcept {
    return tracks_ && current_ != 0 ? &tracks_->history.tracks()[current_ - 1] : nullptr;
}

void ObjectTracksViewModel::start() {
    if (!whyNot().isEmpty()) {
        return;
    }
    Task task{document_.request(), document_.pageCount(), limits_, objects_.recipe(), document_.domain()};
    request_ = task.request;
    recipe_ = task.recipe;
    region_ = task.region;
    progress_ = 0;
    auto made = std::make_shared<std::shared_ptr<const TrackedStack>>();
    newest_ = worker_.post(
        Lane::measure,
        [task = std::move(task), made, report = relay_.forJob({})](const std::stop_token& stop) {
            const JobControl control(stop, report);
            *made = std::make_shared<const TrackedStack>(Follower(task, control).run());
        },
        [this, made](LatestWinsWorker::Generation generation, const JobOutcome& outcome) {
            if (generation != newest_) {
                return;
            }
            newest_ = 0;
            if (outcome.ok()) {
                adopt(State::ready, *made);
            } else if (outcome.kind == JobOutcome::Kind::failed) {
                problem_ = QString::fromStdString(outcome.message);
                adopt(State::failed, nullptr);
            }
        });
    state_ = State::running;
    emit stateChanged();
}

void ObjectTracksViewModel::cancel() {
    if (newest_ == 0) {
        return;
    }
    newest_ = 0;
    worker_.cancel(Lane::measure);
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

void ObjectTracksViewModel::onChange() {
    const bool holds = document_.hasImage() && request_.sameStack(document_.request()) &&
                       recipe_ == objects_.recipe() && region_ == document_.domain();
    if (!holds && (tracks_ || newest_ != 0 || state_ == State::failed)) {
        newest_ = 0;
        worker_.cancel(Lane::measure);
        adopt(State::empty, nullptr);
        return;
    }
    emit stateChanged(); // whyNot()
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
    if (known == current_) {
        return;
    }
    current_ = known;
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
        document_.setPage(static_cast<int>(track->firstFrame));
    }
}

void ObjectTracksViewModel::save(const QString& path) {
    if (!tracks_ || saving_) {
        return;
    }
    saving_ = true;
    emit savingChanged();
    const QFileInfo target(path);
    saver_.post(
        Lane::save,
        [tracks = tracks_, file = target.filesystemAbsoluteFilePath()](const std::stop_token& stop) {
            const JobControl control(stop);
            TrackFiles files(file, {});
            for (std::size_t i = 0; i < tracks->frames.size(); ++i) {
                files.add(tracks->objects[i], tracks->frames[i], control);
            }
            files.commit();
        },
        [this, file = target.absoluteFilePath()](LatestWinsWorker::Generation, const JobOutcome& outcome) {
            saving_ = false;
            emit savingChanged();
            if (outcome.ok()) {
                emit saved(file);
            } else {
                emit saveFailed(tr("The tracks were not saved"), QString::fromStdString(outcome.message));
            }
        });
}

} // namespace pollard::vm
