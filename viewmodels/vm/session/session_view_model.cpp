#include "vm/session/session_view_model.hpp"

#include "vm/contour/contour_view_model.hpp"
#include "vm/display/display_view_model.hpp"
#include "vm/display/orthogonal_view_model.hpp"
#include "vm/display/rendering_view_model.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/document/image_units.hpp"
#include "vm/filter/filter_view_model.hpp"
#include "vm/image/look.hpp"
#include "vm/labels/label_edit_view_model.hpp"
#include "vm/labels/score_view_model.hpp"
#include "vm/objects/condition_text.hpp"
#include "vm/objects/object_listing.hpp"
#include "vm/objects/object_table_model.hpp"
#include "vm/objects/objects_view_model.hpp"
#include "vm/region/region_view_model.hpp"
#include "vm/session/edit_history.hpp"
#include "vm/session/edit_state.hpp"
#include "vm/session/leave_view_model.hpp"
#include "vm/tree/node_selection.hpp"

#include "base/error.hpp"
#include "components/objects/object_condition.hpp"
#include "io/page_selection.hpp"

#include <QFileInfo>

#include <optional>
#include <string>
#include <system_error>
#include <utility>

namespace pollard::vm {

namespace {

constexpr int kModifiedDelay = 30; ///< ms
constexpr std::uint32_t kMostSlices = std::numeric_limits<int>::max();

std::filesystem::path diskPath(const QString& path) { return QFileInfo(path).filesystemAbsoluteFilePath(); }

/// @throws Error(invalidArgument) naming the file if the window cannot show the view of the session
void requireShowable(const SavedSession& session, const std::filesystem::path& file) {
    try {
        (void)lookOf(session.view);
        (void)compareOf(session.view);
        (void)looksOf(session.composite);
    } catch (const Error& error) {
        throw Error(error.code(), "session: " + file.string() + ": " + error.what());
    }
}

/// A condition on levels as one on values; as it is if it is on objects of the other kind.
std::string inValues(const std::string& condition, const ValueMapping& mapping) {
    try {
        return ObjectCondition::withValues(condition, mapping, describedFeatures());
    } catch (const Error&) {
        return condition;
    }
}

/// Size and time of the last change; nothing without a file.
std::optional<FileStamp> stampOf(const std::filesystem::path& file) {
    std::error_code size;
    std::error_code time;
    const FileStamp stamp{file, std::filesystem::file_size(file, size), std::filesystem::last_write_time(file, time)};
    return size || time ? std::nullopt : std::optional(stamp);
}

/// Writes the new place of the image into the file of a session; without success it is asked for again.
void rememberPlace(SavedSession& session, const std::filesystem::path& image, const std::filesystem::path& file) {
    setPlace(session.image, image, file);
    try {
        saveSession(session, file);
    } catch (const Error&) { // a folder without permission to write
    }
}

/// Finds the part of a session by its axes in a file of other content, which may have another order.
/// @throws Error as partsOf() and readImageInfo()
void choosePart(SessionImage& image, const FoundImage& found) {
    if (!image.at || found.path.empty() || (found.same && !image.hash.empty())) {
        return;
    }
    OpenRequest request = requestOf(image, QString());
    ReadOptions options = request.options({});
    options.page = 0;
    options.channel = {ChannelChoice::Kind::sample, 0};
    const ImageInfo info = readImageInfo(found.path, options);
    try {
        request.take(partsOf(*image.at, info).parts.front(), info);
    } catch (const Error& error) {
        throw Error(error.code(), found.path.string() + ": " + error.what());
    }
    store(request, image);
}

QString textOf(const std::filesystem::path& path) { return QFileInfo(path).filePath(); }

} // namespace

SessionViewModel::SessionViewModel(const Subjects& subjects, QObject* parent)
    : QObject(parent), subjects_(subjects), baseline_(std::make_unique<SavedWork>(subjects)) {
    const DocumentViewModel& document = subjects_.document;
    modifiedSoon_.setSingleShot(true);
    modifiedSoon_.setInterval(kModifiedDelay);
    connect(&modifiedSoon_, &QTimer::timeout, this, &SessionViewModel::reportModified);
    connect(this, &SessionViewModel::changed, this, [this] {
        if (!modifiedSoon_.isActive()) {
            modifiedSoon_.start();
        }
    });
    connect(&document, &DocumentViewModel::imageChanged, this, &SessionViewModel::onDocument);
    connect(&document, &DocumentViewModel::decisionNeeded, this, [this] { asked_ = pending_.has_value(); });
    // Questions are signalled after the state.
    connect(&document.activity(), &DocumentActivity::stateChanged, this, &SessionViewModel::onState,
            Qt::QueuedConnection);
    followSubjects();
}

SessionViewModel::~SessionViewModel() {
    worker_.reset(); // the running write is finished
    writes_.finish();
}

void SessionViewModel::followSubjects() {
    connect(&subjects_.history.stack(), &QUndoStack::indexChanged, this, &SessionViewModel::changed);
    const DisplayViewModel& display = subjects_.display;
    for (const auto signal :
         {&DisplayViewModel::windowChanged, &DisplayViewModel::toneCurveChanged, &DisplayViewModel::colourMapChanged,
          &DisplayViewModel::imageChanged, &DisplayViewModel::splitChanged, &DisplayViewModel::viewChanged}) {
        connect(&display, signal, this, &SessionViewModel::changed);
    }
    connect(&subjects_.objects, &ObjectsViewModel::opacityChanged, this, &SessionViewModel::changed);
    for (const auto signal : {&ContourRuns::changed, &ContourRuns::statesChanged, &ContourRuns::shownChanged}) {
        connect(&subjects_.contours.runs(), signal, this, &SessionViewModel::changed);
    }
    if (subjects_.orthogonal != nullptr) {
        connect(subjects_.orthogonal, &OrthogonalViewModel::layoutChanged, this, &SessionViewModel::changed);
        connect(subjects_.rendering, &RenderingViewModel::lookChanged, this, &SessionViewModel::changed);
    }
    if (subjects_.score != nullptr) {
        connect(subjects_.score, &ScoreViewModel::settingsChanged, this, &SessionViewModel::changed);
    }
    if (subjects_.labels != nullptr) {
        connect(subjects_.labels, &LabelEditViewModel::pixelsEdited, this, &SessionViewModel::pixelsEdited);
    }
    connect(&subjects_.contours.settings(), &ContourSettings::specChanged, this, &SessionViewModel::changed);
    connect(&subjects_.contours.settings().forbidden(), &ForbiddenArea::changed, this, &SessionViewModel::changed);
    connect(baseline_.get(), &SavedWork::moved, this, &SessionViewModel::changed);
    for (const auto signal : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved}) {
        connect(&subjects_.selection, signal, this, &SessionViewModel::changed);
    }
}

