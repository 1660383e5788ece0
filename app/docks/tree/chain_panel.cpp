#include "docks/tree/chain_panel.hpp"

#include "docks/filter/attribute_picker.hpp"
#include "plot/chart.hpp"
#include "plot/chart_frame.hpp"
#include "theme/theme.hpp"
#include "vm/base/value_text.hpp"
#include "vm/tree/chain_view_model.hpp"
#include "widgets/couple.hpp"
#include "widgets/panel_parts.hpp"
#include "widgets/wrapping_row.hpp"

#include <QHeaderView>
#include <QItemSelectionModel>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QStyleOptionFocusRect>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace pollard::app {

namespace {

using Chain = vm::ChainViewModel;

constexpr double kApart = 1; ///< px between distinguishable points of the line
constexpr double kLine = 1.5;
constexpr double kMarkRadius = 4.5;
constexpr int kMostLevelTicks = 6;
constexpr double kDecadeRoom = 14; ///< px for the number of a decade

} // namespace

ChainChart::ChainChart(Chain& chain, QWidget* parent) : QWidget(parent), chain_(chain) {
    setObjectName(QStringLiteral("chainChart"));
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Area against level along the chain"));
    setToolTip(
        tr("Area of the components around the pixel against their level. Where it is flat, a component stays the "
           "same over many levels. Click or drag to go along the chain."));
    connect(&chain_, &Chain::chainChanged, this, &ChainChart::showChain);
    connect(&chain_, &Chain::valuesChanged, this, &ChainChart::showChain);
    connect(&chain_, &Chain::currentChanged, this, &ChainChart::showCurrent);
}

bool ChainChart::isKnown() const { return chain_.value(0, Chain::areaColumn).has_value(); }

ChainChart::Range ChainChart::range() const {
    const int last = chain_.rowCount() - 1;
    const auto [lowest, highest] = std::minmax({chain_.levelValue(0), chain_.levelValue(last)});
    return {lowest, chain_.hasValues() && highest > lowest ? highest : std::max(highest, lowest + 1),
            std::ceil(std::log10(std::max(*chain_.value(last, Chain::areaColumn), 10.0)))};
}

QPointF ChainChart::placeOf(int row, const Range& range) const {
    const double level = chain_.levelValue(row);
    const double area = *chain_.value(row, Chain::areaColumn);
    const QRectF plot = plotWithin(size());
    return {plot.left() + (level - range.lowest) / (range.highest - range.lowest) * plot.width(),
            plot.bottom() - std::log10(area) / range.decades * plot.height()};
}

QPointF ChainChart::placeOf(int row) const {
    return isKnown() && row >= 0 && row < chain_.rowCount() ? placeOf(row, range()) : QPointF();
}

const std::vector<vm::CurvePoint>& ChainChart::curve() {
    if (isCurveOld_) {
        isCurveOld_ = false;
        curve_.clear();
        if (isKnown()) {
            const Range shown = range();
            curve_ = vm::thinnedCurve(
                chain_.rowCount(), [&](int row) { return placeOf(row, shown); }, kApart);
        }
    }
    return curve_;
}

void ChainChart::showChain() {
    isCurveOld_ = true;
    update();
}

void ChainChart::showCurrent() {
    if (!isCurveOld_) {
        update(mark_);
        update(markAt(placeOf(chain_.current())));
    }
}

QRect ChainChart::markAt(QPointF place) const {
    constexpr double kReach = kMarkRadius + 2;
    return QRectF(place - QPointF(kReach, kReach), QSizeF(2 * kReach, 2 * kReach)).toAlignedRect();
}

void ChainChart::paintFrame(QPainter& painter) const {
    const Range shown = range();
    const QRectF plot = plotWithin(size());
    const double levels = shown.highest - shown.lowest;
    const int most = std::clamp(static_cast<int>(plot.width() / kTickRoom), 1, kMostLevelTicks);
    QList<ChartTick> levelTicks = ticksBetween(shown.lowest, shown.highest, false,
                                               chain_.hasValues() ? most : std::min(most, static_cast<int>(levels)));
    for (ChartTick& tick : levelTicks) {
        tick.label = vm::greyNumber(chain_.hasValues() ? tick.value : std::round(tick.value), 5);
    }
    const int mostDecades = std::max(1, static_cast<int>(plot.height() / kDecadeRoom));
    paintChartFrame(
        painter, plot, {levelTicks, [&](double level) { return (level - shown.lowest) / levels; }, chain_.levelTitle()},
        {ticksBetween(1, std::pow(10, shown.decades), true, std::min(mostDecades, static_cast<int>(shown.decades))),
         [&](double area) { return std::log10(area) / shown.decades; }, tr("Area (px)")},
        palette());
}

