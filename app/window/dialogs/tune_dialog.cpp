#include "window/dialogs/tune_dialog.hpp"

#include "attributes/attribute.hpp"
#include "docks/objects/score_panel.hpp"
#include "plot/chart_frame.hpp"
#include "shell/models.hpp"
#include "vm/base/attribute_catalogue.hpp"
#include "vm/base/value_text.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/recipe/recipe_view_model.hpp"
#include "widgets/form.hpp"
#include "widgets/number_box.hpp"
#include "widgets/panel_parts.hpp"
#include "window/dialogs/batch_dialog.hpp"

#include <QDialogButtonBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLocale>
#include <QMainWindow>
#include <QMouseEvent>
#include <QPaintEvent>
#include <QPainter>
#include <QPolygonF>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QStringList>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pollard::app {
namespace {

constexpr int kDigits = 3;
constexpr double kPoint = 9; ///< px, side of a point of the curve
constexpr int kSteps = 1000;
constexpr int kPollEvery = 100; ///< ms
constexpr int kTextLines = 3;

QString f1Text(double f1) { return QLocale().toString(f1, 'f', kDigits); }

/// "0.6 / 120"
QString valuesText(const std::vector<double>& values) {
    QStringList texts;
    std::ranges::transform(values, std::back_inserter(texts), vm::shortValue);
    return texts.join(QStringLiteral(" / "));
}

QString numberTitle(const QString& name) {
    const std::pair<const char*, QString> titles[] = {
        {"objects.threshold", TuneDialog::tr("Threshold of objects")},
        {"objects.above_background.sigmas", TuneDialog::tr("Sigmas above the background")},
        {"objects.above_background.box", TuneDialog::tr("Box of the background")},
        {"objects.best.size", TuneDialog::tr("Size of the best components")},
        {"objects.best.strictness", TuneDialog::tr("Strictness of the best components")},
        {"objects.watershed.least", TuneDialog::tr("Least seed of the watershed")},
        {"objects.hierarchy.above", TuneDialog::tr("Cut of the hierarchy")},
        {"objects.hierarchy.regions", TuneDialog::tr("Regions of the hierarchy")},
        {"objects.split.strength", TuneDialog::tr("Strength of the split")}};
    for (const auto& [known, title] : titles) {
        if (name == QLatin1String(known)) {
            return title;
        }
    }
    const std::string attribute = name.section(u'.', 1).toStdString();
    const std::optional<AttributeId> id = findAttribute(attribute);
    return id ? TuneDialog::tr("Filter: %1").arg(vm::attributeTitle(*id)) : name;
}

/// A side of the chart. @param index of a number of the result
ChartSide sideOf(const vm::TuneResult& result, std::size_t index, double length) {
    const TriedNumber& number = result.numbers[index];
    const QString& unit = result.units[index];
    const QString title = numberTitle(QString::fromStdString(number.name));
    const double low = number.values.front();
    const double high = number.values.back();
    // Half of a value beside the outermost ones.
    const double room =
        number.values.size() > 1 ? (high - low) / static_cast<double>(2 * (number.values.size() - 1)) : 1;
    const int most = std::max(2, static_cast<int>(length / kTickRoom));
    return {ticksBetween(low, high, false, most),
            [=](double value) { return (value - low + room) / (high - low + 2 * room); },
            unit.isEmpty() ? title : QStringLiteral("%1 (%2)").arg(title, unit)};
}

} // namespace

TuneChart::TuneChart(QWidget* parent) : QWidget(parent) {
    explain(this, "tuneChart", tr("F1 of the values"),
            tr("Click a point, or go there with the arrow keys and press Return, to take its values"));
    setMinimumSize(300, 120);
    setFocusPolicy(Qt::StrongFocus);
}

void TuneChart::setResult(std::shared_ptr<const vm::TuneResult> result) {
    if (result != result_) {
        result_ = std::move(result);
        setCurrent(result_ ? static_cast<int>(result_->best) : -1);
        update();
    }
}

int TuneChart::count(std::size_t number) const {
    return number < result_->numbers.size() ? static_cast<int>(result_->numbers[number].values.size()) : 1;
}

QRectF TuneChart::areaOf(int trial) const {
    const QRectF plot = plotWithin(size());
    const double width = plot.width() / count(0);
    if (result_->numbers.size() == 1) {
        const double x = plot.left() + (trial + 0.5) * width;
        const double y = plot.bottom() - result_->f1[static_cast<std::size_t>(trial)] * plot.height();
        return {x - kPoint / 2, y - kPoint / 2, kPoint, kPoint};
    }
    const double height = plot.height() / count(1);
    const int column = trial / count(1);
    return {plot.left() + column * width, plot.bottom() - (trial % count(1) + 1) * height, width, height};
}