bool SessionViewModel::isSession(const QString& path) {
    return QFileInfo(path).suffix().compare(suffix(), Qt::CaseInsensitive) == 0;
}

bool SessionViewModel::canSave() const { return subjects_.document.hasImage(); }

bool SessionViewModel::isModified() const { return subjects_.document.hasImage() && !baseline_->isPresent(); }

SessionDraft SessionViewModel::draft() const {
    const DocumentViewModel& document = subjects_.document;
    SessionDraft draft;
    draft.image = diskPath(document.path());
    SavedSession& session = draft.session;
    EditState state = subjects_.history.state();
    draft.removed = state.removedObjects;
    if (subjects_.labels != nullptr && subjects_.labels->isEdited()) {
        draft.edited = subjects_.labels->found();
        if (const auto stored = subjects_.labels->adopted()) {
            session.edited = *stored;
        }
        if (draft.edited || session.edited) {
            draft.work = subjects_.labels->state().work;
        }
    }
    session.truth = subjects_.score != nullptr ? subjects_.score->stored() : std::nullopt;
    static_cast<SessionSettings&>(session) = std::move(state);
    store(document.request(), session.image);
    if (const auto info = document.imageInfo(); info && countOfAxes(*info) > 0) {
        session.image.at = selectionOf(*info, document.pageRequest().options({}), document.isVolume());
    }
    session.image.read.pixelSize =
        document.pixelSizes().stated(); // also a size set for the folder: other computers do not have it
    draft.contours = subjects_.contours.session().draft();
    session.view = sessionOf(subjects_.display);
    session.objectsLook = subjects_.objects.look();
    session.view.slice = document.isVolume() ? static_cast<std::uint32_t>(document.slice()) : 0;
    if (document.isVolume() && subjects_.orthogonal != nullptr) {
        session.view.volume = sessionOf(*subjects_.orthogonal, *subjects_.rendering);
    }
    session.composite = sessionOf(subjects_.display.composite());
    session.cutOut = !session.composite.empty() && subjects_.display.composite().cutsOut();
    session.docks = docks_ ? docks_().toStdString() : std::string();
    const NodeSelection& selection = subjects_.selection;
    if (const auto& awaited = subjects_.history.awaitedSelections()) {
        session.selected = awaited->selected;
        session.selections = awaited->named;
    } else {
        draft.tree = document.tree();
        draft.selected = selection.nodes();
        for (int row = 0; row < selection.rowCount(); ++row) {
            draft.named.emplace_back(selection.nameAt(row).toStdString(), selection.nodesAt(row));
        }
    }
    return draft;
}