void ChainChart::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setFont(smallFont(font()));
    mark_ = {};
    if (!curve().empty()) {
        paintFrame(painter);
        QPolygonF line;
        line.reserve(static_cast<qsizetype>(curve_.size()));
        for (const vm::CurvePoint& point : curve_) {
            line << point.place;
        }
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(palette().color(QPalette::WindowText), kLine));
        painter.drawPolyline(line);
        const QPointF current = placeOf(chain_.current());
        mark_ = markAt(current);
        painter.setPen(palette().color(QPalette::Base));
        painter.setBrush(palette().color(QPalette::Highlight));
        painter.drawEllipse(current, kMarkRadius, kMarkRadius);
    }
    if (hasFocus()) {
        QStyleOptionFocusRect option;
        option.initFrom(this);
        style()->drawPrimitive(QStyle::PE_FrameFocusRect, &option, &painter, this);
    }
}

void ChainChart::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    isCurveOld_ = true;
}

void ChainChart::chooseAt(double pixel) {
    const int rows = chain_.rowCount();
    if (rows == 0) {
        return;
    }
    const QRectF plot = plotWithin(size());
    const double first = chain_.levelValue(0);
    const double last = chain_.levelValue(rows - 1);
    const double lowest = std::min(first, last);
    const double level = lowest + (pixel - plot.left()) / plot.width() * (range().highest - lowest);
    // Levels are monotonic towards the root.
    const double way = last < first ? -1 : 1;
    int low = 0;
    int high = rows - 1;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (way * chain_.levelValue(middle) < way * level) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    const auto distance = [&](int row) { return std::abs(chain_.levelValue(row) - level); };
    chain_.setCurrent(low > 0 && distance(low - 1) < distance(low) ? low - 1 : low);
}

void ChainChart::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) {
        chooseAt(event->position().x());
    }
}

void ChainChart::mouseMoveEvent(QMouseEvent* event) {
    if (event->buttons().testFlag(Qt::LeftButton)) {
        chooseAt(event->position().x());
    }
}

void ChainChart::keyPressEvent(QKeyEvent* event) {
    const bool left = event->key() == Qt::Key_Left;
    const int last = chain_.rowCount() - 1;
    if (last < 0 || (!left && event->key() != Qt::Key_Right)) {
        QWidget::keyPressEvent(event);
        return;
    }
    const bool rises = chain_.levelValue(0) < chain_.levelValue(last);
    chain_.setCurrent(std::max(chain_.current() + (left == rises ? -1 : 1), 0));
}

void ChainChart::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    update();
}

void ChainChart::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    update();
}

namespace {

constexpr int kTableWidth = 300; ///< three columns with their titles

} // namespace

