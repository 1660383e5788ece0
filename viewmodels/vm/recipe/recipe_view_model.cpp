#include "vm/recipe/recipe_view_model.hpp"

#include "vm/base/value_text.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/filter/channel_filters.hpp"
#include "vm/filter/criterion_entry.hpp"
#include "vm/filter/filter_view_model.hpp"
#include "vm/recipe/operator_view_model.hpp"
#include "vm/recipe/result_steps.hpp"
#include "vm/region/region_view_model.hpp"
#include "vm/session/edit_history.hpp"
#include "vm/session/edit_state.hpp"

#include "base/error.hpp"
#include "io/metadata/stack_places.hpp"
#include "io/page_selection.hpp"

#include <QFileInfo>
#include <QStringList>

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

namespace pollard::vm {

namespace {

constexpr qsizetype kMostNameBytes = 200;
/// Whether the last stage that is on works on the result of an operator.
bool followsOperator(const FilterStages& stages) {
    const FilterStages effective = effectiveStages(stages);
    return effective.size() > 1 && effective[effective.size() - 2].operation.has_value();
}

/// Whether a step makes an image: a filter or an operator.
bool makesImage(const RecipeStep& step) {
    return std::holds_alternative<FilterStep>(step) || std::holds_alternative<OperatorStep>(step);
}

constexpr auto kNoStage = std::numeric_limits<std::size_t>::max();

/// "z 5", "z: maximum"; empty for positions that are not stated. Numbers count from 1.
QString positionsText(const QString& axis, const AxisPositions& positions) {
    using Kind = AxisPositions::Kind;
    const QString part = QStringLiteral("%1: %2");
    switch (positions.kind) {
    case Kind::one:
        return QStringLiteral("%1 %2").arg(axis).arg(positions.index + 1);
    case Kind::first:
        return part.arg(axis, RecipeViewModel::tr("first"));
    case Kind::middle:
        return part.arg(axis, RecipeViewModel::tr("middle"));
    case Kind::last:
        return part.arg(axis, RecipeViewModel::tr("last"));
    case Kind::each:
        return part.arg(axis, RecipeViewModel::tr("each"));
    case Kind::projection:
        return part.arg(axis, projectionName(positions.projection));
    case Kind::volume:
        return part.arg(axis, RecipeViewModel::tr("volume"));
    case Kind::named:
        return QStringLiteral("%1 %2").arg(axis, fromUtf8(positions.name));
    case Kind::unstated:
        break;
    }
    return {};
}

/// The facts about a file whose pages have other axes. @param present, stated as OpenRequest::axes
ImageInfo withAxes(ImageInfo info, const std::string& present, const std::string& stated) {
    if (present == stated) {
        return info;
    }
    if (!present.empty()) {
        info.axes = {{'p', info.pages, {}}};
    }
    if (!stated.empty()) {
        stateAxes(stated, info);
    }
    return info;
}

/// "DAPI, z 5, time 1"
QString selectionText(const PageSelection& selection) {
    QStringList parts{positionsText(RecipeViewModel::tr("scene"), selection.scene),
                      selection.channel ? fromUtf8(selection.channel->text()) : QString(),
                      positionsText(RecipeViewModel::tr("z"), selection.z),
                      positionsText(RecipeViewModel::tr("time"), selection.t),
                      positionsText(RecipeViewModel::tr("page"), selection.page)};
    parts.removeAll(QString());
    return parts.isEmpty() ? RecipeViewModel::tr("the image") : parts.join(QStringLiteral(", "));
}

} // namespace

RecipeViewModel::RecipeViewModel(const FilterModels& subjects, QObject* parent)
    : QAbstractListModel(parent), subjects_(subjects) {
    const DocumentViewModel& document = subjects_.document;
    connect(&document, &DocumentViewModel::imageChanged, this, &RecipeViewModel::onDocument);
    connect(&document.choices(), &DocumentChoices::treeSpecChanged, this, &RecipeViewModel::refresh);
    connect(&document.choices(), &DocumentChoices::earlierFiltersChanged, this, &RecipeViewModel::refresh);
    connect( // after imageChanged()
        &document.activity(), &DocumentActivity::stateChanged, this,
        [this] {
            if (subjects_.document.activity().state() != DocumentActivity::State::loading) {
                pending_.reset(); // it could not be read so
            }
        },
        Qt::QueuedConnection);
    connect(&subjects_.filter, &FilterViewModel::edited, this, &RecipeViewModel::refresh);
    connect(&subjects_.filter, &FilterViewModel::specChanged, this, &RecipeViewModel::refresh);
    connect(&subjects_.region, &RegionViewModel::changed, this, &RecipeViewModel::refresh);
    // Filters of other channels change with the image or by an edit.
    connect(&subjects_.history.stack(), &QUndoStack::indexChanged, this, &RecipeViewModel::refresh);
    steps_ = present();
}

void RecipeViewModel::addResults(ResultSteps& results) {
    results_ = &results;
    connect(results_, &ResultSteps::changed, this, &RecipeViewModel::refresh);
    connect(results_, &ResultSteps::failed, this, &RecipeViewModel::failed);
    // Connected again so that onDocument() runs after the results dropped pending work of the previous image: work of
    // a recipe for this image is taken over after that.
    const DocumentViewModel& document = subjects_.document;
    disconnect(&document, &DocumentViewModel::imageChanged, this, &RecipeViewModel::onDocument);
    connect(&document, &DocumentViewModel::imageChanged, this, &RecipeViewModel::onDocument);
    refresh();
}

bool RecipeViewModel::isResult(int row) const {
    return isRow(steps_, row) && ResultSteps::isResult(steps_[static_cast<std::size_t>(row)].step);
}

std::vector<RecipeViewModel::Step> RecipeViewModel::present() const {
    std::vector<Step> steps;
    if (!isAvailable()) {
        return steps;
    }
    steps.push_back({reading(), true, 0});
    const std::vector<Step> rows = rowsOf(stages());
    steps.insert(steps.end(), rows.begin(), rows.end());
    for (ChannelPart& part : channelParts(subjects_.filter.channels())) {
        steps.push_back({FilterStep{std::move(part.filter)}, part.on, kNoStage, part.channel});
    }
    if (results_ != nullptr) {
        for (const ResultSteps::Row& row : results_->rows()) {
            steps.push_back({row.step, row.on, 0});
        }
    }
    return steps;
}

ReadStep RecipeViewModel::reading() const {
    const DocumentViewModel& document = subjects_.document;
    ReadStep step = readStepOf(document.request());
    step.pixelSize.reset();
    if (const auto info = document.imageInfo(); info && countOfAxes(*info) > 0) {
        step.at = selectionOf(*info, document.pageRequest().options({}), document.isVolume());
        if (results_ != nullptr && results_->isOverTime()) {
            step.at->t = {AxisPositions::Kind::each};
        }
        step.page = 0; // the selection replaces these
        step.channel = {};
        step.volume = false;
        step.slices.reset();
    }
    return step;
}

OpenRequest RecipeViewModel::requestFor(const ReadStep& step) const {
    const DocumentViewModel& document = subjects_.document;
    OpenRequest request = requestOf(step, document.path());
    if (const auto info = document.imageInfo(); step.at && info) {
        const ImageInfo stated = withAxes(*info, document.request().axes, step.axes);
        const std::vector<SelectedPart> parts = partsOf(*step.at, stated, request.options({})).parts;
        const auto seen = std::ranges::find_if(parts, [&](const SelectedPart& part) {
            return part.options.page == document.page() && part.volume == document.isVolume();
        });
        request.take(seen == parts.end() ? parts.front() : *seen, stated);
    }
    if (!request.pixelSize) {
        request.pixelSize = document.request().pixelSize;
    }
    return request;
}

FilterStages RecipeViewModel::stages() const {
    FilterStages stages = presentStages(subjects_);
    if (stages.back().region.shapes.empty() && !off_.shapes.empty()) {
        stages.back().region = off_;
        stages.back().regionOn = false;
    }
    return stages;
}

bool RecipeViewModel::isLastFilter(const Step& step) const {
    return std::holds_alternative<FilterStep>(step.step) &&
           step.stage == subjects_.document.choices().earlierFilters().size();
}

void RecipeViewModel::refresh() {
    if (taking_) {
        return;
    }
    if (!subjects_.region.shapes().empty()) {
        off_ = {}; // another region was drawn, or it was switched on elsewhere
    }
    std::vector<Step> steps = present();
    if (steps == steps_) {
        return;
    }
    const bool sameRows = std::equal(steps.begin(), steps.end(), steps_.begin(), steps_.end(),
                                     [](const Step& a, const Step& b) { return a.step.index() == b.step.index(); });
    if (sameRows) {
        steps_ = std::move(steps);
        emit dataChanged(index(0), index(rowCount() - 1));
    } else {
        beginResetModel();
        steps_ = std::move(steps);
        endResetModel();
    }
    emit changed();
}

void RecipeViewModel::onDocument() {
    const DocumentViewModel& document = subjects_.document;
    QString problem;
    const ImagePlace place = document.hasImage() ? placeOf(document.request(), *document.imageInfo()) : ImagePlace();
    const ImagePlace before = std::exchange(offPlace_, place);
    for (RegionShape& shape : off_.shapes) {
        shape = mapped(shape, before, place);
    }
    if (document.path() != offPath_) {
        off_ = {};
        offPath_ = document.path();
        name_.clear();
    }
    if (const auto pending = std::exchange(pending_, std::nullopt);
        pending && document.hasImage() && document.shows(awaited_)) {
        problem = takeRecipe(*pending, pendingResults_);
    }
    refresh();
    emit changed();
    if (!problem.isEmpty()) {
        emit failed(problem);
    }
}

int RecipeViewModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(steps_.size());
}