/// A session being written.
struct SessionViewModel::SavedFile {
    QString target;
    std::filesystem::path image;
    WorkState work;
};

void SessionViewModel::save(const QString& path) { write(path, false); }

void SessionViewModel::overwrite() { write({}, true); }

void SessionViewModel::write(const QString& path, bool overwrites) {
    const QString target = path.isEmpty() ? path_ : QFileInfo(path).absoluteFilePath();
    if (!canSave() || target.isEmpty()) {
        return;
    }
    auto draft = std::make_shared<const SessionDraft>(this->draft());
    const auto isOutdated = std::make_shared<bool>(false);
    writes_.add(
        [draft, file = diskPath(target), fingerprint = fingerprint_, stamp = stamp_, isOutdated, overwrites] {
            const std::optional<FileStamp> present = stampOf(file);
            *isOutdated = !overwrites && present && *stamp && (*stamp)->file == file && *present != **stamp;
            if (!*isOutdated) {
                saveSession(finished(*draft, file, *fingerprint, JobControl()), file);
                *stamp = stampOf(file);
            }
        },
        [this, isOutdated, written = SavedFile{target, draft->image, baseline_->present()}](const JobOutcome& outcome) {
            emit savingChanged();
            if (*isOutdated) {
                emit changedOutside(written.target);
            } else {
                onSaved(written, outcome);
            }
        });
    emit savingChanged();
}

void SessionViewModel::onSaved(const SavedFile& written, const JobOutcome& outcome) {
    if (!outcome.ok()) {
        endOf(outcome, tr("The session was not saved"));
        return;
    }
    const DocumentViewModel& document = subjects_.document;
    if (document.hasImage() && written.image == diskPath(document.path())) {
        image_ = document.path();
        setPath(written.target);
        baseline_->set(written.work);
        reportModified();
    }
    emit saved(written.target);
}

void SessionViewModel::takeAsUnmodified() {
    baseline_->begin();
    reportModified();
}

void SessionViewModel::open(const QString& path) { read(path, false); }

void SessionViewModel::recover(const QString& path) { read(path, true); }

void SessionViewModel::read(const QString& path, bool recovered) {
    const QString absolute = QFileInfo(path).absoluteFilePath();
    missing_.reset();
    pending_.reset();
    worker_->stop(Lane::load);
    worker_->post(
        Lane::load,
        [absolute, recovered, fingerprint = fingerprint_](const std::stop_token& stop) {
            const std::filesystem::path file = diskPath(absolute);
            OpenedSession found;
            found.stamp = stampOf(file);
            found.session = loadSession(file);
            if (recovered) {
                replayJournals(found.session, file);
            }
            requireShowable(found.session, file);
            found.path = absolute;
            found.recovered = recovered;
            const SessionImage& image = found.session.image;
            found.image = findImage(image, placesOf(image, file), *fingerprint, JobControl(stop));
            choosePart(found.session.image, found.image);
            return found;
        },
        [this](const JobOutcome& outcome, OpenedSession& found) {
            if (outcome.ok()) {
                takeFound(std::move(found));
            } else {
                endOf(outcome, tr("The session was not opened"));
            }
        });
}

void SessionViewModel::takeFound(OpenedSession opened) {
    if (opened.image.path.empty()) {
        missing_ = std::move(opened);
        emit imageMissing(QString::fromStdString(missing_->session.image.absolute));
        return;
    }
    const QString image = textOf(opened.image.path);
    openImage(std::move(opened), image);
}

void SessionViewModel::locate(const QString& image) {
    if (!missing_) {
        return;
    }
    worker_->stop(Lane::load);
    worker_->post(
        Lane::load,
        [opened = *std::exchange(missing_, std::nullopt), place = diskPath(image),
         fingerprint = fingerprint_](const std::stop_token& stop) mutable {
            opened.image = findImage(opened.session.image, {place}, *fingerprint, JobControl(stop));
            if (opened.image.same && !opened.recovered) {
                rememberPlace(opened.session, place, diskPath(opened.path));
                opened.stamp = stampOf(diskPath(opened.path));
            }
            choosePart(opened.session.image, opened.image);
            return std::move(opened);
        },
        [this](const JobOutcome& outcome, OpenedSession& found) {
            if (outcome.ok()) {
                takeFound(std::move(found));
            } else {
                endOf(outcome, tr("The session was not opened"));
            }
        });
}