ChainPanel::ChainPanel(Chain& chain, QWidget* parent)
    : QWidget(parent), chain_(chain), summary_(new ElidedLabel(this)), verdict_(new ElidedLabel(this)),
      attribute_(new AttributeButton(this)), keepFromHere_(new QToolButton(this)),
      remove_(makeIconButton(this, "chainRemove", QStringLiteral("delete"), tr("Remove"),
                             tr("Remove this component from the image with all in it"))),
      keep_(makeIconButton(this, "chainKeep", QStringLiteral("keep"), tr("Keep"),
                           tr("Keep this component in the image, even if it does not meet the criteria"))),
      refine_(makeIconButton(this, "chainRefine", QStringLiteral("contour"), tr("Refine with a contour"),
                             tr("Let a contour (region snake) start at the outline of this component"))),
      letGo_(makeIconButton(this, "chainLetGo", QStringLiteral("cancel"), tr("Let go"),
                            tr("Follow the pointer again (Esc in the image)"))),
      table_(new QTableView(this)), chart_(new ChainChart(chain, this)), parts_(new QSplitter(this)),
      pages_(new QStackedWidget(this)), hint_(new EmptyState(QStringLiteral("chainHint"), this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(kPanelMargin, kPanelSpacing, kPanelMargin, kPanelSpacing);
    layout->setSpacing(kPanelSpacing / 2);
    auto* head = new WrappingRow(kPanelSpacing);
    attribute_->setObjectName(QStringLiteral("chainAttribute"));
    attribute_->setAccessibleName(tr("Attribute beside level and area"));
    keepFromHere_->setText(tr("Keep from here on"));
    keepFromHere_->setAutoRaise(true);
    explain(keepFromHere_, "chainThreshold", tr("Keep from here on"),
            tr("Make attribute ≥ this component's value the criterion that is edited"));
    summary_->setObjectName(QStringLiteral("chainSummary"));
    summary_->setMinimumHeight(summary_->fontMetrics().height());
    head->addWidget(captionFor(attribute_, tr("&Attribute")));
    head->addWidget(attribute_);
    head->addStretch();
    for (QToolButton* button : {keepFromHere_, remove_, keep_, refine_, letGo_}) {
        head->addWidget(button);
    }
    layout->addLayout(head);
    layout->addWidget(summary_);
    layout->addWidget(verdict_);
    verdict_->setObjectName(QStringLiteral("chainVerdict"));
    verdict_->setMinimumHeight(verdict_->fontMetrics().height());
    hint_->setText(tr("Point at the image: the components around that pixel appear here, from the smallest to the "
                      "whole image. A click holds them."));
    connect(hint_->addButton(QStringLiteral("chainStart"), tr("Start in the middle"),
                             tr("Hold the components around the pixel in the middle of the view")),
            &QPushButton::clicked, this, &ChainPanel::middleRequested);
    makeTable();
    parts_->setChildrenCollapsible(false);
    parts_->addWidget(table_);
    parts_->addWidget(chart_);
    parts_->setSizes({kTableWidth, kTableWidth});
    parts_->setObjectName(QStringLiteral("chainParts"));
    // Both have the same size, so that the image stays in place when a chain appears.
    pages_->addWidget(parts_);
    pages_->addWidget(hint_);
    layout->addWidget(pages_, 1);
    connectModel();
}

void ChainPanel::makeTable() {
    table_->setObjectName(QStringLiteral("chainTable"));
    table_->setModel(&chain_);
    table_->setAccessibleName(tr("Components around the pixel"));
    table_->setSelectionBehavior(QAbstractItemView::SelectRows);
    table_->setSelectionMode(QAbstractItemView::SingleSelection);
    table_->setFrameShape(QFrame::NoFrame);
    table_->setShowGrid(false);
    table_->setAlternatingRowColors(true);
    table_->setWordWrap(false);
    table_->verticalHeader()->hide();
    // A fixed height avoids measuring 65,536 rows.
    table_->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    table_->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 6);
    table_->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    table_->horizontalHeader()->setHighlightSections(false);
    table_->setMinimumWidth(kTableWidth);
}

void ChainPanel::connectModel() {
    connect(attribute_, &AttributeButton::chosen, &chain_, &Chain::setAttribute);
    connect(letGo_, &QToolButton::clicked, &chain_, &Chain::letGo);
    connect(keepFromHere_, &QToolButton::clicked, &chain_, &Chain::keepFromCurrentOn);
    connect(remove_, &QToolButton::clicked, &chain_, &Chain::removeCurrent);
    connect(keep_, &QToolButton::clicked, &chain_, &Chain::keepCurrent);
    connect(refine_, &QToolButton::clicked, this, [this] {
        if (const auto canonical = chain_.canonical()) {
            emit refineRequested(*canonical);
        }
    });
    connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, &chain_,
            [this](const QModelIndex& current) {
                if (current.isValid()) {
                    chain_.setCurrent(current.row());
                }
            });
    follow(this, &ChainPanel::showState, chain_, &Chain::chainChanged, &Chain::heldChanged, &Chain::attributeChanged);
    follow(this, &ChainPanel::showCurrent, chain_, &Chain::valuesChanged, &Chain::verdictChanged,
           &Chain::currentChanged);
}

void ChainPanel::setTall(bool tall) { parts_->setOrientation(tall ? Qt::Vertical : Qt::Horizontal); }

void ChainPanel::showState() {
    const bool there = chain_.rowCount() > 0;
    attribute_->setAttributeId(chain_.attribute());
    pages_->setCurrentWidget(there ? static_cast<QWidget*>(parts_) : hint_);
    letGo_->setEnabled(chain_.isHeld());
    showCurrent();
}

void ChainPanel::showCurrent() {
    const auto node = chain_.node();
    summary_->setFullText(chain_.summary());
    verdict_->setFullText(chain_.verdict());
    remove_->setEnabled(node && *node != 0);
    keep_->setEnabled(node && *node != 0);
    refine_->setEnabled(node && *node != 0);
    keepFromHere_->setEnabled(chain_.value(chain_.current(), Chain::attributeColumn).has_value());
    if (chain_.current() >= 0 && table_->currentIndex().row() != chain_.current()) {
        table_->setCurrentIndex(chain_.index(chain_.current(), 0));
    }
}

} // namespace pollard::app