bool RecipeViewModel::isRow(const std::vector<Step>& steps, int row) noexcept {
    return row >= 0 && std::cmp_less(row, steps.size());
}

QVariant RecipeViewModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || !isRow(steps_, index.row())) {
        return {};
    }
    const Step& step = steps_[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        return (makesImage(step.step) && step.channel.empty() && !subjects_.document.choices().earlierFilters().empty()
                    ? QStringLiteral("%1. %2").arg(step.stage + 1).arg(titleOf(step.step))
                    : titleOf(step.step)) +
               channelText(step);
    case stageRole:
        return std::holds_alternative<ReadStep>(step.step) || ResultSteps::isResult(step.step)
                   ? -1
                   : static_cast<int>(step.stage);
    case Qt::ToolTipRole:
    case textRole:
        return QString::fromStdString(stepText(step.step)).trimmed();
    case Qt::CheckStateRole:
        return flags(index).testFlag(Qt::ItemIsUserCheckable) ? QVariant(step.on ? Qt::Checked : Qt::Unchecked)
                                                              : QVariant();
    default:
        return {};
    }
}

Qt::ItemFlags RecipeViewModel::flags(const QModelIndex& index) const {
    Qt::ItemFlags flags = Qt::ItemIsSelectable | Qt::ItemIsEnabled | Qt::ItemNeverHasChildren;
    if (index.isValid() && isRow(steps_, index.row())) {
        const RecipeStep& step = steps_[static_cast<std::size_t>(index.row())].step;
        const auto* region = std::get_if<RegionStep>(&step);
        flags.setFlag(Qt::ItemIsUserCheckable,
                      region != nullptr ? !region->shapes.empty() : makesImage(step) || ResultSteps::isResult(step));
    }
    return flags;
}