void SessionViewModel::openImage(OpenedSession opened, const QString& image) {
    const OpenRequest request = requestOf(opened.session.image, image);
    DocumentViewModel& document = subjects_.document;
    if (!document.hasImage()) { // the right tree at once
        document.choices().setTree(opened.session.tree);
    }
    asked_ = false;
    pending_ = PendingImage{std::move(opened), request};
    document.openAs(request);
}

void SessionViewModel::onDocument() {
    const DocumentViewModel& document = subjects_.document;
    std::optional<PendingImage> pending = std::exchange(pending_, std::nullopt);
    if (document.path() != image_) {
        image_.clear();
        setPath({});
    }
    // As in the history: another page or part of a file is an edit, anything else a new start.
    const OpenRequest before = std::exchange(shown_, document.request());
    if (before.path != shown_.path || before == shown_) {
        baseline_->begin();
        emit workReplaced();
    }
    if (pending && document.hasImage() && document.request() == pending->request) {
        apply(std::move(pending->opened));
    } else if (pending && document.path() == pending->request.path) {
        emit noticeRaised(tr("The session is for another part or size of the image, and was not applied."));
    }
    emit canSaveChanged();
    emit changed();
}

void SessionViewModel::onState() {
    if (pending_ && !asked_ && subjects_.document.activity().state() != DocumentActivity::State::loading) {
        forgetPending(); // it could not be opened, or that was cancelled
    }
}

void SessionViewModel::forgetPending() {
    if (std::exchange(pending_, std::nullopt)) {
        emit imageRefused();
    }
}

void SessionViewModel::apply(OpenedSession opened) {
    SavedSession& session = opened.session;
    show(session.view, subjects_.display);
    subjects_.document.setSlice(static_cast<int>(std::min(session.view.slice, kMostSlices)));
    if (session.view.volume && subjects_.orthogonal != nullptr) {
        show(*session.view.volume, *subjects_.orthogonal, *subjects_.rendering);
    }
    subjects_.objects.setLook(session.objectsLook);
    show(session.composite, subjects_.display.composite());
    subjects_.display.composite().setCutsOut(session.cutOut);
    EditState state;
    static_cast<SessionSettings&>(state) = session;
    if (const auto mapping = originalMappingOf(subjects_.document); mapping && session.classesInLevels) {
        for (ObjectClass& one : state.objects.classes) {
            one.condition = inValues(one.condition, *mapping);
        }
    }
    if (session.edited && subjects_.labels != nullptr) {
        state.labels = subjects_.labels->adopt(std::move(*session.edited));
        if (state.labels.work.expired()) {
            emit noticeRaised(tr("The edited objects are of an image of another size, and were not applied."));
        }
    }
    if (subjects_.score != nullptr) {
        subjects_.score->restore(session.truth);
    }
    state.removedObjects =
        removedOf(session.removed.labels, session.removed.count, subjects_.document.shown().analysed()->pixelCount());
    state.contours = session.contours;
    subjects_.history.begin(state, {std::move(session.selected), std::move(session.selections)});
    if (subjects_.filter.isPending()) {
        subjects_.filter.apply();
    }
    subjects_.contours.session().restore(std::move(session.contours));
    emit workReplaced();
    if (opened.recovered) {
        baseline_->drop();
    } else {
        image_ = subjects_.document.path();
        stamp_ = std::make_shared<std::optional<FileStamp>>(opened.stamp);
        setPath(opened.path);
        baseline_->set(baseline_->present());
    }
    if (!session.docks.empty()) {
        emit docksFound(QString::fromStdString(session.docks));
    }
    if (!opened.image.same) {
        emit noticeRaised(tr("The image has changed since the session was saved."));
    }
    emit this->opened(opened.path);
}

void SessionViewModel::endOf(const JobOutcome& outcome, const QString& title) {
    if (outcome.kind == JobOutcome::Kind::failed) {
        emit failed(title, outcome.message.empty() ? tr("There is not enough memory for it.")
                                                   : QString::fromStdString(outcome.message));
    }
}

} // namespace pollard::vm
