#include "vm/recipe/result_steps.hpp"

#include "vm/base/value_text.hpp"
#include "vm/contour/contour_view_model.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/document/image_units.hpp"
#include "vm/objects/condition_text.hpp"
#include "vm/objects/object_regions.hpp"
#include "vm/objects/object_table_model.hpp"
#include "vm/objects/objects_view_model.hpp"
#include "vm/region/region_view_model.hpp"
#include "vm/session/edit_history.hpp"

#include "base/error.hpp"
#include "components/objects/object_condition.hpp"
#include "geo/map_coordinates.hpp"
#include "io/metadata/scene_units.hpp"
#include "recipe/evolve_contours.hpp"
#include "snake/contour/contour_starts.hpp"

#include <QLocale>
#include <QStringList>

#include <algorithm>
#include <utility>
#include <variant>

namespace pollard::vm {

ForbiddenRuns::ForbiddenRuns(Store store, QObject* parent) : QObject(parent), store_(std::move(store)) {}

bool ForbiddenRuns::follow(const std::shared_ptr<const Mask>& mask) {
    if (mask == mask_ || mask == nullptr) {
        if (mask == nullptr) {
            mask_.reset();
            stored_.reset();
        }
        following_.reset();
        refused_.reset();
        return true;
    }
    if (mask != following_ && mask != refused_) {
        following_ = mask;
        refused_.reset();
        worker_.post(
            Lane::measure, [mask, store = store_](const std::stop_token&) { return store(*mask); },
            [this, mask](const JobOutcome& outcome, StoredMask& made) {
                if (following_ != mask) {
                    return;
                }
                following_.reset();
                if (outcome.ok()) {
                    mask_ = mask;
                    stored_ = std::move(made);
                    emit followed();
                } else {
                    refused_ = mask;
                    emit notFollowed(outcome.code == ErrorCode::outOfMemory ? tr("no memory")
                                                                            : QString::fromStdString(outcome.message));
                }
            });
    }
    return false;
}

void ForbiddenRuns::expand(const ContoursStep& step, std::uint32_t width, std::uint32_t height) {
    drop();
    expanding_ = worker_.post(
        Lane::load,
        [step, width, height](const std::stop_token& stop) {
            return forbiddenPixelsOf(step, width, height, JobControl(stop));
        },
        [this](LatestWinsWorker::Generation generation, const JobOutcome& outcome,
               const std::shared_ptr<const Mask>& made) {
            if (generation != expanding_) {
                return;
            }
            expanding_ = 0;
            if (outcome.ok()) {
                emit expanded(made);
            } else {
                emit failed(QString::fromStdString(outcome.message));
            }
        });
}

void ForbiddenRuns::drop() {
    expanding_ = 0;
    worker_.cancel(Lane::load);
}

namespace {

template <class File> QString namesOf(const std::vector<File>& files) {
    QStringList names;
    for (const File file : files) {
        names << fromUtf8(nameOf(file));
    }
    return names.isEmpty() ? ResultSteps::tr("none") : names.join(QStringLiteral(", "));
}

QString thresholdText(const ObjectRule& rule) {
    if (rule.above) {
        const QString sigmas = QLocale().toString(rule.above->sigmas, 'g', 6);
        return (rule.dark ? ResultSteps::tr("%1 sigma below the background, boxes of %2 px")
                          : ResultSteps::tr("%1 sigma above the background, boxes of %2 px"))
            .arg(sigmas)
            .arg(rule.above->box);
    }
    if (!rule.method && rule.values) {
        return ResultSteps::tr("values %1").arg(QString::fromStdString(boundsText(*rule.values)));
    }
    if (!rule.method) {
        return ResultSteps::tr("levels %1 to %2").arg(rule.levels.low).arg(rule.levels.high);
    }
    const QString method = fromUtf8(nameOf(*rule.method));
    return rule.dark ? ResultSteps::tr("%1, dark").arg(method) : method;
}

/// How objects are found.
QString ruleText(const ObjectRule& rule) {
    switch (wayOf(rule)) {
    case FindBy::threshold:
        break;
    case FindBy::best:
        return rule.dark ? ResultSteps::tr("best components, dark") : ResultSteps::tr("best components");
    case FindBy::watershed:
        return ResultSteps::tr("watershed, %1").arg(thresholdText(rule));
    case FindBy::hierarchy:
        return ResultSteps::tr("hierarchy by %1").arg(fromUtf8(nameOf(rule.hierarchy->strength)));
    case FindBy::labels:
        return ResultSteps::tr("labels of %1").arg(QString::fromStdString(*rule.labels));
    }
    return thresholdText(rule);
}

std::vector<RegionShape> polygonsOf(const std::vector<Contour>& contours) {
    std::vector<RegionShape> polygons;
    for (const Contour& contour : contours) {
        RegionShape& polygon = polygons.emplace_back();
        polygon.kind = RegionShape::Kind::polygon;
        for (const ContourNode& node : contour) {
            polygon.points.push_back({static_cast<double>(node.x), static_cast<double>(node.y)});
        }
    }
    return polygons;
}

/// Whether the objects are the default ones of the panel: opening the panel is no step.
bool isUntouched(ObjectsStep step) {
    step.geojsonIn = ObjectsStep{}.geojsonIn;
    step.columns.clear();
    step.count = ObjectsStep{}.count;
    const ObjectSettings first;
    ObjectsStep plain;
    plain.of = first.of;
    plain.rule = first.rule;
    return step == plain;
}

/// Whether both are the same objects, apart from removals and columns.
bool areSameObjects(ObjectsStep before, const ObjectsStep& now) {
    before.columns = now.columns;
    if (now.removed.empty()) {
        before.count = 0;
        before.removed.clear();
    }
    return before == now;
}

/// Unit of outlines written for an image.
GeoJsonIn geojsonOf(const DocumentViewModel& document) {
    const auto info = document.imageInfo();
    return info && MapCoordinates::areIn(info->carried) ? GeoJsonIn::degrees : GeoJsonIn::pixels;
}

/// Whether it has lengths or areas without a unit.
bool hasBareMeasures(const std::string& condition) {
    try {
        return ObjectCondition::withUnits(condition, LengthUnit::pixel) != condition;
    } catch (const Error&) {
        return true;
    }
}

/// Whether both are equal apart from the files.
bool evolvesAlike(ContoursStep a, const ContoursStep& b) {
    a.files = b.files;
    a.geojsonIn = b.geojsonIn;
    return a == b;
}

} // namespace

ResultSteps::ResultSteps(const Subjects& subjects, QObject* parent)
    : QObject(parent), subjects_(subjects), objectFiles_(ObjectsStep{}.files), contourFiles_(ContoursStep{}.files) {
    connect(&subjects_.document, &DocumentViewModel::imageChanged, this, &ResultSteps::onDocument);
    connect(&subjects_.document, &DocumentViewModel::sliceChanged, this, &ResultSteps::onDocument);
    const ObjectsViewModel& objects = subjects_.objects;
    for (const auto signal :
         {&ObjectsViewModel::activeChanged, &ObjectsViewModel::settingsChanged, &ObjectsViewModel::changed}) {
        connect(&objects, signal, this, &ResultSteps::onObjects);
    }
    const ObjectTableModel& table = subjects_.table;
    for (const auto signal :
         {&ObjectTableModel::listingChanged, &ObjectTableModel::conditionChanged, &ObjectTableModel::unitChanged,
          &ObjectTableModel::tracksChanged, &ObjectTableModel::columnsChanged}) {
        connect(&table, signal, this, &ResultSteps::onObjects);
    }
    connect(&table.marks(), &ObjectMarks::removedChanged, this, &ResultSteps::onObjects);
    for (const auto signal : {&DocumentActivity::busyChanged, &DocumentActivity::filteringChanged}) {
        connect(&subjects_.document.activity(), signal, this, &ResultSteps::settle);
    }
    connect(&subjects_.region, &RegionViewModel::changed, this, &ResultSteps::settle);
    connect(&subjects_.contours.runs(), &ContourRuns::changed, this, &ResultSteps::refresh);
    connect(&forbidden_, &ForbiddenRuns::followed, this, &ResultSteps::refresh);
    connect(&forbidden_, &ForbiddenRuns::notFollowed, this, [this](const QString& why) {
        refresh();
        emit failed(tr("The forbidden pixels of the contour are not in the recipe, which is unchanged: %1.").arg(why));
    });
    connect(&forbidden_, &ForbiddenRuns::expanded, this, [this](const std::shared_ptr<const Mask>& mask) {
        start(*std::exchange(awaited_, std::nullopt), mask);
        refresh();
    });
    connect(&forbidden_, &ForbiddenRuns::failed, this, [this](const QString& why) {
        awaited_.reset();
        refresh();
        emit failed(sentenceOf(why.toStdString()));
    });
    onDocument();
}

void ResultSteps::onDocument() {
    image_ = subjects_.document.image();
    if (const QString path = subjects_.document.path(); path != path_) {
        path_ = path;
        holdsObjects_ = false;
        objectsOn_ = contourOn_ = true;
        removedObjects_.reset();
        removedContour_.reset();
        objectFiles_ = ObjectsStep{}.files;
        contourFiles_ = ContoursStep{}.files;
        objectsIn_ = contoursIn_ = geojsonOf(subjects_.document);
    }
    lastObjects_.reset();
    awaitedRemoval_.reset();
    dropAwaited();
    onObjects();
}

void ResultSteps::onObjects() {
    holdsObjects_ = holdsObjects_ || subjects_.objects.isActive();
    settle();
    refresh();
}

/// Runs pending work once the objects are there.
void ResultSteps::settle() {
    if (subjects_.document.image() != image_.lock()) {
        return; // the pending work belongs to the previous image, and onDocument() follows
    }
    const bool failed = subjects_.objects.state() == ObjectsViewModel::State::failed;
    if (awaitedRemoval_ && (failed || areObjectsThere())) {
        const RemovedObjects removed = *std::exchange(awaitedRemoval_, std::nullopt);
        subjects_.table.marks().restore(removed);
    }
    const bool waits = awaitedRemoval_ || (awaited_ && awaited_->fromObjects && !failed && !areObjectsThere());
    if (!awaited_ || waits || forbidden_.isExpanding()) {
        return;
    }
    if (awaited_->forbidden.empty() && !awaited_->forbiddenPixels) {
        start(*std::exchange(awaited_, std::nullopt), nullptr);
    } else {
        const auto image = subjects_.document.image();
        forbidden_.expand(*awaited_, image->width(), image->height());
    }
}

void ResultSteps::dropAwaited() {
    awaited_.reset();
    forbidden_.drop();
}

void ResultSteps::start(const ContoursStep& step, const std::shared_ptr<const Mask>& forbidden) {
    const EditHistory::Group group(subjects_.history, tr("recipe step"));
    ContourViewModel& contours = subjects_.contours;
    const auto image = subjects_.document.image();
    const auto listing = subjects_.table.listing();
    contours.settings().forbidden().set(forbidden);
    contours.settings().setLawAutomatic(false); // the step has its own law
    contours.settings().setSpec(step.spec);
    ContourEngine engine = contours.settings().engine();
    engine.algorithm.clear(); // the step has its own moves
    engine.apart = step.apart;
    contours.settings().setEngine(engine);
    contours.settings().setReach(step.apart);
    if (!step.fromObjects) {
        contours.startFrom(contoursOf(step.starts, step.spec, image->width(), image->height()), tr("recipe"));
    } else {
        contours.startFromObjects(listing ? listing->found : nullptr,
                                  listing ? listing->labels : std::vector<std::uint32_t>());
    }
    contours.setActive(true);
    emit contoursWanted();
}

/// Whether the objects belong to the present image, region and filter.
bool ResultSteps::areObjectsThere() const {
    const DocumentViewModel& document = subjects_.document;
    const auto listing = subjects_.table.listing();
    return listing && !subjects_.table.isListing() && listing->found == subjects_.objects.objects() &&
           subjects_.objects.state() == ObjectsViewModel::State::ready && !document.activity().isBusy() &&
           !document.activity().isFiltering() && subjects_.region.pixelCount() >= 0;
}

void ResultSteps::refresh() {
    std::vector<Row> rows;
    if (subjects_.document.hasImage()) {
        if (holdsObjects_) {
            const ObjectsStep objects = presentObjects();
            lastObjects_ = objects;
            const bool isUsed = subjects_.objects.isActive() || !isUntouched(objects);
            if (isUsed && (!removedObjects_ || !areSameObjects(*removedObjects_, objects))) {
                removedObjects_.reset();
                rows.push_back({objects, objectsOn_});
            }
        }
        const auto contour = subjects_.document.isVolume() ? std::nullopt : listedContour();
        if (contour && removedContour_ != contour) {
            removedContour_.reset();
            rows.push_back({*contour, contourOn_});
        }
    }
    const bool overTime = isOverTime();
    if (rows != rows_ || overTime != overTime_) {
        rows_ = std::move(rows);
        overTime_ = overTime;
        emit changed();
    }
}

bool ResultSteps::isOverTime() const {
    const TrackedStack* const tracks = subjects_.table.tracks();
    return holdsObjects_ && objectsOn_ && !removedObjects_ && tracks != nullptr && tracks->axis == 't' &&
           tracks->frameOf(subjects_.document.page());
}

QStringList ResultSteps::missing() const {
    QStringList sentences;
    const auto lists = [this]<class Kind>(std::in_place_type_t<Kind>) {
        return std::ranges::any_of(rows_,
                                   [](const Row& row) { return row.on && std::holds_alternative<Kind>(row.step); });
    };
    if (isOverTime()) {
        sentences << tr("The tracks are missing: pollard-cli track follows objects.");
    }
    if (lists(std::in_place_type<ObjectsStep>) && !subjects_.objects.classes().isEmpty()) {
        sentences << tr("The classes of objects are missing: pollard-cli components --class finds them.");
    }
    std::size_t runs = 0;
    for (const auto& [number, page] : subjects_.contours.runs().pages()) {
        runs += page.runs.size() + page.saved.size();
    }
    const bool isThere = lists(std::in_place_type<ContoursStep>);
    const bool isOff =
        !isThere && subjects_.contours.runs().currentRun() != nullptr && (!contourOn_ || removedContour_);
    if (const std::size_t others = runs - std::min<std::size_t>(runs, isThere || isOff ? 1 : 0); others > 0) {
        sentences << (others == 1 ? tr("One run of contours is missing: only the current run is here.")
                                  : tr("%1 runs of contours are missing: only the current run is here.").arg(others));
    }
    return sentences;
}

ObjectsStep ResultSteps::presentObjects() const {
    const ObjectTableModel& table = subjects_.table;
    ObjectsStep step;
    step.of = subjects_.objects.source();
    step.rule = subjects_.objects.recipe();
    const TableCondition::Stated stated = table.statedCondition();
    step.condition = stated.text.simplified().toStdString();
    step.unit = step.condition.empty() ? LengthUnit::pixel : stated.unit;
    const bool byFeature = !table.isByTrack() && !table.sortKey().isColumn();
    step.order = byFeature ? table.sortKey().feature : ObjectFeature::label;
    step.descending = byFeature && table.isDescending();
    const RemovedObjects& removed = table.marks().removed();
    step.removed = labelsOf(removed);
    if (!step.removed.empty()) {
        step.count = static_cast<std::uint32_t>(removed->size());
    }
    step.files = objectFiles_;
    step.geojsonIn = objectsIn_;
    step.measure = subjects_.objects.channels().inForce();
    step.columns = table.columnIds();
    if (!step.measure) { // columns of the channels of another image
        std::erase_if(step.columns, [](const std::string& column) { return column.ends_with(']'); });
    }
    if (!subjects_.objects.isActive() && lastObjects_ && lastObjects_->of == step.of &&
        lastObjects_->rule.findsSameObjectsAs(step.rule)) {
        step.count = lastObjects_->count; // a hidden panel drops them
        step.removed = lastObjects_->removed;
    }
    if (isOverTime()) { // objects that were taken out by hand are of one image
        step.count = 0;
        step.removed.clear();
    }
    return step;
}

std::optional<ContoursStep> ResultSteps::listedContour() {
    if (awaited_) {
        return awaited_;
    }
    if (auto present = presentContour(); present || subjects_.contours.runs().currentRun() == nullptr) {
        return present;
    }
    const auto listed =
        std::ranges::find_if(rows_, [](const Row& row) { return std::holds_alternative<ContoursStep>(row.step); });
    return listed == rows_.end() ? std::nullopt : std::optional(std::get<ContoursStep>(listed->step));
}

std::optional<ContoursStep> ResultSteps::presentContour() {
    const ContourRun* const run = subjects_.contours.runs().currentRun();
    if (run == nullptr || !forbidden_.follow(run->forbidden)) {
        return std::nullopt;
    }
    ContoursStep step;
    step.of = StepImage::original;
    step.starts = polygonsOf(run->record.allNodes(0));
    step.spec = run->spec;
    step.apart = run->engine.apart;
    step.forbiddenPixels = forbidden_.stored();
    step.files = contourFiles_;
    step.geojsonIn = contoursIn_;
    return step;
}

bool ResultSteps::isResult(const RecipeStep& step) noexcept {
    return std::holds_alternative<ObjectsStep>(step) || std::holds_alternative<ContoursStep>(step);
}

QString ResultSteps::titleOf(const RecipeStep& step) {
    if (const auto* objects = std::get_if<ObjectsStep>(&step)) {
        return tr("Objects: %1; files: %2").arg(ruleText(objects->rule), namesOf(objects->files));
    }
    const auto& contour = std::get<ContoursStep>(step);
    const QString what = contour.fromObjects          ? tr("Contours from objects")
                         : contour.starts.size() == 1 ? tr("Contour")
                                                      : tr("%1 contours").arg(contour.starts.size());
    return tr("%1: %2; files: %3").arg(what, fromUtf8(nameOf(contour.spec.law)), namesOf(contour.files));
}

QString ResultSteps::obstacleOf(const Recipe& recipe) {
    int objects = 0;
    int contours = 0;
    bool filtered = false;
    RegionStep region;
    RegionStep filteredRegion; // of the last filter
    for (const RecipeStep& step : recipe.steps) {
        if (const auto* contour = std::get_if<ContoursStep>(&step)) {
            ++contours;
            if (contour->of == StepImage::result && filtered) {
                return tr("The contours of this recipe evolve on the filtered image; the contours of the window "
                          "evolve on the original.");
            }
        } else if (std::holds_alternative<ObjectsStep>(step)) {
            ++objects;
            if (filtered && region != filteredRegion) {
                return tr("This recipe finds objects in another region than it filters; the window has one region.");
            }
        } else {
            if (const auto* shapes = std::get_if<RegionStep>(&step)) {
                region = *shapes;
            } else if (std::holds_alternative<FilterStep>(step) || std::holds_alternative<OperatorStep>(step)) {
                filtered = true;
                filteredRegion = region;
            }
            if (objects > 0) {
                return tr("This recipe finds objects before it filters; the window finds them afterwards.");
            }
        }
    }
    return objects > 1 || contours > 1
               ? tr("This recipe has several steps of objects or contours; the window has one of each.")
               : QString();
}

void ResultSteps::setOn(const RecipeStep& step, bool on) {
    (std::holds_alternative<ObjectsStep>(step) ? objectsOn_ : contourOn_) = on;
    refresh();
}

void ResultSteps::remove(const RecipeStep& step) {
    if (const auto* objects = std::get_if<ObjectsStep>(&step)) {
        removedObjects_ = *objects;
        objectsOn_ = true;
    } else {
        removedContour_ = std::get<ContoursStep>(step);
        contourOn_ = true;
        dropAwaited();
    }
    refresh();
}

QString ResultSteps::take(const RecipeStep& step) {
    const EditHistory::Group group(subjects_.history, tr("recipe step"));
    if (const auto* objects = std::get_if<ObjectsStep>(&step)) {
        return takeObjects(*objects);
    }
    const auto& contour = std::get<ContoursStep>(step);
    QString problem = obstacleOf({{}, {}, {}, {FilterStep{}, contour}});
    return problem.isEmpty() ? takeContour(contour) : problem;
}

QString ResultSteps::takeAll(const Recipe& recipe) {
    const EditHistory::Group group(subjects_.history, tr("recipe"));
    objectsOn_ = contourOn_ = true;
    dropAwaited();
    QString problem;
    bool holdsObjects = false;
    bool holdsContour = false;
    for (const RecipeStep& step : recipe.steps) {
        if (!problem.isEmpty()) {
            break;
        }
        if (const auto* objects = std::get_if<ObjectsStep>(&step)) {
            holdsObjects = true;
            problem = takeObjects(*objects);
        } else if (const auto* contour = std::get_if<ContoursStep>(&step)) {
            holdsContour = true;
            problem = takeContour(*contour);
        }
    }
    if (!holdsObjects && holdsObjects_) {
        removedObjects_ = presentObjects();
    }
    if (!holdsContour) {
        removedContour_ = presentContour();
    }
    refresh();
    return problem;
}

/// Displays the unit of the condition. @return the reason if the image does not have it
QString ResultSteps::unitProblem(const ObjectsStep& step) {
    ObjectTableModel& table = subjects_.table;
    if (step.condition.empty()) {
        return {};
    }
    const auto size = subjects_.document.pixelSizes().present();
    const bool inVolume = subjects_.document.isVolume();
    try {
        const Extent kind{1, 1, inVolume ? 2U : 1U};
        const ObjectCondition condition = ObjectCondition::parse(
            step.condition, objectFeatures(correspondingConnectivity(kind, step.rule.connectivity)));
        (void)(inVolume ? condition.inVolume(step.unit, size) : condition.inPixels(size));
    } catch (const Error& error) {
        return sentenceOf(error.what());
    }
    const std::vector<LengthUnit> units = table.units();
    if (step.unit != LengthUnit::pixel) {
        if (std::ranges::find(units, step.unit) == units.end()) {
            return tr("The numbers of the condition are in %1, but this image is not measured in that unit.")
                .arg(unitText(step.unit, Dimension::length));
        }
        table.setUnit(step.unit);
        return {};
    }
    if (inVolume) {
        table.setUnit(LengthUnit::pixel);
        return {};
    }
    if (step.side == 1 && !hasBareMeasures(step.condition)) {
        return {};
    }
    const auto isSide = [&](LengthUnit unit) {
        return (unit == LengthUnit::pixel ? 1 : inUnit(1, unit, Dimension::length, *size)) == step.side;
    };
    const auto found = std::ranges::find_if(units, isSide);
    if (found == units.end()) {
        return tr("The condition is for pixels of another size than in this image.");
    }
    table.setUnit(*found);
    return {};
}

QString ResultSteps::takeObjects(const ObjectsStep& step) {
    if (!subjects_.document.hasImage()) {
        return {};
    }
    if (QString problem = unitProblem(step); !problem.isEmpty()) {
        return problem;
    }
    objectFiles_ = step.files;
    objectsIn_ = step.geojsonIn;
    holdsObjects_ = true;
    removedObjects_.reset();
    emit objectsWanted();
    subjects_.objects.setActive(true);
    ObjectSettings settings = subjects_.objects.settings();
    settings.of = step.of;
    settings.rule = step.rule;
    settings.channels = step.measure.value_or(settings.channels);
    subjects_.objects.setSettings(settings);
    subjects_.table.setCondition(shownCondition(QString::fromStdString(step.condition)));
    subjects_.table.sortBy(step.order, step.descending);
    if (!step.columns.empty()) {
        subjects_.table.showColumns(step.columns);
    }
    awaitedRemoval_ = removedOf(step.removed, step.count, subjects_.document.shown().analysed()->pixelCount());
    onObjects();
    return {};
}

QString ResultSteps::takeContour(const ContoursStep& step) {
    const auto image = subjects_.document.image();
    if (!image) {
        return {};
    }
    removedContour_.reset();
    const std::optional<ContoursStep> present = presentContour();
    contourFiles_ = step.files;
    contoursIn_ = step.geojsonIn;
    if (present && evolvesAlike(*present, step)) {
        refresh();
        return {};
    }
    try {
        requireForbiddenOf(step, image->width(), image->height());
    } catch (const Error& error) {
        return sentenceOf(error.what());
    }
    forbidden_.drop();
    awaited_ = step; // showing another panel may hide the panel of objects, which are needed first
    onObjects();
    return {};
}

} // namespace pollard::vm