bool RecipeViewModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (role != Qt::CheckStateRole || !flags(index).testFlag(Qt::ItemIsUserCheckable)) {
        return false;
    }
    setOn(index.row(), value.toInt() == Qt::Checked);
    return true;
}

void RecipeViewModel::setOn(int row, bool on) {
    const Step step = steps_[static_cast<std::size_t>(row)];
    if (step.on == on) {
        return;
    }
    if (!step.channel.empty()) {
        const EditHistory::Group group(subjects_.history, tr("recipe step"));
        setChannelOn(subjects_.filter.channels(), step.channel, on);
    } else if (ResultSteps::isResult(step.step)) {
        results_->setOn(step.step, on);
    } else if (isLastFilter(step)) {
        subjects_.filter.setEnabled(on); // criteria stay but are not listed
    } else {
        take(switched(stages(), step, on), {});
    }
}

QString RecipeViewModel::channelText(const Step& step) const {
    const ChannelFilters& channels = subjects_.filter.channels();
    if (std::ranges::none_of(steps_, [](const Step& each) { return !each.channel.empty(); })) {
        return {};
    }
    if (const auto* read = std::get_if<ReadStep>(&step.step); read != nullptr && read->at) {
        return {}; // its title names the channel
    }
    const bool isOfAll = step.channel.empty() && !isLastFilter(step) && !ResultSteps::isResult(step.step) &&
                         !std::holds_alternative<ReadStep>(step.step);
    const std::string& channel = step.channel.empty() ? channels.present() : step.channel;
    return isOfAll ? tr(" (all channels)")
                   : QStringLiteral(" (%1)").arg(
                         QString::fromStdString(nameOfChannel(channel, *subjects_.document.imageInfo())));
}

