#include "recipe_view_model.hpp"

#include "document_view_model.hpp"
#include "edit_history.hpp"
#include "filter_view_model.hpp"
#include "line_text.hpp"
#include "region_view_model.hpp"
#include "report.hpp"
#include "session_state.hpp"
#include "shell_text.hpp"

#include "base/error.hpp"

#include <QFileInfo>
#include <QLocale>

#include <algorithm>
#include <utility>

namespace pollard::vm {

namespace {

constexpr qsizetype kMostNameBytes = 200;

QString fromView(std::string_view view) { return QString::fromUtf8(view.data(), static_cast<qsizetype>(view.size())); }

} // namespace

RecipeViewModel::RecipeViewModel(const Subjects& subjects, QObject* parent)
    : QAbstractListModel(parent), subjects_(subjects) {
    const DocumentViewModel& document = subjects_.document;
    connect(&document, &DocumentViewModel::documentChanged, this, &RecipeViewModel::onDocument);
    connect(&document, &DocumentViewModel::treeSpecChanged, this, &RecipeViewModel::refresh);
    connect( // after documentChanged()
        &document, &DocumentViewModel::stateChanged, this,
        [this] {
            if (subjects_.document.state() != DocumentViewModel::State::loading) {
                pending_.reset(); // it could not be read so
            }
        },
        Qt::QueuedConnection);
    connect(&subjects_.filter, &FilterViewModel::edited, this, &RecipeViewModel::refresh);
    connect(&subjects_.filter, &FilterViewModel::specChanged, this, &RecipeViewModel::refresh);
    connect(&subjects_.region, &RegionViewModel::changed, this, &RecipeViewModel::refresh);
    steps_ = present();
}

std::vector<RecipeViewModel::Step> RecipeViewModel::present() const {
    std::vector<Step> steps;
    if (!isAvailable()) {
        return steps;
    }
    const DocumentViewModel& document = subjects_.document;
    steps.push_back({readStepOf(document.request()), true});
    const RegionViewModel::State& region = subjects_.region.state();
    if (!region.shapes.empty()) {
        steps.push_back({RegionStep{region.shapes, region.inverted}, true});
    } else if (!off_.shapes.empty()) {
        steps.push_back({off_, false});
    }
    steps.push_back({TreeStep{document.treeKind(), document.connectivity()}, true});
    steps.push_back({FilterStep{subjects_.filter.spec()}, subjects_.filter.isEnabled()});
    return steps;
}

void RecipeViewModel::refresh() {
    if (!subjects_.region.shapes().empty()) {
        off_ = {}; // another one was drawn, or it was switched on elsewhere
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
    if (document.path() != offPath_) {
        off_ = {};
        offPath_ = document.path();
        name_.clear();
    }
    if (const auto pending = std::exchange(pending_, std::nullopt);
        pending && document.hasImage() && document.request() == awaited_) {
        apply(*pending);
    }
    refresh();
    emit changed();
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
        return titleOf(step.step);
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
        flags.setFlag(Qt::ItemIsUserCheckable,
                      std::holds_alternative<RegionStep>(step) || std::holds_alternative<FilterStep>(step));
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
    if (std::holds_alternative<FilterStep>(step.step)) {
        subjects_.filter.setEnabled(on);
        return;
    }
    const auto& region = std::get<RegionStep>(step.step);
    if (on) {
        subjects_.region.setState({region.shapes, -1, region.inverted});
    } else {
        off_ = region;
        subjects_.region.clear();
    }
}

QString RecipeViewModel::titleOf(const RecipeStep& step) {
    if (const auto* read = std::get_if<ReadStep>(&step)) {
        const OpenRequest request = requestOf(*read, {});
        const QString part = request.reductionText();
        const QString page = tr("Read page %1").arg(read->page + 1);
        return part.isEmpty() ? page : tr("%1, %2").arg(page, part);
    }
    if (const auto* region = std::get_if<RegionStep>(&step)) {
        const auto count = static_cast<int>(region->shapes.size());
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
    const FilterSpec& spec = std::get<FilterStep>(step).filter;
    QStringList criteria;
    for (const Criterion& criterion : spec.criteria) {
        criteria << QString::fromStdString(toString(criterion));
    }
    const QString joined = criteria.join(spec.match == Match::all ? tr(" and ") : tr(" or "));
    return tr("Filter: %1, %2, %3")
        .arg(joined.isEmpty() ? tr("all components") : joined, FilterViewModel::ruleTitle(spec.rule),
             FilterViewModel::outputTitle(spec.output));
}

QString RecipeViewModel::name() const {
    if (!name_.isEmpty() || !isAvailable()) {
        return name_;
    }
    const QFileInfo picture(subjects_.document.path());
    const QString base = lineText(picture.completeBaseName(), kMostNameBytes);
    return base.isEmpty() ? lineText(picture.fileName(), kMostNameBytes) : base;
}

bool RecipeViewModel::isAvailable() const { return subjects_.document.hasImage(); }

Recipe RecipeViewModel::recipe() const {
    Recipe recipe;
    recipe.name = name().toStdString();
    for (const Step& step : present()) {
        if (step.on || std::holds_alternative<FilterStep>(step.step)) { // one that is off keeps everything
            recipe.steps.push_back(step.step);
        }
    }
    return recipe;
}

QString RecipeViewModel::commandLine() const {
    if (!isAvailable()) {
        return {};
    }
    if (QString filter = filterCommand(subjects_.document); !filter.isEmpty()) {
        return filter;
    }
    const QString stem = name().replace(u'/', u'_');
    const QString folder = stem.startsWith(u'-') ? QStringLiteral("./") : QString(); // else it is an option
    const QString file = shellQuoted(folder + stem + QStringLiteral(".json"));
    return QStringLiteral("cat > %1 <<'END_OF_RECIPE'\n%2END_OF_RECIPE\npollard-cli run %1 %3 -o results")
        .arg(file, QString::fromStdString(toJson(recipe())), shellQuoted(subjects_.document.path()));
}

bool RecipeViewModel::canRemove(int row) const {
    return isRow(steps_, row) && flags(index(row)).testFlag(Qt::ItemIsUserCheckable);
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
            return tr("The kind of a step stays as it is: %1").arg(fromView(idOf(present.step)));
        }
        if (!present.on && std::holds_alternative<RegionStep>(step)) {
            off_ = std::get<RegionStep>(step);
            refresh();
        } else if (step != present.step) {
            take(step);
        }
        return {};
    } catch (const Error& error) {
        return reasonOf(error.what());
    }
}

void RecipeViewModel::take(const RecipeStep& step) {
    DocumentViewModel& document = subjects_.document;
    if (const auto* read = std::get_if<ReadStep>(&step)) {
        document.openAs(requestOf(*read, document.path()));
        return;
    }
    const EditHistory::Group group(subjects_.history, tr("recipe step"));
    if (const auto* region = std::get_if<RegionStep>(&step)) {
        subjects_.region.setState({region->shapes, -1, region->inverted});
    } else if (const auto* tree = std::get_if<TreeStep>(&step)) {
        TreeSpec spec = document.treeSpec();
        spec.kind = tree->kind;
        spec.connectivity = tree->connectivity;
        document.setTreeSpec(spec);
    } else {
        subjects_.filter.setSpec(std::get<FilterStep>(step).filter);
    }
}

void RecipeViewModel::remove(int row) {
    if (!canRemove(row)) {
        return;
    }
    if (std::holds_alternative<RegionStep>(steps_[static_cast<std::size_t>(row)].step)) {
        off_ = {};
        subjects_.region.clear();
        refresh();
    } else {
        take(FilterStep{});
    }
}

QString RecipeViewModel::reasonOf(const std::string& message) {
    const QString text = QString::fromStdString(message);
    const QString prefix = QStringLiteral("recipe: ");
    return text.startsWith(prefix) ? text.mid(prefix.size()) : text;
}

QString RecipeViewModel::takeOver(const Recipe& recipe, const QString& path) {
    const auto window = windowRecipeOf(recipe);
    if (!window) {
        return tr("This recipe filters more than once; the window shows one filter. pollard-cli run %1 does it.")
            .arg(shellQuoted(path));
    }
    DocumentViewModel& document = subjects_.document;
    const OpenRequest request =
        window->read && document.hasImage() ? requestOf(*window->read, document.path()) : document.request();
    if (request != document.request()) {
        document.openAs(request);
        awaited_ = request;
        pending_ = *window;
    } else {
        apply(*window);
    }
    name_ = QString::fromStdString(recipe.name);
    emit changed();
    return {};
}

void RecipeViewModel::apply(const WindowRecipe& recipe) {
    const EditHistory::Group group(subjects_.history, tr("recipe"));
    off_ = {};
    subjects_.filter.setSpec(recipe.filter); // before the tree, which is then filtered as soon as it is there
    subjects_.region.setState({recipe.region.shapes, -1, recipe.region.inverted});
    DocumentViewModel& document = subjects_.document;
    TreeSpec tree = document.treeSpec();
    tree.kind = recipe.tree.kind;
    tree.connectivity = recipe.tree.connectivity;
    document.setTreeSpec(tree);
    if (subjects_.filter.isPending()) {
        subjects_.filter.apply();
    }
}

} // namespace pollard::vm