void TuneChart::setCurrent(int trial) {
    if (std::exchange(current_, trial) != trial) {
        update();
        emit currentChanged(trial);
    }
}

void TuneChart::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    if (!result_) {
        return;
    }
    const QRectF plot = plotWithin(size());
    const bool isMap = result_->numbers.size() == 2;
    const ChartSide share{ticksBetween(0, 1, false, 5), [](double f1) { return f1; }, tr("F1")};
    paintChartFrame(painter, plot, sideOf(*result_, 0, plot.width()),
                    isMap ? sideOf(*result_, 1, plot.height() * 1.6) : share, palette());
    painter.setRenderHint(QPainter::Antialiasing);
    isMap ? paintMap(painter) : paintCurve(painter);
    painter.setPen(QPen(palette().color(QPalette::WindowText), hasFocus() ? 3 : 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(areaOf(current_).adjusted(-1, -1, 1, 1));
}

void TuneChart::paintCurve(QPainter& painter) const {
    QPolygonF curve;
    for (int trial = 0; trial != count(0); ++trial) {
        curve << areaOf(trial).center();
    }
    painter.setPen(QPen(palette().color(QPalette::Highlight), 2));
    painter.drawPolyline(curve);
    painter.setBrush(palette().color(QPalette::Highlight));
    for (const QPointF& point : curve) {
        painter.drawEllipse(point, kPoint / 3, kPoint / 3);
    }
}

void TuneChart::paintMap(QPainter& painter) const {
    painter.setRenderHint(QPainter::Antialiasing, false);
    const auto [lowest, highest] = std::ranges::minmax(result_->f1);
    const double span = std::max(highest - lowest, 1e-9);
    const QFontMetricsF metrics(painter.font());
    for (int trial = 0; trial != count(0) * count(1); ++trial) {
        const double f1 = result_->f1[static_cast<std::size_t>(trial)];
        const QRectF area = areaOf(trial);
        QColor colour = palette().color(QPalette::Highlight);
        const double share = (f1 - lowest) / span;
        colour.setAlphaF(static_cast<float>(0.08 + 0.92 * share));
        painter.fillRect(area, colour);
        const QString text = QLocale().toString(f1, 'f', 2);
        if (metrics.horizontalAdvance(text) + 4 < area.width() && metrics.height() < area.height()) {
            painter.setPen(palette().color(share > 0.6 ? QPalette::HighlightedText : QPalette::Text));
            painter.drawText(area, Qt::AlignCenter, text);
        }
    }
}

void TuneChart::mousePressEvent(QMouseEvent* event) {
    const QRectF plot = plotWithin(size());
    if (!result_ || event->button() != Qt::LeftButton || !plot.contains(event->position())) {
        QWidget::mousePressEvent(event);
        return;
    }
    const auto part = [](double share, int values) {
        return std::clamp(static_cast<int>(share * values), 0, values - 1);
    };
    const int column = part((event->position().x() - plot.left()) / plot.width(), count(0));
    const int row = part((plot.bottom() - event->position().y()) / plot.height(), count(1));
    setCurrent(column * count(1) + row);
    emit taken(current_);
}

void TuneChart::keyPressEvent(QKeyEvent* event) {
    if (!result_) {
        QWidget::keyPressEvent(event);
        return;
    }
    int column = current_ / count(1);
    int row = current_ % count(1);
    switch (event->key()) {
    case Qt::Key_Left:
        --column;
        break;
    case Qt::Key_Right:
        ++column;
        break;
    case Qt::Key_Up:
        ++row;
        break;
    case Qt::Key_Down:
        --row;
        break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        emit taken(current_);
        return;
    default:
        QWidget::keyPressEvent(event);
        return;
    }
    setCurrent(std::clamp(column, 0, count(0) - 1) * count(1) + std::clamp(row, 0, count(1) - 1));
}

TuneDialog::TuneDialog(Models& models, vm::RecipeViewModel& recipe, const EngineRegistry& registry, QWidget* parent)
    : QDialog(parent),
      tune_({models.document, models.objects, models.score, recipe, models.history}, enginesOf(registry, models)),
      proposals_(tune_.proposals()), rows_{makeRow(0), makeRow(1)},
      start_(makeControl<QPushButton>(this, "tuneStart", tr("Try the values"),
                                      tr("Find the objects with each value, and compare them with the truth"))),
      progress_(new QProgressBar(this)), chart_(new TuneChart(this)), trial_(new QLabel(this)),
      text_(new QLabel(this)) {
    setObjectName(QStringLiteral("tuneDialog"));
    setWindowTitle(tr("Tune numbers"));
    setAttribute(Qt::WA_DeleteOnClose);
    auto* does = new QLabel(
        tr("Each value is tried on the open image, and on the images of its folder that have a file of the truth. A "
           "click on the chart takes the values; Ctrl+Z takes that back."),
        this);
    does->setWordWrap(true);
    progress_->setRange(0, kSteps);
    progress_->setTextVisible(false);
    progress_->setAccessibleName(tr("Progress of the values"));
    QSizePolicy ofProgress = progress_->sizePolicy();
    ofProgress.setRetainSizeWhenHidden(true);
    progress_->setSizePolicy(ofProgress);
    trial_->setObjectName(QStringLiteral("tuneTrial"));
    text_->setObjectName(QStringLiteral("tuneText"));
    text_->setWordWrap(true);
    text_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    text_->setMinimumHeight(kTextLines * fontMetrics().lineSpacing());
    start_->setDefault(true);
    auto* grid = gridOf({{new CaptionLabel(tr("Number"), this), new CaptionLabel(tr("From"), this),
                          new CaptionLabel(tr("To"), this), new CaptionLabel(tr("Values"), this)},
                         {rows_[0].number, rows_[0].first, rows_[0].last, rows_[0].count},
                         {rows_[1].number, rows_[1].first, rows_[1].last, rows_[1].count}});
    auto* run = new QHBoxLayout;
    run->addWidget(start_);
    run->addWidget(progress_, 1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    buttons->button(QDialogButtonBox::Close)->setAutoDefault(false);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(does);
    layout->addLayout(grid);
    layout->addLayout(run);
    layout->addWidget(chart_, 1);
    layout->addWidget(trial_);
    layout->addWidget(text_);
    layout->addWidget(buttons);
    timer_.setInterval(kPollEvery);
    connect(&timer_, &QTimer::timeout, this,
            [this] { progress_->setValue(static_cast<int>(tune_.progress() * kSteps)); });
    connect(start_, &QPushButton::clicked, this, &TuneDialog::start);
    connect(chart_, &TuneChart::currentChanged, this, [this](int trial) { trial_->setText(trialText(trial)); });
    connect(chart_, &TuneChart::taken, this, [this](int trial) {
        const QString problem = tune_.take(static_cast<std::size_t>(trial));
        trial_->setText(problem.isEmpty() ? tr("%1. Taken.").arg(trialText(trial)) : problem);
    });
    connect(&tune_, &vm::TuneViewModel::changed, this, &TuneDialog::showState);
    connect(&models.document, &vm::DocumentViewModel::imageChanged, this, &QDialog::reject);
    showState();
    resizeOnScreen(*this, {560, 560});
}

TuneDialog::Row TuneDialog::makeRow(int number) {
    const bool isFirst = number == 0;
    const char* const names[2][4] = {{"tuneNumber", "tuneFirst", "tuneLast", "tuneCount"},
                                     {"tuneNumber2", "tuneFirst2", "tuneLast2", "tuneCount2"}};
    const auto& name = names[number];
    const auto makeBox = [&](const char* objectName, const QString& title, const QString& toolTip) {
        auto* box = makeControl<ValueBox>(this, objectName, title, toolTip);
        box->setScale(-1e12, 1e12, 1e-6);
        return box;
    };
    const Row row{
        makeControl<QComboBox>(this, name[0], isFirst ? tr("Number to tune") : tr("Second number to tune"),
                               isFirst ? tr("The number of the recipe whose values are tried")
                                       : tr("A second number: all pairs of values are tried, and the chart is a map")),
        makeBox(name[1], tr("First value"), tr("The first value that is tried")),
        makeBox(name[2], tr("Last value"), tr("The last value that is tried")),
        makeControl<WholeBox>(this, name[3], tr("Number of values"),
                              tr("How many values are tried, equally far apart"))};
    row.count->setRange(2, vm::TuneRange::kMostCount);
    row.count->setValue(vm::TuneRange::kUsualCount);
    if (!isFirst) {
        row.number->addItem(tr("No second number"), -1);
    }
    for (std::size_t i = 0; i != proposals_.size(); ++i) {
        row.number->addItem(numberTitle(proposals_[i].name), static_cast<int>(i));
    }
    connect(row.number, &QComboBox::currentIndexChanged, this, [this, row] { showProposal(row); });
    showProposal(row);
    return row;
}

void TuneDialog::showProposal(const Row& row) {
    const int chosen = row.number->currentData().isValid() ? row.number->currentData().toInt() : -1;
    for (QWidget* each : std::initializer_list<QWidget*>{row.first, row.last, row.count}) {
        each->setEnabled(chosen >= 0);
    }
    if (chosen >= 0) {
        const vm::TuneRange& range = proposals_[static_cast<std::size_t>(chosen)];
        const QString suffix = range.unit.isEmpty() ? QString() : u' ' + range.unit;
        for (const auto& [box, value] : {std::pair(row.first, range.first), std::pair(row.last, range.last)}) {
            box->setSuffix(suffix);
            box->setValue(value);
        }
    }
}

void TuneDialog::start() {
    if (tune_.state() == vm::AsyncState::computing) {
        tune_.cancel();
        return;
    }
    std::vector<vm::TuneRange> ranges;
    for (const Row& row : rows_) {
        if (const QVariant chosen = row.number->currentData(); chosen.isValid() && chosen.toInt() >= 0) {
            vm::TuneRange range = proposals_[chosen.toUInt()];
            range.first = std::min(row.first->value(), row.last->value());
            range.last = std::max(row.first->value(), row.last->value());
            range.count = row.count->value();
            ranges.push_back(range);
        }
    }
    if (ranges.size() == 2 && ranges[0].name == ranges[1].name) {
        ranges.pop_back();
    }
    tune_.start(ranges);
}

QString TuneDialog::trialText(int trial) const {
    const auto result = tune_.result();
    if (!result || trial < 0) {
        return {};
    }
    const auto index = static_cast<std::size_t>(trial);
    QStringList parts;
    for (std::size_t i = 0; i != result->numbers.size(); ++i) {
        const QString value = vm::shortValue(result->trials.values[index][i]);
        const QString& unit = result->units[i];
        parts << tr("%1 = %2").arg(numberTitle(QString::fromStdString(result->numbers[i].name)),
                                   unit.isEmpty() ? value : value + u' ' + unit);
    }
    return tr("%1: F1 %2").arg(parts.join(QStringLiteral(", ")), f1Text(result->f1[index]));
}

QString TuneDialog::resultText() const {
    const auto result = tune_.result();
    const QString best = tr("Highest: %1").arg(trialText(static_cast<int>(result->best)));
    if (result->folds.empty()) {
        return tr("%1, on one image, which chose the values. Their F1 on other images is not known: give the truth of "
                  "other images of the folder a name with {stem}.")
            .arg(best);
    }
    QStringList parts;
    for (const TrialScores::Fold& fold : result->folds) {
        parts << tr("%1 at %2")
                     .arg(f1Text(fold.score.matches.front().f1()), valuesText(result->trials.values[fold.trial]));
    }
    return tr("%1, on %2 images. Cross-validated, on images that did not choose the values: F1 %3 (parts: %4).")
        .arg(best, vm::countText(result->images), f1Text(result->crossValidatedF1()), parts.join(QStringLiteral(", ")));
}

void TuneDialog::showState() {
    const vm::AsyncState state = tune_.state();
    const bool isComputing = state == vm::AsyncState::computing;
    start_->setText(isComputing ? tr("Cancel") : tr("Try the values"));
    start_->setEnabled(!proposals_.empty());
    progress_->setVisible(isComputing);
    isComputing ? timer_.start() : timer_.stop();
    chart_->setResult(tune_.result());
    text_->setText(state == vm::AsyncState::failed  ? tune_.problem()
                   : state == vm::AsyncState::ready ? resultText()
                   : proposals_.empty() ? tr("The recipe has no number to tune. Choose a threshold, a way to find "
                                             "objects, or a criterion of the filter first.")
                                        : QString());
}

void TuneDialog::hideEvent(QHideEvent* event) {
    QDialog::hideEvent(event);
    if (!event->spontaneous()) { // minimized windows go on
        tune_.cancel();
    }
}

void addTune(QMainWindow& window, Models& models, const EngineRegistry& registry) {
    const auto* panel = window.findChild<ScorePanel*>();
    QObject::connect(panel, &ScorePanel::tuneRequested, &window, [&window, &models, &registry] {
        auto* dialog = window.findChild<TuneDialog*>();
        if (dialog == nullptr) {
            dialog = new TuneDialog(models, *window.findChild<vm::RecipeViewModel*>(), registry, &window);
        }
        dialog->show();
        dialog->raise();
        dialog->activateWindow();
    });
}

} // namespace pollard::app