QString RecipeViewModel::titleOf(const RecipeStep& step) {
    if (ResultSteps::isResult(step)) {
        return ResultSteps::titleOf(step);
    }
    if (const auto* read = std::get_if<ReadStep>(&step)) {
        const OpenRequest request = requestOf(*read, {});
        const QString part = request.reductionText();
        const QString page =
            read->at ? tr("Read %1").arg(selectionText(*read->at)) : tr("Read page %1").arg(read->page + 1);
        return part.isEmpty() ? page : tr("%1, %2").arg(page, part);
    }
    if (const auto* region = std::get_if<RegionStep>(&step)) {
        const auto count = static_cast<int>(region->shapes.size());
        if (count == 0) {
            return tr("Region: all pixels");
        }
        const QString text = region->inverted
                                 ? count == 1 ? tr("Region: outside of one shape") : tr("Region: outside of %1 shapes")
                             : count == 1 ? tr("Region: one shape")
                                          : tr("Region: %1 shapes");
        return count == 1 ? text : text.arg(count);
    }
    if (const auto* tree = std::get_if<TreeStep>(&step)) {
        return tree->kind == TreeKind::max ? tr("Max-tree, %1-connected").arg(static_cast<int>(tree->connectivity))
                                           : tr("Min-tree, %1-connected").arg(static_cast<int>(tree->connectivity));
    }
    if (const auto* made = std::get_if<OperatorStep>(&step)) {
        return operatorText(made->spec);
    }
    const FilterSpec& spec = std::get<FilterStep>(step).filter;
    QStringList criteria;
    for (const Criterion& criterion : spec.criteria) {
        criteria << QString::fromStdString(toString(criterion));
    }
    QString joined = criteria.join(spec.match == Match::all ? tr(" and ") : tr(" or "));
    if (!spec.forest.trees.empty()) {
        joined += (joined.isEmpty() ? QString() : QStringLiteral(", ")) + FilterViewModel::forestText(spec.forest);
    }
    return tr("Filter: %1, %2, %3")
        .arg(joined.isEmpty() ? tr("all components") : joined, ruleTitle(spec.rule), outputTitle(spec.output));
}

QString RecipeViewModel::name() const {
    if (!name_.isEmpty() || !isAvailable()) {
        return name_;
    }
    const QFileInfo image(subjects_.document.path());
    const QString base = lineText(image.completeBaseName(), kMostNameBytes);
    return base.isEmpty() ? lineText(image.fileName(), kMostNameBytes) : base;
}

bool RecipeViewModel::isAvailable() const { return subjects_.document.hasImage(); }

Recipe RecipeViewModel::recipe() const {
    Recipe recipe;
    recipe.name = name().toStdString();
    if (isAvailable()) {
        recipe.steps.emplace_back(reading());
        FilterStages filters = stages();
        filters.back().on = true; // one that is off keeps everything
        std::vector<RecipeStep> steps = recipeStepsOf(filters);
        const auto channels = channelParts(subjects_.filter.channels());
        const bool ofChannels = std::ranges::any_of(channels, &ChannelPart::on);
        if (!ofChannels && followsOperator(filters) && !mayChange(filters.back().filter)) {
            steps.resize(steps.size() - 2); // the tree and the filter that keeps everything
        }
        recipe.steps.insert(recipe.steps.end(), steps.begin(), steps.end());
        for (const Step& row : steps_) {
            if (row.on && ResultSteps::isResult(row.step)) {
                recipe.steps.push_back(row.step);
            }
        }
        for (const ChannelPart& part : channels) {
            if (part.on) {
                recipe.channels.push_back({nameOfChannel(part.channel, *subjects_.document.imageInfo()), part.filter});
            }
        }
    }
    return recipe;
}

bool RecipeViewModel::isEmpty() const {
    const Recipe recipe = this->recipe();
    return recipe.channels.empty() && std::ranges::none_of(recipe.steps, [](const RecipeStep& step) {
               if (const auto* read = std::get_if<ReadStep>(&step)) {
                   return read->region || read->shrink > 1;
               }
               if (const auto* filter = std::get_if<FilterStep>(&step)) {
                   return mayChange(filter->filter);
               }
               return ResultSteps::isResult(step) || std::holds_alternative<OperatorStep>(step);
           });
}

ScriptWork RecipeViewModel::script() const {
    const DocumentViewModel& document = subjects_.document;
    ScriptWork work{recipe(), {{document.path().toStdString()}}, document.pixelSizes().stated()};
    for (const QString& sentence : missing()) {
        work.missing.push_back(sentence.toStdString());
    }
    return work;
}

QString RecipeViewModel::commandLine() const {
    QString commands = isAvailable() ? QString::fromStdString(shellScript(script())) : QString();
    commands.chop(1); // a terminal runs a line once it ends
    return commands;
}

QString RecipeViewModel::pythonScript() const {
    return isAvailable() ? QString::fromStdString(pollard::pythonScript(script())) : QString();
}

QStringList RecipeViewModel::missing() const { return results_ != nullptr ? results_->missing() : QStringList(); }

bool RecipeViewModel::canRemove(int row) const {
    if (!isRow(steps_, row)) {
        return false;
    }
    const RecipeStep& step = steps_[static_cast<std::size_t>(row)].step;
    return std::holds_alternative<RegionStep>(step) || makesImage(step) || isResult(row);
}

bool RecipeViewModel::canMove(int row, int by) const {
    if (!isRow(steps_, row) || !makesImage(steps_[static_cast<std::size_t>(row)].step) ||
        !steps_[static_cast<std::size_t>(row)].channel.empty()) {
        return false;
    }
    const auto stage = static_cast<int>(steps_[static_cast<std::size_t>(row)].stage);
    const auto last = static_cast<int>(subjects_.document.choices().earlierFilters().size());
    const int lower = std::max(stage, stage + by);
    // Criteria of a current filter that is off are only in its panel.
    return std::min(stage, stage + by) >= 0 && lower <= last && (lower < last || subjects_.filter.isEnabled());
}

int RecipeViewModel::filterRow(int stage) const {
    for (int row = 0; row < rowCount(); ++row) {
        const Step& step = steps_[static_cast<std::size_t>(row)];
        if (makesImage(step.step) && std::cmp_equal(step.stage, stage)) {
            return row;
        }
    }
    return -1;
}

QString RecipeViewModel::move(int row, int by) {
    if (!canMove(row, by)) {
        return {};
    }
    const std::size_t stage = steps_[static_cast<std::size_t>(row)].stage;
    FilterStages next = stages();
    std::swap(next[stage], next[by < 0 ? stage - 1 : stage + 1]);
    next = withFilter(std::move(next));
    QString problem = problemOf(next);
    if (problem.isEmpty()) {
        take(next, tr("order of filters"));
    }
    return problem;
}

void RecipeViewModel::setName(const QString& name) {
    const QString line = lineText(name.simplified(), kMostNameBytes);
    if (line != this->name()) {
        name_ = line;
        emit changed();
    }
}

QString RecipeViewModel::edit(int row, const QString& text) {
    if (!isRow(steps_, row)) {
        return {};
    }
    try {
        const RecipeStep step = parseStep(text.toStdString());
        const Step& present = steps_[static_cast<std::size_t>(row)];
        if (step.index() != present.step.index()) {
            return tr("The kind of a step cannot change: %1").arg(fromUtf8(idOf(present.step)));
        }
        if (step == present.step) {
            return {};
        }
        if (const auto* read = std::get_if<ReadStep>(&step)) {
            const OpenRequest request = requestFor(*read);
            if (subjects_.document.shows(request)) {
                subjects_.document.pixelSizes().set(request.pixelSize);
            } else {
                subjects_.document.openAs(request);
            }
            return {};
        }
        if (ResultSteps::isResult(step)) {
            return results_->take(step);
        }
        if (!present.channel.empty()) {
            const EditHistory::Group group(subjects_.history, tr("recipe step"));
            setChannelFilter(subjects_.filter.channels(), present.channel, stateOf(std::get<FilterStep>(step).filter));
            return {};
        }
        FilterStages next = withStep(stages(), present, step);
        if (isLastFilter(present)) {
            next.back().on = true; // criteria of a filter that is off would be lost
        }
        QString problem = problemOf(next);
        if (problem.isEmpty()) {
            take(next, tr("recipe step"));
        }
        return problem;
    } catch (const Error& error) {
        return reasonOf(error.what(), "recipe");
    }
}

void RecipeViewModel::take(const FilterStages& stages, const QString& text) {
    taking_ = true;
    takeStages(stages, subjects_, text);
    taking_ = false;
    off_ = stages.back().regionOn ? RegionStep{} : stages.back().region;
    refresh();
}

QString RecipeViewModel::takeRecipe(const WindowRecipe& window, const Recipe& recipe) {
    const EditHistory::Group group(subjects_.history, tr("recipe"));
    if (subjects_.document.hasImage()) {
        takeChannels(recipe, subjects_.filter.channels(), *subjects_.document.imageInfo());
    }
    take(window.stages, tr("recipe"));
    return results_ != nullptr ? results_->takeAll(recipe) : QString();
}

void RecipeViewModel::remove(int row) {
    if (!canRemove(row)) {
        return;
    }
    const Step step = steps_[static_cast<std::size_t>(row)];
    if (!step.channel.empty()) {
        const EditHistory::Group group(subjects_.history, tr("recipe step"));
        setChannelFilter(subjects_.filter.channels(), step.channel, stateOf({}));
    } else if (ResultSteps::isResult(step.step)) {
        results_->remove(step.step);
    } else if (isLastFilter(step)) {
        subjects_.filter.setSpec({}); // also resets criteria that are off
    } else {
        take(without(stages(), step), {});
    }
}

QString RecipeViewModel::takeOver(const Recipe& recipe, const QString& path) {
    if (const QString obstacle = ResultSteps::obstacleOf(recipe); !obstacle.isEmpty()) {
        return tr("%1 pollard-cli run %2 does.").arg(obstacle, QString::fromStdString(shellQuoted(path.toStdString())));
    }
    DocumentViewModel& document = subjects_.document;
    const auto isResult = [](const RecipeStep& step) { return ResultSteps::isResult(step); };
    if (!document.hasImage() && std::ranges::any_of(recipe.steps, isResult)) {
        return tr("Open an image first: this recipe finds objects or contours in it.");
    }
    if (!document.hasImage() && !recipe.channels.empty()) {
        return tr("Open an image first: this recipe filters several of its channels.");
    }
    const WindowRecipe window = windowRecipeOf(recipe);
    OpenRequest request = document.request();
    try {
        request = window.read && document.hasImage() ? requestFor(*window.read) : request;
    } catch (const Error& error) { // the file lacks a channel or position
        return reasonOf(error.what(), "recipe");
    }
    if (document.hasImage()) {
        if (QString problem = channelProblem(recipe, request, *document.imageInfo()); !problem.isEmpty()) {
            return problem;
        }
    }
    if (!document.shows(request)) {
        document.openAs(request);
        awaited_ = request;
        pending_ = window;
        pendingResults_ = recipe;
    } else {
        EditHistory& history = subjects_.history;
        const int before = history.stack().index();
        QString problem;
        {
            const EditHistory::Group group(history, tr("recipe"));
            document.pixelSizes().set(request.pixelSize);
            problem = takeRecipe(window, recipe);
        }
        if (!problem.isEmpty()) {
            if (history.stack().index() > before) {
                history.undo();
            }
            return problem;
        }
    }
    name_ = QString::fromStdString(recipe.name);
    emit changed();
    return {};
}

} // namespace pollard::vm
